/* Chooses one level: the one to show first, or the partition of a wanted size. */
#include "aggregate/levels/finder.h"

#include "aggregate/extract/solution.h"

#include <math.h>

/* --- The level to show first */

/* The number of looks after which a search ends. */
#define MOST_LOOKS 10

/* A look stays at least this share of an interval of p away from its ends. */
#define INSIDE (1.0 / 16)

/* The width of an interval of p that is not worth another look. */
#define NARROW 0.01

/* A search for parts ends at this share of the readable number. */
#define MANY 0.5

/* The least distance of p from an end of a level at which it is still inside. */
#define NEAR 1e-6

struct search {
    oc_finder *finder;
    oc_found chosen; /* so far */
    oc_found looks[4 * MOST_LOOKS + 1];
    int look_count;
};

/* Two levels; the search goes on between them. The lower one can be chosen, the higher one
 * cannot. */
struct bracket {
    oc_found low, high;
    /* the normalised p up to which the lower, and from which the higher, is known to be best */
    double from, to;
    bool fresh; /* the last look found something new */
};

/* The goal of a search: the place where levels turn from within a bound to beyond it. */
struct aim {
    double bound;
    bool (*is_within)(const struct search *search, const oc_found *found, double bound);
    /* enough; or NULL */
    bool (*is_near)(const struct search *search, const struct bracket *bracket, double bound);
    /* p, NAN; or NULL */
    double (*guess)(const struct search *search, const struct bracket *bracket, double bound);
};

static const ocelotl_aggregation *data_of(const struct search *search)
{
    return search->finder->aggregation;
}

/* Gain less loss, as shares of the whole's. */
static double worth(const struct search *search, const oc_found *found)
{
    return 2 * oc_line_value(data_of(search), found->line, 0.5);
}

static ocelotl_status solve(const struct search *search, double p, oc_found *found)
{
    OC_TRY(oc_finder_solve(search->finder, ocelotl_p_to_raw(data_of(search), p), found));
    found->p = p;
    return OCELOTL_OK;
}

static bool is_same(const oc_found *a, const oc_found *b)
{
    return a->line.gain == b->line.gain && a->line.loss == b->line.loss;
}

/* The whole, which is best at p = 1. */
static oc_found whole_of(const struct search *search)
{
    return (oc_found){.line = oc_line_of_whole(data_of(search)), .parts = 1, .p = 1};
}

/* A short p near the one that is guessed; or near the crossing, where any level between the two is
 * seen, if the last guess found nothing. */
static double next_p(const struct search *search, const struct bracket *bracket,
                     const struct aim *aim)
{
    const double margin = (bracket->to - bracket->from) * INSIDE;
    double p = bracket->fresh && aim->guess != NULL ? aim->guess(search, bracket, aim->bound) : NAN;
    if (isnan(p))
        p = oc_crossing(data_of(search), bracket->low.line, bracket->high.line);
    p = fmin(fmax(p, bracket->from + 2 * margin), bracket->to - 2 * margin);
    return oc_short_decimal(p - margin, p + margin);
}

/* Takes a level, but keeps the p at which it was first met: it has fewer digits and lies further
 * inside. */
static void take(oc_found *known, double *end, const oc_found *found)
{
    *end = found->p;
    if (!is_same(known, found) || known->p == 0)
        *known = *found;
}

static bool is_done(const struct search *search, const struct bracket *bracket,
                    const struct aim *aim)
{
    return bracket->to - bracket->from <= NARROW ||
           (aim->is_near != NULL && aim->is_near(search, bracket, aim->bound));
}

static void put(const struct search *search, struct bracket *bracket, const struct aim *aim,
                const oc_found *found)
{
    bracket->fresh = !is_same(found, &bracket->low) && !is_same(found, &bracket->high);
    if (aim->is_within(search, found, aim->bound))
        take(&bracket->low, &bracket->from, found);
    else
        take(&bracket->high, &bracket->to, found);
}

/* Begins with what was seen on the way to something else. */
static ocelotl_status narrow(struct search *search, struct bracket *bracket, const struct aim *aim)
{
    for (int i = 0; i < search->look_count; i++)
        if (search->looks[i].p > bracket->from && search->looks[i].p < bracket->to)
            put(search, bracket, aim, &search->looks[i]);
    bracket->fresh = true;
    for (int i = 0; i < MOST_LOOKS && !is_done(search, bracket, aim); i++) {
        oc_found *found = &search->looks[search->look_count++];
        OC_TRY(solve(search, next_p(search, bracket, aim), found));
        put(search, bracket, aim, found);
    }
    return OCELOTL_OK;
}

