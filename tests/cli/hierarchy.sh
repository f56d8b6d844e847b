# Options that change the hierarchy of a trace.
need jq

example

# picture ARGUMENT...: the partition where griffon-sw2 is a part of its own.
picture() { cli --slices 60 --p 0.5 --json "$@" trace.db >got.json || fail "$*"; }

picture
holds "switches" got.json '[.parts[].node] | any(. == "nancy/griffon/griffon-sw2")'
picture --drop-level SWITCH
holds "no switch is a part" got.json '[.parts[].node] | all(test("-sw[0-9]+$") | not)'
picture --max-leaves 20
holds "merged leaves weigh" got.json \
    '[.parts[] | select(.first <= 5 and .last >= 5) | .leaves] | add == 96'
holds "of several" got.json '[.parts[].leaves] | min >= 1'

# The same gain and loss of the whole.
cli --p 1 --slices 20 --json trace.db >whole.json
for leaves in 1 7 20 60; do
    cli --p 1 --slices 20 --max-leaves $leaves --json trace.db >merged.json
    near "gain of $leaves" "$(jq .gain whole.json)" "$(jq .gain merged.json)" 1e-12
    near "loss of $leaves" "$(jq .loss whole.json)" "$(jq .loss merged.json)" 1e-11
done

# Folded nodes are leaves: all of one level are what merging that level gives.
hosts=$(cli sql trace.db "select count(*) from resources where type = 'MACHINE'" --csv | tail -1)
cli --p 0.4 --slices 20 --hierarchy trace --max-leaves "$hosts" --json trace.db >merged.json
cli --p 0.4 --slices 20 --hierarchy trace --fold '*/*/*/*' --json trace.db >folded.json
same "hosts that are folded" "$(jq -S . merged.json)" "$(jq -S . folded.json)"
cli --p 0 --slices 20 --fold nancy/griffon/griffon-sw2 --json trace.db >folded.json
holds "a folded node has no parts below it" folded.json '[.parts[].node] |
    any(. == "nancy/griffon/griffon-sw2") and all(startswith("nancy/griffon/griffon-sw2/") | not)'
cli --p 1 --slices 20 --fold nancy/griffon --json trace.db >folded.json
near "gain of the folded" "$(jq .gain whole.json)" "$(jq .gain folded.json)" 1e-12
near "loss of the folded" "$(jq .loss whole.json)" "$(jq .loss folded.json)" 1e-11
cli --p 0.4 --slices 20 --fold nancy/griffon --resource nancy/graphene --json trace.db >folded.json
cli --p 0.4 --slices 20 --resource nancy/graphene --json trace.db >plain.json
same "a folded node elsewhere" "$(jq -S .parts plain.json)" "$(jq -S .parts folded.json)"
refused 1 'no node "nancy/grifon" to fold; the nearest is "nancy/griffon"' --fold nancy/grifon \
    trace.db

# Merged leaves are as high as what they stand for.
top_of() { grep -o '<text[^>]*>griffon<' "$1" | grep -o ' y="[^"]*"' | head -1; }
cli --slices 20 --width 2400 --p 0.5 trace.db -o whole.svg >/dev/null
cli --slices 20 --width 2400 --p 0.5 --max-leaves 40 trace.db -o merged.svg >/dev/null
same "where griffon is" "$(top_of whole.svg)" "$(top_of merged.svg)"
[ -n "$(top_of whole.svg)" ] || fail "griffon is not named in the picture"

# Groups and files.
cli --slices 20 --group '*griffon-sw[23]=late' trace.db -o it.svg >/dev/null
like it.svg 'griffon-sw\[23\] in group late'
{ echo resource,path && for rank in 40 41 42; do echo "rank-$rank,chosen/it-$rank"; done &&
    echo '*,rest/*'; } >tree.csv
holds "a file" <(cli --slices 4 --p 0 --hierarchy tree.csv --json trace.db) \
    '[.parts[].node] | all(. == "" or startswith("chosen") or startswith("rest"))'

# By behaviour: fewer bits are lost by as many parts.
loss() { cli --slices 60 --parts 20 --json "$@" trace.db | jq .loss; }
awk -v a="$(loss --hierarchy auto)" -v b="$(loss)" 'BEGIN { exit !(a < b) }' ||
    fail "clusters lose more than the switches"

# Rows: all resources here live at the same time, so nothing changes.
cli --slices 20 --p 0.3 --json trace.db >plain.json
cli --slices 20 --p 0.3 --reuse-rows --json trace.db | cmp -s plain.json - ||
    fail "rows of a trace where all live together"

# Kept answers know them.
cli sweep --slices 10 trace.db >plain.txt
for option in "--drop-level SWITCH" "--max-leaves 20" "--hierarchy tree.csv" \
    "--group *sw[23]=late" "--order name" \
    "--hierarchy auto" "--drop-level SWITCH --max-groups 5"; do
    cli sweep --slices 10 $option trace.db >other.txt
    [ "$option" = "--order name" ] || ! cmp -s plain.txt other.txt ||
        fail "a sweep $option is that of the trace"
    cli sweep --slices 10 $option trace.db | cmp -s other.txt - || fail "a kept answer $option"
    cli sweep --slices 10 $option --no-cache trace.db | cmp -s other.txt - ||
        fail "without kept answers $option"
done

# The caption says what was done.
cli --slices 20 --drop-level SWITCH --max-leaves 50 --order name trace.db -o it.svg >/dev/null
like it.svg 'without level SWITCH, like ones together, merged from 96 leaves to [0-9]*, ordered by name'

refused 1 'no level above the leaves is of the type "SWTCH"; the nearest is "SWITCH" (the levels are "SITE", "CLUSTER", "SWITCH", "MACHINE")' \
    --drop-level SWTCH trace.db
refused 2 '--order is "size", expected trace, name, begin, activity or traffic' --order size trace.db
refused 2 'like siblings are grouped by default, --max-groups N makes more' --split-children 4 trace.db
refused 2 '--regroup and --hierarchy auto exclude each other' --hierarchy auto --regroup trace.db
refused 2 '--max-groups and --hierarchy trace exclude each other' --hierarchy trace --max-groups 4 \
    trace.db
refused 2 '--group is "nancy", expected PATTERN=NAME' --group nancy trace.db
echo 'rank-400,x' >>tree.csv
refused 1 'tree.csv:6: no leaf is called "rank-400"; the nearest is "nancy/' --hierarchy tree.csv \
    trace.db
refused 2 '--max-leaves is 0, expected at least 1' --max-leaves 0 trace.db
# Of many leaves, those that are alike are gathered before any are compared: here three behaviours.
leaves() { # MOST
    paje_definitions PushState
    printf '0 G 0 group\n0 L G leaf\n1 S L state\n2 0 g0 G 0 g0\n2 0 g1 G 0 g1\n'
    for ((i = 0; i <= $1; i++)); do printf '2 0 l%d L g%d leaf-%d\n3 %d S l%d run\n' $i $((i % 2)) \
        $i $((i % 3)) $i; done
}
leaves 10000 >leaves.trace
cli import leaves.trace -o leaves.db >/dev/null
cli --hierarchy auto --slices 2 --p 0 --json leaves.db >got.json
holds "the three behaviours" got.json '[.parts[].leaves] == [3334, 6667, 3333, 3334]'
cli --hierarchy auto --slices 2 --resource g0 --p 1 --json leaves.db >got.json
holds "half of them" got.json '.parts | length == 1 and .[0].leaves == 5001'

printf 'path,type,slice,value\na,x,0,1\n' >matrix.csv
refused 1 '--order needs a trace' --order name matrix.csv
