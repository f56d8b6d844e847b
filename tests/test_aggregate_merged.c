/* Leaves that stand for several: what is best of a model where they are merged is what is best of
 * the whole model where no part is below them, by the textbook and by the definitions, and weighs
 * the same. */
#include "test_aggregate_textbook.h"

#include "model/hierarchy/arrange.h"

/* Marks the nodes that can hold parts, in a copy of the model in which merged leaves have nothing
 * below. */
static void forbid_cuts(struct textbook *book, const large_model *model,
                        const ocelotl_model *merged)
{
    const ocelotl_model_info info = ocelotl_model_info_of(merged);
    for (uint32_t k = 0; k < info.node_count; k++) {
        const ocelotl_node node = ocelotl_model_node_at(merged, k);
        const bool leaf =
            k + 1 == info.node_count || ocelotl_model_node_at(merged, k + 1).parent != k;
        if (leaf)
            book->inner[node.source] = false;
    }
    CHECK(info.row_count == model->leaves);
}

/* Measures of parts, from all cells of the model that was not merged. */
static void check_parts(const large_model *model, const ocelotl_model *whole,
                        const ocelotl_model *merged, const ocelotl_partition *partition)
{
    uint32_t *leaf_of = reference_leaves(model, whole);
    const ocelotl_model_info info = ocelotl_model_info_of(whole);
    const ocelotl_partition_info made = ocelotl_partition_info_of(partition);
    uint64_t cells = 0;
    for (size_t i = 0; i < made.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const uint32_t source = ocelotl_model_node_at(merged, part.node).source;
        uint32_t k = 0;
        while (k < info.node_count && ocelotl_model_node_at(whole, k).source != source)
            k++;
        const ocelotl_node node = ocelotl_model_node_at(whole, k);
        CHECK(part.leaves == node.leaf_count);
        CHECK(ocelotl_model_node_at(merged, part.node).row_count == node.leaf_count);
        reference_check_part_within(model, leaf_of + node.leaf_first, &part, 4);
        cells += (uint64_t)part.leaves * (part.last - part.first + 1);
        /* What is drawn of it is the same, too. */
        double before[16], after[16];
        CHECK(info.type_count <= 16);
        CHECK_OK(ocelotl_model_values(before, whole, k, part.first, part.last));
        CHECK_OK(ocelotl_model_values(after, merged, part.node, part.first, part.last));
        for (uint32_t x = 0; x < info.type_count; x++)
            CHECK_NEAR(after[x], before[x], 1e-12 * before[x]);
    }
    CHECK(cells == (uint64_t)model->leaves * model->slices);
    free(leaf_of);
}

static void check_at(const struct textbook *book, const large_model *model,
                     const ocelotl_model *whole, const ocelotl_model *merged,
                     const ocelotl_aggregation *aggregation, double p)
{
    OWN_PARTITION *partition = must_solve_raw(aggregation, p);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const double wanted = solve_book(book, p);
    CHECK_NEAR(info.pic, wanted,
               1e-9 * fabs(wanted) + 0x1p-48 * (info.whole_gain + info.whole_loss));
    check_parts(model, whole, merged, partition);
}

/* The limit from above: all that is lost is what merging lost, and nothing that would lose no more
 * is cut. */
static void check_limit(const large_model *model, const ocelotl_aggregation *aggregation,
                        const ocelotl_model *whole, const ocelotl_model *merged)
{
    OWN_PARTITION *at_0 = must_solve_raw(aggregation, 0);
    OWN_PARTITION *above_0 = must_solve_raw(aggregation, 1e-9);
    const ocelotl_partition_info a = ocelotl_partition_info_of(at_0);
    const ocelotl_partition_info b = ocelotl_partition_info_of(above_0);
    CHECK(a.loss <= b.loss * (1 + 1e-12) + 0x1p-48 * (a.whole_gain + a.whole_loss));
    check_parts(model, whole, merged, at_0);
}

static void check_whole(const ocelotl_model *whole, const ocelotl_aggregation *aggregation,
                        ocelotl_kind kind)
{
    OWN_AGGREGATION *unmerged = test_aggregate(whole, kind, 1);
    const double gain = ocelotl_aggregation_whole_gain(unmerged);
    const double loss = ocelotl_aggregation_whole_loss(unmerged);
    CHECK_NEAR(ocelotl_aggregation_whole_gain(aggregation), gain, 1e-11 * (gain + loss));
    CHECK_NEAR(ocelotl_aggregation_whole_loss(aggregation), loss, 1e-11 * (gain + loss));
}

static ocelotl_model *merge(ocelotl_model *made, uint32_t most)
{
    oc_arrangement arrangement = {0};
    CHECK_OK(oc_arrangement_begin(&arrangement, made));
    CHECK_OK(oc_merge_leaves(&arrangement, most));
    CHECK_OK(oc_arrangement_settle(&arrangement));
    CHECK_OK(oc_model_rearrange(made, &arrangement, OC_MERGED));
    oc_arrangement_free(&arrangement);
    CHECK(ocelotl_model_info_of(made).leaf_count <= most);
    return made;
}

