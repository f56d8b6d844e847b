#include "importers/paje/parse.h"

#include "base/memory.h"
#include "base/text.h"
#include "importers/common/clock.h"
#include "importers/paje/apply.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_REMEMBERED = 16, LOOKUP_LENGTHS = 32 };

/* What a text can be looked up as: a container or a type of a scope, or a value of a type. */
enum { LOOKUP_CONTAINER, LOOKUP_TYPE, LOOKUP_VALUE, LOOKUP_KINDS };

ocelotl_status paje_parser_begin(paje_parser *parser)
{
    OC_TRY(oc_allocate(&parser->known, PAJE_QUICK_NUMBERS, sizeof *parser->known));
    OC_TRY(
        oc_allocate(&parser->near, (size_t)PAJE_NEAR_LAST << PAJE_NEAR_BITS, sizeof *parser->near));
    return oc_allocate(&parser->remembered, PAJE_REMEMBERED, sizeof *parser->remembered);
}

void paje_parser_free(paje_parser *parser)
{
    free(parser->known);
    free(parser->remembered);
    free(parser->near);
    oc_text_free(&parser->key);
}

/* The first eight bytes of a field, 0 behind a shorter one. Eight bytes of the line's memory are
 * read. */
static inline uint64_t first_word(paje_field text)
{
    uint64_t word;
    memcpy(&word, text.text, sizeof word);
    return text.length >= 8 ? word : word & (((uint64_t)1 << (8 * text.length)) - 1);
}

static uint32_t look_up(paje_parser *parser, uint32_t kind, uint32_t of, paje_field text)
{
    uint32_t index;
    if (kind == LOOKUP_CONTAINER)
        return paje_names_known_container(parser->names, parser->scope, text);
    if (kind == LOOKUP_TYPE)
        return paje_names_known_event_type(parser->scope, text);
    return paje_names_known_value(&index, parser->names, &parser->key, of, text) == OCELOTL_OK
               ? index
               : OC_MAP_NONE;
}

/* Finds a text by its length, its first eight bytes and its last eight (0 unless it is longer). */
static inline uint32_t find(paje_parser *parser, uint32_t kind, uint32_t of, paje_field text)
{
    const uint32_t most = UINT32_MAX / LOOKUP_KINDS / LOOKUP_LENGTHS - 1;
    uint64_t words[2] = {first_word(text), 0};
    if (text.length > LONGEST_REMEMBERED || of >= most)
        return look_up(parser, kind, of, text);
    if (text.length > 8)
        memcpy(&words[1], text.text + text.length - 8, 8);
    const uint32_t key = (of * LOOKUP_KINDS + kind) * LOOKUP_LENGTHS + (uint32_t)text.length;
    const uint64_t hash =
        (words[0] ^ words[1] * 0xD6E8FEB86659FD93u ^ key * (uint64_t)0xA0761D6478BD642Fu) *
        0x9E3779B97F4A7C15u;
    paje_remembered *place = &parser->remembered[hash >> (64 - PAJE_REMEMBERED_BITS)];
    if (place->text[0] == words[0] && place->text[1] == words[1] && place->lookup == key &&
        place->generation == parser->generation)
        return place->index;
    const uint32_t index = look_up(parser, kind, of, text);
    if (index != OC_MAP_NONE)
        *place = (paje_remembered){{words[0], words[1]}, key, index, parser->generation};
    return index;
}

static inline bool is_link(paje_kind kind)
{
    return kind == PAJE_START_LINK || kind == PAJE_END_LINK;
}

static inline bool is_end(paje_kind kind)
{
    return kind == PAJE_POP_STATE || kind == PAJE_RESET_STATE;
}

static inline paje_field get(const paje_parser *parser, paje_meaning meaning)
{
    return parser->words[1 + parser->definition->place[meaning]];
}

/* Finds a container, in a small table beside the large one of all names: most lookups are of
 * containers. */
static inline uint32_t find_near(paje_parser *parser, paje_field text)
{
    const uint64_t word = first_word(text);
    if (text.length - 1 > 7 || parser->scope->number != 0 || parser->generation > UINT32_MAX)
        return find(parser, LOOKUP_CONTAINER, parser->scope->number, text);
    const size_t last = (size_t)text.text[text.length - 1] % PAJE_NEAR_LAST;
    const uint64_t others = text.length < 2 ? 0 : word << (8 * (9 - text.length));
    const uint64_t group = others * 0x9E3779B97F4A7C15u >> (64 - PAJE_NEAR_BITS);
    paje_near *place = &parser->near[group * PAJE_NEAR_LAST + last];
    if (place->text == word && place->generation == (uint32_t)parser->generation)
        return place->index;
    const uint32_t index = find(parser, LOOKUP_CONTAINER, 0, text);
    if (index != OC_MAP_NONE)
        *place = (paje_near){word, index, (uint32_t)parser->generation};
    return index;
}

