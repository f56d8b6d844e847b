#include "model/hierarchy/joined_cells.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double log2_e = 1.4426950408889634074;

void oc_joined_cells_free(oc_joined_cells *cells)
{
    oc_cells_free(&cells->cells);
    free(cells->cell_loss);
    free(cells->series_loss);
    free(cells->room);
    free(cells->values);
    *cells = (oc_joined_cells){0};
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

double oc_loss_of_mean(double *sum, const double *values, size_t given, size_t all)
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

/* Where those that live one after the other share a slice, each of them has untraced time for when
 * it does not live. */
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

ocelotl_status oc_joined_cells_add(oc_joined_cells *to, const ocelotl_model *model,
                                   const uint32_t *leaf_nodes, const oc_joined_leaf *leaf)
{
    const size_t first = to->cells.series_count;
    const bool merged = leaf->joint == OC_MERGED && leaf->member_count > 1;
    OC_TRY(gather(to, &model->matrix, leaf, false));
    for (size_t i = 0; i < to->room_count;) {
        const oc_joined_cell cell = to->room[i];
        const size_t count = take_cell(to, i);
        double sum;
        const double loss = oc_loss_of_mean(&sum, to->values, count, leaf->member_count);
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
        to->series_loss[series] = oc_loss_of_mean(&sum, to->values, count, leaf->member_count);
        OC_TRY(check_sum(sum));
        i += count;
    }
    return OCELOTL_OK;
}

static double join(oc_drawing drawing, double a, double b)
{
    if (drawing == OC_DRAW_LEAST)
        return b < a ? b : a;
    return drawing == OC_DRAW_LARGEST ? (b > a ? b : a) : a + b;
}

ocelotl_status oc_joined_cells_add_drawn(oc_joined_cells *to, const ocelotl_model *model,
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
            value = join(model->drawing, value, to->values[v]);
        OC_TRY(append_cell(to, leaf->number, &cell, value, 0));
        i += count;
    }
    return OCELOTL_OK;
}
