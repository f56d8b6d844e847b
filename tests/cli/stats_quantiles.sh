# stats: quantiles, groups, denominators and orders against SQL over the events.
need jq python3

example

# --- Quantiles: the events in order of duration, the one that enough others do not exceed.
cat >check.py <<'END'
import json, math
from program import cli, table

def listed(where):
    query = "SELECT resource, category, type, value, begin, duration FROM events WHERE " + where
    return table("sql", "--csv", "trace.db", query)

def wanted(durations):
    durations = sorted(durations)
    at = lambda percent: durations[max(0, math.ceil(len(durations) * percent / 100) - 1)]
    return [durations[0], at(50), at(90), at(99), durations[-1]]

def check(what, row, durations):
    got = [row[name] for name in ("min", "median", "p90", "p99", "max")]
    if not durations:
        assert got == [None] * 5, (what, got)
        return
    for name, a, b in zip(("min", "median", "p90", "p99", "max"), got, wanted(durations)):
        assert abs(a - b) <= 1e-12 + 1e-12 * b, (what, name, a, b)

def below(path, group):
    return (path + "/").startswith(group + "/")

events = listed("category IN ('state', 'link')")
for event in events:
    event["duration"], event["begin"] = float(event["duration"]), float(event["begin"])
for words, chosen in (
        ([], lambda event: True),
        (["--from", "0.1", "--to", "0.2"], lambda event: 0.1 <= event["begin"] + event["duration"] <= 0.2),
        (["--min-duration", "1ms"], lambda event: event["duration"] >= 0.001 - 1e-12 or event["category"] == "link"),
        (["--resource", "nancy/graphite"], None),
        (["--only", "PMPI_Wait", "--only", "PMPI_Bcast"], lambda event: event["value"] in ("PMPI_Wait", "PMPI_Bcast"))):
    chosen = chosen or (lambda event: below(event["resource"], "nancy/graphite") and event["category"] == "state")
    answer = json.loads(cli("stats", "--json", "--quantiles", *words, "trace.db"))
    assert json.loads(cli("stats", "--json", *words, "trace.db")) == answer, "a small trace has them without asking"
    tried = 0
    for kind in answer["types"]:
        if kind["category"] == "link" and words[:1] == ["--resource"]:
            continue
        of = [event for event in events if event["type"] == kind["name"] and chosen(event)]
        check((words, kind["name"]), kind, [event["duration"] for event in of])
        for value in kind["values"]:
            check((words, value["name"]), value, [event["duration"] for event in of if event["value"] == value["name"]])
            tried += 1
    assert tried > 1, words

# --- Groups: the same, of what is below each.
for at in ("SWITCH", "MACHINE", "resource"):
    answer = json.loads(cli("stats", "--json", "--at", at, "--only", "MPI_STATE", "trace.db"))
    groups = [kind["group"] for kind in answer["types"]]
    above = {"SWITCH": 2, "MACHINE": 1, "resource": 0}[at]
    paths = {"/".join(event["resource"].split("/")[:-above or None]) for event in events if event["category"] == "state"}
    assert len(groups) == len(paths) and set(groups) == paths, (at, len(groups), len(paths))
    for kind in answer["types"][:7]:
        own = [event for event in events if event["type"] == "MPI_STATE" and below(event["resource"], kind["group"])]
        check((at, kind["group"]), kind, [event["duration"] for event in own])
        assert kind["begun"] == len(own) and abs(kind["inclusive"] - sum(event["duration"] for event in own)) < 1e-9, kind
whole = json.loads(cli("stats", "--json", "trace.db"))
parts = json.loads(cli("stats", "--json", "--at", "SWITCH", "trace.db"))
alone = json.loads(cli("stats", "--json", "--resource", parts["types"][2]["group"], "trace.db"))
for total in whole["types"]:
    same = [kind for kind in parts["types"] if kind["name"] == total["name"]]
    for key in ("innermost", "inclusive", "ended_time", "begun", "ended", "lived", "resources"):
        assert abs(sum(kind[key] or 0 for kind in same) - (total[key] or 0)) < 1e-9, (total["name"], key)
    sums = [attribute["sum"] for kind in same for attribute in kind["attributes"]]
    assert abs(sum(sums) - sum(attribute["sum"] for attribute in total["attributes"])) < 1e-6, sums
grouped = {key: value for key, value in parts["types"][2].items() if key != "group"}
assert grouped in alone["types"], "a group is not its resource alone"

# --- Denominators of shares
for of in ("lives", "leaves", "active"):
    answer = json.loads(cli("stats", "--json", "--of", of, "--from", "10%", "--to", "60%", "trace.db"))
    for kind in answer["types"]:
        if kind["category"] != "state":
            continue
        time = {"lives": kind["lived"], "leaves": kind["resources"] * (answer["to"] - answer["from"]), "active": kind["innermost"]}[of]
        for row in [kind, *kind["values"]]:
            assert abs(row["share"] - row["innermost"] / time) < 1e-9, (of, row)

# --- Orders
for column in ("time", "share", "inclusive", "begun", "ended", "mean", "min", "median", "p90", "p99", "max"):
    answer = json.loads(cli("stats", "--json", "--at", "SWITCH", "--sort", column, "trace.db"))
    assert sorted(map(json.dumps, answer["types"][0]["values"])) != [], column
    blocks = {}
    for kind in answer["types"]:
        key = column if column != "time" else {"state": "innermost", "link": "ended_time"}.get(kind["category"], "inclusive")
        numbers = [-math.inf if row[key] is None else row[key] for row in kind["values"]]
        assert numbers == sorted(numbers, reverse=True), (column, numbers)
        blocks.setdefault(kind["name"], []).append(-math.inf if kind[key] is None else kind[key])
    for numbers in blocks.values():
        assert numbers == sorted(numbers, reverse=True), (column, numbers)
names = [row["name"] for row in json.loads(cli("stats", "--json", "--sort", "name", "trace.db"))["types"][0]["values"]]
assert names == sorted(names), names
END
python3 check.py || fail "stats does not say what SQL says"

# A trace of more events than are looked at without asking.
python3 - >large.csv <<'END'
print("resource,type,value,begin,end")
for i in range(520000):
    print(f"r,state,a,{2 * i},{2 * i + 1 + i % 7 / 10}")
END
cli import large.csv -o large.db >/dev/null
cli stats --json large.db >large.json
holds "a large trace does not read every event" large.json '.types[0].values[0].median == null'
cli stats --json --quantiles large.db >large.json
holds "but where it is asked to" large.json '.types[0].values[0] | .median == 1.3 and .p99 == 1.6'

cli stats --at SWITCH --sort p90 --of active trace.db >table.txt
like table.txt '^shares     of the time in any state$'
like table.txt 'in 12 resources of nancy/graphite/graphite-sw1$'
cli stats --at SWITCH trace.db -o stats.svg
has stats.svg 'of nancy/graphite/graphite-sw1<'
cli stats --at resource trace.db -o many.svg
has many.svg 'event types have no room'

refused 2 '--sort is "size", expected time, share' stats --sort size trace.db
refused 2 '--of is "all", expected lives, leaves or active' stats --of all trace.db
refused 1 'has no resources of a type "SWICH"; the nearest is "SWITCH"' stats --at SWICH trace.db
