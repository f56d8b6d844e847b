/* Checks progress: it reaches the waiting thread in order, and the callback can cancel. Too little
 * memory is refused before any work, with an estimate. */
#define _POSIX_C_SOURCE 200809L
#include "aggregate/hierarchies.h"
#include "test_aggregate_large.h"

#include <pthread.h>

#define NEVER UINT64_MAX

/* What one call of the library reported. */
struct told {
    pthread_t caller;
    uint64_t calls;
    uint64_t cancel_at; /* the call that answers "stop", counted from 0 */
    uint64_t done, total;
};

static bool tell(void *context, uint64_t done, uint64_t total)
{
    struct told *told = context;
    CHECK(pthread_equal(told->caller, pthread_self()));
    CHECK(told->calls <= told->cancel_at); /* no report follows a cancellation */
    CHECK(told->calls == 0 || done >= told->done);
    CHECK(told->calls == 0 || total == told->total);
    CHECK(total == 0 || done <= total);
    told->done = done;
    told->total = total;
    return told->calls++ != told->cancel_at;
}

static void expect(struct told *told, uint64_t cancel_at)
{
    *told = (struct told){.caller = pthread_self(), .cancel_at = cancel_at};
}

/* Runs to the end without cancelling, and counts the reports. */
static uint64_t count_of_create(const ocelotl_model *built,
                                const ocelotl_aggregation_options *options,
                                ocelotl_aggregation **aggregation)
{
    struct told *told = options->work.context;
    expect(told, NEVER);
    *aggregation = must_aggregate(built, options);
    CHECK(told->calls > 0);
    return told->calls;
}

static uint64_t count_of_solve(const ocelotl_aggregation *aggregation, struct told *told, double p)
{
    expect(told, NEVER);
    ocelotl_partition_free(must_solve(aggregation, p));
    CHECK(told->calls > 0);
    return told->calls;
}

/* Returns the next report to cancel at: each of the first ones, then at growing steps, and the
 * last. The number of reports depends on the other threads: with several, only the first is
 * sure. */
static uint64_t next_to_cancel(uint64_t at, uint64_t calls, uint32_t threads)
{
    if (threads > 1)
        return calls;
    if (at + 1 == calls)
        return calls;
    const uint64_t next = at < 8 ? at + 1 : at * 2;
    return next < calls ? next : calls - 1;
}

static void cancel_create(const ocelotl_model *built, const ocelotl_aggregation_options *options,
                          uint64_t calls)
{
    struct told *told = options->work.context;
    for (uint64_t at = 0; at < calls; at = next_to_cancel(at, calls, options->work.threads)) {
        ocelotl_aggregation *aggregation = NULL;
        expect(told, at);
        CHECK_FAILS(ocelotl_aggregation_create(&aggregation, built, options),
                    OCELOTL_ERROR_CANCELLED, "cancelled");
        CHECK(aggregation == NULL && told->calls == at + 1);
    }
}

static void cancel_solve(const ocelotl_aggregation *aggregation, struct told *told, double p,
                         uint32_t threads)
{
    const uint64_t calls = count_of_solve(aggregation, told, p);
    for (uint64_t at = 0; at < calls; at = next_to_cancel(at, calls, threads)) {
        ocelotl_partition *partition = NULL;
        expect(told, at);
        CHECK_FAILS(ocelotl_solve(&partition, aggregation, p), OCELOTL_ERROR_CANCELLED,
                    "cancelled");
        CHECK(partition == NULL && told->calls == at + 1);
    }
}

/* What solves several times stops with the solve that is cancelled. */
static void cancel_searches(const ocelotl_aggregation *aggregation, struct told *told)
{
    ocelotl_partition *partition = NULL;
    ocelotl_levels *levels = NULL;
    expect(told, 0);
    CHECK_FAILS(ocelotl_solve_parts(&partition, aggregation, 5), OCELOTL_ERROR_CANCELLED,
                "cancelled");
    expect(told, 0);
    CHECK_FAILS(ocelotl_levels_find(&levels, aggregation, NULL), OCELOTL_ERROR_CANCELLED,
                "cancelled");
    CHECK(partition == NULL && levels == NULL);
}

static bool follow(void *context, uint64_t done, uint64_t total)
{
    uint64_t *last = context;
    (void)total;
    *last = done;
    return done < 3;
}

/* The solves for the losses at numbers of parts are counted, and can be cancelled. */
static void cancel_hierarchies(const ocelotl_aggregation *aggregation)
{
    uint64_t done = 0;
    ocelotl_hierarchies *hierarchies = calloc(1, sizeof *hierarchies);
    hierarchies->losses_only = true;
    hierarchies->work.progress = follow;
    hierarchies->work.context = &done;
    CHECK_FAILS(ocelotl_hierarchies_add(hierarchies, "default", aggregation),
                OCELOTL_ERROR_CANCELLED, "cancelled after 3 solves");
    CHECK(done == 3 && hierarchies->count == 0);
    ocelotl_hierarchies_free(hierarchies);
}

static void check_model(ocelotl_kind kind, uint32_t slices, uint32_t threads)
{
    fprintf(stderr, "kind %d, %u slices, %u threads\n", (int)kind, slices, threads);
    large_model model = large_make(kind, LARGE_TENFOLD, LARGE_DENSE, 60, 2, slices, 1);
    OWN_MODEL *built = large_build(&model);
    struct told told;
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = kind;
    options.work.threads = threads;
    options.work.progress = tell;
    options.work.context = &told;
    ocelotl_aggregation *aggregation;
    cancel_create(built, &options, count_of_create(built, &options, &aggregation));
    cancel_solve(aggregation, &told, 0, threads);
    cancel_solve(aggregation, &told, 0.4, threads);
    cancel_searches(aggregation, &told);
    expect(&told, NEVER);
    cancel_hierarchies(aggregation);
    ocelotl_aggregation_free(aggregation);
    large_free(&model);
}

/* The estimate is a number of MiB, beside what is allowed. */
static void test_too_little_memory(void)
{
    large_model model =
        large_make(OCELOTL_SPATIOTEMPORAL, LARGE_TENFOLD, LARGE_SPARSE, 1000, 1, 400, 1);
    OWN_MODEL *built = large_build(&model);
    static const uint64_t limits[] = {1, 1000, (uint64_t)2 << 20};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
        options.work.memory_limit = limits[i];
        ocelotl_aggregation *aggregation = NULL;
        CHECK_FAILS(ocelotl_aggregation_create(&aggregation, built, &options), OCELOTL_ERROR_LIMIT,
                    "fewer slices");
        CHECK(aggregation == NULL);
        const char *estimate = strstr(ocelotl_error_message(), "need");
        double mebibytes = 0;
        CHECK(estimate != NULL && strstr(estimate, "MiB") != NULL);
        estimate += strcspn(estimate, "0123456789");
        CHECK(sscanf(estimate, "%lf", &mebibytes) == 1 && mebibytes > 2);
    }
    large_free(&model);
}

int main(void)
{
    test_too_little_memory();
    check_model(OCELOTL_SPATIOTEMPORAL, 30, 1);
    check_model(OCELOTL_SPATIOTEMPORAL, 64, 2);
    check_model(OCELOTL_TEMPORAL, 64, 2);
    check_model(OCELOTL_SPATIAL, 3, 1);
    return 0;
}
