#include "store/reader.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static ocelotl_status within(const oc_reader *reader, ocelotl_status status)
{
    return status == OCELOTL_ERROR_INPUT ? oc_fail_within(OCELOTL_ERROR_INPUT, "%s", reader->trace->path) : status;
}

void oc_reader_free(oc_reader *reader)
{
    sqlite3_finalize(reader->list_chunks);
    sqlite3_finalize(reader->read_chunk);
    oc_fold_free(&reader->fold);
    oc_records_free(&reader->records);
    free(reader->chunks);
    *reader = (oc_reader){.trace = reader->trace};
}

static ocelotl_status prepare(oc_reader *reader)
{
    sqlite3 *database = reader->trace->database;
    const char *path = reader->trace->path;
    if (reader->list_chunks == NULL)
        OC_TRY(oc_database_prepare(&reader->list_chunks, database, path,
                                   "SELECT begin, rowid FROM chunk WHERE stream = ? ORDER BY number"));
    if (reader->read_chunk == NULL)
        OC_TRY(oc_database_prepare(&reader->read_chunk, database, path,
                                   "SELECT unit, totals, events, low, high FROM chunk WHERE rowid = ?"));
    return OCELOTL_OK;
}

static ocelotl_status list_chunks(oc_reader *reader)
{
    for (;;) {
        bool row;
        OC_TRY(oc_database_row(&row, reader->list_chunks, reader->trace->path));
        if (!row)
            return OCELOTL_OK;
        const size_t count = reader->chunk_count;
        const oc_chunk_place place = {sqlite3_column_int64(reader->list_chunks, 0),
                                      sqlite3_column_int64(reader->list_chunks, 1)};
        if (count > 0 && place.begin < reader->chunks[count - 1].begin)
            return within(reader, oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: out of order"));
        OC_TRY(oc_grow(&reader->chunks, &reader->chunk_capacity, count + 1, sizeof *reader->chunks));
        reader->chunks[reader->chunk_count++] = place;
    }
}

ocelotl_status oc_reader_select(oc_reader *reader, uint32_t stream)
{
    OC_TRY(prepare(reader));
    reader->chunk_count = 0;
    reader->at = SIZE_MAX;
    oc_fold_clear(&reader->fold);
    reader->fold.role = reader->trace->streams[stream].role;
    oc_records_clear(&reader->records);
    sqlite3_bind_int64(reader->list_chunks, 1, stream);
    const ocelotl_status status = list_chunks(reader);
    sqlite3_reset(reader->list_chunks);
    return status;
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

static void take_extremes(oc_reader *reader, uint64_t unit)
{
    sqlite3_stmt *row = reader->read_chunk;
    const bool there = sqlite3_column_type(row, 3) != SQLITE_NULL;
    const double of = reader->fold.role == OC_ROLE_VARIABLE ? 1 : (double)unit;
    reader->low = there ? of * sqlite3_column_double(row, 3) : INFINITY;
    reader->high = there ? of * sqlite3_column_double(row, 4) : -INFINITY;
}

static ocelotl_status unpack(oc_reader *reader, size_t chunk, bool records)
{
    sqlite3_stmt *row = reader->read_chunk;
    const uint64_t unit = (uint64_t)sqlite3_column_int64(row, 0);
    take_extremes(reader, unit);
    const void *totals = sqlite3_column_blob(row, 1);
    const size_t totals_length = (size_t)sqlite3_column_bytes(row, 1);
    OC_TRY(oc_fold_unpack(&reader->fold, totals != NULL ? totals : "", totals_length, unit));
    if (!records)
        return OCELOTL_OK;
    const void *events = sqlite3_column_blob(row, 2);
    const size_t events_length = (size_t)sqlite3_column_bytes(row, 2);
    OC_TRY(
        oc_records_unpack(&reader->records, events != NULL ? events : "", events_length, reader->fold.role, unit));
    /* Windows are found by where chunks say that they begin. */
    if (reader->records.count == 0 || reader->records.records[0].time != reader->chunks[chunk].begin)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: it does not begin when it should");
    return OCELOTL_OK;
}

ocelotl_status oc_reader_read(oc_reader *reader, size_t chunk, bool records)
{
    bool row;
    reader->at = SIZE_MAX;
    sqlite3_bind_int64(reader->read_chunk, 1, reader->chunks[chunk].row);
    ocelotl_status status = oc_database_row(&row, reader->read_chunk, reader->trace->path);
    if (status == OCELOTL_OK && !row)
        status = oc_fail(OCELOTL_ERROR_INPUT, "%s: a chunk of events is missing", reader->trace->path);
    else if (status == OCELOTL_OK)
        status = within(reader, unpack(reader, chunk, records));
    if (status == OCELOTL_OK)
        reader->at = chunk;
    sqlite3_reset(reader->read_chunk);
    return status;
}