static inline bool find_container(uint32_t *resource, paje_parser *parser, paje_meaning meaning)
{
    const paje_field text = get(parser, meaning);
    *resource = parser->scope->root;
    if (text.length == 1 && text.text[0] == '0')
        return true;
    *resource = find_near(parser, text);
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
static inline bool find_type(paje_parser *parser)
{
    const paje_names *names = parser->names;
    paje_known *known = parser->of_definition;
    const paje_field text = get(parser, PAJE_TYPE);
    const uint64_t word = first_word(text);
    if (known->generation != parser->generation)
        *known = (paje_known){.generation = parser->generation};
    if (known->type_word == word && text.length <= 8 && word != 0)
        return true;
    const uint32_t type = find(parser, LOOKUP_TYPE, parser->scope->number, text);
    if (type == OC_MAP_NONE || names->types[type].is_container ||
        names->types[type].category != category_of(parser->definition->kind))
        return false;
    known->type_word = text.length <= 8 ? word : 0;
    known->type = type;
    known->id = names->types[type].id;
    return true;
}

static inline bool read_value(paje_event *event, paje_parser *parser)
{
    const paje_kind kind = parser->definition->kind;
    event->value = OCELOTL_NONE;
    if (is_end(kind) || parser->definition->place[PAJE_VALUE] < 0)
        return true;
    const paje_field text = get(parser, PAJE_VALUE);
    if (category_of(kind) == OCELOTL_VARIABLE)
        return oc_bytes_are_number(&event->number, text.text, text.length);
    event->value = find(parser, LOOKUP_VALUE, parser->of_definition->type, text);
    return event->value != OC_MAP_NONE;
}

static inline bool find_attribute(uint32_t *attribute, paje_parser *parser, uint32_t type,
                                  size_t field)
{
    paje_known *known = parser->of_definition;
    if (known->attribute_type[field] != type + 1) {
        if (paje_names_known_attribute(&known->attributes[field], parser->names, &parser->key, type,
                                       parser->definition->fields[field].name) != OCELOTL_OK ||
            known->attributes[field] == OC_MAP_NONE)
            return false;
        known->attribute_type[field] = type + 1;
    }
    *attribute = known->attributes[field];
    return true;
}

static inline bool add_attribute(paje_event *event, paje_parser *parser, size_t field)
{
    ocelotl_attribute_value *attribute = &parser->attributes[event->attribute_count];
    attribute->text = parser->words[1 + field].text;
    attribute->length = parser->words[1 + field].length;
    event->attribute_count++;
    return find_attribute(&attribute->attribute, parser, event->type, field);
}

/* A link's first attribute is its key; then comes all that has no other meaning. */
static inline bool read_attributes(paje_event *event, paje_parser *parser)
{
    const paje_definition *definition = parser->definition;
    if (is_link(definition->kind)) {
        if (!add_attribute(event, parser, (size_t)definition->place[PAJE_KEY]))
            return false;
        event->key_hash = paje_link_hash(&parser->hash_key, event, &parser->attributes[0]);
    }
    for (size_t i = 0; definition->has_extra && i < definition->field_count; i++)
        if (definition->fields[i].meaning == PAJE_EXTRA && !add_attribute(event, parser, i))
            return false;
    return true;
}

static inline bool read_time(int64_t *time, const paje_parser *parser)
{
    const paje_field text = get(parser, PAJE_TIME);
    return oc_decimal_read_quickly(time, text.text, text.length, parser->digits, parser->power) ||
           oc_decimal_read_plain(time, text.text, text.length, parser->digits);
}

bool paje_parser_line(int64_t *time, paje_parser *parser, paje_lines *lines)
{
    const int number =
        parser->long_way ? -1 : paje_lines_next_quickly(lines, parser->words, parser->counts);
    if (number < 0)
        return false;
    parser->definition = parser->definitions->by_number[number];
    parser->of_definition = &parser->known[number];
    if (read_time(time, parser))
        return true;
    paje_lines_back(lines);
    return false;
}

bool paje_parser_event(paje_event *event, paje_parser *parser)
{
    const paje_definition *definition = parser->definition;
    event->kind = (uint8_t)definition->kind;
    if (!find_type(parser))
        return false;
    event->type = parser->of_definition->id;
    event->resource = parser->scope->root;
    if (definition->place[PAJE_CONTAINER] >= 0 &&
        !find_container(&event->resource, parser, PAJE_CONTAINER))
        return false;
    if (is_link(definition->kind) &&
        !find_container(&event->end, parser,
                        definition->kind == PAJE_START_LINK ? PAJE_START_CONTAINER
                                                            : PAJE_END_CONTAINER))
        return false;
    return read_value(event, parser) && read_attributes(event, parser);
}

static inline bool add_event(paje_block *block, paje_parser *parser, const paje_lines *lines,
                             uint32_t file, int64_t time)
{
    paje_event *event = paje_block_next_event(block);
    if (event == NULL || (block->count > 0 ? event[-1].time : parser->after) > time)
        return false;
    *event = (paje_event){.time = time, .file = file, .line = PAJE_LINE(lines->number)};
    if (!paje_parser_event(event, parser))
        return false;
    if (event->attribute_count > 0) {
        const size_t count = event->attribute_count;
        ocelotl_attribute_value *attributes = paje_block_next_attributes(block, count);
        if (attributes == NULL)
            return false;
        event->first_attribute = (uint32_t)block->attribute_count;
        for (size_t i = 0; i < count; i++) {
            attributes[i] = parser->attributes[i];
            block->carried += attributes[i].length;
        }
        block->attribute_count += count;
    }
    block->count++;
    return true;
}

void paje_parser_block(paje_block *block, paje_parser *parser, uint32_t file)
{
    paje_lines lines;
    int64_t time;
    paje_lines_begin(&lines, block->bytes, block->read, block->length, block->lines);
    while (paje_lines_are_there(&lines)) {
        if (paje_lines_is_empty(&lines)) {
            paje_lines_pass_empty(&lines);
            continue;
        }
        if (!paje_parser_line(&time, parser, &lines))
            break;
        if (!add_event(block, parser, &lines, file, time)) {
            paje_lines_back(&lines);
            break;
        }
        block->kinds[parser->of_definition - parser->known]++;
    }
    block->read = lines.next;
    block->lines = lines.number;
}
