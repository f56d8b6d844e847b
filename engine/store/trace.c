/* Opening a trace.db: its names and totals are read once; events stay on disk. */
#include "store/trace.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/schema.h"
#include "store/spelling.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads one row of a table into item `index`. */
typedef ocelotl_status (*read_row)(ocelotl_trace *trace, uint32_t index, sqlite3_stmt *row);

static ocelotl_status damaged(const ocelotl_trace *trace, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: %s", trace->path, what);
}

static ocelotl_status read_text(char **text, sqlite3_stmt *row, int column)
{
    const char *found = (const char *)sqlite3_column_text(row, column);
    return oc_copy_utf8(text, found != NULL ? found : "");
}

static ocelotl_status read_name(const char **name, sqlite3_stmt *row, int column)
{
    char *text = NULL;
    OC_TRY(read_text(&text, row, column));
    *name = text;
    return OCELOTL_OK;
}

/* Names are constant for users, but allocated here. */
static void free_name(const char *name)
{
    union {
        const char *constant;
        void *memory;
    } both = {name};
    free(both.memory);
}

/* A reference to a row of another table, or none. */
static ocelotl_status read_reference(uint32_t *reference, const ocelotl_trace *trace, sqlite3_stmt *row, int column,
                                     uint32_t count)
{
    *reference = OCELOTL_NONE;
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return OCELOTL_OK;
    const sqlite3_int64 found = sqlite3_column_int64(row, column);
    if (found < 0 || found >= count)
        return damaged(trace, "a reference to nothing");
    *reference = (uint32_t)found;
    return OCELOTL_OK;
}

static int32_t read_colour(sqlite3_stmt *row, int column)
{
    if (sqlite3_column_type(row, column) == SQLITE_NULL)
        return -1;
    return (int32_t)(sqlite3_column_int64(row, column) & 0xFFFFFF);
}

static ocelotl_status read_resource_type(ocelotl_trace *trace, uint32_t index, sqlite3_stmt *row)
{
    ocelotl_resource_type *type = &trace->resource_types[index];
    OC_TRY(read_name(&type->name, row, 2));
    return read_reference(&type->parent, trace, row, 1, index);
}

static ocelotl_status read_resource(ocelotl_trace *trace, uint32_t index, sqlite3_stmt *row)
{
    ocelotl_resource *resource = &trace->resources[index];
    OC_TRY(read_name(&resource->name, row, 3));
    /* Parents come first: no circle can be. */
    OC_TRY(read_reference(&resource->parent, trace, row, 1, index));
    OC_TRY(read_reference(&resource->type, trace, row, 2, trace->resource_type_count));
    resource->begin = sqlite3_column_int64(row, 4);
    resource->end = sqlite3_column_int64(row, 5);
    if (resource->begin < trace->info.begin || resource->end > trace->info.end || resource->begin > resource->end)
        return damaged(trace, "a resource lives outside the trace");
    if (resource->type != OCELOTL_NONE)
        trace->resource_types[resource->type].resources++;
    return OCELOTL_OK;
}

static ocelotl_status read_event_type(ocelotl_trace *trace, uint32_t index, sqlite3_stmt *row)
{
    ocelotl_event_type *type = &trace->event_types[index];
    OC_TRY(read_name(&type->name, row, 3));
    OC_TRY(read_reference(&type->resource_type, trace, row, 2, trace->resource_type_count));
    const sqlite3_int64 category = sqlite3_column_int64(row, 1);
    if (category < OCELOTL_EVENT || category > OCELOTL_LINK)
        return damaged(trace, "an event type without a category");
    type->category = (ocelotl_category)category;
    type->colour = read_colour(row, 4);
    type->count = (uint64_t)sqlite3_column_int64(row, 5);
    type->unmatched = (uint64_t)sqlite3_column_int64(row, 6);
    char *unit = NULL;
    OC_TRY(oc_copy_text(&unit, ""));
    type->unit = unit;
    return OCELOTL_OK;
}

