# Many types: groups of them and the largest, against sums over what pj_dump prints.
need jq pj_dump

example
unpack "$sample" >it.trace
pj_dump -l 9 it.trace | grep '^State, [^,]*, MPI_STATE' | tr -d ' ' >states.csv

# Of one slice and one part, shares are seconds over the length of the trace and the number of
# ranks.
length=0.289213
seconds() { awk -F , "$1"' { s += $6 } END { printf "%.9f", s / '$length' / 96 }' states.csv; }
shares() { cli --slices 1 --p 1 --json "$@" trace.db >got.json || fail "$*"; }
share() { jq --arg name "$1" '.parts[0].shares[$name] // 0' got.json; }

shares --group-types '*ait*=together' --group-types 'PMPI_*=MPI'
near "a group" "$(seconds '$8 ~ /^PMPI_/ && $8 !~ /ait/')" "$(share MPI)" 1e-6
near "an earlier group" "$(seconds '$8 ~ /ait/')" "$(share together)" 1e-6
holds "all of it" got.json '.parts[0].shares | (add - 1 | fabs) < 1e-9'
holds "in words" got.json '.grouping | test("types? as together, [0-9]+ types as MPI$")'

# The two largest, as awk finds them.
awk -F , '{ s[$8] += $6 } END { for (v in s) printf "%.9f %s\n", s[v], v }' states.csv | sort -rn |
    grep -v '^0.0* ' >order
first=$(sed -n '1s/.* //p' order)
second=$(sed -n '2s/.* //p' order)
shares --most-types 2
same "the largest" "$(printf '%s\n' "$first" "$second" others '(no state)' | sort)" \
    "$(jq -r '.parts[0].shares | keys[]' got.json | sort)"
near others "$(seconds "\$8 != \"$first\" && \$8 != \"$second\"")" "$(share others)" 1e-6
shares --most-types 0
holds "all types" got.json \
    '.grouping == "" and (.parts[0].shares | length) == '"$(($(wc -l <order) + 1))"
cli --slices 20 --most-types 2 --width 1600 trace.db -o most.svg
has most.svg '2 largest types and'

# More than thirty types are too many to distinguish.
paje_definitions SetState >many.trace
awk 'BEGIN {
    t = 0
    print "0 T 0 thread\n1 S T doing\n2 0 a T 0 a"
    for (i = 1; i <= 1000; i++) { print "3", t, "S a f" i; t += i } print "3", t, "S a end" }' \
    >>many.trace
cli --plain --slices 10 --p 0 --json many.trace >got.json 2>/dev/null
holds "thirty" got.json '.grouping == "30 largest types and 970 others together"'
holds "the largest stay" got.json \
    '[.parts[].shares | keys[]] | unique | (index("f1000") and index("f971") and (index("f970") | not))'
cli --slices 10 --p 0 --json --most-types 0 many.trace >got.json 2>/dev/null
holds "all" got.json '[.parts[].shares | keys[]] | unique | length == 1000'

# a from 0 to 5, in it b from 1 to 4, in that c from 2 to 3.
{
    paje_definitions PushState PopState
    printf '0 T 0 thread\n1 S T doing\n2 0 r T 0 r\n'
    printf '3 0 S r a\n3 1 S r b\n3 2 S r c\n4 3 S r\n4 4 S r\n4 5 S r\n'
} >nested.trace
nested() { cli --slices 1 --p 1 --json "${@:2}" nested.trace 2>/dev/null |
    jq -c '.parts[0].shares' >got && same "${*:2}" "$1" "$(cat got)"; }
nested '{"a":0.4,"b":0.4,"c":0.2}' --nesting-depth 3
nested '{"a":0.4,"b":0.6}' --nesting-depth 2
nested '{"a":1}' --nesting-depth 1
nested '{"a":1,"b":0.6}' --nesting-depth 2 --nesting inclusive
nested '{"a":0.8,"c":0.2}' --nesting-depth 2 --except b
cli --nesting-depth 2 --width 1600 nested.trace -o nested.svg 2>/dev/null
has nested.svg 'outer 2 levels of nested states'
refused 2 '--nesting-depth is 0, expected at least 1' --nesting-depth 0 trace.db

# Answers that are kept are of the types as they are.
cli sweep --slices 10 trace.db >whole.txt
cli sweep --slices 10 --group-types '*=one' trace.db >one.txt
cmp -s whole.txt one.txt && fail "a sweep of one type is that of all"
cli sweep --slices 10 trace.db | cmp -s whole.txt - || fail "a kept answer"

refused 2 '--group-types is "PMPI_*", expected PATTERN=NAME' --group-types 'PMPI_*' trace.db
refused 1 'no type of the model is called "PMPI_Wiat"; the nearest is "PMPI_Wait"' \
    --group-types PMPI_Wiat=w trace.db
refused 2 '--most-types is "few", expected a whole number' --most-types few trace.db
printf 'path,type,slice,value\na,x,0,1\n' >matrix.csv
refused 1 '--most-types needs a trace' --most-types 3 matrix.csv
