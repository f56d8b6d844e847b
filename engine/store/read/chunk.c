#include "store/read/chunk.h"

#include "base/memory.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* --- Rows */

ocelotl_status oc_fail_chunk(const ocelotl_trace *trace, uint32_t stream, int64_t number,
                             const char *what)
{
    const oc_stream *of = &trace->streams[stream];
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: is damaged: chunk %" PRId64
                   " of the events of \"%s\" of resource \"%s\" %s; "
                   "`ocelotl-cli verify` lists what is damaged, --lenient reads around it",
                   oc_stream_path(trace, stream), number, trace->event_types[of->event_type].name,
                   trace->resources[of->resource].name, what);
}

/* Reads the next place, which is to be that of chunk `number`. Errors: INPUT for damage, here and
 * below. */
static ocelotl_status chunk_read_place(oc_chunk_place *place, sqlite3_stmt *places,
                                       const ocelotl_trace *trace, uint32_t stream, int64_t number)
{
    bool row;
    OC_TRY(oc_database_row(&row, places, oc_stream_path(trace, stream)));
    if (!row || sqlite3_column_int64(places, 0) != number)
        return oc_fail_chunk(trace, stream, number, "is missing");
    *place = (oc_chunk_place){sqlite3_column_int64(places, 1), sqlite3_column_int64(places, 2)};
    if (sqlite3_column_int64(places, 3) !=
        oc_chunk_place_checksum(oc_stored_stream(trace, stream), number, place->begin))
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
        OC_TRY(chunk_read_place(&(*places)[i], statement, trace, stream, (int64_t)i));
        if (i > 0 && (*places)[i].begin < (*places)[i - 1].begin)
            return oc_fail_chunk(trace, stream, (int64_t)i, "is out of order");
    }
    OC_TRY(oc_database_row(&row, statement, oc_stream_path(trace, stream)));
    return row ? oc_fail_chunk(trace, stream, sqlite3_column_int64(statement, 0), "is one too many")
               : OCELOTL_OK;
}

ocelotl_status oc_chunk_list_places(oc_chunk_place **places, size_t *capacity,
                                    sqlite3_stmt *statement, const ocelotl_trace *trace,
                                    uint32_t stream)
{
    sqlite3_bind_int64(statement, 1, oc_stored_stream(trace, stream));
    sqlite3_bind_int64(statement, 2, INT64_MIN);
    const ocelotl_status status = list_places(places, capacity, statement, trace, stream);
    sqlite3_reset(statement);
    return status;
}

ocelotl_status oc_chunk_take_row(oc_chunk_row *row, sqlite3_stmt *statement,
                                 const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                 const oc_chunk_place *place)
{
    *row = (oc_chunk_row){
        .stream = oc_stored_stream(trace, stream), .number = number, .begin = place->begin};
    row->end = sqlite3_column_int64(statement, 0);
    row->count = sqlite3_column_int64(statement, 1);
    row->unit = sqlite3_column_int64(statement, 2);
    row->has_extremes = sqlite3_column_type(statement, 3) != SQLITE_NULL;
    row->low = sqlite3_column_double(statement, 3);
    row->high = sqlite3_column_double(statement, 4);
    row->durations = oc_chunk_blob(&row->durations_length, statement, 6);
    if (sqlite3_column_int64(statement, 5) != oc_chunk_row_checksum(row))
        return oc_fail_chunk(trace, stream, row->number, "does not say what was written");
    const oc_stream *of = &trace->streams[stream];
    if (row->count < 1 || (uint64_t)row->count > of->count || row->unit < 1 ||
        row->end < row->begin || row->end > of->end ||
        (row->has_extremes &&
         !(row->low >= -DBL_MAX && row->low <= row->high && row->high <= DBL_MAX)))
        return oc_fail_chunk(trace, stream, row->number, "says what it cannot hold");
    return OCELOTL_OK;
}

ocelotl_status oc_chunk_take_bytes(oc_chunk_bytes *bytes, sqlite3_stmt *statement, int column,
                                   const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                   const oc_chunk_place *place)
{
    oc_chunk_find_bytes(bytes, statement, column, column + 2);
    if (sqlite3_column_int64(statement, column + 1) !=
        oc_chunk_checksum(oc_stored_stream(trace, stream), number, place->begin, bytes))
        return oc_fail_chunk(trace, stream, number, "does not hold what was written");
    return OCELOTL_OK;
}

