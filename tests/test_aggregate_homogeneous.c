/* What is constant is one part at every p, however large it is. */
#include "test_aggregate_large.h"

enum { SLICES = 1000 };

static uint32_t leaves;

/* All cells hold the same. */
static ocelotl_model *build_constant(double value)
{
    large_model model =
        large_make(OCELOTL_SPATIOTEMPORAL, LARGE_TENFOLD, LARGE_DENSE, leaves, 1, SLICES, 1);
    for (size_t i = 0; i < (size_t)leaves * SLICES; i++)
        model.values[i] = value;
    ocelotl_model *built = large_build(&model);
    large_free(&model);
    return built;
}

static void check_whole(ocelotl_partition *partition, double value)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const ocelotl_part part = ocelotl_partition_part_at(partition, 0);
    CHECK(info.part_count == 1 && info.loss == 0 && part.loss == 0);
    CHECK(info.gain == info.whole_gain && part.gain == info.gain);
    CHECK(part.node == 0 && part.first == 0 && part.last == SLICES - 1 && part.leaves == leaves);
    CHECK_NEAR(part.shares[0], value, 1e-15 * value);
    ocelotl_partition_free(partition);
}

static void check_kind(const ocelotl_model *built, ocelotl_kind kind, double value)
{
    static const double some_p[] = {0, 1e-300, 1e-12, 0.001, 0.5, 0.999999, 1};
    const double cells = (double)leaves * SLICES;
    const double cells_of_series =
        (kind == OCELOTL_SPATIAL ? 1 : SLICES) * (kind == OCELOTL_TEMPORAL ? 1 : leaves);
    fprintf(stderr, "kind %d\n", (int)kind);
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = kind;
    options.work.threads = 2;
    /* all losses of the spatiotemporal kind would take more */
    options.work.memory_limit = (uint64_t)2 << 30;
    OWN_AGGREGATION *aggregation = must_aggregate(built, &options);
    const double gain = cells * value * log2(cells_of_series);
    CHECK(ocelotl_aggregation_whole_loss(aggregation) == 0);
    CHECK_NEAR(ocelotl_aggregation_whole_gain(aggregation), gain, 1e-12 * gain);
    for (size_t i = 0; i < sizeof some_p / sizeof *some_p; i++) {
        ocelotl_partition *partition = must_solve(aggregation, some_p[i]);
        check_whole(partition, value);
        partition = must_solve_raw(aggregation, some_p[i]);
        check_whole(partition, value);
    }
    OWN_LEVELS *levels = must_find_levels(aggregation, NULL);
    CHECK(ocelotl_levels_info_of(levels).count == 1 && ocelotl_levels_at(levels, 0).parts == 1);
}

int main(void)
{
    leaves = check_rounds(1000);
    OWN_MODEL *built = build_constant(0.1);
    check_kind(built, OCELOTL_SPATIAL, 0.1);
    check_kind(built, OCELOTL_TEMPORAL, 0.1);
    check_kind(built, OCELOTL_SPATIOTEMPORAL, 0.1);
    return 0;
}
