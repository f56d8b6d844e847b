/* Queries in SQL, on a connection of their own that can only read. */
#include "query/sql/events_table.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/file/tables.h"

#include <ocelotl/query.h>

#include <stdlib.h>
#include <string.h>

struct ocelotl_query {
    oc_table_source source;
    sqlite3 *database;
    sqlite3_stmt *statement;
    bool row; /* the statement is at a row */
    ocelotl_work work;
};

/* The names of a trace as people want them; the tables behind them are the file's. */
static const char views[] =
    "CREATE TEMP VIEW resources AS SELECT r.id, ocelotl_path(r.id) AS path, t.name AS type, r.name,"
    " ocelotl_path(r.parent) AS parent, ocelotl_seconds(r.begin) AS begin, ocelotl_seconds(r.end) "
    "AS end, r.notes"
    " FROM main.resource r LEFT JOIN main.resource_type t ON t.id = r.type;"
    "CREATE TEMP VIEW event_types AS SELECT e.id,"
    " CASE e.category WHEN 0 THEN 'event' WHEN 1 THEN 'state' WHEN 2 THEN 'variable' ELSE 'link' "
    "END AS category,"
    " e.name AS type, t.name AS resource_type, e.count, e.unmatched"
    " FROM main.event_type e LEFT JOIN main.resource_type t ON t.id = e.resource_type;"
    "CREATE TEMP VIEW event_values AS SELECT v.id, e.category, e.type, v.name AS value, v.count,"
    " ocelotl_seconds(v.innermost) AS innermost, ocelotl_seconds(v.inclusive) AS inclusive"
    " FROM main.value v JOIN event_types e ON e.id = v.event_type;"
    "CREATE TEMP VIEW warnings AS SELECT kind, count, detail FROM main.import_warning;"
    "CREATE TEMP VIEW source_kinds AS SELECT kind, CASE fate WHEN 0 THEN 'event' WHEN 1 THEN "
    "'state' WHEN 2 THEN 'variable' WHEN 3 THEN 'link' WHEN 4 THEN 'attribute' WHEN 5 THEN "
    "'definition' ELSE 'left out' END AS fate, count, why FROM main.source_kind;";

static void path_function(sqlite3_context *result, int count, sqlite3_value **values)
{
    const oc_table_source *source = sqlite3_user_data(result);
    const sqlite3_int64 id = sqlite3_value_int64(values[0]);
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL || id < 0 ||
        id >= source->trace->resource_count)
        sqlite3_result_null(result);
    else
        sqlite3_result_text(result, oc_path_of(&source->catalogue.paths, (uint32_t)id), -1,
                            SQLITE_TRANSIENT);
}

static void seconds_function(sqlite3_context *result, int count, sqlite3_value **values)
{
    const oc_table_source *source = sqlite3_user_data(result);
    (void)count;
    if (sqlite3_value_type(values[0]) != SQLITE_NULL)
        sqlite3_result_double(result,
                              ocelotl_trace_seconds(source->trace, sqlite3_value_int64(values[0])));
}

/* Adds the columns of the tables that a query names. */
static void add_columns(oc_text *line, const ocelotl_query *query, const char *sql)
{
    static const char columns[] =
        "SELECT t.column1 || ' has ' || group_concat(c.name, ', ')"
        " FROM (VALUES('events'), ('resources'), ('event_types'), ('event_values'), ('warnings'),"
        " ('source_kinds')) t JOIN pragma_table_info(t.column1) c"
        " WHERE lower(?1) GLOB '*[^a-z_]' || t.column1 || '*' GROUP BY t.column1";
    sqlite3_stmt *statement = NULL;
    sqlite3_set_authorizer(query->database, NULL, NULL);
    if (sqlite3_prepare_v2(query->database, columns, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_bind_text(statement, 1, sql, -1, SQLITE_STATIC) == SQLITE_OK)
        while (sqlite3_step(statement) == SQLITE_ROW)
            oc_text_format(line, "; %s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
}

/* Adds what may be meant by a column that is not there. */
static void add_hint(oc_text *line, const ocelotl_query *query, const char *sql)
{
    static const char no_table[] = "no such table", no_column[] = "no such column: ";
    /* Words of other shells, and commands of sqlite3's. */
    const bool asks = sql[0] == '.' || sql[0] == '\\' || sqlite3_strnicmp(sql, "show ", 5) == 0 ||
                      sqlite3_strnicmp(sql, "desc", 4) == 0;
    if (asks || strncmp(line->bytes, no_table, strlen(no_table)) == 0)
        oc_text_add(line, "; the tables are events, resources, event_types, event_values, warnings "
                          "and source_kinds");
    if (strncmp(line->bytes, no_column, strlen(no_column)) != 0)
        return;
    oc_text quoted = {0};
    oc_text_format(&quoted, "\"%s\"", line->bytes + strlen(no_column));
    if (!quoted.failed && strstr(sql, quoted.bytes) != NULL)
        oc_text_format(line, "; a text stands in single quotes, as '%.*s'", (int)quoted.length - 2,
                       quoted.bytes + 1);
    oc_text_free(&quoted);
    add_columns(line, query, sql);
}

/* SQLite's message as one line. */
static ocelotl_status fail_sql(const ocelotl_query *query, const char *sql)
{
    const int code = sqlite3_errcode(query->database);
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_NOMEM ||
        code == SQLITE_IOERR)
        return oc_database_fail(query->database, query->source.trace->path);
    if (code == SQLITE_AUTH)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "SQL: not allowed, expected a query that only reads");
    oc_text line = {0};
    oc_text_add(&line, sqlite3_errmsg(query->database));
    if (!line.failed)
        add_hint(&line, query, sql);
    for (size_t i = 0; i < line.length; i++)
        if ((unsigned char)line.bytes[i] < 0x20)
            line.bytes[i] = ' ';
    const ocelotl_status status =
        line.failed ? oc_fail_memory() : oc_fail(OCELOTL_ERROR_ARGUMENT, "SQL: %s", line.bytes);
    oc_text_free(&line);
    return status;
}

