/* The definitions at the beginning of a Paje trace, and the texts of its lines. */
#ifndef OC_ANSWER_PAJE_DEFINITIONS_H
#define OC_ANSWER_PAJE_DEFINITIONS_H

#include "answer/export.h"

#include "base/map.h"
#include "base/text.h"

/* What a line says. A colour, or a value, is a field only of lines that have one. */
typedef enum oc_paje_line {
    OC_PAJE_CONTAINER_TYPE,
    OC_PAJE_EVENT_TYPE, /* the next four in the order of ocelotl_category */
    OC_PAJE_STATE_TYPE,
    OC_PAJE_VARIABLE_TYPE,
    OC_PAJE_LINK_TYPE,
    OC_PAJE_ENTITY_VALUE,
    OC_PAJE_CREATE,
    OC_PAJE_DESTROY,
    OC_PAJE_EVENT,
    OC_PAJE_PUSH,
    OC_PAJE_POP,
    OC_PAJE_VARIABLE,
    OC_PAJE_START_LINK,
    OC_PAJE_START_PLAIN_LINK, /* without a value */
    OC_PAJE_END_LINK,
    OC_PAJE_END_PLAIN_LINK,
    OC_PAJE_COLOURED, /* added to one of the first six */
} oc_paje_line;

/* The definitions that lines need. Empty if zero-initialised but for `losses`. */
typedef struct oc_paje_definitions {
    ocelotl_losses *losses;
    oc_map numbers; /* by kind, and the names of what lines carry beside */
    oc_text text;   /* all of them, as they stand in the trace */
    oc_text key;    /* scratch */
    uint32_t count;
    /* of what is carried, that which the line that was begun last has, and has no room for */
    size_t first, said, left_out;
} oc_paje_definitions;

/* Begins a line: its number, that of a definition with fields for `count` texts that it carries
 * from the first on, made where it is new. */
ocelotl_status oc_paje_begin_line(oc_text *line, oc_paje_definitions *definitions, unsigned kind,
                                  const oc_carried_texts *carried, size_t first, size_t count);

/* Adds these texts, and ends the line. */
void oc_paje_end_line(oc_text *line, oc_paje_definitions *definitions,
                      const oc_carried_texts *carried);

/* Adds a field in quotes. Characters that Paje forbids are replaced, and counted. */
void oc_paje_add_text(oc_text *line, ocelotl_losses *losses, const char *text);

void oc_paje_definitions_free(oc_paje_definitions *definitions);

#endif
