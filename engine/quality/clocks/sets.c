/* Sets of clocks that bound each other: strongly connected components (R. Tarjan, Depth-first
 * search and linear graph algorithms, 1972), without recursion. */
#include "quality/clocks/network.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <stdlib.h>

typedef struct search {
    oc_network *network;
    uint32_t *number; /* by clock, in the order of finding, from 1; 0: not found yet */
    uint32_t *lowest; /* the lowest that it leads back to */
    uint32_t *next;   /* its next edge */
    uint32_t *path, *open;
    uint32_t path_count, open_count, found;
} search;

static void enter(search *s, uint32_t clock)
{
    s->number[clock] = s->lowest[clock] = ++s->found;
    s->next[clock] = s->network->first_edge[clock];
    s->path[s->path_count++] = clock;
    s->open[s->open_count++] = clock;
}

static void lower(search *s, uint32_t clock, uint32_t to)
{
    if (to < s->lowest[clock])
        s->lowest[clock] = to;
}

static void leave(search *s, uint32_t clock)
{
    oc_network *network = s->network;
    s->path_count--;
    if (s->path_count > 0)
        lower(s, s->path[s->path_count - 1], s->lowest[clock]);
    if (s->lowest[clock] != s->number[clock])
        return;
    uint32_t member;
    do {
        member = s->open[--s->open_count];
        network->clocks[member].set = network->set_count;
    } while (member != clock);
    network->set_count++;
}

static void follow(search *s, uint32_t clock)
{
    const oc_network *network = s->network;
    const oc_pairing *pairing = &network->pairings[network->edges[s->next[clock]++]];
    const uint32_t other = oc_pairing_other(pairing, clock);
    if (!oc_pairing_leads_from(pairing, clock))
        return;
    if (s->number[other] == 0)
        enter(s, other);
    else if (network->clocks[other].set == OCELOTL_NONE)
        lower(s, clock, s->number[other]);
}

static void find(search *s)
{
    for (uint32_t c = 0; c < s->network->count; c++) {
        if (s->number[c] == 0)
            enter(s, c);
        while (s->path_count > 0) {
            const uint32_t clock = s->path[s->path_count - 1];
            if (s->next[clock] < s->network->first_edge[clock + 1])
                follow(s, clock);
            else
                leave(s, clock);
        }
    }
}

ocelotl_status oc_network_find_sets(oc_network *network)
{
    uint32_t *space = NULL;
    const size_t count = network->count;
    OC_TRY(oc_allocate(&space, 5 * count, sizeof *space));
    for (uint32_t c = 0; c < network->count; c++)
        network->clocks[c].set = OCELOTL_NONE;
    network->set_count = 0;
    search s = {.network = network,
                .number = space,
                .lowest = space + count,
                .next = space + 2 * count,
                .path = space + 3 * count,
                .open = space + 4 * count};
    find(&s);
    free(space);
    return OCELOTL_OK;
}
