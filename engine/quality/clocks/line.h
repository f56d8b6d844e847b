/* What messages both ways say of two clocks, if both run evenly: all lines that no message
 * contradicts, the middle one, and how far apart they are.
 *
 * A message from a to b is sent at x by a's clock and received at y by b's: the point (x, y) lies
 * above the line y = f(x) of what b's clock reads when a's reads x, since messages need time. One
 * from b to a lies below it. No distribution of delays is assumed: one that waited costs nothing.
 * Points are kept as z = y - x, from the first one on, so that a double holds them exactly. */
#ifndef OC_QUALITY_CLOCKS_LINE_H
#define OC_QUALITY_CLOCKS_LINE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Hulls of points that come in any order: of thousands of messages between two clocks some ten
 * say all that they say of the clocks (A. Duda, G. Harrus, Y. Haddad, G. Bernard, Estimating global
 * time in distributed systems, 1987) */

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

/* The least of z - slope x over the points of a finished hull, infinite for none. O(log hull). */
double oc_hull_least(const oc_hull *hull, double slope);

/* The slope of the edge above or below x, that of the nearest edge beyond; 0 without an edge. */
double oc_hull_slope_at(const oc_hull *hull, double x);

/* --- Lines */

/* The line z = level + slope x. */
typedef struct oc_line {
    double level, slope;
} oc_line;

typedef struct oc_pairing {
    uint32_t a, b;        /* clocks, a < b */
    int64_t x, z;         /* what points count from: a time of a, and b's time less a's */
    oc_hull above, below; /* points from a to b, and from b to a with -z */
    uint64_t there, back; /* messages from a to b, and from b to a, */
    uint64_t samples;     /* and exchanges and offsets that were measured, */
    uint64_t waits;       /* and waits in collective operations */
    double first, last;   /* x of the first and last point */

    /* Found by oc_line_find. */
    oc_line line;                   /* in the middle of the widest band */
    double width;                   /* of the band: below 0, no straight line will do */
    double least_slope, most_slope; /* of lines that no point contradicts */
} oc_pairing;

/* Adds a point, above the line or below it. */
ocelotl_status oc_pairing_add(oc_pairing *pairing, int64_t x, int64_t y, bool is_above);
void oc_pairing_free(oc_pairing *pairing);

static inline bool oc_pairing_is_two_way(const oc_pairing *pairing)
{
    return pairing->above.count > 0 && pairing->below.count > 0;
}

/* Finds the widest band of slopes up to `most` either way, of hulls that are finished. The line in
 * its middle has equal least delays both ways. One way only it is the edge of the hull that is
 * nearest to the mean of x (S. Moon, P. Skelly, D. Towsley, Estimation and removal of clock skew
 * from network delay measurements, 1999), and delays are not in it. O(log^2). */
void oc_line_find(oc_pairing *pairing, double most);

/* The highest and the lowest z at x of all lines that no point contradicts; infinite where points
 * are missing. Of a bent pair these are the two sides of its band, the lower above the higher. */
double oc_line_highest(const oc_pairing *pairing, double x);
double oc_line_lowest(const oc_pairing *pairing, double x);

/* How much two clocks may differ in speed, as asked for: 0: 100 ppm, below 0: not at all. */
static inline double oc_most_drift(double asked)
{
    static const double usual = 1e-4;
    return asked > 0 ? asked : asked < 0 ? 0 : usual;
}

#endif
