/* A trace.db holds what a writer makes and nothing else: whatever SQLite would compute instead of
 * reading it is refused at once, with little memory, and the message says what it is. */
#include "temporary.h"

#include "test_checksums.h"

#include <sys/resource.h>
#include <time.h>

enum { PAGE = 8192, LEVELS = 17 };

static void write_sample(const char *path)
{
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "thread");
    const uint32_t resource = must_resource(writer, type, OCELOTL_ROOT, "resource", 0);
    const uint32_t state = must_type(writer, OCELOTL_STATE, type, "state");
    const uint32_t value = must_value(writer, state, "value");
    CHECK_OK(ocelotl_writer_warning(writer, "odd", 3, "somewhere"));
    must_state(writer, resource, state, value, 0, 1000);
    must_finish(writer);
}

/* Opening does not take longer than looking at the schema takes. */
static void check_refused(const char *path, const char *message)
{
    ocelotl_trace *trace;
    const clock_t begin = clock();
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, message);
    CHECK(clock() - begin < 5 * CLOCKS_PER_SEC);
    CHECK(strstr(ocelotl_error_message(), path) == ocelotl_error_message());
}

static void check_change(const char *sql, const char *message)
{
    const char *path = temporary_path("trace.db");
    write_sample(path);
    database_change(path, "%s", sql);
    check_refused(path, message);
    CHECK(temporary_files(true) == 1);
}

static void check_changes(void)
{
    static const char *const changes[][2] = {
        {"ALTER TABLE value DROP COLUMN name; ALTER TABLE value ADD COLUMN name TEXT GENERATED "
         "ALWAYS AS"
         " (hex(zeroblob(30000000)) || id)",
         "has been changed: the table \"value\" is another, expected CREATE TABLE value(id INTEGER "
         "PRIMARY KEY,"},
        {"ALTER TABLE value DROP COLUMN name; ALTER TABLE value ADD COLUMN name TEXT GENERATED "
         "ALWAYS AS"
         " (instr(hex(zeroblob(30000000)), hex(zeroblob(10000000)) || '1'))",
         "has been changed: the table \"value\" is another"},
        {"DROP TABLE import_warning; CREATE TABLE import_warning(kind TEXT PRIMARY KEY, count AS "
         "(1), detail)",
         "has been changed: the table \"import_warning\" is another"},
        {"ALTER TABLE stream ADD COLUMN more", "has been changed: the table \"stream\" is another"},
        {"ALTER TABLE resource RENAME COLUMN notes TO note",
         "has been changed: the table \"resource\" is another"},
        {"DROP INDEX chunk_order; CREATE INDEX chunk_order ON chunk(stream, number)",
         "has been changed: the index \"chunk_order\" is another, expected CREATE UNIQUE INDEX "
         "chunk_order"},
        {"CREATE TABLE \"a\nb\"(c)",
         "has been changed: it holds the table \"a b\", expected only the tables of a trace.db"},
        {"CREATE INDEX by_name ON value(name)", "has been changed: it holds the index \"by_name\""},
        {"CREATE VIEW v AS SELECT 1", "has been changed: it holds the view \"v\""},
        {"CREATE TRIGGER t AFTER INSERT ON value BEGIN SELECT 1; END",
         "has been changed: it holds the trigger \"t\""},
        {"ANALYZE", "has been changed: it holds the table \"sqlite_stat1\""},
        {"CREATE TABLE s(a INTEGER PRIMARY KEY AUTOINCREMENT)",
         "has been changed: it holds the table "},
        {"DROP TABLE chunk", "has been changed: the table \"chunk\" is missing"},
        {"DROP TABLE import_warning", "has been changed: the table \"import_warning\" is missing"},
        {"DROP INDEX chunk_order", "has been changed: the index \"chunk_order\" is missing"},
        {"PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'view' WHERE name = 'value'",
         "value"},
        {"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = NULL WHERE name = "
         "'chunk_order'",
         "chunk_order"},
        {"PRAGMA writable_schema = ON; INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE"
         " name = 'chunk_order'",
         "chunk_order"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        check_change(changes[i][0], changes[i][1]);
}

/* A view that never ends, whatever it calls itself. */
static void check_endless_views(void)
{
    static const char *const tables[] = {"meta", "value", "chunk", "import_warning"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char sql[512], message[128];
        snprintf(sql, sizeof sql,
                 "DROP TABLE %s; CREATE VIEW %s AS WITH RECURSIVE more(x) AS (SELECT 0 UNION ALL "
                 "SELECT x FROM more)"
                 " SELECT x AS id, x AS key, x AS value, x AS stream, x AS number FROM more",
                 tables[i], tables[i]);
        snprintf(message, sizeof message, "has been changed: it holds the view \"%s\"", tables[i]);
        check_change(sql, message);
    }
}

/* The same tables in another encoding. */
static void check_encoding(void)
{
    const char *path = temporary_path("trace.db");
    char sql[4000];
    sqlite3 *database;
    sqlite3_stmt *statement;
    write_sample(path);
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(
        sqlite3_prepare_v2(
            database,
            "SELECT (SELECT user_version FROM pragma_user_version) || ';' || group_concat(sql, ';')"
            " FROM sqlite_master WHERE sql IS NOT NULL",
            -1, &statement, NULL) == SQLITE_OK);
    CHECK(sqlite3_step(statement) == SQLITE_ROW);
    const char *schema = (const char *)sqlite3_column_text(statement, 0);
    const char *statements = strchr(schema, ';');
    snprintf(sql, sizeof sql,
             "PRAGMA encoding = 'UTF-16'; PRAGMA application_id = 0x4F43454C;"
             "PRAGMA user_version = %.*s%s",
             (int)(statements - schema), schema, statements);
    CHECK(strlen(sql) + 1 < sizeof sql);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    database_change(temporary_path("wide.db"), "%s", sql);
    check_refused(temporary_path("wide.db"), "has been changed: its texts are not in UTF-8");
    temporary_files(true);
}

/* --- Pages that refer to each other */

static void put_number(unsigned char *to, uint32_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> 8 * (bytes - 1 - i));
}

/* An inner page of a table: all its children are one page, `first` is another one before them, if
 * it is not 0. */
static void put_inner(unsigned char *page, size_t header, uint32_t child, uint32_t first)
{
    const uint32_t count = 500;
    memset(page + header, 0, PAGE - header);
    page[header] = 0x05;
    put_number(page + header + 3, count, 2);
    put_number(page + header + 5, PAGE - 5 * count, 2);
    put_number(page + header + 8, child, 4);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cell = PAGE - 5 * (i + 1);
        put_number(page + header + 12 + (size_t)2 * i, cell, 2);
        put_number(page + cell, i == 0 && first != 0 ? first : child, 4);
        page[cell + 4] = 100;
    }
}

