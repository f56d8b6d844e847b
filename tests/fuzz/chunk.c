/* A chunk of any bytes in a trace.db: whoever reads it (totals at instants, events one by one)
 * gives a result or an error, never a crash; what can be unpacked can be packed again and is the
 * same then.
 *
 * The input: a byte for the role, one for the unit, two for the length of the running totals (the
 * smaller first), the running totals, the events. */
#include "fuzz.h"

#include "store/file/tables.h"
#include "store/read/chunk.h"
#include "store/read/reader.h"
#include "store/read/totals.h"
#include "tests/packed.h"

#include <ocelotl/ocelotl.h>

enum { ROLES = 5, HEAD = 4, INSTANTS = 6 };

/* Of the trace as it was written. */
static const int64_t first_tick = 0;
static const int64_t last_tick = 1000000;

/* A trace with a stream of every role, whose chunks are those of a database in memory. */
static ocelotl_trace *trace;
static sqlite3 *chunks;
static sqlite3_stmt *put;
static uint32_t streams[ROLES];

static void write_trace(const char *path)
{
    static const ocelotl_category categories[] = {OCELOTL_EVENT, OCELOTL_STATE, OCELOTL_VARIABLE,
                                                  OCELOTL_LINK};
    uint32_t resources[2], events[4], values[4];
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "thread");
    for (uint32_t r = 0; r < 2; r++)
        resources[r] = must_resource(writer, type, OCELOTL_ROOT, "resource", 0);
    for (uint32_t c = 0; c < 4; c++) {
        events[c] = must_type(writer, categories[c], type, "type");
        must_attribute(writer, events[c], "key");
        must_attribute(writer, events[c], "size");
        for (uint32_t v = 0; v < 3 && categories[c] != OCELOTL_VARIABLE; v++)
            values[c] = must_value(writer, events[c], "value");
    }
    must_event(writer, resources[0], events[0], OCELOTL_NONE, 0);
    must_push(writer, resources[0], events[1], values[1], 0);
    must_step(writer, resources[0], events[2], 0, 1);
    must_end_link(writer, must_begin_link(writer, resources[0], events[3], OCELOTL_NONE, 0),
                  resources[1], 1000000);
    must_finish(writer);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    write_trace(temporary_path("trace.db"));
    CHECK_OK(ocelotl_trace_open(&trace, temporary_path("trace.db")));
    for (uint32_t s = 0; s < trace->stream_count; s++)
        streams[trace->streams[s].role] = s;
    CHECK(sqlite3_open(":memory:", &chunks) == SQLITE_OK);
    CHECK(sqlite3_exec(chunks, OC_STORE_SCHEMA OC_STORE_INDEX, NULL, NULL, NULL) == SQLITE_OK);
    CHECK(sqlite3_prepare_v2(
              chunks,
              "INSERT OR REPLACE INTO chunk(rowid, stream, number, begin, end, count, unit,"
              " place_checksum, row_checksum, checksum, durations, totals, events)"
              " VALUES(1, ?, 0, ?, ?, ?, ?, ?, ?, ?, x'', ?, ?)",
              -1, &put, NULL) == SQLITE_OK);
    sqlite3_close(trace->database);
    trace->database = chunks;
    return 0;
}

typedef struct chunk {
    oc_role role;
    int64_t unit;
    const uint8_t *totals, *events;
    size_t totals_length, events_length;
    int64_t begin, end;
    size_t count;
} chunk;

static chunk cut(const uint8_t *bytes, size_t length)
{
    static const int64_t units[] = {1, 3, 1000, INT64_MAX, 0, -1};
    chunk made = {.role = (oc_role)(bytes[0] % ROLES),
                  .unit = units[bytes[1] % (sizeof units / sizeof units[0])]};
    const size_t wanted = bytes[2] + 256u * bytes[3];
    made.totals = bytes + HEAD;
    made.totals_length = wanted < length - HEAD ? wanted : length - HEAD;
    made.events = made.totals + made.totals_length;
    made.events_length = length - HEAD - made.totals_length;
    return made;
}

