#include "aggregate/choices.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* In item_of: to be made. */
#define WANTED (OC_NONE - 1)

/* In kept: not known yet. */
#define UNKNOWN (OC_NONE - 1)

struct exploration {
    oc_choices *choices;
    oc_choices_place *place;
    oc_explorer *explorer;
    const oc_solver *solver;
    const ocelotl_aggregation *aggregation;
    oc_window window;
    bool leaf;
};

void oc_explorer_free(oc_explorer *explorer)
{
    free(explorer->column);
    free(explorer->item_of);
    free(explorer->kept);
    free(explorer->filled);
    free(explorer->asked_at);
    free(explorer->asked_before);
}

ocelotl_status oc_explorer_make(oc_explorer *explorer, const ocelotl_aggregation *aggregation)
{
    const size_t slices = aggregation->slices;
    OC_TRY(oc_allocate(&explorer->column, slices + 1 + OC_PAST_END, sizeof *explorer->column));
    OC_TRY(oc_allocate(&explorer->item_of, slices, sizeof *explorer->item_of));
    OC_TRY(oc_allocate(&explorer->kept, slices, sizeof *explorer->kept));
    OC_TRY(oc_allocate(&explorer->filled, slices + 1, sizeof *explorer->filled));
    return oc_allocate(&explorer->asked_at, slices, sizeof *explorer->asked_at);
}

void oc_choices_free(oc_choices *choices)
{
    free(choices->items);
    free(choices->choices);
    free(choices->answers);
    *choices = (oc_choices){0};
}

static const double *at(const struct exploration *exploration, const double *matrix, uint32_t i, uint32_t j)
{
    return matrix + i * exploration->window.stride + j;
}

/* Gain and loss together, of slices of the window. */
static double m_of(const struct exploration *exploration, uint32_t i, uint32_t j)
{
    const oc_window *window = &exploration->window;
    return oc_m_of(exploration->aggregation, window->node, window->first + i, window->first + j);
}

/* The first slice up to which the node from slice i on is as good whole as any. */
static uint32_t kept_from(struct exploration *exploration, uint32_t i)
{
    const oc_window *window = &exploration->window;
    uint32_t *kept = &exploration->explorer->kept[i];
    if (*kept != UNKNOWN)
        return *kept;
    const double *total = oc_total_of(exploration->aggregation, window->node) + window->first;
    double x = 0;
    for (uint32_t j = i; j < window->count; j++) {
        x += total[j];
        const double m = x * oc_log_cells(exploration->aggregation, window->node, j - i + 1);
        const double enough =
            *at(exploration, window->best, i, j) - OC_TIE * oc_factor(exploration->solver->weight) * m;
        if (*at(exploration, window->whole, i, j) >= enough)
            return *kept = j;
    }
    return *kept = OC_NONE;
}

static ocelotl_status add_choice(struct exploration *exploration, uint32_t i, uint32_t last, bool whole,
                                 uint32_t next)
{
    oc_choices *choices = exploration->choices;
    OC_TRY(
        oc_grow(&choices->choices, &choices->choice_capacity, choices->choice_count + 1, sizeof *choices->choices));
    choices->choices[choices->choice_count++] =
        (oc_choice){exploration->window.first + last, whole ? OC_NONE : 0, next,
                    whole ? oc_row_of(&exploration->window.loss, i)[last - i] : 0};
    if (next != OC_NONE && exploration->explorer->item_of[next] == OC_NONE)
        exploration->explorer->item_of[next] = WANTED;
    return OCELOTL_OK;
}

static bool split_is_worth(const struct exploration *exploration, uint32_t i, uint32_t j, double enough)
{
    const oc_window *window = &exploration->window;
    return !exploration->leaf && oc_split_value(exploration->solver, exploration->aggregation, window->node,
                                                window->first + i, window->first + j) >= enough;
}

static bool whole_is_worth(const struct exploration *exploration, uint32_t i, uint32_t j, double enough)
{
    const oc_window *window = &exploration->window;
    return *at(exploration, exploration->leaf ? window->uncut : window->whole, i, j) >= enough;
}

/* The cut after slice c, whose value is known to be enough: first the whole, then the split. */
static ocelotl_status add_cut(struct exploration *exploration, uint32_t i, uint32_t c, uint32_t last, double enough)
{
    const double right = exploration->explorer->column[c + 1];
    const uint32_t *filled = exploration->explorer->filled;
    if (filled[c + 2] == filled[i])
        return OCELOTL_OK; /* what holds nothing is not cut: one part less, and nothing else changes */
    if (whole_is_worth(exploration, i, c, enough - right))
        OC_TRY(add_choice(exploration, i, c, true, c + 1));
    if (split_is_worth(exploration, i, c, enough - right) && kept_from(exploration, c + 1) <= last)
        OC_TRY(add_choice(exploration, i, c, false, c + 1));
    return OCELOTL_OK;
}

