# --expand draws a node and a range of time of a partition alone; and the views of the
# spatiotemporal partition.
need xmllint

mkdir home && cd home
unpack "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst" >stencil.trace
cli import stencil.trace -o trace.db >/dev/null
titles() { xmllint \
    --xpath '//*[local-name()="g" and @class="parts"]//*[local-name()="title"]/text()' "$1"; }

# Of the whole, parts of graphite are too low to be drawn on their own; expanded, none is.
cli --p 0.05 --slices 60 trace.db -o whole.svg
titles whole.svg >titles
has titles 'parts, other cuts in time (B)'
has whole.svg 'small parts are drawn as '
cli --p 0.05 --slices 60 --expand nancy/graphite,100ms,0.2 trace.db -o part.svg
lacks part.svg 'small parts, '
titles part.svg >titles
like titles '^nancy/graphite/'
grep -qE 'griffon|graphene' titles && fail "others are in the picture of graphite"
has part.svg 'only nancy/graphite, slices 15'

# The parts are those of the whole: each that the JSON has in the range is drawn, as far as it
# reaches into it.
cli --p 0.05 --slices 60 --json trace.db | sed 's/},{/},\n{/g' |
    grep -c '"node":"nancy/graphite/' >count
[ "$(cat count)" -gt 0 ] || fail "graphite is not cut"
cli --p 0.05 --slices 60 --expand nancy/graphite trace.db -o all.svg --height 1500
same "parts below graphite" "$(cat count)" "$(titles all.svg | grep -c '^nancy/graphite/')"

refused 1 'no resource "nancy/grafite" to expand; the nearest is "nancy/graphite"' \
    --expand nancy/grafite trace.db -o x.svg
refused 1 'no resource "nancy/graphite/nothing" to expand that is not merged into a leaf; the nearest is' --max-leaves 4 \
    --expand nancy/graphite/nothing trace.db -o x.svg
refused 1 'ends at 0.1, which is not after its begin, 0.2' --expand nancy,0.2,0.1 trace.db -o x.svg
refused 1 'ends at 0, which is not after its begin, 0' --expand nancy,0,0 trace.db -o x.svg
refused 1 'expected a range within' --expand nancy,5,6 trace.db -o x.svg
refused 2 'expand is "1x"' --expand nancy,1,1x trace.db -o x.svg
refused 2 'cannot be expanded, expected a spatiotemporal one' --kind temporal --expand nancy \
    trace.db -o x.svg
[ ! -e x.svg ] || fail "a picture was written after an error"

# Slices of a matrix, and a name with commas.
printf 'path,type,slice,value\n"m/a,1",x,0,1\n"m/a,1",x,1,9\n"m/a,1",x,2,0\n"m/b",x,3,2\n' >m.csv
cli --p 0 --expand 'm/a,1,1,3' m.csv -o m.svg
like m.svg 'only m/a,1, slices 1.*2'
refused 1 'no resource "m/a" to expand; the nearest is "m/b"' --expand 'm/a' m.csv -o x.svg

# Views of one partition have the same parts, where all are high enough to be drawn.
for view in mode partition amplitude; do
    cli --p 0.4 --slices 60 --height 2400 --view "$view" trace.db -o "$view.svg"
    xmllint --noout "$view.svg"
    titles "$view.svg" | sort >"$view.txt"
done
cmp mode.txt partition.txt
cmp mode.txt amplitude.txt