/* Returns the slope of the curve of gain less loss over gain, both as shares of the whole's, at the
 * level that is best at p. The curve is concave: its slope is 1 - loss', where loss' = p / (1 -
 * p). */
static double slope_at(double p)
{
    return (1 - 2 * p) / (1 - p);
}

static double p_of_slope(double slope)
{
    return (1 - slope) / (2 - slope);
}

/* Fits gain less loss, above the lower level's, by a polynomial of the gain above the lower
 * level's: coefficients of the first to the third power. It is a cubic through both levels with
 * their slopes; at p = 1 the slope is infinite, and a parabola has to do. */
static void fit(double *coefficient, double width, double rise, double from, double to)
{
    const double chord = rise / width;
    coefficient[0] = slope_at(from);
    coefficient[1] = (chord - coefficient[0]) / width;
    coefficient[2] = 0;
    if (to < 1) {
        coefficient[1] = (3 * chord - 2 * coefficient[0] - slope_at(to)) / width;
        coefficient[2] = (coefficient[0] + slope_at(to) - 2 * chord) / (width * width);
    }
}

/* Guesses the p at which the fitted curve crosses the bound. */
static double guess_worth(const struct search *search, const struct bracket *bracket, double bound)
{
    const double low = worth(search, &bracket->low);
    const double width =
        (bracket->high.line.gain - bracket->low.line.gain) / data_of(search)->whole_gain;
    double coefficient[3];
    double inside = 0;
    double outside = width;
    if (!(width > 0))
        return NAN;
    fit(coefficient, width, worth(search, &bracket->high) - low, bracket->from, bracket->to);
    for (int i = 0; i < 30; i++) {
        const double x = (inside + outside) / 2;
        const double value = low + x * (coefficient[0] + x * (coefficient[1] + x * coefficient[2]));
        *(value >= bound ? &inside : &outside) = x;
    }
    return p_of_slope(coefficient[0] + inside * (2 * coefficient[1] + inside * 3 * coefficient[2]));
}

static bool is_worth(const struct search *search, const oc_found *found, double bound)
{
    return found->parts > 1 && worth(search, found) >= bound;
}

static bool has_used_up(const struct search *search, const struct bracket *bracket, double bound)
{
    return worth(search, &bracket->low) - bound <= OC_AUTOMATIC_TOLERANCE - OC_AUTOMATIC_USED;
}

/* The most aggregated level that is worth about as much as the chosen one. What a level is worth at
 * 0.5 falls the further from there it is best. */
static ocelotl_status simplify(struct search *search)
{
    const double least = worth(search, &search->chosen) - OC_AUTOMATIC_TOLERANCE;
    const struct aim aim = {least, is_worth, has_used_up, guess_worth};
    struct bracket bracket = {search->chosen, whole_of(search), search->chosen.p, 1, true};
    OC_TRY(narrow(search, &bracket, &aim));
    search->chosen = bracket.low;
    return OCELOTL_OK;
}

static bool has_more_parts(const struct search *search, const oc_found *found, double bound)
{
    (void)search;
    return (double)found->parts > bound;
}

static bool is_readable(const struct search *search, const struct bracket *bracket, double bound)
{
    (void)search;
    return (double)bracket->high.parts > MANY * bound && (double)bracket->high.parts <= bound;
}

/* Takes a level with about the readable number of parts, or the most detailed one with fewer, if
 * any level lies between too many parts and one block. */
static ocelotl_status reduce(struct search *search)
{
    const struct aim aim = {
        .bound = OC_READABLE_PARTS, .is_within = has_more_parts, .is_near = is_readable};
    struct bracket bracket = {search->chosen, whole_of(search), search->chosen.p, 1, true};
    OC_TRY(narrow(search, &bracket, &aim));
    if (bracket.high.parts > 1)
        search->chosen = bracket.high;
    return OCELOTL_OK;
}

/* The most aggregated level that is more than one block. */
static ocelotl_status divide(struct search *search)
{
    const struct aim aim = {.bound = 1, .is_within = has_more_parts};
    struct bracket bracket = {.high = search->chosen, .to = search->chosen.p, .fresh = true};
    OC_TRY(solve(search, 0, &bracket.low));
    OC_TRY(narrow(search, &bracket, &aim));
    search->chosen = bracket.low;
    return OCELOTL_OK;
}

/* Whether the chosen level is also found at p; it keeps this p then. */
static ocelotl_status try_p(struct search *search, double p, bool *same)
{
    oc_found found;
    OC_TRY(solve(search, p, &found));
    *same = is_same(&found, &search->chosen);
    if (*same)
        search->chosen.p = p;
    return OCELOTL_OK;
}

