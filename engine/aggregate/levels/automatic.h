/* The level to show first. */
#ifndef OC_AGGREGATE_LEVELS_AUTOMATIC_H
#define OC_AGGREGATE_LEVELS_AUTOMATIC_H

#include "aggregate/levels/finder.h"

/* At p = 0.5 gain and loss, as shares of the whole's, weigh the same: what is maximised is their
 * difference. The level to show first may stay below the best by this, one percentage point, for
 * being more aggregated. */
#define OC_AUTOMATIC_TOLERANCE 0.01

/* The search for it is content with a level that makes use of so much of the tolerance. */
#define OC_AUTOMATIC_USED 0.0075

/* A picture of more parts than these has no room for them: at 1280 x 720 pixels, some 20 x 20 for
 * each. */
#define OC_READABLE_PARTS 2000

/* Finds its normalised p, in at most 27 solves, mostly two to eight. Of the finder nothing is used
 * but its way to solve. */
ocelotl_status oc_automatic_p(oc_finder *finder, double *p);

#endif
