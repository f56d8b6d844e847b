#include "quality/clocks/network.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_routes_make(oc_routes *routes, const oc_network *network)
{
    const size_t clocks = network->count;
    routes->network = network;
    OC_TRY(oc_allocate(&routes->there, network->pairing_count, sizeof *routes->there));
    OC_TRY(oc_allocate(&routes->back, network->pairing_count, sizeof *routes->back));
    OC_TRY(oc_allocate(&routes->length, clocks, sizeof *routes->length));
    OC_TRY(oc_allocate(&routes->broken, network->set_count, sizeof *routes->broken));
    OC_TRY(oc_allocate(&routes->queue, clocks, sizeof *routes->queue));
    OC_TRY(oc_allocate(&routes->before, clocks, sizeof *routes->before));
    OC_TRY(oc_allocate(&routes->passed, clocks, sizeof *routes->passed));
    return oc_allocate(&routes->waits, clocks, sizeof *routes->waits);
}

void oc_routes_free(oc_routes *routes)
{
    free(routes->there);
    free(routes->back);
    free(routes->length);
    free(routes->broken);
    free(routes->queue);
    free(routes->before);
    free(routes->passed);
    free(routes->waits);
    *routes = (oc_routes){0};
}

/* A round below 0 makes the clocks of some path come from each other. O(clocks). */
static void find_rounds(const oc_routes *routes)
{
    const uint32_t count = routes->network->count;
    memset(routes->passed, 0, count * sizeof *routes->passed);
    for (uint32_t first = 0; first < count; first++) {
        uint32_t clock = first;
        while (clock != OCELOTL_NONE && routes->passed[clock] == 0) {
            routes->passed[clock] = first + 1;
            clock = routes->before[clock];
        }
        if (clock != OCELOTL_NONE && routes->passed[clock] == first + 1)
            routes->broken[routes->network->clocks[clock].set] = true;
    }
}

void oc_routes_find(oc_routes *routes, bool from_all, bool against)
{
    static const double nothing = 1e-6; /* of a tick: sums of doubles are not exact */
    const oc_network *network = routes->network;
    const uint32_t count = network->count;
    size_t waiting = 0;
    size_t shortened = 0;
    for (uint32_t c = 0; c < count; c++) {
        const bool begins = from_all || network->references[network->clocks[c].set] == c;
        routes->length[c] = begins ? 0 : INFINITY;
        routes->before[c] = OCELOTL_NONE;
        routes->waits[c] = begins;
        if (begins)
            routes->queue[waiting++] = c;
    }
    for (size_t first = 0; waiting > 0; first = (first + 1) % count) {
        const uint32_t clock = routes->queue[first];
        const uint32_t set = network->clocks[clock].set;
        waiting--;
        routes->waits[clock] = false;
        for (uint32_t e = network->first_edge[clock]; e < network->first_edge[clock + 1]; e++) {
            const uint32_t edge = network->edges[e];
            const oc_pairing *pairing = &network->pairings[edge];
            const uint32_t other = oc_pairing_other(pairing, clock);
            const bool along = (pairing->a == clock) != against;
            const double length =
                routes->length[clock] + (along ? routes->there[edge] : routes->back[edge]);
            if (network->clocks[other].set != set || routes->broken[set] ||
                !(length < routes->length[other] - nothing))
                continue;
            routes->length[other] = length;
            routes->before[other] = clock;
            if (++shortened % count == 0)
                find_rounds(routes);
            if (!routes->waits[other]) {
                routes->waits[other] = true;
                routes->queue[(first + 1 + waiting++) % count] = other;
            }
        }
    }
}
