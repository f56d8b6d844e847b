/* Which event types, streams and values of a trace a metric makes a model of. */
#ifndef OC_MODEL_METRICS_METRIC_TYPES_H
#define OC_MODEL_METRICS_METRIC_TYPES_H

#include "model/metrics/metrics.h"

/* What a model is made of. Zero-initialised it is empty. */
typedef struct oc_sources {
    bool *readable; /* by event type: the metric can read it */
    oc_type_filter filter;
    oc_resource_streams streams;
    bool *seen;                   /* by resource: it has such streams */
    uint32_t *type_of_value;      /* see oc_filling */
    uint32_t *type_of_event_type; /* see oc_filling */
    uint32_t state_type;          /* OCELOTL_NONE: no one of them */
} oc_sources;

/* Chooses event types, values and streams. Free it in any case. Errors: ARGUMENT for a state type,
 * a pattern that is not there; INPUT. O(event types + values + streams). */
ocelotl_status oc_sources_find(oc_sources *sources, const ocelotl_trace *trace,
                               const oc_metric *metric, const ocelotl_model_options *options);
void oc_sources_free(oc_sources *sources);

/* Adds the types of the metric to the model. O(values), and O(events) where nested states are cut.
 */
ocelotl_status oc_sources_add_types(ocelotl_model *model, oc_sources *sources, ocelotl_trace *trace,
                                    const oc_metric *metric, const ocelotl_model_options *options);

#endif
