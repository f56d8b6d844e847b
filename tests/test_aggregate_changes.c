/* Changes of a model that change nothing: its unit, the order of siblings, nodes of one child. */
#include "test_aggregate_large.h"

struct found { /* a part, by its node in the arrays of the unchanged model */
    uint32_t node, first, last;
    double gain, loss;
};

static int compare_found(const void *a, const void *b)
{
    const struct found *one = a;
    const struct found *other = b;
    if (one->node != other->node)
        return one->node < other->node ? -1 : 1;
    return one->first < other->first ? -1 : one->first > other->first;
}

/* `back` gives the unchanged number of each node. */
static struct found *list(const ocelotl_partition *partition, const uint32_t *back)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    struct found *found = large_allocate(count, sizeof *found);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const uint32_t source =
            ocelotl_model_node_at(ocelotl_partition_model(partition), part.node).source;
        found[i] = (struct found){back[source], part.first, part.last, part.gain, part.loss};
    }
    qsort(found, count, sizeof *found, compare_found);
    return found;
}

/* Without ties the parts are the same; with ties the totals are. */
static void check_shuffled(const ocelotl_partition *one, const ocelotl_partition *other,
                           const uint32_t *same, const uint32_t *back, bool ties)
{
    const ocelotl_partition_info a = ocelotl_partition_info_of(one);
    const ocelotl_partition_info b = ocelotl_partition_info_of(other);
    CHECK(a.part_count == b.part_count);
    CHECK_NEAR(a.gain, b.gain, 1e-12 * a.gain);
    CHECK_NEAR(a.loss, b.loss, 1e-12 * a.loss);
    CHECK_NEAR(a.pic, b.pic, 1e-12 * (a.p_raw * a.gain + (1 - a.p_raw) * a.loss));
    if (ties)
        return;
    struct found *parts = list(one, same);
    struct found *others = list(other, back);
    for (size_t i = 0; i < a.part_count; i++) {
        CHECK(compare_found(&parts[i], &others[i]) == 0 && parts[i].last == others[i].last);
        CHECK_NEAR(parts[i].gain, others[i].gain, 1e-12 * parts[i].gain);
        CHECK_NEAR(parts[i].loss, others[i].loss, 1e-12 * parts[i].loss + 0x1p-50 * parts[i].gain);
    }
    free(parts);
    free(others);
}

/* The same bits at every p, but for a factor; or what `order` renumbers. */
static void compare(const large_model *model, const large_model *changed, double factor,
                    const uint32_t *order, bool ties)
{
    static const double some_p[] = {0, 1e-6, 0.05, 0.3, 0.5, 0.9, 1};
    uint32_t *same = large_allocate(model->nodes, sizeof *same);
    uint32_t *back = large_allocate(model->nodes, sizeof *back);
    for (uint32_t k = 0; k < model->nodes && order != NULL; k++) {
        same[k] = k;
        back[order[k]] = k;
    }
    OWN_MODEL *one = large_build(model);
    OWN_MODEL *other = large_build(changed);
    OWN_AGGREGATION *of_one = test_aggregate(one, model->kind, order == NULL ? 2 : 1);
    OWN_AGGREGATION *of_other = test_aggregate(other, model->kind, order == NULL ? 2 : 1);
    for (size_t i = 0; i < sizeof some_p / sizeof *some_p; i++) {
        OWN_PARTITION *a = must_solve(of_one, some_p[i]);
        OWN_PARTITION *b = must_solve(of_other, some_p[i]);
        if (order == NULL)
            test_check_same(a, b, model->types, factor);
        else
            check_shuffled(a, b, same, back, ties);
    }
    free(same);
    free(back);
}

static void test_units(const large_model *model)
{
    static const double factors[] = {0x1p-800, 0x1p-1, 0x1p800};
    const size_t cells = (size_t)model->leaves * model->types * model->slices;
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        large_model changed = *model;
        changed.values = large_allocate(cells, sizeof *changed.values);
        for (size_t i = 0; i < cells; i++)
            changed.values[i] = model->values[i] * factors[f];
        compare(model, &changed, factors[f], NULL, false);
        free(changed.values);
    }
}

/* A new node above each node: those above leaves follow the leaves, and each other one its node, so
 * that siblings keep their order. */
static void test_only_children(const large_model *model)
{
    large_model changed = *model;
    changed.nodes = 2 * model->nodes;
    changed.parent = large_allocate(changed.nodes, sizeof *changed.parent);
    for (uint32_t k = 0; k < model->nodes; k++) {
        const uint32_t node = k < model->leaves ? k : 2 * k;
        const uint32_t above = k < model->leaves ? k + model->leaves : 2 * k + 1;
        changed.parent[node] = (int)above;
        changed.parent[above] = model->parent[k] < 0 ? -1 : 2 * model->parent[k];
    }
    compare(model, &changed, 1, NULL, false);
    free(changed.parent);
}

/* A random order of `count` numbers from `first` on. */
static void shuffle(uint32_t *order, uint32_t first, uint32_t count, uint64_t *state)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = check_below(state, i + 1);
        order[first + i] = order[first + j];
        order[first + j] = first + i;
    }
}

/* Siblings in any order: leaves among leaves and inner nodes among themselves are numbered anew. */
static void test_order(const large_model *model, bool ties, uint64_t *state)
{
    const size_t row = (size_t)model->types * model->slices;
    uint32_t *order = large_allocate(model->nodes, sizeof *order);
    shuffle(order, 0, model->leaves, state);
    shuffle(order, model->leaves, model->nodes - model->leaves, state);
    large_model changed = *model;
    changed.parent = large_allocate(model->nodes, sizeof *changed.parent);
    changed.values = large_allocate(model->leaves * row, sizeof *changed.values);
    for (uint32_t k = 0; k < model->nodes; k++) {
        changed.parent[order[k]] = model->parent[k] < 0 ? -1 : (int)order[model->parent[k]];
        if (k < model->leaves)
            memcpy(changed.values + order[k] * row, model->values + k * row,
                   row * sizeof *changed.values);
    }
    compare(model, &changed, 1, order, ties);
    large_free(&changed);
    free(order);
}

int main(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    uint64_t state = 3;
    for (uint32_t i = 0; i < LARGE_SHAPES * LARGE_TEXTURES; i++) {
        const large_texture texture = (large_texture)(i % LARGE_TEXTURES);
        const bool ties = texture == LARGE_FEW_VALUES || texture == LARGE_MIRRORED ||
                          texture == LARGE_STATES || texture == LARGE_SPARSE ||
                          texture == LARGE_TINY;
        const ocelotl_kind kind = i % 5 == 3 ? kinds[1] : i % 5 == 4 ? kinds[2] : kinds[0];
        const uint32_t slices = 1 + (7 * i) % 45;
        fprintf(stderr, "kind %d, shape %u, texture %d, %u slices\n", (int)kind, i % LARGE_SHAPES,
                (int)texture, slices);
        large_model model = large_make(kind, (large_shape)(i % LARGE_SHAPES), texture, 4 + i % 13,
                                       1 + i % 3, slices, i + 1);
        test_units(&model);
        test_only_children(&model);
        test_order(&model, ties, &state);
        large_free(&model);
    }
    return 0;
}
