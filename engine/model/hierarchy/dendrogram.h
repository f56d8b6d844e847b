/* Which rows are alike: agglomerative clustering. */
#ifndef OC_MODEL_HIERARCHY_DENDROGRAM_H
#define OC_MODEL_HIERARCHY_DENDROGRAM_H

#include "base/arena.h"

#include <ocelotl/work.h>

#include <stddef.h>
#include <stdint.h>

/* Rows are that long, filled up by zeros, in numbers. */
#define OC_DENDROGRAM_LANES 4

/* Rows to be clustered. */
typedef struct oc_summed_rows {
    double *sums;  /* count x width, from 0 to 1 */
    double *sizes; /* by row: how many resources it sums up */
    uint32_t count;
    size_t width; /* a multiple of OC_DENDROGRAM_LANES */
} oc_summed_rows;

/* Two clusters that become one, which is called by the number of the first. */
typedef struct oc_cluster_join {
    uint32_t first, second;
    /* bits times the unit: what drawing both as one loses beyond what each of them has lost */
    double loss;
} oc_cluster_join;

/* The last joins of rows, in the order in which they are made. Clusters are called after their
 * first rows. */
typedef struct oc_dendrogram {
    oc_cluster_join *joins;
    uint32_t join_count;
    uint32_t *cluster; /* by row: its cluster before these joins */
} oc_dendrogram;

/* Finds the last joins of rows: at most `most`. Equal rows are never separated, so there are fewer
 * if fewer joins lose anything. Of up to `places` rows it always joins the pair that loses least.
 * More rows are first gathered at so many places, as oc_gather says, and those at one place are one
 * cluster from the beginning. The rows are used up. O(places count width) time, O(count width)
 * memory; the same for any number of threads. The progress, NULL for none, counts joins.
 * Errors: CANCELLED. */
ocelotl_status oc_dendrogram_make(oc_dendrogram *dendrogram, oc_arena *arena,
                                  const oc_summed_rows *rows, uint32_t most, uint32_t places,
                                  ocelotl_progress progress, void *progress_context);

/* Gathers rows (>= 1) around at most `most` of them. It always takes the row farthest from those
 * taken before, so that a row like no other is taken itself. Centres then move to the mean of their
 * rows, once, and rows choose anew. near[row] becomes the first row that is gathered at the same
 * place. Rows that differ by rounding alone stay together, and fewer places are used if no more
 * rows differ. The distance is that of square roots of means; its square is about the loss of
 * joining two resources. The same bits for any number of threads. O(count most width) time, O(count
 * width) memory. */
ocelotl_status oc_gather(uint32_t *near, const oc_summed_rows *rows, uint32_t most);

#endif
