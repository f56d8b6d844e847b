/* How far two clocks may be apart at one instant, as they are. Straight clocks part evenly: the
 * first and the last instant of their run say it. */
#include "quality/clocks/network.h"

#include <math.h>

double oc_network_place(const oc_network *network, const oc_pairing *pairing, int64_t instant)
{
    const oc_clock *a = &network->clocks[pairing->a];
    const int64_t read = (int64_t)((uint64_t)instant + (uint64_t)a->offset);
    return (double)(int64_t)((uint64_t)read - (uint64_t)pairing->x) + a->rest +
           a->drift * (double)(int64_t)((uint64_t)read - (uint64_t)a->middle);
}

/* By how much a clock is ahead of its reference at an instant of that one's time, as its line says.
 */
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
