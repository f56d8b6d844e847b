/* What a block gains and loses by type, and with what it is compared. */
#include "aggregate/explanation.h"
#include "aggregate/extract/differences.h"
#include "aggregate/problem/problem.h"
#include "base/memory.h"

#include <stdlib.h>

static inline double x_log_x(double x)
{
    return x > 0 ? x * log2(x) : 0;
}

/* --- Values of a node in slices, by row: a type; of the temporal kind a series, for these are not
 * added */

typedef struct ledger {
    const ocelotl_aggregation *aggregation;
    uint32_t node;          /* of the tree: the topmost with its leaves */
    uint32_t first, length; /* slices of the problem */
    uint32_t rows;
    double *sum;  /* rows x length */
    double *logs; /* by row: the sum of v log v of its cells */
} ledger;

/* As oc_log_cells, of a node that may be another rank's. */
static double log_cells(const ledger *of, uint32_t length)
{
    const ocelotl_aggregation *aggregation = of->aggregation;
    const double leaves = aggregation->kind == OCELOTL_TEMPORAL
                              ? 1
                              : oc_tree_weight(&aggregation->matrix->tree, of->node);
    return log2(leaves) + aggregation->slice_bits[OC_PAST_END + length];
}

/* Of a cell, or a series: merged leaves know the sum of v log v by their loss, which is nothing of
 * a temporal aggregation, where each is one series. */
static void add_value(ledger *of, uint32_t row, uint32_t slice, double x, uint32_t weight,
                      const double *loss, size_t place)
{
    of->sum[(size_t)row * of->length + (slice - of->first)] += x;
    of->logs[row] += x_log_x(x);
    if (loss != NULL && of->aggregation->kind != OCELOTL_TEMPORAL)
        of->logs[row] += oc_scaled(loss[place], of->aggregation->scale) - x * log2(weight);
}

static void add_series(ledger *of, size_t series, uint32_t row, uint32_t weight)
{
    const oc_matrix *matrix = of->aggregation->matrix;
    const size_t end = matrix->series[series + 1].first;
    double sum = 0;
    for (size_t i = matrix->series[series].first; i < end; i++) {
        const double x = oc_scaled(matrix->cell_value[i], of->aggregation->scale);
        const uint32_t slice = matrix->cell_slice[i];
        sum += x;
        if (of->aggregation->kind != OCELOTL_SPATIAL && slice >= of->first &&
            slice < of->first + of->length)
            add_value(of, row, slice, x, weight, matrix->cell_loss, i);
    }
    if (of->aggregation->kind == OCELOTL_SPATIAL)
        add_value(of, row, 0, sum, weight, matrix->series_loss, series);
}

static ocelotl_status fill_ledger(ledger *of, oc_arena *scratch)
{
    const ocelotl_aggregation *aggregation = of->aggregation;
    const oc_tree *tree = &aggregation->matrix->tree;
    const bool temporal = aggregation->kind == OCELOTL_TEMPORAL;
    uint32_t leaf = tree->leaf_first[of->node];
    const uint32_t end = leaf + tree->leaf_count[of->node];
    const size_t base = aggregation->leaf_series[leaf];
    of->rows = temporal ? (uint32_t)(aggregation->leaf_series[end] - base)
                        : aggregation->matrix->type_count;
    OC_TRY(oc_arena_allocate(&of->sum, scratch, (size_t)of->rows * of->length, sizeof *of->sum));
    OC_TRY(oc_arena_allocate(&of->logs, scratch, of->rows, sizeof *of->logs));
    for (; leaf < end; leaf++) {
        const uint32_t weight = tree->weight_before == NULL
                                    ? 1
                                    : tree->weight_before[leaf + 1] - tree->weight_before[leaf];
        for (size_t s = aggregation->leaf_series[leaf]; s < aggregation->leaf_series[leaf + 1]; s++)
            add_series(of, s, temporal ? (uint32_t)(s - base) : aggregation->matrix->series[s].type,
                       weight);
    }
    return OCELOTL_OK;
}

