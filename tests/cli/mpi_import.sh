# ocelotl-mpi import: ranks that share an archive write the run that one process writes, to the last
# number of a name.
need jq sqlite3
need_format otf2
. "$OCELOTL_ROOT/tests/cli/mpi.inc"

# imports COUNT WORD...: imports a run with so many ranks; the trace is the last word.
imports() {
    rm -rf run.ocelotl
    ranks "$1" import "${@:2}" -o run.ocelotl >/dev/null 2>said.txt || fail "$*: $(cat said.txt)"
}
everything() { # TRACE: all that is in it, in one file
    rm -f all.db
    cli merge "$1" -o all.db >/dev/null 2>&1
    sqlite3 all.db .dump
}
picture() { # TRACE
    rm -rf drawn
    mkdir drawn
    cp -r "$1" drawn/trace
    (cd drawn && cli --slices 20 --p 0.4 --no-cache trace -o out.svg >/dev/null 2>&1)
    cat drawn/out.svg
}
# alike TRACE COUNT...: what one process imports, and so many ranks.
alike() {
    local count trace=$1
    cli import --force $reading "$trace" -o one.db >/dev/null 2>&1
    everything one.db >one.sql
    cli info --json one.db | jq -S 'del(.size, .bytes_per_event)' >one.json
    picture one.db >one.svg
    for count in "${@:2}"; do
        imports "$count" $reading "$trace"
        everything run.ocelotl >run.sql
        cmp -s one.sql run.sql || fail "$trace, $count ranks: $(diff one.sql run.sql | head -n 4)"
        cli info --json run.ocelotl | jq -S 'del(.size, .bytes_per_event)' >run.json
        cmp one.json run.json || fail "$trace, $count ranks: info"
        picture run.ocelotl >run.svg
        cmp one.svg run.svg || fail "$trace, $count ranks: a picture"
        same "$trace, $count ranks" sound "$(cli verify run.ocelotl | cut -d : -f 1)"
    done
}
reading=
alike "$OCELOTL_ROOT/tests/data/otf2/whole/run.otf2" 1 2 3 4 7
if [ -d "$shared/../formats/otf2" ]; then
    tar -xf "$shared/../formats/otf2/pipit-ping-pong-otf2.tar.zst"
    alike "$(find . -name '*.otf2' | head -n 1)" 2 3
    # It defines two events of each location, which have 70,000.
    tar -xf "$shared/../formats/otf2/eztrace-hpcc-4.tar.zst"
    alike hpcc4_trace/eztrace_log.otf2 2
    rm -rf hpcc4_trace
fi
# Formats that rank 0 reads alone, and a trace.db.
alike "$sample" 3
cli import --force "$sample" -o given.db >/dev/null
imports 2 given.db
cli merge run.ocelotl -o merged.db >/dev/null
same "the uid" "$(uid given.db)" "$(uid merged.db)"

# What is wrong is said once, and leaves nothing.
said() { # CODE COUNT TEXT WORD...
    local code=0
    ranks "$2" "${@:4}" >answer.txt 2>said.txt || code=$?
    same "exit code: ${*:4}" "$1" "$code"
    same "lines: ${*:4}" 1 "$(grep -v 'ocelotl-cli: after [0-9]* s: ' said.txt |
        grep -c 'ocelotl-cli: ')"
    has said.txt "$3"
}
rm -rf run.ocelotl
said 1 3 'is of no format that is known' import "$OCELOTL_ROOT/README.md" -o run.ocelotl
said 1 2 'a trace.db is written by one process' import "$sample" -o run.db
said 2 2 'no file to write given' import "$sample"
mkdir run.ocelotl
said 1 2 'run.ocelotl: exists already' import "$sample" -o run.ocelotl
rmdir run.ocelotl
rm -rf drawn
same "what is left" "" "$(find . -name '*partial*' -o -name 'run.ocelotl' -o -name run.db)"

python=/usr/bin/python3
"$python" -c 'import otf2' 2>/dev/null || { finish && exit 0; }
cat >make.py <<'END_OF_PYTHON'
import random
import otf2
from otf2.enums import GroupType, LocationGroupType, LocationType, Paradigm, Type

