/* Trees of types: groups of types, in groups of groups.
 *
 * A model groups its types at a level of a tree, and pictures take their colours and the order of
 * their legends from it. */
#ifndef OCELOTL_TYPE_TREE_H
#define OCELOTL_TYPE_TREE_H

#include <ocelotl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A tree of types. It never changes: any number of threads may use it. */
typedef struct ocelotl_type_tree ocelotl_type_tree;

/* The trees that come with the library, by index below the count ("" beyond). O(1). */
typedef struct ocelotl_built_in_tree {
    const char *name;
    const char *what; /* one line for a person */
} ocelotl_built_in_tree;

OCELOTL_API size_t ocelotl_built_in_tree_count(void);
OCELOTL_API ocelotl_built_in_tree ocelotl_built_in_tree_at(size_t index);

/* Reads a tree: one that comes with the library, by its name, or a file, a pipe, or standard input
 * ("-").
 *
 * A line is a step of a path, or several with "/" between them, below the last line that is
 * indented less. "/" and "%" in a name are %2F and %25, "#" at its begin is %23. A line with others
 * below it is a group; one without is a type of the trace, by its name or as a pattern
 * (selection.h). Empty lines, and those that begin with "#", say nothing. A group may be named
 * again, to have more. A type takes the place of its own name, else that of the first pattern that
 * matches; a type that has the name of a group belongs to it. All others are in the group "other".
 *
 * Errors: IO; INPUT ("file:line: ..": a type named twice, a group below two others, a type in no
 * group, an indentation that fits no line above, an empty name, no type at all); LIMIT (more than
 * 16 MB, or 16 levels); MEMORY. O(bytes). */
OCELOTL_API ocelotl_status ocelotl_type_tree_read(ocelotl_type_tree **tree, const char *name);

/* Gives a tree another owner: it ends once each owner has freed it. Thread-safe. O(1). */
OCELOTL_API ocelotl_type_tree *ocelotl_type_tree_share(ocelotl_type_tree *tree);
OCELOTL_API void ocelotl_type_tree_free(ocelotl_type_tree *tree);

typedef struct ocelotl_type_tree_info {
    size_t size;          /* by OCELOTL_INIT */
    const char *name;     /* as it was read */
    uint32_t levels;      /* 1 has the outermost groups alone, the last each type by itself */
    uint32_t group_count; /* with "other", which is always there */
    uint32_t other;       /* its index */
    uint64_t hash;        /* of all that it says, but not of where; the same on every machine */
} ocelotl_type_tree_info;

OCELOTL_API void ocelotl_type_tree_get_info(ocelotl_type_tree_info *info,
                                            const ocelotl_type_tree *tree);

/* The same as a value. */
static inline ocelotl_type_tree_info ocelotl_type_tree_info_of(const ocelotl_type_tree *tree)
{
    ocelotl_type_tree_info info;
    info.size = sizeof info;
    ocelotl_type_tree_get_info(&info, tree);
    return info;
}

/* A group. The name lives as long as the tree; no other group has it. */
typedef struct ocelotl_type_group {
    const char *name;
    uint32_t parent; /* OCELOTL_NONE: it is one of the outermost */
    uint32_t depth;  /* 1 for these */
} ocelotl_type_group;

/* Gives a group by its index, parents first; "" beyond. O(1). */
OCELOTL_API ocelotl_type_group ocelotl_type_tree_group_at(const ocelotl_type_tree *tree,
                                                          uint32_t index);

/* Finds the group of a name; OCELOTL_NONE: no group has it. Expected O(1). */
OCELOTL_API uint32_t ocelotl_type_tree_find_group(const ocelotl_type_tree *tree, const char *name);

/* Finds the innermost group of a type. `known` becomes false for a type that the tree does not
 * name, which is in "other"; NULL: not wanted. Of a name that is spelled with its event type,
 * "TYPE:VALUE", the value counts where the whole is unknown. Expected O(length), and O(patterns)
 * where no line is its name. */
OCELOTL_API uint32_t ocelotl_type_tree_find(bool *known, const ocelotl_type_tree *tree,
                                            const char *type);

/* Gives the place of a type in the tree: it grows from group to group, and within one from line to
 * line. Cost as of ocelotl_type_tree_find. */
OCELOTL_API uint32_t ocelotl_type_tree_place(const ocelotl_type_tree *tree, const char *type);

/* Gives what a type is called at a level from 1: the group of that depth, or `type` itself where it
 * is in none so deep. Cost as of ocelotl_type_tree_find. */
OCELOTL_API const char *ocelotl_type_tree_name_at(const ocelotl_type_tree *tree, const char *type,
                                                  uint32_t level);

#ifdef __cplusplus
}
#endif
#endif
