/* A model while a metric fills it, and what metrics share for that. */
#ifndef OC_MODEL_METRICS_FILLING_H
#define OC_MODEL_METRICS_FILLING_H

#include "model/core/cells.h"
#include "model/core/model.h"
#include "model/core/slicing.h"
#include "model/metrics/formula.h"
#include "store/read/states.h"
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
typedef struct oc_measuring oc_measuring;

/* How a metric is measured: before all leaves (may be NULL), each stream of a leaf, what the leaf
 * then has, and behind all leaves (may be NULL). */
typedef struct oc_measure {
    ocelotl_status (*prepare)(oc_filling *filling);
    ocelotl_status (*read)(oc_measuring *m, uint32_t stream);
    ocelotl_status (*give)(oc_measuring *m);
    ocelotl_status (*finish)(oc_filling *filling);
    bool timed;     /* numbers are as long as they last, in parts of a tick; they become means, */
    bool seconds;   /* or these are seconds */
    uint32_t width; /* how many numbers the first rows have of each slice; 0: one */
} oc_measure;

/* Beside the roles of a metric: of variables only counters. */
#define OC_COUNTERS (1U << 8)

typedef struct oc_metric {
    ocelotl_metric listed;
    unsigned roles; /* of the streams that are read: bits 1 << oc_role */
    oc_metric_types types;
    oc_part_value drawing;
    const char *caption;
    const oc_measure *measure;
} oc_metric;

/* A number that a resource has of a type in a slice, found before its leaf is measured: of links
 * that end there, or of waits. */
typedef struct oc_arrival {
    uint32_t resource, type, slice;
    double number;
} oc_arrival;

/* All of them, by resource once they are joined. Where links end only totals are known, so they are
 * read where they begin. Empty if zero-initialised. */
typedef struct oc_arrivals {
    oc_arrival *list;
    size_t count, capacity;
} oc_arrivals;

