/* What the writer refuses, and that a refusal changes nothing. */
#include "temporary.h"

#include "test_checksums.h"

#include "store/read/reader.h"

#include <signal.h>
#include <sys/resource.h>

typedef struct names {
    ocelotl_writer *writer;
    uint32_t thread, resource, other, event, state, variable, link, value, link_value, size;
} names;

static names begin(void)
{
    names n = {0};
    n.writer = must_write(temporary_path("trace.db"), NULL);
    n.thread = must_kind(n.writer, OCELOTL_ROOT, "thread");
    n.resource = must_resource(n.writer, n.thread, OCELOTL_ROOT, "a", 0);
    n.other = must_resource(n.writer, n.thread, OCELOTL_ROOT, "b", 0);
    n.event = must_type(n.writer, OCELOTL_EVENT, n.thread, "event");
    n.state = must_type(n.writer, OCELOTL_STATE, n.thread, "state");
    n.variable = must_type(n.writer, OCELOTL_VARIABLE, n.thread, "variable");
    n.link = must_type(n.writer, OCELOTL_LINK, n.thread, "link");
    n.value = must_value(n.writer, n.state, "working");
    n.link_value = must_value(n.writer, n.link, "message");
    n.size = must_attribute(n.writer, n.link, "size");
    return n;
}

static ocelotl_status push(const names *n, int64_t time)
{
    return ocelotl_writer_push(n->writer, n->resource, n->state, n->value, time, NULL, 0);
}

static ocelotl_status pop(const names *n, int64_t time)
{
    return ocelotl_writer_pop(n->writer, n->resource, n->state, 0, time, NULL, 0);
}

static ocelotl_trace *finish(names *n)
{
    must_finish(n->writer);
    CHECK(temporary_files(false) == 1);
    return must_open(temporary_path("trace.db"));
}

static void end(ocelotl_trace *trace)
{
    ocelotl_trace_free(trace);
    temporary_files(true);
}

static void check_targets(void)
{
    ocelotl_writer *writer = NULL;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    const char *path = temporary_path("trace.db");
    names n = begin();
    CHECK(temporary_files(false) == 1);
    ocelotl_writer_free(n.writer);
    CHECK(temporary_files(false) == 0);
    ocelotl_writer_free(NULL);

    temporary_write(path, "mine", 4);
    CHECK_REFUSED(ocelotl_writer_open(&writer, path, &options), "exists already");
    options.overwrite = true;
    writer = must_write(path, &options);
    ocelotl_writer_free(writer);
    size_t length;
    char *kept = temporary_read(&length, path);
    CHECK_TEXT(kept, "mine");
    free(kept);
    writer = must_write(path, &options);
    must_finish(writer);
    CHECK(temporary_files(true) == 1);

    CHECK_FAILS(ocelotl_writer_open(&writer, temporary_folder, &options), OCELOTL_ERROR_IO,
                "is a directory");
    CHECK_FAILS(ocelotl_writer_open(&writer, temporary_path("no/where.db"), &options),
                OCELOTL_ERROR_IO, "cannot write");
    CHECK_REFUSED(ocelotl_writer_open(&writer, "", &options), "is empty");
    if (geteuid() != 0) {
        CHECK(chmod(temporary_folder, 0500) == 0);
        CHECK_FAILS(ocelotl_writer_open(&writer, path, &options), OCELOTL_ERROR_IO, "cannot write");
        CHECK(chmod(temporary_folder, 0700) == 0);
    }
    options.tick_numerator = 1000000000000000001u;
    CHECK_REFUSED(ocelotl_writer_open(&writer, path, &options),
                  "a tick of 1000000000000000001/1000000000 s");
    options.tick_numerator = 1;
    options.tick_denominator = 1000000000000000001u;
    CHECK_REFUSED(ocelotl_writer_open(&writer, path, &options), "10^18");
    CHECK(temporary_files(false) == 0);
}

