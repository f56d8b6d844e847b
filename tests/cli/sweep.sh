# Levels: their order, their p, and published ones.
need jq

example

# Between p_from and p_to, each level's p; one level ends where the next begins; gains and losses
# rise.
check_order() {
    holds "$1: the order of levels" levels.json \
        '.levels | length > 0 and .[0].p_from == 0 and .[-1].p_to == 1 and
        .[0].p_raw_from == 0 and .[-1].p_raw_to == 1 and .[-1].parts == 1 and
        all(.p_from < .p and .p < .p_to and .p_raw_from < .p_raw_to and .gain >= 0 and
        .loss >= 0 and .parts >= 1) and
        ([.[:-1], .[1:]] | transpose | all(.[0].p_to == .[1].p_from and
        .[0].p_raw_to == .[1].p_raw_from and
            .[0].gain < .[1].gain and .[0].loss < .[1].loss))'
}

# check_selection INPUT INDICES OPTION...: the p of these levels and their numbers give partitions
# with the same gain, loss and size.
check_selection() {
    local input=$1 indices=$2 index p level
    shift 2
    for index in $indices; do
        level=$(jq -c ".levels[$index] | select(. != null)" levels.json)
        [ -n "$level" ] || continue
        p=$(jq .p <<<"$level")
        cli --p "$p" --json "$@" "$input" >selected.json
        holds "$input: level $index by its p = $p" selected.json \
            '(.parts | length) == $level.parts and
            ((.gain - $level.gain) / (1e-9 + $level.gain) | fabs) < 1e-9 and
            ((.loss - $level.loss) / (1e-9 + $level.loss) | fabs) < 1e-9' --argjson level "$level"
    done
}

# The table says what the JSON says.
check_table() {
    same "$1: the table" "$(jq -r '.levels[] | . as $value | {value: $value} |
        "\(.value.level // "-") \(.value.p) \(.value.parts)" +
        (if .value.plateau then " \(.value.plateau)" else "" end)
        + (if .value.auto then " auto" else "" end)' levels.json)" \
        "$(sed 's/[<>] //g; s/ %//g' table.txt |
        awk '($1 + 0 > 0 || $1 == "-") && NF >= 7 && NF <= 9 { $2 += 0; $3 = $4 = $6 = $7 = "";
        gsub(/ +/, " "); print }' | sed 's/ $//')"
}

check_trace() {
    cli sweep --slices 60 --json trace.db >levels.json
    cli sweep --slices 60 trace.db >table.txt
    check_order "60 slices"
    check_selection trace.db "0 1 5 12 18 24 -2 -1" --slices 60
    holds "about thirty, and what is left out" levels.json \
        '(.levels | length) >= 25 and (.levels | length) <= 35 and
        .complete == false and .untested > 0 and .largest_gap > 0 and .largest_gap < 0.01 and
        .kind == "spatiotemporal"'
    check_table "60 slices"
    has table.txt '--all lists every level'
    # By number, as the sweep counts.
    cli --level 3 --slices 60 --json trace.db >third.json
    same "--level 3" "$(jq '.levels[2].parts' levels.json)" "$(jq '.parts | length' third.json)"
    cli sweep --slices 60 trace.db -o levels.txt
    cmp -s table.txt levels.txt || fail "sweep -o writes another table"
    cli sweep --slices 60 trace.db -o written.json
    cmp -s levels.json written.json || fail "sweep -o X.json is not what --json prints"
}

# Few enough slices for every level.
check_all() {
    local kind
    for kind in spatiotemporal temporal spatial; do
        cli sweep --all --slices 12 --kind $kind --json trace.db >levels.json
        cli sweep --all --slices 12 --kind $kind trace.db >table.txt
        holds "--all is all" levels.json \
            '.complete and .untested == 0 and .largest_gap == 0 and .kind == $kind' --arg kind $kind
        check_order "--all --kind $kind"
        check_selection trace.db "0 1 2 3 -3 -1" --slices 12 --kind $kind
        check_table "--all --kind $kind"
        grep -qx 'These are all levels\.' table.txt ||
            fail "--all --kind $kind: the table does not say so"
    done
}

# matrix NAME "TYPE VALUE..."...: a model of leaves given one after the other; a leaf begins with
# the type "a".
matrix() {
    local name=$1
    shift
    printf '%s\n' "$@" | awk 'BEGIN { print "path,type,slice,value" }
        $1 == "a" { leaf++ }
        { for (i = 2; i <= NF; i++) printf "leaf%d,%s,%d,%s\n", leaf, $1, i - 2, $i }' >"$name.csv"
}

