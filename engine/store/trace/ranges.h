/* Checks the rows of a trace.db against each other, after each by itself. */
#ifndef OC_STORE_TRACE_RANGES_H
#define OC_STORE_TRACE_RANGES_H

#include "store/trace/trace.h"

/* Checks that counts sum up to 63 bits, that values have no more events than their type, and that
 * no two streams share resource, event type and role. O(all rows). Errors: INPUT. */
ocelotl_status oc_ranges_check(const ocelotl_trace *trace);

#endif
