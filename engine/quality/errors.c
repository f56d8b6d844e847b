/* How far clocks may differ: as asked for, as the trace says whose clocks were set, or as messages
 * say that bound them. */
#include "quality/links.h"

#include "base/map.h"
#include "base/memory.h"
#include "quality/clocks/clocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A clock as it is known: what it is ahead by at both ends of the run. */
typedef struct known_clock {
    uint32_t number, set;
    double ahead[2], bound;
} known_clock;

static void widen(oc_clock_range *range, const known_clock *clock)
{
    const bool first = range->set == OCELOTL_NONE;
    range->clock = first ? clock->number : OCELOTL_NONE;
    range->set = clock->set;
    for (int end = 0; end < 2; end++) {
        const double least = clock->ahead[end] - clock->bound;
        const double most = clock->ahead[end] + clock->bound;
        range->least[end] = first ? least : fmin(range->least[end], least);
        range->most[end] = first ? most : fmax(range->most[end], most);
    }
}

/* While clocks are given to groups. */
typedef struct giving {
    const ocelotl_trace *trace;
    const oc_groups *groups;
    oc_clock_errors *errors;
    uint32_t *clock_of; /* by resource: its number, OCELOTL_NONE */
    uint32_t *group_at; /* by resource: the group that it is */
} giving;

/* The nearest resource at or above one that has something. */
static uint32_t find_above(const giving *g, const uint32_t *has, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && has[resource] == OCELOTL_NONE)
        resource = g->trace->resources[resource].parent;
    return resource != OCELOTL_ROOT ? has[resource] : OCELOTL_NONE;
}

/* A group has the clock that it is, or is below; else all that are below it. Clocks of several sets
 * in one group do not compare. */
static void give(const giving *g, const known_clock *clocks)
{
    for (uint32_t i = 0; i < g->groups->count; i++) {
        const uint32_t resource = g->groups->resources[i];
        if (resource == OCELOTL_NONE)
            continue;
        const uint32_t clock = find_above(g, g->clock_of, resource);
        if (clock != OCELOTL_NONE)
            widen(&g->errors->ranges[i], &clocks[clock]);
    }
    for (uint32_t r = 0; r < g->trace->resource_count; r++) {
        const uint32_t clock = g->clock_of[r];
        const uint32_t group = clock != OCELOTL_NONE ? find_above(g, g->group_at, r) : OCELOTL_NONE;
        if (group == OCELOTL_NONE || g->errors->ranges[group].clock == clock)
            continue;
        oc_clock_range *range = &g->errors->ranges[group];
        const bool compare = range->set == OCELOTL_NONE || range->set == clocks[clock].set;
        widen(range, &clocks[clock]);
        if (!compare)
            range->most[0] = INFINITY;
    }
}

static ocelotl_status begin_giving(giving *g)
{
    OC_TRY(oc_allocate(&g->errors->ranges, g->groups->count, sizeof *g->errors->ranges));
    g->errors->count = g->groups->count;
    for (uint32_t i = 0; i < g->groups->count; i++)
        g->errors->ranges[i] = (oc_clock_range){.clock = OCELOTL_NONE, .set = OCELOTL_NONE};
    OC_TRY(oc_allocate(&g->clock_of, g->trace->resource_count, sizeof *g->clock_of));
    OC_TRY(oc_allocate(&g->group_at, g->trace->resource_count, sizeof *g->group_at));
    for (uint32_t r = 0; r < g->trace->resource_count; r++)
        g->clock_of[r] = g->group_at[r] = OCELOTL_NONE;
    for (uint32_t i = 0; i < g->groups->count; i++)
        if (g->groups->resources[i] != OCELOTL_NONE)
            g->group_at[g->groups->resources[i]] = i;
    return OCELOTL_OK;
}

/* --- Clocks that were set */

static ocelotl_status find_resources(const giving *g, const oc_catalogue *catalogue)
{
    oc_map numbers = {0};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t i = 0; i < ocelotl_trace_clock_count(g->trace) && status == OCELOTL_OK; i++) {
        const char *path = ocelotl_trace_clock_at(g->trace, i).path;
        status = oc_map_set(&numbers, path, strlen(path), i);
    }
    for (uint32_t r = 0; r < g->trace->resource_count && status == OCELOTL_OK; r++) {
        const char *path = oc_path_of(&catalogue->paths, r);
        g->clock_of[r] = oc_map_get(&numbers, path, strlen(path));
        if (g->clock_of[r] == OC_MAP_NONE)
            g->clock_of[r] = OCELOTL_NONE;
    }
    oc_map_free(&numbers);
    return status;
}

