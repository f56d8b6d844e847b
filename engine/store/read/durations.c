#include "store/read/durations.h"

#include "base/memory.h"
#include "store/codec/columns.h"

#include <stdlib.h>

void oc_durations_reader_free(oc_durations_reader *reader)
{
    sqlite3_finalize(reader->list_chunks);
    sqlite3_finalize(reader->read_row);
    sqlite3_finalize(reader->read_chunk);
    oc_blob_opener_free(&reader->columns);
    oc_open_list_free(&reader->open);
    free(reader->places);
    free(reader->values);
    *reader = (oc_durations_reader){.connection = reader->connection};
}

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

static bool is_value(const ocelotl_trace *trace, uint32_t stream, uint64_t value)
{
    return value < trace->value_count &&
           trace->values[value].event_type == trace->streams[stream].event_type;
}

/* --- What a chunk says of itself */

static ocelotl_status take_extremes(const oc_durations_reader *reader, const oc_chunk_row *row,
                                    const oc_durations_use *use)
{
    uint32_t value;
    oc_duration_range range;
    oc_durations_bytes read;
    oc_durations_begin(&read, row->durations, row->durations_length, (uint64_t)row->unit);
    while (oc_durations_next(&value, &range, &read)) {
        if (!is_value(reader->connection.trace, row->stream, value) || range.low < 0)
            return damaged("durations that cannot be");
        OC_TRY(use->take(use->context, value, row->end, &range));
    }
    return oc_durations_end(&read) ? OCELOTL_OK : damaged("durations that cannot be");
}

/* --- Its states one by one */

static oc_open *open_at(const oc_durations_reader *reader, size_t index)
{
    return oc_open_list_at(&reader->open, sizeof(oc_open), index);
}

static ocelotl_status begin(oc_durations_reader *reader, int64_t time, uint32_t value)
{
    oc_open *begun;
    OC_TRY(oc_open_list_begin(&begun, &reader->open, sizeof *begun));
    *begun = (oc_open){time, value};
    return OCELOTL_OK;
}

/* What is open where the chunk begins. */
static ocelotl_status read_open(oc_durations_reader *reader, const oc_chunk_bytes *bytes,
                                uint32_t stream)
{
    oc_fold_bytes read;
    const size_t count = oc_fold_bytes_begin(&read, bytes->totals, bytes->totals_length,
                                             OC_ROLE_STATES, bytes->unit);
    OC_TRY(oc_grow(&reader->values, &reader->value_capacity, count, sizeof *reader->values));
    for (size_t i = 0; i < count && !read.bytes.failed; i++) {
        oc_total total;
        oc_fold_bytes_total(&total, &read);
        reader->values[i] = total.value;
    }
    oc_open_list_shorten(&reader->open, sizeof(oc_open), 0);
    const size_t open = oc_fold_bytes_open_count(&read);
    for (size_t i = 0; i < open && !read.bytes.failed; i++) {
        oc_open one;
        oc_fold_bytes_open(&one, &read);
        if (read.failed || one.total >= count || one.begin > read.time ||
            !is_value(reader->connection.trace, stream, reader->values[one.total]))
            return damaged("something open that cannot be");
        OC_TRY(begin(reader, one.begin, reader->values[one.total]));
    }
    return read.failed || read.bytes.failed ? damaged("running totals") : OCELOTL_OK;
}

static ocelotl_status end(oc_durations_reader *reader, uint64_t depth, int64_t time,
                          const oc_durations_use *use)
{
    size_t index = 0;
    int64_t lasted;
    OC_TRY(oc_open_list_find(&index, &reader->open, depth));
    const oc_open ended = *open_at(reader, index);
    OC_TRY(oc_open_list_remove(&reader->open, sizeof ended, index));
    if (__builtin_sub_overflow(time, ended.begin, &lasted) || lasted < 0)
        return damaged("time goes back");
    return use->take(use->context, ended.total, time, &(oc_duration_range){lasted, lasted});
}

