/* A model while a metric fills it, and what metrics share for that. */
#ifndef OC_MODEL_METRICS_FILLING_H
#define OC_MODEL_METRICS_FILLING_H

#include "model/core/cells.h"
#include "model/core/model.h"
#include "model/core/slicing.h"
#include "model/metrics/state_scan.h"
#include "store/read/totals.h"
#include "store/select/filter.h"

/* --- A model while it is filled */

/* The streams of each resource that a metric reads: those of resource r are list[first[r]] ..
 * list[first[r + 1] - 1]. */
typedef struct oc_resource_streams {
    uint32_t *first;
    uint32_t *list;
} oc_resource_streams;

/* What of a trace is a type of the model. */
typedef enum oc_metric_types {
    OC_TYPES_TIMED_VALUES, /* values with time, and "(no state)" */
    OC_TYPES_VALUES,       /* values, and event types where something has none */
    OC_TYPES_EVENT_TYPES
} oc_metric_types;

typedef struct oc_filling oc_filling;

typedef struct oc_metric {
    ocelotl_metric listed;
    unsigned roles; /* of the streams that are read: bits 1 << oc_role */
    oc_metric_types types;
    oc_part_value drawing;
    const char *caption;
    ocelotl_status (*fill)(oc_filling *filling); /* `sums` and `drawn`, leaf after leaf */
} oc_metric;

/* A model while it is filled: all but the filling itself is read only. */
struct oc_filling {
    ocelotl_model *model; /* with its tree and types */
    ocelotl_trace *trace;
    oc_connection connection; /* to its chunks, for the thread that fills */
    const oc_metric *metric;
    const ocelotl_model_options *options;
    const oc_catalogue *catalogue;
    const oc_trace_tree *tree;
    const oc_resource_streams *streams;
    const oc_type_filter *filter;
    const oc_conditions *conditions;
    uint32_t state_type;                /* OCELOTL_NONE: no one of them */
    const uint32_t *type_of_value;      /* of the model, OCELOTL_NONE: not shown */
    const uint32_t *type_of_event_type; /* the same of what has no value */
    const oc_slicing *slicing;
    const oc_instant *boundaries; /* slices + 1 */
    bool from_begin, to_end;      /* the window begins, ends with the trace */
    oc_cells sums;                /* what becomes the matrix */
    /* what becomes the second one, of metrics that are not additive */
    oc_cells drawn;
};

/* The slice of what begins or ends at a tick; OCELOTL_NONE outside the window. A boundary belongs
 * to the slice behind it, the trace's last instant to its last slice: see oc_window. */
uint32_t oc_filling_slice(const oc_filling *filling, int64_t tick);

/* Events come mostly in the slice of the one before. Zero-initialised nothing has been found. */
typedef struct oc_found_slice {
    uint32_t slice;       /* of all ticks */
    int64_t since, until; /* from one to before the other */
} oc_found_slice;

/* The same as oc_filling_slice. */
static inline uint32_t oc_filling_slice_next(oc_found_slice *found, const oc_filling *filling,
                                             int64_t tick)
{
    if (tick >= found->since && tick < found->until)
        return found->slice;
    found->slice = oc_filling_slice(filling, tick);
    found->since = tick;
    found->until =
        found->slice == OCELOTL_NONE ? tick : filling->boundaries[found->slice + 1].ticks;
    return found->slice;
}

/* Which records count at a boundary: not those at its tick, unless it is later in the tick */
typedef enum oc_boundary_rule {
    OC_BY_WINDOW, /* or the trace's end */
    OC_BY_LIFE    /* after the end of the resource no time passes and no record counts */
} oc_boundary_rule;

/* What a stream adds up to at a boundary; a fold of no record where nothing can have been before.
 */
typedef ocelotl_status (*oc_take_boundary)(void *context, const oc_fold *fold, uint32_t boundary);

/* Takes the totals of a stream at all slices + 1 boundaries; reads at most one chunk for each. */
ocelotl_status oc_visit_boundaries(const oc_filling *filling, uint32_t stream,
                                   oc_boundary_rule rule, oc_take_boundary take, void *context);

/* Takes the sums of a stream of states at a boundary, by types of the model: all open states
 * count. */
typedef ocelotl_status (*oc_take_types)(void *context, const oc_group_total *totals, size_t count,
                                        uint32_t boundary);

/* The same for a stream of states, much faster. *reader is made where it is NULL; the caller frees
 * it. */
ocelotl_status oc_visit_states(oc_totals_reader **reader, const oc_filling *filling,
                               uint32_t stream, oc_boundary_rule rule, oc_take_types take,
                               void *context);

/* A scan of states that may pass the filters, as all metrics begin with it. */
oc_state_scan oc_filling_scan(const oc_filling *filling);

/* Whether states of an event type must be read one by one, for a filter of durations or attributes;
 * and whether one of them passes. */
bool oc_filling_reads_states(const oc_filling *filling, uint32_t event_type);
static inline bool oc_filling_passes(const oc_filling *filling, const oc_ended_state *state,
                                     const oc_state_detail *detail)
{
    const int64_t duration = (int64_t)((uint64_t)state->end - (uint64_t)state->begin);
    return (detail == NULL || detail->passes) &&
           duration >= filling->options->selection.min_duration &&
           duration <= filling->options->selection.max_duration;
}

/* The type of an event, OCELOTL_NONE for one that is not shown. */
static inline uint32_t oc_filling_type(const oc_filling *filling, uint32_t event_type,
                                       uint32_t value)
{
    if (filling->metric->types == OC_TYPES_EVENT_TYPES || value >= filling->trace->value_count)
        return filling->type_of_event_type[event_type];
    return filling->type_of_value[value];
}

/* Where the window ends, in ticks. */
static inline int64_t oc_filling_end(const oc_filling *filling)
{
    return filling->boundaries[filling->slicing->slices].ticks;
}

/* Adds the time between two ticks to a row, as far as it is in the window: as a share of each
 * slice, times a weight. */
ocelotl_status oc_filling_add_time(double *row, const oc_filling *filling, int64_t from, int64_t to,
                                   double weight);

/* --- Leaves of a model are filled by threads: some leaves at a time, each thread by a connection
 * of its own to the trace. */

/* Fills the leaves first .. end - 1 in this order: adds to the sums and drawn cells of a filling
 * that is the caller's but for these and for the trace, which belongs to one thread. `context` is
 * read by all threads. */
typedef ocelotl_status (*oc_fill_block)(oc_filling *filling, uint32_t first, uint32_t end,
                                        const void *context);

/* Fills all leaves and adds them to `filling` in their order, the same for any number of threads.
 * Uses one thread if the streams of the metric have few records. Errors: the first one met; IO,
 * INPUT if the file is not the same trace any more. */
ocelotl_status oc_fill_leaves(oc_filling *filling, oc_fill_block fill, const void *context);

#endif
