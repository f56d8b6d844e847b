/* Opening a trace.db: its names and totals are read once; events stay on disk. */
#include "store/trace/trace.h"

#include "base/options.h"
#include "base/text.h"
#include "store/file/chunk_row.h"
#include "store/file/database.h"
#include "store/file/tables.h"
#include "store/trace/names.h"
#include "store/trace/ranges.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static ocelotl_status damaged(const ocelotl_trace *trace, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: %s", trace->path, what);
}

/* Compares a table with its checksum. */
static ocelotl_status check_table(const ocelotl_trace *trace, oc_table table, uint64_t checksum)
{
    if (trace->has_table_checksum[table] && trace->table_checksums[table] == checksum)
        return OCELOTL_OK;
    return oc_fail(
        OCELOTL_ERROR_INPUT,
        "%s: is damaged: the table %s does not hold what was written; import the trace again",
        trace->path, oc_table_name(table));
}

static ocelotl_status read_name(const char **name, ocelotl_trace *trace, const oc_row *row,
                                int column)
{
    return oc_row_text(name, &trace->arena, row, column);
}

/* Parents come first: no circle can be. */
static ocelotl_status read_resource_type(ocelotl_trace *trace, uint32_t index, const oc_row *row)
{
    ocelotl_resource_type *type = &trace->resource_types[index];
    OC_TRY(read_name(&type->name, trace, row, 2));
    return oc_row_index(&type->parent, row, 1, index, true);
}

static ocelotl_status read_resource(ocelotl_trace *trace, uint32_t index, const oc_row *row)
{
    ocelotl_resource *resource = &trace->resources[index];
    OC_TRY(read_name(&resource->name, trace, row, 3));
    OC_TRY(oc_row_index(&resource->parent, row, 1, index, true));
    OC_TRY(oc_row_index(&resource->type, row, 2, trace->resource_type_count, false));
    OC_TRY(oc_row_integer(&resource->begin, row, 4, trace->info.begin, trace->info.end));
    OC_TRY(oc_row_integer(&resource->end, row, 5, resource->begin, trace->info.end));
    trace->resource_types[resource->type].resources++;
    return OCELOTL_OK;
}

static ocelotl_status read_event_type(ocelotl_trace *trace, uint32_t index, const oc_row *row)
{
    ocelotl_event_type *type = &trace->event_types[index];
    int64_t category;
    type->unit = "";
    OC_TRY(read_name(&type->name, trace, row, 3));
    OC_TRY(oc_row_index(&type->resource_type, row, 2, trace->resource_type_count, true));
    OC_TRY(oc_row_integer(&category, row, 1, OCELOTL_EVENT, OCELOTL_LINK));
    type->category = (ocelotl_category)category;
    OC_TRY(oc_row_colour(&type->colour, row, 4));
    OC_TRY(oc_row_count(&type->count, row, 5));
    OC_TRY(oc_row_count(&type->unmatched, row, 6));
    if (type->unmatched > (type->category == OCELOTL_LINK ? type->count : 0))
        return oc_row_fail(row, 6, "larger than the number of links");
    return OCELOTL_OK;
}

static ocelotl_status read_value(ocelotl_trace *trace, uint32_t index, const oc_row *row)
{
    ocelotl_value *value = &trace->values[index];
    OC_TRY(read_name(&value->name, trace, row, 2));
    OC_TRY(oc_row_index(&value->event_type, row, 1, trace->event_type_count, false));
    OC_TRY(oc_row_colour(&value->colour, row, 3));
    OC_TRY(oc_row_count(&value->count, row, 4));
    OC_TRY(oc_row_integer(&value->innermost_ticks, row, 5, 0, INT64_MAX));
    return oc_row_integer(&value->inclusive_ticks, row, 6, value->innermost_ticks, INT64_MAX);
}

static ocelotl_status read_warning(ocelotl_trace *trace, uint32_t index, const oc_row *row)
{
    ocelotl_warning *warning = &trace->warnings[index];
    OC_TRY(read_name(&warning->kind, trace, row, 1));
    OC_TRY(read_name(&warning->detail, trace, row, 3));
    return oc_row_count(&warning->count, row, 2);
}

