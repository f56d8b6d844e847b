/* Numbers edited on purpose, with valid checksums. What is out of range is refused when the trace
 * is opened, or when its chunk is read, and the message names it. */
#include "temporary.h"

#include "test_checksums.h"

#include <sys/resource.h>
#include <zstd.h>

static void write_sample(const char *path)
{
    uint32_t resources[2], state;
    uint64_t link;
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "thread");
    for (uint32_t r = 0; r < 2; r++)
        resources[r] = must_resource(writer, type, OCELOTL_ROOT, "resource", 0);
    CHECK_OK(ocelotl_writer_event_type(&state, writer, OCELOTL_STATE, type, "state", 255));
    const uint32_t variable = must_type(writer, OCELOTL_VARIABLE, type, "variable");
    const uint32_t event = must_type(writer, OCELOTL_EVENT, type, "event");
    const uint32_t link_type = must_type(writer, OCELOTL_LINK, type, "link");
    const uint32_t size = must_attribute(writer, link_type, "size");
    CHECK_OK(ocelotl_writer_unit(writer, variable, "W"));
    const uint32_t value = must_value(writer, state, "value");
    const uint32_t mark = must_value(writer, event, "mark");
    const uint32_t data = must_value(writer, link_type, "data");
    CHECK_OK(ocelotl_writer_warning(writer, "odd", 3, "somewhere"));
    CHECK_OK(ocelotl_writer_source_kind(writer, "RECORD", OCELOTL_FATE_STATE, 3, NULL));
    for (int64_t time = 10; time < 14; time++) {
        const ocelotl_attribute_value attribute = {size, "12", 2};
        must_push(writer, resources[0], state, value, time);
        must_event(writer, resources[0], event, mark, time);
        must_step(writer, resources[0], variable, time, 1.5);
        CHECK_OK(ocelotl_writer_link_begin(&link, writer, resources[0], link_type, data, time,
                                           &attribute, 1));
        must_end_link(writer, link, resources[1], time + 1);
        must_pop(writer, resources[0], state, 0, time + 1);
    }
    must_end(writer, resources[1], 100);
    must_finish(writer);
}

/* Writes an edited sample; with so few records, a column begins with the bytes as they are
 * written. */
static void write_edited(const char *path, const char *sql)
{
    write_sample(path);
    CHECK(database_change(path, "%s", sql) > 0);
    checksums_renew_file(path);
}

/* --- Tables */

