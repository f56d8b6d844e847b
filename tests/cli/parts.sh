# The list of parts, and zooms into a part by its number: equal to those of its node and its span in
# ticks.
need jq

example
of=(--slices 60 --p 0.5)

# The list has the parts of the overview.
cli "${of[@]}" --json trace.db >overview.json
cli parts "${of[@]}" --json trace.db >parts.json
same "parts" "$(jq \
    -c '[.parts[] | [.id, .node, .first, .last, .leaves, .begin, .end, .gain, .loss]]' \
    overview.json)" \
    "$(jq -c '[.parts[] | [.id, .node, .first, .last, .leaves, .begin, .end, .gain, .loss]]' \
    parts.json)"
same "states" "$(jq -c '[.parts[].shares | del(.["(no state)"]) | to_entries | max_by(.value) |
    .value // 0]' overview.json)" "$(jq -c '[.parts[].share]' parts.json)"
holds "states by name" parts.json \
    '[.parts[] | select(.state != null and $all[0].parts[.id].shares[.state] != .share)] == []' \
    --slurpfile all overview.json
# A tick is a microsecond: outwards from the boundary of a slice, and less than one away.
holds "ticks" parts.json \
    '[.parts[] | select(.from_tick > .begin * 1e6 + 1e-6 or .from_tick <= .begin * 1e6 - 1 or
    .to_tick < .end * 1e6 - 1e-6 or .to_tick >= .end * 1e6 + 1)] == []'
count=$(jq '.parts | length' parts.json)
cli parts "${of[@]}" trace.db >parts.txt
same "lines of the table" $((count + 1)) "$(wc -l <parts.txt)"
same "numbers of the table" "$(seq 0 $((count - 1)))" "$(awk 'NR > 1 { print $1 }' parts.txt)"
cli parts "${of[@]}" --csv trace.db >parts.csv
same "CSV" "$(jq -r '.parts[] | [.id, .node, .leaves] | map(tostring) | join("|")' parts.json)" \
    "$(python3 -c 'import csv; [print(r["id"], r["node"], r["leaves"], sep="|") for r in csv.DictReader(open("parts.csv"))]')"
for by in gain loss; do
    same "by $by" "$(jq -c "[.parts | sort_by(-.$by, .id)[].id]" parts.json)" \
        "$(cli parts "${of[@]}" --json --sort $by trace.db | jq -c '[.parts[].id]')"
done
for name in list.csv list.json list.txt; do cli parts "${of[@]}" trace.db -o $name; done
cmp list.csv parts.csv
cmp list.json parts.json
cmp list.txt parts.txt

# Tooltips have the same numbers.
need xmllint
cli "${of[@]}" --smallest 1 --height 4000 trace.db -o overview.svg
xmllint --xpath '//*[local-name()="g" and @class="parts"]//*[local-name()="title"]/text()' \
    overview.svg |
    awk '/^part [0-9]+$/ { number = $2; getline; print number, $0 }' | sort -n >titles
[ "$(wc -l <titles)" -gt $((count * 9 / 10)) ] ||
    fail "$(wc -l <titles) of $count parts have a number"
jq -r '.parts[] | "\(.id) \(if .node == "" then "(whole)" else .node end)"' parts.json >expected
same "numbers in tooltips" "" "$(sort titles | comm -13 <(sort expected) -)"