static ocelotl_status read_source_kind(ocelotl_trace *trace, uint32_t index, const oc_row *row)
{
    int64_t fate;
    ocelotl_source_kind *kind = &trace->source_kinds[index];
    OC_TRY(read_name(&kind->kind, trace, row, 1));
    OC_TRY(read_name(&kind->why, trace, row, 4));
    OC_TRY(oc_row_integer(&fate, row, 2, OCELOTL_FATE_EVENT, OCELOTL_FATE_LEFT_OUT));
    kind->fate = (ocelotl_fate)fate;
    return oc_row_count(&kind->count, row, 3);
}

static bool role_fits(oc_role role, ocelotl_category category)
{
    switch (role) {
    case OC_ROLE_EVENTS:
        return category == OCELOTL_EVENT;
    case OC_ROLE_STATES:
        return category == OCELOTL_STATE;
    case OC_ROLE_VARIABLE:
        return category == OCELOTL_VARIABLE;
    case OC_ROLE_LINKS_OUT:
    case OC_ROLE_LINKS_IN:
        return category == OCELOTL_LINK;
    }
    return false;
}

/* Reads the times of a stream; one whose only event was refused has no records, and no time. */
static ocelotl_status read_stream_times(ocelotl_trace *trace, oc_stream *stream, const oc_row *row)
{
    const ocelotl_resource *resource = &trace->resources[stream->resource];
    if (stream->count == 0) {
        stream->begin = stream->end = resource->begin;
        return OCELOTL_OK;
    }
    OC_TRY(oc_row_integer(&stream->begin, row, 5, resource->begin, resource->end));
    return oc_row_integer(&stream->end, row, 6, stream->begin, resource->end);
}

static ocelotl_status read_stream(ocelotl_trace *trace, uint32_t index, const oc_row *row)
{
    oc_stream *stream = &trace->streams[index];
    int64_t role;
    int64_t chunks;
    OC_TRY(oc_row_index(&stream->resource, row, 1, trace->resource_count, false));
    OC_TRY(oc_row_index(&stream->event_type, row, 2, trace->event_type_count, false));
    OC_TRY(oc_row_integer(&role, row, 3, OC_ROLE_EVENTS, OC_ROLE_LINKS_IN));
    if (!role_fits((oc_role)role, trace->event_types[stream->event_type].category))
        return oc_row_fail(row, 3, "not one of its event type");
    stream->role = (oc_role)role;
    OC_TRY(oc_row_count(&stream->count, row, 4));
    OC_TRY(read_stream_times(trace, stream, row));
    /* A chunk has a record at least. */
    const int64_t least = stream->count > 0;
    const int64_t most = stream->count < UINT32_MAX ? (int64_t)stream->count : UINT32_MAX;
    OC_TRY(oc_row_integer(&chunks, row, 7, least, most));
    stream->chunk_count = (uint32_t)chunks;
    return OCELOTL_OK;
}

const ZSTD_DDict *oc_trace_dictionary(const ocelotl_trace *trace, oc_role role)
{
    for (uint32_t i = 0; i < trace->dictionary_count; i++)
        if (trace->dictionaries[i].role == role)
            return trace->dictionaries[i].ready;
    return NULL;
}

static ocelotl_status read_dictionary(ocelotl_trace *trace, uint32_t index, const oc_row *row)
{
    int64_t role;
    OC_TRY(oc_row_integer(&role, row, 1, OC_ROLE_EVENTS, OC_ROLE_LINKS_IN));
    for (uint32_t i = 0; i < index; i++)
        if (trace->dictionaries[i].role == (oc_role)role)
            return oc_row_fail(row, 1, "one that has a dictionary already");
    trace->dictionaries[index].role = (oc_role)role;
    size_t length;
    const unsigned char *bytes = oc_chunk_blob(&length, row->statement, 2);
    const ocelotl_status status =
        oc_dictionary_unpack(&trace->dictionaries[index].ready, bytes, length);
    return status != OCELOTL_ERROR_INPUT
               ? status
               : oc_fail_within(OCELOTL_ERROR_INPUT, "%s: is damaged", trace->path);
}

/* A table while it is read. */
typedef struct table_reader {
    ocelotl_trace *trace;
    void *items; /* the place of the array of its rows */
    size_t size, capacity;
    uint32_t *count;
    ocelotl_status (*read)(ocelotl_trace *trace, uint32_t index, const oc_row *row);
    oc_table_checksum sum;
} table_reader;

