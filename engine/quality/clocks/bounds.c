/* How far off clocks can be. Any line of a pair that no message contradicts may be the true one; at
 * an instant its highest one says how far the error of one clock is above that of the other at
 * most. Along a path such steps add up, so the least sum over all paths, to the reference and from
 * it, bounds a clock: shortest paths (D. Bertsekas, Network optimization, 1998, 2.4). Errors of
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
    bool broken;        /* its messages contradict all straight clocks */
} window;

typedef struct search {
    const oc_network *network;
    window *windows;      /* by set */
    double *there, *back; /* by pairing: how far the error of a can be above that of b, and back */
    double *length;       /* by clock */
    uint32_t *queue, *times; /* clocks whose length became less, and how often */
    bool *waits;
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

static void find_windows(const search *s)
{
    const oc_network *network = s->network;
    for (uint32_t i = 0; i < network->set_count; i++)
        s->windows[i] = (window){INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN, false};
    for (size_t p = 0; p < network->pairing_count; p++)
        if (network->pairings[p].width < 0)
            s->windows[network->clocks[network->pairings[p].a].set].broken = true;
    for (uint32_t c = 0; c < network->count; c++) {
        const oc_clock *clock = &network->clocks[c];
        window *is = &s->windows[clock->set];
        extend(&is->begin, &is->end, clock, clock->first, clock->last);
        extend(&is->from, &is->to, clock, clock->first, clock->last);
        extend(&is->from, &is->to, clock, clock->begin, clock->end);
    }
}

/* --- Steps */

static void measure(const search *s, size_t index, double x)
{
    const oc_network *network = s->network;
    const oc_pairing *pairing = &network->pairings[index];
    double there = INFINITY;
    double back = INFINITY;
    if (pairing->above.count > 0)
        there = oc_network_transit(network, pairing, x, oc_line_highest(pairing, x));
    if (pairing->below.count > 0)
        back = -oc_network_transit(network, pairing, x, oc_line_lowest(pairing, x));
    s->there[index] = there;
    s->back[index] = back;
}

/* --- Paths */

/* Whether the path by an edge is shorter than what is known. Lengths can be below 0; a round of
 * those has no shortest path. */
static bool shortens(const search *s, uint32_t clock, uint32_t edge, bool against)
{
    const oc_network *network = s->network;
    const uint32_t other = oc_pairing_other(&network->pairings[edge], clock);
    const uint32_t set = network->clocks[clock].set;
    const bool along = (network->pairings[edge].a == clock) != against;
    const double length = s->length[clock] + (along ? s->there[edge] : s->back[edge]);
    if (network->clocks[other].set != set || s->windows[set].broken ||
        !(length < s->length[other] - 1e-6))
        return false;
    s->length[other] = length;
    s->windows[set].broken = ++s->times[other] > network->count;
    return !s->waits[other];
}

static void find_paths(const search *s, bool against)
{
    const oc_network *network = s->network;
    const uint32_t count = network->count;
    size_t waiting = network->set_count;
    for (uint32_t c = 0; c < count; c++) {
        s->length[c] = INFINITY;
        s->times[c] = 0;
    }
    for (uint32_t i = 0; i < network->set_count; i++) { /* paths start at the references */
        const uint32_t clock = network->references[i];
        s->length[clock] = 0;
        s->queue[i] = clock;
        s->waits[clock] = true;
    }
    for (size_t first = 0; waiting > 0; first = (first + 1) % count) {
        const uint32_t clock = s->queue[first];
        waiting--;
        s->waits[clock] = false;
        for (uint32_t e = network->first_edge[clock]; e < network->first_edge[clock + 1]; e++) {
            if (!shortens(s, clock, network->edges[e], against))
                continue;
            const uint32_t other = oc_pairing_other(&network->pairings[network->edges[e]], clock);
            s->waits[other] = true;
            s->queue[(first + 1 + waiting++) % count] = other;
        }
    }
}

/* --- At the ends of all that is dated */

static void widen_bounds(const search *s, oc_network *network)
{
    for (uint32_t c = 0; c < network->count; c++) {
        oc_clock *clock = &network->clocks[c];
        clock->bound =
            s->windows[clock->set].broken ? INFINITY : fmax(clock->bound, fabs(s->length[c]));
    }
}

static void find_bounds(const search *s, void *result)
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
        find_paths(s, false);
        widen_bounds(s, network);
        find_paths(s, true);
        widen_bounds(s, network);
    }
}

/* --- At any instant */

static bool is_told(const search *s, uint32_t clock, int64_t instant)
{
    const window *is = &s->windows[s->network->clocks[clock].set];
    return !is->broken && instant >= is->begin && instant <= is->end;
}

/* A round that has no shortest path may be found at any step: it contradicts all of them. */
static void find_bands(const search *s, void *result)
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
        find_paths(s, false);
        for (uint32_t c = 0; c < network->count; c++)
            bands->most[c * steps + step] = is_told(s, c, instant) ? s->length[c] : INFINITY;
        find_paths(s, true);
        for (uint32_t c = 0; c < network->count; c++)
            bands->least[c * steps + step] = is_told(s, c, instant) ? -s->length[c] : -INFINITY;
    }
    for (uint32_t c = 0; c < network->count; c++)
        for (size_t i = 0; i < steps && s->windows[network->clocks[c].set].broken; i++) {
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
                                     void (*find)(const search *s, void *result), void *result)
{
    search s = {.network = network};
    double *numbers = NULL;
    uint32_t *clocks = NULL;
    const size_t pairings = network->pairing_count;
    ocelotl_status status = oc_allocate(&numbers, 2 * pairings + network->count, sizeof *numbers);
    if (status == OCELOTL_OK)
        status = oc_allocate(&clocks, 2 * (size_t)network->count, sizeof *clocks);
    if (status == OCELOTL_OK)
        status = oc_allocate(&s.waits, network->count, sizeof *s.waits);
    if (status == OCELOTL_OK)
        status = oc_allocate(&s.windows, network->set_count, sizeof *s.windows);
    if (status == OCELOTL_OK && network->count > 0) {
        s.there = numbers;
        s.back = numbers + pairings;
        s.length = numbers + 2 * pairings;
        s.queue = clocks;
        s.times = clocks + network->count;
        find_windows(&s);
        find(&s, result);
    }
    free(numbers);
    free(clocks);
    free(s.waits);
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
