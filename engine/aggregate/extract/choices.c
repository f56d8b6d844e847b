#include "aggregate/extract/choices.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* In item_of: to be made. */
#define WANTED (OC_NONE - 1)

/* Where no more than one in so many slices is the end of what is asked for, ends are solved one by
 * one: together, those of all take less. */
#define ENDS 8

/* In kept: not known yet. */
#define UNKNOWN (OC_NONE - 1)

/* A node being explored, window by window. */
typedef struct oc_exploration {
    oc_choices *choices;
    oc_choices_place *place;
    oc_explorer *explorer;
    const oc_solver *solver;
    const ocelotl_aggregation *aggregation;
    const oc_request *request;
    oc_cut_set cuts; /* bits are by slice of the trace, not of the window */
    oc_window window;
    bool leaf;
} oc_exploration;

/* Intervals of the window in one of its matrices. */
static inline double value_at(const oc_exploration *exploration, const double *matrix, uint32_t i,
                              uint32_t j)
{
    return matrix[i * exploration->window.stride + j];
}

/* --- A set of blocks */

/* Makes it the empty set, of blocks within `slices` slices. */
static ocelotl_status begin_set(oc_block_set *set, uint32_t slices)
{
    const size_t words = (oc_intervals(slices) + 63) / 64;
    OC_TRY(oc_grow(&set->bits, &set->bit_capacity, words, sizeof *set->bits));
    OC_TRY(oc_grow(&set->before, &set->before_capacity, words, sizeof *set->before));
    memset(set->bits, 0, words * sizeof *set->bits);
    set->slices = slices;
    set->words = words;
    return OCELOTL_OK;
}

/* Numbers the blocks, once all are there, and counts them. */
static size_t number_set(oc_block_set *set)
{
    size_t count = 0;
    for (size_t w = 0; w < set->words; w++) {
        set->before[w] = count;
        count += (size_t)__builtin_popcountll(set->bits[w]);
    }
    return count;
}

static inline size_t place_of_block(const oc_block_set *set, uint32_t first, uint32_t last)
{
    return oc_row(set->slices, first) + (last - first);
}

static inline void add_block(oc_block_set *set, uint32_t first, uint32_t last)
{
    const size_t place = place_of_block(set, first, last);
    set->bits[place / 64] |= (uint64_t)1 << place % 64;
}

/* The number of a block of the set. */
static inline size_t number_of_block(const oc_block_set *set, uint32_t first, uint32_t last)
{
    const size_t place = place_of_block(set, first, last);
    const uint64_t below = ((uint64_t)1 << place % 64) - 1;
    return set->before[place / 64] + (size_t)__builtin_popcountll(set->bits[place / 64] & below);
}

/* Finds the first slice up to which the node, from slice i on, is best left whole: of all ends the
 * window has to be solved. */
static uint32_t kept_from(oc_exploration *exploration, uint32_t i)
{
    oc_window *window = &exploration->window;
    uint32_t *kept = &exploration->explorer->kept[i];
    if (*kept != UNKNOWN)
        return *kept;
    oc_solver_cut(window, exploration->explorer->worker, exploration->aggregation);
    const double *total = oc_total_of(exploration->aggregation, window->node) + window->first;
    double x = 0;
    for (uint32_t j = i; j < window->count; j++) {
        x += total[j];
        const double m = x * oc_log_cells(exploration->aggregation, window->node, j - i + 1);
        const double enough = value_at(exploration, window->best, i, j) -
                              OC_TIE * oc_factor(exploration->solver->weight) * m;
        if (value_at(exploration, window->whole, i, j) >= enough)
            return *kept = j;
    }
    return *kept = OC_NONE;
}

static bool holds(const oc_exploration *exploration, uint32_t slice)
{
    return exploration->explorer->run_end[slice] == OC_NONE;
}