static void measure_types(ocelotl_explanation *explanation, const ledger *of)
{
    const ocelotl_aggregation *aggregation = of->aggregation;
    const double bits = log_cells(of, of->length);
    const size_t base = aggregation->leaf_series[aggregation->matrix->tree.leaf_first[of->node]];
    const bool temporal = aggregation->kind == OCELOTL_TEMPORAL;
    for (uint32_t row = 0; row < of->rows; row++) {
        const uint32_t type = temporal ? aggregation->matrix->series[base + row].type : row;
        ocelotl_type_measure *measure = &explanation->types[type % explanation->type_count];
        double x = 0;
        for (uint32_t t = 0; t < of->length; t++)
            x += of->sum[(size_t)row * of->length + t];
        const double m = x * bits;
        const double gain = oc_gain_of(m, m - x_log_x(x) + of->logs[row]);
        const double loss = m - gain > OC_ROUNDING * m ? m - gain : 0;
        measure->sum += oc_unscaled(aggregation, x);
        measure->gain += oc_unscaled(aggregation, gain);
        measure->loss += oc_unscaled(aggregation, loss);
        explanation->gain += oc_unscaled(aggregation, gain);
        explanation->loss += oc_unscaled(aggregation, loss);
    }
}

/* --- Cuts that the partition has not: what v log v adds is the same of all */

/* X before each slice and from it on, and the sum of X log X of both. */
typedef struct halves {
    double x[2], x_logs;
} halves;

static void add_halves(halves *at, const ledger *of, uint32_t row)
{
    const double *sum = of->sum + (size_t)row * of->length;
    double before = 0;
    double behind = 0;
    for (uint32_t t = 0; t < of->length; t++) {
        at[t].x[0] += before;
        at[t].x_logs += x_log_x(before);
        before += sum[t];
    }
    for (uint32_t t = of->length; t-- > 0;) {
        behind += sum[t];
        at[t].x[1] += behind;
        at[t].x_logs += x_log_x(behind);
    }
}

static ocelotl_status cut_time(ocelotl_cut *to, oc_arena *arena, const ledger *of, double p)
{
    halves *at = NULL;
    double best = 0;
    uint32_t cut = 0;
    if (of->length < 2)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&at, of->length, sizeof *at));
    for (uint32_t row = 0; row < of->rows; row++)
        add_halves(at, of, row);
    for (uint32_t t = 1; t < of->length; t++) {
        const double m = at[t].x[0] * log_cells(of, t) + at[t].x[1] * log_cells(of, of->length - t);
        const double pic = at[t].x_logs - (1 - p) * m;
        if (cut == 0 || pic > best) {
            best = pic;
            cut = t;
        }
    }
    free(at);
    OC_TRY(oc_arena_allocate(&to->pieces, arena, 2, sizeof *to->pieces));
    to->pieces[0] = (ocelotl_cut_piece){to->node, to->first, to->first + cut - 1, SIZE_MAX, {0}};
    to->pieces[1] = (ocelotl_cut_piece){to->node, to->first + cut, to->last, SIZE_MAX, {0}};
    to->piece_count = 2;
    return OCELOTL_OK;
}

static ocelotl_status cut_resources(ocelotl_cut *to, oc_arena *arena, const ledger *of)
{
    const oc_tree *tree = &of->aggregation->matrix->tree;
    const uint32_t end = of->node + tree->subtree[of->node];
    uint32_t child = of->node + 1;
    size_t capacity = 0;
    while (child < end && tree->leaf_count[child] == tree->leaf_count[of->node])
        child++;
    for (; child < end && of->aggregation->kind != OCELOTL_TEMPORAL;
         child += tree->subtree[child]) {
        OC_TRY(
            oc_arena_grow(&to->pieces, &capacity, arena, to->piece_count + 1, sizeof *to->pieces));
        to->pieces[to->piece_count++] =
            (ocelotl_cut_piece){child, to->first, to->last, SIZE_MAX, {0}};
    }
    return OCELOTL_OK;
}

