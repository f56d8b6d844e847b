/* Events and queries of damaged files: an answer or an error of one line, never a crash or a hang.
 */
#include "test_query_trace.h"

#include "test_checksums.h"

#include <sqlite3.h>

static void check_message(ocelotl_status status)
{
    CHECK(status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_IO ||
          status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY);
    CHECK(ocelotl_error_message()[0] != '\0' && strchr(ocelotl_error_message(), '\n') == NULL);
}

/* By what events carry and by all else. */
static ocelotl_selection make_filter(void)
{
    static const char *const conditions[] = {"size > 200", "note != 7"};
    static const char *const values[] = {"two"};
    ocelotl_selection filter = {0};
    filter.where = (ocelotl_names){conditions, 2};
    filter.except = (ocelotl_names){values, 1};
    filter.min_duration = 2;
    return filter;
}

static void read_events(ocelotl_trace *trace, int64_t from, int64_t to,
                        const ocelotl_selection *filter)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events;
    ocelotl_event event;
    bool found = true;
    size_t count = 0;
    if (filter != NULL)
        options.selection = *filter;
    options.selection.from = from;
    options.selection.to = to;
    options.by_time = filter != NULL;
    ocelotl_status status = ocelotl_events_open(&events, trace, &options);
    if (status != OCELOTL_OK) {
        check_message(status);
        return;
    }
    while (status == OCELOTL_OK && found) {
        status = ocelotl_events_next(&found, &event, events);
        if (status == OCELOTL_OK && found) {
            CHECK(event.resource < ocelotl_trace_resource_count(trace));
            CHECK(event.value == OCELOTL_NONE || event.value < ocelotl_trace_value_count(trace));
            CHECK(strlen(ocelotl_events_path(events, event.target)) < 100000);
            CHECK((event.key == NULL || strlen(event.key) < 1000000) && ++count < 1000000);
        }
    }
    if (status != OCELOTL_OK)
        check_message(status);
    ocelotl_events_free(events);
}

static void ask(ocelotl_trace *trace, const char *sql)
{
    ocelotl_query *query;
    bool found = true;
    ocelotl_status status = ocelotl_query_open(&query, trace, sql);
    if (status != OCELOTL_OK) {
        check_message(status);
        return;
    }
    while (status == OCELOTL_OK && found)
        status = ocelotl_query_next(&found, query);
    if (status != OCELOTL_OK)
        check_message(status);
    ocelotl_query_free(query);
}

static void add_up(ocelotl_trace *trace, int64_t from, ocelotl_extremes extremes,
                   const ocelotl_selection *filter)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics;
    if (filter != NULL)
        options.selection = *filter;
    options.selection.from = from;
    options.selection.to = INT64_MAX;
    options.extremes = extremes;
    const ocelotl_status status = ocelotl_statistics_compute(&statistics, trace, &options);
    if (status != OCELOTL_OK) {
        CHECK(ocelotl_error_message()[0] != '\0');
        return;
    }
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++)
        CHECK(ocelotl_statistics_row_at(statistics, i).innermost >= 0);
    ocelotl_statistics_free(statistics);
}

static void draw(ocelotl_trace *trace, int64_t from, double width, uint64_t most_events,
                 const ocelotl_selection *filter)
{
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *drawables;
    if (filter != NULL)
        options.selection = *filter;
    options.selection.from = from;
    options.selection.to = INT64_MAX;
    options.width = width;
    options.max_events = most_events;
    const ocelotl_status status = ocelotl_drawables_compute(&drawables, trace, &options);
    if (status != OCELOTL_OK) {
        check_message(status);
        return;
    }
    const ocelotl_drawables_info info = ocelotl_drawables_info_of(drawables);
    for (uint32_t r = 0; r < ocelotl_drawables_row_count(drawables); r++)
        for (uint64_t i = 0; i < ocelotl_drawables_row_at(drawables, r).objects; i++) {
            const ocelotl_drawn_object object = ocelotl_drawables_object_at(drawables, r, i);
            CHECK(object.begin >= info.from && object.begin <= object.end && object.end <= info.to);
        }
    ocelotl_drawables_free(drawables);
}

