/* What the quickest links need by their size: beta + tau L, below all of them. */
#ifndef OC_QUALITY_TRANSIT_H
#define OC_QUALITY_TRANSIT_H

#include "quality/clocks/line.h"

#include <stdint.h>

/* Links between clocks; zero-initialised it has none. */
typedef struct oc_transit {
    oc_hull hull; /* of durations in ticks over bytes */
    uint64_t links;
    double bytes; /* of all links */
} oc_transit;

/* In ticks, and in ticks for each byte; neither is negative. */
typedef struct oc_transit_line {
    double fixed, per_byte;
} oc_transit_line;

/* Adds a link that takes `duration` ticks, not below 0; sizes that are no number count as 0.
 * Errors: MEMORY. O(log links) amortised, memory O(hull). */
ocelotl_status oc_transit_add(oc_transit *transit, double bytes, int64_t duration);

/* Finds the line that touches the lower hull at the mean of the sizes (S. Moon, P. Skelly,
 * D. Towsley, 1999): of all lines below all links the nearest to them. Zeros without links. */
oc_transit_line oc_transit_find(oc_transit *transit);
void oc_transit_free(oc_transit *transit);

#endif
