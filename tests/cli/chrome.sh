# Trace events in JSON: real files against an independent reader and published counts; every form
# and kind of event; ranks of a run; names, clocks, lanes, flows.
need python3 jq gzip zstd
formats=$OCELOTL_ROOT/../shared/traces/formats

# checked FILE: the import of a plain file agrees with tests/chrome_reader.py.
checked() {
    local name=${1##*/}
    quiet --lenient "$1" -o t.db
    python3 "$OCELOTL_ROOT/tests/chrome_reader.py" "$1" >want.json
    cli info --json t.db >got.json 2>/dev/null
    jq -S .records want.json >want.kinds
    jq -S '.source.records | to_entries | map(select(.key | test("sample") | not)) |
        group_by(.key[:1]) | map({key: .[0].key[:1], value: (map(.value) | add)}) |
        from_entries' got.json >got.kinds
    cmp -s want.kinds got.kinds || fail "$name: kinds $(tr -d '\n' <want.kinds <got.kinds)"
    local open alone states
    open=$(ask t.db "SELECT count(*) FROM events WHERE attributes ->> 'open' = 'true'")
    same "$name: open states" "$(jq .open want.json)" "$open"
    alone=$(jq '[.warnings[]? | select(.kind | startswith("end of a state without")) | .count] |
        add // 0' got.json)
    same "$name: ends alone" "$(jq .alone want.json)" "$alone"
    states=$(jq '[.warnings[]? | select(.kind | endswith("beginning)")) | .count] |
        add // 0' got.json)
    same "$name: states" "$(jq ".slices + .pairs + .open + $states" want.json)" \
        "$(ask t.db "SELECT count(*) FROM events WHERE category = 'state'")"
    [ "$(jq '.pairs + .alone' want.json)" -gt 0 ] ||
        near "$name: time of slices" "$(jq -r .time want.json)" "$(ask t.db "SELECT
            printf('%.12f', coalesce(sum(duration), 0)) FROM events WHERE category = 'state' AND
            attributes ->> 'open' IS NULL")" 1e-9
    [ "$(jq '.pairs + .alone + .open' want.json)" -gt 0 ] || {
        jq -r '.names[] | @json' want.json >want.names
        cli sql --json t.db "SELECT value, count(*) n, CAST(round(sum(duration) * 1e9) AS INTEGER) t
            FROM events WHERE category = 'state' GROUP BY 1" |
            jq -r '.[] | [.value, .n, .t] | @json' >got.names
        LC_ALL=C diff <(sort want.names) <(sort got.names) >&2 || fail "$name: names"
    }
    same "$name: samples" "$(jq .samples want.json)" \
        "$(jq '[.event_types[] | select(.category == "variable") | .count] | add // 0' got.json)"
}

check_real() {
    local file name
    [ -d "$formats/json" ] || return 0
    for file in "$formats"/json/*; do
        name=${file##*/}
        case $name in
        *.gz) gzip -dc "$file" >plain.json ;;
        *.zst) zstd -dcq "$file" >plain.json ;;
        *) cat "$file" >plain.json ;;
        esac
        cp plain.json "$name.plain"
        checked "$name.plain"
        jq -S --arg name "json/$name" '.[$name].ph' "$formats/counts.json" >published.kinds
        cmp -s published.kinds got.kinds || fail "$name: kinds differ from those published"
        quiet --lenient "$file" -o packed.db
        cli info --json packed.db | jq '[.source.records, .events]' >packed.source
        jq '[.source.records, .events]' got.json >plain.source
        cmp -s packed.source plain.source || fail "$name: the compressed file differs"
        rm "$name.plain"
    done
}

