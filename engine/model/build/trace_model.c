/* Models of traces: which states, which resources, how many slices. */
#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "model/build/type_level.h"
#include "model/core/slicing.h"
#include "model/hierarchy/arrange.h"
#include "model/metrics/formula.h"
#include "model/metrics/metric_types.h"
#include "store/select/resources.h"
#include "store/trace/names.h"
#include "types/lookup.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static ocelotl_status check_type_level(const ocelotl_model_options *options)
{
    if (options->type_level == 0 || options->type_level == OCELOTL_TYPE_LEVEL_AUTO)
        return OCELOTL_OK;
    if (options->type_tree == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "types are grouped at level %" PRIu32 " of no tree, expected a tree",
                       options->type_level);
    const ocelotl_type_tree_info tree = ocelotl_type_tree_info_of(options->type_tree);
    return options->type_level <= tree.levels
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "types are grouped at level %" PRIu32 " of the tree %s, expected 1 to "
                         "%" PRIu32 ", or auto",
                         options->type_level, tree.name, tree.levels);
}

static ocelotl_status check_options(const ocelotl_model_options *options)
{
    if (options->kind != OCELOTL_SPATIOTEMPORAL && options->kind != OCELOTL_TEMPORAL &&
        options->kind != OCELOTL_SPATIAL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "kind is %d, expected spatiotemporal, temporal or spatial",
                       (int)options->kind);
    if (options->cells.nesting != OCELOTL_INNERMOST && options->cells.nesting != OCELOTL_INCLUSIVE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "nesting is %d, expected innermost or inclusive",
                       (int)options->cells.nesting);
    if (options->cells.untraced != OCELOTL_UNTRACED_TYPE &&
        options->cells.untraced != OCELOTL_UNTRACED_IGNORE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "untraced is %d, expected type or ignore",
                       (int)options->cells.untraced);
    if (options->selection.min_duration < 0 ||
        options->selection.min_duration > options->selection.max_duration)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "durations from %" PRId64 " to %" PRId64
                       " ticks, expected a range that begins at 0 or later",
                       options->selection.min_duration, options->selection.max_duration);
    OC_TRY(oc_check_work(&options->work));
    OC_TRY(oc_check_names(&options->state_types, "type of states"));
    OC_TRY(oc_check_groups(&options->types.groups));
    OC_TRY(check_type_level(options));
    return oc_check_arranging(options);
}

/* A model while it is made. */
typedef struct oc_making {
    ocelotl_trace *trace;
    ocelotl_model_options *options;
    ocelotl_span whole, window;
    ocelotl_piece *pieces; /* of the window, at least one */
    uint32_t piece_count;
    const oc_metric *metric;
    oc_sources sources;
    const char *state_type; /* where none was asked for */
    oc_catalogue catalogue;
    oc_conditions conditions;
    bool *chosen; /* by resource, see oc_choose_resources */
    oc_trace_tree tree;
    oc_instant *boundaries;
    ocelotl_model *model;
} oc_making;

static bool is_of_variables(const oc_making *making)
{
    return oc_metric_is_of_variables(making->metric);
}

/* The name of the metric, which a formula is itself. */
static const char *metric_name(const oc_making *making)
{
    return making->metric->measure == &oc_measure_ratio ? making->options->cells.metric
                                                        : making->metric->listed.name;
}

/* Whether it is made of what counters grow by. */
static bool grows(const oc_making *making)
{
    const oc_formula *formula = &making->sources.formula;
    const ocelotl_event_type *types = making->trace->event_types;
    return making->metric->measure == &oc_measure_counter ||
           (making->metric->measure == &oc_measure_ratio &&
            (types[formula->numerator].kind == OCELOTL_COUNTER ||
             types[formula->denominator].kind == OCELOTL_COUNTER));
}

/* Finds the unit: that of the metric; for variables theirs, if the trace gives the same one to all
 * shown. */
static const char *find_unit(const oc_making *making)
{
    const ocelotl_trace *trace = making->trace;
    const char *unit = NULL;
    if (!is_of_variables(making) || making->options->cells.scale)
        return making->metric->listed.unit;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        if (making->sources.type_of_event_type[e] == OCELOTL_NONE)
            continue;
        if (unit != NULL && strcmp(unit, trace->event_types[e].unit) != 0)
            return "";
        unit = trace->event_types[e].unit;
    }
    return unit != NULL ? unit : "";
}

