# A program that LTTng records here: what the program does is known, and its trace has to say it.
need_format ctf
need gcc lttng lttng-sessiond babeltrace2 jq
skip() { echo "skipped: $*" && exit 77; }
[ "${EUID:-$(id -u)}" -ne 0 ] || [ ! -e /var/run/lttng/lttng-sessiond.pid ] ||
    skip "another session daemon of LTTng runs"
export LTTNG_HOME=$folder LTTNG_RUNDIR=$folder/run
gcc -O1 -I"$OCELOTL_ROOT/tests/data/lttng" "$OCELOTL_ROOT/tests/data/lttng/phases.c" -o phases \
    -llttng-ust -ldl -pthread 2>gcc.err || skip "LTTng has no headers here"

timeout 300 lttng-sessiond --no-kernel >daemon.txt 2>&1 &
daemon=$!
trap 'kill "$daemon" 2>/dev/null; wait "$daemon" 2>/dev/null; rm -rf "$folder"' EXIT
for attempt in 1 2 3 4 5 6 7 8 9 10; do
    timeout 30 lttng --no-sessiond create phases --output "$folder/trace" >create.txt 2>&1 && break
    [ "$attempt" -lt 10 ] || skip "LTTng does not run here: $(tail -n 1 create.txt)"
    sleep 0.3
done
record() {
    lttng --no-sessiond enable-event -u 'app:*' &&
        lttng --no-sessiond add-context -u -t vpid -t vtid -t procname &&
        lttng --no-sessiond start && ./phases 2000 && lttng --no-sessiond stop &&
        lttng --no-sessiond destroy
}
record >record.txt 2>&1 || skip "LTTng does not record here: $(tail -n 1 record.txt)"
events=$(babeltrace2 trace 2>/dev/null | wc -l)
[ "$events" -gt 0 ] || skip "LTTng recorded nothing"

cli import trace -o t.db >import.txt 2>&1 || fail "import: $(cat import.txt)"
same "events" "$events" "$(cli info --json t.db | jq '[.source.records[]] | add')"
# 4 threads: 10 steps each of two phases; merges 10 x 2, then 10; waits 4 each.
same "states" "app:generate 40,app:merge 30,app:sort 40,app:wait 16" "$(cli sql --csv t.db "
    SELECT group_concat(value || ' ' || n) FROM (SELECT value, count(*) AS n FROM events
    WHERE type = 'Span' GROUP BY value ORDER BY value)" | tail -n +2 | tr -d '"')"
same "threads" 4 "$(cli sql --csv t.db "SELECT count(DISTINCT resource) FROM events" | tail -n 1)"

# Functions of a program that tells when it enters them: by address, and by what nm prints of it,
# wherever the system has put it.
profile=$(gcc -print-file-name=liblttng-ust-cyg-profile.so)
[ -e "$profile" ] || skip "LTTng has no library for functions here"
cat >calls.c <<'END'
#include <unistd.h>
static volatile int sum;
void leaf(int i) { sum += i; }
void middle(int i) { leaf(i); leaf(-i); }
int main(void)
{
    usleep(100000);
    for (int i = 0; i < 10; i++)
        middle(i);
    return 0;
}
END
functions() {
    lttng --no-sessiond create "$1" --output "$folder/of-$1" &&
        lttng --no-sessiond enable-event -u -a &&
        lttng --no-sessiond add-context -u -t vpid -t vtid -t procname &&
        lttng --no-sessiond start && LD_PRELOAD=$profile "./$1" &&
        lttng --no-sessiond stop && lttng --no-sessiond destroy
}
calls="SELECT group_concat(value || ' ' || n) FROM (SELECT value, count(*) AS n FROM events
    WHERE type = 'Function' GROUP BY value ORDER BY value)"
for kind in pie no-pie; do
    gcc -g -O0 -$kind -finstrument-functions calls.c -o "calls$kind"
    functions "calls$kind" >record.txt 2>&1 || fail "record: $(tail -n 1 record.txt)"
    cli import "of-calls$kind" -o "$kind.db" >import.txt 2>&1 || fail "import: $(cat import.txt)"
    same "$kind: addresses" 31 "$(cli sql --csv "$kind.db" "SELECT count(*) FROM events WHERE
        type = 'Function' AND value GLOB '0x[0-9a-f]*'" | tail -n 1)"
    nm "calls$kind" >"of-calls$kind/calls$kind.nm"
    cli import --force "of-calls$kind" -o "$kind.db" >import.txt 2>&1 || fail "$(cat import.txt)"
    same "$kind: names" "leaf 20,main 1,middle 10" \
        "$(cli sql --csv "$kind.db" "$(tr '\n' ' ' <<<"$calls")" | tail -n +2 | tr -d '"')"
done