static ocelotl_status read_value(ocelotl_trace *trace, uint32_t index, sqlite3_stmt *row)
{
    ocelotl_value *value = &trace->values[index];
    OC_TRY(read_name(&value->name, row, 2));
    OC_TRY(read_reference(&value->event_type, trace, row, 1, trace->event_type_count));
    if (value->event_type == OCELOTL_NONE)
        return damaged(trace, "a value without a type");
    value->colour = read_colour(row, 3);
    value->count = (uint64_t)sqlite3_column_int64(row, 4);
    value->innermost_ticks = sqlite3_column_int64(row, 5);
    value->inclusive_ticks = sqlite3_column_int64(row, 6);
    return OCELOTL_OK;
}

static ocelotl_status read_warning(ocelotl_trace *trace, uint32_t index, sqlite3_stmt *row)
{
    ocelotl_warning *warning = &trace->warnings[index];
    OC_TRY(read_name(&warning->kind, row, 1));
    OC_TRY(read_name(&warning->detail, row, 3));
    warning->count = (uint64_t)sqlite3_column_int64(row, 2);
    return OCELOTL_OK;
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

static ocelotl_status read_stream(ocelotl_trace *trace, uint32_t index, sqlite3_stmt *row)
{
    oc_stream *stream = &trace->streams[index];
    OC_TRY(read_reference(&stream->resource, trace, row, 1, trace->resource_count));
    OC_TRY(read_reference(&stream->event_type, trace, row, 2, trace->event_type_count));
    if (stream->resource == OCELOTL_NONE || stream->event_type == OCELOTL_NONE)
        return damaged(trace, "a stream of nothing");
    const sqlite3_int64 role = sqlite3_column_int64(row, 3);
    if (role < OC_ROLE_EVENTS || role > OC_ROLE_LINKS_IN ||
        !role_fits((oc_role)role, trace->event_types[stream->event_type].category))
        return damaged(trace, "a stream without a role");
    stream->role = (oc_role)role;
    stream->count = (uint64_t)sqlite3_column_int64(row, 4);
    stream->begin = sqlite3_column_int64(row, 5);
    stream->end = sqlite3_column_int64(row, 6);
    return OCELOTL_OK;
}

static ocelotl_status read_rows(ocelotl_trace *trace, void *items, size_t size, uint32_t *count,
                                sqlite3_stmt *statement, read_row read)
{
    size_t capacity = 0;
    for (;;) {
        bool row;
        OC_TRY(oc_database_row(&row, statement, trace->path));
        if (!row)
            return OCELOTL_OK;
        OC_TRY(oc_grow(items, &capacity, (size_t)*count + 1, size));
        char *base;
        memcpy(&base, items, sizeof base);
        memset(base + (size_t)*count * size, 0, size);
        if (*count == UINT32_MAX - 1)
            return damaged(trace, "too many rows");
        if (sqlite3_column_int64(statement, 0) != (sqlite3_int64)*count)
            return damaged(trace, "a row is missing");
        ++*count;
        OC_TRY(read(trace, *count - 1, statement));
    }
}

/* Rows of a table come in the order of their ids, which count from 0: an id is an index. */
static ocelotl_status read_table(ocelotl_trace *trace, void *items, size_t size, uint32_t *count, const char *sql,
                                 read_row read)
{
    sqlite3_stmt *statement = NULL;
    ocelotl_status status = oc_database_prepare(&statement, trace->database, trace->path, sql);
    if (status == OCELOTL_OK)
        status = read_rows(trace, items, size, count, statement, read);
    sqlite3_finalize(statement);
    return status;
}

static ocelotl_status read_meta_row(ocelotl_trace *trace, sqlite3_stmt *row)
{
    static const char *const keys[] = {"name", "source", "format", "importer", "origin", "uid"};
    const char *key = (const char *)sqlite3_column_text(row, 0);
    if (key == NULL)
        return damaged(trace, "a key without a name");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0 && trace->info_texts[i] == NULL)
            return read_text(&trace->info_texts[i], row, 1);
    const sqlite3_int64 number = sqlite3_column_int64(row, 1);
    if (strcmp(key, "tick_numerator") == 0)
        trace->info.tick_numerator = (uint64_t)number;
    else if (strcmp(key, "tick_denominator") == 0)
        trace->info.tick_denominator = (uint64_t)number;
    else if (strcmp(key, "begin") == 0)
        trace->info.begin = number;
    else if (strcmp(key, "end") == 0)
        trace->info.end = number;
    return OCELOTL_OK;
}

