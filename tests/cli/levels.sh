# Levels: their order, published ones, plateaus, and rules that choose one. Every p that the program
# prints gives the same partition when typed again; the first picture shows the known fault of a
# trace and invents none.
need jq

example
cli import "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst" -o plain.db >/dev/null
cli import "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst" -o large.db >/dev/null
printf 'path,type,slice,value\na,x,0,1\na,x,1,1\nb,x,0,1\nb,x,1,1\n' >even.csv
printf 'path,type,slice,value\na,x,0,1\na,x,1,2\nb,x,0,3\nb,x,1,1\n' >four.csv
# matrix NAME "TYPE VALUE..."...: a model of leaves given one after the other; a leaf begins with
# the type "a".
matrix() {
    printf '%s\n' "${@:2}" | awk 'BEGIN { print "path,type,slice,value" }
        $1 == "a" { leaf++ }
        { for (i = 2; i <= NF; i++) printf "leaf%d,%s,%d,%s\n", leaf, $1, i - 2, $i }' >"$1.csv"
}
matrix alone "a 1 0" "a 0 0"
# The published examples: figures 5.6, 5.7 and 5.10 of D. Dosimont's thesis (2015).
first="a 23 25 22 30 55 21 26 35 19 30"
matrix thesis-5.6 "$first"
matrix thesis-5.7 "$first" "a 75 72 71 69 92 73 75 35 70 71"
matrix thesis-5.10 "$first" "b 12 11 11 12 0 12 11 13 14 11" "c 0 0 5 6 8 12 6 5 0 6" \
    "a 75 72 71 69 92 73 75 68 70 71" "b 10 10 10 12 11 15 25 12 13 15" \
    "c 0 0 10 12 15 13 18 20 0 10"

# ordered WHAT: in levels.json each level has its p between p_from and p_to; one ends where the next
# begins; gains and losses rise.
ordered() {
    holds "$1: the order of levels" levels.json '.levels | length > 0 and
        .[0].p_from == 0 and .[-1].p_to == 1 and .[0].p_raw_from == 0 and .[-1].p_raw_to == 1 and
        .[-1].parts == 1 and all(.p_from < .p and .p < .p_to and .p_raw_from < .p_raw_to and
        .gain >= 0 and .loss >= 0 and .parts >= 1) and
        ([.[:-1], .[1:]] | transpose | all(.[0].p_to == .[1].p_from and
        .[0].p_raw_to == .[1].p_raw_from and .[0].gain < .[1].gain and .[0].loss < .[1].loss))'
}
# tabled WHAT: the table says what the JSON says.
numbered() {
    sed 's/[<>] //g; s/ %//g' "$1" | awk '($1 + 0 > 0 || $1 == "-") && NF >= 7 && NF <= 9'
}
tabled() {
    same "$1: the table" "$(jq -r '.levels[] | "\(.level // "-") \(.p) \(.parts)" +
        (if .plateau then " \(.plateau)" else "" end) + (if .auto then " auto" else "" end)' \
        levels.json)" "$(numbered table.txt |
        awk '{ $2 += 0; $3 = $4 = $6 = $7 = ""; gsub(/ +/, " "); sub(/ $/, ""); print }')"
}
# typed WHAT INPUT OPTION...: the p of the levels in levels.json (of many, some) give their
# partitions.
typed() {
    jq '.levels |= [.[range(0; length; length / 20 | ceil)]]' levels.json >some.json
    for p in $(jq '.levels[].p' some.json); do cli --p "$p" --json "${@:3}" "$2"; done >again.json
    holds "$1: the levels by their p" again.json -s 'def near($a; $b): ($a - $b) / (1e-9 + $b) |
        fabs < 1e-12; [., $some[0].levels] | (.[0] | length) == (.[1] | length) and (transpose |
        all((.[0].parts | length) == .[1].parts and near(.[0].gain; .[1].gain) and
            near(.[0].loss; .[1].loss)))' --slurpfile some some.json
}