/* Several children hold something in a slice of the window. */
static bool several_hold(const oc_exploration *exploration, uint32_t slice)
{
    const ocelotl_aggregation *aggregation = exploration->aggregation;
    const uint32_t node = exploration->window.node;
    const oc_sharing *sharing = oc_sharing_of(aggregation, node);
    uint32_t count = 0;
    if (sharing != NULL)
        return sharing->holders[exploration->window.first + slice] > 1;
    for (uint32_t child = oc_nodes_first_child(node);
         child < oc_nodes_end(&aggregation->nodes, node) && count < 2;
         child = oc_nodes_next_child(&aggregation->nodes, child))
        count += oc_total_of(aggregation, child)[exploration->window.first + slice] != 0;
    return count > 1;
}

/* A cut between a run that holds nothing and a block that is, or may be, split: as
 * ends_can_be_split has it, the two may be split together where an ancestor is cut at the other end
 * of the run. What is asked of the root is never cut so. */
static bool is_loose(const oc_exploration *exploration, uint32_t i, uint32_t last, bool whole)
{
    if (exploration->leaf || exploration->window.node == 0)
        return false;
    if (!holds(exploration, i))
        return !several_hold(exploration, last + 1);
    return !whole && !holds(exploration, last + 1) && !several_hold(exploration, last);
}

static ocelotl_status add_choice(oc_exploration *exploration, uint32_t i, uint32_t last, bool whole,
                                 uint32_t next)
{
    oc_choices *choices = exploration->choices;
    const bool loose = next != OC_NONE && is_loose(exploration, i, last, whole);
    OC_TRY(oc_grow(&choices->choices, &choices->choice_capacity, choices->choice_count + 1,
                   sizeof *choices->choices));
    choices->choices[choices->choice_count++] =
        (oc_choice){.last = exploration->window.first + last,
                    .split = whole ? OC_NONE : 0,
                    .next = next,
                    .loose = loose,
                    .loss = whole ? oc_row_of(&exploration->window.loss, i)[last - i] : 0};
    choices->tied |= loose;
    if (!whole)
        add_block(&exploration->explorer->split, i, last);
    if (next != OC_NONE) {
        exploration->explorer->item_of[next] = WANTED;
        exploration->explorer->after_whole[next] |= whole;
    }
    return OCELOTL_OK;
}

static bool split_is_worth(const oc_exploration *exploration, uint32_t i, uint32_t j, double enough)
{
    const oc_window *window = &exploration->window;
    return !exploration->leaf &&
           oc_split_value(exploration->solver, exploration->aggregation, window->node,
                          window->first + i, window->first + j) >= enough;
}

static bool whole_is_worth(const oc_exploration *exploration, uint32_t i, uint32_t j, double enough)
{
    const oc_window *window = &exploration->window;
    return value_at(exploration, exploration->leaf ? window->uncut : window->whole, i, j) >= enough;
}

/* Returns whether a block that begins or ends with empty slices is as good split, cut or not; see
 * add_cuts. */
static bool ends_can_be_split(const oc_exploration *exploration, uint32_t i, uint32_t last)
{
    const uint32_t *run_end = exploration->explorer->run_end;
    const uint32_t first = holds(exploration, i) ? i : run_end[i] + 1;
    uint32_t end = last;
    while (end > first && !holds(exploration, end))
        end--;
    return first <= last && (first == i || !several_hold(exploration, first)) &&
           (end == last || !several_hold(exploration, end));
}

/* The cut after slice c, whose value is known to be enough: first the whole, then the split. */
static ocelotl_status add_cut(oc_exploration *exploration, uint32_t i, uint32_t c, uint32_t last,
                              double enough)
{
    const double right = exploration->explorer->column[c + 1];
    if (whole_is_worth(exploration, i, c, enough - right))
        OC_TRY(add_choice(exploration, i, c, true, c + 1));
    if (holds(exploration, i) && split_is_worth(exploration, i, c, enough - right) &&
        (exploration->cuts.always != NULL || kept_from(exploration, c + 1) <= last))
        OC_TRY(add_choice(exploration, i, c, false, c + 1));
    return OCELOTL_OK;
}

/* The cut after slice c is in a best partition, as far as is known. Of a run that holds nothing the
 * sets know nothing: see cut_sets.h. */
