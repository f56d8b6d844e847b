/* What messages say in windows: the least times both ways, and the equations of all pairs. */
#include "quality/clocks/windows.h"

#include "base/memory.h"
#include "quality/clocks/envelope.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const size_t most_memory = (size_t)1 << 30;

/* --- Messages */

static ocelotl_status widen(void *context, const oc_message *message)
{
    oc_windows *w = context;
    const ocelotl_time_function *functions = w->clocks->functions;
    const int64_t sent = ocelotl_time_of(&functions[message->source], message->sent, NULL);
    const int64_t came = ocelotl_time_of(&functions[message->target], message->received, NULL);
    w->begin = sent < w->begin ? sent : w->begin;
    w->begin = came < w->begin ? came : w->begin;
    w->end = sent > w->end ? sent : w->end;
    w->end = came > w->end ? came : w->end;
    return OCELOTL_OK;
}

double oc_windows_length(const oc_windows *w)
{
    return fmax(1, (double)((uint64_t)w->end - (uint64_t)w->begin));
}

static size_t slot(const oc_windows *w, size_t pairing, size_t way, size_t window, size_t parity)
{
    return ((pairing * 2 + way) * w->finest + window) * 2 + parity;
}

static ocelotl_status note(void *context, const oc_message *message)
{
    oc_windows *w = context;
    uint32_t pairing;
    oc_network *network = &w->clocks->network;
    const ocelotl_time_function *functions = w->clocks->functions;
    const bool forth = message->source < message->target;
    OC_TRY(oc_network_pair(&pairing, network, forth ? message->source : message->target,
                           forth ? message->target : message->source));
    const int64_t sent = ocelotl_time_of(&functions[message->source], message->sent, NULL);
    const int64_t came = ocelotl_time_of(&functions[message->target], message->received, NULL);
    const double place = (double)((uint64_t)came - (uint64_t)w->begin) / oc_windows_length(w);
    const size_t window = (size_t)fmin((double)w->finest - 1, place * (double)w->finest);
    uint8_t *parity = &w->parity[2 * (size_t)pairing + !forth];
    double *least = &w->least[slot(w, pairing, !forth, window, *parity)];
    *least = fmin(*least, (double)came - (double)sent);
    *parity ^= 1;
    return OCELOTL_OK;
}

/* The least time of messages in a window of a level. */
static double least_in(const oc_windows *w, size_t pairing, size_t way, size_t count, size_t window,
                       int which)
{
    const size_t width = w->finest / count;
    double least = INFINITY;
    for (size_t f = window * width; f < (window + 1) * width; f++)
        for (size_t parity = 0; parity < 2; parity++)
            if (which == OC_ALL_MESSAGES || (size_t)which == parity)
                least = fmin(least, w->least[slot(w, pairing, way, f, parity)]);
    return least;
}

/* --- Equations of a window */

static ocelotl_status find_shape(oc_windows *w)
{
    const oc_network *network = &w->clocks->network;
    OC_TRY(oc_allocate(&w->first, network->count, sizeof *w->first));
    for (uint32_t c = 0; c < network->count; c++) {
        const uint32_t place = network->clocks[c].place;
        if (place == OCELOTL_NONE)
            continue;
        w->unknowns++;
        w->first[place] = place;
        for (uint32_t e = network->first_edge[c]; e < network->first_edge[c + 1]; e++) {
            const uint32_t other = oc_pairing_other(&network->pairings[network->edges[e]], c);
            const uint32_t theirs = network->clocks[other].place;
            if (network->clocks[other].set == network->clocks[c].set && theirs < w->first[place])
                w->first[place] = theirs;
        }
    }
    return OCELOTL_OK;
}

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void add_pair(const oc_envelope *system, uint32_t a, uint32_t b, double ahead, double weight)
{
    if (a != OCELOTL_NONE) {
        *oc_envelope_at(system, a, a) += weight;
        system->right[a] -= weight * ahead;
    }
    if (b != OCELOTL_NONE) {
        *oc_envelope_at(system, b, b) += weight;
        system->right[b] += weight * ahead;
    }
    if (a != OCELOTL_NONE && b != OCELOTL_NONE)
        *oc_envelope_at(system, a > b ? a : b, a > b ? b : a) -= weight;
}

/* How far off the pairs of a window are that have the least room, but for an eighth: what bends
 * leaves less room than delays do. Infinite without a pair. */
static double find_least_half(double *halves, const oc_windows *w, size_t count, size_t window,
                              int which)
{
    size_t found = 0;
    for (size_t p = 0; p < w->clocks->network.pairing_count; p++) {
        const double sum =
            least_in(w, p, 0, count, window, which) + least_in(w, p, 1, count, window, which);
        if (sum < INFINITY)
            halves[found++] = fabs(sum) / 2 + 1;
    }
    if (found > 0)
        qsort(halves, found, sizeof *halves, compare_numbers);
    return found > 0 ? halves[found / 8] : INFINITY;
}

