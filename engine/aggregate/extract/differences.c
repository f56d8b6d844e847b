/* Pieces have the cells of their block, so the sums of v log v cancel. With the sums x and the
 * cells n of the pieces, and X and N of the block, each series adds to the pieces' gain
 * x log(x / X), which is at most 0, and to their loss -x log((x / n) / (X / N)): what a piece
 * differs from the mean of the block. */
#include "aggregate/extract/differences.h"
#include "aggregate/problem/problem.h"

#include <string.h>

typedef struct comparing {
    const ocelotl_aggregation *aggregation;
    ocelotl_cut *to;
    double p;
    uint32_t types, rows;  /* rows of the matrix's types: what only weighs is behind all types */
    uint32_t untraced;     /* OCELOTL_NONE: the model has no such type */
    double *bits;          /* by piece: log N / n */
    double block_bits;     /* log N */
    double *sums;          /* rows x pieces: values of the leaves in hand */
    double *rest, *joined; /* by piece: untraced with what is out, and with one type more */
    double *own;           /* by type: its difference of pIC in the leaves in hand */
    double *total;         /* by type: the sum of its values */
    double left;           /* the difference of pIC of what is not out, */
    double *without;       /* by type: if it were out, too */
    double m;              /* gain and loss of the block together */
} comparing;

static double log_cells_of(const ocelotl_aggregation *aggregation, uint32_t node, uint32_t slices)
{
    const bool temporal = aggregation->kind == OCELOTL_TEMPORAL;
    const double leaves = temporal ? 1 : oc_tree_weight(&aggregation->matrix->tree, node);
    return log2(leaves) + (aggregation->kind == OCELOTL_SPATIAL ? 0 : log2(slices));
}

/* --- Sums */

static double sum_cells(const comparing *of, size_t series, const ocelotl_cut_piece *piece)
{
    const oc_matrix *matrix = of->aggregation->matrix;
    const size_t end = matrix->series[series + 1].first;
    size_t i =
        oc_cell_from_slice(matrix->cell_slice, matrix->series[series].first, end, piece->first);
    double sum = 0;
    for (; i < end && matrix->cell_slice[i] <= piece->last; i++)
        sum += oc_scaled(matrix->cell_value[i], of->aggregation->scale);
    return sum;
}

static void sum_leaves(const comparing *of, uint32_t first, uint32_t end)
{
    const oc_tree *tree = &of->aggregation->matrix->tree;
    const size_t *leaf_series = of->aggregation->leaf_series;
    const size_t pieces = of->to->piece_count;
    memset(of->sums, 0, of->rows * pieces * sizeof *of->sums);
    for (size_t i = 0; i < pieces; i++) {
        const ocelotl_cut_piece *piece = &of->to->pieces[i];
        const uint32_t begin = tree->leaf_first[piece->node];
        const uint32_t behind = begin + tree->leaf_count[piece->node];
        const size_t last = leaf_series[behind < end ? behind : end];
        for (size_t s = leaf_series[begin > first ? begin : first]; s < last; s++)
            of->sums[of->aggregation->matrix->series[s].type * pieces + i] +=
                sum_cells(of, s, piece);
    }
}

/* --- Differences: of pieces, less the block */

static double pic_of(const comparing *of, ocelotl_difference one)
{
    return of->p * one.gain - (1 - of->p) * one.loss;
}

/* Of a series with the values x in the pieces; adds to these, too, if wanted. */
static ocelotl_difference compare_row(const comparing *of, const double *x, bool by_piece)
{
    ocelotl_difference sum = {0, 0, 0};
    double all = 0;
    for (size_t i = 0; i < of->to->piece_count; i++)
        all += x[i];
    for (size_t i = 0; i < of->to->piece_count; i++) {
        ocelotl_difference *piece = &of->to->pieces[i].by;
        const double gain = x[i] > 0 ? x[i] * log2(x[i] / all) : 0;
        const double loss = -gain - x[i] * of->bits[i];
        sum.gain += gain;
        sum.loss += loss;
        piece->gain += by_piece ? gain : 0;
        piece->loss += by_piece ? loss : 0;
    }
    return sum;
}

/* What is out is not compared. */
static bool is_compared(const comparing *of, uint32_t type)
{
    return type != of->untraced && !of->to->taken[type];
}

static void join_type(const comparing *of, double *to, uint32_t type)
{
    for (uint32_t row = type; row < of->rows; row += of->types)
        for (size_t i = 0; i < of->to->piece_count; i++)
            to[i] += of->sums[row * of->to->piece_count + i];
}

static void compare_type(comparing *of, uint32_t type, bool first)
{
    ocelotl_difference *sum = &of->to->types[type];
    of->own[type] = 0;
    for (uint32_t row = type; row < of->rows; row += of->types) {
        const double *x = of->sums + row * of->to->piece_count;
        const ocelotl_difference one = compare_row(of, x, first);
        of->own[type] += pic_of(of, one);
        for (size_t i = 0; first && i < of->to->piece_count; i++)
            of->total[type] += x[i];
        sum->gain += first ? one.gain : 0;
        sum->loss += first ? one.loss : 0;
    }
}

