/* The addresses that the page asks, how large their answers are at most, and those that ask the
 * library alone. */
#define _GNU_SOURCE
#include "answers.h"

#include <ocelotl/answer.h>
#include <ocelotl/ask.h>
#include <ocelotl/digest.h>
#include <ocelotl/export.h>
#include <ocelotl/notes.h>
#include <ocelotl/records.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What is seen */

/* Writes what does not depend on what is shown: types, and those of events, as options take them,
 * each with its category. A matrix has none of these. */
static void answer_trace(server_asking *with)
{
    static const char *const categories[] = {[OCELOTL_EVENT] = "event",
                                             [OCELOTL_STATE] = "state",
                                             [OCELOTL_VARIABLE] = "variable",
                                             [OCELOTL_LINK] = "link"};
    const server_options *options = &with->room->options;
    server_out *out = &with->out;
    ocelotl_trace *trace = NULL;
    const bool there = ocelotl_session_trace(&trace, options->session) == OCELOTL_OK;
    const uint32_t types = there ? ocelotl_trace_resource_type_count(trace) : 0;
    const uint32_t events = there ? ocelotl_trace_event_type_count(trace) : 0;
    bool first = true;
    server_put(out, "{\"version\":%s,\"path\":%s,\"name\":%s,\"run\":%s,\"second\":%s",
               ocelotl_version(), options->trace, there ? ocelotl_trace_info_of(trace).name : "",
               with->room->run, options->second != NULL ? options->second : "");
    if (there)
        server_put(out, ",\"begin\":%g,\"end\":%g",
                   ocelotl_trace_seconds(trace, ocelotl_trace_info_of(trace).begin),
                   ocelotl_trace_seconds(trace, ocelotl_trace_info_of(trace).end));
    server_put(out, ",\"types\":[");
    for (uint32_t i = 0; i < types; i++)
        server_put(out, i == 0 ? "%s" : ",%s", ocelotl_trace_resource_type_at(trace, i).name);
    server_put(out, "],\"events\":[");
    for (uint32_t i = 0; i < events; i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        if (type.count == 0)
            continue;
        server_put(out, first ? "[%s,%s]" : ",[%s,%s]", ocelotl_trace_event_type_spelling(trace, i),
                   categories[type.category]);
        first = false;
    }
    server_put(out, options->initial->sql ? "],\"sql\":true,\n" : "],\"sql\":false,\n");
    server_state_put_options(out, options);
    server_put(out, "}\n");
}

static void answer_view(server_asking *with)
{
    const ocelotl_partition *partition = server_find_seen(with);
    if (partition != NULL)
        server_put_view(with, partition);
}

/* Says what runs, whether it is for the client that asks, since when, and how far its step has
 * come. The session is not asked: it is at work. */
static bool know_progress(server_asking *with)
{
    static const char *const steps[] = {
        "importing",      "comparing resources", "measuring",      "solving",
        "finding levels", "verifying",           "drawing levels", "reading"};
    const char *client = server_query_get(&with->query, "client");
    server_turns *turns = &with->room->turns;
    server_out *out = &with->out;
    pthread_mutex_lock(&turns->lock);
    const double begun = turns->begun;
    const bool own = client != NULL && strcmp(client, turns->running) == 0;
    pthread_mutex_unlock(&turns->lock);
    const int step = atomic_load(&turns->step);
    const double done = (double)atomic_load(&turns->done);
    const double total = (double)atomic_load(&turns->total);
    if (begun <= 0) {
        server_put(out, "{\"step\":null}\n");
        return true;
    }
    server_put(out, "{\"step\":%s,\"own\":", step >= 0 ? steps[step] : "beginning");
    server_put(out, own ? "true,\"seconds\":%g" : "false,\"seconds\":%g",
               (server_milliseconds() - begun) / 1e3);
    server_put(out, ",\"round\":%g,\"done\":", (double)atomic_load(&turns->round) + 1);
    if (done <= total && total > 0)
        server_put(out, "%g}\n", done / total);
    else
        server_put(out, "null}\n");
    return true;
}

