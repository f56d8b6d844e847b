# Blocks of memory as links from the thread that allocates to the one that frees: of the recorder in
# examples/, and what `heap` makes of calls in other traces. The program allocates what its head
# says, so that all is known by arithmetic.
need cc jq

# A sanitizer stands in front of malloc itself.
if grep -q '^OCELOTL_SANITIZE:BOOL=ON' "$OCELOTL_BUILD/CMakeCache.txt"; then
    exit 77
fi

cc -O1 -pthread "$OCELOTL_ROOT/tests/heap_program.c" -o known
cc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC -ftls-model=initial-exec \
    "-I$OCELOTL_ROOT/include" "$OCELOTL_ROOT/examples/record_heap.c" -o record_heap.so \
    "-L$OCELOTL_BUILD" -locelotl -ldl "-Wl,-rpath,$OCELOTL_BUILD"
record() { OCELOTL_HEAP=$1 LD_PRELOAD=$PWD/record_heap.so "${@:2}"; }

# --- The recorder

record known.db ./known
cli verify known.db >/dev/null
# Who frees whose: thread k of the program is the recorder's thread k + 1, and thread 3 frees the
# last 50 of thread 0. Sums of 1000 (k + 1) + i over 0 to 149 and 199, and over 150 to 198.
python3 - >expected.txt <<'EOF'
for k in range(4):
    me, last = f"known/thread {k + 1}", "known/thread 4" if k in (0, 3) else ""
    size = lambda i: 1000 * (k + 1) + i
    rows = {(me, me, "malloc"): [size(i) for i in [*range(150), 199]]}
    last = last if k == 0 else ""
    rows[me, last, "malloc"] = [size(i) for i in range(150, 199)]
    rows[me, last, "realloc"] = [100000]
    for (source, target, kind), sizes in sorted(rows.items()):
        print(source, target, kind, len(sizes), sum(sizes), sep=",")
EOF
ask known.db "SELECT source, target, value, count(*), sum(json_extract(attributes, '\$.size'))
    FROM events WHERE type = 'allocation' AND json_extract(attributes, '\$.size') >= 1000
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3" | sort | diff <(sort expected.txt) - || fail "not the blocks"
same calls 'free 650,malloc 800,realloc 4' "$(ask known.db "SELECT value || ' ' || count(*)
    FROM events WHERE type = 'call' AND value <> 'calloc' GROUP BY value" | paste -sd,)"
like <(ask known.db "SELECT DISTINCT json_extract(attributes, '\$.caller') FROM events
    WHERE value = 'realloc' AND type = 'allocation'") '^known\+0x[0-9a-f]+$'

# Blocks end where another call takes them, and those of one address do not overlap.
same overlaps '' "$(ask known.db "SELECT a.begin FROM events a, events b WHERE a.target <> '' AND
    a.type = 'allocation' AND b.type = 'allocation' AND a.begin < b.begin AND b.begin < a.end AND
    json_extract(a.attributes, '\$.address') = json_extract(b.attributes, '\$.address')")"

# All kinds of calls; what failed, or was no block, is none; a program that is started is another.
cat >kinds.c <<'EOF'
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    void *volatile made = NULL;
    void *given;
    free(NULL);
    made = malloc(SIZE_MAX / 4);
    made = realloc(NULL, 10);
    made = realloc(made, SIZE_MAX / 4) == NULL ? made : NULL;
    made = realloc(made, 0);
    made = calloc(7, 11);
    if (posix_memalign(&given, 3, 8) == 0 || posix_memalign(&given, 64, 4000) != 0)
        return 1;
    made = aligned_alloc(128, 256);
    made = memalign(64, 100); /* not recorded */
    free(made);
    free(given);
    return system("true");
}
EOF
cc -O0 -w -fno-builtin kinds.c -o kinds
record kinds.db ./kinds
ask kinds.db "SELECT value, json_extract(attributes, '\$.size'), target <> '' FROM events
    WHERE type = 'allocation' AND json_extract(attributes, '\$.caller') LIKE 'kinds%'
    ORDER BY begin" >kinds.txt
