/* Gives a model another hierarchy: leaves that have one place become one. */
#include "base/memory.h"
#include "model/hierarchy/arrange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell of one of the leaves. */
typedef struct oc_joined_cell {
    uint32_t type, slice;
    double value;
} oc_joined_cell;

/* Cells on their way, leaf by leaf, with what the sums have lost. Zero-initialised it is empty. */
typedef struct oc_joined_cells {
    oc_cells cells;
    double *cell_loss;
    double *series_loss;
    size_t cell_loss_capacity, series_loss_capacity;
    oc_joined_cell *room; /* of the leaf at hand */
    size_t room_count, room_capacity;
    double *values;
    size_t value_capacity;
} oc_joined_cells;

/* A leaf that is made of others. */
typedef struct oc_joined_leaf {
    uint32_t number;         /* in the new order */
    const uint32_t *members; /* in the old one */
    uint32_t member_count;
    oc_joint joint;
} oc_joined_leaf;

static const double log2_e = 1.4426950408889634074;

static void free_joined_cells(oc_joined_cells *cells)
{
    oc_cells_free(&cells->cells);
    free(cells->cell_loss);
    free(cells->series_loss);
    free(cells->room);
    free(cells->values);
}

/* (1 + u) ln(1 + u) - u for u > -1, without what cancels near 0. */
static double excess(double u)
{
    if (fabs(u) > 0.01)
        return (1 + u) * log1p(u) - u;
    double power = u;
    double sum = 0;
    for (int k = 2; k < 10; k++) {
        power *= -u;
        sum -= power / (k * (k - 1));
    }
    return sum;
}

/* Bits lost by drawing values as their mean; exactly 0 if all are equal. `values` gives the values
 * that are not 0; the others of `all` are 0. *sum becomes their sum. O(given). */
static double loss_of_mean(double *sum, const double *values, size_t given, size_t all)
{
    double x = 0;
    double rest = 0; /* what rounding took */
    bool equal = given == all;
    for (size_t i = 0; i < given; i++) {
        const double high = x + values[i];
        const double part = high - x;
        rest += (x - (high - part)) + (values[i] - part);
        x = high;
        equal = equal && values[i] == values[0];
    }
    x += rest;
    *sum = x;
    if (equal || !(x > 0))
        return 0;
    const double mean = x / (double)all;
    double loss = (double)(all - given); /* each empty one is worth a mean */
    for (size_t i = 0; i < given; i++)
        loss += excess((values[i] - mean) / mean);
    return loss * mean * log2_e;
}

static int compare_cells(const void *left, const void *right)
{
    const oc_joined_cell *a = left;
    const oc_joined_cell *b = right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->slice > b->slice) - (a->slice < b->slice);
}

/* The cells of all members, sorted; in `whole` each series' sum over the slices, as slice 0. Those
 * of one member come sorted. */
static ocelotl_status gather(oc_joined_cells *to, const oc_matrix *matrix,
                             const oc_joined_leaf *leaf, bool whole)
{
    to->room_count = 0;
    for (uint32_t m = 0; m < leaf->member_count; m++) {
        const uint32_t member = leaf->members[m];
        for (size_t s = oc_series_from_leaf(matrix->series, matrix->series_count, member);
             s < matrix->series_count && matrix->series[s].leaf == member; s++) {
            const size_t first = matrix->series[s].first;
            const size_t end = matrix->series[s + 1].first;
            OC_TRY(oc_grow(&to->room, &to->room_capacity, to->room_count + (end - first),
                           sizeof *to->room));
            double sum = 0;
            for (size_t c = first; c < end; c++) {
                sum += matrix->cell_value[c];
                if (!whole)
                    to->room[to->room_count++] = (oc_joined_cell){
                        matrix->series[s].type, matrix->cell_slice[c], matrix->cell_value[c]};
            }
            if (whole && end > first)
                to->room[to->room_count++] = (oc_joined_cell){matrix->series[s].type, 0, sum};
        }
    }
    if (leaf->member_count > 1 && to->room_count > 1)
        qsort(to->room, to->room_count, sizeof *to->room, compare_cells);
    return oc_grow(&to->values, &to->value_capacity, to->room_count, sizeof *to->values);
}

