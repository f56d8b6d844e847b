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
