/* Several traces: what they share, and where they differ. */
#ifndef OCELOTL_TRACES_H
#define OCELOTL_TRACES_H

#include <ocelotl/notes.h>
#include <ocelotl/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Properties of several traces, a value for each trace that has it. */
typedef struct ocelotl_traces ocelotl_traces;

typedef enum ocelotl_property_kind {
    OCELOTL_PROPERTY_TRACE = 0,   /* name, format, time, size, number of events, .. */
    OCELOTL_PROPERTY_METADATA,    /* a value of one's own, by key */
    OCELOTL_PROPERTY_RESOURCES,   /* how many are of a type, by its name */
    OCELOTL_PROPERTY_EVENT_TYPE,  /* how many events are of a type */
    OCELOTL_PROPERTY_EVENT_VALUE, /* how many of a type have a value: "TYPE:VALUE" */
} ocelotl_property_kind;

typedef struct ocelotl_property {
    ocelotl_property_kind kind;
    const char *name;
    bool is_shared; /* all traces have it, with one value */
    bool is_number; /* its values are numbers */
    size_t count;   /* how many traces have it */
} ocelotl_property;

/* Makes an empty list, freed by ocelotl_traces_free. Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_traces_new(ocelotl_traces **traces);
OCELOTL_API void ocelotl_traces_free(ocelotl_traces *traces);

/* Adds a trace by the path that people call it by, with what is noted on it (NULL: nothing). The
 * trace is not needed afterwards. O(resource types + event types + values). Errors: MEMORY, LIMIT.
 */
OCELOTL_API ocelotl_status ocelotl_traces_add(ocelotl_traces *traces, const char *path,
                                              const ocelotl_trace *trace,
                                              const ocelotl_notes *notes);

/* The paths of the traces, by index below the count; "" beyond. O(1). */
OCELOTL_API size_t ocelotl_traces_count(const ocelotl_traces *traces);
OCELOTL_API const char *ocelotl_traces_path_at(const ocelotl_traces *traces, size_t index);

/* The properties by index below the count, kind by kind, in the order in which traces have them;
 * zeros and "" beyond. O(traces). */
OCELOTL_API size_t ocelotl_traces_property_count(const ocelotl_traces *traces);
OCELOTL_API ocelotl_property ocelotl_traces_property_at(const ocelotl_traces *traces, size_t index);

/* The value that a trace has of a property, NULL where it has none. O(1). */
OCELOTL_API const char *ocelotl_traces_value_at(const ocelotl_traces *traces, size_t property,
                                                size_t trace);

#ifdef __cplusplus
}
#endif
#endif