static bool can_be_best(const oc_exploration *exploration, uint32_t c)
{
    return exploration->cuts.possible == NULL || !holds(exploration, c + 1) ||
           oc_has_bit(exploration->cuts.possible, exploration->window.first + c);
}

/* The first cut of i..last is before the slice returned: no best partition goes on beyond a cut
 * that all have. */
static uint32_t end_of_cuts(const oc_exploration *exploration, uint32_t i, uint32_t last)
{
    const uint32_t first = exploration->window.first;
    if (exploration->cuts.always == NULL)
        return last;
    const uint32_t c = oc_next_bit(exploration->cuts.always, first + i, first + last) - first;
    return c < last ? c + 1 : last;
}

/* Adds the cuts of slices i..last that are worth at least `enough`, in order of time.
 *
 * A block that precedes a cut begins and ends with slices that hold something; or it is whole,
 * covers slices that hold nothing, and reaches the end of their run. This never loses the preferred
 * partition:
 * - A whole part that holds something is worth more without empty slices at its ends: X and the sum
 * of v log v stay, so gain does, and loss falls by X log(n/n').
 * - A block i..c is split and begins with an empty run i..e, e < c. Make i..e whole, which is worth
 * 0, and split e+1..c. Value and gain stay. Each child that holds something in e+1 had a part that
 * ended with e: that part goes, and the whole is added. Several such children leave fewer parts;
 * one leaves as many, and the first cut, now after e, is earlier.
 * - A block is split and ends with an empty run e..c: mirrored. Each child that holds something in
 * e-1 had a part that began with e, and the first cut, now after e-1, is earlier.
 * - An empty whole ends within a run, so the next block begins with the rest of the run. If that
 * block is whole and empty, the two are one. If it is split, the cut can move to the end of the
 * run: each child that holds something just behind it has one part less. A split without a cut
 * behind it precedes all cuts in the order of preference. So it may begin or end with an empty run
 * where that costs no part, that is, unless several children hold something just behind the run, or
 * just before it. */
static ocelotl_status add_cuts(oc_exploration *exploration, uint32_t i, uint32_t last,
                               double enough)
{
    const oc_vector *vector = exploration->aggregation->vector;
    const uint32_t *run_end = exploration->explorer->run_end;
    const double *left = exploration->window.uncut + i * exploration->window.stride;
    const double *right = exploration->explorer->column + 1;
    const uint32_t end = end_of_cuts(exploration, i, last);
    if (!holds(exploration, i)) {
        const uint32_t c = run_end[i];
        return c < last && left[c] + right[c] >= enough ? add_cut(exploration, i, c, last, enough)
                                                        : OCELOTL_OK;
    }
    for (uint32_t c = vector->find(left, right, i, end, enough); c < end;) {
        const bool held = holds(exploration, c);
        if (held && can_be_best(exploration, c))
            OC_TRY(add_cut(exploration, i, c, last, enough));
        c = (held ? c : run_end[c]) + 1;
        c = c < end ? vector->find(left, right, c, end, enough) : end;
    }
    return OCELOTL_OK;
}

/* Adds all choices for slices i..last whose values differ only by rounding, in the order of
 * preference, and marks the items that follow as wanted. No part of a best partition is worth less
 * than its cells, which are worth 0: so its loss is at most p m, and the magnitude of all terms at
 * most twice p m of the whole. */
static ocelotl_status add_choices(oc_exploration *exploration, uint32_t i, uint32_t last)
{
    const oc_window *window = &exploration->window;
    /* nothing gains more than the whole, and it loses nothing */
    if (oc_row_of(&window->loss, i)[last - i] == 0)
        return add_choice(exploration, i, last, true, OC_NONE);
    const double m = exploration->explorer->sum[i] *
                     oc_log_cells(exploration->aggregation, window->node, last - i + 1);
    const double tie = OC_TIE * 2 * oc_factor(exploration->solver->weight) * m;
    const double enough = exploration->explorer->column[i] - tie;
    if (whole_is_worth(exploration, i, last, enough))
        OC_TRY(add_choice(exploration, i, last, true, OC_NONE));
    const bool joins_split =
        exploration->cuts.always != NULL && !exploration->explorer->after_whole[i];
    if (!joins_split && split_is_worth(exploration, i, last, enough) &&
        ends_can_be_split(exploration, i, last))
        OC_TRY(add_choice(exploration, i, last, false, OC_NONE));
    return add_cuts(exploration, i, last, enough);
}