# Where published levels begin, on the scale of raw p, was computed from the definitions with 60
# digits; the p printed in the thesis are the first points of its grid after these.
while IFS='|' read -r name expected at; do
    cli sweep --all --kind temporal --json "$name.csv" >levels.json
    holds "$name: its levels" levels.json '.complete and (.levels | length) == ($expected | length) and
        ([.levels, $expected] | transpose | all(.[0].parts == .[1][1] and
            (.[0].p_raw_from - .[1][0] | . < 1e-12 and . > -1e-12)))' --argjson expected "$expected"
    ordered "$name"
    typed "$name" "$name.csv" --kind temporal
    for pair in $at; do
        cli --kind temporal --p-raw "${pair%:*}" --json "$name.csv" >at.json
        holds "$name at $pair" at.json "(.parts | length) == ${pair#*:} and .p_raw == ${pair%:*}"
    done
done <<'END'
thesis-5.6|[[0, 10], [0.001252702063831599, 9], [0.0013226843677364916, 8], [0.008179202578157569, 7], [0.010370665962663384, 6], [0.01672841430936236, 3], [0.03569075956047163, 1]]|0.00823975:7 0.0167847:3 0.0357056:1
thesis-5.7|[[0, 10], [0.0005018497187566805, 8], [0.002071379453954675, 7], [0.0032305282922158356, 6], [0.009482496025203499, 5], [0.018161197019487818, 3], [0.01842405673122875, 1]]|0.00952148:5 0.0181885:3
thesis-5.10|[[0, 10], [0.0005700408550787997, 9], [0.004709888734408642, 8], [0.014048493249828303, 7], [0.01445311078287543, 6], [0.027998793914191866, 4], [0.029660919355847106, 2], [0.053895138688476306, 1]]|0.0280151:4
END

# Some levels, and all of them.
cli sweep --slices 60 --json trace.db >levels.json
cli sweep --slices 60 trace.db >table.txt
ordered "60 slices"
tabled "60 slices"
holds "about thirty, and what is left out" levels.json '(.levels | length) >= 25 and
    (.levels | length) <= 35 and .complete == false and .untested > 0 and .largest_gap > 0 and
    .largest_gap < 0.01 and .kind == "spatiotemporal"'
has table.txt '--all lists every level'
for kind in spatiotemporal temporal spatial; do
    cli sweep --all --slices 12 --kind $kind --json trace.db >levels.json
    cli sweep --all --slices 12 --kind $kind trace.db >table.txt
    holds "--all is all" levels.json \
        ".complete and .untested == 0 and .largest_gap == 0 and .kind == \"$kind\""
    ordered "--all --kind $kind"
    tabled "--all --kind $kind"
    typed "--all --kind $kind" trace.db --slices 12 --kind $kind
    like table.txt '^These are all levels\.$'
done
# Nothing to lose: one level. Where the whole gains nothing more it is the level at p = 1 alone.
cli sweep --json even.csv >levels.json
ordered "a homogeneous model"
holds "a homogeneous model has one level" levels.json '(.levels | length) == 1 and .complete'
cli sweep --all --json alone.csv >levels.json
cli parts --p 1 --json alone.csv >parts.json
holds "the whole is among all levels" levels.json '.complete and (.levels | length) == 2 and
    (.levels[1] | .level == null and .p == 1 and .p_from == 1 and .p_to == 1 and
    [.parts, .gain, .loss] == [($parts[0].parts | length), $parts[0].gain, $parts[0].loss])' \
    --slurpfile parts parts.json
# A level has one number, with --all and without, which --level takes.
cli sweep --slices 20 --json trace.db >listed.json
cli sweep --slices 20 --all --json trace.db >all.json
holds "numbers of listed levels" listed.json \
    '[.levels[].level] == [range(1; (.levels | length) + 1)]'
holds "more with --all" all.json '[.levels[] | select(.level == null)] != []'
same "the same levels" "$(jq -c '.levels[] | [.level, .p, .parts]' listed.json)" \
    "$(jq -c '.levels[] | select(.level != null) | [.level, .p, .parts]' all.json)"
