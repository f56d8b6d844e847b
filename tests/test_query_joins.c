/* Joins of the table of events: random ones give what they give of a copy of its rows, whatever is
 * pushed down, kept or read again; a join reads the trace a few times, not once a row; rows come in
 * the order that the plan promises. */
#include "test_query_trace.h"

#include "query/sql/events_table.h"

static char answers[2][4096];

/* All rows of a query, cells separated by blanks. */
static void ask(char answer[4096], sqlite3 *database, const char *sql)
{
    sqlite3_stmt *statement;
    size_t length = 0;
    int code;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
        exit(1);
    }
    answer[0] = '\0';
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int c = 0; c < sqlite3_column_count(statement); c++) {
            const char *text = (const char *)sqlite3_column_text(statement, c);
            length += (size_t)snprintf(answer + length, 4096 - length, "%s ",
                                       text != NULL ? text : "NULL");
            CHECK(length < 4096);
        }
    }
    if (code != SQLITE_DONE)
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
    CHECK(code == SQLITE_DONE);
    sqlite3_finalize(statement);
}

/* Puts the table's name for # in a query. */
static void name_table(char *sql, size_t room, const char *query, const char *table)
{
    size_t length = 0;
    for (; *query != '\0'; query++)
        length += (size_t)(*query == '#' ? snprintf(sql + length, room - length, "%s", table)
                                         : snprintf(sql + length, room - length, "%c", *query));
    CHECK(length < room);
}

static void check_same(sqlite3 *database, const char *query)
{
    char sql[2][2000];
    name_table(sql[0], sizeof sql[0], query, "plain");
    name_table(sql[1], sizeof sql[1], query, "events");
    for (int i = 0; i < 2; i++)
        ask(answers[i], database, sql[i]);
    if (strcmp(answers[0], answers[1]) != 0) {
        fprintf(stderr, "%s: expected \"%s\", got \"%s\"\n", sql[1], answers[0], answers[1]);
        exit(1);
    }
}

static sqlite3 *open_table(oc_table_source *source, const char *path)
{
    sqlite3 *database;
    *source = (oc_table_source){0};
    source->trace = must_open(path);
    CHECK_OK(oc_catalogue_read(&source->catalogue, source->trace));
    CHECK(sqlite3_open(":memory:", &database) == SQLITE_OK);
    CHECK(oc_events_table_register(database, "events", source) == SQLITE_OK);
    CHECK(sqlite3_exec(
              database,
              "CREATE TABLE plain(row INTEGER PRIMARY KEY, resource TEXT, resource_type TEXT, "
              "category TEXT,"
              " type TEXT, value, begin REAL, end REAL, duration REAL, depth INTEGER, source TEXT,"
              " target TEXT, key TEXT, attributes TEXT);"
              "INSERT INTO plain SELECT rowid, * FROM events",
              NULL, NULL, NULL) == SQLITE_OK);
    source->readings = 0;
    return database;
}

static void close_table(oc_table_source *source, sqlite3 *database)
{
    CHECK(sqlite3_close(database) == SQLITE_OK);
    oc_catalogue_free(&source->catalogue);
    ocelotl_trace_free(source->trace);
}

/* --- Random joins */

static const char *const conditions[] = {
    "a.key = b.key",      "a.source = b.target",  "a.begin = b.begin", "a.end = b.begin",
    "a.begin = b.end",    "a.type = b.type",      "a.value = b.value", "a.depth = b.depth",
    "a.rowid = b.rowid",  "b.key = a.value",      "b.value = a.key",   "b.value = a.depth",
    "b.depth = a.value",  "b.key = a.depth",      "b.begin = a.value", "b.begin = a.depth",
    "b.value IS a.value", "a.begin <= b.begin",   "b.key IS NULL",     "b.key IS NOT NULL",
    "b.type = 'Link'",    "b.category = 'state'", "b.begin < 1.2",     "b.value = 5",
    "b.value = '5'",      "b.key = 'k9'",         "a.key = 'k9'",      "a.begin > 0.5",
    "b.end >= NULL"};
static const char *const longer[] = {"a.target = b.resource",
                                     "a.resource = b.resource",
                                     "a.category = b.category",
                                     "a.duration = b.duration",
                                     "a.attributes = b.attributes",
                                     "a.resource_type = b.resource_type",
                                     "b.value = a.attributes ->> 'note'",
                                     "b.end BETWEEN a.begin AND a.end",
                                     "b.begin < a.end AND b.end > a.begin",
                                     "b.resource GLOB a.resource || '*'",
                                     "b.resource LIKE 'A_2fb%'",
                                     "a.key IN (b.key, b.value)",
                                     "b.key IN ('k1', 'k7', '5')",
                                     "(b.key = a.key OR b.source = a.target)",
                                     "(b.begin = a.end OR b.value = a.value)",
                                     "b.type IN ('Link', 'State')",
                                     "b.begin IN (1, a.begin, 2.5)"};

