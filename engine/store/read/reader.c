#include "store/read/reader.h"

#include "store/read/chunk_check.h"

#include <math.h>
#include <stdlib.h>

static ocelotl_status within(const oc_reader *reader, ocelotl_status status)
{
    return status == OCELOTL_ERROR_INPUT
               ? oc_fail_within(OCELOTL_ERROR_INPUT, "%s", reader->trace->path)
               : status;
}

void oc_reader_free(oc_reader *reader)
{
    sqlite3_finalize(reader->list_chunks);
    sqlite3_finalize(reader->read_chunk);
    sqlite3_finalize(reader->read_row);
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
        OC_TRY(oc_database_prepare(&reader->list_chunks, database, path, OC_CHUNK_PLACES));
    if (reader->read_row == NULL)
        OC_TRY(oc_database_prepare(&reader->read_row, database, path, OC_CHUNK_ROW));
    return reader->read_chunk == NULL
               ? oc_database_prepare(&reader->read_chunk, database, path, OC_CHUNK_BYTES)
               : OCELOTL_OK;
}

ocelotl_status oc_reader_select(oc_reader *reader, uint32_t stream)
{
    OC_TRY(prepare(reader));
    reader->stream = stream;
    reader->chunk_count = 0;
    reader->at = SIZE_MAX;
    oc_fold_clear(&reader->fold);
    reader->fold.role = reader->trace->streams[stream].role;
    oc_records_clear(&reader->records);
    OC_TRY(oc_chunk_list_places(&reader->chunks, &reader->chunk_capacity, reader->list_chunks,
                                reader->trace, stream));
    reader->chunk_count = reader->trace->streams[stream].chunk_count;
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

static ocelotl_status unpack(oc_reader *reader, size_t chunk, const oc_chunk_bytes *bytes,
                             bool records)
{
    OC_TRY(oc_fold_unpack(&reader->fold, bytes->totals, bytes->totals_length, bytes->unit));
    OC_TRY(oc_chunk_check_fold(reader->trace, reader->stream, &reader->fold));
    if (!records)
        return OCELOTL_OK;
    OC_TRY(oc_records_unpack(&reader->records, bytes->events, bytes->events_length,
                             reader->fold.role, bytes->unit));
    /* Windows are found by where chunks say that they begin. */
    if (reader->records.count == 0 ||
        reader->records.records[0].time != reader->chunks[chunk].begin)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "damaged chunk of events: it does not begin when it should");
    return oc_chunk_check_records(reader->trace, reader->stream, &reader->fold, &reader->records);
}

ocelotl_status oc_reader_read(oc_reader *reader, size_t chunk, bool records)
{
    oc_chunk_bytes bytes;
    reader->at = SIZE_MAX;
    ocelotl_status status =
        oc_chunk_read_bytes(&bytes, reader->read_chunk, reader->trace, reader->stream,
                            (int64_t)chunk, &reader->chunks[chunk]);
    if (status == OCELOTL_OK)
        status = within(reader, unpack(reader, chunk, &bytes, records));
    if (status == OCELOTL_OK)
        reader->at = chunk;
    sqlite3_reset(reader->read_chunk);
    return status;
}

ocelotl_status oc_reader_extremes(double *low, double *high, oc_reader *reader, size_t chunk)
{
    oc_chunk_row row;
    OC_TRY(oc_chunk_read_row(&row, reader->read_row, reader->trace, reader->stream, (int64_t)chunk,
                             &reader->chunks[chunk]));
    const double unit = reader->fold.role == OC_ROLE_VARIABLE ? 1 : (double)row.unit;
    *low = row.has_extremes ? unit * row.low : INFINITY;
    *high = row.has_extremes ? unit * row.high : -INFINITY;
    return OCELOTL_OK;
}
