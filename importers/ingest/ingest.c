#include "importers/ingest/ingest.h"

#include "base/memory.h"
#include "importers/common/naming.h"

#include <inttypes.h>
#include <stdlib.h>

/* What a name is one of, at the beginning of its key. */
enum { RESOURCE_TYPE, ROW, EVENT_TYPE, VALUE, ATTRIBUTE, LINK };

ocelotl_status oc_ingest_open(oc_ingest *ingest, const oc_import *import, const char *format,
                              const char *const *names, size_t oddity_end)
{
    ingest->import = import;
    ingest->digits = 9;
    ingest->path = import->sources[0].path;
    ingest->file_row = OCELOTL_NONE;
    ingest->file_type = OCELOTL_ROOT;
    ingest->beginnings.how = import->options->align;
    for (size_t i = 0; i < import->source_count; i++)
        if (import->sources[i].input != NULL)
            ingest->size += oc_input_size(import->sources[i].input);
    OC_TRY(oc_import_open(&ingest->writer, import, format, 0, NULL));
    ingest->oddities = oc_import_oddities(import, ingest->writer, names, oddity_end);
    OC_TRY(oc_allocate(&ingest->paths, import->source_count, sizeof *ingest->paths));
    for (size_t i = 0; i < import->source_count; i++)
        ingest->paths[i] = import->sources[i].path;
    if (import->source_count > 1 && !import->options->same_root)
        OC_TRY(oc_ingest_resource_type(&ingest->file_type, ingest, OCELOTL_ROOT, "File"));
    return oc_timelines_open(&ingest->timelines, ingest->writer, &ingest->oddities, import->target,
                             OC_SORTING_MEMORY);
}

void oc_ingest_close(oc_ingest *ingest)
{
    for (size_t i = 0; i < ingest->row_count; i++) {
        free(ingest->rows[i].id);
        free(ingest->rows[i].name);
    }
    free(ingest->rows);
    free(ingest->paths);
    free(ingest->places);
    oc_map_free(&ingest->names);
    oc_text_free(&ingest->key);
    oc_timelines_free(&ingest->timelines);
    oc_oddities_free(&ingest->oddities);
    oc_kinds_free(&ingest->kinds);
    ocelotl_writer_free(ingest->writer);
}

/* --- Files and their lines */

static ocelotl_status read_lines(oc_ingest *ingest, oc_lines *lines, oc_ingest_line *read,
                                 void *decoder)
{
    char *end;
    const ocelotl_work *work = &ingest->import->options->work;
    while (!lines->at_end) {
        const uint64_t position = ingest->done + oc_input_position(lines->input);
        if (work->progress != NULL && !work->progress(work->context, position, ingest->size))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
        OC_TRY(oc_lines_read(lines));
        for (char *line; (line = oc_lines_take(&end, lines)) != NULL;) {
            ingest->line = lines->number;
            ocelotl_status status = oc_lines_check(lines, line, end);
            end -= end > line && end[-1] == '\r';
            *end = '\0';
            if (status == OCELOTL_OK && line[strspn(line, " \t")] == '\0')
                status =
                    oc_ingest_count(ingest, "empty line", OCELOTL_FATE_LEFT_OUT, "it says nothing");
            else if (status == OCELOTL_OK)
                status = read(decoder, line, (size_t)(end - line));
            if (status != OCELOTL_OK && ingest->is_fatal)
                return oc_fail_within(status, "%s:%" PRIu64, ingest->path, ingest->line);
            if (status != OCELOTL_OK)
                OC_TRY(oc_oddities_skip(&ingest->oddities, status, ingest->path, ingest->line));
        }
    }
    return OCELOTL_OK;
}

ocelotl_status oc_ingest_lines(oc_ingest *ingest, const oc_source *source, const char *what,
                               oc_ingest_line *read, void *decoder)
{
    oc_lines lines = {.input = source->input};
    ingest->path = source->path;
    const ocelotl_status status = oc_lines_end(&lines, read_lines(ingest, &lines, read, decoder),
                                               source->path, &ingest->oddities, what);
    oc_lines_free(&lines);
    return status;
}

