/* Rows gathered around some of them. */
#ifndef OC_MODEL_HIERARCHY_GATHER_H
#define OC_MODEL_HIERARCHY_GATHER_H

#include "base/status.h"

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
