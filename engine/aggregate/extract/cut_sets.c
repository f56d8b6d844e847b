#include "aggregate/extract/cut_sets.h"

#include "aggregate/extract/explored.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The two sets of something: cuts that are possible, then those that are always there. */
struct search {
    const oc_explored *explored;
    oc_cut_sets *sets;
    /* of each node, of the blocks that best partitions split: two sets each */
    uint64_t **of_splits;
    uint32_t *split_counts;
    uint64_t *of_items; /* of one node, of the items that are reached */
    uint32_t *place;    /* of one node's items: where theirs are */
    size_t item_capacity, place_capacity;
};

void oc_cut_sets_free(oc_cut_sets *sets)
{
    free(sets->possible);
    free(sets->always);
    *sets = (oc_cut_sets){0};
}

/* The bits of a word that are for slices begin <= t < end. */
static uint64_t bits_between(size_t word, uint32_t begin, uint32_t end)
{
    const size_t first = word * 64;
    const uint64_t from = begin <= first        ? ~(uint64_t)0
                          : begin >= first + 64 ? 0
                                                : ~(uint64_t)0 << (begin - first);
    const uint64_t to = end >= first + 64 ? ~(uint64_t)0
                        : end <= first    ? 0
                                          : ~(~(uint64_t)0 << (end - first));
    return from & to;
}

/* An item is reached: so are the next of its best choices, and the blocks that these split. */
static void reach(const oc_explored_node *record, oc_item *item, uint32_t *split_count)
{
    const oc_choice *choices = oc_choices_of(record, item);
    for (uint32_t c = 0; c < item->choice_count; c++) {
        if (!choices[c].best)
            continue;
        if (choices[c].next != OC_NONE)
            oc_items_of(record)[choices[c].next].reached = true;
        if (choices[c].split != OC_NONE && record->place.splits[choices[c].split].set == OC_NONE)
            record->place.splits[choices[c].split].set = (*split_count)++;
    }
}

/* What of a node is reached, of what its parent reaches. */
static void mark_node(struct search *search, uint32_t node)
{
    const oc_explored *explored = search->explored;
    const oc_explored_node *record = &explored->records[node];
    const oc_explored_node *parent = &explored->records[explored->aggregation->nodes.parent[node]];
    uint32_t split_count = 0;
    if (record->share == NULL)
        return;
    for (uint32_t a = 0; a < record->place.answer_count; a++)
        if (node == 0 || parent->place.splits[a].set != OC_NONE)
            oc_answer_of(record, a)->reached = true;
    for (uint32_t i = 0; i < record->place.item_count; i++)
        if (oc_items_of(record)[i].reached)
            reach(record, &oc_items_of(record)[i], &split_count);
}

/* The sets of the blocks that a node splits are full at first. */
static ocelotl_status make_sets(struct search *search, uint32_t node)
{
    const oc_choices_place *place = &search->explored->records[node].place;
    uint32_t split_count = 0;
    OC_TRY(oc_explored_spread(search->explored, node));
    for (uint32_t s = 0; s < place->split_count; s++)
        split_count += place->splits[s].set != OC_NONE;
    const size_t words = split_count * 2 * search->sets->words;
    search->split_counts[node] = split_count;
    OC_TRY(oc_allocate(&search->of_splits[node], words, sizeof(uint64_t)));
    memset(search->of_splits[node], 0xff, words * sizeof(uint64_t));
    return OCELOTL_OK;
}

/* Marks what best partitions consist of, from the root down. */
static ocelotl_status mark(struct search *search)
{
    const oc_nodes *nodes = &search->explored->aggregation->nodes;
    for (uint32_t depth = 0; depth < nodes->depth_count; depth++)
        for (uint32_t i = nodes->depth_first[depth + 1]; i-- > nodes->depth_first[depth];) {
            mark_node(search, nodes->by_depth[i]);
            OC_TRY(make_sets(search, nodes->by_depth[i]));
        }
    return OCELOTL_OK;
}

/* The two sets of an item: the cuts of all its best choices together, and those that they have in
 * common. */
static void find_item(const struct search *search, uint32_t node, uint32_t index)
{
    const oc_explored_node *record = &search->explored->records[node];
    const oc_item *item = &oc_items_of(record)[index];
    const oc_choice *choices = oc_choices_of(record, item);
    const size_t words = search->sets->words;
    uint64_t *possible = search->of_items + 2 * words * search->place[index];
    uint64_t *always = possible + words;
    memset(possible, 0, words * sizeof *possible);
    memset(always, 0xff, words * sizeof *always);
    for (uint32_t c = 0; c < item->choice_count; c++) {
        const oc_choice *choice = &choices[c];
        if (!choice->best)
            continue;
        const uint64_t *split =
            choice->split != OC_NONE
                ? search->of_splits[node] + 2 * words * record->place.splits[choice->split].set
                : NULL;
        const uint64_t *next = choice->next != OC_NONE
                                   ? search->of_items + 2 * words * search->place[choice->next]
                                   : NULL;
        for (size_t w = 0; w < words; w++) {
            const uint64_t cut = next != NULL ? bits_between(w, choice->last, choice->last + 1) : 0;
            possible[w] |= cut | (split != NULL ? split[w] : 0) | (next != NULL ? next[w] : 0);
            always[w] &=
                cut | (split != NULL ? split[words + w] : 0) | (next != NULL ? next[words + w] : 0);
        }
    }
}