cat >all.json <<'END'
{"displayTimeUnit": "ns", "skipped": {"a": [1, {"b": "]}\"{"}], "c": null}, "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "server"}},
{"ph": "M", "name": "process_name", "pid": 10, "args": {"name": "server"}},
{"ph": "M", "name": "thread_name", "pid": 2, "tid": 7, "args": {"name": "main \"\u00e9\ud83d\ude00\\"}},
{"ph": "M", "name": "thread_sort_index", "pid": 2, "tid": "worker 10", "args": {"sort_index": 5}},
{"ph": "M", "name": "thread_sort_index", "pid": 2, "tid": "worker 2", "args": {"sort_index": 5}},
{"ph": "M", "name": "num_cpus", "pid": 2, "tid": 7, "args": {"number": 3}},
{}, {"ph": "X", "name": "late", "cat": "c", "pid": 2, "tid": 7, "ts": "30.25", "dur": 10},
{"ph": "X", "name": "early", "pid": 2, "tid": 7, "ts": 10, "dur": 15, "args": {"n": 1, "deep": {"a":[1]}}},
{"ph": "X", "name": "crosses", "pid": 2, "tid": 7, "ts": 20, "dur": 15},
{"ph": "X", "name": "nothing", "pid": 2, "tid": 7, "ts": 12, "dur": 0},
{"ph": "B", "name": "outer", "pid": 2, "tid": "worker 10", "ts": 1}, {"ph": "B", "name": "inner", "pid": 2, "tid": "worker 10", "ts": 2},
{"ph": "E", "pid": 2, "tid": "worker 10", "ts": 3, "args": {"result": "x"}}, {"ph": "E", "name": "outer", "pid": 2, "tid": "worker 10", "ts": 4},
{"ph": "i", "name": "mark", "s": "p", "pid": 2, "tid": "worker 2", "ts": 5},
{"ph": "C", "name": "load", "pid": 10, "ts": 1, "args": {"value": 2, "other": 3.5, "no": "x"}},
{"ph": "C", "name": "load", "id": 4, "pid": 10, "ts": 2, "args": {"value": 9}},
{"ph": "b", "cat": "net", "id": 1, "name": "request", "pid": 2, "ts": 5}, {"ph": "n", "cat": "net", "id": 1, "name": "head", "pid": 2, "ts": 6},
{"ph": "b", "cat": "net", "id": 2, "name": "request", "pid": 2, "ts": 6},
{"ph": "e", "cat": "net", "id": 1, "name": "request", "pid": 10, "ts": 8}, {"ph": "e", "cat": "net", "id": 2, "name": "request", "pid": 2, "ts": 9},
{"ph": "s", "cat": "f", "id": 1, "name": "arrow", "pid": 2, "tid": 7, "ts": 11}, {"ph": "t", "cat": "f", "id": 1, "name": "arrow", "pid": 2, "tid": "worker 10", "ts": 13, "bp": "e"},
{"ph": "f", "cat": "f", "id": 1, "name": "arrow", "pid": 2, "tid": 7, "ts": 21}, {"ph": "P", "pid": 2, "tid": 7, "ts": 3}
], "stackFrames": {}}
END

