#include "store/read/reader.h"

#include "base/memory.h"
#include "store/read/chunk.h"

#include <math.h>
#include <stdlib.h>

void oc_reader_free(oc_reader *reader)
{
    sqlite3_finalize(reader->list_chunks);
    sqlite3_finalize(reader->read_chunk);
    sqlite3_finalize(reader->read_row);
    oc_fold_free(&reader->fold);
    oc_records_free(&reader->records);
    free(reader->chunks);
    *reader =
        (oc_reader){.connection = reader->connection, .watch = reader->watch, .asks = reader->asks};
}

ocelotl_status oc_reader_select(oc_reader *reader, uint32_t stream)
{
    const ocelotl_trace *trace = reader->connection.trace;
    OC_TRY(
        oc_connection_prepare(&reader->list_chunks, &reader->connection, stream, OC_CHUNK_PLACES));
    OC_TRY(oc_connection_prepare(&reader->read_row, &reader->connection, stream, OC_CHUNK_ROW));
    OC_TRY(oc_connection_prepare(&reader->read_chunk, &reader->connection, stream, OC_CHUNK_BYTES));
    reader->stream = stream;
    reader->chunk_count = 0;
    reader->at = SIZE_MAX;
    oc_fold_clear(&reader->fold);
    reader->fold.role = trace->streams[stream].role;
    oc_records_clear(&reader->records);
    OC_TRY(oc_chunk_list_places(&reader->chunks, &reader->chunk_capacity, reader->list_chunks,
                                trace, stream));
    reader->chunk_count = trace->streams[stream].chunk_count;
    return OCELOTL_OK;
}

