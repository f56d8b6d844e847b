/* Rectangles in reading order: rows from top to bottom, in each from left to right. Of all ways to
 * break the rows the one is taken that keeps the rectangles nearest to squares on average. Strip
 * treemaps fill one row after the other instead (Bederson, Shneiderman and Wattenberg 2002, Ordered
 * and quantum treemaps), which is never better. */
#include "base/memory.h"
#include "viz/treemap/treemap.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows so many times as high as their rectangles are wide, on average, are not tried: that bounds
 * the cost. */
static const double highest = 8;

/* Smaller rectangles, in pixels, count as so large: nothing is divided by 0. */
static const double least_area = 1e-6;

/* A difference that rounding makes. */
static const double negligible = 1e-9;

/* The best row that begins with a rectangle. */
typedef struct row {
    size_t end;
    double cost; /* of it and all rows below it */
} row;

/* A row costs the sum of r + 1 / r, for r the width of a rectangle by its height. That falls and
 * rises with the mean ratio of the longer side to the shorter, and two sums give it. */
static row find_row(const row *rows, size_t first, const double *weights, size_t count,
                    double scale, double width)
{
    row best = {first + 1, HUGE_VAL};
    double area = 0;
    double inverse = 0;
    for (size_t i = first; i < count; i++) {
        const double next = fmax(least_area, weights[i] * scale);
        area += next;
        inverse += 1 / next;
        const double height = area / width;
        if (i > first && height * (double)(i + 1 - first) > highest * width)
            break;
        const double cost = width / height + height * height * inverse + rows[i + 1].cost;
        if (cost < best.cost * (1 + negligible)) /* of equal ones the longest */
            best = (row){i + 1, cost};
    }
    return best;
}

static double sum_of(const double *weights, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    return sum;
}

static void place_row(oc_area *areas, const double *weights, size_t count, const oc_area *within)
{
    const double whole = sum_of(weights, count);
    double before = 0;
    for (size_t i = 0; i < count; i++) {
        const double begin = within->width * (before / whole);
        before += weights[i];
        const double end = i + 1 < count ? within->width * (before / whole) : within->width;
        areas[i] = (oc_area){within->x + begin, within->y, end - begin, within->height};
    }
}

/* The last row takes what rounding left. */
static void place_rows(oc_area *areas, const double *weights, size_t count, const row *rows,
                       const oc_area *within)
{
    const double whole = sum_of(weights, count);
    double before = 0;
    for (size_t first = 0, end; first < count; first = end) {
        end = rows[first].end;
        const double top = within->height * (before / whole);
        before += sum_of(weights + first, end - first);
        const double bottom = end < count ? within->height * (before / whole) : within->height;
        place_row(areas + first, weights + first, end - first,
                  &(oc_area){within->x, within->y + top, within->width, bottom - top});
    }
}

ocelotl_status oc_strips(oc_area *areas, const double *weights, size_t count, const oc_area *within)
{
    const double scale = within->width * within->height / sum_of(weights, count);
    row *rows = NULL;
    if (!(within->width > 0 && within->height > 0)) { /* what rounding left */
        for (size_t i = 0; i < count; i++)
            areas[i] = (oc_area){within->x, within->y, 0, 0};
        return OCELOTL_OK;
    }
    OC_TRY(oc_allocate(&rows, count + 1, sizeof *rows));
    for (size_t i = count; i-- > 0;)
        rows[i] = find_row(rows, i, weights, count, scale, within->width);
    place_rows(areas, weights, count, rows, within);
    free(rows);
    return OCELOTL_OK;
}

/* --- What the areas of a treemap mean */

static bool is_counted(const oc_overview *overview, const oc_treemap_area *area, uint32_t type)
{
    return area->metric == OC_TREEMAP_TYPE ? type == area->type
                                           : !overview->types[type].type.untraced;
}

static void find_unit(oc_treemap_area *area, const oc_overview *overview)
{
    double largest = 0;
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        for (uint32_t type = 0; type < overview->model.type_count; type++)
            if (is_counted(overview, area, type))
                largest = fmax(largest, overview->input->parts[i].shares[type]);
    area->unit = largest > 0 ? largest : 1;
}

static ocelotl_status fail_unknown(const oc_overview *overview, const char *name)
{
    enum { NAMED_MOST = 12 };
    oc_text known = {0};
    for (uint32_t i = 0; i < overview->model.type_count && i < NAMED_MOST; i++) {
        oc_text_add(&known, ", ");
        oc_clean_add(&known, overview->types[overview->order[i]].type.name, false);
    }
    if (overview->model.type_count > NAMED_MOST)
        oc_text_add(&known, ", ...");
    const ocelotl_status status =
        known.failed ? oc_fail_memory()
                     : oc_fail(OCELOTL_ERROR_ARGUMENT,
                               "no area can be \"%s\", expected one of leaves, traced%s", name,
                               known.length > 0 ? known.bytes : "");
    oc_text_free(&known);
    return status;
}

ocelotl_status oc_treemap_area_find(oc_treemap_area *area, const oc_overview *overview)
{
    const char *name = overview->picture->area;
    *area = (oc_treemap_area){OC_TREEMAP_LEAVES, OCELOTL_NONE, 1};
    if (name == NULL)
        return OCELOTL_OK;
    for (uint32_t type = 0; type < overview->model.type_count && area->type == OCELOTL_NONE; type++)
        if (strcmp(overview->types[type].type.name, name) == 0)
            area->type = type;
    if (area->type != OCELOTL_NONE)
        area->metric = OC_TREEMAP_TYPE;
    else if (strcmp(name, "traced") == 0)
        area->metric = OC_TREEMAP_TRACED;
    else if (strcmp(name, "leaves") != 0) {
        if (ocelotl_model_find_type(&area->type, overview->input->model, name) != OCELOTL_OK)
            return fail_unknown(overview, name);
        area->metric = OC_TREEMAP_TYPE;
    }
    find_unit(area, overview);
    return OCELOTL_OK;
}

double oc_treemap_weight(const oc_overview *overview, const oc_treemap_area *area,
                         const ocelotl_part *part)
{
    if (area->metric == OC_TREEMAP_LEAVES)
        return part->leaves;
    double sum = 0;
    for (uint32_t type = 0; type < overview->model.type_count; type++)
        if (is_counted(overview, area, type))
            sum += part->shares[type] / area->unit;
    return sum * part->leaves;
}