/* Rows come in the order of their ids, which count from 0: an id is an index. */
static ocelotl_status read_item(void *context, const oc_row *row)
{
    table_reader *reader = context;
    const uint32_t index = *reader->count;
    char *items;
    OC_TRY(oc_table_checksum_add(&reader->sum, row->statement));
    OC_TRY(oc_arena_grow(reader->items, &reader->capacity, &reader->trace->arena, (size_t)index + 1,
                         reader->size));
    memcpy(&items, reader->items, sizeof items);
    memset(items + index * reader->size, 0, reader->size);
    if (index == UINT32_MAX - 1)
        return damaged(reader->trace, "too many rows");
    if (sqlite3_column_int64(row->statement, 0) != (sqlite3_int64)index)
        return damaged(reader->trace, "a row is missing");
    (*reader->count)++;
    return reader->read(reader->trace, index, row);
}

static ocelotl_status read_table(ocelotl_trace *trace, void *items, size_t size, uint32_t *count,
                                 const char *what, oc_table table,
                                 ocelotl_status (*read)(ocelotl_trace *trace, uint32_t index,
                                                        const oc_row *row))
{
    table_reader reader = {trace, items, size, 0, count, read, {0}};
    oc_row row = {.path = trace->path, .what = what, .text_left = &trace->text_left};
    const ocelotl_status status =
        oc_rows_read(&row, trace->database, oc_table_query(table), read_item, &reader);
    oc_text_free(&reader.sum.row);
    return status == OCELOTL_OK ? check_table(trace, table, reader.sum.checksum) : status;
}

static ocelotl_status read_meta_number(ocelotl_trace *trace, const char *key, const oc_row *row)
{
    static const int64_t finest_tick = 1000000000000000000;
    ocelotl_trace_info *info = &trace->info;
    int64_t tick = 0;
    if (strcmp(key, "begin") == 0)
        return oc_row_integer(&info->begin, row, 1, INT64_MIN, INT64_MAX);
    if (strcmp(key, "end") == 0)
        return oc_row_integer(&info->end, row, 1, INT64_MIN, INT64_MAX);
    if (strcmp(key, "tick_numerator") == 0) {
        OC_TRY(oc_row_integer(&tick, row, 1, 1, finest_tick));
        info->tick_numerator = (uint64_t)tick;
    } else if (strcmp(key, "tick_denominator") == 0) {
        OC_TRY(oc_row_integer(&tick, row, 1, 1, finest_tick));
        info->tick_denominator = (uint64_t)tick;
    }
    return OCELOTL_OK;
}

/* The texts that a trace has in any case. */
static const struct {
    const char *key;
    size_t place;
} info_texts[] = {{"name", offsetof(ocelotl_trace_info, name)},
                  {"source", offsetof(ocelotl_trace_info, source)},
                  {"format", offsetof(ocelotl_trace_info, format)},
                  {"importer", offsetof(ocelotl_trace_info, importer)},
                  {"origin", offsetof(ocelotl_trace_info, origin)},
                  {"uid", offsetof(ocelotl_trace_info, uid)},
                  {"producer", offsetof(ocelotl_trace_info, producer)}};
enum { INFO_TEXTS = sizeof info_texts / sizeof info_texts[0] };

static const char **info_text(ocelotl_trace *trace, size_t index)
{
    return (const char **)(void *)((char *)&trace->info + info_texts[index].place);
}

typedef struct meta_reader {
    ocelotl_trace *trace;
    oc_table_checksum sum;
} meta_reader;

/* Checksums of tables are kept; all else has its own one. */
static ocelotl_status read_meta_row(void *context, const oc_row *row)
{
    meta_reader *reader = context;
    ocelotl_trace *trace = reader->trace;
    const char *key = (const char *)sqlite3_column_text(row->statement, 0);
    const oc_table table = key != NULL ? oc_table_of_key(key) : OC_TABLE_COUNT;
    if (table != OC_TABLE_COUNT) {
        trace->table_checksums[table] = (uint64_t)sqlite3_column_int64(row->statement, 1);
        trace->has_table_checksum[table] = true;
        return OCELOTL_OK;
    }
    OC_TRY(oc_table_checksum_add(&reader->sum, row->statement));
    key = (const char *)sqlite3_column_text(row->statement, 0);
    if (key == NULL)
        return damaged(trace, "a key without a name");
    for (size_t i = 0; i < INFO_TEXTS; i++)
        if (strcmp(key, info_texts[i].key) == 0 && *info_text(trace, i) == NULL)
            return read_name(info_text(trace, i), trace, row, 1);
    return read_meta_number(trace, key, row);
}

