#include "model/metrics/metric_types.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "model/metrics/filling.h"
#include "model/metrics/formula.h"
#include "model/metrics/metrics.h"
#include "store/trace/names.h"

#include <stdlib.h>
#include <string.h>

/* The window is the trace, of one slice. */
static void add_state(double *ticks, const oc_ended_state *state, const oc_state_detail *detail,
                      bool inclusive)
{
    const int64_t begin = detail == NULL ? state->begin
                          : inclusive    ? detail->within_depth
                                         : detail->since;
    if (inclusive && begin < state->end)
        ticks[state->value] += (double)state->end - (double)begin;
    if (inclusive)
        return;
    int64_t units = begin < state->end ? state->end - begin : 0;
    for (size_t i = 0; detail != NULL && i < detail->piece_count; i++)
        units += detail->pieces[i].units;
    ticks[state->value] += (double)units;
}

/* Adds to ticks[value], an array for all values of the trace, the time of each in the whole trace,
 * as options->nesting_depth and options->nesting have it. Reads every event. Errors: INPUT for
 * damage. */
static ocelotl_status read_depth_times(double *ticks, oc_state_scan *scan,
                                       const oc_sources *sources,
                                       const ocelotl_model_options *options)
{
    const ocelotl_trace *trace = scan->walk.reader.connection.trace;
    const oc_scanned_states *found;
    scan->depth = options->cells.nesting_depth;
    scan->shown = sources->filter.values;
    for (uint32_t s = 0; s < sources->streams.first[trace->resource_count]; s++) {
        OC_TRY(oc_state_scan_begin(scan, sources->streams.list[s]));
        do {
            OC_TRY(oc_state_scan_next(&found, scan));
            for (size_t i = 0; i < found->count; i++)
                if (found->states[i].value < trace->value_count)
                    add_state(ticks, &found->states[i], found->detail,
                              options->cells.nesting == OCELOTL_INCLUSIVE);
        } while (found->count > 0);
    }
    return OCELOTL_OK;
}

void oc_sources_free(oc_sources *sources)
{
    oc_type_filter_free(&sources->filter);
    free(sources->readable);
    free(sources->streams.first);
    free(sources->streams.list);
    free(sources->shown);
    free(sources->seen);
    free(sources->type_of_value);
    free(sources->type_of_event_type);
    *sources = (oc_sources){0};
}

/* --- Event types */

static ocelotl_status fail_unknown_type(const ocelotl_trace *trace, const char *name)
{
    oc_text known = {0};
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (trace->event_types[e].category == OCELOTL_STATE && trace->event_types[e].count > 0)
            oc_text_format(&known, "%s\"%s\"", known.length > 0 ? ", " : "",
                           oc_type_spelling(trace, e));
    const ocelotl_status status =
        known.length > 0
            ? oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no states of a type \"%s\", expected %s",
                      trace->label, name, known.bytes)
            : oc_fail(OCELOTL_ERROR_ARGUMENT,
                      "%s: has no states, and those of the type \"%s\" are asked for", trace->label,
                      name);
    oc_text_free(&known);
    return status;
}

/* Fails unless one type of states has the name; of several, lists how to tell them apart. */
static ocelotl_status check_state_type(const ocelotl_trace *trace, const char *name)
{
    oc_text known = {0};
    size_t count = 0;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (trace->event_types[e].category == OCELOTL_STATE && trace->event_types[e].count > 0 &&
            oc_type_is(trace, e, name))
            oc_text_format(&known, "%s\"%s\"", count++ > 0 ? " or " : "",
                           oc_type_spelling(trace, e));
    const ocelotl_status status =
        count == 0 ? fail_unknown_type(trace, name)
        : count == 1
            ? OCELOTL_OK
            : oc_fail(OCELOTL_ERROR_ARGUMENT,
                      "%s: has %zu types of states called \"%s\", expected %s", trace->label, count,
                      name, known.failed ? "one of them" : known.bytes);
    oc_text_free(&known);
    return status;
}

/* The place of an event type among those asked for; their number for one that is not. */
static size_t rank_of(const ocelotl_names *asked, const ocelotl_trace *trace, uint32_t event_type)
{
    size_t rank = 0;
    while (rank < asked->count && !oc_type_is(trace, event_type, asked->names[rank]))
        rank++;
    return rank;
}

