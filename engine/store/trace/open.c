/* Opening a trace.db: its names and totals are read once; events stay on disk. Rows are checked
 * each by itself, then against each other. */
#include "store/trace/trace.h"

#include "base/plain.h"
#include "base/text.h"
#include "store/file/chunk_row.h"
#include "store/file/database.h"
#include "store/file/tables.h"
#include "store/trace/names.h"
#include "store/trace/paths.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
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

/* The unit or the kind of a variable: their keys are equally long. */
static ocelotl_status read_unit(void *context, const oc_row *row)
{
    static const size_t prefix = sizeof OC_STORE_UNIT_KEY - 1;
    _Static_assert(sizeof OC_STORE_UNIT_KEY == sizeof OC_STORE_KIND_KEY, "one prefix for both");
    ocelotl_trace *trace = context;
    const char *kind = NULL;
    const char *key = (const char *)sqlite3_column_text(row->statement, 0);
    char *end = NULL;
    const unsigned long long id =
        key != NULL && strlen(key) > prefix ? strtoull(key + prefix, &end, 10) : 0;
    if (end == NULL || *end != '\0' || id >= trace->event_type_count)
        return damaged(trace, "a unit of nothing");
    ocelotl_event_type *type = &trace->event_types[id];
    if (strncmp(key, OC_STORE_UNIT_KEY, prefix) == 0)
        return read_name(&type->unit, trace, row, 1);
    OC_TRY(read_name(&kind, trace, row, 1));
    type->kind = OCELOTL_COUNTER;
    return type->category == OCELOTL_VARIABLE && strcmp(kind, OC_STORE_KIND_COUNTER) == 0
               ? OCELOTL_OK
               : damaged(trace, "a variable of an unknown kind");
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

/* --- Notes: what a trace.db says of clocks, of the files that it was made of and of the trace that
 * it was derived from */

static bool read_number(double *number, const char *text)
{
    char *end;
    *number = oc_plain_number(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

static bool read_count(uint64_t *count, const char *text, uint64_t most)
{
    char *end;
    *count = strtoumax(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && *count <= most;
}

/* Cuts the field behind the last semicolon off a text; NULL: it has none. */
static char *cut_field(char *text)
{
    char *semicolon = strrchr(text, ';');
    if (semicolon != NULL)
        *semicolon = '\0';
    return semicolon != NULL ? semicolon + 1 : NULL;
}

enum { OFFSET, DRIFT, BOUND, SAMPLES, MESSAGES, GROUP, FIELDS };

/* Reads path;offset;drift;bound;samples;messages;group; the path may have any letters. */
static bool read_clock(ocelotl_set_clock *clock, char *text)
{
    const char *fields[FIELDS];
    uint64_t group;
    for (int i = FIELDS; i-- > 0;)
        if ((fields[i] = cut_field(text)) == NULL)
            return false;
    clock->path = text;
    if (!read_number(&clock->offset, fields[OFFSET]) ||
        !read_number(&clock->drift, fields[DRIFT]) ||
        !read_count(&clock->samples, fields[SAMPLES], UINT64_MAX) ||
        !read_count(&clock->messages, fields[MESSAGES], UINT64_MAX) ||
        !read_count(&group, fields[GROUP], UINT32_MAX))
        return false;
    clock->group = (uint32_t)group;
    clock->bound = INFINITY;
    return fields[BOUND][0] == '\0' ||
           (read_number(&clock->bound, fields[BOUND]) && clock->bound >= 0);
}

static ocelotl_status add_clock(ocelotl_trace *trace, const char *text)
{
    oc_notes *notes = &trace->notes;
    const size_t length = strlen(text) + 1;
    char *fields = NULL;
    OC_TRY(oc_arena_grow(&notes->clocks, &notes->clock_capacity, &trace->arena,
                         notes->clock_count + 1, sizeof *notes->clocks));
    OC_TRY(oc_arena_allocate(&fields, &trace->arena, length, 1));
    memcpy(fields, text, length);
    if (!read_clock(&notes->clocks[notes->clock_count++], fields))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: a clock that is no clock",
                       trace->path);
    return OCELOTL_OK;
}

static ocelotl_status read_note(void *context, const oc_row *row)
{
    static const size_t prefix = sizeof OC_STORE_CLOCK_KEY - 1;
    ocelotl_trace *trace = context;
    oc_notes *notes = &trace->notes;
    oc_note note;
    OC_TRY(oc_arena_grow(&notes->notes, &notes->capacity, &trace->arena, notes->count + 1,
                         sizeof *notes->notes));
    OC_TRY(oc_row_text(&note.key, &trace->arena, row, 0));
    OC_TRY(oc_row_text(&note.text, &trace->arena, row, 1));
    notes->notes[notes->count++] = note;
    if (strcmp(note.key, OC_STORE_DERIVED_KEY) == 0)
        trace->info.derived_from = note.text;
    if (strcmp(note.key, OC_STORE_DERIVATION_KEY) == 0)
        trace->info.derivation = note.text;
    return strncmp(note.key, OC_STORE_CLOCK_KEY, prefix) == 0 ? add_clock(trace, note.text)
                                                              : OCELOTL_OK;
}

/* --- Shards of a run */

static ocelotl_status read_shard(void *context, const oc_row *row)
{
    ocelotl_trace *trace = context;
    const char *slash = strrchr(trace->path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash + 1 - trace->path) : 0;
    const char *text = NULL;
    char *path = NULL;
    OC_TRY(oc_arena_grow(&trace->shards, &trace->shard_capacity, &trace->arena,
                         (size_t)trace->shard_count + 1, sizeof *trace->shards));
    OC_TRY(read_name(&text, trace, row, 1));
    const size_t length = strlen(text) + 1;
    OC_TRY(oc_arena_allocate(&path, &trace->arena, folder + length, 1));
    memcpy(path, trace->path, folder);
    memcpy(path + folder, text, length);
    oc_shard shard = {.path = path};
    uint64_t numbers[3];
    bool is_read = true;
    for (size_t i = 3; i > 0; i--) {
        const char *field = cut_field(path + folder);
        is_read = is_read && field != NULL && read_count(&numbers[i - 1], field, INT64_MAX);
    }
    shard.uid = cut_field(path + folder);
    if (!is_read || shard.uid == NULL || path[folder] == '\0' ||
        strchr(path + folder, '/') != NULL || numbers[1] >= UINT32_MAX || numbers[2] >= UINT32_MAX)
        return damaged(trace, "a shard that is no file of streams");
    shard.file_size = numbers[0];
    shard.stream_count = (uint32_t)numbers[1];
    shard.first_resource = (uint32_t)numbers[2];
    trace->shards[trace->shard_count++] = shard;
    return OCELOTL_OK;
}

/* Says by resource which shard has it: *shard_of is in an arena. */
static ocelotl_status place_resources(uint32_t **shard_of, oc_arena *scratch,
                                      const ocelotl_trace *trace)
{
    uint32_t *places = NULL;
    uint32_t *first = NULL; /* by place: the shard that begins there, + 1 */
    OC_TRY(oc_find_places(&places, scratch, trace));
    OC_TRY(oc_arena_allocate(&first, scratch, trace->resource_count, sizeof *first));
    OC_TRY(oc_arena_allocate(shard_of, scratch, trace->resource_count, sizeof **shard_of));
    for (uint32_t s = 0; s < trace->shard_count; s++) {
        if (trace->shards[s].first_resource >= trace->resource_count)
            return trace->resource_count > 0 ? damaged(trace, "a shard of unknown resources")
                                             : OCELOTL_OK;
        first[places[trace->shards[s].first_resource]] = s + 1;
    }
    for (uint32_t place = 0, shard = 0; place < trace->resource_count; place++)
        first[place] = shard = first[place] > 0 ? first[place] - 1 : shard;
    for (uint32_t r = 0; r < trace->resource_count; r++)
        (*shard_of)[r] = first[places[r]];
    return OCELOTL_OK;
}

/* Says of each stream where it is. Those of a shard have the same order there. */
static ocelotl_status place_streams(ocelotl_trace *trace, oc_arena *scratch)
{
    uint32_t *shard_of = NULL;
    uint32_t *next = NULL; /* by shard */
    if (trace->shard_count == 0)
        return OCELOTL_OK;
    OC_TRY(place_resources(&shard_of, scratch, trace));
    OC_TRY(oc_arena_allocate(&next, scratch, trace->shard_count, sizeof *next));
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        trace->streams[s].shard = shard_of[trace->streams[s].resource];
        trace->streams[s].stored = next[trace->streams[s].shard]++;
    }
    for (uint32_t s = 0; s < trace->shard_count; s++) {
        uint64_t *size = &trace->info.file_size;
        if (next[s] != trace->shards[s].stream_count)
            return damaged(trace, "it has other streams than its shards");
        if (__builtin_add_overflow(*size, trace->shards[s].file_size, size) || *size > INT64_MAX)
            return damaged(trace, "its shards are too large");
    }
    OC_TRY(oc_arena_allocate(&trace->shard_databases, &trace->arena, trace->shard_count,
                             sizeof(sqlite3 *)));
    OC_TRY(oc_arena_allocate(&trace->opening, &trace->arena, 1, sizeof *trace->opening));
    return pthread_mutex_init(trace->opening, NULL) == 0 ? OCELOTL_OK : oc_fail_memory();
}

/* --- Counts against each other: they sum up to 63 bits, values have no more events than their
 * type, and no two streams share resource, event type and role */

enum { ROLES = OC_ROLE_LINKS_IN + 1 };

static bool add(uint64_t *sum, uint64_t count)
{
    *sum += count; /* both have 63 bits */
    return *sum <= INT64_MAX;
}

static ocelotl_status check_sums(const ocelotl_trace *trace)
{
    uint64_t events = 0;
    uint64_t records = 0;
    bool fits = true;
    for (uint32_t t = 0; t < trace->event_type_count && fits; t++)
        fits = add(&events, trace->event_types[t].count);
    for (uint32_t s = 0; s < trace->stream_count && fits; s++)
        fits = add(&records, trace->streams[s].count);
    return fits ? OCELOTL_OK : damaged(trace, "more than 2^63 events");
}

/* `left` is by event type. */
/* `first` has the first stream of each resource and `next` of each stream the next one there, all +
 * 1; `seen` has by event type and role the last resource, + 1, that had such a stream. */
static ocelotl_status check_streams(const ocelotl_trace *trace, uint32_t *first, uint32_t *next,
                                    uint32_t *seen)
{
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        next[s] = first[trace->streams[s].resource];
        first[trace->streams[s].resource] = s + 1;
    }
    for (uint32_t r = 0; r < trace->resource_count; r++)
        for (uint32_t s = first[r]; s != 0; s = next[s - 1]) {
            const oc_stream *stream = &trace->streams[s - 1];
            uint32_t *last = &seen[(size_t)stream->event_type * ROLES + (size_t)stream->role];
            if (*last == r + 1)
                return oc_fail(OCELOTL_ERROR_INPUT,
                               "%s: is damaged: stream %" PRIu32 " is there twice", trace->path,
                               s - 1);
            *last = r + 1;
        }
    return OCELOTL_OK;
}

static ocelotl_status check_counts(const ocelotl_trace *trace, oc_arena *scratch)
{
    const size_t types = trace->event_type_count;
    uint64_t *left = NULL; /* by event type */
    uint32_t *first = NULL;
    uint32_t *next = NULL;
    uint32_t *seen = NULL;
    OC_TRY(check_sums(trace));
    OC_TRY(oc_arena_allocate(&left, scratch, types, sizeof *left));
    for (uint32_t t = 0; t < types; t++)
        left[t] = trace->event_types[t].count;
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const ocelotl_value *value = &trace->values[v];
        if (value->count > left[value->event_type])
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: is damaged: value %" PRIu32 " has %" PRIu64
                           " events, expected no more than its type",
                           trace->path, v, value->count);
        left[value->event_type] -= value->count;
    }
    OC_TRY(oc_arena_allocate(&first, scratch, trace->resource_count, sizeof *first));
    OC_TRY(oc_arena_allocate(&next, scratch, trace->stream_count, sizeof *next));
    OC_TRY(oc_arena_allocate(&seen, scratch, types * ROLES, sizeof *seen));
    return check_streams(trace, first, next, seen);
}