static ocelotl_status read_meta(ocelotl_trace *trace)
{
    meta_reader reader = {.trace = trace};
    const ocelotl_trace_info *info = &trace->info;
    int64_t length;
    oc_row row = {.path = trace->path, .what = "meta row", .text_left = &trace->text_left};
    const ocelotl_status status =
        oc_rows_read(&row, trace->database, oc_table_query(OC_TABLE_META), read_meta_row, &reader);
    oc_text_free(&reader.sum.row);
    OC_TRY(status);
    OC_TRY(check_table(trace, OC_TABLE_META, reader.sum.checksum));
    if (info->tick_numerator == 0 || info->tick_denominator == 0)
        return damaged(trace, "the tick is not a number of seconds");
    if (info->begin > info->end || __builtin_sub_overflow(info->end, info->begin, &length))
        return damaged(trace, "the trace ends before it begins");
    for (size_t i = 0; i < INFO_TEXTS; i++)
        if (*info_text(trace, i) == NULL)
            return damaged(trace,
                           "it has no name, source, format, importer, origin, uid or producer");
    return OCELOTL_OK;
}

static ocelotl_status read_unit(void *context, const oc_row *row)
{
    static const size_t prefix = sizeof OC_STORE_UNIT_KEY - 1;
    ocelotl_trace *trace = context;
    const char *key = (const char *)sqlite3_column_text(row->statement, 0);
    char *end = NULL;
    const unsigned long long id =
        key != NULL && strlen(key) > prefix ? strtoull(key + prefix, &end, 10) : 0;
    if (end == NULL || *end != '\0' || id >= trace->event_type_count)
        return damaged(trace, "a unit of nothing");
    return read_name(&trace->event_types[id].unit, trace, row, 1);
}

/* "STAMP<tab>PATH" */
static ocelotl_status read_file(void *context, const oc_row *row)
{
    ocelotl_trace *trace = context;
    const char *text = NULL;
    OC_TRY(oc_arena_grow(&trace->files, &trace->file_capacity, &trace->arena,
                         (size_t)trace->file_count + 1, sizeof *trace->files));
    OC_TRY(read_name(&text, trace, row, 1));
    const char *tab = strchr(text, '\t');
    if (tab == NULL)
        return damaged(trace, "a file without its stamp");
    trace->files[trace->file_count++] = (ocelotl_trace_file){
        .path = tab + 1,
        .stamp = oc_arena_copy_bytes(&trace->arena, text, (size_t)(tab - text)),
    };
    return oc_arena_status(&trace->arena);
}

/* Reads rows of `meta`, which few traces have. The table is read from its beginning, as when its
 * checksum was looked at. */
static ocelotl_status read_some_meta(ocelotl_trace *trace, const char *what, const char *sql,
                                     ocelotl_status (*read)(void *context, const oc_row *row))
{
    oc_row row = {.path = trace->path, .what = what, .text_left = &trace->text_left};
    return oc_rows_read(&row, trace->database, sql, read, trace);
}