ocelotl_status oc_ingest_files(oc_ingest *ingest,
                               ocelotl_status (*read)(void *decoder, const oc_source *source),
                               void *decoder)
{
    const oc_import *import = ingest->import;
    const bool has_several = import->source_count > 1;
    for (size_t i = 0; i < import->source_count; i++) {
        const oc_source *source = &import->sources[i];
        ingest->path = source->path;
        ingest->file = (uint32_t)i;
        ingest->file_row = OCELOTL_NONE;
        oc_beginnings_next(&ingest->beginnings);
        if (ingest->file_type != OCELOTL_ROOT)
            OC_TRY(oc_ingest_row_find(&ingest->file_row, ingest, OCELOTL_NONE, ingest->file_type,
                                      import->nodes[i], strlen(import->nodes[i])));
        OC_TRY(read(decoder, source));
        ingest->done += oc_input_position(source->input);
        if (has_several)
            OC_TRY(oc_align_tell(ingest->writer, import->nodes[i], import->options->align,
                                 ingest->beginnings.shift,
                                 (double)oc_power_of_ten(ingest->digits)));
        if (import->notes_files)
            OC_TRY(oc_source_note(source, ingest->writer));
    }
    return OCELOTL_OK;
}

/* --- Names */

/* Looks a name up, whose key is then in the scratch. */
static uint32_t name_find(oc_ingest *ingest, uint32_t kind, uint32_t around, uint32_t type,
                          const char *name, size_t length)
{
    const uint32_t head[3] = {kind, around, type};
    oc_text_clear(&ingest->key);
    oc_text_append(&ingest->key, (const char *)head, sizeof head);
    oc_text_append(&ingest->key, name, length);
    return ingest->key.failed ? OC_MAP_NONE
                              : oc_map_get(&ingest->names, ingest->key.bytes, ingest->key.length);
}

/* Keeps the number of the name that was looked up last. */
static ocelotl_status name_keep(oc_ingest *ingest, uint32_t number)
{
    if (ingest->key.failed)
        return oc_fail_memory();
    return oc_map_set(&ingest->names, ingest->key.bytes, ingest->key.length, number);
}

/* The text of the name that was looked up last, ended by '\0'. */
static const char *name_text(const oc_ingest *ingest)
{
    return ingest->key.failed ? "" : ingest->key.bytes + 3 * sizeof(uint32_t);
}

ocelotl_status oc_ingest_resource_type(uint32_t *type, oc_ingest *ingest, uint32_t parent,
                                       const char *name)
{
    *type = name_find(ingest, RESOURCE_TYPE, parent, 0, name, strlen(name));
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_type(type, ingest->writer, parent, name));
    return name_keep(ingest, *type);
}

ocelotl_status oc_ingest_row_find(uint32_t *row, oc_ingest *ingest, uint32_t parent, uint32_t type,
                                  const char *id, size_t length)
{
    if (parent == OCELOTL_NONE)
        parent = ingest->file_row;
    if (length == 0)
        return oc_ingest_row_find(row, ingest, parent, type, "(no name)", 9);
    *row = name_find(ingest, ROW, parent, type, id, length);
    if (*row != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(
        oc_grow(&ingest->rows, &ingest->row_capacity, ingest->row_count + 1, sizeof *ingest->rows));
    oc_ingest_row *made = &ingest->rows[ingest->row_count];
    *made = (oc_ingest_row){.parent = parent,
                            .type = type,
                            .file = ingest->file,
                            .life = ingest->life,
                            .resource = OCELOTL_NONE};
    OC_TRY(oc_copy_text(&made->id, name_text(ingest)));
    *row = (uint32_t)ingest->row_count++;
    return name_keep(ingest, *row);
}

ocelotl_status oc_ingest_row_name(oc_ingest *ingest, uint32_t row, const char *name)
{
    char **kept = &ingest->rows[row].name;
    if (*kept != NULL && strcmp(*kept, name) == 0)
        return OCELOTL_OK;
    free(*kept);
    *kept = NULL;
    return oc_copy_text(kept, name);
}

void oc_ingest_row_see(oc_ingest *ingest, uint32_t row, int64_t time)
{
    oc_ingest_row *seen = &ingest->rows[row];
    seen->first = !seen->has_content || time < seen->first ? time : seen->first;
    seen->last = !seen->has_content || time > seen->last ? time : seen->last;
    seen->has_content = true;
}

void oc_ingest_row_live(oc_ingest *ingest, uint32_t row, int64_t begin, int64_t end)
{
    oc_ingest_row *living = &ingest->rows[row];
    if (begin != OC_INGEST_UNSAID) {
        living->has_begin = true;
        living->begin = begin;
        oc_ingest_row_see(ingest, row, begin);
    }
    if (end != OC_INGEST_UNSAID) {
        living->has_end = true;
        living->end = end;
        oc_ingest_row_see(ingest, row, end);
    }
}

ocelotl_status oc_ingest_event_type(uint32_t *type, oc_ingest *ingest, ocelotl_category category,
                                    uint32_t resource_type, const char *name, oc_nesting nesting)
{
    *type = name_find(ingest, EVENT_TYPE, category, resource_type, name, strlen(name));
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_event_type(type, ingest->writer, category, resource_type, name, -1));
    OC_TRY(oc_timelines_nest(&ingest->timelines, *type, nesting));
    return name_keep(ingest, *type);
}

