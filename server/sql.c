/* Questions in SQL, which only a server that was begun with --sql answers. */
#define _GNU_SOURCE
#include "answers.h"

#include <ocelotl/answer.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROWS = 10000,
    MOST_MILLISECONDS = 5000, /* of a question, */
    PATIENCE = 500,           /* and of a function in it that does not look at the clock */
    LONGEST_TEXT = 1000000,   /* bytes */
    MOST_LEFT = 4
};

/* A page reads numbers as doubles, which have no more digits. */
#define LARGEST_EXACT ((int64_t)1 << 53)

static void put_cell(server_out *out, const ocelotl_sql_cell *cell)
{
    char number[24];
    switch (cell->kind) {
    case OCELOTL_SQL_INTEGER:
        snprintf(number, sizeof number, "%" PRId64, cell->integer);
        if (cell->integer < -LARGEST_EXACT || cell->integer > LARGEST_EXACT)
            server_put(out, "%s", number);
        else
            server_put_bytes(out, number, strlen(number));
        break;
    case OCELOTL_SQL_NUMBER:
        server_put(out, "%g", cell->number);
        break;
    case OCELOTL_SQL_TEXT:
    case OCELOTL_SQL_BLOB:
        server_put(out, "%s", cell->text);
        break;
    default:
        server_put(out, "null");
    }
}

/* --- A question has a thread and a trace of its own. One that is stuck in a function is left to
 * itself: its thread drops all when the function returns. */

typedef struct question {
    pthread_mutex_t lock; /* of the next two */
    pthread_cond_t answered;
    bool ended, left;
    ocelotl_trace *trace;
    ocelotl_query *query;
    char *sql;
    double until; /* milliseconds of the monotonic clock */
    size_t most;  /* bytes of the rows */
    bool overflows;
    ocelotl_buffer rows;
    ocelotl_status status;
    char message[1024];
} question;

static _Atomic unsigned left_alone; /* questions that nobody waits for any more */

static void free_question(question *asked)
{
    ocelotl_query_free(asked->query);
    ocelotl_trace_free(asked->trace);
    ocelotl_buffer_free(&asked->rows);
    pthread_cond_destroy(&asked->answered);
    pthread_mutex_destroy(&asked->lock);
    free(asked->sql);
    free(asked);
}

static bool may_go_on(void *context, uint64_t done, uint64_t total)
{
    question *asked = context;
    (void)done;
    (void)total;
    pthread_mutex_lock(&asked->lock);
    const bool left = asked->left;
    pthread_mutex_unlock(&asked->lock);
    return !left && server_milliseconds() < asked->until;
}

static ocelotl_status keep(void *context, const void *bytes, size_t size)
{
    question *asked = context;
    const ocelotl_sink sink = ocelotl_buffer_sink(&asked->rows);
    asked->overflows = size > asked->most - asked->rows.size;
    return asked->overflows ? ocelotl_fail(OCELOTL_ERROR_LIMIT, "the answer is too large")
                            : sink.write(sink.context, bytes, size);
}

/* Writes the rows that an answer may have, and whether others follow. */
static ocelotl_status find_rows(question *asked)
{
    server_out out = {.sink = {keep, asked}};
    const ocelotl_work work = {
        .memory_limit = LONGEST_TEXT, .progress = may_go_on, .context = asked};
    bool more = false;
    if (!server_hold(&out, ocelotl_query_open(&asked->query, asked->trace, asked->sql)))
        return out.status;
    ocelotl_query_watch(asked->query, &work);
    const uint32_t columns = ocelotl_query_column_count(asked->query);
    server_put(&out, ",\"columns\":[");
    for (uint32_t i = 0; i < columns; i++)
        server_put(&out, i == 0 ? "%s" : ",%s", ocelotl_query_column_at(asked->query, i));
    server_put(&out, "],\"rows\":[");
    for (uint32_t row = 0;
         out.status == OCELOTL_OK && server_hold(&out, ocelotl_query_next(&more, asked->query)) &&
         more && row < MOST_ROWS;
         row++) {
        server_put(&out, row == 0 ? "\n" : ",\n");
        for (uint32_t i = 0; i < columns; i++) {
            const ocelotl_sql_cell cell = ocelotl_query_cell_at(asked->query, i);
            server_put(&out, i == 0 ? "[" : ",");
            put_cell(&out, &cell);
        }
        server_put(&out, "]");
    }
    server_put(&out, more ? "],\"more\":true}\n" : "],\"more\":false}\n");
    return out.status;
}