static ocelotl_status check_file(ocelotl_trace *trace)
{
    struct stat found;
    if (stat(trace->path, &found) != 0)
        return oc_fail(OCELOTL_ERROR_IO, "%s: %s", trace->path, strerror(errno));
    if (S_ISDIR(found.st_mode))
        return oc_fail(OCELOTL_ERROR_IO, "%s: is a directory, expected a trace.db", trace->path);
    if (found.st_size == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace.db", trace->path);
    trace->info.file_size = (uint64_t)found.st_size;
    trace->text_left = trace->info.file_size;
    return OCELOTL_OK;
}

/* Counted one place ahead, the places are where each type's values begin once they are summed. */
static ocelotl_status sort_values(ocelotl_trace *trace)
{
    OC_TRY(oc_arena_allocate(&trace->typed_values, &trace->arena, trace->value_count,
                             sizeof *trace->typed_values));
    OC_TRY(oc_arena_allocate(&trace->first_typed, &trace->arena,
                             (size_t)trace->event_type_count + 2, sizeof *trace->first_typed));
    uint32_t *next = trace->first_typed + 1;
    for (uint32_t v = 0; v < trace->value_count; v++)
        next[trace->values[v].event_type + 1]++;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        next[e + 1] += next[e];
    for (uint32_t v = 0; v < trace->value_count; v++)
        trace->typed_values[next[trace->values[v].event_type]++] = v;
    return OCELOTL_OK;
}

static ocelotl_status read_tables(ocelotl_trace *trace)
{
    OC_TRY(read_meta(trace));
    OC_TRY(read_some_meta(trace, "file",
                          "SELECT key, value FROM meta WHERE +key GLOB '" OC_STORE_FILE_KEY
                          "*' ORDER BY length(key), key",
                          read_file));
    trace->info.derived_from = trace->info.derivation = "";
    OC_TRY(read_some_meta(trace, "note",
                          "SELECT key, value FROM meta WHERE +key GLOB '" OC_STORE_ALIGNED_KEY
                          "*' OR +key GLOB '" OC_STORE_CLOCK_KEY
                          "*' OR +key IN ('" OC_STORE_DERIVED_KEY "', '" OC_STORE_DERIVATION_KEY
                          "') ORDER BY length(key), key",
                          oc_note_read));
    OC_TRY(read_table(trace, &trace->resource_types, sizeof *trace->resource_types,
                      &trace->resource_type_count, "resource type", OC_TABLE_RESOURCE_TYPE,
                      read_resource_type));
    OC_TRY(read_table(trace, &trace->resources, sizeof *trace->resources, &trace->resource_count,
                      "resource", OC_TABLE_RESOURCE, read_resource));
    OC_TRY(read_table(trace, &trace->event_types, sizeof *trace->event_types,
                      &trace->event_type_count, "event type", OC_TABLE_EVENT_TYPE,
                      read_event_type));
    OC_TRY(read_some_meta(trace, "unit",
                          "SELECT key, value FROM meta WHERE +key GLOB '" OC_STORE_UNIT_KEY "*'",
                          read_unit));
    OC_TRY(read_table(trace, &trace->values, sizeof *trace->values, &trace->value_count, "value",
                      OC_TABLE_VALUE, read_value));
    OC_TRY(read_table(trace, &trace->streams, sizeof *trace->streams, &trace->stream_count,
                      "stream", OC_TABLE_STREAM, read_stream));
    OC_TRY(oc_ranges_check(trace));
    OC_TRY(sort_values(trace));
    OC_TRY(oc_trace_spell(trace));
    OC_TRY(read_table(trace, &trace->dictionaries, sizeof *trace->dictionaries,
                      &trace->dictionary_count, "dictionary", OC_TABLE_DICTIONARY,
                      read_dictionary));
    OC_TRY(read_table(trace, &trace->warnings, sizeof *trace->warnings, &trace->warning_count,
                      "warning", OC_TABLE_IMPORT_WARNING, read_warning));
    return read_table(trace, &trace->source_kinds, sizeof *trace->source_kinds,
                      &trace->source_kind_count, "kind of the source", OC_TABLE_SOURCE_KIND,
                      read_source_kind);
}

static ocelotl_status open_trace(ocelotl_trace *trace, const char *path, const char *label)
{
    oc_work_bound bound;
    trace->path = oc_arena_copy(&trace->arena, path);
    trace->label = oc_arena_copy(&trace->arena, label);
    OC_TRY(oc_arena_status(&trace->arena));
    OC_TRY(check_file(trace));
    OC_TRY(oc_connection_open(&trace->database, path, trace->info.file_size));
    oc_connection_bind(trace->database, &bound, trace->info.file_size);
    const ocelotl_status status = read_tables(trace);
    oc_connection_unbind(trace->database);
    return status;
}

ocelotl_status ocelotl_trace_open(ocelotl_trace **trace, const char *path)
{
    return ocelotl_trace_open_as(trace, path, path);
}

ocelotl_status ocelotl_trace_open_as(ocelotl_trace **trace, const char *path, const char *label)
{
    ocelotl_trace *made = NULL;
    OC_TRY(oc_arena_make(&made, sizeof *made));
    const ocelotl_status status = open_trace(made, path, label);
    if (status != OCELOTL_OK) {
        ocelotl_trace_free(made);
        return status;
    }
    *trace = made;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_trace_open_again(ocelotl_trace **again, const ocelotl_trace *trace)
{
    return ocelotl_trace_open_as(again, trace->path, trace->label);
}

void ocelotl_trace_free(ocelotl_trace *trace)
{
    if (trace == NULL)
        return;
    sqlite3_close(trace->database);
    for (uint32_t i = 0; i < trace->dictionary_count; i++)
        ZSTD_freeDDict(trace->dictionaries[i].ready);
    oc_arena_free(&trace->arena);
}

void ocelotl_trace_get_info(ocelotl_trace_info *info, const ocelotl_trace *trace)
{
    oc_give_info(info, &trace->info, sizeof trace->info);
}

double ocelotl_trace_seconds(const ocelotl_trace *trace, int64_t ticks)
{
    return (double)ticks * (double)trace->info.tick_numerator /
           (double)trace->info.tick_denominator;
}

uint32_t ocelotl_trace_resource_type_count(const ocelotl_trace *trace)
{
    return trace->resource_type_count;
}

ocelotl_resource_type ocelotl_trace_resource_type_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->resource_type_count ? trace->resource_types[index]
                                              : (ocelotl_resource_type){.name = ""};
}

uint32_t ocelotl_trace_resource_count(const ocelotl_trace *trace)
{
    return trace->resource_count;
}

ocelotl_resource ocelotl_trace_resource_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->resource_count ? trace->resources[index] : (ocelotl_resource){.name = ""};
}