# The published examples: figures 5.6, 5.7 and 5.10 of D. Dosimont's thesis (2015). Where levels
# begin, on the scale of raw p, was computed from the definitions with 60 digits; the p printed in
# the thesis are the first points of its grid after these.
matrix thesis-5.6 "a 23 25 22 30 55 21 26 35 19 30"
matrix thesis-5.7 "a 23 25 22 30 55 21 26 35 19 30" "a 75 72 71 69 92 73 75 35 70 71"
matrix thesis-5.10 "a 23 25 22 30 55 21 26 35 19 30" "b 12 11 11 12 0 12 11 13 14 11" \
    "c 0 0 5 6 8 12 6 5 0 6" "a 75 72 71 69 92 73 75 68 70 71" "b 10 10 10 12 11 15 25 12 13 15" \
    "c 0 0 10 12 15 13 18 20 0 10"

# published NAME [[BEGINNING, PARTS]...]
published() {
    cli sweep --all --kind temporal --json "$1.csv" >levels.json
    holds "$1: its levels" levels.json '.complete and (.levels | length) == ($expected | length) and
        ([.levels, $expected] | transpose | all(.[0].parts == .[1][1] and
            (.[0].p_raw_from - .[1][0] | . < 1e-12 and . > -1e-12)))' --argjson expected "$2"
    check_order "$1"
    check_selection "$1.csv" "0 1 2 3 4 5 6 7" --kind temporal
}
published thesis-5.6 \
    '[[0, 10], [0.001252702063831599, 9], [0.0013226843677364916, 8], [0.008179202578157569, 7],
    [0.010370665962663384, 6], [0.01672841430936236, 3], [0.03569075956047163, 1]]'
published thesis-5.7 \
    '[[0, 10], [0.0005018497187566805, 8], [0.002071379453954675, 7], [0.0032305282922158356, 6],
    [0.009482496025203499, 5], [0.018161197019487818, 3], [0.01842405673122875, 1]]'
published thesis-5.10 \
    '[[0, 10], [0.0005700408550787997, 9], [0.004709888734408642, 8], [0.014048493249828303, 7],
    [0.01445311078287543, 6], [0.027998793914191866, 4], [0.029660919355847106, 2],
    [0.053895138688476306, 1]]'

# published_at NAME RAW_P PARTS
published_at() {
    cli --kind temporal --p-raw "$2" --json "$1.csv" >at.json
    holds "$1 at raw p $2" at.json '(.parts | length) == $parts and .p_raw == $p' --argjson parts \
        "$3" --argjson p "$2"
}
published_at thesis-5.6 0.00823975 7
published_at thesis-5.6 0.0167847 3
published_at thesis-5.6 0.0357056 1
published_at thesis-5.7 0.00952148 5
published_at thesis-5.7 0.0181885 3
published_at thesis-5.10 0.0280151 4

check_trace
check_all

# Nothing to lose: one level.
printf 'path,type,slice,value\na,x,0,1\na,x,1,1\nb,x,0,1\nb,x,1,1\n' >even.csv
cli sweep --json even.csv >levels.json
check_order "a homogeneous model"
holds "a homogeneous model has one level" levels.json '(.levels | length) == 1 and .complete'
# The whole gains nothing more: it is the level at p = 1 alone.
matrix alone "a 1 0" "a 0 0"
cli sweep --all --json alone.csv >levels.json
cli parts --p 1 --json alone.csv >parts.json
holds "the whole is among all levels" levels.json '.complete and (.levels | length) == 2 and
    (.levels[1] | .level == null and .p == 1 and .p_from == 1 and .p_to == 1 and
    [.parts, .gain, .loss] == [($parts[0].parts | length), $parts[0].gain, $parts[0].loss])' \
    --slurpfile parts parts.json
# A level has one number, with --all and without, which --level takes.
example numbers.db
cli sweep --slices 20 --json numbers.db >listed.json
cli sweep --slices 20 --all --json numbers.db >all.json
holds "numbers of listed levels" listed.json \
    '[.levels[].level] == [range(1; (.levels | length) + 1)]'
holds "more with --all" all.json '[.levels[] | select(.level == null)] != []'
same "the same levels" "$(jq -c '.levels[] | [.level, .p, .parts]' listed.json)" \
    "$(jq -c '.levels[] | select(.level != null) | [.level, .p, .parts]' all.json)"
number=$(jq '.levels[] | select(.auto) | .level' all.json)
same "the level that is shown" "$(cli --slices 20 --json numbers.db)" \
    "$(cli --slices 20 --level "$number" --json numbers.db)"
same "numbers in the table" "$(jq -r '.levels[] | .level // "-"' all.json)" \
    "$(cli sweep --slices 20 --all numbers.db | sed 's/[<>] //g; s/ %//g' |
    awk '($1 + 0 > 0 || $1 == "-") && NF >= 7 && NF <= 9 { print $1 }')"