/* A name is a name, whatever SQLite might take it for. */
static void check_odd_names(void)
{
    static const char *const odd[] = {"file:trace.db?mode=memory", ":memory:", "a b%20c#d?e&f.db"};
    char before[4096];
    CHECK(getcwd(before, sizeof before) != NULL && chdir(temporary_folder) == 0);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        ocelotl_writer *writer = must_write(odd[i], NULL);
        must_finish(writer);
        CHECK(temporary_files(false) == 1);
        ocelotl_trace *trace = must_open(odd[i]);
        CHECK_TEXT(ocelotl_trace_info_of(trace).name, odd[i]);
        end(trace);
    }
    CHECK(chdir(before) == 0);
}

static void check_declarations(void)
{
    names n = begin();
    uint32_t id;
    uint64_t link;
    const ocelotl_attribute_value undeclared = {n.size + 1, "1", 1};
    const ocelotl_attribute_value foreign = {0, "1", 1};
    CHECK_REFUSED(ocelotl_writer_resource_type(&id, n.writer, 7, "x"), "not been declared");
    CHECK_REFUSED(ocelotl_writer_resource(&id, n.writer, n.thread, 7, "x", 0), "not been");
    CHECK_REFUSED(ocelotl_writer_resource(&id, n.writer, 7, OCELOTL_ROOT, "x", 0), "not been");
    CHECK_REFUSED(ocelotl_writer_resource(&id, n.writer, OCELOTL_ROOT, OCELOTL_ROOT, "x", 0),
                  "of no resource type");
    CHECK_REFUSED(ocelotl_writer_event_type(&id, n.writer, OCELOTL_STATE, 7, "x", -1), "not");
    CHECK_REFUSED(ocelotl_writer_event_type(&id, n.writer, (ocelotl_category)4, n.thread, "x", -1),
                  "category 4");
    CHECK_REFUSED(ocelotl_writer_value(&id, n.writer, 9, "x", -1), "not been declared");
    CHECK_REFUSED(ocelotl_writer_attribute(&id, n.writer, 9, "x"), "not been declared");
    CHECK_REFUSED(ocelotl_writer_attribute(&id, n.writer, n.link, "a\nb"), "several lines");
    CHECK_REFUSED(ocelotl_writer_attribute(&id, n.writer, n.link, ""), "is empty");
    CHECK_OK(ocelotl_writer_warning(n.writer, "odd", INT64_MAX, NULL));
    CHECK_REFUSED(ocelotl_writer_warning(n.writer, "odd", 1, NULL), "counted 2^63 times");
    CHECK_REFUSED(ocelotl_writer_source_kind(n.writer, "X", OCELOTL_FATE_STATE, UINT64_MAX, NULL),
                  "counted 2^63 times");
    CHECK_REFUSED(ocelotl_writer_resource_note(n.writer, 9, "a", "b"), "not been declared");
    CHECK_REFUSED(ocelotl_writer_resource_note(n.writer, n.resource, "a=", "b"), "one line");
    CHECK_REFUSED(ocelotl_writer_resource_end(n.writer, 9, 0), "not been declared");
    CHECK_REFUSED(ocelotl_writer_push(n.writer, 9, n.state, n.value, 0, NULL, 0), "resource 9");
    CHECK_REFUSED(ocelotl_writer_push(n.writer, n.resource, 9, n.value, 0, NULL, 0), "type 9");
    CHECK_REFUSED(ocelotl_writer_push(n.writer, n.resource, n.state, OCELOTL_NONE, 0, NULL, 0),
                  "without a value");
    CHECK_REFUSED(ocelotl_writer_push(n.writer, n.resource, n.state, n.link_value, 0, NULL, 0),
                  "is not one of \"state\"");
    CHECK_REFUSED(ocelotl_writer_push(n.writer, n.resource, n.link, n.link_value, 0, NULL, 0),
                  "\"link\" is a type of links, expected one of states");
    CHECK_REFUSED(ocelotl_writer_event(n.writer, n.resource, n.state, n.value, 0, NULL, 0),
                  "expected one of events");
    CHECK_REFUSED(ocelotl_writer_variable(n.writer, n.resource, n.event, 0, 1, NULL, 0),
                  "expected one of variables");
    CHECK_REFUSED(ocelotl_writer_variable(n.writer, n.resource, n.variable, 0, NAN, NULL, 0),
                  "expected a finite number");
    CHECK_REFUSED(ocelotl_writer_variable(n.writer, n.resource, n.variable, 0, -1.1e280, NULL, 0),
                  "expected a finite number up to 1e+280");
    CHECK_REFUSED(
        ocelotl_writer_link_begin(&link, n.writer, n.resource, n.state, n.value, 0, NULL, 0),
        "expected one of links");
    CHECK_REFUSED(ocelotl_writer_link_begin(&link, n.writer, n.resource, n.link, OCELOTL_NONE, 0,
                                            &undeclared, 1),
                  "attribute 1 of \"link\"");
    CHECK_REFUSED(ocelotl_writer_push(n.writer, n.resource, n.state, n.value, 0, &foreign, 1),
                  "attribute 0 of \"state\"");
    CHECK_REFUSED(ocelotl_writer_link_end(n.writer, 0, n.resource, 0, NULL, 0), "not open");
    CHECK_REFUSED(ocelotl_writer_link_end(n.writer, UINT64_MAX, n.resource, 0, NULL, 0),
                  "not open");
    /* streams without events must not be in the way, wherever the trace ends */
    CHECK_REFUSED(pop(&n, 0), "0 open states, expected more than 0");
    ocelotl_trace *trace = finish(&n);
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++)
        CHECK(ocelotl_trace_event_type_at(trace, e).count == 0);
    end(trace);
}

