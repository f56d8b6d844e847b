/* What of a way through events the library alone uses. */
#ifndef OC_QUERY_EVENTS_H
#define OC_QUERY_EVENTS_H

#include <ocelotl/query.h>

/* Reads the next events, at most `most`; *count is 0 only after the last one. It gives the same as
 * that many calls of ocelotl_events_next, and is cheaper for events without attributes: a block
 * ends behind an event that has some, so that its strings live until the next call. Errors: the
 * same; the events of the block are lost then. */
ocelotl_status ocelotl_events_next_block(uint32_t *count, ocelotl_event *block, uint32_t most,
                                         ocelotl_events *events);

/* Whether events of a resource can be among these, by its path and the filter. O(1). */
bool ocelotl_events_cover(const ocelotl_events *events, uint32_t resource);

#endif
