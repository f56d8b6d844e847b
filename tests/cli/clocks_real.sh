# Clocks that are really wrong: eztrace dates each process from a start of its own, and faketime
# makes clocks run fast.
. "$OCELOTL_ROOT/tests/cli/clocks.inc"
need mpicc mpirun
echo '#include <mpi.h>' >mpi.c # mpicc says where it is for files alone
mpicc -E mpi.c >/dev/null 2>&1 || { echo "skipped: mpi.h is missing" && exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# Beside other tests two cores are busy, and processes that wait shall not take them.
export OMPI_MCA_mpi_yield_when_idle=1
run() { timeout 120 mpirun --oversubscribe -np "$@" >run.log 2>&1; }

# print JQ_PROGRAM [OPTIONS]: figures of clocks.json, for bench/run.py.
print() { [ -z "${OCELOTL_PRINT:-}" ] || jq -r "$1" "${@:2}" clocks.json; }

# --- A ring of sends one way, and collective operations of all and of halves

cat >ring.c <<'END'
#include <mpi.h>
#include <stdlib.h>
int main(int count, char **texts)
{
    int rank, ranks, token = 0;
    MPI_Comm half;
    MPI_Init(&count, &texts);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (int i = 0; i < atoi(texts[1]); i++) {
        if (rank > 0)
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(&token, 1, MPI_INT, ranks - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (count > 2 && i % 10 == 0) {
            int sum;
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Bcast(&token, 1, MPI_INT, i / 10 % ranks, MPI_COMM_WORLD);
            MPI_Reduce(&token, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
            MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, half);
        }
    }
    return MPI_Finalize();
}
END
mpicc -O1 ring.c -o ring || fail "no program"
if command -v eztrace >/dev/null && cli formats | grep -q otf2 &&
    run 4 eztrace -t openmpi -o one ./ring 2000; then
    cli import one/ring_trace -o ring.db >/dev/null 2>&1 || fail "no import"
    cli clocks --at Process --evidence messages --json ring.db >clocks.json
    holds "one way round" clocks.json '.messages == 8000 and .tachyons > 2000 and
        .tachyons_left == 0 and .transit > 0 and .one_way == 4 and .pairs == 4 and .groups == 1 and
        .least_delay > 0'
    print '"messages one way round: \(.messages), wrong \(.tachyons), worst \(.worst) s; then '\
'\(.tachyons_left), least \(.transit) s, delay \(.least_delay) s"'
    cli clocks --at Process ring.db -o aligned.db
    cli causality --strict --json aligned.db >found.json || fail "messages are still wrong"
    holds "none is wrong" found.json '.tachyons == 0 and .links == 8000'
    # Communicators, roots and kinds of operations are told: that many, and all wrong ones.
    run 4 eztrace -t openmpi -o all ./ring 1000 all
    cli import all/ring_trace -o all.db >/dev/null 2>&1
    cli causality --json all.db >found.json
    cli sql --csv all.db "SELECT value, path, begin, end, attributes FROM (SELECT value,
        resource AS path, begin, end, attributes FROM events WHERE type = 'Collective')" >states.csv
    python3 - states.csv found.json <<'END' || fail "operations differ from those by hand"
import collections, csv, json, sys
members, counts = collections.defaultdict(list), collections.Counter()
for row in csv.DictReader(open(sys.argv[1])):
    told = json.loads(row["attributes"])
    if "sequence" in told:
        members[told["communicator"], told["sequence"]].append((row, told))
found, operations = json.load(open(sys.argv[2])), 0
for group in members.values():
    if len(group) == 1:
        continue
    operations += 1
    kind = group[0][0]["value"]
    for row, told in group:
        others = [(r, t) for r, t in group if r is not row]
        if kind == "BCAST":
            others = [] if told.get("role") else [o for o in others if o[1].get("role")]
        elif kind == "REDUCE":
            others = others if told.get("role") else []
        if others and max(float(r["begin"]) for r, _ in others) > float(row["end"]):
            counts[kind] += 1
    if kind in ("BCAST", "REDUCE"):
        root = [int(r["path"].split("#")[-2][0]) for r, t in group if t.get("role")]
        assert root == [int(group[0][1]["root"])], (root, group)
assert operations == found["collectives"] == 500, (operations, found["collectives"])
assert sum(counts.values()) == found["collective"] > 100, (counts, found["collective"])
END
    cli clocks --at Process all.db -o aligned.db --force
    cli causality --strict --json aligned.db >found.json || fail "messages are still wrong"
    holds "nobody leaves too early" found.json '.tachyons == 0 and .collective == 0 and
        .collectives == 500'
    cli clocks --at Process --evidence collectives --json all.db >clocks.json
    print '"waits in operations: wrong \(.collectives_wrong) in \(.collectives), then '\
'\(.collectives_left), clocks within \(.eps / 2) s"'
    holds "operations alone" clocks.json '.groups == 1 and .collectives_left == 0'
else
    echo "eztrace is missing, or does not run here"
fi

# --- A clock that is known to run fast by 3e-4, and 100 s ahead

sampler=$OCELOTL_ROOT/../shared/traces/quality/sampler.c
library=$(find /usr/lib -name libfaketime.so.1 2>/dev/null | head -n 1)
if [ -n "$library" ] && [ -e "$sampler" ]; then
    mpicc -O1 "$sampler" -o sampler || fail "no sampler"
    cat >fake.sh <<END
if [ "\$OMPI_COMM_WORLD_RANK" -gt 0 ]; then
    export LD_PRELOAD=$library DONT_FAKE_MONOTONIC=1 FAKETIME='+100 x1.0003'
fi
exec ./sampler "\$@"
END
    # Four hundred exchanges before ten seconds of work, and behind it: where two cores have other
    # work one of forty is rarely quick.
    timeout 120 mpirun --oversubscribe -np 2 bash fake.sh 400 10 >measured.csv 2>run.log ||
        fail "the sampler: $(cat run.log)"
    # The trace of two clocks without a message between them, which live as long as the samples.
    paje_definitions SetState >two.trace
    python3 - measured.csv >>two.trace <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
print("""0 P 0 proc
1 S P state
2 0 a P 0 0
2 0 b P 0 1""")
print(f"3 {rows[0]['sent']} S a run\n3 {rows[-1]['received']} S b end")
END
    cli import two.trace -o two.db >/dev/null 2>&1
    cli clocks --at proc --max-drift 1000 --samples measured.csv --reference 0 --json two.db \
        >clocks.json || fail "samples are refused"
    # Ten seconds are between the phases. How quick messages are is the machine's: what its tenth
    # quickest round trip leaves open bounds the error.
    quick=$(python3 - measured.csv <<'END'
import csv, sys
trips = {"before": [], "after": []}
for row in csv.DictReader(open(sys.argv[1])):
    sent, received, returned, back = (float(row[c]) for c in
                                      ("sent", "received", "returned", "back"))
    trips[row["phase"]].append(back - sent - (returned - received))
print(max(sorted(times)[9] for times in trips.values()))
END
    )
    holds "a clock that is fast" clocks.json ".samples == 800 and .bent == 0 and (.clocks[1] |
        ((1 / (1 - .drift) - 1.0003) | fabs) <= .bound and .bound > 0 and
        .bound <= 20 * $quick + 1e-6)"
    holds "its drift" clocks.json "(1 / (1 - .clocks[1].drift) - 1.0003) | fabs <= $quick / 10"
    print '"known to run fast by 3e-4: \(.clocks[1] | 1 / (1 - .drift) - 1), +- \(.clocks[1].bound) s"'
fi
