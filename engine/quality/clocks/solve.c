/* Least squares over all pairs: each says at its first and at its last message how far two clocks
 * are apart, and weighs the more the closer its bounds are. Loops are averaged, where a tree would
 * add up the errors of its branches. */
#include "quality/clocks/rows.h"

#include "base/memory.h"

#include <ocelotl/types.h>

#include <math.h>
#include <stdlib.h>

/* Without messages far enough apart a drift is not known: then it is small. */
static const double faith = 1e-2;

typedef struct equations {
    oc_network *network;
    oc_rows rows;
    double half;         /* of the run, the unit of drifts */
    double tight, loose; /* how far off pairs are at least, and at most */
} equations;

static bool counts(const oc_network *network, const oc_pairing *pairing)
{
    return network->clocks[pairing->a].set == network->clocks[pairing->b].set;
}

/* How far a pair's line may be off, at x. */
static double half_width(const equations *e, const oc_pairing *pairing, double x)
{
    if (!oc_pairing_is_two_way(pairing))
        return e->loose;
    return fabs(oc_line_highest(pairing, x) - oc_line_lowest(pairing, x)) / 2;
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

/* What a pair says at x of T = l - rest - drift (l - middle) of its clocks. A message that goes one
 * way only is late by the least delay. */
static ocelotl_status add_pair_at(equations *e, const oc_pairing *pairing, double x)
{
    const oc_network *network = e->network;
    const oc_clock *a = &network->clocks[pairing->a], *b = &network->clocks[pairing->b];
    const double z = pairing->line.level + pairing->line.slope * x;
    const double from = (double)(int64_t)((uint64_t)pairing->x - (uint64_t)a->middle) + x;
    const double to =
        x + z +
        (double)(int64_t)((uint64_t)pairing->x + (uint64_t)pairing->z - (uint64_t)b->middle);
    const double off = half_width(e, pairing, x) + 1;
    const double drifts = network->most_drift > 0 ? 1 / e->half : 0;
    const double moves_a = a->toward != OCELOTL_NONE, moves_b = b->toward != OCELOTL_NONE;
    const double late = oc_pairing_is_two_way(pairing) ? 0 : pairing->above.count > 0 ? -1 : 1;
    /* Where bounds are wide, messages waited, and mostly in one direction: their middle is off by
     * more than chance, so that the weight falls with the fourth power, not with the square. */
    oc_row row = {
        .a = pairing->a,
        .b = pairing->b,
        .factor = {moves_a, moves_a * from * drifts, -moves_b, -moves_b * to * drifts, late},
        .by = -oc_network_transit(network, pairing, x, z),
        .weight = e->tight * e->tight / (off * off * off * off)};
    row.pull = row.weight * row.by;
    return oc_rows_add(&e->rows, &row);
}

static ocelotl_status add_all(equations *e)
{
    const oc_network *network = e->network;
    const double weight = faith / (network->most_drift * e->half);
    for (size_t p = 0; p < network->pairing_count; p++) {
        const oc_pairing *pairing = &network->pairings[p];
        if (!counts(network, pairing))
            continue;
        OC_TRY(add_pair_at(e, pairing, pairing->first));
        OC_TRY(add_pair_at(e, pairing, pairing->last));
    }
    for (uint32_t c = 0; c < network->count && network->most_drift > 0; c++) {
        const oc_row row = {.a = c,
                            .b = c,
                            .factor = {0, network->clocks[c].toward != OCELOTL_NONE},
                            .weight = weight * weight};
        OC_TRY(oc_rows_add(&e->rows, &row));
    }
    return OCELOTL_OK;
}

/* What is left of the equations is solved again: weights differ so that a step is not exact. */
static ocelotl_status solve(equations *e)
{
    enum { STEPS = 3, ROUNDS = 2000 };
    const double enough = 1e-18; /* of the squares */
    oc_network *network = e->network;
    e->half = 1;
    for (uint32_t c = 0; c < network->count; c++) {
        const oc_clock *clock = &network->clocks[c];
        if (clock->last > clock->first)
            e->half = fmax(e->half, ((double)clock->last - (double)clock->first) / 2);
    }
    find_widths(e);
    OC_TRY(add_all(e));
    double falls = 1, first = 0;
    for (int i = 0; i < STEPS && falls > enough * first; i++) {
        falls = oc_rows_solve(&e->rows, enough, ROUNDS);
        first = fmax(first, falls);
        for (uint32_t c = 0; c < network->count; c++)
            if (network->clocks[c].toward != OCELOTL_NONE)
                oc_clock_move(&network->clocks[c], e->rows.step[2 * (size_t)c],
                              e->rows.step[2 * (size_t)c + 1] / e->half);
        network->least_delay += e->rows.step[2 * (size_t)network->count];
        for (size_t r = 0; r < e->rows.count; r++) {
            oc_row *row = &e->rows.list[r];
            row->by -= oc_row_of(&e->rows, row, e->rows.step);
            row->pull = row->weight * row->by;
        }
    }
    network->least_delay = fmax(0, network->least_delay);
    return OCELOTL_OK;
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
    equations e = {.network = network};
    ocelotl_status status = oc_rows_make(&e.rows, network, 1);
    if (status == OCELOTL_OK)
        status = solve(&e);
    if (status == OCELOTL_OK)
        find_residuals(network);
    oc_rows_free(&e.rows);
    return status;
}