/* --- Blocks that the partition divides */

static bool is_below(const oc_tree *tree, uint32_t node, uint32_t top)
{
    return node >= top && node < top + tree->subtree[top];
}

/* The topmost node with the leaves of a node: the one that can be a part. */
static uint32_t topmost(const oc_tree *tree, uint32_t node)
{
    while (node > 0 && tree->leaf_count[tree->parent[node]] == tree->leaf_count[node])
        node = tree->parent[node];
    return node;
}

/* Makes a block wider until no part crosses its ends; false where one is of more than its node. */
static bool widen(ocelotl_cut *block, const oc_tree *tree, const ocelotl_partition *partition)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    for (bool wider = true; wider;) {
        wider = false;
        for (size_t i = 0; i < count; i++) {
            const ocelotl_part part = ocelotl_partition_part_at(partition, i);
            const bool below = is_below(tree, part.node, block->node);
            if (part.last < block->first || part.first > block->last ||
                (!below && !is_below(tree, block->node, part.node)))
                continue;
            if (!below)
                return false;
            wider = wider || part.first < block->first || part.last > block->last;
            block->first = part.first < block->first ? part.first : block->first;
            block->last = part.last > block->last ? part.last : block->last;
        }
    }
    return true;
}

static ocelotl_status take_parts(ocelotl_cut *block, oc_arena *arena, const oc_tree *tree,
                                 const ocelotl_partition *partition)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        if (!is_below(tree, part.node, block->node) || part.last < block->first ||
            part.first > block->last)
            continue;
        OC_TRY(oc_arena_grow(&block->pieces, &capacity, arena, block->piece_count + 1,
                             sizeof *block->pieces));
        block->pieces[block->piece_count++] =
            (ocelotl_cut_piece){part.node, part.first, part.last, i, {0}};
    }
    return OCELOTL_OK;
}

/* Blocks around one that no part crosses. */
static ocelotl_status find_around(ocelotl_explanation *of, const ocelotl_cut *block,
                                  const ocelotl_partition *partition)
{
    const oc_tree *tree = &of->aggregation->matrix->tree;
    const bool spatial = of->aggregation->kind == OCELOTL_SPATIAL;
    for (ocelotl_cut_kind kind = OCELOTL_CUT_PARENT; oc_is_made(kind); kind++) {
        ocelotl_cut *to = &of->cuts[kind];
        *to = *block;
        if (kind == OCELOTL_CUT_PARENT && block->node > 0)
            to->node = topmost(tree, tree->parent[block->node]);
        else if (kind == OCELOTL_CUT_EARLIER && block->first > 0 && !spatial)
            to->first--;
        else if (kind == OCELOTL_CUT_LATER && !spatial &&
                 block->last + 1 < of->aggregation->matrix->slice_count)
            to->last++;
        else
            continue;
        if (widen(to, tree, partition))
            OC_TRY(take_parts(to, &of->arena, tree, partition));
    }
    return OCELOTL_OK;
}

/* --- The whole of it */

static ocelotl_status find_cuts(ocelotl_explanation *of, const ledger *values,
                                const ocelotl_partition *partition)
{
    const oc_tree *tree = &of->aggregation->matrix->tree;
    ocelotl_cut *inside = &of->cuts[OCELOTL_CUT_INSIDE];
    const ocelotl_cut block = {.node = values->node, .first = of->first, .last = of->last};
    *inside = block;
    const bool is_whole = widen(inside, tree, partition) && inside->first == block.first &&
                          inside->last == block.last;
    if (is_whole) {
        OC_TRY(find_around(of, &block, partition));
        OC_TRY(take_parts(inside, &of->arena, tree, partition));
    }
    if (inside->piece_count > 1)
        return OCELOTL_OK;
    if (inside->piece_count == 1)
        of->number = inside->pieces[0].number;
    inside->piece_count = 0;
    of->cuts[OCELOTL_CUT_TIME] = block;
    of->cuts[OCELOTL_CUT_RESOURCES] = block;
    OC_TRY(cut_time(&of->cuts[OCELOTL_CUT_TIME], &of->arena, values, of->info.p_raw));
    return cut_resources(&of->cuts[OCELOTL_CUT_RESOURCES], &of->arena, values);
}

