# Whether the order of events can be trusted: against SQL, known shifts of clocks, and a trace with
# one violation of each kind.
need python3 jq

# --- Traces in which nothing is wrong

example right.db
for trace in right.db "$shared"/smpi-*.trace.zst "$shared"/pajeng-links.trace; do
    [ -e "$trace" ] || continue
    cli causality --json --strict "$trace" >found.json 2>/dev/null || fail "$trace: refused"
    holds "$trace" found.json '.tachyons == 0 and .self == 0 and .without_end == 0 and
        .without_begin == 0 and (.violations | map(select(.kind == "tachyon")) == [])'
    sent=$(cli sql --csv "$trace" "SELECT count(*) FROM events WHERE category = 'link'" \
        2>/dev/null | tail -1)
    same "links of $trace" "$sent" "$(jq .links found.json)"
done

# --- Clocks that are shifted: the k-th container of a rank, from 1, by k mod 7 ms

zstd -dcq "$sample" | python3 "$OCELOTL_ROOT/tests/clocks_maker.py" distort --shift 0.001 \
    >shifted.trace 2>/dev/null
cli import shifted.trace -o shifted.db >/dev/null 2>&1 || fail "no import"
cli causality --json shifted.db >found.json
holds "shifted clocks" found.json '.tachyons == 3509 and .worst == -0.005988 and .links == 7680'
cli sql --csv shifted.db "SELECT source, target, count(*), min(duration) FROM events
    WHERE category = 'link' AND duration < 0 GROUP BY 1, 2 ORDER BY 1, 2" | tail -n +2 >expected
jq -r '.pairs[] | select(.tachyons > 0) | [.source, .target, .tachyons, .least] |
    map(tostring) | join(",")' found.json | sort >got
awk -F , 'NR == FNR { count[$1 "," $2] = $3; least[$1 "," $2] = $4; all++; next }
    count[$1 "," $2] != $3 || (d = least[$1 "," $2] - $4) > 1e-9 || d < -1e-9 { bad = 1 }
    END { exit bad || FNR != all || all < 50 }' expected got || fail "pairs differ from SQL"
same "rows" 3509 "$(cli causality --csv shifted.db | grep -c '^tachyon,')"
same "exit code" 1 "$(cli causality --strict shifted.db >/dev/null && echo 0 || echo $?)"
cli causality shifted.db >text
has text '3509 end before they begin'
same "info" 3509 "$(cli info --json shifted.db |
    jq '[.event_types[] | select(.category == "link").tachyons] | add')"
cli info shifted.db >text
has text '(3509 end before they begin'
same "matrix" 3509 "$(cli matrix --at all --csv shifted.db | tail -1 | cut -d , -f 12)"

# What links say of clocks holds.
jq -r '.pairs[] | select(.ahead_least != null) |
    "\(.source) \(.target) \(.ahead_least) \(.ahead_most)"' found.json | awk '
    function shift(path) { sub(/.*rank-/, "", path); return (path + 1) % 7 / 1000 }
    { ahead = shift($2) - shift($1); if (ahead < $3 - 1e-9 || ahead > $4 + 1e-9) bad = 1 }
    END { exit bad || NR < 100 }' || fail "clocks are not within what links say of them"

# The violations as a trace, where the receivers are.
cli causality shifted.db -o wrong.db
same "instants" 3509 "$(cli sql --csv wrong.db "SELECT count(*) FROM events
    WHERE type = 'clock violation' AND value = 'tachyon'" | tail -1)"
cli --metric event-count wrong.db -o wrong.svg
refused 1 'exists already' causality shifted.db -o wrong.db

# Wrong arrows are drawn apart, and counted.
cli gantt --from 40% --to 60% --resource nancy/graphite shifted.db -o wrong.svg
has wrong.svg 'ends before it begins (dashed)' 'end before they begin'
window=(--from 40% --to 60% --resource nancy/graphite)
cli gantt --violations --json "${window[@]}" shifted.db >only.json
cli gantt --json --links 1000000 "${window[@]}" shifted.db >all.json
same "wrong arrows alone" "$(jq -c '[.links[] | select(.end < .begin)]' all.json)" \
    "$(jq -c .links only.json)"
holds "some are wrong" only.json '(.links | length) > 50 and .links_left_out == 0'
same "states beside them" "$(jq -c .rows all.json)" "$(jq -c .rows only.json)"
cli gantt --violations "${window[@]}" right.db -o none.svg
lacks none.svg 'MPI_LINK (arrows)'
cli gantt --from 40% --to 60% --resource nancy/graphite right.db -o right.svg
! grep -qE 'before (it|they) begin' right.svg || fail "arrows that are right are called wrong"

# --- One violation of each kind

