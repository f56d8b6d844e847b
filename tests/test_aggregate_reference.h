/* Measures of a partition by the definitions, part by part, from the cells in long doubles. */
#ifndef OC_TESTS_AGGREGATE_REFERENCE_H
#define OC_TESTS_AGGREGATE_REFERENCE_H

#include "test_aggregate_large.h"

/* One part's measures, summed over its series. */
struct reference {
    long double gain, loss;
    long double terms;  /* the magnitude of what gain is a difference of */
    long double noise;  /* losses that their own rounding could produce: they may be taken for 0 */
    long double spread; /* how far the loss moves by rounding the values it comes from */
};

static inline long double reference_times_log(long double x)
{
    return x > 0 ? x * log2l(x) : 0;
}

/* (1 + u) ln(1 + u) - u, without the cancellation near 0. */
static inline long double reference_excess(long double u)
{
    if (u <= -1)
        return 1;
    if (fabsl(u) > 0.01L)
        return (1 + u) * log1pl(u) - u;
    long double power = u, sum = 0;
    for (int k = 2; k < 16; k++) {
        power *= u;
        sum += (k % 2 == 0 ? 1 : -1) * power / (k * (k - 1));
    }
    return sum;
}

/* Adds gain = X log X - sum v log v and loss = sum v log(v / mean), in terms that do not cancel. */
static inline void reference_add_series(struct reference *sum, const long double *cells,
                                        size_t count)
{
    long double x = 0;
    long double rest = 0; /* that the sum has lost */
    for (size_t i = 0; i < count; i++) {
        const long double before = x;
        x += cells[i];
        rest += fabsl(before) >= cells[i] ? (before - x) + cells[i] : (cells[i] - x) + before;
    }
    x += rest;
    if (!(x > 0))
        return;
    const long double mean = x / (long double)count;
    long double loss = 0, logs = 0;
    sum->terms += fabsl(reference_times_log(x));
    for (size_t i = 0; i < count; i++) {
        logs += reference_times_log(cells[i]);
        sum->terms += fabsl(reference_times_log(cells[i]));
        loss += reference_excess((cells[i] - mean) / mean);
    }
    loss *= mean / logl(2);
    const long double both = x * log2l((long double)count);
    sum->gain += reference_times_log(x) - logs;
    sum->loss += loss;
    sum->spread += sqrtl(loss * both);
    if (loss < 0x1p-48L * both)
        sum->noise += loss;
}

/* A leaf's number in drawing order to its number in the arrays. */
static inline uint32_t *reference_leaves(const large_model *model, const ocelotl_model *built)
{
    uint32_t *leaf_of = large_allocate(model->leaves, sizeof *leaf_of);
    for (uint32_t k = 0; k < ocelotl_model_info_of(built).node_count; k++) {
        const ocelotl_node node = ocelotl_model_node_at(built, k);
        if (node.source < model->leaves)
            leaf_of[node.leaf_first] = node.source;
    }
    return leaf_of;
}

/* The cells of one type in a part; of the spatial kind sums over time. */
static inline size_t reference_cells(const large_model *model, const uint32_t *leaf_of,
                                     uint32_t leaf_count, uint32_t type, uint32_t first,
                                     uint32_t last, long double *cells)
{
    size_t count = 0;
    for (uint32_t leaf = 0; leaf < leaf_count; leaf++) {
        long double sum = 0;
        for (uint32_t t = first; t <= last; t++) {
            if (model->kind == OCELOTL_SPATIAL)
                sum += *large_at(model, leaf_of[leaf], type, t);
            else
                cells[count++] = *large_at(model, leaf_of[leaf], type, t);
        }
        if (model->kind == OCELOTL_SPATIAL)
            cells[count++] = sum;
    }
    return count;
}

/* `leaf_of` begins at the part's first leaf. */
static inline struct reference reference_measure(const large_model *model, const uint32_t *leaf_of,
                                                 uint32_t leaf_count, uint32_t first, uint32_t last)
{
    struct reference sum = {0};
    long double *cells = large_allocate((size_t)leaf_count * (last - first + 1), sizeof *cells);
    for (uint32_t type = 0; type < model->types; type++) {
        if (model->kind != OCELOTL_TEMPORAL) {
            const size_t count =
                reference_cells(model, leaf_of, leaf_count, type, first, last, cells);
            reference_add_series(&sum, cells, count);
        } else
            for (uint32_t leaf = 0; leaf < leaf_count; leaf++) {
                const size_t count =
                    reference_cells(model, leaf_of + leaf, 1, type, first, last, cells);
                reference_add_series(&sum, cells, count);
            }
    }
    free(cells);
    return sum;
}

static inline void reference_check_shares(const large_model *model, const uint32_t *leaf_of,
                                          const ocelotl_part *part)
{
    for (uint32_t type = 0; type < model->types; type++) {
        long double sum = 0;
        for (uint32_t leaf = 0; leaf < part->leaves; leaf++)
            for (uint32_t t = part->first; t <= part->last; t++)
                sum += *large_at(model, leaf_of[leaf], type, t);
        const double share = (double)(sum / part->leaves / (part->last - part->first + 1));
        CHECK_NEAR(part->shares[type], share, 1e-13 * share);
    }
}

