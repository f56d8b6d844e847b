/* Totals of a stream up to any instant, for the price of one chunk. */
#include "store/read/chunk.h"

#include "base/memory.h"
#include "store/read/chunk_check.h"

#include <stdlib.h>

struct oc_cursor {
    ocelotl_trace *trace;
    uint32_t stream;
    oc_chunk_place *chunks; /* by number, which is by time */
    size_t chunk_count, chunk_capacity;
    sqlite3_stmt *read_chunk;
    size_t chunk;       /* the one that is loaded; chunk_count: none */
    oc_records records; /* of that chunk, */
    size_t next;        /* and the first that has not been folded */
    int64_t end;        /* of the resource: variables count no further */
    int64_t time;       /* where the cursor is, */
    bool through;       /* and whether the records there are in the fold */
    oc_fold fold;
};

static ocelotl_status damaged(const oc_cursor *cursor)
{
    return oc_fail_within(OCELOTL_ERROR_INPUT, "%s", cursor->trace->path);
}

static ocelotl_status open_cursor(oc_cursor *cursor)
{
    sqlite3_stmt *places = NULL;
    sqlite3 *database = cursor->trace->database;
    const char *path = cursor->trace->path;
    ocelotl_status status = oc_database_prepare(&places, database, path, OC_CHUNK_PLACES);
    if (status == OCELOTL_OK)
        status = oc_chunk_list_places(&cursor->chunks, &cursor->chunk_capacity, places,
                                      cursor->trace, cursor->stream);
    sqlite3_finalize(places);
    cursor->chunk_count = cursor->trace->streams[cursor->stream].chunk_count;
    cursor->chunk = cursor->chunk_count;
    OC_TRY(status);
    return oc_database_prepare(&cursor->read_chunk, database, path, OC_CHUNK_BYTES);
}

ocelotl_status oc_cursor_open(oc_cursor **cursor, ocelotl_trace *trace, uint32_t stream)
{
    oc_cursor *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    made->stream = stream;
    made->fold.role = trace->streams[stream].role;
    made->end = trace->resources[trace->streams[stream].resource].end;
    const ocelotl_status status = open_cursor(made);
    if (status != OCELOTL_OK) {
        oc_cursor_free(made);
        return status;
    }
    *cursor = made;
    return OCELOTL_OK;
}

void oc_cursor_free(oc_cursor *cursor)
{
    if (cursor == NULL)
        return;
    sqlite3_finalize(cursor->read_chunk);
    oc_records_free(&cursor->records);
    oc_fold_free(&cursor->fold);
    free(cursor->chunks);
    free(cursor);
}

const oc_fold *oc_cursor_fold(const oc_cursor *cursor)
{
    return &cursor->fold;
}

static ocelotl_status unpack(oc_cursor *cursor, const oc_chunk_bytes *bytes)
{
    OC_TRY(oc_fold_unpack(&cursor->fold, bytes->totals, bytes->totals_length, bytes->unit));
    OC_TRY(oc_chunk_check_fold(cursor->trace, cursor->stream, &cursor->fold));
    OC_TRY(oc_records_unpack(&cursor->records, bytes->events, bytes->events_length,
                             cursor->fold.role, bytes->unit));
    return oc_chunk_check_records(cursor->trace, cursor->stream, &cursor->fold, &cursor->records);
}

static ocelotl_status load(oc_cursor *cursor, size_t chunk)
{
    oc_chunk_bytes bytes;
    cursor->chunk = cursor->chunk_count;
    ocelotl_status status =
        oc_chunk_read_bytes(&bytes, cursor->read_chunk, cursor->trace, cursor->stream,
                            (int64_t)chunk, &cursor->chunks[chunk]);
    if (status == OCELOTL_OK && (status = unpack(cursor, &bytes)) == OCELOTL_ERROR_INPUT)
        damaged(cursor);
    sqlite3_reset(cursor->read_chunk);
    cursor->next = 0;
    if (status == OCELOTL_OK)
        cursor->chunk = chunk;
    return status;
}

static bool is_before(int64_t event, int64_t time, bool through)
{
    return event < time || (through && event == time);
}

/* How many chunks begin before the instant. */
static size_t chunks_before(const oc_cursor *cursor, int64_t time, bool through)
{
    size_t low = 0;
    size_t high = cursor->chunk_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_before(cursor->chunks[middle].begin, time, through))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A variable keeps its value to the end of its resource; all else has ended by then. */
static ocelotl_status let_pass(oc_cursor *cursor)
{
    const bool beyond = cursor->time > cursor->end && cursor->fold.role == OC_ROLE_VARIABLE;
    if (beyond && cursor->fold.time > cursor->end)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "damaged chunk of events: after the end of its resource");
    return oc_fold_advance(&cursor->fold, beyond ? cursor->end : cursor->time);
}

ocelotl_status oc_cursor_seek(oc_cursor *cursor, int64_t time, bool through)
{
    const size_t before = chunks_before(cursor, time, through);
    if (before == 0) {
        oc_fold_clear(&cursor->fold);
        cursor->chunk = cursor->chunk_count;
        cursor->fold.time = time;
        return OCELOTL_OK;
    }
    const bool passed =
        cursor->time > time || (cursor->time == time && cursor->through && !through);
    if (cursor->chunk != before - 1 || passed)
        OC_TRY(load(cursor, before - 1));
    cursor->time = time;
    cursor->through = through;
    ocelotl_status status = OCELOTL_OK;
    while (status == OCELOTL_OK && cursor->next < cursor->records.count &&
           is_before(cursor->records.records[cursor->next].time, time, through)) {
        status =
            oc_fold_apply(&cursor->fold, &cursor->records, &cursor->records.records[cursor->next]);
        cursor->next++;
    }
    if (status == OCELOTL_OK)
        status = let_pass(cursor);
    return status == OCELOTL_ERROR_INPUT ? damaged(cursor) : status;
}