static void check_order(void)
{
    names n = begin();
    CHECK_OK(push(&n, 10));
    CHECK_REFUSED(push(&n, 9), "tick 9 of \"state\" comes after tick 10");
    CHECK_REFUSED(pop(&n, 9), "comes after tick 10");
    CHECK_OK(pop(&n, 10));
    CHECK_REFUSED(pop(&n, 11), "0 open states");
    must_event(n.writer, n.resource, n.event, OCELOTL_NONE, -5);
    must_step(n.writer, n.resource, n.variable, 3, 1);
    must_step(n.writer, n.resource, n.variable, 3, 2);
    ocelotl_trace *trace = finish(&n);
    CHECK(ocelotl_trace_info_of(trace).begin == -5 && ocelotl_trace_info_of(trace).end == 10);
    CHECK(ocelotl_trace_event_type_at(trace, n.state).count == 1);
    CHECK(ocelotl_trace_event_type_at(trace, n.event).count == 1);
    CHECK(ocelotl_trace_event_type_at(trace, n.variable).count == 1);
    CHECK(ocelotl_trace_resource_at(trace, n.resource).begin == -5);
    CHECK_TEXT(ocelotl_trace_resource_at(trace, 99).name, "");
    CHECK_TEXT(ocelotl_trace_value_at(trace, 99).name, "");
    CHECK_TEXT(ocelotl_trace_event_type_at(trace, 99).name, "");
    CHECK_TEXT(ocelotl_trace_resource_type_at(trace, 99).name, "");
    CHECK_TEXT(ocelotl_trace_warning_at(trace, 99).kind, "");
    end(trace);
}

static void check_ends(void)
{
    names n = begin();
    CHECK_OK(push(&n, 10));
    must_event(n.writer, n.resource, n.event, OCELOTL_NONE, 20);
    CHECK_REFUSED(ocelotl_writer_resource_end(n.writer, n.resource, -1), "before its beginning");
    CHECK_REFUSED(ocelotl_writer_resource_end(n.writer, n.resource, 15),
                  "before what happens there at 20");
    CHECK(ocelotl_writer_open_states(n.writer, n.resource, n.state) == 1);
    must_end(n.writer, n.resource, 20);
    CHECK(ocelotl_writer_open_states(n.writer, n.resource, n.state) == 0);
    CHECK_REFUSED(push(&n, 21), "\"a\" has ended at tick 20");
    CHECK_REFUSED(ocelotl_writer_variable(n.writer, n.resource, n.variable, 21, 1, NULL, 0),
                  "has ended");
    CHECK_REFUSED(ocelotl_writer_resource_end(n.writer, n.resource, 20), "has ended already");
    CHECK_OK(push(&n, 20));
    must_event(n.writer, n.other, n.event, OCELOTL_NONE, 50);
    /* a stream whose one event was refused has no time, and must not be taken to have time 0 */
    const uint32_t early = must_resource(n.writer, n.thread, OCELOTL_ROOT, "early", -100);
    must_end(n.writer, early, -50);
    CHECK_REFUSED(ocelotl_writer_event(n.writer, early, n.event, OCELOTL_NONE, -49, NULL, 0),
                  "has ended");
    ocelotl_trace *trace = finish(&n);
    CHECK(ocelotl_trace_resource_at(trace, n.resource).end == 20);
    CHECK(ocelotl_trace_resource_at(trace, n.other).end == 50);
    CHECK(ocelotl_trace_value_at(trace, n.value).count == 2);
    CHECK(ocelotl_trace_value_at(trace, n.value).innermost_ticks == 10);
    end(trace);
}

