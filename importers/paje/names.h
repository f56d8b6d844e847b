/* The types, containers and values that a Paje trace has declared, by alias and by name. */
#ifndef OC_IMPORTERS_PAJE_NAMES_H
#define OC_IMPORTERS_PAJE_NAMES_H

#include "base/map.h"
#include "base/text.h"
#include "importers/paje/line.h"
#include "importers/paje/nest.h"

#include <ocelotl/writer.h>

#include <string.h>

/* A type of containers or of events. */
typedef struct paje_type {
    char *name;
    bool is_container;
    ocelotl_category category; /* of an event type */
    uint32_t id;               /* the writer's */
    /* of a link type: holds the keys of its links; OCELOTL_NONE: not declared yet */
    uint32_t key_attribute;
} paje_type;

/* Where the events of a type went last. */
typedef struct paje_route {
    uint32_t type;   /* + 1; 0: none */
    uint32_t stream; /* the writer's */
} paje_route;

enum { PAJE_ROUTES = 5 }; /* one for each role of a stream */

typedef struct paje_container {
    /* What an event needs when it happens: */
    paje_route routes[PAJE_ROUTES];
    int64_t end; /* at this tick it has ended */
    uint32_t id; /* the writer's; OCELOTL_ROOT for the root until something happens there */
    bool ended;
    bool ended_within; /* with one around it: its own end may follow and means nothing */
    /* its end has been read, but may not have come to pass: its alias may be used again */
    bool replaced;
    /* All else: */
    char *name;
} paje_container;

/* What a short text stood for when it was last looked up. */
typedef struct paje_remembered {
    uint64_t text[2];
    uint32_t scope; /* of the lookup, and the text's length */
    uint32_t index;
    uint64_t generation;
} paje_remembered;

enum { PAJE_REMEMBERED_BITS = 12, PAJE_REMEMBERED = 1 << PAJE_REMEMBERED_BITS };

/* What a text can be looked up as; of values, the type. */
enum { PAJE_SCOPE_CONTAINER, PAJE_SCOPE_TYPE, PAJE_SCOPE_VALUES };
enum { PAJE_LONGEST_REMEMBERED = 16, PAJE_SCOPE_LENGTHS = 32 };

/* Zero-initialised but for `writer`; paje_names_begin comes first. */
typedef struct paje_names {
    ocelotl_writer *writer;
    paje_type *types;
    size_t type_count, type_capacity;
    paje_container *containers; /* 0 is the root */
    size_t container_count, container_capacity;
    paje_nest named;  /* the containers whose aliases are not free yet, */
    paje_nest living; /* and those that have not ended */
    oc_map type_of_alias, type_of_name;
    oc_map container_of_alias, container_of_name;
    oc_map value_of;             /* (type, alias or name) */
    oc_map attribute_of;         /* (type, name) */
    oc_text key;                 /* scratch */
    uint64_t generation;         /* of what is remembered: grows when a name gets a meaning */
    paje_remembered *remembered; /* a table of PAJE_REMEMBERED */
} paje_names;

ocelotl_status paje_names_begin(paje_names *names);
void paje_names_free(paje_names *names);

/* Declares; an alias of length 0 means none. Errors: INPUT without the place: a name in use, a
 * parent unknown. */
ocelotl_status paje_names_container_type(paje_names *names, paje_field alias, paje_field name,
                                         paje_field parent);
ocelotl_status paje_names_event_type(paje_names *names, ocelotl_category category, paje_field alias,
                                     paje_field name, paje_field parent, int32_t colour);
ocelotl_status paje_names_value(bool *known, paje_names *names, paje_field type, paje_field alias,
                                paje_field name, int32_t colour);
ocelotl_status paje_names_container(uint32_t *container, paje_names *names, paje_field alias,
                                    paje_field name, paje_field type, paje_field parent,
                                    int64_t begin);

/* With its length, a text's first eight bytes (0 behind a shorter one) and its last eight (0 unless
 * it is longer) are all of it. The key is made of the scope and that length. */
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
    return place->text[0] == words[0] && place->text[1] == words[1] && place->scope == key &&
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

/* What a field of a line was found to be before; OC_MAP_NONE where that is not remembered. */
static inline uint32_t paje_names_recall(const paje_names *names, uint32_t scope, paje_field text)
{
    uint64_t words[2] = {paje_names_word(text), 0};
    const uint32_t key = scope * PAJE_SCOPE_LENGTHS + (uint32_t)text.length;
    if (text.length > PAJE_LONGEST_REMEMBERED || scope >= UINT32_MAX / PAJE_SCOPE_LENGTHS)
        return OC_MAP_NONE;
    if (text.length > 8)
        memcpy(&words[1], text.text + text.length - 8, 8);
    const paje_remembered *place = paje_names_place(names, words, key);
    return paje_names_is_known(names, place, words, key) ? place->index : OC_MAP_NONE;
}

/* Finds what has been declared, by alias first. Indices are into `types` and `containers`. */
ocelotl_status paje_names_find_event_type(uint32_t *type, paje_names *names,
                                          ocelotl_category category, paje_field text);
ocelotl_status paje_names_find_container(uint32_t *container, paje_names *names, paje_field text);

/* Gives the aliases of a container, and of all below it, free for others. The root keeps its own.
 */
void paje_names_replace(paje_names *names, uint32_t container);

/* The writer's value of a type by alias or name; OC_MAP_NONE for one never declared. */
ocelotl_status paje_names_known_value(uint32_t *value, paje_names *names, uint32_t type,
                                      paje_field text);

/* The same; one never declared is declared by being used. */
ocelotl_status paje_names_find_value(uint32_t *value, paje_names *names, uint32_t type,
                                     paje_field text);

/* The writer's attribute of an event type by name; OC_MAP_NONE for one never declared. */
ocelotl_status paje_names_known_attribute(uint32_t *attribute, paje_names *names, uint32_t type,
                                          const char *name);

/* The same, declared by being used. */
ocelotl_status paje_names_find_attribute(uint32_t *attribute, paje_names *names, uint32_t type,
                                         const char *name);

/* The writer's stream where events of a type in a container went last; OCELOTL_NONE where that is
 * not known. */
static inline uint32_t paje_names_route(const paje_names *names, uint32_t container, uint32_t type,
                                        ocelotl_role role)
{
    const paje_route *route = &names->containers[container].routes[role];
    return route->type == type + 1 ? route->stream : OCELOTL_NONE;
}

/* The same; where there is no stream one is made, or *stream is OCELOTL_NONE unless `make`. */
ocelotl_status paje_names_stream(uint32_t *stream, paje_names *names, uint32_t container,
                                 uint32_t type, ocelotl_role role, int64_t time, bool make);

/* The writer's resource of a container; the root becomes one when something happens there. */
ocelotl_status paje_names_resource(uint32_t *resource, paje_names *names, uint32_t container,
                                   int64_t time);

#endif
