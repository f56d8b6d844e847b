# Trace events in JSON as odd producers write them: what two ends carry, where the events are in a
# file, times of long clocks, empty names, and what messages say of one line.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need python3 jq

# Imports, and ignores reports of oddities.
quiet() { cli import "$@" >/dev/null 2>quiet.err || fail "import $*: $(cat quiet.err)"; }

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

check_both_ends
finish