static void answer_levels(server_asking *with)
{
    server_out *out = &with->out;
    const ocelotl_request *request = with->state.request;
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_levels *levels = NULL;
    if (server_hold(out, ocelotl_session_levels(&levels, with->session, request)) &&
        server_hold(out, ocelotl_session_aggregation(&aggregation, with->session, request)))
        server_hold(out, ocelotl_page_levels_write(&out->sink, aggregation, levels, &with->view));
    ocelotl_levels_free(levels);
}

static void answer_explained(server_asking *with)
{
    char *sentence = NULL;
    if (server_hold(&with->out,
                    ocelotl_session_explained(&sentence, with->session, with->state.request)))
        server_put(&with->out, "{\"explained\":%s}\n", sentence != NULL ? sentence : "");
    free(sentence);
}

/* As the program draws it. */
static void answer_picture(server_asking *with)
{
    const ocelotl_form form = with->route->form;
    const ocelotl_request *request = with->state.request;
    server_out *out = &with->out;
    const ocelotl_partition *partition = form != OCELOTL_FORM_PAGE ? server_find_seen(with) : NULL;
    if (form == OCELOTL_FORM_PAGE)
        server_hold(out,
                    ocelotl_session_draw_report(&out->sink, with->session, request, &with->view));
    else if (partition != NULL)
        server_hold(out, ocelotl_session_draw_overview(
                             &out->sink, (ocelotl_picture_format)(form - OCELOTL_FORM_SVG),
                             with->session, request, partition, &with->view));
}

/* --- What commands answer: the command line, an answer as JSON, a picture as SVG. A picture is
 * drawn first: what cannot be drawn is no answer. */

enum { SPANS = 100, MOST_CHANGES = 500, MOST_FOUND = 200, PAGE_ROWS = 1000 };

/* Ends an object, with a picture where there is one, which is freed. */
static void end_answer(server_out *out, ocelotl_buffer *picture)
{
    if (picture->bytes != NULL)
        server_put(out, ",\"picture\":%s", picture->bytes);
    server_put(out, "}\n");
    ocelotl_buffer_free(picture);
}

static void answer_asked(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    const server_route *route = with->route;
    server_out *out = &with->out;
    ocelotl_answer *answer = NULL;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    if (server_hold(out, ocelotl_answer_find(&answer, with->session, request, OCELOTL_FORM_SVG)) &&
        (!route->draws || server_hold(out, ocelotl_answer_write(&sink, answer, OCELOTL_FORM_SVG,
                                                                request, &with->view)))) {
        server_put(out, route->says ? "{\"command\":%s,\"answer\":" : "{\"command\":%s",
                   with->state.line);
        if (route->says)
            server_hold(out,
                        ocelotl_answer_write(&out->sink, answer, OCELOTL_FORM_JSON, NULL, NULL));
    }
    end_answer(out, &picture);
    ocelotl_answer_free(answer);
}

static void answer_durations(server_asking *with)
{
    if (with->state.request->durations.count > 0)
        answer_asked(with);
    else
        server_hold(&with->out,
                    ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                                 "no --durations given, expected the name of states or links"));
}

/* A page draws the means of spans, not every change. */
static void answer_series(server_asking *with)
{
    server_out *out = &with->out;
    server_put(out, "{\"command\":%s,\"answer\":", with->state.line);
    server_hold(out, ocelotl_session_write_series_means(&out->sink, with->session,
                                                        with->state.request, SPANS));
    server_put(out, "}\n");
}

