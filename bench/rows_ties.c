/* Row 8: models whose slices are mostly empty, so that very many cuts are tied. */
#include "bench.h"

#include <string.h>

enum { GROUPS = 4, LEAVES = 16, INNER = 1 + GROUPS, SLICES = 200 };

/* Groups of four leaves, one type; a cell holds 1 with the given probability. */
static ocelotl_model *sparse_model(double density)
{
    uint32_t parents[INNER + LEAVES] = {OCELOTL_ROOT};
    static ocelotl_cell cells[LEAVES * SLICES];
    uint64_t state = 1;
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    ocelotl_model *model = NULL;
    for (uint32_t k = INNER; k < INNER + LEAVES; k++)
        parents[k] = 1 + (k - INNER) / (LEAVES / GROUPS);
    for (uint32_t i = 0; i < LEAVES * SLICES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        if ((double)(state >> 11) * 0x1p-53 < density)
            cells[arrays.cell_count++] = (ocelotl_cell){INNER + i / SLICES, 0, i % SLICES, 1};
    }
    arrays.node_count = INNER + LEAVES;
    arrays.parents = parents;
    arrays.type_count = 1;
    arrays.slice_count = SLICES;
    arrays.cells = cells;
    bench_check(ocelotl_model_from_arrays(&model, &arrays));
    return model;
}

static void forget_nothing(void *context)
{
    (void)context;
}

static void find_levels(void *context)
{
    const bench_subject *subject = context;
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_levels *levels = NULL;
    options.max_levels = SIZE_MAX;
    options.max_solves = UINT64_MAX;
    bench_check(ocelotl_levels_find(&levels, subject->aggregation, &options));
    ocelotl_levels_free(levels);
}

/* Ends the model, too. */
static void print_ties(ocelotl_model *model, const char *name, double one_p, double all_levels)
{
    bench_subject subject = bench_subject_of(model);
    bench_create(&subject);
    bench_time time = bench_solve(&subject, ocelotl_p_from_raw(subject.aggregation, 0.001));
    bench_print(
        (bench_line){
            .unit = BENCH_SECONDS, .figure = time.seconds, .runs = time.runs, .target = one_p},
        "%.22s, p_raw = 0.001: one p", name);
    time = bench_repeat(forget_nothing, find_levels, &subject, 2);
    bench_print(
        (bench_line){
            .unit = BENCH_SECONDS, .figure = time.seconds, .runs = time.runs, .target = all_levels},
        "%.22s: all levels", name);
    bench_subject_end(&subject);
    ocelotl_model_free(model);
}

static ocelotl_model *event_counts(const char *path)
{
    ocelotl_trace *trace = NULL;
    ocelotl_model *model = NULL;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.cells.metric = "event-count";
    bench_check(ocelotl_trace_open(&trace, path));
    bench_check(ocelotl_model_from_trace(&model, trace, &options));
    ocelotl_trace_free(trace);
    return model;
}

/* Of the traces those with few resources: what counts of events hold of others is not sparse. */
void bench_ties(const bench_traces *traces)
{
    print_ties(sparse_model(0.02), "2 % of cells", 0.012, 0);
    print_ties(sparse_model(0.2), "20 % of cells", 0, 0);
    for (int i = 0; i < traces->count; i++) {
        const char *slash = strrchr(traces->paths[i], '/');
        ocelotl_model *model = event_counts(traces->paths[i]);
        if (ocelotl_model_info_of(model).leaf_count <= 32)
            print_ties(model, slash != NULL ? slash + 1 : traces->paths[i], 0.02, 2);
        else
            ocelotl_model_free(model);
    }
}
