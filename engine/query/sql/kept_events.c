#include "query/sql/kept_events.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/options.h"
#include "store/file/database.h"
#include "store/select/resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static oc_cell text_cell(const char *text)
{
    return (oc_cell){.kind = text != NULL ? OC_CELL_TEXT : OC_CELL_NULL, .text = text};
}

static oc_cell number_cell(double number)
{
    return (oc_cell){.kind = OC_CELL_NUMBER, .number = number};
}

static oc_cell integer_cell(int64_t integer)
{
    return (oc_cell){.kind = OC_CELL_INTEGER, .number = (double)integer, .integer = integer};
}

static oc_cell path_cell(const oc_catalogue *catalogue, uint32_t resource)
{
    return text_cell(resource != OCELOTL_NONE ? oc_path_of(&catalogue->paths, resource) : NULL);
}

static oc_cell resource_type_cell(const ocelotl_trace *trace, const ocelotl_event *event)
{
    const uint32_t type = trace->resources[event->resource].type;
    return text_cell(type != OCELOTL_NONE ? trace->resource_types[type].name : NULL);
}

static oc_cell value_cell(const ocelotl_trace *trace, const ocelotl_event *event)
{
    if (event->category == OCELOTL_VARIABLE)
        return number_cell(event->number);
    return text_cell(event->value != OCELOTL_NONE ? trace->values[event->value].name : NULL);
}

/* Nobody knows how long a link with one end was in flight. */
static oc_cell duration_cell(const ocelotl_trace *trace, const ocelotl_event *event)
{
    if (event->category == OCELOTL_LINK &&
        (event->source == OCELOTL_NONE || event->target == OCELOTL_NONE))
        return text_cell(NULL);
    return number_cell(
        ocelotl_trace_seconds(trace, (int64_t)((uint64_t)event->end - (uint64_t)event->begin)));
}

oc_cell oc_event_cell(const ocelotl_event *event, int64_t row, oc_column column,
                      const oc_catalogue *catalogue)
{
    const ocelotl_trace *trace = catalogue->trace;
    switch (column) {
    case OC_COLUMN_ROW:
        return integer_cell(row);
    case OC_COLUMN_RESOURCE:
        return path_cell(catalogue, event->resource);
    case OC_COLUMN_RESOURCE_TYPE:
        return resource_type_cell(trace, event);
    case OC_COLUMN_CATEGORY:
        return text_cell(oc_category_name(event->category));
    case OC_COLUMN_TYPE:
        return text_cell(trace->event_types[event->event_type].name);
    case OC_COLUMN_VALUE:
        return value_cell(trace, event);
    case OC_COLUMN_BEGIN:
        return number_cell(ocelotl_trace_seconds(trace, event->begin));
    case OC_COLUMN_END:
        return number_cell(ocelotl_trace_seconds(trace, event->end));
    case OC_COLUMN_DURATION:
        return duration_cell(trace, event);
    case OC_COLUMN_DEPTH:
        return event->category == OCELOTL_STATE ? integer_cell(event->depth) : text_cell(NULL);
    case OC_COLUMN_SOURCE:
        return path_cell(catalogue, event->source);
    case OC_COLUMN_TARGET:
        return path_cell(catalogue, event->target);
    case OC_COLUMN_KEY:
        return text_cell(event->key);
    case OC_COLUMN_ATTRIBUTES:
        return text_cell(event->attributes);
    }
    return text_cell(NULL);
}

bool oc_column_is_number(oc_column column)
{
    return column == OC_COLUMN_ROW || column == OC_COLUMN_BEGIN || column == OC_COLUMN_END ||
           column == OC_COLUMN_DURATION || column == OC_COLUMN_DEPTH;
}

/* --- Hashes */

static uint64_t mix(const oc_hash_key *key, uint64_t hash, const void *bytes, size_t length)
{
    return oc_hash_numbers(key, hash, oc_hash_keyed(key, bytes, length));
}

/* Hashes all texts that SQL might read as numbers alike: in the column of values it may compare
 * texts with numbers. */
static uint64_t mix_any_number(const oc_hash_key *key, uint64_t hash)
{
    return mix(key, hash, "", 1);
}

