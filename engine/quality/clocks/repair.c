/* Clocks that least squares leave where some message ends before it begins are moved, as little as
 * it takes. What messages allow is a half-space of offsets and drifts for each of them; the nearest
 * point of one after the other is taken until it is in all (S. Kaczmarz, 1937). */
#include "quality/clocks/network.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 500, ROUNDS = 100 };

static const double margin = 0.5; /* of a tick: sums of doubles are not exact */

static void move(oc_clock *clock, double offset, double drift)
{
    clock->drift += drift;
    clock->rest += offset;
    const double whole = rint(clock->rest);
    clock->offset += (int64_t)whole;
    clock->rest -= whole;
}

/* Whether both ends of a pairing are of one set. */
static bool counts(const oc_network *network, const oc_pairing *pairing)
{
    return network->clocks[pairing->a].set == network->clocks[pairing->b].set;
}

/* --- Offsets and drifts */

/* How much a clock that may move weighs in a message, by its offset and by its drift. A drift is
 * measured by what it makes of half the clock's run. */
typedef struct lever {
    double half;   /* of the run, in ticks */
    double offset; /* 1; 0: it is a reference */
    double drift;
} lever;

static lever lever_of(const oc_network *network, const oc_clock *clock, double since_middle)
{
    const double half = ((double)clock->last - (double)clock->first) / 2;
    lever is = {.half = half, .offset = clock->place != OCELOTL_NONE};
    if (is.offset > 0 && half > 0 && network->most_drift > 0)
        is.drift = since_middle / half;
    return is;
}

static double ticks_between(int64_t later, int64_t earlier)
{
    return (double)(int64_t)((uint64_t)later - (uint64_t)earlier);
}

/* Moves both clocks of a pairing so that its quickest message takes a little more than nothing. */
static void let_last(oc_network *network, const oc_pairing *pairing, bool there, double least)
{
    const oc_point point = oc_network_quickest(network, pairing, there);
    oc_clock *a = &network->clocks[pairing->a];
    oc_clock *b = &network->clocks[pairing->b];
    const lever of_a = lever_of(network, a, ticks_between(pairing->x, a->middle) + point.x);
    const lever of_b =
        lever_of(network, b, ticks_between(pairing->x + pairing->z, b->middle) + point.x + point.z);
    const double weight =
        of_a.offset + of_a.drift * of_a.drift + of_b.offset + of_b.drift * of_b.drift;
    const double by = (1.5 * margin - least) / weight * (there ? 1 : -1);
    if (!(weight > 0))
        return;
    move(a, by * of_a.offset, of_a.half > 0 ? by * of_a.drift / of_a.half : 0);
    move(b, -by * of_b.offset, of_b.half > 0 ? -by * of_b.drift / of_b.half : 0);
}

/* Messages that no clocks explain push each other: at some time a clock stands still, or runs
 * backwards, and nothing more can be said by it. */
static bool runs(const oc_network *network, uint32_t clock)
{
    return fabs(network->clocks[clock].drift) < 1;
}

/* Whether no message ends before it begins now. */
static bool let_all_last(oc_network *network)
{
    bool moved = true;
    for (int sweep = 0; sweep < SWEEPS && moved; sweep++) {
        moved = false;
        for (size_t p = 0; p < 2 * network->pairing_count; p++) {
            const oc_pairing *pairing = &network->pairings[p / 2];
            const double least = oc_network_least(network, pairing, p % 2 == 0);
            if (!counts(network, pairing) || least >= margin)
                continue;
            let_last(network, pairing, p % 2 == 0, least);
            if (!runs(network, pairing->a) || !runs(network, pairing->b))
                return false;
            moved = true;
        }
    }
    return !moved;
}

/* --- Offsets alone, of the pairs that these can help */

