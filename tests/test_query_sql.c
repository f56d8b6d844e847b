/* SQL over a trace: conditions that are pushed down select what SQLite itself selects when they are
 * hidden from it behind a unary +; rows are those of the iterator; nothing can be written; errors
 * are one line. */
#include "test_query_trace.h"

static char answer[4096];

/* All rows, cells separated by blanks. */
static const char *ask(ocelotl_trace *trace, const char *sql)
{
    ocelotl_query *query;
    bool found;
    size_t length = 0;
    answer[0] = '\0';
    CHECK_OK(ocelotl_query_open(&query, trace, sql));
    for (;;) {
        CHECK_OK(ocelotl_query_next(&found, query));
        if (!found)
            break;
        for (uint32_t c = 0; c < ocelotl_query_column_count(query); c++) {
            const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
            char number[64];
            const char *text = cell.kind == OCELOTL_SQL_NULL ? "NULL" : cell.text;
            if (cell.kind == OCELOTL_SQL_INTEGER || cell.kind == OCELOTL_SQL_NUMBER) {
                snprintf(number, sizeof number, "%.15g", cell.number);
                text = number;
            }
            length += (size_t)snprintf(answer + length, sizeof answer - length, "%s%s",
                                       length > 0 ? " " : "", text);
            CHECK(length < sizeof answer);
        }
    }
    ocelotl_query_free(query);
    return answer;
}

static void check_answer(ocelotl_trace *trace, const char *sql, const char *expected)
{
    if (strcmp(ask(trace, sql), expected) != 0) {
        fprintf(stderr, "%s: expected \"%s\", got \"%s\"\n", sql, expected, answer);
        exit(1);
    }
}

/* A random condition; `hide` is "+" or "". */
static size_t add_condition(char *sql, size_t room, const char *hide, uint64_t *random)
{
    static const char *const times[] = {"begin", "end"};
    static const char *const operations[] = {"<", "<=", ">", ">=", "=", "!=", "IS", "IN"};
    static const char *const names[] = {
        "resource = 'a%2Fb/t'",
        "resource = 'nowhere'",
        "resource GLOB 'a%2Fb/*'",
        "resource GLOB '*t#2'",
        "resource LIKE 'A_2fb%'",
        "category = 'state'",
        "category = 'link'",
        "category IN ('event', 'variable')",
        "type = 'State'",
        "type = 'Plain'",
        "type IN ('Link', 'Event')",
        "resource = x'00'",
        "type = 'STATE'",
        "resource IS NULL",
        "category = 5",
        "resource = 'A%2FB' COLLATE NOCASE",
        "begin > 'text'",
        "begin >= NULL",
        "end < x'01'",
        "begin BETWEEN 2 AND 5",
    };
    const uint32_t kind = check_below(random, 3);
    const uint32_t time = check_below(random, 20000);
    const uint32_t operation = check_below(random, 8);
    if (kind == 0)
        return (size_t)snprintf(sql, room, " %s%s", hide, names[check_below(random, 20)]);
    if (operation == 7)
        return (size_t)snprintf(sql, room, " %s%s IN (%u.%03u, 2, 3.5)", hide, times[kind - 1],
                                time / 1000, time % 1000);
    return (size_t)snprintf(sql, room, " %s%s %s %u.%03u", hide, times[kind - 1],
                            operations[operation], time / 1000, time % 1000);
}

static void check_pushed(ocelotl_trace *trace, uint64_t random)
{
    char sql[2][1000], first[4096];
    for (int plus = 0; plus < 2; plus++) {
        uint64_t same = random;
        size_t length =
            (size_t)snprintf(sql[plus], sizeof sql[plus],
                             "SELECT count(*), count(DISTINCT rowid), sum(round(1000 * begin)), "
                             "sum(round(1000 * end)), sum(length(attributes)), sum(depth),"
                             " count(DISTINCT resource), sum(length(key)) FROM events WHERE");
        const char *join = check_below(&same, 3) == 0 ? " OR" : " AND";
        for (uint32_t i = 1 + check_below(&same, 4); i > 0; i--) {
            length += add_condition(sql[plus] + length, sizeof sql[plus] - length, plus ? "+" : "",
                                    &same);
            length += (size_t)snprintf(sql[plus] + length, sizeof sql[plus] - length, "%s",
                                       i > 1 ? join : "");
        }
    }
    snprintf(first, sizeof first, "%s", ask(trace, sql[0]));
    if (strcmp(first, ask(trace, sql[1])) != 0) {
        fprintf(stderr, "%s: %s\n%s: %s\n", sql[0], first, sql[1], answer);
        exit(1);
    }
}

