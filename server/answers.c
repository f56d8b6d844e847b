#define _GNU_SOURCE
#include "answers.h"

#include <ocelotl/digest.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Says what failed. What nobody waits for any more is no failure, and there is nothing to say. */
static void answer_failure(server_answer *answer, ocelotl_status status)
{
    static const unsigned codes[] = {
        [OCELOTL_ERROR_ARGUMENT] = 400, [OCELOTL_ERROR_INPUT] = 400,  [OCELOTL_ERROR_IO] = 500,
        [OCELOTL_ERROR_LIMIT] = 400,    [OCELOTL_ERROR_MEMORY] = 503, [OCELOTL_ERROR_EMPTY] = 400,
        [OCELOTL_ERROR_INTERNAL] = 500,
    };
    char message[1024];
    snprintf(message, sizeof message, "%s", ocelotl_error_message());
    if (status != OCELOTL_ERROR_CANCELLED) {
        server_answer_problem(answer, codes[status], message, NULL);
        return;
    }
    ocelotl_buffer_free(&answer->body);
    answer->status = 204;
    answer->type = SERVER_JSON;
}

size_t server_answer_takes(const char *path, const char *method)
{
    server_route made;
    const server_route *found = server_find_route(&made, path, method);
    return found != NULL ? found->takes : 0;
}

/* --- What an answer is */

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

static void add_to_digest(uint64_t digest[2], const char *text)
{
    ocelotl_digest(digest, text, strlen(text) + 1);
}

/* Writes the tag of an answer that stays the same, which the client and its turn do not change.
 * Returns whether the client has the answer already, so that nothing is computed. */
static bool is_had(server_answer *answer, const server_asking *with)
{
    const char *run = server_asking_get(with, "run");
    uint64_t digest[2] = {0, 0};
    if (!with->route->steady)
        return false;
    add_to_digest(digest, with->room->run);
    add_to_digest(digest, with->route->path);
    for (size_t i = 0; i < with->query.count; i++) {
        const server_pair *pair = &with->query.pairs[i];
        if (strcmp(pair->name, "client") == 0 || strcmp(pair->name, "turn") == 0)
            continue;
        add_to_digest(digest, pair->name);
        add_to_digest(digest, pair->value);
    }
    for (size_t i = 0; i < SERVER_MOST_OWN && with->route->own[i] != NULL; i++)
        add_to_digest(digest, with->own[i] != NULL ? with->own[i] : "\1");
    snprintf(answer->tag, sizeof answer->tag, "W/\"%016llx\"", (unsigned long long)digest[0]);
    answer->immutable = run != NULL && strcmp(run, with->room->run) == 0;
    return answer->wanted != NULL && strstr(answer->wanted, answer->tag) != NULL;
}

/* Says what was found, and how long that took. An answer may have said it already. */
static void succeed(server_answer *answer, const server_asking *with, unsigned status)
{
    static const char *const types[] = {
        [OCELOTL_FORM_TEXT] = SERVER_JSON,      [OCELOTL_FORM_CSV] = "text/csv; charset=utf-8",
        [OCELOTL_FORM_SVG] = "image/svg+xml",   [OCELOTL_FORM_PNG] = "image/png",
        [OCELOTL_FORM_PDF] = "application/pdf", [OCELOTL_FORM_PAGE] = "text/html; charset=utf-8"};
    const server_route *route = with->route;
    if (answer->status != 0)
        return;
    answer->status = status;
    answer->type = route->bytes ? "application/octet-stream" : types[route->form];
    if (status != 200)
        return;
    answer->file = route->form != OCELOTL_FORM_TEXT ? route->file : NULL;
    if (route->steady && with->state.line != NULL)
        answer->command = strdup(with->state.line);
}

static void write_timing(server_answer *answer, double asked, double begun)
{
    snprintf(answer->timing, sizeof answer->timing, "wait;dur=%.2f, work;dur=%.2f", begun - asked,
             server_milliseconds() - begun);
}

/* How what is drawn looks: with `bare`, for a page that has a title, and so many pixels high.
 * False: it failed. */
static bool take_view(server_asking *with)
{
    enum { MOST = 20000 };
    uint64_t height = 0;
    with->view = with->state.request->view;
    with->view.command = with->state.line;
    with->view.bare = server_asking_get(with, "bare") != NULL;
    if (!server_asking_count(&height, with, "bare", 0, MOST))
        return false;
    if (with->view.bare)
        with->view.height = (double)height;
    return true;
}

