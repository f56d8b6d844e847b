# Metrics, against sums over the output of pj_dump; and the errors for metrics that a trace cannot
# serve.
need jq pj_dump

example
unpack "$sample" >it.trace
pj_dump -l 9 it.trace | tr -d ' ' >dump.csv
grep '^State,[^,]*,MPI_STATE' dump.csv >states.csv # $4 begin, $5 end, $6 duration, $8 value
grep '^Link,[^,]*,MPI_LINK' dump.csv >links.csv    # $4 begin, $5 end, $8 source, $9 target
length=0.289213

# drawn METRIC ARGUMENT...: of one part
drawn() { cli --slices 1 --p 1 --json --metric "$@" trace.db >got.json || fail "$*"; }

for value in PMPI_Bcast PMPI_Wait PMPI_Allreduce PMPI_Gather PMPI_Send; do
    read -r mean low high count < \
        <(awk -F , -v v=$value '$8 == v { s += $6; n++; if (n == 1 || $6 < l) l = $6
        if ($6 > h) h = $6 } END { printf "%.12f %.12f %.12f %d\n", s / n, l, h, n }' states.csv)
    drawn state-mean-duration
    holds "mean of $value" got.json '.metric == "state-mean-duration" and .unit == "s" and
        (.parts[0].values[$v] - $x | fabs) < 1e-9' --arg v $value --argjson x "$mean"
    drawn state-min-duration
    holds "min of $value" got.json '(.parts[0].values[$v] - $x | fabs) < 1e-8' --arg v $value \
        --argjson x "$low"
    drawn state-max-duration
    holds "max of $value" got.json '(.parts[0].values[$v] - $x | fabs) < 1e-8' --arg v $value \
        --argjson x "$high"
    drawn event-count
    holds "count of $value" got.json \
        '(.parts[0].shares[$v] * 96 - $n | fabs) < 1e-6 and (.parts[0] | has("values") | not)' \
        --arg v $value --argjson n "$count"
    # A part of the time: the same for states that end in it, filtered by their length.
    read -r mean count < \
        <(awk -F , -v v=$value '$8 == v && $5 > 0.1000005 && $5 <= 0.2000005 && $6 >= 0.0000495 {
        s += $6; n++ } END { printf "%.12f %d\n", n ? s / n : 0, n }' states.csv)
    drawn state-mean-duration --from 0.1 --to 0.2 --min-duration 50us
    holds "mean of a part of $value" got.json '((.parts[0].values[$v] // 0) - $x | fabs) < 1e-9' \
        --arg v $value --argjson x "$mean"
done

links=$(wc -l <links.csv)
flight=$(awk -F , '{ s += $6 } END { printf "%.12f", s / '$length' / 96 }' links.csv)
drawn link-count
near "links" "$links" "$(jq '.parts[0].shares.PTP * 96' got.json)" 1e-9
drawn link-count-received
near "links received" "$links" "$(jq '.parts[0].shares.PTP * 96' got.json)" 1e-9
drawn link-ends
near "ends of links" "$((2 * links))" "$(jq '.parts[0].shares.PTP * 96' got.json)" 1e-9
drawn link-count-in-flight
near "links in flight" "$flight" "$(jq '.parts[0].shares.PTP' got.json)" 1e-6
near "links received in a window" \
    "$(awk -F , '$5 >= 0.0999995 && $5 < 0.1999995' links.csv | wc -l)" \
    "$(cli --slices 1 --p 1 --json --metric link-count-received --from 100ms --to 200ms trace.db |
        jq '.parts[0].shares.PTP * .parts[0].leaves')" 1e-9

# Variables, two of them with units of their own, one with values below 0.
{
    paje_events DefineContainerType DefineVariableType CreateContainer SetVariable DestroyContainer
    printf '0 H 0 host\n1 P H power\n1 T H temperature\n2 0 a H 0 a\n2 0 b H 0 b\n'
    printf '3 0 P a 100\n3 0 P b 200\n3 0 T a -10\n3 2 T a 20\n3 5 P a 300\n3 6 P a 50\n4 10 H a\n'
    printf '4 10 H b\n'
} >variables.trace
cli import variables.trace -o variables.db >/dev/null
values() { cli --slices 2 --p 0 --json "$@" variables.db >got.json || fail "$*"; }
values --only power
holds "mean" got.json '.metric == "variable-mean" and .unit == "" and .filters == "only power" and
    all(.parts[] | select(.node == "a"); .values.power == 100)'
holds "the second half" got.json \
    '[.parts[] | select(.node == "a" and .last == 1) | .values.power] == [100]'
values --only power --metric variable-max
holds "max" got.json '[.parts[] | select(.node == "a" and .last == 1) | .values.power] == [300]'
values --only power --metric variable-min
holds "min" got.json '[.parts[] | select(.node == "a" and .last == 1) | .values.power] == [50]'
refused 1 "are extremes, which a matrix cannot say" export --format matrix --only power \
    --metric variable-min --slices 2 variables.db
values --only temperature --shift
holds "shifted" got.json \
    '[.parts[] | select(.first == 0) | .values.temperature | select(. != null) - 8 | fabs < 1e-12] == [true]'
values --scale max --shift
holds "scaled" got.json \
    'any(.parts[]; .values.temperature == 20) and any(.parts[]; .values.power == 200)'

refused 2 'unknown metric "state-duraton"; the nearest is state-duration, expected' \
    --metric state-duraton trace.db