/* A model while it is filled: all but the filling itself is read only. */
struct oc_filling {
    ocelotl_model *model; /* with its tree and types */
    ocelotl_trace *trace;
    oc_connection connection; /* to its chunks, for the thread that fills */
    const oc_metric *metric;
    const oc_formula *formula; /* that the metric is, if it is one */
    const ocelotl_model_options *options;
    const oc_catalogue *catalogue;
    const oc_trace_tree *tree;
    const oc_resource_streams *streams;
    const oc_type_filter *filter;
    const oc_conditions *conditions;
    const bool *readable;               /* by event type: the metric shows it */
    const uint32_t *type_of_value;      /* of the model, OCELOTL_NONE: not shown */
    const uint32_t *type_of_event_type; /* the same of what has no value */
    uint32_t untraced;                  /* the type "(no state)", if it is one */
    const oc_slicing *slicing;
    const oc_instant *boundaries; /* slices + 1 */
    bool from_begin, to_end;      /* the window begins, ends with the trace */
    oc_arrivals arrivals;
    bool *orphans; /* by event type: some links have no beginning */
    bool hides,
        nests;     /* some time in states is not shown; states shown may be around hidden ones */
    oc_cells sums; /* what becomes the matrix */
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

ocelotl_status oc_arrivals_add(oc_arrivals *arrivals, const oc_arrival *arrival);

/* The same in all slices of a time, as often as it has parts of a tick there. */
ocelotl_status oc_arrivals_add_time(oc_arrivals *arrivals, oc_slice_finder *finder,
                                    uint32_t resource, uint32_t type, int64_t from, int64_t to,
                                    double number);

/* Joins those of one place, and puts them in order. */
void oc_arrivals_join(oc_arrivals *arrivals);

/* --- Leaves are measured by threads: some leaves at a time, each thread by a connection of its own
 * to the trace. */

/* What there was of a total at the last boundary. */
typedef struct oc_before {
    int64_t ticks, rest;
    double number;
} oc_before;

typedef struct oc_time_span {
    int64_t begin, end;
} oc_time_span;

/* A thread while it measures leaves, one after the other. */
struct oc_measuring {
    oc_filling *filling;              /* its own: with its connection and its cells */
    uint32_t leaf;                    /* at hand, */
    const ocelotl_resource *resource; /* which is this one, */
    const oc_stream *stream;          /* and one of its streams */
    oc_leaf_rows rows[3];             /* what the leaf has of each type, and behind all of any */
    double *row;                      /* of slices, for one use */
    oc_totals_reader *totals;
    oc_walk walk;
    oc_state_scan scan;
    oc_slice_finder finder;
    oc_found_slice found;
    oc_before *before; /* of each total of the stream */
    size_t before_count, before_capacity;
    oc_open_sum *open; /* the same: links under way */
    size_t open_capacity;
    oc_time_span *spans; /* of states that nest: in their order and apart */
    size_t span_count, span_capacity;
};

/* Fills the cells of all leaves in their order, the same for any number of threads. One thread if
 * the streams of the metric have few records. Errors: the first one met; IO, INPUT if the file is
 * not the same trace any more. */
ocelotl_status oc_fill(oc_filling *filling);

/* Ends what was filled, once for all pieces of a window: its cells are those of all. */
ocelotl_status oc_fill_end(oc_filling *filling);

/* Ends what has two sums of each type, the second ones behind all first ones: scales these, so that
 * both count equally. */
ocelotl_status oc_fill_weighed(oc_filling *filling);

/* Which records count at a boundary: not those at its tick, unless it is later in the tick */
typedef enum oc_boundary_rule {
    OC_BY_WINDOW, /* or the trace's end */
    OC_BY_LIFE    /* after the end of the resource no time passes and no record counts */
} oc_boundary_rule;

/* What a stream adds up to at a boundary, a fold of no record where nothing can have been before;
 * or a stream of states by types of the model. */
typedef ocelotl_status (*oc_take_fold)(oc_measuring *m, const oc_fold *fold, uint32_t boundary);
typedef ocelotl_status (*oc_take_types)(oc_measuring *m, const oc_group_total *totals, size_t count,
                                        uint32_t boundary);

/* Takes the totals of a stream at all slices + 1 boundaries; reads at most one chunk for each.
 * Those of states come much faster by types. `before` has room for them, 0 at the first. */
ocelotl_status oc_visit_boundaries(oc_measuring *m, uint32_t stream, oc_boundary_rule rule,
                                   oc_take_fold take);
ocelotl_status oc_visit_states(oc_measuring *m, uint32_t stream, bool inclusive,
                               oc_take_types take);

/* Adds what a total has more than at the last boundary to the first rows. */
ocelotl_status oc_measuring_add_more(oc_measuring *m, size_t total, uint32_t type, double now,
                                     uint32_t boundary);

/* Begins to scan the states of a stream that may pass the filters. */
ocelotl_status oc_measuring_scan(oc_measuring *m, uint32_t stream);

/* Adds a number at a tick, where that is in the window; and as long as it lasts between two, in
 * parts of a tick. */
ocelotl_status oc_measuring_add_at(oc_measuring *m, uint32_t type, int64_t tick, double number);
void oc_measuring_add_time(double *row, oc_measuring *m, int64_t from, int64_t to, double number);

/* Adds the first rows to the cells, doubles, as means over the slices where they are timed; or one
 * row of parts of a tick, as shares of the slices. Errors: INPUT for what is not finite. */
ocelotl_status oc_measuring_give_numbers(oc_measuring *m);
ocelotl_status oc_measuring_give_arrivals(oc_measuring *m); /* with what arrived */
ocelotl_status oc_measuring_give_units(oc_measuring *m, uint32_t type, const int64_t *units);

/* Fails with INPUT: the running totals of the trace are damaged. */
ocelotl_status oc_filling_fail_totals(const oc_filling *filling);

/* Whether states of an event type must be read one by one, for a filter of durations or attributes;
 * and whether one of them passes. */
bool oc_filling_reads_states(const oc_filling *filling, uint32_t event_type);
ocelotl_status oc_filling_check_filters(const oc_filling *filling); /* none needs that */
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

#endif
