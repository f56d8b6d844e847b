/* What members have together: a tree of sums over them, in which one changes for the price of the
 * way to the top. The sum is made anew on that way, in a fixed order, so that what changes often is
 * as exact as what never does. */
#ifndef OC_SERIES_SERIES_SUMS_H
#define OC_SERIES_SERIES_SUMS_H

#include "base/status.h"

typedef struct oc_series_sum {
    double sum, low, high;
    uint32_t count; /* of those that have a value; without any the rest is 0 */
} oc_series_sum;

/* A tree of members without a value: the whole is at 1, the members from `members` on. To be freed.
 */
ocelotl_status oc_series_sums_make(oc_series_sum **tree, uint32_t members);

/* Gives a member a value; NaN: none. O(log members). */
void oc_series_sums_set(oc_series_sum *tree, uint32_t members, uint32_t member, double value);

#endif
