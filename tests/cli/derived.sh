# A trace whose clocks were set says what it was made of, whatever its ticks, and no time of it is
# negative.
need python3 jq
python3 "$OCELOTL_ROOT/tests/clocks_maker.py" make --seed 4 --rounds 60 >made.trace 2>truth.json
cli import made.trace -o made.db >/dev/null 2>&1
cli clocks --at machine --json made.db >clocks.json
cli clocks --at machine made.db -o set.db

# What info says is what clocks said, and what the file has.
cli info --json set.db >info.json
holds "made of" info.json ".derived.from == \"$(cli info --json made.db | jq -r .uid)\" and
    (.derived.how | startswith(\"clocks --at machine --reference host-\")) and
    (.derived.how | test(\" --drift linear --max-drift 100 --evidence messages(\$|;)\"))"
jq -n --slurpfile a clocks.json --slurpfile b info.json '
    def near(x; y): (x - y | fabs) <= 1e-12 * (1 + (x | fabs));
    [$a[0].clocks, $b[0].derived.clocks] | transpose | length == 8 and all(
        .[0].clock == .[1].clock and .[0].group == .[1].group and
        .[0].messages == .[1].messages and .[1].samples == 0 and
        near(.[0].offset; .[1].offset) and near(.[0].drift; .[1].drift) and
        near(.[0].bound; .[1].bound))' | grep -qx true ||
    fail "clocks of info are not those of clocks"
same "the keys" "clock.0 clock.1 clock.2 clock.3 clock.4 clock.5 clock.6 clock.7 derivation \
derived_from" "$(cli sql --csv set.db "SELECT key FROM meta WHERE key GLOB 'clock.*' OR key LIKE
    'deriv%' ORDER BY 1" | tail -n +2 | tr '\n' ' ' | sed 's/ $//')"
cli info set.db >text
like text '^made of    [0-9a-f]*$' '^clocks     8 set right, each to within [0-9.e-]* s$'
! cli info --json made.db | grep -q '"derived"' || fail "a raw trace is called derived"

# None is negative, and all are later by what is told.
same "the first instant" 0 "$(cli info --json set.db | jq .begin)"
same "the first event" 0 "$(cli sql --csv set.db "SELECT count(*) FROM events WHERE begin < 0" |
    tail -1)"
later=$(jq -r '.derived.how' info.json | sed -n 's/.*all times later by \([0-9.e-]*\) s,.*/\1/p')
reference=$(jq -r '.clocks[] | select(.reference).clock' clocks.json)
first() {
    cli sql --csv "$1" "SELECT min(begin) FROM events WHERE resource LIKE '$reference/%'" | tail -1
}
near "the shift" "$(first set.db)" \
    "$(awk -v a="$(first made.db)" -v b="$later" 'BEGIN { printf "%.9f", a + b }')" 1e-6

# Finer ticks: durations of messages differ from the others by no more than the coarser rounding,
# and are none that these could show.
cli clocks --at machine --tick-factor 1000 made.db -o fine.db
same "the tick" "1000 1" "$(for db in set fine; do cli info --json $db.db |
    jq -r '.tick_numerator / .tick_denominator'; done | paste -s | awk '{ print $1 / $2, 1 }')"
durations() {
    cli sql --csv "$1" "SELECT key, duration FROM events WHERE category = 'link' ORDER BY 1" |
        tail -n +2
}
paste -d , <(durations set.db) <(durations fine.db) | awk -F , '
    { d = $2 - $4; d = d < 0 ? -d : d; worst = d > worst ? d : worst; other += d > 1e-13 }
    $1 != $3 { bad = 1 }
    END { exit bad || NR < 1000 || other < NR / 2 || worst > 1.001e-9 }' ||
    fail "finer ticks do not refine"
refused 2 '--tick-factor' clocks --tick-factor 0 made.db -o never.db

# Raw and corrected side by side: what compare says of both is what SQL adds up in each.
cli compare --json --slices 7 made.db set.db >compared.json
for db in made set; do
    cli sql --csv "$db.db" "SELECT value, sum(duration) FROM events WHERE category = 'state'
        GROUP BY 1 ORDER BY 1" | tail -n +2 >"$db.sums"
done
compared=0
while IFS=, read -r name first _ second; do
    near "$name of the raw trace" "$first" "$(jq --arg name "$name" '.changes[] |
        select(.node == "" and .type == $name) | .first * .leaves' compared.json)" 1e-9
    near "$name of the corrected trace" "$second" "$(jq --arg name "$name" '.changes[] |
        select(.node == "" and .type == $name) | .second * .leaves' compared.json)" 1e-9
    near "$name in another time" "$first" "$second" 1e-4
    [ "$first" != "$second" ] || fail "$name lasts as long in another time"
    compared=$((compared + 1))
done < <(paste -d , made.sums set.sums)
[ "$compared" -gt 0 ] || fail "nothing was compared"
same "lengths" "$(for db in made set; do cli info --json $db.db | jq '.duration * 1e9 | round'
done)" "$(jq '(.first, .second).duration * 1e9 | round' compared.json)"

# Setting them again finds nothing to set; the uid is that of the new content.
cli clocks --at machine --reference "$reference" set.db -o again.db
holds "made of it" <(cli info --json again.db) ".derived.from == $(jq .uid info.json)"
cli verify set.db >/dev/null || fail "a derived trace is called damaged"

# zero DB TYPE: samples that find all clocks of a type equal.
zero() {
    local end
    end=$(cli info --json "$1" | jq .end)
    echo clock,time,offset,deviation
    cli sql --csv "$1" "SELECT path FROM resources WHERE type = '$2'" | tail -n +3 |
        while IFS= read -r path; do
            printf '%s,0,0,0.000001\n%s,%s,0,0.000001\n' "$path" "$path" "$end"
        done
}
# Clocks that are equal change nothing: neither what lasts as long as the trace, above all of them,
# nor what lasts longer than those below it.
{
    paje_definitions DestroyContainer SetState
    cat <<'END'
0 S 0 Site
0 H S Host
0 P H Process
1 V P State
2 0.0 s S 0 site
2 0.5 h0 H s host-0
2 0.6 h1 H s host-1
2 1.0 p0 P h0 rank-0
2 1.1 p1 P h1 rank-1
4 2.0 V p0 work
4 2.5 V p1 work
3 7.0 P p0
3 8.0 H h0
3 8.5 P p1
3 9.0 H h1
3 10.0 S s
END
} >tree.trace
cli import tree.trace -o tree.db >/dev/null
example stencil.db
for case in tree:Process tree:Host stencil:MPI stencil:MACHINE made:machine; do
    db=${case%:*} at=${case#*:}
    zero $db.db "$at" >zero.csv
    for drift in linear none; do
        cli clocks --at "$at" --evidence samples --samples zero.csv --drift $drift --force $db.db \
            -o equal.db 2>err
        same "$case, $drift" "$(cli info --json $db.db | jq .uid)" \
            "$(cli info --json equal.db | jq .uid)"
    done
done

# A clock that is 3 s behind: its host lives a second longer than it, the site as long as the trace,
# whose end is by another clock now.
printf 'clock,time,offset,deviation\n' >late.csv
printf 'site/host-1/rank-1,%s,3,0.000001\n' 0 10 >>late.csv
cli clocks --at Process --evidence samples --samples late.csv tree.db -o late.db
same "lives" "site 0 13|site/host-0 0.5 8|site/host-0/rank-0 1 7|site/host-1 3.6 12|\
site/host-1/rank-1 4.1 11.5|" "$(cli sql --csv late.db 'SELECT path, "begin", "end" FROM resources
    ORDER BY path' | tail -n +2 | tr ',' ' ' | tr '\n' '|')"
