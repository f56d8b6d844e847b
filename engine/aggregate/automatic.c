#include "aggregate/automatic.h"

#include "aggregate/short_decimal.h"

/* How often an interval of p is halved. */
#define HALVINGS 8

/* How near to an end of a level a p can be, and still be told from it. */
#define NEAR 1e-6

/* An interval of normalised p that is halved, and the level that is chosen so far. */
struct search {
    oc_finder *finder;
    double low, high;
    oc_found chosen;
};

/* Gain less loss, as shares of the whole's. */
static double worth(const struct search *search, const oc_found *found)
{
    return 2 * oc_line_value(search->finder->aggregation, found->line, 0.5);
}

static ocelotl_status solve(const struct search *search, double p, oc_found *found)
{
    OC_TRY(oc_finder_solve(search->finder, ocelotl_p_to_raw(search->finder->aggregation, p), found));
    found->p = p;
    return OCELOTL_OK;
}

static ocelotl_status solve_middle(const struct search *search, oc_found *found)
{
    const double quarter = (search->high - search->low) / 4;
    return solve(search, oc_short_decimal(search->low + quarter, search->high - quarter), found);
}

/* A level that is met again keeps the p at which it was met first, unless that is 0: of fewer digits, and further
 * inside it. */
static void choose(struct search *search, const oc_found *found)
{
    if (search->chosen.p == 0 || found->line.gain != search->chosen.line.gain ||
        found->line.loss != search->chosen.line.loss)
        search->chosen = *found;
}

/* The most aggregated level that is worth about as much as the chosen one. What a level is worth at 0.5 falls the
 * further from there it is best. */
static ocelotl_status simplify(struct search *search)
{
    const double least = worth(search, &search->chosen) - OC_AUTOMATIC_TOLERANCE;
    search->low = search->chosen.p;
    search->high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        oc_found found;
        OC_TRY(solve_middle(search, &found));
        const bool good = found.parts > 1 && worth(search, &found) >= least;
        if (good)
            choose(search, &found);
        *(good ? &search->low : &search->high) = found.p;
    }
    return OCELOTL_OK;
}

/* The most detailed level that can be read, where there is one between too many parts and one block. */
static ocelotl_status reduce(struct search *search)
{
    search->low = search->chosen.p;
    search->high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        oc_found found;
        OC_TRY(solve_middle(search, &found));
        const bool small = found.parts <= OC_READABLE_PARTS;
        if (small && found.parts > 1)
            choose(search, &found);
        *(small ? &search->high : &search->low) = found.p;
    }
    return OCELOTL_OK;
}

/* The most aggregated level that is more than one block. */
static ocelotl_status divide(struct search *search)
{
    search->low = 0;
    search->high = search->chosen.p;
    OC_TRY(solve(search, 0, &search->chosen));
    for (int i = 0; i < HALVINGS; i++) {
        oc_found found;
        OC_TRY(solve_middle(search, &found));
        if (found.parts > 1)
            choose(search, &found);
        *(found.parts > 1 ? &search->low : &search->high) = found.p;
    }
    return OCELOTL_OK;
}

/* Whether the chosen level is also found at p; it keeps this p then. */
static ocelotl_status try_p(struct search *search, double p, bool *same)
{
    oc_found found;
    OC_TRY(solve(search, p, &found));
    *same = found.line.gain == search->chosen.line.gain && found.line.loss == search->chosen.line.loss;
    if (*same)
        search->chosen.p = p;
    return OCELOTL_OK;
}

/* 0.5 is where levels are often tied, such as the whole and a partition that gains nothing: the p that is told is to be
 * inside the level, not at its end. */
static ocelotl_status settle(struct search *search)
{
    bool below;
    bool above;
    bool same = false;
    OC_TRY(try_p(search, 0.5 - NEAR, &below));
    OC_TRY(try_p(search, 0.5 + NEAR, &above));
    if (below && above)
        search->chosen.p = 0.5;
    for (double step = 0.01; below != above && !same && step > 2 * NEAR; step /= 10)
        OC_TRY(try_p(search, below ? 0.5 - step : 0.5 + step, &same));
    return OCELOTL_OK;
}

ocelotl_status oc_automatic_p(oc_finder *finder, double *p)
{
    const bool one_level = !(finder->aggregation->whole_gain > 0 && finder->aggregation->whole_loss > 0);
    struct search search = {.finder = finder};
    *p = 0.5;
    if (one_level)
        return OCELOTL_OK;
    OC_TRY(solve(&search, *p, &search.chosen));
    if (search.chosen.parts > OC_READABLE_PARTS)
        OC_TRY(reduce(&search));
    OC_TRY(search.chosen.parts > 1 ? simplify(&search) : divide(&search));
    if (search.chosen.p == 0.5)
        OC_TRY(settle(&search));
    *p = search.chosen.p;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_solve_auto(ocelotl_partition **partition, const ocelotl_aggregation *aggregation)
{
    oc_finder finder = {.aggregation = aggregation};
    double p = 0.5;
    const ocelotl_status status = oc_automatic_p(&finder, &p);
    oc_finder_free(&finder);
    return status == OCELOTL_OK ? ocelotl_solve(partition, aggregation, p) : status;
}
