/* Reads events back as they were written, from any window, wherever chunks begin. It compares them
 * with a plain list: nested, crossing, zero-length and long states, steps of variables, links of
 * every kind, and their attributes. */
#include "test_known_filter.h"

#include "query/events.h"

enum { MOST_READ = 300 };

/* An event as a line, so that two sets can be sorted and compared. */
static char *line_of(const ocelotl_event *event, const char *key, const char *attributes)
{
    char *line = malloc(400);
    CHECK(line != NULL);
    snprintf(line, 400, "%d %u %u %d %lld %lld %u %d %d %g %s %s", (int)event->category,
             event->event_type, event->resource, (int)event->value, (long long)event->begin,
             (long long)event->end, event->depth, (int)event->source, (int)event->target,
             event->number, key, attributes);
    return line;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct lines {
    char *line[90000];
    size_t count;
} lines;

static void free_lines(lines *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->line[i]);
    list->count = 0;
}

static void sort_lines(lines *list)
{
    qsort(list->line, list->count, sizeof list->line[0], compare_lines);
}

static bool touches(const ocelotl_event *event, int64_t from, int64_t to)
{
    const int64_t last = event->end > event->begin ? event->end : event->begin;
    return event->begin <= to && last >= from;
}

/* The first resource and what is below it, or everything. */
static bool is_inside(const known_trace *known, const ocelotl_event *event, bool below_first)
{
    return !below_first || event->resource == known->resources[0] ||
           event->resource == known->resources[1] || event->resource == known->resources[2];
}

/* The filter that is asked for with the options, if it is. */
static known_filter filtered;
static bool filters;

static void list_known(lines *list, const known_trace *known, const ocelotl_events_options *options,
                       int64_t end)
{
    /* What happens in the last instant is in a window that ends there. */
    const bool whole = options->selection.from == 0 && options->selection.to == 0;
    const int64_t to = whole ? INT64_MAX : options->selection.to;
    const int64_t last = to >= end ? to : to - 1;
    for (size_t i = 0; i < known->count; i++) {
        const known_event *it = &known->events[i];
        if (!touches(&it->event, whole ? INT64_MIN : options->selection.from, last) ||
            !is_inside(known, &it->event, options->selection.resources.count > 0) ||
            (filters && !known_passes(&filtered, known, i)) ||
            (options->type != NULL && it->event.event_type != known->types[LINK_TYPE]))
            continue;
        CHECK(list->count < 90000);
        list->line[list->count++] = options->without_attributes
                                        ? line_of(&it->event, "", "")
                                        : line_of(&it->event, it->key, it->attributes);
    }
    sort_lines(list);
}

/* Reads the next events: one, or blocks of several sizes in turn. */
static uint32_t read_next(ocelotl_event *block, ocelotl_events *events)
{
    static const uint32_t sizes[] = {0, 1, 2, 7, MOST_READ, 3};
    static uint32_t turn;
    const uint32_t most = sizes[turn++ % (sizeof sizes / sizeof sizes[0])];
    uint32_t count = 0;
    bool found = false;
    if (most > 0) {
        CHECK_OK(ocelotl_events_next_block(&count, block, most, events));
        CHECK(count <= most);
        return count;
    }
    CHECK_OK(ocelotl_events_next(&found, block, events));
    return found;
}

/* Reads a list; false if the filter names nothing in the trace. */
static bool list_read(lines *list, ocelotl_trace *trace, const ocelotl_events_options *options)
{
    ocelotl_events *events;
    ocelotl_event block[MOST_READ];
    const ocelotl_status status = ocelotl_events_open(&events, trace, options);
    if (filters && (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY)) {
        /* A trace so short that it has none of what is asked for; or a type that hides it. */
        CHECK(strstr(ocelotl_error_message(), "nothing that can be shown is called") != NULL ||
              strstr(ocelotl_error_message(), "leave nothing") != NULL);
        return false;
    }
    CHECK_OK(status);
    int64_t last = INT64_MIN;
    for (uint32_t count; (count = read_next(block, events)) > 0;)
        for (uint32_t i = 0; i < count; i++) {
            const ocelotl_event *event = &block[i];
            CHECK(list->count < 90000);
            /* A link can end after its source, or before it begins. */
            CHECK(!options->by_time || event->category == OCELOTL_LINK || event->end >= last);
            if (event->category != OCELOTL_LINK)
                last = event->end;
            list->line[list->count++] = line_of(event, event->key != NULL ? event->key : "",
                                                event->attributes != NULL ? event->attributes : "");
        }
    for (int i = 0; i < 4; i++)
        CHECK(read_next(block, events) == 0);
    ocelotl_events_free(events);
    sort_lines(list);
    return true;
}

