# The overview finds the known fault of the traces: the machines of one switch compute at half speed
# for a while.
#
# The expected numbers come from an independent prototype of the method, with 60 slices and
# "(no state)" as a type. The delay is known from how the traces were made: the machines of switch
# griffon-sw2 are slow from 0.2054 s to 0.2470 s (96 ranks), and still compute when their neighbours
# already wait in the reduction over all.
need jq

# measure P FILE: the partition of the trace in hand.
measure() { cli --hierarchy trace --p "$1" --slices 60 --json trace.db >"$2"; }

# parts P EXPECTED: their number at p, to one or two, as ties may be broken otherwise.
parts() {
    measure "$1" parts.json
    holds "$trace at p = $1, about $2 parts" parts.json \
        '(.parts | length) - $n | . <= 2 and . >= -2' --argjson n "$2"
}

# whole GAIN LOSS: of the whole as one part; these may not differ but for the digits that are given.
whole() {
    measure 1 whole.json
    holds "$trace: the whole" whole.json '(.parts | length) == 1 and .parts[0].node == "" and
        (.gain - $gain | . < 0.05 and . > -0.05) and (.loss - $loss | . < 0.05 and . > -0.05)' \
        --argjson gain "$1" --argjson loss "$2"
}

import() {
    trace=$1
    cli import --force "$1" -o trace.db >/dev/null
}

# In jq: the parts that touch the slices of the delay, and "is near".
window='def inside($first; $last): select(.first <= $last and .last >= $first);
    def near($a; $b; $t): ($a - $b) | . <= $t and . >= -$t;'
switch=nancy/griffon/griffon-sw

find_delay_96() {
    measure "$1" delay.json
    holds "griffon-sw2 at p = $1" delay.json "$window"'
        [.parts[] | select(.node == $switch + "2") | inside(51; 53)] | length == 1 and (.[0] |
            .first == 51 and .last == 53 and near(.begin; 0.2458; 5e-5) and near(.end; 0.2603;
            5e-5) and
            near(.shares["(no state)"]; 0.91; 0.005))' --arg switch "$switch"
    holds "griffon-1 to -4 at p = $1 wait meanwhile" delay.json "$window"'
        [.parts[] | select(.node | test("^" + $switch + "1/griffon-[1-4]$")) | inside(51; 53)] |
        length == 4 and
            all(.first <= 51 and .last >= 53 and .shares.PMPI_Allreduce >= 0.955)' --arg switch \
            "$switch"
}

import "$sample"
whole 62545.2 9407.9
parts 0.5 101
parts 0.6 64
parts 0.7 10
parts 0.8 2
find_delay_96 0.5
find_delay_96 0.6
measure 0.6 spread.json
holds "machines next to the ends of the switch show the delay spreading" spread.json "$window"'
    [.parts[] | inside(45; 55) | .node] | map(select(test("/griffon-(9|10|47)(/|$)"))) | unique |
    length >= 3'
for p in 0.7 0.8; do
    measure $p phases.json
    holds "phases only at p = $p" phases.json "$window"'[.parts[] | inside(51; 53) | .node] == [""]'
done

# Nothing of the kind where the switch was as fast as the others.
import "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst"
for p in 0.5 0.6 0.7; do
    measure $p plain.json
    holds "the plain run at p = $p" plain.json "$window"'
        [.parts[] | inside(51; 53) | .node | select(startswith($switch))] == []' --arg switch \
        "$switch"
done

import "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst"
whole 582632.5 62407.7
parts 0.55 61
parts 0.7 8
parts 0.9 3
measure 0.55 large.json
holds "griffon-sw2 and its neighbour of 700 ranks" large.json "$window"'
    def over_delay($node): [.parts[] | select(.node == $node) | inside(36; 38)] |
    select(length == 1) | .[0] |
        select(.first == 36 and .last == 38 and near(.begin; 0.2358; 5e-5) and near(.end; 0.2554;
        5e-5)) | .shares;
    near(over_delay($switch + "2")["(no state)"]; 0.93; 0.005) and
    near(over_delay($switch + "3").PMPI_Allreduce; 0.86; 0.005)' --arg switch "$switch"