/* Where there is much room messages waited, or were large, and mostly in one direction: the weight
 * falls with the fourth power. */
static double weight_of(double sum, double least_half)
{
    const double half = fmax(fabs(sum) / 2 + 1, least_half);
    return pow(least_half / half, 4);
}

static uint32_t find_root(uint32_t *parents, uint32_t clock)
{
    while (parents[clock] != clock)
        clock = parents[clock] = parents[parents[clock]];
    return clock;
}

/* *joins: the window's messages lead both ways between all clocks of each set. */
static void add_window(const oc_envelope *system, bool *joins, const oc_windows *w,
                       uint32_t *parents, size_t count, size_t window, int which)
{
    const oc_network *network = &w->clocks->network;
    const double least_half = find_least_half(w->rooms, w, count, window, which);
    uint32_t sets = network->count;
    for (uint32_t c = 0; c < network->count; c++)
        parents[c] = c;
    for (size_t p = 0; p < network->pairing_count; p++) {
        const oc_pairing *pairing = &network->pairings[p];
        const double there = least_in(w, p, 0, count, window, which);
        const double back = least_in(w, p, 1, count, window, which);
        if (!(there + back < INFINITY) ||
            network->clocks[pairing->a].set != network->clocks[pairing->b].set)
            continue;
        add_pair(system, network->clocks[pairing->a].place, network->clocks[pairing->b].place,
                 (there - back) / 2, weight_of(there + back, least_half));
        const uint32_t a = find_root(parents, pairing->a);
        const uint32_t other = find_root(parents, pairing->b);
        sets -= a != other;
        parents[a] = other;
    }
    *joins = sets == network->set_count;
}

static ocelotl_status solve_window(double *fit, bool *joins, const oc_windows *w, size_t count,
                                   size_t window, int which)
{
    const oc_network *network = &w->clocks->network;
    oc_envelope system = {0};
    uint32_t *parents = NULL;
    ocelotl_status status = oc_envelope_make(&system, w->first, w->unknowns);
    if (status == OCELOTL_OK)
        status = oc_allocate(&parents, network->count, sizeof *parents);
    if (status == OCELOTL_OK) {
        add_window(&system, joins, w, parents, count, window, which);
        if (*joins)
            oc_envelope_solve(&system);
        for (uint32_t c = 0; c < network->count; c++) {
            const uint32_t place = network->clocks[c].place;
            fit[(size_t)c * count + window] =
                *joins && place != OCELOTL_NONE ? system.right[place] : 0;
        }
    }
    free(parents);
    oc_envelope_free(&system);
    return status;
}

ocelotl_status oc_windows_solve(double *fit, bool *known, const oc_windows *w, size_t count,
                                int which)
{
    for (size_t i = 0; i < count; i++)
        OC_TRY(solve_window(fit, &known[i], w, count, i, which));
    return OCELOTL_OK;
}

/* --- All of them */

/* The least times of both ways, of two halves of the messages each. */
static ocelotl_status make_room(oc_windows *w, bool given)
{
    const size_t pairings = w->clocks->network.pairing_count;
    const size_t each = 4 * sizeof *w->least;
    while (!given && w->finest > 1 && pairings > most_memory / each / w->finest)
        w->finest /= 2;
    if (pairings > most_memory / each / w->finest)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: %zu pieces of %zu pairs of clocks take %zu MiB, expected %zu pieces at "
                       "most",
                       w->clocks->trace->label, w->finest, pairings,
                       (each * pairings * w->finest) >> 20, most_memory / each / pairings);
    const size_t slots = slot(w, pairings, 0, 0, 0);
    OC_TRY(oc_allocate(&w->least, slots, sizeof *w->least));
    for (size_t i = 0; i < slots; i++)
        w->least[i] = INFINITY;
    OC_TRY(oc_allocate(&w->rooms, pairings, sizeof(double)));
    return oc_allocate(&w->parity, 2 * pairings, sizeof *w->parity);
}

ocelotl_status oc_windows_read(oc_windows *w, bool given)
{
    w->begin = INT64_MAX;
    w->end = INT64_MIN;
    OC_TRY(oc_clocks_read(w->clocks, w->clocks->info.evidence, widen, w));
    OC_TRY(make_room(w, given));
    OC_TRY(oc_clocks_read(w->clocks, w->clocks->info.evidence, note, w));
    return find_shape(w);
}

void oc_windows_free(oc_windows *w)
{
    free(w->least);
    free(w->rooms);
    free(w->parity);
    free(w->first);
}
