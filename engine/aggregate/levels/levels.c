/* The levels of a model, as a list. */
#include "aggregate/levels/automatic.h"
#include "aggregate/levels/plateaus.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>

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

ocelotl_levels_info ocelotl_levels_get_info(const ocelotl_levels *levels)
{
    return levels->info;
}

ocelotl_level ocelotl_levels_at(const ocelotl_levels *levels, size_t index)
{
    return index < levels->info.count ? levels->level[index] : (ocelotl_level){0};
}

static ocelotl_level make_level(const oc_finder *finder, size_t i)
{
    const oc_found *found = &finder->found[i];
    const bool last = i + 1 == finder->count;
    return (ocelotl_level){
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

/* The plateaus first, so that they are the same however many levels are wanted. */
static ocelotl_status list(oc_finder *finder, oc_finder_goal goal)
{
    OC_TRY(oc_plateaus_find(finder, goal));
    OC_TRY(oc_finder_continue(finder, goal));
    OC_TRY(choose_p(finder));
    for (size_t i = 0; i < finder->count; i++)
        finder->found[i].number = i + 1;
    return OCELOTL_OK;
}

/* All levels are those that the default options list, which so keep their p and have a number, and
 * those between them. */
static ocelotl_status find(oc_finder *finder, const ocelotl_levels_options *options)
{
    const bool all = options->max_levels == SIZE_MAX;
    const bool bounded = options->max_solves < UINT64_MAX;
    double automatic;
    OC_TRY(oc_automatic_p(finder, &automatic));
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
