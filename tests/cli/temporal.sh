# Temporal pictures: their views, the options that imply them, and the strip of the whole above a
# window.
need xmllint

mkdir home && cd home
unpack "$sample" >stencil.trace
cli import stencil.trace -o trace.db >/dev/null

well_formed() { xmllint --noout "$1" 2>xml.err || fail "$1: $(head -3 xml.err)"; }

# said KEY FILE: what the metadata of a picture says.
said() { xmllint --xpath "string(//*[local-name()='$1'])" "$2"; }

# drawn WHAT KIND VIEW ARGUMENT...: these arguments draw a picture of that kind and view.
drawn() {
    local what=$1 kind=$2 view=$3
    shift 3
    cli "$@" -o drawn.svg 2>drawn.err || fail "$what: $(cat drawn.err)"
    well_formed drawn.svg
    same "$what" "$kind $view" "$(said kind drawn.svg) $(said view drawn.svg)"
}

# Every view of every trace here, in every format and theme.
views=$(cli --help views |
    awk '/^Views/ { on = 1; next } on && NF == 0 { exit } on { print $1 ":" $2 }')
[ "$(echo "$views" | grep -c '^temporal:')" -ge 4 ] || fail "temporal views: $views"
for trace in trace.db "$OCELOTL_ROOT"/tests/data/*.trace.zst; do
    cli import "$trace" -o each.db 2>/dev/null >/dev/null || cp "$trace" each.db
    for view in $views; do
        drawn "$view of $trace" "${view%:*}" "${view#*:}" --kind "${view%:*}" --view "${view#*:}" \
            --slices 60 each.db
        has drawn.svg 'viewBox'
        cli --kind "${view%:*}" --view "${view#*:}" --slices 60 --theme dark --width 320 \
            --height 320 each.db -o each.png || fail "$view of $trace, small and dark"
    done
done
if command -v rsvg-convert >/dev/null; then
    for view in stacked histogram partition mode; do
        cli --kind temporal --view $view --slices 60 trace.db -o each.svg
        rsvg-convert each.svg -o each.png || fail "rsvg-convert does not draw $view"
    done
fi

# Of the whole in one part, what the columns say is what pj_dump adds up: the states' time over that
# of all ranks.
if command -v pj_dump >/dev/null; then
    cli --kind temporal --p 1 trace.db --smallest 1 -o whole.svg
    pj_dump stencil.trace >whole.csv 2>/dev/null
    for type in PMPI_Allreduce PMPI_Bcast PMPI_Wait PMPI_Barrier; do
        wanted=$(awk -F', *' -v type=$type '
            $1 == "Container" && $5 > end { end = $5 }
            $1 == "State" { ranks[$2]; time += $8 == type ? $6 : 0 }
            END { printf "%.3f", 100 * time / end / length(ranks) }' whole.csv)
        got=$(grep -o ">$type [0-9.]* %\$" whole.svg | sed 's/[^0-9.]*\([0-9.]*\) %/\1/' | head -1)
        near "$type in the whole" "$wanted" "$got" 0.02
    done
fi

# Every command is spatiotemporal for any model, unless an option names another kind, or a view of
# another kind.
matrix() {
    echo path,type,slice,value
    seq "$1" | awk \
        '{ for (t = 0; t < 8; t++) print "r" $1 ",x," t "," (t < 4 ? 1 : 3); print "r" $1 ",y,0,1" }'
}
matrix 1 >one.csv
matrix 33 >many.csv
drawn "a hierarchy" spatiotemporal mode trace.db --slices 60
drawn "one resource" spatiotemporal mode one.csv
drawn "a flat many" spatiotemporal mode many.csv
drawn "a flat many over time" temporal stacked --kind temporal many.csv
has drawn.svg 'resources of a part need not resemble one another'
drawn "one resource with --view" spatiotemporal mode --view mode one.csv
drawn "one resource with --level" spatiotemporal mode --level 1 one.csv
drawn "a view alone" temporal stacked --view stacked --slices 60 trace.db
drawn "a type alone" temporal histogram --type PMPI_Wait --slices 60 trace.db
same "the type in the metadata" PMPI_Wait "$(said type drawn.svg)"
same "the kind of JSON" spatiotemporal \
    "$(cli --json one.csv | sed -n 's/^{"kind":"\([a-z]*\)".*/\1/p')"
same "the kind of a sweep" spatiotemporal \
    "$(cli sweep --json one.csv | sed -n 's/^{"kind":"\([a-z]*\)".*/\1/p')"
same "the kind of --view in JSON" temporal \
    "$(cli --view stacked --json one.csv | sed -n 's/^{"kind":"\([a-z]*\)".*/\1/p')"

# Answers of a kind are not taken for those of another.
first=$(cli --kind temporal --slices 30 --json trace.db | head -1)
cli --slices 30 --json trace.db >/dev/null
same "an answer found again" "$first" "$(cli --kind temporal --slices 30 --json trace.db | head -1)"

# One slice of 3000 that differs is not lost in 600 pixels, though it has none of its own.
{
    echo path,type,slice,value
    seq 0 2999 | awk '{ print "r,x," $1 "," ($1 == 1500 ? 50 : 1) }'
} >spike.csv
same "the parts of a spike" 3 \
    "$(cli --kind temporal --p 0.1 --json spike.csv | tr -cd '\n' | wc -c | awk '{ print $1 - 1 }')"
for view in stacked histogram partition; do
    cli --view $view --kind temporal --p 0.1 --width 640 spike.csv -o spike.svg
    like spike.svg '^slice 1500$'
done

# A window has the whole above it, and only a window.
cli --from 0.05s --to 0.15s --slices 60 trace.db -o window.svg
well_formed window.svg
has window.svg 'whole trace'
cli --slices 60 trace.db -o all.svg
cli --from 0.05s --metric event-count --kind temporal --slices 60 trace.db -o counts.svg
has counts.svg 'whole trace' 'sum over resources, per slice'
if grep -q '>[0-9]* %</text>' counts.svg; then fail "percents of counts"; fi
if grep -q 'whole trace' all.svg; then fail "the whole above the whole"; fi

refused 1 'has no type "PMPI_Wiat"; the nearest is "PMPI_Wait"' --type PMPI_Wiat trace.db
refused 2 'a temporal partition has no view "stakced", expected one of stacked, histogram, partition, mode' \
    --kind temporal --view stakced trace.db
refused 2 '--type is of a histogram, which is --kind temporal' --kind spatiotemporal \
    --type PMPI_Wait trace.db
refused 2 'expected one of mode, partition, amplitude; stacked is of a temporal one' --view stackd \
    trace.db
refused 2 'has no view "stacked"' --kind spatial --view stacked trace.db
no_rest temporal
