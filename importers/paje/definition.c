#include "importers/paje/definition.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t largest_number = 65535;

#define REQUIRE(meaning) (1u << (meaning))

static const struct kind_name {
    const char *name;
    paje_kind kind;
    unsigned required; /* set of meanings */
} kind_names[] = {
    {"PajeDefineContainerType", PAJE_DEFINE_CONTAINER_TYPE,
     REQUIRE(PAJE_NAME) | REQUIRE(PAJE_TYPE)},
    {"PajeDefineEventType", PAJE_DEFINE_EVENT_TYPE, REQUIRE(PAJE_NAME) | REQUIRE(PAJE_TYPE)},
    {"PajeDefineStateType", PAJE_DEFINE_STATE_TYPE, REQUIRE(PAJE_NAME) | REQUIRE(PAJE_TYPE)},
    {"PajeDefineVariableType", PAJE_DEFINE_VARIABLE_TYPE, REQUIRE(PAJE_NAME) | REQUIRE(PAJE_TYPE)},
    {"PajeDefineLinkType", PAJE_DEFINE_LINK_TYPE, REQUIRE(PAJE_NAME) | REQUIRE(PAJE_TYPE)},
    {"PajeDefineEntityValue", PAJE_DEFINE_ENTITY_VALUE, REQUIRE(PAJE_NAME) | REQUIRE(PAJE_TYPE)},
    {"PajeCreateContainer", PAJE_CREATE_CONTAINER,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_NAME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER)},
    {"PajeDestroyContainer", PAJE_DESTROY_CONTAINER, REQUIRE(PAJE_TIME) | REQUIRE(PAJE_NAME)},
    {"PajeNewEvent", PAJE_NEW_EVENT,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER) | REQUIRE(PAJE_VALUE)},
    {"PajeSetState", PAJE_SET_STATE,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER) | REQUIRE(PAJE_VALUE)},
    {"PajePushState", PAJE_PUSH_STATE,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER) | REQUIRE(PAJE_VALUE)},
    {"PajePopState", PAJE_POP_STATE,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER)},
    {"PajeResetState", PAJE_RESET_STATE,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER)},
    {"PajeSetVariable", PAJE_SET_VARIABLE,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER) | REQUIRE(PAJE_VALUE)},
    {"PajeAddVariable", PAJE_ADD_VARIABLE,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER) | REQUIRE(PAJE_VALUE)},
    {"PajeSubVariable", PAJE_SUB_VARIABLE,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_CONTAINER) | REQUIRE(PAJE_VALUE)},
    {"PajeStartLink", PAJE_START_LINK,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_START_CONTAINER) | REQUIRE(PAJE_KEY)},
    {"PajeEndLink", PAJE_END_LINK,
     REQUIRE(PAJE_TIME) | REQUIRE(PAJE_TYPE) | REQUIRE(PAJE_END_CONTAINER) | REQUIRE(PAJE_KEY)},
    {"PajeTraceFile", PAJE_TRACE_FILE, REQUIRE(PAJE_FILE_NAME)},
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

static const size_t kind_count = sizeof kind_names / sizeof kind_names[0];
static const size_t meaning_count = sizeof meaning_names / sizeof meaning_names[0];

static void free_definition(paje_definition *definition)
{
    if (definition == NULL)
        return;
    for (size_t i = 0; i < definition->field_count; i++)
        free(definition->fields[i].name);
    free(definition->name);
    free(definition);
}

void paje_definitions_abandon(paje_definitions *definitions)
{
    free_definition(definitions->open);
    definitions->open = NULL;
}

void paje_definitions_free(paje_definitions *definitions)
{
    paje_definitions_abandon(definitions);
    for (size_t i = 0; i < definitions->capacity; i++)
        free_definition(definitions->by_number[i]);
    free(definitions->by_number);
    oc_kinds_free(&definitions->replaced);
    *definitions = (paje_definitions){0};
}

static ocelotl_status copy_definition(paje_definition **copy, const paje_definition *from)
{
    OC_TRY(oc_allocate(copy, 1, sizeof **copy));
    **copy = *from;
    (*copy)->name = NULL;
    (*copy)->field_count = 0;
    (*copy)->count = 0;
    (*copy)->skipped = 0;
    OC_TRY(oc_copy_text(&(*copy)->name, from->name));
    for (size_t i = 0; i < from->field_count; i++) {
        OC_TRY(oc_copy_text(&(*copy)->fields[i].name, from->fields[i].name));
        (*copy)->field_count++;
    }
    return OCELOTL_OK;
}

ocelotl_status paje_definitions_copy(paje_definitions *definitions, const paje_definitions *from)
{
    OC_TRY(oc_grow(&definitions->by_number, &definitions->capacity, from->capacity,
                   sizeof(paje_definition *)));
    for (size_t i = 0; i < definitions->capacity; i++)
        definitions->by_number[i] = NULL;
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
    if (definitions->open != NULL) {
        status =
            oc_fail(OCELOTL_ERROR_INPUT,
                    "%%EventDef inside the definition of \"%s\", expected %%EndEventDef before",
                    definitions->open->name);
        paje_definitions_abandon(definitions);
    }
    if (count != 3)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%%EventDef with %zu fields, expected a name and a number", count - 1);
    if (!read_number(&definitions->open_number, fields[2].text))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%%EventDef %s has the number \"%s\", expected one in 0..%" PRIu32,
                       fields[1].text, fields[2].text, largest_number);
    OC_TRY(oc_allocate(&definitions->open, 1, sizeof *definitions->open));
    definitions->open->kind = PAJE_UNKNOWN;
    for (size_t i = 0; i < PAJE_MEANING_COUNT; i++)
        definitions->open->place[i] = -1;
    for (size_t i = 0; i < kind_count; i++)
        if (strcmp(kind_names[i].name, fields[1].text) == 0)
            definitions->open->kind = kind_names[i].kind;
    OC_TRY(oc_copy_text(&definitions->open->name, fields[1].text));
    return status;
}

