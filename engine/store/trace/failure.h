/* Messages that name the file. */
#ifndef OC_STORE_TRACE_FAILURE_H
#define OC_STORE_TRACE_FAILURE_H

#include "store/trace/trace.h"

/* Puts the trace's path before the message of a failure that is the file's, if it is not there yet:
 * readers put it there, what works on their records does not. */
ocelotl_status oc_fail_in_trace(const ocelotl_trace *trace, ocelotl_status status);

#endif