uint32_t ocelotl_trace_event_type_count(const ocelotl_trace *trace)
{
    return trace->event_type_count;
}

ocelotl_event_type ocelotl_trace_event_type_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->event_type_count ? trace->event_types[index]
                                           : (ocelotl_event_type){.name = "", .unit = ""};
}

uint32_t ocelotl_trace_value_count(const ocelotl_trace *trace)
{
    return trace->value_count;
}

ocelotl_value ocelotl_trace_value_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->value_count ? trace->values[index] : (ocelotl_value){.name = ""};
}

uint32_t ocelotl_trace_event_type_value_count(const ocelotl_trace *trace, uint32_t event_type)
{
    return event_type < trace->event_type_count
               ? trace->first_typed[event_type + 1] - trace->first_typed[event_type]
               : 0;
}

uint32_t ocelotl_trace_event_type_value_at(const ocelotl_trace *trace, uint32_t event_type,
                                           uint32_t index)
{
    return index < ocelotl_trace_event_type_value_count(trace, event_type)
               ? trace->typed_values[trace->first_typed[event_type] + index]
               : OCELOTL_NONE;
}

uint32_t ocelotl_trace_file_count(const ocelotl_trace *trace)
{
    return trace->file_count;
}

ocelotl_trace_file ocelotl_trace_file_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->file_count ? trace->files[index] : (ocelotl_trace_file){"", ""};
}

uint32_t ocelotl_trace_warning_count(const ocelotl_trace *trace)
{
    return trace->warning_count;
}

ocelotl_warning ocelotl_trace_warning_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->warning_count ? trace->warnings[index]
                                        : (ocelotl_warning){.kind = "", .detail = ""};
}

uint32_t ocelotl_trace_source_kind_count(const ocelotl_trace *trace)
{
    return trace->source_kind_count;
}

ocelotl_source_kind ocelotl_trace_source_kind_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->source_kind_count ? trace->source_kinds[index]
                                            : (ocelotl_source_kind){.kind = "", .why = ""};
}

static ocelotl_status check_uid(const ocelotl_trace *trace, sqlite3_stmt *statement)
{
    bool row;
    OC_TRY(oc_database_row(&row, statement, trace->path));
    const char *uid = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (uid == NULL || strcmp(uid, trace->info.uid) != 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is not the trace any more that was opened",
                       trace->path);
    return OCELOTL_OK;
}

/* Somebody may have put another file there since the trace was opened. */
ocelotl_status oc_connect(oc_connection *connection, const ocelotl_trace *trace)
{
    sqlite3_stmt *statement = NULL;
    *connection = (oc_connection){.trace = trace};
    OC_TRY(oc_connection_open(&connection->database, trace->path, trace->info.file_size));
    ocelotl_status status = oc_database_prepare(&statement, connection->database, trace->path,
                                                "SELECT value FROM meta WHERE key = 'uid'");
    if (status == OCELOTL_OK)
        status = check_uid(trace, statement);
    sqlite3_finalize(statement);
    return status;
}

ocelotl_status oc_fail_in_trace(const ocelotl_trace *trace, ocelotl_status status)
{
    if (status != OCELOTL_ERROR_INPUT)
        return status;
    const char *message = ocelotl_error_message();
    const size_t length = strlen(trace->path);
    const bool named = strncmp(message, trace->path, length) == 0 && message[length] == ':';
    return named ? status : oc_fail_within(OCELOTL_ERROR_INPUT, "%s", trace->path);
}