static ocelotl_status copy_unit(char **copy, const oc_making *making)
{
    oc_text unit = {0};
    if (making->metric->measure == &oc_measure_ratio) {
        oc_text_add(&unit, "");
        oc_formula_add_unit(&unit, &making->sources.formula, making->trace);
    } else {
        oc_text_format(&unit, "%s%s", find_unit(making), making->options->cells.rate ? "/s" : "");
    }
    const ocelotl_status status = unit.failed ? oc_fail_memory() : oc_copy_utf8(copy, unit.bytes);
    oc_text_free(&unit);
    return status;
}

/* Copies the caption of the metric, with how variables of several units, or below 0, are
 * weighed. */
static ocelotl_status copy_caption(char **caption, const oc_making *making)
{
    oc_text text = {0};
    oc_text_add(&text, making->metric->caption);
    if (is_of_variables(making) && making->options->cells.shift)
        oc_text_add(&text, ", counted from its least value");
    if (is_of_variables(making) && making->options->cells.scale)
        oc_text_add(&text, grows(making) ? ", of each counter as a share of its largest growth"
                                         : ", of each variable as a share of its largest value");
    if (making->options->cells.counter_step)
        oc_text_add(&text, ", where it is read");
    if (making->options->cells.rate)
        oc_text_add(&text, ", per second");
    return oc_text_give(caption, &text);
}

/* Names the types of states that are shown, in the order that they were asked for. */
static ocelotl_status describe_state_types(ocelotl_model *model, const oc_making *making)
{
    const ocelotl_trace *trace = making->trace;
    const oc_sources *sources = &making->sources;
    const ocelotl_names *asked = &making->options->state_types;
    oc_text text = {0};
    if (sources->state_type == OCELOTL_NONE)
        return OCELOTL_OK;
    oc_text_add(&text, oc_type_spelling(trace, sources->state_type));
    for (size_t i = 0; i < asked->count; i++)
        for (uint32_t e = 0; e < trace->event_type_count; e++)
            if (e != sources->state_type && sources->readable[e] &&
                oc_type_is(trace, e, asked->names[i]))
                oc_text_format(&text, ", %s", oc_type_spelling(trace, e));
    return oc_text_give(&model->state_type, &text);
}

static ocelotl_status describe(ocelotl_model *model, const oc_making *making)
{
    const ocelotl_trace *trace = making->trace;
    OC_TRY(oc_copy_text(&model->name, trace->info.name));
    OC_TRY(oc_copy_text(&model->uid, trace->info.uid));
    OC_TRY(describe_state_types(model, making));
    OC_TRY(oc_copy_text(&model->metric, metric_name(making)));
    OC_TRY(oc_copy_optional(&model->choices, making->options->choices));
    OC_TRY(oc_copy_optional(&model->steps, making->options->steps));
    OC_TRY(copy_unit(&model->unit, making));
    OC_TRY(copy_caption(&model->caption, making));
    OC_TRY(oc_describe_filters(&model->filters, trace, &making->options->selection));
    OC_TRY(oc_allocate(&model->resources, making->options->selection.resources.count,
                       sizeof *model->resources));
    while (model->resource_count < making->options->selection.resources.count) {
        OC_TRY(oc_copy_utf8(&model->resources[model->resource_count],
                            making->options->selection.resources.names[model->resource_count]));
        model->resource_count++;
    }
    OC_TRY(ocelotl_trace_type_names(&model->type_names, trace));
    model->has_time = true;
    model->nesting = making->options->cells.nesting;
    model->nesting_depth = making->options->cells.nesting_depth;
    model->untraced = making->options->cells.untraced;
    model->from = making->window.from;
    model->to = making->window.to;
    model->begin = ocelotl_trace_seconds(trace, model->from);
    model->end = ocelotl_trace_seconds(trace, model->to);
    model->trace_begin = ocelotl_trace_seconds(trace, trace->info.begin);
    model->trace_end = ocelotl_trace_seconds(trace, trace->info.end);
    model->zoomed = model->from > making->whole.from || model->to < making->whole.to;
    return OCELOTL_OK;
}

static int64_t within(int64_t time, const ocelotl_piece *piece)
{
    if (time < piece->from)
        return piece->from;
    return time > piece->to ? piece->to : time;
}

