# What clocks are found from: collective operations, samples alone, and what is refused.
. "$OCELOTL_ROOT/tests/cli/clocks.inc"

# --- Barriers of a trace that tells no communicators

python3 "$maker" make --seed 3 --barriers 2 --rounds 300 >made.trace 2>truth.json
cli import made.trace -o made.db >/dev/null 2>&1
cli clocks --at machine --json made.db >clocks.json
holds "names are not guessed" clocks.json '.evidence == ["messages"] and .collectives == 0 and
    (.left_out | . == "MPI_Barrier: no communicators are told; where all take part, --collective says so")'
cli clocks --at machine --evidence collectives --json made.db >clocks.json
within "barriers alone" 5 15
holds "what was used" clocks.json '.evidence == ["collectives"] and .messages == 0 and
    .collectives == 150 and .collectives_wrong > 1000 and .collectives_left == 0 and .tachyons > 0
    and .tachyons_left == 0 and .groups == 1'
cli clocks --at machine --evidence messages,collectives --json made.db >clocks.json
within "both" 5 15
holds "both" clocks.json '.evidence == ["messages", "collectives"] and .messages > 0'
cli clocks --at machine --collective 'MPI_B*=barrier' --json made.db >clocks.json
holds "named" clocks.json '.evidence == ["messages", "collectives"] and .collectives == 150'

# Without a message, and amortised where clocks bend.
grep -v '^[67] ' made.trace >without.trace
cli import without.trace -o without.db >/dev/null 2>&1
cli clocks --at machine --evidence collectives --json without.db >clocks.json
within "without messages" 5 15
python3 "$maker" make --seed 3 --barriers 2 --rounds 300 --amplitude 5e-4 >bent.trace 2>truth.json
cli import bent.trace -o bent.db >/dev/null 2>&1
cli clocks --at machine --collective MPI_Barrier=barrier --json bent.db >clocks.json
holds "clocks that bend" clocks.json '.bent > 0 and .collectives_left > 0'
cli clocks --at machine --collective MPI_Barrier=barrier --amortise bent.db -o even.db
cli causality --at machine --collective MPI_Barrier=barrier --strict --json even.db >found.json ||
    fail "amortised messages end before they begin"
holds "nobody leaves too early" found.json '.collective == 0 and .collectives == 150'
cli clocks --at machine --collective MPI_Barrier=barrier --drift pieces --json bent.db >clocks.json
within "pieces" 150 15

# The violations, against a few lines of awk: the k-th barriers of all ranks.
cli causality --at machine --collective MPI_Barrier=barrier --json made.db >found.json
cli sql --csv made.db "SELECT resource, begin, end FROM events WHERE value = 'MPI_Barrier'
    ORDER BY resource, begin" | awk -F , 'NR > 1 {
        k = $1 == last ? k + 1 : 0; last = $1
        if (!(k in entered) || $2 > entered[k]) { entered[k] = $2; who[k] = $1 }
        leave[k, $1] = $3
    } END {
        for (i in leave) {
            split(i, at, SUBSEP)
            if (leave[i] < entered[at[1]] && at[2] != who[at[1]]) wrong++
        }
        print wrong
    }' >wrong
same "violations" "$(cat wrong)" "$(jq .collective found.json)"
same "rows" "$(cat wrong)" "$(cli causality --at machine --collective MPI_Barrier=barrier --csv \
    made.db | grep -c '^collective,')"
holds "each is of two ends" found.json '[.violations[] | select(.kind == "collective") |
    (.end - .begin - .amount | fabs) < 1e-9 and .amount < 0] | all'
cli causality --at machine --collective MPI_Barrier=barrier made.db -o wrong.db
same "instants" "$(cat wrong)" "$(cli sql --csv wrong.db "SELECT count(*) FROM events
    WHERE value = 'collective'" | tail -1)"

# --- Three clusters without messages between them (the names of operations join them)

