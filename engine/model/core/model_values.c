/* What is drawn of parts, made of the cells and of the second matrix beside them. */
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "model/core/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ocelotl_status fail_unknown(const ocelotl_model *model, const char *name)
{
    const uint32_t count = model->type_count;
    const char **names = NULL;
    OC_TRY(oc_allocate(&names, count, sizeof *names));
    for (uint32_t type = 0; type < count; type++)
        names[type] = model->types[type].name;
    const size_t nearest = oc_nearest(name, names, count);
    const ocelotl_status status =
        nearest == count
            ? oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no type \"%s\"", model->name, name)
            : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no type \"%s\"; the nearest is \"%s\"",
                      model->name, name, names[nearest]);
    free(names);
    return status;
}

static bool is_called(const oc_model_type *type, const char *name)
{
    return type->spelling.full != NULL && oc_spelling_is(&type->spelling, name);
}

static ocelotl_status fail_ambiguous(const ocelotl_model *model, const char *name)
{
    oc_text names = {0};
    for (uint32_t i = 0; i < model->type_count; i++)
        if (is_called(&model->types[i], name))
            oc_text_format(&names, "%s\"%s\"", names.length > 0 ? " or " : "",
                           model->types[i].name);
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has several types called \"%s\", expected %s",
                model->name, name, names.failed ? "one of them" : names.bytes);
    oc_text_free(&names);
    return status;
}

/* The name that a picture shows comes first, then all that a type of a trace can be called. */
ocelotl_status ocelotl_model_find_type(uint32_t *type, const ocelotl_model *model, const char *name)
{
    uint32_t found = OCELOTL_NONE;
    for (uint32_t i = 0; i < model->type_count; i++) {
        if (strcmp(model->types[i].name, name) == 0) {
            *type = i;
            return OCELOTL_OK;
        }
    }
    for (uint32_t i = 0; i < model->type_count; i++) {
        if (!is_called(&model->types[i], name))
            continue;
        if (found != OCELOTL_NONE)
            return fail_ambiguous(model, name);
        found = i;
    }
    if (found == OCELOTL_NONE)
        return fail_unknown(model, name);
    *type = found;
    return OCELOTL_OK;
}

/* A part's cells, and where what is found of them goes, by type. */
typedef struct part_cells {
    uint32_t leaf_first, leaf_end; /* leaves before it */
    uint32_t first, last;          /* slices */
    uint32_t type_count;
    double cells; /* that the part stands for */
} part_cells;

double oc_join_drawn(oc_part_value drawing, double a, double b)
{
    if (drawing == OC_DRAW_LEAST)
        return b < a ? b : a;
    return drawing == OC_DRAW_LARGEST ? (b > a ? b : a) : a + b;
}

/* Joins the cells of each type; what has none stays as it was. */
static void join_cells(double *joined, const oc_series *series, size_t count,
                       const uint32_t *slices, const double *values, const part_cells *part,
                       oc_part_value drawing)
{
    for (size_t s = oc_series_from_leaf(series, count, part->leaf_first);
         s < count && series[s].leaf < part->leaf_end; s++) {
        if (series[s].type >= part->type_count)
            continue;
        double *to = &joined[series[s].type];
        for (size_t c =
                 oc_cell_from_slice(slices, series[s].first, series[s + 1].first, part->first);
             c < series[s + 1].first && slices[c] <= part->last; c++)
            *to = isnan(*to) ? values[c] : oc_join_drawn(drawing, *to, values[c]);
    }
}

static void fill(double *to, uint32_t count, double value)
{
    for (uint32_t x = 0; x < count; x++)
        to[x] = value;
}

static double drawn_of(const oc_model_type *type, double value)
{
    return (type->scale > 0 ? type->scale : 1) * value + type->offset;
}

static void join_sums(double *sums, const ocelotl_model *model, const part_cells *part)
{
    const oc_matrix *matrix = &model->matrix;
    join_cells(sums, matrix->series, matrix->series_count, matrix->cell_slice, matrix->cell_value,
               part, OC_DRAW_CELLS);
}

static void join_drawn(double *joined, const ocelotl_model *model, const part_cells *part,
                       oc_part_value drawing)
{
    join_cells(joined, model->drawn.series, model->drawn.series_count, model->drawn.slice,
               model->drawn.value, part, drawing);
}

static void mean_of_cells(double *values, const ocelotl_model *model, const part_cells *part)
{
    fill(values, model->type_count, 0);
    join_sums(values, model, part);
    for (uint32_t x = 0; x < model->type_count; x++)
        values[x] = drawn_of(&model->types[x], values[x] / part->cells);
}

static ocelotl_status ratio(double *values, const ocelotl_model *model, const part_cells *part)
{
    double *weights = NULL;
    OC_TRY(oc_allocate(&weights, model->type_count, sizeof *weights));
    fill(values, model->type_count, 0);
    join_sums(values, model, part);
    join_drawn(weights, model, part, OC_DRAW_CELLS);
    for (uint32_t x = 0; x < model->type_count; x++)
        values[x] = weights[x] > 0 ? drawn_of(&model->types[x], values[x] / weights[x]) : NAN;
    free(weights);
    return OCELOTL_OK;
}

