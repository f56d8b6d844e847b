/* How much time values have where nested states are cut at a depth. */
#ifndef OC_MODEL_METRICS_DEPTH_TIMES_H
#define OC_MODEL_METRICS_DEPTH_TIMES_H

#include "model/metrics/filling.h"

/* Adds to ticks[value], an array for all values of the trace, the time of each in the whole trace,
 * as options->nesting_depth and options->nesting have it, in the streams of states that are listed.
 * Reads every event. Errors: INPUT for damage. */
ocelotl_status oc_depth_times(double *ticks, ocelotl_trace *trace,
                              const oc_resource_streams *streams,
                              const ocelotl_model_options *options);

#endif
