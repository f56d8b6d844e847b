# Many clocks. Those of 700 ranks, each off by up to a second and 50 ppm: all that is known of them
# are messages. (bench/run.py prints how long it takes.)
. "$OCELOTL_ROOT/tests/cli/clocks.inc"

# Clocks in a long ring, and some that are joined at random.
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
    count=$((25000 / (1 + 4 * far)))
    python3 joined.py $count $far >>joined.trace
    cli import --force joined.trace -o joined-$far.db >/dev/null
    cli clocks --json joined-$far.db >clocks.json
    holds "joined" clocks.json "(.clocks | length) == $count and .groups == 1 and
        .tachyons_left == 0"
done
rm joined*

trace=$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst
zstd -dcq "$trace" | python3 "$maker" distort --seed 6 >wrong.trace 2>truth.json
end=$(zstd -dcq "$trace" | tail -n 1 | awk '{ print $2 }')
cli import wrong.trace -o wrong.db >/dev/null 2>&1 || fail "no import"
cli clocks --json --groups apart wrong.db >clocks.json || fail "refused"
within "700 clocks" 400 "$end"
holds "700 clocks" clocks.json '(.clocks | length) == 700 and .groups == 3 and
    .tachyons > 40000 and .tachyons_left == 0'
