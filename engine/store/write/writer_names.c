/* The writer's last act: the tables of names, with the totals that are known only at the end. */
#include "store/write/writer.h"

#include "base/map.h"
#include "store/file/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bind_parent(sqlite3_stmt *insert, int column, uint32_t parent)
{
    if (parent == OCELOTL_ROOT)
        sqlite3_bind_null(insert, column);
    else
        sqlite3_bind_int64(insert, column, parent);
}

static void bind_colour(sqlite3_stmt *insert, int column, int32_t colour)
{
    if (colour < 0)
        sqlite3_bind_null(insert, column);
    else
        sqlite3_bind_int64(insert, column, colour);
}

static void bind_name(sqlite3_stmt *insert, int column, const char *name)
{
    sqlite3_bind_text(insert, column, name, -1, SQLITE_STATIC);
}

/* One statement for a table: `bind` sets the columns of a row; what it has no memory for is seen
 * after it. */
typedef void (*bind_row)(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row);

static void bind_resource_type(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row)
{
    const oc_writer_named *type = &writer->resource_types[row];
    bind_parent(insert, 2, type->parent);
    bind_name(insert, 3, type->name);
}

static void bind_resource(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row)
{
    const oc_writer_resource *resource = &writer->resources[row];
    bind_parent(insert, 2, resource->parent);
    bind_parent(insert, 3, resource->type);
    bind_name(insert, 4, resource->name);
    sqlite3_bind_int64(insert, 5, resource->begin);
    sqlite3_bind_int64(insert, 6, resource->ended ? resource->end : writer->end);
    bind_name(insert, 7, resource->notes.bytes != NULL ? resource->notes.bytes : "");
}

static void bind_event_type(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row)
{
    const oc_writer_event_type *type = &writer->event_types[row];
    sqlite3_bind_int64(insert, 2, type->category);
    bind_parent(insert, 3, type->resource_type);
    bind_name(insert, 4, type->name);
    bind_colour(insert, 5, type->colour);
    sqlite3_bind_int64(insert, 6, (sqlite3_int64)type->count);
    sqlite3_bind_int64(insert, 7, (sqlite3_int64)type->unmatched);
    /* Attribute names as lines. */
    oc_text lines = {0};
    oc_text_add(&lines, "");
    for (size_t i = 0; i < type->attribute_count; i++)
        oc_text_format(&lines, "%s%s", i > 0 ? "\n" : "", type->attributes[i]);
    if (!lines.failed &&
        sqlite3_bind_text(insert, 8, lines.bytes, -1, SQLITE_TRANSIENT) != SQLITE_OK)
        (void)oc_fail_memory();
    oc_text_free(&lines);
}

static void bind_value(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row)
{
    const oc_writer_value *value = &writer->values[row];
    sqlite3_bind_int64(insert, 2, value->event_type);
    bind_name(insert, 3, value->name);
    bind_colour(insert, 4, value->colour);
    sqlite3_bind_int64(insert, 5, (sqlite3_int64)value->count);
    sqlite3_bind_int64(insert, 6, value->innermost);
    sqlite3_bind_int64(insert, 7, value->inclusive);
}

static void bind_stream(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row)
{
    const oc_writer_stream *stream = &writer->streams[row];
    sqlite3_bind_int64(insert, 2, stream->resource);
    sqlite3_bind_int64(insert, 3, stream->event_type);
    sqlite3_bind_int64(insert, 4, stream->role);
    sqlite3_bind_int64(insert, 5, (sqlite3_int64)stream->count);
    sqlite3_bind_int64(insert, 6, stream->begin);
    sqlite3_bind_int64(insert, 7, stream->end);
    sqlite3_bind_int64(insert, 8, stream->chunk_count);
}

static void bind_warning(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row)
{
    const oc_writer_warning *warning = &writer->warnings[row];
    bind_name(insert, 1, warning->kind);
    sqlite3_bind_int64(insert, 2, (sqlite3_int64)warning->count);
    bind_name(insert, 3, warning->detail);
}

static void bind_source_kind(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row)
{
    const oc_writer_source_kind *kind = &writer->source_kinds[row];
    bind_name(insert, 2, kind->kind);
    sqlite3_bind_int64(insert, 3, kind->fate);
    sqlite3_bind_int64(insert, 4, (sqlite3_int64)kind->count);
    bind_name(insert, 5, kind->why);
}