/* Of the leaves in hand: what is left, and what each type would leave. */
static void compare_leaves(comparing *of, bool first)
{
    const size_t size = of->to->piece_count * sizeof *of->rest;
    double untraced = 0;
    memset(of->rest, 0, size);
    for (uint32_t type = 0; type < of->types; type++) {
        if (is_compared(of, type) || first)
            compare_type(of, type, first);
        if (!is_compared(of, type))
            join_type(of, of->rest, type);
        else
            of->left += of->own[type];
    }
    if (of->untraced != OCELOTL_NONE)
        untraced = pic_of(of, compare_row(of, of->rest, false));
    of->left += untraced;
    for (uint32_t type = 0; type < of->types; type++) {
        if (!is_compared(of, type))
            continue;
        of->without[type] -= of->own[type];
        if (of->untraced == OCELOTL_NONE)
            continue;
        memcpy(of->joined, of->rest, size);
        join_type(of, of->joined, type);
        of->without[type] += pic_of(of, compare_row(of, of->joined, false)) - untraced;
    }
}

/* Series of a temporal aggregation are not added, so its leaves are compared one by one. */
static void compare(comparing *of, bool first)
{
    const oc_tree *tree = &of->aggregation->matrix->tree;
    const bool temporal = of->aggregation->kind == OCELOTL_TEMPORAL;
    const uint32_t begin = tree->leaf_first[of->to->node];
    const uint32_t end = begin + tree->leaf_count[of->to->node];
    of->left = 0;
    memset(of->without, 0, of->types * sizeof *of->without);
    for (uint32_t leaf = begin; leaf < end; leaf = temporal ? leaf + 1 : end) {
        if (first || temporal)
            sum_leaves(of, leaf, temporal ? leaf + 1 : end);
        compare_leaves(of, first);
    }
    for (uint32_t type = 0; type < of->types; type++) {
        of->without[type] += of->left;
        of->m += first ? of->total[type] * of->block_bits : 0;
    }
}

/* --- Types that make the cut */

static bool is_cut(const comparing *of)
{
    return of->left > OC_TIE * of->m;
}

static uint32_t find_most(const comparing *of)
{
    uint32_t most = OCELOTL_NONE;
    for (uint32_t type = 0; type < of->types; type++)
        if (is_compared(of, type) && of->total[type] > 0 &&
            (most == OCELOTL_NONE || of->without[type] < of->without[most]))
            most = type;
    return most;
}

/* Takes out the type that leaves least until the block is as good, and puts back what need not be
 * out. */
static void take_out(comparing *of)
{
    ocelotl_cut *to = of->to;
    uint32_t most;
    while (is_cut(of) && (most = find_most(of)) != OCELOTL_NONE) {
        to->taken[most] = true;
        to->taken_count++;
        compare(of, false);
    }
    if (is_cut(of)) {
        memset(to->taken, 0, of->types * sizeof *to->taken);
        to->taken_count = 0;
    }
    for (uint32_t type = 0; type < of->types && to->taken_count > 1; type++) {
        if (!to->taken[type])
            continue;
        to->taken[type] = false;
        compare(of, false);
        to->taken[type] = is_cut(of);
        to->taken_count -= !to->taken[type];
    }
}

/* --- The whole of it */

/* In the unit of the model; what is below the rounding of the block is nothing. */
static void give(const comparing *of, ocelotl_difference *one, double sign)
{
    const double least = OC_ROUNDING * of->m;
    one->gain = fabs(one->gain) > least ? sign * oc_unscaled(of->aggregation, one->gain) : 0;
    one->loss = fabs(one->loss) > least ? sign * oc_unscaled(of->aggregation, one->loss) : 0;
    one->pic = pic_of(of, *one);
}

static ocelotl_status find(comparing *of, oc_arena *arena, oc_arena *scratch, bool is_made)
{
    ocelotl_cut *to = of->to;
    const size_t pieces = to->piece_count;
    OC_TRY(oc_arena_allocate(&to->types, arena, of->types, sizeof *to->types));
    OC_TRY(oc_arena_allocate(&to->taken, arena, of->types, sizeof *to->taken));
    OC_TRY(oc_arena_allocate(&of->sums, scratch, (of->rows + 3) * pieces + 3 * (size_t)of->types,
                             sizeof *of->sums));
    of->bits = of->sums + of->rows * pieces;
    of->rest = of->bits + pieces;
    of->joined = of->rest + pieces;
    of->own = of->joined + pieces;
    of->total = of->own + of->types;
    of->without = of->total + of->types;
    of->block_bits = log_cells_of(of->aggregation, to->node, to->last - to->first + 1);
    for (size_t i = 0; i < pieces; i++) {
        const ocelotl_cut_piece *piece = &to->pieces[i];
        of->bits[i] = of->block_bits -
                      log_cells_of(of->aggregation, piece->node, piece->last - piece->first + 1);
    }
    compare(of, true);
    for (size_t i = 0; i < pieces; i++)
        give(of, &to->pieces[i].by, is_made ? 1 : -1);
    for (uint32_t type = 0; type < of->types; type++) {
        give(of, &to->types[type], is_made ? 1 : -1);
        to->all.gain += to->types[type].gain;
        to->all.loss += to->types[type].loss;
    }
    to->all.pic = pic_of(of, to->all);
    if (is_made)
        take_out(of);
    return OCELOTL_OK;
}

ocelotl_status oc_differences_find(ocelotl_cut *cut, oc_arena *arena,
                                   const ocelotl_aggregation *aggregation, double p_raw,
                                   bool is_made)
{
    const ocelotl_model *model = aggregation->model;
    oc_arena scratch = {0};
    comparing of = {.aggregation = aggregation, .to = cut, .p = p_raw};
    of.types = ocelotl_model_info_of(model).type_count;
    of.rows = aggregation->matrix->type_count;
    of.untraced = OCELOTL_NONE;
    for (uint32_t type = 0; type < of.types; type++)
        if (ocelotl_model_type_at(model, type).untraced)
            of.untraced = type;
    const ocelotl_status status = find(&of, arena, &scratch, is_made);
    oc_arena_free(&scratch);
    return status;
}