/* --- All of it */

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

static ocelotl_status read_dictionaries(ocelotl_trace *trace)
{
    return read_table(trace, &trace->dictionaries, sizeof *trace->dictionaries,
                      &trace->dictionary_count, "dictionary", OC_TABLE_DICTIONARY, read_dictionary);
}

static ocelotl_status read_tables(ocelotl_trace *trace, oc_arena *scratch)
{
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
                          read_note));
    OC_TRY(read_table(trace, &trace->resource_types, sizeof *trace->resource_types,
                      &trace->resource_type_count, "resource type", OC_TABLE_RESOURCE_TYPE,
                      read_resource_type));
    OC_TRY(read_table(trace, &trace->resources, sizeof *trace->resources, &trace->resource_count,
                      "resource", OC_TABLE_RESOURCE, read_resource));
    OC_TRY(read_table(trace, &trace->event_types, sizeof *trace->event_types,
                      &trace->event_type_count, "event type", OC_TABLE_EVENT_TYPE,
                      read_event_type));
    OC_TRY(read_some_meta(trace, "unit",
                          "SELECT key, value FROM meta WHERE +key GLOB '" OC_STORE_UNIT_KEY
                          "*' OR +key GLOB '" OC_STORE_KIND_KEY "*'",
                          read_unit));
    OC_TRY(read_table(trace, &trace->values, sizeof *trace->values, &trace->value_count, "value",
                      OC_TABLE_VALUE, read_value));
    OC_TRY(read_table(trace, &trace->streams, sizeof *trace->streams, &trace->stream_count,
                      "stream", OC_TABLE_STREAM, read_stream));
    OC_TRY(read_some_meta(trace, "shard",
                          "SELECT key, value FROM meta WHERE +key GLOB '" OC_STORE_SHARD_KEY
                          "*' ORDER BY length(key), key",
                          read_shard));
    OC_TRY(place_streams(trace, scratch));
    OC_TRY(check_counts(trace, scratch));
    OC_TRY(sort_values(trace));
    OC_TRY(oc_trace_spell(trace, scratch));
    OC_TRY(read_dictionaries(trace));
    OC_TRY(read_table(trace, &trace->warnings, sizeof *trace->warnings, &trace->warning_count,
                      "warning", OC_TABLE_IMPORT_WARNING, read_warning));
    return read_table(trace, &trace->source_kinds, sizeof *trace->source_kinds,
                      &trace->source_kind_count, "kind of the source", OC_TABLE_SOURCE_KIND,
                      read_source_kind);
}

