/* What an event carries beside its value, as JSON. */
#ifndef OC_QUERY_EVENTS_ATTRIBUTES_H
#define OC_QUERY_EVENTS_ATTRIBUTES_H

#include "query/events/events.h"

/* Gives an event its key and attributes, from its beginning (may be NULL) and from a record of the
 * chunk that has been read (may be NULL). They live until the next call. */
ocelotl_status oc_events_describe(ocelotl_event *event, ocelotl_events *events,
                                  const oc_carried *carried, const oc_record *record);

#endif
