/* What must hold for any model, whatever its best partition is. */
#include "test_aggregate_models.h"

static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};

/* Parts cover every cell once and come in order; their sums are the partition's; their shares are
 * means. */
static void check_partition(const test_model *model, const ocelotl_model *built,
                            const ocelotl_partition *partition)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    uint8_t *covered = calloc((size_t)model->leaves * model->slices, 1);
    CHECK(covered != NULL);
    double gain = 0, loss = 0, held = 0, given = 0;
    ocelotl_part before = {0};
    for (size_t i = 0; i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const ocelotl_node node = ocelotl_model_node_at(built, part.node);
        CHECK(part.leaves == node.leaf_count && part.first <= part.last &&
              part.last < model->slices);
        CHECK(part.gain >= 0 && part.loss >= 0);
        CHECK(model->kind != OCELOTL_TEMPORAL || part.node == 0);
        CHECK(model->kind != OCELOTL_SPATIAL ||
              (part.first == 0 && part.last == model->slices - 1));
        if (node.parent != OCELOTL_ROOT) /* of nodes with the same leaves the topmost is named */
            CHECK(ocelotl_model_node_at(built, node.parent).leaf_count > node.leaf_count);
        if (i > 0) {
            CHECK(part.node > before.node ||
                  (part.node == before.node && part.first > before.last));
            CHECK(part.node != before.node || part.first > before.last + 1 ||
                  !test_is_empty(&part, model->types) || !test_is_empty(&before, model->types));
        }
        for (uint32_t leaf = node.leaf_first; leaf < node.leaf_first + node.leaf_count; leaf++)
            for (uint32_t t = part.first; t <= part.last; t++)
                CHECK(covered[leaf * model->slices + t]++ == 0);
        for (uint32_t type = 0; type < model->types; type++)
            held += part.shares[type] * part.leaves * (part.last - part.first + 1);
        gain += part.gain;
        loss += part.loss;
        before = part;
    }
    for (size_t i = 0; i < (size_t)model->leaves * model->slices; i++)
        CHECK(covered[i] == 1);
    for (size_t i = 0; i < (size_t)model->leaves * model->types * model->slices; i++)
        given += model->values[i];
    CHECK_NEAR(held, given, 1e-12 * given);
    CHECK_NEAR(info.gain, gain, 1e-12 * gain);
    CHECK_NEAR(info.loss, loss, 1e-12 * loss);
    CHECK_NEAR(info.pic, info.p_raw * gain - (1 - info.p_raw) * loss,
               1e-12 * (info.p_raw * gain + loss));
    free(covered);
}

static void test_any_p(const test_model *model, const ocelotl_model *built)
{
    OWN_AGGREGATION *aggregation = test_aggregate(built, model->kind, 1);
    double gain = 0, loss = 0;
    for (int i = 0; i <= 20; i++) {
        OWN_PARTITION *partition = must_solve(aggregation, i / 20.0);
        const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
        check_partition(model, built, partition);
        CHECK(info.gain >= gain * (1 - 1e-12) && info.loss >= loss * (1 - 1e-12));
        CHECK(i > 0 || info.loss == 0);
        CHECK(i < 20 || info.part_count == 1);
        CHECK(i < 20 || (info.gain == info.whole_gain && info.loss == info.whole_loss));
        gain = info.gain;
        loss = info.loss;
    }
}

/* The same parts, with measures that differ by a factor. */
static void check_same(const ocelotl_aggregation *one, const ocelotl_aggregation *other,
                       double factor, double tolerance)
{
    for (int i = 0; i <= 10; i++) {
        OWN_PARTITION *a = must_solve(one, i / 10.0);
        OWN_PARTITION *b = must_solve(other, i / 10.0);
        const ocelotl_partition_info wanted = ocelotl_partition_info_of(a);
        const ocelotl_partition_info info = ocelotl_partition_info_of(b);
        CHECK(info.part_count == wanted.part_count);
        CHECK_NEAR(info.gain, wanted.gain * factor, tolerance * fabs(info.gain));
        CHECK_NEAR(info.loss, wanted.loss * factor, tolerance * fabs(info.loss));
        CHECK_NEAR(info.pic, wanted.pic * factor, tolerance * (info.gain + info.loss));
        if (tolerance == 0)
            for (size_t k = 0; k < info.part_count; k++) {
                const ocelotl_part part = ocelotl_partition_part_at(a, k);
                const ocelotl_part same = ocelotl_partition_part_at(b, k);
                CHECK(part.first == same.first && part.last == same.last &&
                      part.leaves == same.leaves);
                CHECK(part.gain * factor == same.gain && part.loss * factor == same.loss);
                CHECK(part.shares[0] * factor == same.shares[0]);
            }
    }
}

