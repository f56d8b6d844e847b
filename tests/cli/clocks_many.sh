# Many clocks. Those of 700 ranks, each off by up to a second and 50 ppm: all that is known of them
# are messages. (bench/run.py prints how long it takes.)
. "$OCELOTL_ROOT/tests/cli/clocks.inc"

# Clocks in a long ring have few equations; of so many that are joined at random they would take
# gigabytes, and what would help is said.
cat >joined.py <<'END'
import random, sys
count, far = int(sys.argv[1]), int(sys.argv[2])
random.seed(1)
print("0 P 0 proc\n3 L 0 P P m")
for i in range(count):
    print(f"2 0 p{i} P 0 rank-{i}")
pairs = [(i, (i + 1) % count) for i in range(count)]
pairs += [(i, random.randrange(count)) for i in range(count) for _ in range(far)]
pairs = [(a, b) for a, b in pairs if a != b]
for key, (a, b) in enumerate(pairs):
    print(f"4 1 L 0 m p{a} {key}\n4 1 L 0 m p{b} {key}b")
for key, (a, b) in enumerate(pairs):
    print(f"5 2 L 0 m p{b} {key}\n5 2 L 0 m p{a} {key}b")
END
for far in 0 2; do
    paje_definitions DefineLinkType StartLink EndLink >joined.trace
    python3 joined.py 25000 $far >>joined.trace
    cli import --force joined.trace -o joined-$far.db >/dev/null
done
cli clocks joined-0.db >text
like text '^clocks     25000, one for each proc'
refused 1 'the clocks are too many, and each is joined with too many others: their equations take more than 1 GiB; expected fewer clocks (--at)' \
    clocks joined-2.db
rm joined*

trace=$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst
zstd -dcq "$trace" | python3 "$maker" distort --seed 6 >wrong.trace 2>truth.json
end=$(zstd -dcq "$trace" | tail -n 1 | awk '{ print $2 }')
cli import wrong.trace -o wrong.db >/dev/null 2>&1 || fail "no import"
cli clocks --json --groups apart wrong.db >clocks.json || fail "refused"
within "700 clocks" 400 "$end"
holds "700 clocks" clocks.json '(.clocks | length) == 700 and .groups == 3 and
    .tachyons > 40000 and .tachyons_left == 0'
