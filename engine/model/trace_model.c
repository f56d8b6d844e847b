/* Models of traces: which states, which resources, how many slices. */
#include "model/trace_model.h"
#include "base/cost.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "model/state_duration.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* By default nobody waits longer than this for a picture. */
static const double patience_seconds = 4;

static ocelotl_status check_options(const ocelotl_model_options *options)
{
    if (options->kind != OCELOTL_SPATIOTEMPORAL && options->kind != OCELOTL_TEMPORAL &&
        options->kind != OCELOTL_SPATIAL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "kind is %d, expected spatiotemporal, temporal or spatial",
                       (int)options->kind);
    if (options->nesting != OCELOTL_INNERMOST && options->nesting != OCELOTL_INCLUSIVE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "nesting is %d, expected innermost or inclusive",
                       (int)options->nesting);
    if (options->untraced != OCELOTL_UNTRACED_TYPE && options->untraced != OCELOTL_UNTRACED_IGNORE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "untraced is %d, expected type or ignore", (int)options->untraced);
    return OCELOTL_OK;
}

static ocelotl_status fail_without_states(const ocelotl_trace *trace)
{
    static const char *const names[] = {"event", "state", "variable change", "link"};
    uint64_t counts[4] = {0};
    oc_text held = {0};
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        counts[trace->event_types[e].category] += trace->event_types[e].count;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        if (counts[c] > 0)
            oc_text_format(&held, "%s%" PRIu64 " %s%s", held.length > 0 ? ", " : "", counts[c], names[c],
                           counts[c] == 1 ? "" : "s");
    const ocelotl_status status = oc_fail(
        OCELOTL_ERROR_INPUT, "%s: holds no state, which is what is drawn; it holds %s%s%" PRIu32 " resource%s",
        trace->path, held.length > 0 ? held.bytes : "", held.length > 0 ? " and " : "", trace->resource_count,
        trace->resource_count == 1 ? "" : "s");
    oc_text_free(&held);
    return status;
}

static ocelotl_status fail_unknown_type(const ocelotl_trace *trace, const char *name)
{
    oc_text known = {0};
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (trace->event_types[e].category == OCELOTL_STATE && trace->event_types[e].count > 0)
            oc_text_format(&known, "%s\"%s\"", known.length > 0 ? ", " : "", trace->event_types[e].name);
    const ocelotl_status status = oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no states of a type \"%s\", expected %s",
                                          trace->path, name, known.length > 0 ? known.bytes : "states");
    oc_text_free(&known);
    return status;
}

/* The state type with this name, or the one with most time; of equals the first. */
static ocelotl_status choose_state_type(uint32_t *chosen, const ocelotl_trace *trace, const char *name)
{
    double *time = NULL;
    OC_TRY(oc_allocate(&time, trace->event_type_count, sizeof *time));
    for (uint32_t v = 0; v < trace->value_count; v++)
        time[trace->values[v].event_type] += (double)trace->values[v].innermost_ticks;
    *chosen = OCELOTL_NONE;
    bool any = false;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        const ocelotl_event_type *type = &trace->event_types[e];
        if (type->category != OCELOTL_STATE || type->count == 0)
            continue;
        any = true;
        if (name != NULL && strcmp(type->name, name) != 0)
            continue;
        if (*chosen == OCELOTL_NONE || time[e] > time[*chosen])
            *chosen = e;
    }
    free(time);
    if (!any)
        return fail_without_states(trace);
    return *chosen == OCELOTL_NONE ? fail_unknown_type(trace, name) : OCELOTL_OK;
}

static ocelotl_status list_streams(uint32_t **streams, uint32_t *count, const ocelotl_trace *trace,
                                   uint32_t event_type)
{
    uint32_t *stream_of = NULL; /* by resource: a damaged file may name a resource twice */
    OC_TRY(oc_allocate(&stream_of, trace->resource_count, sizeof *stream_of));
    ocelotl_status status = oc_allocate(streams, trace->stream_count, sizeof **streams);
    for (uint32_t s = 0; s < trace->stream_count && status == OCELOTL_OK; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (stream->event_type != event_type || stream->count == 0)
            continue;
        if (stream_of[stream->resource]++ > 0)
            status = oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: a stream twice", trace->path);
        else
            (*streams)[(*count)++] = s;
    }
    free(stream_of);
    if (status == OCELOTL_OK && *count == 0)
        status = oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: states without a stream", trace->path);
    return status;
}

