# CTF traces of kernels: the states of threads and CPUs, of a trace whose states are known one by
# one, and of real ones against a state machine of its own over babeltrace2's text.
need_format ctf
need babeltrace2 python3 zstd jq
traces=$OCELOTL_ROOT/../shared/traces/formats

# ask TRACE QUERY: the cells of the answer's rows, one row a line.

# checked FOLDER: times by CPU, thread and system call are those of the account.
checked() {
    cli import "$1" -o t.db --force >/dev/null 2>import.err || fail "$1: $(cat import.err)"
    babeltrace2 --clock-seconds "$1" 2>/dev/null |
        python3 "$OCELOTL_ROOT/tests/ctf_kernel_account.py" | sort >expected.txt
    local time="CAST(round(sum(duration) * 1e9) AS INTEGER)"
    {
        ask t.db "SELECT 'cpu ' || replace(resource, rtrim(resource, '0123456789'), '') || '|' ||
            value || '|' || $time FROM events WHERE type = 'CPU state' AND depth = 0
            AND value NOT LIKE 'irq %' AND value NOT LIKE 'softirq %' GROUP BY resource, value"
        ask t.db "SELECT 'call ' || value || '|' || count(*) || '|' || $time FROM events WHERE
            type = 'Thread state' AND value NOT IN ('running', 'ready', 'blocked',
            'blocked in I/O', 'interrupted') GROUP BY value"
        ask t.db "SELECT 'waits ' || value || '|' || $time FROM events WHERE type = 'Thread state'
            AND value IN ('ready', 'blocked', 'blocked in I/O') GROUP BY value"
        # A thread is on a CPU in all its states but those in which it waits.
        ask t.db "SELECT 'on CPU|' || CAST(round(sum(CASE WHEN value IN ('ready', 'blocked',
            'blocked in I/O') THEN CASE depth WHEN 0 THEN 0 ELSE -duration END ELSE CASE depth
            WHEN 0 THEN duration ELSE 0 END END) * 1e9) AS INTEGER) FROM events
            WHERE type = 'Thread state'"
        ask t.db "WITH tids AS (SELECT path, CASE WHEN notes LIKE 'tid=%' THEN
            CAST(substr(notes, 5) AS INTEGER) ELSE name END AS tid FROM resources)
            SELECT 'waking ' || a.tid || ' ' || b.tid || '|' ||
            CAST(round((begin - min(begin) OVER ()) * 1e9) AS INTEGER) FROM events
            JOIN tids AS a ON a.path = source JOIN tids AS b ON b.path = target
            WHERE type = 'Waking' AND begin = end"
    } | sort >got.txt
    python3 - >sums.txt <<'END'
import collections
times = collections.Counter()
for line in open("expected.txt"):
    if line.startswith("thread"):
        _, name, time = line.strip().split("|")
        times[name] += int(time)
    else:
        print(line, end="")
for name in times:
    print(("on CPU|%d" if name == "on CPU" else "waits " + name + "|%d") % times[name])
END
    sort sums.txt >expected.txt
    cmp -s expected.txt got.txt || fail "$1: $(diff expected.txt got.txt)"
}

python3 - <<'END' || fail "no trace was made"
from ctf_maker import event as simple, kernel, switch as switch_of

def switch(time, before, state, after):
    return switch_of(time, before, after, state, {0: "swapper", 10: "make", 11: "cc", 20: "sshd"})

trace = kernel()
with trace.stream(0) as cpu0:
    cpu0.packet([
        simple(0, "lttng_statedump_process_state", tid=20, pid=19, ppid=1, name="sshd", status=5),
        simple(5, "syscall_exit_write", ret=1),  # of whom is not known
        switch(10, 0, 0, 10),
        simple(20, "syscall_entry_read", fd=3),
        simple(30, "irq_handler_entry", irq=7, name="eth0"),
        simple(32, "irq_softirq_entry", vec=3),
        simple(34, "irq_softirq_exit", vec=3),
        simple(35, "sched_waking", comm="sshd", tid=20, prio=20, target_cpu=0),
        simple(36, "kmem_free", ptr=16),
        simple(40, "irq_handler_exit", irq=7, ret=1),
        switch(50, 10, 2, 20),
        simple(60, "sched_waking", comm="make", tid=10, prio=20, target_cpu=0),
        simple(61, "sched_wakeup", comm="make", tid=10, prio=20, target_cpu=0),
        switch(70, 20, 0, 10),
        simple(80, "syscall_exit_read", ret=512),
        simple(85, "kmem_free", ptr=32),
        simple(90, "sched_process_fork", parent_comm="make", parent_tid=10, child_comm="make",
               child_tid=11, child_pid=11),
        switch(100, 10, 1, 11),
        simple(120, "sched_process_exit", comm="cc", tid=11, prio=20),
        switch(130, 11, 64, 0)])
    cpu0.packet([switch(200, 0, 0, 20)], discarded=4)
    cpu0.packet([
        switch(300, 20, 1, 0),
        simple(310, "sched_waking", comm="make", tid=10, prio=20, target_cpu=0)], discarded=4)