/* Functions that reach out of the file, or into memory. */
static bool is_dangerous(const char *function)
{
    static const char *const dangerous[] = {
        "load_extension", "fts3_tokenizer", "icu_load_collation", "readfile", "writefile",
        "edit",           "eval",           "rtreecheck"};
    for (size_t i = 0; i < sizeof dangerous / sizeof dangerous[0]; i++)
        if (sqlite3_stricmp(function, dangerous[i]) == 0)
            return true;
    return false;
}

static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *inner)
{
    (void)context;
    (void)first;
    (void)database;
    (void)inner;
    if (action == SQLITE_FUNCTION)
        return second != NULL && is_dangerous(second) ? SQLITE_DENY : SQLITE_OK;
    return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE
               ? SQLITE_OK
               : SQLITE_DENY;
}

static ocelotl_status add_function(ocelotl_query *query, const char *name,
                                   void (*function)(sqlite3_context *, int, sqlite3_value **))
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    if (sqlite3_create_function_v2(query->database, name, 1, flags, &query->source, function, NULL,
                                   NULL, NULL) != SQLITE_OK)
        return oc_database_fail(query->database, query->source.trace->path);
    return OCELOTL_OK;
}

/* A text or blob may be as long as the file, or as this: an answer may be longer than a small
 * trace, and an expression may make any length out of a number. */
enum { LONGEST_TEXT = 1 << 26 };

static ocelotl_status connect(ocelotl_query *query)
{
    const char *path = query->source.trace->path;
    OC_TRY(oc_connection_open(&query->database, path, query->source.trace->info.file_size));
    const uint64_t size = query->source.trace->info.file_size;
    const uint64_t longest = size > LONGEST_TEXT ? size : LONGEST_TEXT;
    sqlite3_limit(query->database, SQLITE_LIMIT_LENGTH,
                  longest < INT32_MAX ? (int)longest : INT32_MAX);
    if (oc_events_table_register(query->database, "events", &query->source) != SQLITE_OK)
        return oc_database_fail(query->database, path);
    OC_TRY(add_function(query, "ocelotl_path", path_function));
    OC_TRY(add_function(query, "ocelotl_seconds", seconds_function));
    OC_TRY(oc_database_execute(query->database, path, views));
    /* Makes the tables while their declarations are still allowed. A SQLite without JSON has no
     * such ones. */
    OC_TRY(oc_database_execute(query->database, path, "SELECT 1 FROM events LIMIT 0"));
    sqlite3_exec(query->database, "SELECT 1 FROM json_each('[]'), json_tree('[]') LIMIT 0", NULL,
                 NULL, NULL);
    sqlite3_set_authorizer(query->database, authorize, NULL);
    /* A misspelt column in double quotes is no text. */
    sqlite3_db_config(query->database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    return OCELOTL_OK;
}

static ocelotl_status prepare(ocelotl_query *query, const char *sql)
{
    const char *rest = "";
    if (sqlite3_prepare_v2(query->database, sql, -1, &query->statement, &rest) != SQLITE_OK)
        return fail_sql(query, sql);
    if (query->statement == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "SQL: no statement, expected a query");
    if (!sqlite3_stmt_readonly(query->statement) || sqlite3_column_count(query->statement) == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "SQL: not allowed, expected a query that only reads");
    /* Fails if more than blanks, semicolons and comments follows. */
    while (*rest != '\0') {
        sqlite3_stmt *more = NULL;
        const char *next = rest;
        const int code = sqlite3_prepare_v2(query->database, rest, -1, &more, &next);
        const bool blank = code == SQLITE_OK && more == NULL && next > rest;
        sqlite3_finalize(more);
        if (!blank)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "SQL: more than one statement, expected one");
        rest = next;
    }
    return OCELOTL_OK;
}

