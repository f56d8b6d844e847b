#include "model/metrics/leaf_series.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a group's total was at a boundary. Between two ticks nothing changes, so what lies behind
 * the last tick belongs to what is open then: `rest` units. */
typedef struct oc_group_before {
    int64_t ticks;
    int64_t rest;
} oc_group_before;

typedef struct oc_group_row {
    uint32_t type;
    uint32_t row;
} oc_group_row;

void oc_leaf_series_free(oc_leaf_series *series)
{
    free(series->series);
    free(series->cell_slice);
    free(series->cell_value);
    free(series->units);
    free(series->traced);
    free(series->before);
    free(series->rows);
    *series = (oc_leaf_series){0};
}

static ocelotl_status fail_totals(const oc_leaf_request *request)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible running totals", request->path);
}

/* What has changed between two boundaries, in units; *before becomes the second one. */
static bool take_step(int64_t *units, const oc_slicing *slicing, oc_group_before *before,
                      int64_t ticks, int64_t rest)
{
    const oc_instant from = {before->ticks, 0};
    const oc_instant to = {ticks, 0};
    const bool fits = oc_slicing_between(units, slicing, from, to) &&
                      oc_add_times(units, *units, rest - before->rest);
    *before = (oc_group_before){ticks, rest};
    return fits;
}

/* Rows for groups that were met since the last boundary: they had nothing till then. */
static ocelotl_status add_rows(oc_leaf_series *to, size_t from, size_t count, uint32_t slices)
{
    OC_TRY(oc_grow(&to->before, &to->before_capacity, count, sizeof *to->before));
    OC_TRY(oc_grow(&to->units, &to->units_capacity, count * slices, sizeof *to->units));
    memset(to->before + from, 0, (count - from) * sizeof *to->before);
    memset(to->units + from * slices, 0, (count - from) * slices * sizeof *to->units);
    return OCELOTL_OK;
}

/* At boundary 0 totals are only noted. */
static ocelotl_status read_boundary(oc_leaf_series *to, const oc_leaf_request *request,
                                    const oc_totals_reader *reader, uint32_t boundary,
                                    oc_group_before *traced)
{
    const oc_slicing *slicing = request->slicing;
    const int64_t rest = request->boundaries[boundary].rest;
    const oc_group_total *groups = oc_totals_groups(reader);
    const size_t count = oc_totals_count(reader);
    int64_t units = 0;
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        const bool step =
            take_step(&units, slicing, &to->before[i], groups[i].ticks, rest * groups[i].open);
        if (boundary == 0)
            continue;
        to->units[i * slicing->slices + boundary - 1] = units;
        fits = fits && step && units >= 0;
    }
    const bool step = take_step(&units, slicing, traced, oc_totals_traced(reader),
                                oc_totals_is_traced(reader) ? rest : 0);
    if (boundary == 0)
        return OCELOTL_OK;
    to->traced[boundary - 1] = units;
    return fits && step && units >= 0 && (uint64_t)units <= slicing->length ? OCELOTL_OK
                                                                            : fail_totals(request);
}

static ocelotl_status read_boundaries(oc_leaf_series *to, const oc_leaf_request *request,
                                      oc_totals_reader *reader)
{
    const uint32_t slices = request->slicing->slices;
    oc_group_before traced = {0, 0};
    size_t known = 0;
    OC_TRY(oc_grow(&to->traced, &to->traced_capacity, slices, sizeof *to->traced));
    for (uint32_t i = 0; i <= slices; i++) {
        OC_TRY(
            oc_totals_move(reader, request->boundaries[i].ticks, request->boundaries[i].rest > 0));
        const size_t count = oc_totals_count(reader);
        if (count > known)
            OC_TRY(add_rows(to, known, count, slices));
        known = count;
        OC_TRY(read_boundary(to, request, reader, i, &traced));
    }
    return OCELOTL_OK;
}

static int compare_types(const void *left, const void *right)
{
    const uint32_t a = ((const oc_group_row *)left)->type;
    const uint32_t b = ((const oc_group_row *)right)->type;
    return (a > b) - (a < b);
}

/* The rows of types, in their order. */
static ocelotl_status sort_rows(oc_leaf_series *to, size_t *count, const oc_totals_reader *reader)
{
    const oc_group_total *groups = oc_totals_groups(reader);
    OC_TRY(oc_grow(&to->rows, &to->rows_capacity, oc_totals_count(reader), sizeof *to->rows));
    *count = 0;
    for (uint32_t i = 0; i < oc_totals_count(reader); i++)
        if (groups[i].group != OCELOTL_NONE)
            to->rows[(*count)++] = (oc_group_row){groups[i].group, i};
    if (*count > 1)
        qsort(to->rows, *count, sizeof *to->rows, compare_types);
    return OCELOTL_OK;
}

/* Adds a row's cells that are not 0; a series without any is none. */
static ocelotl_status add_row(oc_leaf_series *to, const oc_slicing *slicing, uint32_t leaf,
                              uint32_t type, const int64_t *units)
{
    const size_t first = to->cell_count;
    size_t next = first;
    OC_TRY(oc_grow(&to->cell_slice, &to->cell_slice_capacity, first + slicing->slices,
                   sizeof *to->cell_slice));
    OC_TRY(oc_grow(&to->cell_value, &to->cell_value_capacity, first + slicing->slices,
                   sizeof *to->cell_value));
    for (uint32_t slice = 0; slice < slicing->slices; slice++) {
        to->cell_slice[next] = slice;
        to->cell_value[next] = (double)units[slice] / (double)slicing->length;
        next += units[slice] > 0;
    }
    if (next == first)
        return OCELOTL_OK;
    to->cell_count = next;
    OC_TRY(oc_grow(&to->series, &to->series_capacity, to->series_count + 1, sizeof *to->series));
    to->series[to->series_count++] = (oc_series){leaf, type, first};
    return OCELOTL_OK;
}

/* What is shown of the time traced. */
static void sum_shown(oc_leaf_series *to, size_t count, uint32_t slices)
{
    memset(to->traced, 0, slices * sizeof *to->traced);
    for (size_t i = 0; i < count; i++) {
        const int64_t *units = to->units + to->rows[i].row * (size_t)slices;
        for (uint32_t slice = 0; slice < slices; slice++)
            to->traced[slice] += units[slice];
    }
}

ocelotl_status oc_leaf_series_add(oc_leaf_series *to, const oc_leaf_request *request,
                                  oc_totals_reader *reader, uint32_t leaf, int64_t begin,
                                  int64_t end)
{
    const oc_slicing *slicing = request->slicing;
    size_t count;
    OC_TRY(read_boundaries(to, request, reader));
    OC_TRY(sort_rows(to, &count, reader));
    for (size_t i = 0; i < count; i++)
        OC_TRY(add_row(to, slicing, leaf, to->rows[i].type,
                       to->units + to->rows[i].row * (size_t)slicing->slices));
    if (request->untraced_type == OCELOTL_NONE)
        return OCELOTL_OK;
    if (request->hides)
        sum_shown(to, count, slicing->slices);
    oc_slicing_untraced(to->traced, slicing, request->boundaries, begin, end);
    return add_row(to, slicing, leaf, request->untraced_type, to->traced);
}