# By hand: what the file above is.
check_kinds() {
    quiet all.json -o t.db
    ask t.db "SELECT resource, type, value, printf('%.9f', begin), printf('%.9f', duration)
        FROM events WHERE category = 'state' ORDER BY 1, 4, 5 DESC" >got
    cat >want <<'END'
server (2)/async/net,Async slice,request,0.000005000,0.000003000
server (2)/async/net/~1,Async slice,request,0.000006000,0.000003000
server (2)/main éX\,Slice,early,0.000010000,0.000015000
server (2)/main éX\,Slice,nothing,0.000012000,0.000000000
server (2)/main éX\,Slice,late,0.000030250,0.000010000
server (2)/main éX\/~1,Slice,crosses,0.000020000,0.000015000
server (2)/worker 10,Slice,outer,0.000001000,0.000003000
server (2)/worker 10,Slice,inner,0.000002000,0.000001000
END
    sed -i 's/😀/X/' got
    diff want got >&2 || fail "states of all.json"
    ask t.db "SELECT source, target, printf('%.9f', begin), printf('%.9f', end) FROM events
        WHERE category = 'link' ORDER BY begin" | sed 's/😀/X/g' >got
    cat >want <<'END'
server (2)/main éX\,server (2)/worker 10,0.000011000,0.000013000
server (2)/worker 10,server (2)/main éX\,0.000013000,0.000030250
END
    diff want got >&2 || fail "links of all.json"
    same "variables" "load/2.0 load id: 4/9.0 load other/3.5" "$(ask t.db "SELECT type || '/' ||
        value FROM events WHERE category = 'variable' ORDER BY type" | paste -sd ' ')"
    same "attributes" '1/{a:[1]}' "$(ask t.db "SELECT (attributes ->> 'n') || '/' ||
        (attributes ->> 'deep') FROM events WHERE value = 'early'")"
    same "attribute of an end" x \
        "$(ask t.db "SELECT attributes ->> 'result' FROM events WHERE value = 'inner'")"
    same "scope" p "$(ask t.db "SELECT attributes ->> 's' FROM events WHERE type = 'Instant'")"
    cli info --json t.db >got.json
    holds "left out" got.json '.source.left_out.P.count == 1 and
        .source.left_out["C: sample"].count == 1 and .source.format == "chrome"'
    same "order" "main worker 2 worker 10" "$(ask t.db "SELECT substr(name, 1, 9) FROM resources
        WHERE type = 'Thread' AND path LIKE 'server (2)%' ORDER BY id" | sed 's/ "é.*//; s/ é.*//' |
        paste -sd ' ')"
}

# The same events in every form give the same trace but for the source.
check_forms() {
    jq -c '.traceEvents[]' all.json >lines
    { echo '[' && sed 's/$/,/' lines; } >open.json
    { printf '\xef\xbb\xbf \n[' && paste -sd, lines && echo ']'; } >list.json
    { echo '{"traceEvents":[' && paste -sd, lines && echo ',]}'; } >comma.json
    jq -c . all.json >short.json
    local form
    cli export t.db -o want.csv --force
    for form in open.json list.json comma.json short.json; do
        quiet "$form" -o form.db
        cli export form.db -o got.csv --force
        cmp -s want.csv got.csv || fail "$form: $(diff want.csv got.csv)"
    done
}

# A run of eight ranks, a file each, whose clocks have different bases.
check_ranks() {
    local order
    python3 "$OCELOTL_ROOT/examples/pytorch_ranks.py" 8 . >/dev/null
    quiet rank*.json.gz -o run.db
    same "ranks" "rank 0,rank 1,rank 2,rank 3,rank 4,rank 5,rank 6,rank 7" \
        "$(ask run.db "SELECT name FROM resources WHERE type = 'File' ORDER BY id" | paste -sd,)"
    # All ranks leave a collective together, by their clocks.
    same "aligned" 1 "$(ask run.db "SELECT count(DISTINCT printf('%.6f', end)) FROM events
        WHERE value LIKE 'nccl%' AND attributes ->> 'Seq' = 3")"
    same "origin" "2025-01-01T00:00:00Z" "$(cli info --json run.db | jq -r .origin)"
    order=$(ls -r rank*.json.gz)
    quiet $order -o other.db
    same "in any order" \
        "$(ask run.db "SELECT count(*), printf('%.9f', sum(duration)) FROM events")" \
        "$(ask other.db "SELECT count(*), printf('%.9f', sum(duration)) FROM events")"
    quiet rank*.json.gz --same-root --align begin -o merged.db
    same "merged" 0 "$(ask merged.db "SELECT count(*) FROM resources WHERE type = 'File'")"
    same "nothing is lost" "$(ask run.db "SELECT count(*) FROM events")" \
        "$(ask merged.db "SELECT count(*) FROM events")"
    refused 1 "does not say when it was recorded" import all.json rank0.json.gz --align clock \
        -o no.db
}

