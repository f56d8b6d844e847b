# Pairs of events that the user names (--pair) in traces of kernels: any two names are imported,
# with the states that a few lines of Python find among the events of a plain import, and leave all
# other states as they are.
need_format ctf
need python3 zstd jq
traces=$OCELOTL_ROOT/../shared/traces/formats

python3 - <<'END' || fail "no trace was made"
from ctf_maker import event, kernel, switch

trace = kernel()
with trace.stream(0) as cpu:
    cpu.packet([
        switch(0, 0, 10), event(5, "free", page=1, order=0),     # an end without a begin
        event(10, "alloc", page=2), event(12, "alloc", page=3),  # one in the other
        event(14, "free", page=3, order=0), event(16, "syscall_entry_read", fd=1),
        event(18, "alloc", page=4),                              # which nothing ends
        event(20, "irq_handler_entry", irq=1, name="disk"), event(22, "lock"),
        event(24, "irq_handler_exit", irq=1, ret=0), event(26, "unlock"),  # at another place
        event(28, "sched_process_fork", parent_comm="t10", parent_tid=10, child_comm="t11",
              child_tid=11, child_pid=11),
        switch(30, 10, 11), event(32, "free", page=9, order=0), event(34, "alloc", page=5),
        event(36, "sched_process_exit", comm="t11", tid=11, prio=20), switch(38, 11, 10, 64),
        event(40, "syscall_exit_read", ret=1), switch(44, 10, 12), event(46, "alloc", page=6),
        switch(48, 12, 0)])
with trace.stream(1) as cpu:  # a thread that goes on here
    cpu.packet([switch(50, 0, 12), event(54, "free", page=6, order=2), switch(60, 12, 0)])
END

# What pairs become: of instants by their rows and in their order.
cat >expected.py <<'END'
import csv, sys
begins, ends = sys.argv[1].split("=")
opened, alone, spans = {}, 0, []
for row, name, time in csv.reader(open("events.csv")):
    time = float(time)
    if name == begins:
        opened.setdefault(row, []).append(time)
    elif name == ends and opened.get(row):
        spans.append(time - opened[row].pop())
    elif name == ends:
        alone += 1
left = sum(len(some) for some in opened.values())
if sys.argv[2] == "time":
    print(round(sum(spans) * 1e9))
else:
    print(len(spans) + left + alone * (sys.argv[2] == "lenient"), left, alone)
END

totals="SELECT type || '|' || value || '|' || count(*) || '|' ||
    CAST(round(sum(duration) * 1e9) AS INTEGER) FROM events
    WHERE type IN ('Thread state', 'CPU state') GROUP BY type, value ORDER BY 1"

# plain FOLDER: imports it without pairs, to compare with.
plain() {
    quiet "$1" -o plain.db
    ask plain.db "$totals" >totals.txt
    cli sql --csv plain.db "SELECT resource, value, printf('%.9f', begin) FROM events
        WHERE type = 'Event' ORDER BY begin" | tail -n +2 >events.csv
    ask plain.db "SELECT kind FROM source_kinds ORDER BY kind" >kinds.txt
    ask plain.db "SELECT DISTINCT value FROM events WHERE type = 'Event'" >instants.txt
}

# paired FOLDER PAIR [OPTION]: imports it with a pair, and compares.
paired() {
    local folder=$1 pair=$2 how=${3:-strict} begin=${2%=*} end=${2#*=}
    quiet "$folder" --pair "$pair" -o t.db ${3:+"--$3"}
    cli verify t.db >/dev/null 2>verify.err || fail "$pair $how: $(cat verify.err)"
    ask t.db "$totals" | cmp -s - totals.txt ||
        fail "$pair $how: other states $(ask t.db "$totals" | diff - totals.txt)"
    same "$pair $how: records by kind" "$(jq -S .source.records plain.json)" \
        "$(cli info --json t.db | jq -S .source.records)"
    grep -qxF "$begin" instants.txt && grep -qxF "$end" instants.txt || return 0
    cli info --json t.db | jq -r '[.warnings[] | select(.kind | startswith("state open") or
        startswith("end of a state without")) | {(.kind[0:3]): .count}] | add // {} |
        [.sta // 0, .end // 0] | join(" ")' >odd.txt
    same "$pair $how" "$(python3 expected.py "$pair" "$how")" "$(ask t.db "SELECT count(*) FROM
        events WHERE type = 'Span' AND value = '$begin'") $(cat odd.txt)"
    [ "$how" = strict ] || return 0
    same "$pair: time" "$(python3 expected.py "$pair" time)" "$(ask t.db "SELECT
        coalesce(CAST(round(sum(duration) * 1e9) AS INTEGER), 0) FROM events WHERE type = 'Span' AND
        value = '$begin' AND attributes ->> 'open' IS NULL")"
}

