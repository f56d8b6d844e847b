#include "aggregate/extract/candidates.h"

#include "base/memory.h"

/* The first slice up to which the node from slice i on is as good whole as any. */
static uint32_t kept_from(oc_exploration *exploration, uint32_t i)
{
    const oc_window *window = &exploration->window;
    uint32_t *kept = &exploration->explorer->kept[i];
    if (*kept != OC_UNKNOWN)
        return *kept;
    const double *total = oc_total_of(exploration->aggregation, window->node) + window->first;
    double x = 0;
    for (uint32_t j = i; j < window->count; j++) {
        x += total[j];
        const double m = x * oc_log_cells(exploration->aggregation, window->node, j - i + 1);
        const double enough = oc_value_at(exploration, window->best, i, j) -
                              OC_TIE * oc_factor(exploration->solver->weight) * m;
        if (oc_value_at(exploration, window->whole, i, j) >= enough)
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
    uint32_t count = 0;
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
        oc_block_set_add(&exploration->explorer->split, i, last);
    if (next != OC_NONE) {
        exploration->explorer->item_of[next] = OC_WANTED;
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
    return oc_value_at(exploration, exploration->leaf ? window->uncut : window->whole, i, j) >=
           enough;
}

/* What begins or ends with slices that hold nothing is not worse for being split, cut or not; see
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

/* Cuts of slices i..last that are worth at least `enough`, in the order of time.
 *
 * A block that a cut follows begins and ends with slices that hold something, or it is whole and a
 * run of slices that hold nothing, to its end. The preferred partition is not lost by that:
 * - A whole part that holds something is worth more without slices at its ends that hold nothing: X
 * and the sum of v log v stay, so gain does, and loss falls by X log(n/n').
 * - A block i..c that is split, with a run i..e that holds nothing, e < c: have i..e whole, which
 * is worth 0, and split e+1..c. Value and gain stay. Each child that holds something in e+1 had a
 * part that ended with e: it goes, and the whole comes. With several such children there are fewer
 * parts; with one there are as many, and the first cut, now after e, is earlier.
 * - A run e..c at its end: mirrored. Each child that holds something in e-1 had a part that began
 * with e, and the first cut, now after e-1, is earlier.
 * - A whole that holds nothing and ends within a run is followed by a block that begins with the
 * rest: that is whole and holds nothing, and the two are one, or is split, and the cut can move to
 * the end of the run: each child that holds something just behind it has a part less. A split that
 * no cut follows comes before all cuts in the order of preference. So it may begin or end with such
 * a run where that costs no part: where not several children hold something just behind it, or just
 * before it. */
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

/* No part of a best partition is worth less than its cells, which are worth 0: its loss is at most
 * p m, and so the magnitude of all terms at most twice p m of the whole. */
ocelotl_status oc_add_choices(oc_exploration *exploration, uint32_t i, uint32_t last)
{
    const oc_window *window = &exploration->window;
    /* nothing gains more than the whole, and it loses nothing */
    if (oc_row_of(&window->loss, i)[last - i] == 0)
        return add_choice(exploration, i, last, true, OC_NONE);
    const double m = exploration->explorer->sum[i] *
                     oc_log_cells(exploration->aggregation, window->node, last - i + 1);
    const double tie = OC_TIE * 2 * oc_factor(exploration->solver->weight) * m;
    const double enough = oc_value_at(exploration, window->best, i, last) - tie;
    if (whole_is_worth(exploration, i, last, enough))
        OC_TRY(add_choice(exploration, i, last, true, OC_NONE));
    const bool joins_split =
        exploration->cuts.always != NULL && !exploration->explorer->after_whole[i];
    if (!joins_split && split_is_worth(exploration, i, last, enough) &&
        ends_can_be_split(exploration, i, last))
        OC_TRY(add_choice(exploration, i, last, false, OC_NONE));
    return add_cuts(exploration, i, last, enough);
}
