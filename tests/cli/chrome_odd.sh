# Trace events in JSON as odd producers write them: what two ends carry, where the events are in a
# file, times of long clocks, empty names, and what messages say of one line.
need python3 jq

# Imports, and ignores reports of oddities.

# carries TRACE CONDITION: what the states and links under a condition carry, as JSON.
carries() {
    cli sql --json "$1" "SELECT attributes FROM events WHERE $2 ORDER BY begin, end" |
        jq -cS '.[].attributes | fromjson' | paste -sd ' '
}

# What both ends carry is kept of both where it differs; so is the scope of an id.
check_both_ends() {
    cat >both.json <<'END'
[{"ph":"B","pid":1,"tid":1,"ts":0,"name":"s","tts":5,"args":{"x":1,"same":"é"}},
{"ph":"E","pid":1,"tid":1,"ts":2,"name":"s","tts":7,"args":{"y":3,"x":2,"same":"\u00e9"}},
{"ph":"B","pid":1,"tid":1,"ts":3,"name":"s","id":8,"args":{"x":1}},
{"ph":"E","pid":1,"tid":1,"ts":4,"name":"s","args":{"x":2,"end_x":3}},
{"ph":"b","pid":1,"tid":1,"ts":10,"id":1,"cat":"c","scope":"one","name":"s","args":{"x":1,"scope":0}},
{"ph":"b","pid":1,"tid":1,"ts":11,"id":1,"cat":"c","scope":"two","name":"s","args":{"x":1}},
{"ph":"n","pid":1,"tid":1,"ts":12,"id":1,"cat":"c","scope":"two","name":"s"},
{"ph":"e","pid":1,"tid":1,"ts":13,"id":1,"cat":"c","scope":"one","name":"s","args":{"x":[2]}},
{"ph":"e","pid":1,"tid":1,"ts":14,"id":1,"cat":"c","scope":"two","name":"s","args":{"x":1}},
{"ph":"s","pid":1,"tid":1,"ts":20,"id":1,"name":"l","args":{"x":1}},
{"ph":"f","bp":"e","pid":1,"tid":2,"ts":21,"id":1,"name":"l","args":{"x":2}},
{"ph":"f","bp":"e","pid":1,"tid":2,"ts":22,"id":1,"name":"l","args":{"z":3}}]
END
    quiet both.json -o both.db
    same "slices with attributes at both ends" '{"end_tts":7,"end_x":2,"same":"é","tts":5,"x":1,"y":3} {"end_end_x":2,"end_x":3,"id":8,"x":1}' \
        "$(carries both.db "type = 'Slice'")"
    same "asynchronous ones" '{"args.scope":0,"cat":"c","end_x":"[2]","id":1,"scope":"one","x":1} {"cat":"c","id":1,"scope":"two","x":1}' \
        "$(carries both.db "type = 'Async slice'")"
    same "scope of an instant" '{"cat":"c","id":1,"scope":"two"}' \
        "$(carries both.db "type = 'Async instant'")"
    same "links" '{"end_x":2,"id":1,"x":1} {"id":1,"x":1,"z":3}' \
        "$(carries both.db "type = 'Flow'")"
}

# Events may be anywhere in a file, also behind much else.
check_far_events() {
    python3 - <<'END'
import gzip, json, os
event = {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 5, "name": "a"}
far = {"metadata": {"sourceMaps": ["z" * 70000]}, "traceEvents": [event]}
os.mkdir("folder")
os.mkdir("other")
json.dump(far, open("far.json", "w"))
json.dump(far, open("folder/far.json", "w"))
json.dump([event], open("folder/near.json", "w"))
json.dump([event], open("other/near.json", "w"))
gzip.open("far.gz", "wt").write("\ufeff " + json.dumps(far))
unknown = {"mine": ["z" * 70000, {"traceEvents": [1]}], "traceEvents": [event]}
json.dump(unknown, open("unknown.json", "w"))
alone = {"mine": ["z" * 70000, {"traceEvents": [event]}], "others": 1}
json.dump(alone, open("alone.json", "w"))
json.dump(alone, open("other/alone.json", "w"))
json.dump({"a": "b"}, open("short.json", "w"))
END
    local file
    for file in far.json far.gz unknown.json; do
        quiet "$file" -o far.db
        same "$file" 1 "$(cli info --json far.db | jq .events)"
    done
    quiet folder -o far.db
    same "far events in a folder" 2 "$(cli info --json far.db | jq .events)"
    quiet other -o far.db
    same "other JSON in a folder" 1 "$(cli info --json far.db | jq .events)"
    cli import - -o far.db --force <far.json >/dev/null 2>&1 || fail "far events of a pipe"
    refused 1 "format chrome" import alone.json -o no.db
    refused 1 "format chrome" import short.json -o no.db
    printf '[]' >list.json
    printf '{"traceEvents": []}' >object.json
    refused 1 "list.json: holds no events, expected some" import list.json -o no.db
    refused 1 "object.json: holds no events, expected some" import object.json -o no.db
    printf '[%s]' '{"ph":"N","ts":1},{"ph":"O","ts":2},{"ph":"v","ts":3},{"ph":"O","ts":4}' \
        >objects.json
    refused 1 'objects.json: holds no events, but 1 of "ph" "N" (objects are no events), 2 of "ph" \
"O" (objects are no events), 1 of "ph" "v" (memory dumps are no events), expected some' \
        import objects.json -o no.db
}

