/* The levels of a model, as a list. */
#include "aggregate/levels/finder.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

/* A level stands for a range of p in which it is worse than the best by at most this, in normalised
 * pIC: the whole is worth 1 at p = 1. */
#define OC_PLATEAU_TOLERANCE 0.01

/* The most solves of a search for plateaus; about twenty are enough. */
#define OC_PLATEAU_SOLVES 40

/* The pIC that may hide between levels found, and the pIC that levels given up may cost: together
 * the tolerance. */
#define HIDDEN   (OC_PLATEAU_TOLERANCE / 4)
#define GIVEN_UP (OC_PLATEAU_TOLERANCE - HIDDEN)

/* The levels that are kept, by their places among those found. */
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

/* How much worse than the best a level is at p. */
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

/* Returns a p at which a level is known to be best. */
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

/* The goal at which the plateaus are known. */
static oc_finder_goal plateau_goal(const oc_finder *finder, oc_finder_goal goal)
{
    const uint64_t max_solves = finder->solves + OC_PLATEAU_SOLVES;
    goal.gap = HIDDEN;
    goal.all = false;
    if (goal.max_solves == 0 || goal.max_solves > max_solves)
        goal.max_solves = max_solves;
    return goal;
}

enum { default_levels = 30, default_solves = 120 };

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

void ocelotl_levels_get_info(ocelotl_levels_info *info, const ocelotl_levels *levels)
{
    oc_give_info(info, &levels->info, sizeof levels->info);
}

ocelotl_level ocelotl_levels_at(const ocelotl_levels *levels, size_t index)
{
    return index < levels->info.count ? levels->level[index] : (ocelotl_level){0};
}

/* How far from where a level gives way, as a share of p and of 1 - p, rounding cannot matter. */
#define AWAY 0x1p-30

static ocelotl_level make_level(const oc_finder *finder, size_t i)
{
    const oc_found *found = &finder->found[i];
    const bool last = i + 1 == finder->count;
    ocelotl_level level = {
        .p = found->p,
        .p_from = oc_finder_from(finder, i),
        .p_to = oc_finder_to(finder, i),
        .p_raw_from = i > 0 ? oc_crossing_raw(found[-1].line, found->line) : 0,
        .p_raw_to = last ? 1 : oc_crossing_raw(found->line, found[1].line),
        .gain = ldexp(found->line.gain, finder->aggregation->unit),
        .loss = ldexp(found->line.loss, finder->aggregation->unit),
        .parts = found->parts,
        .number = found->number,
        .plateau = found->plateau,
        .plateau_from = found->plateau_from,
        .plateau_to = found->plateau_to,
        .automatic = found->automatic,
    };
    /* The p between which a solve gives the level, and nothing that is tied with it. */
    const double low = ocelotl_p_from_raw(finder->aggregation, found->low);
    const double high = ocelotl_p_from_raw(finder->aggregation, found->high);
    level.known_from = fmin(level.p, low * (1 + AWAY));
    level.known_to = fmax(level.p, 1 - (1 - high) * (1 + AWAY));
    return level;
}

static ocelotl_status fill(ocelotl_levels *levels, const oc_finder *finder)
{
    OC_TRY(oc_allocate(&levels->level, finder->count, sizeof *levels->level));
    levels->info.count = finder->count;
    levels->info.kind = finder->aggregation->kind;
    for (size_t i = 0; i < finder->count; i++) {
        levels->level[i] = make_level(finder, i);
        levels->info.plateaus += finder->found[i].plateau > 0;
        if (i + 1 == finder->count)
            break;
        levels->info.untested += !finder->found[i].proved;
        levels->info.largest_gap = fmax(levels->info.largest_gap, finder->found[i].gap);
    }
    levels->info.complete = levels->info.untested == 0;
    levels->info.solves = finder->solves;
    return OCELOTL_OK;
}