same "the level that is shown" "$(cli --slices 20 --json trace.db)" "$(cli --slices 20 --level \
    "$(jq '.levels[] | select(.auto) | .level' all.json)" --json trace.db)"
cli sweep --slices 20 --all trace.db >table.txt
same "numbers in the table" "$(jq -r '.levels[] | .level // "-"' all.json)" \
    "$(numbered table.txt | awk '{ print $1 }')"

# Plateaus are numbered from the most aggregated, without holes, over all p; one level is the one to
# show first, and it is what is drawn without a p. Rules give the levels of their definitions: the
# old program's over all levels, word for word.
rules='.levels as $l | ($l[-1].gain // 0) as $g | ($l[-1].loss // 0) as $s |
    [range(0; ($l | length) - 1) | {i: .,
        gain: (($l[. + 1].gain - $l[.].gain) / $g | fabs),
        loss: (($l[. + 1].loss - $l[.].loss) / $s | fabs)}] as $steps |
    ($steps | max_by([.gain, .loss] | max).i) as $gap |
    ($steps | max_by(.gain - .loss | fabs).i) as $between |
    {gap: $l[$gap + 1], "gap-between-before": $l[$between], "gap-between-after": $l[$between + 1],
     coarsest: $l[-1], finest: $l[0]} | map_values(.parts) | to_entries[] | "\(.key) \(.value)"'
plateaus='[.levels[] | select(.plateau) | [.plateau, .plateau_from, .plateau_to, .parts, .auto]]'
while read -r input options; do
    what="$input $options"
    cli sweep --json $options $input >levels.json
    cli sweep --all --json $options $input >all.json
    cli --json $options $input >first.json
    holds "$what: plateaus" levels.json '[.levels[] | select(.plateau != null)] |
        length > 0 and length < 15 and [.[].plateau] == [range(length; 0; -1)] and
        .[0].plateau_from == 0 and .[-1].plateau_to == 1 and all(.plateau_from < .plateau_to) and
        ([.[:-1], .[1:]] | transpose | all(.[0].plateau_to == .[1].plateau_from))'
    holds "$what: what is shown first" levels.json '(.levels | length) as $all |
        [.levels[] | select(.auto)] | length == 1 and .[0].plateau != null and
        (.[0].parts > 1 or $all == 1) and .[0].parts <= 2000 and
        .[0].p == $first[0].p and .[0].parts == ($first[0].parts | length)' \
        --slurpfile first first.json
    same "$what: the plateaus with --all" "$(jq -c "$plateaus" levels.json)" \
        "$(jq -c "$plateaus" all.json)"
    typed "$what" $input $options
    cli --p auto --json $options $input | cmp -s - first.json || fail "$what: auto is no default"
    # The knee, unless it loses over a quarter and 100 parts lose less, or 150 parts will do.
    cli --p auto:knee --json $options $input >knee.json
    cli sweep --plain --json $options $input >plain.json
    same "$what: --plain is at the knee" "$(cli --plain --json $options $input | jq .p)" \
        "$(jq .p knee.json)"
    holds "$what: the knee is marked" plain.json '[.levels[] | select(.auto)] == [.levels[] |
        select(.p == $knee[0].p)] and length > 0' --slurpfile knee knee.json
    holds "$what: what is shown first loses" all.json "((.levels[-1].loss // 0) / 4)"' as $quarter |
        $knee[0] as $knee | $first[0] as $first | ($knee.parts | length) as $parts |
        [.levels[] | select(.parts <= 100)][0] as $few |
        [.levels[] | select(.parts <= 150)][0] as $many |
        if $parts > 150 and $many.loss <= $quarter then ($first.parts | length) == $many.parts
        elif $parts < $few.parts and $knee.loss > $quarter then
            $first.loss <= ([$quarter, $few.loss] | max)
        else $first.p == $knee.p end' --slurpfile first first.json --slurpfile knee knee.json
    while read -r rule parts; do
        cli --json --p "auto:$rule" $options $input >got.json
        same "$what: auto:$rule" "$parts" "$(jq '.parts | length' got.json)"
        cli --json --p "auto:$rule" $options $input | cmp -s - got.json ||
            fail "$what: auto:$rule is another picture the second time"
    done < <([ $input = even.csv ] || jq -r "$rules" all.json
        jq -r '.levels[] | select(.plateau) | "plateau:\(.plateau) \(.parts)"' levels.json)