ocelotl_status oc_chunk_go_to(sqlite3_stmt *statement, const ocelotl_trace *trace, uint32_t stream,
                              int64_t number, const oc_chunk_place *place)
{
    bool found;
    sqlite3_bind_int64(statement, 1, place->row);
    OC_TRY(oc_database_row(&found, statement, oc_stream_path(trace, stream)));
    return found ? OCELOTL_OK : oc_fail_chunk(trace, stream, number, "is missing");
}

ocelotl_status oc_chunk_read_row(oc_chunk_row *row, sqlite3_stmt *statement,
                                 const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                 const oc_chunk_place *place)
{
    OC_TRY(oc_chunk_go_to(statement, trace, stream, number, place));
    return oc_chunk_take_row(row, statement, trace, stream, number, place);
}

ocelotl_status oc_chunk_read_bytes(oc_chunk_bytes *bytes, sqlite3_stmt *statement,
                                   const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                   const oc_chunk_place *place)
{
    OC_TRY(oc_chunk_go_to(statement, trace, stream, number, place));
    return oc_chunk_take_bytes(bytes, statement, 0, trace, stream, number, place);
}

/* --- What a chunk may hold */

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

/* Returns whether a record may have the value. Only states must have one; variables have none. */
static bool is_value(const ocelotl_trace *trace, const oc_stream *stream, uint32_t value)
{
    if (value == OCELOTL_NONE)
        return stream->role != OC_ROLE_STATES;
    return stream->role != OC_ROLE_VARIABLE && value < trace->value_count &&
           trace->values[value].event_type == stream->event_type;
}

/* --- Running totals */

static ocelotl_status check_totals(const ocelotl_trace *trace, const oc_stream *stream,
                                   const oc_fold *fold)
{
    uint64_t count = 0;
    int64_t innermost = 0;
    const int64_t passed = fold->total_count > 0 ? fold->time - stream->begin : 0;
    for (size_t i = 0; i < fold->total_count; i++) {
        const oc_total *total = &fold->totals[i];
        if (!is_value(trace, stream, total->value))
            return damaged("a total of a value that its stream does not have");
        if (total->count > stream->count - count)
            return damaged("more events than its stream has");
        count += total->count;
        if (total->innermost < 0 || total->innermost > passed - innermost || total->closed < 0)
            return damaged("a total out of range");
        innermost += total->innermost;
        if (!isfinite(total->integral))
            return damaged("an integral that is no number");
    }
    return OCELOTL_OK;
}

ocelotl_status oc_chunk_check_fold(const ocelotl_trace *trace, uint32_t stream, const oc_fold *fold)
{
    const oc_stream *of = &trace->streams[stream];
    const bool is_interval = of->role == OC_ROLE_STATES || of->role == OC_ROLE_LINKS_OUT;
    int64_t last = of->begin;
    if (fold->total_count > 0 && (fold->time < of->begin || fold->time > of->end))
        return damaged("a time out of range");
    if (fold->open.count > 0 && (!is_interval || fold->total_count == 0))
        return damaged("something is open that cannot be");
    OC_TRY(check_totals(trace, of, fold));
    for (size_t i = 0; i < fold->open.count; i++) {
        const int64_t begin = oc_fold_open(fold, i)->begin;
        if (begin < last || begin > fold->time)
            return damaged("what is open is out of order");
        last = begin;
    }
    if (fold->has_number && !isfinite(fold->number))
        return damaged("a value that is no number");
    for (size_t i = 0; i < fold->sum_count; i++)
        if (isnan(fold->sums[i].sum))
            return damaged("a sum that is no number");
    return OCELOTL_OK;
}

/* --- Records */

static bool lies_in(const ocelotl_trace *trace, int64_t time, int64_t duration)
{
    int64_t other;
    return oc_add_times(&other, time, duration) && other >= trace->info.begin &&
           other <= trace->info.end;
}