/* Binds the dictionary of a role that has one. */
static void bind_dictionary(sqlite3_stmt *insert, const ocelotl_writer *writer, size_t row)
{
    const oc_writer_role *roles = writer->background.roles;
    size_t role = 0;
    for (size_t before = 0; before < row || roles[role].dictionary == NULL; role++)
        before += roles[role].dictionary != NULL;
    sqlite3_bind_int64(insert, 2, (sqlite3_int64)role);
    sqlite3_bind_blob64(insert, 3, roles[role].packed.bytes, roles[role].packed.length,
                        SQLITE_STATIC);
}

static ocelotl_status insert_rows(ocelotl_writer *writer, const char *sql, bind_row bind,
                                  size_t count)
{
    sqlite3_stmt *insert = NULL;
    ocelotl_status status = oc_database_prepare(&insert, writer->database, writer->path, sql);
    const uint64_t before = oc_memory_failures();
    for (size_t row = 0; row < count && status == OCELOTL_OK; row++) {
        sqlite3_bind_int64(insert, 1, (sqlite3_int64)row);
        bind(insert, writer, row);
        status = oc_check_memory(before);
        if (status == OCELOTL_OK)
            status = oc_database_run(insert, writer->path);
    }
    sqlite3_finalize(insert);
    return status;
}

static ocelotl_status insert_text(sqlite3_stmt *insert, const char *path, const char *key,
                                  const char *text)
{
    bind_name(insert, 1, key);
    bind_name(insert, 2, text);
    return oc_database_run(insert, path);
}

static void add_names(oc_content_total *total, const ocelotl_writer *writer)
{
    const oc_writer_identities *identities = &writer->identities;
    for (uint32_t i = 0; i < writer->resource_type_count; i++)
        oc_content_add_name(total, oc_identity_at(&identities->resource_types, i));
    for (uint32_t i = 0; i < writer->resource_count; i++) {
        const oc_writer_resource *resource = &writer->resources[i];
        oc_content_add_resource(total, oc_identity_at(&identities->resources, i),
                                oc_identity_at(&identities->resource_types, resource->type),
                                resource->begin, resource->ended ? resource->end : writer->end);
    }
    for (uint32_t i = 0; i < writer->event_type_count; i++) {
        const oc_writer_event_type *type = &writer->event_types[i];
        oc_content_add_event_type(total, oc_identity_at(&identities->event_types, i),
                                  (unsigned)type->category, type->unit,
                                  type->kind != OCELOTL_LEVEL ? OC_STORE_KIND_COUNTER : NULL);
    }
    for (uint32_t i = 0; i < writer->value_count; i++)
        oc_content_add_name(total, oc_identity_at(&identities->values, i));
}

/* Computes the uid, once all chunks are written. */
static void identify(uint64_t identity[2], ocelotl_writer *writer)
{
    oc_content_total total;
    oc_content_total_begin(&total, writer->tick_numerator, writer->tick_denominator);
    for (size_t s = 0; s < writer->stream_count; s++) {
        const oc_writer_stream *stream = &writer->streams[s];
        if (stream->count > 0)
            oc_content_add_stream(
                &total, oc_identity_at(&writer->identities.resources, stream->resource),
                oc_identity_at(&writer->identities.event_types, stream->event_type), stream->role,
                stream->content);
    }
    writer->content = total.sum;
    oc_content_add_name(&total, writer->elsewhere);
    add_names(&total, writer);
    oc_content_end_total(identity, &total, writer->begin, writer->end);
}

static ocelotl_status insert_notes(const ocelotl_writer *writer, sqlite3_stmt *insert, size_t from,
                                   size_t to)
{
    for (size_t i = from; i < to; i++)
        OC_TRY(insert_text(insert, writer->path, writer->notes[i].key, writer->notes[i].text));
    return OCELOTL_OK;
}

