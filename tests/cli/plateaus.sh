# Plateaus and --p auto: the first picture shows the known fault of a trace and invents none; and
# every p that the program prints gives the same partition when typed again.
need jq

# Numbers of plateaus from the most aggregated, without holes, over all p; one level is the one to
# show first, and it is what is drawn without a p. check_marks WHAT INPUT OPTION...
check_marks() {
    local what=$1 input=$2
    shift 2
    cli sweep --json "$@" "$input" >levels.json
    holds "$what: plateaus" levels.json '[.levels[] | select(.plateau != null)] |
        length > 0 and length < 15 and [.[].plateau] == [range(length; 0; -1)] and
        .[0].plateau_from == 0 and
        .[-1].plateau_to == 1 and all(.plateau_from < .plateau_to) and
        ([.[:-1], .[1:]] | transpose | all(.[0].plateau_to == .[1].plateau_from))'
    holds "$what: one level to show first" levels.json \
        '[.levels[] | select(.auto)] | length == 1 and
        .[0].plateau != null and (.[0].parts > 1 or ($all | length) == 1) and .[0].parts <= 2000' \
        --argjson all "$(jq -c .levels levels.json)"
    cli --json "$@" "$input" >first.json
    holds "$what: what is shown first" first.json \
        '.p == $level.p and (.parts | length) == $level.parts' \
        --argjson level "$(jq -c '.levels[] | select(.auto)' levels.json)"
    cli --p auto --json "$@" "$input" | cmp -s - first.json ||
        fail "$what: --p auto is not the default"
    cli sweep --all --json "$@" "$input" >all.json
    same "$what: the plateaus with --all" \
        "$(jq -c '[.levels[] | select(.plateau) | [.plateau, .plateau_from, .plateau_to, .parts,
        .auto]]' levels.json)" \
        "$(jq -c '[.levels[] | select(.plateau) | [.plateau, .plateau_from, .plateau_to, .parts,
        .auto]]' all.json)"
}

# same_partition WHAT FILE: the partition in again.json is the one in FILE.
same_partition() {
    same "$1" "$(jq -c '[.gain, .loss, (.parts | length)]' "$2")" \
        "$(jq -c '[.gain, .loss, (.parts | length)]' again.json)"
}

# check_levels WHAT INPUT OPTION...: every p that sweep lists.
check_levels() {
    local what=$1 input=$2 p
    shift 2
    cli sweep --json "$@" "$input" >levels.json
    for p in $(jq '.levels[].p' levels.json); do
        cli --p "$p" --json "$@" "$input"
    done >again.json
    jq -s 'map({gain, loss, parts: (.parts | length)})' again.json >partitions.json
    holds "$what: the levels by their p" levels.json \
        'def near($a; $b): ($a - $b) / (1e-9 + $b) | fabs < 1e-12;
        [.levels, $partitions[0]] | (.[0] | length) == (.[1] | length) and (transpose |
        all(.[0].parts == .[1].parts and
            near(.[0].gain; .[1].gain) and near(.[0].loss; .[1].loss)))' --slurpfile partitions \
            partitions.json
}

# check_told WHAT INPUT [OPTION VALUE]...: the p in the JSON, the p in the picture's caption, and
# the raw p.
check_told() {
    local what=$1 input=$2 caption
    shift 2
    cli --json "$@" --slices 40 "$input" >told.json
    cli --json --p "$(jq .p told.json)" --slices 40 "$input" >again.json
    same_partition "$what: p again" told.json
    cli --json --p-raw "$(jq .p_raw told.json)" --slices 40 "$input" >again.json
    same_partition "$what: raw p again" told.json
    cli "$@" --slices 40 "$input" -o told.svg
    caption=$(grep -oE '[> ]p [0-9.e-]+ ' told.svg | head -n 1 | tr -d '>' | awk '{ print $2 }')
    [ -n "$caption" ] || fail "$what: no p in the caption"
    cli --json --p "$caption" --slices 40 "$input" >again.json
    same_partition "$what: the caption's p again, $caption" told.json
}

