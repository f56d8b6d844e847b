/* Event definitions: the part of a Paje trace that says what its lines mean. */
#ifndef OC_IMPORTERS_PAJE_DEFINITION_H
#define OC_IMPORTERS_PAJE_DEFINITION_H

#include "base/arena.h"
#include "importers/common/kinds.h"
#include "importers/paje/block.h"
#include "importers/paje/line.h"

/* What a field of an event means. */
typedef enum paje_meaning {
    PAJE_ALIAS,
    PAJE_NAME,
    PAJE_TYPE,
    PAJE_CONTAINER,
    PAJE_VALUE,
    PAJE_TIME,
    PAJE_COLOUR,
    PAJE_START_CONTAINER_TYPE,
    PAJE_END_CONTAINER_TYPE,
    PAJE_START_CONTAINER,
    PAJE_END_CONTAINER,
    PAJE_KEY,
    PAJE_FILE_NAME,
    PAJE_EXTRA, /* anything else: kept as an attribute */
    PAJE_MEANING_COUNT
} paje_meaning;

/* What a line says, whichever way it is read. */
typedef struct paje_message {
    const char *name;
    paje_kind kind;
    ocelotl_fate fate;
    unsigned required;         /* meanings that it needs, a bit for each */
    ocelotl_category category; /* of an event, or of the type that is defined */
} paje_message;

typedef struct paje_definition_field {
    const char *name;
    paje_meaning meaning;
} paje_definition_field;

typedef struct paje_definition {
    oc_arena arena; /* all of it */
    const char *name;
    paje_message message;
    bool is_link, is_end; /* of a state */
    paje_definition_field fields[PAJE_MOST_FIELDS];
    size_t field_count;
    int place[PAJE_MEANING_COUNT]; /* of the field with a meaning, -1 if none has it */
    bool has_extra;
    uint64_t count;   /* lines that were read, */
    uint64_t skipped; /* and those of them that were broken */
} paje_definition;

/* The definitions by their number in the trace. Zero-initialised it is empty. */
typedef struct paje_definitions {
    paje_definition **by_number;
    size_t capacity;
    paje_definition *open; /* between %EventDef and %EndEventDef */
    uint32_t open_number;
    oc_kinds replaced; /* the lines of definitions that others have replaced */
    /* The lines that may be read quickly: how many fields they have, 0 for others. Ends of
     * containers and what counts as odd are not among them. */
    uint8_t quick[PAJE_QUICK_NUMBERS];
} paje_definitions;

/* Takes a line that begins with "%"; `line` is behind it. Errors: INPUT, without the place. */
ocelotl_status paje_definitions_line(paje_definitions *definitions, char *line);

/* Begins with the definitions of another file, which stand until others of their number do. */
ocelotl_status paje_definitions_copy(paje_definitions *definitions, const paje_definitions *from);

/* The definition of a number as text, or NULL. */
paje_definition *paje_definitions_find(const paje_definitions *definitions, const char *number);

/* Adds the lines of all definitions. */
ocelotl_status paje_definitions_count(oc_kinds *kinds, const paje_definitions *definitions);

void paje_definitions_free(paje_definitions *definitions);

#endif