diff - kinds.txt <<'EOF' || fail "not the kinds of calls"
realloc,10,1
calloc,77,
posix_memalign,4000,1
aligned_alloc,256,
EOF
says kinds.db '1  free of a block allocated before the trace (left out)'

# A program that is killed leaves no trace, or a whole one. What cannot be written is said.
got=0
record killed.db ./known 1 || got=$?
same 'exit code' 3 "$got"
[ ! -e killed.db ] || fail "a program that ended at once left a trace"
for time in 0.05 0.1 0.15 0.2 0.25 0.3; do
    { timeout -s KILL "$time" env OCELOTL_HEAP=killed.db "LD_PRELOAD=$PWD/record_heap.so" \
        bash -c 'for i in {1..9999}; do x=$i; done' || true; } 2>timeout.txt
    [ ! -e killed.db ] || cli verify killed.db >/dev/null || fail "killed.db is damaged"
    rm -f killed.db*
done
record none/known.db ./known 2>said.txt
has said.txt 'record_heap: none/known.db: cannot'

# Buffers in a file outlive the program, and are removed with the trace. Callers are those of the
# process that was recorded.
convert() {
    OCELOTL_HEAP_CONVERT=$1 OCELOTL_HEAP=$2 LD_PRELOAD=$PWD/record_heap.so "$(type -P true)"
}
OCELOTL_HEAP_RAW=known.raw record raw.db ./known
cli verify raw.db >/dev/null
[ ! -e known.raw ] || fail "known.raw is left"
OCELOTL_HEAP_RAW=known.raw LD_PRELOAD=$PWD/record_heap.so ./known 1 || true
convert known.raw raw.db
python3 "$OCELOTL_ROOT/tests/heap_truth.py" "$OCELOTL_CLI" known raw.db || fail "raw.db"
callers() { ask "$1" "SELECT DISTINCT json_extract(attributes, '\$.caller') FROM events
    WHERE type = 'allocation' AND json_extract(attributes, '\$.size') >= 1000 ORDER BY 1"; }
same callers "$(callers known.db)" "$(callers raw.db)"
cat >endless.c <<'EOF'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    static void *volatile kept[20000];
    for (int i = 0; i < 20000; i++)
        kept[i] = malloc(3000 + i);
    for (int i = 0; i < 5000; i++)
        free(kept[i]);
    free(memset(malloc(200000), 1, 200000));
    return write(1, "1", 1) + (int)sleep(30);
}
EOF
cc -O0 -fno-builtin endless.c -o endless
OCELOTL_HEAP_RAW=killed.raw LD_PRELOAD=$PWD/record_heap.so ./endless >killed.txt &
for _ in $(seq 300); do [ -s killed.txt ] || sleep 0.1; done
kill -9 $!
wait $! 2>said.txt || true
convert killed.raw killed.db
cli verify killed.db >/dev/null
# sums of 3000 + i: over 0 to 19999, and 5000 to 19999 that stay
same 'of a killed program' '20000,259990000,15000,232492500' "$(ask killed.db "SELECT
    count(*) || ',' || sum(size) || ',' || sum(gone = '') || ',' || sum((gone = '') * size)
    FROM (SELECT coalesce(target, '') AS gone, json_extract(attributes, '\$.size') AS size
    FROM events WHERE type = 'allocation'
    AND json_extract(attributes, '\$.caller') LIKE 'endless+%')
    WHERE size BETWEEN 3000 AND 23000")"
head -c 600000 killed.raw >cut.raw
convert cut.raw cut.db 2>said.txt || fail "no trace of what is there: $(cat said.txt)"
head -c 100000 killed.raw >damaged.raw
for name in none damaged; do
    got=0
    convert $name.raw no.db 2>said.txt || got=$?
    same "$name" 1 "$got"
    has said.txt "record_heap: $name.raw: is no file of OCELOTL_HEAP_RAW"
done

