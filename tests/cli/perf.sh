# What perf script prints: an import agrees with a few lines of Python over the same text, with the
# quirks of real recordings; broken lines give their errors.
need jq python3

# --- Against another reader: samples by event; the innermost frame of each sample; the time of each
# thread in each state, by a scheduler of its own

cat >reader.py <<'END'
import collections, re, sys

HEAD = re.compile(r"\s*(.+?)\s+(?:(\d+)/)?(\d+)\s+(?:\[(\d+)\]\s+)?(\d+)\.(\d+):\s+(?:(\d+)\s+)?(\S+):(.*)$")
FRAME = re.compile(r"\s+[0-9a-f]+ (.*?)(?:\+0x[0-9a-f]+)? \((.*)\)$")
counts, inner, times = collections.Counter(), collections.Counter(), collections.Counter()
wakings = []
now, on, waiting, switches = {}, {}, False, "sched:sched_switch" in open(sys.argv[1], encoding="utf-8").read()

def move(thread, state, at, cpu=None):
    if thread in now:
        times[now[thread][0]] += min(at, lives.get(thread, at)) - now[thread][1]
    now[thread] = (state, at, cpu)

def occupy(cpu, thread, at):
    """Ends the time of the thread that ran on the CPU before."""
    before = on.get(cpu)
    if before and before != thread and now[before][0] == "running" and now[before][2] == cpu:
        move(before, "unknown", at)
    on[cpu] = thread

# Threads that exit live until their last event.
told, exits = {}, set()
# Where a CPU leaves another thread than it switched to, those without samples are unknown.
follows, running, all_followed = set(), {}, True
for text in open(sys.argv[1], encoding="utf-8"):
    if found := HEAD.match(text.rstrip("\n")):
        at = int(found[5]) * 10**9 + int(found[6].ljust(9, "0"))
        for thread in {found[3], *re.findall(r"(?:child_|prev_|next_|\b)pid=(\d+)", found[9])}:
            told[int(thread)] = at
        follows.add(int(found[3]))
        after = re.search(r"next_pid=(\d+)", found[9]) if found[8] == "sched:sched_switch" else None
        all_followed &= found[4] is None or running.get(found[4], int(found[3])) == int(found[3])
        running[found[4]] = int(after[1] if after else found[3])
        if found[8] == "sched:sched_process_exit":
            exits.add(int(found[3]))
lives = {thread: told[thread] for thread in exits}
last = 0
for text in open(sys.argv[1], encoding="utf-8"):
    found = HEAD.match(text.rstrip("\n"))
    if found:
        thread, event, rest = int(found[3]), found[8], found[9].strip()
        at = int(found[5]) * 10**9 + int(found[6].ljust(9, "0"))
        last = max(last, at)
        counts[event] += 1
        waiting = not event.startswith("sched:")
        if waiting and (inline := FRAME.match(" " + rest)):
            inner[inline[1]] += 1
            waiting = False
        if not switches:
            continue
        cpu = found[4]
        occupy(cpu, thread, at)
        if thread != 0 and now.get(thread, ("",))[0] != "running":
            move(thread, "running", at, cpu)
        field = dict(re.findall(r"(\w+)=(\S+)", rest))
        if event == "sched:sched_switch":
            before, after = int(field["prev_pid"]), int(field["next_pid"])
            if before:
                state = field["prev_state"][0]
                move(before, "ready" if state == "R" else "ended" if state in "XZx" else "blocked", at)
            occupy(cpu, after if all_followed or after in follows else None, at)
            if after and (all_followed or after in follows):
                move(after, "running", at, cpu)
        elif event in ("sched:sched_waking", "sched:sched_wakeup", "sched:sched_wakeup_new",
                       "sched:sched_process_fork"):
            woken = int(field.get("child_pid", field.get("pid", 0)))
            lost = not all_followed and woken not in follows
            if woken and not lost and now.get(woken, ("",))[0] not in ("running", "ready"):
                move(woken, "ready", at)
                if thread not in (0, woken) and event != "sched:sched_process_fork":
                    wakings.append(at)
        elif event == "sched:sched_process_exit":
            pass
    elif waiting and (found := FRAME.match(text.rstrip("\n"))):
        name = found[1]
        if name == "[unknown]" and found[2] != "[unknown]":
            name += " in " + found[2].split("/")[-1]
        inner[name] += 1
        waiting = False
