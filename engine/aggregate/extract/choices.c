#include "aggregate/extract/candidates.h"
#include "base/memory.h"

#include <stdlib.h>

void oc_explorer_free(oc_explorer *explorer)
{
    free(explorer->column);
    free(explorer->sum);
    free(explorer->item_of);
    free(explorer->after_whole);
    free(explorer->kept);
    free(explorer->run_end);
    oc_block_set_free(&explorer->split);
    free(explorer->asked_at);
    free(explorer->asked_before);
}

ocelotl_status oc_explorer_make(oc_explorer *explorer, const ocelotl_aggregation *aggregation)
{
    const size_t slices = aggregation->slices;
    OC_TRY(oc_allocate(&explorer->column, slices + 1 + OC_PAST_END, sizeof *explorer->column));
    OC_TRY(oc_allocate(&explorer->sum, slices, sizeof *explorer->sum));
    OC_TRY(oc_allocate(&explorer->item_of, slices, sizeof *explorer->item_of));
    OC_TRY(oc_allocate(&explorer->after_whole, slices, sizeof *explorer->after_whole));
    OC_TRY(oc_allocate(&explorer->kept, slices, sizeof *explorer->kept));
    OC_TRY(oc_allocate(&explorer->run_end, slices, sizeof *explorer->run_end));
    return oc_allocate(&explorer->asked_at, slices, sizeof *explorer->asked_at);
}

void oc_choices_clear(oc_choices *choices)
{
    choices->item_count = choices->choice_count = choices->answer_count = 0;
    choices->tied = false;
}

void oc_choices_free(oc_choices *choices)
{
    free(choices->items);
    free(choices->choices);
    free(choices->answers);
    *choices = (oc_choices){0};
}

static ocelotl_status add_item(oc_exploration *exploration, uint32_t i, uint32_t last)
{
    oc_choices *choices = exploration->choices;
    const oc_choices_place *place = exploration->place;
    const size_t choice_first = choices->choice_count;
    const oc_cut_set cuts = exploration->cuts;
    OC_TRY(oc_add_choices(exploration, i, last));
    /* an item of no best partition: the sets say nothing of it */
    if (choices->choice_count == choice_first) {
        exploration->cuts = (oc_cut_set){0};
        const ocelotl_status status = oc_add_choices(exploration, i, last);
        exploration->cuts = cuts;
        OC_TRY(status);
    }
    const size_t count = choices->choice_count - choice_first;
    if (count == 0)
        return oc_fail(OCELOTL_ERROR_INTERNAL, "no partition has the best value");
    if (choices->item_count - place->item_first >= OC_WANTED ||
        choices->choice_count - place->choice_first >= OC_NONE)
        return oc_fail_memory();
    choices->tied |= count > 1;
    OC_TRY(oc_grow(&choices->items, &choices->item_capacity, choices->item_count + 1,
                   sizeof *choices->items));
    exploration->explorer->item_of[i] = (uint32_t)(choices->item_count - place->item_first);
    choices->items[choices->item_count++] = (oc_item){
        .first = exploration->window.first + i,
        .last = exploration->window.first + last,
        .choice_first = (uint32_t)(choice_first - place->choice_first),
        .choice_count = (uint32_t)count,
    };
    return OCELOTL_OK;
}

/* Notes for the end in hand what the slices from each on are worth and hold, and which items are
 * asked for. Returns the first of these. */
static uint32_t prepare_end(oc_exploration *exploration, uint32_t last)
{
    const uint32_t first = exploration->window.first;
    const double *total = oc_total_of(exploration->aggregation, exploration->window.node) + first;
    const oc_span *asked = exploration->request->asked;
    oc_explorer *explorer = exploration->explorer;
    uint32_t begin = last;
    double sum = 0;
    for (uint32_t a = explorer->asked_at[last]; a != OC_NONE; a = explorer->asked_before[a])
        begin = asked[a].first - first; /* they are listed backwards */
    for (uint32_t i = last + 1; i-- > begin;) {
        sum += total[i]; /* in the order of oc_total_over */
        explorer->sum[i] = sum;
        explorer->item_of[i] = OC_NONE;
        explorer->after_whole[i] = false;
        explorer->column[i] = oc_value_at(exploration, exploration->window.best, i, last);
    }
    for (uint32_t a = explorer->asked_at[last]; a != OC_NONE; a = explorer->asked_before[a]) {
        explorer->item_of[asked[a].first - first] = OC_WANTED;
        explorer->after_whole[asked[a].first - first] = true;
    }
    return begin;
}

/* The items that end with slice `last`: those asked for, and what is left of others after their
 * first block. */
static ocelotl_status explore_end(oc_exploration *exploration, uint32_t last)
{
    const oc_explorer *explorer = exploration->explorer;
    oc_choices *choices = exploration->choices;
    const size_t choice_first = choices->choice_count;
    for (uint32_t i = prepare_end(exploration, last); i <= last; i++)
        if (explorer->item_of[i] == OC_WANTED)
            OC_TRY(add_item(exploration, i, last));
    for (size_t c = choice_first; c < choices->choice_count; c++)
        if (choices->choices[c].next != OC_NONE)
            choices->choices[c].next = explorer->item_of[choices->choices[c].next];
    for (uint32_t a = explorer->asked_at[last]; a != OC_NONE; a = explorer->asked_before[a])
        choices->answers[exploration->place->answer_first + a] =
            explorer->item_of[exploration->request->asked[a].first - exploration->window.first];
    return OCELOTL_OK;
}

