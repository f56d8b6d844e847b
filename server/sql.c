/* Questions in SQL, which only a server that was begun with --sql answers. */
#define _GNU_SOURCE
#include "panels.h"

#include <ocelotl/answer.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 10000, MOST_MILLISECONDS = 5000 };

/* A page reads numbers as doubles, which have no more digits. */
#define LARGEST_EXACT ((int64_t)1 << 53)

static ocelotl_status put_cell(const server_asking *with, const ocelotl_sql_cell *cell)
{
    char number[24];
    switch (cell->kind) {
    case OCELOTL_SQL_INTEGER:
        snprintf(number, sizeof number, "%" PRId64, cell->integer);
        return cell->integer < -LARGEST_EXACT || cell->integer > LARGEST_EXACT
                   ? server_put_text(with, "", number)
                   : server_put(with, number);
    case OCELOTL_SQL_NUMBER:
        return server_put_number(with, "", cell->number);
    case OCELOTL_SQL_TEXT:
    case OCELOTL_SQL_BLOB:
        return server_put_text(with, "", cell->text);
    default:
        return server_put(with, "null");
    }
}

static ocelotl_status put_row(const server_asking *with, const ocelotl_query *query)
{
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t i = 0; status == OCELOTL_OK && i < ocelotl_query_column_count(query); i++) {
        const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, i);
        status = server_put(with, i == 0 ? "[" : ",");
        if (status == OCELOTL_OK)
            status = put_cell(with, &cell);
    }
    return status == OCELOTL_OK ? server_put(with, "]") : status;
}

static ocelotl_status put_rows(bool *more, const server_asking *with, ocelotl_query *query)
{
    ocelotl_status status = ocelotl_query_next(more, query);
    for (uint32_t row = 0; status == OCELOTL_OK && *more && row < MOST_ROWS; row++) {
        status = server_put(with, row == 0 ? "\n" : ",\n");
        if (status == OCELOTL_OK)
            status = put_row(with, query);
        if (status == OCELOTL_OK)
            status = ocelotl_query_next(more, query);
    }
    return status;
}

static ocelotl_status put_columns(const server_asking *with, const ocelotl_query *query)
{
    ocelotl_status status = server_put(with, ",\"columns\":[");
    for (uint32_t i = 0; status == OCELOTL_OK && i < ocelotl_query_column_count(query); i++)
        status = server_put_text(with, i == 0 ? "" : ",", ocelotl_query_column_at(query, i));
    return status == OCELOTL_OK ? server_put(with, "],\"rows\":[") : status;
}

static ocelotl_status put_command(const server_asking *with, const char *sql)
{
    const char *const words[] = {"ocelotl-cli", "sql", "--", with->room->options.trace, sql};
    char *line = NULL;
    ocelotl_status status = ocelotl_words_write(&line, sizeof words / sizeof words[0], words);
    if (status == OCELOTL_OK)
        status = server_put_text(with, "{\"command\":", line);
    free(line);
    return status;
}

static ocelotl_status put_answer(const server_asking *with, ocelotl_query *query, const char *sql)
{
    bool more = false;
    ocelotl_status status = put_command(with, sql);
    if (status == OCELOTL_OK)
        status = put_columns(with, query);
    if (status == OCELOTL_OK)
        status = put_rows(&more, with, query);
    return status == OCELOTL_OK
               ? server_put(with, more ? "],\"more\":true}\n" : "],\"more\":false}\n")
               : status;
}

/* What was stopped by the clock is too much; what was stopped otherwise is not wanted any more. */
static ocelotl_status explain(ocelotl_status status, const server_asking *with)
{
    if (status != OCELOTL_ERROR_CANCELLED || !server_turns_go_on(with->room->turns))
        return status;
    return ocelotl_fail(OCELOTL_ERROR_LIMIT, "SQL: the query takes longer than 5 s");
}

ocelotl_status server_answer_sql(server_asking *with)
{
    const char *sql = with->answer->sent.body != NULL ? with->answer->sent.body : "";
    ocelotl_trace *trace = NULL;
    ocelotl_query *query = NULL;
    if (!with->room->options.initial->sql) {
        server_answer_problem(with->answer, 403, "questions in SQL are not answered",
                              "Begin ocelotl-cli serve with --sql.");
        return OCELOTL_OK;
    }
    if (strlen(sql) != with->answer->sent.size)
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT, "SQL: a zero byte, expected a text");
    ocelotl_status status = ocelotl_session_trace(&trace, with->room->options.session);
    if (status == OCELOTL_OK)
        status = ocelotl_query_open(&query, trace, sql);
    if (status == OCELOTL_OK) {
        server_room_work_for(with->room, MOST_MILLISECONDS);
        ocelotl_query_watch(query, &with->room->kept.work);
        status = explain(put_answer(with, query, sql), with);
        server_room_work_for(with->room, 0);
    }
    ocelotl_query_free(query);
    return status;
}
