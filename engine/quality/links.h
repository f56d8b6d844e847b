/* What a look at causality is inside. */
#ifndef OC_QUALITY_LINKS_H
#define OC_QUALITY_LINKS_H

#include "base/map.h"
#include "quality/causality.h"
#include "quality/clocks.h"
#include "quality/collectives/collectives.h"
#include "quality/transit.h"
#include "store/read/walk.h"
#include "store/select/filter.h"
#include "store/select/groups.h"
#include "store/select/resources.h"
#include "store/trace/catalogue.h"

/* --- How far the clocks of a trace may differ: what the theorem of causality calls eps. */

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

/* What links from one clock to another add up to. */
typedef struct oc_clock_sums {
    uint32_t source, target; /* groups */
    uint64_t links;
    uint64_t counts[OCELOTL_VIOLATION_KINDS];
    int64_t least, begin, transit;
    int64_t most_ahead;  /* the target's clock is ahead by at most so much; INT64_MAX: by any */
    int64_t clock_error; /* eps: the most that the two clocks differ; -1: not known */
    uint32_t from, to;
} oc_clock_sums;

typedef struct oc_unmatched {
    uint32_t resource, event_type;
    bool begin;
    char *tag;
    uint64_t count;
} oc_unmatched;

struct ocelotl_causality {
    ocelotl_trace *trace;
    ocelotl_causality_info info;
    oc_catalogue catalogue;
    oc_kept_paths paths;
    oc_filter filter;
    bool *resources, *event_types;
    /* by event type: the attribute, OCELOTL_NONE; keys where there is no tag */
    uint32_t *tags, *keys, *communicators, *bytes;
    oc_groups clocks;
    oc_window window;

    ocelotl_violation *violations;
    size_t violation_count, violation_capacity;
    oc_clock_sums *pairs;
    size_t pair_count, pair_capacity;
    oc_unmatched *unmatched;
    size_t unmatched_count, unmatched_capacity;
    oc_map unmatched_places; /* by what they share */
    oc_collectives collectives;
    oc_clock_errors errors;
    oc_transit transit;
};

/* Looks at all links, stream after stream (links.c); pairs may come several times. */
ocelotl_status oc_causality_read(ocelotl_causality *causality, const ocelotl_work *work);

/* Looks at all collective operations, and adds what is wrong with them (operations.c). */
ocelotl_status oc_causality_judge_collectives(ocelotl_causality *causality,
                                              const ocelotl_causality_options *options);

/* Whether two groups have one clock. What is in no group has clocks of its own. */
static inline bool oc_causality_is_one_clock(const ocelotl_causality *causality, uint32_t source,
                                             uint32_t target)
{
    return source == target && source < causality->clocks.count;
}

/* The most that the clocks of two groups differ, in ticks: 0 for one clock; -1: not known. */
static inline int64_t oc_causality_error_between(const ocelotl_causality *causality,
                                                 uint32_t source, uint32_t target)
{
    return oc_causality_is_one_clock(causality, source, target)
               ? 0
               : oc_clock_error_between(&causality->errors, source, target);
}

/* Adds sums to others. */
void oc_clock_sums_add(oc_clock_sums *sums, const oc_clock_sums *more);

#endif
