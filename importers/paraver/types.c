/* Types of events and their values: what becomes of them. */
#include "importers/paraver/reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TYPES = 1 << 16, MOST_NAMELESS = 4096 };

static const struct {
    uint64_t first;
    const char *name;
} families[PARAVER_FAMILIES] = {{50000001, "MPI"}, {60000001, "OpenMP"}, {61000000, "pthread"}};

/* What Extrae writes for types of states. Calls of one library are one type of states. A value
 * nests where each has its own 0: in regions, functions and tasks. Steps have one 0 at their end: a
 * lock is waited for, held and left. Any other type has one value at a time. */
static const struct {
    uint64_t first, last;
    uint32_t family;
    paraver_rule rule;
} rules[] = {
    {50000001, 50000099, 0, PARAVER_REPLACES},
    {60000001, 60000005, 1, PARAVER_NESTS},            /* regions, loops and sections, barriers */
    {60000006, 60000009, 1, PARAVER_STEPS},            /* locks */
    {60000010, 60000013, 1, PARAVER_NESTS},            /* calls of the runtime */
    {60000014, 60000015, 1, PARAVER_STEPS},            /* ordered sections */
    {60000016, 60000017, 1, PARAVER_NESTS},            /* joins */
    {60000018, 60000031, OCELOTL_NONE, PARAVER_NESTS}, /* functions, tasks */
    {60000032, 60000033, OCELOTL_NONE, PARAVER_STEPS}, /* the lock's name, ordered sections */
    {60000034, 60999999, OCELOTL_NONE, PARAVER_NESTS}, /* OMPT, lines of functions */
    {61000000, 61999999, 2, PARAVER_REPLACES},
    {62000000, 64999999, OCELOTL_NONE, PARAVER_NESTS}, /* CUDA, OpenCL */
};

/* Returns whether a type gives the place of a sample or a call: true at an instant alone, whatever
 * 0 is called. */
static bool is_sample(uint64_t number)
{
    static const uint64_t firsts[] = {30000000, 70000000, 80000000};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++)
        if (number >= firsts[i] && number < firsts[i] + 1000000)
            return true;
    return false;
}

static bool is_counter(uint64_t number, const paraver_known_type *known)
{
    enum { COUNTERS_GRADIENT = 7 };
    const bool preset = number >= 42000000 && number < 43000000;
    const bool native = number >= 43000000 && number < 50000000;
    return preset || (native && known != NULL && known->gradient == COUNTERS_GRADIENT);
}

/* Sets the rule of a type and gives its family, OCELOTL_NONE: it has none. */
static uint32_t find_rule(paraver_type *type)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (type->number >= rules[i].first && type->number <= rules[i].last) {
            type->rule = rules[i].rule;
            return rules[i].family;
        }
    return OCELOTL_NONE;
}

/* --- Names */

/* A name of its own: that of the .pcf, with its number till no other has that; or its number. */
static ocelotl_status name_type(oc_text *name, paraver_reader *reader, const char *known,
                                uint64_t number)
{
    if (known != NULL)
        oc_text_add(name, known);
    else
        oc_text_format(name, "%" PRIu64, number);
    while (!name->failed &&
           oc_map_get(&reader->shared->names_taken, name->bytes, name->length) != OC_MAP_NONE)
        oc_text_format(name, " (%" PRIu64 ")", number);
    return name->failed ? oc_fail_memory()
                        : oc_map_set(&reader->shared->names_taken, name->bytes, name->length, 1);
}

/* Instants carry the attribute "value", the first of each type; counters are increments. */
static ocelotl_status describe(uint32_t event_type, paraver_reader *reader, paraver_way way)
{
    uint32_t attribute;
    if (way == PARAVER_COUNTER)
        return ocelotl_writer_kind(reader->writer, event_type, OCELOTL_INCREMENT);
    return way == PARAVER_INSTANT
               ? ocelotl_writer_attribute(&attribute, reader->writer, event_type, "value")
               : OCELOTL_OK;
}