/* The values of one cell after the other: *count of them from `i` on. */
static size_t take_cell(oc_joined_cells *to, size_t i)
{
    const oc_joined_cell *first = &to->room[i];
    size_t count = 0;
    while (i + count < to->room_count && to->room[i + count].type == first->type &&
           to->room[i + count].slice == first->slice) {
        to->values[count] = to->room[i + count].value;
        count++;
    }
    return count;
}

static ocelotl_status append_cell(oc_joined_cells *to, uint32_t leaf, const oc_joined_cell *cell,
                                  double value, double loss)
{
    oc_cells *cells = &to->cells;
    const size_t count = cells->count;
    const size_t last = cells->series_count;
    if (last == 0 || cells->series[last - 1].leaf != leaf ||
        cells->series[last - 1].type != cell->type) {
        OC_TRY(oc_grow(&cells->series, &cells->series_capacity, last + 1, sizeof *cells->series));
        OC_TRY(oc_grow(&to->series_loss, &to->series_loss_capacity, last + 1,
                       sizeof *to->series_loss));
        cells->series[last] = (oc_series){leaf, cell->type, count};
        to->series_loss[last] = 0;
        cells->series_count++;
    }
    OC_TRY(oc_grow(&cells->slice, &cells->slice_capacity, count + 1, sizeof *cells->slice));
    OC_TRY(oc_grow(&cells->value, &cells->value_capacity, count + 1, sizeof *cells->value));
    OC_TRY(oc_grow(&to->cell_loss, &to->cell_loss_capacity, count + 1, sizeof *to->cell_loss));
    cells->slice[count] = cell->slice;
    cells->value[count] = value;
    to->cell_loss[count] = loss;
    cells->count++;
    return OCELOTL_OK;
}

static ocelotl_status check_sum(double sum)
{
    if (isfinite(sum))
        return OCELOTL_OK;
    return oc_fail(
        OCELOTL_ERROR_ARGUMENT,
        "the values of leaves that are to be merged add up to more than a number can be");
}

/* Divides a slice that resources share one after the other: each has untraced time while it does
 * not live. */
static double take_shared(const ocelotl_model *model, const oc_joined_leaf *leaf,
                          const uint32_t *leaf_nodes, const oc_joined_cell *cell, double value)
{
    if (leaf->joint != OC_ONE_ROW || cell->type >= model->type_count ||
        !model->types[cell->type].untraced)
        return value;
    uint32_t living = 0;
    for (uint32_t m = 0; m < leaf->member_count; m++) {
        const oc_model_node *node = &model->nodes[leaf_nodes[leaf->members[m]]];
        living += node->begin <= cell->slice && cell->slice < node->end;
    }
    const double left = value - (living > 1 ? living - 1.0 : 0);
    return left > 0x1p-40 ? left : 0;
}

/* Adds the cells of a leaf: those of its members in the matrix of the model, by type and slice.
 * `leaf_nodes` are the nodes of the model's leaves. Errors: ARGUMENT where they add up to more than
 * a number can be. */
