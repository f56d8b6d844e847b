/* Rules that choose one level of all. */
#include "aggregate/levels/finder.h"

/* --- The largest step between two neighbours
 *
 * Gain and loss both grow from level to level, so what two levels are apart bounds every step
 * between them: the search looks where a step can still be the largest, and proves the rest. */

struct step_search {
    oc_finder *finder;
    bool between; /* counts by how much gain and loss differ, not how large one of them is */
};

static double size_of_step(const struct step_search *search, size_t i)
{
    const oc_finder *finder = search->finder;
    const oc_line step =
        oc_normal_step(finder->aggregation, finder->found[i].line, finder->found[i + 1].line);
    return search->between ? fabs(fabs(step.gain) - fabs(step.loss))
                           : fmax(fabs(step.gain), fabs(step.loss));
}

/* How large a step from i to the next level, or between any two that hide there, can be. The
 * envelope is convex, so loss over gain of a step is the odds of a p between those known. */
static double largest_step(const struct step_search *search, size_t i)
{
    const oc_finder *finder = search->finder;
    const oc_found *low = &finder->found[i];
    if (low[0].proved || !search->between)
        return size_of_step(search, i);
    const oc_line step = oc_normal_step(finder->aggregation, low[0].line, low[1].line);
    const double from = ocelotl_p_from_raw(finder->aggregation, low[0].high);
    const double to = ocelotl_p_from_raw(finder->aggregation, low[1].low);
    return fmax(step.gain * fmax(0, (1 - 2 * from) / (1 - from)),
                step.loss * fmax(0, (2 * to - 1) / to));
}

/* The first of the pairs with the largest step; the count of levels is above 1. */
static size_t widest_pair(const struct step_search *search)
{
    size_t widest = 0;
    double largest = largest_step(search, 0);
    for (size_t i = 1; i + 1 < search->finder->count; i++) {
        const double size = largest_step(search, i);
        if (size > largest) {
            widest = i;
            largest = size;
        }
    }
    return widest;
}

/* The lower level of the pair, or the only level. */
static ocelotl_status find_largest_step(const struct step_search *search, size_t *place)
{
    oc_finder *finder = search->finder;
    OC_TRY(oc_finder_begin(finder));
    *place = 0;
    while (finder->count > 1) {
        *place = widest_pair(search);
        if (finder->found[*place].proved)
            return OCELOTL_OK;
        OC_TRY(oc_finder_prove(finder, *place));
    }
    *place = 0;
    return OCELOTL_OK;
}

static ocelotl_status find_p(oc_finder *finder, ocelotl_rule rule, double *p)
{
    if (rule == OCELOTL_RULE_FIRST || rule == OCELOTL_RULE_KNEE)
        return oc_automatic_p(finder, rule == OCELOTL_RULE_KNEE, p);
    const struct step_search search = {finder, rule != OCELOTL_RULE_GAP};
    size_t place;
    OC_TRY(find_largest_step(&search, &place));
    if (rule != OCELOTL_RULE_GAP_BETWEEN_BEFORE && place + 1 < finder->count)
        place++;
    OC_TRY(oc_finder_choose_p(finder, place));
    *p = finder->found[place].p;
    return OCELOTL_OK;
}

static ocelotl_status solve_found(ocelotl_partition **partition,
                                  const ocelotl_aggregation *aggregation, ocelotl_rule rule)
{
    oc_finder finder = {.aggregation = aggregation};
    double p = 0;
    const ocelotl_status status = find_p(&finder, rule, &p);
    oc_finder_free(&finder);
    return status == OCELOTL_OK ? ocelotl_solve(partition, aggregation, p) : status;
}

/* --- A plateau by its number */

static ocelotl_status find_plateau(double *p, const ocelotl_levels *levels, size_t plateau)
{
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        *p = level.p;
        if (level.plateau == plateau)
            return OCELOTL_OK;
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "plateau %zu is asked for, expected one from 1 to %zu",
                   plateau, info.plateaus);
}

static ocelotl_status solve_plateau(ocelotl_partition **partition,
                                    const ocelotl_aggregation *aggregation, size_t plateau)
{
    ocelotl_levels *levels = NULL;
    double p = 0;
    if (plateau == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "plateau 0 is asked for, expected 1 or more");
    OC_TRY(ocelotl_levels_find(&levels, aggregation, NULL));
    const ocelotl_status status = find_plateau(&p, levels, plateau);
    ocelotl_levels_free(levels);
    return status == OCELOTL_OK ? ocelotl_solve(partition, aggregation, p) : status;
}

ocelotl_status ocelotl_solve_rule(ocelotl_partition **partition,
                                  const ocelotl_aggregation *aggregation, ocelotl_rule rule,
                                  size_t plateau)
{
    switch (rule) {
    case OCELOTL_RULE_COARSEST:
        return ocelotl_solve(partition, aggregation, 1);
    case OCELOTL_RULE_FINEST:
        return ocelotl_solve(partition, aggregation, 0);
    case OCELOTL_RULE_PLATEAU:
        return solve_plateau(partition, aggregation, plateau);
    case OCELOTL_RULE_FIRST:
    case OCELOTL_RULE_KNEE:
    case OCELOTL_RULE_GAP:
    case OCELOTL_RULE_GAP_BETWEEN_BEFORE:
    case OCELOTL_RULE_GAP_BETWEEN_AFTER:
        return solve_found(partition, aggregation, rule);
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "rule %d is not known", (int)rule);
}

ocelotl_status ocelotl_solve_auto(ocelotl_partition **partition,
                                  const ocelotl_aggregation *aggregation)
{
    return ocelotl_solve_rule(partition, aggregation, OCELOTL_RULE_FIRST, 0);
}