static ocelotl_status read_meta_rows(ocelotl_trace *trace, sqlite3_stmt *statement)
{
    for (;;) {
        bool row;
        OC_TRY(oc_database_row(&row, statement, trace->path));
        if (!row)
            return OCELOTL_OK;
        OC_TRY(read_meta_row(trace, statement));
    }
}

static ocelotl_status read_meta(ocelotl_trace *trace)
{
    sqlite3_stmt *statement = NULL;
    int64_t length;
    ocelotl_status status =
        oc_database_prepare(&statement, trace->database, trace->path, "SELECT key, value FROM meta");
    if (status == OCELOTL_OK)
        status = read_meta_rows(trace, statement);
    sqlite3_finalize(statement);
    if (status != OCELOTL_OK)
        return status;
    const ocelotl_trace_info *info = &trace->info;
    if (info->tick_numerator == 0 || info->tick_denominator == 0 || info->tick_numerator > INT64_MAX ||
        info->tick_denominator > INT64_MAX)
        return damaged(trace, "the tick is not a number of seconds");
    if (info->begin > info->end || __builtin_sub_overflow(info->end, info->begin, &length))
        return damaged(trace, "the trace ends before it begins");
    const char **const places[] = {&trace->info.name,     &trace->info.source, &trace->info.format,
                                   &trace->info.importer, &trace->info.origin, &trace->info.uid};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        *places[i] = trace->info_texts[i] != NULL ? trace->info_texts[i] : "";
    return OCELOTL_OK;
}

static ocelotl_status read_unit(ocelotl_trace *trace, sqlite3_stmt *row)
{
    static const size_t prefix = sizeof OC_STORE_UNIT_KEY - 1;
    const char *key = (const char *)sqlite3_column_text(row, 0);
    char *end = NULL;
    const unsigned long long id = key != NULL && strlen(key) > prefix ? strtoull(key + prefix, &end, 10) : 0;
    if (end == NULL || *end != '\0' || id >= trace->event_type_count)
        return damaged(trace, "a unit of nothing");
    free_name(trace->event_types[id].unit);
    trace->event_types[id].unit = NULL;
    return read_name(&trace->event_types[id].unit, row, 1);
}

/* Few traces have any. */
static ocelotl_status read_units(ocelotl_trace *trace)
{
    sqlite3_stmt *statement = NULL;
    bool row = true;
    ocelotl_status status =
        oc_database_prepare(&statement, trace->database, trace->path,
                            "SELECT key, value FROM meta WHERE key GLOB '" OC_STORE_UNIT_KEY "*'");
    while (status == OCELOTL_OK && row) {
        status = oc_database_row(&row, statement, trace->path);
        if (status == OCELOTL_OK && row)
            status = read_unit(trace, statement);
    }
    sqlite3_finalize(statement);
    return status;
}

static ocelotl_status read_number(sqlite3_int64 *number, ocelotl_trace *trace, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    ocelotl_status status = oc_database_prepare(&statement, trace->database, trace->path, sql);
    if (status == OCELOTL_OK)
        status = oc_database_row(&row, statement, trace->path);
    *number = row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

static ocelotl_status check_identity(ocelotl_trace *trace)
{
    sqlite3_int64 number;
    OC_TRY(read_number(&number, trace, "PRAGMA application_id"));
    if (number != OC_STORE_APPLICATION_ID)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is a SQLite database, but not a trace.db", trace->path);
    OC_TRY(read_number(&number, trace, "PRAGMA user_version"));
    if (number != OC_STORE_VERSION)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is a trace.db of version %lld, expected %d; import the trace again", trace->path,
                       (long long)number, OC_STORE_VERSION);
    return OCELOTL_OK;
}

