#include "importers/ingest/ingest.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* What a name is one of, at the beginning of its key. */
enum { RESOURCE_TYPE, ROW, EVENT_TYPE, VALUE, ATTRIBUTE, ATTRIBUTE_NAME, LINK, OWN };

ocelotl_status oc_ingest_open(oc_ingest *ingest, const oc_import *import, const char *format,
                              const char *const *names, size_t oddity_end)
{
    ingest->import = import;
    ingest->digits = ingest->is_coarse ? 0 : 9;
    ingest->lane_type = OCELOTL_NONE;
    ingest->path = import->sources[0].path;
    ingest->file_row = OCELOTL_NONE;
    ingest->file_type = OCELOTL_ROOT;
    ingest->beginnings.how = import->options->align;
    OC_TRY(oc_import_open(&ingest->writer, import, format,
                          oc_power_of_ten(ingest->digits + ingest->unit_digits), NULL));
    ingest->oddities = oc_import_oddities(import, ingest->writer, names, oddity_end);
    OC_TRY(oc_allocate(&ingest->paths, import->source_count, sizeof *ingest->paths));
    OC_TRY(oc_allocate(&ingest->files, import->source_count, sizeof *ingest->files));
    bool is_known = true;
    for (size_t i = 0; i < import->source_count; i++) {
        const oc_input *input = import->sources[i].input;
        const uint64_t size = input != NULL ? oc_input_size(input) : 0;
        is_known = is_known && size > 0;
        ingest->size += size;
        ingest->paths[i] = ingest->files[i].path = import->sources[i].path;
    }
    ingest->size = is_known ? ingest->size : 0;
    if (import->source_count > 1 && !import->options->same_root && !ingest->declares_late)
        OC_TRY(oc_ingest_resource_type(&ingest->file_type, ingest, OCELOTL_ROOT, "File"));
    return oc_timelines_open(&ingest->timelines, ingest->writer, &ingest->oddities, import->target,
                             OC_SORTING_MEMORY);
}

void oc_ingest_close(oc_ingest *ingest)
{
    oc_arena_free(&ingest->arena);
    free(ingest->rows);
    free(ingest->remarks);
    free(ingest->attributes);
    free(ingest->types);
    free(ingest->late);
    free(ingest->paths);
    free(ingest->files);
    free(ingest->places);
    oc_map_free(&ingest->names);
    oc_text_free(&ingest->key);
    oc_timelines_free(&ingest->timelines);
    oc_oddities_free(&ingest->oddities);
    oc_kinds_free(&ingest->kinds);
    ocelotl_writer_free(ingest->writer);
}

/* --- Files and their lines */

ocelotl_status oc_ingest_report(const oc_ingest *ingest, const oc_input *input)
{
    const ocelotl_work *work = &ingest->import->options->work;
    return work->progress == NULL ||
                   work->progress(work->context, ingest->done + oc_input_position(input),
                                  ingest->size)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
}

static ocelotl_status read_lines(oc_ingest *ingest, oc_lines *lines, oc_ingest_line *read,
                                 void *decoder)
{
    char *end;
    while (!lines->at_end) {
        OC_TRY(oc_ingest_report(ingest, lines->input));
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
        if (ingest->file_type != OCELOTL_ROOT || ingest->aligns_at_end)
            OC_TRY(oc_ingest_row_find(&ingest->file_row, ingest, OCELOTL_NONE, ingest->file_type,
                                      import->nodes[i], strlen(import->nodes[i])));
        if (ingest->aligns_at_end) {
            oc_ingest_row *row = &ingest->rows[ingest->file_row];
            row->is_around = !has_several || import->options->same_root;
            row->label = row->id;
        }
        OC_TRY(read(decoder, source));
        ingest->done += oc_input_position(source->input);
        if (has_several && !ingest->aligns_at_end)
            OC_TRY(oc_align_tell(ingest->writer, import->nodes[i], import->options->align,
                                 ingest->beginnings.shift,
                                 (double)oc_power_of_ten(ingest->digits)));
        if (import->notes_files)
            OC_TRY(oc_source_note(source, ingest->writer));
    }
    return OCELOTL_OK;
}