enum {
    CONDITIONS = sizeof conditions / sizeof conditions[0],
    LONGER = sizeof longer / sizeof longer[0]
};

static size_t add_conditions(char *sql, size_t room, uint64_t *random)
{
    size_t length = 0;
    for (uint32_t i = 1 + check_below(random, 3); i > 0; i--) {
        const uint32_t which = check_below(random, CONDITIONS + LONGER);
        length +=
            (size_t)snprintf(sql + length, room - length, "%s%s",
                             which < CONDITIONS ? conditions[which] : longer[which - CONDITIONS],
                             i > 1 ? " AND " : "");
    }
    return length;
}

static void check_random_join(sqlite3 *database, uint64_t random)
{
    static const char *const forms[] = {
        "SELECT count(*), sum(a.rowid), sum(b.rowid), sum(length(b.key || b.attributes)) FROM # a "
        "JOIN # b ON ",
        "SELECT count(*), sum(a.rowid), sum(b.rowid), sum(length(b.value)) FROM # a LEFT JOIN # b "
        "ON ",
        "SELECT count(*), sum(a.rowid) FROM # a WHERE EXISTS (SELECT 1 FROM # b WHERE ",
        "SELECT count(*), sum(a.rowid) FROM # a WHERE NOT EXISTS (SELECT 1 FROM # b WHERE ",
        "SELECT sum(a.rowid), sum((SELECT count(*) FROM # b WHERE ",
        "SELECT count(*), sum(a.rowid) FROM # a WHERE a.rowid IN (SELECT b.rowid FROM # b WHERE ",
        "SELECT count(*), sum(c.rowid) FROM # a JOIN # c ON c.key = a.key JOIN # b ON ",
        "SELECT a.rowid, b.rowid FROM # a JOIN # b ON "};
    static const char *const ends[] = {
        "",
        "",
        ")",
        ")",
        ")) FROM # a",
        ")",
        "",
        " ORDER BY a.end, a.rowid, b.begin, b.rowid LIMIT 20 OFFSET 3"};
    char sql[2000];
    const uint32_t form = check_below(&random, sizeof forms / sizeof forms[0]);
    size_t length = (size_t)snprintf(sql, sizeof sql, "%s", forms[form]);
    length += add_conditions(sql + length, sizeof sql - length, &random);
    snprintf(sql + length, sizeof sql - length, "%s", ends[form]);
    check_same(database, sql);
}

static void check_random_joins(const char *path, uint64_t first, uint32_t count)
{
    oc_table_source source;
    sqlite3 *database = open_table(&source, path);
    for (uint64_t i = first; i < first + count; i++)
        check_random_join(database, i * 7919);
    close_table(&source, database);
}

/* Names that look like numbers, which SQL compares with numbers here and as texts there. */
static void write_numbers(const char *path)
{
    static const char *const names[] = {"5", "05", "5.0", " 5", "k1", "1", "0.5", "5x", "-0", "0"};
    uint32_t values[10];
    ocelotl_writer *writer = must_write_ticks(path, 10);
    const uint32_t kind = must_kind(writer, OCELOTL_ROOT, "5");
    const uint32_t resource = must_resource(writer, kind, OCELOTL_ROOT, "5", 0);
    const uint32_t state = must_type(writer, OCELOTL_STATE, kind, "5");
    const uint32_t link = must_type(writer, OCELOTL_LINK, kind, "Link");
    const uint32_t number = must_type(writer, OCELOTL_VARIABLE, kind, "number");
    const uint32_t key = must_attribute(writer, link, "Key");
    for (size_t i = 0; i < 10; i++)
        values[i] = must_value(writer, state, names[i]);
    for (int64_t i = 0; i < 60; i++) {
        const char *name = names[(i * 7) % 10];
        const ocelotl_attribute_value text = {key, name, strlen(name)};
        uint64_t open;
        must_push(writer, resource, state, values[i % 10], i);
        must_step(writer, resource, number, i, (double)(i % 4) * 2.5);
        CHECK_OK(
            ocelotl_writer_link_begin(&open, writer, resource, link, OCELOTL_NONE, i, &text, 1));
        must_end_link(writer, open, resource, i);
        if (i % 3 > 0)
            must_pop(writer, resource, state, 0, i);
    }
    must_end(writer, resource, 60);
    must_finish(writer);
}

/* --- What is read */