/* Children of one node that are merged have no node of their own in the whole model: the textbook
 * cannot forbid there. */
static bool has_runs(const ocelotl_model *merged)
{
    bool any = false;
    for (uint32_t k = 1; k < ocelotl_model_info_of(merged).node_count; k++)
        any = any || ocelotl_model_node_at(merged, k).source == OCELOTL_NONE;
    return any;
}

static void check_model(ocelotl_kind kind, large_shape shape, large_texture texture,
                        uint32_t leaves, uint32_t types, uint32_t slices, uint32_t most)
{
    static const double p[] = {1e-6, 0.01, 0.2, 0.5, 0.8, 0.999};
    fprintf(stderr, "kind %d, shape %d, texture %d, %u leaves, %u types, %u slices, at most %u\n",
            (int)kind, (int)shape, (int)texture, leaves, types, slices, most);
    large_model model =
        large_make(kind, shape, texture, leaves, types, slices, 7 + slices + leaves);
    OWN_MODEL *whole = large_build(&model);
    OWN_MODEL *merged = merge(large_build(&model), most);
    OWN_AGGREGATION *aggregation = test_aggregate(merged, kind, 2);
    check_whole(whole, aggregation, kind);
    if (!has_runs(merged)) {
        struct textbook book = open_book(&model);
        forbid_cuts(&book, &model, merged);
        for (size_t i = 0; i < sizeof p / sizeof *p; i++)
            check_at(&book, &model, whole, merged, aggregation, p[i]);
        check_limit(&model, aggregation, whole, merged);
        close_book(&book);
    }
    large_free(&model);
}

static void test_merged(void)
{
    static const large_shape shapes[] = {LARGE_BINARY, LARGE_TENFOLD,    LARGE_RANDOM,
                                         LARGE_COMB,   LARGE_ONLY_CHILD, LARGE_FLAT};
    for (uint32_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++)
        for (uint32_t texture = 0; texture < LARGE_TEXTURES; texture++) {
            const uint32_t leaves = 12 + 3 * shape + texture;
            const ocelotl_kind kind =
                (shape + texture) % 3 == 2 ? OCELOTL_SPATIAL : OCELOTL_SPATIOTEMPORAL;
            check_model(kind, shapes[shape], (large_texture)texture, leaves, 1 + texture % 3,
                        1 + (texture * 7 + shape) % 19, 1 + (leaves + texture) / 2);
            check_model(kind, shapes[shape], (large_texture)texture, leaves, 2, 5, leaves);
        }
}

/* Leaves that are all alike lose nothing by being merged, to the last bit. */
static void test_homogeneous(void)
{
    enum { LEAVES = 7, SLICES = 6 };
    large_model model =
        large_make(OCELOTL_SPATIOTEMPORAL, LARGE_RANDOM, LARGE_DENSE, LEAVES, 2, SLICES, 3);
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++)
        for (uint32_t type = 0; type < 2; type++)
            for (uint32_t t = 0; t < SLICES; t++)
                *(double *)large_at(&model, leaf, type, t) = 0.1 + 0.2 * type;
    for (uint32_t most = 1; most <= LEAVES; most++) {
        OWN_MODEL *merged = merge(large_build(&model), most);
        OWN_AGGREGATION *aggregation = test_aggregate(merged, OCELOTL_SPATIOTEMPORAL, 1);
        OWN_PARTITION *partition = must_solve_raw(aggregation, 0);
        const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
        CHECK(info.part_count == 1 && info.loss == 0 && info.whole_loss == 0);
    }
    large_free(&model);
}

/* A loss by hand: 1 and 3 of two resources drawn as 2 and 2 lose 1 log 1/2 + 3 log 3/2. */
static void test_by_hand(void)
{
    const uint32_t parents[] = {OCELOTL_ROOT, 0, 0};
    const ocelotl_cell cells[] = {{1, 0, 0, 1}, {2, 0, 0, 3}};
    OWN_MODEL *model = must_take_cells(NULL, 3, parents, NULL, 1, NULL, 1, cells, 2);
    const uint64_t hash = ocelotl_model_hash(model);
    merge(model, 1);
    CHECK(ocelotl_model_info_of(model).leaf_count == 1 &&
          ocelotl_model_info_of(model).row_count == 2);
    CHECK(ocelotl_model_hash(model) != hash);
    CHECK_NEAR(ocelotl_model_type_at(model, 0).high, 2, 1e-15);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_SPATIOTEMPORAL, 1);
    OWN_PARTITION *partition = must_solve_raw(aggregation, 0.5);
    const ocelotl_part part = ocelotl_partition_part_at(partition, 0);
    CHECK_NEAR(part.loss, -1 + 3 * log2(1.5), 1e-14);
    CHECK_NEAR(part.gain, 4 * log2(4) - 3 * log2(3), 1e-14);
    CHECK(part.leaves == 2);
    CHECK_NEAR(part.shares[0], 2, 1e-15);
}

int main(void)
{
    test_by_hand();
    test_homogeneous();
    test_merged();
    return 0;
}
