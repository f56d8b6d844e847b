/* ocelotl-bench-ranks [LEAVES [SLICES [temporal]]]: what a random model takes to measure and to
 * solve on the ranks of MPI, and what these pass to each other. `bench/ranks.sh` compares numbers
 * of ranks. */
#include "bench.h"

#include "mpi/exchange.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Since the last lap: seconds until all ranks are there, and what all of them sent. */
static void lap(const char *name, counted *of, double *began)
{
    double sums[] = {of->bytes, of->messages};
    MPI_Barrier(MPI_COMM_WORLD);
    const double now = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (of->exchange.rank == 0)
        printf("%-10s %10.4f s %12.0f bytes %8.0f messages\n", name, now - *began, sums[0],
               sums[1]);
    of->bytes = of->messages = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    *began = MPI_Wtime();
}

int main(int argc, char **argv)
{
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
    ocelotl_model *model = bench_random_model(leaves, slices, 0.2);
    options.kind = argc > 3 ? OCELOTL_TEMPORAL : OCELOTL_SPATIOTEMPORAL;
    options.work.threads = 1;
    options.work.exchange = &exchange;
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    bench_check(ocelotl_aggregation_create(&aggregation, model, &options));
    lap("measures", &of, &began);
    for (int i = 0; i < 3; i++) {
        static const double all[] = {0.3, 0.5, 0.7};
        ocelotl_partition *partition = NULL;
        char name[32];
        bench_check(ocelotl_solve(&partition, aggregation, all[i]));
        snprintf(name, sizeof name, "p %g", all[i]);
        lap(name, &of, &began);
        ocelotl_partition_free(partition);
    }
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(model);
    MPI_Finalize();
    return 0;
}
