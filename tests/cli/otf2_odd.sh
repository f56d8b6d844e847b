# Archives that python3-otf2 writes, of what is odd: nothing of it is lost without a word.
need_format otf2
need jq otf2-print
python=/usr/bin/python3
"$python" -c 'import otf2' 2>/dev/null || { echo "skipped: python3-otf2 is missing" && exit 77; }

ask() { cli sql --csv "$1" "$(tr '\n' ' ' <<<"$2")" | tail -n +2 | sed 's/^"//; s/"$//; s/""/"/g'; }

cat >make.py <<'END_OF_PYTHON'
import otf2
from otf2.enums import GroupType, LocationGroupType, MetricMode, Paradigm, Type

with otf2.writer.open("odd", timer_resolution=1000) as trace:
    own = trace.definitions
    node = own.system_tree_node("node")
    ranks = [own.location_group(f"rank {i}", system_tree_parent=node,
                                location_group_type=LocationGroupType.PROCESS) for i in range(2)]
    threads = [own.location("main", group=rank) for rank in ranks]
    own.group("all", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=threads)
    members = own.group("world", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                        members=[0, 1])
    window = own.rma_win("window", comm=own.comm("world", group=members))
    work = own.region("work")
    mine = own.attribute("mine", type=Type.INT64)
    late = own.attribute("late", type=Type.INT64)
    big = own.metric_class([own.metric_member("big", value_type=Type.UINT64),
                            own.metric_member("low", value_type=Type.INT64)])
    counted = own.metric_class([own.metric_member("sum", value_type=Type.UINT64,
                                                  metric_mode=MetricMode.ACCUMULATED_START)])
    one, other = [trace.event_writer_from_location(thread) for thread in threads]
    one.enter(1010, work, attributes={mine: -5})
    one.enter(1011, work)
    one.leave(1012, work, attributes={mine: 8})
    one.leave(1013, work, attributes={mine: 9, late: 7})
    other.rma_put(1020, window, 0, 77, 9)
    for time, value, low in ((1030, 2**53 + 1, -2**53 - 1), (1031, 2**53, 5), (1032, 2**64 - 1, 6),
                             (1033, 3 * 2**60, -2**63), (1034, 12, -3)):
        one.metric(time, big, [value, low])
        one.metric(time, counted, [2**60 + value // 2**40])
END_OF_PYTHON
"$python" make.py
quiet odd -o odd.db
same "attributes of a state's begin and end" '{"mine":-5,"end_mine":9,"late":7} {"mine":8}' \
    "$(ask odd.db "SELECT group_concat(attributes, ' ') FROM (SELECT * FROM events WHERE value =
    'work' ORDER BY begin)")"
same "a transfer without completion" '{"size":77,"window":"window","remote":0}' \
    "$(ask odd.db "SELECT attributes FROM events WHERE type = 'RMA transfer'")"
same "rounded values" 4 "$(warned odd.db "2^53")"

# Metrics of all modes, with a reset: what is counted is a running sum, what is not is a level; as a
# few lines make them of what otf2-print shows.
cat >modes.py <<'END_OF_PYTHON'
import otf2, random, re
from otf2.enums import MetricMode, Type
with otf2.writer.open("modes", timer_resolution=1000) as trace:
    own = trace.definitions
    group = own.location_group("rank", system_tree_parent=own.system_tree_node("node"))
    writer = trace.event_writer_from_location(own.location("main", group=group))
    work = own.region("work")
    modes = [name for name in dir(MetricMode) if re.match("A[BC]|RE", name)]
    metrics = own.metric_class([own.metric_member(name, unit="J", value_type=Type.UINT64,
                                metric_mode=getattr(MetricMode, name)) for name in modes])
    sums = [100] * len(modes)
    seed = random.Random(7)
    writer.enter(5, work)
    for step in range(200):
        added = [seed.randrange(50) for m in modes]
        sums = [3 if step == 90 else a + b for a, b in zip(sums, added)]
        writer.metric(10 + 4 * step, metrics, [one if m.startswith("ACC") else more
            for m, one, more in zip(modes, sums, added)])
    writer.leave(900, work)
END_OF_PYTHON
"$python" modes.py
cat >shown.py <<'END_OF_PYTHON'
import re, sys
told, last, first, end = {}, {}, None, 0
for line in sys.stdin:
    word = line.split(None, 3)
    if len(word) < 3 or word[0] not in ("ENTER", "LEAVE", "METRIC"):
        continue
    end = int(word[2])
    first = end if first is None else first
    for name, value in re.findall(r'"(\w+)" <\d+>; UINT64; (\d+)', line):
        of, value = told.setdefault(name, {}), int(value)
        time, before = last.get(name, (first, 0))
        last[name] = end, value
        so_far = list(of.values())[-1] if of else 0
        if name.startswith("ABSOLUTE"):
            of[time if name.endswith("LAST") else end] = value
        elif name == "RELATIVE_NEXT":
            of[end] = so_far + before
        elif name.startswith("RELATIVE"):
            of[end] = so_far + value
        else:
            of[end] = so_far + (value - before if value >= before else value)
told["RELATIVE_NEXT"][end] = list(told["RELATIVE_NEXT"].values())[-1] + last["RELATIVE_NEXT"][1]
for name in sorted(told):
    for time, value in told[name].items():
        print(name, time - first, value)
END_OF_PYTHON
otf2-print modes/traces.otf2 | "$python" shown.py >wanted.txt
quiet modes -o modes.db
ask modes.db "SELECT type || ' ' || CAST(round(begin * 1000) AS INTEGER) || ' ' ||
    CAST(value AS INTEGER) FROM events WHERE category = 'variable' AND NOT (value = 0 AND
    begin = 0 AND type LIKE 'RELATIVE%') ORDER BY type, begin" >got.txt
[ "$(wc -l <wanted.txt)" -gt 1990 ] || fail "otf2-print shows $(wc -l <wanted.txt) values"
cmp -s wanted.txt got.txt || fail "modes: $(diff wanted.txt got.txt | head)"
same "counters and levels" "3 levels, 7 counters in J" "$(cli info --json modes.db |
    jq -r '[.event_types[] | select(.category == "variable")] |
        "\(map(select(.kind == null)) | length) levels, \(
        map(select(.kind == "counter" and .unit == "J")) | length) counters in J"')"
same "resets" 4 "$(warned modes.db "were reset")"

# A region for each call: 5000 values of one type.
cat >many.py <<'END_OF_PYTHON'
import otf2
with otf2.writer.open("many", timer_resolution=1000) as trace:
    own = trace.definitions
    group = own.location_group("rank", system_tree_parent=own.system_tree_node("node"))
    writer = trace.event_writer_from_location(own.location("main", group=group))
    for i in range(5000):
        region = own.region(f"step {i}")
        writer.enter(2 * i, region)
        writer.leave(2 * i + 1, region)
END_OF_PYTHON
"$python" many.py
quiet many -o many.db
same "types of many names" 1 "$(warned many.db "more than 4096 names")"
same "types of few names" null "$(warned odd.db "more than 4096 names")"
