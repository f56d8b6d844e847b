/* One node's values by type and slice, summed over its leaves, and what that sum has lost within each slice. */
#ifndef OC_AGGREGATE_COLUMNS_H
#define OC_AGGREGATE_COLUMNS_H

#include "aggregate/divergence.h"
#include "base/matrix.h"
#include "base/status.h"

/* One type; all three have an entry per slice. */
typedef struct oc_column {
    uint32_t type;
    uint32_t leaves; /* summed so far: leaves without the type come last */
    oc_sum *sum;
    double *loss;
} oc_column;

/* Only types that occur; zero-initialised there are none. */
typedef struct oc_columns {
    uint32_t slices;
    uint32_t count;
    oc_column *column; /* by order of appearance below the node */
    size_t capacity;
} oc_columns;

/* Where the column of each type is, while columns are being summed. */
typedef struct oc_column_index {
    uint32_t type_count;
    uint32_t *place; /* place + 1 by type, 0: none; all 0 between uses */
} oc_column_index;

void oc_columns_free(oc_columns *columns);

/* Fills `values` with a series by slice, in units of 2^unit; with a single slice, its sum. */
void oc_series_expand(const oc_matrix *matrix, size_t series, int unit, uint32_t slices, oc_sum *values);

/* Makes the columns of one leaf. `series` is its first. */
ocelotl_status oc_columns_of_leaf(oc_columns *columns, const oc_matrix *matrix, size_t series, int unit);

/* Adds those of a child with so many leaves. */
ocelotl_status oc_columns_add(oc_columns *columns, oc_column_index *index, const oc_columns *child,
                              uint32_t leaves);

/* Adds the leaves that have nothing of a type, once all children are added. */
void oc_columns_finish(oc_columns *columns, oc_column_index *index, uint32_t leaves);

#endif
