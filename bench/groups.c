/* The time that groups of like siblings take by themselves, without reading and solving.
 *
 *   bench_groups
 *
 * Flat models of 200 slices and 10 types; a leaf has three types in a slice, with noise. Some kinds
 * of leaves, and one that is like no other. CPU time of all threads, the least of some runs; beside
 * it the time of joining all pairs, up to 1000 leaves. */
#define _GNU_SOURCE
#include "bench.h"

#include "model/hierarchy/arrange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    SLICES = 200,
    TYPES = 10,
    IN_SLICE = 3,
    KINDS = 7,
    GROUPS = 16,
    RUNS = 3,
    MOST_PAIRS = 1000
};

static const double most_few = 0.3; /* seconds for 700 leaves, */
static const double most_many = 5;  /* and for 10,000 */

static void check(ocelotl_status status)
{
    if (status == OCELOTL_OK)
        return;
    fprintf(stderr, "bench_groups: %s\n", ocelotl_error_message());
    exit(1);
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* xorshift64*: the same numbers on every machine. */
static double draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 0x2545F4914F6CDD1Du >> 11) * 0x1p-53;
}

/* Shares of a slice: which types a leaf is in, and how long, goes by its kind. */
static void fill_slice(ocelotl_cell *cells, uint32_t leaf, uint32_t slice, uint64_t *random)
{
    const uint32_t kind = leaf == 1 ? KINDS + 3 : leaf % KINDS;
    const uint32_t phase = (slice / 20 + (slice % 40 < 2 * kind)) % TYPES;
    double left = 1;
    for (uint32_t i = 0; i < IN_SLICE; i++) {
        const double share = i + 1 < IN_SLICE ? left * (0.5 + 0.2 * draw(random)) : left;
        cells[i] = (ocelotl_cell){leaf, (phase + i) % TYPES, slice, share};
        left -= share;
    }
}

static ocelotl_model *make_model(uint32_t leaves)
{
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    ocelotl_model *model;
    uint64_t random = 1;
    uint32_t *parents = calloc((size_t)leaves + 1, sizeof *parents);
    ocelotl_cell *cells = calloc((size_t)leaves * SLICES * IN_SLICE, sizeof *cells);
    if (parents == NULL || cells == NULL)
        exit(1);
    parents[0] = OCELOTL_ROOT;
    for (uint32_t leaf = 1; leaf <= leaves; leaf++)
        for (uint32_t s = 0; s < SLICES; s++, arrays.cell_count += IN_SLICE)
            fill_slice(cells + arrays.cell_count, leaf, s, &random);
    arrays.node_count = leaves + 1;
    arrays.parents = parents;
    arrays.type_count = TYPES;
    arrays.slice_count = SLICES;
    arrays.cells = cells;
    check(ocelotl_model_from_arrays(&model, &arrays));
    free(parents);
    free(cells);
    return model;
}

static double time_groups(const ocelotl_model *model, bool all_pairs)
{
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        oc_arrangement arrangement = {0};
        check(oc_arrangement_begin(&arrangement, model));
        const double begin = cpu_seconds();
        check(all_pairs ? oc_split_children(&arrangement, 2, NULL, NULL)
                        : oc_group_children(&arrangement, GROUPS, NULL, NULL));
        least = fmin(least, cpu_seconds() - begin);
        oc_arrangement_free(&arrangement);
    }
    return least;
}

static void measure(uint32_t leaves, double target)
{
    ocelotl_model *model = make_model(leaves);
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = time_groups(model, false),
                             .textbook = leaves <= MOST_PAIRS ? time_groups(model, true) : 0,
                             .target = target,
                             .runs = RUNS},
                "%u siblings, CPU time", leaves);
    ocelotl_model_free(model);
}

int main(void)
{
    bench_print_head();
    bench_print_title("",
                      "Groups of like siblings, 200 slices, 10 types; textbook: all pairs joined");
    measure(100, 0);
    measure(700, most_few);
    measure(10000, most_many);
    measure(50000, 0);
    printf("\n%d targets missed\n", bench_missed());
    return 0;
}
