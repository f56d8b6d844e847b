# export writes CSV that agrees with SQL; windows and parts select the right events. (What it writes
# as lines of pj_dump is compared in pjdump.sh.)

example

# --- CSV

cli export trace.db >all.csv
cli sql --csv trace.db 'SELECT * FROM events' >sql.csv
grep -v ',resource,' all.csv >events.csv
cmp -s events.csv sql.csv || fail "CSV is not what SQL says: $(diff events.csv sql.csv | head -4)"
same "lines" 31969 "$(wc -l <events.csv)"
cli export trace.db -o file.csv
cmp -s all.csv file.csv || fail "CSV in a file"

# selects ARGUMENT... -- CONDITION: export with these is SQL with that.
selects() {
    local arguments=()
    while [ "$1" != -- ]; do
        arguments+=("$1")
        shift
    done
    cli export trace.db "${arguments[@]}" >part.csv
    cli sql --csv trace.db "SELECT * FROM events WHERE $2" >sql.csv
    cmp -s part.csv sql.csv || fail "${arguments[*]}: $(diff part.csv sql.csv | head -4)"
    [ "$(wc -l <part.csv)" -gt 1 ] || fail "${arguments[*]}: nothing"
}
selects --from 0.1 --to 0.11 -- '+"begin" <= 0.11 AND +"end" >= 0.1'
selects --to 0.003154 -- '+"begin" <= 0.003154'
selects --from 0.289213 -- '+"end" >= 0.289213'
selects --from 0.1000005 --to 0.1000005 -- '+"begin" <= 0.1000005 AND +"end" >= 0.1000005'
selects --resource nancy/griffon/griffon-sw2 -- "+resource GLOB 'nancy/griffon/griffon-sw2/*'"
selects --type MPI_LINK -- "+type = 'MPI_LINK'"
selects --resource nancy/graphite --type MPI_STATE --from 0.2 --to 0.25 -- \
    "+resource GLOB 'nancy/graphite/*' AND +type = 'MPI_STATE' AND +\"begin\" <= 0.25 AND +\"end\" >= 0.2"
same "containers of a part" 'Container, griffon, SWITCH, 0, 0.289213, 0.289213, griffon-sw2' \
    "$(cli export --format pjdump --resource nancy/griffon/griffon-sw2 trace.db | sed -n 1p)"

# --- Errors

refused 1 'no resource "nowhere"' export --resource nowhere trace.db
refused 1 'has no resource "griffon-sw2"; the nearest is "nancy/griffon/griffon-sw2"' export \
    --resource griffon-sw2 trace.db
refused 1 'no event type "Nothing"' export --type Nothing trace.db
# Lines of JSON say what CSV says.
if command -v jq >/dev/null; then
    cli export trace.db >all.csv
    cli export --format json trace.db >all.json
    jq -r '[.resource, .resource_type, .category, .type, .value, .begin, .end, .duration, .depth,
        .source, .target, .key,
        (if .attributes == {} then null else .attributes | tojson end)] | @csv' all.json |
        tr -d '"' >got.csv
    cmp -s <(sed 1d all.csv | tr -d '"' | awk -F, -v OFS=, '{ $6 += 0; $7 += 0; $8 += 0; print }') \
        <(awk -F, -v OFS=, '{ $6 += 0; $7 += 0; $8 += 0; print }' got.csv) ||
        fail "JSON is not what CSV is: $(diff <(sed 1d all.csv) got.csv | head -4)"
fi

refused 2 'pyarrow.parquet.write_table' export --format parquet trace.db
refused 2 '--digits is 99, expected at most 18' export --format pjdump --digits 99 trace.db
refused 2 '--json and --format csv exclude each other' export --json --format csv trace.db
refused 2 '--format pjdump and --json exclude each other' export --format pjdump --json trace.db
cli export --json trace.db -o once.json
cli export --format json --json trace.db -o twice.json
cmp once.json twice.json || fail "json, said twice"
refused 2 '--digits is of --format pjdump alone' export --digits 3 trace.db
refused 2 '--format is "xml", expected csv, json, pjdump, chrome, paje, matrix, picl, picl1 or perfetto' export --format xml trace.db
printf 'mine' >kept.csv
head -c $(($(stat -c %s trace.db) / 2)) trace.db >damaged.db
code=0
cli export damaged.db -o kept.csv >/dev/null 2>damaged.err || code=$?
same "what was there stays after $(cat damaged.err)" "1 mine" "$code $(head -c 100 kept.csv)"
same "a message of one line" 1 "$(wc -l <damaged.err)"
no_rest "export"
# What the lines cannot say is counted.
{
    paje_events DefineContainerType DefineLinkType CreateContainer StartLink+tag EndLink
    printf '%s\n' '0 P 0 proc' '1 L 0 P P link' '2 0 a P 0 a' '3 1 L 0 m a whole 7' \
        '3 2 L 0 m a begun 7' '4 3 L 0 m a whole' '4 4 L 0 m a ended'
} >ends.trace
cli import ends.trace -o ends.db >/dev/null 2>&1
same "the link with both ends" 1 "$(cli export --format pjdump ends.db 2>lost.txt | grep -c ^Link)"
same "what is lost" "ocelotl-cli: not said by pjdump: links with one end, which are left out (2)
ocelotl-cli: not said by pjdump: events with attributes (1)" "$(sort -r lost.txt)"
{
    paje_definitions PushState PopState DefineEntityValue
    printf '%s\n' '0 A 0 node' '0 B A proc' '0 C A proc' '0 D A unused' '1 S B state' \
        '1 T B state' '1 U C state' '1 V C never' '5 v1 S run' '5 v2 S run' '5 v3 T run' \
        '5 v4 S never' '2 0 n1 A 0 n' '2 0 n2 A 0 n' '2 0 n3 A 0 n' '2 0 p1 B n1 p' \
        '2 0 p2 C n1 p' '2 0 p3 B 0 p' '3 1 S p1 v1' '3 1 T p1 v3' '3 2 U p2 x' '4 3 S p1' \
        '4 3 T p1' '4 3 U p2'
} >twins.trace
cli import twins.trace -o twins.db >/dev/null 2>&1
for form in csv json; do
    same "what $form does not say" "types of resources without any of them (1)
event types without events (1)
values that never occur (2)
resources that are not where their type belongs (1)
resources called like another beside them (NAME#2) (3)
types and values called like another beside them (3)" \
        "$(cli export --format $form twins.db 2>&1 >/dev/null | sed 's/.*not said by [a-z]*: //')"
done
