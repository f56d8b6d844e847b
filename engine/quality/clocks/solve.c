/* Least squares over all pairs: each says at its first and at its last message how far two clocks
 * are apart, and weighs the more the closer its bounds are. Loops are averaged, where a tree would
 * add up the errors of its branches. */
#include "quality/clocks/envelope.h"
#include "quality/clocks/network.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <math.h>
#include <stdlib.h>

/* Without messages far enough apart a drift is not known: then it is small. */
static const double faith = 1e-2;

typedef struct equations {
    oc_network *network;
    oc_envelope system;
    uint32_t unknowns;   /* of a clock: 1 or 2 */
    size_t delay;        /* the row of the least delay, SIZE_MAX: none */
    double half;         /* of the run, the unit of drifts */
    double tight, loose; /* how far off pairs are at least, and at most */
} equations;

typedef struct term {
    size_t row;
    double factor;
} term;

/* --- Shape */

static bool counts(const oc_network *network, const oc_pairing *pairing)
{
    return network->clocks[pairing->a].set == network->clocks[pairing->b].set;
}

static ocelotl_status find_shape(size_t **first, equations *e)
{
    const oc_network *network = e->network;
    size_t rows = 0;
    bool one_way = false;
    for (size_t p = 0; p < network->pairing_count; p++)
        one_way = one_way || (counts(network, &network->pairings[p]) &&
                              !oc_pairing_is_two_way(&network->pairings[p]));
    OC_TRY(oc_allocate(first, (size_t)network->count * e->unknowns + 1, sizeof **first));
    for (uint32_t i = 0; i < network->count; i++) {
        const uint32_t clock = network->order[i];
        const uint32_t place = network->clocks[clock].place;
        if (place == OCELOTL_NONE)
            continue;
        uint32_t least = place;
        for (uint32_t n = network->first_edge[clock]; n < network->first_edge[clock + 1]; n++) {
            const oc_pairing *pairing = &network->pairings[network->edges[n]];
            const uint32_t other = network->clocks[oc_pairing_other(pairing, clock)].place;
            if (counts(network, pairing) && other < least)
                least = other;
        }
        for (uint32_t u = 0; u < e->unknowns; u++)
            (*first)[rows++] = (size_t)least * e->unknowns;
    }
    e->delay = one_way ? rows : SIZE_MAX;
    (*first)[rows] = 0;
    return oc_envelope_make(&e->system, *first, rows + one_way);
}

/* --- Equations */

/* The terms of T = l - rest - drift (l - middle) of a clock, times `sign`. */
static size_t add_terms(term *terms, const equations *e, uint32_t clock, double sign, double since)
{
    const uint32_t place = e->network->clocks[clock].place;
    if (place == OCELOTL_NONE)
        return 0;
    terms[0] = (term){(size_t)place * e->unknowns, -sign};
    if (e->unknowns == 1)
        return 1;
    terms[1] = (term){(size_t)place * e->unknowns + 1, -sign * since / e->half};
    return 2;
}

/* How far a pair's line may be off, at x. */
static double half_width(const equations *e, const oc_pairing *pairing, double x)
{
    if (!oc_pairing_is_two_way(pairing))
        return e->loose;
    return fabs(oc_line_highest(pairing, x) - oc_line_lowest(pairing, x)) / 2;
}

/* A message that goes one way only is late by the least delay. */
static void add_pair_at(const equations *e, const oc_pairing *pairing, double x)
{
    term terms[5];
    const oc_network *network = e->network;
    const double z = pairing->line.level + pairing->line.slope * x;
    const double from =
        (double)(int64_t)((uint64_t)pairing->x - (uint64_t)network->clocks[pairing->a].middle);
    const double to = (double)(int64_t)((uint64_t)pairing->x + (uint64_t)pairing->z -
                                        (uint64_t)network->clocks[pairing->b].middle);
    const double off = half_width(e, pairing, x) + 1;
    size_t count = add_terms(terms, e, pairing->b, 1, to + x + z);
    count += add_terms(&terms[count], e, pairing->a, -1, from + x);
    if (!oc_pairing_is_two_way(pairing))
        terms[count++] = (term){e->delay, pairing->above.count > 0 ? -1 : 1};
    /* Where bounds are wide, messages waited, and mostly in one direction: their middle is off by
     * more than chance, so that the weight falls with the fourth power, not with the square. */
    const double weight = e->tight * e->tight / (off * off * off * off);
    const double right = -oc_network_transit(network, pairing, x, z);
    for (size_t i = 0; i < count; i++) {
        e->system.right[terms[i].row] += weight * terms[i].factor * right;
        for (size_t j = 0; j < count; j++)
            if (terms[j].row <= terms[i].row)
                *oc_envelope_at(&e->system, terms[i].row, terms[j].row) +=
                    weight * terms[i].factor * terms[j].factor;
    }
}

