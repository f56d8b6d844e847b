/* The models that are measured. */
#include "bench.h"

#include <stdlib.h>

bench_cells bench_random_cells(uint32_t leaves, uint32_t slices, double density)
{
    bench_cells made = {
        .inner = (leaves - 1) / (BENCH_ARITY - 1), .types = BENCH_TYPES, .slices = slices};
    made.nodes = made.inner + leaves;
    made.parents = bench_allocate(made.nodes, sizeof *made.parents);
    for (uint32_t k = 0; k < made.nodes; k++)
        made.parents[k] = k == 0 ? OCELOTL_ROOT : (k - 1) / BENCH_ARITY;
    /* Room for all of them: what stays empty is never touched. */
    made.cells = bench_allocate((size_t)leaves * BENCH_TYPES * slices, sizeof *made.cells);
    uint64_t state = 1;
    for (uint32_t k = made.inner; k < made.nodes; k++)
        for (uint32_t x = 0; x < made.types; x++)
            for (uint32_t t = 0; t < made.slices; t++)
                if (density >= 1 || bench_draw(&state) < density)
                    made.cells[made.count++] = (ocelotl_cell){k, x, t, bench_draw(&state)};
    return made;
}

void bench_cells_free(bench_cells *cells)
{
    free(cells->parents);
    free(cells->cells);
    *cells = (bench_cells){0};
}

ocelotl_model *bench_model(const bench_cells *cells)
{
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    ocelotl_model *model = NULL;
    arrays.node_count = cells->nodes;
    arrays.parents = cells->parents;
    arrays.type_count = cells->types;
    arrays.slice_count = cells->slices;
    arrays.cell_count = cells->count;
    arrays.cells = cells->cells;
    bench_check(ocelotl_model_from_arrays(&model, &arrays));
    return model;
}

ocelotl_model *bench_random_model(uint32_t leaves, uint32_t slices, double density)
{
    bench_cells cells = bench_random_cells(leaves, slices, density);
    ocelotl_model *model = bench_model(&cells);
    bench_cells_free(&cells);
    return model;
}

ocelotl_model *bench_trace_model(const char *path, const char *metric)
{
    ocelotl_trace *trace = NULL;
    ocelotl_model *model = NULL;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.cells.metric = metric;
    bench_check(ocelotl_trace_open(&trace, path));
    bench_check(ocelotl_model_from_trace(&model, trace, &options));
    ocelotl_trace_free(trace);
    return model;
}