stencil=$sample
cli import "$stencil" -o stencil.db >/dev/null 2>&1
got=0
cli clocks stencil.db -o never.db 2>err || got=$?
same "groups" 1 "$got"
has err 'its 96 clocks are in 3 groups'
has err 'each MPI has a clock, since links begin and end there; expected fewer clocks (--at MACHINE), '
has err 'collective operations (--collective, or --evidence messages,collectives for names of MPI)'
cli clocks --json --groups apart stencil.db >clocks.json
holds "names that are not guessed are said" clocks.json '.groups == 3 and
    (.left_out | test("^PMPI_Barrier, PMPI_Allreduce: no communicators are told; "))'
has err 'graphene-1/rank-0 with 23 others; nancy/graphite/graphite-sw1/graphite-1/rank-24 with 11 others; '
root=nancy/graphene/graphene-sw1/graphene-1/rank-0
cli clocks --collective '*Barrier=barrier' --collective "*Bcast=one-to-all:$root" --json \
    stencil.db >clocks.json || fail "the clusters are not joined"
holds "one group" clocks.json '.groups == 1 and .collectives == 5 and .left_out == ""'
cli clocks --evidence messages,collectives --json stencil.db >clocks.json
holds "what is left out is said" clocks.json '.groups == 1 and .collectives == 1 and
    (.left_out | test("PMPI_Allreduce .[0-9]+ operations.: not all of its resources have it equally often")) and
    (.left_out | test("PMPI_Bcast .[0-9]+ operations.: its root is not known"))'
cli causality --collective '*Barrier=barrier' --collective "*Bcast=one-to-all:$root" --json \
    stencil.db >found.json
holds "nothing is wrong" found.json '.collective == 0 and .collectives == 5'
# Messages that never come back, nor round.
python3 "$maker" make --chain --rounds 20 >chain.trace 2>/dev/null
cli import chain.trace -o chain.db >/dev/null 2>&1
refused_groups=0
cli clocks --at machine chain.db -o never.db 2>err || refused_groups=$?
same "no cycle" 1 "$refused_groups"
has err '(host-0; host-1; host-2; host-3; host-4; host-5; and 2 more)'
[ ! -e never.db ] || fail "a trace of clocks that nothing joins was written"

# --- Samples alone

python3 "$maker" sample --seed 7 >samples.csv 2>truth.json
python3 - >steps.csv <<'END'
print("clock,time,offset,deviation")
for i in range(400):
    print(f"host-{1 + i % 2},{10 * (i // 2)},0,0.01")
END
cli clocks --at machine --evidence samples --groups apart --samples steps.csv --json without.db \
    >clocks.json || fail "samples alone"
holds "clocks without samples stay apart" clocks.json '.groups == 6 and .samples == 400'

# --- What is refused

refused 2 '--evidence is "gossip", expected messages, samples or collectives' \
    clocks --evidence gossip made.db
refused 2 '--evidence is "gossip"' clocks --evidence messages,gossip made.db
refused 1 'says no kind of collective operation, expected PATTERN=barrier' \
    clocks --collective MPI_Barrier made.db
refused 1 'says no kind of collective operation' clocks --collective MPI_Barrier=ring made.db
refused 1 'names no root, expected its path behind a colon' \
    clocks --collective MPI_Barrier=one-to-all made.db
refused 1 'names a root, expected none: all wait for all' \
    clocks --collective MPI_Barrier=barrier:host-1 made.db
refused 1 '"hsot-1" is no resource, expected the path of the root of a collective operation; one is called "host-1"' \
    clocks --collective MPI_Barrier=one-to-all:hsot-1 made.db
refused 1 'is called "MPI_Barier", expected one that is a collective operation, perhaps "MPI_Barrier"' \
    causality --collective MPI_Barier=barrier made.db
refused 1 'there are no collective operations that tell of clocks' \
    clocks --evidence collectives chain.db
refused 1 'samples are to be the only evidence, but no table of them is given' \
    clocks --evidence samples made.db
refused 1 'samples are given, but they are not among the evidence that is asked for' \
    clocks --at machine --evidence messages --samples samples.csv made.db
for option in fit median; do
    refused 2 "unknown option --$option; --samples bound clocks, without a fit or a median of them" \
        clocks --$option 5 made.db
done
refused 1 'speeds that change are found from messages or collective operations, and samples are the only evidence' \
    clocks --at machine --evidence samples --samples samples.csv --drift pieces made.db