void oc_explorer_free(oc_explorer *explorer)
{
    free(explorer->column);
    free(explorer->sum);
    free(explorer->item_of);
    free(explorer->after_whole);
    free(explorer->kept);
    free(explorer->run_end);
    free(explorer->split.bits);
    free(explorer->split.before);
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
    OC_TRY(add_choices(exploration, i, last));
    /* an item of no best partition: the sets say nothing of it */
    if (choices->choice_count == choice_first) {
        exploration->cuts = (oc_cut_set){0};
        const ocelotl_status status = add_choices(exploration, i, last);
        exploration->cuts = cuts;
        OC_TRY(status);
    }
    const size_t count = choices->choice_count - choice_first;
    if (count == 0)
        return oc_fail(OCELOTL_ERROR_INTERNAL, "no partition has the best value");
    if (choices->item_count - place->item_first >= WANTED ||
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
    }
    oc_solver_cut_end(explorer->column, &exploration->window, explorer->worker,
                      exploration->aggregation, begin, last);
    for (uint32_t a = explorer->asked_at[last]; a != OC_NONE; a = explorer->asked_before[a]) {
        explorer->item_of[asked[a].first - first] = WANTED;
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
        if (explorer->item_of[i] == WANTED)
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
    const size_t count = number_set(set);
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
            choice->split =
                (uint32_t)(before + number_of_block(set, span.first - first, span.last - first));
            place->splits[choice->split] = span;
        }
    }
    return OCELOTL_OK;
}

/* Notes which slices of the window hold nothing, and which of the intervals from `begin` to `end`
 * end with each. Returns with how many slices some end. */
static uint32_t prepare_window(oc_exploration *exploration, uint32_t begin, uint32_t end)
{
    const oc_span *asked = exploration->request->asked;
    oc_explorer *explorer = exploration->explorer;
    const uint32_t first = exploration->window.first;
    const uint32_t count = exploration->window.count;
    const double *total = oc_total_of(exploration->aggregation, exploration->window.node) + first;
    for (uint32_t i = count; i-- > 0;) {
        const bool ends = i + 1 == count || total[i + 1] != 0;
        explorer->run_end[i] = total[i] != 0 ? OC_NONE : ends ? i : explorer->run_end[i + 1];
        explorer->kept[i] = UNKNOWN;
        explorer->asked_at[i] = OC_NONE;
    }
    uint32_t ends = 0;
    for (uint32_t a = begin; a < end; a++) {
        const uint32_t last = asked[a].last - first;
        ends += explorer->asked_at[last] == OC_NONE;
        explorer->asked_before[a] = explorer->asked_at[last];
        explorer->asked_at[last] = a;
    }
    return ends;
}

/* Explores the intervals wanted from `begin` to `end`, all within a window. */
static ocelotl_status explore_window(oc_exploration *exploration, uint32_t begin, uint32_t end,
                                     uint32_t last)
{
    const size_t item_first = exploration->choices->item_count;
    exploration->window.first = exploration->request->asked[begin].first;
    exploration->window.count = last - exploration->window.first + 1;
    OC_TRY(oc_solver_look(&exploration->window, exploration->solver, exploration->explorer->worker,
                          exploration->aggregation, true));
    if (!exploration->leaf)
        OC_TRY(begin_set(&exploration->explorer->split, exploration->window.count));
    if (prepare_window(exploration, begin, end) > exploration->window.count / ENDS)
        oc_solver_cut(&exploration->window, exploration->explorer->worker,
                      exploration->aggregation);
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
