/* The absolute time of tick 0, where it moves. */
#ifndef OC_QUALITY_DERIVE_ORIGIN_H
#define OC_QUALITY_DERIVE_ORIGIN_H

#include "base/text.h"

/* A number of ticks, each of numerator / denominator seconds; the latter are at most 10^18. */
typedef struct oc_ticks {
    uint64_t count;
    uint64_t numerator, denominator;
} oc_ticks;

/* Writes an instant (ISO 8601) that is some ticks before another one, into an empty text; "" where
 * that is none, or of an unknown form. */
void oc_origin_before(oc_text *text, const char *origin, const oc_ticks *ticks);

#endif
