/* The graph of clocks: its edges, its sets, and which clock's time is told in each. */
#include "quality/clocks/network.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <math.h>
#include <stdlib.h>

ocelotl_status oc_network_make(oc_network *network, uint32_t clocks)
{
    OC_TRY(oc_allocate(&network->clocks, clocks, sizeof *network->clocks));
    network->count = clocks;
    for (uint32_t c = 0; c < clocks; c++) {
        network->clocks[c].first = INT64_MAX;
        network->clocks[c].last = INT64_MIN;
        network->clocks[c].begin = INT64_MAX;
        network->clocks[c].end = INT64_MIN;
    }
    return OCELOTL_OK;
}

void oc_network_free(oc_network *network)
{
    for (size_t p = 0; p < network->pairing_count; p++)
        oc_pairing_free(&network->pairings[p]);
    oc_map_free(&network->pairing_of);
    free(network->pairings);
    free(network->clocks);
    free(network->first_edge);
    free(network->edges);
    free(network->references);
    free(network->runs);
    free(network->order);
    *network = (oc_network){0};
}

ocelotl_status oc_network_pair(uint32_t *index, oc_network *network, uint32_t a, uint32_t b)
{
    const uint32_t key[] = {a, b};
    *index = oc_map_get(&network->pairing_of, key, sizeof key);
    if (*index != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&network->pairings, &network->pairing_capacity, network->pairing_count + 1,
                   sizeof *network->pairings));
    *index = (uint32_t)network->pairing_count;
    OC_TRY(oc_map_set(&network->pairing_of, key, sizeof key, *index));
    network->pairings[network->pairing_count++] = (oc_pairing){.a = a, .b = b};
    return OCELOTL_OK;
}

static void note_time(oc_clock *clock, int64_t time)
{
    clock->first = time < clock->first ? time : clock->first;
    clock->last = time > clock->last ? time : clock->last;
}

ocelotl_status oc_network_add(oc_network *network, uint32_t pairing, uint32_t source, int64_t sent,
                              uint32_t target, int64_t received)
{
    oc_pairing *is = &network->pairings[pairing];
    note_time(&network->clocks[source], sent);
    note_time(&network->clocks[target], received);
    return source == is->a ? oc_pairing_add(is, sent, received, true)
                           : oc_pairing_add(is, received, sent, false);
}

/* --- Edges */

static ocelotl_status list_edges(oc_network *network)
{
    uint32_t *first;
    OC_TRY(
        oc_allocate(&network->first_edge, (size_t)network->count + 2, sizeof *network->first_edge));
    OC_TRY(oc_allocate(&network->edges, 2 * network->pairing_count, sizeof *network->edges));
    first = network->first_edge + 1;
    for (size_t p = 0; p < network->pairing_count; p++) {
        first[network->pairings[p].a + 1]++;
        first[network->pairings[p].b + 1]++;
    }
    for (uint32_t c = 0; c < network->count; c++)
        first[c + 1] += first[c];
    for (size_t p = 0; p < network->pairing_count; p++) {
        network->edges[first[network->pairings[p].a]++] = (uint32_t)p;
        network->edges[first[network->pairings[p].b]++] = (uint32_t)p;
    }
    return OCELOTL_OK;
}

static void find_lines(oc_network *network)
{
    for (size_t p = 0; p < network->pairing_count; p++) {
        oc_pairing *pairing = &network->pairings[p];
        oc_hull_finish(&pairing->above);
        oc_hull_finish(&pairing->below);
        oc_line_find(pairing, network->most_drift);
        network->bent += pairing->width < 0;
        network->one_way += !oc_pairing_is_two_way(pairing);
        for (int end = 0; end < 2; end++) {
            oc_clock *clock = &network->clocks[end == 0 ? pairing->a : pairing->b];
            clock->messages += pairing->there + pairing->back;
            clock->samples += pairing->samples;
        }
    }
}