/* The record of an arrival stands where the link ends, or at its beginning if that is later, or
 * later still if the beginning is not known; that of a departure where the link ends or its
 * resource does. */
static ocelotl_status check_link(const ocelotl_trace *trace, const oc_stream *stream,
                                 const oc_record *record)
{
    if (record->partner != OCELOTL_NONE && record->partner >= trace->resource_count)
        return damaged("a link to an unknown resource");
    const bool arrived = stream->role == OC_ROLE_LINKS_IN && record->duration > 0;
    if (arrived &&
        (record->partner == OCELOTL_NONE || record->duration > record->time - trace->info.begin))
        return damaged("a link that lasts too long");
    if (!arrived && !lies_in(trace, record->time, record->duration))
        return damaged("a link that ends outside the trace");
    return OCELOTL_OK;
}

static ocelotl_status check_record(const ocelotl_trace *trace, const oc_stream *stream,
                                   const oc_record *record)
{
    if (stream->role == OC_ROLE_VARIABLE)
        return isfinite(record->number) ? OCELOTL_OK : damaged("a value that is no number");
    if (!record->ends && !is_value(trace, stream, record->value))
        return damaged("a value that its stream does not have");
    return oc_record_has_partner(record, stream->role) ? check_link(trace, stream, record)
                                                       : OCELOTL_OK;
}

ocelotl_status oc_chunk_check_records(const ocelotl_trace *trace, uint32_t stream,
                                      const oc_fold *fold, const oc_records *records)
{
    const oc_stream *of = &trace->streams[stream];
    if (records->count == 0 || records->count > of->count)
        return damaged("as many records as it cannot have");
    /* They are in order of time already. */
    const int64_t first = records->records[0].time;
    if (first < of->begin || records->records[records->count - 1].time > of->end)
        return damaged("a time out of range");
    if (fold->total_count > 0 && first < fold->time)
        return damaged("time goes back");
    for (size_t i = 0; i < records->count; i++)
        OC_TRY(check_record(trace, of, &records->records[i]));
    return OCELOTL_OK;
}

static ocelotl_status unpack(oc_fold *fold, oc_records *records, const ocelotl_trace *trace,
                             uint32_t stream, const oc_chunk_bytes *bytes, int64_t begin)
{
    fold->role = trace->streams[stream].role;
    OC_TRY(oc_fold_unpack(fold, bytes->totals, bytes->totals_length, bytes->unit));
    OC_TRY(oc_chunk_check_fold(trace, stream, fold));
    if (records == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_records_unpack(records, bytes->events, bytes->events_length, fold->role, bytes->unit,
                             oc_stream_dictionary(trace, stream)));
    if (records->count == 0 || records->records[0].time != begin)
        return damaged("it does not begin when it should");
    return oc_chunk_check_records(trace, stream, fold, records);
}

ocelotl_status oc_chunk_load(oc_fold *fold, oc_records *records, sqlite3_stmt *statement,
                             const ocelotl_trace *trace, uint32_t stream, int64_t number,
                             const oc_chunk_place *place)
{
    oc_chunk_bytes bytes;
    ocelotl_status status = oc_chunk_read_bytes(&bytes, statement, trace, stream, number, place);
    if (status == OCELOTL_OK)
        status = oc_fail_in_stream(trace, stream,
                                   unpack(fold, records, trace, stream, &bytes, place->begin));
    sqlite3_reset(statement);
    return status;
}

/* --- Finding one */

/* Searching a chunk costs about as much as listing this many. */
static const uint64_t listed_per_search = 16;

/* How many chunks in a row a probe looks at: the next one is cheap, another probe is not. */
enum { PROBE_ROWS = 4 };

void oc_chunk_finder_close(oc_chunk_finder *finder)
{
    sqlite3_finalize(finder->from);
    free(finder->places);
    *finder = (oc_chunk_finder){0};
}

static void go_to(oc_chunk_finder *finder, int64_t number)
{
    sqlite3_bind_int64(finder->from, 1, oc_stored_stream(finder->connection.trace, finder->stream));
    sqlite3_bind_int64(finder->from, 2, number);
}

