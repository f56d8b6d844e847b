# What tracing cost, taken out of runs of another simulator, SMPI of SimGrid: a program that sleeps
# after each call, as long as a tracer would take, against the same without.
. "$OCELOTL_ROOT/tests/cli/common.inc"
need python3 jq smpicc smpirun
maker=$OCELOTL_ROOT/tests/perturbation_maker.py

cat >run.c <<'END'
#include <mpi.h>
#include <simgrid/actor.h>
#include <stdlib.h>

static double alpha;
static int size;
static char data[1 << 18];

/* The tracer's time, after each call. */
static void call(int failed)
{
    if (failed)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (alpha > 0)
        sg_actor_sleep_for(alpha);
}

static void send(int to, int bytes)
{
    call(MPI_Send(data, bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD));
}

static void take(int from)
{
    call(MPI_Recv(data, sizeof data, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 10 };
    int rank, ranks;
    MPI_Init(&argc, &argv);
    alpha = atof(argv[1]);
    size = atoi(argv[2]);
    const int meets = argc > 3;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    unsigned chance = 17u * (unsigned)rank + 1;
    for (int round = 0; round < ROUNDS; round++) {
        for (int step = 1; step < ranks; step++) {
            const int to = meets ? rank ^ step : (rank + step) % ranks;
            const int from = meets ? to : (rank - step + ranks) % ranks;
            chance = chance * 1103515245u + 12345u;
            sg_actor_sleep_for(1e-5 * (double)(chance >> 16 & 31));
            if (meets && rank > to)
                take(from);
            send(to, size);
            if (!meets || rank < to)
                take(from);
        }
        for (int other = 1; other < ranks; other++)
            if (rank == other)
                send(0, 8);
            else if (rank == 0)
                take(other);
    }
    MPI_Finalize();
    return 0;
}
END
cat >flat.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="1000000000GBps" lat="20us"/>
</platform>
END
smpicc -O1 run.c -o run 2>smpicc.err || { echo "skipped: $(head -n 1 smpicc.err)" && exit 77; }
printf 'n%s\n' 0 1 2 3 4 5 6 7 >hosts

sed 's/1000000000GBps/1.25GBps/' flat.xml >narrow.xml
platform=flat.xml

# made NAME "OPTIONS OF SMPI" COST BYTES [pairs]: a run, whose calls take some time where they do not
# wait: what begins and ends in one tick has one time.
made() {
    # shellcheck disable=SC2086
    smpirun -np 8 -hostfile hosts -platform $platform -trace -trace-file "$1.trace" $2 \
        --cfg=tracing/precision:9 --cfg=tracing/smpi/display-sizes:yes --cfg=smpi/wtime:0 \
        --cfg=smpi/or:0:2e-6:1e-10 --cfg=smpi/os:0:1e-6:0 --cfg=network/TCP-gamma:1e18 \
        --cfg=smpi/iprobe:0 --cfg=smpi/simulate-computation:no ./run "${@:3}" >smpi.out 2>&1 ||
        fail "$1: $(tail -n 3 smpi.out)"
    quiet "$1.trace" -o "$1.db"
}
# removed NAME COST OPTIONS...: without the cost it is the run named clean, within 0.5 us.
removed() {
    cli correct --cost "PMPI_[SR]*=$2s" --cost-at end "${@:3}" "$1.db" --force -o corrected.db
    python3 "$maker" compare clean.db corrected.db 500 >off.txt || fail "$1: off by $(cat off.txt)"
}
eager=--cfg=smpi/async-small-thresh:65536
made clean $eager 0 8192
for cost in 1e-5 2e-4 1e-3; do
    made "eager-$cost" $eager $cost 8192
    removed "eager-$cost" $cost
done
waits='--cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/async-small-thresh:0'
made clean "$waits" 0 262144 pairs
made meets "$waits" 1e-3 262144 pairs
removed meets 1e-3 --model rendezvous

# On links that messages have to share the cost of that is another one without the tracer.
platform=narrow.xml
made clean $eager 0 32768
for cost in 1e-5 2e-4 1e-3; do
    made "narrow-$cost" $eager $cost 32768
    cli correct --cost "PMPI_[SR]*=${cost}s" --cost-at end --json "narrow-$cost.db" \
        --reference-time "$(cli correct --cost 0 --json clean.db | jq .length)s" >found.json
    holds "narrow links, $cost s" found.json '.perturbation > 0.04 and (.residual | fabs) <= 0.015'
done