/* Finds the types that the metric can read; for states, those of the types asked for. */
static ocelotl_status find_readable(oc_sources *sources, const ocelotl_trace *trace,
                                    const oc_metric *metric, const ocelotl_names *asked)
{
    for (size_t i = 0; i < asked->count && oc_metric_reads(metric, OCELOTL_STATE); i++)
        OC_TRY(check_state_type(trace, asked->names[i]));
    OC_TRY(oc_allocate(&sources->readable, trace->event_type_count, sizeof *sources->readable));
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        const ocelotl_event_type *type = &trace->event_types[e];
        sources->readable[e] =
            type->count > 0 && oc_metric_reads(metric, type->category) &&
            ((metric->roles & OC_COUNTERS) == 0 || type->kind == OCELOTL_COUNTER) &&
            (type->category != OCELOTL_STATE || asked->count == 0 ||
             rank_of(asked, trace, e) < asked->count);
    }
    return OCELOTL_OK;
}

/* Chooses the one state type of a picture of none in particular: that with most time after filters,
 * the first of equals. */
static ocelotl_status choose_state_type(oc_sources *sources, const ocelotl_trace *trace)
{
    double *time = NULL;
    OC_TRY(oc_allocate(&time, trace->event_type_count, sizeof *time));
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (sources->filter.values[v])
            time[trace->values[v].event_type] += (double)trace->values[v].innermost_ticks;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (sources->readable[e] && sources->filter.reached[e] &&
            (sources->state_type == OCELOTL_NONE || time[e] > time[sources->state_type]))
            sources->state_type = e;
    free(time);
    return OCELOTL_OK;
}

/* Chooses the types of states that are shown: of those asked for all that pass the filters. */
static ocelotl_status choose_states(oc_sources *sources, const ocelotl_trace *trace,
                                    const ocelotl_names *asked)
{
    size_t first = asked->count;
    if (asked->count == 0)
        OC_TRY(choose_state_type(sources, trace));
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        const size_t rank = rank_of(asked, trace, e);
        sources->readable[e] = sources->readable[e] && sources->filter.reached[e] &&
                               (asked->count > 0 || e == sources->state_type);
        if (sources->readable[e] && rank < first) {
            first = rank;
            sources->state_type = e;
        }
        sources->nests = sources->nests ||
                         (sources->readable[e] && oc_type_filter_nests(&sources->filter, trace, e));
    }
    for (uint32_t v = 0; v < trace->value_count; v++)
        sources->filter.values[v] =
            sources->filter.values[v] && sources->readable[trace->values[v].event_type];
    return OCELOTL_OK;
}

/* --- Streams */

static bool is_read(const oc_sources *sources, const oc_metric *metric, const oc_stream *stream)
{
    return (metric->roles >> stream->role & 1) != 0 && sources->readable[stream->event_type] &&
           sources->filter.reached[stream->event_type] &&
           (sources->shown == NULL || sources->shown[stream->resource] == stream->event_type);
}

/* A resource that has several of the types of states asked for shows the first of them. */
static ocelotl_status find_shown(oc_sources *sources, const ocelotl_trace *trace,
                                 const ocelotl_names *asked)
{
    uint32_t *shown;
    OC_TRY(oc_allocate(&shown, trace->resource_count, sizeof *shown));
    sources->shown = shown;
    for (uint32_t r = 0; r < trace->resource_count; r++)
        shown[r] = OCELOTL_NONE;
    for (size_t i = 0; i < asked->count; i++)
        for (uint32_t s = 0; s < trace->stream_count; s++)
            if (shown[trace->streams[s].resource] == OCELOTL_NONE &&
                sources->readable[trace->streams[s].event_type] &&
                oc_type_is(trace, trace->streams[s].event_type, asked->names[i]))
                shown[trace->streams[s].resource] = trace->streams[s].event_type;
    return OCELOTL_OK;
}