static ocelotl_status choose_p(oc_finder *finder)
{
    for (size_t i = 0; i < finder->count; i++)
        OC_TRY(oc_finder_choose_p(finder, i));
    return OCELOTL_OK;
}

static void number_all(oc_finder *finder)
{
    for (size_t i = 0; i < finder->count; i++)
        finder->found[i].number = i + 1;
}

/* The plateaus first, so that they are the same however many levels are wanted. */
static ocelotl_status list(oc_finder *finder, oc_finder_goal goal)
{
    /* Finds enough levels to know the plateaus, and marks one level for each, among them the level
     * to show first (see oc_finder_add). Ends early if it reaches the goal. */
    OC_TRY(oc_finder_continue(finder, plateau_goal(finder, goal)));
    OC_TRY(mark_plateaus(finder));
    OC_TRY(oc_finder_continue(finder, goal));
    OC_TRY(choose_p(finder));
    number_all(finder);
    return OCELOTL_OK;
}

/* Finds the levels. A list of all contains those of the default list, which keep their p and have a
 * number. */
static ocelotl_status find(oc_finder *finder, const ocelotl_levels_options *options)
{
    const bool all = options->max_levels == SIZE_MAX;
    const bool bounded = options->max_solves < UINT64_MAX;
    double automatic;
    OC_TRY(oc_automatic_p(finder, options->knee, &automatic));
    const uint64_t max_solves = bounded ? finder->solves + options->max_solves : 0;
    oc_finder_goal goal = {.most = all                        ? default_levels
                                   : options->max_levels == 1 ? 2
                                                              : options->max_levels,
                           .max_solves = max_solves};
    if (all && options->max_solves > default_solves)
        goal.max_solves = finder->solves + default_solves;
    OC_TRY(oc_finder_begin(finder));
    OC_TRY(oc_finder_add_automatic(finder, automatic));
    OC_TRY(list(finder, goal));
    if (!all)
        return OCELOTL_OK;
    oc_finder_doubt(finder);
    OC_TRY(oc_finder_continue(finder, (oc_finder_goal){.max_solves = max_solves, .all = true}));
    if (options->whole)
        OC_TRY(oc_finder_add_whole(finder));
    return choose_p(finder);
}

static ocelotl_status make(ocelotl_levels *levels, const ocelotl_aggregation *aggregation,
                           const ocelotl_levels_options *options)
{
    oc_finder finder = {
        .aggregation = aggregation,
        .progress = options->work.progress,
        .progress_context = options->work.context,
    };
    ocelotl_status status = find(&finder, options);
    if (status == OCELOTL_OK)
        status = fill(levels, &finder);
    oc_finder_free(&finder);
    return status;
}

ocelotl_status ocelotl_levels_find(ocelotl_levels **levels, const ocelotl_aggregation *aggregation,
                                   const ocelotl_levels_options *options)
{
    ocelotl_levels_options known = OCELOTL_LEVELS_OPTIONS_INIT;
    OC_TRY(oc_read_options(&known, sizeof known, options));
    if (known.max_levels == 0)
        known.max_levels = default_levels;
    if (known.max_solves == 0)
        known.max_solves = default_solves;
    ocelotl_levels *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = make(made, aggregation, &known);
    if (status != OCELOTL_OK) {
        ocelotl_levels_free(made);
        return status;
    }
    *levels = made;
    return OCELOTL_OK;
}

/* --- A search that can be interrupted */

typedef enum search_step {
    LOOKING_FOR_AUTOMATIC,
    BEGINNING,
    LOOKING_FOR_PLATEAUS,
    LOOKING_FOR_REST,
    CHOOSING_P,
    FOUND_ALL
} search_step;

struct ocelotl_level_search {
    oc_finder finder;
    search_step step; /* the one to do, or to go on with */
    bool knee;
    double automatic;
    uint64_t max_solves; /* UINT64_MAX: no bound */
    oc_finder_goal goal, plateaus;
};

