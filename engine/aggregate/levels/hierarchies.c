/* Hierarchies ranked by what they lose at the same number of parts. */

#include "aggregate/hierarchies.h"
#include "aggregate/levels/finder.h"
#include "base/memory.h"

#include <stdlib.h>

static void free_hierarchy(ocelotl_hierarchy *of)
{
    free(of->name);
    free(of->points);
}

void ocelotl_hierarchies_free(ocelotl_hierarchies *hierarchies)
{
    if (hierarchies == NULL)
        return;
    for (size_t i = 0; i < hierarchies->count; i++)
        free_hierarchy(&hierarchies->list[i]);
    free(hierarchies->list);
    free(hierarchies);
}

/* The usual numbers, and the one they are ranked at. */
static void choose_numbers(ocelotl_hierarchies *to)
{
    static const size_t usual[] = {10, 30, 100, 300, 1000};
    bool taken = false;
    to->parts = to->parts > 0 ? to->parts : 30;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (!taken && to->parts <= usual[i]) {
            to->numbers[to->number_count++] = to->parts;
            taken = true;
        }
        if (to->parts != usual[i])
            to->numbers[to->number_count++] = usual[i];
    }
    if (!taken)
        to->numbers[to->number_count++] = to->parts;
}

/* --- Points */

static ocelotl_status add_point(ocelotl_hierarchy *to, ocelotl_hierarchy_point point)
{
    OC_TRY(oc_grow(&to->points, &to->capacity, to->count + 1, sizeof *to->points));
    to->points[to->count++] = point;
    return OCELOTL_OK;
}

static ocelotl_status add_levels(ocelotl_hierarchy *to, const ocelotl_hierarchies *hierarchies,
                                 const ocelotl_aggregation *aggregation)
{
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_levels *levels = NULL;
    if (hierarchies->all) {
        options.max_levels = SIZE_MAX;
        options.max_solves = UINT64_MAX;
    }
    options.knee = true;
    options.work = hierarchies->work;
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

static ocelotl_status add_at(ocelotl_hierarchy *to, const ocelotl_hierarchies *hierarchies,
                             oc_finder *finder, size_t parts)
{
    const ocelotl_aggregation *aggregation = finder->aggregation;
    oc_found found;
    size_t next_count;
    if (parts > 1) {
        OC_TRY(oc_find_parts(&found, &next_count, finder, parts, !hierarchies->losses_only));
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
static void keep_best(ocelotl_hierarchy *of)
{
    size_t kept = 0;
    qsort(of->points, of->count, sizeof *of->points, compare_points);
    for (size_t i = 0; i < of->count; i++)
        if (kept == 0 || of->points[i].loss < of->points[kept - 1].loss)
            of->points[kept++] = of->points[i];
    of->count = kept;
}

/* Finds the point with the most parts up to `parts`. The whole has one part, so a point exists. */
static ocelotl_hierarchy_point find(const ocelotl_hierarchy *of, size_t parts)
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
static void note_best(ocelotl_hierarchy *of, const ocelotl_hierarchies *hierarchies, size_t begin)
{
    ocelotl_hierarchy own = {.points = of->points + begin, .count = of->count - begin};
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

static ocelotl_status find_points(ocelotl_hierarchy *of, const ocelotl_hierarchies *hierarchies,
                                  const ocelotl_aggregation *aggregation)
{
    oc_finder finder = {.aggregation = aggregation,
                        .progress = hierarchies->work.progress,
                        .progress_context = hierarchies->work.context};
    of->whole_gain = ocelotl_aggregation_whole_gain(aggregation);
    of->whole_loss = ocelotl_aggregation_whole_loss(aggregation);
    if (hierarchies->all || !hierarchies->losses_only)
        OC_TRY(add_levels(of, hierarchies, aggregation));
    const size_t begin = of->count;
    OC_TRY(add_at(of, hierarchies, &finder, 1)); /* a model without gain has no level */
    for (size_t i = 0; i < hierarchies->number_count && !of->complete; i++)
        OC_TRY(add_at(of, hierarchies, &finder, hierarchies->numbers[i]));
    note_best(of, hierarchies, begin);
    for (size_t i = 0; i < hierarchies->number_count; i++)
        if (hierarchies->numbers[i] == hierarchies->parts)
            of->ranked = of->at[i];
    return OCELOTL_OK;
}

/* Inserts a hierarchy behind all that lose no more. */
static void put(ocelotl_hierarchies *hierarchies, const ocelotl_hierarchy *new)
{
    ocelotl_hierarchy *list = hierarchies->list;
    size_t at = hierarchies->count++;
    for (; at > 0 && list[at - 1].ranked.loss > new->ranked.loss; at--)
        list[at] = list[at - 1];
    list[at] = *new;
    for (size_t i = 0; i < hierarchies->count; i++) {
        const bool same = i > 0 && !(list[i - 1].ranked.loss < list[i].ranked.loss);
        list[i].rank = same ? list[i - 1].rank : i + 1;
    }
}

ocelotl_status ocelotl_hierarchies_add(ocelotl_hierarchies *hierarchies, const char *name,
                                       const ocelotl_aggregation *aggregation)
{
    ocelotl_hierarchy new = {.name = NULL};
    if (hierarchies->number_count == 0)
        choose_numbers(hierarchies);
    OC_TRY(oc_grow(&hierarchies->list, &hierarchies->capacity, hierarchies->count + 1,
                   sizeof *hierarchies->list));
    ocelotl_status status = oc_copy_text(&new.name, name);
    if (status == OCELOTL_OK)
        status = find_points(&new, hierarchies, aggregation);
    if (status == OCELOTL_OK)
        put(hierarchies, &new);
    else
        free_hierarchy(&new);
    return status;
}
