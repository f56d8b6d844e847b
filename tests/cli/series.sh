# Derived series: against counts over the output of pj_dump, and a hand-made expectation for
# variables; as a trace for the other commands; as pictures; and refused requests.
need jq sqlite3 xmllint

unpack "$sample" >it.trace
cli import it.trace -o trace.db >/dev/null
if command -v pj_dump >/dev/null; then
    pj_dump -l 9 it.trace | tr -d ' ' >dump.csv
else
    cli export --format pjdump --digits 9 trace.db | tr -d ' ' >dump.csv
fi

# expected TYPE [FROM TO]: the changes in ticks that the states printed make, for each container of
# a type; a number of resources that is 0 from the beginning on is no change.
expected() {
    awk -F , -v type="$1" -v from="${2:-0}" -v to="${3:-289213}" '
        function ticks(seconds) { return int(seconds * 1000000 + 0.5) }
        $1 == "Container" { parent[$7] = $2; kind[$7] = $3; next }
        $1 != "State" || $3 != "MPI_STATE" || ticks($4) == ticks($5) { next }
        {
            for (g = $2; kind[g] != type; g = parent[g]) continue
            b = ticks($4) < from ? from : ticks($4)
            if (b < to && ticks($5) > from) {
                print g "," $8 "," b ",1"
                if (ticks($5) < to) print g "," $8 "," ticks($5) ",-1"
            }
        }' dump.csv | sort -t , -k 1,2 -k 3n | awk -F , '
        function give() { if (key != "" && now != last) print key "," time "," now; last = now }
        ($1 "," $2) != key { give(); key = $1 "," $2; now = last = 0; time = $3 }
        $3 != time { give(); time = $3 }
        { now += $4 }
        END { give() }' | sort
}

