#include "aggregate/levels/plateaus.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What may hide between the levels that were found, and what may be given up among those: together
 * the tolerance. */
#define HIDDEN   (OC_PLATEAU_TOLERANCE / 4)
#define GIVEN_UP (OC_PLATEAU_TOLERANCE - HIDDEN)

/* The levels that are left, by their places among those found. */
struct choice {
    const oc_finder *finder;
    size_t *place;
    size_t count;
};

static oc_line line_of(const struct choice *choice, size_t k)
{
    return choice->finder->found[choice->place[k]].line;
}

static double best_value(const oc_finder *finder, double p)
{
    double best = -INFINITY;
    for (size_t i = 0; i < finder->count; i++)
        best = fmax(best, oc_line_value(finder->aggregation, finder->found[i].line, p));
    return best;
}

/* By how much a level is worse than the best at p. */
static double regret(const oc_finder *finder, size_t i, double p)
{
    return best_value(finder, p) - oc_line_value(finder->aggregation, finder->found[i].line, p);
}

/* The largest regret anywhere if k was left out: where its neighbours cross. The level to show
 * first stays. */
static double cost(const struct choice *choice, size_t k)
{
    if (choice->finder->found[choice->place[k]].automatic)
        return INFINITY;
    if (k == 0)
        return regret(choice->finder, choice->place[1], 0);
    if (k + 1 == choice->count)
        return regret(choice->finder, choice->place[k - 1], 1);
    const double crossing =
        oc_crossing(choice->finder->aggregation, line_of(choice, k - 1), line_of(choice, k + 1));
    return regret(choice->finder, choice->place[k - 1], crossing);
}

/* Leaves out levels as long as that costs no more than the tolerance, the cheapest first. */
static void thin_out(struct choice *choice)
{
    while (choice->count > 1) {
        size_t cheapest = 0;
        for (size_t k = 1; k < choice->count; k++)
            if (cost(choice, k) < cost(choice, cheapest))
                cheapest = k;
        if (cost(choice, cheapest) > GIVEN_UP)
            return;
        choice->count--;
        memmove(&choice->place[cheapest], &choice->place[cheapest + 1],
                (choice->count - cheapest) * sizeof *choice->place);
    }
}

/* A p at which a level is known to be best. */
static double own_p(const oc_finder *finder, size_t i)
{
    const oc_found *found = &finder->found[i];
    const double low = ocelotl_p_from_raw(finder->aggregation, found->low);
    return low + (ocelotl_p_from_raw(finder->aggregation, found->high) - low) / 2;
}

/* The simplest of the plateau's levels that stand for it as well as the one that is left: regret is
 * convex, so it is largest at the ends. */
static size_t simplest(const oc_finder *finder, size_t left, double from, double to)
{
    size_t simplest = left;
    if (finder->found[left].automatic)
        return left;
    for (size_t i = 0; i < finder->count; i++)
        if (own_p(finder, i) >= from && own_p(finder, i) < to &&
            regret(finder, i, from) <= GIVEN_UP && regret(finder, i, to) <= GIVEN_UP &&
            finder->found[i].parts < finder->found[simplest].parts)
            simplest = i;
    return simplest;
}

static void mark(oc_finder *finder, const struct choice *choice)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    double from = 0;
    for (size_t k = 0; k < choice->count; k++) {
        const bool last = k + 1 == choice->count;
        const double to =
            last ? 1 : oc_crossing(aggregation, line_of(choice, k), line_of(choice, k + 1));
        oc_found *found = &finder->found[simplest(finder, choice->place[k], from, to)];
        found->plateau = choice->count - k;
        found->plateau_from = from;
        found->plateau_to = to;
        from = to;
    }
}

static ocelotl_status mark_plateaus(oc_finder *finder)
{
    struct choice choice = {.finder = finder, .count = finder->count};
    OC_TRY(oc_allocate(&choice.place, choice.count, sizeof *choice.place));
    for (size_t k = 0; k < choice.count; k++)
        choice.place[k] = k;
    thin_out(&choice);
    mark(finder, &choice);
    free(choice.place);
    return OCELOTL_OK;
}

ocelotl_status oc_plateaus_find(oc_finder *finder, oc_finder_goal goal)
{
    const uint64_t max_solves = finder->solves + OC_PLATEAU_SOLVES;
    goal.gap = HIDDEN;
    goal.all = false;
    if (goal.max_solves == 0 || goal.max_solves > max_solves)
        goal.max_solves = max_solves;
    OC_TRY(oc_finder_continue(finder, goal));
    return mark_plateaus(finder);
}