static ocelotl_status find_node(uint32_t *found, const ocelotl_aggregation *aggregation,
                                uint32_t given)
{
    const oc_tree *tree = &aggregation->matrix->tree;
    if (given < tree->node_count) {
        *found = topmost(tree, given);
        if (*found == 0 || aggregation->kind != OCELOTL_TEMPORAL)
            return OCELOTL_OK;
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "node %u can be no part, expected one of a partition",
                   (unsigned)given);
}

static ocelotl_status measure(ocelotl_explanation *of, ledger *values, oc_arena *scratch)
{
    const ocelotl_aggregation *aggregation = of->aggregation;
    const uint32_t slices = aggregation->matrix->slice_count;
    const bool spatial = aggregation->kind == OCELOTL_SPATIAL;
    OC_TRY(find_node(&values->node, aggregation, of->node));
    if (of->first > of->last || of->last >= slices ||
        (spatial && (of->first > 0 || of->last + 1 < slices)))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "slices %u to %u, expected some of %u",
                       (unsigned)of->first, (unsigned)of->last, (unsigned)slices);
    values->first = spatial ? 0 : of->first;
    values->length = spatial ? 1 : of->last - of->first + 1;
    OC_TRY(oc_arena_allocate(&of->types, &of->arena, of->type_count, sizeof *of->types));
    OC_TRY(fill_ledger(values, scratch));
    measure_types(of, values);
    return OCELOTL_OK;
}

static ocelotl_status explain(ocelotl_explanation *of, const ocelotl_partition *partition,
                              oc_arena *scratch)
{
    const ocelotl_aggregation *aggregation = of->aggregation;
    ledger values = {.aggregation = aggregation};
    if (of->info.level != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the parts are %s, which no p chooses, expected an optimal partition",
                       of->info.level);
    OC_TRY(measure(of, &values, scratch));
    OC_TRY(find_cuts(of, &values, partition));
    for (ocelotl_cut_kind kind = 0; kind < OCELOTL_CUT_COUNT; kind++)
        if (of->cuts[kind].piece_count > 0)
            OC_TRY(oc_differences_find(&of->cuts[kind], &of->arena, aggregation, of->info.p_raw,
                                       oc_is_made(kind)));
    return OCELOTL_OK;
}

ocelotl_status oc_part_explain(ocelotl_explanation **explanation,
                               const ocelotl_aggregation *aggregation,
                               const ocelotl_partition *partition, uint32_t node, uint32_t first,
                               uint32_t last)
{
    ocelotl_explanation *made;
    oc_arena scratch = {0};
    OC_TRY(oc_arena_make(&made, sizeof *made));
    made->aggregation = aggregation;
    made->info = ocelotl_partition_info_of(partition);
    made->node = node;
    made->first = first;
    made->last = last;
    made->number = SIZE_MAX;
    made->type_count = ocelotl_model_info_of(aggregation->model).type_count;
    const ocelotl_status status = explain(made, partition, &scratch);
    oc_arena_free(&scratch);
    if (status == OCELOTL_OK)
        *explanation = made;
    else
        oc_explanation_free(made);
    return status;
}

void oc_explanation_free(ocelotl_explanation *explanation)
{
    if (explanation != NULL)
        oc_arena_free(&explanation->arena);
}