void oc_network_let_drift(oc_network *network, double most_drift)
{
    network->most_drift = most_drift;
    network->bent = 0;
    for (size_t p = 0; p < network->pairing_count; p++) {
        oc_pairing *pairing = &network->pairings[p];
        const oc_line line = pairing->line;
        oc_line_find(pairing, most_drift);
        pairing->line = line;
        network->bent += pairing->width < 0;
    }
}

/* --- Sets of clocks that bound each other: strongly connected components (R. Tarjan, Depth-first
 * search and linear graph algorithms, 1972), without recursion */

typedef struct set_search {
    oc_network *network;
    uint32_t *number; /* by clock, in the order of finding, from 1; 0: not found yet */
    uint32_t *lowest; /* the lowest that it leads back to */
    uint32_t *next;   /* its next edge */
    uint32_t *path, *open;
    uint32_t path_count, open_count, found;
} set_search;

static void enter(set_search *s, uint32_t clock)
{
    s->number[clock] = s->lowest[clock] = ++s->found;
    s->next[clock] = s->network->first_edge[clock];
    s->path[s->path_count++] = clock;
    s->open[s->open_count++] = clock;
}

static void lower(set_search *s, uint32_t clock, uint32_t to)
{
    if (to < s->lowest[clock])
        s->lowest[clock] = to;
}

static void leave(set_search *s, uint32_t clock)
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

static void follow(set_search *s, uint32_t clock)
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

static void search_sets(set_search *s)
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

static ocelotl_status find_sets(oc_network *network)
{
    uint32_t *space = NULL;
    const size_t count = network->count;
    OC_TRY(oc_allocate(&space, 5 * count, sizeof *space));
    for (uint32_t c = 0; c < network->count; c++)
        network->clocks[c].set = OCELOTL_NONE;
    network->set_count = 0;
    set_search s = {.network = network,
                    .number = space,
                    .lowest = space + count,
                    .next = space + 2 * count,
                    .path = space + 3 * count,
                    .open = space + 4 * count};
    search_sets(&s);
    free(space);
    return OCELOTL_OK;
}

/* --- References */

static uint64_t weight_of(const oc_clock *clock)
{
    return clock->messages + clock->samples;
}

/* Sets in the order of their first clocks. */
static ocelotl_status number_sets(oc_network *network)
{
    uint32_t *number = NULL;
    uint32_t next = 0;
    OC_TRY(oc_allocate(&number, network->set_count, sizeof *number));
    for (uint32_t c = 0; c < network->count; c++) {
        uint32_t *set = &network->clocks[c].set;
        if (number[*set] == 0)
            number[*set] = ++next;
        *set = number[*set] - 1;
    }
    free(number);
    return OCELOTL_OK;
}

static ocelotl_status choose_references(oc_network *network, const uint32_t *references,
                                        size_t count)
{
    OC_TRY(oc_allocate(&network->references, network->set_count, sizeof *network->references));
    OC_TRY(oc_allocate(&network->runs, network->set_count, sizeof *network->runs));
    for (uint32_t s = 0; s < network->set_count; s++)
        network->references[s] = OCELOTL_NONE;
    for (uint32_t c = 0; c < network->count; c++) {
        uint32_t *chosen = &network->references[network->clocks[c].set];
        if (*chosen == OCELOTL_NONE ||
            weight_of(&network->clocks[c]) > weight_of(&network->clocks[*chosen]))
            *chosen = c;
    }
    for (size_t i = 0; i < count; i++)
        network->references[network->clocks[references[i]].set] = references[i];
    return OCELOTL_OK;
}

static int64_t between(int64_t low, int64_t high)
{
    return low > high ? 0 : low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
}

/* Starts from the lines along a tree, so that what is left to find is small: sums of int64 ticks
 * hold any offset, and doubles the rest. */
