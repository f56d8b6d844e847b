/* Requests that are wrong, models that have nothing to aggregate, hierarchies that are very deep.
 */
#include "aggregate/memory.h"
#include "base/machine.h"
#include "test_aggregate_models.h"

#include <float.h>

static ocelotl_model *build_one(uint32_t types, uint32_t slices, const double *values)
{
    const int parent[] = {-1};
    return test_build_arrays(1, parent, 1, types, slices, values);
}

static void test_requests(void)
{
    const double values[] = {1, 2, 3, 1};
    OWN_MODEL *model = build_one(1, 4, values);
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = (ocelotl_kind)7;
    CHECK_REFUSED(ocelotl_aggregation_create(&aggregation, model, &options), "kind is 7");
    options.kind = OCELOTL_TEMPORAL;
    options.work.threads = UINT32_MAX;
    CHECK_REFUSED(ocelotl_aggregation_create(&aggregation, model, &options), "threads");
    options.work.threads = 1;
    options.work.memory_limit = 1;
    CHECK_FAILS(ocelotl_aggregation_create(&aggregation, model, &options), OCELOTL_ERROR_LIMIT,
                "use fewer slices");
    CHECK(aggregation == NULL);
    uint64_t least, most;
    CHECK_OK(ocelotl_aggregation_memory(&least, &most, model, &options));
    CHECK(least <= most);
    options.work.memory_limit = least;
    options.work.threads = 64; /* too many for the memory: fewer threads do the work */
    aggregation = must_aggregate(model, &options);
    CHECK(ocelotl_aggregation_kind(aggregation) == OCELOTL_TEMPORAL);
    CHECK(ocelotl_aggregation_model(aggregation) == model);
    static const double wrong[] = {1.5, -0.001, INFINITY, -INFINITY};
    ocelotl_partition *partition = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_REFUSED(ocelotl_solve(&partition, aggregation, wrong[i]), "expected a number");
        CHECK_REFUSED(ocelotl_solve_raw(&partition, aggregation, wrong[i]), "[0, 1]");
    }
    CHECK_REFUSED(ocelotl_solve(&partition, aggregation, 1.5),
                  "p is 1.5, expected a number in [0, 1]");
    CHECK_REFUSED(ocelotl_solve(&partition, aggregation, NAN), "nan");
    CHECK(partition == NULL);
    ocelotl_aggregation_free(aggregation);
    ocelotl_aggregation_free(NULL);
    ocelotl_partition_free(NULL);
    ocelotl_levels_free(NULL);
}

/* What the estimate asks for is enough, the least of it as well, and one byte less is not. */
static void test_estimate(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    for (uint64_t seed = 0; seed < 90; seed++) {
        ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
        options.kind = kinds[seed % 3];
        options.work.threads = 1;
        test_model model = test_random_model(seed / 3 + 1, options.kind, 12, 40);
        OWN_MODEL *built = test_build(&model);
        uint64_t limit[2];
        ocelotl_aggregation *aggregation;
        CHECK_OK(ocelotl_aggregation_memory(&limit[0], &limit[1], built, &options));
        CHECK(0 < limit[0] && limit[0] <= limit[1]);
        for (int i = 0; i < 2; i++) {
            options.work.memory_limit = limit[i];
            aggregation = must_aggregate(built, &options);
            ocelotl_aggregation_free(aggregation);
        }
        free(model.values);
    }
}

/* Losses of short-lived resources are bounded, whatever memory there is; some are stored always. */
static void test_stored(void)
{
    const oc_request_size size = {OCELOTL_SPATIOTEMPORAL, 40001, 1, 100, 2};
    const uint64_t each = 8 * 100 * 101 / 2;
    const uint64_t least = oc_cost_memory(&size, 1);
    const uint64_t most = oc_cost_memory(&size, 40001);
    CHECK(OC_MOST_STORED == (uint64_t)512 << 20);
    CHECK(oc_count_stored(&size, (uint64_t)1 << 40, OC_MOST_STORED) == 1 + OC_MOST_STORED / each);
    CHECK(oc_count_stored(&size, (uint64_t)1 << 40, 10 * each + 1) == 11);
    CHECK(oc_count_stored(&size, (uint64_t)1 << 40, UINT64_MAX) == 40001);
    CHECK(oc_count_stored(&size, most, UINT64_MAX) == 40001);
    CHECK(oc_count_stored(&size, most - 1, UINT64_MAX) ==
          1 + (most - 1 - least - (most - 1) / 4) / each);
    CHECK(oc_count_stored(&size, least, UINT64_MAX) == 1);
}

