# The text of the kernel's tracer: an import agrees with a few lines of Python over the same text,
# and with what perf script prints of the same; broken lines give their errors.
need jq python3

cat >account.py <<'END'
import collections, re, sys

LINE = re.compile(r"\s*(.+)-(\d+)\s+(?:\(\s*(\d+|-+)\)\s+)?\[(\d+)\]\s+(?:\S+\s+)?(\d+)\.(\d+): +(.*)$")
counts, ran, on = collections.Counter(), collections.Counter(), {}
first, last = None, None
for text in open(sys.argv[1], encoding="utf-8"):
    found = LINE.match(text.rstrip("\r\n"))
    if not found:
        continue
    at = int(found[5]) * 10**9 + int(found[6].ljust(9, "0"))
    first, last, cpu, thread = at if first is None else first, at, int(found[4]), int(found[2])
    event = re.match(r"(\S+):", found[7])
    counts[event[1] if event else "function"] += 1
    before = on.get(cpu)
    if before and before[0] != thread:
        sys.exit(f"{text}: not the thread that was switched to")
    on.setdefault(cpu, (thread, at))
    if event and event[1] == "sched_switch":
        ran[thread] += at - on[cpu][1]
        after = re.search(r"next_pid=(\d+)|==> .*:(\d+) \[", found[7])
        on[cpu] = (int(after[1] or after[2]), at)
for thread, since in on.values():
    ran[thread] += last - since
for name, count in sorted(counts.items()):
    print(name, count)
if "sched_switch" in counts:
    print("running", sum(time for thread, time in ran.items() if thread > 0))
END

count() { python3 account.py "$1"; }
counted() {
    cli info --json "$1" | jq -r '.source.records | to_entries[] |
        select(.key | test("^[a-z_]+$")) | "\(.key) \(.value)"'
    ask "$1" "SELECT 'running ' || CAST(round(sum(duration) * 1e9) AS INTEGER) FROM events
        WHERE type = 'Thread state' AND value = 'running' HAVING count(*) > 0"
}

# As the kernel's file trace has it: with processes or without, flags, functions, a loss, a wake-up
# of a thread that is known by its end alone.
cat >trace.txt <<'END'
# tracer: nop
#
# entries-in-buffer/entries-written: 9/9   #P:2
#
#           TASK-PID     TGID   CPU#  |||||  TIMESTAMP  FUNCTION
    sh shell-12    (     12) [000] d..2.   100.000001: sched_switch: prev_comm=sh shell prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=worker-1 next_pid=13 next_prio=120
    worker-1-13    (     12) [000] .....   100.000005: tracing_mark_write: half
and the other half
    worker-1-13    (     12) [000] d..2.   100.000009: sched_switch: prev_comm=worker-1 prev_pid=13 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120
CPU:1 [LOST 17 EVENTS]
      <idle>-0     (-------) [000] dNh4.   100.000010: sched_wakeup: comm=sh shell pid=12 prio=120 target_cpu=000
      <idle>-0     (-------) [000] d..2.   100.000011: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh shell next_pid=12 next_prio=120
    sh shell-12    (     12) [000] d..2.   100.000020: sched_process_exit: comm=sh shell pid=12 prio=120
END
agrees trace.txt
quiet trace.txt -o t.db
says t.db 'loss of events by the kernel' 'further line of a text' 'format     ftrace'
same "processes" "sh shell/sh shell sh shell/worker-1" \
    "$(ask t.db "SELECT path FROM resources WHERE type = 'Thread' ORDER BY 1" | line)"
same "text" "$(printf 'half\nand the other half')" \
    "$(cli sql --json t.db "SELECT attributes ->> 'fields' AS f FROM events WHERE type =
    'tracing_mark_write'" | jq -r '.[0].f')"
same "states" "blocked 1 ready 2 running 3" "$(ask t.db "SELECT value || ' ' || count(*) FROM events
    WHERE type = 'Thread state' GROUP BY value ORDER BY value" | line)"

