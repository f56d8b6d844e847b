/* Hierarchies ranked by what they lose at the same number of parts. */

#include "aggregate/hierarchies.h"
#include "aggregate/levels/finder.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <stdlib.h>

enum { NUMBERS_MOST = 6, DEFAULT_PARTS = 30 };

/* Points are staircase: parts rise and loss falls. */
typedef struct ranked {
    char *name;
    double whole_gain, whole_loss;
    ocelotl_hierarchy_point *points;
    size_t count, capacity;
    ocelotl_hierarchy_point at[NUMBERS_MOST]; /* of each number its best point */
    bool complete;
} ranked;

struct ocelotl_hierarchies {
    ocelotl_hierarchies_options options;
    size_t numbers[NUMBERS_MOST];
    size_t number_count;
    ranked *all; /* in the order of rank */
    size_t count, capacity;
};

static void free_ranked(ranked *of)
{
    free(of->name);
    free(of->points);
}

void ocelotl_hierarchies_free(ocelotl_hierarchies *hierarchies)
{
    if (hierarchies == NULL)
        return;
    for (size_t i = 0; i < hierarchies->count; i++)
        free_ranked(&hierarchies->all[i]);
    free(hierarchies->all);
    free(hierarchies);
}

ocelotl_status ocelotl_hierarchies_new(ocelotl_hierarchies **hierarchies,
                                       const ocelotl_hierarchies_options *options)
{
    ocelotl_hierarchies *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->options = (ocelotl_hierarchies_options)OCELOTL_HIERARCHIES_OPTIONS_INIT;
    const ocelotl_status status = oc_read_options(&made->options, sizeof made->options, options);
    if (status != OCELOTL_OK) {
        ocelotl_hierarchies_free(made);
        return status;
    }
    if (made->options.parts == 0)
        made->options.parts = DEFAULT_PARTS;
    /* The usual numbers, and the one they are ranked at. */
    static const size_t usual[] = {10, 30, 100, 300, 1000};
    const size_t chosen = made->options.parts;
    bool taken = false;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (!taken && chosen <= usual[i]) {
            made->numbers[made->number_count++] = chosen;
            taken = true;
        }
        if (chosen != usual[i])
            made->numbers[made->number_count++] = usual[i];
    }
    if (!taken)
        made->numbers[made->number_count++] = chosen;
    *hierarchies = made;
    return OCELOTL_OK;
}

/* --- Points */

static ocelotl_status add_point(ranked *to, ocelotl_hierarchy_point point)
{
    OC_TRY(oc_grow(&to->points, &to->capacity, to->count + 1, sizeof *to->points));
    to->points[to->count++] = point;
    return OCELOTL_OK;
}

static ocelotl_status add_levels(ranked *to, const ocelotl_hierarchies *hierarchies,
                                 const ocelotl_aggregation *aggregation)
{
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_levels *levels = NULL;
    if (hierarchies->options.all) {
        options.max_levels = SIZE_MAX;
        options.max_solves = UINT64_MAX;
    }
    options.knee = true;
    options.work = hierarchies->options.work;
    OC_TRY(ocelotl_levels_find(&levels, aggregation, &options));
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    ocelotl_status status = OCELOTL_OK;
    to->complete = info.complete;
    for (size_t i = 0; status == OCELOTL_OK && i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        status =
            add_point(to, (ocelotl_hierarchy_point){level.parts, level.p, level.gain, level.loss});
    }
    ocelotl_levels_free(levels);
    return status;
}

static ocelotl_status add_at(ranked *to, const ocelotl_hierarchies *hierarchies, oc_finder *finder,
                             size_t parts)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    oc_found found;
    size_t next_count;
    if (parts > 1) {
        OC_TRY(
            oc_find_parts(&found, &next_count, finder, parts, !hierarchies->options.losses_only));
    } else {
        OC_TRY(oc_finder_solve(finder, 1, &found));
        found.p = 1;
    }
    return add_point(to, (ocelotl_hierarchy_point){found.parts, found.p,
                                                   oc_unscaled(aggregation, found.line.gain),
                                                   oc_unscaled(aggregation, found.line.loss)});
}

/* The fewest parts first, of as many the least loss. */
static int compare_points(const void *left, const void *right)
{
    const ocelotl_hierarchy_point *a = left;
    const ocelotl_hierarchy_point *b = right;
    if (a->parts != b->parts)
        return a->parts < b->parts ? -1 : 1;
    return (a->loss > b->loss) - (a->loss < b->loss);
}

/* Leaves out what loses no less than a point of fewer parts. */
static void keep_best(ranked *of)
{
    size_t kept = 0;
    qsort(of->points, of->count, sizeof *of->points, compare_points);
    for (size_t i = 0; i < of->count; i++)
        if (kept == 0 || of->points[i].loss < of->points[kept - 1].loss)
            of->points[kept++] = of->points[i];
    of->count = kept;
}

/* Finds the point with the most parts up to `parts`. The whole has one part, so a point exists. */
static ocelotl_hierarchy_point find(const ranked *of, size_t parts)
{
    size_t low = 0;
    size_t high = of->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (of->points[middle].parts <= parts)
            low = middle;
        else
            high = middle;
    }
    return of->points[low];
}

/* Notes the best points at the numbers. They are those of a search for them alone, the points from
 * `begin` on, unless all levels are known: so they do not depend on what else was asked for. */