/* Bytes of the model, where a leaf has some cell in each slice, and of its aggregation. */
static uint64_t memory_needed(const oc_tree *tree, ocelotl_kind kind, uint32_t slices)
{
    const uint64_t cells = (uint64_t)tree->leaf_count[0] * slices;
    const uint64_t cell =
        2 * (sizeof(uint32_t) + sizeof(double)); /* once in the leaf's thread, once in the model */
    const oc_request_size size = {kind, tree->node_count, tree->node_count - tree->leaf_count[0], slices,
                                  oc_processor_count()};
    const uint64_t solve = oc_cost_memory(&size, 1);
    uint64_t bytes;
    if (__builtin_mul_overflow(cells, cell, &bytes) || __builtin_add_overflow(bytes, solve, &bytes))
        return UINT64_MAX;
    return bytes;
}

static ocelotl_status check_wanted(const ocelotl_trace *trace, const oc_tree *tree, uint64_t length,
                                   const ocelotl_model_options *options)
{
    if (options->slices > length)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: %" PRIu32 " slices of %" PRIu64 " ticks, expected at most one a tick", trace->path,
                       options->slices, length);
    const uint64_t needed = memory_needed(tree, options->kind, options->slices);
    const uint64_t budget = oc_memory_budget();
    if (needed > budget)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: %" PRIu32 " slices would need about %" PRIu64 " MiB of memory, and %" PRIu64
                       " MiB may be used; use fewer slices",
                       trace->path, options->slices, needed >> 20, budget >> 20);
    return OCELOTL_OK;
}

/* The default, or what ticks, memory and patience allow, with the reason. */
static uint32_t default_slices(const char **reason, const oc_matrix *matrix, uint64_t length, ocelotl_kind kind)
{
    const uint32_t nodes = kind == OCELOTL_TEMPORAL ? matrix->tree.leaf_count[0] : matrix->tree.node_count;
    const uint64_t budget = oc_memory_budget();
    uint32_t slices = OCELOTL_DEFAULT_SLICES;
    if (slices > length) {
        slices = (uint32_t)length;
        *reason = "the window has no more ticks";
    }
    while (slices > 2 && memory_needed(&matrix->tree, kind, slices) > budget) {
        slices -= slices / 10 + 1;
        *reason = "more would not fit in memory";
    }
    while (slices > 20 && oc_cost_seconds(kind, nodes, matrix->type_count, slices) > patience_seconds) {
        slices -= slices / 10 + 1;
        *reason = "more would take longer than a few seconds";
    }
    return slices;
}

/* As many slices as asked for, or refused; else the default. */
static ocelotl_status choose_slices(ocelotl_model *model, uint32_t *slices, const ocelotl_trace *trace,
                                    uint64_t length, const ocelotl_model_options *options)
{
    const char *reason = "";
    model->slices_wanted = options->slices > 0 ? options->slices : OCELOTL_DEFAULT_SLICES;
    *slices = options->slices;
    if (options->slices > 0)
        OC_TRY(check_wanted(trace, &model->matrix.tree, length, options));
    else
        *slices = default_slices(&reason, &model->matrix, length, options->kind);
    return oc_copy_text(&model->slices_reason, reason);
}

static ocelotl_status describe(ocelotl_model *model, const ocelotl_trace *trace, const oc_window *window,
                               uint32_t event_type, const ocelotl_model_options *options)
{
    OC_TRY(oc_copy_text(&model->name, trace->info.name));
    OC_TRY(oc_copy_text(&model->uid, trace->info.uid));
    OC_TRY(oc_copy_text(&model->state_type, trace->event_types[event_type].name));
    model->has_time = true;
    model->nesting = options->nesting;
    model->untraced = options->untraced;
    model->begin = ocelotl_trace_seconds(trace, window->begin);
    model->end = ocelotl_trace_seconds(trace, window->end);
    return OCELOTL_OK;
}

static int64_t within(int64_t time, const oc_window *window)
{
    if (time < window->begin)
        return window->begin;
    return time > window->end ? window->end : time;
}

