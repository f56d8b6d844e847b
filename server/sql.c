/* Questions in SQL, which only a server that was begun with --sql answers. */
#define _GNU_SOURCE
#include "clock.h"
#include "panels.h"

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
            server_put_text(out, "", number);
        else
            server_put(out, number);
        break;
    case OCELOTL_SQL_NUMBER:
        server_put_number(out, "", cell->number);
        break;
    case OCELOTL_SQL_TEXT:
    case OCELOTL_SQL_BLOB:
        server_put_text(out, "", cell->text);
        break;
    default:
        server_put(out, "null");
    }
}

/* Writes the rows that an answer may have; *more is whether others follow. */
static ocelotl_status put_rows(bool *more, server_out *out, ocelotl_query *query)
{
    const uint32_t columns = ocelotl_query_column_count(query);
    ocelotl_status status = ocelotl_query_next(more, query);
    for (uint32_t row = 0; status == OCELOTL_OK && *more && row < MOST_ROWS; row++) {
        server_put(out, row == 0 ? "\n" : ",\n");
        for (uint32_t i = 0; i < columns; i++) {
            const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, i);
            server_put(out, i == 0 ? "[" : ",");
            put_cell(out, &cell);
        }
        server_put(out, "]");
        status = out->status == OCELOTL_OK ? ocelotl_query_next(more, query) : out->status;
    }
    return status;
}

static ocelotl_status put_command(server_asking *with, const char *sql)
{
    const char *const words[] = {"ocelotl-cli", "sql", "--", with->room->options.trace, sql};
    char *line = NULL;
    const ocelotl_status status = ocelotl_words_write(&line, sizeof words / sizeof words[0], words);
    if (status == OCELOTL_OK)
        server_put_text(&with->out, "{\"command\":", line);
    free(line);
    return status;
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
    if (asked == NULL)
        return;
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

static ocelotl_status find_rows(question *asked)
{
    server_out out = {.sink = {keep, asked}};
    const ocelotl_work work = {
        .memory_limit = LONGEST_TEXT, .progress = may_go_on, .context = asked};
    bool more = false;
    ocelotl_status status = ocelotl_query_open(&asked->query, asked->trace, asked->sql);
    if (status != OCELOTL_OK)
        return status;
    ocelotl_query_watch(asked->query, &work);
    server_put(&out, ",\"columns\":[");
    for (uint32_t i = 0; i < ocelotl_query_column_count(asked->query); i++)
        server_put_text(&out, i == 0 ? "" : ",", ocelotl_query_column_at(asked->query, i));
    server_put(&out, "],\"rows\":[");
    status = put_rows(&more, &out, asked->query);
    server_put(&out, more ? "],\"more\":true}\n" : "],\"more\":false}\n");
    return status == OCELOTL_OK ? out.status : status;
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

static ocelotl_status make_question(question **made, const server_asking *with)
{
    ocelotl_trace *trace = NULL;
    question *asked = calloc(1, sizeof *asked);
    if (asked == NULL)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    pthread_mutex_init(&asked->lock, NULL);
    pthread_cond_init(&asked->answered, NULL);
    asked->until = server_milliseconds() + MOST_MILLISECONDS;
    asked->most = with->route->most - with->answer->body.size;
    asked->sql = strdup(with->answer->sent.body != NULL ? with->answer->sent.body : "");
    ocelotl_status status = asked->sql != NULL
                                ? ocelotl_session_trace(&trace, with->room->options.session)
                                : ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    if (status == OCELOTL_OK)
        status = ocelotl_trace_open_again(&asked->trace, trace);
    if (status == OCELOTL_OK)
        *made = asked;
    else
        free_question(asked);
    return status;
}

/* Of what has ended. What was stopped by the clock is too much. */
static ocelotl_status put_answer(server_asking *with, const question *asked)
{
    with->overflows = asked->overflows;
    if (asked->status == OCELOTL_OK)
        return with->out.sink.write(with->out.sink.context, asked->rows.bytes, asked->rows.size);
    return asked->status == OCELOTL_ERROR_CANCELLED
               ? ocelotl_fail(OCELOTL_ERROR_LIMIT, "SQL: the query takes longer than 5 s")
               : ocelotl_fail(asked->status, asked->message);
}

static ocelotl_status ask(server_asking *with, question *asked)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer, asked) != 0) {
        free_question(asked);
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    }
    if (!await(asked, with->room->turns)) {
        pthread_detach(thread);
        return ocelotl_fail(OCELOTL_ERROR_LIMIT, "SQL: the query takes longer than 5 s");
    }
    pthread_join(thread, NULL);
    const ocelotl_status status = put_answer(with, asked);
    free_question(asked);
    return status;
}

/* The session is for others while the question is answered. */
ocelotl_status server_answer_sql(server_asking *with)
{
    const char *sql = with->answer->sent.body != NULL ? with->answer->sent.body : "";
    question *asked = NULL;
    if (!with->room->options.initial->sql) {
        server_answer_problem(with->answer, 403, "questions in SQL are not answered",
                              "Begin ocelotl-cli serve with --sql.");
        return OCELOTL_OK;
    }
    if (strlen(sql) != with->answer->sent.size)
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT, "SQL: a zero byte, expected a text");
    if (left_alone >= MOST_LEFT)
        return ocelotl_fail(OCELOTL_ERROR_LIMIT, "SQL: queries that took too long still run, "
                                                 "expected a new start of the server");
    ocelotl_status status = put_command(with, sql);
    if (status == OCELOTL_OK)
        status = with->out.status;
    if (status == OCELOTL_OK)
        status = make_question(&asked, with);
    if (status != OCELOTL_OK || asked == NULL)
        return status;
    server_turns_rest(with->room->turns);
    pthread_mutex_unlock(&with->room->lock);
    status = ask(with, asked);
    pthread_mutex_lock(&with->room->lock);
    return status;
}
