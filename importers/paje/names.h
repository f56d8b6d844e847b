/* The types, containers and values that Paje traces have declared, by alias and by name. */
#ifndef OC_IMPORTERS_PAJE_NAMES_H
#define OC_IMPORTERS_PAJE_NAMES_H

#include "base/map.h"
#include "base/text.h"
#include "importers/paje/apply.h"
#include "importers/paje/line.h"

/* What several files name alike is one: the n-th of a name in one file is the n-th in another. */

/* What names are of: each kind has names of its own. */
typedef enum paje_name_kind {
    PAJE_NAMED_RESOURCE_TYPE,
    PAJE_NAMED_EVENT_TYPE,
    PAJE_NAMED_VALUE,
    PAJE_NAMED_RESOURCE
} paje_name_kind;

/* A name in its place: of a kind, with two numbers that say where (a parent, a category). */
typedef struct paje_shared_name {
    paje_name_kind kind;
    uint32_t place, other;
    const char *text;
    size_t length;
} paje_shared_name;

typedef struct paje_namesakes {
    uint32_t *ids;
    size_t count, capacity;
} paje_namesakes;

/* Zero-initialised it is empty. */
typedef struct paje_shared_names {
    oc_map group_of; /* a name -> index in groups */
    paje_namesakes *groups;
    size_t group_count, group_capacity;
    oc_map taken;  /* (group, file) -> how many of the group the file has taken */
    oc_text key;   /* scratch */
    uint32_t last; /* the group that was asked for last */
    uint32_t file; /*     and by which file */
} paje_shared_names;

/* Takes the next of those of a name that a file has not taken yet: OC_MAP_NONE where it has taken
 * all, and has to add one. O(1) amortised. */
ocelotl_status paje_shared_names_take(uint32_t *id, paje_shared_names *names, uint32_t file,
                                      const paje_shared_name *name);

/* Adds one of the name that was asked for last, and takes it. */
ocelotl_status paje_shared_names_add(paje_shared_names *names, uint32_t id);

void paje_shared_names_free(paje_shared_names *names);

/* A type of containers or of events. */
typedef struct paje_type {
    char *name;
    bool is_container;
    ocelotl_category category; /* of an event type */
    uint32_t id, parent;       /* the writer's; the parent is a type of resources */
    uint32_t file;             /* the file that declared it last */
} paje_type;

typedef struct paje_container {
    uint32_t resource;     /* of paje_resources; several files may have created it */
    uint32_t type, parent; /* the writer's type, and the resource above */
    uint32_t file;         /* the file that created it last */
    /* its end has been read, but may not have been applied: its alias may be used again */
    bool replaced;
} paje_container;

/* Where aliases mean the same: one file, or a file with those that it names. Zero-initialised but
 * for `number`; paje_scope_begin comes first. */
typedef struct paje_scope {
    uint32_t number;
    uint32_t root;           /* the resource that "0" is; PAJE_NOWHERE: not made yet, */
    uint32_t root_container; /* the container, */
    uint32_t root_type;      /* and the writer's type above all others */
    oc_map type_of_alias, type_of_name;
    oc_map container_of_alias, container_of_name;
    bool has_first; /* a time has been read, */
    int64_t shift;  /* and ticks are added to all of them, so that files begin at once */
} paje_scope;

/* Zero-initialised but for `resources`. */
typedef struct paje_names {
    paje_resources *resources;
    paje_type *types;
    size_t type_count, type_capacity;
    paje_container *containers;
    size_t container_count, container_capacity;
    paje_nest named;       /* the containers whose aliases are not free yet */
    oc_map value_of;       /* (type, alias or name) */
    uint32_t *value_files; /* by value: the file that declared it last */
    size_t value_count, value_capacity;
    oc_map attribute_of;       /* (the writer's type, name) */
    paje_shared_names *shared; /* among scopes; NULL: only one exists */
    bool several;              /* several files are read, so a container may have several owners */
    oc_text key;               /* scratch */
    /* For readers that remember meanings: the first grows when a name gets a meaning, the second
     * when a name gets a new one. */
    uint64_t generation, meaning;
} paje_names;

void paje_names_free(paje_names *names);

/* Begins a scope whose "0" is a resource (PAJE_NOWHERE: set later), below a type of resources. */
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

/* Finds what has been declared, by alias first: an index in `types`, or a resource. */
ocelotl_status paje_names_find_event_type(uint32_t *type, const paje_names *names,
                                          const paje_scope *scope, ocelotl_category category,
                                          paje_field text);
ocelotl_status paje_names_find_container(uint32_t *resource, const paje_names *names,
                                         const paje_scope *scope, paje_field text);

/* The same without a message: OC_MAP_NONE where it is none. */
uint32_t paje_names_known_event_type(const paje_scope *scope, paje_field text);
uint32_t paje_names_known_container(const paje_names *names, const paje_scope *scope,
                                    paje_field text);

/* Ends a container: frees its alias, and those of all inside it, for others. The root keeps its
 * own. *container is for paje_names_next_end. */
ocelotl_status paje_names_end_container(uint32_t *container, paje_names *names,
                                        const paje_scope *scope, paje_field text);

/* Gives up a file's share of a container and of all inside it, if several files are read. It
 * returns the next resource without an owner, whose end is to be applied, or PAJE_NOWHERE. *next is
 * the container at first. */
uint32_t paje_names_next_end(uint32_t *next, paje_names *names, uint32_t container);

/* The writer's value of a type by alias or name; OC_MAP_NONE for one never declared. `key` is
 * memory for it. */
ocelotl_status paje_names_known_value(uint32_t *value, const paje_names *names, oc_text *key,
                                      uint32_t type, paje_field text);

/* The same; one never declared is declared by being used. */
ocelotl_status paje_names_find_value(uint32_t *value, paje_names *names, const paje_where *where,
                                     uint32_t type, paje_field text);

/* The attribute of one of the writer's event types by name; OC_MAP_NONE for one never declared. */
ocelotl_status paje_names_known_attribute(uint32_t *attribute, const paje_names *names,
                                          oc_text *key, uint32_t type, const char *name);

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
ocelotl_status paje_register(paje_names *names, oc_map *by_alias, oc_map *by_name, paje_field alias,
                             paje_field name, uint32_t index);
uint32_t paje_find_handle(const oc_map *by_alias, const oc_map *by_name, paje_field text);

/* The writer's type of containers of an alias or a name. Errors: INPUT without the place. */
ocelotl_status paje_find_container_type(uint32_t *id, const paje_names *names,
                                        const paje_scope *scope, paje_field text);

/* Takes the id that another scope has for a name in a place, the next that this scope has not
 * taken. OC_MAP_NONE: one must be made and shared. */
ocelotl_status paje_take_shared(uint32_t *id, const paje_names *names, const paje_scope *scope,
                                paje_name_kind kind, uint32_t place, uint32_t other,
                                paje_field text);
ocelotl_status paje_share(const paje_names *names, uint32_t id);

#endif
