/* Models of traces: which states, which resources, how many slices. */
#include "model/trace_model.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "model/resource_choice.h"
#include "model/slice_count.h"
#include "model/state_duration.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* The stream of each resource with states of the type; OCELOTL_NONE without. */
static ocelotl_status list_streams(uint32_t *stream_of, bool *seen, const ocelotl_trace *trace, uint32_t event_type)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < trace->resource_count; r++)
        stream_of[r] = OCELOTL_NONE;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (stream->event_type != event_type || stream->count == 0)
            continue;
        if (seen[stream->resource])
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: a stream twice", trace->path);
        stream_of[stream->resource] = s;
        seen[stream->resource] = true;
        count++;
    }
    return count > 0 ? OCELOTL_OK
                     : oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: states without a stream", trace->path);
}

/* A model while it is made. */
typedef struct oc_making {
    ocelotl_trace *trace;
    const ocelotl_model_options *options;
    const oc_window *asked; /* NULL: that of the options */
    oc_window window;
    oc_state_duration metric;
    oc_catalogue catalogue;
    bool *chosen; /* by resource, see oc_choose_resources */
    bool *seen;
    uint32_t *stream_of; /* by resource */
    uint32_t *type_of_value;
    oc_trace_tree tree;
    ocelotl_model *model;
} oc_making;

static void free_making(oc_making *making)
{
    oc_trace_tree_free(&making->tree);
    oc_catalogue_free(&making->catalogue);
    free(making->chosen);
    free(making->seen);
    free(making->stream_of);
    free(making->type_of_value);
    ocelotl_model_free(making->model);
}

static ocelotl_status copy_resources(ocelotl_model *model, const ocelotl_names *resources)
{
    OC_TRY(oc_allocate(&model->resources, resources->count, sizeof *model->resources));
    while (model->resource_count < resources->count) {
        OC_TRY(oc_copy_utf8(&model->resources[model->resource_count], resources->names[model->resource_count]));
        model->resource_count++;
    }
    return OCELOTL_OK;
}

static ocelotl_status describe(ocelotl_model *model, const oc_making *making)
{
    const ocelotl_trace *trace = making->trace;
    OC_TRY(oc_copy_text(&model->name, trace->info.name));
    OC_TRY(oc_copy_text(&model->uid, trace->info.uid));
    OC_TRY(oc_copy_text(&model->state_type, trace->event_types[making->metric.event_type].name));
    OC_TRY(copy_resources(model, &making->options->resources));
    model->has_time = true;
    model->nesting = making->options->nesting;
    model->untraced = making->options->untraced;
    model->from = making->window.begin;
    model->to = making->window.end;
    model->begin = ocelotl_trace_seconds(trace, model->from);
    model->end = ocelotl_trace_seconds(trace, model->to);
    model->trace_begin = ocelotl_trace_seconds(trace, trace->info.begin);
    model->trace_end = ocelotl_trace_seconds(trace, trace->info.end);
    model->zoomed = model->from > trace->info.begin || model->to < trace->info.end;
    return OCELOTL_OK;
}

static int64_t within(int64_t time, const oc_window *window)
{
    if (time < window->begin)
        return window->begin;
    return time > window->end ? window->end : time;
}

/* Only leaves have a life of their own; what is above them is there all the time. Slices are lived in whole. */
static void set_lifetimes(const oc_making *making, const oc_slicing *slicing)
{
    ocelotl_model *model = making->model;
    for (uint32_t leaf = 0; leaf < model->matrix.tree.leaf_count[0]; leaf++) {
        const ocelotl_resource *resource = &making->trace->resources[making->tree.resources[leaf]];
        oc_model_node *node = &model->nodes[making->tree.leaf_nodes[leaf]];
        uint32_t first;
        uint32_t last;
        oc_slicing_touched(&first, &last, slicing, within(resource->begin, &making->window),
                           within(resource->end, &making->window));
        node->begin = first;
        node->end = last;
    }
}

static uint64_t length_of(const oc_window *window)
{
    return (uint64_t)window->end - (uint64_t)window->begin;
}

