/* Inputs on which a nearly right engine fails: each was found once. */
#include "test_aggregate_models.h"

static void check_solves(const ocelotl_model *model, const double *p, size_t count)
{
    for (size_t i = 0; i < TEST_INSTRUCTIONS; i++) {
        OWN_AGGREGATION *aggregation =
            test_aggregate_with(model, OCELOTL_SPATIOTEMPORAL, 1, test_instructions[i]);
        for (size_t k = 0; aggregation != NULL && k < count; k++)
            ocelotl_partition_free(must_solve_raw(aggregation, p[k]));
    }
}

/* What is lost over all slices is less than its rounding, and what is lost over some of them is
 * not. */
static void test_hardly_lossy(void)
{
    enum { slices = 64 };
    static const int parent[] = {2, 2, -1};
    static const double p[] = {0, 1e-18, 1e-15, 1e-10, 0.5};
    double values[2 * slices];
    for (size_t i = 0; i < 2 * slices; i++)
        values[i] = 1;
    values[31] = 1 + 0x1p-22;
    values[slices + 31] = values[slices + 32] = 5;
    OWN_MODEL *model = test_build_arrays(3, parent, 2, 1, slices, values);
    check_solves(model, p, sizeof p / sizeof *p);
}

/* p M is hardly a number. */
static void test_tiny_p(void)
{
    enum { slices = 70 };
    static const int parent[] = {2, 2, -1};
    static const double p[] = {1e-250, 1e-280, 1e-299, 1e-303, 1e-307};
    double values[2 * slices];
    for (size_t t = 0; t < slices; t++) {
        values[t] = 1;
        values[slices + t] = 1e-12 * (1 + (double)(t / 2 % 3));
    }
    OWN_MODEL *model = test_build_arrays(3, parent, 2, 1, slices, values);
    check_solves(model, p, sizeof p / sizeof *p);
}

/* Cells that are nothing beside the largest: a part that has many of them lists their type once. */
static void test_vanishing_cells(void)
{
    enum { leaves = 40, types = 2, slices = 2 };
    static const double p[] = {0, 0.5, 1};
    int parent[leaves + 1];
    double values[leaves * types * slices] = {0};
    for (int k = 0; k < leaves; k++) {
        parent[k] = leaves;
        for (int t = 0; t < slices; t++)
            values[(k * types + 1) * slices + t] = 1e-300;
    }
    parent[leaves] = -1;
    values[0] = 1e300;
    OWN_MODEL *model = test_build_arrays(leaves + 1, parent, leaves, types, slices, values);
    check_solves(model, p, sizeof p / sizeof *p);
}

/* Series whose scale changes: what is computed again for a few slices is what was stored for them
 * among all. */
static void test_changing_scale(void)
{
    enum { slices = 64, leaves = 4 };
    static const int parent[] = {4, 4, 4, 4, -1};
    double values[leaves * slices];
    uint64_t state = 1;
    for (size_t i = 0; i < leaves * slices; i++) {
        const size_t t = i % slices;
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)((state >> 33) % 1000 + 1) * (t < 20 ? 1 : t < 40 ? 1e-3 : 31);
    }
    OWN_MODEL *model = test_build_arrays(5, parent, leaves, 1, slices, values);
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    uint64_t most;
    options.work.threads = 1;
    OWN_AGGREGATION *stored = must_aggregate(model, &options);
    CHECK_OK(ocelotl_aggregation_memory(&options.work.memory_limit, &most, model, &options));
    OWN_AGGREGATION *computed = must_aggregate(model, &options);
    for (int i = 0; i < 100; i++) {
        OWN_PARTITION *a = must_solve_raw(stored, i / 100.0);
        OWN_PARTITION *b = must_solve_raw(computed, i / 100.0);
        const ocelotl_partition_info info = ocelotl_partition_info_of(a);
        const ocelotl_partition_info other = ocelotl_partition_info_of(b);
        CHECK(info.part_count == other.part_count);
        CHECK(info.gain == other.gain);
        CHECK(info.loss == other.loss);
    }
}

int main(void)
{
    test_hardly_lossy();
    test_tiny_p();
    test_vanishing_cells();
    test_changing_scale();
    return 0;
}
