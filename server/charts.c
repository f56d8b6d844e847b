/* What charts of a selection are drawn from: totals, series, durations; and its treemap. */
#include "panels.h"

#include <ocelotl/answer.h>

enum { SPANS = 100 };

static ocelotl_status begin_answer(const server_asking *with)
{
    const ocelotl_status status = server_put_command(with);
    return status == OCELOTL_OK ? server_put(with, ",\"answer\":") : status;
}

static ocelotl_status end_answer(const server_asking *with, ocelotl_status status)
{
    return status == OCELOTL_OK ? server_put(with, "}\n") : status;
}

ocelotl_status server_answer_totals(server_asking *with)
{
    ocelotl_session *session = with->room->options.session;
    ocelotl_trace *trace = NULL;
    ocelotl_statistics *statistics = NULL;
    ocelotl_status status = ocelotl_session_trace(&trace, session);
    if (status == OCELOTL_OK)
        status = ocelotl_session_statistics(&statistics, session, with->state.request);
    if (status == OCELOTL_OK)
        status = begin_answer(with);
    if (status == OCELOTL_OK)
        status = ocelotl_statistics_write_json(&with->sink, statistics, trace);
    ocelotl_statistics_free(statistics);
    return end_answer(with, status);
}

ocelotl_status server_answer_series(server_asking *with)
{
    ocelotl_session *session = with->room->options.session;
    ocelotl_trace *trace = NULL;
    ocelotl_series *series = NULL;
    ocelotl_status status = ocelotl_session_trace(&trace, session);
    if (status == OCELOTL_OK)
        status = ocelotl_session_series(&series, session, with->state.request, true);
    if (status == OCELOTL_OK)
        status = begin_answer(with);
    if (status == OCELOTL_OK)
        status = ocelotl_series_write_means(&with->sink, series, trace, SPANS);
    ocelotl_series_free(series);
    return end_answer(with, status);
}

static ocelotl_status write_durations(const server_asking *with, const ocelotl_trace *trace,
                                      const ocelotl_durations *durations)
{
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    ocelotl_status status =
        ocelotl_durations_write(&sink, OCELOTL_PICTURE_SVG, trace, durations, &with->view);
    if (status == OCELOTL_OK)
        status = begin_answer(with);
    if (status == OCELOTL_OK)
        status = ocelotl_durations_write_json(&with->sink, durations, trace);
    if (status == OCELOTL_OK)
        status = server_put_text(with, ",\"picture\":", picture.bytes);
    ocelotl_buffer_free(&picture);
    return end_answer(with, status);
}

ocelotl_status server_answer_durations(server_asking *with)
{
    ocelotl_session *session = with->room->options.session;
    ocelotl_trace *trace = NULL;
    ocelotl_durations *durations = NULL;
    if (with->state.request->durations.count == 0)
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                            "no --durations given, expected the name of states or links");
    ocelotl_status status = ocelotl_session_trace(&trace, session);
    if (status == OCELOTL_OK)
        status = ocelotl_session_durations(&durations, session, with->state.request);
    if (status == OCELOTL_OK)
        status = write_durations(with, trace, durations);
    ocelotl_durations_free(durations);
    return status;
}

static ocelotl_status write_treemap(server_asking *with, const ocelotl_partition *partition)
{
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    ocelotl_status status =
        ocelotl_overview_write(&sink, OCELOTL_PICTURE_SVG, partition, &with->view);
    if (status == OCELOTL_OK)
        status = begin_answer(with);
    if (status == OCELOTL_OK)
        status = ocelotl_parts_write_json(&with->sink, partition, OCELOTL_PARTS_BY_NUMBER);
    if (status == OCELOTL_OK)
        status = server_put_text(with, ",\"picture\":", picture.bytes);
    ocelotl_buffer_free(&picture);
    return end_answer(with, status);
}

ocelotl_status server_answer_treemap(server_asking *with)
{
    const ocelotl_partition *partition = NULL;
    const ocelotl_status status = server_kept_find(
        &partition, &with->room->kept, with->room->options.session, with->state.request);
    return status == OCELOTL_OK ? write_treemap(with, partition) : status;
}
