/* Models whose cells are mostly empty, where very many cuts are tied: the solver follows few, and
 * chooses by the tie rules alone. */
#include "aggregate/extract/explored.h"
#include "test_aggregate_models.h"

static const double some_p[] = {0, 1e-6, 0.001, 0.05, 0.223116, 0.4};
#define SOME_P (sizeof some_p / sizeof *some_p)

/* Groups of four leaves. A cell holds something with the given probability: 2^0, or of a wide model
 * down to 2^-60. */
static test_model sparse_model(uint64_t seed, uint32_t leaves, uint32_t slices, double density,
                               bool wide)
{
    uint64_t state = seed;
    test_model model = {
        .kind = OCELOTL_SPATIOTEMPORAL, .leaves = leaves, .types = 1, .slices = slices};
    const uint32_t groups = (leaves + 3) / 4;
    model.nodes = leaves + groups + 1;
    CHECK(model.nodes <= TEST_MOST_NODES);
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        model.parent[leaf] = (int)(leaves + leaf / 4);
    for (uint32_t group = 0; group < groups; group++)
        model.parent[leaves + group] = (int)(leaves + groups);
    model.parent[leaves + groups] = -1;
    model.values = malloc((size_t)leaves * slices * sizeof *model.values);
    CHECK(model.values != NULL);
    for (size_t i = 0; i < (size_t)leaves * slices; i++) {
        const bool holds = check_uniform(&state) < density;
        model.values[i] = holds ? ldexp(1, wide ? -(int)check_below(&state, 61) : 0) : 0;
    }
    return model;
}

/* The partitions that were found at some p: each is worth no less at its own than the others are.
 */
static void check_best(ocelotl_partition *const *partitions)
{
    for (size_t i = 0; i < SOME_P; i++)
        for (size_t k = 0; k < SOME_P; k++) {
            const ocelotl_partition_info own = ocelotl_partition_info_of(partitions[i]);
            const ocelotl_partition_info other = ocelotl_partition_info_of(partitions[k]);
            const double p = some_p[i];
            const double magnitude = p * (own.gain + own.loss + other.gain + other.loss);
            CHECK(p * own.gain - (1 - p) * own.loss >= p * other.gain - (1 - p) * other.loss -
                                                           1e-12 * magnitude -
                                                           (p == 0 ? 1e-12 * own.gain : 0));
        }
}

/* The same bits for any number of threads and any instructions. */
static void test_bits(uint64_t seed, bool wide)
{
    static const uint32_t threads[] = {1, 2, 7};
    static const double densities[] = {0.02, 0.1, 0.4};
    test_model model = sparse_model(seed, 14, 70, densities[seed % 3], wide);
    OWN_MODEL *built = test_build(&model);
    ocelotl_partition *found[SOME_P] = {NULL};
    for (size_t i = 0; i < 3 * TEST_INSTRUCTIONS; i++) {
        OWN_AGGREGATION *aggregation =
            test_aggregate_with(built, model.kind, threads[i % 3], test_instructions[i / 3]);
        for (size_t k = 0; aggregation != NULL && k < SOME_P; k++) {
            ocelotl_partition *partition = must_solve_raw(aggregation, some_p[k]);
            if (found[k] != NULL)
                test_check_same(found[k], partition, 1, 1);
            ocelotl_partition_free(found[k]);
            found[k] = partition;
        }
    }
    check_best(found);
    for (size_t k = 0; k < SOME_P; k++)
        ocelotl_partition_free(found[k]);
    free(model.values);
}

/* The choices that are followed first, of all nodes. */
static size_t count_choices(const ocelotl_aggregation *aggregation, double p_raw)
{
    oc_solver *solver;
    oc_explored explored = {0};
    size_t count = 0;
    CHECK_OK(oc_solver_borrow(&solver, aggregation));
    CHECK_OK(oc_solver_run(solver, aggregation, (oc_weight){.p = p_raw}));
    CHECK_OK(oc_explored_make(&explored, aggregation, solver));
    CHECK_OK(oc_explored_run(&explored, NULL));
    for (uint32_t i = 0; i < aggregation->threads; i++)
        count += explored.shares[i].choices.choice_count;
    oc_explored_free(&explored);
    oc_solver_return(solver, aggregation, true);
    return count;
}

/* Of cuts next to slices that hold nothing only those are followed that can be preferred: not a
 * million of them. */
static void test_few_choices(void)
{
    test_model model = sparse_model(5, 16, 200, 0.02, false);
    OWN_MODEL *built = test_build(&model);
    OWN_AGGREGATION *aggregation = test_aggregate(built, model.kind, 1);
    const size_t count = count_choices(aggregation, 0.001);
    fprintf(stderr, "%zu choices\n", count);
    CHECK(count < 100000);
    free(model.values);
}

int main(void)
{
    test_few_choices();
    for (uint64_t seed = 1; seed <= 6; seed++) {
        fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
        test_bits(seed, false);
        test_bits(seed, true);
    }
    return 0;
}