static ocelotl_status join_cells(oc_joined_cells *to, const ocelotl_model *model,
                                 const uint32_t *leaf_nodes, const oc_joined_leaf *leaf)
{
    const size_t first = to->cells.series_count;
    const bool merged = leaf->joint == OC_MERGED && leaf->member_count > 1;
    OC_TRY(gather(to, &model->matrix, leaf, false));
    for (size_t i = 0; i < to->room_count;) {
        const oc_joined_cell cell = to->room[i];
        const size_t count = take_cell(to, i);
        double sum;
        const double loss = loss_of_mean(&sum, to->values, count, leaf->member_count);
        OC_TRY(check_sum(sum));
        if (leaf->member_count > 1)
            sum = take_shared(model, leaf, leaf_nodes, &cell, sum);
        if (sum > 0)
            OC_TRY(append_cell(to, leaf->number, &cell, sum, merged ? loss : 0));
        i += count;
    }
    if (!merged)
        return OCELOTL_OK;
    OC_TRY(gather(to, &model->matrix, leaf, true));
    size_t series = first;
    for (size_t i = 0; i < to->room_count; series++) {
        double sum;
        const size_t count = take_cell(to, i);
        to->series_loss[series] = loss_of_mean(&sum, to->values, count, leaf->member_count);
        OC_TRY(check_sum(sum));
        i += count;
    }
    return OCELOTL_OK;
}

/* The same of the second matrix, as what is drawn of it is joined. */
static ocelotl_status join_drawn(oc_joined_cells *to, const ocelotl_model *model,
                                 const oc_joined_leaf *leaf)
{
    const oc_matrix drawn = {.series_count = model->drawn.series_count,
                             .series = model->drawn.series,
                             .cell_slice = model->drawn.slice,
                             .cell_value = model->drawn.value};
    OC_TRY(gather(to, &drawn, leaf, false));
    for (size_t i = 0; i < to->room_count;) {
        const oc_joined_cell cell = to->room[i];
        const size_t count = take_cell(to, i);
        double value = to->values[0];
        for (size_t v = 1; v < count; v++)
            value = oc_join_drawn(model->drawing, value, to->values[v]);
        OC_TRY(append_cell(to, leaf->number, &cell, value, 0));
        i += count;
    }
    return OCELOTL_OK;
}

typedef struct oc_rearrangement {
    oc_arena arena; /* of what is needed until it ends */
    ocelotl_model *model;
    const oc_arrangement *arrangement;
    oc_joint joint;
    oc_given_node *given;
    const char **paths;
    uint32_t *numbers;    /* the place in the made tree of each arranged node */
    ocelotl_model *made;  /* with the new tree and its names, nothing else */
    uint32_t *leaf_nodes; /* of the old leaves */
    uint32_t *first;      /* of each new leaf its first member, and one more */
    uint32_t *members;    /* old leaves by new leaf */
    oc_joined_cells cells, drawn;
    uint32_t *origin_first; /* for the model's of these names */
    uint32_t *origin_leaves;
    const char **origin_paths;
} oc_rearrangement;

static ocelotl_status make_tree(oc_rearrangement *at)
{
    const uint32_t count = at->arrangement->count;
    OC_TRY(oc_arena_allocate(&at->given, &at->arena, count, sizeof *at->given));
    OC_TRY(oc_arena_allocate(&at->paths, &at->arena, count, sizeof *at->paths));
    OC_TRY(oc_arena_allocate(&at->numbers, &at->arena, count, sizeof *at->numbers));
    for (uint32_t k = 0; k < count; k++) {
        at->given[k] = at->arrangement->nodes[k].given;
        at->paths[k] = at->arrangement->nodes[k].path;
    }
    OC_TRY(oc_model_begin_at(&at->made, at->numbers, at->given, at->paths, count));
    for (uint32_t k = 0; k < count; k++)
        at->made->nodes[at->numbers[k]].alike = at->arrangement->nodes[k].alike;
    /* A group that is merged into a leaf is on the level of the others. */
    const oc_tree *tree = &at->made->matrix.tree;
    for (uint32_t k = 1; k < count; k++) {
        oc_model_node *node = &at->made->nodes[k];
        const bool level = !node->alike || oc_tree_is_leaf(tree, k);
        node->depth = at->made->nodes[tree->parent[k]].depth + (level ? 1 : 0);
    }
    return OCELOTL_OK;
}