static void compare(const ocelotl_model *built, const test_model *model, const test_model *changed,
                    double factor, double tolerance)
{
    OWN_MODEL *other = test_build(changed);
    OWN_AGGREGATION *one = test_aggregate(built, model->kind, 1);
    OWN_AGGREGATION *two = test_aggregate(other, model->kind, 1);
    check_same(one, two, factor, tolerance);
}

/* A power of two is a unit and nothing else; so is 10, but for rounding. */
static void test_units(const test_model *model, const ocelotl_model *built)
{
    static const struct {
        double factor, tolerance;
    } units[] = {{0x1p-900, 0}, {0x1p-3, 0}, {0x1p900, 0}, {10, 1e-9}, {1e-30 / 3, 1e-9}};
    const size_t cells = (size_t)model->leaves * model->types * model->slices;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        test_model changed = *model;
        changed.values = malloc(cells * sizeof *changed.values);
        CHECK(changed.values != NULL);
        for (size_t i = 0; i < cells; i++)
            changed.values[i] = model->values[i] * units[u].factor;
        compare(built, model, &changed, units[u].factor, units[u].tolerance);
        free(changed.values);
    }
}

static void test_only_children(const test_model *model, const ocelotl_model *built)
{
    for (uint32_t node = 0; node < model->nodes && model->nodes < TEST_MOST_NODES; node++) {
        /* a new node between this one and its parent: it comes after all siblings */
        test_model changed = *model;
        changed.parent[changed.nodes] = model->parent[node];
        changed.parent[node] = (int)changed.nodes++;
        bool last = true;
        for (uint32_t other = node + 1; other < model->nodes; other++)
            last = last && model->parent[other] != model->parent[node];
        compare(built, model, &changed, 1, last ? 0 : 1e-12);
    }
}

/* Leaves are given backwards, and so are all siblings. */
static void test_mirrored(const test_model *model, const ocelotl_model *built)
{
    test_model changed = *model;
    const size_t row = (size_t)model->types * model->slices;
    changed.values = malloc(model->leaves * row * sizeof *changed.values);
    CHECK(changed.values != NULL);
    for (uint32_t leaf = 0; leaf < model->leaves; leaf++) {
        changed.parent[leaf] = model->parent[model->leaves - 1 - leaf];
        memcpy(changed.values + leaf * row, model->values + (model->leaves - 1 - leaf) * row,
               row * sizeof *changed.values);
    }
    compare(built, model, &changed, 1, 1e-12);
    free(changed.values);
}

static void test_random_models(void)
{
    for (uint64_t seed = 1; seed <= 90; seed++) {
        test_model model = test_random_model(seed, kinds[seed % 3], 12, 12);
        OWN_MODEL *built = test_build(&model);
        test_any_p(&model, built);
        test_units(&model, built);
        test_only_children(&model, built);
        test_mirrored(&model, built);
        free(model.values);
    }
}

/* Leaves in groups of ten under a root. */
static ocelotl_model *build_grouped(uint32_t leaves, uint32_t types, uint32_t slices,
                                    const double *values)
{
    const uint32_t groups = (leaves + 9) / 10;
    int *parent = malloc((leaves + groups + 1) * sizeof *parent);
    CHECK(parent != NULL);
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        parent[leaf] = (int)(leaves + leaf / 10);
    for (uint32_t group = 0; group < groups; group++)
        parent[leaves + group] = (int)(leaves + groups);
    parent[leaves + groups] = -1;
    ocelotl_model *model =
        test_build_arrays(leaves + groups + 1, parent, leaves, types, slices, values);
    free(parent);
    return model;
}