/* --- Names */

/* Where a short name is kept beside the map; LINK keys are of no use there, as each comes twice. */
static oc_ingest_recent *find_recent(oc_ingest *ingest, const uint32_t head[3], const char *name,
                                     size_t length)
{
    if (length == 0 || length > sizeof ingest->recent[0].name || head[0] == LINK)
        return NULL;
    const size_t ends = (unsigned char)name[0] + 11 * (size_t)(unsigned char)name[length - 1];
    const size_t place = ends + 19 * length + 37 * head[1] + 101 * (size_t)head[2] + 7 * head[0];
    return &ingest->recent[place % OC_INGEST_RECENT];
}

/* Looks a name up in the map; its key is then in the scratch. */
static uint32_t name_look_up(oc_ingest *ingest, const uint32_t head[3], const char *name,
                             size_t length)
{
    oc_text_clear(&ingest->key);
    oc_text_append(&ingest->key, (const char *)head, 3 * sizeof *head);
    oc_text_append(&ingest->key, name, length);
    return ingest->key.failed ? OC_MAP_NONE
                              : oc_map_get(&ingest->names, ingest->key.bytes, ingest->key.length);
}

/* Finds a name, whose key is in the scratch if it is new. */
static uint32_t name_find(oc_ingest *ingest, uint32_t kind, uint32_t around, uint32_t type,
                          const char *name, size_t length)
{
    const uint32_t head[3] = {kind, around, type};
    oc_ingest_recent *recent = find_recent(ingest, head, name, length);
    ingest->last_recent = recent;
    if (recent != NULL && recent->length == length &&
        memcmp(recent->head, head, sizeof head) == 0 && memcmp(recent->name, name, length) == 0)
        return recent->number;
    const uint32_t number = name_look_up(ingest, head, name, length);
    if (number != OC_MAP_NONE && recent != NULL) {
        *recent = (oc_ingest_recent){.number = number, .length = (uint32_t)length};
        memcpy(recent->head, head, sizeof head);
        memcpy(recent->name, name, length);
    }
    return number;
}

