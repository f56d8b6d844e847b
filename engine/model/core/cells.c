#include "model/core/cells.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void oc_cells_free(oc_cells *cells)
{
    free(cells->series);
    free(cells->slice);
    free(cells->value);
    *cells = (oc_cells){0};
}

ocelotl_status oc_cells_add(oc_cells *cells, uint32_t leaf, uint32_t type, const double *row,
                            uint32_t slices, bool zeros)
{
    const size_t first = cells->count;
    OC_TRY(oc_grow(&cells->slice, &cells->slice_capacity, first + slices, sizeof *cells->slice));
    OC_TRY(oc_grow(&cells->value, &cells->value_capacity, first + slices, sizeof *cells->value));
    for (uint32_t slice = 0; slice < slices; slice++) {
        if (isnan(row[slice]) || (!zeros && !(row[slice] > 0)))
            continue;
        cells->slice[cells->count] = slice;
        cells->value[cells->count++] = row[slice];
    }
    if (cells->count == first)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&cells->series, &cells->series_capacity, cells->series_count + 1,
                   sizeof *cells->series));
    cells->series[cells->series_count++] = (oc_series){leaf, type, first};
    return OCELOTL_OK;
}

ocelotl_status oc_cells_append(oc_cells *cells, const oc_cells *more)
{
    const size_t first = cells->count;
    if (more->count == 0)
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&cells->slice, &cells->slice_capacity, first + more->count, sizeof *cells->slice));
    OC_TRY(
        oc_grow(&cells->value, &cells->value_capacity, first + more->count, sizeof *cells->value));
    OC_TRY(oc_grow(&cells->series, &cells->series_capacity,
                   cells->series_count + more->series_count, sizeof *cells->series));
    memcpy(cells->slice + first, more->slice, more->count * sizeof *cells->slice);
    memcpy(cells->value + first, more->value, more->count * sizeof *cells->value);
    cells->count += more->count;
    for (size_t i = 0; i < more->series_count; i++) {
        const oc_series *series = &more->series[i];
        cells->series[cells->series_count++] =
            (oc_series){series->leaf, series->type, first + series->first};
    }
    return OCELOTL_OK;
}

ocelotl_status oc_cells_pack(oc_bytes *bytes, const oc_cells *cells)
{
    const uint64_t counts[] = {cells->series_count, cells->count};
    OC_TRY(oc_bytes_add(bytes, counts, sizeof counts));
    OC_TRY(oc_bytes_add(bytes, cells->series, cells->series_count * sizeof *cells->series));
    OC_TRY(oc_bytes_add(bytes, cells->slice, cells->count * sizeof *cells->slice));
    return oc_bytes_add(bytes, cells->value, cells->count * sizeof *cells->value);
}

ocelotl_status oc_cells_unpack(oc_cells *cells, oc_bytes *bytes)
{
    uint64_t counts[2] = {0};
    const size_t first = cells->count;
    OC_TRY(oc_bytes_take(counts, bytes, sizeof counts));
    if (counts[0] == 0)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&cells->slice, &cells->slice_capacity, first + counts[1], sizeof *cells->slice));
    OC_TRY(oc_grow(&cells->value, &cells->value_capacity, first + counts[1], sizeof *cells->value));
    OC_TRY(oc_grow(&cells->series, &cells->series_capacity, cells->series_count + counts[0],
                   sizeof *cells->series));
    oc_series *series = cells->series + cells->series_count;
    OC_TRY(oc_bytes_take(series, bytes, counts[0] * sizeof *series));
    for (uint64_t i = 0; i < counts[0]; i++)
        series[i].first += first;
    OC_TRY(oc_bytes_take(cells->slice + first, bytes, counts[1] * sizeof *cells->slice));
    OC_TRY(oc_bytes_take(cells->value + first, bytes, counts[1] * sizeof *cells->value));
    cells->series_count += counts[0];
    cells->count += counts[1];
    return OCELOTL_OK;
}

ocelotl_status oc_cells_close(oc_cells *cells, uint32_t leaves)
{
    OC_TRY(oc_grow(&cells->series, &cells->series_capacity, cells->series_count + 1,
                   sizeof *cells->series));
    cells->series[cells->series_count] = (oc_series){leaves, 0, cells->count};
    return OCELOTL_OK;
}

void oc_cells_give(oc_matrix *matrix, oc_cells *cells)
{
    matrix->series_count = cells->series_count;
    matrix->series = cells->series;
    matrix->cell_count = cells->count;
    matrix->cell_slice = cells->slice;
    matrix->cell_value = cells->value;
    *cells = (oc_cells){0};
}

void oc_leaf_rows_free(oc_leaf_rows *rows)
{
    free(rows->places);
    free(rows->types);
    free(rows->rows);
    *rows = (oc_leaf_rows){0};
}

void oc_leaf_rows_clear(oc_leaf_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        rows->places[rows->types[i]] = 0;
    rows->count = 0;
}

ocelotl_status oc_leaf_rows_add(void *row, oc_leaf_rows *rows, uint32_t type)
{
    if (rows->places == NULL)
        OC_TRY(oc_allocate(&rows->places, rows->type_count, sizeof *rows->places));
    OC_TRY(oc_grow(&rows->types, &rows->capacity, rows->count + 1, sizeof *rows->types));
    OC_TRY(oc_grow(&rows->rows, &rows->rows_capacity, (rows->count + 1) * rows->slices,
                   sizeof(double)));
    void *added = (double *)rows->rows + rows->count * rows->slices;
    memset(added, 0, rows->slices * sizeof(double));
    rows->types[rows->count++] = type;
    rows->places[type] = (uint32_t)rows->count;
    memcpy(row, &added, sizeof added);
    return OCELOTL_OK;
}