# Eight ranks, each with a thread; some have more and one has a stream of a device; some are
# much longer than others, and each begins with something that no other has.
chance = random.Random(7)
with otf2.writer.open("ranks", timer_resolution=10**6) as trace:
    own = trace.definitions
    nodes = [own.system_tree_node(f"node {i}") for i in range(3)]
    groups = [own.location_group(f"rank {i}", system_tree_parent=nodes[i % 3],
                                 location_group_type=LocationGroupType.PROCESS) for i in range(8)]
    threads = [own.location("main", group=group) for group in groups]
    more = [own.location(f"helper {i}", group=groups[i % 2]) for i in range(5)]
    device = own.location("stream", group=groups[5], type=LocationType.ACCELERATOR_STREAM)
    own.group("all", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=threads)
    world = own.comm("world", group=own.group(
        "world", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=list(range(8))))
    window = own.rma_win("window", comm=world)
    shared = [own.region(f"f{i}") for i in range(9)]
    counts = own.metric_class([own.metric_member("counted", value_type=Type.UINT64),
                               own.metric_member("power", value_type=Type.DOUBLE, unit="W")])
    ways = {}
    for number, location in enumerate([*threads, *more, device]):
        writer = trace.event_writer_from_location(location)
        first = own.region(f"first of {number}")
        time = 1000 + number
        writer.enter(time, first)
        for step in range(chance.choice((3, 40, 700, 6000))):
            time += chance.randrange(1, 50)
            region = shared[min(step // 50 + number, 8)]
            writer.enter(time, region)
            if step % 5 == 0:
                writer.metric(time, counts, [step, step / 3])
            writer.leave(time + 1, region)
            if number < 8 and step % 3 == 0:
                writer.mpi_send(time + 2, (number + 1 + step % 2) % 8, world, step % 4, 8 * step)
            if number < 8 and step % 3 == 1:
                writer.mpi_recv(time + 2, (number - 1 - step % 2) % 8, world, step % 4, 8 * step)
            if number < 8 and step % 7 == 0:
                writer.rma_put(time + 3, window, (number + 3) % 8, 64, step)
                writer.rma_op_complete_blocking(time + 4, window, step)
            time += 5
        writer.leave(time, first)
    # States that cross, and so lanes.
    writer = trace.event_writer_from_location(own.location("crosses", group=groups[6]))
    for time, call in enumerate("aAbBaBAb"):
        (writer.enter if time % 4 < 2 else writer.leave)(2000 + time, shared[ord(call) % 2])
END_OF_PYTHON
"$python" make.py
alike ranks/traces.otf2 1 2 3 4 7
reading=--value=callpath
alike ranks/traces.otf2 3
reading=
# A stream before the threads, which are at several depths: event types are of one type of
# resources.
cat >depths.py <<'END_OF_PYTHON'
import otf2
from otf2.enums import LocationGroupType, LocationType
with otf2.writer.open("depths", timer_resolution=1000) as trace:
    own = trace.definitions
    machine = own.system_tree_node("machine", class_name="machine")
    rack = own.system_tree_node("rack", class_name="rack", parent=machine)
    groups = [own.location_group(f"rank {i}", system_tree_parent=(machine, rack)[i % 2],
                                 location_group_type=LocationGroupType.PROCESS) for i in range(4)]
    stream = own.location("stream", group=groups[1], type=LocationType.ACCELERATOR_STREAM)
    work = own.region("work")
    for number, location in enumerate([stream, *(own.location("main", group=g) for g in groups)]):
        writer = trace.event_writer_from_location(location)
        for step in range(20):
            writer.enter(10 * step + number, work)
            writer.leave(10 * step + number + 5, work)
END_OF_PYTHON
"$python" depths.py
alike depths/traces.otf2 2 3 5
same "event types" 1 "$(cli info --json one.db | jq '.event_types | length')"
# Any number of shards.
cli import --shards 5 --force ranks/traces.otf2 -o five >/dev/null 2>&1
imports 2 --shards 5 ranks/traces.otf2
for file in five/*; do
    cmp "$file" "run.ocelotl/${file#five/}" >/dev/null ||
        same "$file" "$(sqlite3 "$file" .dump)" "$(sqlite3 "run.ocelotl/${file#five/}" .dump)"
done
# More ranks than there are locations.
if [ -d "$shared/../formats/otf2" ]; then
    imports 5 "$(find . -path '*ping*' -name '*.otf2' | head -n 1)"
    has said.txt '3 of 5 ranks write nothing: the run has 2 shards'
fi

# A file of one rank is broken: all end with its message.
cp -r ranks broken
truncate -s 200 "$(find broken -name '3.evt')"
rm -rf drawn run.ocelotl
said 1 3 '3.evt:' import broken/traces.otf2 -o run.ocelotl
same "what a broken file leaves" "" "$(find . -name '*partial*' -o -name 'run.ocelotl')"
reading=--lenient
alike broken/traces.otf2 2 4

# One rank may write no more, as where the disk is full.
rm -rf drawn run.ocelotl
code=0
export OMPI_MCA_btl=tcp,self # which makes no file
timeout 600 mpirun --oversubscribe -n 1 "$mpi" import ranks/traces.otf2 -o run.ocelotl : \
    -n 1 bash -c 'trap "" XFSZ; ulimit -f 100; exec "$@"' _ "$mpi" import ranks/traces.otf2 \
    -o run.ocelotl >answer.txt 2>said.txt || code=$?
same "exit code of a full disk" 1 "$code"
same "lines of a full disk" 1 "$(grep -c 'ocelotl-cli: ' said.txt)"
has said.txt 'run.ocelotl'
same "what a full disk leaves" "" "$(find . -name '*partial*' -o -name 'run.ocelotl')"
unset OMPI_MCA_btl

# One that is killed ends the others; the next import removes what they left.
code=0
timeout 600 mpirun --oversubscribe -n 2 "$mpi" import ranks/traces.otf2 -o run.ocelotl : \
    -n 1 bash -c 'kill -KILL $$' >answer.txt 2>said.txt || code=$?
[ "$code" -ne 0 ] || fail "a killed rank ends well"
[ ! -e run.ocelotl ] || fail "a killed rank leaves half a run"
imports 2 ranks/traces.otf2
same "what a killed rank leaves" "" "$(find . -name '*partial*')"
