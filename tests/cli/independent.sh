# An independent reader, written in Python from docs/developer/store.md alone, lists the events that
# pj_dump finds in the trace, and finds the running totals at the beginning of the chunks.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
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
    cat <<'END'
%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 2
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineEventType 3
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineLinkType 4
% Alias string
% Type string
% StartContainerType string
% EndContainerType string
% Name string
%EndEventDef
%EventDef PajeCreateContainer 6
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeDestroyContainer 7
% Time date
% Type string
% Name string
%EndEventDef
%EventDef PajePushState 9
% Time date
% Type string
% Container string
% Value string
%EndEventDef
%EventDef PajePopState 10
% Time date
% Type string
% Container string
%EndEventDef
%EventDef PajeSetVariable 12
% Time date
% Type string
% Container string
% Value double
%EndEventDef
%EventDef PajeNewEvent 15
% Time date
% Type string
% Container string
% Value string
%EndEventDef
%EventDef PajeStartLink 16
% Time date
% Type string
% Container string
% StartContainer string
% Value string
% Size int
% Key string
%EndEventDef
%EventDef PajeEndLink 17
% Time date
% Type string
% Container string
% EndContainer string
% Value string
% Key string
%EndEventDef
0 T 0 thread
1 S T state
2 V T load
3 E T mark
4 L 0 T T message
6 0 a T 0 alpha
6 0 b T 0 beta
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
                print 9, time, "S", where, "v" int(rand() * 4); depth[where]++ }
            else if (what < 0.7 && depth[where] > 1) { print 10, time, "S", where; depth[where]-- }
            else if (what < 0.8) print 12, time, "V", where, int(rand() * 100)
            else if (what < 0.85) print 15, time, "E", where, "m" int(rand() * 3)
            else if (what < 0.92) print 16, time, "L", 0, where, "w", int(rand() * 1e6), "k" begun++
            else if (ended < begun) print 17, time, "L", 0, where, "w", "k" ended++
        }
        for (; ended < begun; ended++) print 17, ticks / 100000 + 1, "L", 0, "a", "w", "k" ended
        print 7, ticks / 100000 + 2, "T", "a"
        print 7, ticks / 100000 + 2, "T", "b"
    }'
}

compared=0
long_trace >long.trace
compare "$folder/long.trace"
same "are there chunks of two units, and streams of several chunks" "1 1" "$(cli sql --csv it.db \
    'SELECT count(DISTINCT unit) > 1, max(number) > 1 FROM chunk' 2>/dev/null | tail -n 1 |
    tr , ' ')"
compare "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst"
for name in events links native_sample states variables; do
    [ ! -e "$shared/pajeng-$name.trace" ] || compare "$shared/pajeng-$name.trace"
done
[ "$compared" -ge 2 ] || fail "pj_dump read $compared traces only"
finish