static void check_links(void)
{
    names n = begin();
    uint64_t link;
    const ocelotl_attribute_value size = {n.size, "8", 1};
    CHECK_OK(
        ocelotl_writer_link_begin(&link, n.writer, n.resource, n.link, n.link_value, 10, &size, 1));
    CHECK_OK(ocelotl_writer_link_orphan(n.writer, n.other, n.link, n.link_value, 30, NULL, 0));
    CHECK_REFUSED(ocelotl_writer_link_end(n.writer, link, n.other, 20, NULL, 0),
                  "comes after tick 30");
    CHECK_REFUSED(ocelotl_writer_link_end(n.writer, link, 9, 40, NULL, 0), "resource 9");
    /* the refusals have taken nothing away */
    must_end_link(n.writer, link, n.other, 40);
    CHECK_REFUSED(ocelotl_writer_link_end(n.writer, link, n.other, 40, NULL, 0), "not open");
    /* a message may outlive its sender */
    const uint64_t late = must_begin_link(n.writer, n.resource, n.link, n.link_value, 50);
    must_end(n.writer, n.resource, 60);
    must_end_link(n.writer, late, n.other, 75);
    ocelotl_trace *trace = finish(&n);
    oc_cursor *cursor;
    uint32_t arrivals = 0;
    while (trace->streams[arrivals].role != OC_ROLE_LINKS_IN)
        arrivals++;
    CHECK_OK(oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, arrivals, 64));
    CHECK_OK(oc_cursor_seek(cursor, 100, false));
    CHECK(oc_cursor_fold(cursor)->sum_count == 1 && oc_cursor_fold(cursor)->sums[0].sum == 8);
    oc_cursor_free(cursor);
    CHECK(ocelotl_trace_event_type_at(trace, n.link).count == 3);
    CHECK(ocelotl_trace_event_type_at(trace, n.link).unmatched == 1);
    CHECK(ocelotl_trace_value_at(trace, n.link_value).count == 3);
    CHECK(ocelotl_trace_value_at(trace, n.link_value).inclusive_ticks == 55);
    end(trace);
}

static void check_range(void)
{
    names n = begin();
    const int64_t far = INT64_MAX - 1;
    CHECK_OK(push(&n, -10));
    CHECK_REFUSED(pop(&n, far), "too far from the rest of the trace");
    CHECK_REFUSED(ocelotl_writer_event(n.writer, n.other, n.event, OCELOTL_NONE, far, NULL, 0),
                  "too far");
    CHECK_REFUSED(ocelotl_writer_resource_end(n.writer, n.other, far), "too far");
    uint32_t id;
    CHECK_REFUSED(ocelotl_writer_resource(&id, n.writer, n.thread, OCELOTL_ROOT, "x", far),
                  "too far");
    const uint64_t link = must_begin_link(n.writer, n.other, n.link, n.link_value, 0);
    CHECK_REFUSED(ocelotl_writer_link_end(n.writer, link, n.other, far, NULL, 0), "too far");
    must_event(n.writer, n.other, n.event, OCELOTL_NONE, INT64_MAX / 3);
    CHECK_REFUSED(ocelotl_writer_link_end(n.writer, link, n.other, INT64_MIN, NULL, 0), "too far");
    /* four nested states: their durations do not add up within 64 bits */
    for (int i = 0; i < 3; i++)
        CHECK_OK(push(&n, -10));
    CHECK_OK(pop(&n, INT64_MAX / 3));
    CHECK_OK(pop(&n, INT64_MAX / 3));
    CHECK_REFUSED(pop(&n, INT64_MAX / 3), "add up to more than 2^63 ticks");
    CHECK_REFUSED(ocelotl_writer_refine(n.writer, 4), "4 times finer");
    ocelotl_writer_free(n.writer);
}

