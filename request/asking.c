/* What of a trace's events a request asks for: read, added up, drawn, or as derived series. */
#include "request/request.h"
#include "request/session.h"

/* What fails to find anything, or hides all on purpose, says what was chosen. */
static ocelotl_status check_found(ocelotl_status status, bool empty, const ocelotl_session *session,
                                  const ocelotl_request *request)
{
    if (status == OCELOTL_OK && empty && ocelotl_request_hides(request))
        status = OCELOTL_ERROR_EMPTY;
    return ocelotl_session_explain(status, session, request);
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

/* What --from and --to mean of an overview, which a part is of. */
static void count_from_beginning(ocelotl_instant *instant)
{
    if (instant->text != NULL && instant->text[0] != '@')
        instant->base = OCELOTL_FROM_BEGINNING;
}

ocelotl_status ocelotl_session_events(ocelotl_events **events, ocelotl_selection *selection,
                                      ocelotl_session *session, const ocelotl_request *request)
{
    ocelotl_request asked = *request;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    bool any = true;
    if (request->zoom_count > 0) {
        count_from_beginning(&asked.window.from);
        count_from_beginning(&asked.window.to);
    }
    OC_TRY(ocelotl_session_selection(selection, session, &asked, OCELOTL_ENDS_TOUCHING));
    options.selection = *selection;
    options.type = request->type;
    ocelotl_status status = OCELOTL_OK;
    if (ocelotl_request_hides(request))
        status = find_any(&any, session->trace, &options);
    options.by_time = selection->resources.count > 1;
    if (status == OCELOTL_OK && any)
        status = ocelotl_events_open(events, session->trace, &options);
    return check_found(status, !any, session, request);
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

ocelotl_status ocelotl_session_statistics(ocelotl_statistics **statistics, ocelotl_session *session,
                                          const ocelotl_request *request)
{
    ocelotl_request asked = *request;
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    if (request->type_is_state && request->zoom_count > 0)
        asked.model.cells.state_type = request->type;
    OC_TRY(ocelotl_session_selection(&options.selection, session, &asked, OCELOTL_ENDS_AROUND));
    OC_TRY(ocelotl_request_check_type(request, session->trace));
    options.type = request->type;
    options.extremes = request->extremes ? OCELOTL_EXTREMES_VALUES : OCELOTL_EXTREMES_TYPES;
    options.work.progress = session->options.progress;
    options.work.context = session->options.context;
    oc_session_begin(session, OCELOTL_STEP_READING);
    const ocelotl_status status = ocelotl_statistics_compute(statistics, session->trace, &options);
    oc_session_end(session);
    return check_found(status, status == OCELOTL_OK && has_nothing(*statistics), session, request);
}

/* --- Drawables */

void ocelotl_drawables_fit(ocelotl_drawables_options *options, const ocelotl_picture_options *view)
{
    const double width = view->width > 0 ? view->width : 1280;
    options->width = width * 0.8;
    options->narrowest = view->smallest > 0 ? view->smallest : 2;
}

static bool draws_nothing(const ocelotl_drawables *drawables)
{
    for (uint32_t row = 0; row < ocelotl_drawables_row_count(drawables); row++)
        if (ocelotl_drawables_row_at(drawables, row).objects > 0)
            return false;
    return ocelotl_drawables_link_count(drawables) == 0;
}

ocelotl_status ocelotl_session_drawables(ocelotl_drawables **drawables, ocelotl_session *session,
                                         const ocelotl_request *request)
{
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    OC_TRY(ocelotl_session_selection(&options.selection, session, request, OCELOTL_ENDS_HALF_OPEN));
    options.type = request->type;
    options.max_links = request->max_links;
    options.without_links = request->max_links == 0;
    ocelotl_drawables_fit(&options, &request->view);
    options.work.threads = request->threads;
    options.work.progress = session->options.progress;
    options.work.context = session->options.context;
    oc_session_begin(session, OCELOTL_STEP_READING);
    const ocelotl_status status = ocelotl_drawables_compute(drawables, session->trace, &options);
    oc_session_end(session);
    return check_found(status, status == OCELOTL_OK && draws_nothing(*drawables), session, request);
}

/* --- Derived series */

static void set_series_options(ocelotl_series_options *options, const ocelotl_request *request)
{
    options->at = request->at;
    options->reduction = request->reduction;
    options->state_type = request->model.cells.state_type;
    options->nesting = request->model.cells.nesting;
    if (request->window.from.text == NULL && request->window.to.text == NULL) {
        options->selection.from = INT64_MIN;
        options->selection.to = INT64_MAX;
    }
}

ocelotl_status ocelotl_session_series(ocelotl_series **series, ocelotl_session *session,
                                      const ocelotl_request *request, bool watched)
{
    ocelotl_series_options options = OCELOTL_SERIES_OPTIONS_INIT;
    ocelotl_events_options probed = OCELOTL_EVENTS_OPTIONS_INIT;
    bool any = true;
    OC_TRY(ocelotl_session_selection(&options.selection, session, request, OCELOTL_ENDS_HALF_OPEN));
    set_series_options(&options, request);
    if (watched) {
        options.work.progress = session->options.progress;
        options.work.context = session->options.context;
    }
    ocelotl_status status = ocelotl_series_open(series, session->trace, &options);
    probed.selection = options.selection;
    if (status == OCELOTL_OK && ocelotl_request_hides(request))
        status = find_any(&any, session->trace, &probed);
    return check_found(status, !any, session, request);
}
