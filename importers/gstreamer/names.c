/* Rows, types and values of logs by their names. */
#include "importers/gstreamer/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* As the thesis has them (figure 5.12): messages that should alarm are warm, the many are cold. */
static const int32_t level_colours[GSTREAMER_LEVELS] = {
    0xD62728, 0xFF7F0E, 0xE377C2, 0x2CA02C, 0x9ECAE1, 0xBDBDBD, 0x3182BD, 0x756BB1,
};

ocelotl_status gstreamer_find_type(uint32_t *type, gstreamer_reader *reader, gstreamer_place place)
{
    static const struct {
        const char *name;
        gstreamer_place parent;
    } types[GSTREAMER_PLACES] = {
        [GSTREAMER_FILE] = {"File", GSTREAMER_PLACES},
        [GSTREAMER_PROCESS] = {"Process", GSTREAMER_FILE},
        [GSTREAMER_THREAD] = {"Thread", GSTREAMER_PROCESS},
        [GSTREAMER_PATH] = {"Path", GSTREAMER_PROCESS},
        [GSTREAMER_ELEMENT] = {"Element", GSTREAMER_PROCESS},
        [GSTREAMER_CATEGORY] = {"Category", GSTREAMER_THREAD},
        [GSTREAMER_FUNCTION] = {"Function", GSTREAMER_CATEGORY},
    };
    uint32_t around = OCELOTL_ROOT;
    if (!reader->has_resource_type[place]) {
        const gstreamer_place parent = types[place].parent;
        const bool has_files =
            reader->import->source_count > 1 && !reader->import->options->same_root;
        if (parent != GSTREAMER_PLACES && (parent != GSTREAMER_FILE || has_files))
            OC_TRY(gstreamer_find_type(&around, reader, parent));
        OC_TRY(ocelotl_writer_resource_type(&reader->resource_types[place], reader->writer, around,
                                            types[place].name));
        reader->has_resource_type[place] = true;
    }
    *type = reader->resource_types[place];
    return OCELOTL_OK;
}

ocelotl_status gstreamer_names_begin(gstreamer_reader *reader)
{
    static const char *const attributes[GSTREAMER_ATTRIBUTES] = {
        [GSTREAMER_OBJECT] = "object",        [GSTREAMER_SOURCE] = "source",
        [GSTREAMER_LEVEL] = "level",          [GSTREAMER_CATEGORY_OF] = "category",
        [GSTREAMER_MESSAGE_TEXT] = "message",
    };
    uint32_t type;
    OC_TRY(gstreamer_find_type(&type, reader,
                               reader->by_function ? GSTREAMER_THREAD : GSTREAMER_FUNCTION));
    OC_TRY(ocelotl_writer_event_type(&reader->state_type, reader->writer, OCELOTL_STATE, type,
                                     reader->by_function ? "Function" : "Level", -1));
    for (size_t i = 0; i < GSTREAMER_LEVELS && !reader->by_function; i++)
        OC_TRY(ocelotl_writer_value(&reader->levels[i], reader->writer, reader->state_type,
                                    gstreamer_level_names[i], level_colours[i]));
    reader->last_process = reader->last_thread = OCELOTL_NONE;
    for (size_t i = 0; i < GSTREAMER_ATTRIBUTES; i++) {
        const bool is_row = i == GSTREAMER_LEVEL || i == GSTREAMER_CATEGORY_OF;
        if (!is_row || reader->by_function)
            OC_TRY(ocelotl_writer_attribute(&reader->attributes[i], reader->writer,
                                            reader->state_type, attributes[i]));
    }
    return OCELOTL_OK;
}

/* --- Rows */