static void start_from(oc_network *network, uint32_t clock, const oc_pairing *pairing)
{
    const uint32_t other = oc_pairing_other(pairing, clock);
    const oc_clock *known = &network->clocks[clock];
    oc_clock *found = &network->clocks[other];
    const double middle = pairing->first + (pairing->last - pairing->first) / 2;
    const int64_t ahead =
        (int64_t)((uint64_t)pairing->z +
                  (uint64_t)(int64_t)llrint(pairing->line.level + pairing->line.slope * middle));
    found->offset = (int64_t)((uint64_t)known->offset +
                              (clock == pairing->a ? (uint64_t)ahead : -(uint64_t)ahead));
}

/* Breadth first: a tree, from what is next to the reference. */
static ocelotl_status order_clocks(oc_network *network)
{
    uint32_t found = 0;
    bool *seen = NULL;
    OC_TRY(oc_allocate(&network->order, network->count, sizeof *network->order));
    OC_TRY(oc_allocate(&seen, network->count, sizeof *seen));
    for (uint32_t s = 0; s < network->set_count; s++) {
        uint32_t next = found;
        network->order[found++] = network->references[s];
        seen[network->references[s]] = true;
        network->clocks[network->references[s]].toward = OCELOTL_NONE;
        for (; next < found; next++) {
            const uint32_t clock = network->order[next];
            for (uint32_t e = network->first_edge[clock]; e < network->first_edge[clock + 1]; e++) {
                const oc_pairing *pairing = &network->pairings[network->edges[e]];
                const uint32_t other = oc_pairing_other(pairing, clock);
                if (seen[other] || network->clocks[other].set != s)
                    continue;
                seen[other] = true;
                network->clocks[other].toward = network->edges[e];
                network->order[found++] = other;
                start_from(network, clock, pairing);
            }
        }
    }
    free(seen);
    return OCELOTL_OK;
}

ocelotl_status oc_network_join(oc_network *network, const uint32_t *references, size_t count)
{
    OC_TRY(list_edges(network));
    find_lines(network);
    for (uint32_t c = 0; c < network->count; c++)
        network->clocks[c].middle = between(network->clocks[c].first, network->clocks[c].last);
    OC_TRY(find_sets(network));
    OC_TRY(number_sets(network));
    OC_TRY(choose_references(network, references, count));
    return order_clocks(network);
}

/* --- Messages between clocks that are set */

/* Where nothing of both clocks' ticks is lost: whole ticks first. */
static double transit_at_origin(const oc_network *network, const oc_pairing *pairing)
{
    const oc_clock *a = &network->clocks[pairing->a];
    const oc_clock *b = &network->clocks[pairing->b];
    const double whole =
        (double)(int64_t)((uint64_t)pairing->z - (uint64_t)b->offset + (uint64_t)a->offset);
    const double since_a = (double)(int64_t)((uint64_t)pairing->x - (uint64_t)a->middle);
    const double since_b =
        (double)(int64_t)((uint64_t)pairing->x + (uint64_t)pairing->z - (uint64_t)b->middle);
    return whole - b->rest + a->rest - b->drift * since_b + a->drift * since_a;
}

double oc_network_transit(const oc_network *network, const oc_pairing *pairing, double x, double z)
{
    const double drift = network->clocks[pairing->b].drift;
    return transit_at_origin(network, pairing) + (1 - drift) * z +
           (network->clocks[pairing->a].drift - drift) * x;
}

double oc_network_least(const oc_network *network, const oc_pairing *pairing, bool there)
{
    const double drift = network->clocks[pairing->b].drift;
    /* of the line along which messages of a pairing take the same time */
    const double slope = (drift - network->clocks[pairing->a].drift) / (1 - drift);
    const double origin = transit_at_origin(network, pairing);
    if ((there ? pairing->above.count : pairing->below.count) == 0)
        return INFINITY;
    return there ? origin + (1 - drift) * oc_hull_least(&pairing->above, slope)
                 : -origin + (1 - drift) * oc_hull_least(&pairing->below, -slope);
}