static ocelotl_status list_streams(oc_sources *sources, const ocelotl_trace *trace,
                                   const oc_metric *metric)
{
    uint32_t *first;
    OC_TRY(oc_allocate(&sources->streams.first, (size_t)trace->resource_count + 2, sizeof *first));
    OC_TRY(oc_allocate(&sources->streams.list, trace->stream_count, sizeof *sources->streams.list));
    OC_TRY(oc_allocate(&sources->seen, trace->resource_count, sizeof *sources->seen));
    /* Counted two places ahead, they say where each begins one place ahead once filled in. */
    first = sources->streams.first;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        first[trace->streams[s].resource + 2] += is_read(sources, metric, &trace->streams[s]);
    for (uint32_t r = 2; r < trace->resource_count + 2; r++)
        first[r] += first[r - 1];
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (is_read(sources, metric, &trace->streams[s]))
            sources->streams.list[first[trace->streams[s].resource + 1]++] = s;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        sources->seen[r] = first[r + 1] > first[r];
        if (sources->state_type != OCELOTL_NONE && first[r + 1] - first[r] > 1)
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: a stream twice", trace->path);
    }
    if (first[trace->resource_count] > 0)
        return OCELOTL_OK;
    /* Of a link there may be only the other end. */
    return oc_metric_reads(metric, OCELOTL_LINK)
               ? oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: nothing that passes the filters has what the metric %s is made of, "
                         "expected another "
                         "metric or filter",
                         trace->label, metric->listed.name)
               : oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: events without a stream",
                         trace->path);
}

/* Waits are of whatever states somebody waits in, unless types of states are asked for. The
 * critical path is spent in one type of states a resource, that of most time in the trace. */
static ocelotl_status choose_all_states(oc_sources *sources, const ocelotl_trace *trace,
                                        bool one_each)
{
    double *time = NULL;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        sources->readable[e] = sources->readable[e] && sources->filter.reached[e];
    if (!one_each)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&time, trace->event_type_count, sizeof *time));
    uint32_t *shown = NULL;
    const ocelotl_status status = oc_allocate(&shown, trace->resource_count, sizeof *shown);
    for (uint32_t v = 0; v < trace->value_count && status == OCELOTL_OK; v++)
        time[trace->values[v].event_type] += (double)trace->values[v].innermost_ticks;
    for (uint32_t r = 0; r < trace->resource_count && status == OCELOTL_OK; r++)
        shown[r] = OCELOTL_NONE;
    for (uint32_t s = 0; s < trace->stream_count && status == OCELOTL_OK; s++) {
        const oc_stream *stream = &trace->streams[s];
        uint32_t *is = &shown[stream->resource];
        if (stream->count > 0 && stream->role == OC_ROLE_STATES &&
            sources->readable[stream->event_type] &&
            (*is == OCELOTL_NONE || time[stream->event_type] > time[*is]))
            *is = stream->event_type;
    }
    sources->shown = shown;
    free(time);
    return status;
}

ocelotl_status oc_sources_find(oc_sources *sources, const ocelotl_trace *trace,
                               const oc_metric *metric, const ocelotl_model_options *options)
{
    const ocelotl_names *asked = &options->state_types;
    sources->state_type = OCELOTL_NONE;
    OC_TRY(find_readable(sources, trace, metric, asked));
    for (uint32_t e = 0; metric->measure == &oc_measure_ratio && e < trace->event_type_count; e++)
        sources->readable[e] = e == sources->formula.numerator || e == sources->formula.denominator;
    OC_TRY(oc_type_filter_make(&sources->filter, trace, sources->readable, &options->selection));
    const uint32_t sides[] = {sources->formula.numerator, sources->formula.denominator};
    for (size_t i = 0; i < 2 && metric->measure == &oc_measure_ratio; i++)
        if (!sources->filter.event_types[sides[i]])
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: the filters leave out \"%s\", expected both variables of %s",
                           trace->label, oc_type_spelling(trace, sides[i]), options->cells.metric);
    if (metric->measure == &oc_measure_waits && asked->count == 0)
        OC_TRY(
            choose_all_states(sources, trace, strcmp(metric->listed.name, "critical-path") == 0));
    else if ((metric->roles & ~(1U << OC_ROLE_STATES)) == 0) {
        OC_TRY(choose_states(sources, trace, asked));
        if (asked->count > 1)
            OC_TRY(find_shown(sources, trace, asked));
    }
    return list_streams(sources, trace, metric);
}