/* A number that is none is not equal to itself. */
static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static bool same(const oc_records *a, const oc_records *b)
{
    bool good = a->count == b->count && a->attribute_count == b->attribute_count;
    for (size_t i = 0; i < a->count && good; i++) {
        const oc_record *x = &a->records[i];
        const oc_record *y = &b->records[i];
        good = x->time == y->time && x->ends == y->ends && x->depth == y->depth &&
               x->partner == y->partner && x->duration == y->duration &&
               bits_of(x->number) == bits_of(y->number) && x->value == y->value &&
               x->attribute_count == y->attribute_count;
    }
    for (size_t i = 0; i < a->attribute_count && good; i++) {
        const oc_record_attribute *x = &a->attributes[i];
        const oc_record_attribute *y = &b->attributes[i];
        good = x->attribute == y->attribute && x->length == y->length &&
               (x->length == 0 ||
                memcmp(a->text.bytes + x->text, b->text.bytes + y->text, x->length) == 0);
    }
    return good;
}

/* What comes of the packed form of what was unpacked. */
static void pack_again(const oc_records *records, oc_role role)
{
    oc_text blob = {0};
    oc_records again = {0};
    FUZZ_CHECK(pack_records(&blob, records, role) == OCELOTL_OK);
    FUZZ_CHECK(oc_records_unpack(&again, blob.bytes, blob.length, role, 1, NULL) == OCELOTL_OK);
    FUZZ_CHECK(same(records, &again));
    oc_records_free(&again);
    oc_text_free(&blob);
}

/* Readers look for the chunk where its first record is. */
static void unpack(chunk *read)
{
    oc_records records = {0};
    const ocelotl_status status =
        oc_records_unpack(&records, read->events, read->events_length, read->role,
                          (uint64_t)read->unit, oc_trace_dictionary(trace, read->role));
    if (status != OCELOTL_OK)
        fuzz_check_failure(status);
    if (status == OCELOTL_OK && records.count > 0) {
        read->begin = records.records[0].time;
        read->end = records.records[records.count - 1].time;
        read->count = records.count;
        if (read->unit == 1)
            pack_again(&records, read->role);
    }
    oc_records_free(&records);
}

/* The trace says what fits the chunk, as far as a trace can. */
static void fit_trace(const chunk *made)
{
    ocelotl_trace_info *info = &trace->info;
    oc_stream *stream = &trace->streams[streams[made->role]];
    const int64_t begin = made->begin < first_tick ? made->begin : first_tick;
    const int64_t end = made->end > last_tick ? made->end : last_tick;
    int64_t length;
    const bool fits = made->begin <= made->end && !__builtin_sub_overflow(end, begin, &length);
    info->begin = fits ? begin : first_tick;
    info->end = fits ? end : last_tick;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        trace->resources[r].begin = info->begin;
        trace->resources[r].end = info->end;
    }
    stream->begin = fits ? made->begin : first_tick;
    stream->end = info->end;
    stream->count = made->count > 0 ? made->count : 1;
}