paje_events DefineContainerType DefineLinkType CreateContainer StartLink+tag EndLink >each.trace
cat >>each.trace <<'END'
0 P 0 proc
1 L 0 P P link
2 0 a P 0 a
2 0 b P 0 b
4 1.0 L 0 v b tachyon
3 1.5 L 0 v a tachyon 1
4 2.0 L 0 v a self
3 2.25 L 0 v a self 1
3 3.0 L 0 v a fast 1
4 3.0 L 0 v b fast
3 4.0 L 0 v a uncertain 1
4 4.0000015 L 0 v b uncertain
3 5.0 L 0 v a overtaken 2
3 5.5 L 0 v a overtaking 2
3 5.75 L 0 v a other 3
4 6.0 L 0 v b other
4 6.5 L 0 v b overtaking
4 7.0 L 0 v b overtaken
3 8.0 L 0 v a endless 7
3 8.0 L 0 v a endless2 7
4 9.0 L 0 v b orphan
END
cli causality --json --latency 1us --clock-error 2us each.trace >found.json 2>/dev/null
holds "one of each" found.json '[.violations[] | [.kind, .source, .target, .begin, .end, .amount]]
    == [["tachyon","a","b",1.5,1,-0.5],["self","a","a",2.25,2,-0.25],
        ["too fast","a","b",3,3,0],["uncertain","a","b",3,3,0],
        ["uncertain","a","b",4,4.0000015,0.0000015],
        ["overtaking","a","b",5.5,6.5,-0.5]]'
holds "one end" found.json '.without_end == 2 and .without_begin == 1 and
    [.unmatched[] | [.resource, .tag, .known, .count]] == [["a","7","begin",2],["b","","end",1]]'
cli causality --json each.trace >found.json 2>/dev/null
holds "without options" found.json '[.violations[].kind] == ["tachyon","self","overtaking"]'

# SMPI tells tags in keys: SOURCE_TARGET_TAG_NUMBER, counting ranks from 1 (or 0, older ones).
keyed() { # the first rank in keys, names
    sed '/^3 1.0/,$d; /^4 1.0/,$d; /^% tag string/d' each.trace |
        sed -E "s/^2 0 a P 0 a/2 0 a P 0 ${2}0/; s/^2 0 b P 0 b/2 0 b P 0 ${2}1/"
    local a=$1 b=$(($1 + 1))
    echo "3 1.0 L 0 v a ${a}_${b}_7_1
3 1.1 L 0 v a ${a}_${b}_8_2
4 1.2 L 0 v b ${a}_${b}_8_2
4 1.3 L 0 v b ${a}_${b}_7_1
3 2.0 L 0 v a ${a}_${b}_-1_3
3 2.1 L 0 v a ${a}_${b}_-1_4
4 2.2 L 0 v b ${a}_${b}_-1_4
4 2.3 L 0 v b ${a}_${b}_-1_3
3 3.0 L 0 v a ${a}_${b}_9_5
3 3.1 L 0 v a ${a}_${b}_9_6
4 3.2 L 0 v b ${a}_${b}_10_7"
}
for first in 0 1; do
    keyed "$first" rank- >keyed.trace
    cli causality --json keyed.trace >found.json 2>/dev/null
    holds "tags in keys from $first" found.json '[.violations[] | [.kind, .begin]] ==
        [["overtaking", 2.1]] and ([.unmatched[] | [.tag, .known, .count]] ==
        [["9", "begin", 2], ["10", "end", 1]])'
done
# Keys that only look so tell none.
keyed 2 rank- >keyed.trace
holds "ranks from 2" <(cli causality --json keyed.trace 2>/dev/null) \
    '.overtaking == 2 and ([.unmatched[].tag] | unique == [""])'
keyed 1 thread- >keyed.trace
holds "no ranks" <(cli causality --json keyed.trace 2>/dev/null) '.overtaking == 2'

# The theorem: eps < mu (1 - rho), where mu is 12 us.
pairs() { cli causality --json "$@" right.db | jq -c '[.pairs[] | .order] | group_by(.) |
    map([.[0], length])'; }
same "a cluster is a clock" '[["guaranteed",3]]' "$(pairs --at CLUSTER)"
same "not known" '[["not proven",192]]' "$(pairs)"
same "small enough" '[["guaranteed",192]]' "$(pairs --clock-error 11us)"
same "too large" '[["not proven",192]]' "$(pairs --clock-error 1s)"
cli causality --json --clock-error 12us --max-drift 499999 right.db >found.json
holds "some" found.json '[.pairs[] | select((.order == "guaranteed") != (.transit > 0.000024))] == []
    and ([.pairs[] | select(.order == "guaranteed")] | length) > 50'
cli causality --clock-error 11us right.db >text
has text 'guaranteed for 192'

# Where nobody says how far clocks differ, messages do: never less than they were shifted, and each
# verdict is that of the theorem.
theorem='[.pairs[] | select((.order == "guaranteed") != (.tachyons == 0 and .source == .target or
    .clock_error != null and .clock_error < (.transit // 0) * (1 - 1e-4) and
    .order != "contradicted"))] == []'
cli causality --json shifted.db >found.json
holds "found" found.json ".clock_error_source == \"messages\" and .clock_error == null and $theorem"
jq -r '.pairs[] | "\(.source) \(.target) \(.clock_error)"' found.json | awk '
    function shift(path) { sub(/.*rank-/, "", path); return (path + 1) % 7 / 1000 }
    { differ = shift($2) - shift($1); differ = differ < 0 ? -differ : differ }
    $3 < differ - 1e-9 || $3 > differ + 7e-3 { bad = 1 }
    END { exit bad || NR < 100 }' || fail "clocks differ by more than what is found"
