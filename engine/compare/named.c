/* Which changes of one type are worth their names: a change at a leaf is one at all nodes above
 * it, too, and one that is alike everywhere, or in proportion to what was there, is one at all
 * nodes below (docs/compare.md). */
#include "compare/comparison.h"

#include <math.h>

/* What is less than the least share is rounding. */
static const double most_of_it = 0.8;
static const double least_share = 1e-9;

static double expected(const oc_changed_node *node)
{
    return node->known * node->cells + node->known_times * node->before;
}

/* From the leaves up. What a node has and its children have not (nodes of one model alone) changes
 * in itself. */
static void add_up(oc_changed_node *nodes, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        nodes[k].below = nodes[k].changed = 0;
    for (uint32_t k = count; k-- > 0;) {
        oc_changed_node *node = &nodes[k];
        if (!(node->cells > 0))
            node->amount = node->below;
        node->changed += fabs(node->amount - node->below);
        if (node->parent == OCELOTL_ROOT)
            continue;
        nodes[node->parent].below += node->amount;
        nodes[node->parent].changed += node->changed;
    }
}

/* The same, below a node that is named, of what is not known by that. */
static void find_surprises(oc_changed_node *nodes, uint32_t first, double known, double known_times)
{
    const uint32_t end = nodes[first].end;
    for (uint32_t k = first; k < end; k++) {
        nodes[k].known = known;
        nodes[k].known_times = known_times;
        nodes[k].below = nodes[k].surprise = nodes[k].largest = nodes[k].largest_cells = 0;
    }
    for (uint32_t k = end; k-- > first;) {
        oc_changed_node *node = &nodes[k];
        const double beyond = node->cells > 0 ? node->amount - expected(node) : node->below;
        node->surprise += fabs(beyond - node->below);
        if (k == first)
            continue;
        oc_changed_node *parent = &nodes[node->parent];
        parent->below += beyond;
        parent->surprise += node->surprise;
        if (node->surprise > parent->largest) {
            parent->largest = node->surprise;
            parent->largest_cells = node->cells;
        }
    }
}

/* Whether the amount is as expected, but for a factor of two. */
static bool is_known(const oc_changed_node *node)
{
    return fabs(node->amount - expected(node)) <=
           fmax(fabs(node->amount), fabs(expected(node))) / 2;
}

/* Whether one child has most of it, and the others less than half of what they would have if it
 * were spread evenly. */
static bool is_in_one_child(const oc_changed_node *node)
{
    const double others = node->surprise - node->largest;
    const double evenly = node->surprise * (node->cells - node->largest_cells) / node->cells;
    return node->largest >= most_of_it * node->surprise && others < evenly / 2;
}

static bool is_worth_its_name(const oc_changed_node *node)
{
    return node->cells > 0 && fabs(node->amount) > least_share * node->changed && !is_known(node) &&
           !is_in_one_child(node);
}

/* Knows a change as one that is alike in all cells, or in proportion to what was there: as what
 * tells more of it. */
static void know(oc_changed_node *nodes, uint32_t k)
{
    oc_changed_node *node = &nodes[k];
    const double each = node->amount / node->cells;
    find_surprises(nodes, k, each, 0);
    const double evenly = node->surprise;
    node->proportional = false;
    if (!(node->before > 0))
        return;
    find_surprises(nodes, k, 0, node->amount / node->before);
    node->proportional = node->surprise < evenly;
    if (!node->proportional)
        find_surprises(nodes, k, each, 0);
}

void oc_name_changes(oc_changed_node *nodes, uint32_t count)
{
    add_up(nodes, count);
    if (count > 0)
        find_surprises(nodes, 0, 0, 0);
    for (uint32_t k = 0; k < count; k++) {
        nodes[k].named = is_worth_its_name(&nodes[k]);
        nodes[k].proportional = false;
        if (nodes[k].named)
            know(nodes, k);
    }
}