# got ARGUMENT...: the changes in the CSV, by the last step of the path, in ticks, less zeros at the
# beginning.
got() {
    cli series "$@" trace.db >series.csv || fail "series $*"
    same "the header" "resource,series,time,value" "$(head -n 1 series.csv)"
    tail -n +2 series.csv | awk -F , -v from="${from:-0}" '
        { sub(/.*\//, "", $1); t = int($3 * 1000000 + 0.5) }
        !(t == from && $4 == 0) { print $1 "," $2 "," t "," $4 }' | sort
}

compare() { # WHAT
    [ "$(wc -l <expected.txt)" -gt 100 ] || fail "$1: nothing is expected"
    cmp -s expected.txt got.txt || fail "$1: $(diff expected.txt got.txt | head -5)"
}

for type in SITE CLUSTER MACHINE MPI; do
    expected $type >expected.txt
    got --at $type >got.txt
    compare "by $type"
done
expected CLUSTER 100000 200000 >expected.txt
from=100000 got --at CLUSTER --from 100ms --to 200ms >got.txt
compare "a window"
expected MACHINE | grep '^griffon.*,PMPI_Wait,' >expected.txt
got --at MACHINE --only PMPI_Wait --only-resources '*/griffon' >got.txt
compare "filters"

# The default groups, and one group of all.
cli series trace.db >default.csv
cli series --at CLUSTER trace.db | cmp -s - default.csv || fail "the default is not CLUSTER"
same "groups of all" all "$(cli series --at all trace.db | tail -n +2 | cut -d , -f 1 | sort -u)"
cli series --at all trace.db | tail -n +2 | cut -d , -f 2- >all.csv
cli series --at SITE trace.db | tail -n +2 | cut -d , -f 2- | cmp -s - all.csv ||
    fail "all and the only site differ"

# Over time the numbers add up to the time in the states, to the tick.
cli info --json trace.db | jq -r '.event_types[0].values[] | select(.innermost > 0)
    | "\(.name) \(.innermost * 1000000 | round)"' | sort >total.txt
sort -t , -k 1,2 -s default.csv | awk -F , '
    function add() { if (key != "") sum[name] += value * (289213 - time) }
    $1 == "resource" { next }
    { t = int($3 * 1000000 + 0.5) }
    ($1 "," $2) != key { add(); key = $1 "," $2; name = $2; time = t; value = $4; next }
    { sum[name] += value * (t - time); time = t; value = $4 }
    END { add(); for (n in sum) print n, sum[n] }' | sort >sum.txt
cmp -s total.txt sum.txt || fail "the sums: $(diff total.txt sum.txt | head -4)"

# JSON says the same.
cli series --json trace.db >series.json
holds "JSON" series.json \
    '.meaning == "number of MPI in each MPI_STATE, by CLUSTER" and .reduce == "count" and
    .at == "CLUSTER" and .begin == 0 and .end == 0.289213 and .groups == 3 and .members == 96 and
    .outside == 0 and
    (.series | length) == 15 and .series[0].unit == "resources" and ([.series[].members] |
    add) == 5 * 96'
jq -r '.series as $s | .changes[] |
    "\($s[.series].resource),\($s[.series].series),\(.time),\(.value)"' series.json |
    cmp -s - <(tail -n +2 default.csv) || fail "JSON differs from CSV"
cli series trace.db -o file.json
cmp -s file.json series.json || fail "-o file.json"
cli series trace.db -o file.csv
cmp -s file.csv default.csv || fail "-o file.csv"

# --- A trace of their own

cli series trace.db -o derived.db
same "integrity" ok "$(sqlite3 derived.db 'PRAGMA integrity_check')"
cli info --json derived.db >info.json
holds "info" info.json \
    '.resources == 4 and .begin == 0 and .end == 0.289213 and (.event_types | length) == 5 and
    all(.event_types[]; .category == "variable" and .unit == "resources")'
# Its steps are the changes.
cli export derived.db | tail -n +2 | grep -v ,resource, |
    awk -F , '{ print $1 "," $4 "," $6 "," $5 }' | sort >steps.csv
tail -n +2 default.csv | sort | cmp -s - steps.csv ||
    fail "steps: $(tail -n +2 default.csv | sort | diff - steps.csv | head -4)"
same "sql" "$(($(wc -l <default.csv) - 1))" \
    "$(cli sql --csv derived.db 'SELECT count(*) FROM events' | tail -n 1)"
cli stats --json derived.db >stats.json
# Several variables at once, for they have one unit; as many ticks as the states lasted.
cli --slices 1 --p 1 --json --metric variable-mean derived.db >mean.json
holds "a metric" mean.json \
    '.metric == "variable-mean" and .unit == "resources" and (.parts | length) == 1'
while read -r name ticks; do
    holds "the mean of $name" mean.json \
        '(.parts[0].values[$n] * 3 * 289213 - $t | fabs) < 1e-6 * $t' --arg n "$name" \
        --argjson t "$ticks"
    holds "the statistics of $name" stats.json \
        '([.types[] | select(.name == $n) | .mean] | .[0] * 3 * 289213 - $t | fabs) < 1e-6 * $t' \
        --arg n "$name" --argjson t "$ticks"
done <total.txt
for metric in variable-mean variable-min variable-max event-count; do
    cli --metric $metric derived.db -o $metric.svg || fail "$metric"
    xmllint --noout $metric.svg || fail "$metric.svg is not well-formed"
done
cli --json --slices 1 --p 1 --metric variable-max derived.db >max.json
holds "the largest" max.json '.parts[0].values.PMPI_Bcast == 60'
cli gantt derived.db -o gantt.svg
xmllint --noout gantt.svg || fail "gantt.svg is not well-formed"
has gantt.svg 'PMPI_Bcast, 0 to 60 resources' 'PMPI_Gather, 0 to 1 resource' 'scales differ'
cli gantt --type PMPI_Bcast derived.db -o gantt.svg
has gantt.svg 'rows from 0 to 60 resources'

cli series --title 'another name' trace.db -o named.db
same "a name" "another name" "$(cli info --json named.db | jq -r .name)"

# A window, as a trace, is that window.
cli series --from 100ms --to 200ms trace.db -o window.db
cli info --json window.db >info.json
holds "a window as a trace" info.json '.begin == 0.1 and .end == 0.2'
cli series --no-cache it.trace -o again.db
cli series --no-cache it.trace --force -o again.db
cli series trace.db | cmp -s - <(cli series --no-cache it.trace) ||
    fail "a trace that is imported on the fly"
for file in derived again; do cli export $file.db | sort >$file.txt; done
cmp -s derived.txt again.txt || fail "a trace that is imported on the fly, as a trace"

# --- Pictures

for suffix in svg png pdf; do cli series trace.db -o picture.$suffix || fail ".$suffix"; done
xmllint --noout picture.svg || fail "picture.svg is not well-formed"
has picture.svg 'number of MPI in each MPI_STATE, by CLUSTER' 'PMPI_Bcast 60 resources'
cli --again picture.svg --at MACHINE --only PMPI_Wait -o machines.svg
has machines.svg 'number of MPI in PMPI_Wait, by MACHINE'
TMPDIR=$folder/here && mkdir "$TMPDIR" && export TMPDIR
cli series --no-cache it.trace -o picture.svg || fail "a picture without a cache"
same "what is left" "" "$(ls "$TMPDIR")"
unset TMPDIR

# --- Variables, and nested states

paje_events DefineContainerType DefineVariableType CreateContainer SetVariable DestroyContainer \
    DefineStateType PushState PopState >header.trace
{
    cat header.trace
    printf '0 H 0 host\n0 C H core\n1 P C power\n2 0 h H 0 h\n2 0 a C h a\n2 0 b C h b\n'
    printf '3 1 P a 100\n3 2 P b -50\n3 4 P a 10\n3 4 P a 20\n3 5 P b 80\n4 6 C a\n4 8 C b\n'
    printf '4 10 H h\n'
} >variables.trace
rows() { cli series "$@" 2>/dev/null | tail -n +2 | cut -d , -f 3- | tr '\n' ' '; }
same "sum" "1,100 2,50 4,-30 5,100 6,80 8, " "$(rows variables.trace)"
same "mean" "1,100 2,25 4,-15 5,50 6,80 8, " "$(rows --reduce mean variables.trace)"
same "min" "1,100 2,-50 5,20 6,80 8, " "$(rows --reduce min variables.trace)"
same "max" "1,100 4,20 5,80 8, " "$(rows --variable 'p*r' --reduce max variables.trace)"
same "a window of variables" "3,50 4,-30 5,100 " "$(rows --from 3 --to 6 variables.trace)"
cli series variables.trace -o sums.db 2>/dev/null
cli info sums.db | grep -q 'it keeps its last one' ||
    fail "nothing is said of a value that nobody has any more"
{
    cat header.trace
    printf '0 H 0 host\n5 S H State\n2 0 a H 0 a\n2 0 b H 0 b\n6 0 S a f\n6 1 S b f\n6 2 S a g\n'
    printf '6 3 S a f\n7 5 S a\n'
    printf '7 6 S a\n7 7 S a\n7 8 S b\n4 10 H a\n4 10 H b\n'
} >nested.trace
same "innermost" "f,0,1 g,0,0 f,1,2 f,2,1 g,2,1 f,3,2 g,3,0 f,5,1 g,5,1 f,6,2 g,6,0 f,7,1 f,8,0 " \
    "$(cli series nested.trace 2>/dev/null | tail -n +2 | cut -d , -f 2- | tr '\n' ' ')"
same "inclusive" "f,0,1 g,0,0 f,1,2 g,2,1 g,6,0 f,7,1 f,8,0 " \
    "$(cli series --nesting inclusive nested.trace 2>/dev/null | tail -n +2 | cut -d , -f 2- |
    tr '\n' ' ')"

# --- What is refused

refused 1 'has no resources of a type "MACHIN"; the nearest is "MACHINE"' series --at MACHIN \
    trace.db
refused 1 'nothing that can be shown is called "PMPI_Wat"; the nearest is "PMPI_Wait"' series \
    --only PMPI_Wat trace.db
refused 1 'has no states of a type "Other", expected "MPI_STATE"' series --state-type Other trace.db
refused 1 'has no resource "nancy/griffin"; the nearest is "nancy/griffon"' series \
    --resource nancy/griffin trace.db
refused 1 'has no variables to take the sum, mean, min or max of, but states; expected count' \
    series --reduce mean trace.db
refused 1 'has no states whose resources could be counted, but variables; expected sum' series \
    --reduce count sums.db
refused 1 "--only 'PMPI_Send' leaves nothing to show" series --only PMPI_Send trace.db
refused 1 'and the trace goes from' series --from 2s trace.db
refused 2 '--reduce is "medium", expected count, sum, mean, min or max' series --reduce medium \
    trace.db
refused 2 '--reduce count is of states, and --variable is given' series --reduce count \
    --variable power trace.db
refused 2 '--state-type is of states, and --reduce sum of variables' series --state-type S \
    --reduce sum trace.db
refused 2 '--nesting is of states, and --reduce sum of variables' series --nesting inclusive \
    --variable power trace.db
refused 2 '--json and -o x.csv exclude each other' series --json trace.db -o x.csv
refused 2 'unknown option --aat; the nearest is --at' series --aat CLUSTER trace.db
refused 2 'no TRACE given; see ocelotl-cli series --help' series
refused 1 'is the trace itself, expected another file to write' series trace.db -o trace.db
refused 1 'nowhere/x.db: cannot write' series trace.db -o nowhere/x.db
[ ! -e x.csv ] || fail "something was written"

# The unit of an event type that does not exist.
cp derived.db odd.db
sqlite3 odd.db "INSERT INTO meta VALUES('unit.9', 'x')"
refused 1 'odd.db: is damaged: the table meta does not hold what was written' info odd.db