/* The rows of the table are the events of the iterator. */
static void check_rows(ocelotl_trace *trace)
{
    ocelotl_query *query;
    ocelotl_events *events;
    ocelotl_event event;
    bool row, found;
    CHECK_OK(ocelotl_query_open(&query, trace, "SELECT * FROM events"));
    events = must_list(trace, NULL);
    CHECK(ocelotl_query_column_count(query) == 13);
    CHECK_TEXT(ocelotl_query_column_at(query, 5), "begin");
    CHECK_TEXT(ocelotl_query_column_at(query, 13), "");
    CHECK(ocelotl_query_cell_at(query, 0).kind == OCELOTL_SQL_NULL);
    for (;;) {
        CHECK_OK(ocelotl_query_next(&row, query));
        CHECK_OK(ocelotl_events_next(&found, &event, events));
        CHECK(row == found);
        if (!row)
            break;
        CHECK_TEXT(ocelotl_query_cell_at(query, 0).text,
                   ocelotl_events_path(events, event.resource));
        CHECK_TEXT(ocelotl_query_cell_at(query, 3).text,
                   ocelotl_trace_event_type_at(trace, event.event_type).name);
        CHECK_TEXT(ocelotl_query_cell_at(query, 4).text,
                   event.value == OCELOTL_NONE ? ""
                                               : ocelotl_trace_value_at(trace, event.value).name);
        CHECK(ocelotl_query_cell_at(query, 5).number == ocelotl_trace_seconds(trace, event.begin));
        CHECK(ocelotl_query_cell_at(query, 6).number == ocelotl_trace_seconds(trace, event.end));
        CHECK_TEXT(ocelotl_query_cell_at(query, 9).text, ocelotl_events_path(events, event.source));
        CHECK_TEXT(ocelotl_query_cell_at(query, 10).text,
                   ocelotl_events_path(events, event.target));
        CHECK_TEXT(ocelotl_query_cell_at(query, 11).text, event.key != NULL ? event.key : "");
        CHECK_TEXT(ocelotl_query_cell_at(query, 12).text,
                   event.attributes != NULL ? event.attributes : "");
        CHECK(ocelotl_query_cell_at(query, 13).kind == OCELOTL_SQL_NULL);
    }
    ocelotl_query_free(query);
    ocelotl_events_free(events);
}

static void check_refused(ocelotl_trace *trace)
{
    static const char *const writing[] = {"CREATE TABLE t(a)",
                                          "CREATE TEMP TABLE t(a)",
                                          "ATTACH 'other.db' AS o",
                                          "DELETE FROM meta",
                                          "UPDATE meta SET value = 0",
                                          "INSERT INTO meta VALUES(1, 2)",
                                          "DROP TABLE meta",
                                          "PRAGMA journal_mode = WAL",
                                          "VACUUM INTO 'copy.db'",
                                          "BEGIN",
                                          "SELECT load_extension('x')",
                                          "SELECT fts3_tokenizer('simple')",
                                          "SELECT FTS3_Tokenizer('simple', x'0011223344556677')",
                                          "SELECT * FROM dbstat",
                                          "SELECT * FROM sqlite_dbpage",
                                          "SELECT * FROM pragma_table_info('meta')",
                                          "CREATE VIRTUAL TABLE temp.t USING events",
                                          "PRAGMA writable_schema = 1",
                                          "DELETE FROM events",
                                          "REINDEX"};
    static const char *const wrong[][2] = {
        {"", "no statement"},
        {" -- nothing\n;", "no statement"},
        {"SELECT 1; SELECT 2", "more than one statement"},
        {"SELECT 1; nonsense", "more than one statement"},
        {"SELEC 1", "SQL: near \"SELEC\": syntax error"},
        {"SELECT nowhere FROM events", "SQL: no such column: nowhere"},
        {"SELECT 1 FROM \"a\nb\"", "SQL: no such table: a b"},
    };
    ocelotl_query *query;
    bool found;
    for (size_t i = 0; i < sizeof writing / sizeof writing[0]; i++) {
        const ocelotl_status status = ocelotl_query_open(&query, trace, writing[i]);
        if (status != OCELOTL_ERROR_ARGUMENT || strncmp(ocelotl_error_message(), "SQL: ", 5) != 0) {
            fprintf(stderr, "%s: %d, %s\n", writing[i], (int)status, ocelotl_error_message());
            exit(1);
        }
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK_REFUSED(ocelotl_query_open(&query, trace, wrong[i][0]), wrong[i][1]);
    CHECK_OK(
        ocelotl_query_open(&query, trace, "SELECT abs(-9223372036854775807 - 1);  -- too large"));
    CHECK_REFUSED(ocelotl_query_next(&found, query), "SQL: integer overflow");
    ocelotl_query_free(query);
    ocelotl_query_free(NULL);
}

/* What the trace itself says is what its events add up to. */
static void check_totals(ocelotl_trace *trace)
{
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        char sql[200], expected[64];
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        snprintf(sql, sizeof sql, "SELECT count(*) FROM events WHERE type = '%s'", type.name);
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)type.count);
        check_answer(trace, sql, expected);
        snprintf(
            sql, sizeof sql,
            "SELECT count(*) FROM events WHERE type = '%s' AND (source IS NULL OR target IS NULL)"
            " AND category = 'link'",
            type.name);
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)type.unmatched);
        check_answer(trace, sql, expected);
    }
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++) {
        char sql[200], expected[64];
        const ocelotl_value value = ocelotl_trace_value_at(trace, v);
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, value.event_type);
        snprintf(
            sql, sizeof sql,
            "SELECT count(*), CAST(round(1000 * total(max(0, duration))) AS INTEGER) FROM events"
            " WHERE type = '%s' AND value = '%s'",
            type.name, value.name);
        snprintf(expected, sizeof expected, "%llu %lld", (unsigned long long)value.count,
                 (long long)value.inclusive_ticks);
        check_answer(trace, sql, expected);
    }
}

