/* What joining rows of sums loses. */
#ifndef OC_MODEL_HIERARCHY_JOIN_LOSS_H
#define OC_MODEL_HIERARCHY_JOIN_LOSS_H

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

#endif