/* No size of a request overflows its own estimate. */
static void test_too_many_slices(void)
{
    ocelotl_cell cell = {0, 0, UINT32_MAX - 2, 1};
    const uint32_t parent = OCELOTL_ROOT;
    ocelotl_aggregation *aggregation;
    OWN_MODEL *model = must_take_cells(NULL, 1, &parent, NULL, 1, NULL, UINT32_MAX - 1, &cell, 1);
    CHECK_FAILS(ocelotl_aggregation_create(&aggregation, model, NULL), OCELOTL_ERROR_LIMIT, "MiB");
}

/* The same number of parts below 1, one at 1, and a single level. */
static void check_plain(const ocelotl_model *model, ocelotl_kind kind, size_t parts, double gain,
                        double loss)
{
    OWN_AGGREGATION *aggregation = test_aggregate(model, kind, 1);
    CHECK_NEAR(ocelotl_aggregation_whole_gain(aggregation), gain, 1e-14);
    CHECK_NEAR(ocelotl_aggregation_whole_loss(aggregation), loss, 1e-14);
    static const double p[] = {0, 1e-300, 1e-9, 0.3, 0.5, 0.999, 0.9999999999, 1};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        CHECK(ocelotl_p_to_raw(aggregation, p[i]) == p[i] &&
              ocelotl_p_from_raw(aggregation, p[i]) == p[i]);
        OWN_PARTITION *partition = must_solve(aggregation, p[i]);
        CHECK(ocelotl_partition_info_of(partition).part_count == (p[i] < 1 ? parts : 1));
    }
    OWN_LEVELS *levels = must_find_levels(aggregation, NULL);
    CHECK(ocelotl_levels_info_of(levels).count == 1 && ocelotl_levels_info_of(levels).complete);
    const ocelotl_level level = ocelotl_levels_at(levels, 0);
    CHECK(level.p_from == 0 && level.p_to == 1 && level.p == 0.5 && level.parts == parts);
    ocelotl_partition *partition;
    CHECK_OK(ocelotl_solve_parts(&partition, aggregation, 1));
    CHECK(ocelotl_partition_info_of(partition).part_count == 1);
    ocelotl_partition_free(partition);
}

static void test_plain_models(void)
{
    static const int alone[] = {-1}, four[] = {4, 4, 4, 4, -1};
    static const double nothing[4], constant[] = {3, 3, 3, 3}, one[] = {7};
    static const double single[] = {0, 5, 0, 0}; /* nothing to gain: X log X = v log v */
    static const struct {
        uint32_t leaves, types, slices;
        const double *values;
        size_t parts;
        double gain, loss;
    } cases[] = {{1, 1, 4, nothing, 1, 0, 0}, {1, 1, 4, constant, 1, 24, 0},
                 {1, 1, 4, single, 3, 0, 10}, {1, 1, 1, one, 1, 0, 0},
                 {1, 0, 3, nothing, 1, 0, 0}, {4, 1, 1, single, 4, 0, 10}};
    static const ocelotl_kind kinds[] = {OCELOTL_TEMPORAL, OCELOTL_SPATIOTEMPORAL, OCELOTL_SPATIAL};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool spatial = cases[i].leaves > 1;
        OWN_MODEL *model =
            test_build_arrays(spatial ? 5 : 1, spatial ? four : alone, cases[i].leaves,
                              cases[i].types, cases[i].slices, cases[i].values);
        for (size_t k = spatial ? 2 : 0; k < (spatial ? 3 : 2); k++)
            check_plain(model, kinds[k], cases[i].parts, cases[i].gain, cases[i].loss);
    }
}