# collectives WHAT FOLDER: each all-reduce is a link from the rank that came last to each other.
collectives() {
    quiet --collectives "$2" -o collectives.db
    ask collectives.db "SELECT substr(source, 1, 6), substr(target, 1, 6), printf('%.6f', begin),
        printf('%.6f', end) FROM events WHERE type = 'Collective' ORDER BY 3, 2" >got
    cmp -s want.links got || fail "collectives by $1: $(diff want.links got | head -4)"
}

# Ranks as a folder, whose collectives are matched by all that Kineto writes.
check_collectives() {
    local way
    mkdir ranks && cp rank*.json.gz ranks
    python3 - ranks/*.gz >want.links <<'END'
import gzip, json, sys
starts = {}
for name in sys.argv[1:]:
    whole = json.load(gzip.open(name))
    rank, base = whole["distributedInfo"]["rank"], whole["baseTimeNanoseconds"] / 1000 - 1735689600e6
    for event in whole["traceEvents"]:
        if "Seq" in event.get("args", {}):
            begin = event["ts"] + base
            starts.setdefault(event["args"]["Seq"], []).append((begin, rank, begin + event["dur"]))
for members in starts.values():
    begin, last, end = max(members)
    for _, rank, end in sorted(members, key=lambda m: m[1]):
        if rank != last:
            print("rank %d,rank %d,%.6f,%.6f" % (last, rank, begin / 1e6, end / 1e6))
END
    same "links of ten collectives" 70 "$(wc -l <want.links)"
    collectives "number" ranks
    same "names of collectives" "allreduce" "$(ask collectives.db "SELECT DISTINCT value FROM events
        WHERE type = 'Collective'")"
    same "sequence" "0 9" "$(ask collectives.db "SELECT min(attributes ->> 'sequence') || ' ' ||
        max(attributes ->> 'sequence') FROM events WHERE type = 'Collective'")"
    local links="SELECT count(*) FROM events WHERE category = 'link'"
    same "on the fly" 70 $(($(cli sql --csv --collectives ranks "$links" 2>/dev/null | tail -n 1) -
        $(cli sql --csv ranks "$links" 2>/dev/null | tail -n 1)))
    same "name of a folder" ranks "$(cli info --json collectives.db | jq -r .name)"
    for way in 'del(.args)' '.args = {"Collective name": "x", "Comms Id": (1000 - .args.Seq)}' \
        '.args += {"Process Group Name": "0"}'; do
        rm -rf other && mkdir other
        for file in ranks/*; do
            gzip -dc "$file" | jq -c "(.traceEvents[] | select(.args.Seq != null)) |= ($way)" \
                >"other/$(basename "$file" .gz)"
        done
        collectives "$way" other
    done
    # What launches them is no member where devices run them; ranks that have one less are said.
    for file in ranks/*; do
        gzip -dc "$file" | jq -c '.traceEvents += [.traceEvents[] | select(.args.Seq != null) |
            .cat = "cpu_op" | .ts -= 20]' >"other/$(basename "$file" .gz)"
    done
    collectives "devices" other
    gzip -dc ranks/rank0.json.gz | jq -c 'del(.traceEvents[] | select(.args.Seq == 3)) |
        del(.traceEvents[].args.Seq)' >other/rank0.json
    gzip -dc ranks/rank1.json.gz | jq -c 'del(.traceEvents[].args.Seq)' >other/rank1.json
    quiet --collectives other/rank0.json other/rank1.json -o uneven.db
    cli info uneven.db | grep -q " 19  collective without a number, which files have more" ||
        fail "uneven collectives: $(cli info uneven.db | tail -3)"
    quiet --collectives all.json ranks/rank0.json.gz -o alone.db
    cli info alone.db | grep -q " 10  collective of one file alone (no link)" ||
        fail "collectives alone: $(cli info alone.db | tail -3)"
    quiet ranks -o without.db
    same "only where asked" 0 "$(ask without.db "SELECT count(*) FROM events
        WHERE type = 'Collective'")"
}

# Only digits that are lost are said, each time once.
check_digits() {
    local line
    while read -r line; do
        printf '[{"ph":"X","pid":1,"tid":1,"name":"x","ts":%s,"dur":2}]' "${line% *}" >digits.json
        quiet digits.json -o digits.db
        same "rounded: $line" "${line#* }" "$(cli info --json digits.db | jq '[.warnings[] |
            select(.kind | startswith("time with more digits")) | .count] | add // 0')"
    done <<'END'
5.0000000 0
-5.12345600000000 0
"5.0000000000" 0
5.1234567 1
5.12345670 1
5.00000000000000000000000001 1
1700000000000000.0000000 0
1700000000000000.0000001 1
5e-9 1
END
}

check_names() {
    cat >labels.json <<'END'
[{"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "GPU 0"}},
{"ph": "M", "name": "process_labels", "pid": 2, "args": {"labels": "GPU"}},
{"ph": "M", "name": "process_labels", "pid": 3, "args": {"labels": "GPU"}},
{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1},
{"ph": "X", "name": "a", "pid": 2, "tid": 1, "ts": 1, "dur": 1},
{"ph": "X", "name": "a", "pid": 3, "tid": 1, "ts": 1, "dur": 1}]
END
    quiet labels.json -o labels.db
    same "processes without a name" "GPU 0,GPU (2),GPU (3)" \
        "$(ask labels.db "SELECT name FROM resources WHERE type = 'Process'" | paste -sd,)"
    python3 -c 'print([{"ph": "X", "name": "f(%d) at 0x%x" % (i, i), "pid": 1, "tid": 1, "ts": i,
        "dur": 1} for i in range(5000)])' | tr "'" '"' >many.json
    quiet many.json -o many.db
    like quiet.err .
    cli info many.db >info.txt
    has info.txt "more than 4096 names (--fold-names"
    quiet many.json --fold-names '[0-9]+\)|0x[0-9a-f]+' -o few.db
    same "folded" "1 f(* at *" "$(ask few.db "SELECT count(DISTINCT value) || ' ' || min(value)
        FROM events")"
    same "whole names" 5000 "$(ask few.db "SELECT count(DISTINCT attributes ->> 'name')
        FROM events")"
    refused 1 "expected a regular expression" import many.json --fold-names '(' -o no.db
}

# What real producers write: no ids, no durations, ends of other names, ids of several processes and
# of flows used again, several ends of a flow, none, stacks of 58 slices; an archive without suffix.
check_seen() {
    cat >seen.json <<'END'
[{"ph":"X","name":"no ids","ts":1,"dur":1},
{"ph":"X","name":"no dur","pid":1,"tid":1,"ts":10},
{"ph":"B","name":"f","pid":1,"tid":2,"ts":1},{"ph":"B","name":"g","pid":1,"tid":2,"ts":2},
{"ph":"E","name":"f","pid":1,"tid":2,"ts":3},{"ph":"E","name":"","pid":1,"tid":2,"ts":4},
{"ph":"B","name":"h","pid":1,"tid":2,"ts":5},{"ph":"E","name":"other","pid":1,"tid":2,"ts":6},
{"ph":"X","name":"same ids","pid":2,"tid":2,"ts":1,"dur":19},
{"ph":"s","cat":"c","name":"n","id":1,"pid":1,"tid":2,"ts":1},{"ph":"f","bp":"e","cat":"c","name":"n","id":1,"pid":1,"tid":3,"ts":2},
{"ph":"f","bp":"e","cat":"c","name":"n","id":1,"pid":1,"tid":3,"ts":3},
{"ph":"s","cat":"c","name":"n","id":1,"pid":1,"tid":2,"ts":10},{"ph":"f","bp":"e","cat":"c","name":"n","id":1,"pid":1,"tid":3,"ts":11},
{"ph":"t","cat":"c","name":"n","id":2,"pid":1,"tid":3,"ts":5},{"ph":"s","cat":"c","name":"n","id":2,"pid":1,"tid":2,"ts":4}]
END
    python3 - <<'END'
import json, zipfile
events = json.load(open("seen.json"))
events += [{"ph": "X", "name": "deep %d" % i, "pid": 3, "tid": 1, "ts": i / 10, "dur": 12 - i / 10}
           for i in reversed(range(58))]
json.dump(events, open("whole", "w"))
with zipfile.ZipFile("packed", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.write("whole")
END
    quiet packed -o seen.db
    ask seen.db "SELECT resource, coalesce(value, ''), printf('%g', begin * 1e6), printf('%g',
        end * 1e6), coalesce(target, ''), coalesce(attributes ->> 'open', '') FROM events
        WHERE value NOT LIKE 'deep%' ORDER BY category, resource, begin, end" >got
    diff - got >&2 <<'END' || fail "what real files have"
1/2,n,1,2,1/3,
1/2,n,1,3,1/3,
1/2,n,4,5,1/3,
1/2,n,10,11,1/3,
0/0,no ids,1,2,,
1/1,no dur,10,20,,true
1/2,f,1,3,,
1/2,h,5,6,,
1/2/~1,g,2,4,,
2/2,same ids,1,20,,
END
    same "a deep stack" "58 1 57" "$(ask seen.db "SELECT count(*) || ' ' || count(DISTINCT resource)
        || ' ' || max(depth) FROM events WHERE value LIKE 'deep%'")"
    cli info seen.db >info.txt
    for oddity in "a state inside which others are open" "a state by a name that is not open" \
        "slice without a duration"; do
        has info.txt "$oddity"
    done
}

# Ends without a begin are counted by what they become.
check_alone() {
    cat >ends.json <<'END'
[{"ph":"E","pid":1,"tid":1,"ts":1},{"ph":"B","name":"a","pid":1,"tid":1,"ts":2},
{"ph":"E","pid":1,"tid":1,"ts":3},{"ph":"E","name":"b","pid":1,"tid":2,"ts":4},
{"ph":"e","cat":"c","id":1,"name":"d","pid":1,"ts":5}]
END
    quiet ends.json -o ends.db
    same "left out" "E 2,e 1" "$(cli info --json ends.db | jq -r '.source.left_out | to_entries |
        map("\(.key) \(.value.count)") | join(",")')"
    same "records" "B 1,E 3,e 1" "$(cli info --json ends.db | jq -r '.source.records | to_entries |
        map("\(.key) \(.value)") | sort | join(",")')"
    quiet --lenient ends.json -o ends.db
    same "kept where it has a name" "1" "$(cli info --json ends.db | jq -r '.source.left_out.E.count')"
}

# Sums of other slices are no rows; a slice that is only called so is one.
check_totals() {
    local sum='"pid":1,"ph":"X","ts":0,"dur":9,"args":{"count":2,"avg ms":4}'
    printf '[%s,%s,%s,%s]' '{"ph":"X","pid":1,"tid":1,"ts":0,"dur":5,"name":"Source"}' \
        "{\"tid\":2,\"name\":\"Total Source\",$sum}" "{\"tid\":3,\"name\":\"Sum\",$sum}" \
        '{"ph":"X","pid":1,"tid":4,"ts":0,"dur":5,"name":"Total order","args":{"count":2}}' \
        >totals.json
    quiet totals.json -o totals.db
    same "rows without sums" "1 3 4" \
        "$(ask totals.db "SELECT name FROM resources WHERE type = 'Thread'" | paste -sd ' ')"
    says totals.db "left out: it adds up other slices"
}

check_real
check_seen
check_kinds
check_forms
check_alone
check_ranks
check_collectives
check_digits
check_names
check_totals
