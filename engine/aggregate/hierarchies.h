/* Which hierarchy tells more: hierarchies of the same leaves, ranked by what the best partitions
 * lose at the same number of parts.
 *
 * The whole has the same gain and loss in every hierarchy of its leaves, so losses compare. What is
 * ranked are optimal partitions (levels): of each hierarchy the one that loses least with at most
 * so many parts. */
#ifndef OC_AGGREGATE_HIERARCHIES_H
#define OC_AGGREGATE_HIERARCHIES_H

#include <ocelotl/aggregation.h>
#include <ocelotl/work.h>

/* A level, by its parts: no other with at most so many parts loses less. */
typedef struct ocelotl_hierarchy_point {
    size_t parts;
    double p; /* normalised */
    double gain, loss;
} ocelotl_hierarchy_point;

enum { OCELOTL_HIERARCHY_NUMBERS = 6 };

typedef struct ocelotl_hierarchy {
    char *name;
    size_t rank; /* from 1; those that lose the same have the same */
    double whole_gain, whole_loss;
    ocelotl_hierarchy_point *points; /* by rising parts and falling loss */
    size_t count, capacity;
    /* of each number of parts the point that loses least with at most so many, */
    ocelotl_hierarchy_point at[OCELOTL_HIERARCHY_NUMBERS];
    ocelotl_hierarchy_point ranked; /* and that of the one that they are ranked at */
    bool complete;                  /* the points are those of all levels */
} ocelotl_hierarchy;

/* A ranking. It belongs to one thread at a time. It is allocated, as zeros; what is asked for is
 * set before the first one is added. */
typedef struct ocelotl_hierarchies {
    size_t parts; /* they are ranked at this many; 0: 30 */
    /* Finds every level of each hierarchy, which takes about three solves a level. Else the level
     * at each number of parts is bisected for, as ocelotl_solve_parts does: the same, where the
     * number of parts falls as p rises, as it nearly always does. */
    bool all;
    /* Without `all`: finds no levels but those at the numbers of parts, each at the p where it was
     * met first, which may have many digits. The losses there are the same. */
    bool losses_only;
    ocelotl_work work; /* `progress` counts the solves of a hierarchy, in rounds from 0 on */

    /* of parts that every hierarchy is asked for, rising: `parts` is among them */
    size_t numbers[OCELOTL_HIERARCHY_NUMBERS], number_count;
    ocelotl_hierarchy *list; /* the best first, of equals the one that was added first */
    size_t count, capacity;
} ocelotl_hierarchies;

/* Adds a hierarchy by the measures of a model that has it, which are of no use afterwards; the name
 * is copied. Some 60 solves, 20 for the losses only, or with `all` about three a level. Errors:
 * MEMORY, CANCELLED. */
ocelotl_status ocelotl_hierarchies_add(ocelotl_hierarchies *hierarchies, const char *name,
                                       const ocelotl_aggregation *aggregation);

/* Frees a ranking, itself too; NULL is none. */
void ocelotl_hierarchies_free(ocelotl_hierarchies *hierarchies);

#endif
