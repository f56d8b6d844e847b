/* The names and the records of a trace for a writer. */
#include "store/copy/copying.h"

#include "base/memory.h"
#include "base/text.h"

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

/* The number of a name in the copy. */
static uint32_t renumber(const uint32_t *numbers, uint32_t number)
{
    return numbers == NULL || number == OCELOTL_NONE ? number : numbers[number];
}

/* --- Resources */

typedef struct noting {
    ocelotl_writer *writer;
    const uint32_t *numbers;
} noting;

/* Notes are lines "name=text". */
static ocelotl_status copy_resource_notes(void *context, const oc_row *row)
{
    const noting *to = context;
    ocelotl_writer *writer = to->writer;
    const uint32_t resource =
        renumber(to->numbers, (uint32_t)sqlite3_column_int64(row->statement, 0));
    const char *lines = (const char *)sqlite3_column_text(row->statement, 1);
    oc_text line = {0};
    ocelotl_status status = OCELOTL_OK;
    while (status == OCELOTL_OK && lines != NULL && *lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        oc_text_clear(&line);
        oc_text_append(&line, lines, length);
        char *equals = line.failed ? NULL : strchr(line.bytes, '=');
        if (line.failed)
            status = oc_fail_memory();
        if (equals != NULL) {
            *equals = '\0';
            status = ocelotl_writer_resource_note(writer, resource, line.bytes, equals + 1);
        }
        lines += length + (lines[length] != '\0');
    }
    oc_text_free(&line);
    return status;
}

ocelotl_status oc_copy_resources(ocelotl_writer *writer, const ocelotl_trace *trace,
                                 const int64_t *begins, const uint32_t *numbers)
{
    uint32_t made;
    noting to = {writer, numbers};
    oc_row row = {.path = trace->path};
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const ocelotl_resource *resource = &trace->resources[r];
        OC_TRY(ocelotl_writer_resource(&made, writer, resource->type, resource->parent,
                                       resource->name,
                                       begins != NULL ? begins[r] : resource->begin));
    }
    return oc_rows_read(&row, trace->database,
                        "SELECT id, notes FROM resource WHERE notes <> '' ORDER BY id",
                        copy_resource_notes, &to);
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
        if (type->kind != OCELOTL_LEVEL)
            OC_TRY(ocelotl_writer_kind(writer, t, type->kind));
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

/* --- Records */

ocelotl_status oc_copy_record(ocelotl_writer *writer, uint32_t index, const oc_record *record,
                              const oc_writer_attributes *attributes)
{
    const oc_role role = (oc_role)writer->streams[index].role;
    const bool half = oc_record_has_partner(record, role) && record->partner == OCELOTL_NONE;
    const bool is_step = role != OC_ROLE_VARIABLE || writer->streams[index].count == 0 ||
                         writer->streams[index].packing.end != record->time;
    OC_TRY(oc_writer_append(writer, index, record, attributes));
    oc_writer_event_type *type = &writer->event_types[writer->streams[index].event_type];
    type->unmatched += half;
    if (role == OC_ROLE_LINKS_IN) {
        type->count += half;
        if (half && record->value != OCELOTL_NONE)
            writer->values[record->value].count++;
    } else {
        type->count += !record->ends && is_step;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_copier_add(oc_copier *copier, const oc_records *records, const oc_record *record)
{
    oc_record copy = *record;
    const oc_role role = (oc_role)copier->writer->streams[copier->target].role;
    OC_TRY(oc_grow(&copier->attributes, &copier->capacity, record->attribute_count,
                   sizeof *copier->attributes));
    for (uint32_t a = 0; a < record->attribute_count; a++) {
        ocelotl_attribute_value *attribute = &copier->attributes[a];
        *attribute = oc_record_attribute_at(records, record, a);
        attribute->attribute = renumber(copier->attribute_numbers, attribute->attribute);
    }
    if (role != OC_ROLE_VARIABLE && !copy.ends)
        copy.value = renumber(copier->numbers.values, copy.value);
    if (oc_record_has_partner(record, role))
        copy.partner = renumber(copier->numbers.resources, copy.partner);
    const oc_writer_attributes carried = {copier->attributes, record->attribute_count};
    return oc_copy_record(copier->writer, copier->target, &copy, &carried);
}

ocelotl_status oc_copier_add_stream(oc_copier *copier, oc_reader *reader, uint32_t stream)
{
    const oc_stream *of = &reader->connection.trace->streams[stream];
    const oc_numbers *numbers = &copier->numbers;
    copier->attribute_numbers =
        numbers->attributes != NULL ? numbers->attributes[of->event_type] : NULL;
    OC_TRY(oc_reader_select(reader, stream));
    OC_TRY(oc_writer_find_stream(&copier->target, copier->writer,
                                 renumber(numbers->resources, of->resource),
                                 renumber(numbers->event_types, of->event_type), of->role));
    for (size_t c = 0; c < reader->chunk_count; c++) {
        OC_TRY(oc_reader_read(reader, c, true));
        for (size_t i = 0; i < reader->records.count; i++)
            OC_TRY(oc_copier_add(copier, &reader->records, &reader->records.records[i]));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_copier_add_streams(oc_copier *copier, oc_reader *reader, const bool *chosen)
{
    const ocelotl_trace *trace = reader->connection.trace;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        if (chosen != NULL && !chosen[trace->streams[s].resource])
            continue;
        OC_TRY(oc_copier_add_stream(copier, reader, s));
        if (reader->watch != NULL)
            reader->watch->done++;
    }
    return OCELOTL_OK;
}

/* --- The whole */

ocelotl_status oc_copy_begin(ocelotl_writer **writer, const char *path,
                             const oc_catalogue *catalogue, const uint32_t *numbers,
                             const ocelotl_writer_options *options)
{
    const ocelotl_trace *trace = catalogue->trace;
    OC_TRY(ocelotl_writer_open(writer, path, options));
    OC_TRY(oc_copy_notes(*writer, trace, ""));
    OC_TRY(oc_copy_types(*writer, catalogue));
    OC_TRY(oc_copy_resources(*writer, trace, NULL, numbers));
    oc_writer_bound(*writer, trace->info.begin);
    oc_writer_bound(*writer, trace->info.end);
    return OCELOTL_OK;
}

ocelotl_status oc_copy_end(ocelotl_writer *writer, const ocelotl_trace *trace)
{
    for (uint32_t r = 0; r < trace->resource_count; r++)
        OC_TRY(ocelotl_writer_resource_end(writer, r, trace->resources[r].end));
    return ocelotl_writer_finish(writer);
}
