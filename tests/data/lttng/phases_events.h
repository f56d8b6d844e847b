/* The events of phases.c, as LTTng wants them. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER app
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "phases_events.h"

#if !defined(PHASES_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define PHASES_EVENTS_H

#include <lttng/tracepoint.h>

#define PHASE_EVENT(name)                                               \
    LTTNG_UST_TRACEPOINT_EVENT(app, name, LTTNG_UST_TP_ARGS(int, step), \
                               LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, step, step)))
PHASE_EVENT(generate_begin)
PHASE_EVENT(generate_end)
PHASE_EVENT(sort_begin)
PHASE_EVENT(sort_end)
PHASE_EVENT(merge_begin)
PHASE_EVENT(merge_end)
PHASE_EVENT(wait_begin)
PHASE_EVENT(wait_end)

#endif

#include <lttng/tracepoint-event.h>
