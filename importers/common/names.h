/* What several files name alike is one: the n-th of a name in one file is the n-th in another. */
#ifndef OC_IMPORTERS_COMMON_NAMES_H
#define OC_IMPORTERS_COMMON_NAMES_H

#include "base/map.h"
#include "base/text.h"

/* What names are of: each kind has names of its own. */
typedef enum oc_name_kind {
    OC_NAME_RESOURCE_TYPE,
    OC_NAME_EVENT_TYPE,
    OC_NAME_VALUE,
    OC_NAME_RESOURCE
} oc_name_kind;

/* A name in its place: of a kind, with two numbers that say where (a parent, a category). */
typedef struct oc_name {
    oc_name_kind kind;
    uint32_t place, other;
    const char *text;
    size_t length;
} oc_name;

typedef struct oc_namesakes {
    uint32_t *ids;
    size_t count, capacity;
} oc_namesakes;

/* Zero-initialised it is empty. */
typedef struct oc_names {
    oc_map group_of; /* a name -> index in groups */
    oc_namesakes *groups;
    size_t group_count, group_capacity;
    oc_map taken;  /* (group, file) -> how many of the group the file has taken */
    oc_text key;   /* scratch */
    uint32_t last; /* the group that was asked for last */
    uint32_t file; /*     and by which file */
} oc_names;

/* Takes the next of those of a name that a file has not taken yet: OC_MAP_NONE where it has taken
 * all, and has to add one. O(1) amortised. */
ocelotl_status oc_names_take(uint32_t *id, oc_names *names, uint32_t file, const oc_name *name);

/* Adds one of the name that was asked for last, and takes it. */
ocelotl_status oc_names_add(oc_names *names, uint32_t id);

void oc_names_free(oc_names *names);

#endif
