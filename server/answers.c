#define _GNU_SOURCE
#include "clock.h"
#include "routes.h"

#include <ocelotl/answer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The trace: what does not depend on what is shown */

static void put_types(server_out *out, const ocelotl_trace *trace)
{
    const uint32_t count = trace != NULL ? ocelotl_trace_resource_type_count(trace) : 0;
    server_put(out, ",\"types\":[");
    for (uint32_t i = 0; i < count; i++)
        server_put_text(out, i > 0 ? "," : "", ocelotl_trace_resource_type_at(trace, i).name);
    server_put(out, "]");
}

/* Writes the types of events, as options take them, each with its category. */
static void put_event_types(server_out *out, const ocelotl_trace *trace)
{
    static const char *const categories[] = {[OCELOTL_EVENT] = "event",
                                             [OCELOTL_STATE] = "state",
                                             [OCELOTL_VARIABLE] = "variable",
                                             [OCELOTL_LINK] = "link"};
    const uint32_t count = trace != NULL ? ocelotl_trace_event_type_count(trace) : 0;
    const char *before = "[";
    server_put(out, ",\"events\":[");
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        if (type.count == 0)
            continue;
        server_put_text(out, before, ocelotl_trace_event_type_spelling(trace, i));
        server_put_text(out, ",", categories[type.category]);
        server_put(out, "]");
        before = ",[";
    }
    server_put(out, "]");
}

/* A matrix has no types of these. */
void server_answer_trace(server_asking *with)
{
    const server_options *options = &with->room->options;
    server_out *out = &with->out;
    ocelotl_trace *trace = NULL;
    const char *name = "";
    if (ocelotl_session_trace(&trace, options->session) == OCELOTL_OK)
        name = ocelotl_trace_info_of(trace).name;
    server_put_text(out, "{\"version\":", ocelotl_version());
    server_put_text(out, ",\"path\":", options->trace);
    server_put_text(out, ",\"name\":", name);
    server_put_text(out, ",\"run\":", with->room->run);
    server_put_text(out, ",\"second\":", options->second != NULL ? options->second : "");
    put_types(out, trace);
    put_event_types(out, trace);
    server_put(out, options->initial->sql ? ",\"sql\":true,\n" : ",\"sql\":false,\n");
    server_state_put_options(out, options);
    server_put(out, "}\n");
}

/* --- What is seen */

void server_answer_view(server_asking *with)
{
    const ocelotl_partition *partition = server_find_seen(with);
    if (partition != NULL)
        server_put_view(with, partition);
}

void server_answer_levels(server_asking *with)
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

/* As the program draws it. */
void server_answer_picture(server_asking *with)
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

size_t server_answer_takes(const char *path, const char *method)
{
    server_route made;
    const server_route *found = server_find_route(&made, path, method);
    return found != NULL ? found->takes : 0;
}

/* --- What is wrong */

/* Nobody waits for it any more: no failure, and nothing to say. */
static void answer_late(server_answer *answer)
{
    ocelotl_buffer_free(&answer->body);
    answer->status = 204;
    answer->type = server_json_type;
}

static void answer_failure(server_answer *answer, ocelotl_status status)
{
    static const unsigned codes[] = {
        [OCELOTL_ERROR_ARGUMENT] = 400, [OCELOTL_ERROR_INPUT] = 400,  [OCELOTL_ERROR_IO] = 500,
        [OCELOTL_ERROR_LIMIT] = 400,    [OCELOTL_ERROR_MEMORY] = 503, [OCELOTL_ERROR_EMPTY] = 400,
        [OCELOTL_ERROR_INTERNAL] = 500,
    };
    char message[1024];
    snprintf(message, sizeof message, "%s", ocelotl_error_message());
    if (status == OCELOTL_ERROR_CANCELLED)
        answer_late(answer);
    else
        server_answer_problem(answer, codes[status], message, NULL);
}

/* --- One at a time */

/* Takes the next bytes of an answer, as long as it stays as small as its address promises. */
static ocelotl_status write_bounded(void *context, const void *bytes, size_t size)
{
    server_asking *with = context;
    ocelotl_buffer *body = &with->answer->body;
    const ocelotl_sink sink = ocelotl_buffer_sink(body);
    const size_t most = with->route->most;
    if (most == 0 || (body->size <= most && size <= most - body->size))
        return sink.write(sink.context, bytes, size);
    with->overflows = true;
    return ocelotl_fail(OCELOTL_ERROR_LIMIT, "the answer is too large");
}

/* Makes the message for an answer that is too large; the writer only knows that it cannot write. */
static ocelotl_status fail_large(const server_asking *with)
{
    char message[200];
    snprintf(message, sizeof message,
             "the answer is larger than %zu KB, expected a smaller part or window",
             with->route->most / 1024);
    return ocelotl_fail(OCELOTL_ERROR_LIMIT, message);
}

/* --- Tags of answers that stay the same */

/* Adds a text to a hash: FNV-1a of 64 bits distinguishes the addresses of one server. */
static uint64_t add_to_hash(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
    } while (*text++ != '\0');
    return hash;
}

/* Writes the tag of an answer. The client and its turn do not count. */
static void write_tag(server_answer *answer, const server_asking *with)
{
    uint64_t hash = add_to_hash(0xCBF29CE484222325u, with->room->run);
    hash = add_to_hash(hash, with->route->path);
    for (size_t i = 0; i < with->query.count; i++) {
        const server_pair *pair = &with->query.pairs[i];
        if (strcmp(pair->name, "client") != 0 && strcmp(pair->name, "turn") != 0)
            hash = add_to_hash(add_to_hash(hash, pair->name), pair->value);
    }
    for (size_t i = 0; i < SERVER_MOST_OWN && with->route->own[i] != NULL; i++)
        hash = add_to_hash(hash, with->own[i] != NULL ? with->own[i] : "\1");
    snprintf(answer->tag, sizeof answer->tag, "W/\"%016llx\"", (unsigned long long)hash);
}

