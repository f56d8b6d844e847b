"""What babeltrace2's text says of a kernel: time of each CPU by what runs there, and of each thread
by whether it runs, is ready, or waits; system calls by name; who wakes whom, and when since
somebody did first. A state machine of its own.

    babeltrace2 --clock-seconds FOLDER | python3 ctf_kernel_account.py
"""
import collections
import re
import sys

LINE = re.compile(r"\[(\d+)\.(\d{9})\] \([^)]*\) (?:(\S+) )?((?:[^\s:]+:)?[^\s:]+): (\{.*)$")
cpu_time, thread_time = collections.Counter(), collections.Counter()
call_time, call_count = collections.Counter(), collections.Counter()
on_cpu, waiting, calls, exiting = {}, {}, {}, set()
interrupts, wakings = collections.Counter(), []
last = 0


def number(rest, *names):
    for name in names:
        found = re.search(r"\b%s = (?:\( [^)]*?: container = )?(-?\d+)" % name, rest)
        if found:
            return int(found[1])
    return None


def text(rest, name):
    found = re.search(r'\b%s = "([^"]*)"' % name, rest)
    return found and found[1]


def wait(thread, state, time):
    end_wait(thread, time)
    waiting[thread] = (state, time)


def end_wait(thread, time):
    if thread in waiting:
        state, begin = waiting.pop(thread)
        thread_time[thread, state] += time - begin


def end_call(thread, time):
    if thread in calls:
        name, begin = calls.pop(thread)
        call_time[name] += time - begin
        call_count[name] += 1


def leave(cpu, time):
    name, thread, begin = on_cpu.pop(cpu)
    cpu_time[cpu, name] += time - begin
    if thread:
        thread_time[thread, "on CPU"] += time - begin


def switch(cpu, rest, time):
    before, after = number(rest, "prev_tid", "prev_pid"), number(rest, "next_tid", "next_pid")
    reason = number(rest, "prev_state")
    if cpu in on_cpu:
        leave(cpu, time)
    if before and (reason & 0x30 or (before in exiting and reason & 0xFF)):
        end_wait(before, time)
        end_call(before, time)
    elif before:
        kind = "ready" if reason & 0xFF == 0 and not reason == 0x400 | 2 else "blocked"
        wait(before, "blocked in I/O" if reason & 0x402 == 2 else kind, time)
    if after:
        end_wait(after, time)
    on_cpu[cpu] = (text(rest, "next_comm") if after else "idle", after, time)
    interrupts[cpu] = 0


for line in sys.stdin:
    found = LINE.match(line)
    if not found:
        continue
    time = int(found[1]) * 10 ** 9 + int(found[2])
    name, rest = found[4].split(":")[-1], found[5]
    cpu = number(rest, "cpu_id", "perf_cpu")
    last = max(last, time)
    current = on_cpu[cpu][1] if cpu in on_cpu else None
    call = re.fullmatch(r"(?:compat_)?(?:syscall_entry_|sys_enter_|sys_)(.*)", name)
    if name == "sched_switch":
        switch(cpu, rest, time)
    elif name in ("sched_wakeup", "sched_wakeup_new", "sched_waking"):
        thread = number(rest, "tid", "pid")
        runs = any(entry[1] == thread for entry in on_cpu.values())
        if thread and not runs and waiting.get(thread, ("", 0))[0] != "ready":
            wait(thread, "ready", time)
            waker = current if number(rest, "perf_tid") is None else number(rest, "perf_tid")
            if waker and waker != thread and not interrupts[cpu]:
                wakings.append((waker, thread, time))
    elif re.fullmatch(r"(irq_handler|(irq_)?softirq|.*irq_vectors.*)_entry", name):
        interrupts[cpu] += 1
    elif re.fullmatch(r"(irq_handler|(irq_)?softirq|.*irq_vectors.*)_exit", name):
        interrupts[cpu] = max(0, interrupts[cpu] - 1)
    elif name == "sched_process_exit":
        exiting.add(number(rest, "tid", "pid"))
    elif name == "sched_process_fork":
        thread = number(rest, "child_tid", "child_pid")
        exiting.discard(thread)
        wait(thread, "ready", time)
    elif name == "lttng_statedump_process_state":
        thread, status = number(rest, "tid"), number(rest, "status")
        if status in (2, 5) and thread and thread not in waiting and thread not in calls and \
                not any(entry[1] == thread for entry in on_cpu.values()):
            wait(thread, "blocked" if status == 5 else "ready", time)
    elif name == "exit_syscall" or re.match(r"(compat_)?syscall_exit_|sys_exit", name):
        end_call(current, time)
    elif call and current:
        end_call(current, time)
        calls[current] = (call[1], time)
for cpu in list(on_cpu):
    leave(cpu, last)
for thread in list(waiting):
    end_wait(thread, last)
for thread in list(calls):
    end_call(thread, last)
for cpu, name in sorted(cpu_time):
    print("cpu %s|%s|%d" % (cpu, name, cpu_time[cpu, name]))
for thread, name in sorted(thread_time):
    print("thread %s|%s|%d" % (thread, name, thread_time[thread, name]))
for waker, thread, time in wakings:
    print("waking %d %d|%d" % (waker, thread, time - wakings[0][2]))
for name in sorted(call_count):
    print("call %s|%d|%d" % (name, call_count[name], call_time[name]))
