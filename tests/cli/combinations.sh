# Random combinations (of fixed seeds) of filters, windows, hierarchies and metrics on a trace with
# something of everything: different commands must agree.
need python3

python3 "$OCELOTL_ROOT/tests/mixed_maker.py" 7 >trace.trace
cli import trace.trace -o trace.db >/dev/null 2>&1 || fail "no import"
cli verify trace.db >/dev/null || fail "what was just imported is damaged"

cat >check.py <<'END'
import csv, fnmatch, io, json, os, random, subprocess, sys

NAMES = ["state", "mode", "load", "mark", "link", "run", "wait", "tick", "data", "w*", "state:wait", "proc:mode",
         "host/proc:mark", "*:load", "mark:t*"]
PATHS = ["h2", "h10", "x", "h2/p1", "x/p0"]
LENGTH = 50
failures = 0

class Refused(Exception):
    """The combination is one that the program does not take."""

def call(*words):
    """Options before the command are as good as behind it."""
    if not words[0].startswith("-") and len(words) % 2 == 0:
        words = (*words[1:], words[0])
    done = subprocess.run([os.environ["OCELOTL_CLI"], *words, "trace.db"], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout
    if done.returncode > 2 or done.returncode < 0 or done.stderr.count("\n") != 1:
        fail("no answer", words, done.returncode, done.stderr[:2000])
    raise Refused

def fail(*what):
    global failures
    failures += 1
    print("FAILED:", *what, file=sys.stderr)

def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b)) + 1e-9

def agree(what, words, a, b):
    for key in a.keys() | b.keys():
        if not near(a.get(key, 0), b.get(key, 0)):
            fail(what, words, key, a.get(key, 0), b.get(key, 0))

def sums(*words):
    """What stats says, by type, value and kind of sum."""
    found = {}
    for kind in json.loads(call("stats", "--json", *words))["types"]:
        for row in [{**kind, "name": None}, *kind["values"]]:
            for column in ("innermost", "inclusive", "begun", "ended", "ended_time"):
                found[kind["category"], kind["name"], row["name"], column] = row[column] or 0
        for attribute in kind["attributes"]:
            found[kind["category"], kind["name"], attribute["name"], "sum"] = attribute["sum"]
    return found

def added(*all_sums):
    return {key: sum(each.get(key, 0) for each in all_sums) for key in set().union(*all_sums)}

def is_counted(key):
    """Counts are of instants, both ends of the window included; links are counted where they end."""
    return key[3] in ("begun", "ended", "sum") or key[0] == "link"

def some_filters(durations=True):
    words = []
    if random.random() < 0.5:
        words += [random.choice(["--only", "--except"]), random.choice(NAMES)]
    if random.random() < 0.2:
        words += [random.choice(["--only-resources", "--except-resources"]), random.choice(PATHS)]
    if durations and random.random() < 0.3:
        words += random.choice([["--where", "size > 1000"], ["--where", "line < 20"], ["--min-duration", "1s"]])
    return words

def some_window():
    begin, end = sorted(random.sample(range(LENGTH * 1000), 2))
    return begin / 1000, end / 1000

def window_adds_up():
    words = some_filters() + random.choice([[], ["--resource", random.choice(PATHS)]])
    cut = random.choice(INSTANTS)
    before = sums(*words, "--to", f"@{cut}")
    before.update({key: value for key, value in sums(*words, "--to", f"@{cut - 0.001:.3f}").items() if is_counted(key)})
    agree("window", [words, cut], sums(*words), added(before, sums(*words, "--from", f"@{cut}")))

def filters_add_up():
    begin, end = some_window()
    words = ["--from", f"@{begin}", "--to", f"@{end}"]
    name = random.choice(NAMES)
    # What is chosen by name nests by itself, so innermost times need not add up.
    whole, *two = ({key: value for key, value in sums(*words, *more).items() if key[3] != "innermost"}
                   for more in ([], ["--only", name], ["--except", name]))
    agree("only and except", [words, name], whole, added(*two))
    states = lambda found: {key: value for key, value in found.items() if key[0] == "state"}
    agree("durations", words, states(sums(*words)),
          added(states(sums(*words, "--max-duration", "777ms")), states(sums(*words, "--min-duration", "778ms"))))

with open("tree.txt", "w", encoding="utf-8") as tree:
    tree.write("Busy/Running/run\nBusy/Running/user\nBusy/send\nPausing\n  w*\n  idle\n  ack\n")

