# Archives that python3-otf2 writes, of several threads a process: in a communicator each thread is
# its process, as MPI has it.
need_format otf2
need jq
python=/usr/bin/python3
"$python" -c 'import otf2' 2>/dev/null || { echo "skipped: python3-otf2 is missing" && exit 77; }

# Three ranks of two threads; communicators list the first one of each.
cat >make.py <<'END_OF_PYTHON'
import otf2
from otf2.enums import CollectiveOp, GroupType, LocationGroupType, Paradigm

with otf2.writer.open("threads", timer_resolution=1000) as trace:
    own = trace.definitions
    node = own.system_tree_node("node")
    ranks = [own.location_group(f"rank {i}", system_tree_parent=node,
                                location_group_type=LocationGroupType.PROCESS) for i in range(3)]
    other = [own.location("other", group=rank) for rank in ranks]
    first = [own.location("first", group=rank) for rank in ranks]
    own.group("all", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=first)
    members = own.group("world", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                        members=[0, 1, 2])
    pair = own.group("pair", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                     members=[2, 0])
    alone = own.group("self", group_type=GroupType.COMM_SELF, paradigm=Paradigm.MPI, members=[])
    world, sub = own.comm("world", group=members), own.comm("sub", group=pair)
    itself = own.comm("self", group=alone)
    window = own.rma_win("window", comm=world)
    a = [trace.event_writer_from_location(location) for location in first]
    b = [trace.event_writer_from_location(location) for location in other]
    b[0].mpi_send(1011, 2, world, 7, 100)
    a[2].mpi_recv(1021, 0, world, 7, 100)
    # Two threads of one rank send to one another: in order, whoever does it.
    b[0].mpi_send(1030, 1, world, 7, 1)
    a[0].mpi_send(1031, 1, world, 7, 2)
    b[0].mpi_send(1032, 1, world, 7, 3)
    b[1].mpi_recv(1040, 0, world, 7, 1)
    b[1].mpi_recv(1041, 0, world, 7, 2)
    a[1].mpi_recv(1042, 0, world, 7, 3)
    # Rank 1 of the pair is rank 0 of all.
    b[2].mpi_send(1050, 1, sub, 7, 4)
    b[0].mpi_recv(1051, 0, sub, 7, 4)
    # One thread to the other.
    a[1].mpi_send(1060, 0, itself, 7, 5)
    b[1].mpi_recv(1061, 0, itself, 7, 5)
    b[0].rma_put(1070, window, 1, 512, 5)
    b[0].rma_op_complete_blocking(1071, window, 5)
    for rank, writer in enumerate((a[0], b[1], a[2])):
        writer.mpi_collective_begin(1080)
        writer.mpi_collective_end(1081 + rank, CollectiveOp.BCAST, world, 1, 64, 64)
END_OF_PYTHON
"$python" make.py
quiet threads -o threads.db
same "messages" "100 node/rank 0/other node/rank 2/first
1 node/rank 0/other node/rank 1/other
2 node/rank 0/first node/rank 1/other
3 node/rank 0/other node/rank 1/first
4 node/rank 2/other node/rank 0/other
5 node/rank 1/first node/rank 1/other" "$(ask threads.db "SELECT json_extract(attributes, '\$.size')
    || ' ' || source || ' ' || target FROM events WHERE type = 'Message' ORDER BY begin")"
same "transfers" "node/rank 0/other node/rank 1/first" "$(ask threads.db "SELECT source || ' ' ||
    target FROM events WHERE type = 'RMA transfer'")"
same "roots" "node/rank 1/other" "$(ask threads.db "SELECT resource FROM events WHERE
    json_extract(attributes, '\$.role') = 'root'")"
same "collectives of others" 1 "$(warned threads.db "does not list")"
same "unmatched" null "$(warned threads.db "without")"
