#include "request/session.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "request/cache/cache.h"
#include "request/options/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Opening and closing */

/* The texts of the request live as long as it does, which may be less than the session. */
static ocelotl_status copy_reading(oc_reading *reading, const ocelotl_request *request)
{
    ocelotl_import_options *import = &reading->import;
    const char **const texts[] = {&import->time_unit, &import->columns, &import->fold_names,
                                  &import->pairs};
    reading->no_cache = request->no_cache;
    ocelotl_request_import_options(import, request);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (*texts[i] == NULL)
            continue;
        OC_TRY(oc_copy_text(&reading->texts[i], *texts[i]));
        *texts[i] = reading->texts[i];
    }
    OC_TRY(oc_copy_names(&reading->lists[0], &import->counters));
    OC_TRY(oc_copy_names(&reading->lists[1], &import->increments));
    import->counters.names = reading->lists[0];
    import->increments.names = reading->lists[1];
    return OCELOTL_OK;
}

/* What looks like a word and is no file is a word that is not known. */
static ocelotl_status check_hierarchy(const char *file)
{
    return file == NULL || strpbrk(file, "./") != NULL || access(file, F_OK) == 0 || errno != ENOENT
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--hierarchy is \"%s\", which is no file here, expected auto (by "
                         "behaviour), role, trace, or a CSV file",
                         file);
}

static ocelotl_status begin(ocelotl_session *session, const char *path,
                            const ocelotl_request *request)
{
    OC_TRY(check_hierarchy(request->model.hierarchy.file));
    OC_TRY(oc_copy_text(&session->path, path));
    session->label = strcmp(path, "-") == 0 ? "standard input" : session->path;
    session->reading.import = (ocelotl_import_options)OCELOTL_IMPORT_OPTIONS_INIT;
    OC_TRY(copy_reading(&session->reading, request));
    OC_TRY(oc_session_find(session, request));
    const char *option = oc_first_given(request, OC_OF_IMPORT);
    if (option != NULL && session->kind == OCELOTL_FILE_TRACE_DB)
        oc_session_say(session, "%s was imported before: --%s changes nothing, give it to import",
                       session->label, option);
    return OCELOTL_OK;
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
    if (made->options.memory == OCELOTL_MEMORY_QUARTER)
        made->options.memory = oc_memory_budget(0) / 3; /* that is three quarters */
    if (status == OCELOTL_OK)
        status = begin(made, path, request);
    if (status == OCELOTL_OK)
        *session = made;
    else
        ocelotl_session_free(made);
    return status;
}

