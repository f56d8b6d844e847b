/* What of a trace a request is about, in ticks, and what is said where nothing is left. */
#include "request/options/request.h"
#include "request/session.h"

#include <string.h>

static bool is_given(const ocelotl_interval *window)
{
    return window->from.text != NULL || window->to.text != NULL;
}

ocelotl_status oc_select(ocelotl_selection *selection, const ocelotl_request *request,
                         const oc_focus *place, const ocelotl_trace *trace)
{
    const ocelotl_duration *least = &request->min_duration;
    const ocelotl_duration *most = &request->max_duration;
    *selection = request->model.selection;
    if (place->narrowed)
        selection->resources = place->resources;
    if (least->text != NULL)
        selection->min_duration = ocelotl_trace_first_tick(trace, least->seconds);
    if (most->text != NULL)
        selection->max_duration = ocelotl_trace_last_tick(trace, most->seconds);
    if (least->text != NULL && most->text != NULL &&
        selection->min_duration > selection->max_duration)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--min-duration %s and --max-duration %s leave no duration between them",
                       least->text, most->text);
    /* 0 is no bound. */
    if (most->text != NULL && selection->max_duration == 0)
        selection->max_duration = -1;
    return OCELOTL_OK;
}

ocelotl_status oc_apply_selection(ocelotl_model_options *options, const ocelotl_request *request,
                                  const oc_focus *place, const ocelotl_trace *trace)
{
    const ocelotl_interval *window = place->narrowed ? &place->window : &request->window;
    OC_TRY(oc_select(&options->selection, request, place, trace));
    options->snap = request->model.snap && !place->narrowed;
    /* Of commands of events, a filter is of these as well. */
    options->where_elsewhere = (oc_request_command(request) & OC_OF_EVENTS) != 0;
    if (!is_given(window))
        return OCELOTL_OK;
    return oc_interval_ticks(&options->selection.from, &options->selection.to, window, trace,
                             OC_ENDS_HALF_OPEN);
}

/* --- Nothing left */

/* The options that chose, as they were given. */
typedef struct chosen {
    oc_text words;
    size_t count, total;
} chosen;

static void add(chosen *to, const char *option, const char *value)
{
    if (value == NULL)
        return;
    to->count++;
    const char *between = to->count == 1 ? "" : to->count == to->total ? " and " : ", ";
    oc_text_format(&to->words, "%s--%s '%s'", between, option, value);
}

static void add_names(chosen *to, const char *option, const ocelotl_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        add(to, option, names->names[i]);
}

static void add_filters(chosen *to, const ocelotl_request *request)
{
    const ocelotl_model_options *model = &request->model;
    const bool variables = ocelotl_request_get(request, "variable") != NULL;
    add(to, "type", request->type);
    add_names(to, variables ? "variable" : "only", &model->selection.only);
    add_names(to, "except", &model->selection.except);
    add_names(to, "only-resources", &model->selection.only_resources);
    add_names(to, "except-resources", &model->selection.except_resources);
    add(to, "min-duration", request->min_duration.text);
    add(to, "max-duration", request->max_duration.text);
    add_names(to, "where", &model->selection.where);
}

/* The window and the resources of a part were not given as such. */
static void add_all(chosen *to, const ocelotl_request *request, bool narrowed)
{
    add_filters(to, request);
    if (narrowed)
        return;
    add_names(to, "resource", &request->model.selection.resources);
    add(to, request->window.from.option, request->window.from.text);
    add(to, request->window.to.option, request->window.to.text);
}

bool oc_request_hides(const ocelotl_request *request)
{
    chosen filters = {.count = 0};
    add_filters(&filters, request);
    oc_text_free(&filters.words);
    return filters.count > 0;
}

static void add_unit(oc_text *text, const ocelotl_session *session, const ocelotl_request *request)
{
    if (request->min_duration.text == NULL || session->trace == NULL)
        return;
    const ocelotl_trace_info info = ocelotl_trace_info_of(session->trace);
    oc_suggest_unit(text, request->min_duration.text,
                    ocelotl_trace_seconds(session->trace, info.end - info.begin));
}

ocelotl_status oc_say_unit(const ocelotl_session *session, const ocelotl_request *request)
{
    oc_text text = {0};
    add_unit(&text, session, request);
    if (text.length > 0)
        oc_session_say(session, "%s", text.bytes);
    const bool failed = text.failed;
    oc_text_free(&text);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status oc_explain(ocelotl_status status, const ocelotl_session *session,
                          const ocelotl_request *request, bool narrowed)
{
    chosen counted = {.count = 0};
    if (status != OCELOTL_ERROR_EMPTY)
        return status;
    add_all(&counted, request, narrowed);
    oc_text_free(&counted.words);
    if (counted.count == 0)
        return status;
    chosen written = {.total = counted.count};
    add_all(&written, request, narrowed);
    oc_text_format(&written.words, " leave%s nothing to show", counted.count == 1 ? "s" : "");
    add_unit(&written.words, session, request);
    status = written.words.failed
                 ? oc_fail_memory()
                 : oc_fail(OCELOTL_ERROR_EMPTY, "%s: %s", session->label, written.words.bytes);
    oc_text_free(&written.words);
    return status;
}