static uint32_t new_leaf(const oc_rearrangement *at, uint32_t leaf)
{
    return at->made->matrix.tree.leaf_first[at->numbers[at->arrangement->place[leaf]]];
}

/* Sorts the old leaves by the new one that they become. */
static ocelotl_status find_members(oc_rearrangement *at)
{
    const oc_tree *old = &at->model->matrix.tree;
    const uint32_t leaves = old->leaf_count[0];
    const uint32_t made = at->made->matrix.tree.leaf_count[0];
    OC_TRY(oc_arena_allocate(&at->leaf_nodes, &at->arena, leaves, sizeof *at->leaf_nodes));
    OC_TRY(oc_arena_allocate(&at->first, &at->arena, (size_t)made + 2, sizeof *at->first));
    OC_TRY(oc_arena_allocate(&at->members, &at->arena, leaves, sizeof *at->members));
    for (uint32_t k = 0; k < old->node_count; k++)
        if (oc_tree_is_leaf(old, k))
            at->leaf_nodes[old->leaf_first[k]] = k;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        at->first[new_leaf(at, leaf) + 2]++;
    for (uint32_t leaf = 0; leaf < made; leaf++)
        at->first[leaf + 2] += at->first[leaf + 1];
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        at->members[at->first[new_leaf(at, leaf) + 1]++] = leaf;
    return OCELOTL_OK;
}

/* The resources of the trace that each leaf stands for, through all changes. */
static ocelotl_status find_origins(oc_rearrangement *at)
{
    const ocelotl_model *model = at->model;
    const uint32_t old = model->matrix.tree.leaf_count[0];
    const uint32_t leaves = at->made->matrix.tree.leaf_count[0];
    const uint32_t all = model->origin != NULL ? model->origin_first[old] : old;
    uint32_t count = 0;
    OC_TRY(oc_allocate(&at->origin_first, (size_t)leaves + 1, sizeof *at->origin_first));
    OC_TRY(oc_allocate(&at->origin_leaves, all, sizeof *at->origin_leaves));
    OC_TRY(oc_allocate(&at->origin_paths, all, sizeof *at->origin_paths));
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        at->origin_first[leaf] = count;
        for (uint32_t m = at->first[leaf]; m < at->first[leaf + 1]; m++) {
            uint32_t i;
            uint32_t end;
            oc_find_origins(&i, &end, model, at->members[m]);
            for (; i < end; i++) {
                at->origin_leaves[count] = model->origin != NULL ? model->origin_leaves[i] : i;
                at->origin_paths[count++] = model->origin != NULL
                                                ? model->origin_paths[i]
                                                : model->nodes[at->leaf_nodes[i]].path;
            }
        }
    }
    at->origin_first[leaves] = count;
    return OCELOTL_OK;
}

/* A leaf that stands for several lives as long as one of them does. */
static void set_lifetimes(oc_rearrangement *at)
{
    ocelotl_model *made = at->made;
    const oc_tree *tree = &made->matrix.tree;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        oc_model_node *node = &made->nodes[k];
        node->end = at->model->matrix.slice_count;
        if (!oc_tree_is_leaf(tree, k))
            continue;
        const uint32_t leaf = tree->leaf_first[k];
        node->begin = node->end = 0;
        for (uint32_t m = at->first[leaf]; m < at->first[leaf + 1]; m++) {
            const oc_model_node *member = &at->model->nodes[at->leaf_nodes[at->members[m]]];
            const bool first = !(node->end > node->begin);
            if (!(member->end > member->begin) && m > at->first[leaf])
                continue;
            node->begin = first || member->begin < node->begin ? member->begin : node->begin;
            node->end = first || member->end > node->end ? member->end : node->end;
        }
    }
}