/* They are as near to the reference as their bounds say. */
static ocelotl_status take_set(const giving *g, const oc_catalogue *catalogue)
{
    const uint32_t count = ocelotl_trace_clock_count(g->trace);
    known_clock *clocks = NULL;
    OC_TRY(find_resources(g, catalogue));
    OC_TRY(oc_allocate(&clocks, count, sizeof *clocks));
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_set_clock clock = ocelotl_trace_clock_at(g->trace, i);
        clocks[i] = (known_clock){.number = i, .set = clock.group, .bound = clock.bound};
    }
    give(g, clocks);
    free(clocks);
    g->errors->source = OCELOTL_ERROR_OF_TRACE;
    return OCELOTL_OK;
}

/* --- What messages say */

static ocelotl_status take_found(const giving *g, const ocelotl_clocks *found)
{
    const uint32_t count = found->network.count;
    known_clock *clocks = NULL;
    OC_TRY(oc_allocate(&clocks, count, sizeof *clocks));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t resource = ocelotl_clocks_at(found, i).resource;
        clocks[i] = (known_clock){.number = i,
                                  .set = found->network.clocks[i].set,
                                  .ahead = {oc_network_ahead(&found->network, i, false),
                                            oc_network_ahead(&found->network, i, true)},
                                  .bound = found->network.clocks[i].bound};
        if (resource < g->trace->resource_count)
            g->clock_of[resource] = i;
    }
    give(g, clocks);
    free(clocks);
    g->errors->source = OCELOTL_ERROR_FOUND;
    return OCELOTL_OK;
}

/* A trace may say nothing of its clocks, or too much to be solved. */
static ocelotl_status find(const giving *g, const oc_error_request *asked)
{
    ocelotl_clocks **found = &g->errors->found;
    ocelotl_clocks_options options = {0};
    options.at = asked->options->at;
    options.type = asked->options->type;
    options.max_drift = asked->options->max_drift;
    options.work = asked->options->work;
    options.collectives = asked->options->collectives;
    ocelotl_status status = options.max_drift < 0.5
                                ? ocelotl_clocks_compute(found, asked->catalogue->trace, &options)
                                : OCELOTL_ERROR_LIMIT;
    if (status == OCELOTL_OK)
        status = take_found(g, *found);
    else if (status == OCELOTL_ERROR_ARGUMENT || status == OCELOTL_ERROR_EMPTY ||
             status == OCELOTL_ERROR_LIMIT)
        status = OCELOTL_OK;
    return status;
}

/* --- The request */

ocelotl_status oc_clock_errors_find(oc_clock_errors *errors, const oc_error_request *asked)
{
    giving g = {.trace = asked->catalogue->trace, .groups = asked->groups, .errors = errors};
    errors->asked = asked->options->clock_error;
    if (errors->asked > 0) {
        errors->source = OCELOTL_ERROR_ASKED;
        return OCELOTL_OK;
    }
    ocelotl_status status = begin_giving(&g);
    if (status == OCELOTL_OK)
        status = ocelotl_trace_clock_count(g.trace) > 0 ? take_set(&g, asked->catalogue)
                                                        : find(&g, asked);
    free(g.clock_of);
    free(g.group_at);
    return status;
}

void oc_clock_errors_free(oc_clock_errors *errors)
{
    free(errors->ranges);
    ocelotl_clocks_free(errors->found);
    *errors = (oc_clock_errors){0};
}

int64_t oc_clock_error_between(const oc_clock_errors *errors, uint32_t a, uint32_t b)
{
    if (errors->source == OCELOTL_ERROR_ASKED)
        return errors->asked;
    if (errors->source == OCELOTL_ERROR_UNKNOWN || a >= errors->count || b >= errors->count)
        return -1;
    const oc_clock_range *one = &errors->ranges[a];
    const oc_clock_range *other = &errors->ranges[b];
    if (one->set == OCELOTL_NONE || one->set != other->set)
        return -1;
    if (one->clock != OCELOTL_NONE && one->clock == other->clock)
        return 0;
    double most = 0;
    /* two clocks that messages join say more of each other than their reference does */
    if (errors->found != NULL && one->clock != OCELOTL_NONE && other->clock != OCELOTL_NONE)
        most = oc_network_differ(&errors->found->network, one->clock, other->clock);
    else
        for (int end = 0; end < 2; end++)
            most = fmax(
                most, fmax(one->most[end] - other->least[end], other->most[end] - one->least[end]));
    return most < 0x1p62 ? (int64_t)ceil(most) : -1;
}
