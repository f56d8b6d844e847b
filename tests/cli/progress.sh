# On a terminal, long work shows its progress, its speed and the time left; elsewhere it prints a
# line every ten seconds.
need script

zstd -dcq "$sample" >run.trace
size=$(stat -c %s run.trace)
mkfifo pipe

# feed: the trace through the pipe, with a rest in between that is longer than what is not worth a
# word.
feed() {
    {
        head -c $((size / 2)) run.trace
        sleep 1
        tail -c +$((size / 2 + 1)) run.trace
    } >pipe
}

feed &
script -qec "'$OCELOTL_CLI' import pipe -o run.db" terminal.out </dev/null >/dev/null ||
    fail "import on a terminal"
wait
tr '\r' '\n' <terminal.out >lines
like lines 'importing: [0-9.]+ MB, [0-9.e+-]+ MB/s'
has lines 'run.db: '
feed &
cli import pipe -o other.db >quiet.out 2>quiet.err || fail "import without a terminal"
wait
[ ! -s quiet.err ] || fail "without a terminal: $(cat quiet.err)"

# Without a terminal a line comes every ten seconds, also where nothing happens; on one, after two.
(sleep 12; cat run.trace) | cli info - 2>quiet.err >/dev/null || fail "info of what comes late"
grep -qxE 'ocelotl-cli: after 1[0-9] s: reading standard input: 0.0 MB' quiet.err ||
    fail "no word within ten seconds: $(cat quiet.err)"
mkfifo answer
script -qec "'$OCELOTL_CLI' export run.db -o answer" terminal.out </dev/null >/dev/null &
sleep 4
cat answer >/dev/null
wait
has terminal.out '%, reading'

# Progress never falls, whatever the steps of a command are, and however often one is repeated.
cp "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst" large.trace.zst
cli import large.trace.zst -o large.db >/dev/null
export OMP_NUM_THREADS=1
said=0
never_falls() { # ARGUMENT...
    local percent last=0 steps
    script -qec "'$OCELOTL_CLI' $*" terminal.out </dev/null >/dev/null ||
        fail "$* on a terminal: $(tail -n 3 terminal.out)"
    tr '\r' '\n' <terminal.out | sed -nE 's/^(\x1b\[K)([0-9]+) %, ([a-z ]+).*/\2 \3/p' >percents
    while read -r percent steps; do
        [ "$percent" -ge "$last" ] || fail "$*: back from $last % to $percent % ($steps)"
        [ "$percent" -le 100 ] || fail "$*: $percent %"
        last=$percent
        said=$((said + 1))
    done <percents
    steps=$(sed 's/^[0-9]* //; s/[, ]*$//' percents | uniq | paste -sd ,)
    ! grep -q ' % .* %' <(tr '\r' '\n' <terminal.out) ||
        fail "$*: two numbers: $(grep ' % .* %' terminal.out | head -n 1)"
    echo "$*: $last %: $steps" >>steps
}
never_falls --no-cache --slices 100 --parts 100 --part 0 --parts 50 large.db -o zoomed.svg
never_falls --no-cache compare --slices 80 --p 0.5 large.trace.zst large.db -o both.svg
never_falls --no-cache --slices 80 large.db -o report.html
never_falls hierarchies --csv --slices 200 large.db
# Of four hierarchies the first leaves most of the work to the others.
first=$(awk '/finding levels/ { most = $1; next } most { exit } END { print most + 0 }' percents)
[ "$first" -lt 50 ] || fail "hierarchies: $first % after the first of four: $(cat percents)"
# A quick machine says something of long work alone.
[ "$said" -ge 2 ] || fail "hardly a word: $(cat steps)"
has steps 'finding levels'
