#include "importers/paje/definition.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t largest_number = 65535;

#define NEEDS(meaning) (1u << (meaning))

enum {
    DECLARED = NEEDS(PAJE_NAME) | NEEDS(PAJE_TYPE),
    PLACED = NEEDS(PAJE_TIME) | NEEDS(PAJE_TYPE) | NEEDS(PAJE_CONTAINER),
    VALUED = PLACED | NEEDS(PAJE_VALUE),
    LINKED = NEEDS(PAJE_TIME) | NEEDS(PAJE_TYPE) | NEEDS(PAJE_KEY),
};

static const paje_message messages[] = {
    {"PajeDefineContainerType", PAJE_DEFINE_CONTAINER_TYPE, OCELOTL_FATE_DEFINITION, DECLARED},
    {"PajeDefineEventType", PAJE_DEFINE_TYPE, OCELOTL_FATE_DEFINITION, DECLARED, OCELOTL_EVENT},
    {"PajeDefineStateType", PAJE_DEFINE_TYPE, OCELOTL_FATE_DEFINITION, DECLARED, OCELOTL_STATE},
    {"PajeDefineVariableType", PAJE_DEFINE_TYPE, OCELOTL_FATE_DEFINITION, DECLARED,
     OCELOTL_VARIABLE},
    {"PajeDefineLinkType", PAJE_DEFINE_TYPE, OCELOTL_FATE_DEFINITION, DECLARED, OCELOTL_LINK},
    {"PajeDefineEntityValue", PAJE_DEFINE_VALUE, OCELOTL_FATE_DEFINITION, DECLARED},
    {"PajeCreateContainer", PAJE_CREATE_CONTAINER, OCELOTL_FATE_DEFINITION,
     PLACED | NEEDS(PAJE_NAME)},
    {"PajeDestroyContainer", PAJE_DESTROY_CONTAINER, OCELOTL_FATE_DEFINITION,
     NEEDS(PAJE_TIME) | NEEDS(PAJE_NAME)},
    {"PajeNewEvent", PAJE_NEW_EVENT, OCELOTL_FATE_EVENT, VALUED, OCELOTL_EVENT},
    {"PajeSetState", PAJE_SET_STATE, OCELOTL_FATE_STATE, VALUED, OCELOTL_STATE},
    {"PajePushState", PAJE_PUSH_STATE, OCELOTL_FATE_STATE, VALUED, OCELOTL_STATE},
    {"PajePopState", PAJE_POP_STATE, OCELOTL_FATE_STATE, PLACED, OCELOTL_STATE},
    {"PajeResetState", PAJE_RESET_STATE, OCELOTL_FATE_STATE, PLACED, OCELOTL_STATE},
    {"PajeSetVariable", PAJE_SET_VARIABLE, OCELOTL_FATE_VARIABLE, VALUED, OCELOTL_VARIABLE},
    {"PajeAddVariable", PAJE_ADD_VARIABLE, OCELOTL_FATE_VARIABLE, VALUED, OCELOTL_VARIABLE},
    {"PajeSubVariable", PAJE_SUB_VARIABLE, OCELOTL_FATE_VARIABLE, VALUED, OCELOTL_VARIABLE},
    {"PajeStartLink", PAJE_START_LINK, OCELOTL_FATE_LINK, LINKED | NEEDS(PAJE_START_CONTAINER),
     OCELOTL_LINK},
    {"PajeEndLink", PAJE_END_LINK, OCELOTL_FATE_LINK, LINKED | NEEDS(PAJE_END_CONTAINER),
     OCELOTL_LINK},
    {"PajeTraceFile", PAJE_TRACE_FILE, OCELOTL_FATE_DEFINITION, NEEDS(PAJE_FILE_NAME)},
};

/* Today's names of fields and, behind them, those of the first Paje. */
static const struct meaning_name {
    const char *name;
    paje_meaning meaning;
} meaning_names[] = {
    {"Alias", PAJE_ALIAS},
    {"Name", PAJE_NAME},
    {"Type", PAJE_TYPE},
    {"Container", PAJE_CONTAINER},
    {"Value", PAJE_VALUE},
    {"Time", PAJE_TIME},
    {"Color", PAJE_COLOUR},
    {"StartContainerType", PAJE_START_CONTAINER_TYPE},
    {"EndContainerType", PAJE_END_CONTAINER_TYPE},
    {"StartContainer", PAJE_START_CONTAINER},
    {"EndContainer", PAJE_END_CONTAINER},
    {"Key", PAJE_KEY},
    {"Filename", PAJE_FILE_NAME},
    {"ContainerType", PAJE_TYPE},
    {"EntityType", PAJE_TYPE},
    {"SourceContainerType", PAJE_START_CONTAINER_TYPE},
    {"DestContainerType", PAJE_END_CONTAINER_TYPE},
    {"SourceContainer", PAJE_START_CONTAINER},
    {"DestContainer", PAJE_END_CONTAINER},
};

