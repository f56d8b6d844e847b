# Captions: the duration, the number of resources, the simplification, and the meaning of shades.
need xmllint jq

example

# said FILE: the caption without the title, in one line.
said() {
    xmllint --xpath '//*[local-name()="g"][@class="caption"]/*[local-name()="text"][@font-size="12"]/text()' "$1" | tr '\n' ' '
}

# starts WHAT FILE PATTERN: the caption begins so (an extended regular expression), behind what
# stands out.
starts() {
    said "$2" | grep -qE "(^|\. )$3" || fail "$1: $(said "$2")"
}

# One number once, and the same that JSON has.
cli --slices 60 trace.db -o it.svg
cli --slices 60 --json trace.db >it.json
parts=$(jq '.parts | length' it.json)
loss=$(jq -r '100 * .loss / .whole_loss | . * 100 | round / 100' it.json 2>/dev/null ||
    echo '[0-9.]*')
starts "a whole trace" it.svg \
    "289(\.[0-9]+)? ms · 96 resources · $parts blocks stand for 5,760 cells; $loss % of the variation is inside them · p [0-9.]+ · 60 slices"
[ "$(said it.svg | grep -o '5,760' | wc -l)" -eq 1 ] || fail "a number twice: $(said it.svg)"
# It begins with the first sentence of explain; a plain picture has none.
sentence=$(cli explain --json trace.db | jq -r '.findings[0].text')
said it.svg | grep -qF "$sentence. 289" || fail "not \"$sentence\": $(said it.svg)"
has it.svg "explained>$sentence.<"
cli --slices 60 --plain trace.db -o plain.svg
lacks plain.svg "$sentence"
cli info trace.db >info.txt
has info.txt "explained: $sentence."
cli --slices 60 --p 0 trace.db -o zero.svg
starts "p 0" zero.svg \
    "[^·]* · 96 resources · [0-9,]+ blocks stand for 5,760 cells; none of the variation is inside them · p 0 "
cli --slices 60 --p 1 trace.db -o one.svg
starts "p 1" one.svg \
    "[^·]* · [^·]* · 1 block stands for 5,760 cells; 100 % of the variation is inside it"
cli --from 40% --to 60% --resource nancy/griffon --slices 20 trace.db -o window.svg
starts "a window" window.svg \
    "115[0-9.]* ms – 173[0-9.]* ms of 289(\.[0-9]+)? ms · [0-9]+ resources: nancy/griffon · "
cli treemap trace.db -o treemap.svg
starts "a treemap" treemap.svg "289(\.[0-9]+)? ms · 96 resources · [0-9]+ blocks stand for 96 cells; "
cli --kind temporal --slices 60 trace.db -o temporal.svg
starts "time alone" temporal.svg "289(\.[0-9]+)? ms · 96 resources · [0-9]+ blocks stand for 60 cells; "
printf 'path,type,slice,value\na/x,s,0,1\na/y,s,1,2\nb,s,1,1\n' >m.csv
cli m.csv --p 0 -o m.svg
starts "a matrix" m.svg "3 resources · [0-9]+ blocks?"

# Shades have numbers.
has it.svg '>shades: 100 % of the time, 60 %, 25 %<'
cli --slices 60 --metric event-count trace.db -o count.svg
like count.svg '>shades: [0-9.]+ events, [0-9.]+, [0-9.]+<'
largest=$(grep -oE 'shades: [0-9.]+' count.svg | grep -oE '[0-9.]+$')
cli --slices 60 --metric event-count --json trace.db >count.json
near "the largest of a part" "$(jq '[.parts[].shares[]] | max' count.json)" "$largest" 0.01
cli --slices 60 --metric state-mean-duration trace.db -o mean.svg
like mean.svg '>shades: ([0-9.e-]+ s, [0-9.e-]+, [0-9.e-]+|100 % of a type.*s largest value, 60 %, 25 %)<'
cli --slices 60 --view amplitude trace.db -o amplitude.svg
like amplitude.svg '>shades: [0-9.]+ % of the time, [0-9.]+ %, [0-9.]+ %<'

# Sixty-four ranks below one root, as most traces of MPI are: no column has room for their names,
# but the picture shows some of them, and their number.
flat() {
    paje_definitions SetState
    printf '0 R 0 rank\n1 S R state\n'
    for i in $(seq 0 63); do printf '2 0 r%d R 0 rank-%d\n' "$i" "$i"; done
    for i in $(seq 0 63); do printf '3 0 S r%d compute\n' "$i"; done
    printf '3 1 S r0 io\n'
    for i in $(seq 1 63); do printf '3 1.%02d S r%d wait\n' $((i % 8)) "$i"; done
    printf '3 3 S r0 compute\n'
}
flat >flat.trace
cli import flat.trace -o flat.db >/dev/null 2>&1
rows() { xmllint --xpath '//*[local-name()="g"][@class="rows"]//*[local-name()="text"]/text()' \
    "$1" 2>/dev/null; }
cli --kind spatiotemporal --slices 20 flat.db -o flat.svg
rows flat.svg | grep -q '64 resources' || fail "the number of rows is not said"
named=$(rows flat.svg | grep -c '^rank-' || true)
[ "$named" -ge 16 ] && [ "$named" -lt 64 ] || fail "$named of 64 rows are named"
rows flat.svg | grep -qx 'rank-0' || fail "rank-0 is not named"
cli --kind spatiotemporal --slices 20 --width 320 --height 320 flat.db -o small.svg
rows small.svg | grep -q '64 resources' || fail "the number of rows is not said in a small picture"
cli --kind spatiotemporal --slices 20 --height 1600 flat.db -o tall.svg
[ -z "$(rows tall.svg)" ] || fail "some rows are named beside a column that names all"
[ "$(grep -c '>rank-[0-9]*</text>' tall.svg)" -eq 64 ] ||
    fail "not all rows are named where they have room"
[ -z "$(rows it.svg)" ] || fail "rows are named beside the columns of a hierarchy"

# Rows are said to be reordered only where they are: of eight ranks, those that wait are like.
ranks() {
    paje_definitions SetState
    printf '0 R 0 rank\n1 S R state\n'
    for i in $(seq 0 7); do printf '2 0 r%d R 0 rank-%d\n' "$i" "$i"; done
    for i in $(seq 0 7); do printf '3 0 S r%d compute\n' "$i"; done
    for i in "$@"; do printf '3 1 S r%d wait\n' "$i"; done
    printf '3 3 S r0 compute\n'
}
ranks 4 5 6 7 >ranks.trace
cli --max-groups 2 ranks.trace -o it.svg
lacks it.svg reordered 'like siblings'
ranks 1 3 5 7 >ranks.trace
cli --max-groups 2 ranks.trace -o it.svg
has it.svg 'resources reordered: like ones together'