/* Keeps the number of the name that was looked up last. */
static ocelotl_status name_keep(oc_ingest *ingest, uint32_t number)
{
    if (ingest->key.failed)
        return oc_fail_memory();
    if (ingest->last_recent != NULL)
        ingest->last_recent->length = 0;
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

ocelotl_status oc_ingest_row_add(uint32_t *row, oc_ingest *ingest, uint32_t parent, uint32_t type,
                                 const char *id, size_t length)
{
    OC_TRY(
        oc_grow(&ingest->rows, &ingest->row_capacity, ingest->row_count + 1, sizeof *ingest->rows));
    if (ingest->row_count >= OC_MAP_NONE)
        return oc_fail(OCELOTL_ERROR_LIMIT, "more resources than a trace can have");
    ingest->rows[ingest->row_count] =
        (oc_ingest_row){.parent = parent,
                        .type = type,
                        .file = ingest->file,
                        .id = oc_arena_copy_bytes(&ingest->arena, id, length),
                        .life = ingest->life,
                        .resource = OCELOTL_NONE};
    *row = (uint32_t)ingest->row_count++;
    return oc_arena_status(&ingest->arena);
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
    OC_TRY(oc_ingest_row_add(row, ingest, parent, type, id, length));
    return name_keep(ingest, *row);
}

uint32_t oc_ingest_own(oc_ingest *ingest, uint32_t kind, uint32_t around, uint32_t type,
                       const char *name, size_t length)
{
    return name_find(ingest, OWN + kind, around, type, name, length);
}

ocelotl_status oc_ingest_own_keep(oc_ingest *ingest, uint32_t number)
{
    return name_keep(ingest, number);
}

ocelotl_status oc_ingest_own_set(oc_ingest *ingest, uint32_t kind, uint32_t around,
                                 const char *name, size_t length, uint32_t number)
{
    const uint32_t head[3] = {OWN + kind, around, 0};
    ingest->last_recent = find_recent(ingest, head, name, length);
    name_look_up(ingest, head, name, length);
    return name_keep(ingest, number);
}

static ocelotl_status keep_text(const char **kept, oc_ingest *ingest, const char *text)
{
    if (*kept == NULL || strcmp(*kept, text) != 0)
        *kept = oc_arena_copy(&ingest->arena, text);
    return oc_arena_status(&ingest->arena);
}

ocelotl_status oc_ingest_row_name(oc_ingest *ingest, uint32_t row, const char *name)
{
    return keep_text(&ingest->rows[row].name, ingest, name);
}

ocelotl_status oc_ingest_row_label(oc_ingest *ingest, uint32_t row, const char *label)
{
    return keep_text(&ingest->rows[row].label, ingest, label);
}

ocelotl_status oc_ingest_row_remark(oc_ingest *ingest, uint32_t row, const char *name,
                                    const char *text)
{
    OC_TRY(oc_grow(&ingest->remarks, &ingest->remark_capacity, ingest->remark_count + 1,
                   sizeof *ingest->remarks));
    ingest->remarks[ingest->remark_count++] = (oc_ingest_remark){
        row, oc_arena_copy(&ingest->arena, name), oc_arena_copy(&ingest->arena, text)};
    return oc_arena_status(&ingest->arena);
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

ocelotl_status oc_ingest_late_type(uint32_t *type, oc_ingest *ingest, ocelotl_category category,
                                   uint32_t row, const char *name, size_t length)
{
    OC_TRY(oc_grow(&ingest->types, &ingest->type_capacity, ingest->type_count + 1,
                   sizeof *ingest->types));
    ingest->types[ingest->type_count] =
        (oc_ingest_type){.category = category,
                         .row = row,
                         .name = oc_arena_copy_bytes(&ingest->arena, name, length)};
    *type = (uint32_t)ingest->type_count++;
    return oc_arena_status(&ingest->arena);
}

/* Declares the name that was looked up last as a value or an attribute of a type, or keeps it until
 * the end: it has the number that the writer gives it then. */
static ocelotl_status declare_name(uint32_t *number, oc_ingest *ingest, uint32_t type,
                                   bool is_attribute)
{
    const char *name = name_text(ingest);
    if (!ingest->declares_late)
        return is_attribute ? ocelotl_writer_attribute(number, ingest->writer, type, name)
                            : ocelotl_writer_value(number, ingest->writer, type, name, -1);
    OC_TRY(oc_grow(&ingest->late, &ingest->late_capacity, ingest->late_count + 1,
                   sizeof *ingest->late));
    ingest->late[ingest->late_count++] =
        (oc_ingest_late){type, is_attribute, oc_arena_copy(&ingest->arena, name)};
    *number = is_attribute ? ingest->types[type].attribute_count++ : ingest->value_count++;
    return oc_arena_status(&ingest->arena);
}

ocelotl_status oc_ingest_value(uint32_t *value, oc_ingest *ingest, uint32_t type, const char *name,
                               size_t length)
{
    *value = name_find(ingest, VALUE, type, 0, name, length);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(declare_name(value, ingest, type, false));
    return name_keep(ingest, *value);
}

/* The attributes of a type are numbered from 0: each of all types has a number of its own. */
static ocelotl_status keep_attribute(oc_ingest *ingest, uint32_t type, uint32_t attribute)
{
    OC_TRY(oc_grow(&ingest->attributes, &ingest->attribute_capacity, ingest->attribute_count + 1,
                   sizeof *ingest->attributes));
    const char **kept = &ingest->attributes[ingest->attribute_count];
    *kept = oc_arena_copy(&ingest->arena, name_text(ingest));
    OC_TRY(oc_arena_status(&ingest->arena));
    name_find(ingest, ATTRIBUTE_NAME, type, attribute, "", 0);
    return name_keep(ingest, (uint32_t)ingest->attribute_count++);
}

ocelotl_status oc_ingest_attribute(uint32_t *attribute, oc_ingest *ingest, uint32_t type,
                                   const char *name, size_t length)
{
    if (length == 0)
        return oc_ingest_attribute(attribute, ingest, type, "(no name)", 9);
    *attribute = name_find(ingest, ATTRIBUTE, type, 0, name, length);
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    if (!ingest->key.failed && memchr(name, '\n', length) != NULL) {
        for (char *end = ingest->key.bytes + 3 * sizeof(uint32_t);
             (end = strchr(end, '\n')) != NULL;)
            *end = ' ';
        *attribute = oc_map_get(&ingest->names, ingest->key.bytes, ingest->key.length);
        if (*attribute != OC_MAP_NONE)
            return OCELOTL_OK;
    }
    OC_TRY(declare_name(attribute, ingest, type, true));
    OC_TRY(name_keep(ingest, *attribute));
    return ingest->names_ends ? keep_attribute(ingest, type, *attribute) : OCELOTL_OK;
}

uint32_t oc_ingest_attribute_known(oc_ingest *ingest, uint32_t type, const char *name)
{
    return name_find(ingest, ATTRIBUTE, type, 0, name, strlen(name));
}

ocelotl_status oc_ingest_attribute_of_end(uint32_t *attribute, void *context, uint32_t type,
                                          uint32_t of_begin)
{
    oc_text name = {0};
    oc_ingest *ingest = context;
    const uint32_t known = name_find(ingest, ATTRIBUTE_NAME, type, of_begin, "", 0);
    oc_text_format(&name, "end_%s", known != OC_MAP_NONE ? ingest->attributes[known] : "");
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : oc_ingest_attribute(attribute, ingest, type, name.bytes, name.length);
    oc_text_free(&name);
    return status;
}

/* --- Times */

static bool refine_row(oc_ingest_row *row, uint64_t factor)
{
    return oc_multiply_time(&row->first, row->first, factor) &&
           oc_multiply_time(&row->last, row->last, factor) &&
           oc_multiply_time(&row->begin, row->begin, factor) &&
           oc_multiply_time(&row->end, row->end, factor);
}

ocelotl_status oc_ingest_refine(bool *fits, oc_ingest *ingest, uint32_t digits)
{
    const uint64_t factor = oc_power_of_ten(digits - ingest->digits);
    int64_t largest = ingest->largest;
    *fits = oc_multiply_time(&largest, largest, factor);
    for (size_t i = 0; i < ingest->row_count && *fits; i++) {
        oc_ingest_row refined = ingest->rows[i];
        *fits = refine_row(&refined, factor);
    }
    if (*fits)
        OC_TRY(oc_timelines_refine(fits, &ingest->timelines, factor));
    if (!*fits)
        return OCELOTL_OK;
    ingest->largest = largest;
    OC_TRY(ocelotl_writer_refine(ingest->writer, factor));
    for (size_t i = 0; i < ingest->row_count; i++)
        (void)refine_row(&ingest->rows[i], factor);
    ingest->digits = digits;
    return OCELOTL_OK;
}

ocelotl_status oc_ingest_time(int64_t *time, oc_ingest *ingest, const oc_decimal *decimal,
                              size_t rounded)
{
    bool fits = true;
    if (decimal->digits > ingest->digits)
        OC_TRY(oc_ingest_refine(&fits, ingest, decimal->digits));
    if (!fits)
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
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
    uint32_t number = name_find(ingest, LINK, side->type, 0, key, length);
    if (number == OC_MAP_NONE) {
        number = ingest->link_keys++;
        OC_TRY(name_keep(ingest, number));
    }
    return oc_ingest_side_of(ingest, side, number);
}

ocelotl_status oc_ingest_side_of(oc_ingest *ingest, const oc_sorted *side, uint64_t key)
{
    oc_sorted placed = *side;
    oc_ingest_row_see(ingest, side->stream, side->time);
    placed.order = 0;
    placed.group = key;
    placed.detail = ingest->line;
    return oc_timelines_add_side(&ingest->timelines, &placed);
}

ocelotl_status oc_ingest_count(oc_ingest *ingest, const char *kind, ocelotl_fate fate,
                               const char *why)
{
    return oc_kinds_count(&ingest->kinds, kind, fate, 1, why);
}
