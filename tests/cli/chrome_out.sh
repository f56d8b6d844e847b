# Trace events that export writes: an independent reader, and the import, find what is in the trace;
# the parts of an overview are those that parts lists.
need python3 jq

paje_events DefineContainerType DefineStateType DefineVariableType DefineEventType \
    DefineLinkType CreateContainer PushState+line PopState SetVariable NewEvent StartLink+size \
    EndLink >small.trace
cat >>small.trace <<'END'
0 H 0 host
0 P H proc
1 S P state
1 M P mode
2 V H load
3 E P mark
4 L 0 P P link
5 0 b H 0 beta
5 0 a H 0 alpha
5 0 a1 P a "rank \1"
5 0 b2 P b r2
5 0 b1 P b r1
6 0.000000001 S a1 outer x
6 0.000000001 S a1 inner 7
6 0.000000001 S a1 core 8
7 0.000000001 S a1
6 0.000000002 S a1 core 8
7 1 S a1
7 1.000000000123 S a1
6 1 M a1 user ""
7 2 S a1
7 2 M a1
6 0.5 S b1 outer "a \ b"
7 2.5 S b1
8 0 V a 1.5
8 0 V a 2.5
8 1.25 V a -3e-9
8 0 V b 7
9 0.75 E b2 tick
10 0.5 L 0 msg a1 k1 17
11 1.5 L 0 msg b1 k1
10 2 L 0 msg b1 k2 18
11 2.25 L 0 msg a1 k2
10 2 L 0 msg b1 k3 19
END
cli import small.trace -o small.db >/dev/null
example stencil.db

# Slices nest in the order in which they stand, and add up to what info says; and so does all else.
cat >check.py <<'END'
import json
import sys
from collections import Counter, defaultdict
from decimal import Decimal

events = json.load(open(sys.argv[1]), parse_float=Decimal)["traceEvents"]
info = json.load(open(sys.argv[2]))
threads, opened, found, ends = {}, defaultdict(list), Counter(), defaultdict(list)
time = defaultdict(Decimal)
for event in events:
    kind, key = event["ph"], (event["pid"], event.get("tid"))
    if kind == "M":
        threads[(event["name"],) + key] = event["args"]
        continue
    if kind == "C":
        assert ("process_name", event["pid"], event["pid"]) in threads, event
        found["variable", event["name"]] += 1
        continue
    assert ("thread_name",) + key in threads and ("thread_sort_index",) + key in threads, event
    if kind == "X":
        begin, end = Decimal(event["ts"]), Decimal(event["ts"]) + Decimal(event["dur"])
        around = opened[key]
        while around and around[-1] <= begin:
            around.pop()
        assert not around or end <= around[-1], ("crosses", event)
        around.append(end)
        found["state", event["cat"], event["name"]] += 1
        time[event["cat"], event["name"]] += Decimal(event["dur"])
    elif kind == "i":
        found["event", event["cat"], event["name"]] += 1
    elif kind in "sf":
        ends[event["cat"], event["id"]].append((kind, Decimal(event["ts"])))
for (name, _), points in ends.items():
    found["link", name] += 1
    if len(points) == 2:
        assert sorted(kind for kind, _ in points) == ["f", "s"], points
for kind in info["event_types"]:
    category, name = kind["category"], kind["name"]
    if category in ("variable", "link"):
        assert found[category, name] >= kind["count"], (kind, found)
        continue
    for value in kind["values"]:
        if value["count"] == 0:
            continue
        assert found.pop((category, name, value["name"])) == value["count"], value
        if category == "state":
            exact = time[name, value["name"]] / 1000000
            assert abs(exact - Decimal(repr(value["inclusive"]))) < Decimal("1e-14"), (exact, value)
assert not [key for key in found if key[0] in ("state", "event")], found
END
for trace in small stencil; do
    cli info --json $trace.db >info.json
    cli export --format chrome $trace.db -o $trace.json 2>$trace.said
    python3 check.py $trace.json info.json || fail "$trace: not what info says"
done
same "nothing is lost of stencil" "" "$(cat stencil.said)"