# Large blocks say the node that they are on; of a kernel that does not tell it nothing is known.
nodes() { ask "$1" "SELECT count(*) FROM events WHERE type = 'allocation' AND
    json_extract(attributes, '\$.size') >= 65536 AND json_extract(attributes, '\$.node') $2"; }
told=$(python3 -c 'import ctypes, platform
number = {"x86_64": 239, "aarch64": 236}.get(platform.machine(), -1)
here, node = ctypes.create_string_buffer(8), ctypes.c_int(-1)
print(ctypes.CDLL(None).syscall(number, ctypes.byref(node), None, 0, here, 3))')
if [ "$told" = 0 ]; then
    same 'large blocks with a node' 4 "$(nodes known.db '>= 0')"
    same 'one that was freed' 1 "$(nodes killed.db '>= 0')"
    [ -e /sys/devices/system/node/node1 ] || same 'the only node' 4 "$(nodes known.db '= 0')"
fi

# --- The answer: three recorders of one program, and what was recorded by two of them before

truth() { python3 "$OCELOTL_ROOT/tests/heap_truth.py" "$OCELOTL_CLI" "$@" 2>&1; }
truth known known.db || fail "known.db"
for name in eztrace lttng; do
    reads "$(sed 's/eztrace/otf2/; s/lttng/ctf/' <<<$name)" || continue
    mkdir "$name"
    zstd -dcq "$OCELOTL_ROOT/tests/data/heap/$name.tar.zst" | tar -C "$name" -x
    file=$(find "$name" -name '*.otf2')
    quiet "${file:-$name}" -o "$name.db"
    truth known "$name.db" || fail "$name.db"
    cli heap "$name.db" -o "$name-links.db" >heap.txt 2>&1 || fail "$(cat heap.txt)"
    cli verify "$name-links.db" >heap.txt
    truth known "$name-links.db" || fail "$name-links.db"
    # all else is as it was
    cli export "$name-links.db" 2>said.txt | grep -v ',link,allocation,' | sort >links.csv
    cli export "$name.db" 2>said.txt | sort | cmp - links.csv ||
        fail "$name-links.db has not all of $name.db"
done
if command -v eztrace >/dev/null && reads otf2; then
    eztrace -t memory -o "$folder/traced" ./known >eztrace.txt 2>&1 &&
        quiet "$(find "$folder/traced" -name '*.otf2')" -o traced.db &&
        { truth known traced.db || fail "eztrace"; }
fi

# The peak is the most that is in flight, as series has it.
for name in known eztrace-links lttng-links; do
    [ -e "$name.db" ] || continue
    cli series --in-flight bytes --at all --csv "$name.db" >series.csv 2>said.txt
    same "the peak of $name" "$(cli heap --json "$name.db" | jq .peak_bytes)" \
        "$(cut -d, -f4 series.csv | sort -n | tail -n 1)"
done

# The rules of pairing.
truth random "$RANDOM" "$(thin 4 <<<"$(seq 60)" | wc -l)" || fail "random calls"

# What was alive at an instant, in all forms; first rows of each kind alone.
cli heap --json --alive-at 0% known.db >heap.json
same 'alive at the begin' 0 "$(jq '.rows[0].alive' heap.json)"
same 'at the end what is leaked' true \
    "$(cli heap --json --alive-at 100% known.db | jq '.rows[0] | .alive_bytes == .leaked_bytes')"
same 'peak is the default' "$(cli heap known.db)" "$(cli heap --alive-at peak known.db)"
same 'the first of each' 'all caller pair size thread' \
    "$(cli heap --csv --most 1 known.db | tail -n +2 | cut -d, -f1 | sort | line)"
cli heap --force known.db -o heap.txt && cli heap known.db | cmp - heap.txt
cli heap known.db --most 99 -o heap.csv
like heap.csv '^by,name,freed_by,blocks,bytes,alive,alive_bytes,temporary,elsewhere,leaked,'

# A part of it: in words what was there before; a trace has all blocks.
cli heap --from 50% known.db >half.txt
like half.txt '^earlier    [0-9]+ blocks of [0-9]+ bytes are alive when the window begins'
same 'of one call' 'realloc 4' "realloc $(cli heap --only realloc --csv known.db |
    sed -n 's/^all,all,,\([0-9]*\),.*/\1/p')"
refused 1 'has no resource "none"' heap --resource none known.db
refused 1 "--where 'size >= 1e9' leaves nothing to show" heap --where 'size >= 1e9' known.db

# Other names, and what is no such trace.
cat >other.json <<'EOF2'
[{"ph":"X","name":"pool_take","pid":1,"tid":1,"ts":1,"dur":1,"args":{"size":64,"ptr":"0x10"}},
 {"ph":"X","name":"pool_give","pid":1,"tid":2,"ts":5,"dur":1,"args":{"ptr":"0x10"}},
 {"ph":"X","name":"other","pid":1,"tid":2,"ts":8,"dur":1,"args":{"ptr":"0x10"}}]
EOF2
quiet other.json -o other.db
refused 1 'has no allocations, expected calls of malloc and free' heap other.db
refused 1 'has no allocations, expected calls of malloc and free' heap other.db -o no.db
same 'other names' '1,64,1' "$(cli heap --csv --alloc 'pool_t*' --free pool_give other.db |
    sed -n 's/^all,all,,\([0-9]*,[0-9]*\),.*,\(1\),0,0$/\1,\2/p')"
