/* How far off clocks can be. Any line of a pair that no message contradicts may be the true one; at
 * an instant its highest one says how far the error of one clock is above that of the other at
 * most. Along a path such steps add up, so the least sum over all paths, to the reference and from
 * it, bounds a clock. Errors of
 * straight clocks are straight, so the first and the last instant bound all between. Before and
 * behind all that is known lines part as far as their slopes differ, and so do bounds. */
#include "quality/clocks/network.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <math.h>
#include <stdlib.h>

/* What belongs to a set of clocks. */
typedef struct window {
    int64_t begin, end; /* of what is known, in its reference's time, */
    int64_t from, to;   /* and of all that its clocks date */
} window;

typedef struct search {
    const oc_network *network;
    window *windows; /* by set */
    /* how far the error of a can be above that of b, and back; a set is broken if its messages
     * contradict all straight clocks */
    oc_routes routes;
} search;

/* --- Windows */

static int64_t told(const oc_clock *clock, int64_t time)
{
    const double since = (double)time - (double)clock->middle;
    return (int64_t)((uint64_t)time - (uint64_t)clock->offset) -
           (int64_t)llrint(clock->rest + clock->drift * since);
}

static void extend(int64_t *begin, int64_t *end, const oc_clock *clock, int64_t first, int64_t last)
{
    if (last < first)
        return;
    const int64_t from = told(clock, first);
    const int64_t to = told(clock, last);
    *begin = from < *begin ? from : *begin;
    *end = to > *end ? to : *end;
}

static void find_windows(search *s)
{
    const oc_network *network = s->network;
    for (uint32_t i = 0; i < network->set_count; i++)
        s->windows[i] = (window){INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN};
    for (size_t p = 0; p < network->pairing_count; p++)
        if (network->pairings[p].width < 0)
            s->routes.broken[network->clocks[network->pairings[p].a].set] = true;
    for (uint32_t c = 0; c < network->count; c++) {
        const oc_clock *clock = &network->clocks[c];
        window *is = &s->windows[clock->set];
        extend(&is->begin, &is->end, clock, clock->first, clock->last);
        extend(&is->from, &is->to, clock, clock->first, clock->last);
        extend(&is->from, &is->to, clock, clock->begin, clock->end);
    }
}

/* --- Steps */

static void measure(search *s, size_t index, double x)
{
    const oc_network *network = s->network;
    const oc_pairing *pairing = &network->pairings[index];
    double there = INFINITY;
    double back = INFINITY;
    if (pairing->above.count > 0)
        there = oc_network_transit(network, pairing, x, oc_line_highest(pairing, x));
    if (pairing->below.count > 0)
        back = -oc_network_transit(network, pairing, x, oc_line_lowest(pairing, x));
    s->routes.there[index] = there;
    s->routes.back[index] = back;
}

/* --- At the ends of all that is dated */

static void widen_bounds(search *s, oc_network *network)
{
    for (uint32_t c = 0; c < network->count; c++) {
        oc_clock *clock = &network->clocks[c];
        clock->bound =
            s->routes.broken[clock->set] ? INFINITY : fmax(clock->bound, fabs(s->routes.length[c]));
    }
}

static void find_bounds(search *s, void *result)
{
    oc_network *network = result;
    for (uint32_t c = 0; c < network->count; c++)
        network->clocks[c].bound = 0;
    for (uint32_t i = 0; i < network->set_count; i++)
        network->runs[i] = (oc_run){s->windows[i].from, s->windows[i].to};
    for (int end = 0; end < (network->most_drift > 0 ? 2 : 1); end++) {
        for (size_t p = 0; p < network->pairing_count; p++) {
            const oc_pairing *pairing = &network->pairings[p];
            const window *is = &s->windows[network->clocks[pairing->a].set];
            measure(s, p, oc_network_place(network, pairing, end == 0 ? is->from : is->to));
        }
        oc_routes_find(&s->routes, false, false);
        widen_bounds(s, network);
        oc_routes_find(&s->routes, false, true);
        widen_bounds(s, network);
    }
}

/* --- At any instant */

static bool is_told(search *s, uint32_t clock, int64_t instant)
{
    const window *is = &s->windows[s->network->clocks[clock].set];
    return !s->routes.broken[s->network->clocks[clock].set] && instant >= is->begin &&
           instant <= is->end;
}