/* Sums of durations are watched where they could leave 64 bits, also those of chunks that are
 * written already. */
static void check_range_of_chunks(void)
{
    names n = begin();
    CHECK_OK(push(&n, 0));
    for (int64_t time = 0; time < 5000; time++) {
        CHECK_OK(push(&n, time));
        CHECK_OK(pop(&n, time + 1));
    }
    CHECK_OK(push(&n, 5000));
    CHECK_OK(push(&n, 5000));
    CHECK_OK(pop(&n, INT64_MAX / 2));
    CHECK_OK(push(&n, INT64_MAX / 2));
    CHECK_OK(pop(&n, INT64_MAX / 2));
    /* 2 * (INT64_MAX / 2 - 5000) + 5000, and 1 is left of 2^63 beside that */
    CHECK_OK(pop(&n, INT64_MAX / 2));
    CHECK_REFUSED(pop(&n, INT64_MAX / 2), "add up to more than 2^63 ticks");
    CHECK_REFUSED(ocelotl_writer_refine(n.writer, 2), "2 times finer");
    CHECK(ocelotl_writer_open_states(n.writer, n.resource, n.state) == 1);
    ocelotl_writer_free(n.writer);
}

/* Checks that a chunk is at least as long as the totals at its begin, however many values a type
 * has, and not much longer. */
static void check_many_values(void)
{
    enum { VALUES = 3000, EVENTS = 20000 };
    names n = begin();
    uint32_t values[VALUES];
    char name[32];
    int64_t counts[2][64];
    for (int i = 0; i < VALUES; i++) {
        snprintf(name, sizeof name, "v%d", i);
        values[i] = must_value(n.writer, n.event, name);
    }
    for (int i = 0; i < EVENTS; i++) {
        must_event(n.writer, n.resource, n.event, values[i % 3], i);
        must_event(n.writer, n.other, n.event, values[i % VALUES], i);
    }
    ocelotl_trace *trace = finish(&n);
    sqlite3_stmt *row;
    size_t chunks[2] = {0, 0};
    CHECK_OK(oc_database_prepare(
        &row, trace->database, trace->path,
        "SELECT resource, chunk.count FROM chunk JOIN stream ON stream.id = stream "
        "ORDER BY resource, number"));
    while (sqlite3_step(row) == SQLITE_ROW) {
        const int resource = sqlite3_column_int(row, 0) == (int)n.resource ? 0 : 1;
        CHECK(chunks[resource] < 64);
        counts[resource][chunks[resource]++] = sqlite3_column_int64(row, 1);
    }
    sqlite3_finalize(row);
    CHECK(chunks[0] == (EVENTS + 1023) / 1024);
    for (size_t i = 0; i + 1 < chunks[0]; i++)
        CHECK(counts[0][i] == 1024);
    int64_t before = 0;
    for (size_t i = 0; i + 1 < chunks[1]; i++) {
        CHECK(counts[1][i] >= 1024 && counts[1][i] >= (before < VALUES ? before : VALUES));
        CHECK(counts[1][i] <= VALUES + 1024);
        before += counts[1][i];
    }
    end(trace);
}

