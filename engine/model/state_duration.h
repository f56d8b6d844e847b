/* The metric "state duration": how much of each slice a leaf spends in each state (thesis 5.2). */
#ifndef OC_MODEL_STATE_DURATION_H
#define OC_MODEL_STATE_DURATION_H

#include "model/slicing.h"
#include "model/trace_tree.h"

typedef struct oc_state_duration {
    uint32_t event_type; /* the state type shown */
    ocelotl_nesting nesting;
    ocelotl_untraced untraced;
} oc_state_duration;

/* Adds the types of the metric to the model: the values of the state type that have any time, then "(no state)".
 * type_of_value (one for each value of the trace, the caller's) becomes the type of each, or OCELOTL_NONE. */
ocelotl_status oc_state_duration_types(ocelotl_model *model, uint32_t *type_of_value, const ocelotl_trace *trace,
                                       const oc_state_duration *metric);

/* Fills the model's matrix from the streams of its leaves, which are given by resource. */
ocelotl_status oc_state_duration_fill(ocelotl_model *model, ocelotl_trace *trace, const oc_trace_tree *tree,
                                      const uint32_t *stream_of, const uint32_t *type_of_value,
                                      const oc_slicing *slicing, const oc_state_duration *metric);

#endif
