/* The partitions of a level of the hierarchy: their parts, and their measures against the
 * definitions. */
#include "test_aggregate_reference.h"

#include "aggregate/memory.h"

/* Leaves first: 0 to 4; 5 and 6 above them; 7 above 6 alone; 8 is the root. Leaf 4 hangs at the
 * root itself. Node 6 has the leaves of node 7, and is what is at depth 2 all the same. */
static int parents[] = {5, 5, 6, 6, 8, 8, 7, 8, -1};
static const uint32_t depths[][9] = {{8}, {5, 7, 4}, {0, 1, 6, 4}, {0, 1, 2, 3, 4}};
static const size_t parts[] = {1, 3, 4, 5};

/* With the least memory the losses of the nodes are not stored, but found anew. */
static void test_depths(ocelotl_kind kind, bool little_memory)
{
    double values[5 * 2 * 3];
    uint64_t state = 5, most;
    large_model model = {kind, 9, 5, 2, 3, parents, values};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        values[i] = check_below(&state, 256) / 16.0;
    OWN_MODEL *built = large_build(&model);
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_partition *partition;
    options.kind = kind;
    options.work.threads = 1;
    if (little_memory)
        CHECK_OK(ocelotl_aggregation_memory(&options.work.memory_limit, &most, built, &options));
    OWN_AGGREGATION *aggregation = must_aggregate(built, &options);
    if (kind == OCELOTL_TEMPORAL) {
        CHECK_REFUSED(ocelotl_partition_at_depth(&partition, aggregation, 1), "temporal");
        CHECK_REFUSED(ocelotl_partition_at_type(&partition, aggregation, "x"), "temporal");
        return;
    }
    uint32_t *leaf_of = reference_leaves(&model, built);
    for (uint32_t depth = 0; depth < 4; depth++) {
        char level[32];
        long double gain = 0, loss = 0;
        uint8_t covered[5 * 3] = {0};
        CHECK_OK(ocelotl_partition_at_depth(&partition, aggregation, depth));
        const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
        snprintf(level, sizeof level, "nodes at depth %u", depth);
        CHECK(info.part_count == parts[depth]);
        CHECK(isnan(info.p) && isnan(info.p_raw) && isnan(info.pic));
        CHECK_TEXT(info.level, level);
        for (size_t i = 0; i < info.part_count; i++) { /* in the order of the model */
            const ocelotl_part part = ocelotl_partition_part_at(partition, i);
            const ocelotl_node node = ocelotl_model_node_at(built, part.node);
            size_t same = 0;
            for (size_t k = 0; k < info.part_count; k++)
                same += depths[depth][k] == node.source;
            CHECK(same == 1 && part.first == 0 && part.last == 2);
            for (uint32_t leaf = node.leaf_first; leaf < node.leaf_first + node.leaf_count; leaf++)
                CHECK(covered[leaf]++ == 0);
            reference_check_part_within(&model, leaf_of + node.leaf_first, &part, 1);
            gain += part.gain;
            loss += part.loss;
        }
        CHECK_NEAR(info.gain, (double)gain, 1e-9 * (double)gain);
        CHECK_NEAR(info.loss, (double)loss, 1e-9 * (double)loss);
        CHECK(depth < 3 || kind != OCELOTL_SPATIAL || info.gain == 0);
        ocelotl_partition_free(partition);
    }
    free(leaf_of);
    CHECK_REFUSED(ocelotl_partition_at_depth(&partition, aggregation, 4),
                  "no depth 4, expected 0 to 3");
    CHECK_REFUSED(ocelotl_partition_at_type(&partition, aggregation, "machine"), "machine");
    CHECK_REFUSED(ocelotl_partition_at_type(&partition, aggregation, ""), "depth");
}

int main(void)
{
    for (int little = 0; little < 2; little++) {
        test_depths(OCELOTL_SPATIAL, little);
        test_depths(OCELOTL_SPATIOTEMPORAL, little);
        test_depths(OCELOTL_TEMPORAL, little);
    }
    return 0;
}
