/* The changes between two models, node by node and type by type, and which of them are worth a
 * row. */
#include "compare/comparison.h"

#include "base/memory.h"
#include "base/weighed.h"

#include <math.h>
#include <stdlib.h>

/* --- Which changes of one type are worth their names: a change at a leaf is one at all nodes above
 * it, too, and one that is alike everywhere, or in proportion to what was there, is one at all
 * nodes below (docs/compare.md). */

/* What is less than the least share is rounding. */
static const double most_of_it = 0.8;
static const double least_share = 1e-9;

static double expected(const oc_changed_node *node)
{
    return node->known * node->cells + node->known_times * node->before;
}

/* Adds up changes from the leaves. What a node has and its children lack (nodes of one model alone)
 * changes in itself. */
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

/* Describes a change as alike in all cells or as proportional to the values before, whichever
 * explains more of it. */
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

/* --- The changes of all nodes and types */

/* Smaller changes than a floor may make up so much of all together. */
static const double left_share = 0.01;

/* The values of a node by type in a model, as a mean over its leaves, in the unit of changes. */
static ocelotl_status comparison_values(double *values, const ocelotl_comparison *c, int model,
                                        uint32_t node)
{
    OC_TRY(
        ocelotl_model_values(values, c->models[model], node, 0, c->infos[model].slice_count - 1));
    for (uint32_t x = 0; x < c->infos[model].type_count; x++)
        values[x] *= c->scale[model];
    return OCELOTL_OK;
}

static double weight_of(const ocelotl_comparison *c, int m, uint32_t node)
{
    return ocelotl_model_node_at(c->models[m], node).row_count * c->weight[m];
}

/* The leaves by which a value for each leaf is multiplied: the mean of both models' leaves of the
 * node. */
static double comparison_leaves(const ocelotl_comparison *c, uint32_t node)
{
    return (weight_of(c, 0, node) + weight_of(c, 1, c->other[0][node])) / 2;
}

static ocelotl_status add_change(ocelotl_comparison *c, const ocelotl_change *change,
                                 oc_changed_place place)
{
    const size_t count = c->info.change_count;
    if (!(change->first > 0) && !(change->second > 0))
        return OCELOTL_OK;
    OC_TRY(oc_grow(&c->changes, &c->change_capacity, count + 1, sizeof *c->changes));
    OC_TRY(oc_grow(&c->places, &c->place_capacity, count + 1, sizeof *c->places));
    c->changes[count] = *change;
    c->places[count] = place;
    c->info.change_count++;
    return OCELOTL_OK;
}

/* Types of the first, and then those that the second alone has. */
static ocelotl_status add_node(ocelotl_comparison *c, double *const *values, uint32_t node)
{
    const ocelotl_node of = ocelotl_model_node_at(c->models[0], node);
    const double leaves = comparison_leaves(c, node);
    OC_TRY(comparison_values(values[0], c, 0, node));
    OC_TRY(comparison_values(values[1], c, 1, c->other[0][node]));
    for (int m = 0; m < 2; m++)
        for (uint32_t x = 0; x < c->infos[m].type_count; x++) {
            const uint32_t same = c->other_type[m][x];
            if (m == 1 && same != OCELOTL_NONE)
                continue;
            const double here = values[m][x];
            const double there = same != OCELOTL_NONE ? values[1 - m][same] : 0;
            const double first = m == 0 ? here : there;
            const double second = m == 0 ? there : here;
            const ocelotl_change change = {.path = of.path,
                                           .type = ocelotl_model_type_at(c->models[m], x).name,
                                           .first = first,
                                           .second = second,
                                           .leaves = of.row_count,
                                           .amount = (second - first) * leaves};
            OC_TRY(add_change(c, &change,
                              (oc_changed_place){node, m == 0 ? x : c->infos[0].type_count + x}));
        }
    return OCELOTL_OK;
}

/* --- Names */

/* The changes type by type: those of a type are first[type] .. first[type + 1] - 1 of the order. */
typedef struct by_type {
    size_t *first, *order;
    uint32_t type_count;
} by_type;

static ocelotl_status order_by_type(by_type *by, const ocelotl_comparison *c)
{
    const size_t count = c->info.change_count;
    by->type_count = c->infos[0].type_count + c->infos[1].type_count;
    OC_TRY(oc_allocate(&by->first, (size_t)by->type_count + 2, sizeof *by->first));
    OC_TRY(oc_allocate(&by->order, count, sizeof *by->order));
    for (size_t i = 0; i < count; i++)
        by->first[c->places[i].type + 2]++;
    for (uint32_t t = 0; t < by->type_count; t++)
        by->first[t + 2] += by->first[t + 1];
    for (size_t i = 0; i < count; i++)
        by->order[by->first[c->places[i].type + 1]++] = i;
    return OCELOTL_OK;
}