/* Checks that a query reads the trace at most `most` times. */
static void check_readings(oc_table_source *source, sqlite3 *database, const char *query,
                           uint64_t most)
{
    source->readings = 0;
    check_same(database, query);
    if (source->readings > most) {
        fprintf(stderr, "%s: read the trace %llu times, expected at most %llu\n", query,
                (unsigned long long)source->readings, (unsigned long long)most);
        exit(1);
    }
}

static void check_plan(sqlite3 *database, const char *query, const char *part, bool there)
{
    char sql[400];
    snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN %s", query);
    ask(answers[0], database, sql);
    if ((strstr(answers[0], part) != NULL) != there) {
        fprintf(stderr, "%s: \"%s\" is %s in the plan: %s\n", query, part, there ? "not" : "",
                answers[0]);
        exit(1);
    }
}

static void check_what_is_read(const char *path)
{
    oc_table_source source;
    sqlite3 *database = open_table(&source, path);
    /* Once for the outer table, some ten times until it is worth keeping, once to keep. */
    check_readings(&source, database, "SELECT count(*) FROM # a JOIN # b ON a.key = b.key", 20);
    check_readings(&source, database,
                   "SELECT count(*) FROM # a LEFT JOIN # b ON a.key = b.key AND b.type = 'Link'",
                   20);
    check_readings(&source, database,
                   "SELECT count(*) FROM # a JOIN # b ON a.type = b.type AND a.key = b.key", 20);
    check_readings(&source, database,
                   "SELECT count(*) FROM # a JOIN # b ON a.key = b.key AND b.begin >= a.begin", 20);
    check_readings(
        &source, database,
        "SELECT count(*) FROM # a WHERE NOT EXISTS (SELECT 1 FROM # b WHERE b.target = a.source"
        " AND b.begin = a.end)",
        20);
    check_readings(
        &source, database,
        "SELECT count(*) FROM # a JOIN # b ON b.begin = a.end JOIN # c ON c.rowid = b.rowid", 40);
    /* One answer for all values of a list, and for a constant. */
    check_readings(&source, database, "SELECT count(*) FROM # WHERE key = 'k1'", 1);
    check_readings(&source, database, "SELECT count(*) FROM # WHERE key IN ('k1', 'k2', 'k3')", 1);
    check_readings(&source, database,
                   "SELECT count(*) FROM # WHERE key IN (SELECT key FROM # WHERE begin < 1)", 2);
    check_readings(&source, database, "SELECT count(*) FROM # WHERE key = NULL", 0);
    close_table(&source, database);
}

static void check_order(const char *path)
{
    oc_table_source source;
    sqlite3 *database = open_table(&source, path);
    check_plan(database, "SELECT \"end\" FROM events WHERE category = 'state' ORDER BY \"end\"",
               "ORDER BY", false);
    check_plan(database,
               "SELECT \"end\" FROM events WHERE type = 'Variable' ORDER BY \"end\" LIMIT 3",
               "ORDER BY", false);
    check_plan(database, "SELECT \"end\" FROM events ORDER BY \"end\"", "ORDER BY", true);
    check_plan(database,
               "SELECT \"end\" FROM events WHERE category = 'state' ORDER BY \"end\" DESC",
               "ORDER BY", true);
    check_plan(database,
               "SELECT \"end\" FROM events WHERE category = 'state' ORDER BY \"end\", depth",
               "ORDER BY", true);
    for (uint64_t i = 1; i <= 200; i++) {
        static const char *const of[] = {"category = 'state'", "type IN ('Event', 'Plain')",
                                         "category = 'event'", "category = 'variable'",
                                         "category = 'link'",  "1"};
        char sql[400];
        uint64_t random = i * 7919;
        const char *where = of[check_below(&random, 6)];
        const char *by = check_below(&random, 2) ? "end" : "begin";
        const char *way = check_below(&random, 3) == 0 ? "DESC" : "ASC";
        const uint32_t window = check_below(&random, 400);
        snprintf(sql, sizeof sql,
                 "SELECT %s FROM # WHERE %s AND begin > 0.%03u AND end < 3 ORDER BY %s %s LIMIT %u "
                 "OFFSET %u",
                 by, where, window, by, way, 1 + check_below(&random, 60), check_below(&random, 3));
        check_same(database, sql);
    }
    close_table(&source, database);
}

int main(void)
{
    known_trace known;
    temporary_begin();
    const char *path = temporary_path("trace.db");
    known_write(&known, path, 5, 700);
    check_what_is_read(path);
    check_order(path);
    free(known.events);
    const char *small = temporary_path("small.db");
    known_write(&known, small, 7, 160);
    check_random_joins(small, 1, 250);
    free(known.events);
    const char *numbers = temporary_path("numbers.db");
    write_numbers(numbers);
    check_random_joins(numbers, 1000, 400);
    CHECK(temporary_files(true) == 3);
    return 0;
}