refused 1 'has no variable for the metric variable-mean, expected one of state-duration, state-mean-duration' \
    --metric variable-mean trace.db
refused 1 'has no state for the metric state-duration, expected one of event-count, variable-mean' \
    --metric state-duration variables.db
refused 1 'the variables are "power" in a unit that is not known, "temperature" in a unit that is not known, expected one unit; show those of one (--only), or each as a share of its largest value (--scale max)' \
    --metric variable-mean variables.db
refused 1 'the variable "temperature" has negative values, down to -10' --metric variable-mean \
    --only temperature variables.db
refused 1 'no link carries a size, bytes or length; they carry "Key"' --metric link-bytes trace.db
refused 1 'no link carries "Size"; they carry "Key"' --metric link-bytes --attribute Size trace.db
refused 1 'no "Key" that a link carries is a number, expected bytes' --metric link-bytes \
    --attribute Key trace.db
refused 1 'the metric state-duration has none, expected variable-mean' --shift trace.db
refused 1 'the metric link-count has none' --metric link-count --min-duration 1ms trace.db
refused 1 'has no type "PMPI_Wiat"; the nearest is "PMPI_Wait"' --metric state-mean-duration \
    --type PMPI_Wiat trace.db
refused 2 '--scale is "most", expected max' --scale most variables.db

# Pictures and sweeps of every metric.
for metric in state-mean-duration state-max-duration event-count link-count link-count-in-flight; do
    cli --metric $metric --slices 20 trace.db -o picture.svg || fail "no picture of $metric"
    cli sweep --metric $metric --slices 20 trace.db | grep -q auto || fail "no sweep of $metric"
done

# A part says its value in the unit of the metric: drawn as one, the mean of all that pj_dump lists,
# or the sum of it over leaves and slices.
cli --metric state-mean-duration --slices 20 --p 1 trace.db -o mean.svg
mean=$(cli --slices 20 --p 1 --json --metric state-mean-duration trace.db |
    jq '.parts[0].values.PMPI_Bcast')
grep -q "^PMPI_Bcast $(awk -v mean="$mean" 'BEGIN { printf "%.4g", 1000 * mean }') ms$" mean.svg ||
    fail "the mean $mean is not what is drawn"
cli --metric event-count --slices 20 --p 1 trace.db -o count.svg
count=$(cli --slices 20 --p 1 --json --metric event-count trace.db |
    jq '.parts[0].shares.PMPI_Irecv')
grep -q "^PMPI_Irecv $(printf %.4g "$count") events$" count.svg ||
    fail "the count $count is not what is drawn"
like count.svg '>shades: [0-9.]+ events, [0-9.]+, [0-9.]+<'
cli --metric event-count --slices 20 --p 1 --view amplitude trace.db -o count.svg
all=$(cli --slices 20 --p 1 --json --metric event-count trace.db | jq '[.parts[0].shares[]] | add')
grep -q ">shades: $(printf %.3g "$all") events, [0-9.]*, [0-9.]*<" count.svg ||
    fail "the largest sum $all is not in the legend of amplitudes"
cli --metric state-mean-duration --slices 20 --view amplitude trace.db -o mean.svg
has mean.svg '>shades: 100 % of the largest value, 60 %, 25 %<'

# What amplitudes of states are, and that they show hardly anything where resources are always in a
# state.
cli --view amplitude trace.db -o states.svg
like states.svg 'amplitude: share of lifetimes in any state, [0-9.]* %'
lacks states.svg 'parts look alike'
{
    paje_definitions PushState PopState
    printf '0 H 0 host\n1 S H state\n2 0 a H 0 a\n2 0 b H 0 b\n2 8 c H 0 c\n'
    printf '3 0 S a run\n3 0 S b run\n4 4 S a\n3 4.1 S a wait\n3 8 S c run\n4 10 S a\n4 10 S b\n'
    printf '4 10 S c\n'
} >full.trace
cli --view amplitude full.trace -o full.svg
has full.svg 'amplitude: share of lifetimes in any state, 99.55 %'
has full.svg 'parts look alike: (no state) is rare' 'see the view mode, or the metric event-count'

# A rate is the value by the length of a slice, in the same partition; of amounts alone.
for metric in event-count link-count; do
    cli --slices 30 --p 0.5 --json --metric $metric trace.db >amounts.json
    cli --slices 30 --p 0.5 --json --metric $metric --rate trace.db >got.json
    holds "rate of $metric" got.json '.unit == $before[0].unit + "/s" and
        ([.parts[] | del(.shares)] == [$before[0].parts[] | del(.shares)]) and
        ([., $before[0]] | map([.parts[].shares | to_entries[]]) | transpose |
            map(.[0].key == .[1].key and
                (.[0].value - .[1].value * 30 / $length | fabs) < 1e-9 * .[0].value) | all)' \
        --argjson length $length --slurpfile before amounts.json
done
cli --slices 30 --rate --metric link-count --from 0.1 --kind temporal trace.db -o rate.svg
grep -q 'links/s' rate.svg || fail "the unit of a rate"
cli --slices 2 --p 0 --rate --metric event-count trace.db -o rate.html
refused 1 "the metric state-duration has none" --rate trace.db -o rate.svg
refused 1 "the metric link-count-in-flight has none" --rate --metric link-count-in-flight trace.db
refused 1 "the metric variable-mean has none" --rate --only power variables.db
