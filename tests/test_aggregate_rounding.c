/* A gain or a loss below the rounding of what it is a share of is exactly 0, and one above it is
 * kept. */
#include "test_aggregate_models.h"

/* Makes two slices; the second holds next to nothing. */
static ocelotl_aggregation *aggregate(ocelotl_model **model, double small, double unit)
{
    const int parent[] = {-1};
    const double values[] = {unit, small * unit};
    *model = test_build_arrays(1, parent, 1, 1, 2, values);
    return test_aggregate(*model, OCELOTL_SPATIOTEMPORAL, 1);
}

/* (1 + e) log (1 + e) - e log e, for small e. */
static double gain_of(double small)
{
    return (1 + small) * log1p(small) / log(2) - small * log2(small);
}

static void check_gain(double small, double unit, bool kept)
{
    ocelotl_model *model;
    ocelotl_aggregation *aggregation = aggregate(&model, small, unit);
    const double gain = ocelotl_aggregation_whole_gain(aggregation) / unit;
    const double loss = ocelotl_aggregation_whole_loss(aggregation) / unit;
    fprintf(stderr, "2^%g: gain %a, expected %a\n", log2(small), gain, gain_of(small));
    CHECK_NEAR(gain, kept ? gain_of(small) : 0, kept ? 0x1p-51 : 0);
    CHECK((gain > 0) == kept);
    CHECK_NEAR(loss, 1 + small - gain, 0x1p-50);
    ocelotl_partition *partition = must_solve(aggregation, 1);
    CHECK(ocelotl_partition_info_of(partition).gain == ocelotl_aggregation_whole_gain(aggregation));
    must_free(partition, aggregation, model, NULL);
}

/* Two slices that differ by next to nothing: sum of v log (v / mean), about d^2 / (4 log 2). */
static void check_loss(double difference, double unit, bool kept)
{
    const int parent[] = {-1};
    const double values[] = {unit, unit * (1 + difference)};
    const double expected = difference * difference / 4 / log(2);
    OWN_MODEL *model = test_build_arrays(1, parent, 1, 1, 2, values);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_SPATIOTEMPORAL, 1);
    const double loss = ocelotl_aggregation_whole_loss(aggregation) / unit;
    fprintf(stderr, "1 + 2^%g: loss %a, expected %a\n", log2(difference), loss, expected);
    CHECK_NEAR(loss, kept ? expected : 0, kept ? expected / 8 : 0);
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
    return 0;
}
