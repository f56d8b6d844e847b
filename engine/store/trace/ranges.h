/* What the rows of a trace.db say together, once each of them is in its range. */
#ifndef OC_STORE_TRACE_RANGES_H
#define OC_STORE_TRACE_RANGES_H

#include "store/trace/trace.h"

/* Makes sure that sums of counts have 63 bits, that values have no more events than their type, and
 * that no two streams are of one resource, event type and role. O(all rows). Errors: INPUT. */
ocelotl_status oc_ranges_check(const ocelotl_trace *trace);

#endif