/* Declares the event type of a number and a name, which another file may have declared before. */
static ocelotl_status declare_event_type(uint32_t *event_type, paraver_reader *reader,
                                         paraver_way way, uint64_t number, const char *known)
{
    static const ocelotl_category categories[] = {[PARAVER_INSTANT] = OCELOTL_EVENT,
                                                  [PARAVER_STATE] = OCELOTL_STATE,
                                                  [PARAVER_COUNTER] = OCELOTL_VARIABLE};
    oc_text key = {0};
    oc_text name = {0};
    oc_text_format(&key, "%" PRIu64 " %d %s", number, (int)way, known != NULL ? known : "");
    ocelotl_status status = key.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK)
        *event_type = oc_map_get(&reader->shared->types_known, key.bytes, key.length);
    if (status == OCELOTL_OK && *event_type == OC_MAP_NONE) {
        status = name_type(&name, reader, known, number);
        if (status == OCELOTL_OK)
            status = ocelotl_writer_event_type(event_type, reader->writer, categories[way],
                                               reader->shared->resource_types[2], name.bytes, -1);
        if (status == OCELOTL_OK)
            status = describe(*event_type, reader, way);
        if (status == OCELOTL_OK)
            status = oc_map_set(&reader->shared->types_known, key.bytes, key.length, *event_type);
    }
    oc_text_free(&key);
    oc_text_free(&name);
    return status;
}

static ocelotl_status declare_named(paraver_type *type, paraver_reader *reader, const char *known)
{
    type->slot = reader->slot_count++;
    return declare_event_type(&type->event_type, reader, type->way, type->number, known);
}

static ocelotl_status declare_family(paraver_type *type, paraver_reader *reader, uint32_t number)
{
    paraver_family *family = &reader->families[number];
    if (!family->is_known) {
        family->slot = reader->slot_count++;
        OC_TRY(declare_event_type(&family->event_type, reader, type->way, families[number].first,
                                  families[number].name));
        family->is_known = true;
    }
    type->event_type = family->event_type;
    type->slot = family->slot;
    return OCELOTL_OK;
}

static ocelotl_status count_as(paraver_type *type, paraver_reader *reader)
{
    static const ocelotl_fate fates[] = {[PARAVER_INSTANT] = OCELOTL_FATE_EVENT,
                                         [PARAVER_STATE] = OCELOTL_FATE_STATE,
                                         [PARAVER_COUNTER] = OCELOTL_FATE_VARIABLE};
    char name[32];
    oc_text what = {0};
    const paraver_known_type *known = paraver_names_type(&reader->names, type->number);
    const int length = snprintf(name, sizeof name, "2:%" PRIu64, type->number);
    oc_text_format(&what, "pairs%s%s", known != NULL ? ", " : "", known != NULL ? known->name : "");
    const ocelotl_status status = what.failed
                                      ? oc_fail_memory()
                                      : oc_kinds_find(&type->kind, &reader->shared->kinds, name,
                                                      (size_t)length, fates[type->way], what.bytes);
    oc_text_free(&what);
    return status;
}

static ocelotl_status declare(paraver_type *type, paraver_reader *reader)
{
    const paraver_known_type *known = paraver_names_type(&reader->names, type->number);
    const paraver_block *block = known != NULL ? &reader->names.blocks[known->block] : NULL;
    const uint32_t family = find_rule(type);
    const bool is_state =
        block != NULL && block->has_values && block->has_zero && !is_sample(type->number);
    if (is_counter(type->number, known))
        type->way = PARAVER_COUNTER;
    else if (is_state)
        type->way = PARAVER_STATE;
    if (block != NULL && block->has_values)
        type->block = known->block;
    OC_TRY(type->way == PARAVER_STATE && family != OCELOTL_NONE
               ? declare_family(type, reader, family)
               : declare_named(type, reader, known != NULL ? known->name : NULL));
    return count_as(type, reader);
}

/* --- Finding */

