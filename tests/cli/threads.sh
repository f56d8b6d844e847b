# If the system has fewer threads than asked, fewer do the work, with the same answer; no library
# ends the program.

# The sanitizers take more addresses than any limit here leaves.
(ulimit -v 1000000 && cli --version >/dev/null 2>&1) ||
    { echo "skipped: addresses cannot be limited" && exit 77; }

cp "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst" run.trace.zst
cli import run.trace.zst -o run.db >/dev/null
commands=(
    '--no-cache --p 0.3 --slices 150'
    '--no-cache --hierarchy auto --slices 40 --p 0.3'
    'gantt'
    'treemap --p 0.3'
)
for i in "${!commands[@]}"; do
    cli ${commands[i]} run.db -o right.svg
    mv right.svg "right$i.svg"
done
cli series run.db >right.series
cli stats run.db >right.stats
cli export run.db >right.export

# check WHAT: every command, with more threads than there can be.
check() {
    local i
    export OMP_NUM_THREADS=64
    for i in "${!commands[@]}"; do
        cli ${commands[i]} run.db -o out.svg 2>err ||
            fail "$1: ${commands[i]}: exit code $?: $(cat err)"
        [ ! -s err ] || fail "$1: ${commands[i]}: $(cat err)"
        # What the picture carries of its command names the file.
        cmp -s <(sed 's/right\.svg/out.svg/g' "right$i.svg") out.svg ||
            fail "$1: ${commands[i]}: another picture"
        rm -f out.svg
    done
    for i in series stats export; do
        cli "$i" run.db >out 2>err || fail "$1: $i: exit code $?: $(cat err)"
        cmp -s "right.$i" out || fail "$1: $i: another answer"
    done
    cli --threads 200 --no-cache --p 0.3 --slices 150 run.db -o out.svg || fail "$1: --threads 200"
    rm -f out.svg
    cli info --no-cache run.trace.zst >/dev/null || fail "$1: import"
    finish
}
for limit in 400000 1000000; do
    (ulimit -v "$limit" && check "ulimit -v $limit") || fail "ulimit -v $limit"
done
(export OMP_STACKSIZE=64M && ulimit -v 700000 && check "threads with large stacks") ||
    fail "threads with large stacks"

# limited KILOBYTES THREADS: whether an overview is drawn with so many addresses.
limited() {
    (ulimit -v "$1" && cli --force --no-cache --threads "$2" run.db -o out.svg) 2>err
}
# What one thread has room for, more threads do not fail at.
limit=100000
while ! limited "$limit" 1; do
    limit=$((limit + 10000))
    [ "$limit" -lt 1000000 ] || break
done
# Losses of all nodes would need more: they are computed anew instead.
[ "$limit" -le 150000 ] || fail "an overview of 700 leaves needs $limit kB"
for threads in 2 64; do
    limited $((limit + 10000)) "$threads" || fail "$threads threads in $limit kB: $(cat err)"
done
# Of root no processes are counted.
[ "$(id -u)" -eq 0 ] || (ulimit -u 30 && check "ulimit -u") || fail "ulimit -u"
