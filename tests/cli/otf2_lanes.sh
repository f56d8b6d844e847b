# States that cross, in archives that python3-otf2 writes: what a few lines of Python find from the
# same calls is what the trace has, and in each row states nest.
need_format otf2
need jq
python=/usr/bin/python3
"$python" -c 'import otf2' 2>/dev/null || { echo "skipped: python3-otf2 is missing" && exit 77; }

cat >make.py <<'END_OF_PYTHON'
import random
import otf2
from otf2.enums import IoOperationFlag, IoOperationMode, IoParadigmClass, IoParadigmFlag

REGIONS = "abcdef"

def small(own, group, trace):
    location = own.location("small", group=group)
    writer = trace.event_writer_from_location(location)
    a, b, c = [own.region(name) for name in "abc"]
    writer.enter(1000, a); writer.enter(1100, b); writer.leave(1500, a)
    writer.enter(1600, c); writer.leave(1700, c); writer.leave(2000, b)
    # Nothing but the first and the last of these is open at the end; one crosses that is.
    writer.enter(2100, a); writer.enter(2200, b); writer.leave(2300, a)

def transfers(own, group, root, trace):
    location = own.location("files", group=group)
    writer = trace.event_writer_from_location(location)
    paradigm = own.io_paradigm(identification="POSIX", name="POSIX",
                               io_paradigm_class=IoParadigmClass.SERIAL,
                               io_paradigm_flags=IoParadigmFlag.OS, properties={})
    handle = own.io_handle("h", file=own.io_regular_file("/x", scope=root), io_paradigm=paradigm)
    begin = lambda time, number: writer.io_operation_begin(
        time, handle, IoOperationMode.WRITE, IoOperationFlag.NON_BLOCKING, 10, number)
    begin(1700, 2); begin(1710, 3); begin(1715, 4)
    writer.io_operation_complete(1720, handle, 10, 2)
    writer.io_operation_complete(1730, handle, 10, 3)
    writer.io_operation_complete(1740, handle, 10, 4)

# Tasks that begin and end in any order, never two of one name, and each time only once.
def tasks(own, group, trace, number, count):
    location = own.location(f"tasks {number}", group=group)
    writer = trace.event_writer_from_location(location)
    regions = {name: own.region(name) for name in REGIONS}
    chance, time, opened = random.Random(number), 1000, {}
    with open(f"expected{number}.txt", "w") as expected:
        for _ in range(count):
            time += chance.randrange(1, 9)
            name = chance.choice(REGIONS)
            if name in opened:
                writer.leave(time, regions[name])
                print(name, opened.pop(name) - 1000, time - 1000, file=expected)
            else:
                writer.enter(time, regions[name])
                opened[name] = time
        for name in sorted(opened):
            writer.leave(time := time + 1, regions[name])
            print(name, opened[name] - 1000, time - 1000, file=expected)

with otf2.writer.open("lanes", timer_resolution=1000) as trace:
    own = trace.definitions
    root = own.system_tree_node("node")
    group = own.location_group("rank", system_tree_parent=root)
    small(own, group, trace)
    transfers(own, group, root, trace)
    for number, count in enumerate((500, 20000)):
        tasks(own, group, trace, number, count)
END_OF_PYTHON
"$python" make.py
quiet lanes -o lanes.db

same "what crosses" "a 0 500 node/rank/small
b 100 1000 node/rank/small/~1
c 600 700 node/rank/small
a 1100 1300 node/rank/small" "$(ask lanes.db "SELECT value || ' ' || round(begin * 1e3) || ' ' ||
    round(end * 1e3) || ' ' || resource FROM events WHERE resource LIKE '%small%' AND begin < 1.15
    ORDER BY begin" | sed 's/\.0\b//g')"
same "what is open" "b node/rank/small/~1" "$(ask lanes.db "SELECT value || ' ' || resource FROM
    events WHERE resource LIKE '%small%' AND begin > 1.15")"
same "operations" "700 720 node/rank/files
710 730 node/rank/files/~1
715 740 node/rank/files/~2" "$(ask lanes.db "SELECT round(begin * 1e3) || ' ' || round(end * 1e3)
    || ' ' || resource FROM events WHERE type = 'I/O operation' ORDER BY begin" | sed 's/\.0\b//g')"
for number in 0 1; do
    ask lanes.db "SELECT value || ' ' || round(begin * 1e3) || ' ' || round(end * 1e3)
        FROM events WHERE resource LIKE '%tasks $number%'" | sed 's/\.0\b//g' | sort >got.txt
    sort "expected$number.txt" | cmp -s - got.txt || fail "tasks $number: other states"
    [ "$(wc -l <got.txt)" -gt 200 ] || fail "tasks $number: few states"
done
# In each row states nest, and the depth is how many are around a state.
ask lanes.db "SELECT resource || ' ' || round(begin * 1e3) || ' ' || round(end * 1e3) || ' ' ||
    depth FROM events WHERE type = 'Region' ORDER BY resource, begin, end DESC" >rows.txt
"$python" - <<'END_OF_PYTHON' || fail "states cross in a row"
row, open_ends, lanes = None, [], set()
for line in open("rows.txt"):
    name, begin, end, depth = line.rsplit(None, 3)
    begin, end = float(begin), float(end)
    if name != row:
        row, open_ends = name, []
    while open_ends and open_ends[-1] <= begin:
        open_ends.pop()
    assert not open_ends or open_ends[-1] >= end, line
    assert len(open_ends) == int(depth), line
    open_ends.append(end)
    lanes.add(name)
assert len(lanes) > 6, lanes
END_OF_PYTHON
moved=$(ask lanes.db "SELECT count(*) FROM events WHERE category = 'state' AND resource LIKE '%/~%'")
same "counted" "$moved" "$(warned lanes.db "crosses another")"
# The values may be call paths: what is around a state when it is entered, in whatever lane.
quiet --value callpath lanes -o paths.db
same "call paths" "a
a > b
a > b > c
a
a > b" "$(ask paths.db "SELECT value FROM events WHERE resource LIKE '%small%' ORDER BY begin")"
# Lanes of lanes: two archives that overlap, merged.
cp -r lanes again
quiet lanes again --same-root --align begin -o both.db
same "merged" "node/rank/small 3
node/rank/small/~1 2
node/rank/small/~again 3
node/rank/small/~again~1 2" "$(ask both.db "SELECT resource || ' ' || count(*) FROM events WHERE
    resource LIKE '%small%' GROUP BY resource ORDER BY resource")"
