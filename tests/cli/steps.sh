# --move: windows that move, against windows that are given; the strip above a window at a level of
# its own.
need jq

example

end=$(cli info --json trace.db | jq '.begin + .duration')

# moves FROM TO COMMAND...: the options move the window 60 .. 90 ms there.
moves() {
    local from=$1 to=$2
    shift 2
    cli --json --slices 10 --from "$from" --to "$to" trace.db >expected.json
    cli --json --slices 10 --from 60ms --to 90ms "$@" trace.db >got.json
    cmp -s expected.json got.json ||
        fail "$*: $(jq -c '[.parts[].begin, .parts[].end] | min, max' got.json), not $from .. $to"
}
moves 90ms 120ms --move 100%
moves 30ms 60ms --move -100%
moves 120ms 150ms --move 100% --move 100%
moves 60ms 90ms --move 100% --move -100%
moves 75ms 105ms --move 50%
moves 45ms 75ms --move -50%
moves 105ms 135ms --move 100% --move 50%
moves "$(jq -n "$end - 0.03")" "$end" --move 2000%
moves 0ms 30ms --move -300%

# A window with one end goes to the trace's.
cli --json --slices 10 --from 200ms --move -10% trace.db >got.json
near "from on" "$(jq -n "$end - ($end - 0.2) * 0.1")" "$(jq '[.parts[].end] | max' got.json)" 1e-4

# Commands of events see the same window; sums of neighbouring windows are those of both.
for command in stats 'gantt' 'matrix' 'series'; do
    cli $command --json --from 90ms --to 120ms trace.db >expected.json
    cli $command --json --from 60ms --to 90ms --move 100% trace.db >got.json
    same "$command" "$(jq -S . expected.json)" "$(jq -S . got.json)"
done
time_in() { cli stats --json "$@" trace.db | jq '[.types[].innermost] | add'; }
near "windows that touch" "$(time_in --from 60ms --to 120ms)" \
    "$(jq -n "$(time_in --from 60ms --to 90ms) + $(time_in --from 60ms --to 90ms --move 100%)")" 1e-9

# From a picture: each step goes on from the one before, a new window begins anew.
cli --slices 10 --from 60ms --to 90ms trace.db -o first.svg
cli --again first.svg --move 100% -o second.svg
cli --again second.svg --move 100% -o third.svg
cli --again third.svg --move -50% -o fourth.svg
cli --again fourth.svg --from 170ms --to 200ms -o fifth.svg
# picture FILE FROM TO
picture() {
    cli --slices 10 --from "$2" --to "$3" trace.db -o expected.svg
    cmp -s <(grep -v '<command>' expected.svg) <(grep -v '<command>' "$1") ||
        fail "$1: not $2 .. $3"
}
picture second.svg 90ms 120ms
picture third.svg 120ms 150ms
picture fourth.svg 105ms 135ms
picture fifth.svg 170ms 200ms

# The strip above a window, at any level of the whole that sweep lists.
cli sweep --kind temporal --json trace.db >levels.json
cli --from 20% --to 30% --context-level 1 trace.db -o one.svg
cli --from 20% --to 30% --context-level 12 trace.db -o twelve.svg
! cmp -s <(grep -v '<command>' one.svg) <(grep -v '<command>' twelve.svg) ||
    fail "--context-level changes nothing"
auto=$(jq '.levels | map(.auto) | index(true) + 1' levels.json)
cli --from 20% --to 30% trace.db -o plain.svg
cli --from 20% --to 30% --context-level "$auto" trace.db -o auto.svg
cmp -s <(grep -v '<command>' plain.svg) <(grep -v '<command>' auto.svg) ||
    fail "the level to show first is another one"

refused 2 '--move moves a window, expected --from or --to with it' --move 100% trace.db
refused 2 '--move is "50", expected a share of the window, such as 50% or -100%' \
    --from 1% --move 50 trace.db
refused 2 '--move is "0%", expected' --from 1% --move 0% trace.db
refused 2 '--move and --part exclude each other' --from 1% --part 0 --move 100% trace.db
refused 1 'the window is at the end of the trace already' --from 50% --move 100% trace.db
refused 1 '--context-level is 9999, expected at most' --from 50% --context-level 9999 trace.db