/* Returns whether the client has the answer already, so that nothing is computed. */
static bool is_had(server_answer *answer, const server_asking *with)
{
    const char *run = server_asking_get(with, "run");
    if (!with->route->steady)
        return false;
    write_tag(answer, with);
    answer->immutable = run != NULL && strcmp(run, with->room->run) == 0;
    if (answer->wanted == NULL || strstr(answer->wanted, answer->tag) == NULL)
        return false;
    answer->status = 304;
    answer->type = with->route->type;
    return true;
}

/* --- How long it took */

static void write_timing(server_answer *answer, double asked, double begun)
{
    snprintf(answer->timing, sizeof answer->timing, "wait;dur=%.2f, work;dur=%.2f", begun - asked,
             server_milliseconds() - begun);
}

/* An answer may have said already what became of it. */
static void succeed(server_answer *answer, server_asking *with)
{
    if (answer->status != 0)
        return;
    answer->status = 200;
    answer->type = with->route->type;
    answer->file = with->route->kept ? with->route->file : NULL;
    if (with->route->steady && with->state.line != NULL)
        answer->command = strdup(with->state.line);
}

/* What is damaged in the cache is imported anew, as each command does it; what was made of it is
 * gone then. */
static bool is_mended(server_asking *with)
{
    ocelotl_session *session = with->session;
    if (!ocelotl_session_is_damaged(session) || ocelotl_session_renew(session) != OCELOTL_OK)
        return false;
    ocelotl_buffer_free(&with->answer->body);
    with->out.status = OCELOTL_OK;
    with->view = with->state.request->view;
    with->view.command = with->state.line;
    return true;
}

static void run(server_answer *answer, server_asking *with)
{
    ocelotl_session_release(with->session);
    with->route->answer(with);
    if (with->out.status == OCELOTL_ERROR_INPUT && is_mended(with))
        with->route->answer(with);
    if (with->out.status != OCELOTL_OK)
        answer_failure(answer, with->overflows ? fail_large(with) : with->out.status);
    else
        succeed(answer, with);
}

/* The client that asks, and the number of its turn. */
typedef struct caller {
    const char *client; /* "": not a client that may ask for something else instead */
    uint64_t turn;
    bool yields;
} caller;

static caller find_caller(const server_asking *with)
{
    const char *client = server_query_get(&with->query, "client");
    const char *turn = server_query_get(&with->query, "turn");
    const bool views = with->route->views && client != NULL && turn != NULL &&
                       strlen(client) <= SERVER_CLIENT_LENGTH;
    return (caller){.client = views ? client : "",
                    .turn = views ? strtoull(turn, NULL, 10) : 0,
                    .yields = with->route->yields || server_asking_get(with, "ahead") != NULL};
}

static void wait_and_run(server_answer *answer, server_asking *with, const caller *by)
{
    server_turns *turns = with->room->turns;
    const double asked = server_milliseconds();
    pthread_mutex_lock(&with->room->lock);
    if (server_turns_run(turns, by->client, by->turn, by->yields)) {
        const double begun = server_milliseconds();
        run(answer, with);
        write_timing(answer, asked, begun);
        server_turns_rest(turns);
    } else {
        answer_late(answer);
    }
    pthread_mutex_unlock(&with->room->lock);
}

/* Answers what is known at once; what is not interrupts what its client asked for before. */
static void find_answer(server_answer *answer, server_asking *with)
{
    const caller by = find_caller(with);
    const double begun = server_milliseconds();
    if (!by.yields)
        server_turns_want(with->room->turns, by.client, by.turn);
    if (with->route->known != NULL && with->route->known(with)) {
        succeed(answer, with);
        write_timing(answer, begun, begun);
        return;
    }
    ocelotl_buffer_free(&answer->body);
    with->overflows = false;
    wait_and_run(answer, with, &by);
}

/* Answers, once the query is read. */
static void answer_state(server_answer *answer, server_asking *with)
{
    with->answer = answer;
    with->out = (server_out){.sink = {write_bounded, with}};
    with->view = with->state.request->view;
    with->view.command = with->state.line;
    const ocelotl_status status = ocelotl_request_check(with->state.request);
    if (status != OCELOTL_OK)
        answer_failure(answer, status);
    else if (!is_had(answer, with))
        find_answer(answer, with);
}

void server_answer_path(server_answer *answer, server_room *room, const char *path,
                        const char *query)
{
    server_route made;
    const server_route *found = server_find_route(&made, path, answer->sent.method);
    server_asking with = {.room = room, .session = room->options.session, .route = found};
    if (found == NULL) {
        server_answer_problem(answer, 404, "the server has no such address", NULL);
        return;
    }
    if (server_watch_is_changed(&room->watch) || server_watch_is_changed(&room->second)) {
        server_answer_problem(answer, 410, "the trace was replaced or removed since it is served",
                              "End ocelotl-cli serve, and start it again.");
        return;
    }
    ocelotl_status status = server_query_read(&with.query, query);
    for (size_t i = 0; i < SERVER_MOST_OWN && found->own[i] != NULL; i++)
        with.own[i] = server_query_take(&with.query, found->own[i]);
    if (status == OCELOTL_OK)
        status = server_state_read(&with.state, &room->options, found->command, &with.query,
                                   found->file);
    if (status == OCELOTL_OK)
        answer_state(answer, &with);
    else
        answer_failure(answer, status);
    server_state_free(&with.state);
    server_query_free(&with.query);
}