refused 2 '--latency is what messages take once --amortise moved them, expected both' \
    clocks --at machine --latency 2us made.db
refused 1 '--latency is "0", expected more than 0 s' \
    clocks --at machine --amortise --latency 0 made.db
same "between two ticks" "$(cli clocks --at machine --amortise --latency 1ns made.db)" \
    "$(cli clocks --at machine --amortise --latency 0.1ns made.db)"
refused 2 '--max-drift and --drift none exclude each other' \
    clocks --at machine --drift none --max-drift 50 made.db
refused 2 '--between and --amortise exclude each other' \
    clocks --at machine --amortise --between host-0,host-1 made.db -o never.svg
for output in '' never.csv never.svg; do
    refused 2 '--tick-factor is of the new trace, expected -o FILE.db with it' \
        clocks --at machine --tick-factor 10 made.db ${output:+-o "$output"}
done
[ ! -e never.svg ] || fail "a refused picture is there"
for kind in 6 7; do
    grep -v "^$kind " made.trace >halves.trace
    cli import --force halves.trace -o halves.db >/dev/null 2>&1
    refused 1 'links have one end alone, so nothing says how its clocks differ; expected begins and ends with the same keys' \
        clocks --at machine halves.db
done
head -2 samples.csv >one.csv
cli clocks --at machine --evidence samples --samples one.csv --groups apart --json without.db \
    >clocks.json
holds "one sample bounds a run by the limit of drifts" clocks.json '.samples == 1 and
    .groups == 7 and .clocks[1].bound > 1e-3 and .clocks[1].bound < 1e-2'

# Digits that ticks do not hold widen what is known: 1.4 us to 0.4 us is no whole microsecond.
clock=$(jq -r '.clocks[1].clock' clocks.json)
reference=$(jq -r '.clocks[0].clock' clocks.json)
tick=$(cli info --json without.db | jq ".tick_numerator / .tick_denominator")
python3 - "$clock" "$tick" >fine.csv <<'END'
import sys
clock, tick = sys.argv[1], float(sys.argv[2])
print("clock,time,offset,deviation")
for second in (1, 2):
    print(f"{clock},{second},{1.4 * tick:.18f},{.4 * tick:.18f}")
END
cli clocks --at machine --evidence samples --samples fine.csv --groups apart \
    --reference "$reference" --json without.db >clocks.json
holds "what is between ticks" clocks.json ".clocks[1] | (.offset + .bound >= -1 * $tick - 1e-15) and
    (.offset - .bound <= -1.8 * $tick + 1e-15)"
holds "of groups nothing is in order" clocks.json '.groups == 7 and .eps == null'
cli clocks --at machine --evidence samples --samples fine.csv --groups apart without.db >text
has text 'different groups are in no order'
lacks text 'every cause'

# --- One way alone: groups that nothing compares are moved until no message is wrong

cat >one_way.py <<'END'
import random, sys
chance = random.Random(int(sys.argv[1]))
count, messages = chance.choice([(2, 3), (5, 300), (40, 2000), (60, 61)])
ahead = [chance.uniform(10, 20) for _ in range(count)]
print("resource,type,value,begin,end,category,source,target")
for clock in range(count):
    print(f"r{clock},S,r,{ahead[clock]},{100 + ahead[clock]},state,,")
for _ in range(messages):
    one, other = sorted(chance.sample(range(count), 2))
    time = chance.uniform(1, 95)
    print(f"r{one},L,m,{time + ahead[one]},"
          f"{time + chance.uniform(0, .01) + ahead[other]},link,r{one},r{other}")
END
wrong() { cli causality --json "$1" | jq '[.violations[] | select(.kind == "tachyon")] | length'; }
for seed in 1 2 3 4 5 6 7 8; do
    python3 one_way.py "$seed" >one_way.csv
    quiet one_way.csv -o one_way.db
    cli clocks --force --groups apart one_way.db -o apart.db 2>/dev/null
    same "one way, seed $seed" 0 "$(wrong apart.db)"
done
[ "$(wrong one_way.db)" -gt 0 ] || fail "no message was wrong before"
cli clocks --groups apart --json one_way.db >parted.json
holds "what is moved" parted.json '.groups > 1 and .parted > 0'