refused 1 'the calls of other carry no size and pointer' heap other.db --alloc other
refused 1 'a window or a filter is of the table, and a trace has all blocks' \
    heap --from 50% other.db --alloc pool_take --free pool_give -o no.db
refused 1 'other: --only, --except and --where choose among links, expected the trace that' \
    heap --only 'pool*' other.db --alloc pool_take --free pool_give

# Sizes that are too large to be.
cat >large.json <<'EOF2'
[{"ph":"X","name":"calloc","pid":1,"tid":1,"ts":1,"dur":1,"args":{"size":4611686018427387904,"nmemb":5,"return_value":16}},
 {"ph":"X","name":"malloc","pid":1,"tid":1,"ts":3,"dur":1,"args":{"size":1,"return_value":32}},
 {"ph":"X","name":"calloc","pid":1,"tid":1,"ts":5,"dur":1,"args":{"size":18446744073709551615,"nmemb":2,"return_value":0}}]
EOF2
quiet large.json -o large.db
all='2^64 bytes or more in all, that of the last is 1, expected less'
refused 1 "large: the sizes of its allocations are $all" \
    heap large.db
refused 1 'large: the sizes of its allocations are 2^64 bytes or more in all' heap large.db -o no.db
sed 's/"nmemb":5/"nmemb":3/' large.json >fits.json && quiet fits.json -o fits.db
same 'sizes that fit' 13835058055282163713 \
    "$(cli heap --csv fits.db | sed -n 's/^all,all,,2,\([0-9]*\),.*/\1/p')"
# Sizes that are none.
cat >none.json <<'EOF2'
[{"ph":"X","name":"malloc","pid":1,"tid":1,"ts":1,"dur":1,"args":{"size":-5,"ptr":"0x10"}},
 {"ph":"X","name":"malloc","pid":1,"tid":1,"ts":3,"dur":1,"args":{"size":"x","ptr":"0x20"}},
 {"ph":"X","name":"malloc","pid":1,"tid":1,"ts":5,"dur":1,"args":{"size":"0x7","ptr":"0x30"}}]
EOF2
quiet none.json -o none.db
same 'sizes that are none' '2 7' "$(cli heap --json none.db | jq -r '"\(.left_out) \(.peak_bytes)"')"
refused 1 'has its allocations as links already' heap known.db -o again.db
refused 1 '--alive-at is "now"' heap --alive-at now known.db
printf '%s\n' '[{"ph":"X","name":"malloc","pid":1,"tid":1,"ts":1,"dur":1,"args":{"size":2344910,"ptr":1}}]' \
    >full.json
quiet full.json -o full.db
same "sizes in full" 2344910 "$(cli heap full.db | awk '$1 == "all" { print $4 }')"
refused 1 '--alive-at is 99s, and the trace goes from' heap --alive-at 99s known.db
[ ! -e no.db ] && [ ! -e again.db ] || fail "a trace was left"