/* Stores a chunk with valid checksums, as an attacker can; the other streams are empty. */
static void put_chunk(const chunk *made)
{
    const uint32_t stream = streams[made->role];
    const oc_chunk_row row = {.stream = stream,
                              .begin = made->begin,
                              .end = made->end,
                              .count = (int64_t)made->count,
                              .unit = made->unit};
    const oc_chunk_bytes bytes = {(uint64_t)made->unit, made->totals, made->events,
                                  made->totals_length, made->events_length};
    for (uint32_t s = 0; s < trace->stream_count; s++)
        trace->streams[s].chunk_count = s == stream;
    fit_trace(made);
    sqlite3_bind_int64(put, 1, stream);
    sqlite3_bind_int64(put, 2, made->begin);
    sqlite3_bind_int64(put, 3, made->end);
    sqlite3_bind_int64(put, 4, (int64_t)made->count);
    sqlite3_bind_int64(put, 5, made->unit);
    sqlite3_bind_int64(put, 6, oc_chunk_place_checksum(stream, 0, made->begin));
    sqlite3_bind_int64(put, 7, oc_chunk_row_checksum(&row));
    sqlite3_bind_int64(put, 8, oc_chunk_checksum(stream, 0, made->begin, &bytes));
    sqlite3_bind_blob(put, 9, made->totals, (int)made->totals_length, SQLITE_STATIC);
    sqlite3_bind_blob(put, 10, made->events, (int)made->events_length, SQLITE_STATIC);
    FUZZ_CHECK(sqlite3_step(put) == SQLITE_DONE);
    sqlite3_reset(put);
}

/* Instants from before the chunk to behind it. */
static int64_t instant(const chunk *made, int64_t i)
{
    const uint64_t step = ((uint64_t)made->end - (uint64_t)made->begin) / (INSTANTS - 3);
    if (i == 0)
        return made->begin > INT64_MIN + 10 ? made->begin - 10 : INT64_MIN;
    if (i == INSTANTS - 1)
        return made->end < INT64_MAX - 10 ? made->end + 10 : INT64_MAX;
    return i == INSTANTS - 2 ? made->end
                             : (int64_t)((uint64_t)made->begin + (uint64_t)(i - 1) * step);
}

static void use_cursor(const chunk *made)
{
    oc_cursor *cursor;
    ocelotl_status status =
        oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, streams[made->role], 64);
    if (status != OCELOTL_OK) {
        fuzz_check_failure(status);
        return;
    }
    for (int64_t i = 0; i < INSTANTS && status == OCELOTL_OK; i++)
        status = oc_cursor_seek(cursor, instant(made, i), i % 2 == 0);
    if (status != OCELOTL_OK)
        fuzz_check_failure(status);
    oc_cursor_free(cursor);
}

static void use_totals(const chunk *made, bool inclusive)
{
    static const uint32_t groups[] = {0, OCELOTL_NONE, 1, 0, 1, 1, 0, OCELOTL_NONE, 0};
    oc_totals_reader *reader;
    FUZZ_CHECK(sizeof groups / sizeof groups[0] == trace->value_count);
    FUZZ_CHECK(oc_totals_open(&reader, &(oc_connection){trace, trace->database},
                              &(oc_state_groups){groups, 2, inclusive}) == OCELOTL_OK);
    ocelotl_status status = oc_totals_begin(reader, streams[made->role], INSTANTS);
    for (int64_t i = 0; i < INSTANTS && status == OCELOTL_OK; i++)
        status = oc_totals_move(reader, instant(made, i), i % 2 == 0);
    if (status != OCELOTL_OK)
        fuzz_check_failure(status);
    oc_totals_free(reader);
}

static void read_events(int64_t from, int64_t to)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events;
    ocelotl_event event;
    bool found = true;
    ocelotl_status status;
    if (from > to)
        return;
    options.selection.from = from;
    options.selection.to = to;
    FUZZ_CHECK(ocelotl_events_open(&events, trace, &options) == OCELOTL_OK);
    do
        status = ocelotl_events_next(&found, &event, events);
    while (status == OCELOTL_OK && found);
    if (status != OCELOTL_OK)
        fuzz_check_failure(status);
    ocelotl_events_free(events);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length < HEAD)
        return 0;
    chunk made = cut(bytes, length);
    unpack(&made);
    put_chunk(&made);
    use_cursor(&made);
    if (made.role == OC_ROLE_STATES)
        for (int inclusive = 0; inclusive < 2; inclusive++)
            use_totals(&made, inclusive == 1);
    read_events(INT64_MIN, INT64_MAX);
    read_events(instant(&made, 1), instant(&made, 2));
    return 0;
}
