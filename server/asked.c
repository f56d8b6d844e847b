/* Addresses that give what a command answers: its command line, its JSON, its picture as SVG. */
#include "panels.h"

#include <ocelotl/answer.h>
#include <ocelotl/ask.h>

enum { SPANS = 100, MOST_CHANGES = 500 };

/* Ends an object with a picture, which is freed. */
static void put_picture(server_out *out, ocelotl_buffer *picture)
{
    server_put_text(out, ",\"picture\":", picture->bytes != NULL ? picture->bytes : "");
    ocelotl_buffer_free(picture);
}

/* The picture is drawn first: what cannot be drawn is no answer. */
ocelotl_status server_answer_asked(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    ocelotl_answer *answer = NULL;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    ocelotl_status status =
        ocelotl_answer_find(&answer, with->room->options.session, request, OCELOTL_FORM_SVG);
    if (status == OCELOTL_OK && with->route->draws)
        status = ocelotl_answer_write(&sink, answer, OCELOTL_FORM_SVG, request, &with->view);
    if (status == OCELOTL_OK) {
        server_put_command(with);
        if (with->route->says) {
            server_put(&with->out, ",\"answer\":");
            status = ocelotl_answer_write(&with->out.sink, answer, OCELOTL_FORM_JSON, NULL, NULL);
        }
        if (with->route->draws)
            put_picture(&with->out, &picture);
        server_put(&with->out, "}\n");
    }
    ocelotl_buffer_free(&picture);
    ocelotl_answer_free(answer);
    return status;
}

ocelotl_status server_answer_durations(server_asking *with)
{
    if (with->state.request->durations.count == 0)
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                            "no --durations given, expected the name of states or links");
    return server_answer_asked(with);
}

/* A page draws the means of spans, not every change. */
ocelotl_status server_answer_series(server_asking *with)
{
    ocelotl_session *session = with->room->options.session;
    ocelotl_trace *trace = NULL;
    ocelotl_series *series = NULL;
    ocelotl_status status = ocelotl_session_trace(&trace, session);
    if (status == OCELOTL_OK)
        status = ocelotl_session_series(&series, session, with->state.request, true);
    if (status == OCELOTL_OK) {
        server_put_command(with);
        server_put(&with->out, ",\"answer\":");
        status = ocelotl_series_write_means(&with->out.sink, series, trace, SPANS);
        server_put(&with->out, "}\n");
    }
    ocelotl_series_free(series);
    return status;
}

/* Its partition is kept for the next page that asks. */
ocelotl_status server_answer_treemap(server_asking *with)
{
    const ocelotl_partition *partition = NULL;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    ocelotl_status status = server_kept_find(&partition, &with->room->kept,
                                             with->room->options.session, with->state.request);
    if (status == OCELOTL_OK)
        status = ocelotl_overview_draw(&sink, OCELOTL_PICTURE_SVG, partition, &with->view);
    if (status == OCELOTL_OK) {
        server_put_command(with);
        server_put(&with->out, ",\"answer\":");
        status = ocelotl_parts_write(&with->out.sink, OCELOTL_FORM_JSON, partition,
                                     OCELOTL_PARTS_BY_NUMBER);
        put_picture(&with->out, &picture);
        server_put(&with->out, "}\n");
    }
    ocelotl_buffer_free(&picture);
    return status;
}

/* A page lists the changes that are worth a name. */
ocelotl_status server_answer_compare(server_asking *with)
{
    ocelotl_pair *pair = NULL;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    ocelotl_status status =
        ocelotl_session_compare(&pair, with->room->options.session, with->state.request);
    if (status == OCELOTL_OK)
        status = ocelotl_pair_draw(&sink, OCELOTL_PICTURE_SVG, pair, &with->view);
    if (status == OCELOTL_OK) {
        server_put_command(with);
        server_put(&with->out, ",\"answer\":");
        status = ocelotl_comparison_write_named(&with->out.sink, ocelotl_pair_comparison(pair),
                                                MOST_CHANGES);
        put_picture(&with->out, &picture);
        server_put(&with->out, "}\n");
    }
    ocelotl_buffer_free(&picture);
    ocelotl_pair_free(pair);
    return status;
}
