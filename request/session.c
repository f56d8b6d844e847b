#include "request/session.h"

#include "base/memory.h"
#include "base/options.h"
#include "request/answers.h"
#include "request/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Opening and closing */

static ocelotl_status copy_reading(oc_reading *reading, const ocelotl_request *request)
{
    reading->lenient = request->lenient;
    reading->no_cache = request->no_cache;
    return request->time_unit != NULL ? oc_copy_text(&reading->time_unit, request->time_unit)
                                      : OCELOTL_OK;
}

static ocelotl_status begin(ocelotl_session *session, const char *path,
                            const ocelotl_request *request)
{
    OC_TRY(oc_copy_text(&session->path, path));
    session->label = strcmp(path, "-") == 0 ? "standard input" : session->path;
    OC_TRY(copy_reading(&session->reading, request));
    return oc_session_find(session);
}

ocelotl_status ocelotl_session_open(ocelotl_session **session, const char *path,
                                    const ocelotl_request *request,
                                    const ocelotl_session_options *options)
{
    ocelotl_session *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->held = -1;
    made->options = (ocelotl_session_options)OCELOTL_SESSION_OPTIONS_INIT;
    ocelotl_status status = oc_read_options(&made->options, sizeof made->options, options);
    if (status == OCELOTL_OK)
        status = begin(made, path, request);
    if (status == OCELOTL_OK)
        *session = made;
    else
        ocelotl_session_free(made);
    return status;
}

/* Whatever it is asked for, the model is this one. */
ocelotl_status ocelotl_session_of_model(ocelotl_session **session, ocelotl_model *model,
                                        const ocelotl_session_options *options)
{
    ocelotl_session *made = NULL;
    ocelotl_status status = oc_allocate(&made, 1, sizeof *made);
    if (status == OCELOTL_OK) {
        made->held = -1;
        made->label = "";
        made->given = model;
        made->options = (ocelotl_session_options)OCELOTL_SESSION_OPTIONS_INIT;
        status = oc_read_options(&made->options, sizeof made->options, options);
    } else {
        ocelotl_model_free(model);
    }
    if (status == OCELOTL_OK)
        *session = made;
    else
        ocelotl_session_free(made);
    return status;
}

void oc_session_forget(ocelotl_session *session)
{
    for (size_t i = 0; i < OCELOTL_SESSION_MODELS; i++)
        oc_view_free(&session->views[i]);
    oc_place_free(&session->place);
    free(session->place_key);
    session->place_key = NULL;
    ocelotl_model_free(session->given);
    session->given = NULL;
    ocelotl_trace_free(session->trace);
    session->trace = NULL;
    free(session->database);
    session->database = NULL;
    if (session->held >= 0)
        close(session->held);
    session->held = -1;
    session->imported = false;
}

void ocelotl_session_free(ocelotl_session *session)
{
    if (session == NULL)
        return;
    oc_session_forget(session);
    oc_session_remove_folder(session);
    free(session->reading.time_unit);
    free(session->path);
    free(session);
}

/* --- What is damaged in the cache */

/* The message of the failure that led here is kept. */
bool ocelotl_session_is_damaged(const ocelotl_session *session)
{
    ocelotl_verification *verification = NULL;
    oc_text message = {0};
    if (!session->imported || session->mending)
        return false;
    oc_text_add(&message, ocelotl_error_message());
    const ocelotl_status status =
        ocelotl_session_verify(&verification, session->database, &session->options);
    const bool damaged =
        status == OCELOTL_ERROR_INPUT ||
        (status == OCELOTL_OK && ocelotl_verification_info_of(verification).damages > 0);
    ocelotl_verification_free(verification);
    if (!message.failed)
        ocelotl_fail(OCELOTL_ERROR_INPUT, message.bytes);
    oc_text_free(&message);
    return damaged;
}

ocelotl_status ocelotl_session_renew(ocelotl_session *session)
{
    session->mending = true; /* once */
    if (unlink(session->database) != 0 && errno != ENOENT)
        return oc_fail(OCELOTL_ERROR_IO, "%s: is damaged, and cannot be removed: %s",
                       session->database, strerror(errno));
    oc_session_forget(session);
    return oc_session_find(session);
}

/* --- What there is */

ocelotl_status ocelotl_session_trace(ocelotl_trace **trace, ocelotl_session *session)
{
    *trace = session->trace;
    return session->trace != NULL
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "%s: is a microscopic model, expected a trace",
                         session->label);
}

ocelotl_status ocelotl_session_model(const ocelotl_model **model, ocelotl_session *session,
                                     const ocelotl_request *request)
{
    oc_view *view = NULL;
    OC_TRY(oc_session_look(&view, session, request));
    *model = view->model;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_session_aggregation(const ocelotl_aggregation **aggregation,
                                           ocelotl_session *session, const ocelotl_request *request)
{
    oc_view *view = NULL;
    OC_TRY(oc_session_look(&view, session, request));
    OC_TRY(oc_view_measure(view, session, request->threads));
    *aggregation = view->aggregation;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_session_partition(ocelotl_partition **partition, ocelotl_session *session,
                                         const ocelotl_request *request)
{
    oc_view *view = NULL;
    OC_TRY(oc_session_look(&view, session, request));
    OC_TRY(oc_view_measure(view, session, request->threads));
    return oc_view_solve(partition, session, view, &request->detail);
}

ocelotl_status ocelotl_session_levels(ocelotl_levels **levels, ocelotl_session *session,
                                      const ocelotl_request *request)
{
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    OC_TRY(ocelotl_session_aggregation(&aggregation, session, request));
    if (request->all) {
        options.max_levels = SIZE_MAX;
        options.max_solves = UINT64_MAX;
    }
    options.work.progress = session->options.progress;
    options.work.context = session->options.context;
    oc_session_begin(session, OCELOTL_STEP_FINDING_LEVELS);
    const ocelotl_status status = ocelotl_levels_find(levels, aggregation, &options);
    oc_session_end(session);
    return status;
}

char *ocelotl_session_find_answer(ocelotl_session *session, const ocelotl_request *request,
                                  const char *question)
{
    oc_view *view = NULL;
    return oc_session_look(&view, session, request) == OCELOTL_OK
               ? oc_answer_find(session, view, question)
               : NULL;
}

void ocelotl_session_keep_answer(ocelotl_session *session, const ocelotl_request *request,
                                 const char *question, const char *text, size_t length)
{
    oc_view *view = NULL;
    if (oc_session_look(&view, session, request) == OCELOTL_OK)
        oc_answer_keep(session, view, question, text, length);
}

/* --- What is asked of events */

ocelotl_status ocelotl_session_selection(ocelotl_selection *selection, ocelotl_session *session,
                                         const ocelotl_request *request, ocelotl_interval_ends ends)
{
    OC_TRY(oc_session_place(session, request));
    const oc_place *place = &session->place;
    OC_TRY(oc_select(selection, request, place, session->trace));
    return ocelotl_interval_ticks(&selection->from, &selection->to,
                                  place->narrowed ? &place->window : &request->window,
                                  session->trace, ends);
}

ocelotl_status ocelotl_session_explain(ocelotl_status status, const ocelotl_session *session,
                                       const ocelotl_request *request)
{
    return oc_explain(status, session, request, session->place.narrowed && request->zoom_count > 0);
}