/* Sets lifetimes. Only leaves have their own; nodes above them live all the time. Slices count
 * whole. */
static void set_lifetimes(const oc_making *making)
{
    ocelotl_model *model = making->model;
    for (uint32_t leaf = 0; leaf < model->matrix.tree.leaf_count[0]; leaf++) {
        const ocelotl_resource *resource = &making->trace->resources[making->tree.resources[leaf]];
        oc_model_node *node = &model->nodes[making->tree.leaf_nodes[leaf]];
        for (uint32_t i = 0; i < making->piece_count; i++) {
            const ocelotl_piece *piece = &making->pieces[i];
            const oc_slicing slicing = oc_piece_slicing(piece);
            uint32_t first;
            uint32_t last;
            oc_slicing_touched(&first, &last, &slicing, within(resource->begin, piece),
                               within(resource->end, piece));
            if (i == 0 || (first < last && !(node->begin < node->end)))
                node->begin = piece->first + first;
            if (i == 0 || first < last)
                node->end = piece->first + last;
        }
    }
}

static bool is_windowed(const oc_making *making)
{
    const ocelotl_selection *asked = &making->options->selection;
    return asked->from != INT64_MIN || asked->to != INT64_MAX;
}

/* Divides a window among slices: that of `broken` pieces is what these leave of it. */
static ocelotl_status divide(ocelotl_piece **pieces, uint32_t *count, oc_slice_count *slices,
                             const oc_making *making, const ocelotl_span *window, bool broken)
{
    const ocelotl_model_options *options = making->options;
    ocelotl_span *spans = NULL;
    size_t span_count = 0;
    uint64_t length = 0;
    OC_TRY(oc_allocate(&spans, options->piece_count + 1, sizeof *spans));
    for (size_t i = 0; broken && i < options->piece_count; i++) {
        const ocelotl_span *piece = &options->pieces[i];
        const ocelotl_span left = {piece->from > window->from ? piece->from : window->from,
                                   piece->to < window->to ? piece->to : window->to};
        if (left.from < left.to)
            spans[span_count++] = left;
    }
    if (span_count < 2)
        spans[0] = *window;
    span_count = span_count < 2 ? 1 : span_count;
    for (size_t i = 0; i < span_count; i++)
        length += (uint64_t)spans[i].to - (uint64_t)spans[i].from;
    ocelotl_status status = oc_count_slices(slices, making->model, making->trace, length, options);
    if (status == OCELOTL_OK)
        status = oc_pieces_divide(pieces, count, spans, span_count, slices->slices);
    free(spans);
    return status;
}

/* Widens the window to whole slices of the whole trace. */
static ocelotl_status snap(oc_making *making)
{
    ocelotl_piece *pieces = NULL;
    const ocelotl_span window = making->window;
    oc_slice_count slices;
    uint32_t count;
    OC_TRY(divide(&pieces, &count, &slices, making, &making->whole, true));
    for (uint32_t i = 0; i < count; i++) {
        const oc_slicing slicing = oc_piece_slicing(&pieces[i]);
        uint32_t first;
        uint32_t last;
        if (window.from >= pieces[i].to || window.to <= pieces[i].from)
            continue;
        oc_slicing_touched(&first, &last, &slicing, within(window.from, &pieces[i]),
                           within(window.to, &pieces[i]));
        const oc_instant begin = oc_slicing_boundary(&slicing, first);
        const oc_instant end = oc_slicing_boundary(&slicing, last);
        if (window.from > begin.ticks)
            making->window.from = begin.ticks;
        if (window.to < end.ticks + (end.rest > 0))
            making->window.to = end.ticks + (end.rest > 0);
    }
    free(pieces);
    return OCELOTL_OK;
}

