# Profiles of the Firefox profiler in their three forms: an import counts and sums up what a literal
# reader of the same columns does. They are made by a script from the fields that are documented.
need jq python3

found() {
    ask "$1" "SELECT substr(resource, instr(resource, '/') + 1) || '|' || value || '|' || count(*)
        || '|' || printf('%.6f', 1000 * sum(duration)) FROM events WHERE category <> 'variable'
        GROUP BY resource, value" | sort
}
for form in columns shared rows; do
    python3 "$OCELOTL_ROOT/tests/firefox_maker.py" $form >$form.json
    quiet $form.json -o $form.db
    same "$form" "$(python3 "$OCELOTL_ROOT/tests/firefox_reader.py" $form.json | sort |
        tr -d '"')" "$(found $form.db)"
done
# Times of a process are since its start, 249.75 ms after that of the profile.
begins() { ask "$1" "SELECT 1000 * min(begin) FROM events WHERE resource LIKE '%Worker'"; }
same "a process of its own" 249.75 "$(awk -v a="$(begins rows.db)" -v b="$(begins columns.db)" \
    'BEGIN { print a - b }')"
says columns.db 'origin     2023-11-14T22:13:20.000500000Z' 'nothing odd'
same "a counter" "100 150 120" "$(ask shared.db "SELECT value FROM events
    WHERE type = 'malloc' ORDER BY begin" | line)"
same "records" "600 3 3 3" "$(cli info --json rows.db | jq -r '.source.records |
    "\(.sample) \(."marker, instant") \(."marker, interval") \(."marker, end")"')"

head -c 9000 columns.json >x.json
refused 1 'x.json:1: the file ends too early, expected the rest of its JSON' import x.json -o no.db
made() { printf '{"meta":{"interval":1,"processType":0,"version":1},"threads":[%s]}' "$1" >x.json; }
made 7
refused 1 'x.json:1: a thread is no object with samples, expected one' import x.json -o no.db
made '{"samples":{"time":[1e30]}}'
refused 1 'x.json:1: "1e30" is too large, expected less than 2^61' import x.json -o no.db
made ''
refused 1 'x.json: holds no thread, expected some' import x.json -o no.db
# A stack that is on itself ends; one that is not there is called "?".
made '{"samples":{"time":[1,2],"stack":[0,9]},"stackTable":{"prefix":[0],"frame":[0]}}'
quiet x.json -o x.db
says x.db 'stack that is inside itself'

# Three threads that do different things are not compared, and a call of two samples is no step.
python3 "$OCELOTL_ROOT/examples/crowds.py" firefox page.json
quiet page.json -o page.db
same "findings of a page" 0 "$(cli explain --json page.db | jq '.findings | length')"
