/* The types, containers and values that a Paje trace has declared, by alias and by name. */
#ifndef OC_IMPORTERS_PAJE_NAMES_H
#define OC_IMPORTERS_PAJE_NAMES_H

#include "base/map.h"
#include "base/text.h"
#include "importers/paje/line.h"

#include <ocelotl/writer.h>

/* A type of containers or of events. */
typedef struct paje_type {
    char *name;
    bool is_container;
    ocelotl_category category; /* of an event type */
    uint32_t id;               /* the writer's */
    uint32_t key_attribute;    /* of a link type: holds the keys of its links; OCELOTL_NONE: not declared yet */
} paje_type;

typedef struct paje_container {
    char *name;
    uint32_t id; /* the writer's; OCELOTL_ROOT for the root until something happens there */
    uint32_t parent, first_child, last_child, next_sibling; /* indices, or OC_MAP_NONE */
    bool replaced;                                          /* its end has been read: its alias may be used again */
    bool ended;                                             /* and has come to pass, */
    bool ended_within; /* with one around it: its own end may follow and means nothing */
    int64_t end;       /* at this tick */
} paje_container;

/* What a short text stood for when it was last looked up. */
typedef struct paje_remembered {
    uint64_t text[2];
    uint32_t scope; /* of the lookup, and the text's length */
    uint32_t index;
    uint64_t generation;
} paje_remembered;

enum { PAJE_REMEMBERED = 4096 };

/* Zero-initialised but for `writer`; paje_names_begin comes first. */
typedef struct paje_names {
    ocelotl_writer *writer;
    paje_type *types;
    size_t type_count, type_capacity;
    paje_container *containers; /* 0 is the root */
    size_t container_count, container_capacity;
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

/* Declares; an alias of length 0 means none. Errors: INPUT without the place: a name in use, a parent unknown. */
ocelotl_status paje_names_container_type(paje_names *names, paje_field alias, paje_field name, paje_field parent);
ocelotl_status paje_names_event_type(paje_names *names, ocelotl_category category, paje_field alias,
                                     paje_field name, paje_field parent, int32_t colour);
ocelotl_status paje_names_value(bool *known, paje_names *names, paje_field type, paje_field alias, paje_field name,
                                int32_t colour);
ocelotl_status paje_names_container(uint32_t *container, paje_names *names, paje_field alias, paje_field name,
                                    paje_field type, paje_field parent, int64_t begin);

/* Finds what has been declared, by alias first. Indices are into `types` and `containers`. */
ocelotl_status paje_names_find_event_type(uint32_t *type, paje_names *names, ocelotl_category category,
                                          paje_field text);
ocelotl_status paje_names_find_container(uint32_t *container, paje_names *names, paje_field text);

/* Walks over a container and all below it, parents first: the one after `container`, or OC_MAP_NONE after the last. */
uint32_t paje_names_next_below(const paje_names *names, uint32_t top, uint32_t container);

/* Gives the aliases of a container, and of all below it, free for others. The root keeps its own. */
void paje_names_replace(paje_names *names, uint32_t container);

/* The writer's value of a type by alias or name; OC_MAP_NONE for one never declared. */
ocelotl_status paje_names_known_value(uint32_t *value, paje_names *names, uint32_t type, paje_field text);

/* The same; one never declared is declared by being used. */
ocelotl_status paje_names_find_value(uint32_t *value, paje_names *names, uint32_t type, paje_field text);

/* The writer's attribute of an event type by name; OC_MAP_NONE for one never declared. */
ocelotl_status paje_names_known_attribute(uint32_t *attribute, paje_names *names, uint32_t type, const char *name);

/* The same, declared by being used. */
ocelotl_status paje_names_find_attribute(uint32_t *attribute, paje_names *names, uint32_t type, const char *name);

/* The writer's resource of a container; the root becomes one when something happens there. */
ocelotl_status paje_names_resource(uint32_t *resource, paje_names *names, uint32_t container, int64_t time);

#endif