# all_of FOLDER COUNT [PAIR..]: pairs that are given, and others at random.
all_of() {
    local folder=$1 count=$2 pair how=''
    shift 2
    plain "$folder"
    cli info --json plain.db >plain.json
    python3 - "$count" "$@" >pairs.txt <<'END'
import random, sys
random.seed(17)
names = open("kinds.txt").read().split()
plain = open("instants.txt").read().split()
for pair in sys.argv[2:]:
    print(pair)
for i in range(int(sys.argv[1])):
    print("=".join(random.sample(names if i % 3 == 0 else plain, 2)))
END
    while read -r pair; do
        paired "$folder" "$pair" "$how"
        [ -n "$how" ] && how='' || how=lenient
    done <pairs.txt
}

# spans QUERY: states of pairs, by thread or CPU.
spans() {
    ask t.db "SELECT replace(resource, rtrim(resource, replace(resource, '/', '')), '') || ' ' ||
        CAST(round(begin * 1e9) AS INTEGER) || '-' || CAST(round(end * 1e9) AS INTEGER) || ' ' ||
        depth || ' ' || coalesce(attributes, '') FROM events WHERE type = 'Span'
        ORDER BY begin, depth"
}

check_made() {
    all_of kernel 9
    quiet kernel --pair alloc=free -o t.db
    cat >want.txt <<'END'
t10 10-60 0 {page:0x2,cpu_id:0,open:true}
t10 12-14 1 {page:0x3,cpu_id:0,end_page:0x3,end_order:0}
t10 18-60 1 {page:0x4,cpu_id:0,open:true}
t11 34-38 0 {page:0x5,cpu_id:0,open:true}
t12 46-54 0 {page:0x6,cpu_id:0,end_page:0x6,end_order:2}
END
    spans >got.txt
    cmp -s want.txt got.txt || fail "alloc=free: $(diff want.txt got.txt)"
    quiet kernel --lenient --pair alloc=free -o t.db
    same "from the beginning of a thread's life" "t11 28-32 0 {end_page:0x9,end_order:0}" \
        "$(spans | grep '^t11 28')"
    # What a state machine reads stays as it is, and is in the pair as well. A switch begins
    # something for the thread that comes, and ends something for the one that goes.
    quiet kernel --pair sched_switch=sched_process_exit -o t.db
    spans >got.txt
    like got.txt '^t11 30-36 0'
    quiet kernel --pair alloc=sched_switch -o t.db
    spans >got.txt
    grep -q '^t11 34-38 0' got.txt && grep -q '^t12 46-48 0' got.txt ||
        fail "a switch ends: $(cat got.txt)"
    quiet kernel --pair irq_handler_entry=irq_handler_exit,syscall_entry_read=syscall_exit_read \
        -o t.db --force
    same "pairs of the state machine" "CPU 0 20-24 0,t10 16-40 0" \
        "$(spans | cut -d '{' -f 1 | sed 's/ $//' | sort | paste -sd ,)"
    # Several ends of one begin, and what cannot be.
    quiet kernel --pair alloc=free,alloc=sched_switch -o t.db
    spans >got.txt
    same "two ends of one begin" 5 "$(wc -l <got.txt)"
    refused 1 '--pair "alloc=free,free=lock": "free" ends a state and begins another, expected one of both' \
        import kernel --pair alloc=free,free=lock -o no.db
    refused 1 '--pair "lock=lock": "lock" ends a state and begins another, expected one of both' \
        import kernel --pair lock=lock -o no.db
    refused 1 '--pair "alloc=free,lock=free": "free" ends states of "alloc" and of "lock", expected one of both' \
        import kernel --pair alloc=free,lock=free -o no.db
}

# A name that no event has is an error that names the nearest one.
check_unknown() {
    local option
    for option in "" --lenient; do
        refused 1 '--pair "alloc=fre": no event is called "fre", perhaps "free"' \
            import kernel --pair alloc=fre $option -o no.db
        refused 1 '--pair "nosuchthing=nothing": no event is called "nosuchthing", expected one of the trace, such as "' \
            import kernel --pair nosuchthing=nothing $option -o no.db
    done
    quiet kernel --pair alloc=never -o t.db # declared, and does not happen
    refused 1 '--pair "alloc=fre": no event is called "fre", perhaps "free"' overview --pair alloc=fre kernel -o x.svg
}

check_made
check_unknown
if [ -d "$traces/ctf" ]; then
    for name in tracecompass-bug446190 tracecompass-perf-taskset2; do
        mkdir "$name"
        zstd -dcq "$traces/ctf/$name.tar.zst" | tar -xf - -C "$name"
    done
    all_of tracecompass-bug446190 9 mm_page_alloc=mm_page_free timer_start=timer_cancel \
        hrtimer_start=hrtimer_cancel kmem_kmalloc=kmem_kfree sched_switch=sched_wakeup \
        net_dev_queue=net_dev_xmit softirq_raise=softirq_entry sched_wakeup=sched_switch \
        irq_handler_entry=irq_handler_exit workqueue_execute_start=workqueue_execute_end
    all_of tracecompass-perf-taskset2 4
fi
