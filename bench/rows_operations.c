/* What an analyst asks of a long trace after the first overview, through the public interface: a
 * model, its measures and the partition that is shown first, without the picture. */
#include "trace_rows.h"

#include <stdio.h>

enum { SLICES = 100 };

static const double patience = 2;       /* seconds */
static const double most_seconds = 2.0; /* that anybody should wait */

typedef struct operation {
    const char *what;
    double share; /* of the trace, in its middle */
    const char *metric;
    const char *except;
    uint32_t most_leaves;
    int64_t min_duration;
} operation;

static const operation operations[] = {
    {.what = "overview", .share = 1},
    {.what = "the middle tenth", .share = 0.1},
    {.what = "without a value", .share = 1, .except = "state 3"},
    {.what = "100 leaves", .share = 1, .most_leaves = 100},
    {.what = "event-count", .share = 1, .metric = "event-count"},
    {.what = "state-mean-duration", .share = 1, .metric = "state-mean-duration"},
    {.what = "state-max-duration", .share = 1, .metric = "state-max-duration"},
    {.what = "states of 10 ticks and more", .share = 1, .min_duration = 10},
};

typedef struct asked {
    ocelotl_trace *trace;
    const operation *operation;
} asked;

static void nothing(void *context)
{
    (void)context;
}

static ocelotl_status answer(ocelotl_partition **partition, ocelotl_aggregation **aggregation,
                             ocelotl_model **model, const asked *work)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(work->trace);
    const double length = (double)(info.end - info.begin);
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_status status;
    options.slices = SLICES;
    options.cells.metric = work->operation->metric;
    options.selection.except =
        (ocelotl_names){&work->operation->except, work->operation->except != NULL};
    options.hierarchy.max_leaves = work->operation->most_leaves;
    options.selection.min_duration = work->operation->min_duration;
    if (work->operation->share < 1) {
        options.selection.from = info.begin + (int64_t)(length * (1 - work->operation->share) / 2);
        options.selection.to = options.selection.from + (int64_t)(length * work->operation->share);
    }
    status = ocelotl_model_from_trace(model, work->trace, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_aggregation_create(aggregation, *model, NULL);
    return status == OCELOTL_OK ? ocelotl_solve_auto(partition, *aggregation) : status;
}

static void run(void *context)
{
    ocelotl_model *model = NULL;
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_partition *partition = NULL;
    trace_check(answer(&partition, &aggregation, &model, context));
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(model);
}

static void add_up(void *context)
{
    const asked *work = context;
    ocelotl_statistics *statistics = NULL;
    trace_check(ocelotl_statistics_compute(&statistics, work->trace, NULL));
    ocelotl_statistics_free(statistics);
}

static void draw(void *context)
{
    const asked *work = context;
    ocelotl_drawables *drawables = NULL;
    trace_check(ocelotl_drawables_compute(&drawables, work->trace, NULL));
    ocelotl_drawables_free(drawables);
}

static void print(const char *what, asked *work, bench_work job)
{
    const bench_time time = bench_repeat(nothing, job, work, patience);
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = time.seconds,
                             .target = most_seconds,
                             .runs = time.runs},
                "%s", what);
}

void trace_operations(ocelotl_trace *trace)
{
    asked work = {.trace = trace};
    printf("  what is asked next, %d slices, p chosen anew, without the picture\n", SLICES);
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        work.operation = &operations[i];
        print(operations[i].what, &work, run);
    }
    print("statistics", &work, add_up);
    print("all of it for a Gantt chart", &work, draw);
}