/* What is constant is one part at every p and loses exactly nothing, however its sums are rounded.
 */
static void test_homogeneous(void)
{
    static const double constants[] = {0.1, 1.0 / 3, 0.7e-200, 1e17 / 7};
    enum { leaves = 100, slices = 100 };
    static double values[leaves * slices];
    for (size_t c = 0; c < sizeof constants / sizeof *constants; c++) {
        for (size_t i = 0; i < leaves * slices; i++)
            values[i] = constants[c];
        OWN_MODEL *model = build_grouped(leaves, 1, slices, values);
        for (size_t kind = 0; kind < 3; kind++) {
            OWN_AGGREGATION *aggregation = test_aggregate(model, kinds[kind], 0);
            CHECK(ocelotl_aggregation_whole_loss(aggregation) == 0);
            for (int i = 0; i <= 10; i++) {
                OWN_PARTITION *partition = must_solve(aggregation, i * i / 100.0);
                CHECK(ocelotl_partition_info_of(partition).part_count == 1);
                const double share = ocelotl_partition_part_at(partition, 0).shares[0];
                CHECK_NEAR(share, constants[c], 1e-15 * constants[c]);
            }
        }
    }
}

/* Differences of 1e-8 of the values lose less than rounding could: that is constant, too. */
static void test_nearly_equal(void)
{
    enum { leaves = 30, slices = 30 };
    static double values[leaves * slices];
    uint64_t state = 9;
    for (size_t i = 0; i < leaves * slices; i++)
        values[i] = 0.1 + 1e-9 * (2 * test_uniform(&state) - 1);
    OWN_MODEL *model = build_grouped(leaves, 1, slices, values);
    for (size_t kind = 0; kind < 3; kind++) {
        OWN_AGGREGATION *aggregation = test_aggregate(model, kinds[kind], 1);
        CHECK(ocelotl_aggregation_whole_loss(aggregation) == 0);
        for (int i = 0; i <= 10; i++) {
            OWN_PARTITION *partition = must_solve(aggregation, i / 10.0);
            CHECK(ocelotl_partition_info_of(partition).part_count == 1);
        }
    }
}

/* Two constant blocks, noisy by the last digit: two parts at p = 0, nothing lost. */
static void test_last_digit(void)
{
    enum { leaves = 20, slices = 40 };
    static double values[leaves * slices];
    for (size_t i = 0; i < leaves * slices; i++)
        values[i] = (i % slices < slices / 2 ? 0.3 : 0.8) + (i % 3 == 0 ? 0x1p-53 : 0);
    OWN_MODEL *model = build_grouped(leaves, 1, slices, values);
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
    const int parent[] = {-1};
    OWN_MODEL *model = test_build_arrays(1, parent, 1, 1, 2, values);
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
    OWN_MODEL *model = build_grouped(leaves, 1, slices, values);
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

static void test_threads(void)
{
    enum { leaves = 60, types = 3, slices = 64 };
    static double values[leaves * types * slices];
    uint64_t state = 5;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        values[i] = check_below(&state, 3) == 0 ? 0 : test_uniform(&state);
    OWN_MODEL *model = build_grouped(leaves, types, slices, values);
    for (size_t kind = 0; kind < 3; kind++) {
        OWN_AGGREGATION *one = test_aggregate(model, kinds[kind], 1);
        OWN_AGGREGATION *two = test_aggregate(model, kinds[kind], 2);
        OWN_AGGREGATION *seven = test_aggregate(model, kinds[kind], 7);
        check_same(one, two, 1, 0);
        check_same(one, seven, 1, 0);
    }
}

int main(void)
{
    test_homogeneous();
    test_nearly_equal();
    test_last_digit();
    test_small_difference();
    test_empty_blocks();
    test_threads();
    test_random_models();
    return 0;
}
