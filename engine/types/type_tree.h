/* Trees of types: what they are made of. */
#ifndef OC_TYPES_TYPE_TREE_H
#define OC_TYPES_TYPE_TREE_H

#include "base/map.h"
#include "types/lookup.h"

#include <stdatomic.h>

typedef struct oc_tree_group {
    char *name;
    uint32_t parent;
    uint32_t depth;
    uint32_t place; /* of the types that have its name */
} oc_tree_group;

/* A line that is a type, or a pattern for several. */
typedef struct oc_tree_type {
    char *name;
    uint32_t group;
    uint32_t place;
} oc_tree_type;

struct ocelotl_type_tree {
    char *name;
    uint32_t levels;
    oc_tree_group *groups;
    size_t group_count, group_capacity;
    oc_tree_type *types;
    size_t type_count, type_capacity;
    uint32_t *patterns; /* those of the types that are no mere names */
    size_t pattern_count, pattern_capacity;
    oc_map group_numbers; /* by name */
    oc_map type_numbers;  /* by name */
    uint32_t other;       /* the group of what is not named */
    uint64_t hash;
    atomic_uint further_owners; /* beside the one that read it */
};

/* The name of the group of all that a tree does not name. */
#define OC_OTHER_GROUP "other"

/* The text of a tree that comes with the library; NULL: none is called so. */
const char *oc_built_in_tree(const char *name);

/* Fills an empty tree from its text. `label` names it in messages. Errors: INPUT, LIMIT, MEMORY. */
ocelotl_status oc_type_tree_parse(ocelotl_type_tree *tree, const char *label, const char *text,
                                  size_t length);

#endif