static ocelotl_status choose_slices(oc_making *making)
{
    ocelotl_model *model = making->model;
    const ocelotl_model_options *options = making->options;
    oc_slice_count slices;
    OC_TRY(divide(&making->pieces, &making->piece_count, &slices, making, &making->window,
                  options->broken || !is_windowed(making)));
    model->slices_wanted = options->slices > 0        ? options->slices
                           : options->most_slices > 0 ? options->most_slices
                                                      : OCELOTL_DEFAULT_SLICES;
    OC_TRY(oc_copy_text(&model->slices_reason, slices.reason));
    model->matrix.slice_count = slices.slices;
    if (making->piece_count == 1)
        return OCELOTL_OK;
    for (uint32_t i = 0; i < making->piece_count; i++) {
        ocelotl_piece *piece = &making->pieces[i];
        piece->begin = ocelotl_trace_seconds(making->trace, piece->from);
        piece->end = ocelotl_trace_seconds(making->trace, piece->to);
    }
    OC_TRY(oc_allocate(&model->pieces, making->piece_count, sizeof *model->pieces));
    memcpy(model->pieces, making->pieces, making->piece_count * sizeof *model->pieces);
    model->piece_count = making->piece_count;
    return OCELOTL_OK;
}

/* Lets the metric fill a piece. */
static ocelotl_status fill_piece(oc_filling *filling, oc_making *making, const ocelotl_piece *piece)
{
    const oc_slicing slicing = oc_piece_slicing(piece);
    free(making->boundaries);
    making->boundaries = NULL;
    OC_TRY(
        oc_allocate(&making->boundaries, (size_t)slicing.slices + 1, sizeof *making->boundaries));
    for (uint32_t i = 0; i <= slicing.slices; i++)
        making->boundaries[i] = oc_slicing_boundary(&slicing, i);
    filling->slicing = &slicing;
    filling->boundaries = making->boundaries;
    filling->from_begin = piece->from == making->trace->info.begin;
    filling->to_end = piece->to == making->trace->info.end;
    const ocelotl_status status = oc_fill(filling);
    filling->slicing = NULL;
    return status;
}

/* Fills all pieces, and joins their cells; those of each are freed. */
static ocelotl_status fill_pieces(oc_filling *filling, oc_making *making, oc_cells *sums,
                                  oc_cells *drawn)
{
    const uint32_t count = making->piece_count;
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t i = 0; i < count && status == OCELOTL_OK; i++) {
        status = fill_piece(filling, making, &making->pieces[i]);
        sums[i] = filling->sums;
        drawn[i] = filling->drawn;
        filling->sums = filling->drawn = (oc_cells){0};
    }
    const ocelotl_status joined = oc_pieces_join(&filling->sums, sums, making->pieces, count);
    OC_TRY(oc_pieces_join(&filling->drawn, drawn, making->pieces, count));
    return status == OCELOTL_OK ? joined : status;
}

/* Lets the metric fill the matrix. */
static ocelotl_status fill(oc_making *making)
{
    ocelotl_model *model = making->model;
    const uint32_t leaves = model->matrix.tree.leaf_count[0];
    oc_filling filling = {.model = model,
                          .connection = oc_connection_of(making->trace),
                          .trace = making->trace,
                          .metric = making->metric,
                          .formula = &making->sources.formula,
                          .options = making->options,
                          .catalogue = &making->catalogue,
                          .tree = &making->tree,
                          .streams = &making->sources.streams,
                          .filter = &making->sources.filter,
                          .conditions = &making->conditions,
                          .readable = making->sources.readable,
                          .nests = making->sources.nests,
                          .type_of_value = making->sources.type_of_value,
                          .type_of_event_type = making->sources.type_of_event_type,
                          .untraced = making->sources.untraced};
    oc_cells *cells = NULL; /* of each piece: sums, and behind all what is drawn */
    OC_TRY(oc_allocate(&cells, 2 * (size_t)making->piece_count, sizeof *cells));
    ocelotl_status status = fill_pieces(&filling, making, cells, cells + making->piece_count);
    free(cells);
    if (status == OCELOTL_OK)
        status = oc_fill_end(&filling);
    if (status == OCELOTL_OK)
        status = oc_cells_close(&filling.sums, leaves);
    if (status == OCELOTL_OK)
        status = oc_cells_close(&filling.drawn, leaves);
    if (status == OCELOTL_OK) {
        oc_cells_give(&model->matrix, &filling.sums);
        model->drawing = making->metric->drawing;
        model->drawn = filling.drawn;
        filling.drawn = (oc_cells){0};
    }
    oc_cells_free(&filling.sums);
    oc_cells_free(&filling.drawn);
    return status;
}

