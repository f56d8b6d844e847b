/* The metrics: what of a trace's events makes the cells of a model. A new one is an entry of the
 * table in metrics.c and what fills its matrix. */
#ifndef OC_MODEL_METRICS_METRICS_H
#define OC_MODEL_METRICS_METRICS_H

#include "model/metrics/filling.h"
#include "quality/waiting.h"

#include <string.h>

/* The metric of a name (NULL: the first that serves), or of a formula. ARGUMENT for an unknown one,
 * or one that the trace cannot serve, naming those that it can; INPUT if it can serve none. */
ocelotl_status oc_find_metric(const oc_metric **metric, const ocelotl_trace *trace,
                              const char *name);

/* Fails with ARGUMENT for a condition that concerns no event of a metric, naming those it
 * concerns. */
ocelotl_status oc_fail_unconcerned(const oc_metric *metric, const ocelotl_trace *trace,
                                   const oc_conditions *conditions, size_t condition);

/* Whether it is made of events of this category. */
bool oc_metric_reads(const oc_metric *metric, ocelotl_category category);

/* Whether it is one of bytes that links carry. */
static inline bool oc_metric_is_of_bytes(const oc_metric *metric)
{
    return strcmp(metric->listed.unit, "bytes") == 0;
}

/* How each kind of metric is measured. */
extern const oc_measure oc_measure_state_duration, oc_measure_work, oc_measure_state_ends,
    oc_measure_counts, oc_measure_flight, oc_measure_variable, oc_measure_counter, oc_measure_ratio,
    oc_measure_waits;

/* Whether its types are variables, each with a unit of its own. */
static inline bool oc_metric_is_of_variables(const oc_metric *metric)
{
    return metric->measure == &oc_measure_variable || metric->measure == &oc_measure_counter ||
           metric->measure == &oc_measure_ratio;
}

/* Adds how long a metric of waiting has each value, in ticks. */
void oc_add_wait_times(double *times, const oc_metric *metric, const oc_waiting *waiting);

/* Whether a cell of a metric is a mean over its slice and no sum: so is what is under way. */
bool oc_metric_is_mean_over_time(const char *name);

/* Says whether a trace has events that the metric of an index reads. O(streams). */
bool oc_metric_serves(uint32_t index, const ocelotl_trace *trace);

#endif