/* Cuts of slices i..last that are worth at least `enough`, in the order of time. */
static ocelotl_status add_cuts(struct exploration *exploration, uint32_t i, uint32_t last, double enough)
{
    const oc_vector *vector = exploration->aggregation->vector;
    const double *left = at(exploration, exploration->window.uncut, i, 0);
    const double *right = exploration->explorer->column + 1;
    for (uint32_t c = vector->find(left, right, i, last, enough); c < last;
         c = vector->find(left, right, c + 1, last, enough))
        OC_TRY(add_cut(exploration, i, c, last, enough));
    return OCELOTL_OK;
}

/* All choices for slices i..last whose values differ by no more than rounding, in the order of preference. No part of a
 * best partition is worth less than its cells, which are worth 0: its loss is at most p m, and so the magnitude of all
 * terms at most twice p m of the whole. */
static ocelotl_status add_choices(struct exploration *exploration, uint32_t i, uint32_t last)
{
    const oc_window *window = &exploration->window;
    if (oc_row_of(&window->loss, i)[last - i] == 0) /* nothing gains more than the whole, and it loses nothing */
        return add_choice(exploration, i, last, true, OC_NONE);
    const double tie = OC_TIE * 2 * oc_factor(exploration->solver->weight) * m_of(exploration, i, last);
    const double enough = *at(exploration, window->best, i, last) - tie;
    if (whole_is_worth(exploration, i, last, enough))
        OC_TRY(add_choice(exploration, i, last, true, OC_NONE));
    if (split_is_worth(exploration, i, last, enough))
        OC_TRY(add_choice(exploration, i, last, false, OC_NONE));
    return add_cuts(exploration, i, last, enough);
}

static ocelotl_status add_item(struct exploration *exploration, uint32_t i, uint32_t last)
{
    oc_choices *choices = exploration->choices;
    const oc_choices_place *place = exploration->place;
    const size_t choice_first = choices->choice_count;
    OC_TRY(add_choices(exploration, i, last));
    const size_t count = choices->choice_count - choice_first;
    if (count == 0)
        return oc_fail(OCELOTL_ERROR_INTERNAL, "no partition has the best value");
    if (choices->item_count - place->item_first >= WANTED || choices->choice_count - place->choice_first >= OC_NONE)
        return oc_fail_memory();
    choices->tied |= count > 1;
    OC_TRY(oc_grow(&choices->items, &choices->item_capacity, choices->item_count + 1, sizeof *choices->items));
    exploration->explorer->item_of[i] = (uint32_t)(choices->item_count - place->item_first);
    choices->items[choices->item_count++] = (oc_item){
        .first = exploration->window.first + i,
        .last = exploration->window.first + last,
        .choice_first = (uint32_t)(choice_first - place->choice_first),
        .choice_count = (uint32_t)count,
    };
    return OCELOTL_OK;
}

/* The items that end with slice `last`: those asked for, and what is left of others after their first block. */
static ocelotl_status explore_end(struct exploration *exploration, const oc_span *asked, uint32_t last)
{
    oc_explorer *explorer = exploration->explorer;
    oc_choices *choices = exploration->choices;
    const uint32_t first = exploration->window.first;
    const size_t choice_first = choices->choice_count;
    for (uint32_t i = 0; i <= last; i++) {
        explorer->item_of[i] = OC_NONE;
        explorer->column[i] = *at(exploration, exploration->window.best, i, last);
    }
    for (uint32_t a = explorer->asked_at[last]; a != OC_NONE; a = explorer->asked_before[a])
        explorer->item_of[asked[a].first - first] = WANTED;
    for (uint32_t i = 0; i <= last; i++)
        if (explorer->item_of[i] == WANTED)
            OC_TRY(add_item(exploration, i, last));
    for (size_t c = choice_first; c < choices->choice_count; c++)
        if (choices->choices[c].next != OC_NONE)
            choices->choices[c].next = explorer->item_of[choices->choices[c].next];
    for (uint32_t a = explorer->asked_at[last]; a != OC_NONE; a = explorer->asked_before[a])
        choices->answers[exploration->place->answer_first + a] = explorer->item_of[asked[a].first - first];
    return OCELOTL_OK;
}

