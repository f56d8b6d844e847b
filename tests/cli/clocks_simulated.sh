# Clocks of a run that SimGrid simulates, on eight hosts of two ranks each; every host gets a clock
# that is off by what is known.
. "$OCELOTL_ROOT/tests/cli/clocks.inc"
need smpicc smpirun
source=$OCELOTL_ROOT/../shared/traces/quality/clocks.c
[ -e "$source" ] || { echo "skipped: $source is missing" && exit 77; }
cat >platform.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="host-" suffix="" radical="0-7" speed="1Gf" bw="1.25GBps" lat="15us"
    core="2"/>
</platform>
END
for host in 0 1 2 3 4 5 6 7; do printf 'host-%d\nhost-%d\n' "$host" "$host"; done >hosts
smpicc -O1 "$source" -o program >log 2>&1 || fail "no program: $(cat log)"
smpirun -np 16 -platform platform.xml -hostfile hosts -trace -trace-file run.trace \
    --cfg=tracing/precision:9 ./program 600 5e7 >log 2>&1 || fail "no run: $(tail -3 log)"

# distorted OPTIONS...: wrong.db is the run in clocks that are off by up to a second and 50 ppm.
distorted() {
    python3 "$maker" distort --by-host "$@" <run.trace >wrong.trace 2>truth.json
    cli import --force wrong.trace -o wrong.db >/dev/null 2>&1 || fail "$*: no import"
}
found() { cli clocks --at HOST --json "$@" wrong.db >clocks.json || fail "refused: $*"; }

distorted --seed 1
found
within "straight clocks" 2 35
holds "straight clocks" clocks.json '.messages == 24960 and .tachyons == 12480 and
    .tachyons_left == 0 and .groups == 1 and .bent == 0'
cp clocks.json linear.json
for pieces in pieces pieces=1; do
    found --drift "$pieces"
    within "straight clocks stay so" 2 35
    holds "straight clocks stay so" clocks.json '.windows == 1 and .clocks == $linear[0].clocks' \
        --slurpfile linear linear.json
done

# Clocks that oscillate are straight to twice the amplitude.
for amplitude in 5 20; do
    distorted --seed 1 --amplitude "${amplitude}e-6"
    found
    python3 "$maker" check clocks.json truth.json 0 35 >found
    awk -v most=$((2 * amplitude + 3)) '{ exit $1 > most }' found ||
        fail "$amplitude us: error, clocks outside their bounds, largest bound: $(cat found)"
    holds "$amplitude us" clocks.json '.tachyons > 12000 and .tachyons_left == 0'
done

# More than that no straight line explains: it is told; pieces follow it, and the rest is amortised.
distorted --seed 2 --amplitude 50e-6
found
holds "50 us, straight" clocks.json '.tachyons_left > 100 and .worst_left < -30e-6 and .bent > 0 and
    .eps == null'
worst=$(jq .worst_left clocks.json)
found --drift pieces
within "50 us, pieces" 45 35
holds "50 us, pieces" clocks.json '.tachyons_left == 0'
# As many as somebody wants: those that were found are what their number gives.
mv clocks.json automatic.json
found --drift "pieces=$(jq .windows automatic.json)"
same "the same number" "$(jq -S . automatic.json)" "$(jq -S . clocks.json)"
found --drift pieces=32
within "50 us, 32 pieces" 45 35
holds "50 us, 32 pieces" clocks.json '.tachyons_left == 0 and .windows == 32 and
    .windows_joined == 32 and
    ([.clocks[] | select(.knots) | .knots | length] | unique == [1, 32]) and
    .drift == "pieces" and .eps == null'
cli clocks --at HOST --drift pieces=32 wrong.db -o moved.db
cli causality --strict moved.db >/dev/null || fail "messages still end before they begin"
grep -q -- "--drift pieces=32 --max-drift" <(cli info --json moved.db | jq -r .derived.how) ||
    fail "what was asked for is not kept"
rm moved.db
cli clocks --at HOST wrong.db -o straight.db
cli clocks --at HOST --amortise wrong.db -o moved.db
found --amortise
# A message that ends so much too early has to end later by as much, and no end moves further.
holds "50 us, amortised" clocks.json '.tachyons_left == 0 and .amortised.jumps > 100 and
    .transit >= .amortised.latency and
    (.amortised.largest_move + $worst - .amortised.latency | fabs) < 2e-9' --argjson worst "$worst"
stretched straight.db moved.db MPI 'PMPI_*' 20000
awk -v most="$(jq .amortised.largest_move clocks.json)" '{ exit $1 > most + 2e-9 }' farthest ||
    fail "a state moves by $(cat farthest) s, further than any message"
cli causality --strict moved.db >/dev/null || fail "messages still end before they begin"
found --amortise --latency 20us
holds "a latency" clocks.json '.tachyons_left == 0 and .transit >= 20e-6 and
    (.amortised.largest_move + $worst - 20e-6 | fabs) < 2e-9' --argjson worst "$worst"

distorted --seed 1 --amplitude 200e-6
found
holds "200 us, straight" clocks.json '.tachyons_left > 1000 and .worst_left < -300e-6'
found --drift pieces
within "200 us, pieces" 130 35
holds "200 us, pieces" clocks.json '.tachyons_left <= 0.01 * .tachyons'
# Pieces that bend between messages still bend once these are moved.
cli clocks --at HOST --drift pieces=32 wrong.db -o straight.db --force 2>/dev/null
cli clocks --at HOST --drift pieces=32 --amortise wrong.db -o moved.db --force
stretched straight.db moved.db MPI 'PMPI_*' 20000
cli causality --strict moved.db >/dev/null || fail "messages still end before they begin"
found --drift pieces=64
within "200 us, 64 pieces" 130 35
holds "200 us, 64 pieces" clocks.json '.tachyons_left == 0'
found --drift pieces=128
python3 "$maker" check clocks.json truth.json 0 35 >found
awk '{ exit $1 < 150 }' found || fail "too many pieces follow the noise: $(cat found)"
cli clocks --at HOST --drift pieces --amortise wrong.db -o moved.db --force
cli causality --strict moved.db >/dev/null || fail "messages still end before they begin"
cli clocks --at HOST wrong.db -o straight.db --force 2>/dev/null
cli clocks --at HOST --amortise --latency 20us wrong.db -o moved.db --force
# Clocks that differ in speed by 126 ppm have to go back faster: they are stretched by more.
stretched straight.db moved.db MPI 'PMPI_*' 20000 0.025
cli causality --at HOST --latency 20us --json --strict moved.db >found.json ||
    fail "messages still end before they begin"
holds "200 us, a latency" found.json \
    '[.pairs[] | select(.source != .target) | .too_fast] | length > 20 and add == 0'
cli clocks --at HOST --amortise wrong.db -o moved.db --force
cli causality --strict moved.db >/dev/null || fail "messages still end before they begin"

distorted --seed 1 --until 0.7
found --max-drift 100
within "a short run" 60 0.7
holds "a short run" clocks.json '.messages == 512'
