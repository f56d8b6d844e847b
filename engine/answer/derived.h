/* What a derived trace was made of. */
#ifndef OC_ANSWER_DERIVED_H
#define OC_ANSWER_DERIVED_H

#include "answer/answer.h"

#include <ocelotl/trace.h>

/* Adds the member `derived` where the trace was made of another one. */
void oc_derived_add(oc_json *json, const ocelotl_trace *trace);

/* Prints lines in the manner of `info`; nothing for other traces. */
void oc_derived_print(oc_output *out, const ocelotl_trace *trace);

#endif
