/* The types, containers and values that Paje traces have declared, by alias and by name. */
#ifndef OC_IMPORTERS_PAJE_NAMES_H
#define OC_IMPORTERS_PAJE_NAMES_H

#include "base/map.h"
#include "base/text.h"
#include "importers/paje/apply.h"
#include "importers/paje/line.h"

/* What aliases and names stand for. They are apart, so that a name never hides an alias. */
typedef struct paje_handles {
    oc_map by_alias, by_name;
} paje_handles;

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
    paje_handles types, containers;
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
    size_t value_capacity;
    oc_map attribute_of; /* (the writer's type, name) */
    /* What several scopes name alike is one: the n-th of a name in one scope is the n-th in
     * another. How many of a name a scope has taken; and the n-th of that name: */
    oc_map taken, nth;
    bool is_shared; /* several scopes exist */
    bool several;   /* several files are read, so a container may have several owners */
    oc_text key;    /* scratch */
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
    bool is_container;                       /* of a type: it is one of containers, */
    ocelotl_category category;               /* or of these events */
    int32_t colour;
} paje_declared;

/* Declares a type. A file may declare again what another one of its scope has. Errors: INPUT
 * without the place: a name in use, a parent unknown. */
ocelotl_status paje_names_type(paje_names *names, const paje_where *where,
                               const paje_declared *declared);

/* The same of a value; *again where the file had declared it before. */
ocelotl_status paje_names_value(bool *again, paje_names *names, const paje_where *where,
                                const paje_declared *declared);

/* The same of a container; gives the resource, which is alive from `begin`. */
ocelotl_status paje_names_container(uint32_t *resource, paje_names *names, const paje_where *where,
                                    const paje_declared *declared, int64_t begin);

/* What has been declared, by alias first: an index in `types`, a resource, a value of a type, an
 * attribute of one of the writer's event types. OC_MAP_NONE for none; also where `key`, memory for
 * it, has failed. */
uint32_t paje_names_known_type(const paje_scope *scope, paje_field text);
uint32_t paje_names_known_container(const paje_names *names, const paje_scope *scope,
                                    paje_field text);
uint32_t paje_names_known_value(const paje_names *names, oc_text *key, uint32_t type,
                                paje_field text);
uint32_t paje_names_known_attribute(const paje_names *names, oc_text *key, uint32_t type,
                                    const char *name);

/* Fails with INPUT where a text is no type of such events, or no container. */
ocelotl_status paje_names_fail_type(const paje_names *names, const paje_scope *scope,
                                    ocelotl_category category, paje_field text);
ocelotl_status paje_names_fail_container(paje_field text);

/* Declares a value or an attribute by its use, where it is unknown. */
ocelotl_status paje_names_use_value(paje_names *names, const paje_where *where, uint32_t type,
                                    paje_field text);
ocelotl_status paje_names_use_attribute(paje_names *names, uint32_t type, const char *name);

/* Ends a container: frees its alias, and those of all inside it, for others. The root keeps its
 * own. *container is for paje_names_next_end. */
ocelotl_status paje_names_end_container(uint32_t *container, paje_names *names,
                                        const paje_scope *scope, paje_field text);

/* Gives up a file's share of a container and of all inside it, if several files are read. It
 * returns the next resource without an owner, whose end is to be applied, or PAJE_NOWHERE. *next is
 * the container at first. */
uint32_t paje_names_next_end(uint32_t *next, paje_names *names, uint32_t container);

#endif