/* Moves p off 0.5, where levels often tie (the whole and a partition that gains nothing, for
 * instance): the p that is shown must lie inside the level, not at its end. */
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

static ocelotl_status find_knee(struct search *search)
{
    OC_TRY(solve(search, 0.5, &search->chosen));
    if (search->chosen.parts > OC_READABLE_PARTS)
        OC_TRY(reduce(search));
    OC_TRY(search->chosen.parts > 1 ? simplify(search) : divide(search));
    return search->chosen.p == 0.5 ? settle(search) : OCELOTL_OK;
}

static double lost(const struct search *search, const oc_found *found)
{
    return found->line.loss / data_of(search)->whole_loss;
}

static bool loses_little(const struct search *search, const oc_found *found, double bound)
{
    return lost(search, found) <= bound;
}

/* Of a level that loses much, takes the most aggregated of more parts that does not; or the most
 * detailed of few parts, where all of them lose much. */
static ocelotl_status refine(struct search *search)
{
    const struct aim aim = {.bound = OC_MUCH_LOST, .is_within = loses_little};
    struct bracket bracket = {.high = search->chosen, .to = search->chosen.p, .fresh = true};
    size_t next;
    OC_TRY(oc_find_parts(&bracket.low, &next, search->finder, OC_FEW_PARTS, true));
    bracket.from = bracket.low.p;
    if (bracket.low.parts <= search->chosen.parts)
        return OCELOTL_OK;
    if (loses_little(search, &bracket.low, OC_MUCH_LOST))
        OC_TRY(narrow(search, &bracket, &aim));
    search->chosen = bracket.low;
    return OCELOTL_OK;
}

/* Of a level of many parts, takes the most detailed of fewer, where that loses little. Levels of
 * fewer parts lose more: one of many that loses much says that there is none, after a look or two
 * in place of those that find a number of parts. */
static ocelotl_status coarsen(struct search *search)
{
    enum { LOOKS = 4 };
    oc_found found;
    double low = search->chosen.p;
    double high = 1;
    size_t next;
    for (int i = 0; i < LOOKS; i++) {
        OC_TRY(solve(search, low + (high - low) / 2, &found));
        const bool many = found.parts > OC_MANY_PARTS;
        const bool little = loses_little(search, &found, OC_MUCH_LOST);
        if (many && !little)
            return OCELOTL_OK;
        if (!many && little)
            break;
        *(many ? &low : &high) = found.p;
    }
    OC_TRY(oc_find_parts(&found, &next, search->finder, OC_MANY_PARTS, true));
    if (loses_little(search, &found, OC_MUCH_LOST))
        search->chosen = found;
    return OCELOTL_OK;
}

/* Levels of many parts count as those where few leaves are flat, which is below them. */
static bool is_seldom_flat(const struct search *search, const oc_found *found, double bound)
{
    (void)search;
    return found->flat <= bound || found->parts > OC_MANY_PARTS;
}

/* Many parts, and no fewer leaves are flat. */
static bool stays_flat(const struct search *search, const struct bracket *bracket, double bound)
{
    return bracket->low.flat > bound && bracket->low.flat >= search->chosen.flat;
}

/* Of a level in which many leaves are flat, takes the most aggregated in which few are; or the most
 * detailed that has not many parts, where fewer are. */
static ocelotl_status divide_flat(struct search *search)
{
    const struct aim aim = {OC_FLAT_LEAVES, is_seldom_flat, stays_flat, NULL};
    struct bracket bracket = {.high = search->chosen, .to = search->chosen.p, .fresh = true};
    bracket.from = search->chosen.p / 4;
    OC_TRY(solve(search, bracket.from, &bracket.low));
    if (!is_seldom_flat(search, &bracket.low, OC_FLAT_LEAVES)) {
        bracket.from = 0;
        OC_TRY(solve(search, 0, &bracket.low));
    }
    OC_TRY(narrow(search, &bracket, &aim));
    if (bracket.low.parts <= OC_MANY_PARTS && bracket.low.flat <= OC_FLAT_LEAVES)
        search->chosen = bracket.low;
    else if (bracket.high.flat < search->chosen.flat)
        search->chosen = bracket.high;
    return OCELOTL_OK;
}

/* Takes a level that a reader takes in, and that tells enough, where there is one. */
static ocelotl_status suit_reader(struct search *search)
{
    if (search->chosen.parts > OC_MANY_PARTS)
        OC_TRY(coarsen(search));
    else if (lost(search, &search->chosen) > OC_MUCH_LOST)
        OC_TRY(refine(search));
    return search->chosen.flat > OC_FLAT_LEAVES ? divide_flat(search) : OCELOTL_OK;
}

