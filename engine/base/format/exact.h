/* Times as decimals that lose nothing. */
#ifndef OC_BASE_FORMAT_EXACT_H
#define OC_BASE_FORMAT_EXACT_H

#include "base/text.h"

/* How ticks become decimals of a unit. */
typedef struct oc_exact {
    uint64_t numerator, denominator; /* a tick is that many units */
    uint32_t digits;                 /* behind the point, at most; fewer where they are zeros */
    bool rounds; /* no decimal is exactly a tick: the digits are those of picoseconds */
} oc_exact;

/* The exact length of ticks of numerator / denominator seconds, both at most 10^18, in units of
 * 10^-unit seconds (0 or 6). */
oc_exact oc_exact_of(uint64_t numerator, uint64_t denominator, uint32_t unit);

/* Appends a number of ticks as a decimal, with the fewest digits that say it. O(digits). */
void oc_exact_add(oc_text *text, const oc_exact *exact, int64_t ticks);

/* Appends how long something lasts (begin <= end): the difference of what oc_exact_add says of both
 * ends, so that what nests still does. */
void oc_exact_add_span(oc_text *text, const oc_exact *exact, int64_t begin, int64_t end);

#endif
