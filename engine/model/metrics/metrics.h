/* The metrics: what of a trace's events makes the cells of a model. A new one is an entry of the
 * table in metrics.c and what fills its matrix. */
#ifndef OC_MODEL_METRICS_METRICS_H
#define OC_MODEL_METRICS_METRICS_H

#include "model/metrics/filling.h"

/* The metric of a name (NULL: the first that serves); ARGUMENT for one that there is not, or that
 * the trace cannot serve, naming those that it can; INPUT where it can serve none. */
ocelotl_status oc_find_metric(const oc_metric **metric, const ocelotl_trace *trace,
                              const char *name);

/* Gives ARGUMENT for a condition that concerns nothing of a metric, naming those that it concerns.
 */
ocelotl_status oc_fail_unconcerned(const oc_metric *metric, const ocelotl_trace *trace,
                                   const oc_conditions *conditions, size_t condition);

/* Whether it is made of events of this category. */
bool oc_metric_reads(const oc_metric *metric, ocelotl_category category);

/* What fills the matrix, one for each kind of metric. */
ocelotl_status oc_fill_state_duration(oc_filling *filling);
ocelotl_status oc_fill_state_ends(oc_filling *filling);
ocelotl_status oc_fill_counts(oc_filling *filling);
ocelotl_status oc_fill_flight(oc_filling *filling);
ocelotl_status oc_fill_bytes(oc_filling *filling);
ocelotl_status oc_fill_bytes_in_flight(oc_filling *filling);
ocelotl_status oc_fill_variable(oc_filling *filling);

/* Whether a cell of a metric is a mean over its slice and no sum: so is what is under way. */
bool oc_metric_is_mean_over_time(const char *name);

#endif
