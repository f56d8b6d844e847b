/* The time that groups of like siblings take by themselves, without reading and solving. Flat
 * models; a leaf has three types in a slice, with noise. Some kinds of leaves, and one that is like
 * no other. CPU time of all threads, the least of some runs; beside it the time of joining all
 * pairs, up to 1000 leaves. */
#include "bench.h"

#include "model/hierarchy/arrange.h"

#include <math.h>
#include <stdlib.h>

enum {
    SLICES = 200,
    TYPES = 10,
    IN_SLICE = 3,
    KINDS = 7,
    GROUPS = 16,
    RUNS = 3,
    MOST_PAIRS = 1000
};

/* Shares of a slice: which types a leaf is in, and how long, goes by its kind. */
static void fill_slice(ocelotl_cell *cells, uint32_t leaf, uint32_t slice, uint64_t *random)
{
    const uint32_t kind = leaf == 1 ? KINDS + 3 : leaf % KINDS;
    const uint32_t phase = (slice / 20 + (slice % 40 < 2 * kind)) % TYPES;
    double left = 1;
    for (uint32_t i = 0; i < IN_SLICE; i++) {
        const double share = i + 1 < IN_SLICE ? left * (0.5 + 0.2 * bench_draw(random)) : left;
        cells[i] = (ocelotl_cell){leaf, (phase + i) % TYPES, slice, share};
        left -= share;
    }
}

static ocelotl_model *make_model(uint32_t leaves)
{
    bench_cells made = {.nodes = leaves + 1, .types = TYPES, .slices = SLICES};
    uint64_t random = 1;
    made.parents = bench_allocate((size_t)leaves + 1, sizeof *made.parents);
    made.cells = bench_allocate((size_t)leaves * SLICES * IN_SLICE, sizeof *made.cells);
    made.parents[0] = OCELOTL_ROOT;
    for (uint32_t leaf = 1; leaf <= leaves; leaf++)
        for (uint32_t s = 0; s < SLICES; s++, made.count += IN_SLICE)
            fill_slice(made.cells + made.count, leaf, s, &random);
    ocelotl_model *model = bench_model(&made);
    bench_cells_free(&made);
    return model;
}

static bench_time time_groups(const ocelotl_model *model, bool all_pairs)
{
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        oc_arrangement arrangement = {0};
        bench_check(oc_arrangement_begin(&arrangement, model));
        const double begin = bench_processors();
        bench_check(
            oc_group_children(&arrangement, all_pairs ? OC_ALL_GROUPS : GROUPS, NULL, NULL));
        least = fmin(least, bench_processors() - begin);
        oc_arrangement_free(&arrangement);
    }
    return (bench_time){least, RUNS};
}

void bench_groups(const bench_wishes *wishes)
{
    static const struct {
        uint32_t leaves;
        double target; /* seconds */
    } sizes[] = {{100, 0}, {700, 0.3}, {10000, 5}, {50000, 0}};
    (void)wishes;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        ocelotl_model *model = make_model(sizes[i].leaves);
        const bench_time ours = time_groups(model, false);
        const bench_time pairs =
            sizes[i].leaves <= MOST_PAIRS ? time_groups(model, true) : (bench_time){0, 0};
        bench_seconds(ours, pairs, sizes[i].target, "%u siblings, CPU time", sizes[i].leaves);
        ocelotl_model_free(model);
    }
}
