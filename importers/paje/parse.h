/* From the fields of a line to its event, for declared names. It changes only what it makes, so
 * several threads can work ahead of the one that declares names. The short way is for plain fields,
 * which nearly all lines have; it leaves all others to the long way, which also knows what to do
 * where something is unknown. */
#ifndef OC_IMPORTERS_PAJE_PARSE_H
#define OC_IMPORTERS_PAJE_PARSE_H

#include "importers/paje/definition.h"
#include "importers/paje/names.h"

/* What a short text stood for when it was last looked up. */
typedef struct paje_remembered {
    uint64_t text[2];
    uint32_t lookup; /* what it was looked up as, and the text's length */
    uint32_t index;
    uint64_t generation;
} paje_remembered;

enum { PAJE_REMEMBERED_BITS = 12, PAJE_REMEMBERED = 1 << PAJE_REMEMBERED_BITS };

/* The same for a container of a single file with an alias of at most eight bytes: aliases that
 * differ in their last byte lie side by side. */
typedef struct paje_near {
    uint64_t text;
    uint32_t index, generation;
} paje_near;

enum { PAJE_NEAR_BITS = 10, PAJE_NEAR_LAST = 16 };

/* What is known of the events of a definition. */
typedef struct paje_known {
    uint64_t generation; /* of names when all of this was found */
    uint64_t type_word;  /* the type that was named last, if it was in eight bytes, */
    uint32_t type, id;   /* and what it was found to be */
    uint32_t attribute_type[PAJE_MOST_FIELDS]; /* + 1: the writer's type that this field */
    uint32_t attributes[PAJE_MOST_FIELDS];     /* was an attribute of, and which one */
} paje_known;

/* What keeps a line from being an event. */
typedef enum paje_lack {
    PAJE_LACKS_NOTHING,
    PAJE_LACKS_TYPE,
    PAJE_LACKS_CONTAINER,
    PAJE_LACKS_NUMBER,
    PAJE_LACKS_VALUE,
    PAJE_LACKS_ATTRIBUTE
} paje_lack;

/* Of one thread. Zero-initialised but for the first members; paje_parser_begin comes first. */
typedef struct paje_parser {
    const paje_names *names;
    /* What others write beside would be slow to read: */
    uint64_t generation;  /* of names, */
    oc_hash_key hash_key; /* of the keys of links */
    uint32_t digits;      /* behind the point that a tick has, */
    int64_t power;        /* and ten to that power */
    bool long_way;        /* no line is plain */
    int64_t after;        /* no event of a block is before this time */
    /* the file whose lines are read: */
    const paje_scope *scope;
    const paje_definitions *definitions;
    paje_remembered *remembered;
    paje_near *near;
    paje_known *known; /* by the number of the definition; the last is of any other */
    oc_text key;       /* scratch */
    /* The line at hand: */
    const paje_definition *definition;
    paje_known *of_definition;
    paje_field *words; /* the first is the definition's number, the others its fields */
    size_t lacking;    /* the field that lacks something */
    paje_field own_words[PAJE_QUICK_FIELDS + 2];
    ocelotl_attribute_value attributes[PAJE_MOST_FIELDS];
} paje_parser;

ocelotl_status paje_parser_begin(paje_parser *parser, oc_arena *arena);

/* Reads the words and the time of the next line, if it is plain, and returns its number; else it
 * reads nothing and returns -1. */
int paje_parser_line(int64_t *time, paje_parser *parser, paje_lines *lines);

/* Goes on with the line whose words are the parser's; `number` is that of the definition. */
void paje_parser_define(paje_parser *parser, const paje_definition *definition, int number);

/* Makes the event of the line at hand, but for its time and place; its attributes are in the
 * parser. */
paje_lack paje_parser_event(paje_event *event, paje_parser *parser);

/* Adds the events of a block's lines to it. It stops at the end, or at the first line that is not
 * plain or whose event is out of order. */
void paje_parser_block(paje_block *block, paje_parser *parser, uint32_t file);

#endif