/* Makes the conditions. One that concerns no event of the metric is a mistake. */
static ocelotl_status find_conditions(oc_making *making)
{
    const ocelotl_names *where = &making->options->selection.where;
    const oc_sources *sources = &making->sources;
    uint64_t concerned = 0;
    OC_TRY(oc_conditions_make(&making->conditions, &making->catalogue, where));
    for (uint32_t e = 0; e < making->trace->event_type_count && where->count > 0; e++)
        if (sources->readable[e] && sources->filter.reached[e])
            concerned |= making->conditions.concern[e];
    for (size_t i = 0; i < where->count && !making->options->where_elsewhere; i++)
        if ((concerned >> i & 1) == 0)
            return oc_fail_unconcerned(making->metric, making->trace, &making->conditions, i);
    return OCELOTL_OK;
}

/* The whole: the pieces that are given, or the trace. */
static ocelotl_status choose_whole(oc_making *making)
{
    const ocelotl_trace *trace = making->trace;
    const ocelotl_model_options *options = making->options;
    int64_t after = trace->info.begin;
    making->whole = (ocelotl_span){trace->info.begin, trace->info.end};
    for (size_t i = 0; i < options->piece_count; i++) {
        const ocelotl_span *piece = &options->pieces[i];
        if (piece->from < after || piece->from >= piece->to || piece->to > trace->info.end)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: a piece from tick %" PRId64 " to %" PRId64
                           ", expected one that lasts, within %" PRId64 " to %" PRId64,
                           trace->label, piece->from, piece->to, after, trace->info.end);
        after = making->whole.to = piece->to;
        if (i == 0)
            making->whole.from = piece->from;
    }
    return OCELOTL_OK;
}

/* The window asked for, or the whole. */
static ocelotl_status choose_window(oc_making *making)
{
    const ocelotl_trace *trace = making->trace;
    const ocelotl_trace_info *info = &trace->info;
    const ocelotl_selection *asked = &making->options->selection;
    ocelotl_span *window = &making->window;
    if (info->begin == info->end)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: begins and ends in the same instant, expected a trace that lasts",
                       trace->label);
    OC_TRY(choose_whole(making));
    window->from = asked->from == INT64_MIN ? making->whole.from : asked->from;
    window->to = asked->to == INT64_MAX ? making->whole.to : asked->to;
    if (window->from >= window->to || window->from < info->begin || window->to > info->end)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: a window from tick %" PRId64 " to %" PRId64
                       ", expected one that lasts, within %" PRId64 " to %" PRId64,
                       trace->label, window->from, window->to, info->begin, info->end);
    return OCELOTL_OK;
}

/* Refuses requests that would have no effect. */
static ocelotl_status check_metric(const oc_making *making)
{
    const ocelotl_model_options *options = making->options;
    const char *name = metric_name(making);
    const bool durations =
        options->selection.min_duration > 0 || options->selection.max_duration < INT64_MAX;
    if (durations && !oc_metric_reads(making->metric, OCELOTL_STATE))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "states are filtered by their duration, and the metric %s has none, "
                       "expected one of states or "
                       "event-count",
                       name);
    const oc_measure *measure = making->metric->measure;
    if ((options->cells.shift && measure != &oc_measure_variable) ||
        (options->cells.scale && (!is_of_variables(making) || measure == &oc_measure_ratio)))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "variables are shifted or scaled, and the metric %s has none, expected "
                       "variable-mean, variable-min or variable-max%s",
                       name, options->cells.shift ? "" : ", or counter");
    if (options->cells.counter_step && !grows(making))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "counters grow in steps (--counter-step), and the metric %s has none, "
                       "expected counter, or a formula of counters",
                       name);
    if (options->cells.nesting_depth > 0 && making->metric->measure != &oc_measure_state_duration)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "nested states are cut at depth %" PRIu32
                       ", which the metric %s does not heed, expected "
                       "state-duration",
                       options->cells.nesting_depth, name);
    if (options->cells.attribute != NULL && !oc_metric_is_of_bytes(making->metric))
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "an attribute of links is named, and the metric %s has none, expected link-bytes, "
            "link-bytes-received, link-bytes-in-flight or link-bytes-in-flight-received",
            name);
    return OCELOTL_OK;
}