/* A page of a single row of the schema: the index, once more, as SQLite has one without a
 * statement.
 */
static void put_leaf(unsigned char *page)
{
    static const char type[] = "index";
    static const char name[] = "chunk_order";
    static const char table[] = "chunk";
    const size_t head = 6;
    const size_t body = strlen(type) + strlen(name) + strlen(table) + 1;
    const size_t cell = PAGE - 2 - head - body;
    page[0] = 0x0D;
    put_number(page + 3, 1, 2);
    put_number(page + 5, (uint32_t)cell, 2);
    put_number(page + 8, (uint32_t)cell, 2);
    page[cell] = (unsigned char)(head + body);
    page[cell + 1] = 100;
    unsigned char *row = page + cell + 2;
    row[0] = (unsigned char)head;
    row[1] = (unsigned char)(13 + 2 * strlen(type));
    row[2] = (unsigned char)(13 + 2 * strlen(name));
    row[3] = (unsigned char)(13 + 2 * strlen(table));
    row[4] = 1; /* a byte */
    row[5] = 0; /* NULL */
    unsigned char *next = row + head;
    memcpy(next, type, strlen(type));
    next += strlen(type);
    memcpy(next, name, strlen(name));
    next += strlen(name);
    memcpy(next, table, strlen(table));
    next[strlen(table)] = 10; /* its page */
}

/* Seventeen pages can have more rows than atoms are in the world. */
static void check_circles(void)
{
    const char *path = temporary_path("trace.db");
    size_t length;
    write_sample(path);
    char *whole = temporary_read(&length, path);
    CHECK(length % PAGE == 0 && (unsigned char)whole[16] == PAGE >> 8);
    const uint32_t pages = (uint32_t)(length / PAGE);
    const size_t grown = length + (size_t)(LEVELS + 2) * PAGE;
    unsigned char *bytes = calloc(1, grown);
    CHECK(bytes != NULL);
    memcpy(bytes, whole, length);
    unsigned char *copy = bytes + length;
    memcpy(copy, bytes, PAGE);
    memmove(copy, copy + 100, 8 + 2 * (size_t)copy[104]);
    for (uint32_t i = 0; i < LEVELS; i++)
        put_inner(bytes + length + (size_t)(1 + i) * PAGE, 0, pages + 3 + i, 0);
    put_leaf(bytes + grown - PAGE);
    put_inner(bytes, 100, pages + 2, pages + 1);
    put_number(bytes + 28, (uint32_t)(grown / PAGE), 4);
    temporary_write(path, (char *)bytes, grown);
    check_refused(path, "is damaged: its tables do not end");
    free(bytes);
    free(whole);
    temporary_files(true);
}

/* Every connection looks: another file may stand there meanwhile. */
static void check_replaced(void)
{
    const char *path = temporary_path("trace.db");
    ocelotl_query *query;
    write_sample(path);
    ocelotl_trace *trace = must_open(path);
    CHECK_OK(ocelotl_query_open(&query, trace, "SELECT count(*) FROM events"));
    ocelotl_query_free(query);
    database_change(path, "%s", "CREATE VIEW v AS SELECT 1");
    CHECK_FAILS(ocelotl_query_open(&query, trace, "SELECT count(*) FROM events"),
                OCELOTL_ERROR_INPUT, "it holds the view \"v\"");
    ocelotl_trace_free(trace);
    temporary_files(true);
}

/* The sanitizers need their own. */
static void bound_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit limit = {(rlim_t)1 << 30, (rlim_t)1 << 30};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
#endif
}

int main(void)
{
    temporary_begin();
    bound_memory();
    check_changes();
    check_endless_views();
    check_encoding();
    check_circles();
    check_replaced();
    return 0;
}
