# What the Gantt chart says of links that it does not draw, against SQL and causality.
need python3 jq

maker=$OCELOTL_ROOT/tests/links_maker.py
python3 "$maker" bursts 3 >dense.trace
python3 "$maker" bursts 4 >second.trace
cli import dense.trace -o dense.db >/dev/null 2>&1
cli import second.trace -o second.db >/dev/null 2>&1

# wrong_in PICTURE: how many links end before they begin, by each caption.
wrong_in() {
    { grep -oE '[0-9,]+ ends? before (it|they) begins?' "$1" || true; } | tr -d , |
        cut -d ' ' -f 1 | xargs
}

# Most chunks of a burst are in one pixel; links that are wrong are found in them, too.
for window in "0 1000" "499 500.003" "500.0017 1000" "0.9 1.002" "1.004 400"; do
    read -r from to <<<"$window"
    within="max(begin, \"end\") >= $from AND max(begin, \"end\") < $to"
    [ "$to" = 1000 ] && within="max(begin, \"end\") >= $from"
    expected=$(cli sql --csv dense.db "SELECT count(*) FROM events WHERE category = 'link' AND
        duration < 0 AND $within" | tail -1)
    same "causality of $window" "$expected" \
        "$(cli causality --json --from "$from" --to "$to" dense.db | jq .tachyons)"
    cli gantt --json --from "$from" --to "$to" dense.db >all.json
    same "JSON of $window" "$expected" "$(jq .links_wrong all.json)"
    cli gantt --json --violations --from "$from" --to "$to" dense.db >only.json
    same "alone, of $window" "$expected $expected" \
        "$(jq -r '"\(.links_wrong) \([.links[].count] | add)"' only.json)"
    cli gantt --from "$from" --to "$to" dense.db -o one.svg
    same "the caption of $window" "$expected" "$(wrong_in one.svg)"
done
same "few links are given" 12 "$(cli gantt --json --links 3 dense.db | jq .links_wrong)"
same "none is drawn" 12 "$(cli gantt --json --links 0 dense.db | jq .links_wrong)"

# All ends are in rows, also where totals do not tell which.
cli gantt dense.db -o one.svg
lacks one.svg 'outside of these rows'
cli gantt --json dense.db | jq -e '.links | map(select(.target == null)) | length > 0' >/dev/null ||
    fail "no links were taken by totals, so that nothing was tested"
cli gantt --from 500 --to 500.003 --only-resources 'h/[ab]' dense.db -o some.svg
expected=$(cli sql --csv dense.db "SELECT count(*) FROM events WHERE category = 'link' AND
    begin >= 500 AND begin < 500.003 AND source IN ('h/a', 'h/b') AND
    target NOT IN ('h/a', 'h/b')" | tail -1)
same "outside" "$expected" \
    "$(grep -oE '[0-9,]+ have an end outside' some.svg | tr -d , | cut -d ' ' -f 1)"

# Of two each caption counts its own; a row that one alone has is left out, with its links.
cli gantt --from 0 --to 600 dense.db second.db -o both.svg
counts=()
for trace in dense.db second.db; do
    counts+=("$(cli causality --json --to 600 "$trace" | jq .tachyons)")
done
same "two" "${counts[*]}" "$(wrong_in both.svg)"
sed 's/ d$/ other/' second.trace >third.trace
cli import third.trace -o third.db >/dev/null 2>&1
cli gantt dense.db third.db -o both.svg
counts=()
for trace in dense.db third.db; do
    counts+=("$(cli sql --csv "$trace" "SELECT count(*) FROM events WHERE category = 'link' AND
        duration < 0 AND source IN ('h/a', 'h/b', 'h/c')" | tail -1)")
done
same "shared rows" "${counts[*]}" "$(wrong_in both.svg)"