ocelotl_status oc_chunk_finder_begin(oc_chunk_finder *finder, uint32_t stream, uint64_t instants)
{
    const ocelotl_trace *trace = finder->connection.trace;
    OC_TRY(oc_connection_prepare(&finder->from, &finder->connection, stream, OC_CHUNK_PLACES));
    finder->stream = stream;
    finder->low = -1;
    finder->count = trace->streams[stream].chunk_count;
    finder->listed = (uint64_t)finder->count / listed_per_search <= instants;
    if (finder->listed)
        return oc_chunk_list_places(&finder->places, &finder->capacity, finder->from, trace,
                                    stream);
    /* The last chunk says how long the others are about. */
    oc_chunk_place last = {0};
    go_to(finder, finder->count - 1);
    const ocelotl_status status =
        chunk_read_place(&last, finder->from, trace, stream, finder->count - 1);
    sqlite3_reset(finder->from);
    finder->last_begin = last.begin;
    return status;
}

/* How many chunks of the list begin before an instant, from one on that does. */
static int64_t find_listed(const oc_chunk_finder *finder, int64_t time, bool through)
{
    int64_t low = finder->low;
    int64_t step = 1;
    while (low + step < finder->count &&
           oc_is_before(finder->places[low + step].begin, time, through)) {
        low += step;
        step *= 2;
    }
    int64_t high = low + step < finder->count ? low + step : finder->count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (oc_is_before(finder->places[middle].begin, time, through))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Guesses where a chunk is, as if all up to the stream's end were of one length. */
static int64_t guess(const oc_chunk_finder *finder, int64_t time)
{
    if (finder->low < 0 || finder->last_begin <= finder->low_place.begin ||
        time <= finder->low_place.begin)
        return finder->low + 1;
    const double share = ((double)time - (double)finder->low_place.begin) /
                         ((double)finder->last_begin - (double)finder->low_place.begin);
    const double ahead = share * (double)(finder->count - 1 - finder->low);
    return finder->low + (ahead < (double)(finder->count - 1 - finder->low)
                              ? (int64_t)ahead
                              : finder->count - 1 - finder->low);
}

/* Looks at a few chunks from `number` on, which lies between the bounds, and moves them. */
static ocelotl_status probe(oc_chunk_finder *finder, int64_t *high, int64_t number, int64_t time,
                            bool through)
{
    ocelotl_status status = OCELOTL_OK;
    go_to(finder, number);
    for (int64_t i = number; i < number + PROBE_ROWS && i < *high && status == OCELOTL_OK; i++) {
        oc_chunk_place place;
        status =
            chunk_read_place(&place, finder->from, finder->connection.trace, finder->stream, i);
        if (status != OCELOTL_OK)
            break;
        if (!oc_is_before(place.begin, time, through)) {
            *high = i;
            break;
        }
        finder->low = i;
        finder->low_place = place;
    }
    sqlite3_reset(finder->from);
    return status;
}

/* Guesses and halvings take turns, so that no distribution of events makes it long. */
static ocelotl_status search(oc_chunk_finder *finder, int64_t time, bool through)
{
    int64_t high = finder->count;
    for (unsigned turn = 0; high - finder->low > 1; turn++) {
        int64_t number =
            turn % 2 == 0 ? guess(finder, time) - 1 : finder->low + (high - finder->low) / 2;
        if (number <= finder->low)
            number = finder->low + 1;
        if (number >= high)
            number = high - 1;
        OC_TRY(probe(finder, &high, number, time, through));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_chunk_finder_find(int64_t *number, oc_chunk_place *place, oc_chunk_finder *finder,
                                    int64_t time, bool through)
{
    if (finder->low >= 0 && !oc_is_before(finder->low_place.begin, time, through))
        finder->low = -1;
    if (finder->listed && finder->low < 0 && finder->count > 0 &&
        oc_is_before(finder->places[0].begin, time, through))
        finder->low = 0;
    if (!finder->listed) {
        OC_TRY(search(finder, time, through));
    } else if (finder->low >= 0) {
        finder->low = find_listed(finder, time, through);
        finder->low_place = finder->places[finder->low];
    }
    *number = finder->low;
    *place = finder->low_place;
    return OCELOTL_OK;
}
