#include "aggregate/extraction.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

/* A node over an interval is made of blocks in time: each is whole, or split into the children. Two blocks that
 * are split and touch are one, so after a split block one that is whole begins. A choice is the first block. */
struct choice {
    uint32_t last; /* slice of the block */
    bool whole;
};

/* What a partition comes to; its pIC is p m - loss. */
struct tally {
    size_t parts;
    double m;
    double loss;
};

/* A node over an interval, and its best partition once that is known. */
struct item {
    uint32_t node, first, last;
    bool asked; /* what it depends on is on the stack, or done */
    bool done;
    struct choice choice;
    struct tally tally;
};

struct search {
    const ocelotl_aggregation *aggregation;
    const oc_recurrence *recurrence;
    double p;
    oc_map known; /* (node, first, last) to item: nothing is decided twice, however many ties lead there */
    struct item *items;
    size_t item_count, item_capacity;
    uint32_t *stack; /* items; explicit, for a hierarchy may be very deep */
    size_t depth, stack_capacity;
    struct choice *choices; /* those of the item in hand that cannot be told apart by their values */
    size_t choice_count, choice_capacity;
};

static double best(const struct search *search, uint32_t node, uint32_t first, uint32_t last)
{
    return oc_best_of(search->recurrence, search->aggregation, node, first)[last - first];
}

static double split_value(const struct search *search, uint32_t node, uint32_t first, uint32_t last)
{
    const oc_nodes *nodes = &search->aggregation->nodes;
    double value = 0;
    for (uint32_t child = oc_nodes_first_child(node); child < oc_nodes_end(nodes, node);
         child = oc_nodes_next_child(nodes, child))
        value += best(search, child, first, last);
    return value;
}

static ocelotl_status push(struct search *search, uint32_t item)
{
    OC_TRY(oc_grow(&search->stack, &search->stack_capacity, search->depth + 1, sizeof *search->stack));
    search->stack[search->depth++] = item;
    return OCELOTL_OK;
}

/* The item of a node over an interval, new or not. */
static ocelotl_status find(struct search *search, uint32_t node, uint32_t first, uint32_t last, uint32_t *found)
{
    const uint32_t key[] = {node, first, last};
    *found = oc_map_get(&search->known, key, sizeof key);
    if (*found != OC_MAP_NONE)
        return OCELOTL_OK;
    if (search->item_count == OC_MAP_NONE)
        return oc_fail_memory();
    *found = (uint32_t)search->item_count;
    OC_TRY(oc_map_set(&search->known, key, sizeof key, *found));
    OC_TRY(oc_grow(&search->items, &search->item_capacity, search->item_count + 1, sizeof *search->items));
    search->items[search->item_count++] = (struct item){.node = node, .first = first, .last = last};
    return OCELOTL_OK;
}

static ocelotl_status add_choice(struct search *search, uint32_t last, bool whole)
{
    OC_TRY(oc_grow(&search->choices, &search->choice_capacity, search->choice_count + 1, sizeof *search->choices));
    search->choices[search->choice_count++] = (struct choice){last, whole};
    return OCELOTL_OK;
}

/* Cuts of an item that are worth at least `enough`, the whole first, in the order of time. */
static ocelotl_status collect_cuts(struct search *search, const struct item *item, double enough)
{
    const ocelotl_aggregation *aggregation = search->aggregation;
    const uint32_t node = item->node;
    const double *total = oc_total_of(aggregation, node);
    const double *loss = oc_loss_of(aggregation, node, item->first);
    const double *row = oc_best_of(search->recurrence, aggregation, node, item->first);
    const uint32_t *kept = search->recurrence->kept + (size_t)node * aggregation->slices;
    double x = 0;
    for (uint32_t c = item->first; c < item->last; c++) {
        x += total[c];
        if (x == 0 && total[c + 1] == 0)
            continue; /* what holds nothing is not cut: one part less, and nothing else changes */
        const double right = best(search, node, c + 1, item->last);
        if (!(row[c - item->first] + right >= enough))
            continue;
        const double m = x * oc_log_cells(aggregation, node, c - item->first + 1);
        if (oc_value(search->recurrence->weight, m, loss[c - item->first]) + right >= enough)
            OC_TRY(add_choice(search, c, true));
        if (!oc_nodes_is_leaf(&aggregation->nodes, node) && kept[c + 1] <= item->last &&
            split_value(search, node, item->first, c) + right >= enough)
            OC_TRY(add_choice(search, c, false));
    }
    return OCELOTL_OK;
}

/* All choices for an item whose values differ by no more than rounding, in the order of preference. No part of a
 * best partition is worth less than its cells, which are worth 0: its loss is at most p m, and so the magnitude
 * of all terms at most twice p m of the whole. */
static ocelotl_status collect(struct search *search, const struct item *item)
{
    const ocelotl_aggregation *aggregation = search->aggregation;
    const double loss = oc_loss_of(aggregation, item->node, item->first)[item->last - item->first];
    const double *total = oc_total_of(aggregation, item->node);
    search->choice_count = 0;
    if (loss == 0) /* nothing gains more than the whole, and it loses nothing */
        return add_choice(search, item->last, true);
    double x = 0;
    for (uint32_t t = item->first; t <= item->last; t++)
        x += total[t];
    const double m = x * oc_log_cells(aggregation, item->node, item->last - item->first + 1);
    const double enough = best(search, item->node, item->first, item->last) - OC_TIE * 2 * search->p * m;
    if (oc_value(search->recurrence->weight, m, loss) >= enough)
        OC_TRY(add_choice(search, item->last, true));
    if (!oc_nodes_is_leaf(&aggregation->nodes, item->node) &&
        split_value(search, item->node, item->first, item->last) >= enough)
        OC_TRY(add_choice(search, item->last, false));
    OC_TRY(collect_cuts(search, item, enough));
    return search->choice_count > 0 ? OCELOTL_OK
                                    : oc_fail(OCELOTL_ERROR_INTERNAL, "no partition has the best value");
}

