/* The types, containers and values that Paje traces have declared, by alias and by name. */
#ifndef OC_IMPORTERS_PAJE_NAMES_H
#define OC_IMPORTERS_PAJE_NAMES_H

#include "importers/common/names.h"
#include "importers/common/resources.h"
#include "importers/paje/line.h"

#include <string.h>

/* A type of containers or of events. */
typedef struct paje_type {
    char *name;
    bool is_container;
    ocelotl_category category; /* of an event type */
    uint32_t id, parent;       /* the writer's; the parent is a type of resources */
    uint32_t file;             /* the file that declared it last */
} paje_type;

typedef struct paje_container {
    uint32_t resource;     /* of oc_resources; several files may have created it */
    uint32_t type, parent; /* the writer's type, and the resource above */
    uint32_t file;         /* the file that created it last */
    /* its end has been read, but may not have been applied: its alias may be used again */
    bool replaced;
} paje_container;

/* What a short text stood for when it was last looked up. */
typedef struct paje_remembered {
    uint64_t text[2];
    uint32_t lookup; /* what it was looked up as, and the text's length */
    uint32_t index;
    uint64_t generation;
} paje_remembered;

enum { PAJE_REMEMBERED_BITS = 12, PAJE_REMEMBERED = 1 << PAJE_REMEMBERED_BITS };
enum { PAJE_LONGEST_REMEMBERED = 16, PAJE_LOOKUP_LENGTHS = 32 };

/* What a text can be looked up as: a container or a type of a scope, or a value of a type. */
enum { PAJE_LOOKUP_CONTAINER, PAJE_LOOKUP_TYPE, PAJE_LOOKUP_VALUE, PAJE_LOOKUP_KINDS };

/* The lookup of a scope's, or type's, number; room is left for the length of a text. */
static inline uint32_t paje_lookup(uint32_t kind, uint32_t of)
{
    const uint32_t most = UINT32_MAX / PAJE_LOOKUP_KINDS / PAJE_LOOKUP_LENGTHS - 1;
    return of < most ? (of * PAJE_LOOKUP_KINDS + kind) * PAJE_LOOKUP_LENGTHS : UINT32_MAX;
}

/* Where aliases mean the same: one file, or a file with those that it names. Zero-initialised but
 * for `number`; paje_scope_begin comes first. */
typedef struct paje_scope {
    uint32_t number;
    uint32_t root;                    /* the resource that "0" is; OC_NOWHERE: not made yet, */
    uint32_t root_container;          /* the container, */
    uint32_t root_type;               /* and the writer's type above all others */
    uint32_t of_containers, of_types; /* lookups */
    oc_map type_of_alias, type_of_name;
    oc_map container_of_alias, container_of_name;
} paje_scope;

/* Zero-initialised but for `resources`; paje_names_begin comes first. */
typedef struct paje_names {
    oc_resources *resources;
    paje_type *types;
    size_t type_count, type_capacity;
    paje_container *containers;
    size_t container_count, container_capacity;
    oc_nest named;         /* the containers whose aliases are not free yet */
    oc_map value_of;       /* (type, alias or name) */
    uint32_t *value_files; /* by value: the file that declared it last */
    size_t value_count, value_capacity;
    oc_map attribute_of;         /* (the writer's type, name) */
    oc_names *shared;            /* among scopes; NULL: there is one */
    bool several;                /* files are read, so that a container may have several owners */
    oc_text key;                 /* scratch */
    uint64_t generation;         /* of what is remembered: grows when a name gets a meaning */
    paje_remembered *remembered; /* a table of PAJE_REMEMBERED */
} paje_names;

ocelotl_status paje_names_begin(paje_names *names);
void paje_names_free(paje_names *names);

/* Begins a scope whose "0" is a resource (OC_NOWHERE: set later), below a type of resources. */
ocelotl_status paje_scope_begin(paje_scope *scope, paje_names *names, uint32_t root,
                                uint32_t root_type);
void paje_scope_free(paje_scope *scope);

/* Where a declaration stands. */
typedef struct paje_where {
    paje_scope *scope;
    uint32_t file;
} paje_where;

/* What a declaration gives; a field of length 0 is none. */
typedef struct paje_declared {
    paje_field alias, name, type, container; /* the type above, the container around */
    int32_t colour;
} paje_declared;

/* Declares. A file may declare again what another one of its scope has. Errors: INPUT without the
 * place: a name in use, a parent unknown. */
ocelotl_status paje_names_container_type(paje_names *names, const paje_where *where,
                                         const paje_declared *declared);
ocelotl_status paje_names_event_type(paje_names *names, const paje_where *where,
                                     ocelotl_category category, const paje_declared *declared);

/* The same; *again where the file had declared the value before. */
ocelotl_status paje_names_value(bool *again, paje_names *names, const paje_where *where,
                                const paje_declared *declared);

/* The same; gives the resource, which is alive from `begin`. */
ocelotl_status paje_names_container(uint32_t *resource, paje_names *names, const paje_where *where,
                                    const paje_declared *declared, int64_t begin);

/* With its length, a text's first eight bytes (0 behind a shorter one) and its last eight (0 unless
 * it is longer) are all of it. The key is made of the lookup and that length. */
