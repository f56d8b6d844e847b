/* Several traces: what they share, and where they differ. */
#ifndef OCELOTL_TRACES_H
#define OCELOTL_TRACES_H

#include <ocelotl/notes.h>
#include <ocelotl/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Properties of several traces: name, format, number of events, .., a value for each trace that has
 * it. */
typedef struct ocelotl_traces ocelotl_traces;

/* Makes an empty list, freed by ocelotl_traces_free. Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_traces_new(ocelotl_traces **traces);
OCELOTL_API void ocelotl_traces_free(ocelotl_traces *traces);

/* Adds a trace by the path that people call it by, with what is noted on it (NULL: nothing). The
 * trace is not needed afterwards. O(resource types + event types + values). Errors: MEMORY, LIMIT.
 */
OCELOTL_API ocelotl_status ocelotl_traces_add(ocelotl_traces *traces, const char *path,
                                              const ocelotl_trace *trace,
                                              const ocelotl_notes *notes);

#ifdef __cplusplus
}
#endif
#endif