/* Whatever it is asked for first, the model is this one. */
ocelotl_status oc_session_of_model(ocelotl_session **session, ocelotl_model *model,
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

static void forget_choice(oc_choice_kept *kept)
{
    free(kept->key);
    free(kept->text);
    *kept = (oc_choice_kept){NULL, NULL};
}

void oc_session_forget(ocelotl_session *session)
{
    ocelotl_session_free(session->second);
    session->second = NULL;
    for (size_t i = 0; i < OC_SESSION_VIEWS; i++)
        oc_view_free(&session->views[i]);
    oc_focus_free(&session->place);
    free(session->place_key);
    session->place_key = NULL;
    free(session->level_key);
    session->level_key = NULL;
    session->has_activity = false;
    oc_activity_free(&session->activity);
    forget_choice(&session->subject);
    forget_choice(&session->tree);
    forget_choice(&session->types);
    forget_choice(&session->slices);
    forget_choice(&session->steps);
    free(session->type_groups);
    free(session->choices);
    session->type_groups = NULL;
    session->choices = NULL;
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
    for (size_t i = 0; i < sizeof session->reading.texts / sizeof session->reading.texts[0]; i++)
        free(session->reading.texts[i]);
    free((void *)session->reading.lists[0]);
    free((void *)session->reading.lists[1]);
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
    for (size_t i = 0; i < OC_SESSION_VIEWS && session->options.forget != NULL; i++)
        if (session->views[i].model != NULL)
            session->options.forget(session->options.context, session->views[i].model);
    oc_session_forget(session);
    return oc_session_find(session, NULL);
}

/* --- Contents */

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
    OC_TRY(oc_view_measure(view, session, request));
    *aggregation = view->aggregation;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_session_keep(ocelotl_measured **measured, ocelotl_session *session,
                                    const ocelotl_request *request)
{
    oc_view *view = NULL;
    OC_TRY(oc_session_look(&view, session, request));
    OC_TRY(oc_view_measure(view, session, request));
    return oc_view_keep(measured, view);
}

/* A treemap may have a part of each resource of a type or at a depth, whatever p says. */
ocelotl_status ocelotl_session_partition(ocelotl_partition **partition, ocelotl_session *session,
                                         const ocelotl_request *request)
{
    const bool treemap = oc_request_command(request) == OC_TREEMAP;
    oc_view *view = NULL;
    OC_TRY(oc_session_look(&view, session, request));
    OC_TRY(oc_view_measure(view, session, request));
    if (treemap && request->at != NULL)
        return ocelotl_partition_at_type(partition, view->aggregation, request->at);
    if (treemap && ocelotl_request_get(request, "depth") != NULL)
        return ocelotl_partition_at_depth(partition, view->aggregation, request->depth);
    return oc_view_solve(partition, session, view, &request->detail, request->view.plain);
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
        options.whole = true;
    }
    options.knee = request->view.plain;
    options.work.progress = session->options.progress;
    options.work.context = session->options.context;
    oc_session_begin(session, OCELOTL_STEP_FINDING_LEVELS);
    const ocelotl_status status = ocelotl_levels_find(levels, aggregation, &options);
    oc_session_end(session);
    return status;
}

char *oc_session_find_answer(ocelotl_session *session, const ocelotl_request *request,
                             const char *question)
{
    oc_view *view = NULL;
    return oc_session_look(&view, session, request) == OCELOTL_OK
               ? oc_answer_find(session, view, question)
               : NULL;
}

void oc_session_keep_answer(ocelotl_session *session, const ocelotl_request *request,
                            const char *question, const char *text, size_t length)
{
    oc_view *view = NULL;
    if (oc_session_look(&view, session, request) == OCELOTL_OK)
        oc_answer_keep(session, view, question, text, length);
}

/* --- What is asked of events */

ocelotl_status oc_session_selection(ocelotl_selection *selection, ocelotl_session *session,
                                    const ocelotl_request *request, oc_interval_ends ends)
{
    ocelotl_trace *trace = NULL;
    OC_TRY(ocelotl_session_trace(&trace, session));
    OC_TRY(oc_session_place(session, request));
    const oc_focus *place = &session->place;
    OC_TRY(oc_select(selection, request, place, trace));
    return oc_interval_ticks(&selection->from, &selection->to,
                             place->narrowed ? &place->window : &request->window, trace, ends);
}

ocelotl_status oc_session_explain(ocelotl_status status, const ocelotl_session *session,
                                  const ocelotl_request *request)
{
    return oc_explain(status, session, request, session->place.narrowed && request->zoom_count > 0);
}

/* --- Events: read, added up, drawn, or as derived series */

ocelotl_status oc_check_found(ocelotl_status status, bool empty, const ocelotl_session *session,
                              const ocelotl_request *request)
{
    if (status == OCELOTL_OK && empty && oc_request_hides(request))
        status = OCELOTL_ERROR_EMPTY;
    if (status != OCELOTL_OK)
        return oc_session_explain(status, session, request);
    return oc_say_unit(session, request);
}

/* --- Events */

/* Whether any event that is asked for is in the window. */
static ocelotl_status find_any(bool *any, ocelotl_trace *trace,
                               const ocelotl_events_options *options)
{
    ocelotl_events *events = NULL;
    ocelotl_event event;
    OC_TRY(ocelotl_events_open(&events, trace, options));
    const ocelotl_status status = ocelotl_events_next(any, &event, events);
    ocelotl_events_free(events);
    return status;
}