# Messages of a line of many events name the byte.
check_places() {
    local first='[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":5,"name":"a"},'
    printf '%s{"ph":"X","ts":"soon"}]' "$first" >line.json
    refused 1 "line.json:1, byte ${#first}: ts is \"soon\", expected a number" import line.json \
        -o no.db
    cli import --lenient line.json -o line.db >/dev/null 2>&1
    says line.db "line.json:1, byte ${#first}: ts is"
    printf '%s\n%s{"ph":"X","ts":"soon"}]' "${first%,}" ",${first#[}" >lines.json
    refused 1 "lines.json:2, byte $((2 * ${#first})): ts" import lines.json -o no.db
    printf '%s\n{"ph":"X","ts":"soon"}]' "$first" >lines.json
    refused 1 "lines.json:2: ts is" import lines.json -o no.db
    printf '%s{"ph":"B","pid":1,"ts":1,"name":"b"}]' "$first" >open.json
    quiet open.json -o open.db
    says open.db "first at open.json:1, byte ${#first}"
}

# Clocks that run for months, and stamps that are no dates.
check_long_times() {
    cat >long.json <<'END'
[{"ph":"X","pid":1,"tid":1,"ts":12000000000000.1234,"dur":5.0001,"name":"a"},
{"ph":"X","pid":1,"tid":1,"ts":12000000000010.1236,"dur":5.0001,"name":"b"}]
END
    quiet long.json -o long.db
    near "from one to the other" 0.00001 "$(cli sql --csv long.db "SELECT
        printf('%.9f', max(begin) - min(begin)) FROM events" | tail -n 1 | tr -d '"')" 1e-3
    same "duration" 0.000005 "$(cli sql --csv long.db "SELECT max(duration) FROM events" |
        tail -n 1 | awk '{ printf "%.6f", $1 }')"
    says long.db " 4  time with more digits"
    echo '[{"ph":"X","pid":1,"tid":1,"ts":9223372036854775807,"dur":0,"name":"a"}]' >last.json
    quiet last.json -o last.db
    echo '[{"ph":"X","pid":1,"tid":1,"ts":1695835542481129123.123,"dur":0,"name":"a"}]' >large.json
    quiet large.json -o large.db
    same "digits of large stamps" 123123 "$(cli sql --csv large.db "SELECT
        printf('%.0f', 1e9 * begin) FROM events" | tail -n 1 | tr -d '"' | tail -c 7)"
    same "no date" "" "$(cli info --json last.db | jq -r .origin)"
}

# What has an empty name is called by its number.
check_empty_names() {
    cat >empty.json <<'END'
[{"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":""}},
{"ph":"M","pid":7,"tid":8,"name":"process_name","args":{"name":""}},
{"ph":"M","pid":9,"tid":8,"name":"process_name","args":{"name":""}},
{"ph":"M","pid":9,"tid":8,"name":"process_labels","args":{"labels":"GPU"}},
{"ph":"X","pid":7,"tid":8,"ts":0,"dur":1,"name":""},
{"ph":"X","pid":9,"tid":"","ts":0,"dur":1,"name":"a"}]
END
    quiet empty.json -o empty.db
    same "empty names" "7/8 GPU/(no name)" "$(cli sql --csv empty.db "SELECT path
        FROM resources WHERE type = 'Thread' ORDER BY id" | tail -n +2 | paste -sd ' ')"
}

# Events that were skipped are among the records, as left out.
check_skipped() {
    cat >skipped.json <<'END'
[{"ph":"s","pid":1,"tid":1,"ts":1,"id":1,"name":"a"},{"ph":"s","pid":1,"tid":1,"ts":2},
{"ph":"M","pid":1},{"ts":1},{"ph":"X","pid":1,"tid":1,"ts":"x"}]
END
    cli import --lenient skipped.json -o skipped.db >/dev/null 2>&1
    same "records" '{"(no ph)":1,"M":1,"X":1,"s":2}' \
        "$(cli info --json skipped.db | jq -cS .source.records)"
    same "left out" "(no ph) 1,M 1,X 1,s 1" "$(cli info --json skipped.db |
        jq -r '.source.left_out | to_entries | map("\(.key) \(.value.count)") | sort | join(",")')"
}

check_skipped
check_both_ends
check_far_events
check_places
check_long_times
check_empty_names