size_t oc_reader_chunks_before(const oc_reader *reader, int64_t time)
{
    size_t low = 0;
    size_t high = reader->chunk_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (reader->chunks[middle].begin < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ocelotl_status oc_reader_ask(const oc_reader *reader)
{
    oc_watch *watch = reader->watch;
    if (watch == NULL)
        return OCELOTL_OK;
    const ocelotl_work *work = &watch->work;
    if (reader->asks && work->progress != NULL &&
        !work->progress(work->context, watch->done, watch->total))
        atomic_store(&watch->stopped, true);
    return atomic_load(&watch->stopped)
               ? oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled",
                         reader->connection.trace->label)
               : OCELOTL_OK;
}

ocelotl_status oc_reader_read(oc_reader *reader, size_t chunk, bool records)
{
    OC_TRY(oc_reader_ask(reader));
    reader->at = SIZE_MAX;
    OC_TRY(oc_chunk_load(&reader->fold, records ? &reader->records : NULL, reader->read_chunk,
                         reader->connection.trace, reader->stream, (int64_t)chunk,
                         &reader->chunks[chunk]));
    reader->at = chunk;
    return OCELOTL_OK;
}

/* Durations of all values together. */
static ocelotl_status join_durations(double *low, double *high, const oc_reader *reader,
                                     const oc_chunk_row *row)
{
    uint32_t value;
    oc_duration_range range;
    oc_durations_bytes read;
    oc_durations_begin(&read, row->durations, row->durations_length, (uint64_t)row->unit);
    while (oc_durations_next(&value, &range, &read)) {
        *low = fmin(*low, (double)range.low);
        *high = fmax(*high, (double)range.high);
    }
    return oc_durations_end(&read) ? OCELOTL_OK
                                   : oc_fail_chunk(reader->connection.trace, reader->stream,
                                                   row->number, "says what it cannot hold");
}

ocelotl_status oc_reader_extremes(double *low, double *high, oc_reader *reader, size_t chunk)
{
    oc_chunk_row row;
    *low = INFINITY;
    *high = -INFINITY;
    ocelotl_status status =
        oc_chunk_read_row(&row, reader->read_row, reader->connection.trace, reader->stream,
                          (int64_t)chunk, &reader->chunks[chunk]);
    if (status == OCELOTL_OK && reader->fold.role != OC_ROLE_VARIABLE) {
        status = join_durations(low, high, reader, &row);
    } else if (status == OCELOTL_OK && row.has_extremes) {
        *low = row.low;
        *high = row.high;
    }
    sqlite3_reset(reader->read_row);
    return status;
}

/* --- Cursor */

struct oc_cursor {
    oc_connection connection;
    uint32_t stream;
    oc_chunk_finder finder;
    sqlite3_stmt *read_chunk;
    int64_t chunk;      /* the one that is loaded, -1: none */
    oc_records records; /* of that chunk */
    size_t next;        /* the first that has not been folded */
    int64_t end;        /* of the resource: variables count no further */
    int64_t time;       /* where the cursor is */
    bool through;       /* the fold includes the records at this time */
    oc_fold fold;
};

static ocelotl_status open_cursor(oc_cursor *cursor, uint64_t instants)
{
    cursor->finder.connection = cursor->connection;
    OC_TRY(oc_chunk_finder_begin(&cursor->finder, cursor->stream, instants));
    return oc_connection_prepare(&cursor->read_chunk, &cursor->connection, cursor->stream,
                                 OC_CHUNK_BYTES);
}

ocelotl_status oc_cursor_open(oc_cursor **cursor, const oc_connection *connection, uint32_t stream,
                              uint64_t instants)
{
    const ocelotl_trace *trace = connection->trace;
    oc_cursor *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->connection = *connection;
    made->stream = stream;
    made->chunk = -1;
    made->fold.role = trace->streams[stream].role;
    made->end = trace->resources[trace->streams[stream].resource].end;
    const ocelotl_status status = open_cursor(made, instants);
    if (status == OCELOTL_OK)
        *cursor = made;
    else
        oc_cursor_free(made);
    return status;
}

void oc_cursor_free(oc_cursor *cursor)
{
    if (cursor == NULL)
        return;
    oc_chunk_finder_close(&cursor->finder);
    sqlite3_finalize(cursor->read_chunk);
    oc_records_free(&cursor->records);
    oc_fold_free(&cursor->fold);
    free(cursor);
}

const oc_fold *oc_cursor_fold(const oc_cursor *cursor)
{
    return &cursor->fold;
}

/* A variable keeps its value to the end of its resource; all else has ended by then. */
static ocelotl_status apply(oc_cursor *cursor)
{
    const oc_records *records = &cursor->records;
    for (; cursor->next < records->count &&
           oc_is_before(records->records[cursor->next].time, cursor->time, cursor->through);
         cursor->next++)
        OC_TRY(oc_fold_apply(&cursor->fold, records, &records->records[cursor->next]));
    const bool beyond = cursor->time > cursor->end && cursor->fold.role == OC_ROLE_VARIABLE;
    if (beyond && cursor->fold.time > cursor->end)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "damaged chunk of events: after the end of its resource");
    return oc_fold_advance(&cursor->fold, beyond ? cursor->end : cursor->time);
}

ocelotl_status oc_cursor_seek(oc_cursor *cursor, int64_t time, bool through)
{
    int64_t chunk;
    oc_chunk_place place;
    OC_TRY(oc_chunk_finder_find(&chunk, &place, &cursor->finder, time, through));
    const bool passed =
        cursor->time > time || (cursor->time == time && cursor->through && !through);
    cursor->time = time;
    cursor->through = through;
    if (chunk < 0) {
        oc_fold_clear(&cursor->fold);
        cursor->chunk = -1;
        cursor->fold.time = time;
        return OCELOTL_OK;
    }
    if (cursor->chunk != chunk || passed) {
        cursor->chunk = -1;
        OC_TRY(oc_chunk_load(&cursor->fold, &cursor->records, cursor->read_chunk,
                             cursor->connection.trace, cursor->stream, chunk, &place));
        cursor->next = 0;
        cursor->chunk = chunk;
    }
    return oc_fail_in_stream(cursor->connection.trace, cursor->stream, apply(cursor));
}
