/* How much a selection of events takes to read, as far as the catalogue of a trace tells. */
#ifndef OC_QUERY_SQL_ESTIMATE_H
#define OC_QUERY_SQL_ESTIMATE_H

#include "query/events/events.h"

typedef struct oc_estimate {
    double streams; /* that are begun */
    double rows;    /* events that are read, whole chunks of them */
} oc_estimate;

/* O(streams). */
oc_estimate oc_estimate_reading(const oc_selection *selection, const ocelotl_trace *trace);

/* The same of a part of it: of so large a share of the streams, and in them of so large a share of
 * the time. */
oc_estimate oc_estimate_share(oc_estimate whole, double streams, double time);

/* What it takes in rows: to begin with a stream takes as long as some rows. */
double oc_estimate_cost(oc_estimate estimate);

/* Whether a selection can hold links. O(streams). */
bool oc_can_hold_links(const oc_selection *selection, const ocelotl_trace *trace);

#endif