/* Pushes the item of a node over an interval where it is done, or not yet done, as wanted. */
static ocelotl_status visit(struct search *search, uint32_t node, uint32_t first, uint32_t last, bool done)
{
    uint32_t item;
    OC_TRY(find(search, node, first, last, &item));
    return search->items[item].done == done ? push(search, item) : OCELOTL_OK;
}

/* Visits what a choice leaves to be decided: the children of its first block, and what follows it. */
static ocelotl_status visit_rest(struct search *search, const struct item *item, struct choice choice, bool done)
{
    const oc_nodes *nodes = &search->aggregation->nodes;
    if (!choice.whole)
        for (uint32_t child = oc_nodes_first_child(item->node); child < oc_nodes_end(nodes, item->node);
             child = oc_nodes_next_child(nodes, child))
            OC_TRY(visit(search, child, item->first, choice.last, done));
    return choice.last < item->last ? visit(search, item->node, choice.last + 1, item->last, done) : OCELOTL_OK;
}

static ocelotl_status add_tally(struct search *search, struct tally *tally, uint32_t node, uint32_t first,
                                uint32_t last)
{
    uint32_t found;
    OC_TRY(find(search, node, first, last, &found));
    const struct tally *other = &search->items[found].tally;
    tally->parts += other->parts;
    tally->m += other->m;
    tally->loss += other->loss;
    return OCELOTL_OK;
}

static struct tally tally_of_part(const ocelotl_aggregation *aggregation, uint32_t node, uint32_t first,
                                  uint32_t last)
{
    const double *total = oc_total_of(aggregation, node);
    double x = 0;
    for (uint32_t t = first; t <= last; t++)
        x += total[t];
    return (struct tally){1, x * oc_log_cells(aggregation, node, last - first + 1),
                          oc_loss_of(aggregation, node, first)[last - first]};
}

static ocelotl_status tally_choice(struct search *search, const struct item *item, struct choice choice,
                                   struct tally *tally)
{
    const oc_nodes *nodes = &search->aggregation->nodes;
    *tally = (struct tally){0};
    if (choice.whole)
        *tally = tally_of_part(search->aggregation, item->node, item->first, choice.last);
    else
        for (uint32_t child = oc_nodes_first_child(item->node); child < oc_nodes_end(nodes, item->node);
             child = oc_nodes_next_child(nodes, child))
            OC_TRY(add_tally(search, tally, child, item->first, choice.last));
    if (choice.last < item->last)
        OC_TRY(add_tally(search, tally, item->node, choice.last + 1, item->last));
    return OCELOTL_OK;
}

/* The tie rules: larger pIC, larger gain, fewer parts. What is left is settled by the order of the choices. */
static bool better(const struct search *search, const struct tally *a, const struct tally *b)
{
    const double magnitude = a->m > b->m ? a->m : b->m;
    const double value = (search->p * a->m - a->loss) - (search->p * b->m - b->loss);
    if (fabs(value) > OC_TIE * search->p * magnitude)
        return value > 0;
    const double gain = (a->m - a->loss) - (b->m - b->loss);
    if (fabs(gain) > OC_TIE * magnitude)
        return gain > 0;
    return a->parts < b->parts;
}

/* Decides an item of which all that its choices depend on is done. */
static ocelotl_status decide(struct search *search, uint32_t index)
{
    struct item item = search->items[index];
    for (size_t i = 0; i < search->choice_count; i++) {
        struct tally tally;
        OC_TRY(tally_choice(search, &item, search->choices[i], &tally));
        if (i == 0 || better(search, &tally, &item.tally)) {
            item.choice = search->choices[i];
            item.tally = tally;
        }
    }
    item.done = true;
    search->items[index] = item;
    return OCELOTL_OK;
}

static ocelotl_status run(struct search *search)
{
    OC_TRY(oc_grow(&search->items, &search->item_capacity, 1, sizeof *search->items));
    OC_TRY(visit(search, 0, 0, search->aggregation->slices - 1, false));
    while (search->depth > 0) {
        const uint32_t index = search->stack[search->depth - 1];
        const struct item item = search->items[index];
        if (item.done) {
            search->depth--;
            continue;
        }
        const size_t depth = search->depth;
        OC_TRY(collect(search, &item));
        if (!item.asked) {
            search->items[index].asked = true;
            for (size_t i = 0; i < search->choice_count; i++)
                OC_TRY(visit_rest(search, &item, search->choices[i], false));
        }
        if (search->depth == depth)
            OC_TRY(decide(search, index));
    }
    return OCELOTL_OK;
}

/* Follows the choices from the root. */
static ocelotl_status emit(struct search *search, oc_solution *solution)
{
    OC_TRY(push(search, 0));
    while (search->depth > 0) {
        const struct item item = search->items[search->stack[--search->depth]];
        if (item.choice.whole)
            OC_TRY(oc_solution_add(solution, search->aggregation, item.node, item.first, item.choice.last));
        OC_TRY(visit_rest(search, &item, item.choice, true));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_extract(oc_solution *solution, const ocelotl_aggregation *aggregation,
                          const oc_recurrence *recurrence)
{
    struct search search = {.aggregation = aggregation,
                            .recurrence = recurrence,
                            .p = recurrence->weight.limit ? 1 : recurrence->weight.p};
    ocelotl_status status = run(&search);
    if (status == OCELOTL_OK)
        status = emit(&search, solution);
    oc_map_free(&search.known);
    free(search.items);
    free(search.stack);
    free(search.choices);
    return status;
}
