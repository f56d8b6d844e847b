/* Totals of a stream up to any instant, for the price of one chunk. */
#include "store/trace.h"

#include "base/memory.h"

#include <stdlib.h>

struct chunk_place {
    int64_t begin;
    int64_t row;
};

struct oc_cursor {
    ocelotl_trace *trace;
    uint32_t stream;
    struct chunk_place *chunks; /* by number, which is by time */
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

static ocelotl_status read_places(oc_cursor *cursor, sqlite3_stmt *statement)
{
    sqlite3_bind_int64(statement, 1, cursor->stream);
    for (;;) {
        bool row;
        OC_TRY(oc_database_row(&row, statement, cursor->trace->path));
        if (!row)
            return OCELOTL_OK;
        const size_t count = cursor->chunk_count;
        const struct chunk_place place = {sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1)};
        if (sqlite3_column_int64(statement, 2) != (sqlite3_int64)count) {
            oc_fail(OCELOTL_ERROR_INPUT, "a chunk of events is missing");
            return damaged(cursor);
        }
        if (count > 0 && place.begin < cursor->chunks[count - 1].begin) {
            oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: out of order");
            return damaged(cursor);
        }
        OC_TRY(oc_grow(&cursor->chunks, &cursor->chunk_capacity, count + 1, sizeof *cursor->chunks));
        cursor->chunks[cursor->chunk_count++] = place;
    }
}

static ocelotl_status open_cursor(oc_cursor *cursor)
{
    sqlite3_stmt *statement = NULL;
    sqlite3 *database = cursor->trace->database;
    const char *path = cursor->trace->path;
    ocelotl_status status = oc_database_prepare(
        &statement, database, path, "SELECT begin, rowid, number FROM chunk WHERE stream = ? ORDER BY number");
    if (status == OCELOTL_OK)
        status = read_places(cursor, statement);
    sqlite3_finalize(statement);
    cursor->chunk = cursor->chunk_count;
    if (status != OCELOTL_OK)
        return status;
    return oc_database_prepare(&cursor->read_chunk, database, path,
                               "SELECT unit, totals, events FROM chunk WHERE rowid = ?");
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

/* SQLite gives NULL for an empty one. */
static const void *blob_of(sqlite3_stmt *row, int column, size_t *length)
{
    const void *blob = sqlite3_column_blob(row, column);
    *length = blob != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0;
    return blob != NULL ? blob : "";
}

static ocelotl_status unpack(oc_cursor *cursor)
{
    sqlite3_stmt *row = cursor->read_chunk;
    const uint64_t unit = (uint64_t)sqlite3_column_int64(row, 0);
    size_t length;
    const void *totals = blob_of(row, 1, &length);
    OC_TRY(oc_fold_unpack(&cursor->fold, totals, length, unit));
    const void *events = blob_of(row, 2, &length);
    return oc_records_unpack(&cursor->records, events, length, cursor->fold.role, unit);
}

static ocelotl_status load(oc_cursor *cursor, size_t chunk)
{
    bool row;
    cursor->chunk = cursor->chunk_count;
    sqlite3_bind_int64(cursor->read_chunk, 1, cursor->chunks[chunk].row);
    ocelotl_status status = oc_database_row(&row, cursor->read_chunk, cursor->trace->path);
    if (status == OCELOTL_OK && !row)
        status = oc_fail(OCELOTL_ERROR_INPUT, "%s: a chunk of events is missing", cursor->trace->path);
    else if (status == OCELOTL_OK && (status = unpack(cursor)) == OCELOTL_ERROR_INPUT)
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
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: after the end of its resource");
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
    const bool passed = cursor->time > time || (cursor->time == time && cursor->through && !through);
    if (cursor->chunk != before - 1 || passed)
        OC_TRY(load(cursor, before - 1));
    cursor->time = time;
    cursor->through = through;
    ocelotl_status status = OCELOTL_OK;
    while (status == OCELOTL_OK && cursor->next < cursor->records.count &&
           is_before(cursor->records.records[cursor->next].time, time, through)) {
        status = oc_fold_apply(&cursor->fold, &cursor->records, &cursor->records.records[cursor->next]);
        cursor->next++;
    }
    if (status == OCELOTL_OK)
        status = let_pass(cursor);
    return status == OCELOTL_ERROR_INPUT ? damaged(cursor) : status;
}
