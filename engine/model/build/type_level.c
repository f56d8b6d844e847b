/* What is lost where types are put together.
 *
 * A reader of a group knows what it is made of on the whole, as the legend says it, but not where:
 * lost is what the types tell of the cells beyond their group. With the value v of a type in a
 * cell, its sum V over all cells, and X and S the same of its group, that is the sum of v log (v S
 * / (X V)): the Kullback-Leibler divergence of the types from the mix of their group. It is T - U,
 * with T the sum of v log v less that of V log V over the types, and U the same of the groups. */
#include "model/build/type_level.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/matrix.h"
#include "types/lookup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A series and the group that its type is in. */
typedef struct grouped {
    uint32_t group;
    size_t series;
} grouped;

typedef struct weighing {
    const ocelotl_model *model;
    const ocelotl_type_tree *tree;
    const oc_matrix *matrix;
    uint32_t *group_of; /* by type; OCELOTL_NONE: untraced time, which is in none */
    double *sums;       /* by group */
    grouped *order;     /* of a leaf */
    double *row;        /* of a group in a leaf, by slice */
    uint32_t count;     /* groups with anything */
    double told;        /* U */
} weighing;

static double times_logarithm(double value)
{
    return value > 0 ? value * log2(value) : 0;
}

static ocelotl_status group_type(weighing *at, oc_map *numbers, uint32_t type, uint32_t level)
{
    const ocelotl_type is = ocelotl_model_type_at(at->model, type);
    at->group_of[type] = OCELOTL_NONE;
    if (is.untraced)
        return OCELOTL_OK;
    const char *name = level == 0 ? "" : ocelotl_type_tree_name_at(at->tree, is.name, level);
    at->group_of[type] = oc_map_get(numbers, name, strlen(name));
    if (at->group_of[type] != OC_MAP_NONE)
        return OCELOTL_OK;
    at->group_of[type] = at->count++;
    return oc_map_set(numbers, name, strlen(name), at->group_of[type]);
}

static int compare_grouped(const void *left, const void *right)
{
    const grouped *a = left;
    const grouped *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->series < b->series ? -1 : 1;
}

/* Adds the cells of a group in a leaf up, slice by slice. */
static void weigh_group(weighing *at, size_t first, size_t end)
{
    const oc_matrix *matrix = at->matrix;
    memset(at->row, 0, matrix->slice_count * sizeof *at->row);
    for (size_t i = first; i < end; i++) {
        const oc_series *series = &matrix->series[at->order[i].series];
        for (size_t c = series->first; c < series[1].first; c++)
            at->row[matrix->cell_slice[c]] += matrix->cell_value[c];
    }
    for (uint32_t slice = 0; slice < matrix->slice_count; slice++) {
        at->told += times_logarithm(at->row[slice]);
        at->sums[at->order[first].group] += at->row[slice];
    }
}

/* Weighs a leaf, whose series begin at one; gives where those of the next begin. */
static size_t weigh_leaf(weighing *at, size_t series)
{
    const oc_matrix *matrix = at->matrix;
    const uint32_t leaf = matrix->series[series].leaf;
    const uint32_t types = ocelotl_model_info_of(at->model).type_count;
    size_t count = 0;
    for (; series < matrix->series_count && matrix->series[series].leaf == leaf; series++) {
        const uint32_t type = matrix->series[series].type;
        if (type < types && at->group_of[type] != OCELOTL_NONE)
            at->order[count++] = (grouped){at->group_of[type], series};
    }
    if (count > 1)
        qsort(at->order, count, sizeof *at->order, compare_grouped);
    for (size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && at->order[end].group == at->order[first].group)
            end++;
        weigh_group(at, first, end);
    }
    return series;
}

/* Finds U and the number of groups with anything of a level. */
static ocelotl_status weigh(weighing *at, uint32_t level)
{
    /* Puts the types of the model together as a level has them; level 0 has one group. */
    oc_map numbers = {0};
    ocelotl_status status = OCELOTL_OK;
    const uint32_t count = ocelotl_model_info_of(at->model).type_count;
    at->count = 0;
    for (uint32_t x = 0; x < count && status == OCELOTL_OK; x++)
        status = group_type(at, &numbers, x, level);
    oc_map_free(&numbers);
    OC_TRY(status);
    const uint32_t groups = at->count;
    at->told = 0;
    at->count = 0;
    for (uint32_t g = 0; g < groups; g++)
        at->sums[g] = 0;
    for (size_t series = 0; series < at->matrix->series_count;)
        series = weigh_leaf(at, series);
    for (uint32_t g = 0; g < groups; g++) {
        at->told -= times_logarithm(at->sums[g]);
        at->count += at->sums[g] > 0;
    }
    return OCELOTL_OK;
}

static double share(double part, double whole)
{
    return whole > 0 ? fmin(1, fmax(0, part / whole)) : 0;
}

/* Of levels that are equally good the first one has fewest types. */
static ocelotl_status choose(uint32_t *level, weighing *at)
{
    const uint32_t levels = ocelotl_type_tree_info_of(at->tree).levels;
    OC_TRY(weigh(at, levels));
    const double finest = at->told;
    const double types = at->count;
    OC_TRY(weigh(at, 0));
    const double most = finest - at->told;
    double best = -INFINITY;
    for (uint32_t tried = 1; tried <= levels; tried++) {
        OC_TRY(weigh(at, tried));
        const double score = share(types - at->count, types - 1) - share(finest - at->told, most);
        if (score > best)
            *level = tried;
        best = fmax(best, score);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_type_level_choose(uint32_t *level, const ocelotl_model *model,
                                    const ocelotl_type_tree *tree)
{
    const uint32_t types = ocelotl_model_info_of(model).type_count;
    weighing at = {.model = model, .tree = tree, .matrix = oc_model_matrix(model)};
    oc_arena arena = {0};
    ocelotl_status status = oc_arena_allocate(&at.group_of, &arena, types, sizeof *at.group_of);
    if (status == OCELOTL_OK)
        status = oc_arena_allocate(&at.sums, &arena, types, sizeof *at.sums);
    if (status == OCELOTL_OK)
        status = oc_arena_allocate(&at.order, &arena, at.matrix->type_count, sizeof *at.order);
    if (status == OCELOTL_OK)
        status = oc_arena_allocate(&at.row, &arena, at.matrix->slice_count, sizeof *at.row);
    if (status == OCELOTL_OK)
        status = choose(level, &at);
    oc_arena_free(&arena);
    return status;
}
