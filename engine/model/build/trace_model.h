/* Models of a part of a trace's time. */
#ifndef OC_MODEL_BUILD_TRACE_MODEL_H
#define OC_MODEL_BUILD_TRACE_MODEL_H

#include <ocelotl/model.h>

/* Instants in ticks. */
typedef struct oc_window {
    int64_t begin, end;
} oc_window;

/* As ocelotl_model_from_trace, of the window alone: slices divide it, and what is before and after
 * does not exist. Leaves and types are those of the whole trace, so that windows can be compared; a
 * leaf that does not live in the window lives in no slice. NULL is the whole trace. Costs what the
 * overview costs, whatever came before the window. Errors: ARGUMENT where the window is empty or
 * not within the trace. */
ocelotl_status oc_model_of_window(ocelotl_model **model, ocelotl_trace *trace,
                                  const oc_window *window, const ocelotl_model_options *options);

#endif
