/* Quantiles of the cells of a part, by type. */
#include "aggregate/extract/quantiles.h"

#include "base/memory.h"

#include <stdlib.h>

/* A cell, or resources of a merged leaf, which have its sum in equal parts. */
struct oc_weighed {
    double value;
    uint32_t type, weight;
};

void oc_quantiles_free(oc_quantiles *scratch)
{
    free(scratch->cells);
    *scratch = (oc_quantiles){0};
}

static uint32_t weight_of(const oc_matrix *matrix, uint32_t leaf)
{
    const uint32_t *before = matrix->tree.weight_before;
    return before != NULL ? before[leaf + 1] - before[leaf] : 1;
}

static ocelotl_status add_series(oc_quantiles *scratch, const oc_matrix *matrix, size_t series,
                                 const ocelotl_part *part)
{
    const oc_series *of = &matrix->series[series];
    const uint32_t weight = weight_of(matrix, of->leaf);
    OC_TRY(oc_grow(&scratch->cells, &scratch->capacity, scratch->count + (of[1].first - of->first),
                   sizeof *scratch->cells));
    for (size_t i = of->first; i < of[1].first; i++)
        if (matrix->cell_slice[i] >= part->first && matrix->cell_slice[i] <= part->last)
            scratch->cells[scratch->count++] =
                (oc_weighed){matrix->cell_value[i] / weight, of->type, weight};
    return OCELOTL_OK;
}

static int compare(const void *left, const void *right)
{
    const oc_weighed *a = left;
    const oc_weighed *b = right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/* Finds a quantile of the cells of one type, which are sorted: the least value that this share of
 * all cells does not exceed. Cells that are not given are 0. */
static double find_quantile(const oc_weighed *cells, size_t count, double all, double percentile)
{
    double there = 0;
    for (size_t i = 0; i < count; i++)
        there += cells[i].weight;
    double passed = all - there;
    for (size_t i = 0; i < count; i++) {
        if (passed * 100 >= all * percentile)
            return i > 0 ? cells[i - 1].value : 0;
        passed += cells[i].weight;
    }
    return count > 0 ? cells[count - 1].value : 0;
}

ocelotl_status oc_quantiles_find(double *shares, oc_quantiles *scratch, const oc_matrix *matrix,
                                 const size_t *leaf_series, const ocelotl_part *part,
                                 uint32_t percentile)
{
    const oc_tree *tree = &matrix->tree;
    const uint32_t leaf = tree->leaf_first[part->node];
    const size_t end = leaf_series[leaf + tree->leaf_count[part->node]];
    const double all = (double)part->leaves * ((double)part->last - part->first + 1.0);
    scratch->count = 0;
    for (size_t s = leaf_series[leaf]; s < end; s++)
        OC_TRY(add_series(scratch, matrix, s, part));
    if (scratch->count > 1)
        qsort(scratch->cells, scratch->count, sizeof *scratch->cells, compare);
    for (size_t first = 0, next; first < scratch->count; first = next) {
        const uint32_t type = scratch->cells[first].type;
        for (next = first; next < scratch->count && scratch->cells[next].type == type;)
            next++;
        shares[type] = find_quantile(scratch->cells + first, next - first, all, percentile);
    }
    return OCELOTL_OK;
}
