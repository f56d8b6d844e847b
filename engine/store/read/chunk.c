#include "store/read/chunk.h"

#include "base/memory.h"

#include <float.h>
#include <inttypes.h>

ocelotl_status oc_fail_chunk(const ocelotl_trace *trace, uint32_t stream, int64_t number,
                             const char *what)
{
    const oc_stream *of = &trace->streams[stream];
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: is damaged: chunk %" PRId64
                   " of the events of \"%s\" of resource \"%s\" %s; "
                   "`ocelotl-cli verify` lists what is damaged, --lenient reads around it",
                   trace->path, number, trace->event_types[of->event_type].name,
                   trace->resources[of->resource].name, what);
}

ocelotl_status oc_chunk_read_place(oc_chunk_place *place, sqlite3_stmt *places,
                                   const ocelotl_trace *trace, uint32_t stream, int64_t number)
{
    bool row;
    OC_TRY(oc_database_row(&row, places, trace->path));
    if (!row || sqlite3_column_int64(places, 0) != number)
        return oc_fail_chunk(trace, stream, number, "is missing");
    *place = (oc_chunk_place){sqlite3_column_int64(places, 1), sqlite3_column_int64(places, 2)};
    if (sqlite3_column_int64(places, 3) != oc_chunk_place_checksum(stream, number, place->begin))
        return oc_fail_chunk(trace, stream, number, "is not where it was written");
    if (place->begin < trace->streams[stream].begin || place->begin > trace->streams[stream].end)
        return oc_fail_chunk(trace, stream, number, "begins out of its stream");
    return OCELOTL_OK;
}

static ocelotl_status list_places(oc_chunk_place **places, size_t *capacity,
                                  sqlite3_stmt *statement, const ocelotl_trace *trace,
                                  uint32_t stream)
{
    bool row;
    const size_t count = trace->streams[stream].chunk_count;
    for (size_t i = 0; i < count; i++) {
        OC_TRY(oc_grow(places, capacity, i + 1, sizeof **places));
        OC_TRY(oc_chunk_read_place(&(*places)[i], statement, trace, stream, (int64_t)i));
        if (i > 0 && (*places)[i].begin < (*places)[i - 1].begin)
            return oc_fail_chunk(trace, stream, (int64_t)i, "is out of order");
    }
    OC_TRY(oc_database_row(&row, statement, trace->path));
    return row ? oc_fail_chunk(trace, stream, sqlite3_column_int64(statement, 0), "is one too many")
               : OCELOTL_OK;
}

ocelotl_status oc_chunk_list_places(oc_chunk_place **places, size_t *capacity,
                                    sqlite3_stmt *statement, const ocelotl_trace *trace,
                                    uint32_t stream)
{
    sqlite3_bind_int64(statement, 1, stream);
    sqlite3_bind_int64(statement, 2, INT64_MIN);
    const ocelotl_status status = list_places(places, capacity, statement, trace, stream);
    sqlite3_reset(statement);
    return status;
}

/* Durations, which are in units, are no longer than a trace can be. */
static bool has_right_extremes(const oc_chunk_row *row, const oc_stream *stream)
{
    const double longest = stream->role == OC_ROLE_VARIABLE ? DBL_MAX : 0x1p64 / (double)row->unit;
    return !row->has_extremes ||
           (row->low >= -longest && row->low <= row->high && row->high <= longest);
}

static bool has_right_numbers(const oc_chunk_row *row, const oc_stream *stream)
{
    return row->count >= 1 && (uint64_t)row->count <= stream->count && row->unit >= 1 &&
           row->end >= row->begin && row->end <= stream->end && has_right_extremes(row, stream);
}

static ocelotl_status take_row(oc_chunk_row *row, sqlite3_stmt *statement,
                               const ocelotl_trace *trace)
{
    row->end = sqlite3_column_int64(statement, 0);
    row->count = sqlite3_column_int64(statement, 1);
    row->unit = sqlite3_column_int64(statement, 2);
    row->has_extremes = sqlite3_column_type(statement, 3) != SQLITE_NULL;
    row->low = sqlite3_column_double(statement, 3);
    row->high = sqlite3_column_double(statement, 4);
    if (sqlite3_column_int64(statement, 5) != oc_chunk_row_checksum(row))
        return oc_fail_chunk(trace, row->stream, row->number, "does not say what was written");
    if (!has_right_numbers(row, &trace->streams[row->stream]))
        return oc_fail_chunk(trace, row->stream, row->number, "says what it cannot hold");
    return OCELOTL_OK;
}

ocelotl_status oc_chunk_read_row(oc_chunk_row *row, sqlite3_stmt *statement,
                                 const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                 const oc_chunk_place *place)
{
    bool found;
    *row = (oc_chunk_row){.stream = stream, .number = number, .begin = place->begin};
    sqlite3_bind_int64(statement, 1, place->row);
    ocelotl_status status = oc_database_row(&found, statement, trace->path);
    if (status == OCELOTL_OK)
        status = found ? take_row(row, statement, trace)
                       : oc_fail_chunk(trace, stream, number, "is missing");
    sqlite3_reset(statement);
    return status;
}

/* SQLite gives NULL for an empty one. */
static const unsigned char *blob_of(size_t *length, sqlite3_stmt *statement, int column)
{
    const unsigned char *blob = sqlite3_column_blob(statement, column);
    *length = blob != NULL ? (size_t)sqlite3_column_bytes(statement, column) : 0;
    return blob != NULL ? blob : (const unsigned char *)"";
}

ocelotl_status oc_chunk_read_bytes(oc_chunk_bytes *bytes, sqlite3_stmt *statement,
                                   const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                   const oc_chunk_place *place)
{
    bool found;
    sqlite3_bind_int64(statement, 1, place->row);
    OC_TRY(oc_database_row(&found, statement, trace->path));
    if (!found)
        return oc_fail_chunk(trace, stream, number, "is missing");
    bytes->unit = (uint64_t)sqlite3_column_int64(statement, 0);
    bytes->totals = blob_of(&bytes->totals_length, statement, 2);
    bytes->events = blob_of(&bytes->events_length, statement, 3);
    if (sqlite3_column_int64(statement, 1) !=
        oc_chunk_checksum(stream, number, place->begin, bytes))
        return oc_fail_chunk(trace, stream, number, "does not hold what was written");
    return OCELOTL_OK;
}