/* A round that has no shortest path may be found at any step: it contradicts all of them. */
static void find_bands(search *s, void *result)
{
    oc_clock_bands *bands = result;
    const oc_network *network = s->network;
    const size_t steps = (size_t)bands->steps + 1;
    bands->from = INT64_MAX;
    bands->to = INT64_MIN;
    for (uint32_t i = 0; i < network->set_count; i++) {
        bands->from = s->windows[i].begin < bands->from ? s->windows[i].begin : bands->from;
        bands->to = s->windows[i].end > bands->to ? s->windows[i].end : bands->to;
    }
    for (uint32_t step = 0; step < steps; step++) {
        const int64_t instant = oc_clock_bands_instant(bands, step);
        for (size_t p = 0; p < network->pairing_count; p++)
            measure(s, p, oc_network_place(network, &network->pairings[p], instant));
        oc_routes_find(&s->routes, false, false);
        for (uint32_t c = 0; c < network->count; c++)
            bands->most[c * steps + step] = is_told(s, c, instant) ? s->routes.length[c] : INFINITY;
        oc_routes_find(&s->routes, false, true);
        for (uint32_t c = 0; c < network->count; c++)
            bands->least[c * steps + step] =
                is_told(s, c, instant) ? -s->routes.length[c] : -INFINITY;
    }
    for (uint32_t c = 0; c < network->count; c++)
        for (size_t i = 0; i < steps && s->routes.broken[network->clocks[c].set]; i++) {
            bands->least[c * steps + i] = -INFINITY;
            bands->most[c * steps + i] = INFINITY;
        }
}

int64_t oc_clock_bands_instant(const oc_clock_bands *bands, uint32_t step)
{
    const double length = (double)bands->to - (double)bands->from;
    return step >= bands->steps ? bands->to : bands->from + (int64_t)(length * step / bands->steps);
}

/* --- The whole */

static ocelotl_status search_network(const oc_network *network,
                                     void (*find)(search *s, void *result), void *result)
{
    search s = {.network = network};
    ocelotl_status status = oc_routes_make(&s.routes, network);
    if (status == OCELOTL_OK)
        status = oc_allocate(&s.windows, network->set_count, sizeof *s.windows);
    if (status == OCELOTL_OK && network->count > 0) {
        find_windows(&s);
        find(&s, result);
    }
    oc_routes_free(&s.routes);
    free(s.windows);
    return status;
}

ocelotl_status oc_network_bound(oc_network *network)
{
    return search_network(network, find_bounds, network);
}

ocelotl_status oc_network_band(oc_clock_bands *bands, const oc_network *network)
{
    return search_network(network, find_bands, bands);
}

/* --- Two clocks, as they are. Straight clocks part evenly: the first and the last instant of their
 * run say how far they may be apart. */

double oc_network_place(const oc_network *network, const oc_pairing *pairing, int64_t instant)
{
    const oc_clock *a = &network->clocks[pairing->a];
    const int64_t read = (int64_t)((uint64_t)instant + (uint64_t)a->offset);
    return (double)(int64_t)((uint64_t)read - (uint64_t)pairing->x) + a->rest +
           a->drift * (double)(int64_t)((uint64_t)read - (uint64_t)a->middle);
}

/* By how much a clock is ahead of its reference at an instant of that one's time, by its line. */
static double ahead_at(const oc_clock *clock, int64_t instant)
{
    const double since = (double)instant - (double)clock->middle;
    return ((double)clock->offset + clock->rest + clock->drift * since) / (1 - clock->drift);
}

double oc_network_ahead(const oc_network *network, uint32_t clock, bool at_end)
{
    const oc_clock *is = &network->clocks[clock];
    const oc_run *run = &network->runs[is->set];
    return ahead_at(is, at_end ? run->to : run->from);
}

double oc_network_differ(const oc_network *network, uint32_t a, uint32_t b)
{
    const uint32_t first = a < b ? a : b;
    const oc_clock *one = &network->clocks[first];
    const oc_clock *other = &network->clocks[a < b ? b : a];
    const uint32_t key[] = {first, a < b ? b : a};
    const uint32_t pairing = oc_map_get(&network->pairing_of, key, sizeof key);
    double most = 0;
    if (one->set != other->set || !isfinite(one->bound + other->bound))
        return INFINITY;
    for (int end = 0; end < 2; end++) {
        const oc_run *run = &network->runs[one->set];
        const int64_t instant = end == 0 ? run->from : run->to;
        const double ahead = ahead_at(other, instant) - ahead_at(one, instant);
        const double around = (one->bound + other->bound) * (1 + 2 * network->most_drift);
        double lowest = ahead - around;
        double highest = ahead + around;
        if (pairing != OC_MAP_NONE) {
            /* What joins two clocks says more. When that is asked, the first one reads what it is
             * found to, to its bound. */
            const oc_pairing *joins = &network->pairings[pairing];
            const double x = oc_network_place(network, joins, instant);
            const double off = network->most_drift * one->bound;
            lowest = fmax(lowest, (double)joins->z + oc_line_lowest(joins, x) - off);
            highest = fmin(highest, (double)joins->z + oc_line_highest(joins, x) + off);
        }
        most = fmax(most, fmax(highest, -lowest));
    }
    return most;
}
