# Every command that takes a TRACE takes it from standard input, of any kind, and answers as for a
# file.
need zstd
cp "$sample" run.trace.zst
unpack run.trace.zst >run.trace
cli import run.trace.zst -o run.db >/dev/null
printf 'path,type,slice,value\na,x,0,1\na,x,1,0\nb,x,0,0\nb,x,1,2\n' >m.csv
export TMPDIR=$folder/temporary
mkdir "$TMPDIR"

# But for the trace's own name, which it has not.
unnamed() { sed 's/"\(name\|trace\)":"\(smpi-stencil-96\|run\|standard input\)",//' "$@"; }

# alike WHAT ARGUMENT...: of the trace.db by name, and of the same trace from standard input in
# three ways.
alike() {
    local what=$1 way
    shift
    cli "$@" run.db >file.out 2>file.err || fail "$what: $(cat file.err)"
    for way in run.trace.zst run.trace run.db; do
        cat "$way" | cli "$@" - >pipe.out 2>pipe.err || fail "$what from $way: $(cat pipe.err)"
        cmp -s <(unnamed file.out) <(unnamed pipe.out) ||
            fail "$what is not the same of $way from standard input"
    done
}
alike overview --slices 20 --p 0.5 --json
alike sweep sweep --slices 5 --json
alike parts parts --slices 5 --p 0.5 --json
alike stats stats --json
alike treemap treemap --slices 5 --json
alike series series --at MPI
alike gantt gantt --json
alike export export
query='SELECT count(*), sum(duration) FROM events'
same "sql" "$(cli sql run.db "$query")" "$(cli sql - "$query" <run.trace)"
cli info --json run.db | sed \
    's/"name":"[^"]*",//; s/"path":"[^"]*",//; s/"size":[0-9]*,//; s/"bytes_per_event":[^,]*,//' \
    >file.out
cli info --json - <run.trace |
    sed 's/"name":"[^"]*",//; s/"path":"[^"]*",//; s/"size":[0-9]*,//; s/"bytes_per_event":[^,]*,//' >pipe.out
cmp -s file.out pipe.out || fail "info is not the same: $(cat pipe.out)"
for second in run.db -; do
    cli compare --json - $second <run.trace >pipe.out || fail "compare with $second"
    holds "compare with $second" pipe.out \
        '.first.name == "standard input" and ([.changes[].change] | all(. == 0))'
done

# The cache takes nothing without a name, and nothing is left behind.
[ -z "$(find "$XDG_CACHE_HOME" -name '*.db' 2>/dev/null)" ] ||
    fail "standard input went into the cache"
[ -z "$(ls -A "$TMPDIR")" ] || fail "left in TMPDIR: $(ls -A "$TMPDIR")"

# Without -o the picture has a name all the same.
same "an overview" stdin.svg "$(cli --slices 5 - <run.trace.zst)"
same "a Gantt chart" stdin-gantt.svg "$(cli gantt - <run.trace.zst)"
same "a treemap" stdin-treemap.svg "$(cli treemap --slices 5 - <run.db)"
same "a matrix" stdin.svg "$(cli - <m.csv)"
cmp -s <(cli --p 1 --json - <m.csv) <(cli --p 1 --json m.csv) || fail "a matrix"
cli --slices 5 --part 0 --p 1 - -o zoom.svg <run.trace || fail "a zoom reads it once"
refused 1 'stdin-gantt.svg was drawn of standard input' --again stdin-gantt.svg -o b.svg

# What is wrong is said of standard input.
refused 1 'standard input: is empty, expected a trace' info - </dev/null
refused 1 'standard input: is of no format that is known' - -o x.svg <<<'Hello, world.'
refused 1 'standard input: is a microscopic model, expected a trace' info - <m.csv
refused 1 '--slices needs a trace, and standard input is a microscopic model' --slices 5 - <m.csv
head -n 1500 run.trace >broken.trace && echo '1 2 3' >>broken.trace
refused 1 'standard input:1501: ' info - <broken.trace
has refused.err '; --lenient skips such lines'
cli info --lenient - <broken.trace >/dev/null 2>lenient.err || fail "lenient: $(cat lenient.err)"
like lenient.err '^ocelotl-cli: skipped 1 line, such as standard input:1501: '
TMPDIR=$folder/nowhere refused 1 "$folder/nowhere/ocelotl-uncached-" info - <run.trace
