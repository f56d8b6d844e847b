/* The partition of a wanted size. */
#include "aggregate/extract/partition.h"
#include "aggregate/extract/solution.h"
#include "aggregate/levels/finder.h"

/* Enough to halve an interval of p down to nothing. */
#define MOST_STEPS 64

/* The digits of p that are tried, from so many on, and how many times. */
#define FIRST_DIGITS   2
#define MOST_ROUNDINGS 6

struct found {
    oc_solution solution;
    double p;
};

struct side {
    oc_line line;
    double p;
    size_t count;
};

/* The best partitions on both sides of the wanted size: `fine` has more parts than wanted, `coarse`
 * has not. */
struct bracket {
    const ocelotl_aggregation *aggregation;
    size_t parts;
    struct side fine, coarse;
    struct found best; /* the most detailed one met that is small enough */
};

/* Solves at p and narrows the bracket. */
static ocelotl_status step(struct bracket *bracket, double p)
{
    struct found found = {.p = p};
    const ocelotl_status status =
        oc_solve(&found.solution, bracket->aggregation, ocelotl_p_to_raw(bracket->aggregation, p));
    if (status != OCELOTL_OK) {
        oc_solution_free(&found.solution);
        return status;
    }
    const bool small = found.solution.count <= bracket->parts;
    *(small ? &bracket->coarse : &bracket->fine) =
        (struct side){oc_line_of(&found.solution), p, found.solution.count};
    if (small && found.solution.count >= bracket->best.solution.count) {
        oc_solution_free(&bracket->best.solution);
        bracket->best = found;
    } else {
        oc_solution_free(&found.solution);
    }
    return OCELOTL_OK;
}

/* Crossings find what is between two partitions, or that there is nothing; halving keeps their
 * number small. */
static ocelotl_status narrow(struct bracket *bracket)
{
    for (int i = 0; i < MOST_STEPS && bracket->best.solution.count < bracket->parts; i++) {
        const struct side fine = bracket->fine;
        const struct side coarse = bracket->coarse;
        const double crossing = oc_crossing(bracket->aggregation, fine.line, coarse.line);
        const bool by_crossing = i % 2 == 0 && crossing > fine.p && crossing < coarse.p;
        const double quarter = (coarse.p - fine.p) / 4;
        const double p =
            by_crossing ? crossing : oc_short_decimal(fine.p + quarter, coarse.p - quarter);
        /* the whole alone, at p = 1 alone, is coarser */
        if (crossing == 1 || !(p > fine.p && p < coarse.p))
            break;
        OC_TRY(step(bracket, p));
        const oc_line found = bracket->fine.p == p ? bracket->fine.line : bracket->coarse.line;
        if (by_crossing && !oc_is_between(found, fine.line, coarse.line))
            break;
    }
    return OCELOTL_OK;
}

/* Rounds the p of the best to fewer digits as long as they give the same partition. */
static ocelotl_status shorten(struct bracket *bracket)
{
    struct found *best = &bracket->best;
    int digits = FIRST_DIGITS;
    for (int i = 0; i < MOST_ROUNDINGS; i++) {
        double p = oc_round_digits(best->p, digits);
        while (digits < 17 && (p <= bracket->fine.p || p >= 1)) {
            digits++;
            p = oc_round_digits(best->p, digits);
        }
        if (p == best->p)
            return OCELOTL_OK;
        oc_solution tried = {0};
        const ocelotl_status status =
            oc_solve(&tried, bracket->aggregation, ocelotl_p_to_raw(bracket->aggregation, p));
        const bool same = tried.count == best->solution.count &&
                          tried.gain == best->solution.gain && tried.loss == best->solution.loss;
        oc_solution_free(&tried);
        OC_TRY(status);
        if (same)
            best->p = p;
        digits++;
    }
    return OCELOTL_OK;
}

static ocelotl_status solve_parts(struct bracket *bracket, ocelotl_partition **partition)
{
    OC_TRY(step(bracket, 1));
    OC_TRY(step(bracket, 0));
    if (bracket->coarse.p > 0) /* the most detailed of all is too large */
        OC_TRY(narrow(bracket));
    if (bracket->best.p > 0 && bracket->best.p < 1)
        OC_TRY(shorten(bracket));
    OC_TRY(oc_partition_make(partition, bracket->aggregation, &bracket->best.solution,
                             bracket->best.p,
                             ocelotl_p_to_raw(bracket->aggregation, bracket->best.p)));
    if (bracket->best.solution.count < bracket->parts)
        oc_partition_set_next_count(*partition, bracket->fine.count);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_solve_parts(ocelotl_partition **partition,
                                   const ocelotl_aggregation *aggregation, size_t parts)
{
    if (parts == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "at most 0 parts are wanted, expected 1 or more");
    struct bracket bracket = {.aggregation = aggregation, .parts = parts};
    const ocelotl_status status = solve_parts(&bracket, partition);
    oc_solution_free(&bracket.best.solution);
    return status;
}