/* --- Answering, one at a time */

/* Answers, and once more where the cache was damaged: that is imported anew, as each command does
 * it; what was made of it is gone then. */
static void run(server_answer *answer, server_asking *with)
{
    ocelotl_session_release(with->session);
    with->route->answer(with);
    if (with->out.status == OCELOTL_ERROR_INPUT && ocelotl_session_is_damaged(with->session) &&
        ocelotl_session_renew(with->session) == OCELOTL_OK) {
        ocelotl_buffer_free(&answer->body);
        with->out.status = OCELOTL_OK;
        if (take_view(with))
            with->route->answer(with);
    }
    if (with->out.status != OCELOTL_OK && with->overflows) {
        /* The writer only knows that it cannot write. */
        answer_failure(answer,
                       server_fail(OCELOTL_ERROR_LIMIT,
                                   "the answer is larger than %zu KB, expected a smaller part or "
                                   "window",
                                   with->route->most / 1024));
    } else if (with->out.status != OCELOTL_OK) {
        answer_failure(answer, with->out.status);
    } else {
        succeed(answer, with, 200);
    }
}

/* Answers what is known at once; what is not interrupts what its client asked for before. */
static void find_answer(server_answer *answer, server_asking *with)
{
    const server_route *route = with->route;
    server_turns *turns = &with->room->turns;
    const char *client = server_query_get(&with->query, "client");
    const char *turn = server_query_get(&with->query, "turn");
    const bool views =
        route->views && client != NULL && turn != NULL && strlen(client) <= SERVER_CLIENT_LENGTH;
    const bool yields = route->yields || server_asking_get(with, "ahead") != NULL;
    const uint64_t number = views ? strtoull(turn, NULL, 10) : 0;
    const double asked = server_milliseconds();
    if (!views) /* not a client that may ask for something else instead */
        client = "";
    if (!yields)
        server_turns_want(turns, client, number);
    if (route->known != NULL && route->known(with)) {
        succeed(answer, with, 200);
        write_timing(answer, asked, asked);
        return;
    }
    ocelotl_buffer_free(&answer->body);
    with->overflows = false;
    if (!yields)
        server_turns_wait(turns);
    pthread_mutex_lock(&with->room->lock);
    if (server_turns_run(turns, client, number, yields)) {
        const double begun = server_milliseconds();
        run(answer, with);
        write_timing(answer, asked, begun);
        server_turns_rest(turns);
    } else {
        answer_failure(answer, OCELOTL_ERROR_CANCELLED);
    }
    pthread_mutex_unlock(&with->room->lock);
}

/* Reads the query, and answers what it asks. */
static ocelotl_status ask(server_asking *with, const char *query)
{
    const server_route *route = with->route;
    ocelotl_status status = server_query_read(&with->query, query);
    for (size_t i = 0; i < SERVER_MOST_OWN && route->own[i] != NULL; i++)
        with->own[i] = server_query_take(&with->query, route->own[i]);
    if (status == OCELOTL_OK)
        status = server_state_read(&with->state, &with->room->options, route->command, &with->query,
                                   route->file);
    if (status == OCELOTL_OK)
        status = ocelotl_request_check(with->state.request);
    if (status != OCELOTL_OK)
        return status;
    with->out = (server_out){.sink = {write_bounded, with}};
    if (!take_view(with))
        return with->out.status;
    if (is_had(with->answer, with))
        succeed(with->answer, with, 304);
    else
        find_answer(with->answer, with);
    return OCELOTL_OK;
}

void server_answer_path(server_answer *answer, server_room *room, const char *path,
                        const char *query)
{
    server_route made;
    const server_route *found = server_find_route(&made, path, answer->sent.method);
    if (found == NULL) {
        server_answer_problem(answer, 404, "the server has no such address", NULL);
        return;
    }
    if (server_room_is_changed(room)) {
        server_answer_problem(answer, 410, "the trace was replaced or removed since it is served",
                              "End ocelotl-cli serve, and start it again.");
        return;
    }
    server_asking with = {
        .room = room, .session = room->options.session, .route = found, .answer = answer};
    const ocelotl_status status = ask(&with, query);
    if (status != OCELOTL_OK)
        answer_failure(answer, status);
    server_state_free(&with.state);
    free(with.query.texts);
}