/* Numbers the blocks of a window that some choice splits, and has the choices refer to them. `item`
 * is the first of the window's. */
static ocelotl_status number_splits(oc_exploration *exploration, size_t item)
{
    const oc_choices *choices = exploration->choices;
    const uint32_t first = exploration->window.first;
    oc_choices_place *place = exploration->place;
    oc_block_set *set = &exploration->explorer->split;
    const size_t before = place->split_count;
    const size_t count = oc_block_set_number(set);
    if (count == 0)
        return OCELOTL_OK;
    if (before + count >= OC_NONE)
        return oc_fail_memory();
    OC_TRY(oc_grow(&place->splits, &place->split_capacity, before + count, sizeof *place->splits));
    place->split_count += (uint32_t)count;
    for (; item < choices->item_count; item++) {
        oc_choice *choice =
            choices->choices + place->choice_first + choices->items[item].choice_first;
        const oc_choice *end = choice + choices->items[item].choice_count;
        for (; choice < end; choice++) {
            const oc_span span = {
                .first = choices->items[item].first, .last = choice->last, .set = OC_NONE};
            if (choice->split == OC_NONE)
                continue;
            choice->split = (uint32_t)(before + oc_block_set_number_of(set, span.first - first,
                                                                       span.last - first));
            place->splits[choice->split] = span;
        }
    }
    return OCELOTL_OK;
}

/* Notes which slices of the window hold nothing, and which of the intervals from `begin` to `end`
 * end with each. */
static void prepare_window(oc_exploration *exploration, uint32_t begin, uint32_t end)
{
    const oc_span *asked = exploration->request->asked;
    oc_explorer *explorer = exploration->explorer;
    const uint32_t first = exploration->window.first;
    const uint32_t count = exploration->window.count;
    const double *total = oc_total_of(exploration->aggregation, exploration->window.node) + first;
    for (uint32_t i = count; i-- > 0;) {
        const bool ends = i + 1 == count || total[i + 1] != 0;
        explorer->run_end[i] = total[i] != 0 ? OC_NONE : ends ? i : explorer->run_end[i + 1];
        explorer->kept[i] = OC_UNKNOWN;
        explorer->asked_at[i] = OC_NONE;
    }
    for (uint32_t a = begin; a < end; a++) {
        const uint32_t last = asked[a].last - first;
        explorer->asked_before[a] = explorer->asked_at[last];
        explorer->asked_at[last] = a;
    }
}

/* What is asked for from `begin` to `end`, which is all within a window. */
static ocelotl_status explore_window(oc_exploration *exploration, uint32_t begin, uint32_t end,
                                     uint32_t last)
{
    const size_t item_first = exploration->choices->item_count;
    exploration->window.first = exploration->request->asked[begin].first;
    exploration->window.count = last - exploration->window.first + 1;
    OC_TRY(oc_solver_look(&exploration->window, exploration->solver, exploration->explorer->worker,
                          exploration->aggregation, true));
    if (!exploration->leaf)
        OC_TRY(oc_block_set_begin(&exploration->explorer->split, exploration->window.count));
    prepare_window(exploration, begin, end);
    for (uint32_t end_slice = 0; end_slice < exploration->window.count; end_slice++)
        if (exploration->explorer->asked_at[end_slice] != OC_NONE)
            OC_TRY(explore_end(exploration, end_slice));
    return exploration->leaf ? OCELOTL_OK : number_splits(exploration, item_first);
}

ocelotl_status oc_choices_explore(oc_choices *choices, oc_choices_place *place,
                                  oc_explorer *explorer, const oc_solver *solver,
                                  const ocelotl_aggregation *aggregation, const oc_request *request)
{
    oc_exploration exploration = {.choices = choices,
                                  .place = place,
                                  .explorer = explorer,
                                  .solver = solver,
                                  .aggregation = aggregation,
                                  .request = request,
                                  .cuts = request->cuts,
                                  .window.node = request->node,
                                  .leaf = oc_nodes_is_leaf(&aggregation->nodes, request->node)};
    const oc_span *asked = request->asked;
    const uint32_t count = request->asked_count;
    *place = (oc_choices_place){.item_first = choices->item_count,
                                .choice_first = choices->choice_count,
                                .answer_first = choices->answer_count,
                                .answer_count = count};
    choices->answer_count += count;
    OC_TRY(oc_grow(&choices->answers, &choices->answer_capacity, choices->answer_count,
                   sizeof *choices->answers));
    OC_TRY(oc_grow(&explorer->asked_before, &explorer->asked_capacity, count,
                   sizeof *explorer->asked_before));
    for (uint32_t begin = 0; begin < count;) {
        uint32_t last = asked[begin].last;
        uint32_t end = begin + 1;
        for (; end < count && asked[end].first <= last; end++)
            last = asked[end].last > last ? asked[end].last : last;
        OC_TRY(explore_window(&exploration, begin, end, last));
        begin = end;
    }
    place->item_count = (uint32_t)(choices->item_count - place->item_first);
    return OCELOTL_OK;
}