static ocelotl_status open_query(ocelotl_query *query, const char *sql)
{
    OC_TRY(oc_catalogue_read(&query->source.catalogue, query->source.trace));
    OC_TRY(connect(query));
    return prepare(query, sql);
}

ocelotl_status ocelotl_query_open(ocelotl_query **query, ocelotl_trace *trace, const char *sql)
{
    ocelotl_query *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->source.trace = trace;
    const ocelotl_status status = open_query(made, sql);
    if (status == OCELOTL_OK)
        *query = made;
    else
        ocelotl_query_free(made);
    return status;
}

void ocelotl_query_free(ocelotl_query *query)
{
    if (query == NULL)
        return;
    sqlite3_finalize(query->statement);
    sqlite3_close(query->database);
    oc_catalogue_free(&query->source.catalogue);
    free(query);
}

uint32_t ocelotl_query_column_count(const ocelotl_query *query)
{
    return (uint32_t)sqlite3_column_count(query->statement);
}

const char *ocelotl_query_column_at(const ocelotl_query *query, uint32_t column)
{
    const char *name = column < ocelotl_query_column_count(query)
                           ? sqlite3_column_name(query->statement, (int)column)
                           : NULL;
    return name != NULL ? name : "";
}

static int ask_to_stop(void *context)
{
    const ocelotl_query *query = context;
    return !query->work.progress(query->work.context, 0, 0);
}

void ocelotl_query_watch(ocelotl_query *query, const ocelotl_work *work)
{
    enum { STEPS = 4000 };
    query->work = work != NULL ? *work : (ocelotl_work){0};
    const bool watched = query->work.progress != NULL;
    const uint64_t longest = query->work.memory_limit;
    if (longest > 0)
        sqlite3_limit(query->database, SQLITE_LIMIT_LENGTH,
                      longest < INT32_MAX ? (int)longest : INT32_MAX);
    sqlite3_progress_handler(query->database, watched ? STEPS : 0, watched ? ask_to_stop : NULL,
                             query);
}

ocelotl_status ocelotl_query_next(bool *found, ocelotl_query *query)
{
    query->source.failed = OCELOTL_OK;
    const int code = sqlite3_step(query->statement);
    query->row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE) {
        *found = query->row;
        return OCELOTL_OK;
    }
    if (code == SQLITE_INTERRUPT)
        return oc_fail(OCELOTL_ERROR_CANCELLED, "SQL: the query was cancelled");
    return query->source.failed != OCELOTL_OK ? query->source.failed : fail_sql(query, "");
}

ocelotl_sql_cell ocelotl_query_cell_at(const ocelotl_query *query, uint32_t column)
{
    ocelotl_sql_cell cell = {.text = ""};
    sqlite3_stmt *row = query->statement;
    const int i = (int)column;
    if (!query->row || column >= ocelotl_query_column_count(query))
        return cell;
    switch (sqlite3_column_type(row, i)) {
    case SQLITE_INTEGER:
        cell.kind = OCELOTL_SQL_INTEGER;
        cell.integer = sqlite3_column_int64(row, i);
        cell.number = (double)cell.integer;
        return cell;
    case SQLITE_FLOAT:
        cell.kind = OCELOTL_SQL_NUMBER;
        cell.number = sqlite3_column_double(row, i);
        return cell;
    case SQLITE_TEXT:
        cell.kind = OCELOTL_SQL_TEXT;
        break;
    case SQLITE_BLOB:
        cell.kind = OCELOTL_SQL_BLOB;
        break;
    default:
        return cell;
    }
    /* As text, so that it ends in '\0'. */
    const unsigned char *text = sqlite3_column_text(row, i);
    cell.text = text != NULL ? (const char *)text : "";
    cell.length = text != NULL ? (size_t)sqlite3_column_bytes(row, i) : 0;
    return cell;
}