/* A rate is of what adds up over time, and is no time itself. */
static ocelotl_status check_rate(const oc_making *making)
{
    const ocelotl_model_options *options = making->options;
    const ocelotl_metric *listed = &making->metric->listed;
    if (options->cells.rate &&
        (!listed->additive || options->cells.scale || oc_metric_is_mean_over_time(listed->name) ||
         strcmp(listed->unit, "share") == 0 || strcmp(listed->unit, "s") == 0))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a rate is of amounts, and the metric %s has none%s, expected event-count, "
                       "counter, or link-count, link-ends or link-bytes",
                       metric_name(making), options->cells.scale ? " that is scaled" : "");
    return OCELOTL_OK;
}

/* Names the metric: a request that names a type of states means states, whatever else the trace
 * holds. */
static const char *name_metric(const oc_making *making)
{
    const ocelotl_model_options *options = making->options;
    if (options->cells.metric != NULL || options->state_types.count == 0)
        return options->cells.metric;
    for (uint32_t e = 0; e < making->trace->event_type_count; e++)
        if (making->trace->event_types[e].category == OCELOTL_STATE &&
            making->trace->event_types[e].count > 0)
            return "state-duration";
    return NULL;
}

/* Returns whether the model holds only a part of what its metric has in the trace. Filters of
 * variables do not count, as variables do not add up. */
static bool is_part(const oc_making *making)
{
    const ocelotl_model_options *options = making->options;
    const bool types = options->selection.only.count + options->selection.except.count > 0;
    return making->model->zoomed || (is_windowed(making) && options->piece_count > 1) ||
           options->selection.resources.count > 0 || options->selection.only_resources.count > 0 ||
           options->selection.except_resources.count > 0 || options->selection.min_duration > 0 ||
           options->selection.max_duration < INT64_MAX || options->selection.where.count > 0 ||
           (types && !is_of_variables(making));
}

static ocelotl_status make_model(ocelotl_model **model, ocelotl_trace *trace,
                                 ocelotl_model_options *options);

/* The same of the whole trace, as far as its hierarchy depends on it. */
static ocelotl_status make_whole(ocelotl_model **whole, const oc_making *making)
{
    ocelotl_model_options options = *making->options;
    const ocelotl_selection shown = options.selection;
    options.cells.metric = metric_name(making);
    options.snap = false;
    options.selection = (ocelotl_selection){0};
    oc_complete_selection(&options.selection);
    if (is_of_variables(making)) {
        options.selection.only = shown.only;
        options.selection.except = shown.except;
    }
    options.hierarchy.max_leaves = 0;
    options.folded = (ocelotl_names){NULL, 0};
    options.hierarchy.order = OCELOTL_ORDER_TRACE;
    return make_model(whole, making->trace, &options);
}

static void add_names(oc_text *key, const ocelotl_names *names)
{
    oc_text_format(key, "\n%zu", names->count);
    for (size_t i = 0; i < names->count; i++)
        oc_text_format(key, "\n%zu %s", strlen(names->names[i]), names->names[i]);
}

/* Describes what the groups of the whole trace depend on, as make_whole requests them. */
static ocelotl_status describe_groups(char **key, const oc_making *making)
{
    const ocelotl_model_options *options = making->options;
    const ocelotl_cell_options *cells = &options->cells;
    const ocelotl_hierarchy_options *hierarchy = &options->hierarchy;
    oc_text text = {0};
    oc_text_format(&text, "%s\n%s %d %" PRIu32 " %" PRIu64, making->trace->info.uid,
                   metric_name(making), (int)options->kind, options->slices,
                   options->work.memory_limit);
    add_names(&text, &options->state_types);
    oc_text_format(&text, "\n%d %d %" PRIu32 " %d %d %d", (int)cells->nesting, (int)cells->untraced,
                   cells->nesting_depth, cells->shift, cells->scale, cells->counter_step);
    oc_text_format(&text, "\n%" PRIu32 " %" PRIu32 " %d", options->types.max_types,
                   hierarchy->max_groups, hierarchy->reuse_rows);
    for (size_t i = 0; i < options->piece_count; i++)
        oc_text_format(&text, "\n%" PRId64 "..%" PRId64, options->pieces[i].from,
                       options->pieces[i].to);
    if (options->type_level > 0)
        oc_text_format(&text, "\n%" PRIu32 " %" PRIx64, options->type_level,
                       ocelotl_type_tree_info_of(options->type_tree).hash);
    add_names(&text, &(ocelotl_names){&cells->attribute, cells->attribute != NULL});
    add_names(&text, &(ocelotl_names){&hierarchy->file, hierarchy->file != NULL});
    oc_text_add(&text, hierarchy->by_role ? "by role" : hierarchy->cluster ? "by behaviour" : "");
    add_names(&text, &options->types.groups);
    add_names(&text, &hierarchy->drop_levels);
    add_names(&text, &hierarchy->groups);
    if (is_of_variables(making)) {
        add_names(&text, &options->selection.only);
        add_names(&text, &options->selection.except);
    }
    return oc_text_give(key, &text);
}