static void find_widths(equations *e)
{
    e->tight = INFINITY;
    for (size_t p = 0; p < e->network->pairing_count; p++) {
        const oc_pairing *pairing = &e->network->pairings[p];
        if (!oc_pairing_is_two_way(pairing))
            continue;
        for (int end = 0; end < 2; end++) {
            const double half = half_width(e, pairing, end == 0 ? pairing->first : pairing->last);
            e->tight = fmin(e->tight, half + 1);
            e->loose = fmax(e->loose, half);
        }
    }
    e->tight = fmin(e->tight, e->loose + 1);
}

static void add_all(equations *e)
{
    const oc_network *network = e->network;
    e->half = 1;
    for (uint32_t c = 0; c < network->count; c++) {
        const oc_clock *clock = &network->clocks[c];
        if (clock->last > clock->first)
            e->half = fmax(e->half, ((double)clock->last - (double)clock->first) / 2);
    }
    find_widths(e);
    for (size_t p = 0; p < network->pairing_count; p++) {
        const oc_pairing *pairing = &network->pairings[p];
        if (!counts(network, pairing))
            continue;
        add_pair_at(e, pairing, pairing->first);
        add_pair_at(e, pairing, pairing->last);
    }
    if (e->unknowns == 1)
        return;
    const double weight = faith / (network->most_drift * e->half);
    for (uint32_t c = 0; c < network->count; c++)
        if (network->clocks[c].place != OCELOTL_NONE)
            *oc_envelope_at(&e->system, (size_t)network->clocks[c].place * 2 + 1,
                            (size_t)network->clocks[c].place * 2 + 1) += weight * weight;
}

/* --- Solution */

static void take_solution(const equations *e)
{
    oc_network *network = e->network;
    const double *solution = e->system.right;
    for (uint32_t c = 0; c < network->count; c++) {
        oc_clock *clock = &network->clocks[c];
        if (clock->place == OCELOTL_NONE)
            continue;
        const size_t row = (size_t)clock->place * e->unknowns;
        clock->rest += solution[row];
        clock->drift += e->unknowns > 1 ? solution[row + 1] / e->half : 0;
        const double whole = rint(clock->rest);
        clock->offset += (int64_t)whole;
        clock->rest -= whole;
    }
    if (e->delay != SIZE_MAX)
        network->least_delay = fmax(0, solution[e->delay]);
}

static void find_residuals(oc_network *network)
{
    for (size_t p = 0; p < network->pairing_count; p++) {
        const oc_pairing *pairing = &network->pairings[p];
        if (!counts(network, pairing) || !oc_pairing_is_two_way(pairing))
            continue;
        for (int end = 0; end < 2; end++) {
            const double x = end == 0 ? pairing->first : pairing->last;
            const double off = fabs(oc_network_transit(
                network, pairing, x, pairing->line.level + pairing->line.slope * x));
            oc_clock *a = &network->clocks[pairing->a];
            oc_clock *b = &network->clocks[pairing->b];
            a->residual = fmax(a->residual, off);
            b->residual = fmax(b->residual, off);
        }
    }
}

ocelotl_status oc_network_solve(oc_network *network)
{
    equations e = {.network = network, .unknowns = network->most_drift > 0 ? 2 : 1};
    size_t *first = NULL;
    const ocelotl_status status = find_shape(&first, &e);
    if (status == OCELOTL_OK) {
        add_all(&e);
        oc_envelope_solve(&e.system);
        take_solution(&e);
        find_residuals(network);
    }
    free(first);
    oc_envelope_free(&e.system);
    return status;
}