/* Rounding may be `times` what it is without merged leaves. */
static inline void reference_check_part_within(const large_model *model, const uint32_t *leaf_of,
                                               const ocelotl_part *part, double times)
{
    const struct reference wanted =
        reference_measure(model, leaf_of, part->leaves, part->first, part->last);
    const long double both = wanted.gain + wanted.loss;
    CHECK(part->gain >= 0 && part->loss >= 0);
    CHECK_NEAR(part->gain, (double)wanted.gain,
               times * (double)(1e-12L * wanted.gain + 0x1p-50L * both + 1e-16L * wanted.terms));
    CHECK_NEAR(part->loss, (double)wanted.loss,
               times * (double)(1e-12L * wanted.loss + wanted.noise + 0x1p-48L * wanted.spread));
    reference_check_shares(model, leaf_of, part);
}

/* What holds nothing is joined: two empty parts of one node do not touch, and siblings are not all
 * empty over the same slices. */
static inline void reference_check_empty(const large_model *model, const ocelotl_model *built,
                                         const ocelotl_partition *partition)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    ocelotl_part *empty = large_allocate(count, sizeof *empty);
    size_t empties = 0;
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        if (test_is_empty(&part, model->types))
            empty[empties++] = part;
    }
    for (size_t i = 0; i < empties; i++) {
        const ocelotl_node node = ocelotl_model_node_at(built, empty[i].node);
        uint32_t leaves = 0; /* of this part and those of its siblings over the same slices */
        CHECK(i == 0 || empty[i].node != empty[i - 1].node ||
              empty[i].first > empty[i - 1].last + 1);
        for (size_t k = 0; k < empties && node.parent != OCELOTL_ROOT; k++)
            if (empty[k].first == empty[i].first && empty[k].last == empty[i].last &&
                ocelotl_model_node_at(built, empty[k].node).parent == node.parent)
                leaves += empty[k].leaves;
        CHECK(node.parent == OCELOTL_ROOT ||
              leaves < ocelotl_model_node_at(built, node.parent).leaf_count);
    }
    free(empty);
}

/* Checks that a part is what its kind allows, and that its cells are covered for the first time. */
static inline void reference_check_place(const large_model *model, const ocelotl_model *built,
                                         const ocelotl_part *part, uint8_t *covered)
{
    const ocelotl_node node = ocelotl_model_node_at(built, part->node);
    CHECK(part->leaves == node.leaf_count && part->first <= part->last &&
          part->last < model->slices);
    CHECK(model->kind != OCELOTL_TEMPORAL || part->node == 0);
    CHECK(model->kind != OCELOTL_SPATIAL || (part->first == 0 && part->last == model->slices - 1));
    if (node.parent != OCELOTL_ROOT) /* of nodes with the same leaves the topmost is named */
        CHECK(ocelotl_model_node_at(built, node.parent).leaf_count > node.leaf_count);
    for (uint32_t leaf = node.leaf_first; leaf < node.leaf_first + node.leaf_count; leaf++)
        for (uint32_t t = part->first; t <= part->last; t++)
            CHECK(covered[(size_t)leaf * model->slices + t]++ == 0);
}

/* Checks that a partition's sums are those of its parts, and its pIC that of its sums. */
static inline void reference_check_sums(const ocelotl_partition *partition, long double gain,
                                        long double loss)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    CHECK_NEAR(info.gain, (double)gain, 1e-12 * (double)gain);
    CHECK_NEAR(info.loss, (double)loss, 1e-12 * (double)loss);
    CHECK_NEAR(info.pic, (double)(info.p_raw * gain - (1 - info.p_raw) * loss),
               1e-12 * (double)(info.p_raw * gain + (1 - info.p_raw) * loss));
}

/* Parts are admissible, disjoint, cover everything, come in order, and measure what the definitions
 * say. */
static inline void reference_check(const large_model *model, const ocelotl_model *built,
                                   const ocelotl_partition *partition)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    uint32_t *leaf_of = reference_leaves(model, built);
    uint8_t *covered = large_allocate((size_t)model->leaves * model->slices, 1);
    long double gain = 0, loss = 0;
    ocelotl_part before = {0};
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        CHECK(i == 0 || part.node > before.node ||
              (part.node == before.node && part.first > before.last));
        reference_check_place(model, built, &part, covered);
        reference_check_part_within(
            model, leaf_of + ocelotl_model_node_at(built, part.node).leaf_first, &part, 1);
        gain += part.gain;
        loss += part.loss;
        before = part;
    }
    for (size_t i = 0; i < (size_t)model->leaves * model->slices; i++)
        CHECK(covered[i] == 1);
    reference_check_sums(partition, gain, loss);
    reference_check_empty(model, built, partition);
    free(covered);
    free(leaf_of);
}

#endif
