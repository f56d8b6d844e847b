/* The short way from a line to its event, for the lines that nearly all of a trace is made of:
 * plain fields, names that have been met before. Whatever is out of the ordinary is left to the
 * long way, which also knows what to say of it. */
#include "importers/paje/reader.h"

#include "base/bytes.h"
#include "base/map.h"

#include <string.h>

static inline bool is_link(paje_kind kind)
{
    return kind == PAJE_START_LINK || kind == PAJE_END_LINK;
}

static inline bool is_end(paje_kind kind)
{
    return kind == PAJE_POP_STATE || kind == PAJE_RESET_STATE;
}

static inline paje_field get(const paje_file *file, paje_meaning meaning)
{
    return file->fields[file->definition->place[meaning]];
}

static inline bool find_container(uint32_t *resource, const paje_names *names,
                                  const paje_file *file, paje_meaning meaning)
{
    const paje_field text = get(file, meaning);
    *resource = file->scope->root;
    if (text.length == 1 && text.text[0] == '0')
        return true;
    *resource = paje_names_recall(names, file->scope->of_containers, text);
    return *resource != OC_MAP_NONE;
}

static inline ocelotl_category category_of(paje_kind kind)
{
    if (is_link(kind))
        return OCELOTL_LINK;
    if (kind == PAJE_NEW_EVENT)
        return OCELOTL_EVENT;
    return kind >= PAJE_SET_VARIABLE ? OCELOTL_VARIABLE : OCELOTL_STATE;
}

/* A definition's events are mostly of one type. */
static inline bool find_type(const paje_names *names, const paje_file *file)
{
    paje_definition *definition = file->definition;
    const paje_field text = get(file, PAJE_TYPE);
    const uint64_t word = paje_names_word(text);
    if (definition->type_word == word && text.length <= 8 &&
        definition->type_generation == names->generation)
        return true;
    const uint32_t type = paje_names_recall(names, file->scope->of_types, text);
    if (type == OC_MAP_NONE || names->types[type].is_container ||
        names->types[type].category != category_of(definition->kind))
        return false;
    definition->type_word = text.length <= 8 ? word : 0;
    definition->type_generation = names->generation;
    definition->of_values = paje_lookup(PAJE_LOOKUP_VALUE, type);
    definition->type_id = names->types[type].id;
    return true;
}

static inline bool read_value(oc_raw_event *event, const paje_names *names, const paje_file *file)
{
    const paje_kind kind = file->definition->kind;
    event->value = OCELOTL_NONE;
    if (is_end(kind) || file->definition->place[PAJE_VALUE] < 0)
        return true;
    const paje_field text = get(file, PAJE_VALUE);
    if (category_of(kind) == OCELOTL_VARIABLE)
        return oc_bytes_are_number(&event->number, text.text, text.length);
    event->value = paje_names_recall(names, file->definition->of_values, text);
    return event->value != OC_MAP_NONE;
}

/* The key of a link, where that is all it carries. */
static bool read_key(oc_raw_event *event, paje_reader *reader)
{
    const paje_file *file = reader->file;
    const int place = file->definition->place[PAJE_KEY];
    const paje_definition_field *field = &file->definition->fields[place];
    if (field->known_type != event->type + 1)
        return false;
    event->attributes = oc_raw_window_attributes(&reader->pipeline.window, 1);
    event->attributes[0] = (ocelotl_attribute_value){field->attribute, file->fields[place].text,
                                                     file->fields[place].length};
    event->attribute_count = 1;
    event->key_hash = oc_hash_keyed(&reader->stacks.links.hash_key, event->attributes[0].text,
                                    event->attributes[0].length);
    return true;
}

static inline bool read_attributes(oc_raw_event *event, paje_reader *reader)
{
    const paje_definition *definition = reader->file->definition;
    if (is_end(definition->kind) || (!definition->has_extra && !is_link(definition->kind)))
        return true;
    if (!definition->has_extra && read_key(event, reader))
        return true;
    if (paje_read_attributes(event, reader) == OCELOTL_OK)
        return true;
    oc_raw_event_free(event);
    return false;
}

static inline bool read_time(int64_t *time, const paje_reader *reader, const paje_file *file)
{
    const paje_field text = get(file, PAJE_TIME);
    return oc_decimal_read_quickly(time, text.text, text.length, reader->digits, reader->power) ||
           oc_decimal_read_plain(time, text.text, text.length, reader->digits);
}

/* All but its time. */
static inline __attribute__((always_inline)) bool resolve(oc_raw_event *event, paje_reader *reader)
{
    const paje_file *file = reader->file;
    const paje_definition *definition = file->definition;
    const paje_names *names = &reader->names;
    event->kind = (uint8_t)definition->kind;
    event->line = file->lines.number;
    event->file = file->number;
    if (!find_type(names, file))
        return false;
    event->type = definition->type_id;
    event->resource = file->scope->root;
    if (definition->place[PAJE_CONTAINER] >= 0 &&
        !find_container(&event->resource, names, file, PAJE_CONTAINER))
        return false;
    if (is_link(definition->kind) &&
        !find_container(&event->end, names, file,
                        definition->kind == PAJE_START_LINK ? PAJE_START_CONTAINER
                                                            : PAJE_END_CONTAINER))
        return false;
    return read_value(event, names, file) && read_attributes(event, reader);
}

/* Nearly all events come in order. */
static inline bool add(oc_raw_window *window, int64_t time)
{
    if (window->count == 0 || oc_raw_window_at(window, window->count - 1)->time > time)
        return oc_raw_window_add(window) == OCELOTL_OK;
    window->count++;
    return true;
}

/* A message of the short way is forgotten: the long way finds the same words. */
static inline __attribute__((always_inline)) bool add_event(paje_reader *reader, bool has_time)
{
    paje_file *file = reader->file;
    oc_raw_event *event = oc_raw_window_next(&reader->pipeline.window);
    event->time = file->time;
    if ((has_time || read_time(&event->time, reader, file)) && resolve(event, reader) &&
        add(&reader->pipeline.window, event->time)) {
        file->kept_lines++;
        file->definition->count++;
        return true;
    }
    oc_raw_event_free(event);
    paje_lines_back(&file->lines);
    return false;
}

static inline bool next_line(paje_file *file)
{
    const int number = paje_lines_next_quickly(&file->lines, file->words, file->quick_counts);
    if (number < 0)
        return false;
    file->definition = file->definitions.by_number[number];
    return true;
}

bool paje_quick_read(paje_reader *reader)
{
    return next_line(reader->file) && add_event(reader, false);
}

bool paje_quick_hold(paje_reader *reader)
{
    paje_file *file = reader->file;
    if (!next_line(file))
        return false;
    if (read_time(&file->time, reader, file))
        return true;
    paje_lines_back(&file->lines);
    return false;
}

bool paje_quick_add(paje_reader *reader)
{
    return reader->file->scope->root != OC_NOWHERE && add_event(reader, true);
}