static bool use(const char *path)
{
    ocelotl_trace *trace;
    const ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK) {
        check_message(status);
        return false;
    }
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const ocelotl_selection filter = make_filter();
    const int64_t middle = info.begin + (info.end - info.begin) / 2;
    read_events(trace, INT64_MIN, INT64_MAX, NULL);
    read_events(trace, middle, middle + 10, NULL);
    read_events(trace, middle, INT64_MAX, &filter);
    add_up(trace, INT64_MIN, OCELOTL_EXTREMES_TYPES, NULL);
    add_up(trace, middle, OCELOTL_EXTREMES_VALUES, NULL);
    add_up(trace, INT64_MIN, OCELOTL_EXTREMES_VALUES, &filter);
    add_up(trace, middle, OCELOTL_EXTREMES_TYPES, &filter);
    draw(trace, INT64_MIN, 1, 0, NULL);
    draw(trace, INT64_MIN, 100, 1, NULL);
    draw(trace, middle, 1920, 0, NULL);
    draw(trace, INT64_MIN, 100, 0, &filter);
    draw(trace, middle, 1920, 0, &filter);
    ask(trace, "SELECT type, count(*), sum(duration), max(key), max(attributes) FROM events WHERE "
               "begin > 1 GROUP BY 1");
    ask(trace, "SELECT count(path), sum(end) FROM resources UNION ALL SELECT count(*), "
               "sum(innermost) FROM event_values");
    ocelotl_trace_free(trace);
    return true;
}

static void check_bits(const char *path, const char *whole, size_t length)
{
    char *damaged = malloc(length);
    uint64_t random = 21;
    uint32_t opened = 0;
    const uint32_t rounds = check_rounds(300);
    CHECK(damaged != NULL);
    for (uint32_t i = 0; i < rounds; i++) {
        memcpy(damaged, whole, length);
        for (uint32_t flips = 1 + check_below(&random, 4); flips > 0; flips--) {
            char *byte = &damaged[check_random(&random) % length];
            *byte = (char)(*byte ^ (1 << check_below(&random, 8)));
        }
        temporary_write(path, damaged, i % 10 == 9 ? check_random(&random) % length : length);
        opened += use(path);
    }
    CHECK(opened > rounds / 6);
    free(damaged);
}

/* Numbers and blobs where others belong, in every column that events are read from. */
static void check_columns(const char *path, const char *whole, size_t length)
{
    static const char *const columns[][2] = {
        {"chunk", "begin"},         {"chunk", "unit"},           {"chunk", "stream"},
        {"chunk", "number"},        {"chunk", "totals"},         {"chunk", "events"},
        {"stream", "role"},         {"stream", "count"},         {"stream", "begin"},
        {"stream", "end"},          {"stream", "resource"},      {"stream", "event_type"},
        {"event_type", "category"}, {"event_type", "unmatched"}, {"event_type", "attributes"},
        {"resource", "parent"},     {"resource", "begin"},       {"resource", "end"},
        {"resource", "name"},       {"value", "name"},           {"event_type", "name"},
        {"resource_type", "name"},
    };
    static const char *const contents[] = {"-1",
                                           "0",
                                           "1",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "NULL",
                                           "x''",
                                           "x'00'",
                                           "x'ff00ff'",
                                           "zeroblob(5000)",
                                           "(SELECT totals FROM chunk ORDER BY rowid DESC LIMIT 1)",
                                           "(SELECT events FROM chunk ORDER BY rowid DESC LIMIT 1)",
                                           "'%2F\n/'"};
    const size_t column_count = sizeof columns / sizeof columns[0];
    const uint32_t all = (uint32_t)(column_count * (sizeof contents / sizeof contents[0]));
    for (uint32_t n = 0; n < check_rounds(all); n++) {
        const size_t i = n * 7 % all; /* no factor of `all`: each of them once */
        sqlite3 *database;
        char sql[300];
        temporary_write(path, whole, length);
        CHECK(sqlite3_open(path, &database) == SQLITE_OK);
        snprintf(sql, sizeof sql,
                 "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; UPDATE %s SET %s = %s WHERE "
                 "rowid %% 2 = %d",
                 columns[i % column_count][0], columns[i % column_count][1],
                 contents[i / column_count], (int)(i % 3 == 0));
        sqlite3_exec(database, sql, NULL, NULL, NULL); /* a constraint may forbid it */
        checksums_renew(database);
        sqlite3_close(database);
        use(path);
    }
}

int main(void)
{
    known_trace known;
    size_t length;
    temporary_begin();
    const char *path = temporary_path("trace.db");
    known_write(&known, path, 31, 4000);
    char *whole = temporary_read(&length, path);
    CHECK(use(path));
    check_bits(path, whole, length);
    check_columns(path, whole, length);
    free(whole);
    free(known.events);
    return 0;
}