/* Adds what an item that answers to its parent says of the node, and of the block that the parent
 * splits. */
static void add_answer(const struct search *search, uint32_t node, uint32_t asked)
{
    const oc_explored *explored = search->explored;
    const oc_explored_node *record = &explored->records[node];
    const uint32_t parent = explored->aggregation->nodes.parent[node];
    const oc_item *item = oc_answer_of(record, asked);
    const size_t words = search->sets->words;
    const uint64_t *sets = search->of_items + 2 * words * search->place[item - oc_items_of(record)];
    uint64_t *possible = search->sets->possible + node * words;
    uint64_t *always = search->sets->always + node * words;
    for (size_t w = 0; w < words; w++) {
        possible[w] |= sets[w];
        always[w] &= sets[words + w] | ~bits_between(w, item->first, item->last);
    }
    if (node == 0)
        return;
    uint64_t *of_parent =
        search->of_splits[parent] + 2 * words * explored->records[parent].place.splits[asked].set;
    for (size_t w = 0; w < 2 * words; w++)
        of_parent[w] &= sets[w];
}

/* Finds the sets of a node, after its children's. */
static ocelotl_status find_node(struct search *search, uint32_t node)
{
    const oc_explored_node *record = &search->explored->records[node];
    const uint32_t item_count = record->place.item_count;
    uint32_t reached = 0;
    OC_TRY(oc_grow(&search->place, &search->place_capacity, item_count, sizeof *search->place));
    for (uint32_t i = 0; i < item_count; i++) {
        search->place[i] = reached;
        reached += oc_items_of(record)[i].reached;
    }
    OC_TRY(oc_grow(&search->of_items, &search->item_capacity, reached * 2 * search->sets->words,
                   sizeof *search->of_items));
    for (uint32_t i = item_count; i-- > 0;)
        if (oc_items_of(record)[i].reached)
            find_item(search, node, i);
    for (uint32_t a = 0; a < record->place.answer_count; a++) {
        const uint32_t parent = search->explored->aggregation->nodes.parent[node];
        if (node == 0 || search->explored->records[parent].place.splits[a].set != OC_NONE)
            add_answer(search, node, a);
    }
    return OCELOTL_OK;
}

static void combine_common(void *bytes, const void *more, size_t length)
{
    uint64_t *words = bytes;
    const uint64_t *others = more;
    for (size_t w = 0; w < length / sizeof *words; w++)
        words[w] &= others[w];
}

/* Brings to the rank that has a node what its children say of the blocks that it splits. */
static ocelotl_status exchange_splits(const struct search *search, uint32_t node)
{
    const oc_sharing *sharing = oc_sharing_of(search->explored->aggregation, node);
    const size_t words = search->split_counts[node] * 2 * search->sets->words;
    return sharing == NULL ? OCELOTL_OK
                           : oc_exchange_combine(search->of_splits[node], words * sizeof(uint64_t),
                                                 combine_common, &sharing->team.exchange);
}

static ocelotl_status find(struct search *search)
{
    const ocelotl_aggregation *aggregation = search->explored->aggregation;
    const oc_nodes *nodes = &aggregation->nodes;
    const size_t count = nodes->count;
    oc_cut_sets *sets = search->sets;
    sets->words = ((size_t)aggregation->slices + 63) / 64;
    OC_TRY(oc_allocate(&sets->possible, count * sets->words, sizeof *sets->possible));
    OC_TRY(oc_allocate(&sets->always, count * sets->words, sizeof *sets->always));
    OC_TRY(oc_allocate(&search->of_splits, count, sizeof *search->of_splits));
    OC_TRY(oc_allocate(&search->split_counts, count, sizeof *search->split_counts));
    memset(sets->always, 0xff, count * sets->words * sizeof *sets->always);
    OC_TRY(mark(search));
    for (uint32_t depth = nodes->depth_count; depth-- > 0;)
        for (uint32_t i = nodes->depth_first[depth]; i < nodes->depth_first[depth + 1]; i++) {
            OC_TRY(exchange_splits(search, nodes->by_depth[i]));
            if (search->explored->records[nodes->by_depth[i]].share != NULL)
                OC_TRY(find_node(search, nodes->by_depth[i]));
        }
    return OCELOTL_OK;
}

ocelotl_status oc_cut_sets_find(oc_cut_sets *sets, const oc_explored *explored)
{
    struct search search = {.explored = explored, .sets = sets};
    const ocelotl_status status = find(&search);
    for (uint32_t k = 0; search.of_splits != NULL && k < explored->aggregation->nodes.count; k++)
        free(search.of_splits[k]);
    free(search.of_splits);
    free(search.split_counts);
    free(search.of_items);
    free(search.place);
    return status;
}
