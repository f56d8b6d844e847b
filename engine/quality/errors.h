/* How far the clocks of a trace may differ: what the theorem of causality calls eps. */
#ifndef OC_QUALITY_ERRORS_H
#define OC_QUALITY_ERRORS_H

#include "quality/causality.h"
#include "quality/clocks.h"
#include "store/select/groups.h"
#include "store/trace/catalogue.h"

/* By how much the clocks of a group are ahead of a common one, at both ends of the run. */
typedef struct oc_clock_range {
    uint32_t clock; /* that it has alone; OCELOTL_NONE: several, or none */
    uint32_t set;   /* clocks of different sets do not compare; OCELOTL_NONE: nothing is known */
    double least[2], most[2]; /* in ticks */
} oc_clock_range;

/* Empty if zero-initialised: nothing is known. */
typedef struct oc_clock_errors {
    ocelotl_error_source source;
    int64_t asked;
    oc_clock_range *ranges; /* by group */
    uint32_t count;
    ocelotl_clocks *found; /* what messages say, where they do; else NULL */
} oc_clock_errors;

/* What is to be found. */
typedef struct oc_error_request {
    const oc_catalogue *catalogue;
    const oc_groups *groups;
    const ocelotl_causality_options *options;
} oc_error_request;

/* Finds what is asked for, what a derived trace says of its clocks, or else what messages say.
 * Unknown clocks are no error. Free it in any case. Errors: INPUT for damage,
 * MEMORY, CANCELLED. */
ocelotl_status oc_clock_errors_find(oc_clock_errors *errors, const oc_error_request *asked);
void oc_clock_errors_free(oc_clock_errors *errors);

/* The most that the clocks of two groups differ at any time, in ticks; -1: not known. O(1). */
int64_t oc_clock_error_between(const oc_clock_errors *errors, uint32_t a, uint32_t b);

#endif