ocelotl_status oc_automatic_p(oc_finder *finder, bool knee, double *p)
{
    const bool one_level =
        !(finder->aggregation->whole_gain > 0 && finder->aggregation->whole_loss > 0);
    struct search search = {.finder = finder};
    *p = 0.5;
    if (one_level)
        return OCELOTL_OK;
    OC_TRY(find_knee(&search));
    if (!knee)
        OC_TRY(suit_reader(&search));
    *p = search.chosen.p;
    return OCELOTL_OK;
}

/* --- The partition of a wanted size */

/* Enough to halve an interval of p down to nothing. */
#define MOST_STEPS 64

/* The number of digits of p to begin with, and how many numbers to try. */
#define FIRST_DIGITS   2
#define MOST_ROUNDINGS 6

/* The best partitions on both sides of the wanted size: `fine` has more parts than wanted, `coarse`
 * has not. */
struct size_bracket {
    oc_finder *finder;
    size_t parts;
    oc_found fine, coarse;
    oc_found best; /* the most detailed one met that is small enough */
};

static ocelotl_status look(oc_found *found, oc_finder *finder, double p)
{
    OC_TRY(oc_finder_solve(finder, ocelotl_p_to_raw(finder->aggregation, p), found));
    found->p = p;
    return OCELOTL_OK;
}

/* Solves at p and narrows the bracket. */
static ocelotl_status step(struct size_bracket *bracket, double p)
{
    oc_found found;
    OC_TRY(look(&found, bracket->finder, p));
    const bool small = found.parts <= bracket->parts;
    *(small ? &bracket->coarse : &bracket->fine) = found;
    if (small && found.parts >= bracket->best.parts)
        bracket->best = found;
    return OCELOTL_OK;
}

/* Narrows the bracket. Crossings find a partition between two others or prove that none exists;
 * halving keeps the number of crossings small. */
static ocelotl_status narrow_size(struct size_bracket *bracket)
{
    for (int i = 0; i < MOST_STEPS && bracket->best.parts < bracket->parts; i++) {
        const oc_found fine = bracket->fine;
        const oc_found coarse = bracket->coarse;
        const double crossing = oc_crossing(bracket->finder->aggregation, fine.line, coarse.line);
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
static ocelotl_status shorten(struct size_bracket *bracket)
{
    oc_found *best = &bracket->best;
    int digits = FIRST_DIGITS;
    for (int i = 0; i < MOST_ROUNDINGS; i++) {
        double p = oc_round_digits(best->p, digits);
        while (digits < 17 && (p <= bracket->fine.p || p >= 1)) {
            digits++;
            p = oc_round_digits(best->p, digits);
        }
        if (p == best->p)
            return OCELOTL_OK;
        oc_found tried;
        OC_TRY(look(&tried, bracket->finder, p));
        if (tried.parts == best->parts && tried.line.gain == best->line.gain &&
            tried.line.loss == best->line.loss)
            best->p = p;
        digits++;
    }
    return OCELOTL_OK;
}

static ocelotl_status find_size(struct size_bracket *bracket, bool short_p)
{
    OC_TRY(step(bracket, 1));
    OC_TRY(step(bracket, 0));
    if (bracket->coarse.p > 0) /* the most detailed of all is too large */
        OC_TRY(narrow_size(bracket));
    if (short_p && bracket->best.p > 0 && bracket->best.p < 1)
        OC_TRY(shorten(bracket));
    return OCELOTL_OK;
}

ocelotl_status oc_find_parts(oc_found *found, size_t *next_count, oc_finder *finder, size_t parts,
                             bool short_p)
{
    struct size_bracket bracket = {.finder = finder, .parts = parts};
    OC_TRY(find_size(&bracket, short_p));
    *found = bracket.best;
    *next_count = bracket.best.parts < parts ? bracket.fine.parts : 0;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_solve_parts(ocelotl_partition **partition,
                                   const ocelotl_aggregation *aggregation, size_t parts)
{
    if (parts == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "at most 0 parts are wanted, expected 1 or more");
    oc_finder finder = {.aggregation = aggregation};
    oc_found found;
    size_t next_count;
    OC_TRY(oc_find_parts(&found, &next_count, &finder, parts, true));
    OC_TRY(ocelotl_solve(partition, aggregation, found.p));
    if (next_count > 0)
        oc_partition_set_next_count(*partition, next_count);
    return OCELOTL_OK;
}