/* Both clocks give half; a reference gives nothing. */
static void part(oc_network *network, const oc_pairing *pairing, double by)
{
    oc_clock *a = &network->clocks[pairing->a];
    oc_clock *b = &network->clocks[pairing->b];
    const bool a_stays = a->place == OCELOTL_NONE;
    const bool b_stays = b->place == OCELOTL_NONE;
    if (!a_stays)
        move(a, b_stays ? by : by / 2, 0);
    if (!b_stays)
        move(b, a_stays ? -by : -by / 2, 0);
}

static void shift_some(oc_network *network)
{
    bool moved = true;
    for (int sweep = 0; sweep < SWEEPS && moved; sweep++) {
        moved = false;
        for (size_t p = 0; p < network->pairing_count; p++) {
            const oc_pairing *pairing = &network->pairings[p];
            const double there = oc_network_least(network, pairing, true);
            const double back = oc_network_least(network, pairing, false);
            if (!counts(network, pairing) || there + back < 2 * margin ||
                (there >= margin && back >= margin))
                continue;
            part(network, pairing, there < margin ? 1.5 * margin - there : back - 1.5 * margin);
            moved = true;
        }
    }
}

/* --- Speeds */

/* The least and the greatest drift of a set, whose reference has none. */
typedef struct speeds {
    double least, greatest;
} speeds;

static void find_speeds(speeds *of, const oc_network *network)
{
    for (uint32_t i = 0; i < network->set_count; i++)
        of[i] = (speeds){0, 0};
    for (uint32_t c = 0; c < network->count; c++) {
        speeds *set = &of[network->clocks[c].set];
        set->least = fmin(set->least, network->clocks[c].drift);
        set->greatest = fmax(set->greatest, network->clocks[c].drift);
    }
}

/* Whether any two clocks of each set differ in speed by no more than they may; or, if asked, at
 * least each from its reference. */
static bool run_as_they_may(const oc_network *network, speeds *of, bool nearly)
{
    const double most = network->most_drift / (1 + network->most_drift);
    find_speeds(of, network);
    for (uint32_t i = 0; i < network->set_count; i++) {
        const double apart =
            nearly ? fmax(of[i].greatest, -of[i].least) : of[i].greatest - of[i].least;
        if (apart > most)
            return false;
    }
    return true;
}

/* Brings the fastest and the slowest clocks of each set to less than they may differ by, as much as
 * they pass it: messages part them again. */
static void limit_speeds(oc_network *network, speeds *of)
{
    const double most = network->most_drift / (1 + network->most_drift);
    find_speeds(of, network);
    for (uint32_t c = 0; c < network->count; c++) {
        oc_clock *clock = &network->clocks[c];
        const speeds *set = &of[clock->set];
        const double apart = set->greatest - set->least;
        const double share = fmax(0.9 * most, 2 * most - apart) / apart;
        if (share < 1)
            clock->drift = fmin(fmax(clock->drift, share * set->least), share * set->greatest);
    }
}

/* --- The whole */

/* Whether clocks explain all messages, that run as they may, or nearly so where none do. */
static bool let_all_last_within(oc_network *network, speeds *of)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (!let_all_last(network))
            return false;
        if (run_as_they_may(network, of, false))
            return true;
        limit_speeds(network, of);
    }
    return let_all_last(network) && run_as_they_may(network, of, true);
}

ocelotl_status oc_network_repair(oc_network *network)
{
    oc_clock *before = NULL;
    speeds *of = NULL;
    ocelotl_status status = oc_allocate(&before, network->count, sizeof *before);
    if (status == OCELOTL_OK)
        status = oc_allocate(&of, network->set_count, sizeof *of);
    if (status == OCELOTL_OK) {
        const size_t size = network->count * sizeof *before;
        memcpy(before, network->clocks, size);
        /* where no clocks explain all messages, those that some explain still count */
        if (!let_all_last_within(network, of)) {
            memcpy(network->clocks, before, size);
            limit_speeds(network, of);
            shift_some(network);
        }
    }
    free(before);
    free(of);
    return status;
}
