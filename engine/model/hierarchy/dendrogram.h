/* Which rows are alike: agglomerative clustering. */
#ifndef OC_MODEL_HIERARCHY_DENDROGRAM_H
#define OC_MODEL_HIERARCHY_DENDROGRAM_H

#include "base/status.h"

#include <ocelotl/status.h>
#include <ocelotl/work.h>

#include <stddef.h>

/* Rows are that long, filled up by zeros, in numbers. */
#define OC_DENDROGRAM_LANES 4

/* Drawing the mean of n resources that add up to x costs x log2 n - x log2 x, plus what does not
 * change: what a join loses is the difference of these, so that of a pair of rows one sum of
 * logarithms is new. */
typedef struct oc_summed_row {
    const double *sums;
    double size;  /* resources */
    double total; /* of the sums */
    double own;   /* the sum of x log2 (x / size) over the sums x */
} oc_summed_row;

/* The sum of x log2 (x / size), x from 0 to 2^100. O(width). */
double oc_own_logs(const double *row, size_t width, double size);

/* What drawing two rows as one loses beyond what each of them has lost; 0 where it is no more than
 * rounding. The width is a multiple of OC_DENDROGRAM_LANES. O(width). */
double oc_join_loss(const oc_summed_row *a, const oc_summed_row *b, size_t width);

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

/* Gathers `count` (>= 1) rows of `width` sums >= 0 around at most `most` of them: always the
 * farthest from those taken before, so that a row like no other is taken itself. Centres then move
 * to the mean of their rows, once, and rows choose anew. near[row] becomes the first row that is
 * gathered at the same place. Rows that are alike but for rounding stay together, and fewer places
 * are used where no more differ. Distance is that of square roots of means, whose square is about
 * what a join of two resources loses. `sizes` are how many resources each row is the sum of. The
 * same bits for any number of threads. O(count most width) time, O(count width) memory. */
ocelotl_status oc_gather(uint32_t *near, const double *rows, const double *sizes, uint32_t count,
                         size_t width, uint32_t most);

#endif
