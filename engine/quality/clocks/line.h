/* What messages both ways say of two clocks, if both run evenly: all lines that no message
 * contradicts, the middle one, and how far apart they are.
 *
 * A message from a to b is sent at x by a's clock and received at y by b's: the point (x, y) lies
 * above the line y = f(x) of what b's clock reads when a's reads x, since messages need time. One
 * from b to a lies below it. No distribution of delays is assumed: one that waited costs nothing.
 * Points are kept as z = y - x, from the first one on, so that a double holds them exactly. */
#ifndef OC_QUALITY_CLOCKS_LINE_H
#define OC_QUALITY_CLOCKS_LINE_H

#include "quality/clocks/hull.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