static void check_tables(void)
{
    static const char *const edits[][2] = {
        {"UPDATE meta SET value = 0 WHERE key = 'tick_numerator'",
         "\"value\" of meta row 18 is 0, expected 1 to 1000000000000000000"},
        {"UPDATE meta SET value = -1 WHERE key = 'tick_denominator'",
         "is -1, expected 1 to 1000000000000000000"},
        {"UPDATE meta SET value = '5' WHERE key = 'end'", "is no integer, expected one"},
        {"UPDATE meta SET value = 1.5 WHERE key = 'begin'", "is no integer, expected one"},
        {"UPDATE meta SET value = 101 WHERE key = 'begin'", "the trace ends before it begins"},
        {"UPDATE meta SET value = -9223372036854775807 WHERE key = 'begin'",
         "the trace ends before it begins"},
        {"UPDATE meta SET value = x'00' WHERE key = 'uid'", "is no text, expected one"},
        {"DELETE FROM meta WHERE key = 'uid'",
         "it has no name, source, format, importer, origin, uid or producer"},
        {"DELETE FROM meta WHERE key = 'tick_numerator'", "the tick is not a number of seconds"},
        {"UPDATE meta SET value = 1 WHERE key = 'unit.1'", "\"value\" of unit 0 is no text"},
        {"UPDATE meta SET key = 'unit.9' WHERE key = 'unit.1'", "a unit of nothing"},
        {"UPDATE resource_type SET parent = 0",
         "\"parent\" of resource type 0 is a reference to nothing"},
        {"UPDATE resource_type SET name = x'80'", "\"name\" of resource type 0 is no text"},
        {"UPDATE resource_type SET id = 1", "a row is missing"},
        {"UPDATE resource SET parent = 1 WHERE id = 1",
         "\"parent\" of resource 1 is 1, expected 0 to 0"},
        {"UPDATE resource SET parent = -1 WHERE id = 1",
         "\"parent\" of resource 1 is -1, expected 0 to 0"},
        {"UPDATE resource SET type = 1 WHERE id = 0",
         "\"type\" of resource 0 is 1, expected 0 to 0"},
        {"UPDATE resource SET type = 4294967296 WHERE id = 0",
         "\"type\" of resource 0 is 4294967296"},
        {"UPDATE resource SET begin = -1 WHERE id = 0",
         "\"begin\" of resource 0 is -1, expected 0 to 100"},
        {"UPDATE resource SET begin = -9223372036854775807 - 1", "\"begin\" of resource 0 is -92"},
        {"UPDATE resource SET end = 9223372036854775807",
         "\"end\" of resource 0 is 9223372036854775807"},
        {"UPDATE resource SET begin = 50, end = 49 WHERE id = 1",
         "\"end\" of resource 1 is 49, expected 50 to 100"},
        {"UPDATE event_type SET category = 4 WHERE id = 0",
         "\"category\" of event type 0 is 4, expected 0 to 3"},
        {"UPDATE event_type SET category = 2 WHERE id = 0",
         "\"role\" of stream 0 is not one of its event type"},
        {"UPDATE event_type SET count = -1 WHERE id = 2",
         "\"count\" of event type 2 is -1, expected 0 to 92"},
        {"UPDATE event_type SET count = 1e300 WHERE id = 2",
         "\"count\" of event type 2 is no integer"},
        {"UPDATE event_type SET count = 3 WHERE id = 0",
         "value 0 has 4 events, expected no more than its type"},
        {"UPDATE event_type SET count = 9223372036854775807 WHERE id < 2", "more than 2^63 events"},
        {"UPDATE event_type SET unmatched = -1", "\"unmatched\" of event type 0 is -1"},
        {"UPDATE event_type SET unmatched = 5 WHERE id = 3",
         "\"unmatched\" of event type 3 is larger than the"},
        {"UPDATE event_type SET unmatched = 1 WHERE id = 0",
         "\"unmatched\" of event type 0 is larger than the"},
        {"UPDATE event_type SET colour = -2", "\"colour\" of event type 0 is -2"},
        {"UPDATE event_type SET resource_type = 7", "\"resource_type\" of event type 0 is 7"},
        {"UPDATE value SET event_type = 4 WHERE id = 1",
         "\"event_type\" of value 1 is 4, expected 0 to 3"},
        {"UPDATE value SET count = -4", "\"count\" of value 0 is -4"},
        {"UPDATE value SET count = 9223372036854775807 WHERE id = 1",
         "value 1 has 9223372036854775807 events"},
        {"UPDATE value SET innermost = -1 WHERE id = 0", "\"innermost\" of value 0 is -1"},
        {"UPDATE value SET inclusive = 0 WHERE id = 0",
         "\"inclusive\" of value 0 is 0, expected 4 to 92"},
        {"UPDATE value SET name = 12.5, colour = 'red'", "\"colour\" of value 0 is no integer"},
        {"UPDATE stream SET resource = 2 WHERE id = 0",
         "\"resource\" of stream 0 is 2, expected 0 to 1"},
        {"UPDATE stream SET event_type = -1 WHERE id = 0", "\"event_type\" of stream 0 is -1"},
        {"UPDATE stream SET role = 5 WHERE id = 0", "\"role\" of stream 0 is 5, expected 0 to 4"},
        {"UPDATE stream SET role = 3 WHERE id = 0",
         "\"role\" of stream 0 is not one of its event type"},
        {"UPDATE stream SET count = -1 WHERE id = 0", "\"count\" of stream 0 is -1"},
        {"UPDATE stream SET begin = -9223372036854775807 - 1 WHERE id = 0",
         "\"begin\" of stream 0 is -92"},
        {"UPDATE stream SET end = 9223372036854775807 WHERE id = 0", "\"end\" of stream 0 is 92"},
        {"UPDATE stream SET begin = 60, end = 50 WHERE id = 0",
         "\"end\" of stream 0 is 50, expected 60 to 100"},
        {"UPDATE stream SET count = 9223372036854775807", "more than 2^63 events"},
        {"UPDATE stream SET event_type = 3, role = 3 WHERE id = 0", "is there twice"},
        {"UPDATE import_warning SET count = -3", "\"count\" of warning 0 is -3"},
        {"UPDATE import_warning SET detail = x'61'", "\"detail\" of warning 0 is no text"},
        {"UPDATE source_kind SET fate = 7",
         "\"fate\" of kind of the source 0 is 7, expected 0 to 6"},
        {"UPDATE source_kind SET count = -1", "\"count\" of kind of the source 0 is -1"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        const char *path = temporary_path("trace.db");
        ocelotl_trace *trace;
        write_edited(path, edits[i][0]);
        CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, edits[i][1]);
        CHECK(strstr(ocelotl_error_message(), "is damaged: ") != NULL);
        CHECK(temporary_files(true) == 1);
    }
}

