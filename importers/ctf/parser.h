/* The parser of metadata: types (types.c, scalars.c), and the blocks that use them
 * (blocks.c). */
#ifndef OC_IMPORTERS_CTF_PARSER_H
#define OC_IMPORTERS_CTF_PARSER_H

#include "base/map.h"
#include "importers/ctf/description.h"
#include "importers/ctf/tokens.h"

/* A name that stands for a type. */
typedef struct ctf_named {
    char *name; /* words apart by a space: "unsigned long", "struct header" */
    ctf_layout *layout;
    uint32_t hidden; /* what the name stood for before, by index; OC_MAP_NONE: nothing */
} ctf_named;

typedef struct ctf_parser {
    ctf_tokens tokens;
    ctf_description *into;
    ctf_named *named; /* the innermost last */
    size_t named_count, named_capacity;
    oc_map named_of; /* by name, the innermost */
    size_t depth;
    oc_text word; /* scratch, for names and paths */
} ctf_parser;

/* Parses a type: "integer { .. }", "struct name { .. }", "unsigned long". */
ocelotl_status ctf_parse_type(ctf_layout **layout, ctf_parser *parser);

/* Parses what declares a type where the current token begins such; *taken says whether. */
ocelotl_status ctf_parse_declaration(bool *taken, ctf_parser *parser);

/* Integers, reals and texts, behind their word. */
ocelotl_status ctf_parse_integer(ctf_layout **layout, ctf_parser *parser);
ocelotl_status ctf_parse_real(ctf_layout **layout, ctf_parser *parser);
ocelotl_status ctf_parse_string(ctf_layout **layout, ctf_parser *parser);

/* Lets a name stand for a type, until its scope ends. */
ocelotl_status ctf_name_type(ctf_parser *parser, const char *name, ctf_layout *layout);

/* The type that a name stands for, for a use of its own. O(length) expected. */
ocelotl_status ctf_use_name(ctf_layout **layout, ctf_parser *parser, const char *name,
                            unsigned line);

/* Forgets the names of a scope that ends: all behind the first `count`. */
void ctf_forget_names(ctf_parser *parser, size_t count);

/* Parses words apart by points into parser->word: "clock.monotonic.value". */
ocelotl_status ctf_parse_path(ctf_parser *parser);

/* What stands behind "NAME =". */
typedef struct ctf_constant {
    bool is_number, is_negative;
    uint64_t number;  /* its amount */
    const char *text; /* of words and strings; until the next token is read */
    unsigned line;
} ctf_constant;

/* Parses a constant, and the ";" behind it. Its text is in parser->word. */
ocelotl_status ctf_parse_constant(ctf_constant *constant, ctf_parser *parser);

#endif
