/* The partitions of a level of the hierarchy: their parts, and their measures against the
 * definitions. */
#include "test_aggregate_models.h"

#include "aggregate/problem/problem.h"

enum { NODES = 9, LEAVES = 5, SLICES = 3, TYPES = 2 };

/* Leaves first: 0 to 4; 5 and 6 above them; 7 above 6 alone; 8 is the root. Leaf 4 hangs at the
 * root itself. */
static const int parents[NODES] = {5, 5, 6, 6, 8, 8, 7, 8, -1};

static ocelotl_model *make_model(double *values)
{
    uint64_t state = 5;
    for (int i = 0; i < LEAVES * TYPES * SLICES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)(state >> 40 & 255) / 16;
    }
    return test_build_arrays(NODES, parents, LEAVES, TYPES, SLICES, values);
}

static double entropy(double value)
{
    return value > 0 ? value * log2(value) : 0;
}

/* Gain and loss of a part, from its values; the leaves of a spatial one are summed over slices
 * first. */
static void measure(double *gain, double *loss, const double *values, const int *leaves,
                    int leaf_count, bool spatial)
{
    *gain = *loss = 0;
    for (int type = 0; type < TYPES; type++) {
        double sum = 0, terms = 0;
        for (int i = 0; i < leaf_count; i++) {
            double cell = 0;
            for (int slice = 0; slice < SLICES; slice++) {
                const double value = values[(leaves[i] * TYPES + type) * SLICES + slice];
                cell += value;
                sum += value;
                terms += spatial ? 0 : entropy(value);
            }
            terms += spatial ? entropy(cell) : 0;
        }
        const double cells = leaf_count * (spatial ? 1 : SLICES);
        *gain += entropy(sum) - terms;
        *loss += sum * log2(cells) - (entropy(sum) - terms);
    }
}

static void check_part(const ocelotl_partition *partition, size_t index, const double *values,
                       const int *leaves, int leaf_count)
{
    double gain, loss;
    const ocelotl_part part = ocelotl_partition_part_at(partition, index);
    const bool spatial = ocelotl_partition_info_of(partition).kind == OCELOTL_SPATIAL;
    measure(&gain, &loss, values, leaves, leaf_count, spatial);
    CHECK(part.leaves == (uint32_t)leaf_count && part.first == 0 && part.last == SLICES - 1);
    CHECK_NEAR(part.gain, gain, 1e-9 * (1 + gain));
    CHECK_NEAR(part.loss, loss, 1e-9 * (1 + loss));
}

/* Depth 1 is 5 (leaves 0, 1), 7 (2, 3) and the leaf 4; which comes first is the model's affair. */
static void check_depth_one(const ocelotl_partition *partition, const double *values)
{
    static const int below[3][2] = {{0, 1}, {2, 3}, {4}};
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    double gain = 0, loss = 0;
    CHECK(info.part_count == 3);
    CHECK(isnan(info.p) && isnan(info.p_raw) && isnan(info.pic));
    CHECK_TEXT(info.level, "nodes at depth 1");
    for (size_t i = 0; i < 3; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const uint32_t source = ocelotl_model_node_at(model, part.node).source;
        const int which = source == 5 ? 0 : source == 7 ? 1 : 2;
        CHECK(source == 5 || source == 7 || source == 4);
        check_part(partition, i, values, below[which], which == 2 ? 1 : 2);
        gain += part.gain;
        loss += part.loss;
    }
    CHECK_NEAR(info.gain, gain, 1e-9 * gain);
    CHECK_NEAR(info.loss, loss, 1e-9 * loss);
}

static void test_depths(ocelotl_kind kind, uint64_t memory_limit)
{
    double values[LEAVES * TYPES * SLICES];
    OWN_MODEL *model = make_model(values);
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_partition *partition;
    options.kind = kind;
    options.work.threads = 1;
    options.work.memory_limit = memory_limit;
    OWN_AGGREGATION *aggregation = must_aggregate(model, &options);
    CHECK_OK(ocelotl_partition_at_depth(&partition, aggregation, 1));
    check_depth_one(partition, values);
    ocelotl_partition_free(partition);
    CHECK_OK(ocelotl_partition_at_depth(&partition, aggregation, 0));
    const ocelotl_partition_info whole = ocelotl_partition_info_of(partition);
    CHECK(whole.part_count == 1);
    CHECK_NEAR(whole.gain, whole.whole_gain, 1e-12 * whole.whole_gain);
    CHECK_NEAR(whole.loss, whole.whole_loss, 1e-12 * whole.whole_loss);
    ocelotl_partition_free(partition);
    /* Node 6 has the leaves of node 7, and is what is at depth 2 all the same. */
    CHECK_OK(ocelotl_partition_at_depth(&partition, aggregation, 2));
    CHECK(ocelotl_partition_info_of(partition).part_count == 4);
    for (size_t i = 0, found = 0; i < 4; i++) {
        found +=
            ocelotl_model_node_at(model, ocelotl_partition_part_at(partition, i).node).source == 6;
        CHECK(i < 3 || found == 1);
    }
    ocelotl_partition_free(partition);
    CHECK_OK(ocelotl_partition_at_depth(&partition, aggregation, 3));
    CHECK(ocelotl_partition_info_of(partition).part_count == LEAVES);
    CHECK(kind != OCELOTL_SPATIAL || ocelotl_partition_info_of(partition).gain == 0);
    ocelotl_partition_free(partition);
    CHECK_REFUSED(ocelotl_partition_at_depth(&partition, aggregation, 4),
                  "no depth 4, expected 0 to 3");
    CHECK_REFUSED(ocelotl_partition_at_type(&partition, aggregation, "machine"), "machine");
    CHECK_REFUSED(ocelotl_partition_at_type(&partition, aggregation, ""), "depth");
}

static void test_temporal(void)
{
    double values[LEAVES * TYPES * SLICES];
    OWN_MODEL *model = make_model(values);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_TEMPORAL, 1);
    ocelotl_partition *partition;
    CHECK_REFUSED(ocelotl_partition_at_depth(&partition, aggregation, 1), "temporal");
    CHECK_REFUSED(ocelotl_partition_at_type(&partition, aggregation, "x"), "temporal");
}

/* Where no more fits, the losses of the nodes are not stored, but found anew. */
static uint64_t least_memory(ocelotl_kind kind)
{
    double values[LEAVES * TYPES * SLICES];
    uint64_t least, most;
    OWN_MODEL *model = make_model(values);
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = kind;
    options.work.threads = 1;
    CHECK_OK(ocelotl_aggregation_memory(&least, &most, model, &options));
    return least;
}

int main(void)
{
    test_depths(OCELOTL_SPATIAL, 0);
    test_depths(OCELOTL_SPATIOTEMPORAL, 0);
    test_depths(OCELOTL_SPATIOTEMPORAL, least_memory(OCELOTL_SPATIOTEMPORAL));
    test_depths(OCELOTL_SPATIAL, least_memory(OCELOTL_SPATIAL));
    test_temporal();
    return 0;
}