# As perf script prints it: the same states.
sed -E '/^#|^CPU|^and|mark_write/d; s/^( *)(.*)-([0-9]+) +\( *([0-9-]+)\) (\[[0-9]+\]) [^ ]+ +([0-9.]+:) /\1\2 \4\/\3 \5 \6 sched:/; s/ -+\/0 / 0\/0 /' \
    trace.txt >perf.txt
quiet --format perf perf.txt -o perf.db
states="SELECT resource, value, begin, end FROM events WHERE category = 'state' AND
    begin >= 100.000009 ORDER BY 1, 3"
same "states of perf" "$(ask perf.db "$states")" "$(ask t.db "$states")"

# A thread that runs wakes others, and an interrupt does not, of whatever kind the flags say it is.
for flags in d..2:1 d.h2:0 d.s2:0 dNH2:0 d.z2:0 ....:1; do
    printf '%s\n' '# tracer: nop' \
        '  a-4  [001] d..2 9.000001: sched_switch: prev_comm=a prev_pid=4 prev_state=S ==> next_comm=b next_pid=5' \
        "  b-5  [001] ${flags%:*} 9.000003: sched_waking: comm=a pid=4 prio=120 target_cpu=001" >wakes.txt
    quiet wakes.txt -o t.db
    same "wakings with flags $flags" "${flags#*:}" \
        "$(ask t.db "SELECT count(*) FROM events WHERE type = 'Waking'")"
done

# Functions: each is a value.
printf '%s\n' '# tracer: function' \
    '  bash-7  [001] ....  5.000001: mutex_unlock <-rb_simple_write' \
    '  bash-7  [001] ....  5.000002: _spin_lock <-rb_simple_write' >functions.txt
agrees functions.txt
same "functions" "_spin_lock mutex_unlock" \
    "$(ask agrees.db "SELECT value FROM events WHERE type = 'function' ORDER BY 1" | line)"

# What trace-cmd prints: states as numbers, and what it says of processors.
printf '%s\n' 'version = 6' 'CPU 0 is empty' 'cpus=2' \
    '  a-4  [001] 9.000001: sched_switch:   prev_comm=a prev_pid=4 prev_state=1024 next_comm=b next_pid=5' \
    '  b-5  [001] 9.000003: sched_switch:   prev_comm=b prev_pid=5 prev_state=1 next_comm=c next_pid=6' \
    '  c-6  [001] 9.000004: sched_switch:   prev_comm=c prev_pid=6 prev_state=64 next_comm=a next_pid=4' \
    >report.txt
agrees report.txt
same "states as numbers" "blocked 5,ready 4," "$(ask agrees.db "SELECT DISTINCT value || ' ' ||
    replace(replace(substr(resource, -1), 'a', 4), 'b', 5) FROM events WHERE value IN
    ('ready', 'blocked') AND type = 'Thread state' ORDER BY 1" | tr '\n' ,)"
crowd=$OCELOTL_ROOT/../shared/traces/crowds/ftrace
if [ -d "$crowd" ]; then
    agrees "$crowd/trappy-doc-trace.txt"
    agrees "$crowd/trappy-raw-trace.txt"
    if command -v trace-cmd >/dev/null; then
        gzip -dc "$crowd/trappy-raw-trace.dat.gz" >raw.dat
        trace-cmd report -i raw.dat >raw.txt 2>/dev/null
        agrees raw.txt
    fi
fi

# Broken lines, and what has no times.
good='  a-4  [001] 9.000001: mark: x'
expected='the line is no event of the kernel, expected TASK-THREAD [CPU] TIME: EVENT: FIELDS'
while read -r line; do
    broken_line x.txt "$expected" "$line"
done <<'END'
a [001] 9.000001: mark: x
a-4 [001] mark: x
a-4 [001] 9: mark: x
a-x [001] 9.000001: mark: x
any text
END
broken_line x.txt 'the time is too large' 'a-4 [001] 99999999999.000001: mark: x'
printf '# tracer: function_graph\n 0)   0.541 us    |  mutex_lock();\n' >graph.txt
refused 1 "graph.txt:2: $expected" import graph.txt -o no.db
