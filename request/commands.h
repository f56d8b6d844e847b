/* The commands: what their helps say beside their parameters, and what operands they have. */
#ifndef OC_REQUEST_COMMANDS_H
#define OC_REQUEST_COMMANDS_H

#include "request/parameters.h"

enum { OC_MOST_SECTIONS = 13 };

/* A section of a help: the rows of a group, or a list. */
typedef enum oc_section_kind {
    OC_SECTION_ROWS = 0,
    OC_SECTION_VIEWS,
    OC_SECTION_METRICS
} oc_section_kind;

typedef enum oc_operands {
    OC_OPERANDS_NONE = 0,
    OC_OPERANDS_TRACE,
    OC_OPERANDS_TWO_TRACES,
    OC_OPERANDS_QUERY /* a trace and a query */
} oc_operands;

typedef struct oc_section {
    const char *heading; /* NULL: it goes on where the last one ended */
    oc_section_kind kind;
    oc_group group;
} oc_section;

typedef struct oc_command {
    const char *name;
    unsigned bit;
    const char *summary;
    const char *usage; /* what follows "ocelotl-cli " */
    const char *text;  /* what it does, in lines */
    oc_section sections[OC_MOST_SECTIONS];
    size_t section_count;
    const char *examples;
    oc_operands operands;
    bool draws; /* pictures, which can be drawn again */
} oc_command;

extern const oc_command oc_commands[];
extern const size_t oc_command_count;

/* The command of a name; NULL: there is none. */
const oc_command *oc_find_command(const char *name);

#endif
