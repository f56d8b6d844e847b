# On a terminal long work says how far it is, how fast and how long it takes on; elsewhere it says nothing.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need script

zstd -dcq "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" >run.trace
size=$(stat -c %s run.trace)
mkfifo pipe

# feed: the trace through the pipe, with a rest in between that is longer than what is not worth a word.
feed() {
    {
        head -c $((size / 2)) run.trace
        sleep 1
        tail -c +$((size / 2 + 1)) run.trace
    } >pipe
}

feed &
script -qec "'$OCELOTL_CLI' import pipe -o run.db" terminal.out </dev/null >/dev/null || fail "import on a terminal"
wait
tr '\r' '\n' <terminal.out >lines
grep -qE 'importing: [0-9.]+ MB, [0-9.e+-]+ MB/s' lines || fail "no progress on a terminal: $(head -c 500 terminal.out)"
grep -q 'run.db: ' lines || fail "no result after the progress"
feed &
cli import pipe -o other.db >quiet.out 2>quiet.err || fail "import without a terminal"
wait
[ ! -s quiet.err ] || fail "without a terminal: $(cat quiet.err)"
finish