ocelotl_status oc_trace_find(const char **path, oc_arena *arena, const char *given)
{
    struct stat found;
    oc_text text = {0};
    oc_text_format(&text, "%s", given);
    if (stat(given, &found) == 0 && S_ISDIR(found.st_mode))
        oc_text_format(&text, "%s" OC_RUN_FILE, given[strlen(given) - 1] == '/' ? "" : "/");
    *path = text.failed ? NULL : oc_arena_copy(arena, text.bytes);
    oc_text_free(&text);
    return *path == NULL ? oc_fail_memory() : oc_arena_status(arena);
}

static ocelotl_status open_trace(ocelotl_trace *trace, const char *given, const char *label,
                                 bool bytes_alone)
{
    struct stat found;
    oc_work_bound bound;
    oc_arena scratch = {0};
    trace->label = oc_arena_copy(&trace->arena, label);
    OC_TRY(oc_trace_find(&trace->path, &trace->arena, given));
    const char *path = trace->path;
    if (stat(path, &found) != 0)
        return stat(given, &found) != 0
                   ? oc_fail(OCELOTL_ERROR_IO, "%s: %s", path, strerror(errno))
                   : oc_fail(OCELOTL_ERROR_IO,
                             "%s: is a directory without a " OC_RUN_FILE
                             ", expected a trace.db or a run (whose shards are traces, too)",
                             given);
    if (found.st_size == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace.db", path);
    trace->text_left = trace->info.file_size = (uint64_t)found.st_size;
    OC_TRY(oc_connection_open(&trace->database, path, trace->info.file_size));
    oc_connection_bind(trace->database, &bound, trace->info.file_size);
    ocelotl_status status = read_meta(trace);
    if (status == OCELOTL_OK)
        status = bytes_alone ? read_dictionaries(trace) : read_tables(trace, &scratch);
    oc_connection_unbind(trace->database);
    oc_arena_free(&scratch);
    return status;
}

ocelotl_status ocelotl_trace_open(ocelotl_trace **trace, const char *path)
{
    return ocelotl_trace_open_as(trace, path, path);
}

static ocelotl_status open_as(ocelotl_trace **trace, const char *path, const char *label,
                              bool bytes_alone)
{
    ocelotl_trace *made = NULL;
    OC_TRY(oc_arena_make(&made, sizeof *made));
    const ocelotl_status status = open_trace(made, path, label, bytes_alone);
    if (status == OCELOTL_OK)
        *trace = made;
    else
        ocelotl_trace_free(made);
    return status;
}

ocelotl_status ocelotl_trace_open_as(ocelotl_trace **trace, const char *path, const char *label)
{
    return open_as(trace, path, label, false);
}

ocelotl_status oc_trace_open_bytes(ocelotl_trace **trace, const char *path)
{
    return open_as(trace, path, path, true);
}

ocelotl_status ocelotl_trace_open_again(ocelotl_trace **again, const ocelotl_trace *trace)
{
    return ocelotl_trace_open_as(again, trace->path, trace->label);
}
