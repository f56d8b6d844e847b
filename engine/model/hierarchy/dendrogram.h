/* Which rows are alike: agglomerative clustering. */
#ifndef OC_MODEL_HIERARCHY_DENDROGRAM_H
#define OC_MODEL_HIERARCHY_DENDROGRAM_H

#include "base/status.h"

#include <ocelotl/status.h>
#include <ocelotl/work.h>

#include <stddef.h>

/* Rows are that long, filled up by zeros, in numbers. */
#define OC_DENDROGRAM_LANES 4

/* Sums of rows, kept so that a join needs one new sum of logarithms. Drawing the mean of n
 * resources that add up to x costs x log2 n - x log2 x, plus a constant; the loss of a join is the
 * difference of these. */
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

/* Joins `count` rows of `width` sums until one is left. Sums are from 0 to 1, and `width` is a
 * multiple of OC_DENDROGRAM_LANES. It always joins two rows that are each other's nearest, by the
 * loss of drawing them as one. `sizes` gives how many resources each row sums up. `joins` gets
 * count - 1. The rows and sizes are used up. By nearest-neighbour chains: O(count^2 width) time,
 * O(count width) memory; the same for any number of threads. The progress, NULL for none, counts
 * the pairs of rows that need no comparison any more. Errors: CANCELLED. */
ocelotl_status oc_dendrogram(oc_cluster_join *joins, double *rows, double *sizes, uint32_t count,
                             size_t width, ocelotl_progress progress, void *progress_context);

/* Finds the last joins alone: at most `most`, in the order in which they are made. `cluster`
 * becomes, by row, the first row of its cluster before these joins; `joins`, with room for `most`,
 * names clusters so, too. Equal rows are never separated, so *join_count is smaller if fewer joins
 * lose anything. Of up to 128 rows it always joins the pair that loses least. More rows are first
 * gathered at 128 places, as oc_gather says, and those at one place are one cluster from the
 * beginning. The rows and sizes are used up. O(128 count width) time, O(count width) memory; the
 * same for any number of threads. The progress, NULL for none, counts joins. Errors: CANCELLED. */
ocelotl_status oc_dendrogram_last(oc_cluster_join *joins, uint32_t *join_count, uint32_t *cluster,
                                  double *rows, double *sizes, uint32_t count, size_t width,
                                  uint32_t most, ocelotl_progress progress, void *progress_context);

/* Gathers `count` (>= 1) rows of `width` sums >= 0 around at most `most` of them. It always takes
 * the row farthest from those taken before, so that a row like no other is taken itself. Centres
 * then move to the mean of their rows, once, and rows choose anew. near[row] becomes the first row
 * that is gathered at the same place. Rows that differ by rounding alone stay together, and fewer
 * places are used if no more rows differ. The distance is that of square roots of means; its square
 * is about the loss of joining two resources. `sizes` gives how many resources each row sums up.
 * The same bits for any number of threads. O(count most width) time, O(count width) memory. */
ocelotl_status oc_gather(uint32_t *near, const double *rows, const double *sizes, uint32_t count,
                         size_t width, uint32_t most);

#endif
