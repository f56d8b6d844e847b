/* Numbers that rounding could spoil: what is constant or nearly so, what is next to nothing, and
 * inputs on which a nearly right engine failed. */
#include "test_aggregate_large.h"

#include "aggregate/memory.h"

static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
static const int alone[] = {-1}, pair[] = {2, 2, -1};

/* Leaves in groups of ten. */
static ocelotl_model *build_grouped(uint32_t leaves, uint32_t slices, const double *values)
{
    large_model model =
        large_make(OCELOTL_SPATIOTEMPORAL, LARGE_TENFOLD, LARGE_DENSE, leaves, 1, slices, 1);
    memcpy(model.values, values, (size_t)leaves * slices * sizeof *values);
    ocelotl_model *built = large_build(&model);
    large_free(&model);
    return built;
}

/* What is constant is one part at every p, however large it is, and loses exactly nothing, however
 * its sums are rounded. */
static void test_constant(uint32_t leaves, uint32_t slices, double value, double apart)
{
    static const double some_p[] = {0, 1e-300, 1e-12, 0.001, 0.5, 0.999999, 1};
    const size_t cells = (size_t)leaves * slices;
    double *values = large_allocate(cells, sizeof *values);
    uint64_t state = 9;
    for (size_t i = 0; i < cells; i++)
        values[i] = value + apart * (2 * check_uniform(&state) - 1);
    OWN_MODEL *model = build_grouped(leaves, slices, values);
    for (size_t k = 0; k < 3; k++) {
        const double in_series = (kinds[k] == OCELOTL_SPATIAL ? 1 : slices) *
                                 (kinds[k] == OCELOTL_TEMPORAL ? 1 : leaves);
        const double gain = (double)cells * value * log2(in_series);
        ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
        options.kind = kinds[k];
        options.work.threads = 2;
        /* all losses of the largest would take more */
        options.work.memory_limit = (uint64_t)2 << 30;
        OWN_AGGREGATION *aggregation = must_aggregate(model, &options);
        CHECK(ocelotl_aggregation_whole_loss(aggregation) == 0);
        CHECK_NEAR(ocelotl_aggregation_whole_gain(aggregation), gain,
                   apart > 0 ? 1e-8 * gain : 1e-12 * gain);
        for (size_t i = 0; i < 2 * sizeof some_p / sizeof *some_p; i++) {
            OWN_PARTITION *partition = i % 2 == 0 ? must_solve(aggregation, some_p[i / 2])
                                                  : must_solve_raw(aggregation, some_p[i / 2]);
            const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
            const ocelotl_part part = ocelotl_partition_part_at(partition, 0);
            CHECK(info.part_count == 1 && info.loss == 0 && part.loss == 0);
            CHECK(info.gain == info.whole_gain && part.gain == info.gain);
            CHECK(part.node == 0 && part.first == 0 && part.last == slices - 1);
            CHECK(part.leaves == leaves);
            CHECK_NEAR(part.shares[0], value, 1e-15 * value + apart);
        }
        OWN_LEVELS *levels = must_find_levels(aggregation, NULL);
        CHECK(ocelotl_levels_info_of(levels).count == 1 && ocelotl_levels_at(levels, 0).parts == 1);
    }
    free(values);
}

/* Two constant blocks, noisy by the last digit: two parts at p = 0, nothing lost. */
static void test_last_digit(void)
{
    enum { leaves = 20, slices = 40 };
    static double values[leaves * slices];
    for (size_t i = 0; i < leaves * slices; i++)
        values[i] = (i % slices < slices / 2 ? 0.3 : 0.8) + (i % 3 == 0 ? 0x1p-53 : 0);
    OWN_MODEL *model = build_grouped(leaves, slices, values);
    for (size_t kind = 0; kind < 2; kind++) {
        OWN_AGGREGATION *aggregation = test_aggregate(model, kinds[kind], 0);
        OWN_PARTITION *partition = must_solve(aggregation, 0);
        CHECK(ocelotl_partition_info_of(partition).part_count == 2);
        CHECK(ocelotl_partition_info_of(partition).loss == 0);
    }
}

/* A difference of 1e-6 is one, and is measured to many digits: X log n - X log X + sum v log v
 * would leave four. */
static void test_small_difference(void)
{
    const double values[] = {1, 1 + 1e-6};
    OWN_MODEL *model = test_build_arrays(1, alone, 1, 1, 2, values);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_TEMPORAL, 1);
    /* both are 1 -+ d of the mean */
    const double d = (values[1] - values[0]) / (values[0] + values[1]);
    const double loss = (2 + 1e-6) * (d * d / 2 + d * d * d * d / 12) / log(2);
    CHECK_NEAR(ocelotl_aggregation_whole_loss(aggregation), loss, 1e-9 * loss);
    OWN_PARTITION *partition = must_solve(aggregation, 0);
    CHECK(ocelotl_partition_info_of(partition).part_count == 2);
}

