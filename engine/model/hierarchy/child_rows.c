#include "model/hierarchy/child_rows.h"

#include "base/memory.h"
#include "model/hierarchy/join_loss.h"

#include <math.h>
#include <stdlib.h>

/* While rows are filled. */
typedef struct oc_row_filling {
    oc_child_rows *children;
    const oc_below *below;
    uint32_t *column; /* by type: its number among those that occur, + 1 */
    uint32_t columns, slices;
    uint32_t *group; /* by slice */
} oc_row_filling;

/* In a unit in which the largest value is 1 no sum can overflow. */
static double find_largest(const oc_matrix *matrix)
{
    double largest = 0;
    for (size_t c = 0; c < matrix->cell_count; c++)
        largest = fmax(largest, matrix->cell_value[c]);
    return largest > 0 ? largest : 1;
}

/* Counts, adds up and hands out; what was handed out shifts the sums by one. */
static void sort_leaves(oc_below *below)
{
    const oc_arrangement *arrangement = below->arrangement;
    const uint32_t leaves = arrangement->model->matrix.tree.leaf_count[0];
    uint32_t *first = below->leaf_first;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        first[arrangement->place[leaf] + 1]++;
    for (uint32_t k = 0; k < arrangement->count; k++)
        first[k + 1] += first[k];
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        below->leaves[first[arrangement->place[leaf]]++] = leaf;
    for (uint32_t k = arrangement->count; k > 0; k--)
        first[k] = first[k - 1];
    first[0] = 0;
}

static void find_series(oc_below *below)
{
    const oc_matrix *matrix = &below->arrangement->model->matrix;
    for (size_t s = 0; s < matrix->series_count; s++)
        below->series_first[matrix->series[s].leaf + 1]++;
    for (uint32_t leaf = 0; leaf < matrix->tree.leaf_count[0]; leaf++)
        below->series_first[leaf + 1] += below->series_first[leaf];
}

ocelotl_status oc_below_begin(oc_below *below, const oc_arrangement *arrangement)
{
    const oc_matrix *matrix = &arrangement->model->matrix;
    const uint32_t count = arrangement->count;
    const uint32_t leaves = matrix->tree.leaf_count[0];
    below->arrangement = arrangement;
    OC_TRY(oc_allocate(&below->subtree, count, sizeof *below->subtree));
    OC_TRY(oc_allocate(&below->leaf_first, (size_t)count + 1, sizeof *below->leaf_first));
    OC_TRY(oc_allocate(&below->leaves, leaves, sizeof *below->leaves));
    OC_TRY(oc_allocate(&below->series_first, (size_t)leaves + 1, sizeof *below->series_first));
    for (uint32_t k = count; k-- > 0;) {
        below->subtree[k]++;
        if (k > 0)
            below->subtree[arrangement->nodes[k].given.parent] += below->subtree[k];
    }
    sort_leaves(below);
    find_series(below);
    below->largest = find_largest(matrix);
    return OCELOTL_OK;
}

void oc_below_free(oc_below *below)
{
    free(below->subtree);
    free(below->leaf_first);
    free(below->leaves);
    free(below->series_first);
    *below = (oc_below){0};
}

static ocelotl_status list_children(oc_child_rows *children, const oc_below *below, uint32_t node)
{
    const uint32_t end = node + below->subtree[node];
    for (uint32_t k = node + 1; k < end; k += below->subtree[k])
        children->count++;
    OC_TRY(oc_allocate(&children->children, children->count, sizeof *children->children));
    OC_TRY(oc_allocate(&children->sizes, children->count, sizeof *children->sizes));
    for (uint32_t k = node + 1, i = 0; k < end; k += below->subtree[k]) {
        children->sizes[i] = below->leaf_first[k + below->subtree[k]] - below->leaf_first[k];
        children->children[i++] = k;
    }
    return OCELOTL_OK;
}

/* Types are numbered as they occur below a node. */
static void number_columns(oc_row_filling *filling, uint32_t node)
{
    const oc_below *below = filling->below;
    const oc_matrix *matrix = &below->arrangement->model->matrix;
    const uint32_t end = below->leaf_first[node + below->subtree[node]];
    for (uint32_t i = below->leaf_first[node]; i < end; i++) {
        const uint32_t leaf = below->leaves[i];
        for (size_t s = below->series_first[leaf]; s < below->series_first[leaf + 1]; s++)
            if (filling->column[matrix->series[s].type] == 0)
                filling->column[matrix->series[s].type] = ++filling->columns;
    }
}

/* Slices come in as many groups as there is room for. */
static void group_slices(oc_row_filling *filling, oc_row_bounds bounds)
{
    const uint32_t all = filling->below->arrangement->model->matrix.slice_count;
    const uint32_t wanted = bounds.sums / (filling->columns > 0 ? filling->columns : 1);
    filling->slices = wanted < bounds.slices ? bounds.slices : wanted;
    filling->slices = filling->slices < all ? filling->slices : all;
    for (uint32_t s = 0; s < all; s++)
        filling->group[s] = (uint32_t)((uint64_t)s * filling->slices / all);
}

static void add_leaf(const oc_row_filling *filling, double *row, uint32_t leaf)
{
    const oc_below *below = filling->below;
    const oc_matrix *matrix = &below->arrangement->model->matrix;
    for (size_t s = below->series_first[leaf]; s < below->series_first[leaf + 1]; s++) {
        const oc_series *series = &matrix->series[s];
        double *sums = row + (size_t)(filling->column[series->type] - 1) * filling->slices;
        for (size_t c = series->first; c < series[1].first; c++)
            sums[filling->group[matrix->cell_slice[c]]] += matrix->cell_value[c] / below->largest;
    }
}

static ocelotl_status fill(oc_row_filling *filling, uint32_t node, oc_row_bounds bounds)
{
    oc_child_rows *children = filling->children;
    const oc_below *below = filling->below;
    const oc_matrix *matrix = &below->arrangement->model->matrix;
    OC_TRY(oc_allocate(&filling->column, matrix->type_count, sizeof *filling->column));
    OC_TRY(oc_allocate(&filling->group, matrix->slice_count, sizeof *filling->group));
    OC_TRY(list_children(children, below, node));
    number_columns(filling, node);
    group_slices(filling, bounds);
    const size_t sums = (size_t)filling->columns * filling->slices;
    children->width = (sums + OC_DENDROGRAM_LANES - 1) / OC_DENDROGRAM_LANES * OC_DENDROGRAM_LANES;
    OC_TRY(oc_allocate(&children->rows, children->count, children->width * sizeof *children->rows));
    for (uint32_t i = 0; i < children->count; i++) {
        const uint32_t child = children->children[i];
        const uint32_t end = below->leaf_first[child + below->subtree[child]];
        for (uint32_t at = below->leaf_first[child]; at < end; at++)
            add_leaf(filling, children->rows + i * children->width, below->leaves[at]);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_child_rows_fill(oc_child_rows *children, const oc_below *below, uint32_t node,
                                  oc_row_bounds bounds)
{
    oc_row_filling filling = {.children = children, .below = below};
    const ocelotl_status status = fill(&filling, node, bounds);
    free(filling.column);
    free(filling.group);
    return status;
}

void oc_child_rows_free(oc_child_rows *children)
{
    free(children->children);
    free(children->sizes);
    free(children->rows);
    *children = (oc_child_rows){0};
}