ocelotl_status oc_ingest_value(uint32_t *value, oc_ingest *ingest, uint32_t type, const char *name,
                               size_t length)
{
    *value = name_find(ingest, VALUE, type, 0, name, length);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_value(value, ingest->writer, type, name_text(ingest), -1));
    return name_keep(ingest, *value);
}

ocelotl_status oc_ingest_attribute(uint32_t *attribute, oc_ingest *ingest, uint32_t type,
                                   const char *name, size_t length)
{
    *attribute = name_find(ingest, ATTRIBUTE, type, 0, name, length);
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_attribute(attribute, ingest->writer, type, name_text(ingest)));
    return name_keep(ingest, *attribute);
}

/* --- Times */

/* All times fit if the largest does. */
static ocelotl_status refine(oc_ingest *ingest, uint32_t digits)
{
    bool fits;
    const uint64_t factor = oc_power_of_ten(digits - ingest->digits);
    if (!oc_multiply_time(&ingest->largest, ingest->largest, factor))
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    OC_TRY(oc_timelines_refine(&fits, &ingest->timelines, factor));
    OC_TRY(ocelotl_writer_refine(ingest->writer, factor));
    for (size_t i = 0; i < ingest->row_count; i++) {
        oc_ingest_row *row = &ingest->rows[i];
        row->first *= (int64_t)factor;
        row->last *= (int64_t)factor;
        row->begin *= (int64_t)factor;
        row->end *= (int64_t)factor;
    }
    ingest->digits = digits;
    return OCELOTL_OK;
}

ocelotl_status oc_ingest_time(int64_t *time, oc_ingest *ingest, const oc_decimal *decimal,
                              size_t rounded)
{
    if (decimal->digits > ingest->digits)
        OC_TRY(refine(ingest, decimal->digits));
    if (decimal->rounded)
        oc_ingest_note(ingest, rounded);
    if (!oc_decimal_ticks(time, decimal, ingest->digits) || *time == INT64_MIN)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the time is too large, expected less than 2^63 ticks of 10^-%u s",
                       ingest->digits);
    if (llabs(*time) > ingest->largest)
        ingest->largest = llabs(*time);
    return OCELOTL_OK;
}

/* --- What happens */

ocelotl_status oc_ingest_add(oc_ingest *ingest, const oc_sorted *record)
{
    oc_sorted placed = *record;
    const bool has_row_of_state = record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_END;
    oc_ingest_row_see(ingest, record->stream, record->time);
    if (record->kind == OC_SORTED_SPAN)
        oc_ingest_row_see(ingest, record->stream, record->end);
    if (has_row_of_state) {
        placed.detail = ingest->line;
        if (record->order != record->stream)
            oc_ingest_row_see(ingest, record->order, record->time);
    }
    return oc_timelines_add(&ingest->timelines, &placed);
}

ocelotl_status oc_ingest_side(oc_ingest *ingest, const oc_sorted *side, const void *key,
                              size_t length)
{
    oc_sorted placed = *side;
    uint32_t number = name_find(ingest, LINK, side->type, 0, key, length);
    if (number == OC_MAP_NONE) {
        number = ingest->link_keys++;
        OC_TRY(name_keep(ingest, number));
    }
    oc_ingest_row_see(ingest, side->stream, side->time);
    placed.order = 0;
    placed.group = number;
    placed.detail = ingest->line;
    return oc_timelines_add_side(&ingest->timelines, &placed);
}

ocelotl_status oc_ingest_count(oc_ingest *ingest, const char *kind, ocelotl_fate fate,
                               const char *why)
{
    return oc_kinds_count(&ingest->kinds, kind, fate, 1, why);
}

/* --- The end: resources */