static ocelotl_status add_row(uint32_t *row, gstreamer_reader *reader, gstreamer_place place,
                              uint32_t parent, gstreamer_text name)
{
    uint32_t type;
    oc_text copy = {0};
    OC_TRY(gstreamer_find_type(&type, reader, place));
    OC_TRY(
        oc_grow(&reader->rows, &reader->row_capacity, reader->row_count + 1, sizeof *reader->rows));
    oc_text_append(&copy, name.bytes, name.length);
    if (name.length == 0)
        oc_text_add(&copy, place == GSTREAMER_FUNCTION ? "(no function)" : "(no name)");
    if (copy.failed) {
        oc_text_free(&copy);
        return oc_fail_memory();
    }
    *row = (uint32_t)reader->row_count;
    reader->rows[reader->row_count++] = (gstreamer_row){
        .place = place, .parent = parent, .name = copy.bytes, .stream = OCELOTL_NONE};
    if (place == GSTREAMER_PROCESS && reader->process_count++ > 0)
        gstreamer_note(reader, GSTREAMER_CLOCKS);
    return OCELOTL_OK;
}

static ocelotl_status make_key(gstreamer_reader *reader, uint32_t kind, uint32_t place,
                               gstreamer_text name)
{
    const uint32_t numbers[2] = {kind, place};
    oc_text_clear(&reader->key);
    oc_text_append(&reader->key, (const char *)numbers, sizeof numbers);
    oc_text_append(&reader->key, name.bytes, name.length);
    return reader->key.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status gstreamer_find_row(uint32_t *row, gstreamer_reader *reader, gstreamer_place place,
                                  uint32_t parent, gstreamer_text name)
{
    OC_TRY(make_key(reader, place, parent, name));
    *row = oc_map_get(&reader->row_of, reader->key.bytes, reader->key.length);
    if (*row != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(add_row(row, reader, place, parent, name));
    return oc_map_set(&reader->row_of, reader->key.bytes, reader->key.length, *row);
}

static bool is_row(const gstreamer_reader *reader, uint32_t row, gstreamer_text name)
{
    return row != OCELOTL_NONE && strncmp(reader->rows[row].name, name.bytes, name.length) == 0 &&
           reader->rows[row].name[name.length] == '\0';
}

/* Mostly it is the one of the line before. */
ocelotl_status gstreamer_find_thread(uint32_t *row, gstreamer_reader *reader)
{
    const gstreamer_line *line = &reader->line;
    const bool same = is_row(reader, reader->last_process, line->process) &&
                      reader->rows[reader->last_process].parent == reader->file;
    if (!same)
        OC_TRY(gstreamer_find_row(&reader->last_process, reader, GSTREAMER_PROCESS, reader->file,
                                  line->process));
    if (!same || !is_row(reader, reader->last_thread, line->thread))
        OC_TRY(gstreamer_find_row(&reader->last_thread, reader, GSTREAMER_THREAD,
                                  reader->last_process, line->thread));
    *row = reader->last_thread;
    return OCELOTL_OK;
}

void gstreamer_widen(gstreamer_reader *reader, uint32_t row, int64_t time)
{
    for (; row != OCELOTL_NONE; row = reader->rows[row].parent) {
        gstreamer_row *one = &reader->rows[row];
        one->begin = !one->is_used || time < one->begin ? time : one->begin;
        one->end = !one->is_used || time > one->end ? time : one->end;
        one->is_used = true;
    }
}

/* --- Values */

ocelotl_status gstreamer_find_value(uint32_t *value, gstreamer_reader *reader, uint32_t type,
                                    gstreamer_text name)
{
    OC_TRY(make_key(reader, GSTREAMER_PLACES, type, name));
    *value = oc_map_get(&reader->value_of, reader->key.bytes, reader->key.length);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_value(value, reader->writer, type,
                                reader->key.bytes + 2 * sizeof(uint32_t), -1));
    return oc_map_set(&reader->value_of, reader->key.bytes, reader->key.length, *value);
}

void gstreamer_names_free(gstreamer_reader *reader)
{
    for (size_t i = 0; i < reader->row_count; i++)
        free(reader->rows[i].name);
    free(reader->rows);
    oc_map_free(&reader->row_of);
    oc_map_free(&reader->value_of);
    oc_map_free(&reader->variable_of);
    oc_text_free(&reader->key);
    oc_text_free(&reader->pending.texts);
}