uint64_t oc_hash_text_cell(const oc_hash_key *key, uint64_t hash, oc_column column,
                           const char *text, size_t length)
{
    const bool like_number = length > 0 && strchr(" \t\n\v\f\r+-.0123456789", text[0]) != NULL;
    return column == OC_COLUMN_VALUE && like_number ? mix_any_number(key, hash)
                                                    : mix(key, hash, text, length);
}

uint64_t oc_hash_number_cell(const oc_hash_key *key, uint64_t hash, oc_column column, double number)
{
    const double positive = number + 0.0; /* of the two zeros one */
    return column == OC_COLUMN_VALUE ? mix_any_number(key, hash)
                                     : mix(key, hash, &positive, sizeof positive);
}

/* --- How much reading takes */

/* Events of a chunk, which is read whole, and what a reading and a stream take to begin, in rows.
 * */
static const double rows_of_chunk = 1000;
static const double cost_of_reading = 100;
static const double cost_of_stream = 20;

static bool is_read(const oc_selection *selection, const ocelotl_trace *trace,
                    const oc_stream *stream)
{
    return stream->count > 0 && oc_is_selected(selection->resources, stream->resource) &&
           oc_is_selected(selection->event_types, stream->event_type) &&
           (stream->role != OC_ROLE_LINKS_IN ||
            trace->event_types[stream->event_type].unmatched > 0) &&
           stream->begin <= (oc_is_of_links(stream) ? selection->links_to : selection->to) &&
           stream->end >= selection->from;
}

/* Estimates the events of a stream in the window; an interval has two records. */
static double rows_of(const oc_selection *selection, const oc_stream *stream)
{
    const bool interval = stream->role == OC_ROLE_STATES || stream->role == OC_ROLE_LINKS_OUT;
    const double rows = (double)stream->count / (interval ? 2 : 1);
    const double from = fmax((double)selection->from, (double)stream->begin);
    const double to = fmin((double)selection->to, (double)stream->end);
    const double length = (double)stream->end - (double)stream->begin;
    const double inside = length > 0 && to - from < length ? fmax(0, to - from) / length : 1;
    return fmax(rows * inside, fmin(rows, rows_of_chunk));
}

oc_estimate oc_estimate_reading(const oc_selection *selection, const ocelotl_trace *trace)
{
    oc_estimate sum = {0};
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (!is_read(selection, trace, stream))
            continue;
        sum.streams++;
        sum.rows += rows_of(selection, stream);
    }
    return sum;
}

oc_estimate oc_estimate_share(oc_estimate whole, double streams, double time)
{
    const oc_estimate all = {whole.streams * streams, whole.rows * streams};
    return (oc_estimate){all.streams,
                         fmax(all.rows * time, fmin(all.rows, all.streams * rows_of_chunk))};
}

double oc_estimate_cost(oc_estimate estimate)
{
    return cost_of_reading + cost_of_stream * estimate.streams + estimate.rows;
}

bool oc_can_hold_links(const oc_selection *selection, const ocelotl_trace *trace)
{
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_is_of_links(&trace->streams[s]) && is_read(selection, trace, &trace->streams[s]))
            return true;
    return false;
}

/* --- Events that are kept */

struct oc_kept_events {
    sqlite3 *database;
    sqlite3_stmt *add, *find;
    oc_hash_key hash_key;
};

/* What messages call it. */
static const char place[] = "temporary file";

static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN;"
    "CREATE TABLE kept(hash INTEGER, row INTEGER, event BLOB, key TEXT, attributes TEXT);";

/* --- Making */