/* A page may want its rows alone, between edges of its own, and states pale, a line for each. */
static void answer_gantt(server_asking *with)
{
    enum { MOST = 20000, PALE_MOST = 16 };
    const char *pale = server_asking_get(with, "pale");
    const char *names[PALE_MOST];
    uint64_t left = 0, right = 0;
    char *lines = strdup(pale != NULL ? pale : "");
    char *rest = lines;
    if (lines == NULL)
        server_hold(&with->out, ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory"));
    else if (server_asking_count(&left, with, "left", 0, MOST) &&
             server_asking_count(&right, with, "right", 0, MOST)) {
        ocelotl_picture_options *view = &with->view;
        view->plot_left = (double)left;
        view->plot_right = (double)right;
        view->background = (ocelotl_names){names, 0};
        for (char *name = NULL;
             view->background.count < PALE_MOST && (name = strsep(&rest, "\n")) != NULL;)
            if (name[0] != '\0')
                names[view->background.count++] = name;
        answer_asked(with);
    }
    free(lines);
}

/* Its partition is kept for the next page that asks. */
static void answer_treemap(server_asking *with)
{
    server_out *out = &with->out;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    const ocelotl_partition *partition = server_find_partition(with);
    if (partition != NULL && server_hold(out, ocelotl_session_draw_overview(
                                                  &sink, OCELOTL_PICTURE_SVG, with->session,
                                                  with->state.request, partition, &with->view))) {
        server_put(out, "{\"command\":%s,\"answer\":", with->state.line);
        server_hold(out, ocelotl_parts_write(&out->sink, OCELOTL_FORM_JSON, partition,
                                             OCELOTL_PARTS_BY_NUMBER));
    }
    end_answer(out, &picture);
}

/* A page lists the changes that are worth a name. */
static void answer_compare(server_asking *with)
{
    server_out *out = &with->out;
    ocelotl_pair *pair = NULL;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    if (server_hold(out, ocelotl_session_compare(&pair, with->session, with->state.request)) &&
        server_hold(out, ocelotl_pair_draw(&sink, OCELOTL_PICTURE_SVG, pair, &with->view))) {
        server_put(out, "{\"command\":%s,\"answer\":", with->state.line);
        server_hold(out, ocelotl_pair_write_changes(&out->sink, pair, MOST_CHANGES));
    }
    end_answer(out, &picture);
    ocelotl_pair_free(pair);
}

/* --- Tables: events of what is chosen, page by page, and parts; both as files of CSV as well */

static void answer_events(server_asking *with)
{
    const ocelotl_request *request = with->state.request;
    server_out *out = &with->out;
    ocelotl_losses losses;
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    ocelotl_selection selection = {0};
    const ocelotl_selection *whole = request->type == NULL ? &selection : NULL;
    uint64_t after = 0; /* the rows that the page has */
    bool more = false;
    if (!server_hold(out, ocelotl_session_trace(&trace, with->session)) ||
        !server_hold(out, ocelotl_session_events(&events, &selection, with->session, request)))
        return;
    if (with->route->form == OCELOTL_FORM_CSV) {
        server_hold(out, ocelotl_events_write_csv(&out->sink, events, trace, whole, &losses));
    } else if (server_asking_count(&after, with, "after", 0, UINT64_MAX / 2)) {
        server_put(out, "{\"command\":%s,\"after\":%g,\"events\":", with->state.line,
                   (double)after);
        server_hold(out,
                    ocelotl_events_write_page(&more, &out->sink, events, trace, after, PAGE_ROWS));
        server_put(out, more ? ",\"more\":true}\n" : ",\"more\":false}\n");
    }
    ocelotl_events_free(events);
}

/* The list is of the partition that is kept. */
static void write_parts(server_asking *with, ocelotl_form form)
{
    const ocelotl_request *request = with->state.request;
    server_out *out = &with->out;
    const ocelotl_partition *partition = NULL;
    if (ocelotl_request_get(request, "why") != NULL ||
        ocelotl_request_get(request, "quantiles") != NULL)
        server_hold(out, ocelotl_ask(&out->sink, with->session, request, form));
    else if ((partition = server_find_partition(with)) != NULL)
        server_hold(out, ocelotl_parts_write(&out->sink, form, partition,
                                             (ocelotl_parts_order)request->sort));
}

static void answer_parts(server_asking *with)
{
    if (with->route->form == OCELOTL_FORM_CSV) {
        write_parts(with, OCELOTL_FORM_CSV);
        return;
    }
    server_put(&with->out, "{\"command\":%s,\"list\":", with->state.line);
    write_parts(with, OCELOTL_FORM_JSON);
    server_put(&with->out, "}\n");
}

/* What in the trace answers to a text. */
static void answer_search(server_asking *with)
{
    const char *text = server_asking_get(with, "q");
    server_out *out = &with->out;
    ocelotl_trace *trace = NULL;
    if (server_hold(out, ocelotl_session_trace(&trace, with->session)))
        server_hold(out, ocelotl_search_write_json(&out->sink, trace, text != NULL ? text : "",
                                                   MOST_FOUND, with->route->most));
}

/* --- Notes: read, and kept where nobody else has changed them */

/* Writes notes into an empty buffer, and what tells them from others. */
static ocelotl_status write_tagged(ocelotl_buffer *bytes, char tag[SERVER_TAG_LENGTH + 1],
                                   const ocelotl_notes *notes)
{
    uint64_t digest[2] = {0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(bytes);
    const ocelotl_status status = ocelotl_notes_write_json(&sink, notes);
    ocelotl_digest(digest, bytes->bytes, bytes->size);
    snprintf(tag, SERVER_TAG_LENGTH + 1, "\"%016llx\"", (unsigned long long)digest[0]);
    return status;
}

/* Takes over what was sent, while nobody else changes the notes. False: what the client changes is
 * not what is there, or it failed. */
static bool take_notes(server_asking *with, ocelotl_notes *notes)
{
    const server_sent *sent = &with->answer->sent;
    server_out *out = &with->out;
    ocelotl_buffer bytes = {NULL, 0, 0};
    char tag[SERVER_TAG_LENGTH + 1];
    const bool written = server_hold(out, write_tagged(&bytes, tag, notes));
    ocelotl_buffer_free(&bytes);
    if (written && (sent->match == NULL || strcmp(sent->match, tag) != 0)) {
        server_answer_problem(with->answer, 409, "the notes were changed elsewhere since",
                              "Yours are still on this page: take the others in, and keep again.");
        return false;
    }
    return written && server_hold(out, ocelotl_notes_take(notes, sent->body, sent->size)) &&
           server_hold(out, ocelotl_notes_commit(notes));
}

static void answer_notes(server_asking *with)
{
    const server_options *options = &with->room->options;
    const bool puts = with->route->method != NULL;
    server_out *out = &with->out;
    ocelotl_notes *notes = NULL;
    ocelotl_buffer bytes = {NULL, 0, 0};
    if (puts && options->initial->read_only) {
        server_answer_problem(with->answer, 403, "notes are not kept",
                              "Begin ocelotl-cli serve without --read-only.");
        return;
    }
    if (server_hold(out, puts ? ocelotl_notes_begin(&notes, options->trace)
                              : ocelotl_notes_read(&notes, options->trace)) &&
        (!puts || take_notes(with, notes)) &&
        server_hold(out, write_tagged(&bytes, with->answer->tag, notes)))
        server_put_bytes(out, bytes.bytes, bytes.size);
    ocelotl_buffer_free(&bytes);
    ocelotl_notes_free(notes);
}

/* --- The table */

enum { KILOBYTE = 1024, MEGABYTE = 1024 * KILOBYTE };

static const server_route routes[] = {
    {"trace", answer_trace, "overview"},
    {"progress", NULL, "overview", .views = true, .known = know_progress}, /* a new turn stops it */
    {"view", answer_view, "overview", "overview.svg", .views = true},
    {"levels", answer_levels, "overview", "overview.svg", .yields = true},
    {"explained", answer_explained, "overview", .yields = true, .most = 16 * KILOBYTE},
    {"findings", answer_asked, "explain", .says = true, .yields = true, .most = 4 * MEGABYTE},
    {"picture.svg", answer_picture, "overview", "overview.svg", OCELOTL_FORM_SVG},
    {"picture.png", answer_picture, "overview", "overview.png", OCELOTL_FORM_PNG},
    {"picture.pdf", answer_picture, "overview", "overview.pdf", OCELOTL_FORM_PDF},
    {"picture.html", answer_picture, "overview", "overview.html", OCELOTL_FORM_PAGE},
    {"records", server_answer_records, "overview", "overview.svg", .bytes = true, .views = true,
     .known = server_know_records, .steady = true, .most = 264 * KILOBYTE, .own = {"run", "ahead"}},
    {"frame", server_answer_frame, "overview", "overview.svg", .views = true, .steady = true,
     .most = 4 * MEGABYTE, .own = {"run", "ahead"}},
    {"nodes", server_answer_nodes, "overview", .bytes = true, .steady = true,
     .most = OCELOTL_NODES_SIZE_MOST, .own = {"run", "below", "next"}},
    {"box", server_answer_box, "overview", .steady = true, .most = 32 * KILOBYTE,
     .own = {"run", "row", "rows", "first", "last"}},
    {"likely", server_answer_likely, "overview", .yields = true, .most = KILOBYTE},
    {"found", server_answer_found, "overview", .yields = true, .most = 256 * KILOBYTE},
    {"search", answer_search, "overview", .most = 16 * KILOBYTE, .own = {"q"}},
    {"part", server_answer_part, "overview", "overview.svg", .most = 32 * KILOBYTE,
     .own = {"node", "first", "last", "number"}},
    {"events", answer_events, "export", "events.csv", .most = MEGABYTE, .own = {"after"}},
    {"events.csv", answer_events, "export", "events.csv", OCELOTL_FORM_CSV, .most = 64 * MEGABYTE},
    {"parts", answer_parts, "parts", "parts.csv", .most = 64 * MEGABYTE},
    {"parts.csv", answer_parts, "parts", "parts.csv", OCELOTL_FORM_CSV, .most = 64 * MEGABYTE},
    {"gantt", answer_gantt, "gantt", "gantt.svg", .draws = true,
     .own = {"bare", "left", "right", "pale"}},
    {"stats", answer_asked, "stats", "stats.svg", .draws = true, .own = {"bare"}},
    {"totals", answer_asked, "stats", "stats.svg", .says = true, .most = 4 * MEGABYTE},
    {"series", answer_series, "series", "series.svg", .most = MEGABYTE},
    {"histogram", answer_durations, "stats", "stats.svg", .says = true, .draws = true,
     .most = 4 * MEGABYTE, .own = {"bare"}},
    {"treemap", answer_treemap, "treemap", "treemap.svg", .most = 4 * MEGABYTE, .own = {"bare"}},
    {"spatial", answer_treemap, "overview", "overview.svg", .most = 4 * MEGABYTE, .own = {"bare"}},
    {"compare", answer_compare, "compare", "compare.svg", .most = 4 * MEGABYTE, .own = {"bare"}},
    {"matrix", answer_asked, "matrix", "matrix.svg", .says = true, .draws = true,
     .most = 16 * MEGABYTE, .own = {"bare"}},
    {"sql", server_answer_sql, "overview", .most = 4 * MEGABYTE, .method = "POST",
     .takes = 64 * KILOBYTE},
    {"notes", answer_notes, "overview", .most = MEGABYTE},
    {"notes", answer_notes, "overview", .most = MEGABYTE, .method = "PUT", .takes = MEGABYTE},
};

/* A command that has no address of its own is asked below ask/. */
const server_route *server_find_route(server_route *made, const char *path, const char *method)
{
    static const char below[] = "ask/";
    const char *asked = method != NULL ? method : "GET";
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
        if (strcmp(routes[i].path, path) == 0 &&
            strcmp(routes[i].method != NULL ? routes[i].method : "GET", asked) == 0)
            return &routes[i];
    if (strcmp(asked, "GET") != 0 || strncmp(path, below, strlen(below)) != 0)
        return NULL;
    const char *command = path + strlen(below);
    const unsigned forms = ocelotl_command_answering(command).forms;
    *made = (server_route){path,
                           answer_asked,
                           command,
                           .says = (forms >> OCELOTL_FORM_JSON & 1) != 0,
                           .draws = (forms >> OCELOTL_FORM_SVG & 1) != 0,
                           .most = (size_t)4 * MEGABYTE};
    return forms != 0 && strcmp(command, "sql") != 0 ? made : NULL;
}