/* Blocks that hold nothing are one part between those that do. */
static void test_empty_blocks(void)
{
    enum { leaves = 20, slices = 30 };
    static double values[leaves * slices];
    for (size_t leaf = 0; leaf < leaves; leaf++)
        for (size_t t = 0; t < slices; t++)
            values[leaf * slices + t] = t < 5                  ? 0.25 + 0.5 * (double)(leaf % 2)
                                        : t >= 20 && leaf < 10 ? (double)(t % 7)
                                                               : 0;
    OWN_MODEL *model = build_grouped(leaves, slices, values);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_SPATIOTEMPORAL, 1);
    OWN_PARTITION *partition = must_solve(aggregation, 0);
    size_t empty = 0;
    for (size_t i = 0; i < ocelotl_partition_info_of(partition).part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        if (!test_is_empty(&part, 1))
            continue;
        empty++;
        CHECK(part.node != 0 || (part.first == 5 && part.last == 19));
    }
    /* The root from 5 to 19, and the second group from 20 on; slices 21 and 28 of the first group:
     * 7 divides them. */
    CHECK(empty == 4);
    CHECK(ocelotl_partition_info_of(partition).part_count == 20 + 1 + 1 + 10);
}

/* (1 + e) log (1 + e) - e log e, for small e. */
static double gain_of(double small)
{
    return (1 + small) * log1p(small) / log(2) - small * log2(small);
}

/* Two slices; the second holds next to nothing. */
static void check_gain(double small, double unit, bool kept)
{
    const double values[] = {unit, small * unit};
    OWN_MODEL *model = test_build_arrays(1, alone, 1, 1, 2, values);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_SPATIOTEMPORAL, 1);
    const double gain = ocelotl_aggregation_whole_gain(aggregation) / unit;
    const double loss = ocelotl_aggregation_whole_loss(aggregation) / unit;
    CHECK_NEAR(gain, kept ? gain_of(small) : 0, kept ? 0x1p-51 : 0);
    CHECK((gain > 0) == kept);
    CHECK_NEAR(loss, 1 + small - gain, 0x1p-50);
    OWN_PARTITION *partition = must_solve(aggregation, 1);
    CHECK(ocelotl_partition_info_of(partition).gain == ocelotl_aggregation_whole_gain(aggregation));
}

/* Two slices that differ by next to nothing: sum of v log (v / mean), about d^2 / (4 log 2). */
static void check_loss(double difference, double unit, bool kept)
{
    const double values[] = {unit, unit * (1 + difference)};
    const double expected = difference * difference / 4 / log(2);
    OWN_MODEL *model = test_build_arrays(1, alone, 1, 1, 2, values);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_SPATIOTEMPORAL, 1);
    const double loss = ocelotl_aggregation_whole_loss(aggregation) / unit;
    fprintf(stderr, "1 + 2^%g: loss %a, expected %a\n", log2(difference), loss, expected);
    CHECK_NEAR(loss, kept ? expected : 0, kept ? expected / 8 : 0);
}

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
    static const double p[] = {0, 1e-18, 1e-15, 1e-10, 0.5};
    double values[2 * slices];
    for (size_t i = 0; i < 2 * slices; i++)
        values[i] = 1;
    values[31] = 1 + 0x1p-22;
    values[slices + 31] = values[slices + 32] = 5;
    OWN_MODEL *model = test_build_arrays(3, pair, 2, 1, slices, values);
    check_solves(model, p, sizeof p / sizeof *p);
}

/* p M is hardly a number. */
static void test_tiny_p(void)
{
    enum { slices = 70 };
    static const double p[] = {1e-250, 1e-280, 1e-299, 1e-303, 1e-307};
    double values[2 * slices];
    for (size_t t = 0; t < slices; t++) {
        values[t] = 1;
        values[slices + t] = 1e-12 * (1 + (double)(t / 2 % 3));
    }
    OWN_MODEL *model = test_build_arrays(3, pair, 2, 1, slices, values);
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
        test_check_same(a, b, 1, 1);
    }
}

int main(void)
{
    static const double units[] = {1, 0x1p-700, 0x1p600, 3};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        check_gain(0x1p-40, units[i], true);
        check_gain(0x1p-54, units[i], true);  /* a gain of 2^-48.2 */
        check_gain(0x1p-58, units[i], false); /* and of 2^-52.1 */
        check_gain(0x1p-70, units[i], false);
        check_loss(0x1p-15, units[i], true);
        check_loss(0x1p-22, units[i], true);  /* a loss of 2^-45.5 */
        check_loss(0x1p-26, units[i], false); /* and of 2^-53.5 */
    }
    test_constant(100, 100, 1.0 / 3, 0);
    test_constant(100, 100, 0.7e-200, 0);
    test_constant(100, 100, 1e17 / 7, 0);
    test_constant(check_rounds(1000), 1000, 0.1, 0);
    test_constant(30, 30, 0.1, 1e-9); /* differences lose less than rounding could */
    test_last_digit();
    test_small_difference();
    test_empty_blocks();
    test_hardly_lossy();
    test_tiny_p();
    test_vanishing_cells();
    test_changing_scale();
    return 0;
}
