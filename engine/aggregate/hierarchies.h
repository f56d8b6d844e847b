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

/* Zero is the default of every member. */
typedef struct ocelotl_hierarchies_options {
    size_t size;  /* sizeof(ocelotl_hierarchies_options), set by the initialiser */
    size_t parts; /* they are ranked at this many parts; 0: 30 */

    /* Finds every level of each hierarchy, which takes about three solves a level. Else the level
     * at each number of parts is bisected for, as ocelotl_solve_parts does: the same, where the
     * number of parts falls as p rises, as it nearly always does. */
    bool all;
    ocelotl_work work; /* `progress` counts the solves of a hierarchy, in rounds from 0 on */

    /* Without `all`: finds no levels but those at the numbers of parts, each at the p where it was
     * met first, which may have many digits. The losses there are the same. */
    bool losses_only;
} ocelotl_hierarchies_options;

#define OCELOTL_HIERARCHIES_OPTIONS_INIT OCELOTL_INIT(ocelotl_hierarchies_options)

/* A ranking. It belongs to one thread at a time. */
typedef struct ocelotl_hierarchies ocelotl_hierarchies;

/* Begins an empty ranking. Options may be NULL. Errors: MEMORY. */
ocelotl_status ocelotl_hierarchies_new(ocelotl_hierarchies **hierarchies,
                                       const ocelotl_hierarchies_options *options);
void ocelotl_hierarchies_free(ocelotl_hierarchies *hierarchies);

/* Adds a hierarchy by the measures of a model that has it, which are of no use afterwards; the name
 * is copied. Some 60 solves, 20 for the losses only, or with `all` about three a level. Errors:
 * MEMORY, CANCELLED. */
ocelotl_status ocelotl_hierarchies_add(ocelotl_hierarchies *hierarchies, const char *name,
                                       const ocelotl_aggregation *aggregation);

/* A level, by its parts: no other with at most so many parts loses less. */
typedef struct ocelotl_hierarchy_point {
    size_t parts;
    double p; /* normalised */
    double gain, loss;
} ocelotl_hierarchy_point;

typedef struct ocelotl_hierarchy {
    const char *name;
    size_t rank; /* from 1; those that lose the same have the same */
    double whole_gain, whole_loss;
    ocelotl_hierarchy_point ranked; /* at the number of parts that they are ranked at */
    size_t point_count;
    bool complete; /* the points are those of all levels */
} ocelotl_hierarchy;

/* A hierarchy by its index below the count, the best first, of equals the one that was added first;
 * zeros beyond. O(1). */
size_t ocelotl_hierarchies_count(const ocelotl_hierarchies *hierarchies);
ocelotl_hierarchy ocelotl_hierarchies_at(const ocelotl_hierarchies *hierarchies, size_t index);

/* Its points by rising parts and falling loss; zeros beyond. O(1). */
ocelotl_hierarchy_point ocelotl_hierarchies_point_at(const ocelotl_hierarchies *hierarchies,
                                                     size_t index, size_t point);

/* The point of a hierarchy that loses least with at most `parts` (>= 1) parts. O(log points). */
ocelotl_hierarchy_point ocelotl_hierarchies_find(const ocelotl_hierarchies *hierarchies,
                                                 size_t index, size_t parts);

/* The numbers of parts that every hierarchy was asked for, rising: the one they are ranked at among
 * them; 0 beyond. O(1). */
size_t ocelotl_hierarchies_number_at(const ocelotl_hierarchies *hierarchies, size_t index);
size_t ocelotl_hierarchies_ranked_at(const ocelotl_hierarchies *hierarchies);

#endif
