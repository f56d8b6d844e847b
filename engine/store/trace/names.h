/* How event types and values can be called: by their names alone, or with what they are in, where
 * that is not clear. */
#ifndef OC_STORE_TRACE_NAMES_H
#define OC_STORE_TRACE_NAMES_H

#include "base/status.h"
#include "store/trace/trace.h"

#include <ocelotl/trace.h>

/* The ways to spell a name. An event type "State" of the resource type "Thread" below "Program" is
 * State, Thread:State or Program/Thread:State; its value "run" is run, State:run, Thread:State:run
 * or Program/Thread:State:run. */
typedef struct oc_spelling {
    char *full;     /* the longest one, */
    uint32_t place; /* and where in it those begin that say less: from the resource type, */
    uint32_t type;  /* from the event type, */
    uint32_t name;  /* from the name alone: of an event type the same */
} oc_spelling;

/* Zero-initialised it is empty; free it in any case. */
ocelotl_status oc_spelling_make(oc_spelling *spelling, const ocelotl_trace *trace,
                                uint32_t event_type,
                                uint32_t value); /* OCELOTL_NONE: of the event type itself */
ocelotl_status oc_copy_spelling(oc_spelling *copy, const oc_spelling *spelling);
void oc_spelling_free(oc_spelling *spelling);

/* Whether what is given is one of the spellings, or a pattern that matches one. */
bool oc_spelling_is(const oc_spelling *spelling, const char *given);
bool oc_spelling_matches(const oc_spelling *spelling, const char *pattern);

/* The same of an event type, and of a value (errors: MEMORY), whatever its event type. A pattern
 * without a colon is compared with names alone. */
bool oc_type_matches(const ocelotl_trace *trace, uint32_t event_type, const char *pattern);
ocelotl_status oc_value_matches(bool *matches, const ocelotl_trace *trace, uint32_t value,
                                const char *pattern);

/* Whether an event type is called so. */
bool oc_type_is(const ocelotl_trace *trace, uint32_t event_type, const char *name);

/* The shortest unique spelling of an event type, among those of its category with events. It lives
 * as long as the trace. */
const char *oc_type_spelling(const ocelotl_trace *trace, uint32_t event_type);

/* Finds these for a trace that is being opened. */
ocelotl_status oc_trace_spell(ocelotl_trace *trace, oc_arena *scratch);

/* --- Names of types while they are gathered, see ocelotl_type_names */

/* A value or an event type. */
typedef struct oc_named_type {
    const char *name;
    int32_t colour;              /* 0xRRGGBB or -1 */
    double innermost, inclusive; /* time */
    double count;                /* events */
} oc_named_type;

/* An empty one. Freed by ocelotl_type_names_free. Errors: MEMORY. */
ocelotl_status oc_type_names_begin(ocelotl_type_names **names);

/* Adds a type; of one name they add up. Errors: MEMORY, LIMIT. O(1) expected. */
ocelotl_status oc_type_names_add(ocelotl_type_names *names, const oc_named_type *type);

/* Brings the names into their order. Errors: MEMORY. O(names log names). */
ocelotl_status oc_type_names_end(ocelotl_type_names *names);

/* Appends a name as it is, in the order of the calls; one that is there already stays. For names
 * that were gathered and ordered before. Errors: MEMORY, LIMIT. */
ocelotl_status oc_type_names_append(ocelotl_type_names *names, const ocelotl_type_name *name);

#endif
