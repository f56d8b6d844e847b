/* One node's values by type and slice, summed over its leaves, and what that sum has lost within
 * each slice. */
#ifndef OC_AGGREGATE_PROBLEM_COLUMNS_H
#define OC_AGGREGATE_PROBLEM_COLUMNS_H

#include "aggregate/vector/vector.h"
#include "base/matrix.h"
#include "base/status.h"

/* Only types that occur; zero-initialised but for the slices there are none. Each has an entry per
 * slice. */
typedef struct oc_columns {
    uint32_t slices;
    uint32_t count;
    uint32_t *type;   /* by order of appearance below the node */
    uint32_t *leaves; /* summed so far: leaves without the type come last */
    double *values;   /* count x 3 x oc_column_stride: see oc_column_sums */
    size_t type_capacity, leaf_capacity, value_capacity;
} oc_columns;

/* Where the column of each type is, while columns are being summed. */
typedef struct oc_column_index {
    uint32_t *place; /* place + 1 by type, 0: none; all 0 between uses */
} oc_column_index;

/* Entries of a column, with those that only fill the last vector. */
static inline size_t oc_column_stride(uint32_t slices)
{
    return ((size_t)slices + OC_LOSS_ROWS - 1) / OC_LOSS_ROWS * OC_LOSS_ROWS;
}

static inline oc_sums oc_column_sums(const oc_columns *columns, uint32_t column)
{
    const size_t stride = oc_column_stride(columns->slices);
    double *values = columns->values + column * 3 * stride;
    return (oc_sums){values, values + stride, values + 2 * stride};
}

void oc_columns_free(oc_columns *columns);

/* Forgets the columns, but not their memory. */
void oc_columns_clear(oc_columns *columns);

/* Adds a series by slice, times both scales; with a single slice, its sum. */
void oc_series_expand(oc_sums sums, const oc_matrix *matrix, size_t series, const double *scale,
                      uint32_t slices);

/* Adds the columns of one leaf that stands for so many. `series` is its first. */
ocelotl_status oc_columns_of_leaf(oc_columns *columns, const oc_matrix *matrix, size_t series,
                                  uint32_t weight, const double *scale);

/* Adds those of a child with so many leaves. */
ocelotl_status oc_columns_add(oc_columns *columns, oc_column_index *index, const oc_columns *child,
                              uint32_t leaves, const oc_vector *vector);

/* Adds the leaves that have nothing of a type, once all children are added. */
void oc_columns_finish(oc_columns *columns, oc_column_index *index, uint32_t leaves,
                       const oc_vector *vector);

#endif