static void check_refinement(void)
{
    names n = begin();
    CHECK_REFUSED(ocelotl_writer_refine(n.writer, 0), "0 times finer");
    CHECK_REFUSED(ocelotl_writer_refine(n.writer, 10000000000u), "10^18");
    CHECK_OK(push(&n, 0));
    CHECK_OK(push(&n, 0));
    CHECK_OK(push(&n, 0));
    for (int i = 0; i < 3; i++)
        CHECK_OK(pop(&n, (int64_t)1 << 60));
    /* begin and end would fit, the sum of the three durations would not */
    CHECK_REFUSED(ocelotl_writer_refine(n.writer, 4), "do not fit");
    CHECK_OK(ocelotl_writer_refine(n.writer, 2));
    CHECK_OK(ocelotl_writer_refine(n.writer, 1));
    ocelotl_trace *trace = finish(&n);
    CHECK(ocelotl_trace_info_of(trace).tick_denominator == 2000000000);
    CHECK(ocelotl_trace_info_of(trace).end == (int64_t)1 << 61);
    CHECK(ocelotl_trace_value_at(trace, n.value).innermost_ticks == (int64_t)1 << 61);
    CHECK(ocelotl_trace_value_at(trace, n.value).inclusive_ticks == 3 * ((int64_t)1 << 61));
    end(trace);
}

static void check_finished(void)
{
    names n = begin();
    uint32_t id;
    const uint64_t link = must_begin_link(n.writer, n.other, n.link, n.link_value, 0);
    CHECK_OK(push(&n, 1));
    CHECK_OK(ocelotl_writer_finish(n.writer));
    CHECK_REFUSED(ocelotl_writer_finish(n.writer), "is finished");
    CHECK_REFUSED(push(&n, 2), "is finished");
    CHECK_REFUSED(pop(&n, 2), "is finished");
    CHECK(ocelotl_writer_link_end(n.writer, link, n.other, 2, NULL, 0) == OCELOTL_ERROR_ARGUMENT);
    CHECK_REFUSED(ocelotl_writer_refine(n.writer, 2), "is finished");
    CHECK_REFUSED(ocelotl_writer_resource_end(n.writer, n.other, 2), "is finished");
    CHECK_REFUSED(ocelotl_writer_resource_note(n.writer, n.other, "a", "b"), "is finished");
    CHECK_REFUSED(ocelotl_writer_value(&id, n.writer, n.state, "x", -1), "is finished");
    CHECK_REFUSED(ocelotl_writer_warning(n.writer, "x", 1, "y"), "is finished");
    ocelotl_writer_free(n.writer);
    temporary_files(true);
}

static void check_names(void)
{
    names n = begin();
    const uint32_t id = must_resource(n.writer, n.thread, n.other, "\xff<&\"\xc3\xa9", 0);
    CHECK_OK(ocelotl_writer_resource_note(n.writer, id, "host", "x=y"));
    CHECK_OK(ocelotl_writer_resource_note(n.writer, id, "core", "3"));
    for (int i = 0; i < 3; i++)
        CHECK_OK(ocelotl_writer_warning(n.writer, "odd \xff", 2, i == 0 ? "first \xfe" : "later"));
    CHECK_OK(ocelotl_writer_warning(n.writer, "other", 1, NULL));
    ocelotl_trace *trace = finish(&n);
    CHECK_TEXT(ocelotl_trace_resource_at(trace, id).name, "\xEF\xBF\xBD<&\"\xc3\xa9");
    CHECK(ocelotl_trace_warning_count(trace) == 2);
    CHECK_TEXT(ocelotl_trace_warning_at(trace, 0).kind, "odd \xEF\xBF\xBD");
    CHECK_TEXT(ocelotl_trace_warning_at(trace, 0).detail, "first \xEF\xBF\xBD");
    CHECK(ocelotl_trace_warning_at(trace, 0).count == 6);
    CHECK_TEXT(ocelotl_trace_warning_at(trace, 1).detail, "");
    end(trace);
}

