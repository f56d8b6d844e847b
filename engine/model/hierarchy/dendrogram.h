/* Which rows are alike: agglomerative clustering. */
#ifndef OC_MODEL_HIERARCHY_DENDROGRAM_H
#define OC_MODEL_HIERARCHY_DENDROGRAM_H

#include "base/status.h"

#include "model/hierarchy/join_loss.h"
#include <ocelotl/work.h>

#include <ocelotl/status.h>

/* Two clusters that become one, which is called by the number of the first. */
typedef struct oc_cluster_join {
    uint32_t first, second;
    /* bits times the unit: what drawing both as one loses beyond what each of them has lost */
    double loss;
} oc_cluster_join;

/* Joins `count` rows of `width` sums from 0 to 1 each, a multiple of OC_DENDROGRAM_LANES, until one
 * is left: always two of which each is the other's nearest, by the loss of drawing them as one.
 * `sizes` are how many resources each row is the sum of. `joins` gets count - 1. The rows and sizes
 * are used up. By nearest-neighbour chains: O(count^2 width) time, O(count width) memory; the same
 * for any number of threads. The progress, NULL for none, is told of the pairs of rows that need
 * not be compared any more. Errors: CANCELLED. */
ocelotl_status oc_dendrogram(oc_cluster_join *joins, double *rows, double *sizes, uint32_t count,
                             size_t width, ocelotl_progress progress, void *progress_context);

/* The last joins alone: at most `most` of them, in the order in which they are made. `cluster`
 * becomes, by row, the first row of the cluster that it is in before these joins, and `joins`, with
 * room for `most`, calls clusters so, too. Rows that are alike are never told apart, so *join_count
 * is smaller where fewer joins lose anything. Of up to 128 rows always the two are joined that lose
 * least of all pairs. More rows are gathered at 128 places first, as oc_gather says, and those at
 * one place are one cluster from the beginning. The rows and sizes are used up. O(128 count width)
 * time, O(count width) memory; the same for any number of threads. The progress, NULL for none, is
 * told of joins. Errors: CANCELLED. */
ocelotl_status oc_dendrogram_last(oc_cluster_join *joins, uint32_t *join_count, uint32_t *cluster,
                                  double *rows, double *sizes, uint32_t count, size_t width,
                                  uint32_t most, ocelotl_progress progress, void *progress_context);

#endif
