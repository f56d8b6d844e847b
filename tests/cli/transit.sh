# What links need by their size, in a run whose network is known; and links that are too fast by it.
need python3 jq

maker=$OCELOTL_ROOT/tests/links_maker.py
python3 "$maker" transit 5 >right.trace
python3 "$maker" shifted 6 >shifted.trace
cli import right.trace -o right.db >/dev/null 2>&1
cli import shifted.trace -o shifted.db >/dev/null 2>&1

# Between hosts 40 us and 10 ns a byte; between processes the 3 us of those on one host are below.
between="SELECT count(*) FROM events WHERE category = 'link' AND
    substr(source, 1, 1) <> substr(target, 1, 1)"
cli causality --json --at host right.db >found.json
holds "between hosts" found.json '(.transit_fixed - 40e-6 | fabs) < 1e-15 and
    (.transit_per_byte - 10e-9 | fabs) < 1e-18 and .too_fast == 0'
same "links" "$(cli sql --csv right.db "$between" | tail -1)" "$(jq .transit_links found.json)"
holds "between processes" <(cli causality --json right.db) '.transit_links == 3000 and
    (.transit_fixed - 3e-6 | fabs) < 1e-15 and (.transit_per_byte - 10e-9 | fabs) < 1e-18'
cli causality --at host right.db >text
like text '^transit    between clocks no link takes less than 40 us and 0.01 us a byte$'
# By its own line no link is too fast; by that of a trusted run those are that clocks shorten.
network=(--at host --latency 40us --latency-per-byte 10ns)
for trace in right.db shifted.db "$sample"; do
    cli causality --json --at host "$trace" >line.json 2>/dev/null ||
        cli causality --json "$trace" >line.json 2>/dev/null
    at=$(jq -r 'if .clock_type == "host" then "--at host" else "" end' line.json)
    holds "its own, of $trace" <(cli causality --json $at \
        --latency "$(jq .transit_fixed line.json)" \
        --latency-per-byte "$(jq .transit_per_byte line.json)" "$trace" 2>/dev/null) \
        '.too_fast == 0'
done
bytes="CAST(json_extract(attributes, '\$.size') AS REAL)"
fast="duration >= 0 AND duration < 0.00004 + 0.00000001 * $bytes - 1e-12"
expected=$(cli sql --csv shifted.db "$between AND $fast" | tail -1)
cli causality --json "${network[@]}" shifted.db >found.json
[ "$expected" -gt 100 ] || fail "none is too fast in $expected"
holds "too fast" found.json ".too_fast == $expected and .tachyons == 0 and
    ([.violations[] | select(.kind == \"too fast\")] | length) == $expected and
    ([.pairs[].too_fast] | add) == $expected and
    (.violations | map(select(.kind == \"too fast\" and (.source | startswith(\"b\")))) == [])"
same "rows" "$expected" "$(cli causality --csv "${network[@]}" shifted.db | grep -c '^too fast,')"
alone="duration < 0.00004 - 1e-12"
same "without sizes" "$(cli sql --csv shifted.db "$between AND $alone" | tail -1)" \
    "$(cli causality --json --at host --latency 40us shifted.db | jq .too_fast)"
cli causality "${network[@]}" shifted.db -o wrong.db
same "instants" "$expected" "$(cli sql --csv wrong.db "SELECT count(*) FROM events
    WHERE value = 'too fast'" | tail -1)"

# The sizes may be called otherwise.
sed 's/^% size string/% weight string/' right.trace >weight.trace
cli import weight.trace -o weight.db >/dev/null 2>&1
holds "no size" <(cli causality --json --at host weight.db) '.transit_per_byte == 0'
holds "named" <(cli causality --json --at host --attribute weight weight.db) \
    '(.transit_per_byte - 10e-9 | fabs) < 1e-18'
refused 1 'no link carries "mass"' causality --attribute mass weight.db
refused 2 '--latency-per-byte' causality --latency-per-byte -1ns weight.db