for thread in now:
    move(thread, "over", last)
for event, count in counts.items():
    print("record", event, count)
for name, count in inner.items():
    print("inner", name, count)
for state in ("running", "ready", "blocked"):
    if state in times:
        print("time", state, times[state] // 1000)
if wakings:
    print("wakings", len(wakings), sum(wakings) // 1000)
END
counted() {
    cli info --json "$1" | jq -r '.source.records | to_entries[] |
        select(.key | test("^(frame|#|empty line|other line)$") | not) | "record \(.key) \(.value)"'
    ask "$1" "SELECT 'inner ' || value || ' ' || count(*) FROM events WHERE category = 'event'
        AND value IS NOT NULL AND value <> '' GROUP BY value"
    ask "$1" "SELECT 'time ' || value || ' ' || CAST(round(sum(duration) * 1e6) AS integer)
        FROM events WHERE type = 'Thread state' GROUP BY value"
    ask "$1" "SELECT 'wakings ' || count(*) || ' ' || CAST(round(sum(begin) * 1e6) AS integer)
        FROM events WHERE type = 'Waking' AND begin = end HAVING count(*) > 0"
}
count() { python3 reader.py "$1"; }
for text in "$OCELOTL_ROOT"/../shared/traces/formats/perf/*.txt*; do
    [ ! -e "$text" ] || agrees "$text"
done

cat >sched.txt <<'END'
# ========
# captured on    : Sun Nov 22 10:00:00 2026
# perf version : 6.1.0
# ========
#
     swapper     0 [000]   10.000001: sched:sched_wakeup: comm=a b pid=7 prio=120 target_cpu=000
     swapper     0 [000]   10.000002: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a b next_pid=7 next_prio=120
         a b     7 [000]   10.000005: sched:sched_process_fork: comm=a b pid=7 child_comm=a b child_pid=8
         a b     7 [000]   10.000009: sched:sched_switch: prev_comm=a b prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=a b next_pid=8 next_prio=120
         a b     8 [000]   10.000010: sched:sched_switch: prev_comm=a b prev_pid=8 prev_prio=120 prev_state=D ==> next_comm=a b next_pid=7 next_prio=120
           c     9 [001]   10.000011:       1000 cycles:u:  ffffffff81001408 one+0x12 ([kernel.kallsyms])
         a b     7 [000]   10.000013: sched:sched_process_exit: comm=a b pid=7 prio=120
         a b     7 [000]   10.000014: sched:sched_switch: prev_comm=a b prev_pid=7 prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120
     swapper     0 [000]   10.000020: block:block_rq_issue: 8,0 R 4096 ()
END
agrees sched.txt
quiet sched.txt -o s.db
states="SELECT resource, value, CAST(round((begin - 10) * 1e6) AS integer) AS b,
    CAST(round((end - 10) * 1e6) AS integer) FROM events WHERE category = 'state'"
same "states of threads" "a b/a b (7),ready,1,2 a b/a b (7),running,2,9 a b/a b (8),ready,5,9 \
a b/a b (7),ready,9,10 a b/a b (8),running,9,10 a b/a b (7),running,10,14 \
a b/a b (8),blocked,10,20 c/c,running,11,20" \
    "$(ask s.db "$states AND type = 'Thread state' ORDER BY b, resource" | line)"
same "states of CPUs" "CPUs/CPU 0,idle,1,2 CPUs/CPU 0,a b,2,9 CPUs/CPU 0,a b,9,10 \
CPUs/CPU 0,a b,10,14 CPUs/CPU 1,c,11,20 CPUs/CPU 0,idle,14,20" \
    "$(ask s.db "$states AND type = 'CPU state' ORDER BY b, resource" | line)"
attribute() {
    cli sql --json "$1" "SELECT json_extract(attributes, '\$.$2') AS text FROM events
        WHERE $3" | jq -r '.[0].text'
}
same "the reason" D "$(attribute s.db reason "value = 'blocked'")"
same "the object" '[kernel.kallsyms]' "$(attribute s.db object "type = 'cycles:u'")"
same "the period" 1000 "$(attribute s.db period "type = 'cycles:u'")"
same "the fields" '8,0 R 4096 ()' "$(attribute s.db fields "type = 'block:block_rq_issue'")"
cli info --json s.db >s.json
holds "producer" s.json '.source.producer == "perf 6.1.0"'
holds "comments" s.json '.source.records["#"] == 5'

# Who wakes whom, once, whichever events say so; what is idle wakes nobody, nor is a fork a waking.
cat >wakings.txt <<'END'
    a 7 [000]   10.000001: sched:sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=120
    b 8 [000]   10.000003: sched:sched_waking: comm=a pid=7 prio=120 target_cpu=001
    swapper 0 [001] 10.000004: sched:sched_wakeup: comm=a pid=7 prio=120 target_cpu=001
    swapper 0 [001] 10.000005: sched:sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=120
    a 7 [001]   10.000006: sched:sched_wakeup: comm=b pid=8 prio=120 target_cpu=000
    a 7 [001]   10.000007: sched:sched_process_fork: comm=a pid=7 child_comm=a child_pid=9
    a 7 [001]   10.000007: sched:sched_wakeup_new: comm=a pid=9 prio=120 target_cpu=000
    b 8 [000]   10.000008: sched:sched_switch: prev_comm=b prev_pid=8 prev_prio=120 prev_state=D ==> next_comm=swapper/0 next_pid=0 next_prio=120
    swapper 0 [000] 10.000010: sched:sched_wakeup: comm=b pid=8 prio=120 target_cpu=000
END
agrees wakings.txt
same "wakings" "b/b,a/a (7),3,0" "$(ask agrees.db "SELECT source, target,
    CAST(round((begin - 10) * 1e6) AS integer), duration * 1e9 FROM events
    WHERE type = 'Waking'" | sed 's/\.0$//')"

# The way that older perf prints the scheduler.
keys='prev_comm=(.*) prev_pid=([0-9]+) prev_prio=120 prev_state=([^ ]*)'
more='next_comm=(.*) next_pid=([0-9]+) next_prio=120'
sed -E "s/$keys ==> $more/\1:\2 [120] \3 ==> \4:\5 [120]/
    s/comm=(a b) pid=7 prio=120 target_cpu=000/\1:7 [120] success=1 CPU:000/" sched.txt >old.txt
[ "$(grep -c '==> .* \[120\]' old.txt)" -eq 4 ] || fail "older perf is not older"
quiet old.txt -o old.db
states="$states ORDER BY 1, 3, 4, 2"
same "older perf" "$(ask s.db "$states")" "$(ask old.db "$states")"

# --- Samples: names with blanks, processes, no CPU, tabs, stacks

cat >samples.txt <<'END'
my program 1/2 	30.100000:	  250 cpu-clock:
	            1400 inner(int) const+0x8 (/lib/a.so)
	            1410 outer (/lib/a.so)
	            1420 [unknown] (/tmp/perf-1.map)

my program 1/2 30.200000: 250 cpu-clock:
	            1404 other (/lib/a (deleted))
	            1410 outer+0xff (/lib/a.so)
	            1420 [unknown] (/tmp/perf-1.map)

my program 1/1 30.300000: 250 cpu-clock:
	            1430 main (/bin/my)

my program 1/1 30.400000: 250 cpu-clock:
	            1430 main (/bin/my)

my program 1/1 30.900000: 250 cpu-clock:
	            1430 main (/bin/my)

PERF 1/1 30.900000: PERF_RECORD_FORK(1:3):(1:1)
END
quiet samples.txt -o p.db
same "events" "my program/my program (2),inner(int) const,30.1 my program/my program (2),other,30.2 \
my program/my program (1),main,30.3 my program/my program (1),main,30.4 \
my program/my program (1),main,30.9" "$(ask p.db "SELECT resource, value, begin FROM events
    ORDER BY begin" | line)"
cli info --json p.db >p.json
holds "frames" p.json '.source.records == {"cpu-clock": 5, "frame": 9, "empty line": 5,
    "PERF_RECORD_FORK(1:3):(1:1)": 1}'
same "a deleted object" '/lib/a (deleted)' "$(attribute p.db object "value = 'other'")"
quiet --stacks samples.txt -o k.db
same "stacks" "[unknown] in perf-1.map,0,30.1,30.3 outer,1,30.1,30.3 inner(int) const,2,30.1,30.2 \
other,2,30.2,30.3 main,0,30.3,30.5 main,0,30.9,30.9" "$(ask k.db "SELECT value, depth,
    round(begin, 6), round(end, 6) FROM events ORDER BY begin, depth" | line)"
quiet --fold-names '\(.*\)' samples.txt -o fold.db
same "folded" "inner* const" "$(ask fold.db "SELECT value FROM events ORDER BY begin LIMIT 1")"
same "the whole name" 'inner(int) const' "$(attribute fold.db name "value = 'inner* const'")"

# --- The same text otherwise: the same trace

{ grep '^#' sched.txt && grep -v '^#' sched.txt | tac; } >back.txt
quiet back.txt -o back.db
same "samples backwards" "$(exported s.db)" "$(exported back.db)"
says back.db 'sample earlier than the one before it'

# --- Broken text

good='java 1 [001] 30.481555: cpu-clock:  ffffffff81001408 one (x)'
bare='the line is no sample and no frame, expected command, thread, CPU, time and event (without'
while IFS='|' read -r message line; do
    broken_line x.txt "$message" "$line"
done <<END
the line is no sample and no frame|hello world
the line is no sample and no frame|java 1 [001] 30.4
the line is no sample and no frame|java x [001] 30.481555: cpu-clock:
$bare|java 30.4: x:
a sample without its time|java 1 [001] cpu-clock:
an event of the scheduler without "next_pid="|java 1 [001] 30.5: sched:sched_switch: prev_comm=a prev_pid=1 prev_state=S
an event of the scheduler without "prev_state="|java 1 [001] 30.5: sched:sched_switch: prev_pid=1 ==> next_pid=2
an event of the scheduler without "pid="|java 1 [001] 30.5: sched:sched_wakeup: comm=a pid=x
the time is too large, expected less than 9223372036 s|a 7 [000] 9999999999.5: cycles:
the time is too large|a 7 [000] 1$(printf '%0300d' 0).5: cycles:
END
sed -E 's/ 30\.[0-9]+:/ /' samples.txt | sed '1s/.*/java 1 [001] cpu-clock:/' >timeless.txt
refused 1 'timeless.txt:1: a sample without its time, expected what `perf script -F +time` prints' \
    import timeless.txt -o x.db
refused 1 'timeless.txt:1: a sample without its time' import --lenient timeless.txt -o x.db
# -F comm,tid,event,ip,sym
printf 'java 1 cycles: \n\t 7f01 main+0x1 (/usr/bin/java)\n\n' >timeless.txt
refused 1 'timeless.txt:1: a sample without its time, expected what `perf script -F +time` prints' \
    import timeless.txt -o x.db

# --- A recording without -a: what runs beside the program is not known

cat >own.txt <<'END'
    a 7 [000]   10.000001: sched:sched_wakeup: comm=kw pid=5 prio=120 target_cpu=001
    a 7 [000]   10.000002: sched:sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=kw next_pid=5 next_prio=120
    a 7 [000]   10.000012: cycles:
    a 7 [000]   10.000015: sched:sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
    a 7 [000]   10.000020: cycles:
END
quiet own.txt -o own.db
same "states of a thread that is followed" \
    "a/a,running,1,2 a/a,blocked,2,12 a/a,running,12,15 a/a,blocked,15,20 a/a,running,20,20" \
    "$(ask own.db "${states% ORDER*} AND type = 'Thread state' ORDER BY b, 4" | line)"
same "states of its CPU" "CPUs/CPU 0,a,1,2 CPUs/CPU 0,a,12,15 CPUs/CPU 0,a,20,20" \
    "$(ask own.db "${states% ORDER*} AND type = 'CPU state' ORDER BY b" | line)"
says own.db '2  switch to a thread that perf does not follow without -a (its state is unknown)'

# A thread that ends has no number any more: its last switch names it.
cat >last.txt <<'END'
    a 7 [000]   10.000001: sched:sched_wakeup: comm=a pid=7 prio=120 target_cpu=000
    a 7 [000]   10.000002: sched:sched_process_exit: comm=a pid=7 prio=120
   :-1 -1 [000] 10.000005: sched:sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120
    swapper 0 [000] 10.000009: sched:sched_wakeup: comm=b pid=8 prio=120 target_cpu=001
END
quiet last.txt -o last.db
same "states beside a thread without a number" "a/a,running,1,5 CPUs/CPU 0,a,1,5 \
CPUs/CPU 0,idle,5,9 b/b,ready,9,9" "$(ask last.db "${states% ORDER*} ORDER BY b, type DESC" | line)"
cli info --json last.db | jq -e '[.. | strings | select(startswith(":-1"))] == []' >/dev/null ||
    fail "a thread without a number: $(cli info last.db)"

# --- Other columns and options of perf script

sed -E 's/\[00([01])\]/[00\1] U    /; s/^\t.*main.*/&\n  main.c:12\n    ilen: 3 insn: 48 89 e5/' sched.txt >more.txt
cli sql --csv s.db 'SELECT * FROM events' >plain.csv
quiet more.txt -o more.db
cli sql --csv more.db 'SELECT * FROM events' | diff - plain.csv >&2 || fail "-F +misc"
printf 'a 7 [000] 1.5: cycles: 7f01 main+0x1 (/usr/bin/a) ilen: 3 insn: 48 89 e5\n' >code.txt
printf 'a 7 [000] 1.6: cycles:\n\t7f01 main+0x1 (/usr/bin/a)\n  main.c:12\n ilen: 3 insn: 48\n' >>code.txt
printf 'a -1/-1 [000] 1.7: cycles:\n\t7f01 main+0x1 (/usr/bin/a)\n  :0\n insn: 48\n' >>code.txt
printf 'a 7 [000] 1.8: cycles:\n\t7f01 main+0x1 (/usr/bin/a)\n  [kernel.kallsyms][ff81]\n' >>code.txt
printf 'a 7 [000] 1.9: cycles: 7f01 [unknown] (/usr/lib/b.so) insn: 4d 85 ff\n' >>code.txt
printf 'a 7 [000] 2.0: cycles: 7f01 [unknown] (/usr/lib/b.so)\n' >>code.txt
quiet code.txt -o code.db
same "-F +insn,+srcline" "[unknown] in b.so,2
main,4" "$(ask code.db 'SELECT value, count(*) FROM events GROUP BY 1 ORDER BY 1')"
# times NAME TIME...: a text with a sample at each time.
times() { printf 'a 7 [000] %.6f: cycles:\n' "${@:2}" >"$1"; }
times short.txt 0.000000 0.000005 0.000003
times delta.txt 0.000000 0.000251 0.000249 0.000248 0.000291
times rising.txt 0.0 $(for i in $(seq 30); do echo 0.00000{1,2} 0.0002$i; done)
for options in short delta rising '--lenient delta'; do
    refused 1 'the times go back again and again behind a first one of 0, as `perf script --deltatime`' \
        import $options.txt -o x.db
    lacks refused.err 'skips such lines'
done
has refused.err 'delta.txt:3: the times'
# Out of order is none of it: now and then, by rounds of several CPUs, or behind one that is early.
times late.txt $(seq 0 12) 11.5 $(seq 13 20)
times rounds.txt $(for i in $(seq 0 20); do seq "$i" 3 $((i + 9)); done)
times early.txt 0 500.5 $(seq 1 40)
for text in late rounds early; do
    quiet $text.txt -o x.db
    says x.db 'sample earlier than the one before it'
    rm x.db
done
# What -D prints, and fields without the thread, are named at recognition, too.
printf '\n0x1f8@perf.data [0x28]: event: 73\n.\n. ... raw event: size 40 bytes\n' >bare1.txt
printf '\n0x1f8 [0x28]: event: 73\n.\n. ... raw event: size 40 bytes\n' >bare2.txt
printf '     java 1345.678901: \n     java 1345.678902: \n' >bare3.txt
printf 'my java 1345.678901234:  250 cycles:u: \n' >bare4.txt
printf '  1345.678901: \n  1345.678902: \n' >bare5.txt
for i in 1 2 3 4 5; do
    refused 1 "bare$i.txt:$((i < 3 ? 2 : 1)): $bare" import bare$i.txt -o x.db
done
printf 'a 7 [000] 1700000000.12345678%s: cycles:\n' 1 2 >realtime.txt
quiet realtime.txt -o x.db
same "seconds since 1970" 1e-09 "$(cli info --json x.db | jq .duration)"
rm x.db
printf '# ========\n# captured on : now\n' >empty.txt
refused 1 'empty.txt: holds no sample, expected some' import empty.txt -o x.db
printf 'PERFILE2\0\0' >perf.data
refused 1 'is a recording of perf, which cannot be read, expected the text that `perf script` prints' \
    import perf.data -o x.db