/* --- Types of the model */

/* Types while they are collected. */
typedef struct collecting {
    oc_single_types *types;
    oc_sources *sources;
    const ocelotl_trace *trace;
    const oc_metric *metric;
    const ocelotl_model_options *options;
    double *times; /* by value, where nested states are cut, or of waiting; else NULL */
} collecting;

/* Whether a value has any of what the metric shows. */
static bool is_type(const collecting *c, uint32_t v)
{
    const ocelotl_value *value = &c->trace->values[v];
    if (c->times != NULL)
        return c->times[v] > 0;
    if (c->metric->measure == &oc_measure_work && !oc_waiting_is_work(value->name))
        return false;
    if (c->metric->types == OC_TYPES_VALUES)
        return value->count > 0;
    return (c->options->cells.nesting == OCELOTL_INCLUSIVE || c->sources->nests
                ? value->inclusive_ticks
                : value->innermost_ticks) > 0;
}

/* The largest types are those of most time, or of most events. */
static double weight_of(const collecting *c, uint32_t v)
{
    const ocelotl_value *value = &c->trace->values[v];
    if (c->times != NULL)
        return c->times[v];
    if (c->metric->types == OC_TYPES_TIMED_VALUES &&
        c->options->cells.nesting == OCELOTL_INNERMOST && !c->sources->nests)
        return (double)value->innermost_ticks;
    const bool timed = (c->metric->roles & ~(1U << OC_ROLE_STATES)) == 0;
    return timed ? (double)value->inclusive_ticks : (double)value->count;
}

static ocelotl_status collect_values(const collecting *c)
{
    const ocelotl_trace *trace = c->trace;
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const ocelotl_value *value = &trace->values[v];
        c->sources->type_of_value[v] = OCELOTL_NONE;
        if (c->metric->types == OC_TYPES_EVENT_TYPES || !c->sources->filter.values[v] ||
            !c->sources->readable[value->event_type] || !is_type(c, v))
            continue;
        const oc_single_type type = {.name = value->name,
                                     .event_type = value->event_type,
                                     .value = v,
                                     .colour = value->colour,
                                     .weight = weight_of(c, v),
                                     .number = &c->sources->type_of_value[v]};
        OC_TRY(oc_single_types_add(c->types, &type));
    }
    return OCELOTL_OK;
}

/* Collects the events of each type that have no value. */
static ocelotl_status collect_event_types(const collecting *c)
{
    const ocelotl_trace *trace = c->trace;
    uint64_t *valued = NULL;
    OC_TRY(oc_allocate(&valued, trace->event_type_count, sizeof *valued));
    for (uint32_t v = 0; v < trace->value_count; v++)
        valued[trace->values[v].event_type] += trace->values[v].count;
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t e = 0; e < trace->event_type_count && status == OCELOTL_OK; e++) {
        const ocelotl_event_type *type = &trace->event_types[e];
        const bool whole = c->metric->types == OC_TYPES_EVENT_TYPES;
        c->sources->type_of_event_type[e] = OCELOTL_NONE;
        if (c->metric->types == OC_TYPES_TIMED_VALUES || !c->sources->readable[e] ||
            !c->sources->filter.event_types[e] || (!whole && type->count <= valued[e]))
            continue;
        const oc_single_type single = {.name = type->name,
                                       .event_type = e,
                                       .value = OCELOTL_NONE,
                                       .colour = type->colour,
                                       .weight =
                                           (double)(whole ? type->count : type->count - valued[e]),
                                       .number = &c->sources->type_of_event_type[e]};
        status = oc_single_types_add(c->types, &single);
    }
    free(valued);
    return status;
}

static ocelotl_status add_grouped(ocelotl_model *model, const collecting *c)
{
    const bool adds_up = !oc_metric_is_of_variables(c->metric);
    if (!adds_up && (c->options->types.groups.count > 0 || c->options->type_level > 0))
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "types are grouped, and those of the metric %s are variables, which do not add up",
            c->metric->listed.name);
    OC_TRY(collect_values(c));
    OC_TRY(collect_event_types(c));
    return oc_group_types(model, c->types, c->trace, c->options,
                          adds_up ? c->options->types.max_types : UINT32_MAX);
}