/* All names lie in the file, so they are no longer than it, together: pages that several rows refer
 * to would be. */
static void check_long_names(void)
{
    const char *path = temporary_path("trace.db");
    write_edited(path, "UPDATE value SET name = printf('%.*c', 3000000, 'x')");
    ocelotl_trace *trace = must_open(path);
    CHECK(strlen(ocelotl_trace_value_at(trace, 2).name) == 3000000);
    ocelotl_trace_free(trace);
    temporary_files(true);
}

/* --- Chunks */

static ocelotl_status read_events(ocelotl_trace *trace)
{
    ocelotl_events *events = NULL;
    ocelotl_event event;
    bool found = true;
    ocelotl_status status = ocelotl_events_open(&events, trace, NULL);
    while (status == OCELOTL_OK && found)
        status = ocelotl_events_next(&found, &event, events);
    ocelotl_events_free(events);
    return status;
}

/* Where links arrive is read for models alone. */
static ocelotl_status read_arrivals(ocelotl_trace *trace)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model = NULL;
    options.cells.metric = "link-bytes-received";
    options.slices = 4;
    const ocelotl_status status = ocelotl_model_from_trace(&model, trace, &options);
    ocelotl_model_free(model);
    return status;
}

/* Blobs are written out here as docs/developer/store.md says. */
static void check_chunks(void)
{
    static const struct {
        const char *edit;
        uint32_t role;
        const char *message;
    } edits[] = {
        {"events = x'000214B601020200'", 0, "a time out of range"},
        {"events = x'0001140100'", 0, "a value that its stream does not have"},
        {"events = x'0001140900'", 0, "a value that its stream does not have"},
        {"events = x'000514000000000202020202' || x'00'", 0, "as many records as it cannot have"},
        {"events = x'00'", 0, "damaged chunk of events"},
        {"unit = 0", 0, "damaged chunk of events"},
        {"unit = -1", 0, "damaged chunk of events"},
        {"unit = 4611686018427387904", 0, "damaged chunk of events"},
        {"events = x'0001142000'", 1, "a value that its stream does not have"},
        {"events = x'000114000000000000F87F00'", 2, "a value that is no number"},
        {"events = x'0002140205000290' || x'0300'", 3, "a link that ends outside the trace"},
        {"events = x'00021402050003' || x'0000'", 3, "a link to an unknown resource"},
        {"events = x'000116' || x'03011800'", 4, "a link that lasts too long"},
        {"events = x'000116' || x'03030200'", 4, "a link to an unknown resource"},
        {"totals = x'140101090000000000'", 1, "more events than its stream has"},
        {"totals = x'140102010000000000'", 1, "a total of a value that its stream does not have"},
        {"totals = x'140101010100000000'", 1, "a total out of range"},
        {"totals = x'140101010001000000'", 1, "a total out of range"},
        {"totals = x'1401010100000100090000'", 1, "what is open is out of order"},
        {"totals = x'90030101010000000000'", 1, "a time out of range"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        const char *path = temporary_path("trace.db");
        char sql[1000];
        snprintf(sql, sizeof sql,
                 "UPDATE chunk SET %s WHERE stream = (SELECT id FROM stream WHERE role = %u)",
                 edits[i].edit, edits[i].role);
        write_edited(path, sql);
        ocelotl_trace *trace = must_open(path);
        CHECK_FAILS(edits[i].role == 4 ? read_arrivals(trace) : read_events(trace),
                    OCELOTL_ERROR_INPUT, edits[i].message);
        ocelotl_trace_free(trace);
        temporary_files(true);
    }
}

/* --- Chunks that are large */

/* A frame of some kilobytes that holds more records than there can be. */
static void check_bomb(void)
{
    const size_t size = (size_t)200 << 20;
    const char *path = temporary_path("trace.db");
    unsigned char *columns = calloc(1, size);
    unsigned char *blob = malloc(ZSTD_compressBound(size) + 1);
    sqlite3 *database;
    sqlite3_stmt *put;
    CHECK(columns != NULL && blob != NULL);
    memcpy(columns, (const unsigned char[]){0x80, 0x80, 0x80, 0x30}, 4); /* 96 million */
    columns[4] = 0x14;
    blob[0] = 1;
    const size_t length = ZSTD_compress(blob + 1, ZSTD_compressBound(size), columns, size, 1);
    CHECK(!ZSTD_isError(length) && length < 100000);
    write_edited(path, "UPDATE stream SET count = 1000000000000 WHERE role = 0");
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_prepare_v2(
              database,
              "UPDATE chunk SET events = ? WHERE stream = (SELECT id FROM stream WHERE role = 0)",
              -1, &put, NULL) == SQLITE_OK);
    sqlite3_bind_blob64(put, 1, blob, length + 1, SQLITE_STATIC);
    CHECK(sqlite3_step(put) == SQLITE_DONE);
    sqlite3_finalize(put);
    checksums_renew(database);
    sqlite3_close(database);
    ocelotl_trace *trace = must_open(path);
    CHECK_FAILS(read_events(trace), OCELOTL_ERROR_INPUT, "damaged chunk of events");
    ocelotl_trace_free(trace);
    free(columns);
    free(blob);
    temporary_files(true);
}

/* The writer keeps to it where all that begins stays open, so that no chunk would be full. */
static void check_writer(void)
{
    const char *path = temporary_path("trace.db");
    const int64_t states = ((int64_t)1 << 22) + 1000;
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "thread");
    const uint32_t resource = must_resource(writer, type, OCELOTL_ROOT, "resource", 0);
    const uint32_t state = must_type(writer, OCELOTL_STATE, type, "state");
    const uint32_t value = must_value(writer, state, "value");
    for (int64_t time = 0; time < states; time++)
        must_push(writer, resource, state, value, time);
    must_finish(writer);
    CHECK(database_number(path, "SELECT max(count) FROM chunk") == (int64_t)1 << 22);
    CHECK(database_number(path, "SELECT sum(count) FROM chunk") == 2 * states);
    temporary_files(true);
}

/* The sanitizers need their own. */
static void bound_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit limit = {(rlim_t)3 << 30, (rlim_t)3 << 30};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
#endif
}

int main(void)
{
    temporary_begin();
    bound_memory();
    check_tables();
    check_long_names();
    check_chunks();
    check_bomb();
    check_writer();
    return 0;
}