def at_level(name, level):
    path = {"run": ["Busy", "Running"], "user": ["Busy", "Running"], "send": ["Busy"], "wait": ["Pausing"], "idle": ["Pausing"],
            "ack": ["Pausing"]}.get(name, ["other"])
    return path[level - 1] if level <= len(path) else name

def metric_is_statistics():
    metric, column = random.choice([("state-duration", "innermost"), ("state-duration", "inclusive"), ("event-count", "begun"),
                                    ("link-count", "begun"), ("link-count-received", "ended")])
    words, (begin, end), slices = some_filters(), some_window(), random.choice([1, 3, 10])
    shown = ["--metric", metric, "--slices", str(slices), "--most-types", "0", "--p", random.choice(["0", "0.5", "1"])]
    shown += ["--kind", random.choice(["temporal", "spatial", "spatiotemporal"])]
    shown += random.choice([[], ["--max-leaves", "4"], ["--fold", "*1*"],
                            ["--hierarchy", "auto"], ["--drop-level", "host"], ["--reuse-rows"],
                            ["--group", "*p1=ones"],
                            ["--order", random.choice(["activity", "traffic"])]])
    level = random.choice([0, 0, 1, 2, 3])
    if level > 0:
        shown += ["--type-tree", "tree.txt", "--type-level", str(level)]
    if column == "inclusive":
        shown += ["--nesting", "inclusive"]
    of_type = random.choice(["state", "mode"])
    if metric == "state-duration":
        shown += ["--state-type", of_type]
    got, wanted = {}, {}
    for part in json.loads(call("--json", *words, *shown, "--from", f"@{begin}", "--to", f"@{end}"))["parts"]:
        for name, value in part["shares"].items():
            name = name.split(":")[-1]
            if name != "(no state)":
                got[name] = got.get(name, 0) + value * part["leaves"] * (part["last"] - part["first"] + 1)
    last = end if metric == "state-duration" else end - 0.001
    for (category, kind, name, of), value in sums(*words, "--from", f"@{begin}", "--to", f"@{last:.3f}").items():
        if of != column or (category == "variable") == (name is not None) or category == "link" and column == "inclusive":
            continue
        if metric == "state-duration" and kind == of_type:
            wanted[name] = wanted.get(name, 0) + value * slices / (end - begin)
        elif metric == "event-count" or metric.startswith("link") and category == "link":
            wanted[name or kind] = wanted.get(name or kind, 0) + value
    if level > 0:
        ungrouped, wanted = wanted, {}
        for name, value in ungrouped.items():
            name = at_level(name, level)
            wanted[name] = wanted.get(name, 0) + value
    agree("metric", [words, shown, begin, end], got, wanted)

def comparison_is_statistics():
    """Compares two windows: sums of each type over all leaves, and their changes."""
    metric, column = random.choice([("state-duration", "innermost"), ("event-count", "begun")])
    words, windows = some_filters(), [some_window(), some_window()]
    shown = ["--metric", metric, "--slices", random.choice(["1", "7"]), "--state-type", "state"]
    shown += random.choice([[], ["--max-leaves", "4"], ["--hierarchy", "auto"], ["--drop-level", "host"],
                            ["--group", "*p1=ones"], ["--order", "activity"]])
    shown = shown if metric == "state-duration" else shown[:4] + shown[6:]
    ends = [f"@{instant}" for window in windows for instant in window]
    found = json.loads(call("compare", "--json", *words, *shown, "--from", ends[0], "--to", ends[1], "--from2", ends[2],
                            "--to2", ends[3], "trace.db"))
    for number, which in enumerate(("first", "second")):
        begin, end = windows[number]
        got, wanted = {}, {}
        for change in found["changes"]:
            if change["node"] == "" and change["type"] != "(no state)":
                name = change["type"].split(":")[-1]
                got[name] = got.get(name, 0) + change[which] * found[which]["leaves"]
        last = end if metric == "state-duration" else end - 0.001
        for (category, kind, name, of), value in sums(*words, "--from", f"@{begin}", "--to", f"@{last:.3f}").items():
            if of == column and metric == "state-duration" and kind == "state" and name is not None:
                wanted[name] = wanted.get(name, 0) + value
            elif of == column and metric == "event-count" and (category == "variable") == (name is None):
                wanted[name or kind] = wanted.get(name or kind, 0) + value
        agree("comparison", [words, shown, ends, which], got, wanted)
        if abs(sum(phase[which] for phase in found["phases"]) - (end - begin)) > 1e-9 and found["phases"]:
            fail("phases", words, shown, ends)
    for change in found["changes"]:
        leaves = (found["first"]["leaves"] + found["second"]["leaves"]) / 2
        if change["node"] == "" and not near(change["change"], (change["second"] - change["first"]) * leaves):
            fail("change", words, shown, ends, change)

