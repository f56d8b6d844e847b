# --p auto:RULE: each rule, against its definition read off the list of all levels.
need jq

# The old program's rules over all levels, word for word; the number of parts of the level that
# each gives.
rules='.levels as $l | ($l[-1].gain // 0) as $g | ($l[-1].loss // 0) as $s |
    [range(0; ($l | length) - 1) | {i: .,
        gain: (($l[. + 1].gain - $l[.].gain) / $g | fabs),
        loss: (($l[. + 1].loss - $l[.].loss) / $s | fabs)}] as $steps |
    ($steps | max_by([.gain, .loss] | max).i) as $gap |
    ($steps | max_by(.gain - .loss | fabs).i) as $between |
    {gap: $l[$gap + 1], "gap-between-before": $l[$between], "gap-between-after": $l[$between + 1],
     coarsest: $l[-1], finest: $l[0]} | map_values(.parts)'

# check_rules WHAT INPUT OPTION...
check_rules() {
    local what=$1 input=$2 rule number
    shift 2
    cli sweep --all --json "$@" "$input" | jq "$rules" >expected.json
    for rule in gap gap-between-before gap-between-after coarsest finest; do
        cli --json --p "auto:$rule" "$@" "$input" >got.json
        same "$what: auto:$rule" "$(jq ".\"$rule\"" expected.json)" \
            "$(jq '.parts | length' got.json)"
        cli --json --p "auto:$rule" "$@" "$input" | cmp -s - got.json ||
            fail "$what: auto:$rule is another picture the second time"
    done
    cli --json "$@" "$input" >first.json
    cli --json --p auto:knee "$@" "$input" | cmp -s - first.json ||
        fail "$what: auto:knee is not the default"
    cli sweep --json "$@" "$input" >levels.json
    for number in $(jq '.levels[].plateau | select(.)' levels.json); do
        cli --json --p "auto:plateau:$number" "$@" "$input" >got.json
        same "$what: plateau $number" \
            "$(jq ".levels[] | select(.plateau == $number).parts" levels.json)" \
            "$(jq '.parts | length' got.json)"
    done
}

example
printf '%s\n' 23 25 22 30 55 21 26 35 19 30 | awk 'BEGIN { print "path,type,slice,value" }
    { printf "leaf,a,%d,%s\n", NR - 1, $1 }' >thesis.csv
check_rules "96 ranks" trace.db --slices 10
check_rules "96 ranks over time" trace.db --slices 60 --kind temporal
check_rules "96 ranks over resources" trace.db --slices 20 --kind spatial
check_rules "a published example" thesis.csv --kind temporal

# A part of a level that a rule chose, and the level of a rule in a part.
cli --json --p auto:gap-between-before --part 1 --slices 20 trace.db >part.json
p=$(cli --json --p auto:gap-between-before --slices 20 trace.db | jq .p)
cli --json --p "$p" --part 1 --p auto:gap-between-before --slices 20 trace.db >again.json
same "a part of the level of a rule" "$(jq -c .parts part.json)" "$(jq -c .parts again.json)"

# The command in a picture has the rule as it was typed.
cli --p auto:gap --slices 20 trace.db -o gap.svg
cli --again gap.svg -o again.svg
same "the command of a picture by a rule" 1 "$(grep -c 'ocelotl-cli --p auto:gap ' gap.svg)"
cmp -s <(grep -v '<command>' gap.svg) <(grep -v '<command>' again.svg) ||
    fail "a picture by a rule is another one again"

refused 2 "--p is auto:knees, expected auto:knee, coarsest, finest, plateau:N, gap," \
    --p auto:knees trace.db
refused 2 "--p is auto:plateau:0, expected a plateau from 1" --p auto:plateau:0 trace.db
refused 1 "plateau 99 is asked for, expected one from 1 to" --p auto:plateau:99 --slices 10 trace.db
refused 2 '--p is "autos", expected a number' --p autos trace.db