/* Where little can be gained below much that can be lost, p near 1 must not become 1 by rounding.
 */
static void test_ends(void)
{
    const double values[] = {1e15, 0, 0, 0, 0, 0, 0, 1};
    OWN_MODEL *model = build_one(1, 8, values);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_TEMPORAL, 1);
    double before = 0;
    for (int i = 1; i < 60; i++) {
        const double p = 1 - ldexp(1, -i);
        const double raw = ocelotl_p_to_raw(aggregation, p);
        CHECK(raw >= before && (raw < 1) == (p < 1));
        before = raw;
    }
    CHECK(ocelotl_p_to_raw(aggregation, 0) == 0 && ocelotl_p_to_raw(aggregation, 1) == 1);
}

/* What a double cannot hold is refused, for any kind; what it holds is measured. */
static void test_large_values(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    static const int parent[] = {2, 2, -1};
    static const double large[] = {1.7e308, 1e308, 3, 1.2e308};
    static const double fitting[] = {DBL_MAX / 16, DBL_MAX / 32, 3, DBL_MAX / 32};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
        options.kind = kinds[k];
        ocelotl_aggregation *aggregation = NULL;
        ocelotl_model *model = test_build_arrays(3, parent, 2, 1, 2, large);
        CHECK_FAILS(ocelotl_aggregation_create(&aggregation, model, &options), OCELOTL_ERROR_LIMIT,
                    "larger unit");
        CHECK(aggregation == NULL);
        ocelotl_model_free(model);
        model = test_build_arrays(3, parent, 2, 1, 2, fitting);
        aggregation = test_aggregate(model, kinds[k], 1);
        CHECK(isfinite(ocelotl_aggregation_whole_gain(aggregation)));
        CHECK(isfinite(ocelotl_aggregation_whole_loss(aggregation)));
        CHECK(ocelotl_aggregation_whole_gain(aggregation) > DBL_MAX / 1024);
        ocelotl_aggregation_free(aggregation);
        ocelotl_model_free(model);
    }
}

/* A comb: every node has a leaf and the rest below it; or a bare chain. */
static void test_deep(uint32_t depth, bool comb)
{
    const uint32_t leaves = comb ? depth + 1 : 1;
    const uint32_t nodes = leaves + depth;
    uint32_t *parents = malloc(nodes * sizeof *parents);
    ocelotl_cell *cells = malloc(leaves * sizeof *cells * 2);
    CHECK(parents != NULL && cells != NULL);
    for (uint32_t i = 0; i < depth; i++)
        parents[leaves + i] = i > 0 ? leaves + i - 1 : OCELOTL_ROOT;
    for (uint32_t i = 0; i < leaves; i++) {
        parents[i] = comb && i < depth ? leaves + i : nodes - 1;
        cells[2 * i] = (ocelotl_cell){i, 0, 0, 1 + i % 2};
        cells[2 * i + 1] = (ocelotl_cell){i, 0, 1, 1};
    }
    ocelotl_model *model =
        must_take_cells(NULL, nodes, parents, NULL, 1, NULL, 2, cells, 2 * leaves);
    const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_SPATIAL, OCELOTL_TEMPORAL};
    for (size_t k = 0; k < 3; k++) {
        ocelotl_aggregation *aggregation = test_aggregate(model, kinds[k], 2);
        for (int i = 0; i <= 3; i++) {
            ocelotl_partition *partition = must_solve(aggregation, i / 3.0);
            CHECK(i < 3 || ocelotl_partition_info_of(partition).part_count == 1);
            CHECK(ocelotl_partition_info_of(partition).part_count <= 2 * leaves);
            ocelotl_partition_free(partition);
        }
        ocelotl_aggregation_free(aggregation);
    }
    ocelotl_model_free(model);
    free(parents);
    free(cells);
}

int main(void)
{
    test_requests();
    test_estimate();
    test_stored();
    test_too_many_slices();
    test_plain_models();
    test_ends();
    test_large_values();
    test_deep(3000, false);
    test_deep(3000, true);
    return 0;
}
