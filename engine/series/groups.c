/* Groups the resources of a trace for series. */
#include "series/series.h"

#include "base/memory.h"
#include "store/select/groups.h"

#include <stdlib.h>

/* The most groups chosen by default: more do not fit a picture. */
enum { MOST_GROUPS = 32 };

static bool is_member(const ocelotl_series *series, uint32_t resource)
{
    return series->sources.seen[resource] && (series->chosen == NULL || series->chosen[resource]);
}

/* How many members are at or below each resource. */
static ocelotl_status count_members(uint32_t **below, const ocelotl_series *series)
{
    const ocelotl_trace *trace = series->trace;
    OC_TRY(oc_allocate(below, trace->resource_count, sizeof **below));
    for (uint32_t r = trace->resource_count; r-- > 0;) {
        const uint32_t parent = trace->resources[r].parent;
        (*below)[r] += is_member(series, r);
        if (parent != OCELOTL_ROOT)
            (*below)[parent] += (*below)[r];
    }
    return OCELOTL_OK;
}

/* --- The type of the groups */

/* The members that the resources of a type hold together; nested resources count a member more than
 * once. */
typedef struct held {
    uint32_t resources;
    uint64_t members;
} held;

/* Chooses the type with the fewest resources that hold all members: one with several resources if
 * possible, OCELOTL_NONE for the whole. */
static uint32_t choose(const held *types, uint32_t count, uint32_t members)
{
    uint32_t one = OCELOTL_NONE;
    uint32_t several = OCELOTL_NONE;
    for (uint32_t t = 0; t < count; t++) {
        if (types[t].members != members || types[t].resources >= members)
            continue;
        if (types[t].resources == 1 && one == OCELOTL_NONE)
            one = t;
        if (types[t].resources > 1 && types[t].resources <= MOST_GROUPS &&
            (several == OCELOTL_NONE || types[t].resources < types[several].resources))
            several = t;
    }
    return several != OCELOTL_NONE ? several : one;
}

static ocelotl_status choose_type(const char **at, const ocelotl_series *series,
                                  const uint32_t *below)
{
    const ocelotl_trace *trace = series->trace;
    held *types = NULL;
    uint32_t members = 0;
    OC_TRY(oc_allocate(&types, trace->resource_type_count, sizeof *types));
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const ocelotl_resource *resource = &trace->resources[r];
        members += is_member(series, r);
        if (below[r] == 0 || resource->type == OCELOTL_NONE)
            continue;
        types[resource->type].resources++;
        types[resource->type].members += below[r];
    }
    const uint32_t chosen = choose(types, trace->resource_type_count, members);
    free(types);
    *at = chosen != OCELOTL_NONE ? trace->resource_types[chosen].name : oc_whole_group;
    return OCELOTL_OK;
}

/* --- Groups */

/* A member may live longer than what it is below. */
static void measure_groups(ocelotl_series *series, const oc_groups *found)
{
    const ocelotl_trace *trace = series->trace;
    for (uint32_t g = 0; g < found->count; g++) {
        const uint32_t at = found->resources[g];
        series->groups[g] =
            at == OCELOTL_NONE
                ? (oc_series_group){at, 0, series->info.from, series->info.to}
                : (oc_series_group){at, 0, trace->resources[at].begin, trace->resources[at].end};
    }
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const ocelotl_resource *member = &trace->resources[r];
        if (!is_member(series, r))
            continue;
        if (found->group_of[r] == found->count) {
            series->info.outside++;
            continue;
        }
        oc_series_group *group = &series->groups[found->group_of[r]];
        const bool whole = group->resource == OCELOTL_NONE;
        group->members++;
        group->begin = !whole && member->begin < group->begin ? member->begin : group->begin;
        group->end = !whole && member->end > group->end ? member->end : group->end;
    }
}

/* Drops the groups that do not live in the window. */
static ocelotl_status keep_living(ocelotl_series *series, const oc_groups *found)
{
    const ocelotl_series_info *info = &series->info;
    uint32_t *kept = NULL;
    OC_TRY(oc_allocate(&kept, (size_t)found->count + 1, sizeof *kept));
    for (uint32_t g = 0; g < found->count; g++) {
        oc_series_group group = series->groups[g];
        kept[g] = OCELOTL_NONE;
        if (group.members == 0 || group.begin >= info->to || group.end <= info->from)
            continue;
        group.begin = group.begin > info->from ? group.begin : info->from;
        group.end = group.end < info->to ? group.end : info->to;
        kept[g] = series->group_count;
        series->groups[series->group_count++] = group;
    }
    kept[found->count] = OCELOTL_NONE;
    for (uint32_t r = 0; r < series->trace->resource_count; r++)
        series->group_of[r] = kept[found->group_of[r]];
    free(kept);
    return OCELOTL_OK;
}

static ocelotl_status fail_empty(const ocelotl_series *series, const char *at)
{
    const char *path = series->trace->path;
    if (series->info.outside > 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: nothing of what is reduced is in or below a resource of type \"%s\", "
                       "expected another type",
                       path, at);
    return oc_fail(OCELOTL_ERROR_EMPTY,
                   "%s: no resource that is chosen has anything of what is reduced and lives in "
                   "the window, expected "
                   "other resources or another window",
                   path);
}

static ocelotl_status find_groups(ocelotl_series *series, oc_groups *found, const char *at)
{
    const ocelotl_trace *trace = series->trace;
    uint32_t *below = NULL;
    ocelotl_status status = at == NULL ? count_members(&below, series) : OCELOTL_OK;
    if (status == OCELOTL_OK && at == NULL)
        status = choose_type(&at, series, below);
    free(below);
    OC_TRY(status);
    OC_TRY(oc_groups_find(found,
                          &(oc_group_request){trace, series->sources.seen, series->chosen, at}));
    OC_TRY(oc_allocate(&series->groups, found->count, sizeof *series->groups));
    OC_TRY(oc_allocate(&series->group_of, trace->resource_count, sizeof *series->group_of));
    measure_groups(series, found);
    OC_TRY(keep_living(series, found));
    if (series->group_count == 0)
        return fail_empty(series, at);
    const uint32_t first = series->groups[0].resource;
    series->info.group_type = first == OCELOTL_NONE
                                  ? oc_whole_group
                                  : trace->resource_types[trace->resources[first].type].name;
    return OCELOTL_OK;
}

ocelotl_status oc_series_find_groups(ocelotl_series *series, const char *at)
{
    oc_groups found = {0};
    const ocelotl_status status = find_groups(series, &found, at);
    oc_groups_free(&found);
    return status;
}