def listing_is_filtered():
    words, (begin, end) = some_filters(False), some_window()

    def passes(event):
        value = "" if event["category"] == "variable" else event["value"]
        places = {"link": [""], "load": ["host:"]}.get(event["type"], ["", "proc:", "host/proc:"])
        types = ["", *(place + event["type"] + ":" for place in ["", *places])]
        names = [value, *(each[:-1] for each in types[1:]), *(each + value for each in types if value)]
        good = float(event["end"]) >= begin and float(event["begin"]) <= end
        for option, pattern in zip(words[::2], words[1::2]):
            if option.endswith("resources"):
                matches = (event["resource"] + "/").startswith(pattern + "/")
            else:
                matches = any(fnmatch.fnmatchcase(name, pattern) for name in names)
            good = good and matches == option.startswith("--only")
        return good

    got = list(csv.DictReader(io.StringIO(call("export", *words, "--from", str(begin), "--to", str(end)))))
    if [event for event in EVENTS if passes(event)] != got:
        fail("export", words, begin, end, len(got))

def series_are_statistics():
    (begin, end), got = some_window(), {}
    window = ["--from", f"@{begin}", "--to", f"@{end}"]
    series = json.loads(call("series", "--json", "--state-type", "state", "--at", "host", *window))
    last = {}
    for change in series["changes"] + [{"series": i, "time": each["end"], "value": 0} for i, each in enumerate(series["series"])]:
        i, key = change["series"], ("state", "state", series["series"][change["series"]]["series"], "innermost")
        if i in last:
            got[key] = got.get(key, 0) + last[i]["value"] * (min(change["time"], end) - last[i]["time"])
        last[i] = change
    found = sums("--type", "state", *window)
    agree("series", window, got, {key: found[key] for key in found if key[2] is not None and key[3] == "innermost"})

def groups_add_up():
    """What stats says of groups is what it says of all; an order changes no line."""
    words, (begin, end) = some_filters() + random.choice([[], ["--resource", random.choice(PATHS)]]), some_window()
    words += ["--from", f"@{begin}", "--to", f"@{end}", "--sort", random.choice(["time", "mean", "median", "name"])]
    got = {}
    for kind in json.loads(call("stats", "--json", "--at", random.choice(["host", "proc", "resource"]), *words))["types"]:
        for row in [{**kind, "name": None}, *kind["values"]]:
            for column in ("innermost", "inclusive", "begun", "ended", "ended_time"):
                key = kind["category"], kind["name"], row["name"], column
                got[key] = got.get(key, 0) + (row[column] or 0)
    agree("groups", words, got, {key: value for key, value in sums(*words[:-2]).items() if key[3] != "sum"})

def durations_are_statistics():
    """A histogram counts what ends, in any groups, windows and slices."""
    words, (begin, end) = some_filters() + random.choice([[], ["--resource", random.choice(PATHS)]]), some_window()
    words += ["--from", f"@{begin}", "--to", f"@{end}"]
    value = random.choice(["run", "wait", "send"])
    wanted = sum(sum for key, sum in sums(*words).items() if key[0] == "state" and key[2:] == (value, "ended"))
    more = random.choice([[], ["--at", "host"], ["--at", "resource"], ["--over-time", "7"]])
    columns = json.loads(call("stats", "--json", "--durations", value, *more, *words))["columns"]
    for got in (sum(column["count"] for column in columns), sum(bin["count"] for column in columns for bin in column["bins"])):
        if got != wanted:
            fail("durations", words, more, value, got, wanted)
    if "--over-time" in more and sum(sum(map(sum, column["slices"])) for column in columns) != wanted:
        fail("durations over time", words, value)

EVENTS = [row for row in csv.DictReader(io.StringIO(call("export"))) if row["category"] != "resource"]
INSTANTS = sorted({float(event["begin"]) for event in EVENTS} - {0.0})
for check, times in ((window_adds_up, 12), (filters_add_up, 6), (metric_is_statistics, 60),
                     (comparison_is_statistics, 20), (listing_is_filtered, 20),
                     (series_are_statistics, 8), (groups_add_up, 20), (durations_are_statistics, 20)):
    answered = 0
    random.seed(check.__name__)
    for _ in range(times):
        try:
            check()
            answered += 1
        except Refused:
            pass
    if answered < times // 3:
        fail(check.__name__, "has hardly been tried:", answered)
sys.exit(failures > 0)
END
python3 check.py || fail "what commands say does not agree"
