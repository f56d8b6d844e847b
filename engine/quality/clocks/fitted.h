/* Clocks by least squares of samples, each against the reference alone, and what that says of them.
 */
#ifndef OC_QUALITY_CLOCKS_FITTED_H
#define OC_QUALITY_CLOCKS_FITTED_H

#include "base/status.h"

#include <ocelotl/clocks.h>

/* An exchange or offset as one point: when one clock reads x, the other one is z ahead of it. */
typedef struct oc_sample {
    uint32_t clock, reference;
    int64_t x;
    double z; /* its part of a tick counts; up to 2^53 ticks are exact */
} oc_sample;

typedef struct oc_samples {
    oc_sample *items;
    size_t count, capacity;
} oc_samples;

/* Sets the clocks of a network that is joined by what samples say of them and the references of
 * their sets. Errors: INPUT (a clock without three samples against its reference); MEMORY. */
ocelotl_status oc_clocks_fit(ocelotl_clocks *clocks, uint32_t median);

#endif