static ocelotl_status open_database(oc_kept_events *kept)
{
    if (sqlite3_open_v2("", &kept->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        return oc_database_fail(kept->database, place);
    OC_TRY(oc_database_execute(kept->database, place, schema));
    return oc_database_prepare(&kept->add, kept->database, place,
                               "INSERT INTO kept VALUES(?, ?, ?, ?, ?)");
}

/* The hash of an event's columns; false where one of them has nothing, which equals nothing. */
static bool hash_event(uint64_t *hash, const oc_kept_events *kept, const ocelotl_event *event,
                       int64_t row, const oc_catalogue *catalogue, const oc_column *columns,
                       size_t column_count)
{
    *hash = 0;
    for (size_t i = 0; i < column_count; i++) {
        const oc_cell cell = oc_event_cell(event, row, columns[i], catalogue);
        if (cell.kind == OC_CELL_NULL)
            return false;
        *hash = cell.kind == OC_CELL_TEXT
                    ? oc_hash_text_cell(&kept->hash_key, *hash, columns[i], cell.text,
                                        strlen(cell.text))
                    : oc_hash_number_cell(&kept->hash_key, *hash, columns[i], cell.number);
    }
    return true;
}

static ocelotl_status add(oc_kept_events *kept, uint64_t hash, const ocelotl_event *event,
                          int64_t row)
{
    sqlite3_bind_int64(kept->add, 1, (int64_t)hash);
    sqlite3_bind_int64(kept->add, 2, row);
    sqlite3_bind_blob(kept->add, 3, event, sizeof *event, SQLITE_STATIC);
    sqlite3_bind_text(kept->add, 4, event->key, -1, SQLITE_STATIC);
    sqlite3_bind_text(kept->add, 5, event->attributes, -1, SQLITE_STATIC);
    return oc_database_run(kept->add, place);
}

static ocelotl_status add_all(oc_kept_events *kept, ocelotl_events *events,
                              const oc_column *columns, size_t column_count)
{
    for (;;) {
        bool found;
        ocelotl_event event;
        uint64_t hash;
        OC_TRY(ocelotl_events_next(&found, &event, events));
        if (!found)
            return OCELOTL_OK;
        const int64_t row = oc_events_row(events);
        if (hash_event(&hash, kept, &event, row, events->catalogue, columns, column_count))
            OC_TRY(add(kept, hash, &event, row));
    }
}

static ocelotl_status make(oc_kept_events *kept, ocelotl_events *events, const oc_column *columns,
                           size_t column_count)
{
    kept->hash_key = oc_hash_key_draw();
    OC_TRY(open_database(kept));
    OC_TRY(add_all(kept, events, columns, column_count));
    OC_TRY(oc_database_execute(kept->database, place,
                               "CREATE INDEX kept_by_hash ON kept(hash); COMMIT;"));
    return oc_database_prepare(
        &kept->find, kept->database, place,
        "SELECT row, event, key, attributes FROM kept WHERE hash = ? ORDER BY rowid");
}

ocelotl_status oc_kept_events_make(oc_kept_events **kept, ocelotl_trace *trace,
                                   const oc_catalogue *catalogue, oc_selection *selection,
                                   const oc_column *columns, size_t column_count)
{
    ocelotl_events *events = NULL;
    oc_kept_events *made = NULL;
    OC_TRY(oc_events_open(&events, trace, catalogue, selection));
    ocelotl_status status = oc_allocate(&made, 1, sizeof *made);
    if (status == OCELOTL_OK)
        status = make(made, events, columns, column_count);
    ocelotl_events_free(events);
    if (status == OCELOTL_OK)
        *kept = made;
    else
        oc_kept_events_free(made);
    return status;
}

void oc_kept_events_free(oc_kept_events *kept)
{
    if (kept == NULL)
        return;
    sqlite3_finalize(kept->add);
    sqlite3_finalize(kept->find);
    sqlite3_close(kept->database);
    free(kept);
}

/* --- Finding */

const oc_hash_key *oc_kept_events_hash_key(const oc_kept_events *kept)
{
    return &kept->hash_key;
}

void oc_kept_events_find(oc_kept_events *kept, uint64_t hash)
{
    sqlite3_reset(kept->find);
    sqlite3_bind_int64(kept->find, 1, (int64_t)hash);
}

ocelotl_status oc_kept_events_next(bool *found, ocelotl_event *event, int64_t *row,
                                   oc_kept_events *kept)
{
    OC_TRY(oc_database_row(found, kept->find, place));
    if (!*found)
        return OCELOTL_OK;
    const void *bytes = sqlite3_column_blob(kept->find, 1);
    if (bytes == NULL || sqlite3_column_bytes(kept->find, 1) != (int)sizeof *event)
        return oc_fail_memory();
    memcpy(event, bytes, sizeof *event);
    event->key = (const char *)sqlite3_column_text(kept->find, 2);
    event->attributes = (const char *)sqlite3_column_text(kept->find, 3);
    *row = sqlite3_column_int64(kept->find, 0);
    return OCELOTL_OK;
}
