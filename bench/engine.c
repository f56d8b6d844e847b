/* Times the engine on random models, through the public interface: measures, one solve, thirty levels.
 *
 *   bench_engine [SLICES ...]     default 30 100 200
 *
 * The model: 1000 leaves in a 10-ary tree (1111 nodes), 10 types, every cell random: nothing is homogeneous, so no cut
 * can be spared. Medians of five runs, wall clock. */
#define _GNU_SOURCE
#include <ocelotl/ocelotl.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODES = 1111, INNER = 111, TYPES = 10, RUNS = 5 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check(ocelotl_status status)
{
    if (status == OCELOTL_OK)
        return;
    fprintf(stderr, "bench_engine: %s\n", ocelotl_error_message());
    exit(1);
}

static double next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 0x2545F4914F6CDD1Du) >> 11) * 0x1p-53;
}

/* Node k is below node (k - 1) / 10: the last thousand are leaves. */
static ocelotl_model *make_model(uint32_t slices)
{
    static uint32_t parents[NODES];
    uint64_t state = 1;
    const size_t count = (size_t)(NODES - INNER) * TYPES * slices;
    ocelotl_cell *cells = malloc(count * sizeof *cells);
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    ocelotl_model *model = NULL;
    if (cells == NULL)
        exit(1);
    for (uint32_t k = 0; k < NODES; k++)
        parents[k] = k == 0 ? OCELOTL_ROOT : (k - 1) / 10;
    size_t i = 0;
    for (uint32_t k = INNER; k < NODES; k++)
        for (uint32_t x = 0; x < TYPES; x++)
            for (uint32_t t = 0; t < slices; t++)
                cells[i++] = (ocelotl_cell){k, x, t, next_random(&state)};
    arrays.node_count = NODES;
    arrays.parents = parents;
    arrays.type_count = TYPES;
    arrays.slice_count = slices;
    arrays.cell_count = count;
    arrays.cells = cells;
    check(ocelotl_model_from_arrays(&model, &arrays));
    free(cells);
    return model;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *seconds)
{
    qsort(seconds, RUNS, sizeof *seconds, compare);
    return seconds[RUNS / 2];
}

static double time_create(const ocelotl_model *model, ocelotl_kind kind, ocelotl_aggregation **aggregation)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    double seconds[RUNS];
    options.kind = kind;
    for (int run = 0; run < RUNS; run++) {
        ocelotl_aggregation_free(*aggregation);
        const double begin = now();
        check(ocelotl_aggregation_create(aggregation, model, &options));
        seconds[run] = now() - begin;
    }
    return median(seconds);
}

static double time_solve(const ocelotl_aggregation *aggregation, double p)
{
    double seconds[RUNS];
    for (int run = 0; run < RUNS; run++) {
        ocelotl_partition *partition = NULL;
        const double begin = now();
        check(ocelotl_solve(&partition, aggregation, p));
        seconds[run] = now() - begin;
        ocelotl_partition_free(partition);
    }
    return median(seconds);
}

static void bench(uint32_t slices, ocelotl_kind kind, const char *name)
{
    ocelotl_model *model = make_model(slices);
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_levels *levels = NULL;
    const double create = time_create(model, kind, &aggregation);
    const double fine = time_solve(aggregation, 0.1);
    const double coarse = time_solve(aggregation, 0.9);
    const double begin = now();
    check(ocelotl_levels_find(&levels, aggregation, NULL));
    const double sweep = now() - begin;
    const ocelotl_levels_info info = ocelotl_levels_get_info(levels);
    printf("%-15s %5u slices   measures %9.2f ms   one p %9.2f ms (p 0.1) %9.2f ms (p 0.9)   %zu levels %9.2f ms a "
           "solve\n",
           name, slices, create * 1e3, fine * 1e3, coarse * 1e3, info.count, sweep * 1e3 / (double)info.solves);
    ocelotl_levels_free(levels);
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(model);
}

int main(int argc, char **argv)
{
    static const uint32_t usual[] = {30, 100, 200};
    const int count = argc > 1 ? argc - 1 : 3;
    for (int i = 0; i < count; i++) {
        const uint32_t slices = argc > 1 ? (uint32_t)strtoul(argv[i + 1], NULL, 10) : usual[i];
        bench(slices, OCELOTL_SPATIOTEMPORAL, "spatiotemporal");
        bench(slices, OCELOTL_TEMPORAL, "temporal");
        bench(slices, OCELOTL_SPATIAL, "spatial");
    }
    return 0;
}