static const size_t message_count = sizeof messages / sizeof messages[0];
static const size_t meaning_count = sizeof meaning_names / sizeof meaning_names[0];

static void free_definition(paje_definition **definition)
{
    if (*definition != NULL)
        oc_arena_free(&(*definition)->arena);
    *definition = NULL;
}

void paje_definitions_free(paje_definitions *definitions)
{
    free_definition(&definitions->open);
    for (size_t i = 0; i < definitions->capacity; i++)
        free_definition(&definitions->by_number[i]);
    free(definitions->by_number);
    oc_kinds_free(&definitions->replaced);
    *definitions = (paje_definitions){0};
}

static ocelotl_status copy_definition(paje_definition **copy, const paje_definition *from)
{
    OC_TRY(oc_arena_make(copy, sizeof **copy));
    oc_arena arena = (*copy)->arena;
    **copy = *from;
    (*copy)->name = oc_arena_copy(&arena, from->name);
    for (size_t i = 0; i < from->field_count; i++)
        (*copy)->fields[i].name = oc_arena_copy(&arena, from->fields[i].name);
    (*copy)->count = (*copy)->skipped = 0;
    (*copy)->arena = arena;
    return oc_arena_status(&arena);
}

/* Makes room for the definition of a number. */
static ocelotl_status reserve(paje_definitions *definitions, size_t count)
{
    const size_t known = definitions->capacity;
    OC_TRY(
        oc_grow(&definitions->by_number, &definitions->capacity, count, sizeof(paje_definition *)));
    for (size_t i = known; i < definitions->capacity; i++)
        definitions->by_number[i] = NULL;
    return OCELOTL_OK;
}

ocelotl_status paje_definitions_copy(paje_definitions *definitions, const paje_definitions *from)
{
    OC_TRY(reserve(definitions, from->capacity));
    memcpy(definitions->quick, from->quick, sizeof from->quick);
    for (size_t i = 0; i < from->capacity; i++)
        if (from->by_number[i] != NULL)
            OC_TRY(copy_definition(&definitions->by_number[i], from->by_number[i]));
    return OCELOTL_OK;
}

static bool read_number(uint32_t *number, const char *text)
{
    if (*text == '\0')
        return false;
    for (*number = 0; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        *number = *number * 10 + (uint32_t)(*text - '0');
        if (*number > largest_number)
            return false;
    }
    return true;
}

paje_definition *paje_definitions_find(const paje_definitions *definitions, const char *text)
{
    uint32_t number;
    return read_number(&number, text) && number < definitions->capacity
               ? definitions->by_number[number]
               : NULL;
}

static ocelotl_status begin_definition(paje_definitions *definitions, const paje_field *fields,
                                       size_t count)
{
    ocelotl_status status = OCELOTL_OK;
    /* a caller that continues after the error has the new definition, not a mixture */
    if (definitions->open != NULL)
        status =
            oc_fail(OCELOTL_ERROR_INPUT,
                    "%%EventDef inside the definition of \"%s\", expected %%EndEventDef before",
                    definitions->open->name);
    free_definition(&definitions->open);
    if (count != 3)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%%EventDef with %zu fields, expected a name and a number", count - 1);
    if (!read_number(&definitions->open_number, fields[2].text))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%%EventDef %s has the number \"%s\", expected one in 0..%" PRIu32,
                       fields[1].text, fields[2].text, largest_number);
    paje_definition *open;
    OC_TRY(oc_arena_make(&definitions->open, sizeof *open));
    open = definitions->open;
    open->name = oc_arena_copy(&open->arena, fields[1].text);
    open->message = (paje_message){.kind = PAJE_UNKNOWN, .fate = OCELOTL_FATE_LEFT_OUT};
    for (size_t i = 0; i < message_count; i++)
        if (strcmp(messages[i].name, open->name) == 0)
            open->message = messages[i];
    open->is_link = open->message.fate == OCELOTL_FATE_LINK;
    open->is_end = open->message.kind == PAJE_POP_STATE || open->message.kind == PAJE_RESET_STATE;
    for (size_t i = 0; i < PAJE_MEANING_COUNT; i++)
        open->place[i] = -1;
    OC_TRY(oc_arena_status(&open->arena));
    return status;
}