/* Where nobody waits in what the filters leave, all of that is shown. */
static ocelotl_status find_wait_times(collecting *c, ocelotl_trace *trace)
{
    const oc_waiting *waiting;
    bool found = false;
    OC_TRY(oc_waiting_of(&waiting, trace, &c->options->work));
    OC_TRY(oc_allocate(&c->times, trace->value_count, sizeof *c->times));
    oc_add_wait_times(c->times, c->metric, waiting);
    for (uint32_t v = 0; v < trace->value_count; v++)
        found = found || (c->times[v] > 0 && c->sources->filter.values[v]);
    if (!found) {
        free(c->times);
        c->times = NULL;
    }
    return OCELOTL_OK;
}

static ocelotl_status find_times(collecting *c, ocelotl_trace *trace)
{
    if (c->metric->measure == &oc_measure_waits && c->metric->types == OC_TYPES_VALUES)
        return find_wait_times(c, trace);
    if (c->options->cells.nesting_depth == 0)
        return OCELOTL_OK;
    const oc_slicing slicing = {trace->info.begin,
                                (uint64_t)trace->info.end - (uint64_t)trace->info.begin, 1};
    const oc_instant boundaries[] = {oc_slicing_boundary(&slicing, 0),
                                     oc_slicing_boundary(&slicing, 1)};
    oc_state_scan scan = {.walk = {.reader = {.connection = oc_connection_of(trace)}},
                          .finder = oc_slice_finder_of(&slicing, boundaries)};
    OC_TRY(oc_allocate(&c->times, trace->value_count, sizeof *c->times));
    const ocelotl_status status = read_depth_times(c->times, &scan, c->sources, c->options);
    oc_state_scan_free(&scan);
    return status;
}

/* Adds time in no state, where it is shown. It is work where nothing else is traced that is. */
static ocelotl_status add_untraced(ocelotl_model *model, const collecting *c)
{
    const bool work = c->metric->measure == &oc_measure_work;
    bool shown = c->metric->types == OC_TYPES_TIMED_VALUES &&
                 c->options->cells.untraced == OCELOTL_UNTRACED_TYPE;
    for (uint32_t v = 0; v < c->trace->value_count && work; v++)
        shown = shown && !(c->sources->readable[c->trace->values[v].event_type] && is_type(c, v));
    c->sources->untraced = shown ? model->type_count : OCELOTL_NONE;
    if (work && !shown && model->type_count == 0)
        return oc_fail(OCELOTL_ERROR_EMPTY,
                       "%s: nobody works in what is shown, expected other filters, or "
                       "--untraced type",
                       c->trace->label);
    return shown ? oc_model_add_type(model, "(no state)", -1,
                                     c->metric->measure == &oc_measure_state_duration)
                 : OCELOTL_OK;
}

ocelotl_status oc_sources_add_types(ocelotl_model *model, oc_sources *sources, ocelotl_trace *trace,
                                    const oc_metric *metric, const ocelotl_model_options *options)
{
    OC_TRY(
        oc_allocate(&sources->type_of_value, trace->value_count, sizeof *sources->type_of_value));
    OC_TRY(oc_allocate(&sources->type_of_event_type, trace->event_type_count,
                       sizeof *sources->type_of_event_type));
    sources->untraced = OCELOTL_NONE;
    if (metric->measure == &oc_measure_ratio) {
        /* The one type of a formula, called as that is. */
        for (uint32_t v = 0; v < trace->value_count; v++)
            sources->type_of_value[v] = OCELOTL_NONE;
        for (uint32_t e = 0; e < trace->event_type_count; e++)
            sources->type_of_event_type[e] = sources->readable[e] ? 0 : OCELOTL_NONE;
        return oc_model_add_type(model, options->cells.metric,
                                 trace->event_types[sources->formula.numerator].colour, false);
    }
    oc_single_types types = {0};
    collecting c = {&types, sources, trace, metric, options, NULL};
    ocelotl_status status = find_times(&c, trace);
    if (status == OCELOTL_OK)
        status = add_grouped(model, &c);
    if (status == OCELOTL_OK)
        status = add_untraced(model, &c);
    free(c.times);
    oc_single_types_free(&types);
    return status;
}