/* Long texts fill chunks of their own; what is too long is refused. */
static void check_texts(void)
{
    names n = begin();
    const size_t length = (size_t)65 << 20;
    char *bytes = malloc(length);
    CHECK(bytes != NULL);
    memset(bytes, 'x', length);
    const uint32_t text = must_attribute(n.writer, n.event, "text");
    const ocelotl_attribute_value longest = {text, bytes, length};
    CHECK_REFUSED(ocelotl_writer_event(n.writer, n.other, n.event, OCELOTL_NONE, 0, &longest, 1),
                  "more than 64 MiB");
    const ocelotl_attribute_value two[] = {{text, bytes, length / 2 + 1},
                                           {text, bytes, length / 2}};
    CHECK_REFUSED(ocelotl_writer_event(n.writer, n.other, n.event, OCELOTL_NONE, 0, two, 2),
                  "more than 64 MiB");
    const ocelotl_attribute_value fair = {text, bytes, (size_t)1 << 19};
    for (int64_t time = 0; time < 20; time++)
        CHECK_OK(ocelotl_writer_event(n.writer, n.other, n.event, OCELOTL_NONE, time, &fair, 1));
    free(bytes);
    ocelotl_trace *trace = finish(&n);
    oc_cursor *cursor;
    CHECK_OK(oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, 0, 64));
    CHECK_OK(oc_cursor_seek(cursor, 10, true));
    CHECK(oc_cursor_fold(cursor)->totals[0].count == 11);
    oc_cursor_free(cursor);
    CHECK(database_number(temporary_path("trace.db"), "SELECT count(*) FROM chunk") >= 8);
    end(trace);
}

/* Checks that the file grows with the events, not with events times values or times open states. */
static void check_growth(void)
{
    enum { COUNT = 40000 };
    names n = begin();
    char name[32];
    for (int64_t i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "%d", (int)i);
        must_event(n.writer, n.other, n.event, must_value(n.writer, n.event, name), i);
        (void)must_begin_link(n.writer, n.other, n.link, OCELOTL_NONE, i);
    }
    ocelotl_trace *trace = finish(&n);
    CHECK(ocelotl_trace_info_of(trace).file_size < 64 * COUNT);
    CHECK(ocelotl_trace_event_type_at(trace, n.link).unmatched == COUNT);
    end(trace);
}

/* A disk that is full: an error, then nothing but errors, and nothing left. */
static void check_full_disk(void)
{
    names n = begin();
    struct rlimit before;
    ocelotl_status status = OCELOTL_OK;
    uint64_t random = 5;
    char noise[4096];
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && getrlimit(RLIMIT_FSIZE, &before) == 0);
    const uint32_t text = must_attribute(n.writer, n.event, "text");
    const struct rlimit small = {(rlim_t)1 << 20, before.rlim_max};
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    for (int64_t time = 0; time < 20000 && status == OCELOTL_OK; time++) {
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (char)check_random(&random);
        const ocelotl_attribute_value attribute = {text, noise, sizeof noise};
        status =
            ocelotl_writer_event(n.writer, n.other, n.event, OCELOTL_NONE, time, &attribute, 1);
    }
    CHECK(status == OCELOTL_ERROR_IO);
    CHECK_FAILS(push(&n, 0), OCELOTL_ERROR_IO, "writing has failed before");
    CHECK_FAILS(ocelotl_writer_refine(n.writer, 2), OCELOTL_ERROR_IO, "writing has failed before");
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK_FAILS(ocelotl_writer_finish(n.writer), OCELOTL_ERROR_IO, "writing has failed before");
    ocelotl_writer_free(n.writer);
    CHECK(temporary_files(false) == 0);
}

/* The same events by resource and type, and by streams that are looked up once. */
static void write_by_streams(names *n, bool by_streams)
{
    ocelotl_writer *writer = n->writer;
    const ocelotl_attribute_value size = {n->size, "7", 1};
    uint32_t states = 0, out = 0, in = 0;
    uint64_t link = 0;
    if (!by_streams) {
        CHECK_OK(push(n, 1));
        CHECK_OK(ocelotl_writer_link_begin(&link, writer, n->resource, n->link, n->link_value, 2,
                                           &size, 1));
        CHECK_OK(pop(n, 3));
        must_end_link(writer, link, n->other, 4);
        return;
    }
    CHECK_OK(ocelotl_writer_stream(&states, writer, n->resource, n->state, OCELOTL_ROLE_STATES));
    CHECK_OK(ocelotl_writer_stream_push(writer, states, n->value, 1, NULL, 0));
    CHECK(ocelotl_writer_stream_open_states(writer, states) == 1);
    CHECK_OK(ocelotl_writer_stream(&out, writer, n->resource, n->link, OCELOTL_ROLE_LINKS_OUT));
    CHECK_OK(ocelotl_writer_stream_link_begin(&link, writer, out, n->link_value, 2, &size, 1));
    CHECK_OK(ocelotl_writer_stream_pop(writer, states, 3, NULL, 0));
    CHECK_OK(ocelotl_writer_stream(&in, writer, n->other, n->link, OCELOTL_ROLE_LINKS_IN));
    ocelotl_writer_expect(writer, states, OCELOTL_NONE);
    CHECK_OK(ocelotl_writer_stream_link_end(writer, link, in, 4, NULL, 0));
}

