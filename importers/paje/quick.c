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

/* Of the events that happen, all but the end of a container, and what is counted as odd. */
static bool can_be_quick(const paje_definition *definition)
{
    const paje_kind kind = definition->kind;
    return kind >= PAJE_NEW_EVENT && kind <= PAJE_END_LINK &&
           definition->field_count <= PAJE_QUICK_FIELDS &&
           !(is_end(kind) && definition->has_extra) &&
           (is_link(kind) || definition->place[PAJE_CONTAINER] >= 0);
}

void paje_quick_prepare(paje_reader *reader)
{
    for (size_t i = 0; i < PAJE_QUICK_NUMBERS; i++) {
        const paje_definition *definition =
            i < reader->definitions.capacity ? reader->definitions.by_number[i] : NULL;
        reader->quick_counts[i] = definition != NULL && can_be_quick(definition)
                                      ? (uint8_t)(definition->field_count + 1)
                                      : 0;
    }
}

static inline paje_field get(const paje_reader *reader, paje_meaning meaning)
{
    return reader->fields[reader->definition->place[meaning]];
}

static inline bool find_container(uint32_t *container, const paje_reader *reader,
                                  paje_meaning meaning)
{
    const paje_field text = get(reader, meaning);
    *container = 0;
    if (text.length == 1 && text.text[0] == '0')
        return true;
    *container = paje_names_recall(&reader->simulation.names, PAJE_SCOPE_CONTAINER, text);
    return *container != OC_MAP_NONE;
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
static inline bool find_type(uint32_t *type, paje_reader *reader)
{
    paje_definition *definition = reader->definition;
    const paje_names *names = &reader->simulation.names;
    const paje_field text = get(reader, PAJE_TYPE);
    const uint64_t word = paje_names_word(text);
    *type = definition->type;
    if (definition->type_word == word && text.length <= 8 &&
        definition->type_generation == names->generation)
        return true;
    *type = paje_names_recall(names, PAJE_SCOPE_TYPE, text);
    if (*type == OC_MAP_NONE || names->types[*type].is_container ||
        names->types[*type].category != category_of(definition->kind))
        return false;
    definition->type_word = text.length <= 8 ? word : 0;
    definition->type_generation = names->generation;
    definition->type = *type;
    return true;
}

static inline bool read_value(paje_event *event, const paje_reader *reader)
{
    const paje_kind kind = reader->definition->kind;
    event->value = OCELOTL_NONE;
    if (is_end(kind) || reader->definition->place[PAJE_VALUE] < 0)
        return true;
    const paje_field text = get(reader, PAJE_VALUE);
    if (category_of(kind) == OCELOTL_VARIABLE)
        return oc_bytes_are_number(&event->number, text.text, text.length);
    event->value =
        paje_names_recall(&reader->simulation.names, PAJE_SCOPE_VALUES + event->type, text);
    return event->value != OC_MAP_NONE;
}

/* The key of a link, where that is all it carries. */
static bool read_key(paje_event *event, paje_reader *reader)
{
    const int place = reader->definition->place[PAJE_KEY];
    const paje_definition_field *field = &reader->definition->fields[place];
    if (field->known_type != event->type + 1)
        return false;
    event->attributes = paje_window_attributes(&reader->pipeline.window, 1);
    event->attributes[0] = (ocelotl_attribute_value){field->attribute, reader->fields[place].text,
                                                     reader->fields[place].length};
    event->attribute_count = 1;
    event->key_hash = oc_hash_keyed(&reader->simulation.links.hash_key, event->attributes[0].text,
                                    event->attributes[0].length);
    return true;
}

static inline bool read_attributes(paje_event *event, paje_reader *reader)
{
    const paje_definition *definition = reader->definition;
    if (is_end(definition->kind) || (!definition->has_extra && !is_link(definition->kind)))
        return true;
    if (!definition->has_extra && read_key(event, reader))
        return true;
    if (paje_read_attributes(event, reader) == OCELOTL_OK)
        return true;
    paje_event_free(event);
    return false;
}

static inline bool resolve(paje_event *event, paje_reader *reader)
{
    const paje_definition *definition = reader->definition;
    const paje_field time = get(reader, PAJE_TIME);
    event->kind = (uint8_t)definition->kind;
    event->line = reader->lines.number;
    if (!paje_decimal_read_quickly(&event->time, time.text, time.length, reader->digits,
                                   reader->power) &&
        !paje_decimal_read_plain(&event->time, time.text, time.length, reader->digits))
        return false;
    if (!find_type(&event->type, reader))
        return false;
    if (definition->place[PAJE_CONTAINER] >= 0 &&
        !find_container(&event->container, reader, PAJE_CONTAINER))
        return false;
    if (is_link(definition->kind) &&
        !find_container(&event->end, reader,
                        definition->kind == PAJE_START_LINK ? PAJE_START_CONTAINER
                                                            : PAJE_END_CONTAINER))
        return false;
    return read_value(event, reader) && read_attributes(event, reader);
}

/* Nearly all events come in order. */
static inline bool add(paje_window *window, int64_t time)
{
    if (window->count == 0 || paje_window_at(window, window->count - 1)->time > time)
        return paje_window_add(window) == OCELOTL_OK;
    window->count++;
    return true;
}

/* A message of the short way is forgotten: the long way finds the same words. */
bool paje_quick_read(paje_reader *reader)
{
    const int number = paje_lines_next_quickly(&reader->lines, reader->words, reader->quick_counts);
    if (number < 0)
        return false;
    paje_event *event = paje_window_next(&reader->pipeline.window);
    reader->definition = reader->definitions.by_number[number];
    if (resolve(event, reader) && add(&reader->pipeline.window, event->time)) {
        reader->kept_lines++;
        return true;
    }
    paje_event_free(event);
    paje_lines_back(&reader->lines);
    return false;
}
