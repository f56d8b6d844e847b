/* Convex hulls of points that come in any order: of thousands of messages between two clocks some
 * ten say all that they say of the clocks (A. Duda, G. Harrus, Y. Haddad, G. Bernard, Estimating
 * global time in distributed systems, 1987). */
#ifndef OC_QUALITY_CLOCKS_HULL_H
#define OC_QUALITY_CLOCKS_HULL_H

#include "base/status.h"

#include <stddef.h>

typedef struct oc_point {
    double x, z;
} oc_point;

/* The lower hull of what was added: its points from left to right, once it is finished. In between
 * points wait, so that a point costs O(log points) amortised, and memory grows with the hull.
 * Zero-initialised it is empty. */
typedef struct oc_hull {
    oc_point *points;
    size_t count, capacity;
} oc_hull;

ocelotl_status oc_hull_add(oc_hull *hull, double x, double z);
void oc_hull_finish(oc_hull *hull);
void oc_hull_free(oc_hull *hull);

/* The least of z - slope x over the points of a finished hull, infinite without any. O(log hull).
 */
double oc_hull_least(const oc_hull *hull, double slope);

/* The point where that is, of a hull that has some. */
oc_point oc_hull_lowest(const oc_hull *hull, double slope);

/* The slope of the edge above or below x, that of the nearest edge beyond; 0 without an edge. */
double oc_hull_slope_at(const oc_hull *hull, double x);

#endif
