/* The metrics: what of a trace's events makes the cells of a model. A new one is an entry of the
 * table in metrics.c and what fills its matrix. */
#ifndef OC_MODEL_METRICS_METRICS_H
#define OC_MODEL_METRICS_METRICS_H

#include "model/metrics/filling.h"

/* The metric of a name (NULL: the first that serves). ARGUMENT for an unknown one, or one that the
 * trace cannot serve, naming those that it can; INPUT if it can serve none. */
ocelotl_status oc_find_metric(const oc_metric **metric, const ocelotl_trace *trace,
                              const char *name);

/* Fails with ARGUMENT for a condition that concerns no event of a metric, naming those it
 * concerns. */
ocelotl_status oc_fail_unconcerned(const oc_metric *metric, const ocelotl_trace *trace,
                                   const oc_conditions *conditions, size_t condition);

/* Whether it is made of events of this category. */
bool oc_metric_reads(const oc_metric *metric, ocelotl_category category);

/* What fills the matrix, one for each kind of metric. */
ocelotl_status oc_fill_state_duration(oc_filling *filling);
ocelotl_status oc_fill_state_ends(oc_filling *filling);
ocelotl_status oc_fill_counts(oc_filling *filling);
ocelotl_status oc_fill_flight(oc_filling *filling);
ocelotl_status oc_fill_flight_received(oc_filling *filling);
ocelotl_status oc_fill_bytes(oc_filling *filling);
ocelotl_status oc_fill_bytes_in_flight(oc_filling *filling);
ocelotl_status oc_fill_bytes_in_flight_received(oc_filling *filling);
ocelotl_status oc_fill_variable(oc_filling *filling);

/* Whether a cell of a metric is a mean over its slice and no sum: so is what is under way. */
bool oc_metric_is_mean_over_time(const char *name);

/* --- Numbers of events, links and bytes that meet conditions, event by event */

/* What of a link makes the number: it itself, or its bytes; where it begins or ends, or while it is
 * under way. */
typedef enum oc_counted {
    OC_COUNT_LINKS,
    OC_COUNT_BYTES,
    OC_COUNT_FLIGHT,
    OC_COUNT_BYTES_IN_FLIGHT,
} oc_counted;

/* Adds the instants of a stream, or changes of a variable, to its leaf's rows (doubles). */
ocelotl_status oc_count_records(oc_leaf_rows *rows, const oc_filling *filling, uint32_t stream);

/* Adds the links of a stream, from where they begin. */
ocelotl_status oc_count_departures(oc_leaf_rows *rows, const oc_filling *filling, uint32_t stream,
                                   oc_counted counted);

/* A number of links that end in a resource and slice, or of their bytes; or of what is under way
 * to it, as the mean over the slice. */
typedef struct oc_arrival {
    uint32_t resource, event_type, type, slice;
    double number;
} oc_arrival;

/* All arrivals, by resource. Attributes of a link are known only where it begins, so all those
 * streams are read: for numbers under way all links, else those that conditions concern. Empty if
 * zero-initialised. */
typedef struct oc_arrivals {
    oc_arrival *list;
    size_t count, capacity;
    double *row; /* of slices, zeros: for one link */
} oc_arrivals;

/* Free them in any case. */
ocelotl_status oc_arrivals_find(oc_arrivals *arrivals, const oc_filling *filling,
                                oc_counted counted);
void oc_arrivals_free(oc_arrivals *arrivals);

/* Adds the links that end in a stream's resource, orphans included, but for what is under way. */
ocelotl_status oc_count_arrivals(oc_leaf_rows *rows, const oc_filling *filling, uint32_t stream,
                                 const oc_arrivals *arrivals, oc_counted counted);

/* The attribute of an event type with the bytes of links, or OCELOTL_NONE. The second checks that
 * some type shown has one, else ARGUMENT naming the attributes. */
uint32_t oc_filling_bytes(const oc_filling *filling, uint32_t event_type);
ocelotl_status oc_filling_check_bytes(const oc_filling *filling);

/* Says whether a trace has events that the metric of an index reads. O(streams). */
bool oc_metric_serves(uint32_t index, const ocelotl_trace *trace);

#endif
