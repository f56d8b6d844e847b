/* The levels of a model: the upper envelope of its partitions' lines, intersection by intersection. */
#include "aggregate/envelope.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The normalised p at which it is tried whether the whole is a level. */
#define NEARLY_ONE 0.999999

/* A partition that is best somewhere, and the gap to the next one. */
struct found {
    oc_line line;
    size_t parts;
    double low, high; /* the raw p between which it is known to be best */
    double p;         /* a short normalised p at which it was found, or NAN */
    bool proved;      /* nothing is between it and the next one */
    double gap;       /* by how much something could be better than both, in normalised pIC */
};

struct finder {
    const ocelotl_aggregation *aggregation;
    ocelotl_levels_options options;
    oc_solver solver;
    struct found *found; /* by gain */
    size_t count, capacity;
    uint64_t solves;
};

struct ocelotl_levels {
    ocelotl_levels_info info;
    ocelotl_level *level;
};

void ocelotl_levels_free(ocelotl_levels *levels)
{
    if (levels == NULL)
        return;
    free(levels->level);
    free(levels);
}

ocelotl_levels_info ocelotl_levels_get_info(const ocelotl_levels *levels)
{
    return levels->info;
}

ocelotl_level ocelotl_levels_get(const ocelotl_levels *levels, size_t index)
{
    return index < levels->info.count ? levels->level[index] : (ocelotl_level){0};
}

static ocelotl_status solve(struct finder *finder, double p_raw, struct found *found)
{
    if (finder->options.progress != NULL &&
        !finder->options.progress(finder->options.progress_context, finder->solves, 0))
        return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled after %llu solves", (unsigned long long)finder->solves);
    oc_solution solution = {0};
    const ocelotl_status status = oc_solve(&solution, finder->aggregation, &finder->solver, p_raw);
    *found = (struct found){{solution.gain, solution.loss}, solution.count, p_raw, p_raw, NAN, false, 0};
    oc_solution_free(&solution);
    finder->solves++;
    return status;
}

static void prove(struct finder *finder, size_t i)
{
    struct found *low = &finder->found[i];
    const double crossing = oc_crossing_raw(low[0].line, low[1].line);
    low[0].high = crossing;
    low[1].low = crossing;
    low[0].proved = true;
    low[0].gap = 0;
}

/* Measures the gap after i. The envelope is convex: between two p at which it is known it is below the chord. */
static void measure_gap(struct finder *finder, size_t i)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    struct found *low = &finder->found[i];
    const struct found *high = &finder->found[i + 1];
    const double from = ocelotl_p_from_raw(aggregation, low->high);
    const double to = ocelotl_p_from_raw(aggregation, high->low);
    const double crossing = oc_crossing(aggregation, low->line, high->line);
    const double at_from = oc_line_value(aggregation, low->line, from);
    const double at_to = oc_line_value(aggregation, high->line, to);
    const double share = to > from ? (crossing - from) / (to - from) : 0;
    low->gap = at_from + (at_to - at_from) * share - oc_line_value(aggregation, low->line, crossing);
    if (!(low->gap > OC_TIE * oc_line_value(aggregation, (oc_line){high->line.gain, 0}, crossing)))
        prove(finder, i);
}

static ocelotl_status insert(struct finder *finder, size_t place, const struct found *found)
{
    OC_TRY(oc_grow(&finder->found, &finder->capacity, finder->count + 1, sizeof *finder->found));
    memmove(&finder->found[place + 1], &finder->found[place], (finder->count - place) * sizeof *finder->found);
    finder->found[place] = *found;
    finder->count++;
    return OCELOTL_OK;
}

/* The place of the largest gap that is not proved to hide nothing, or count. */
static size_t largest_gap(const struct finder *finder)
{
    size_t largest = finder->count;
    for (size_t i = 0; i + 1 < finder->count; i++)
        if (!finder->found[i].proved &&
            (largest == finder->count || finder->found[i].gap > finder->found[largest].gap))
            largest = i;
    return largest;
}

/* The shortest decimal well inside an interval: if one of so many digits is, then the nearest to the middle is. */
static double short_decimal(double low, double high)
{
    const double middle = low + (high - low) / 2;
    const double margin = (high - low) / 64;
    for (int digits = 0; digits < 17; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*e", digits, middle);
        const double p = strtod(text, NULL);
        if (p > low + margin && p < high - margin)
            return p;
    }
    return middle;
}

/* Looks between i and the next one at a raw p. */
static ocelotl_status look_at(struct finder *finder, size_t i, double p_raw, double p)
{
    struct found middle;
    OC_TRY(solve(finder, p_raw, &middle));
    middle.p = p;
    if (oc_height_above(middle.line, finder->found[i].line, finder->found[i + 1].line, p_raw) == 0)
        return OCELOTL_OK;
    OC_TRY(insert(finder, i + 1, &middle));
    measure_gap(finder, i + 1);
    measure_gap(finder, i);
    return OCELOTL_OK;
}

/* Looks between i and the next one where they cross. If a few levels of many are wanted it looks at a short p near
 * there first, which a level that is found can keep; only the crossing itself proves that there is none. */