/* Several resources are their union: each event once, in the order of time where that is asked for.
 */
static void check_union(ocelotl_trace *trace)
{
    static lines one, two;
    const char *const paths[] = {"a%2Fb/t", "a%2Fb/t#2", "a%2Fb/.", "a%2Fb/t", "a%2Fb"};
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    options.selection.resources = (ocelotl_names){paths + 4, 1};
    list_read(&one, trace, &options);
    options = (ocelotl_events_options)OCELOTL_EVENTS_OPTIONS_INIT;
    options.selection.resources = (ocelotl_names){paths, 4};
    for (int by_time = 0; by_time < 2; by_time++) {
        options.by_time = by_time == 1;
        list_read(&two, trace, &options);
        CHECK(one.count == two.count && one.count > 0);
        for (size_t i = 0; i < one.count; i++)
            CHECK_TEXT(two.line[i], one.line[i]);
        free_lines(&two);
    }
    free_lines(&one);
}

static lines expected;
static lines got;

static void check_window(const known_trace *known, ocelotl_trace *trace,
                         const ocelotl_events_options *options)
{
    list_known(&expected, known, options, ocelotl_trace_info_of(trace).end);
    if (!list_read(&got, trace, options))
        free_lines(&expected);
    for (size_t i = 0; i < expected.count && i < got.count; i++)
        if (strcmp(expected.line[i], got.line[i]) != 0) {
            fprintf(stderr, "window %lld to %lld, %zu expected, %zu got: expected\n%s\n, got\n%s\n",
                    (long long)options->selection.from, (long long)options->selection.to,
                    expected.count, got.count, expected.line[i], got.line[i]);
            exit(1);
        }
    CHECK(expected.count == got.count);
    free_lines(&expected);
    free_lines(&got);
}

static void check_trace(uint64_t random, uint32_t changes, uint32_t windows)
{
    known_trace known;
    ocelotl_trace *trace = known_open(&known, random, changes);
    const char *const below[] = {"a%2Fb"};
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    check_window(&known, trace, &options);
    /* Some at instants where something begins or ends, of any length. */
    for (uint32_t i = 0; i < windows; i++) {
        const known_event *it = &known.events[check_below(&known.random, (uint32_t)known.count)];
        const uint32_t kind = check_below(&known.random, 6);
        options = (ocelotl_events_options)OCELOTL_EVENTS_OPTIONS_INIT;
        options.selection.from =
            kind < 3 ? it->event.begin : it->event.end - check_below(&known.random, 3) + 1;
        options.selection.to =
            options.selection.from + check_below(&known.random, kind % 3 == 0   ? 3
                                                                : kind % 3 == 1 ? 200
                                                                                : 20000);
        options.selection.from = kind == 5 ? INT64_MIN : options.selection.from;
        options.selection.to = i % 7 == 6 ? INT64_MAX : options.selection.to;
        options.without_attributes = check_below(&known.random, 4) == 0;
        if (check_below(&known.random, 4) == 0)
            options.selection.resources = (ocelotl_names){below, 1};
        options.type = check_below(&known.random, 4) == 0 ? "Link" : NULL;
        options.by_time = check_below(&known.random, 3) == 0;
        check_window(&known, trace, &options);
        known_filter_make(&filtered, &known);
        const ocelotl_selection bare = options.selection;
        options.selection = filtered.filter;
        options.selection.from = bare.from;
        options.selection.to = bare.to;
        options.selection.resources = bare.resources;
        filters = true;
        check_window(&known, trace, &options);
        filters = false;
    }
    options = (ocelotl_events_options)OCELOTL_EVENTS_OPTIONS_INIT;
    options.selection.from = INT64_MIN;
    options.selection.to = info.begin;
    check_window(&known, trace, &options);
    check_union(trace);
    known_close(&known, trace);
}

