/* Which events of a selection are shown: by event type and value (their names, see
 * store/trace/names.h), and event by event. */
#ifndef OC_STORE_SELECT_FILTER_H
#define OC_STORE_SELECT_FILTER_H

#include "store/select/conditions.h"
#include "store/trace/catalogue.h"
#include "store/trace/trace.h"

#include <ocelotl/selection.h>

/* By value and by event type of the trace. Zero-initialised it is empty. */
typedef struct oc_type_filter {
    oc_arena arena;    /* of the lists */
    bool *values;      /* shown; only of event types that a metric can read */
    bool *event_types; /* what of them has no value is shown */
    bool *reached;     /* something of this event type is shown */
} oc_type_filter;

/* Filters what event types `readable` (by event type) hold. Free it in any case.
 * Errors: ARGUMENT for a pattern that matches nothing, naming the nearest name; where nothing is
 * left. */
ocelotl_status oc_type_filter_make(oc_type_filter *filter, const ocelotl_trace *trace,
                                   const bool *readable, const ocelotl_selection *given);
void oc_type_filter_free(oc_type_filter *filter);

/* Whether states that are shown may be around hidden ones. Those that are shown form the nesting
 * then: time belongs to the innermost of them, which running totals do not hold. O(values). */
bool oc_type_filter_nests(const oc_type_filter *filter, const ocelotl_trace *trace,
                          uint32_t event_type);

/* All filters in words (freed by free), "" for none. */
ocelotl_status oc_describe_filters(char **words, const ocelotl_trace *trace,
                                   const ocelotl_selection *given);

/* Zero-initialised all passes. */
typedef struct oc_filter {
    bool given;
    uint32_t value_count; /* of the trace */
    oc_type_filter types;
    /* by event type: some values are shown, and others are not; NULL: nowhere */
    bool *divided;
    bool *nests;         /* by event type: see oc_type_filter_nests; NULL: nowhere */
    int64_t least, most; /* durations of states */
    oc_conditions conditions;
    char *words; /* for captions; NULL: "" */
} oc_filter;

/* Makes a filter of a completed selection (base/options.h). It removes what it hides as a whole
 * from *event_types, a list as in resources.h, which it may make. The catalogue must outlive it.
 * Free it in any case. Errors: ARGUMENT for names that do not exist, naming the nearest; EMPTY if
 * nothing is left. */
ocelotl_status oc_filter_make(oc_filter *filter, bool **event_types, const oc_catalogue *catalogue,
                              const ocelotl_selection *given);
void oc_filter_free(oc_filter *filter);

/* Whether the filter shows events of a type with a value, or (OCELOTL_NONE) without one. An unknown
 * value (of a damaged trace) is not hidden. */
bool oc_filter_shows(const oc_filter *filter, uint32_t event_type, uint32_t value);

/* Whether a state passes that lasts so long. */
static inline bool oc_filter_lasts(const oc_filter *filter, int64_t begin, int64_t end)
{
    const int64_t duration = (int64_t)((uint64_t)end - (uint64_t)begin);
    return !filter->given || (duration >= filter->least && duration <= filter->most);
}

/* Whether it asks how long states last; and whether it asks of a type for more than which values it
 * shows. */
static inline bool oc_filter_times(const oc_filter *filter)
{
    return filter->given && (filter->least > 0 || filter->most < INT64_MAX);
}
static inline bool oc_filter_reads(const oc_filter *filter, const ocelotl_trace *trace,
                                   uint32_t event_type)
{
    return oc_conditions_concern(&filter->conditions, event_type) ||
           (oc_filter_times(filter) && trace->event_types[event_type].category == OCELOTL_STATE);
}

/* Whether it shows some events of a type, and hides others by their value. */
static inline bool oc_filter_divides(const oc_filter *filter, uint32_t event_type)
{
    return filter->divided != NULL && filter->divided[event_type];
}

#endif
