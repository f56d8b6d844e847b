/* The best pIC of every node over every interval (thesis, algorithm 6.2):
 *
 *     best(k,i,j) = max( pIC(k,i,j), sum over children c of best(c,i,j), max over c of best(k,i,c) + best(k,c+1,j) )
 *
 * as plain maxima of doubles; which of equal candidates is taken is for the extraction to say. */
#ifndef OC_AGGREGATE_RECURRENCE_H
#define OC_AGGREGATE_RECURRENCE_H

#include "aggregate/aggregation.h"

#define OC_NEVER UINT32_MAX

typedef struct oc_recurrence {
    oc_weight weight;
    double *best;   /* nodes x intervals, see oc_row */
    uint32_t *kept; /* nodes x slices i: the first j over which the node is as good whole as any, or OC_NEVER */
} oc_recurrence;

/* Solves at a weight. O(nodes x slices^3), in parallel over nodes. The recurrence is zero-initialised, or was solved
 * for the same aggregation before: its memory, which is what the system takes longest to give, is used again. */
ocelotl_status oc_recurrence_solve(oc_recurrence *recurrence, const ocelotl_aggregation *aggregation,
                                   oc_weight weight);
void oc_recurrence_free(oc_recurrence *recurrence);

/* The best values of the intervals of a node that begin at slice i. */
static inline double *oc_best_of(const oc_recurrence *recurrence, const ocelotl_aggregation *aggregation,
                                 uint32_t node, uint32_t i)
{
    return recurrence->best + node * oc_intervals(aggregation->slices) + oc_row(aggregation->slices, i);
}

#endif
