/* What differs between two models, inside: what they have in common, and the steps that find the
 * changes. */
#ifndef OC_COMPARE_COMPARISON_H
#define OC_COMPARE_COMPARISON_H

#include "compare/compare.h"
#include "model/core/model.h"

/* Finds the changes, says which are named, and sorts them. O(nodes x types + cells x levels +
 * changes log changes). */
ocelotl_status oc_comparison_find_changes(ocelotl_comparison *c);

/* Finds the ratio of the second's total to the first's, and the share that deviates from it.
 * O(common leaves x types + cells). */
ocelotl_status oc_comparison_find_ratio(ocelotl_comparison *c);

/* --- Naming */

typedef struct oc_changed_node {
    uint32_t parent; /* its index, which is smaller; OCELOTL_ROOT: none */
    uint32_t end;    /* behind the last node below it: they follow it */
    double cells;    /* 0: it is not to be named */
    double amount;
    double before; /* what the first had: >= 0 */
    bool named;    /* the result */
    /* of a named node: what is below changes by the same factor, not by the same amount */
    bool proportional;
    /* In between: what is known from the nearest node above that is named, as the change of a cell
     * and as one of what was there; what its children add up to; and, without regard to signs, what
     * changes in its leaves, the same beyond what is known, and the most of that in one child, with
     * the cells of that child. */
    double known, known_times, below, changed, surprise, largest, largest_cells;
} oc_changed_node;

/* Decides which nodes are named; members below `named` need not be set. O(nodes x levels). */
void oc_name_changes(oc_changed_node *nodes, uint32_t count);

#endif
