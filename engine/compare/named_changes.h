/* Which changes of one type are worth their names: a change at a leaf is one at all nodes above
 * it, too, and one that is alike everywhere, or in proportion to what was there, is one at all
 * nodes below (docs/compare.md). */
#ifndef OC_COMPARE_NAMED_CHANGES_H
#define OC_COMPARE_NAMED_CHANGES_H

#include "base/status.h"

typedef struct oc_changed_node {
    uint32_t parent; /* its index, which is smaller; OCELOTL_ROOT: none */
    uint32_t end;    /* behind the last node below it: they follow it */
    double cells;    /* 0: it is not to be named */
    double amount;
    double before; /* what the first had: >= 0 */
    bool named;    /* the result */
    /* of one that is named: what is below changes as many times, not by as much */
    bool proportional;
    /* In between: what is known from the nearest node above that is named, as the change of a cell
     * and as one of what was there; what its children add up to; and, without regard to signs, what
     * changes in its leaves, the same beyond what is known, and the most of that in one child, with
     * the cells of that child. */
    double known, known_times, below, changed, surprise, largest, largest_cells;
} oc_changed_node;

/* Tells which of the nodes are to be named; members below `named` need not be set. O(nodes x
 * levels). */
void oc_name_changes(oc_changed_node *nodes, uint32_t count);

#endif