# Exact times: a picosecond is there, a nanosecond has three digits.
holds "exact times" small.json '[.traceEvents[] | select(.name == "core")] | length == 2'
has small.json '"ts":0.001,"dur":999999.999123,' '"ts":0.002,"dur":999999.998,'
holds "processes in order" small.json '
    [.traceEvents[] | select(.name == "process_name" or .name == "process_sort_index") |
        [.pid, .args.name // .args.sort_index]] | group_by(.[0]) | map(map(.[1])) |
    sort_by(map(numbers)) | map(map(strings)[0]) == ["beta", "alpha"]'
holds "threads in order" small.json '
    [.traceEvents[] | select(.name == "thread_name" or .name == "thread_sort_index") |
        [.tid, .args.name // .args.sort_index]] | group_by(.[0]) |
    sort_by(map(.[1] | numbers)) | map(map(.[1] | strings)[0]) ==
        ["r2", "r1", "rank \\1", "rank \\1: mode"]'
holds "attributes" small.json '[.traceEvents[] | select(.name == "inner").args.line] == [7]'
holds "links" small.json '[.traceEvents[] | select(.ph == "s") | .args | [.Key, .size]] ==
    [["k1", 17], ["k2", 18], ["k3", 19]]'

# Imported again: the same states, times and links.
for trace in small stencil; do
    cli import --force $trace.json -o again.db >/dev/null
    for database in $trace again; do
        cli sql --csv $database.db "SELECT value, count(*), sum(duration), min(begin), max(end)
            FROM events WHERE category IN ('state', 'link', 'event') GROUP BY category, value
            ORDER BY category, value" >$database.csv
        cli sql --csv $database.db "SELECT begin, value FROM events WHERE category = 'variable'
            AND end > begin ORDER BY begin, value" >>$database.csv
    done
    cmp $trace.csv again.csv || fail "$trace: not the same when it is imported again"
done
sed 's/^11 2.25/11 1.75/' small.trace >backwards.trace
cli export --format chrome backwards.trace >backwards.json 2>said
has said "not said by chrome: links that end before they begin: no arrow is drawn (1)"

# A window, a resource, a filter: as many events as in CSV.
for options in "--from 0.1 --to 0.2" "--resource nancy" "--only PMPI_Wait --min-duration 1ms" \
    "--type MPI_LINK" "--from 0.1 --to 0.10001"; do
    cli export $options stencil.db | tail -n +2 | wc -l >expected
    cli export --format chrome $options stencil.db |
        jq '[.traceEvents[] | select(.ph == "X" or .ph == "s")] | length' >got
    same "events of $options" "$(tr -d ' ' <expected)" "$(cat got)"
done

# Parts: those of parts and overview, each on the track of its node.
for options in "--parts 40 --slices 60" "--p 0.3 --kind temporal --hierarchy trace" \
    "--p 0.6 --kind spatial --slices 20" "--from 0.05 --to 0.15 --p 0.5 --slices 40"; do
    # From and to are the trace's own time here, from its beginning there; it begins at 0.
    cli parts --json $options stencil.db >parts.json 2>/dev/null
    cli --json $options stencil.db >overview.json 2>/dev/null
    cli export --format chrome --with-parts $options stencil.db >with.json 2>/dev/null
    jq '[.traceEvents[] | select(.cat == "part") | {id: .args.part, node: .args.node,
        first: .args.first, last: .args.last, leaves: .args.leaves, begin: .args.begin,
        "end": .args.end, gain: .args.gain, loss: .args.loss, share: .args.share,
        state: (if .name == "(none)" then null else .name end)}]' with.json >got
    jq '[.parts[] | {id, node, first, last, leaves, begin, "end": .end, gain, loss, share,
        state}]' parts.json >expected
    cmp got expected || fail "parts of $options"
    jq -c '[.traceEvents[] | select(.cat == "part").args.shares]' with.json >got
    jq -c '[.parts[].shares]' overview.json >expected
    cmp got expected || fail "shares of $options"
    holds "partition of $options" with.json \
        '.otherData.partition | [.p, .gain, .loss] == [$o[0].p, $o[0].gain, $o[0].loss]' \
        --slurpfile o overview.json
    holds "tracks of $options" with.json '
        ([.traceEvents[] | select(.name == "thread_name") | {key: "\(.pid) \(.tid)",
            value: .args.name}] | from_entries) as $names |
        all(.traceEvents[] | select(.cat == "part");
            $names["\(.pid) \(.tid)"] == (if .args.node == "" then "(whole)" else .args.node end))'
    # They touch, and fill the window.
    holds "times of $options" with.json '
        [.traceEvents[] | select(.cat == "part") | [.tid, .ts, .ts + .dur]] | group_by(.[0]) |
        all(.[]; . as $p | all(range(1; length); $p[.][1] >= $p[. - 1][2]))'
done
cli export --format chrome --with-parts --part 1 --p 0.4 stencil.db >zoomed.json 2>/dev/null
cli parts --part 1 --p 0.4 --json stencil.db 2>/dev/null | jq '.parts | length' >expected
same "parts of a part" "$(cat expected)" \
    "$(jq '[.traceEvents[] | select(.cat == "part")] | length' zoomed.json)"

# What cannot be, and what is lost.
refused 2 "--with-parts is of --format chrome and perfetto alone" export --with-parts small.db
refused 2 "chooses the partition of a part" export --format chrome --p 0.5 small.db
refused 2 "expected a name in .json" export --format chrome small.db -o small.csv
echo text >kept.json
refused 1 "holds text" export --format chrome small.db -o kept.json
cli export --format chrome small.db -o small.json 2>/dev/null || fail "its own file is replaced"
[ -w /dev/full ] && { cli export --format chrome stencil.db >/dev/full 2>/dev/null &&
    fail "a full disk was not noticed"; }
(ulimit -f 1 && trap '' XFSZ && refused 1 "larger than files may be" export --format chrome \
    stencil.db -o big.json) || fail "a file that may not grow"
[ ! -e big.json ] || fail "a half-written file is left"
no_rest "export"