/* A node where nothing is of the type has not changed. */
static void name_type(ocelotl_comparison *c, const by_type *by, uint32_t type,
                      oc_changed_node *nodes)
{
    const uint32_t count = c->infos[0].node_count;
    for (uint32_t k = 0; k < count; k++)
        nodes[k].amount = nodes[k].before = 0;
    for (size_t i = by->first[type]; i < by->first[type + 1]; i++) {
        const ocelotl_change *change = &c->changes[by->order[i]];
        oc_changed_node *node = &nodes[c->places[by->order[i]].node];
        node->amount = change->amount;
        node->before = change->first * node->cells;
    }
    oc_name_changes(nodes, count);
    for (size_t i = by->first[type]; i < by->first[type + 1]; i++) {
        ocelotl_change *change = &c->changes[by->order[i]];
        const oc_changed_node *node = &nodes[c->places[by->order[i]].node];
        change->named = node->named;
        change->proportional = node->proportional;
        c->info.named_count += node->named;
    }
}

static ocelotl_status name_changes(ocelotl_comparison *c)
{
    by_type by = {0};
    oc_changed_node *nodes = NULL;
    ocelotl_status status = order_by_type(&by, c);
    if (status == OCELOTL_OK)
        status = oc_allocate(&nodes, c->infos[0].node_count, sizeof *nodes);
    if (status == OCELOTL_OK) {
        for (uint32_t k = 0; k < c->infos[0].node_count; k++) {
            nodes[k].parent = ocelotl_model_node_at(c->models[0], k).parent;
            nodes[k].end = k + c->models[0]->matrix.tree.subtree[k];
            nodes[k].cells = c->other[0][k] != OCELOTL_NONE ? comparison_leaves(c, k) : 0;
        }
    }
    for (uint32_t t = 0; t < by.type_count && status == OCELOTL_OK; t++)
        name_type(c, &by, t, nodes);
    free(nodes);
    free(by.first);
    free(by.order);
    return status;
}

/* --- Order */

/* Rounding must not reorder equal changes. */
static ocelotl_status sort_changes(ocelotl_comparison *c)
{
    const size_t count = c->info.change_count;
    oc_weighed *order = NULL;
    ocelotl_change *sorted = NULL;
    ocelotl_status status = oc_allocate(&order, count, sizeof *order);
    if (status == OCELOTL_OK)
        status = oc_allocate(&sorted, count, sizeof *sorted);
    for (size_t i = 0; i < count && status == OCELOTL_OK; i++)
        order[i] = (oc_weighed){(double)(float)fabs(c->changes[i].amount), i};
    if (status == OCELOTL_OK)
        oc_sort_weighed(order, count);
    for (size_t i = 0; i < count && status == OCELOTL_OK; i++)
        sorted[i] = c->changes[order[i].place];
    free(order);
    if (status != OCELOTL_OK) {
        free(sorted);
        return status;
    }
    free(c->changes);
    c->changes = sorted;
    return OCELOTL_OK;
}

ocelotl_status oc_comparison_find_changes(ocelotl_comparison *c)
{
    double *values[2] = {NULL, NULL};
    ocelotl_status status = oc_allocate(&values[0], c->infos[0].type_count, sizeof **values);
    if (status == OCELOTL_OK)
        status = oc_allocate(&values[1], c->infos[1].type_count, sizeof **values);
    for (uint32_t k = 0; k < c->infos[0].node_count && status == OCELOTL_OK; k++)
        if (c->other[0][k] != OCELOTL_NONE)
            status = add_node(c, values, k);
    free(values[0]);
    free(values[1]);
    OC_TRY(status);
    OC_TRY(name_changes(c));
    return sort_changes(c);
}

/* --- The floor */

