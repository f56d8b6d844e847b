/* The names of a trace for a writer. */
#define _POSIX_C_SOURCE 200809L
#include "store/copy/copying.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

ocelotl_writer_options oc_copy_options(const ocelotl_trace *trace)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = trace->info.name;
    options.source = trace->info.source;
    options.format = trace->info.format;
    options.origin = trace->info.origin;
    options.tick_numerator = trace->info.tick_numerator;
    options.tick_denominator = trace->info.tick_denominator;
    return options;
}

ocelotl_status oc_copy_open(ocelotl_writer **writer, const char *path,
                            ocelotl_writer_options options, const char *name, const char *made)
{
    oc_text own = {0};
    oc_text_format(&own, "%s: %s", options.name, made);
    if (own.failed) {
        oc_text_free(&own);
        return oc_fail_memory();
    }
    options.name = name != NULL ? name : own.bytes;
    const ocelotl_status status = ocelotl_writer_open(writer, path, &options);
    oc_text_free(&own);
    return status;
}

ocelotl_status oc_copy_notes(ocelotl_writer *writer, const ocelotl_trace *trace, const char *keys)
{
    for (size_t i = 0; i < trace->notes.count; i++) {
        const oc_note *note = &trace->notes.notes[i];
        if (strncmp(note->key, keys, strlen(keys)) == 0)
            OC_TRY(oc_writer_note_add(writer, note->key, note->text));
    }
    return OCELOTL_OK;
}

/* --- Resources */

/* Notes are lines "name=text". */
static ocelotl_status copy_notes(ocelotl_writer *writer, uint32_t resource, char *notes)
{
    char *next = notes;
    for (char *line = strtok_r(notes, "\n", &next); line != NULL;
         line = strtok_r(NULL, "\n", &next)) {
        char *text = strchr(line, '=');
        if (text == NULL)
            continue;
        *text = '\0';
        OC_TRY(ocelotl_writer_resource_note(writer, resource, line, text + 1));
    }
    return OCELOTL_OK;
}

static ocelotl_status copy_all_notes(ocelotl_writer *writer, const ocelotl_trace *trace,
                                     sqlite3_stmt *statement)
{
    for (;;) {
        bool row;
        char *notes = NULL;
        OC_TRY(oc_database_row(&row, statement, trace->path));
        if (!row)
            return OCELOTL_OK;
        const char *found = (const char *)sqlite3_column_text(statement, 1);
        OC_TRY(oc_copy_text(&notes, found != NULL ? found : ""));
        const ocelotl_status status =
            copy_notes(writer, (uint32_t)sqlite3_column_int64(statement, 0), notes);
        free(notes);
        OC_TRY(status);
    }
}

ocelotl_status oc_copy_resources(ocelotl_writer *writer, const ocelotl_trace *trace,
                                 const int64_t *begins)
{
    uint32_t made;
    sqlite3_stmt *statement = NULL;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const ocelotl_resource *resource = &trace->resources[r];
        OC_TRY(ocelotl_writer_resource(&made, writer, resource->type, resource->parent,
                                       resource->name,
                                       begins != NULL ? begins[r] : resource->begin));
    }
    ocelotl_status status =
        oc_database_prepare(&statement, trace->database, trace->path,
                            "SELECT id, notes FROM resource WHERE notes <> '' ORDER BY id");
    if (status == OCELOTL_OK)
        status = copy_all_notes(writer, trace, statement);
    sqlite3_finalize(statement);
    return status;
}

/* --- Types */

static ocelotl_status copy_event_types(ocelotl_writer *writer, const oc_catalogue *catalogue)
{
    uint32_t made;
    const ocelotl_trace *trace = catalogue->trace;
    for (uint32_t t = 0; t < trace->event_type_count; t++) {
        const ocelotl_event_type *type = &trace->event_types[t];
        OC_TRY(ocelotl_writer_event_type(&made, writer, type->category, type->resource_type,
                                         type->name, type->colour));
        if (type->unit[0] != '\0')
            OC_TRY(ocelotl_writer_unit(writer, t, type->unit));
        for (size_t i = 0; i < catalogue->attributes[t].count; i++)
            OC_TRY(ocelotl_writer_attribute(&made, writer, t, catalogue->attributes[t].names[i]));
    }
    for (uint32_t v = 0; v < trace->value_count; v++)
        OC_TRY(ocelotl_writer_value(&made, writer, trace->values[v].event_type,
                                    trace->values[v].name, trace->values[v].colour));
    return OCELOTL_OK;
}

static ocelotl_status copy_source(ocelotl_writer *writer, const ocelotl_trace *trace)
{
    OC_TRY(ocelotl_writer_producer(writer, trace->info.producer));
    for (uint32_t f = 0; f < trace->file_count; f++)
        OC_TRY(ocelotl_writer_file(writer, trace->files[f].path, trace->files[f].stamp));
    for (uint32_t w = 0; w < trace->warning_count; w++)
        OC_TRY(ocelotl_writer_warning(writer, trace->warnings[w].kind, trace->warnings[w].count,
                                      trace->warnings[w].detail));
    for (uint32_t k = 0; k < trace->source_kind_count; k++) {
        const ocelotl_source_kind *kind = &trace->source_kinds[k];
        OC_TRY(ocelotl_writer_source_kind(writer, kind->kind, kind->fate, kind->count, kind->why));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_copy_types(ocelotl_writer *writer, const oc_catalogue *catalogue)
{
    uint32_t made;
    const ocelotl_trace *trace = catalogue->trace;
    for (uint32_t t = 0; t < trace->resource_type_count; t++)
        OC_TRY(ocelotl_writer_resource_type(&made, writer, trace->resource_types[t].parent,
                                            trace->resource_types[t].name));
    OC_TRY(copy_event_types(writer, catalogue));
    return copy_source(writer, trace);
}