static ocelotl_status add_field(paje_definition *definition, const paje_field *fields, size_t count)
{
    paje_meaning meaning = PAJE_EXTRA;
    if (definition == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "field \"%s\" outside a definition, expected %%EventDef before",
                       fields[0].text);
    if (count != 2)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "field definition of %zu words, expected a name and a type", count);
    if (definition->field_count == PAJE_MOST_FIELDS)
        return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" has more than %d fields", definition->name,
                       PAJE_MOST_FIELDS);
    for (size_t i = 0; i < meaning_count; i++)
        if (strcmp(meaning_names[i].name, fields[0].text) == 0)
            meaning = meaning_names[i].meaning;
    if (meaning != PAJE_EXTRA && definition->place[meaning] >= 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" has the field \"%s\" twice", definition->name,
                       fields[0].text);
    definition->fields[definition->field_count] =
        (paje_definition_field){oc_arena_copy(&definition->arena, fields[0].text), meaning};
    definition->has_extra = definition->has_extra || meaning == PAJE_EXTRA;
    definition->place[meaning] = (int)definition->field_count++;
    return oc_arena_status(&definition->arena);
}

static ocelotl_status check_required(const paje_definition *definition)
{
    for (unsigned m = 0; m < PAJE_EXTRA; m++)
        if ((definition->message.required & NEEDS(m)) != 0 && definition->place[m] < 0)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "the definition of \"%s\" ends without the field \"%s\"",
                           definition->name, meaning_names[m].name);
    return OCELOTL_OK;
}

/* Lines of an unknown kind and broken ones are left out. */
static ocelotl_status count_lines(oc_kinds *kinds, const paje_definition *definition)
{
    const bool is_unknown = definition->message.kind == PAJE_UNKNOWN;
    const uint64_t broken = is_unknown ? 0 : definition->skipped;
    OC_TRY(oc_kinds_count(kinds, definition->name, definition->message.fate,
                          definition->count - broken,
                          is_unknown ? "an event of the tracer's own" : NULL));
    return oc_kinds_count(kinds, definition->name, OCELOTL_FATE_LEFT_OUT, broken, "broken lines");
}

ocelotl_status paje_definitions_count(oc_kinds *kinds, const paje_definitions *definitions)
{
    for (size_t i = 0; i < definitions->replaced.count; i++) {
        const oc_kind *kind = &definitions->replaced.kinds[i];
        OC_TRY(oc_kinds_count(kinds, kind->name, kind->fate, kind->count, kind->why));
    }
    for (size_t i = 0; i < definitions->capacity; i++)
        if (definitions->by_number[i] != NULL)
            OC_TRY(count_lines(kinds, definitions->by_number[i]));
    return OCELOTL_OK;
}

static ocelotl_status end_definition(paje_definitions *definitions)
{
    paje_definition *open = definitions->open;
    const uint32_t number = definitions->open_number;
    if (open == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%%EndEventDef outside a definition, expected %%EventDef before");
    const ocelotl_status status = check_required(open);
    if (status != OCELOTL_OK) {
        free_definition(&definitions->open);
        return status;
    }
    OC_TRY(reserve(definitions, (size_t)number + 1));
    if (definitions->by_number[number] != NULL)
        OC_TRY(count_lines(&definitions->replaced, definitions->by_number[number]));
    free_definition(&definitions->by_number[number]);
    definitions->by_number[number] = open;
    definitions->open = NULL;
    if (number < PAJE_QUICK_NUMBERS)
        definitions->quick[number] =
            open->message.kind >= PAJE_NEW_EVENT && open->message.kind <= PAJE_END_LINK &&
                    open->field_count <= PAJE_QUICK_FIELDS && !(open->is_end && open->has_extra)
                ? (uint8_t)(open->field_count + 1)
                : 0;
    return OCELOTL_OK;
}

ocelotl_status paje_definitions_line(paje_definitions *definitions, char *line)
{
    paje_field fields[3];
    size_t count;
    if (!paje_split(fields, 3, &count, line))
        return oc_fail(OCELOTL_ERROR_INPUT, "a quote is not closed");
    if (count == 0)
        return OCELOTL_OK;
    if (strcmp(fields[0].text, "EventDef") == 0)
        return begin_definition(definitions, fields, count);
    if (strcmp(fields[0].text, "EndEventDef") == 0)
        return end_definition(definitions);
    return add_field(definitions->open, fields, count);
}
