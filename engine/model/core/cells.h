/* Cells of a model on their way, leaf by leaf: rows of a leaf's types over the slices, and what is
 * not empty of them. */
#ifndef OC_MODEL_CORE_CELLS_H
#define OC_MODEL_CORE_CELLS_H

#include "base/exchange.h"
#include "base/matrix.h"

#include <string.h>

/* A sparse matrix as oc_matrix has one, sorted by (leaf, type, slice). Zero-initialised it is
 * empty. */
typedef struct oc_cells {
    oc_series *series; /* one extra at the end, once it is closed */
    size_t series_count, series_capacity;
    uint32_t *slice;
    double *value;
    size_t count, slice_capacity, value_capacity;
} oc_cells;

void oc_cells_free(oc_cells *cells);

/* Adds the numbers of a row; not a number is no cell, and without `zeros` 0 is none. A series
 * without a cell is none. */
ocelotl_status oc_cells_add(oc_cells *cells, uint32_t leaf, uint32_t type, const double *row,
                            uint32_t slices, bool zeros);

/* Adds cells of later leaves that are not closed. */
ocelotl_status oc_cells_append(oc_cells *cells, const oc_cells *more);

/* The same of cells of another rank, and what it packs for that. */
ocelotl_status oc_cells_pack(oc_bytes *bytes, const oc_cells *cells);
ocelotl_status oc_cells_unpack(oc_cells *cells, oc_bytes *bytes);

/* Ends the last series. */
ocelotl_status oc_cells_close(oc_cells *cells, uint32_t leaves);

/* The cells of a matrix, which keeps them. */
static inline oc_cells oc_cells_of(const oc_matrix *matrix)
{
    return (oc_cells){.series = matrix->series,
                      .series_count = matrix->series_count,
                      .slice = matrix->cell_slice,
                      .value = matrix->cell_value,
                      .count = matrix->cell_count};
}

/* Closed cells become those of a matrix, which has none. */
void oc_cells_give(oc_matrix *matrix, oc_cells *cells);

/* Rows of the types that a leaf has met, eight bytes a slice. Zero-initialised but for the counts
 * it has met none. */
typedef struct oc_leaf_rows {
    uint32_t slices, type_count;
    uint32_t *places; /* by type: + 1 */
    uint32_t *types;  /* of each row */
    size_t count, capacity;
    void *rows;
    size_t rows_capacity;
} oc_leaf_rows;

void oc_leaf_rows_free(oc_leaf_rows *rows);
void oc_leaf_rows_clear(oc_leaf_rows *rows);

/* The row of a type, NULL where it was not met. O(1), here and below. */
static inline void *oc_leaf_rows_find(const oc_leaf_rows *rows, uint32_t type)
{
    if (rows->count == 0 || rows->places[type] == 0)
        return NULL;
    return (double *)rows->rows + (size_t)(rows->places[type] - 1) * rows->slices;
}

/* The row of a type that was not met, all zeros. */
ocelotl_status oc_leaf_rows_add(void *row, oc_leaf_rows *rows, uint32_t type);

/* The row of a type, all zeros where it is new; valid until another type is met. `row` is where a
 * double * or an int64_t * is kept. */
static inline ocelotl_status oc_leaf_rows_get(void *row, oc_leaf_rows *rows, uint32_t type)
{
    void *found = oc_leaf_rows_find(rows, type);
    if (found == NULL)
        return oc_leaf_rows_add(row, rows, type);
    memcpy(row, &found, sizeof found);
    return OCELOTL_OK;
}

#endif