/* What is asked for from `begin` to `end`, which is all within a window. */
static ocelotl_status explore_window(struct exploration *exploration, const oc_span *asked, uint32_t begin,
                                     uint32_t end, oc_span span)
{
    oc_explorer *explorer = exploration->explorer;
    const uint32_t count = span.last - span.first + 1;
    const double *total = oc_total_of(exploration->aggregation, exploration->window.node) + span.first;
    exploration->window.first = span.first;
    exploration->window.count = count;
    OC_TRY(oc_solver_look(&exploration->window, exploration->solver, explorer->worker, exploration->aggregation,
                          true));
    for (uint32_t i = 0; i < count; i++) {
        explorer->kept[i] = UNKNOWN;
        explorer->filled[i + 1] = explorer->filled[i] + (total[i] != 0);
        explorer->asked_at[i] = OC_NONE;
    }
    for (uint32_t a = begin; a < end; a++) {
        const uint32_t last = asked[a].last - span.first;
        explorer->asked_before[a] = explorer->asked_at[last];
        explorer->asked_at[last] = a;
    }
    for (uint32_t last = 0; last < count; last++)
        if (explorer->asked_at[last] != OC_NONE)
            OC_TRY(explore_end(exploration, asked, last));
    return OCELOTL_OK;
}

static int compare_spans(const void *a, const void *b)
{
    const oc_span *left = a;
    const oc_span *right = b;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return left->last < right->last ? -1 : left->last > right->last;
}

/* Gathers the blocks that some choice splits, sorted and each once, and has the choices refer to them. */
static ocelotl_status gather_splits(const oc_choices *choices, oc_choices_place *place)
{
    const oc_item *items = choices->items + place->item_first;
    oc_choice *of_node = choices->choices + place->choice_first;
    const size_t choice_count = choices->choice_count - place->choice_first;
    size_t found = 0;
    for (size_t c = 0; c < choice_count; c++)
        found += of_node[c].split != OC_NONE;
    if (found == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&place->splits, found, sizeof *place->splits));
    found = 0;
    for (uint32_t i = 0; i < place->item_count; i++)
        for (uint32_t c = items[i].choice_first; c < items[i].choice_first + items[i].choice_count; c++)
            if (of_node[c].split != OC_NONE)
                place->splits[found++] = (oc_span){items[i].first, of_node[c].last, false};
    qsort(place->splits, found, sizeof *place->splits, compare_spans);
    for (size_t s = 0; s < found; s++)
        if (s == 0 || compare_spans(&place->splits[s], &place->splits[place->split_count - 1]) != 0)
            place->splits[place->split_count++] = place->splits[s];
    for (uint32_t i = 0; i < place->item_count; i++)
        for (uint32_t c = items[i].choice_first; c < items[i].choice_first + items[i].choice_count; c++) {
            const oc_span span = {items[i].first, of_node[c].last, false};
            if (of_node[c].split != OC_NONE)
                of_node[c].split = (uint32_t)((oc_span *)bsearch(&span, place->splits, place->split_count,
                                                                 sizeof span, compare_spans) -
                                              place->splits);
        }
    return OCELOTL_OK;
}

ocelotl_status oc_choices_explore(oc_choices *choices, oc_choices_place *place, oc_explorer *explorer,
                                  const oc_solver *solver, const ocelotl_aggregation *aggregation, uint32_t node,
                                  const oc_span *asked, uint32_t asked_count)
{
    struct exploration exploration = {.choices = choices,
                                      .place = place,
                                      .explorer = explorer,
                                      .solver = solver,
                                      .aggregation = aggregation,
                                      .window.node = node,
                                      .leaf = oc_nodes_is_leaf(&aggregation->nodes, node)};
    *place = (oc_choices_place){.item_first = choices->item_count,
                                .choice_first = choices->choice_count,
                                .answer_first = choices->answer_count,
                                .answer_count = asked_count};
    OC_TRY(oc_grow(&choices->answers, &choices->answer_capacity, choices->answer_count + asked_count,
                   sizeof *choices->answers));
    OC_TRY(
        oc_grow(&explorer->asked_before, &explorer->asked_capacity, asked_count, sizeof *explorer->asked_before));
    choices->answer_count += asked_count;
    for (uint32_t begin = 0; begin < asked_count;) {
        oc_span span = asked[begin];
        uint32_t end = begin + 1;
        for (; end < asked_count && asked[end].first <= span.last; end++)
            span.last = asked[end].last > span.last ? asked[end].last : span.last;
        OC_TRY(explore_window(&exploration, asked, begin, end, span));
        begin = end;
    }
    place->item_count = (uint32_t)(choices->item_count - place->item_first);
    return gather_splits(choices, place);
}
