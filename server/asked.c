/* Addresses that give what a command answers: its command line, its JSON, its picture as SVG. */
#include "routes.h"

#include <ocelotl/answer.h>
#include <ocelotl/ask.h>

enum { SPANS = 100, MOST_CHANGES = 500 };

static const char answer_follows[] = ",\"answer\":";

/* Ends an object, with a picture where there is one, which is freed. */
static void end_answer(server_out *out, ocelotl_buffer *picture)
{
    if (picture->bytes != NULL)
        server_put_text(out, ",\"picture\":", picture->bytes);
    server_put(out, "}\n");
    ocelotl_buffer_free(picture);
}

/* The picture is drawn first: what cannot be drawn is no answer. */
void server_answer_asked(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    const bool says = with->route->says;
    server_out *out = &with->out;
    ocelotl_answer *answer = NULL;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    if (server_hold(out, ocelotl_answer_find(&answer, with->session, request, OCELOTL_FORM_SVG)) &&
        (!with->route->draws ||
         server_hold(
             out, ocelotl_answer_write(&sink, answer, OCELOTL_FORM_SVG, request, &with->view)))) {
        server_put_command(with, says ? answer_follows : "");
        if (says)
            server_hold(out,
                        ocelotl_answer_write(&out->sink, answer, OCELOTL_FORM_JSON, NULL, NULL));
    }
    end_answer(out, &picture);
    ocelotl_answer_free(answer);
}

void server_answer_durations(server_asking *with)
{
    if (with->state.request->durations.count > 0)
        server_answer_asked(with);
    else
        server_hold(&with->out,
                    ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                                 "no --durations given, expected the name of states or links"));
}

/* A page draws the means of spans, not every change. */
void server_answer_series(server_asking *with)
{
    server_out *out = &with->out;
    ocelotl_trace *trace = NULL;
    ocelotl_series *series = NULL;
    if (server_hold(out, ocelotl_session_trace(&trace, with->session)) &&
        server_hold(out,
                    ocelotl_session_series(&series, with->session, with->state.request, true))) {
        server_put_command(with, answer_follows);
        server_hold(out, ocelotl_series_write_means(&out->sink, series, trace, SPANS));
        server_put(out, "}\n");
    }
    ocelotl_series_free(series);
}

/* Its partition is kept for the next page that asks. */
void server_answer_treemap(server_asking *with)
{
    server_out *out = &with->out;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    const ocelotl_partition *partition = server_find_partition(with);
    if (partition != NULL && server_hold(out, ocelotl_overview_draw(&sink, OCELOTL_PICTURE_SVG,
                                                                    partition, &with->view))) {
        server_put_command(with, answer_follows);
        server_hold(out, ocelotl_parts_write(&out->sink, OCELOTL_FORM_JSON, partition,
                                             OCELOTL_PARTS_BY_NUMBER));
    }
    end_answer(out, &picture);
}

/* A page lists the changes that are worth a name. */
void server_answer_compare(server_asking *with)
{
    server_out *out = &with->out;
    ocelotl_pair *pair = NULL;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    if (server_hold(out, ocelotl_session_compare(&pair, with->session, with->state.request)) &&
        server_hold(out, ocelotl_pair_draw(&sink, OCELOTL_PICTURE_SVG, pair, &with->view))) {
        server_put_command(with, answer_follows);
        server_hold(out, ocelotl_comparison_write_named(&out->sink, ocelotl_pair_comparison(pair),
                                                        MOST_CHANGES));
    }
    end_answer(out, &picture);
    ocelotl_pair_free(pair);
}