static ocelotl_status insert_meta_rows(ocelotl_writer *writer, sqlite3_stmt *insert)
{
    char text[64];
    uint64_t identity[2];
    const struct {
        const char *key;
        int64_t number;
    } numbers[] = {{"tick_numerator", (int64_t)writer->tick_numerator},
                   {"tick_denominator", (int64_t)writer->tick_denominator},
                   {"begin", writer->begin},
                   {"end", writer->end}};
    OC_TRY(insert_notes(writer, insert, 0, OC_WRITER_OWN_NOTES));
    identify(identity, writer);
    snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, identity[0], identity[1]);
    OC_TRY(insert_text(insert, writer->path, "uid", text));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        bind_name(insert, 1, numbers[i].key);
        sqlite3_bind_int64(insert, 2, numbers[i].number);
        OC_TRY(oc_database_run(insert, writer->path));
    }
    OC_TRY(insert_notes(writer, insert, OC_WRITER_OWN_NOTES, writer->note_count));
    /* Under keys of their own, so that a trace.db without units is as it always was. */
    for (size_t i = 0; i < writer->event_type_count; i++) {
        snprintf(text, sizeof text, OC_STORE_UNIT_KEY "%zu", i);
        if (writer->event_types[i].unit[0] != '\0')
            OC_TRY(insert_text(insert, writer->path, text, writer->event_types[i].unit));
        snprintf(text, sizeof text, OC_STORE_KIND_KEY "%zu", i);
        if (writer->event_types[i].kind != OCELOTL_LEVEL)
            OC_TRY(insert_text(insert, writer->path, text, OC_STORE_KIND_COUNTER));
    }
    return OCELOTL_OK;
}

/* A link is counted where it begins; those without a known beginning have been counted when they
 * came. */
static ocelotl_status sum_values(ocelotl_writer *writer)
{
    for (size_t s = 0; s < writer->stream_count; s++) {
        const oc_fold *fold = writer->streams[s].fold;
        for (size_t i = 0; fold != NULL && i < fold->total_count; i++) {
            const oc_total *total = &fold->totals[i];
            if (total->value >= writer->value_count || fold->role == OC_ROLE_LINKS_IN)
                continue;
            oc_writer_value *value = &writer->values[total->value];
            value->count += total->count;
            if (!oc_add_times(&value->innermost, value->innermost, total->innermost) ||
                !oc_add_times(&value->inclusive, value->inclusive, total->closed))
                return oc_fail(OCELOTL_ERROR_LIMIT,
                               "%s: the time in \"%s\" leaves the range of 64 bits", writer->path,
                               value->name);
        }
    }
    return OCELOTL_OK;
}

static int compare_source_kinds(const void *left, const void *right)
{
    const oc_writer_source_kind *one = left;
    const oc_writer_source_kind *other = right;
    const int names = strcmp(one->kind, other->kind);
    return names != 0 ? names : (int)one->fate - (int)other->fate;
}

ocelotl_status oc_writer_names(ocelotl_writer *writer)
{
    /* Those of one kind stand together. */
    if (writer->source_kind_count > 0)
        qsort(writer->source_kinds, writer->source_kind_count, sizeof *writer->source_kinds,
              compare_source_kinds);
    size_t dictionaries = 0;
    for (size_t i = 0; i < OC_ROLES; i++)
        dictionaries += writer->background.roles[i].dictionary != NULL;
    OC_TRY(sum_values(writer));
    sqlite3_stmt *insert = NULL;
    ocelotl_status status = oc_database_prepare(&insert, writer->database, writer->path,
                                                "INSERT INTO meta VALUES(?, ?)");
    if (status == OCELOTL_OK)
        status = insert_meta_rows(writer, insert);
    sqlite3_finalize(insert);
    OC_TRY(status);
    OC_TRY(insert_rows(writer, "INSERT INTO resource_type VALUES(?, ?, ?)", bind_resource_type,
                       writer->resource_type_count));
    OC_TRY(insert_rows(writer, "INSERT INTO resource VALUES(?, ?, ?, ?, ?, ?, ?)", bind_resource,
                       writer->resource_count));
    OC_TRY(insert_rows(writer, "INSERT INTO event_type VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                       bind_event_type, writer->event_type_count));
    OC_TRY(insert_rows(writer, "INSERT INTO value VALUES(?, ?, ?, ?, ?, ?, ?)", bind_value,
                       writer->value_count));
    OC_TRY(insert_rows(writer, "INSERT INTO stream VALUES(?, ?, ?, ?, ?, ?, ?, ?)", bind_stream,
                       writer->stream_count));
    OC_TRY(insert_rows(writer, "INSERT INTO dictionary VALUES(?, ?, ?)", bind_dictionary,
                       dictionaries));
    OC_TRY(insert_rows(writer, "INSERT INTO import_warning VALUES(?, ?, ?)", bind_warning,
                       writer->warning_count));
    OC_TRY(insert_rows(writer, "INSERT INTO source_kind VALUES(?, ?, ?, ?, ?)", bind_source_kind,
                       writer->source_kind_count));
    return oc_tables_write_checksums(writer->database, writer->path);
}