ocelotl_status ocelotl_level_search_begin(ocelotl_level_search **search,
                                          const ocelotl_aggregation *aggregation,
                                          const ocelotl_levels_options *options)
{
    ocelotl_levels_options known = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_level_search *made = NULL;
    OC_TRY(oc_read_options(&known, sizeof known, options));
    if (known.max_levels == SIZE_MAX)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a search that can be interrupted finds no list of all levels");
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->finder = (oc_finder){.aggregation = aggregation,
                               .progress = known.work.progress,
                               .progress_context = known.work.context};
    made->knee = known.knee;
    made->goal.most = known.max_levels == 0   ? default_levels
                      : known.max_levels == 1 ? 2
                                              : known.max_levels;
    made->max_solves = known.max_solves == 0 ? default_solves : known.max_solves;
    *search = made;
    return OCELOTL_OK;
}

void ocelotl_level_search_free(ocelotl_level_search *search)
{
    if (search == NULL)
        return;
    oc_finder_free(&search->finder);
    free(search);
}

/* Solves that found the level to show first do not count. */
static ocelotl_status begin_anew(ocelotl_level_search *search)
{
    search->finder.count = 0;
    search->goal.max_solves =
        search->max_solves < UINT64_MAX ? search->finder.solves + search->max_solves : 0;
    OC_TRY(oc_finder_begin(&search->finder));
    OC_TRY(oc_finder_add_automatic(&search->finder, search->automatic));
    search->plateaus = plateau_goal(&search->finder, search->goal);
    return OCELOTL_OK;
}

static ocelotl_status do_step(ocelotl_level_search *search)
{
    oc_finder *finder = &search->finder;
    switch (search->step) {
    case LOOKING_FOR_AUTOMATIC:
        return oc_automatic_p(finder, search->knee, &search->automatic);
    case BEGINNING:
        return begin_anew(search);
    case LOOKING_FOR_PLATEAUS:
        OC_TRY(oc_finder_continue(finder, search->plateaus));
        return mark_plateaus(finder);
    case LOOKING_FOR_REST:
        return oc_finder_continue(finder, search->goal);
    default:
        OC_TRY(choose_p(finder));
        number_all(finder);
        return OCELOTL_OK;
    }
}

ocelotl_status ocelotl_level_search_continue(ocelotl_level_search *search)
{
    while (search->step != FOUND_ALL) {
        OC_TRY(do_step(search));
        search->step++;
    }
    return OCELOTL_OK;
}

/* Takes the p at which a level was found, until a shorter one is known. */
static void name_p(oc_finder *finder)
{
    for (size_t i = 0; i < finder->count; i++) {
        oc_found *found = &finder->found[i];
        if (isnan(found->p))
            found->p = ocelotl_p_from_raw(finder->aggregation, found->low);
    }
    number_all(finder);
}

static ocelotl_status fill_so_far(ocelotl_levels *levels, const ocelotl_level_search *search)
{
    oc_finder copy = search->finder;
    copy.found = NULL;
    if (search->step <= BEGINNING)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&copy.found, copy.count, sizeof *copy.found));
    memcpy(copy.found, search->finder.found, copy.count * sizeof *copy.found);
    ocelotl_status status = OCELOTL_OK;
    if (search->step < FOUND_ALL)
        name_p(&copy);
    if (search->step == LOOKING_FOR_PLATEAUS)
        status = mark_plateaus(&copy);
    if (status == OCELOTL_OK)
        status = fill(levels, &copy);
    free(copy.found);
    return status;
}

ocelotl_status ocelotl_level_search_found(ocelotl_levels **levels,
                                          const ocelotl_level_search *search)
{
    ocelotl_levels *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->info.kind = search->finder.aggregation->kind;
    const ocelotl_status status = fill_so_far(made, search);
    if (status == OCELOTL_OK)
        *levels = made;
    else
        ocelotl_levels_free(made);
    return status;
}