/* A table may be a view in disguise that never ends, and a column may be computed: what is read is bounded before. */
static ocelotl_status check_tables(ocelotl_trace *trace)
{
    static const int shortest_limit = 64 << 20; /* for what is computed from a trace, not read */
    sqlite3_int64 disguised = 0;
    const uint64_t size = trace->info.file_size;
    sqlite3_limit(trace->database, SQLITE_LIMIT_LENGTH,
                  size < (uint64_t)shortest_limit ? shortest_limit
                  : size < INT32_MAX              ? (int)size
                                                  : INT32_MAX);
    OC_TRY(oc_database_execute(trace->database, trace->path, "PRAGMA trusted_schema = OFF"));
    if (sqlite3_libversion_number() >= 3037000)
        OC_TRY(
            read_number(&disguised, trace,
                        "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type <> 'table'"
                        " AND lower(name) IN ('meta', 'resource_type', 'resource', 'event_type', 'value', 'stream',"
                        " 'chunk', 'import_warning')"));
    return disguised == 0 ? OCELOTL_OK : damaged(trace, "a view or a virtual table in the place of a table");
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
    return OCELOTL_OK;
}

static ocelotl_status open_trace(ocelotl_trace *trace, const char *path, const char *label)
{
    OC_TRY(oc_copy_text(&trace->path, path));
    OC_TRY(oc_copy_text(&trace->label, label));
    OC_TRY(check_file(trace));
    OC_TRY(oc_database_open(&trace->database, path, path, SQLITE_OPEN_READONLY));
    OC_TRY(check_identity(trace));
    OC_TRY(check_tables(trace));
    OC_TRY(read_meta(trace));
    /* Chunks are read when they are needed; that there are none at all is said now. */
    OC_TRY(oc_database_execute(trace->database, path,
                               "SELECT stream, number, begin, unit, totals, events FROM chunk LIMIT 0"));
    OC_TRY(read_table(trace, &trace->resource_types, sizeof *trace->resource_types, &trace->resource_type_count,
                      "SELECT id, parent, name FROM resource_type ORDER BY id", read_resource_type));
    OC_TRY(read_table(trace, &trace->resources, sizeof *trace->resources, &trace->resource_count,
                      "SELECT id, parent, type, name, begin, end FROM resource ORDER BY id", read_resource));
    OC_TRY(
        read_table(trace, &trace->event_types, sizeof *trace->event_types, &trace->event_type_count,
                   "SELECT id, category, resource_type, name, colour, count, unmatched FROM event_type ORDER BY id",
                   read_event_type));
    OC_TRY(oc_trace_spell(trace));
    OC_TRY(read_units(trace));
    OC_TRY(read_table(trace, &trace->values, sizeof *trace->values, &trace->value_count,
                      "SELECT id, event_type, name, colour, count, innermost, inclusive FROM value ORDER BY id",
                      read_value));
    OC_TRY(read_table(trace, &trace->streams, sizeof *trace->streams, &trace->stream_count,
                      "SELECT id, resource, event_type, role, count, begin, end FROM stream ORDER BY id",
                      read_stream));
    return read_table(trace, &trace->warnings, sizeof *trace->warnings, &trace->warning_count,
                      "SELECT rowid - 1, kind, count, detail FROM import_warning ORDER BY rowid", read_warning);
}

ocelotl_status ocelotl_trace_open(ocelotl_trace **trace, const char *path)
{
    return ocelotl_trace_open_as(trace, path, path);
}

ocelotl_status ocelotl_trace_open_as(ocelotl_trace **trace, const char *path, const char *label)
{
    ocelotl_trace *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = open_trace(made, path, label);
    if (status != OCELOTL_OK) {
        ocelotl_trace_free(made);
        return status;
    }
    *trace = made;
    return OCELOTL_OK;
}