/* A row holds what the rows in it do; those around it were made before it. */
static void settle_lives(oc_ingest *ingest)
{
    int64_t begin = INT64_MAX;
    for (size_t i = ingest->row_count; i-- > 0;) {
        oc_ingest_row *row = &ingest->rows[i];
        if (!row->has_content)
            continue;
        if (row->parent != OCELOTL_NONE) {
            oc_ingest_row_see(ingest, row->parent, row->first);
            oc_ingest_row_see(ingest, row->parent, row->last);
        }
        begin = row->first < begin ? row->first : begin;
    }
    begin = begin == INT64_MAX ? 0 : begin;
    for (size_t i = 0; i < ingest->row_count; i++) {
        oc_ingest_row *row = &ingest->rows[i];
        const oc_ingest_row *of = row;
        if ((row->life & OC_LIVES_WITH_PARENT) != 0 && row->parent != OCELOTL_NONE) {
            of = &ingest->rows[row->parent];
            row->has_begin = of->has_begin;
            row->has_end = of->has_end;
        } else {
            if ((row->life & OC_BEGINS_WITH_CONTENT) != 0 && !row->has_begin)
                row->begin = row->first;
            if ((row->life & OC_ENDS_WITH_CONTENT) != 0 && !row->has_end)
                row->end = row->last;
            row->has_begin = row->has_begin || (row->life & OC_BEGINS_WITH_CONTENT) != 0;
            row->has_end = row->has_end || (row->life & OC_ENDS_WITH_CONTENT) != 0;
        }
        row->begin = row->has_begin ? of->begin : begin;
        row->end = of->end;
    }
}

static ocelotl_status declare_rows(oc_ingest *ingest, oc_namings *found)
{
    OC_TRY(oc_namings_begin(found, ingest->row_count));
    for (size_t i = 0; i < ingest->row_count; i++) {
        const oc_ingest_row *row = &ingest->rows[i];
        found->named[i] = (oc_named){.parent = row->parent == OCELOTL_NONE ? 0 : row->parent + 1,
                                     .id = row->id,
                                     .name = row->name,
                                     .index = row->order};
    }
    OC_TRY(oc_namings_settle(found));
    OC_TRY(oc_allocate(&ingest->places, ingest->row_count, sizeof *ingest->places));
    for (size_t i = 0; i < ingest->row_count; i++) {
        const uint32_t number = found->order[i];
        oc_ingest_row *row = &ingest->rows[number];
        if (!row->has_content)
            continue;
        OC_TRY(ocelotl_writer_resource(
            &row->resource, ingest->writer, row->type,
            row->parent == OCELOTL_NONE ? OCELOTL_ROOT : ingest->rows[row->parent].resource,
            found->names[number], row->begin));
        ingest->places[number] = (oc_timelines_row){.resource = row->resource,
                                                    .type = row->type,
                                                    .file = row->file,
                                                    .has_begin = row->has_begin,
                                                    .has_end = row->has_end,
                                                    .begin = row->begin,
                                                    .end = row->end};
    }
    return OCELOTL_OK;
}

ocelotl_status oc_ingest_declare(oc_ingest *ingest, const char *empty)
{
    oc_namings found = {0};
    if (ingest->row_count == 0)
        return oc_oddities_fail_empty(&ingest->oddities, ingest->import->sources[0].path, empty);
    settle_lives(ingest);
    const ocelotl_status status = declare_rows(ingest, &found);
    oc_namings_free(&found);
    return status;
}

ocelotl_status oc_ingest_end(oc_ingest *ingest,
                             ocelotl_status (*left_out)(void *decoder, const oc_sorted *end),
                             void *decoder)
{
    const oc_timelines_plan plan = {.rows = ingest->places,
                                    .row_count = ingest->row_count,
                                    .exact = ingest->exact,
                                    .lane_type = OCELOTL_NONE,
                                    .files = ingest->paths,
                                    .left_out = left_out,
                                    .context = decoder};
    OC_TRY(oc_timelines_write(&ingest->timelines, &plan));
    for (size_t i = 0; i < ingest->row_count; i++)
        if (ingest->rows[i].has_content && ingest->rows[i].has_end)
            OC_TRY(ocelotl_writer_resource_end(ingest->writer, ingest->rows[i].resource,
                                               ingest->rows[i].end));
    OC_TRY(oc_oddities_finish(&ingest->oddities));
    OC_TRY(oc_kinds_finish(&ingest->kinds, ingest->writer));
    return ocelotl_writer_finish(ingest->writer);
}

ocelotl_status oc_ingest_write(oc_ingest *ingest, const char *empty,
                               ocelotl_status (*left_out)(void *decoder, const oc_sorted *end),
                               void *decoder)
{
    OC_TRY(oc_ingest_declare(ingest, empty));
    return oc_ingest_end(ingest, left_out, decoder);
}