END

check_states() {
    local states="SELECT replace(resource, 'node/', '') || ' ' || value || ' ' ||
        CAST(round(begin * 1e9) AS INTEGER) || '-' || CAST(round(end * 1e9) AS INTEGER) || ' ' ||
        depth || ' ' || coalesce(attributes, '') FROM events WHERE type = "
    cli import kernel -o t.db --force >/dev/null 2>import.err || fail "kernel: $(cat import.err)"
    ask t.db "$states 'Thread state' ORDER BY resource, begin, depth" >threads.txt
    cat >want.txt <<'END'
cc/cc ready 90-100 0 
cc/cc running 100-130 0 {priority:31}
make/make running 10-20 0 {priority:30}
make/make read 20-80 0 {fd:3,cpu_id:0,ret:512}
make/make interrupted 30-40 1 
make/make blocked in I/O 50-60 1 
make/make ready 60-70 1 {priority:20,target_cpu:0}
make/make running 80-100 0 
make/make blocked 100-310 0 
make/make ready 310-310 0 {priority:20,target_cpu:0}
19/sshd blocked 0-35 0 
19/sshd ready 35-50 0 {priority:20,target_cpu:0}
19/sshd running 50-70 0 {priority:40}
19/sshd ready 70-200 0 
19/sshd running 200-300 0 {priority:40}
19/sshd blocked 300-310 0 
END
    sort want.txt >want.sorted
    sed 's#^sshd/sshd#19/sshd#' threads.txt | sort >got.sorted
    cmp -s want.sorted got.sorted || fail "threads: $(diff want.sorted got.sorted)"
    ask t.db "$states 'CPU state' ORDER BY begin, depth" >cpus.txt
    cat >want.txt <<'END'
CPUs/CPU 0 make 10-50 0 {tid:10,priority:30}
CPUs/CPU 0 irq eth0 30-40 1 {irq:7,name:eth0,end_irq:7,ret:1}
CPUs/CPU 0 softirq NET_RX 32-34 2 {vec:3,end_vec:3}
CPUs/CPU 0 sshd 50-70 0 {tid:20,priority:40}
CPUs/CPU 0 make 70-100 0 {tid:10,priority:30}
CPUs/CPU 0 cc 100-130 0 {tid:11,priority:31}
CPUs/CPU 0 lost 130-200 0 {count:4}
CPUs/CPU 0 sshd 200-300 0 {tid:20,priority:40}
END
    grep -v "idle" cpus.txt >got.txt
    cmp -s want.txt got.txt || fail "CPU: $(diff want.txt got.txt)"
    # An interrupt wakes nobody, nor does what is idle; a waking and a wakeup are one.
    same "wakings" "19/sshd,make/make,60,60" "$(ask t.db "SELECT replace(source, 'node/', ''),
        replace(target, 'node/', ''), CAST(round(begin * 1e9) AS INTEGER),
        CAST(round(end * 1e9) AS INTEGER) FROM events WHERE type = 'Waking'" |
        sed 's#^sshd/sshd#19/sshd#; s/|/,/g')"
    same "events by place" "CPUs/CPU 0,make/make" "$(ask t.db "SELECT group_concat(
        replace(resource, 'node/', '')) FROM (SELECT resource FROM events WHERE value = 'kmem_free'
        ORDER BY begin)")"
    same "left out" "syscall_exit_write no thread is known on its CPU yet" "$(ask t.db "SELECT kind
        || ' ' || why FROM source_kinds WHERE fate = 'left out'")"
    same "the end of a life" "90-130,90-130" "$(ask t.db "SELECT group_concat(begin || '-' || end)
        FROM resource WHERE name = 'cc'")"
}

check_states
if [ -d "$traces/ctf" ]; then
    for name in tracecompass-bug446190 tracecompass-perf-taskset2; do
        mkdir "$name"
        zstd -dcq "$traces/ctf/$name.tar.zst" | tar -xf - -C "$name"
        checked "$name"
    done
fi
