# An independent reader, written in Python from docs/developer/store.md alone, lists the events that
# pj_dump finds in the trace, and finds the running totals at the beginning of the chunks.
need python3 pj_dump zstd
python3 -c 'import sqlite3' 2>/dev/null || { echo "skipped: this python3 has no sqlite3" &&
    exit 77; }

# compare TRACE: what pj_dump does not read is left out.
compare() {
    unpack "$1" >it.trace
    pj_dump -l 9 it.trace >dump.raw 2>/dev/null || pj_dump -n -l 9 it.trace >dump.raw 2>/dev/null ||
        return 0
    grep -v '^Container' dump.raw | sort >dump.txt || true
    cli import --force it.trace -o it.db >/dev/null 2>import.err ||
        { fail "$1: $(cat import.err)" && return 0; }
    python3 "$OCELOTL_ROOT/tests/independent_reader.py" --digits 9 it.db >got.raw 2>got.err ||
        { fail "$1: $(tail -n 2 got.err)" && return 0; }
    sort got.raw >got.txt
    cmp -s dump.txt got.txt || fail "$1: $(diff dump.txt got.txt | head -5)"
    compared=$((compared + 1))
}

# Streams of many chunks: nested states, steps of a variable, marks, messages with a size, on a
# clock that turns out to be finer than it first seemed.
long_trace() {
    paje_events DefineContainerType DefineStateType DefineVariableType DefineEventType \
        DefineLinkType CreateContainer DestroyContainer PushState PopState SetVariable NewEvent \
        StartLink+size EndLink
    cat <<'END'
0 T 0 thread
1 S T state
2 V T load
3 E T mark
4 L 0 T T message
5 0 a T 0 alpha
5 0 b T 0 beta
END
    awk 'BEGIN {
        srand(5)
        split("a b", place, " ")
        for (i = 0; i < 40000; i++) {
            ticks += int(rand() * 3) * (i < 24000 ? 100 : 1)
            time = sprintf(i < 24000 ? "%.3f" : "%.5f", ticks / 100000)
            where = place[1 + int(rand() * 2)]
            what = rand()
            if (what < 0.5 && depth[where] < 5) {
                print 7, time, "S", where, "v" int(rand() * 4); depth[where]++ }
            else if (what < 0.7 && depth[where] > 1) { print 8, time, "S", where; depth[where]-- }
            else if (what < 0.8) print 9, time, "V", where, int(rand() * 100)
            else if (what < 0.85) print 10, time, "E", where, "m" int(rand() * 3)
            else if (what < 0.92) print 11, time, "L", 0, "w", where, "k" begun++, int(rand() * 1e6)
            else if (ended < begun) print 12, time, "L", 0, "w", where, "k" ended++
        }
        for (; ended < begun; ended++) print 12, ticks / 100000 + 1, "L", 0, "w", "a", "k" ended
        print 6, ticks / 100000 + 2, "T", "a"
        print 6, ticks / 100000 + 2, "T", "b"
    }'
}

compared=0
long_trace >long.trace
compare "$folder/long.trace"
same "are there chunks of two units, and streams of several chunks" "1 1" "$(cli sql --csv it.db \
    'SELECT count(DISTINCT unit) > 1, max(number) > 1 FROM chunk' 2>/dev/null | tail -n 1 |
    tr , ' ')"
compare "$sample"
for name in events links native_sample states variables; do
    [ ! -e "$shared/pajeng-$name.trace" ] || compare "$shared/pajeng-$name.trace"
done
[ "$compared" -ge 2 ] || fail "pj_dump read $compared traces only"
