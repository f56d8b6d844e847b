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

ocelotl_status paje_parser_begin(paje_parser *parser, oc_arena *arena)
{
    const size_t near = (size_t)PAJE_NEAR_LAST << PAJE_NEAR_BITS;
    parser->words = parser->own_words;
    OC_TRY(oc_arena_allocate(&parser->known, arena, PAJE_QUICK_NUMBERS + 1, sizeof *parser->known));
    OC_TRY(oc_arena_allocate(&parser->near, arena, near, sizeof *parser->near));
    return oc_arena_allocate(&parser->remembered, arena, PAJE_REMEMBERED,
                             sizeof *parser->remembered);
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
    if (kind == LOOKUP_CONTAINER)
        return paje_names_known_container(parser->names, parser->scope, text);
    return kind == LOOKUP_TYPE ? paje_names_known_type(parser->scope, text)
                               : paje_names_known_value(parser->names, &parser->key, of, text);
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

static inline paje_field get(const paje_parser *parser, int place)
{
    return parser->words[1 + place];
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

static inline paje_lack lack(paje_parser *parser, paje_lack what, int place)
{
    parser->lacking = (size_t)place;
    return what;
}

static inline bool find_container(uint32_t *resource, paje_parser *parser, int place)
{
    const paje_field text = get(parser, place);
    *resource = parser->scope->root;
    if (text.length == 1 && text.text[0] == '0')
        return true;
    *resource = find_near(parser, text);
    return *resource != OC_MAP_NONE;
}

/* A definition's events are mostly of one type. */
static inline bool find_type(paje_parser *parser)
{
    const paje_names *names = parser->names;
    paje_known *known = parser->of_definition;
    const paje_field text = get(parser, parser->definition->place[PAJE_TYPE]);
    const uint64_t word = first_word(text);
    if (known->generation != parser->generation)
        *known = (paje_known){.generation = parser->generation};
    if (known->type_word == word && text.length <= 8 && word != 0)
        return true;
    const uint32_t type = find(parser, LOOKUP_TYPE, parser->scope->number, text);
    if (type == OC_MAP_NONE || names->types[type].is_container ||
        names->types[type].category != parser->definition->message.category)
        return false;
    known->type_word = text.length <= 8 ? word : 0;
    known->type = type;
    known->id = names->types[type].id;
    return true;
}

static inline bool add_attribute(paje_event *event, paje_parser *parser, int place)
{
    ocelotl_attribute_value *attribute = &parser->attributes[event->attribute_count];
    paje_known *known = parser->of_definition;
    attribute->text = get(parser, place).text;
    attribute->length = get(parser, place).length;
    event->attribute_count++;
    if (known->attribute_type[place] != event->type + 1) {
        known->attributes[place] = paje_names_known_attribute(
            parser->names, &parser->key, event->type, parser->definition->fields[place].name);
        if (known->attributes[place] == OC_MAP_NONE)
            return false;
        known->attribute_type[place] = event->type + 1;
    }
    attribute->attribute = known->attributes[place];
    return true;
}

/* A link's first attribute is its key; then comes all that has no other meaning. */
static inline paje_lack read_attributes(paje_event *event, paje_parser *parser)
{
    const paje_definition *definition = parser->definition;
    event->attribute_count = 0;
    if (definition->is_link) {
        if (!add_attribute(event, parser, definition->place[PAJE_KEY]))
            return lack(parser, PAJE_LACKS_ATTRIBUTE, definition->place[PAJE_KEY]);
        event->key_hash = paje_link_hash(&parser->hash_key, event, &parser->attributes[0]);
    }
    if (!definition->has_extra || definition->is_end)
        return PAJE_LACKS_NOTHING;
    for (int i = 0; i < (int)definition->field_count; i++)
        if (definition->fields[i].meaning == PAJE_EXTRA && !add_attribute(event, parser, i))
            return lack(parser, PAJE_LACKS_ATTRIBUTE, i);
    return PAJE_LACKS_NOTHING;
}

static inline bool read_time(int64_t *time, const paje_parser *parser)
{
    const paje_field text = get(parser, parser->definition->place[PAJE_TIME]);
    return oc_decimal_read_quickly(time, text.text, text.length, parser->digits, parser->power) ||
           oc_decimal_read_plain(time, text.text, text.length, parser->digits);
}

void paje_parser_define(paje_parser *parser, const paje_definition *definition, int number)
{
    parser->definition = definition;
    parser->of_definition = &parser->known[number];
}

int paje_parser_line(int64_t *time, paje_parser *parser, paje_lines *lines)
{
    const int number = parser->long_way ? -1
                                        : paje_lines_next_quickly(lines, parser->words,
                                                                  parser->definitions->quick);
    if (number < 0)
        return -1;
    paje_parser_define(parser, parser->definitions->by_number[number], number);
    if (read_time(time, parser))
        return number;
    paje_lines_back(lines);
    return -1;
}

paje_lack paje_parser_event(paje_event *event, paje_parser *parser)
{
    const paje_definition *definition = parser->definition;
    const paje_kind kind = definition->message.kind;
    const int *place = definition->place;
    event->kind = (uint8_t)kind;
    if (!find_type(parser))
        return lack(parser, PAJE_LACKS_TYPE, place[PAJE_TYPE]);
    event->type = parser->of_definition->id;
    event->resource = parser->scope->root;
    if (place[PAJE_CONTAINER] >= 0 &&
        !find_container(&event->resource, parser, place[PAJE_CONTAINER]))
        return lack(parser, PAJE_LACKS_CONTAINER, place[PAJE_CONTAINER]);
    if (definition->is_link) {
        const int end = place[kind == PAJE_START_LINK ? PAJE_START_CONTAINER : PAJE_END_CONTAINER];
        if (!find_container(&event->end, parser, end))
            return lack(parser, PAJE_LACKS_CONTAINER, end);
    }
    event->value = OCELOTL_NONE;
    /* What ends a state may name it, which says nothing. */
    if (place[PAJE_VALUE] >= 0 && !definition->is_end) {
        const paje_field text = get(parser, place[PAJE_VALUE]);
        if (definition->message.category == OCELOTL_VARIABLE) {
            if (!oc_bytes_are_number(&event->number, text.text, text.length))
                return lack(parser, PAJE_LACKS_NUMBER, place[PAJE_VALUE]);
        } else {
            event->value = find(parser, LOOKUP_VALUE, parser->of_definition->type, text);
            if (event->value == OC_MAP_NONE)
                return lack(parser, PAJE_LACKS_VALUE, place[PAJE_VALUE]);
        }
    }
    return read_attributes(event, parser);
}

static inline bool add_event(paje_block *block, paje_parser *parser, const paje_lines *lines,
                             uint32_t file, int64_t time)
{
    paje_event *event = paje_block_next_event(block);
    if (event == NULL || (block->count > 0 ? event[-1].time : parser->after) > time)
        return false;
    *event = (paje_event){.time = time, .file = file, .line = PAJE_LINE(lines->number)};
    if (paje_parser_event(event, parser) != PAJE_LACKS_NOTHING ||
        (event->attribute_count > 0 &&
         !paje_block_give_attributes(block, event, parser->attributes)))
        return false;
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
        if (paje_parser_line(&time, parser, &lines) < 0)
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