static ocelotl_status set_weights(oc_rearrangement *at)
{
    oc_tree *tree = &at->made->matrix.tree;
    const uint32_t leaves = tree->leaf_count[0];
    if (at->joint != OC_MERGED || leaves == at->model->matrix.tree.leaf_count[0])
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&tree->weight_before, (size_t)leaves + 1, sizeof *tree->weight_before));
    memcpy(tree->weight_before, at->first, ((size_t)leaves + 1) * sizeof *tree->weight_before);
    return OCELOTL_OK;
}

/* The model gets what was made, and the made one what there was, to be freed with it. */
static void exchange(oc_rearrangement *at)
{
    ocelotl_model *made = at->made;
    ocelotl_model *model = at->model;
    oc_matrix old = model->matrix;
    oc_model_node *nodes = model->nodes;
    const oc_arena tree = model->tree_arena;
    const oc_cells drawn = model->drawn;
    oc_cells_give(&made->matrix, &at->cells.cells);
    if (made->matrix.tree.weight_before != NULL) {
        made->matrix.cell_loss = at->cells.cell_loss;
        made->matrix.series_loss = at->cells.series_loss;
        at->cells.cell_loss = at->cells.series_loss = NULL;
    }
    made->matrix.type_count = old.type_count;
    made->matrix.slice_count = old.slice_count;
    model->matrix = made->matrix;
    model->nodes = made->nodes;
    model->tree_arena = made->tree_arena;
    model->drawn = at->drawn.cells;
    made->matrix = old;
    made->nodes = nodes;
    made->tree_arena = tree;
    made->drawn = drawn;
    at->drawn.cells = (oc_cells){0};
}

/* The first hierarchy stays, with the names that the others refer to. */
static void keep_origin(oc_rearrangement *at)
{
    ocelotl_model *model = at->model;
    if (model->origin == NULL) {
        oc_model_strip(at->made);
        model->origin = at->made;
        at->made = NULL;
    }
    free(model->origin_first);
    free(model->origin_leaves);
    free(model->origin_paths);
    model->origin_first = at->origin_first;
    model->origin_leaves = at->origin_leaves;
    model->origin_paths = at->origin_paths;
    at->origin_first = at->origin_leaves = NULL;
    at->origin_paths = NULL;
}

static ocelotl_status rearrange(oc_rearrangement *at)
{
    OC_TRY(make_tree(at));
    OC_TRY(find_members(at));
    OC_TRY(find_origins(at));
    const uint32_t leaves = at->made->matrix.tree.leaf_count[0];
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        const oc_joined_leaf joined = {leaf, at->members + at->first[leaf],
                                       at->first[leaf + 1] - at->first[leaf], at->joint};
        OC_TRY(join_cells(&at->cells, at->model, at->leaf_nodes, &joined));
        if (at->model->drawing != OC_DRAW_CELLS)
            OC_TRY(join_drawn(&at->drawn, at->model, &joined));
    }
    OC_TRY(oc_cells_close(&at->cells.cells, leaves));
    OC_TRY(oc_cells_close(&at->drawn.cells, leaves));
    OC_TRY(set_weights(at));
    /* Sums without a cell still have where to keep their losses. */
    OC_TRY(oc_grow(&at->cells.cell_loss, &at->cells.cell_loss_capacity, 1, sizeof(double)));
    OC_TRY(oc_grow(&at->cells.series_loss, &at->cells.series_loss_capacity, 1, sizeof(double)));
    set_lifetimes(at);
    exchange(at);
    keep_origin(at);
    oc_model_find_extremes(at->model);
    return OCELOTL_OK;
}

ocelotl_status oc_model_rearrange(ocelotl_model *model, const oc_arrangement *arrangement,
                                  oc_joint joint)
{
    oc_rearrangement at = {.model = model, .arrangement = arrangement, .joint = joint};
    const ocelotl_status status = rearrange(&at);
    free_joined_cells(&at.cells);
    free_joined_cells(&at.drawn);
    free(at.origin_first);
    free(at.origin_leaves);
    free(at.origin_paths);
    ocelotl_model_free(at.made);
    oc_arena_free(&at.arena);
    return status;
}