static size_t place_of(const paraver_reader *reader, uint64_t number)
{
    size_t place = (size_t)((number * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
    for (;; place++) {
        const uint32_t found = reader->type_of[place & (reader->type_slots - 1)];
        if (found == 0 || reader->types[found].number == number)
            return place & (reader->type_slots - 1);
    }
}

static ocelotl_status add_places(paraver_reader *reader)
{
    if (2 * (reader->type_count + 1) < reader->type_slots)
        return OCELOTL_OK;
    free(reader->type_of);
    reader->type_of = NULL;
    reader->type_slots = reader->type_slots > 0 ? 2 * reader->type_slots : 256;
    OC_TRY(oc_allocate(&reader->type_of, reader->type_slots, sizeof *reader->type_of));
    for (size_t i = 1; i < reader->type_count; i++)
        reader->type_of[place_of(reader, reader->types[i].number)] = (uint32_t)i;
    return OCELOTL_OK;
}

static ocelotl_status add_type(paraver_type **type, paraver_reader *reader, uint64_t number)
{
    if (reader->type_count > MOST_TYPES)
        return oc_fail(OCELOTL_ERROR_LIMIT, "more than %d types of events, expected fewer",
                       MOST_TYPES);
    OC_TRY(oc_grow(&reader->types, &reader->type_capacity, reader->type_count + 1,
                   sizeof *reader->types));
    *type = &reader->types[reader->type_count++];
    **type = (paraver_type){.number = number, .block = OCELOTL_NONE};
    return OCELOTL_OK;
}

ocelotl_status paraver_find_type(uint32_t *index, paraver_reader *reader, uint64_t number)
{
    paraver_type *type;
    size_t place = place_of(reader, number);
    *index = reader->type_of[place];
    if (*index != 0)
        return OCELOTL_OK;
    OC_TRY(add_places(reader));
    place = place_of(reader, number);
    OC_TRY(add_type(&type, reader, number));
    OC_TRY(declare(type, reader));
    *index = (uint32_t)reader->type_count - 1;
    reader->type_of[place] = *index;
    return OCELOTL_OK;
}

/* The type of states has no number and takes no place. */
ocelotl_status paraver_types_begin(paraver_reader *reader)
{
    paraver_type *states;
    OC_TRY(add_places(reader));
    OC_TRY(add_type(&states, reader, 0));
    states->way = PARAVER_STATE;
    states->block = 0;
    return declare_named(states, reader, "State");
}

void paraver_types_free(paraver_reader *reader)
{
    for (size_t i = 0; i < reader->type_count; i++) {
        free(reader->types[i].small);
        oc_map_free(&reader->types[i].large);
    }
    free(reader->types);
    free(reader->type_of);
}

/* --- Values */

/* Values of one name are one, whatever their numbers. */
static ocelotl_status declare_value(uint32_t *value, paraver_reader *reader, uint32_t event_type,
                                    const char *name, int32_t colour)
{
    oc_text key = {0};
    oc_text_append(&key, (const char *)&event_type, sizeof event_type);
    oc_text_add(&key, name);
    ocelotl_status status = key.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK) {
        *value = oc_map_get(&reader->shared->values_known, key.bytes, key.length);
        if (*value == OC_MAP_NONE) {
            status = ocelotl_writer_value(value, reader->writer, event_type, name, colour);
            if (status == OCELOTL_OK)
                status = oc_map_set(&reader->shared->values_known, key.bytes, key.length, *value);
        }
    }
    oc_text_free(&key);
    return status;
}

/* States need a name, events without one have their number as an attribute. */
static ocelotl_status declare_nameless(uint32_t *value, paraver_reader *reader, paraver_type *type,
                                       int64_t number, int32_t colour)
{
    char name[32];
    *value = OCELOTL_NONE;
    if (type->way != PARAVER_STATE)
        return OCELOTL_OK;
    if (type->nameless == MOST_NAMELESS) {
        paraver_note(reader, PARAVER_VALUES_MANY);
        return declare_value(value, reader, type->event_type, "(other values)", -1);
    }
    type->nameless++;
    if (type == reader->types)
        paraver_note(reader, PARAVER_STATE_WITHOUT_NAME);
    snprintf(name, sizeof name, type == reader->types ? "State %" PRId64 : "%" PRId64, number);
    return declare_value(value, reader, type->event_type, name, colour);
}

static ocelotl_status make_value(uint32_t *value, paraver_reader *reader, paraver_type *type,
                                 int64_t number)
{
    const paraver_label *label = paraver_names_label(&reader->names, type->block, number);
    const int32_t colour = label != NULL ? label->colour : -1;
    if (label != NULL && label->text != NULL)
        return declare_value(value, reader, type->event_type, label->text, colour);
    return declare_nameless(value, reader, type, number, colour);
}

static ocelotl_status find_large(uint32_t *value, paraver_reader *reader, paraver_type *type,
                                 int64_t number)
{
    *value = oc_map_get(&type->large, &number, sizeof number);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    const bool keeps = type->nameless < MOST_NAMELESS;
    OC_TRY(make_value(value, reader, type, number));
    return keeps && *value != OCELOTL_NONE
               ? oc_map_set(&type->large, &number, sizeof number, *value)
               : OCELOTL_OK;
}

ocelotl_status paraver_find_value(uint32_t *value, paraver_reader *reader, paraver_type *type,
                                  int64_t number)
{
    *value = OCELOTL_NONE;
    if (type->block == OCELOTL_NONE)
        return OCELOTL_OK;
    if (number < 0 || number >= PARAVER_SMALL_VALUES)
        return find_large(value, reader, type, number);
    if (type->small == NULL)
        OC_TRY(oc_allocate(&type->small, PARAVER_SMALL_VALUES, sizeof *type->small));
    if (type->small[number] == 0) {
        OC_TRY(make_value(value, reader, type, number));
        type->small[number] = *value + 1; /* 0 again for OCELOTL_NONE: it is looked up anew */
    }
    *value = type->small[number] - 1;
    return OCELOTL_OK;
}