/* Only leaves have a life of their own; what is above them is there all the time. Slices are lived in whole. */
static void set_lifetimes(ocelotl_model *model, const ocelotl_trace *trace, const oc_trace_tree *tree,
                          const oc_slicing *slicing, const oc_window *window)
{
    for (uint32_t leaf = 0; leaf < model->matrix.tree.leaf_count[0]; leaf++) {
        const ocelotl_resource *resource = &trace->resources[trace->streams[tree->streams[leaf]].resource];
        oc_model_node *node = &model->nodes[tree->leaf_nodes[leaf]];
        uint32_t first;
        uint32_t last;
        oc_slicing_touched(&first, &last, slicing, within(resource->begin, window), within(resource->end, window));
        node->begin = first;
        node->end = last;
    }
}

static ocelotl_status fill(ocelotl_model *model, ocelotl_trace *trace, const oc_trace_tree *tree,
                           const oc_window *window, const oc_state_duration *metric,
                           const ocelotl_model_options *options)
{
    uint32_t *type_of_value = NULL;
    oc_slicing slicing = {.begin = window->begin, .length = (uint64_t)window->end - (uint64_t)window->begin};
    OC_TRY(oc_allocate(&type_of_value, trace->value_count, sizeof *type_of_value));
    ocelotl_status status = oc_state_duration_types(model, type_of_value, trace, metric);
    if (status == OCELOTL_OK)
        status = choose_slices(model, &slicing.slices, trace, slicing.length, options);
    if (status == OCELOTL_OK)
        status = oc_state_duration_fill(model, trace, tree, type_of_value, &slicing, metric);
    free(type_of_value);
    if (status == OCELOTL_OK)
        set_lifetimes(model, trace, tree, &slicing, window);
    return status;
}

static ocelotl_status build(ocelotl_model **model, ocelotl_trace *trace, const uint32_t *streams, uint32_t count,
                            const oc_window *window, const oc_state_duration *metric,
                            const ocelotl_model_options *options)
{
    oc_trace_tree tree = {0};
    ocelotl_model *made = NULL;
    OC_TRY(oc_trace_tree_begin(&made, &tree, trace, streams, count));
    ocelotl_status status = describe(made, trace, window, metric->event_type, options);
    if (status == OCELOTL_OK)
        status = fill(made, trace, &tree, window, metric, options);
    oc_trace_tree_free(&tree);
    if (status != OCELOTL_OK) {
        ocelotl_model_free(made);
        return status;
    }
    *model = made;
    return OCELOTL_OK;
}

/* The window asked for, or the whole trace. */
static ocelotl_status choose_window(oc_window *chosen, const ocelotl_trace *trace, const oc_window *window)
{
    const ocelotl_trace_info *info = &trace->info;
    *chosen = (oc_window){info->begin, info->end};
    if (info->begin == info->end)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: begins and ends in the same instant, expected a trace that lasts",
                       trace->path);
    if (window == NULL)
        return OCELOTL_OK;
    if (window->begin >= window->end || window->begin < info->begin || window->end > info->end)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: a window from tick %" PRId64 " to %" PRId64 ", expected one that lasts, within %" PRId64
                       " to %" PRId64,
                       trace->path, window->begin, window->end, info->begin, info->end);
    *chosen = *window;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_model_from_trace(ocelotl_model **model, ocelotl_trace *trace,
                                        const ocelotl_model_options *options)
{
    return oc_model_of_window(model, trace, NULL, options);
}

ocelotl_status oc_model_of_window(ocelotl_model **model, ocelotl_trace *trace, const oc_window *window,
                                  const ocelotl_model_options *given)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    oc_state_duration metric = {0};
    oc_window chosen;
    uint32_t *streams = NULL;
    uint32_t count = 0;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    OC_TRY(check_options(&options));
    metric.nesting = options.nesting;
    metric.untraced = options.untraced;
    OC_TRY(choose_state_type(&metric.event_type, trace, options.state_type));
    OC_TRY(choose_window(&chosen, trace, window));
    ocelotl_status status = list_streams(&streams, &count, trace, metric.event_type);
    if (status == OCELOTL_OK)
        status = build(model, trace, streams, count, &chosen, &metric, &options);
    free(streams);
    return status;
}
