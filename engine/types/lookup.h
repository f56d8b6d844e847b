/* What a tree of types says: its groups, and where a type is in them. */
#ifndef OC_TYPES_LOOKUP_H
#define OC_TYPES_LOOKUP_H

#include <ocelotl/type_tree.h>

/* Gives a tree another owner: it ends once each owner has freed it. Thread-safe. O(1). */
ocelotl_type_tree *ocelotl_type_tree_share(ocelotl_type_tree *tree);

typedef struct ocelotl_type_tree_info {
    const char *name;     /* as it was read */
    uint32_t levels;      /* 1 has the outermost groups alone, the last each type by itself */
    uint32_t group_count; /* with "other", which is always there */
    uint32_t other;       /* its index */
    uint64_t hash;        /* of all that it says, but not of where; the same on every machine */
} ocelotl_type_tree_info;

ocelotl_type_tree_info ocelotl_type_tree_info_of(const ocelotl_type_tree *tree);

/* A group. The name lives as long as the tree; no other group has it. */
typedef struct ocelotl_type_group {
    const char *name;
    uint32_t parent; /* OCELOTL_NONE: it is one of the outermost */
    uint32_t depth;  /* 1 for these */
} ocelotl_type_group;

/* Gives a group by its index, parents first; "" beyond. O(1). */
ocelotl_type_group ocelotl_type_tree_group_at(const ocelotl_type_tree *tree, uint32_t index);

/* Finds the group of a name; OCELOTL_NONE: no group has it. Expected O(1). */
uint32_t ocelotl_type_tree_find_group(const ocelotl_type_tree *tree, const char *name);

/* Finds the innermost group of a type. `known` becomes false for a type that the tree does not
 * name, which is in "other"; NULL: not wanted. Of a name that is spelled with its event type,
 * "TYPE:VALUE", the value counts where the whole is unknown. Expected O(length), and O(patterns)
 * where no line is its name. */
uint32_t ocelotl_type_tree_find(bool *known, const ocelotl_type_tree *tree, const char *type);

/* Gives the place of a type in the tree: it grows from group to group, and within one from line to
 * line. Cost as of ocelotl_type_tree_find. */
uint32_t ocelotl_type_tree_place(const ocelotl_type_tree *tree, const char *type);

/* Gives what a type is called at a level from 1: the group of that depth, or `type` itself where it
 * is in none so deep. Cost as of ocelotl_type_tree_find. */
const char *ocelotl_type_tree_name_at(const ocelotl_type_tree *tree, const char *type,
                                      uint32_t level);

#endif
