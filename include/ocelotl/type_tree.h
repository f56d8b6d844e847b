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

OCELOTL_API void ocelotl_type_tree_free(ocelotl_type_tree *tree);

#ifdef __cplusplus
}
#endif
#endif
