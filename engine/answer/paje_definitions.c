#include "answer/paje_definitions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a definition is called, and its fields before those that events carry. */
static const struct {
    const char *name, *fields;
} lines[] = {
    [OC_PAJE_CONTAINER_TYPE] = {"PajeDefineContainerType", "Alias Type Name"},
    [OC_PAJE_EVENT_TYPE] = {"PajeDefineEventType", "Alias Type Name"},
    [OC_PAJE_STATE_TYPE] = {"PajeDefineStateType", "Alias Type Name"},
    [OC_PAJE_VARIABLE_TYPE] = {"PajeDefineVariableType", "Alias Type Name"},
    [OC_PAJE_LINK_TYPE] = {"PajeDefineLinkType",
                           "Alias Type StartContainerType EndContainerType Name"},
    [OC_PAJE_ENTITY_VALUE] = {"PajeDefineEntityValue", "Alias Type Name"},
    [OC_PAJE_CREATE] = {"PajeCreateContainer", "Time Alias Type Container Name"},
    [OC_PAJE_DESTROY] = {"PajeDestroyContainer", "Time Type Name"},
    [OC_PAJE_EVENT] = {"PajeNewEvent", "Time Type Container Value"},
    [OC_PAJE_PUSH] = {"PajePushState", "Time Type Container Value"},
    [OC_PAJE_POP] = {"PajePopState", "Time Type Container"},
    [OC_PAJE_VARIABLE] = {"PajeSetVariable", "Time Type Container Value"},
    [OC_PAJE_START_LINK] = {"PajeStartLink", "Time Type Container StartContainer Value Key"},
    [OC_PAJE_START_PLAIN_LINK] = {"PajeStartLink", "Time Type Container StartContainer Key"},
    [OC_PAJE_END_LINK] = {"PajeEndLink", "Time Type Container EndContainer Value Key"},
    [OC_PAJE_END_PLAIN_LINK] = {"PajeEndLink", "Time Type Container EndContainer Key"},
};

/* Readers have numbers of 16 bits, and the fields of a line are not without end. */
enum { OC_MOST_DEFINITIONS = 65000, OC_MOST_CARRIED = 48 };

/* --- Fields */

void oc_paje_add_text(oc_text *line, ocelotl_losses *losses, const char *text)
{
    bool replaced = false;
    oc_text_append(line, " \"", 2);
    const size_t begin = line->length;
    oc_text_add(line, text);
    for (size_t i = begin; i < line->length && !line->failed; i++) {
        char *byte = &line->bytes[i];
        if (*byte != '"' && (unsigned char)*byte >= ' ')
            continue;
        replaced = true;
        *byte = *byte == '"' ? '\'' : ' ';
    }
    oc_text_append(line, "\"", 1);
    oc_lose(losses, "texts with quotes or control characters, which are replaced", replaced);
}

/* A name that no reader takes for a field with a meaning. */
static void add_name(oc_text *text, oc_paje_definitions *definitions, const char *name)
{
    static const char meanings[] =
        " Alias Name Type Container Value Time Color StartContainerType EndContainerType "
        "StartContainer EndContainer Key Filename ContainerType EntityType SourceContainerType "
        "DestContainerType SourceContainer DestContainer ";
    const size_t begin = text->length;
    bool renamed = name[0] == '\0';
    oc_text_add(text, name);
    for (size_t i = begin; i < text->length && !text->failed; i++) {
        if ((unsigned char)text->bytes[i] > ' ' && strchr("\"%#", text->bytes[i]) == NULL)
            continue;
        text->bytes[i] = '_';
        renamed = true;
    }
    oc_text padded = {0};
    oc_text_format(&padded, " %s ", name);
    if (renamed || (!padded.failed && strstr(meanings, padded.bytes) != NULL)) {
        oc_text_add(text, "_");
        oc_lose(definitions->losses, "names of attributes that are no names of fields", 1);
    }
    oc_text_free(&padded);
}

/* --- Definitions */

static void define(oc_paje_definitions *definitions, unsigned kind, const oc_carried_texts *carried)
{
    oc_text *text = &definitions->text;
    const unsigned line = kind % OC_PAJE_COLOURED;
    oc_text_format(text, "%%EventDef %s %" PRIu32 "\n", lines[line].name, definitions->count);
    for (const char *field = lines[line].fields; *field != '\0'; field += *field == ' ') {
        const size_t length = strcspn(field, " ");
        const bool time = strncmp(field, "Time", length) == 0;
        const bool number = line == OC_PAJE_VARIABLE && strncmp(field, "Value", length) == 0;
        oc_text_format(text, "%% %.*s %s\n", (int)length, field,
                       time     ? "date"
                       : number ? "double"
                                : "string");
        field += length;
    }
    if (kind >= OC_PAJE_COLOURED)
        oc_text_add(text, "% Color color\n");
    for (size_t i = definitions->first; i < definitions->first + definitions->said; i++) {
        oc_text_add(text, "% ");
        add_name(text, definitions, oc_carried_name(carried, i));
        oc_text_add(text, " string\n");
    }
    oc_text_add(text, "%EndEventDef\n");
}

ocelotl_status oc_paje_begin_line(oc_text *line, oc_paje_definitions *definitions, unsigned kind,
                                  const oc_carried_texts *carried, size_t first, size_t count)
{
    oc_text *key = &definitions->key;
    const size_t most = definitions->count < OC_MOST_DEFINITIONS ? OC_MOST_CARRIED : 0;
    const size_t said = count < most ? count : most;
    definitions->first = first;
    definitions->said = said;
    definitions->left_out = count - said;
    oc_text_clear(key);
    oc_text_format(key, "%u", kind);
    for (size_t i = first; i < first + said; i++) {
        oc_text_append(key, "\n", 1);
        oc_text_add(key, oc_carried_name(carried, i));
    }
    if (key->failed)
        return oc_fail_memory();
    uint32_t number = oc_map_get(&definitions->numbers, key->bytes, key->length);
    if (number == OC_MAP_NONE) {
        number = definitions->count;
        define(definitions, kind, carried);
        OC_TRY(oc_map_set(&definitions->numbers, key->bytes, key->length, number));
        definitions->count++;
    }
    oc_text_clear(line);
    oc_text_format(line, "%" PRIu32, number);
    return OCELOTL_OK;
}

void oc_paje_end_line(oc_text *line, oc_paje_definitions *definitions,
                      const oc_carried_texts *carried)
{
    const size_t first = definitions->first;
    for (size_t i = first; i < first + definitions->said; i++)
        oc_paje_add_text(line, definitions->losses, oc_carried_text(carried, i));
    oc_text_append(line, "\n", 1);
    oc_lose(definitions->losses, "attributes of events that have more than 48",
            definitions->left_out);
}

void oc_paje_definitions_free(oc_paje_definitions *definitions)
{
    oc_map_free(&definitions->numbers);
    oc_text_free(&definitions->text);
    oc_text_free(&definitions->key);
}