/* Widens the window to whole slices of the whole trace. */
static ocelotl_status snap(oc_making *making)
{
    const ocelotl_trace_info *info = &making->trace->info;
    const oc_window whole = {info->begin, info->end};
    oc_slice_count count;
    OC_TRY(oc_count_slices(&count, making->model, making->trace, length_of(&whole), making->options));
    const oc_slicing slicing = {whole.begin, length_of(&whole), count.slices};
    uint32_t first;
    uint32_t last;
    oc_slicing_touched(&first, &last, &slicing, making->window.begin, making->window.end);
    const oc_instant end = oc_slicing_boundary(&slicing, last);
    making->window.begin = oc_slicing_boundary(&slicing, first).ticks;
    making->window.end = end.ticks + (end.rest > 0);
    return OCELOTL_OK;
}

static ocelotl_status choose_slices(oc_making *making, oc_slicing *slicing)
{
    ocelotl_model *model = making->model;
    oc_slice_count count;
    *slicing = (oc_slicing){.begin = making->window.begin, .length = length_of(&making->window)};
    OC_TRY(oc_count_slices(&count, model, making->trace, slicing->length, making->options));
    slicing->slices = count.slices;
    model->slices_wanted = making->options->slices > 0 ? making->options->slices : OCELOTL_DEFAULT_SLICES;
    return oc_copy_text(&model->slices_reason, count.reason);
}

static ocelotl_status begin_tree(oc_making *making)
{
    const ocelotl_trace *trace = making->trace;
    OC_TRY(oc_catalogue_read(&making->catalogue, making->trace));
    OC_TRY(oc_choose_resources(&making->chosen, &making->catalogue, making->options));
    OC_TRY(oc_allocate(&making->seen, trace->resource_count, sizeof *making->seen));
    OC_TRY(oc_allocate(&making->stream_of, trace->resource_count, sizeof *making->stream_of));
    OC_TRY(list_streams(making->stream_of, making->seen, trace, making->metric.event_type));
    const oc_tree_request request = {&making->catalogue, making->seen, making->chosen};
    return oc_trace_tree_begin(&making->model, &making->tree, &request);
}

/* The window asked for, or the whole trace. */
static ocelotl_status choose_window(oc_making *making)
{
    const ocelotl_trace *trace = making->trace;
    const ocelotl_trace_info *info = &trace->info;
    const ocelotl_model_options *options = making->options;
    oc_window *window = &making->window;
    window->begin = options->from == INT64_MIN ? info->begin : options->from;
    window->end = options->to == INT64_MAX ? info->end : options->to;
    if (making->asked != NULL)
        *window = *making->asked;
    if (info->begin == info->end)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: begins and ends in the same instant, expected a trace that lasts",
                       trace->path);
    if (window->begin >= window->end || window->begin < info->begin || window->end > info->end)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: a window from tick %" PRId64 " to %" PRId64 ", expected one that lasts, within %" PRId64
                       " to %" PRId64,
                       trace->path, window->begin, window->end, info->begin, info->end);
    return OCELOTL_OK;
}

static ocelotl_status make(oc_making *making)
{
    oc_slicing slicing;
    OC_TRY(choose_state_type(&making->metric.event_type, making->trace, making->options->state_type));
    OC_TRY(choose_window(making));
    OC_TRY(begin_tree(making));
    OC_TRY(oc_allocate(&making->type_of_value, making->trace->value_count, sizeof *making->type_of_value));
    OC_TRY(oc_state_duration_types(making->model, making->type_of_value, making->trace, &making->metric));
    if (making->options->snap)
        OC_TRY(snap(making));
    OC_TRY(describe(making->model, making));
    OC_TRY(choose_slices(making, &slicing));
    OC_TRY(oc_state_duration_fill(making->model, making->trace, &making->tree, making->stream_of,
                                  making->type_of_value, &slicing, &making->metric));
    set_lifetimes(making, &slicing);
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
    oc_making making = {.trace = trace, .options = &options, .asked = window};
    OC_TRY(oc_read_options(&options, sizeof options, given));
    OC_TRY(check_options(&options));
    making.metric = (oc_state_duration){.nesting = options.nesting, .untraced = options.untraced};
    const ocelotl_status status = make(&making);
    if (status == OCELOTL_OK) {
        *model = making.model;
        making.model = NULL;
    }
    free_making(&making);
    return status;
}
