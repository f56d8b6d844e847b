/* What a look at causality is inside. */
#ifndef OC_QUALITY_LINKS_H
#define OC_QUALITY_LINKS_H

#include "base/map.h"
#include "quality/causality.h"
#include "quality/collectives/collectives.h"
#include "quality/errors.h"
#include "quality/transit.h"
#include "store/read/walk.h"
#include "store/select/filter.h"
#include "store/select/groups.h"
#include "store/select/resources.h"

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