# In jq: the parts of the switches of griffon that touch the time of the delay. Set apart is a
# switch that is a part of its own there, mostly computing while the others wait.
window='def over($b; $e): select(.begin < $e and .end > $b);
    def apart($b; $e): [.parts[] | over($b; $e) | select(.node == "nancy/griffon/griffon-sw2" and
        .shares["(no state)"] > 0.8 and .end - .begin > 0.01)] | length == 1;
    def switches($b; $e): [.parts[] | over($b; $e) | select(.node |
    startswith("nancy/griffon/griffon-sw"))];'

# The first picture, or the representative of the next more detailed plateau, sets the slow switch
# apart. check_found WHAT BEGIN END OPTION...
check_found() {
    local what=$1 begin=$2 end=$3 p
    shift 3
    cli --json "$@" trace.db >first.json
    cli sweep --json "$@" trace.db >levels.json
    p=$(jq '[.levels[] | select(.plateau)] | .[(map(.auto) | index(true)) - 1].p' levels.json)
    cli --json --p "$p" "$@" trace.db >next.json
    jq -e "$window apart($begin; $end)" first.json >/dev/null ||
        jq -e "$window apart($begin; $end)" next.json >/dev/null ||
        fail "$what: the slow switch is not set apart at p = $(jq .p first.json), nor at $p"
    holds "$what: a picture that can be read" first.json '.parts | length >= 10 and length <= 1000'
}

for slices in 30 60 200; do
    cli import --force "$sample" -o trace.db >/dev/null
    check_found "96 ranks, $slices slices" 0.2054 0.2603 --slices $slices
    cli import --force "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst" -o trace.db \
        >/dev/null
    cli --json --slices $slices trace.db >first.json
    holds "96 ranks without the slow switch, $slices slices" first.json \
        "$window switches(0.2054; 0.2603) == []"
done
cli import --force "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst" -o trace.db >/dev/null
check_found "700 ranks" 0.1990 0.2554 --slices 60

cli import --force "$sample" -o trace.db >/dev/null
printf '%s\n' 23 25 22 30 55 21 26 35 19 30 | awk 'BEGIN { print "path,type,slice,value" }
    { printf "leaf,a,%d,%s\n", NR - 1, $1 }' >thesis.csv
printf 'path,type,slice,value\na,x,0,1\na,x,1,1\nb,x,0,1\nb,x,1,1\n' >even.csv
printf 'path,type,slice,value\na,x,0,1\na,x,1,2\nb,x,0,3\nb,x,1,1\n' >four.csv
check_marks "96 ranks" trace.db --slices 20
check_marks "96 ranks over time" trace.db --slices 60 --kind temporal
check_marks "96 ranks over resources" trace.db --slices 60 --kind spatial
check_marks "a published example" thesis.csv --kind temporal
check_marks "a homogeneous model" even.csv
check_marks "four cells" four.csv

check_levels "96 ranks" trace.db --slices 40
check_levels "96 ranks over time" trace.db --slices 60 --kind temporal
check_levels "96 ranks over resources" trace.db --slices 40 --kind spatial
check_levels "a published example" thesis.csv --kind temporal
for name in pajeng-native_sample pajeng-simu-mardi pajeng-native_paje; do
    [ -f "$shared/$name.trace" ] || continue
    cli import "$shared/$name.trace" -o other.db >/dev/null 2>&1
    check_levels $name other.db --slices 30
    rm other.db
done

check_told "auto" trace.db
check_told "a raw p" trace.db --p-raw 0.1234567890123
check_told "a third" trace.db --p 0.3333333333333333
for parts in 3 10 57 300 1000; do
    check_told "$parts parts" trace.db --parts $parts
    [ "$(jq .p told.json | wc -c)" -le 10 ] ||
        fail "--parts $parts tells a long p: $(jq .p told.json)"
done
for level in 1 9 22; do
    check_told "level $level" trace.db --level $level
done