void ocelotl_trace_free(ocelotl_trace *trace)
{
    if (trace == NULL)
        return;
    sqlite3_close(trace->database);
    oc_trace_free_spellings(trace);
    for (uint32_t i = 0; i < trace->resource_type_count; i++)
        free_name(trace->resource_types[i].name);
    for (uint32_t i = 0; i < trace->resource_count; i++)
        free_name(trace->resources[i].name);
    for (uint32_t i = 0; i < trace->event_type_count; i++) {
        free_name(trace->event_types[i].name);
        free_name(trace->event_types[i].unit);
    }
    for (uint32_t i = 0; i < trace->value_count; i++)
        free_name(trace->values[i].name);
    for (uint32_t i = 0; i < trace->warning_count; i++) {
        free_name(trace->warnings[i].kind);
        free_name(trace->warnings[i].detail);
    }
    for (size_t i = 0; i < sizeof trace->info_texts / sizeof trace->info_texts[0]; i++)
        free(trace->info_texts[i]);
    free(trace->resource_types);
    free(trace->resources);
    free(trace->event_types);
    free(trace->values);
    free(trace->warnings);
    free(trace->streams);
    free(trace->path);
    free(trace->label);
    free(trace);
}

ocelotl_trace_info ocelotl_trace_get_info(const ocelotl_trace *trace)
{
    return trace->info;
}

double ocelotl_trace_seconds(const ocelotl_trace *trace, int64_t ticks)
{
    return (double)ticks * (double)trace->info.tick_numerator / (double)trace->info.tick_denominator;
}

uint32_t ocelotl_trace_resource_type_count(const ocelotl_trace *trace)
{
    return trace->resource_type_count;
}

ocelotl_resource_type ocelotl_trace_resource_type(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->resource_type_count ? trace->resource_types[index] : (ocelotl_resource_type){.name = ""};
}

uint32_t ocelotl_trace_resource_count(const ocelotl_trace *trace)
{
    return trace->resource_count;
}

ocelotl_resource ocelotl_trace_resource(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->resource_count ? trace->resources[index] : (ocelotl_resource){.name = ""};
}

uint32_t ocelotl_trace_event_type_count(const ocelotl_trace *trace)
{
    return trace->event_type_count;
}

ocelotl_event_type ocelotl_trace_event_type(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->event_type_count ? trace->event_types[index]
                                           : (ocelotl_event_type){.name = "", .unit = ""};
}

uint32_t ocelotl_trace_value_count(const ocelotl_trace *trace)
{
    return trace->value_count;
}

ocelotl_value ocelotl_trace_value(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->value_count ? trace->values[index] : (ocelotl_value){.name = ""};
}

uint32_t ocelotl_trace_warning_count(const ocelotl_trace *trace)
{
    return trace->warning_count;
}

ocelotl_warning ocelotl_trace_warning(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->warning_count ? trace->warnings[index] : (ocelotl_warning){.kind = "", .detail = ""};
}

static ocelotl_status check_uid(const ocelotl_trace *trace, sqlite3_stmt *statement)
{
    bool row;
    OC_TRY(oc_database_row(&row, statement, trace->path));
    const char *uid = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (uid == NULL || strcmp(uid, trace->info.uid) != 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is not the trace any more that was opened", trace->path);
    return OCELOTL_OK;
}

/* Somebody may have put another file there since the trace was opened. */
ocelotl_status oc_trace_connect(sqlite3 **database, const ocelotl_trace *trace)
{
    sqlite3_stmt *statement = NULL;
    OC_TRY(oc_database_open(database, trace->path, trace->path, SQLITE_OPEN_READONLY));
    ocelotl_status status =
        oc_database_prepare(&statement, *database, trace->path, "SELECT value FROM meta WHERE key = 'uid'");
    if (status == OCELOTL_OK)
        status = check_uid(trace, statement);
    sqlite3_finalize(statement);
    return status;
}
