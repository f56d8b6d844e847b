/* Variables in one picture: counted from where, and as shares of what. */
#ifndef OC_MODEL_METRICS_VARIABLES_H
#define OC_MODEL_METRICS_VARIABLES_H

#include "model/metrics/metric_types.h"
#include "model/metrics/metrics.h"

/* The values that a variable has anywhere in the trace, or in a chunk. */
typedef struct oc_range {
    bool known;
    double low, high;
} oc_range;

/* Gives the types of a model of variables their scales and offsets, as the options have it. What is
 * negative by no more than rounding (16 units in the last place of the largest value) is taken as
 * 0. Errors: ARGUMENT for negative values that are not shifted, and for variables of different
 * units that are not scaled. */
ocelotl_status oc_scale_variables(oc_filling *filling);

/* Where no metric was asked for, and variables are what is shown: shifts and scales them in the
 * options where they need it, and says so in *reason ("" where they need nothing; freed by free).
 */
ocelotl_status oc_suit_variables(ocelotl_model_options *options, char **reason,
                                 ocelotl_trace *trace, const oc_sources *sources);

#endif