static inline paje_remembered *paje_names_place(const paje_names *names, const uint64_t words[2],
                                                uint32_t key)
{
    const uint64_t hash =
        (words[0] ^ words[1] * 0xD6E8FEB86659FD93u ^ key * (uint64_t)0xA0761D6478BD642Fu) *
        0x9E3779B97F4A7C15u;
    return &names->remembered[hash >> (64 - PAJE_REMEMBERED_BITS)];
}

static inline bool paje_names_is_known(const paje_names *names, const paje_remembered *place,
                                       const uint64_t words[2], uint32_t key)
{
    return place->text[0] == words[0] && place->text[1] == words[1] && place->lookup == key &&
           place->generation == names->generation;
}

/* The first eight bytes of a field, 0 behind a shorter one. Eight bytes of the line's memory are
 * read. */
static inline uint64_t paje_names_word(paje_field text)
{
    uint64_t word;
    memcpy(&word, text.text, sizeof word);
    return text.length >= 8 ? word : word & (((uint64_t)1 << (8 * text.length)) - 1);
}

/* What a field of a line was found to be before, by a paje_lookup; OC_MAP_NONE where that is not
 * remembered. */
static inline uint32_t paje_names_recall(const paje_names *names, uint32_t lookup, paje_field text)
{
    uint64_t words[2] = {paje_names_word(text), 0};
    const uint32_t key = lookup + (uint32_t)text.length;
    if (text.length > PAJE_LONGEST_REMEMBERED || lookup == UINT32_MAX)
        return OC_MAP_NONE;
    if (text.length > 8)
        memcpy(&words[1], text.text + text.length - 8, 8);
    const paje_remembered *place = paje_names_place(names, words, key);
    return paje_names_is_known(names, place, words, key) ? place->index : OC_MAP_NONE;
}

/* Finds what has been declared, by alias first: an index in `types`, or a resource. */
ocelotl_status paje_names_find_event_type(uint32_t *type, paje_names *names,
                                          const paje_scope *scope, ocelotl_category category,
                                          paje_field text);
ocelotl_status paje_names_find_container(uint32_t *resource, paje_names *names,
                                         const paje_scope *scope, paje_field text);

/* Finds a container that ends, and gives its alias, and those of all inside it, free for others;
 * the root keeps its own. *container is for paje_names_next_end. */
ocelotl_status paje_names_end_container(uint32_t *container, paje_names *names,
                                        const paje_scope *scope, paje_field text);

/* Where several files are read, gives up the file's share of a container and of all inside it: the
 * next resource that is nobody's any more, for which an end is to be applied, or OC_NOWHERE. *next
 * is the container at first. */
uint32_t paje_names_next_end(uint32_t *next, paje_names *names, uint32_t container);

/* The writer's value of a type by alias or name; OC_MAP_NONE for one never declared. */
ocelotl_status paje_names_known_value(uint32_t *value, paje_names *names, uint32_t type,
                                      paje_field text);

/* The same; one never declared is declared by being used. */
ocelotl_status paje_names_find_value(uint32_t *value, paje_names *names, const paje_where *where,
                                     uint32_t type, paje_field text);

/* The attribute of one of the writer's event types by name; OC_MAP_NONE for one never declared. */
ocelotl_status paje_names_known_attribute(uint32_t *attribute, paje_names *names, uint32_t type,
                                          const char *name);

/* The same, declared by being used. */
ocelotl_status paje_names_find_attribute(uint32_t *attribute, paje_names *names, uint32_t type,
                                         const char *name);

/* What lookups of types and of containers share: */

/* Whether a text is the reserved word for the root of types and of containers. */
bool paje_is_root(paje_field text);

/* What a declaration is referred to by: its alias if it has one, else its name. */
paje_field paje_handle(paje_field alias, paje_field name);

/* Looks a text up among aliases, then among names; OC_MAP_NONE where it is neither. Aliases and
 * names are apart, so that a name never hides an alias. */
ocelotl_status paje_register(oc_map *by_alias, oc_map *by_name, paje_field alias, paje_field name,
                             uint32_t index);
uint32_t paje_find_handle(const oc_map *by_alias, const oc_map *by_name, paje_field text);

/* The place where a text is remembered; *known where it is. NULL for long texts. */
paje_remembered *paje_recall(bool *known, const paje_names *names, uint32_t lookup,
                             paje_field text);
void paje_remember(const paje_names *names, paje_remembered *place, uint32_t index);

/* The writer's type of containers of an alias or a name. Errors: INPUT without the place. */
ocelotl_status paje_find_container_type(uint32_t *id, const paje_names *names,
                                        const paje_scope *scope, paje_field text);

/* Takes what another scope calls by a name in a place, the next that this scope has not taken:
 * OC_MAP_NONE where there is none, and one has to be made and shared. */
ocelotl_status paje_take_shared(uint32_t *id, const paje_names *names, const paje_scope *scope,
                                oc_name_kind kind, uint32_t place, uint32_t other, paje_field text);
ocelotl_status paje_share(const paje_names *names, uint32_t id);

#endif