static void check_names_and_errors(void)
{
    known_trace known;
    ocelotl_trace *trace = known_open(&known, 5, 50);
    const char *const paths[] = {"nowhere", ""};
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events = must_list(trace, NULL);
    CHECK_TEXT(ocelotl_events_path(events, 0), "a%2Fb");
    CHECK_TEXT(ocelotl_events_path(events, 1), "a%2Fb/t");
    CHECK_TEXT(ocelotl_events_path(events, 2), "a%2Fb/t#2");
    CHECK_TEXT(ocelotl_events_path(events, 3), "a%2Fb#2");
    CHECK_TEXT(ocelotl_events_path(events, 4), "a%2Fb#2/t#2");
    CHECK_TEXT(ocelotl_events_path(events, 5), "");
    ocelotl_events_free(events);
    options.selection.resources = (ocelotl_names){paths, 1};
    CHECK_REFUSED(ocelotl_events_open(&events, trace, &options), "no resource \"nowhere\"");
    options.selection.resources = (ocelotl_names){paths + 1, 1};
    options.type = "Nothing";
    CHECK_REFUSED(ocelotl_events_open(&events, trace, &options), "no event type \"Nothing\"");
    options.type = NULL;
    options.selection.from = 7;
    options.selection.to = 5;
    CHECK_REFUSED(ocelotl_events_open(&events, trace, &options), "ends before it begins");
    options.size = 3;
    CHECK_REFUSED(ocelotl_events_open(&events, trace, &options), "");
    ocelotl_events_free(NULL);
    known_close(&known, trace);
}

/* Converts seconds to ticks and back, also where a double cannot separate ticks. */
static void check_ticks(uint64_t numerator, uint64_t denominator)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    uint64_t random = 9;
    const char *path = temporary_path("ticks.db");
    options.tick_numerator = numerator;
    options.tick_denominator = denominator;
    options.overwrite = true;
    ocelotl_writer *writer = must_write(path, &options);
    must_finish(writer);
    ocelotl_trace *trace = must_open(path);
    for (uint32_t i = 0; i < 2000; i++) {
        const int64_t tick = (int64_t)check_random(&random) >> check_below(&random, 60);
        const double seconds = ocelotl_trace_seconds(trace, tick);
        const int64_t first = ocelotl_trace_first_tick(trace, seconds);
        const int64_t last = ocelotl_trace_last_tick(trace, seconds);
        CHECK(first <= tick && tick <= last);
        CHECK(ocelotl_trace_seconds(trace, first) == seconds &&
              ocelotl_trace_seconds(trace, last) == seconds);
        CHECK(first == INT64_MIN || ocelotl_trace_seconds(trace, first - 1) < seconds);
        CHECK(last == INT64_MAX || ocelotl_trace_seconds(trace, last + 1) > seconds);
        const double between = nextafter(seconds, INFINITY);
        if (tick < INT64_MAX && between < ocelotl_trace_seconds(trace, last + 1))
            CHECK(ocelotl_trace_first_tick(trace, between) == last + 1 &&
                  ocelotl_trace_last_tick(trace, between) == last);
    }
    CHECK(ocelotl_trace_first_tick(trace, -INFINITY) == INT64_MIN);
    CHECK(ocelotl_trace_last_tick(trace, INFINITY) == INT64_MAX);
    ocelotl_trace_free(trace);
    CHECK(unlink(path) == 0);
}

int main(void)
{
    temporary_begin();
    check_names_and_errors();
    check_ticks(1, 1000000000);
    check_ticks(1, 3);
    check_ticks(1001, 30000);
    for (uint64_t i = 1; i <= 12; i++)
        check_trace(i, 60 * (uint32_t)i, check_rounds(60));
    check_trace(77, 50000, check_rounds(50));
    check_trace(78, 50000, check_rounds(50));
    return 0;
}