static ocelotl_status find_cells(part_cells *part, const ocelotl_model *model, uint32_t node,
                                 uint32_t first, uint32_t last)
{
    const oc_tree *tree = &model->matrix.tree;
    if (node >= tree->node_count || first > last || last >= model->matrix.slice_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "node %" PRIu32 " over slices %" PRIu32 " to %" PRIu32
                       ", expected one of %" PRIu32 " nodes and of %" PRIu32 " slices",
                       node, first, last, tree->node_count, model->matrix.slice_count);
    *part = (part_cells){tree->leaf_first[node],
                         tree->leaf_first[node] + tree->leaf_count[node],
                         first,
                         last,
                         model->type_count,
                         (double)oc_tree_weight(tree, node) * ((double)last - (double)first + 1)};
    return OCELOTL_OK;
}

ocelotl_status ocelotl_model_sums(double *sums, const ocelotl_model *model, uint32_t node,
                                  uint32_t first, uint32_t last)
{
    const oc_matrix *matrix = &model->matrix;
    const size_t types = model->type_count;
    part_cells part;
    OC_TRY(find_cells(&part, model, node, first, last));
    for (size_t i = 0; i < ((size_t)last - first + 1) * types; i++)
        sums[i] = 0;
    for (size_t s = oc_series_from_leaf(matrix->series, matrix->series_count, part.leaf_first);
         s < matrix->series_count && matrix->series[s].leaf < part.leaf_end; s++) {
        const oc_series *series = &matrix->series[s];
        if (series->type >= types)
            continue;
        for (size_t c =
                 oc_cell_from_slice(matrix->cell_slice, series->first, series[1].first, first);
             c < series[1].first && matrix->cell_slice[c] <= last; c++)
            sums[(matrix->cell_slice[c] - first) * types + series->type] += matrix->cell_value[c];
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_model_values(double *values, const ocelotl_model *model, uint32_t node,
                                    uint32_t first, uint32_t last)
{
    part_cells part;
    OC_TRY(find_cells(&part, model, node, first, last));
    if (model->drawing == OC_DRAW_RATIO)
        return ratio(values, model, &part);
    if (model->drawing == OC_DRAW_CELLS) {
        mean_of_cells(values, model, &part);
        return OCELOTL_OK;
    }
    fill(values, model->type_count, NAN);
    join_drawn(values, model, &part, model->drawing);
    for (uint32_t x = 0; x < model->type_count; x++)
        values[x] = drawn_of(&model->types[x], values[x]);
    return OCELOTL_OK;
}

/* The value of a cell of the matrix; *series is where its series was looked for last. */
static double value_at(size_t *place, const oc_matrix *matrix, const oc_series *wanted,
                       uint32_t slice)
{
    while (*place < matrix->series_count && (matrix->series[*place].leaf < wanted->leaf ||
                                             (matrix->series[*place].leaf == wanted->leaf &&
                                              matrix->series[*place].type < wanted->type)))
        ++*place;
    const oc_series *series = &matrix->series[*place];
    if (*place == matrix->series_count || series->leaf != wanted->leaf ||
        series->type != wanted->type)
        return 0;
    const size_t cell =
        oc_cell_from_slice(matrix->cell_slice, series->first, series[1].first, slice);
    return cell < series[1].first && matrix->cell_slice[cell] == slice ? matrix->cell_value[cell]
                                                                       : 0;
}

/* Widens the types' ranges by every cell of a matrix, the main or the second one. */
static void widen_all(ocelotl_model *model, const oc_series *series, size_t count,
                      const uint32_t *slices, const double *values)
{
    size_t place = 0;
    for (size_t s = 0; s < count; s++) {
        if (series[s].type >= model->type_count)
            continue;
        oc_model_type *type = &model->types[series[s].type];
        const uint32_t *before = model->matrix.tree.weight_before;
        const uint32_t leaf = series[s].leaf;
        const double weight =
            before != NULL && model->drawing == OC_DRAW_CELLS ? before[leaf + 1] - before[leaf] : 1;
        for (size_t c = series[s].first; c < series[s + 1].first; c++) {
            const bool is_ratio = model->drawing == OC_DRAW_RATIO;
            const double value = drawn_of(
                type, is_ratio ? value_at(&place, &model->matrix, &series[s], slices[c]) / values[c]
                               : values[c] / weight);
            type->low = fmin(type->low, value);
            type->high = fmax(type->high, value);
        }
    }
}

void oc_model_find_extremes(ocelotl_model *model)
{
    const oc_matrix *matrix = &model->matrix;
    for (uint32_t x = 0; x < model->type_count; x++) {
        model->types[x].low = INFINITY;
        model->types[x].high = -INFINITY;
    }
    if (model->drawing == OC_DRAW_CELLS)
        widen_all(model, matrix->series, matrix->series_count, matrix->cell_slice,
                  matrix->cell_value);
    else
        widen_all(model, model->drawn.series, model->drawn.series_count, model->drawn.slice,
                  model->drawn.value);
    for (uint32_t x = 0; x < model->type_count; x++)
        if (model->types[x].low > model->types[x].high)
            model->types[x].low = model->types[x].high = 0;
}
