# Random combinations (of fixed seeds) of filters, windows, hierarchies and metrics on a trace with
# something of everything: different commands must agree.
need python3

python3 "$OCELOTL_ROOT/tests/mixed_maker.py" 7 >trace.trace
cli import trace.trace -o trace.db >/dev/null 2>&1 || fail "no import"
cli verify trace.db >/dev/null || fail "what was just imported is damaged"

cat >check.py <<'END'
import collections, csv, fnmatch, gzip, io, json, os, random, re, subprocess, sys

NAMES = ["state", "mode", "load", "mark", "link", "run", "wait", "tick", "data", "w*", "state:wait", "proc:mode",
         "host/proc:mark", "*:load", "mark:t*"]
PATHS = ["h2", "h10", "x", "h2/p1", "x/p0"]
LENGTH = 50
failures = 0

class Refused(Exception):
    """The combination is one that the program does not take."""

def call(*words, **environment):
    """Options before the command are as good as behind it."""
    if not words[0].startswith("-") and len(words) % 2 == 0:
        words = (*words[1:], words[0])
    done = subprocess.run([os.environ["OCELOTL_CLI"], *words, "trace.db"], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
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
                            ["--group", "*p1=ones"], ["--split-children", "2"],
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
    shown += random.choice([[], ["--max-leaves", "4"], ["--hierarchy", "auto"], ["--drop-level", "host"], ["--split-children", "2"],
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

def exports_agree():
    """Other formats have what CSV has, and Paje brings it back."""
    words, (begin, end) = some_filters(False), some_window()
    words += ["--from", str(begin), "--to", str(end)]
    listed = list(csv.DictReader(io.StringIO(call("export", *words))))
    wanted, found = collections.Counter(), collections.Counter()
    for event in listed:
        if event["category"] != "variable":
            wanted[event["category"], event["type"], event["value"], event["attributes"]] += 1
    kinds, links = {"X": "state", "i": "event", "s": "link", "f": "link"}, set()
    for event in json.loads(call("export", "--format", "chrome", *words))["traceEvents"]:
        if event["ph"] not in kinds or event.get("id") in links:
            continue
        links.add(event["id"]) if "id" in event else None
        carried = {key: value for key, value in event.get("args", {}).items() if key != "Key"}
        found[kinds[event["ph"]], event["cat"], event["name"],
              json.dumps(carried, separators=(",", ":")) if carried else ""] += 1
    if wanted != found:
        fail("chrome", words, wanted - found, found - wanted)
    with open("back.trace", "w", encoding="utf-8") as file:
        file.write(call("export", "--format", "paje", *words))
    subprocess.run([os.environ["OCELOTL_CLI"], "import", "back.trace", "-o", "back.db", "--force"], capture_output=True, check=True)
    back = subprocess.run([os.environ["OCELOTL_CLI"], "export", "back.db"], capture_output=True, text=True, check=True).stdout
    rows = []
    back = [row for row in csv.DictReader(io.StringIO(back)) if row["category"] != "resource"]
    for events in (listed, back):
        for event in events:  # behind a window a variable keeps its value
            event.update({"depth": "", **({"end": "", "duration": ""} if event["category"] == "variable" else {})})
        rows.append(sorted(map(json.dumps, events)))
    if rows[0] != rows[1]:
        fail("paje", words, set(rows[0]) ^ set(rows[1]))

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

def matrix_is_statistics():
    """The matrix of messages, at any two levels, is what links add up to; levels add up."""
    words, (begin, end) = some_filters() + random.choice([[], ["--resource", random.choice(PATHS)]]), some_window()
    words += ["--from", f"@{begin}", "--to", f"@{end}"]
    levels = [["--at", random.choice(["host", "proc", "all"]), "--columns", random.choice(["host", "proc"])],
              random.choice([[], ["--order", random.choice(["activity", "traffic"])], ["--group", "*p1=ones"], ["--hierarchy", "auto"],
                             ["--drop-level", "host", "--columns", "all"]])]
    tables = [json.loads(call("matrix", "--json", *level, *words)) for level in levels]
    found = sums("--type", "link", *words)
    for table in tables:
        known = [[group["group"] not in ("(outside)", "(unknown)") for group in table[side]] for side in ("rows", "columns")]
        got = {"begun": 0, "ended": 0, "ended_time": 0, "sum": 0}
        for cell in table["cells"]:
            got["begun"] += cell["count"] * known[0][cell["row"]]
            for name, of in (("ended", "ended"), ("ended_time", "time"), ("sum", "received")):
                got[name] += cell[of] * known[1][cell["column"]]
        agree("matrix", [words, levels], got, {name: found.get(("link", "link", "size" if name == "sum" else None, name), 0) for name in got})

def causality_is_matrix():
    """Links with both ends, and violations of any two clocks, are those of the matrix."""
    words, (begin, end) = some_filters(), some_window()
    words += ["--from", f"@{begin}", "--to", f"@{end}"] + random.choice([[], ["--at", "host"], ["--at", "proc"]])
    table, found = (json.loads(call(command, "--json", *words)) for command in ("matrix", "causality"))
    names = [[group["group"] for group in table[side]] for side in ("rows", "columns")]
    wanted, got = {}, {}
    for cell in table["cells"]:
        key = names[0][cell["row"]], names[1][cell["column"]]
        if "(unknown)" not in key and cell["ended"]:
            wanted[key + ("links",)], wanted[key + ("wrong",)] = cell["ended"], cell["violations"]
    for pair in found["pairs"]:
        key = pair["source"], pair["target"]
        got[key + ("links",)], got[key + ("wrong",)] = pair["links"], pair["tachyons"] + pair["self"]
    agree("causality", words, got, wanted)

def snapshots_are_commands():
    """What a snapshot holds is what single commands say."""
    words = some_filters() + ["--slices", "6", "--p", str(random.random()), "--kind", random.choice(["temporal", "spatial", "spatiotemporal"])]
    words += random.choice([[], ["--metric", "event-count"], ["--hierarchy", "role"], ["--from", "10s", "--to", "30s"]])
    whole = call("overview", "--json", *words)
    done = subprocess.run([os.environ["OCELOTL_CLI"], "snapshot", *words, "trace.db", "kept"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail("snapshot", words, done.stderr)
        return
    for name, answer in (("parts.json", whole), ("parts.csv", call("parts", "--csv", *words))):
        with open("kept/" + name, encoding="utf-8", newline="") as file:
            if file.read() != answer:
                fail("snapshot", name, words)

def steps_are_windows():
    """A window that was moved is the one that is given."""
    begin, length, steps = random.randrange(10, 40), 2 * random.randrange(1, 4), random.choice([-1, 1])
    words, step = some_filters(), ["--next" if steps > 0 else "--previous"]
    if random.random() < 0.5:
        step, steps = ["--step", "50%", *step], steps / 2
    first, last = begin + steps * length, begin + (steps + 1) * length
    for command in (["overview", "--slices", "5"], ["stats"], ["series"]):
        moved, given = (json.loads(call(*command, "--json", *words, *window)) for window in
                        (["--from", f"{begin}s", "--to", f"{begin + length}s", *step], ["--from", f"{first}s", "--to", f"{last}s"]))
        if moved != given:
            fail("steps", command, words, begin, length, step)

def hierarchies_are_levels():
    """A ranking of hierarchies is read off the lists of all of their levels."""
    parts = random.choice([1, 5, 12, 40])
    words = some_filters() + ["--slices", "6", "--metric", random.choice(["state-duration", "event-count"])]
    found = json.loads(call("hierarchies", "--all", "--json", "--parts", str(parts), *words))
    for row in found["hierarchies"]:
        own = [] if row["hierarchy"] == "default" else ["--hierarchy", row["hierarchy"]]
        levels = json.loads(call("sweep", "--all", "--json", *words, *own))["levels"]
        whole = json.loads(call("overview", "--json", "--p", "1", *words, *own))
        levels.append({"loss": whole["loss"], "parts": len(whole["parts"])})
        least = min((level["loss"], level["parts"]) for level in levels if level["parts"] <= parts)
        agree("hierarchies", [words, own], {"loss": row["ranked"]["loss"], "parts": row["ranked"]["parts"]},
              {"loss": least[0], "parts": least[1]})
    losses = [row["ranked"]["loss"] for row in found["hierarchies"]]
    if losses != sorted(losses) or found["ranked_at"] != parts:
        fail("order of hierarchies", words, losses)

def lists_are_infos():
    """The list of a folder says of a trace what info says; several are what each is."""
    key, value = random.choice(["machine", "class", "a b"]), random.choice(["x", "x=y", "7", ""])
    ask("info", "--set", f"{key}={value}", "trace.db")
    alone, several = json.loads(ask("info", "--json", "trace.db")), json.loads(ask("info", "--json", "trace.db", "back.db"))
    where = random.choice([["--where", f"{key} = *"], ["--where", "events > 100"], ["--recursive"], ["--sort", "events"]])
    for row in json.loads(ask("list", "--json", *where, "."))["traces"]:
        if row["name"] == "trace.db" and any(row[name] != alone[name] for name in ("duration", "events", "resources", "size", "uid", "metadata")):
            fail("list", where, row, alone)
    if key not in alone["metadata"] or alone["metadata"][key] != value:
        fail("metadata", key, value, alone["metadata"])
    for table, shared in ((several["shared"], True), (several["different"], False)):
        for row in table:
            if row["property"] in ("format", "uid", "duration", "events", "resources", "size", "notes") and row["kind"] == "trace" and row["values"][0] != alone[row["property"]]:
                fail("several", row, alone[row["property"]])
            if shared != (len(row["values"]) == 1):
                fail("several", row)

from program import cli as ask

def clocks_are_causality():
    """The trace in its clocks' time has all events, and of messages that are wrong what was told."""
    at = random.choice(["host", "proc"])
    words = ["--at", at, *random.choice([["--drift", "none"], *(["--drift", drift, "--max-drift", most]
             for drift in ("linear", "pieces") for most in ("10", "100", "10000"))])]
    words += random.choice([[], ["--amortise"], ["--amortise", "--latency", "1ms"]])
    words += random.choice([[], ["--evidence", "messages"], ["--evidence", "messages,collectives"]])
    found = json.loads(call("clocks", "--json", "--groups", "apart", *words))
    call("clocks", "--groups", "apart", "--force", *words, "-o", "aligned.db")
    query = "SELECT resource, category, type, value, source, target, attributes, count(*) FROM events GROUP BY 1, 2, 3, 4, 5, 6, 7"
    for trace, wanted in (("trace.db", found["tachyons"]), ("aligned.db", found["tachyons_left"])):
        told = json.loads(ask("causality", "--json", "--at", at, trace))
        agree("clocks", [words, trace], {"wrong": sum(p["tachyons"] for p in told["pairs"] if p["source"] != p["target"])}, {"wrong": wanted})
    if ask("sql", "--csv", "trace.db", query) != ask("sql", "--csv", "aligned.db", query):
        fail("clocks", words, "events differ by more than times")

def threads_agree():
    words = some_filters() + ["--slices", "10", "--metric", random.choice(["state-duration", "event-count", "link-bytes"])]
    words += random.choice([[], ["--hierarchy", "auto"], ["--max-leaves", "4"]])
    if call("sweep", "--json", *words, OMP_NUM_THREADS="1") != call("sweep", "--json", *words, OMP_NUM_THREADS="3"):
        fail("threads", words)

def tables_agree():
    words = some_filters() + ["--slices", "7", "--kind", random.choice(["temporal", "spatial", "spatiotemporal"])]
    words += random.choice([[], ["--metric", "event-count"], ["--drop-level", "host"]])
    for command, rows, columns in (("sweep", "levels", ["p", "p_from", "p_to", "parts", "gain", "loss"]),
                                   ("parts", "parts", ["id", "node", "first", "last", "leaves", "gain", "loss", "share"])):
        told = json.loads(call(command, "--json", *words))[rows]
        listed = list(csv.DictReader(io.StringIO(call(command, "--csv", "-o", "-", *words))))
        if [[str(row[key]) for key in columns if key in ("node", "parts")] for row in told] != \
                [[row[key] for key in columns if key in ("node", "parts")] for row in listed]:
            fail("CSV and JSON of", command, words)
        for key in set(columns) - {"node"}:
            agree(f"{command}, {key}", words, dict(enumerate(row[key] for row in told)),
                  dict(enumerate(float(row[key]) for row in listed)))

COLOURS, TREE_COLOURS = {}, {}

def colours_stay():
    command = random.choice([[], [], ["gantt"], ["treemap"], ["series", "--state-type", random.choice(["state", "mode"])]])
    words = some_filters(False) + random.choice([[], ["--from", "@%g" % random.randrange(0, 20), "--to", "@%g" % random.randrange(25, 50)]])
    if not command:
        words += ["--slices", "10", "--metric", random.choice(["state-duration", "event-count", "link-count", "state-mean-duration"])]
        words += ["--kind", random.choice(["temporal", "spatial", "spatiotemporal"]), "--most-types", random.choice(["0", "2"])]
    colours = COLOURS
    if random.random() < 0.5:
        words += ["--type-tree", "tree.txt"]
        colours = TREE_COLOURS
        if not command and "--metric" in words:
            words += ["--type-level", random.choice(["1", "2", "auto"])]
    call(*command, *words, "-o", "colours.svg")
    with open("colours.svg", encoding="utf-8") as file:
        legend = re.search(r'<g class="legend">(.*?)</g>', file.read(), re.S)
    for fill, name in re.findall(r'<rect [^>]*fill="(#[0-9a-f]{6})"/>\s*<text[^>]*>(?:<title>[^<]*</title>)?([^<]*)</text>', legend[1] if legend else ""):
        if colours.setdefault(name, fill) != fill:
            fail("colour", command, words, name, colours[name], fill)

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

def looks_change_nothing():
    """What is in colour is no part of what is aggregated; a list is its names."""
    names = random.sample(["run", "wait", "send"], 2)
    words = some_filters() + ["--slices", random.choice(["3", "10"]), "--metric", "state-duration", "--state-type", "state"]
    plain, shown = (json.loads(call("--json", *words, *more)) for more in ([], ["--statistic", random.choice(["median", "q90"])]))
    if [part["id"] for part in plain["parts"]] != [part["id"] for part in shown["parts"]] or plain["pIC"] != shown["pIC"]:
        fail("--statistic changes the partition", words)
    if call("--json", *words, "--show", names[0], "--show", names[1]) != call("--json", *words, "--show", "others"):
        fail("--show changes the partition", words, names)
    with open("names.txt", "w", encoding="utf-8") as file:
        file.write("\n".join(names))
    each = [word for name in names for word in ("--only", name)]
    if call("export", "--only", "@names.txt") != call("export", *each) or call("stats", "--only", "@names.txt") != call("stats", *each):
        fail("a list is not its names", names)

def several_files_are_one():
    """A trace whose events are in other files, whatever their number, order and compression."""
    with open("trace.trace", encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    names = [f"part{number}" for number in range(random.randrange(1, 6))]
    parts = {name: [] for name in ["main"] + names}
    chosen = {}  # what happens in one place is in one file: of equal times an earlier line comes first
    for line in lines:
        words = line.split()
        where = words[5] if words[0] in ("12", "13") else words[3] if words[0] in ("7", "8", "9", "10", "11") else None
        parts["main" if where is None else chosen.setdefault(where, random.choice(list(parts)))].append(line)
    main = parts.pop("main")
    head = sum(line.startswith(("%", "0 ", "1 ", "2 ", "3 ", "4 ")) for line in lines)
    named = ["%EventDef PajeTraceFile 20\n", "% Filename string\n", "%EndEventDef\n"] + [f"20 {name}\n" for name in names]
    for name, part in [("main", main[:head] + named + main[head:]), *parts.items()]:
        text = "".join((lines[:head] if random.random() < 0.2 else []) + part if name != "main" else part)
        pack = random.choice([lambda data: data, gzip.compress])
        with open(name, "wb") as file:
            file.write(pack(text.encode()))
    words = [word for word in ("--same-root", "--lenient") if random.random() < 0.5]
    done = subprocess.run([os.environ["OCELOTL_CLI"], "import", "main", *words, "-o", "several.db", "--force"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail("several files", names, words, done.stderr)
        return
    exported = subprocess.run([os.environ["OCELOTL_CLI"], "export", "several.db"], capture_output=True, text=True, check=True)
    if sorted(exported.stdout.splitlines()) != sorted(call("export").splitlines()):
        fail("several files are another trace", names, words)

EVENTS = [row for row in csv.DictReader(io.StringIO(call("export"))) if row["category"] != "resource"]
INSTANTS = sorted({float(event["begin"]) for event in EVENTS} - {0.0})
for check, times in ((window_adds_up, 12), (filters_add_up, 6), (metric_is_statistics, 60), (comparison_is_statistics, 20),
                     (listing_is_filtered, 20), (exports_agree, 12),
                      (series_are_statistics, 8), (matrix_is_statistics, 20), (causality_is_matrix, 15), (clocks_are_causality, 6), (threads_agree, 8), (hierarchies_are_levels, 8), (lists_are_infos, 9), (steps_are_windows, 8), (snapshots_are_commands, 8), (tables_agree, 8), (colours_stay, 40), (looks_change_nothing, 8), (groups_add_up, 20), (durations_are_statistics, 20), (several_files_are_one, 12)):
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
