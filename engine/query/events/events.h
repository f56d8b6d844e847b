/* Reads the events of a selection of streams, as ocelotl/query.h promises. */
#ifndef OC_QUERY_EVENTS_EVENTS_H
#define OC_QUERY_EVENTS_EVENTS_H

#include "query/events.h"
#include "store/read/walk.h"
#include "store/select/filter.h"
#include "store/trace/catalogue.h"

typedef struct oc_selection {
    bool *resources;   /* by resource; NULL: all */
    bool *event_types; /* by event type; NULL: all */
    int64_t from, to;  /* the window, both ends included */
    int64_t links_to;  /* its end for links, which may begin after they end */
    bool attributes;   /* whether they are wanted */
    bool every_change; /* of variables, or one at an instant */
    bool arrivals;     /* links where they end, and nothing else */
    oc_filter filter;  /* of what is in it */
} oc_selection;

/* Frees the arrays and the filter. */
void oc_selection_free(oc_selection *selection);

struct ocelotl_events {
    ocelotl_trace *trace;
    oc_catalogue own; /* names, where they are not shared */
    const oc_catalogue *catalogue;
    oc_selection selection;
    oc_walk walk;
    oc_watch watch;  /* in records of all streams, or in ticks */
    uint32_t stream; /* the next one to look at, */
    bool reading;    /* or, with this, the one that is read */
    int64_t from;    /* of its records: what the window is for this stream */
    bool described;  /* whether what its records carry is wanted, and can be there */
    /* identifies the event given last: the place of its last record in the file */
    int64_t row;
    oc_text key, attributes;
    bool in_time;                      /* all streams at once, */
    struct oc_events_by_time *by_time; /* NULL until something is read by time */
};

/* Takes the selection's arrays and filter in any case. The catalogue must outlive the events; NULL:
 * they read their own. */
ocelotl_status oc_events_open(ocelotl_events **events, ocelotl_trace *trace,
                              const oc_catalogue *catalogue, oc_selection *selection);

/* Identifies the event given last, the same however it was found. */
int64_t oc_events_row(const ocelotl_events *events);

#endif
