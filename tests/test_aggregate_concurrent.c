/* Solves one aggregation from several threads at once: each must get what it would get alone. */
#define _POSIX_C_SOURCE 200809L
#include "test_aggregate_large.h"

#include "aggregate/memory.h"

#include <pthread.h>

#define THREADS 4
#define SOLVES  12

static double p_of(uint32_t i)
{
    return (double)i / (SOLVES - 1);
}

/* What all threads share, and never change. */
struct shared {
    const ocelotl_aggregation *aggregation;
    uint32_t types;
    ocelotl_partition *alone[SOLVES], *few_parts;
    pthread_barrier_t barrier;
};

struct caller {
    struct shared *shared;
    uint32_t number;
    pthread_t thread;
};

/* Each thread begins at another p, and each p is solved by all of them. */
static void *solve_all(void *context)
{
    const struct caller *caller = context;
    struct shared *shared = caller->shared;
    pthread_barrier_wait(&shared->barrier);
    for (uint32_t i = 0; i < SOLVES; i++) {
        const uint32_t at = (i * 5 + caller->number * 3) % SOLVES;
        ocelotl_partition *partition = must_solve(shared->aggregation, p_of(at));
        test_check_same(shared->alone[at], partition, shared->types, 1);
        ocelotl_partition_free(partition);
        CHECK_REFUSED(ocelotl_solve(&partition, shared->aggregation, 2 + caller->number),
                      caller->number == 0 ? "p is 2," : "p is ");
    }
    ocelotl_partition *partition;
    CHECK_OK(ocelotl_solve_parts(&partition, shared->aggregation, 10));
    test_check_same(shared->few_parts, partition, shared->types, 1);
    ocelotl_partition_free(partition);
    return NULL;
}

static void run_callers(struct shared *shared)
{
    struct caller caller[THREADS];
    CHECK(pthread_barrier_init(&shared->barrier, NULL, THREADS) == 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        caller[i].shared = shared;
        caller[i].number = i;
        CHECK(pthread_create(&caller[i].thread, NULL, solve_all, &caller[i]) == 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        CHECK(pthread_join(caller[i].thread, NULL) == 0);
    pthread_barrier_destroy(&shared->barrier);
}

/* Checks solves of `threads` threads each, with half of the memory that all losses take or with
 * enough. */
static void check_model(ocelotl_kind kind, large_texture texture, uint32_t leaves, uint32_t slices,
                        uint32_t threads, bool little_memory)
{
    fprintf(stderr, "kind %d, texture %d, %u slices, %u threads%s\n", (int)kind, (int)texture,
            slices, threads, little_memory ? ", little memory" : "");
    large_model model = large_make(kind, LARGE_TENFOLD, texture, leaves, 2, slices, 7);
    ocelotl_model *built = large_build(&model);
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = kind;
    options.work.threads = threads;
    uint64_t least, most;
    CHECK_OK(ocelotl_aggregation_memory(&least, &most, built, &options));
    if (little_memory)
        options.work.memory_limit = least + (most - least) / 2;
    ocelotl_aggregation *aggregation = must_aggregate(built, &options);
    struct shared shared = {.aggregation = aggregation, .types = model.types};
    for (uint32_t i = 0; i < SOLVES; i++)
        shared.alone[i] = must_solve(aggregation, p_of(i));
    CHECK_OK(ocelotl_solve_parts(&shared.few_parts, aggregation, 10));
    run_callers(&shared);
    for (uint32_t i = 0; i < SOLVES; i++)
        ocelotl_partition_free(shared.alone[i]);
    must_free(shared.few_parts, aggregation, built, NULL);
    large_free(&model);
}

int main(void)
{
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_DENSE, 30, 20, 1, false);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_STATES, 20, 64, 1, false);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_DENSE, 16, 70, 2, false);
    check_model(OCELOTL_TEMPORAL, LARGE_SPARSE, 10, 70, 1, false);
    check_model(OCELOTL_SPATIAL, LARGE_DENSE, 500, 2, 2, false);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_DENSE, 40, 64, 1, true);
    check_model(OCELOTL_SPATIOTEMPORAL, LARGE_SPARSE, 40, 70, 2, true);
    return 0;
}