/* What an event carries, one by one. */
static void check_json(ocelotl_trace *trace)
{
    check_answer(trace,
                 "SELECT count(*) > 0, count(*) = sum(json_valid(attributes)) FROM events"
                 " WHERE attributes IS NOT NULL",
                 "1 1");
    check_answer(trace,
                 "SELECT count(*) > 0, count(*) = (SELECT count(*) FROM events WHERE attributes "
                 "->> 'size' > 0)"
                 " FROM events, json_each(attributes) AS it WHERE it.key = 'size' AND it.value > 0",
                 "1 1");
    check_answer(
        trace,
        "SELECT group_concat(DISTINCT it.type) FROM events, json_tree(events.attributes) AS it"
        " WHERE it.key IS NULL",
        "object");
}

int main(void)
{
    known_trace known;
    temporary_begin();
    ocelotl_trace *trace = known_open(&known, 11, 9000);
    check_rows(trace);
    check_totals(trace);
    for (uint64_t i = 1; i <= check_rounds(300); i++)
        check_pushed(trace, i * 7919);
    check_refused(trace);
    check_json(trace);
    check_answer(trace, "SELECT path, type, parent FROM resources WHERE id IN (0, 4)",
                 "a%2Fb site NULL a%2Fb#2/t#2 thread a%2Fb#2");
    check_answer(trace, "SELECT category, type FROM event_types ORDER BY id",
                 "state State variable Variable event Event link Link state Plain");
    check_answer(trace, "SELECT value, type FROM event_values WHERE category = 'link' ORDER BY id",
                 "one Link two Link");
    check_answer(trace, "SELECT count(*) FROM warnings WHERE kind NOT LIKE 'states of one name%'",
                 "0");
    check_answer(trace, "SELECT count(*) = count(DISTINCT rowid) FROM events", "1");
    check_answer(
        trace,
        "SELECT count(*) = sum(attributes ->> 'size' > 0) FROM events WHERE source IS NOT NULL",
        "1");
    /* Joins of the table with itself: two readers at once. */
    check_answer(trace,
                 "SELECT count(*) = (SELECT count(*) FROM events WHERE begin < 0.05) FROM events a "
                 "JOIN events b"
                 " ON a.rowid = b.rowid AND a.begin < 0.05 AND b.begin < 0.05 AND a.type = b.type",
                 "1");
    check_answer(
        trace,
        "SELECT count(*) = (SELECT count(key) FROM events WHERE begin < 0.05) FROM events a JOIN "
        "events b"
        " ON a.key = b.key AND a.begin = b.begin AND a.resource = b.resource WHERE a.begin < 0.05",
        "1");
    CHECK(temporary_files(false) == 1);
    known_close(&known, trace);
    return 0;
}
