/* ocelotl-bench-ranks [LEAVES [SLICES [temporal] [P...]]]: what a random model takes to measure and
 * to solve on the ranks of MPI, and what these pass to each other. A solve finds the best partition
 * and its sums; "parts" gives all of it to each rank, but not at =P. `bench/ranks.sh` compares
 * numbers of ranks, and `bench/ranks_smpi.sh` simulates many of them in one process, which share a
 * model. */
#define _GNU_SOURCE
#include "bench.h"

#include "aggregate/extract/solution.h"
#include "mpi/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* Counts what goes through another exchange. */
typedef struct counted {
    ocelotl_exchange exchange;
    double bytes, messages;
    double began, computing; /* since when, and what the processor had done by then */
} counted;

static ocelotl_status send_counted(void *context, uint32_t to, const void *bytes, size_t length)
{
    counted *of = context;
    of->bytes += (double)length;
    of->messages++;
    return of->exchange.send(of->exchange.context, to, bytes, length);
}

static ocelotl_status receive_counted(void *context, uint32_t from, void *bytes, size_t length)
{
    const counted *of = context;
    return of->exchange.receive(of->exchange.context, from, bytes, length);
}

/* Seconds that this thread has computed; a simulation would tell its own. */
#undef clock_gettime
static double computing(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void begin_lap(counted *of)
{
    MPI_Barrier(MPI_COMM_WORLD);
    of->bytes = of->messages = 0;
    of->began = MPI_Wtime();
    of->computing = computing();
}

/* Since the last lap: seconds until all ranks are there, what the slowest and the mean one
 * computed, and what all of them sent. */
static void lap(const char *name, counted *of)
{
    const double computed = computing() - of->computing;
    double sums[] = {of->bytes, of->messages, computed};
    double slowest = computed;
    MPI_Barrier(MPI_COMM_WORLD);
    const double now = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (of->exchange.rank == 0)
        printf("%-10s %10.6f s %10.6f slowest %10.6f mean %12.0f bytes %8.0f messages\n", name,
               now - of->began, slowest, sums[2] / of->exchange.count, sums[0], sums[1]);
    begin_lap(of);
}

/* Ranks that are simulated are of one process. */
static ocelotl_model *make_model(uint32_t leaves, uint32_t slices, uint32_t rank)
{
    ocelotl_model *model = NULL;
#ifdef BENCH_ONE_PROCESS
    if (rank == 0)
        model = bench_random_model(leaves, slices, 0.2);
    MPI_Bcast(&model, sizeof model, MPI_BYTE, 0, MPI_COMM_WORLD);
#else
    (void)rank;
    model = bench_random_model(leaves, slices, 0.2);
#endif
    return model;
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

static void solve(const ocelotl_aggregation *aggregation, const char *word, counted *of)
{
    const double p = strtod(word, NULL);
    const bool sums = word[0] == '=';
    ocelotl_partition *partition = NULL;
    oc_solution solution = {0};
    char name[32];
    bench_check(oc_solve(&solution, aggregation,
                         ocelotl_p_to_raw(aggregation, sums ? strtod(word + 1, NULL) : p)));
    snprintf(name, sizeof name, "p %s", word + sums);
    lap(name, of);
    oc_solution_free(&solution);
    if (sums)
        return;
    begin_lap(of);
    bench_check(ocelotl_solve(&partition, aggregation, p));
    snprintf(name, sizeof name, "parts %s", word);
    lap(name, of);
    if (of->exchange.rank == 0)
        print_parts(partition);
    ocelotl_partition_free(partition);
}

int main(int argc, char **argv)
{
    static char *all[] = {"0.3", "0.5", "0.7"};
    ocelotl_mpi_exchange over;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    counted of = {.exchange = ocelotl_mpi_exchange_of(&over, MPI_COMM_WORLD)};
    const ocelotl_exchange exchange = {of.exchange.rank, of.exchange.count, send_counted,
                                       receive_counted, &of};
    const uint32_t leaves = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000;
    const uint32_t slices = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 200;
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_model *model = make_model(leaves, slices, exchange.rank);
    const bool temporal = argc > 3 && strcmp(argv[3], "temporal") == 0;
    options.kind = temporal ? OCELOTL_TEMPORAL : OCELOTL_SPATIOTEMPORAL;
    options.work.threads = 1;
    options.work.exchange = &exchange;
    options.work.memory_limit = (uint64_t)16 << 30; /* so that all ranks store all losses */
    begin_lap(&of);
    bench_check(ocelotl_aggregation_create(&aggregation, model, &options));
    lap("measures", &of);
    const int first = 3 + temporal;
    for (int i = first; i < (argc > first ? argc : first + 3); i++)
        solve(aggregation, argc > first ? argv[i] : all[i - first], &of);
    ocelotl_aggregation_free(aggregation);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef BENCH_ONE_PROCESS
    if (exchange.rank == 0)
#endif
        ocelotl_model_free(model);
    MPI_Finalize();
    return 0;
}