static paje_meaning find_meaning(const char *name)
{
    for (size_t i = 0; i < meaning_count; i++)
        if (strcmp(meaning_names[i].name, name) == 0)
            return meaning_names[i].meaning;
    return PAJE_EXTRA;
}

static ocelotl_status add_field(paje_definition *definition, const paje_field *fields, size_t count)
{
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
    const paje_meaning meaning = find_meaning(fields[0].text);
    if (meaning != PAJE_EXTRA && definition->place[meaning] >= 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" has the field \"%s\" twice", definition->name,
                       fields[0].text);
    paje_definition_field *field = &definition->fields[definition->field_count];
    OC_TRY(oc_copy_text(&field->name, fields[0].text));
    field->meaning = meaning;
    definition->has_extra = definition->has_extra || meaning == PAJE_EXTRA;
    definition->extra_count += meaning == PAJE_EXTRA;
    definition->place[meaning] = (int)definition->field_count++;
    return OCELOTL_OK;
}

static ocelotl_status check_required(const paje_definition *definition)
{
    for (size_t i = 0; i < kind_count; i++) {
        if (kind_names[i].kind != definition->kind)
            continue;
        for (unsigned m = 0; m < PAJE_EXTRA; m++)
            if ((kind_names[i].required & REQUIRE(m)) != 0 && definition->place[m] < 0)
                return oc_fail(OCELOTL_ERROR_INPUT,
                               "the definition of \"%s\" ends without the field \"%s\"",
                               definition->name, meaning_names[m].name);
    }
    return OCELOTL_OK;
}

static ocelotl_fate fate_of(paje_kind kind)
{
    switch (kind) {
    case PAJE_NEW_EVENT:
        return OCELOTL_FATE_EVENT;
    case PAJE_SET_STATE:
    case PAJE_PUSH_STATE:
    case PAJE_POP_STATE:
    case PAJE_RESET_STATE:
        return OCELOTL_FATE_STATE;
    case PAJE_SET_VARIABLE:
    case PAJE_ADD_VARIABLE:
    case PAJE_SUB_VARIABLE:
        return OCELOTL_FATE_VARIABLE;
    case PAJE_START_LINK:
    case PAJE_END_LINK:
        return OCELOTL_FATE_LINK;
    case PAJE_UNKNOWN:
        return OCELOTL_FATE_LEFT_OUT;
    default:
        return OCELOTL_FATE_DEFINITION;
    }
}

/* Lines of an unknown kind and broken ones are left out. */
static ocelotl_status count_lines(oc_kinds *kinds, const paje_definition *definition)
{
    const uint64_t broken = definition->kind == PAJE_UNKNOWN ? 0 : definition->skipped;
    OC_TRY(oc_kinds_count(
        kinds, definition->name, fate_of(definition->kind), definition->count - broken,
        definition->kind == PAJE_UNKNOWN ? "an event of the tracer's own" : NULL));
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
    if (definitions->open == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%%EndEventDef outside a definition, expected %%EventDef before");
    const ocelotl_status status = check_required(definitions->open);
    if (status != OCELOTL_OK) {
        paje_definitions_abandon(definitions);
        return status;
    }
    const size_t known = definitions->capacity;
    OC_TRY(oc_grow(&definitions->by_number, &definitions->capacity,
                   (size_t)definitions->open_number + 1, sizeof(paje_definition *)));
    for (size_t i = known; i < definitions->capacity; i++)
        definitions->by_number[i] = NULL;
    paje_definition *replaced = definitions->by_number[definitions->open_number];
    if (replaced != NULL)
        OC_TRY(count_lines(&definitions->replaced, replaced));
    free_definition(replaced);
    definitions->by_number[definitions->open_number] = definitions->open;
    definitions->open = NULL;
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

/* Returns whether events of a definition can take the quick way. Ends of containers and what counts
 * as odd cannot. */
static bool can_be_quick(const paje_definition *definition)
{
    const paje_kind kind = definition->kind;
    const bool is_link = kind == PAJE_START_LINK || kind == PAJE_END_LINK;
    const bool is_end = kind == PAJE_POP_STATE || kind == PAJE_RESET_STATE;
    return kind >= PAJE_NEW_EVENT && kind <= PAJE_END_LINK &&
           definition->field_count <= PAJE_QUICK_FIELDS && !(is_end && definition->has_extra) &&
           (is_link || definition->place[PAJE_CONTAINER] >= 0);
}

void paje_definitions_find_quick(uint8_t counts[PAJE_QUICK_NUMBERS],
                                 const paje_definitions *definitions)
{
    for (size_t i = 0; i < PAJE_QUICK_NUMBERS; i++) {
        const paje_definition *definition =
            i < definitions->capacity ? definitions->by_number[i] : NULL;
        counts[i] = definition != NULL && can_be_quick(definition)
                        ? (uint8_t)(definition->field_count + 1)
                        : 0;
    }
}