/* Whether an export sorts events itself, and wants them as they are. */
static bool sorts_itself(const ocelotl_request *request)
{
    const char *format = request->format;
    return format != NULL && (strcmp(format, "chrome") == 0 || strcmp(format, "perfetto") == 0 ||
                              strcmp(format, "paje") == 0 || strcmp(format, "picl") == 0 ||
                              strcmp(format, "picl1") == 0);
}

/* Whether lines come back as lines: their times are rounded, so several changes of a variable may
 * be at one instant. */
static bool is_lines_again(const ocelotl_session *session, const ocelotl_request *request)
{
    return request->format != NULL && strcmp(request->format, "pjdump") == 0 &&
           strcmp(ocelotl_trace_info_of(session->trace).format, "csv") == 0;
}

ocelotl_status ocelotl_session_events(ocelotl_events **events, ocelotl_selection *selection,
                                      ocelotl_session *session, const ocelotl_request *request)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    bool any = true;
    OC_TRY(oc_session_selection(selection, session, request, OC_ENDS_TOUCHING));
    options.selection = *selection;
    options.type = request->type;
    ocelotl_status status = OCELOTL_OK;
    if (oc_request_hides(request))
        status = find_any(&any, session->trace, &options);
    options.by_time = selection->resources.count > 1 && !sorts_itself(request);
    options.every_change = sorts_itself(request) || is_lines_again(session, request);
    if (session->options.watches_events) {
        options.work.progress = session->options.progress;
        options.work.context = session->options.context;
    }
    if (status == OCELOTL_OK && any)
        status = ocelotl_events_open(events, session->trace, &options);
    return oc_check_found(status, !any, session, request);
}

/* --- Statistics */

static bool has_nothing(const ocelotl_statistics *statistics)
{
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
        if (row.count > 0 || row.ended > 0 || row.inclusive > 0)
            return false;
    }
    return true;
}

ocelotl_status oc_session_statistics(ocelotl_statistics **statistics, ocelotl_session *session,
                                     const ocelotl_request *request)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    if (request->durations.count > 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--durations asks for histograms, not for totals");
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_AROUND));
    options.type = request->type;
    options.extremes = request->quantiles  ? OCELOTL_EXTREMES_QUANTILES
                       : request->extremes ? OCELOTL_EXTREMES_VALUES
                                           : OCELOTL_EXTREMES_AFFORDABLE;
    options.of = request->of;
    options.at = request->at;
    options.sort = request->column;
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_statistics_compute(statistics, session->trace, &options);
    oc_session_end(session);
    return oc_check_found(status, status == OCELOTL_OK && has_nothing(*statistics), session,
                          request);
}

/* --- Drawables */

void oc_drawables_fit(ocelotl_drawables_options *options, const ocelotl_picture_options *view)
{
    const double width = view->width > 0 ? view->width : 1280;
    options->width = width * 0.8;
    options->narrowest = view->smallest > 0 ? view->smallest : 2;
}

/* --- Derived series */

ocelotl_status oc_session_series(ocelotl_series **series, ocelotl_session *session,
                                 const ocelotl_request *request, bool watched)
{
    ocelotl_series_options options = {0};
    ocelotl_events_options probed = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_series *made = NULL;
    bool any = true;
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_HALF_OPEN));
    options.at = request->at;
    options.reduction = request->reduction;
    options.state_type = request->model.cells.state_type;
    options.nesting = request->model.cells.nesting;
    options.in_flight = request->in_flight;
    options.side = request->side;
    options.only_above = request->only_above;
    options.attribute = request->model.cells.attribute;
    options.work.threads = request->threads;
    if (request->window.from.text == NULL && request->window.to.text == NULL) {
        options.selection.from = INT64_MIN;
        options.selection.to = INT64_MAX;
    }
    if (watched) {
        options.work.progress = session->options.progress;
        options.work.context = session->options.context;
    }
    ocelotl_status status = ocelotl_series_open(&made, session->trace, &options);
    probed.selection = options.selection;
    if (status == OCELOTL_OK && oc_request_hides(request))
        status = find_any(&any, session->trace, &probed);
    status = oc_check_found(status, !any, session, request);
    if (status == OCELOTL_OK)
        *series = made;
    else
        ocelotl_series_free(made);
    return status;
}