static void *answer(void *context)
{
    question *asked = context;
    asked->status = find_rows(asked);
    snprintf(asked->message, sizeof asked->message, "%s", ocelotl_error_message());
    pthread_mutex_lock(&asked->lock);
    const bool left = asked->left;
    asked->ended = true;
    pthread_cond_signal(&asked->answered);
    pthread_mutex_unlock(&asked->lock);
    if (left) {
        free_question(asked);
        left_alone--;
    }
    return NULL;
}

/* Waits for the rows, as long as they are wanted. False: the question is left to its thread. */
static bool await(question *asked, server_turns *turns)
{
    pthread_mutex_lock(&asked->lock);
    while (!asked->ended && !atomic_load(&turns->stopping) &&
           server_milliseconds() < asked->until + PATIENCE) {
        struct timespec moment;
        clock_gettime(CLOCK_REALTIME, &moment);
        moment.tv_nsec += 50000000;
        moment.tv_sec += moment.tv_nsec / 1000000000;
        moment.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&asked->answered, &asked->lock, &moment);
    }
    const bool ended = asked->ended;
    asked->left = !ended;
    left_alone += !ended;
    pthread_mutex_unlock(&asked->lock);
    return ended;
}

/* Gives NULL where it fails. */
static question *make_question(server_asking *with, const char *sql)
{
    server_out *out = &with->out;
    ocelotl_trace *trace = NULL;
    question *asked = calloc(1, sizeof *asked);
    if (asked == NULL) {
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory"));
        return NULL;
    }
    pthread_mutex_init(&asked->lock, NULL);
    pthread_cond_init(&asked->answered, NULL);
    asked->until = server_milliseconds() + MOST_MILLISECONDS;
    asked->most = with->route->most - with->answer->body.size;
    asked->sql = strdup(sql);
    if (asked->sql == NULL)
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory"));
    else if (server_hold(out, ocelotl_session_trace(&trace, with->session)) &&
             server_hold(out, ocelotl_trace_open_again(&asked->trace, trace)))
        return asked;
    free_question(asked);
    return NULL;
}

/* Waits for the answer of a question, which is freed. What is stopped by the clock is too much. */
static void ask(server_asking *with, question *asked)
{
    static const char late[] = "SQL: the query takes longer than 5 s";
    server_out *out = &with->out;
    pthread_t thread;
    const bool begun = pthread_create(&thread, NULL, answer, asked) == 0;
    if (begun && !await(asked, &with->room->turns)) {
        pthread_detach(thread);
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_LIMIT, late));
        return;
    }
    if (begun)
        pthread_join(thread, NULL);
    with->overflows = asked->overflows;
    if (!begun)
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory"));
    else if (asked->status == OCELOTL_OK)
        server_put_bytes(out, asked->rows.bytes, asked->rows.size);
    else if (asked->status == OCELOTL_ERROR_CANCELLED)
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_LIMIT, late));
    else
        server_hold(out, ocelotl_fail(asked->status, asked->message));
    free_question(asked);
}

/* The session is for others while the question is answered. */
void server_answer_sql(server_asking *with)
{
    const char *sql = with->answer->sent.body != NULL ? with->answer->sent.body : "";
    const char *const words[] = {"ocelotl-cli", "sql", "--", with->room->options.trace, sql};
    char *line = NULL;
    server_out *out = &with->out;
    if (!with->room->options.initial->sql) {
        server_answer_problem(with->answer, 403, "questions in SQL are not answered",
                              "Begin ocelotl-cli serve with --sql.");
        return;
    }
    if (strlen(sql) != with->answer->sent.size)
        server_hold(out, ocelotl_fail(OCELOTL_ERROR_ARGUMENT, "SQL: a zero byte, expected a text"));
    else if (left_alone >= MOST_LEFT)
        server_hold(out,
                    ocelotl_fail(OCELOTL_ERROR_LIMIT, "SQL: queries that took too long still run, "
                                                      "expected a new start of the server"));
    else if (server_hold(out, ocelotl_words_write(&line, sizeof words / sizeof words[0], words)))
        server_put(out, "{\"command\":%s", line);
    free(line);
    question *asked = out->status == OCELOTL_OK ? make_question(with, sql) : NULL;
    if (asked == NULL)
        return;
    server_turns_rest(&with->room->turns);
    pthread_mutex_unlock(&with->room->lock);
    ask(with, asked);
    pthread_mutex_lock(&with->room->lock);
}