# place N: how else one would ask for it.
place() {
    mapfile -t place < <(jq -r --argjson id "$1" '.parts[] | select(.id == $id) |
        ((.resources // ([.node] - [""]))[] | "--resource", .),
        "--from", "@\(.from_tick)us", "--to", "@\(.to_tick)us"' parts.json)
}
without_command() { grep -v '<command>' "$1"; }
jq -e '[.parts[] | select(.node == "")] != []' parts.json >/dev/null ||
    fail "no part is of the whole"
for part in 3 10 14 17; do
    place $part
    cli "${of[@]}" --json --part $part trace.db >zoomed.json
    cli "${of[@]}" --json "${place[@]}" trace.db >by_hand.json
    cmp -s by_hand.json zoomed.json || fail "--part $part is not ${place[*]}"
    cli "${of[@]}" "${place[@]}" trace.db -o by_hand.svg
    cli "${of[@]}" --part $part trace.db -o zoomed.svg
    cmp -s <(without_command by_hand.svg) <(without_command zoomed.svg) ||
        fail "the picture of --part $part"
    cli gantt "${place[@]}" trace.db -o by_hand.svg
    cli gantt "${of[@]}" --part $part trace.db -o zoomed.svg
    cmp -s <(without_command by_hand.svg) <(without_command zoomed.svg) ||
        fail "the picture of gantt --part $part"
    cli stats --json "${place[@]}" trace.db >by_hand.json
    cli stats --json "${of[@]}" --part $part trace.db >zoomed.json
    cmp -s by_hand.json zoomed.json || fail "stats --part $part: $(head -c 300 zoomed.json)"
    cli export "${place[@]}" trace.db >by_hand.csv
    cli export "${of[@]}" --part $part trace.db >zoomed.csv
    cmp -s by_hand.csv zoomed.csv || fail "export --part $part"
    cli sweep --slices 60 "${place[@]}" trace.db >by_hand.txt
    for option in --part --part; do
        cli sweep "${of[@]}" $option $part trace.db | cmp -s by_hand.txt - ||
            fail "sweep $option $part"
    done
done

# A p before a zoom chooses the partition it looks into, a p behind it the one that is shown; a p
# behind it alone chooses both.
place 3
cli --slices 60 --p 0.2 --json "${place[@]}" trace.db >by_hand.json
cli --slices 60 --p 0.5 --part 3 --p 0.2 --json trace.db | cmp -s by_hand.json - || fail "two p"
cli --slices 60 --p 0.5 --part 3 --level 2 --json trace.db | jq -e '.p != 0.5' >/dev/null ||
    fail "p and level"
cli --slices 60 --p 0.5 --part 3 --json trace.db >before.json
cli --slices 60 --part 3 --p 0.5 --json trace.db | cmp -s before.json - || fail "p behind the zoom"
refused 2 'exclude each other' --p 0.5 --part 3 --p 0.2 --level 1 trace.db

# A part of a part.
cli parts "${of[@]}" --kind spatiotemporal --part 3 --json trace.db >inner.json
cp inner.json parts.json
inner=$(jq '[.parts[] | select(.node != "")][0].id' inner.json)
place "$inner"
cli "${of[@]}" --json "${place[@]}" trace.db >by_hand.json
cli "${of[@]}" --part 3 --part "$inner" --json trace.db | cmp -s by_hand.json - ||
    fail "a part of a part"

# Temporal parts cover all resources, or those chosen; spatial ones cover the whole window.
cli parts --kind temporal --slices 50 --p 0.3 --resource nancy/griffon --resource nancy/graphite \
    --json trace.db >parts.json
holds "temporal parts" parts.json '[.parts[].node] | unique == [""]'
cli --kind temporal --slices 50 --p 0.3 --resource nancy/griffon --resource nancy/graphite \
    --part 1 --json trace.db >got.json
holds "a temporal part" got.json '.resources == ["nancy/griffon", "nancy/graphite"] and .begin > 0'
cli gantt --kind temporal --slices 50 --p 0.3 --resource nancy/griffon --resource nancy/graphite \
    --part 1 trace.db -o two.svg
cli export --kind temporal --slices 50 --p 0.3 --resource nancy/griffon --resource nancy/graphite \
    --part 1 trace.db >two.csv
same "a part of two resources" "graphite griffon" \
    "$(awk -F '[/,]' 'NR > 1 { print $2 }' two.csv | sort -u | tr '\n' ' ' | sed 's/ $//')"
cli parts --kind spatial --p 0.3 --json trace.db >parts.json
last=$(jq '.parts[-1].id' parts.json)
cli stats --kind spatial --p 0.3 --part "$last" --json trace.db >got.json
holds "a spatial part" got.json '.selected == [$node] and .to == 0.289213' --arg node \
    "$(jq -r '.parts[-1].node' parts.json)"

# The number of a part is printed with its partition.
cli --slices 60 --part 3 --json trace.db 2>told.txt >/dev/null
like told.txt "^ocelotl-cli: part 3 of [0-9]+, spatiotemporal, p 0\.[0-9]+: .* from [0-9.]+ m?s to [0-9.]+ m?s\$"

# A part has one number in all commands, however flat the hierarchy is.
{
    echo path,type,slice,value
    seq 0 40 | awk '{ for (t = 0; t < 8; t++) print "r" $1 ",x," t "," (t < 4 || $1 == 7 ? 1 : 3) }'
} >flat.csv
for given in "flat.csv" "--resource nancy/griffon/griffon-sw1/griffon-7/rank-49 trace.db"; do
    cli --json $given >whole.json
    cli parts --json $given >parts.json
    cli sweep --json $given >sweep.json
    cli $given -o picture.svg
    same "the kind of parts and of JSON ($given)" "$(jq -r .kind whole.json)" \
        "$(jq -r .kind parts.json)"
    same "parts ($given)" "$(jq -c '[.parts[] | [.id, .node, .first, .last]]' whole.json)" \
        "$(jq -c '[.parts[] | [.id, .node, .first, .last]]' parts.json)"
    same "p of the level that sweep marks ($given)" "$(jq -c .p whole.json)" \
        "$(jq -c '.levels[] | select(.auto) | .p' sweep.json)"
    same "parts of the picture ($given)" "$(jq '.parts | length' whole.json)" \
        "$(sed -n 's/<parts>\([0-9]*\).*/\1/p' picture.svg)"
done

# A matrix has parts, and no window.
printf 'path,type,slice,value\na,x,0,1\nb,x,1,3\na,y,0,3\n' >matrix.csv
cli parts --p 0 matrix.csv >/dev/null
holds "parts of a matrix" <(cli parts --p 0 --json matrix.csv) \
    '.parts[0].state == "y" and .parts[0].share == 0.75 and (.parts[0] | has("begin") | not)'
refused 1 '--part needs a trace, and matrix.csv is a microscopic model' --part 0 matrix.csv

refused 1 "--part is $count, expected one of the parts 0 to $((count - 1))" "${of[@]}" \
    --part "$count" trace.db
refused 1 "--part is 4000, expected one of the parts 0 to $((count - 1))" stats "${of[@]}" \
    --part 4000 trace.db
refused 2 '--part is "x", expected a whole number' gantt --part x trace.db
refused 2 '--part is "-1", expected a whole number' sweep --part -1 trace.db
for command in stats gantt export; do
    refused 2 '--slices chooses the partition of a part, but no --part is given' $command \
        --slices 5 trace.db
    refused 2 '--p chooses the partition of a part, but no --part is given' $command --p 0.5 \
        trace.db
    refused 2 '--hierarchy chooses the partition of a part' $command --hierarchy auto trace.db
    refused 2 '--max-leaves chooses the partition of a part' $command --max-leaves 5 trace.db
    refused 2 '--group chooses the partition of a part' $command --group 'a=b' trace.db
done
refused 2 '--sort is "size", expected id, gain or loss' parts --sort size trace.db
refused 2 'exclude each other' parts --csv --json trace.db
refused 2 'parts does not write a picture' parts -o x.svg trace.db
