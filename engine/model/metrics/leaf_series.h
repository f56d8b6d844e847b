/* Series of leaves on their way into a model: each thread fills leaves one by one, whoever owns the
 * model joins them. */
#ifndef OC_MODEL_METRICS_LEAF_SERIES_H
#define OC_MODEL_METRICS_LEAF_SERIES_H

#include "base/matrix.h"
#include "model/core/slicing.h"
#include "store/read/totals.h"

/* What is asked of every leaf. */
typedef struct oc_leaf_request {
    const oc_slicing *slicing;
    const oc_instant *boundaries; /* slices + 1 */
    uint32_t untraced_type;       /* OCELOTL_NONE: untraced time is ignored */
    /* what is in no type counts as untraced: each moment is in one type at most */
    bool hides;
    const char *path; /* of the trace, for messages */
} oc_leaf_request;

/* Series, which are sorted by type for each leaf, and their cells. Zero-initialised it is empty. */
typedef struct oc_leaf_series {
    oc_series *series; /* `first` counts in these cells */
    size_t series_count, series_capacity;
    uint32_t *cell_slice;
    double *cell_value;
    size_t cell_count, cell_slice_capacity, cell_value_capacity;

    /* Of the leaf at hand: units of time in each slice, a row for each group of the reader. */
    int64_t *units;
    size_t units_capacity;
    int64_t *traced;
    size_t traced_capacity;
    struct oc_group_before *before; /* what there was at the last boundary */
    size_t before_capacity;
    struct oc_group_row *rows; /* sorted by type */
    size_t rows_capacity;
} oc_leaf_series;

/* Adds what a stream, at whose beginning the reader is, holds for a leaf that lives from `begin` to
 * `end` (ticks). Errors: INPUT for damaged chunks. */
ocelotl_status oc_leaf_series_add(oc_leaf_series *to, const oc_leaf_request *request,
                                  oc_totals_reader *reader, uint32_t leaf, int64_t begin,
                                  int64_t end);
void oc_leaf_series_free(oc_leaf_series *series);

#endif