static ocelotl_status read_states(oc_durations_reader *reader, uint32_t stream,
                                  const oc_chunk_bytes *bytes, const oc_durations_use *use)
{
    oc_states_at at;
    const ocelotl_trace *trace = reader->connection.trace;
    if (bytes->unit == 0 || bytes->unit > INT64_MAX)
        return damaged("a tick of no length");
    OC_TRY(read_open(reader, bytes, stream));
    OC_TRY(oc_blob_open(&reader->columns, bytes->events, bytes->events_length,
                        oc_trace_dictionary(trace, OC_ROLE_STATES)));
    OC_TRY(oc_states_begin(&at, &reader->columns, bytes->unit));
    while (at.next < at.count) {
        uint64_t number;
        const oc_states_change change = oc_states_next(&number, &at);
        const bool begins = change == OC_STATES_BEGIN || change == OC_STATES_REPLACE;
        if (change == OC_STATES_DAMAGED || (begins && !is_value(trace, stream, number)))
            return damaged("a state of no value");
        if (change != OC_STATES_BEGIN)
            OC_TRY(end(reader, begins ? 0 : number, at.time, use));
        if (begins)
            OC_TRY(begin(reader, at.time, (uint32_t)number));
        if (!oc_states_go_on(&at))
            return damaged("time out of range");
    }
    return OCELOTL_OK;
}

static ocelotl_status read_chunk(oc_durations_reader *reader, uint32_t stream, size_t number,
                                 const oc_durations_use *use)
{
    oc_chunk_bytes bytes;
    ocelotl_status status =
        oc_chunk_read_bytes(&bytes, reader->read_chunk, reader->connection.trace, stream,
                            (int64_t)number, &reader->places[number]);
    if (status == OCELOTL_OK)
        status =
            oc_fail_in_trace(reader->connection.trace, read_states(reader, stream, &bytes, use));
    sqlite3_reset(reader->read_chunk);
    return status;
}

/* --- The stream */

/* *enough says whether the chunk need not be read. */
static ocelotl_status try_extremes(bool *enough, oc_durations_reader *reader, uint32_t stream,
                                   size_t number, const oc_durations_use *use)
{
    oc_chunk_row row;
    ocelotl_status status = oc_chunk_read_row(&row, reader->read_row, reader->connection.trace,
                                              stream, (int64_t)number, &reader->places[number]);
    *enough = status == OCELOTL_OK && use->is_enough(use->context, row.begin, row.end);
    if (*enough)
        status = oc_fail_in_trace(reader->connection.trace, take_extremes(reader, &row, use));
    sqlite3_reset(reader->read_row);
    return status;
}

static ocelotl_status prepare(oc_durations_reader *reader)
{
    const char *path = reader->connection.trace->path;
    sqlite3 *database = reader->connection.database;
    if (reader->read_chunk != NULL)
        return OCELOTL_OK;
    OC_TRY(oc_database_prepare(&reader->list_chunks, database, path, OC_CHUNK_PLACES));
    OC_TRY(oc_database_prepare(&reader->read_row, database, path, OC_CHUNK_ROW));
    return oc_database_prepare(&reader->read_chunk, database, path, OC_CHUNK_BYTES);
}

ocelotl_status oc_durations_read(oc_durations_reader *reader, uint32_t stream, int64_t from,
                                 int64_t last, const oc_durations_use *use)
{
    const ocelotl_trace *trace = reader->connection.trace;
    const size_t count = trace->streams[stream].chunk_count;
    OC_TRY(prepare(reader));
    OC_TRY(oc_chunk_list_places(&reader->places, &reader->place_capacity, reader->list_chunks,
                                trace, stream));
    for (size_t i = 0; i < count && reader->places[i].begin <= last; i++) {
        bool enough = false;
        /* A chunk ends where the next one begins, or before. */
        if (i + 1 < count && reader->places[i + 1].begin < from)
            continue;
        OC_TRY(try_extremes(&enough, reader, stream, i, use));
        if (!enough)
            OC_TRY(read_chunk(reader, stream, i, use));
    }
    return OCELOTL_OK;
}
