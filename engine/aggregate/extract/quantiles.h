/* Quantiles of the cells of a part, by type. */
#ifndef OC_AGGREGATE_EXTRACT_QUANTILES_H
#define OC_AGGREGATE_EXTRACT_QUANTILES_H

#include "aggregate/problem/problem.h"

typedef struct oc_weighed oc_weighed;

/* What a thread finds them with. Zero-initialised it is empty. */
typedef struct oc_quantiles {
    oc_weighed *cells;
    size_t count, capacity;
} oc_quantiles;

void oc_quantiles_free(oc_quantiles *scratch);

/* Sets the share of each type that occurs in a part to the least value that at least `percentile`
 * hundredths of its cells do not exceed; a resource without a cell has 0, those of a merged leaf
 * have equal parts of its sum. Errors: MEMORY. O(cells log cells). */
ocelotl_status oc_quantiles_find(double *shares, oc_quantiles *scratch, const oc_matrix *matrix,
                                 const size_t *leaf_series, const ocelotl_part *part,
                                 uint32_t percentile);

#endif
