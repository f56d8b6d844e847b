/* Which event types and values of a trace are shown: those whose names (store/trace/spelling.h)
 * pass the filters. */
#ifndef OC_STORE_SELECT_TYPE_FILTER_H
#define OC_STORE_SELECT_TYPE_FILTER_H

#include "store/trace/trace.h"

#include <ocelotl/selection.h>

/* By value and by event type of the trace. Zero-initialised it is empty. */
typedef struct oc_type_filter {
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

/* All filters in words (freed by free), "" for none (filter_text.c). */
ocelotl_status oc_describe_filters(char **words, const ocelotl_trace *trace,
                                   const ocelotl_selection *given);

#endif