static ocelotl_status look_between(struct finder *finder, size_t i)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    const struct found low = finder->found[i];
    const struct found high = finder->found[i + 1];
    const size_t count = finder->count;
    if (finder->options.most > 0) {
        const double crossing = oc_crossing(aggregation, low.line, high.line);
        const double from = ocelotl_p_from_raw(aggregation, low.high);
        const double to = ocelotl_p_from_raw(aggregation, high.low);
        const double p = short_decimal(crossing - (crossing - from) / 8, crossing + (to - crossing) / 8);
        OC_TRY(look_at(finder, i, ocelotl_p_to_raw(aggregation, p), p));
    }
    if (finder->count == count)
        OC_TRY(look_at(finder, i, oc_crossing_raw(low.line, high.line), NAN));
    if (finder->count == count)
        prove(finder, i);
    return OCELOTL_OK;
}

/* Where something gains as much as the whole, and so loses less, the whole is best at p = 1 alone: no level. */
static void drop_whole(struct finder *finder)
{
    const struct found *last = &finder->found[finder->count - 1];
    if (finder->count > 1 && oc_crossing_raw(last[-1].line, last->line) == 1) {
        finder->count--;
        finder->found[finder->count - 1].high = 1;
        finder->found[finder->count - 1].proved = false;
    }
}

static ocelotl_status explore(struct finder *finder)
{
    struct found lossless;
    struct found whole = {
        {finder->aggregation->whole_gain, finder->aggregation->whole_loss}, 1, 1, 1, NAN, false, 0};
    OC_TRY(solve(finder, 0, &lossless));
    OC_TRY(insert(finder, 0, &lossless));
    OC_TRY(insert(finder, 1, &whole));
    drop_whole(finder);
    if (finder->count == 2)
        measure_gap(finder, 0);
    if (finder->count == 2 && finder->options.most > 0) { /* a short list should not end in what is no level */
        OC_TRY(look_at(finder, 0, ocelotl_p_to_raw(finder->aggregation, NEARLY_ONE), NAN));
        drop_whole(finder);
    }
    for (;;) {
        const size_t place = largest_gap(finder);
        if (place == finder->count || (finder->options.most > 0 && finder->count >= finder->options.most))
            return OCELOTL_OK;
        OC_TRY(look_between(finder, place));
        drop_whole(finder);
    }
}

static bool same(oc_line a, oc_line b)
{
    return fabs(a.gain - b.gain) <= 1e-12 * (fabs(a.gain) + fabs(b.gain)) &&
           fabs(a.loss - b.loss) <= 1e-12 * (fabs(a.loss) + fabs(b.loss));
}

/* Chooses level->p, of which all else is set. Between the p at which a partition is known to be best any will do;
 * where they are close to each other, p is tried a little beyond, and closer and closer to them. */
static ocelotl_status choose_p(struct finder *finder, const struct found *found, ocelotl_level *level)
{
    const double low = ocelotl_p_from_raw(finder->aggregation, found->low);
    const double high = ocelotl_p_from_raw(finder->aggregation, found->high);
    const bool wide = high - low > 1e-6 * fmin(high, 1 - low);
    const bool most = high - low > 0.25 * (level->p_to - level->p_from);
    level->p = wide && most ? short_decimal(low, high) : found->p;
    double beyond = 0.25;
    for (int attempt = 0; isnan(level->p) && attempt < 8; attempt++, beyond *= beyond) {
        struct found tried;
        const double p = short_decimal(low - (low - level->p_from) * beyond, high + (level->p_to - high) * beyond);
        OC_TRY(solve(finder, ocelotl_p_to_raw(finder->aggregation, p), &tried));
        if (same(tried.line, found->line))
            level->p = p;
    }
    if (isnan(level->p))
        level->p = wide ? short_decimal(low, high) : found->high == 1 ? 1 : low;
    return OCELOTL_OK;
}

static ocelotl_status fill_level(struct finder *finder, size_t i, ocelotl_level *level)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    const struct found *found = &finder->found[i];
    const bool last = i + 1 == finder->count;
    level->p_raw_from = i > 0 ? oc_crossing_raw(found[-1].line, found->line) : 0;
    level->p_raw_to = last ? 1 : oc_crossing_raw(found->line, found[1].line);
    level->p_from = i > 0 ? oc_crossing(aggregation, found[-1].line, found->line) : 0;
    level->p_to = last ? 1 : oc_crossing(aggregation, found->line, found[1].line);
    level->gain = ldexp(found->line.gain, aggregation->unit);
    level->loss = ldexp(found->line.loss, aggregation->unit);
    level->parts = found->parts;
    return choose_p(finder, found, level);
}

static ocelotl_status fill(ocelotl_levels *levels, struct finder *finder)
{
    OC_TRY(explore(finder));
    OC_TRY(oc_allocate(&levels->level, finder->count, sizeof *levels->level));
    levels->info.count = finder->count;
    for (size_t i = 0; i < finder->count; i++)
        OC_TRY(fill_level(finder, i, &levels->level[i]));
    for (size_t i = 0; i + 1 < finder->count; i++) {
        levels->info.untested += !finder->found[i].proved;
        levels->info.largest_gap = fmax(levels->info.largest_gap, finder->found[i].gap);
    }
    levels->info.complete = levels->info.untested == 0;
    levels->info.solves = finder->solves;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_levels_find(ocelotl_levels **levels, const ocelotl_aggregation *aggregation,
                                   const ocelotl_levels_options *options)
{
    struct finder finder = {.aggregation = aggregation, .options = OCELOTL_LEVELS_OPTIONS_INIT};
    OC_TRY(oc_read_options(&finder.options, sizeof finder.options, options));
    ocelotl_levels *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = fill(made, &finder);
    free(finder.found);
    oc_solver_free(&finder.solver, aggregation);
    if (status != OCELOTL_OK) {
        ocelotl_levels_free(made);
        return status;
    }
    *levels = made;
    return OCELOTL_OK;
}
