/* What stands out in what is selected, and what is chosen for its first picture. */
#include "request/session.h"

#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "request/first/first.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool has_states(const ocelotl_trace *trace)
{
    bool has = false;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace) && !has; i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        has = type.category == OCELOTL_STATE && type.count > 0;
    }
    return has;
}

/* Of several types of states that are in different resources the first picture has some. */
static ocelotl_status choose_states(ocelotl_model_options *options, ocelotl_session *session)
{
    const ocelotl_request first = {.command = "info", .model = OCELOTL_MODEL_OPTIONS_INIT};
    ocelotl_model_options chosen = *options;
    oc_text what = {0};
    const ocelotl_status status =
        oc_choose_subject(&what, &(oc_choosing){session, &first, &chosen});
    oc_text_free(&what);
    options->state_types = chosen.state_types;
    return status;
}

/* Explains what is selected, whatever else a request asks of a model. */
ocelotl_status oc_session_explain_selected(oc_found_explained *found, ocelotl_session *session,
                                           const ocelotl_selection *selected,
                                           const ocelotl_work *work)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.selection = *selected;
    options.work = *work;
    options.where_elsewhere = true;
    options.kind = OCELOTL_SPATIOTEMPORAL;
    options.hierarchy.bare = true;
    ocelotl_metric metric = {.name = "state-duration"};
    if (has_states(session->trace))
        OC_TRY(choose_states(&options, session));
    else
        OC_TRY(ocelotl_metric_find(&metric, session->trace, NULL));
    options.cells.metric = metric.name;
    options.types.max_types = UINT32_MAX;
    oc_session_begin_reading(&options.work, session);
    ocelotl_status status = ocelotl_model_from_trace(&found->model, session->trace, &options);
    if (status == OCELOTL_OK)
        status = oc_explain_trace(&found->is, session->trace, found->model, &options.work);
    oc_session_end(session);
    return status;
}

void oc_found_explained_free(oc_found_explained *found)
{
    oc_explained_free(found->is);
    ocelotl_model_free(found->model);
}

/* --- The first sentence */

static void add_names(oc_text *key, const ocelotl_names *names)
{
    oc_text_format(key, "\n%zu", names->count);
    for (size_t i = 0; i < names->count; i++)
        oc_text_format(key, " %zu %s", strlen(names->names[i]), names->names[i]);
}

/* Nothing is said of what cannot be explained. */
static ocelotl_status say_first(oc_text *text, ocelotl_session *session,
                                const ocelotl_selection *selected, const ocelotl_work *work)
{
    oc_found_explained found = {NULL, NULL};
    const ocelotl_status status = oc_session_explain_selected(&found, session, selected, work);
    oc_text_append(text, "", 0);
    if (status == OCELOTL_OK && found.is->finding_count > 0)
        oc_say_finding(text, found.is, &found.is->findings[0]);
    else if (status == OCELOTL_OK)
        oc_say_whole(text, found.is);
    oc_text_add(text, status == OCELOTL_OK ? "." : "");
    oc_found_explained_free(&found);
    return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_CANCELLED ? status
           : text->failed                                                      ? oc_fail_memory()
                                                                               : OCELOTL_OK;
}

/* Without work it is only looked up. */
static ocelotl_status find_sentence(char **sentence, ocelotl_session *session,
                                    const ocelotl_selection *selected, const ocelotl_work *work)
{
    oc_text question = {0};
    oc_text text = {0};
    ocelotl_status status = OCELOTL_OK;
    const ocelotl_names *const all[] = {&selected->resources,        &selected->only,
                                        &selected->except,           &selected->only_resources,
                                        &selected->except_resources, &selected->where};
    oc_text_format(&question, "explained %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
                   selected->from, selected->to, selected->min_duration, selected->max_duration);
    for (size_t i = 0; i < OC_COUNT_OF(all); i++)
        add_names(&question, all[i]);
    *sentence = question.failed ? NULL : oc_answer_find(session, NULL, question.bytes);
    if (*sentence == NULL && work != NULL) {
        status = question.failed ? oc_fail_memory() : say_first(&text, session, selected, work);
        if (status == OCELOTL_OK) {
            oc_answer_keep(session, NULL, question.bytes, text.bytes, text.length);
            *sentence = text.bytes;
            text = (oc_text){0};
        }
    }
    if (*sentence != NULL && **sentence == '\0') {
        free(*sentence);
        *sentence = NULL;
    }
    oc_text_free(&question);
    oc_text_free(&text);
    return status;
}

ocelotl_status ocelotl_session_explained(char **sentence, ocelotl_session *session,
                                         const ocelotl_request *request)
{
    ocelotl_selection selected;
    *sentence = NULL;
    if (session->trace == NULL || oc_count_events(session->trace) > OCELOTL_EXPLAINED_MOST)
        return OCELOTL_OK;
    OC_TRY(oc_session_selection(&selected, session, request, OC_ENDS_HALF_OPEN));
    return find_sentence(sentence, session, &selected, &request->model.work);
}

/* --- What the first picture chooses */

ocelotl_status ocelotl_session_choices(const char **choices, ocelotl_session *session)
{
    const ocelotl_request first = {.command = "info", .model = OCELOTL_MODEL_OPTIONS_INIT};
    const oc_focus whole = {.narrowed = false};
    ocelotl_model_options options = first.model;
    oc_text text = {0};
    *choices = NULL;
    if (session->trace == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_apply_selection(&options, &first, &whole, session->trace));
    oc_text_append(&text, "", 0);
    ocelotl_status status = oc_choose_first(&text, &options, session, &first, &whole);
    char *sentence = NULL;
    ocelotl_selection *selected = &options.selection;
    if (status == OCELOTL_OK)
        status = oc_interval_ticks(&selected->from, &selected->to, &first.window, session->trace,
                                   OC_ENDS_HALF_OPEN);
    if (status == OCELOTL_OK)
        status = find_sentence(&sentence, session, selected, NULL);
    if (sentence != NULL)
        oc_text_format(&text, "%sexplained: %s", text.length > 0 ? "\n" : "", sentence);
    free(sentence);
    if (status != OCELOTL_OK || text.failed) {
        oc_text_free(&text);
        return status == OCELOTL_ERROR_MEMORY || status == OCELOTL_ERROR_CANCELLED ? status
                                                                                   : OCELOTL_OK;
    }
    free(session->choices);
    *choices = session->choices = text.bytes;
    return OCELOTL_OK;
}
