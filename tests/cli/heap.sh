# Blocks of memory as links from the thread that allocates to the one that frees: of the recorder in
# examples/, and what `heap` makes of calls in other traces. The program allocates what its head
# says, so that all is known by arithmetic.
need cc

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
    rm -f killed.db
done
record none/known.db ./known 2>said.txt
has said.txt 'record_heap: none/known.db: cannot'