/* 1, 2 or 5 times a power of ten, at least so large. */
static double round_number_above(double number)
{
    const double power = pow(10, floor(log10(number)));
    const double steps[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if (steps[i] * power >= number * (1 - 1e-12))
            return steps[i] * power;
    return 10 * power;
}

static void count_below(ocelotl_change_floor *found, const ocelotl_comparison *c)
{
    double all = 0;
    double below = 0;
    found->above = found->below = 0;
    for (size_t i = 0; i < c->info.change_count; i++) {
        const ocelotl_change *change = &c->changes[i];
        const double size = fabs(change->amount);
        if (!change->named)
            continue;
        all += size;
        below += size < found->amount ? size : 0;
        *(size < found->amount ? &found->below : &found->above) += 1;
    }
    found->share = all > 0 ? below / all : 0;
}

/* The lowest round number above all changes that are smaller than the floor. */
static double lowest_floor(const ocelotl_comparison *c, double floor)
{
    double largest = 0;
    for (size_t i = 0; i < c->info.change_count; i++) {
        const double size = c->changes[i].named ? fabs(c->changes[i].amount) : 0;
        largest = size < floor ? fmax(largest, size) : largest;
    }
    const double lowest = largest > 0 ? round_number_above(largest * (1 + 1e-9)) : 0;
    return fmin(lowest, floor);
}

/* Finds the largest round number below which changes add up to little, then higher ones until few
 * enough changes are above. */
ocelotl_change_floor ocelotl_comparison_floor(const ocelotl_comparison *c, size_t most)
{
    ocelotl_change_floor found = {0};
    double least = INFINITY;
    double largest = 0;
    for (size_t i = 0; i < c->info.change_count; i++)
        if (c->changes[i].named) {
            least = fmin(least, fabs(c->changes[i].amount));
            largest = fmax(largest, fabs(c->changes[i].amount));
        }
    if (!(largest > 0) || !isfinite(largest))
        return found;
    count_below(&found, c);
    for (double next = round_number_above(least); next <= largest;
         next = round_number_above(next * 1.5)) {
        ocelotl_change_floor higher = {.amount = next};
        count_below(&higher, c);
        if (higher.share > left_share && found.above <= most)
            break;
        found = higher;
    }
    found.amount = lowest_floor(c, found.amount);
    return found;
}

/* --- All together */

/* Adds the sums of a leaf, for each type that both leaves have. */
static ocelotl_status add_leaf(double *sums, double *apart, double ratio,
                               const ocelotl_comparison *c, double *const *values, uint32_t node)
{
    const double leaves = comparison_leaves(c, node);
    OC_TRY(comparison_values(values[0], c, 0, node));
    OC_TRY(comparison_values(values[1], c, 1, c->other[0][node]));
    for (int m = 0; m < 2; m++)
        for (uint32_t x = 0; x < c->infos[m].type_count; x++) {
            const uint32_t same = c->other_type[m][x];
            const double there = same != OCELOTL_NONE ? values[1 - m][same] : 0;
            sums[m] += values[m][x] * leaves;
            if (m == 0)
                *apart += fabs(there - ratio * values[0][x]) * leaves;
            else if (same == OCELOTL_NONE)
                *apart += values[1][x] * leaves;
        }
    return OCELOTL_OK;
}

/* Nodes that are leaves in one of both. */
static ocelotl_status add_leaves(double *sums, double *apart, double ratio,
                                 const ocelotl_comparison *c, double *const *values)
{
    const oc_tree *trees[] = {&c->models[0]->matrix.tree, &c->models[1]->matrix.tree};
    sums[0] = sums[1] = *apart = 0;
    for (uint32_t k = 0; k < trees[0]->node_count; k++) {
        const uint32_t other = c->other[0][k];
        if (other != OCELOTL_NONE &&
            (oc_tree_is_leaf(trees[0], k) || oc_tree_is_leaf(trees[1], other)))
            OC_TRY(add_leaf(sums, apart, ratio, c, values, k));
    }
    return OCELOTL_OK;
}

static ocelotl_status find_ratio(ocelotl_comparison *c, double *const *values)
{
    double sums[2];
    double apart;
    OC_TRY(add_leaves(sums, &apart, 1, c, values));
    c->info.ratio = sums[0] > 0 ? sums[1] / sums[0] : NAN;
    if (!(sums[0] > 0) || !(sums[1] > 0)) {
        c->info.apart = 1;
        return OCELOTL_OK;
    }
    OC_TRY(add_leaves(sums, &apart, c->info.ratio, c, values));
    c->info.apart = apart / sums[1] / 2;
    return OCELOTL_OK;
}

ocelotl_status oc_comparison_find_ratio(ocelotl_comparison *c)
{
    double *values[2] = {NULL, NULL};
    ocelotl_status status = oc_allocate(&values[0], c->infos[0].type_count, sizeof **values);
    if (status == OCELOTL_OK)
        status = oc_allocate(&values[1], c->infos[1].type_count, sizeof **values);
    if (status == OCELOTL_OK)
        status = find_ratio(c, values);
    free(values[0]);
    free(values[1]);
    return status;
}
