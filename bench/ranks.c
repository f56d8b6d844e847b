/* ocelotl-bench-ranks [LEAVES [SLICES [temporal] [P...]]]: what a random model takes to measure and
 * to solve on the ranks of MPI, and what these pass to each other. A solve finds the best partition
 * and its sums; "parts" gives all of it to each rank, but not at =P. `bench/ranks.sh` compares
 * numbers of ranks, and `bench/ranks_smpi.sh` simulates many of them in one process, which share a
 * model. */
#define _GNU_SOURCE
#include "bench.h"

#include "aggregate/extract/solution.h"
#include "mpi/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What is simulated is done several times. What a rank computes between two messages is the same
 * each time, so the least that it ever took is what it takes on a machine that does nothing else:
 * the last time stands for that. */
#ifdef BENCH_ONE_PROCESS
#include <smpi/smpi.h>
enum { TIMES = 3 };
#else
enum { TIMES = 1 };
static void smpi_execute(double seconds)
{
    (void)seconds;
}
#endif

void bench_fail(const char *what)
{
    fprintf(stderr, "ocelotl-bench-ranks: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, BENCH_FAILED);
    exit(BENCH_FAILED);
}

void bench_check(ocelotl_status status)
{
    bench_demand(status == OCELOTL_OK, ocelotl_error_message());
}

/* What one rank does. */
typedef struct work {
    ocelotl_exchange exchange; /* that counts what goes through another one: */
    ocelotl_exchange over;
    double bytes, messages;
    double *least; /* seconds before each message, and to the end */
    size_t place, count, capacity;
    double since, computed; /* seconds of the processor */
    double began;
    bool is_last; /* time */
    const ocelotl_model *model;
    ocelotl_aggregation *aggregation;
    bool temporal;
    double p;
    ocelotl_partition *partition;
} work;

/* Seconds that this thread has computed; a simulation would tell its own. */
#undef clock_gettime
static double computing(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/* Counts what was computed since the last message. */
static void note_computing(work *of)
{
    const double seconds = computing() - of->since;
    if (of->place == of->capacity) {
        of->capacity = 2 * of->capacity + 64;
        of->least = realloc(of->least, of->capacity * sizeof *of->least);
        bench_demand(of->least != NULL, "out of memory");
    }
    if (of->place == of->count)
        of->least[of->count++] = seconds;
    double *least = &of->least[of->place++];
    *least = fmin(*least, seconds);
    of->computed += *least;
    if (of->is_last)
        smpi_execute(*least);
}

static ocelotl_status send_counted(void *context, uint32_t to, const void *bytes, size_t length)
{
    work *of = context;
    note_computing(of);
    of->bytes += (double)length;
    of->messages++;
    const ocelotl_status status = of->over.send(of->over.context, to, bytes, length);
    of->since = computing();
    return status;
}

static ocelotl_status receive_counted(void *context, uint32_t from, void *bytes, size_t length)
{
    work *of = context;
    note_computing(of);
    const ocelotl_status status = of->over.receive(of->over.context, from, bytes, length);
    of->since = computing();
    return status;
}

/* Prints seconds until all ranks are there, what the slowest and the mean one computed, and what
 * all of them sent. */
static void print_lap(const char *name, const work *of)
{
    double sums[] = {of->bytes, of->messages, of->computed};
    double slowest = of->computed;
    MPI_Barrier(MPI_COMM_WORLD);
    const double now = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (of->exchange.rank == 0)
        printf("%-10s %10.6f s %10.6f slowest %10.6f mean %12.0f bytes %8.0f messages\n", name,
               now - of->began, slowest, sums[2] / of->exchange.count, sums[0], sums[1]);
}

static void lap(const char *name, work *of, void (*does)(work *))
{
    of->count = 0;
    for (int i = 0; i < TIMES; i++) {
        of->is_last = i + 1 == TIMES;
        of->bytes = of->messages = of->computed = 0;
        of->place = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        of->began = MPI_Wtime();
        of->since = computing();
        does(of);
        note_computing(of);
    }
    print_lap(name, of);
}

static void measure(work *of)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = of->temporal ? OCELOTL_TEMPORAL : OCELOTL_SPATIOTEMPORAL;
    options.work.threads = 1;
    options.work.exchange = &of->exchange;
    options.work.memory_limit = (uint64_t)16 << 30; /* so that all ranks store all losses */
    ocelotl_aggregation_free(of->aggregation);
    bench_check(ocelotl_aggregation_create(&of->aggregation, of->model, &options));
}

static void solve(work *of)
{
    oc_solution solution = {0};
    bench_check(oc_solve(&solution, of->aggregation, ocelotl_p_to_raw(of->aggregation, of->p)));
    oc_solution_free(&solution);
}

static void find_parts(work *of)
{
    ocelotl_partition_free(of->partition);
    bench_check(ocelotl_solve(&of->partition, of->aggregation, of->p));
}

/* The parts are mixed into a number: what is the same has the same. */
static void print_parts(const ocelotl_partition *partition)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        uint64_t measures[2];
        memcpy(measures, (double[]){part.gain, part.loss}, sizeof measures);
        hash = (hash ^ part.node ^ ((uint64_t)part.first << 32) ^ part.last) * 0x100000001B3u;
        hash = (hash ^ measures[0] ^ measures[1] << 1) * 0x100000001B3u;
    }
    printf("%zu parts, hash %016llx\n", info.part_count, (unsigned long long)hash);
}

static void solve_at(work *of, const char *word)
{
    const bool sums = word[0] == '=';
    char name[32];
    of->p = strtod(word + sums, NULL);
    snprintf(name, sizeof name, "p %s", word + sums);
    lap(name, of, solve);
    if (sums)
        return;
    snprintf(name, sizeof name, "parts %s", word);
    lap(name, of, find_parts);
    if (of->exchange.rank == 0)
        print_parts(of->partition);
    ocelotl_partition_free(of->partition);
    of->partition = NULL;
}

int main(int argc, char **argv)
{
    static char *all[] = {"0.3", "0.5", "0.7"};
    ocelotl_mpi_exchange over;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    work of = {.over = ocelotl_mpi_exchange_of(&over, MPI_COMM_WORLD)};
    of.exchange =
        (ocelotl_exchange){of.over.rank, of.over.count, send_counted, receive_counted, &of};
    const uint32_t leaves = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000;
    const uint32_t slices = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 200;
    of.temporal = argc > 3 && strcmp(argv[3], "temporal") == 0;
    const int first = 3 + of.temporal;
    const bool has_model = TIMES == 1 || of.exchange.rank == 0;
    ocelotl_model *model = has_model ? bench_random_model(leaves, slices, 0.2) : NULL;
    if (TIMES > 1)
        /* the pointer itself: simulated ranks are of one process */
        MPI_Bcast(&model, sizeof model, // NOLINT(bugprone-sizeof-expression)
                  MPI_BYTE, 0, MPI_COMM_WORLD);
    of.model = model;
    lap("measures", &of, measure);
    for (int i = first; i < (argc > first ? argc : first + 3); i++)
        solve_at(&of, argc > first ? argv[i] : all[i - first]);
    ocelotl_aggregation_free(of.aggregation);
    free(of.least);
    MPI_Barrier(MPI_COMM_WORLD);
    if (has_model)
        ocelotl_model_free(model);
    MPI_Finalize();
    return 0;
}
