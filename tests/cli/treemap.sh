# Treemaps of the optimal partition and of a level of the hierarchy; and refused requests.
need xmllint jq

mkdir home && cd home
unpack "$sample" >"stencil.trace"
cli import stencil.trace -o trace.db >/dev/null
metadata() { xmllint --xpath "string(//*[local-name()='$2'])" "$1"; }

same "the default output" "stencil-treemap.svg" "$(cli treemap trace.db)"
xmllint --noout stencil-treemap.svg || fail "stencil-treemap.svg is not well-formed"
same "its view" treemap "$(metadata stencil-treemap.svg view)"
same "its kind" spatial "$(metadata stencil-treemap.svg kind)"
same "what -o prints" "" "$(cli treemap --p 0.3 trace.db -o t.png 2>&1)"
cmp -s <(head -c 4 t.png) <(printf '\211PNG') || fail "t.png is no PNG"

# Its parts are those of the overview of the spatial kind, a tooltip each, and the view is that
# kind's default.
cli --kind spatial --p 0.3 --json trace.db >parts.json
cli treemap --p 0.3 trace.db -o t.svg
same "the parts" "$(jq '.parts | length' parts.json)" "$(metadata t.svg parts)"
same "tooltips of parts" "$(jq '.parts | length' parts.json)" "$(grep -c ' bits, loss ' t.svg)"
cli --kind spatial --p 0.3 trace.db -o default.svg
same "the default view" treemap "$(metadata default.svg view)"
cli --kind spatial --view mode --p 0.3 trace.db -o mode.svg
same "the other view" mode "$(metadata mode.svg view)"

# A level has a part for each resource of its type; also the whole, and every leaf.
cli treemap --at CLUSTER trace.db -o cluster.svg
same "parts of --at CLUSTER" 3 "$(metadata cluster.svg parts)"
same "the level" "nodes of type CLUSTER" "$(metadata cluster.svg level)"
# Siblings read from left to right and from top to bottom, whatever their sizes are.
for area in leaves PMPI_Wait; do
    cli treemap --hierarchy trace --at CLUSTER --area $area --width 1000 trace.db -o order.svg
    sed -n 's/.*<text x="\([0-9.]*\)" y="\([0-9.]*\)".*>\(gr[a-z]*\)\( .*\)*<.*/\2 \1 \3/p' \
        order.svg | sort -n -k 1,1 -k 2,2 >order.txt
    same "the order of clusters by $area" "graphene graphite griffon" \
        "$(cut -d ' ' -f 3 order.txt | tr '\n' ' ' | sed 's/ $//')"
done
cli treemap --depth 0 trace.db -o whole.svg
same "parts of --depth 0" 1 "$(metadata whole.svg parts)"
near "the gain of --depth 0" "$(metadata whole.svg whole_gain)" "$(metadata whole.svg gain)" 1e-12
cli treemap --at MPI trace.db -o ranks.svg
same "parts of --at MPI" 96 "$(metadata ranks.svg parts)"
same "the gain of leaves" 0 "$(metadata ranks.svg gain)"
# At p = 0.7 the clusters are the best without groups, so that their level measures the same.
cli treemap --hierarchy trace --p 0.7 trace.db -o best.svg
same "clusters are best at 0.7" 3 "$(metadata best.svg parts)"
near "the gain of clusters" "$(metadata best.svg gain)" "$(metadata cluster.svg gain)" 1e-12
near "the loss of clusters" "$(metadata best.svg loss)" "$(metadata cluster.svg loss)" 1e-12

# Areas of other things than leaves.
cli treemap --at CLUSTER --area PMPI_Wait trace.db -o wait.svg
has wait.svg 'area: time in PMPI_Wait'
cli treemap --area traced --theme dark --width 400 --height 320 trace.db -o traced.pdf

# The command of the metadata gives the picture again.
cp wait.svg first.svg
metadata wait.svg command |
    grep -qx 'ocelotl-cli treemap --at CLUSTER --area PMPI_Wait trace.db -o wait.svg' ||
    fail "the metadata: $(metadata wait.svg command)"

refused 1 'expected one of leaves, traced, (no state), PMPI_' treemap --area Wait trace.db -o x.svg
refused 1 'no resources of type "Machine", expected SITE, CLUSTER' treemap --at Machine trace.db \
    -o x.svg
refused 1 'no depth 9, expected 0 to' treemap --depth 9 trace.db -o x.svg
refused 2 '--at and --depth exclude each other' treemap --depth 1 --at MPI trace.db -o x.svg
refused 2 '--at and --p exclude each other' treemap --p 0.5 --at MPI trace.db -o x.svg
refused 2 '--depth and --parts exclude each other' treemap --parts 5 --depth 1 trace.db -o x.svg
refused 2 '--kind is not spatial' treemap --kind temporal trace.db -o x.svg
refused 2 'x.txt' treemap trace.db -o x.txt
refused 2 'no TRACE' treemap
[ ! -e x.svg ] || fail "a refused request left a picture"

# A matrix has no types of resources, but depths.
printf 'path,type,slice,value\na/b,x,0,1\na/c,x,0,3\nd,y,0,2\n' >m.csv
cli treemap --depth 1 m.csv -o m.svg
same "parts of a matrix" 2 "$(metadata m.svg parts)"
refused 1 'expected a depth, for its resources have no types' treemap --at a m.csv -o x.svg
# The partition as JSON, which is what is drawn.
cli treemap --depth 1 --json trace.db >got.json
if command -v jq >/dev/null; then
    same "parts of a depth" 'spatial null' "$(jq -r '"\(.kind) \(.p)"' got.json)"
    cli --kind spatial --p 0.4 --json trace.db >expected.json
    cli treemap --p 0.4 --json trace.db | cmp -s expected.json - ||
        fail "a treemap's JSON is not the overview's"
fi