static void check_streams(void)
{
    char uid[2][64];
    for (int by_streams = 0; by_streams < 2; by_streams++) {
        names n = begin();
        write_by_streams(&n, by_streams == 1);
        ocelotl_trace *trace = finish(&n);
        snprintf(uid[by_streams], sizeof uid[0], "%s", ocelotl_trace_info_of(trace).uid);
        end(trace);
    }
    CHECK_TEXT(uid[1], uid[0]);
}

static void check_refused_of_streams(void)
{
    names n = begin();
    uint32_t states = 0, events = 0;
    const ocelotl_attribute_value unknown = {9, "7", 1};
    CHECK_REFUSED(
        ocelotl_writer_stream(&states, n.writer, n.resource, n.state, OCELOTL_ROLE_EVENTS),
        "is a type of states");
    CHECK(ocelotl_writer_known_stream(n.writer, n.resource, n.state, OCELOTL_ROLE_STATES) ==
          OCELOTL_NONE);
    CHECK_OK(ocelotl_writer_stream(&states, n.writer, n.resource, n.state, OCELOTL_ROLE_STATES));
    CHECK_OK(ocelotl_writer_stream(&events, n.writer, n.resource, n.event, OCELOTL_ROLE_EVENTS));
    CHECK(ocelotl_writer_stream_count(n.writer) == 2);
    CHECK_REFUSED(ocelotl_writer_stream_push(n.writer, 2, n.value, 0, NULL, 0),
                  "has not been made");
    CHECK_REFUSED(ocelotl_writer_stream_push(n.writer, events, n.value, 0, NULL, 0),
                  "another role");
    CHECK_REFUSED(ocelotl_writer_stream_push(n.writer, states, n.link_value, 0, NULL, 0),
                  "is not one of");
    CHECK_REFUSED(ocelotl_writer_stream_push(n.writer, states, OCELOTL_NONE, 0, NULL, 0),
                  "without a value");
    CHECK_REFUSED(ocelotl_writer_stream_event(n.writer, events, OCELOTL_NONE, 0, &unknown, 1),
                  "has not been declared");
    CHECK_REFUSED(ocelotl_writer_stream_pop(n.writer, states, 0, NULL, 0), "no open state");
    CHECK_REFUSED(ocelotl_writer_file(n.writer, "a", "two\twords"), "a stamp");
    CHECK_OK(ocelotl_writer_file(n.writer, "a", "1"));
    CHECK_OK(ocelotl_writer_file(n.writer, "b c", ""));
    ocelotl_trace *trace = finish(&n);
    CHECK(ocelotl_trace_file_count(trace) == 2);
    CHECK_TEXT(ocelotl_trace_file_at(trace, 0).stamp, "1");
    CHECK_TEXT(ocelotl_trace_file_at(trace, 1).path, "b c");
    CHECK_TEXT(ocelotl_trace_file_at(trace, 2).path, "");
    end(trace);
}

int main(void)
{
    temporary_begin();
    check_streams();
    check_refused_of_streams();
    check_targets();
    check_odd_names();
    check_declarations();
    check_order();
    check_ends();
    check_links();
    check_range();
    check_range_of_chunks();
    check_many_values();
    check_refinement();
    check_finished();
    check_names();
    check_texts();
    check_growth();
    check_full_disk();
    return 0;
}