# Where they were set, the trace does: by no more than both bounds.
cli clocks --drift none --groups apart shifted.db -o set.db
cli causality --json set.db >found.json
holds "set" found.json ".clock_error_source == \"trace\" and .tachyons == 0 and $theorem"
jq -n --slurpfile a found.json --slurpfile b <(cli info --json set.db) '
    ([$b[0].derived.clocks[] | {key: .clock, value: .bound}] | from_entries) as $bound |
    $a[0].pairs | length > 100 and all(.source as $s | .target as $t |
        (.clock_error - $bound[$s] - $bound[$t] | fabs) < 1.1e-6)' | grep -qx true ||
    fail "set clocks do not differ by their bounds"
cli causality set.db >text
has text 'These were set, and differ by at most'
holds "asked" <(cli causality --json --clock-error 11us set.db) \
    '.clock_error_source == "asked" and ([.pairs[].clock_error] | unique == [0.000011])'
# Machines with set ranks have the bounds of all of them.
holds "coarser" <(cli causality --json --at MACHINE set.db) \
    '[.pairs[] | select(.source != .target) | .clock_error] | length > 50 and all(. > 0)'
# One way only nothing bounds them.
sed '/ v a self/d; / v b other/d' each.trace >one.trace
cli causality --json one.trace >found.json 2>/dev/null
holds "one way" found.json '[.pairs[] | select(.source != .target) | .clock_error] | unique == [null]'

# Links that take less than the two clocks may differ are counted for each pair, as SQL does.
uncertain_as_sql() { # what, trace, components of a path that are a clock, options
    local trace=$2 depth=$3
    cli causality --json "${@:4}" "$trace" >found.json
    cli sql --csv "$trace" "SELECT source, target, duration FROM events WHERE category = 'link'" |
        tail -n +2 | awk -F , -v depth="$depth" '
        function clock(path,   parts, i, made) {
            split(path, parts, "/"); made = parts[1]
            for (i = 2; i <= depth; i++) made = made "/" parts[i]
            return made
        }
        { print clock($1) "," clock($2) "," $3 }' >links
    jq -r '.pairs[] | [.source, .target, .clock_error // -1, .uncertain] | map(tostring) |
        join(",")' found.json | awk -F , '
        NR == FNR { error[$1 "," $2] = $3; told[$1 "," $2] = $4; all += $4; next }
        { pair = $1 "," $2; clocks = $1 == $2 ? 0 : error[pair] }
        $3 >= 0 && $3 < clocks - 1e-10 { count[pair]++ }
        END { for (pair in told) if (told[pair] != count[pair] + 0) bad = 1
              exit bad || !all || FNR != 7680 }' - links ||
        fail "$1: uncertain links differ from SQL"
    holds "$1: all" found.json '.uncertain == ([.pairs[].uncertain] | add) and
        [.violations[] | select(.kind == "uncertain")] == []'
}
uncertain_as_sql "as they are" shifted.db 5
uncertain_as_sql "set" set.db 5
uncertain_as_sql "switches" right.db 3 --at SWITCH
cli causality --at SWITCH right.db >text
like text '^uncertain  92 of 400 between clocks take less time'
cli causality --at CLUSTER right.db >text
has text 'no link joins two clocks'
! grep -q '^uncertain ' text || fail "links of one clock are uncertain"
# One clock orders its own links, whatever its error is said to be.
holds "machines" <(cli causality --json --at MACHINE --clock-error 1s right.db) \
    '[.pairs[] | select(.source == .target) | .uncertain] | length > 40 and all(. == 0)'

refused 1 'no resources of a type "X"' causality --at X right.db
refused 2 '--max-drift' causality --max-drift -1 right.db
refused 2 '--latency' causality --latency fast right.db

# --- Limits between two ticks: a link that takes less is found, and a bound is not made smaller

{
    paje_events DefineContainerType DefineLinkType CreateContainer StartLink EndLink
    printf '%s\n' '0 P 0 proc' '1 L 0 P P link' '2 0 a P 0 a' '2 0 b P 0 b' \
        '3 0.000010 L 0 m a k1' '4 0.000012 L 0 m b k1' '3 0.000020 L 0 m a k2' \
        '4 0.000023 L 0 m b k2'
} >ticks.trace
cli import ticks.trace -o ticks.db >/dev/null
for limit in 2us:0 2.5us:1 2999ns:1 3us:1 3.000001us:2; do
    cli causality --latency "${limit%:*}" --json ticks.db >found.json
    holds "links that take less than ${limit%:*}" found.json ".too_fast == ${limit#*:}"
    cli causality --clock-error "${limit%:*}" --json ticks.db >found.json
    holds "links that clocks ${limit%:*} apart explain" found.json ".uncertain == ${limit#*:}"
    cli causality --clock-error "${limit%:*}" --latency 1 --json ticks.db >found.json
    holds "the same, too fast or not" found.json ".uncertain == ${limit#*:} and .too_fast == 2"
done