/* The model of the whole trace that a known model has, or is; NULL: it has none of these groups. */
static const ocelotl_model *whole_of(const ocelotl_model *known, const char *groups_key)
{
    const ocelotl_model *whole = known->whole != NULL ? known->whole->model : known;
    return whole->groups_key != NULL && strcmp(whole->groups_key, groups_key) == 0 ? whole : NULL;
}

/* Takes the whole from a known model, or makes it. */
static ocelotl_status find_whole(const ocelotl_model **whole, const oc_making *making,
                                 const char *groups_key)
{
    const ocelotl_hierarchy_options *hierarchy = &making->options->hierarchy;
    ocelotl_model *made = NULL;
    for (size_t i = 0; i < hierarchy->known_count && *whole == NULL; i++) {
        *whole = whole_of(hierarchy->known[i], groups_key);
        if (*whole != NULL)
            making->model->whole = oc_whole_share(hierarchy->known[i]->whole);
    }
    if (*whole != NULL)
        return OCELOTL_OK;
    OC_TRY(make_whole(&made, making));
    OC_TRY(oc_whole_make(&making->model->whole, made));
    *whole = made;
    return OCELOTL_OK;
}

/* Groups are those of the whole trace, so that a window shows the same. */
static ocelotl_status arrange(const oc_making *making)
{
    ocelotl_model *model = making->model;
    const ocelotl_model_options *options = making->options;
    const ocelotl_model *whole = NULL;
    char *groups_key = NULL;
    ocelotl_status status = OCELOTL_OK;
    const bool groups = oc_wants_groups(options) || options->hierarchy.cluster;
    if (groups && !options->hierarchy.regroup)
        status = describe_groups(&groups_key, making);
    if (status == OCELOTL_OK && groups_key != NULL && is_part(making))
        status = find_whole(&whole, making, groups_key);
    if (status == OCELOTL_OK)
        status = oc_arrange(model, &making->catalogue, options, whole);
    if (whole == NULL && options->hierarchy.max_leaves == 0 && options->folded.count == 0 &&
        options->hierarchy.order == OCELOTL_ORDER_TRACE)
        model->groups_key = groups_key;
    else
        free(groups_key);
    return status;
}

/* Whether no cell is of more than untraced time. */
static bool is_empty(const ocelotl_model *model)
{
    for (size_t i = 0; i < model->matrix.series_count; i++) {
        const uint32_t type = model->matrix.series[i].type;
        if (type >= model->type_count || !model->types[type].untraced)
            return false;
    }
    return true;
}

/* Draws amounts per second. */
static void draw_rates(ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    for (uint32_t x = 0; x < model->type_count; x++)
        model->types[x].scale = 1 / ocelotl_slice_length(&info);
}

