# Windows and selected resources: every way to write an instant means the same, pictures and answers
# agree, and errors name what is possible.
need jq

# One resource whose own time begins at 100 s: states of 1 s that take turns, for 10 s.
{
    paje_definitions SetState DestroyContainer
    cat <<'END'
0 H 0 host
1 S H state
END
    for host in a b c; do echo "2 100.000 $host H 0 $host"; done
    for second in 0 1 2 3 4 5 6 7 8 9; do
        for host in a b c; do echo "3 10$second.000 S $host s$((second % 2))"; done
    done
    for host in a b c; do echo "4 110.000 H $host"; done
} >turns.trace
cli import turns.trace -o turns.db >/dev/null
example

# window FROM TO ARGUMENT...: the window is that, in the trace's own time.
window() {
    local from=$1 to=$2
    shift 2
    cli --slices 4 --p 0.5 --json "$@" turns.db >got.json
    holds "window $*" got.json \
        '.begin == $from and .end == $to and .trace_begin == 100 and .trace_end == 110 and
        .zoomed == ($from > 100 or $to < 110) and .resources == []' --argjson from "$from" \
        --argjson to "$to"
    holds "parts of $*" got.json '[.parts[].begin] | min == $from' --argjson from "$from"
    holds "parts of $*" got.json '[.parts[].end] | max == $to' --argjson to "$to"
}
window 100 110
window 101.5 110 --from 1.5
window 101.5 110 --from 1.5s
window 101.5 110 --from 1500ms
window 101.5 110 --from 1500000us
window 101.5 110 --from 1500000µs
window 101.5 110 --from 1.5e9ns
window 101.5 110 --from 0.025min
window 103.6 110 --from 0.001h
window 101.5 110 --from 15%
window 101.5 110 --from @101.5
window 101.5 110 --from @101500ms
window 101.5 110 --from +1.5s
window 101.5 107 --from +1.5s --to 70%
window 100 102 --to 2
window 100 110 --from @0 --to 20min
window 100 110 --to inf

# A slice of one second has one state.
for at in 0 3 8; do
    cli --slices 1 --p 0.5 --json --from $at --to $((at + 1)) turns.db >got.json
    holds "second $at" got.json '.parts[0].shares == {"s\($at % 2)": 1}' --argjson at $at
done

# --snap: 5 slices of 2 s.
snapped() {
    cli --slices 5 --p 0.5 --json --snap "${@:3}" turns.db >got.json
    holds "snap ${*:3}" got.json '.begin == $from and .end == $to' --argjson from "$1" \
        --argjson to "$2"
}
snapped 102 106 --from 2.1 --to 5.9
snapped 102 106 --from 2 --to 6
snapped 100 110 --from 1.999 --to 8.001

# --resource: a subtree, a union, the same cells as in the whole.
cli --slices 20 --p 0 --json trace.db --resource nancy/griffon/griffon-sw2 >got.json
holds "a subtree" got.json '.resources == ["nancy/griffon/griffon-sw2"] and
    ([.parts[] | .leaves * (.last - .first + 1)] | add) == 20 * 20'
cli --slices 20 --p 0.5 --json trace.db --resource nancy/graphite \
    --resource nancy/griffon/griffon-sw2 >got.json
holds "a union" got.json \
    '(.resources | length) == 2 and ([.parts[] | .leaves * (.last - .first + 1)] | add) == 32 * 20'
cli --slices 20 --p 0.5 --json trace.db --resource nancy/griffon \
    --resource nancy/griffon/griffon-sw2 >twice.json
cli --slices 20 --p 0.5 --json trace.db --resource nancy/griffon >once.json
same "a part of a part" "$(jq -c .parts once.json)" "$(jq -c .parts twice.json)"

# export: its own time, as ever, and all units.
cli export --from 103.5 --to 105.2 turns.db >plain.csv
[ "$(wc -l <plain.csv)" -eq 10 ] || fail "export of a window: $(cat plain.csv)"
for from in 103.5s 103500ms @103.5 +3.5 +3500ms 35%; do
    cli export --from $from --to 105.2 turns.db | cmp -s plain.csv - || fail "export --from $from"
done

refused 2 '--from is "1.5x", expected a number of seconds, or one with a unit' --from 1.5x turns.db
refused 2 '--to is "@40%", expected' --to @40% turns.db
refused 2 '--to is "nan", expected' --to nan turns.db
refused 2 '--to is "", expected' sweep --to '' turns.db
refused 1 '--from is 12s, and the trace goes from @100 s to @110 s (10 s)' --from 12s turns.db
refused 1 '(10 s); @105 is a time of the trace itself' --from 105 turns.db
refused 1 '--to is @99, and the trace goes from @100 s to @110 s (10 s)' --to @99 turns.db
refused 1 '--from is 5, after --to, which is 4' --from 5 --to 4 turns.db
refused 1 '--from is 50%, after --to, which is 4' --from 50% --to 4 turns.db
refused 2 '--snap needs a window, expected --from or --to' --snap turns.db
refused 1 'has no resource "d"; the nearest is "a"' --resource d turns.db
refused 1 'the nearest is "nancy/griffon"' sweep --resource nancy/grifon trace.db
refused 1 'the nearest is "nancy/griffon/griffon-sw2"' --resource griffon-sw2 trace.db
printf 'path,type,slice,value\na,x,0,1\n' >matrix.csv
refused 1 '--from needs a trace, and matrix.csv is a microscopic model' --from 1 matrix.csv
refused 1 '--resource needs a trace' sweep --resource a matrix.csv

# In a changed hierarchy a part covers the resources drawn there, whatever their paths in it: here
# two clusters have swapped theirs. A file or a group may name resources outside the part.
{
    echo resource,path
    cli sql --csv trace.db \
        "SELECT path, CASE WHEN path GLOB 'nancy/graphene/*' THEN 'nancy/griffon' || substr(path,
        15)
        WHEN path GLOB 'nancy/griffon/*' THEN 'nancy/graphene' || substr(path, 14) ELSE path END AS
        changed
        FROM resources WHERE name GLOB 'rank-*'" | sed 1d
} >changed.csv
changed() { # OPTION...
    local id seconds parts=0
    cli --json --kind spatial --slices 2 --parts 12 "$@" trace.db >whole.json
    seconds=$(jq '.end - .begin' whole.json)
    for id in $(jq '.parts[].id' whole.json | head -8); do
        parts=$((parts + 1))
        cli stats --json --kind spatial --slices 2 --parts 12 "$@" --part "$id" trace.db \
            >part.json || fail "$*: no statistics of part $id"
        near "time of part $id with $*" \
            "$(jq "[.parts[] | select(.id == $id) | .leaves * $seconds * (.shares | del(.[\"(no state)\"]) | add)] | add" whole.json)" \
            "$(jq '[.types[] | select(.category == "state").innermost] | add' part.json)" 1e-6
        cli parts --kind spatial --slices 2 --parts 12 "$@" --part "$id" trace.db >/dev/null ||
            fail "$*: no parts of part $id"
    done
    [ "$parts" -gt 2 ] || fail "$*: $parts parts"
}
changed --hierarchy changed.csv
changed --hierarchy auto
changed --group '*rank-1*=ones' --group '*graphite-1*=some'
changed --drop-level SWITCH --max-leaves 5
cli --json --slices 2 --resource nancy/graphite --hierarchy changed.csv \
    --group 'nancy/griffon*=none' trace.db >part.json
refused 1 'no resource matches "nancy/x*", the pattern of a group' --resource nancy/graphite \
    --group 'nancy/x*=none' trace.db