static void note_best(ranked *of, const ocelotl_hierarchies *hierarchies, size_t begin)
{
    ranked own = {.points = of->points + begin, .count = of->count - begin};
    keep_best(&own);
    of->count = begin + own.count;
    for (size_t i = 0; i < hierarchies->number_count; i++)
        of->at[i] = find(&own, hierarchies->numbers[i]);
    keep_best(of);
    for (size_t i = 0; i < hierarchies->number_count; i++) {
        const size_t most = of->complete ? hierarchies->numbers[i] : of->at[i].parts;
        const ocelotl_hierarchy_point same = find(of, most);
        if (of->complete || same.parts == most) /* with the p of the level */
            of->at[i] = same;
    }
}

static ocelotl_status find_points(ranked *of, const ocelotl_hierarchies *hierarchies,
                                  const ocelotl_aggregation *aggregation)
{
    oc_finder finder = {.aggregation = aggregation,
                        .progress = hierarchies->options.work.progress,
                        .progress_context = hierarchies->options.work.context};
    of->whole_gain = ocelotl_aggregation_whole_gain(aggregation);
    of->whole_loss = ocelotl_aggregation_whole_loss(aggregation);
    if (hierarchies->options.all || !hierarchies->options.losses_only)
        OC_TRY(add_levels(of, hierarchies, aggregation));
    const size_t begin = of->count;
    OC_TRY(add_at(of, hierarchies, &finder, 1)); /* a model without gain has no level */
    for (size_t i = 0; i < hierarchies->number_count && !of->complete; i++)
        OC_TRY(add_at(of, hierarchies, &finder, hierarchies->numbers[i]));
    note_best(of, hierarchies, begin);
    return OCELOTL_OK;
}

/* The best point with at most so many parts, one of the numbers or not. */
static ocelotl_hierarchy_point best_of(const ocelotl_hierarchies *hierarchies, const ranked *of,
                                       size_t parts)
{
    for (size_t i = 0; i < hierarchies->number_count; i++)
        if (hierarchies->numbers[i] == parts)
            return of->at[i];
    return find(of, parts);
}

static double ranked_loss(const ocelotl_hierarchies *hierarchies, const ranked *of)
{
    return best_of(hierarchies, of, hierarchies->options.parts).loss;
}

/* Inserts a hierarchy behind all that lose no more. */
static void put(ocelotl_hierarchies *hierarchies, const ranked *new)
{
    size_t at = hierarchies->count++;
    const double loss = ranked_loss(hierarchies, new);
    for (; at > 0 && ranked_loss(hierarchies, &hierarchies->all[at - 1]) > loss; at--)
        hierarchies->all[at] = hierarchies->all[at - 1];
    hierarchies->all[at] = *new;
}

ocelotl_status ocelotl_hierarchies_add(ocelotl_hierarchies *hierarchies, const char *name,
                                       const ocelotl_aggregation *aggregation)
{
    ranked new = {.name = NULL};
    OC_TRY(oc_grow(&hierarchies->all, &hierarchies->capacity, hierarchies->count + 1,
                   sizeof *hierarchies->all));
    ocelotl_status status = oc_copy_text(&new.name, name);
    if (status == OCELOTL_OK)
        status = find_points(&new, hierarchies, aggregation);
    if (status == OCELOTL_OK)
        put(hierarchies, &new);
    else
        free_ranked(&new);
    return status;
}

/* --- What was found */

size_t ocelotl_hierarchies_count(const ocelotl_hierarchies *hierarchies)
{
    return hierarchies->count;
}

static size_t rank_of(const ocelotl_hierarchies *hierarchies, size_t index)
{
    const double loss = ranked_loss(hierarchies, &hierarchies->all[index]);
    while (index > 0 && !(ranked_loss(hierarchies, &hierarchies->all[index - 1]) < loss))
        index--;
    return index + 1;
}

ocelotl_hierarchy ocelotl_hierarchies_at(const ocelotl_hierarchies *hierarchies, size_t index)
{
    if (index >= hierarchies->count)
        return (ocelotl_hierarchy){.name = ""};
    const ranked *of = &hierarchies->all[index];
    return (ocelotl_hierarchy){
        .name = of->name,
        .rank = rank_of(hierarchies, index),
        .whole_gain = of->whole_gain,
        .whole_loss = of->whole_loss,
        .ranked = best_of(hierarchies, of, hierarchies->options.parts),
        .point_count = of->count,
        .complete = of->complete,
    };
}

ocelotl_hierarchy_point ocelotl_hierarchies_point_at(const ocelotl_hierarchies *hierarchies,
                                                     size_t index, size_t point)
{
    return index < hierarchies->count && point < hierarchies->all[index].count
               ? hierarchies->all[index].points[point]
               : (ocelotl_hierarchy_point){0};
}

ocelotl_hierarchy_point ocelotl_hierarchies_find(const ocelotl_hierarchies *hierarchies,
                                                 size_t index, size_t parts)
{
    return index < hierarchies->count ? best_of(hierarchies, &hierarchies->all[index], parts)
                                      : (ocelotl_hierarchy_point){0};
}

size_t ocelotl_hierarchies_number_at(const ocelotl_hierarchies *hierarchies, size_t index)
{
    return index < hierarchies->number_count ? hierarchies->numbers[index] : 0;
}

size_t ocelotl_hierarchies_ranked_at(const ocelotl_hierarchies *hierarchies)
{
    return hierarchies->options.parts;
}
