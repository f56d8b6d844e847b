# Filters, against sums over the output of pj_dump: their events become untraced time, and nothing
# else changes.
need jq pj_dump

example
unpack "$sample" >it.trace
pj_dump -l 9 it.trace | grep '^State, [^,]*, MPI_STATE' | tr -d ' ' >states.csv

# Of one slice and one part, shares are seconds over the length of the trace and the number of
# ranks.
length=0.289213
shares() { cli --slices 1 --p 1 --json "$@" trace.db >got.json || fail "$*"; }

# check WHAT AWK_CONDITION ARGUMENT...: of the states ($6 the duration, $8 the value) that satisfy
# the condition.
check() {
    local what=$1 condition=$2 total
    shift 2
    shares "$@"
    total=$(awk -F , "$condition"' { s += $6 } END { printf "%.9f", s / '$length' / 96 }' \
        states.csv)
    near "$what" "$total" \
        "$(jq '[.parts[0].shares | to_entries[] | select(.key != "(no state)") | .value] |
        add // 0' got.json)" 1e-6
    holds "$what: untraced" got.json '.parts[0].shares | (add - 1 | fabs) < 1e-9'
}
check all '1'
check "a name" '$8 == "PMPI_Wait"' --only PMPI_Wait
check "two names" '$8 == "PMPI_Wait" || $8 == "PMPI_Bcast"' --only PMPI_Wait --only PMPI_Bcast
check "a glob" '$8 ~ /^PMPI_B/' --only 'PMPI_B*'
check "except" '$8 != "PMPI_Allreduce"' --except PMPI_Allreduce
check "only, except" '$8 ~ /^PMPI_B/ && $8 != "PMPI_Bcast"' --only 'PMPI_B*' --except '*ast'
check "a type" '1' --only MPI_STATE
check "at least" '$6 >= 0.0009995' --min-duration 1ms
check "at most" '$6 <= 0.0020005' --max-duration 2ms
check "between, a name" '$6 >= 0.0009995 && $6 <= 0.0020005 && $8 == "PMPI_Wait"' \
    --min-duration 1000us --max-duration 0.002 --only PMPI_Wait
check "inclusive" '$8 != "PMPI_Allreduce"' --except PMPI_Allreduce --nesting inclusive
shares --only PMPI_Wait --untraced ignore
holds "ignored" got.json '.parts[0].shares | keys == ["PMPI_Wait"]'

# Resources.
leaves() { cli --slices 1 --p 1 --json "${@:2}" trace.db >got.json &&
    same "leaves of ${*:2}" "$1" "$(jq '.parts[0].leaves' got.json)"; }
leaves 60 --only-resources nancy/griffon
leaves 36 --except-resources nancy/griffon
leaves 20 --only-resources '*griffon-sw2'
leaves 40 --resource nancy/griffon --except-resources '*sw2'
leaves 32 --only-resources '*graphite' --only-resources '*griffon-sw2'

refused 1 'nothing that can be shown is called "PMPI_Wiat"; the nearest is "PMPI_Wait"' \
    --only PMPI_Wiat trace.db
refused 1 'the nearest is "MPI_STATE"' sweep --except MPI_STAT trace.db
refused 1 'has no resource "nancy/x*"; the nearest is "nancy"' --only-resources 'nancy/x*' trace.db
refused 1 "--except-resources 'nancy' leaves nothing to show" --except-resources nancy trace.db
refused 2 '--min-duration is "-1", expected a length of time' --min-duration -1 trace.db
refused 2 '--max-duration is "50%", expected a length of time' --max-duration 50% trace.db
refused 1 '--min-duration 2ms and --max-duration 1ms leave no duration' --min-duration 2ms \
    --max-duration 1ms trace.db

# States that are shown by name form the nesting, in the model, in stats and in series.
printf '%s\n' resource,type,value,begin,end r,S,step1,0,4 r,S,compute,0,3 r,S,step2,4,9 \
    r,S,wait,4,9 r,S,copy,5,6 >steps.csv
cli import steps.csv -o steps.db >/dev/null 2>&1
for only in 'step1 4 step2 5' 'step1 1 compute 3' 'wait 5 step1 4'; do
    read -r one time other more <<<"$only"
    cli --slices 1 --p 1 --only "$one" --only "$other" --json steps.db >got.json
    cli stats --json --only "$one" --only "$other" steps.db >totals.json
    cli series --only "$one" --only "$other" --resource r --csv steps.db >series.csv 2>/dev/null
    holds "$only: the model" got.json '.parts[0].shares as $s | ($s[$one] * 9 - $time | fabs) < 1e-9
        and ($s[$other] * 9 - $more | fabs) < 1e-9' --arg one "$one" --arg other "$other" \
        --argjson time "$time" --argjson more "$more"
    holds "$only: stats" totals.json '.innermost_of == "shown" and ([.types[0].values[] |
        {(.name): .innermost}] | add | .[$one] == $time and .[$other] == $more)' \
        --arg one "$one" --arg other "$other" --argjson time "$time" --argjson more "$more"
    same "$only: series" "$time $more" "$(awk -F , -v one="$one" -v other="$other" '
        $2 == one || $2 == other { sum[$2] += last[$2] * ($3 - at[$2]); at[$2] = $3; last[$2] = $4 }
        END { for (name in last) sum[name] += last[name] * (9 - at[name])
            print sum[one], sum[other] }' series.csv)"
done
