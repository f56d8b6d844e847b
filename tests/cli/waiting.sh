# Waits, and whose delay they are, agree with their definitions read event by event: on made traces
# whose ties abound, and on a real one.
need python3
explained() { python3 "$OCELOTL_ROOT/tests/waiting_explained.py" "$OCELOTL_CLI" "$@" >found 2>&1 ||
    fail "$(tail -1 found)"; }
explained $(seq 1 40)
explained "$sample"

# The slow switch of the example is found without any option but the metric: its two ends delay
# their neighbours while it is slow.
quiet "$sample" -o trace.db
cli parts --metric wait-caused --json trace.db >parts.json
python3 - <<'END' || fail "not the slow switch delays others most: $(head -c 2000 parts.json)"
import json
parts = json.load(open("parts.json"))["parts"]
most = max((p for p in parts if "griffon" in p["node"]), key=lambda p: p["share"])
assert most["node"].endswith("griffon-sw2/griffon-24, 33"), most
assert abs(most["begin"] - 0.2054) < 0.005 and abs(most["end"] - 0.2470) < 0.005, most
END

# What has nobody to wait for, and filters of what is no state.
printf 'resource,category,type,value,begin,end\na,state,S,x,0,9\nb,state,S,x,0,9\n' >alone.csv
quiet alone.csv -o alone.db
refused 1 'has no message or collective operation for the metric wait' \
    --metric wait alone.db -o x.svg
refused 1 'takes no filter of durations' --metric wait --min-duration 1ms trace.db -o x.svg

# The list names the same, its efficiencies multiply, and the critical path is as long as the trace.
cli waiting --at MACHINE --from 0.21s --to 0.24s --csv trace.db >rows.csv
sed -n 2,3p rows.csv >first.csv
like first.csv griffon-24 griffon-33
cli waiting --json --most 1000 trace.db >waiting.json
python3 - <<'END' || fail "numbers that do not fit: $(head -c 1000 waiting.json)"
import json
found = json.load(open("waiting.json"))
for row in found["rows"] + [found["whole"]]:
    product = row["balance"] * row["serialisation"] * row["transfer"]
    assert abs(row["parallel"] - product) < 1e-12, row
for column in "caused", "waits", "path":
    total = sum(row[column] for row in found["rows"])
    assert abs(total - found["whole"][column]) < 1e-9, column
path = found["path"]
assert path[0]["begin"] == 0 and path[-1]["end"] == 0.289213
assert path[-1]["resource"] in {row["resource"] for row in found["rows"]}
assert all(a["end"] == b["begin"] for a, b in zip(path, path[1:]))
assert abs(found["whole"]["path"] - 0.289213) < 1e-9
END
printf '%s\n' resource,category,type,value,begin,end,source,target a,state,S,recv,0,9,, \
    b,state,S,x,0,9,, b,link,L,m,8,3,b,a >wrong.csv
quiet wrong.csv -o wrong.db
refused 1 '1 messages end before they begin' waiting wrong.db
refused 1 'no resource with states is of the type "X"' waiting --at X trace.db

# The critical path in a Gantt chart, and its pieces.
cli gantt --critical-path --from 200ms --to 250ms --links 0 trace.db -o path.svg
has path.svg 'critical path'
cli gantt --critical-path --from 200ms --to 250ms --json trace.db >path.json
same "the line's length" 0.05 \
    "$(jq '[.critical_path[] | .end - .begin] | add * 1e6 | round / 1e6' path.json)"