static ocelotl_status make(oc_making *making)
{
    OC_TRY(oc_find_metric(&making->metric, making->trace, name_metric(making)));
    if (making->metric->measure == &oc_measure_ratio)
        OC_TRY(oc_formula_read(&making->sources.formula, making->trace,
                               making->options->cells.metric));
    OC_TRY(check_metric(making));
    OC_TRY(oc_sources_find(&making->sources, making->trace, making->metric, making->options));
    if (making->options->state_types.count == 0 && making->sources.state_type != OCELOTL_NONE) {
        making->state_type = oc_type_spelling(making->trace, making->sources.state_type);
        making->options->state_types = (ocelotl_names){&making->state_type, 1};
    }
    OC_TRY(choose_window(making));
    OC_TRY(oc_catalogue_read(&making->catalogue, making->trace));
    OC_TRY(oc_choose_resources(&making->chosen, &making->catalogue, &making->options->selection));
    const oc_tree_request request = {&making->catalogue, making->sources.seen, making->chosen};
    OC_TRY(oc_trace_tree_begin(&making->model, &making->tree, &request));
    OC_TRY(find_conditions(making));
    OC_TRY(oc_sources_add_types(making->model, &making->sources, making->trace, making->metric,
                                making->options));
    if (making->options->cells.metric == NULL && is_of_variables(making))
        OC_TRY(oc_suit_variables(making->options, &making->model->values_reason, making->trace,
                                 &making->sources, making->metric->measure == &oc_measure_counter));
    OC_TRY(check_rate(making));
    if (making->options->snap)
        OC_TRY(snap(making));
    OC_TRY(describe(making->model, making));
    OC_TRY(choose_slices(making));
    OC_TRY(fill(making));
    if (making->options->cells.rate)
        draw_rates(making->model);
    oc_model_end(making->model, making->model->matrix.slice_count);
    set_lifetimes(making);
    OC_TRY(arrange(making));
    making->model->empty = !is_of_variables(making) && is_empty(making->model);
    return OCELOTL_OK;
}

static ocelotl_status make_model(ocelotl_model **model, ocelotl_trace *trace,
                                 ocelotl_model_options *options)
{
    oc_making making = {.trace = trace, .options = options};
    const ocelotl_status status = make(&making);
    if (status == OCELOTL_OK) {
        *model = making.model;
        making.model = NULL;
    }
    oc_trace_tree_free(&making.tree);
    oc_conditions_free(&making.conditions);
    oc_catalogue_free(&making.catalogue);
    oc_sources_free(&making.sources);
    free(making.chosen);
    free(making.pieces);
    free(making.boundaries);
    ocelotl_model_free(making.model);
    return status;
}

/* Chooses the level of the tree of types on the whole trace, so that windows have the same. */
static ocelotl_status choose_type_level(ocelotl_trace *trace, ocelotl_model_options *options)
{
    ocelotl_model_options whole = *options;
    ocelotl_model *model = NULL;
    const oc_making making = {.trace = trace, .options = options};
    const oc_metric *metric = NULL;
    options->type_level = 0;
    OC_TRY(oc_find_metric(&metric, trace, name_metric(&making)));
    if (options->type_tree == NULL || oc_metric_is_of_variables(metric))
        return OCELOTL_OK;
    whole.snap = false;
    whole.selection =
        (ocelotl_selection){.only = options->selection.only, .except = options->selection.except};
    oc_complete_selection(&whole.selection);
    whole.types.max_types = UINT32_MAX;
    whole.hierarchy = (ocelotl_hierarchy_options){.bare = true};
    whole.folded = (ocelotl_names){NULL, 0};
    whole.type_level = 0;
    OC_TRY(make_model(&model, trace, &whole));
    const ocelotl_status status =
        oc_type_level_choose(&options->type_level, model, options->type_tree);
    ocelotl_model_free(model);
    return status;
}

ocelotl_status ocelotl_model_from_trace(ocelotl_model **model, ocelotl_trace *trace,
                                        const ocelotl_model_options *given)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    /* Inside, zero is a value like any other. */
    ocelotl_hierarchy_options *hierarchy = &options.hierarchy;
    oc_complete_selection(&options.selection);
    if (options.state_types.count == 0 && options.cells.state_type != NULL)
        options.state_types = (ocelotl_names){&options.cells.state_type, 1};
    if (options.types.max_types == 0)
        options.types.max_types = OCELOTL_DEFAULT_MAX_TYPES;
    if (hierarchy->bare)
        hierarchy->max_groups = 0;
    else if (hierarchy->max_groups == 0)
        hierarchy->max_groups = OCELOTL_DEFAULT_MAX_GROUPS;
    OC_TRY(check_options(&options));
    /* The calling thread's own setting: whatever works in parallel below it heeds it. */
    const int before = omp_get_max_threads();
    if (options.work.threads > 0)
        omp_set_num_threads((int)options.work.threads);
    ocelotl_status status = OCELOTL_OK;
    if (options.type_level == OCELOTL_TYPE_LEVEL_AUTO)
        status = choose_type_level(trace, &options);
    if (status == OCELOTL_OK)
        status = make_model(model, trace, &options);
    omp_set_num_threads(before);
    return status;
}