done <<'END'
trace.db --slices 10
trace.db --slices 60 --kind temporal
trace.db --slices 20 --kind spatial
thesis-5.6.csv --kind temporal
even.csv
four.csv
END
for trace in "$shared"/pajeng-{native_sample,simu-mardi,native_paje}.trace; do
    [ -f "$trace" ] || continue
    quiet "$trace" -o other.db
    cli sweep --slices 30 --json other.db >levels.json
    typed "$trace" other.db --slices 30
done

# The p in the JSON, the p in the picture's caption, and the raw p, typed again.
partition() { jq -c '[.gain, .loss, (.parts | length)]'; }
for options in '' '--p-raw 0.1234567890123' '--p 0.3333333333333333' '--parts 3' '--parts 10' \
    '--parts 57' '--parts 300' '--parts 1000' '--level 1' '--level 9' '--level 22'; do
    cli --json $options --slices 40 trace.db >told.json
    cli $options --slices 40 trace.db -o told.svg
    caption=$(grep -oE '[> ]p [0-9.e-]+ ' told.svg | head -n 1 | tr -d '>' | awk '{ print $2 }')
    for again in "--p $(jq .p told.json)" "--p-raw $(jq .p_raw told.json)" "--p $caption"; do
        same "$options: $again" "$(partition <told.json)" \
            "$(cli --json $again --slices 40 trace.db | partition)"
    done
    case $options in --parts*) [ "$(jq .p told.json | wc -c)" -le 10 ] ||
        fail "$options tells a long p: $(jq .p told.json)" ;; esac
done

# The first picture, or the representative of the next more detailed plateau, sets the slow switch
# apart: a part of its own at the time of the delay, mostly computing while the others wait.
window='def over($b; $e): select(.begin < $e and .end > $b);
    def apart($b; $e): [.parts[] | over($b; $e) | select(.node == "nancy/griffon/griffon-sw2" and
        .shares["(no state)"] > 0.8 and .end - .begin > 0.01)] | length == 1;
    def switches($b; $e): [.parts[] | over($b; $e) | select(.node |
        startswith("nancy/griffon/griffon-sw"))];'
while read -r db slices span; do
    cli --json --slices "$slices" $db >first.json
    cli sweep --json --slices "$slices" $db >levels.json
    p=$(jq '[.levels[] | select(.plateau)] | .[(map(.auto) | index(true)) - 1].p' levels.json)
    cli --json --p "$p" --slices "$slices" $db >next.json
    jq -e "$window apart($span)" first.json >/dev/null ||
        jq -e "$window apart($span)" next.json >/dev/null ||
        fail "$db, $slices: no slow switch at p = $(jq .p first.json), nor at $p"
    holds "$db, $slices: it can be read" first.json '.parts | length >= 10 and length <= 1000'
    [ $db = trace.db ] || continue
    cli --json --slices "$slices" plain.db >first.json
    holds "without the slow switch, $slices slices" first.json "$window switches($span) == []"
done <<'END'
trace.db 30 0.2054; 0.2603
trace.db 60 0.2054; 0.2603
trace.db 200 0.2054; 0.2603
large.db 60 0.1990; 0.2554
END

# A part of a level that a rule chose, and the level of a rule in a part; the command in a picture
# has the rule as it was typed.
cli --json --p auto:gap-between-before --part 1 --slices 20 trace.db >part.json
p=$(cli --json --p auto:gap-between-before --slices 20 trace.db | jq .p)
same "a part of the level of a rule" "$(jq -c .parts part.json)" \
    "$(cli --json --p "$p" --part 1 --p auto:gap-between-before --slices 20 trace.db | jq -c .parts)"
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
