/* The least times of messages both ways in a window say how far two clocks are apart there, if the
 * least delays are alike. Too few windows leave what bends; too many follow the noise: taken is the
 * least number that agrees with every finer one to what halves of the messages disagree by (O.
 * Lepski, On a problem of adaptive estimation in Gaussian white noise, 1990). */
#include "quality/clocks/pieces.h"

#include "base/memory.h"
#include "quality/clocks/envelope.h"
#include "quality/fit/fit.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_WINDOWS = 64, LEVELS = 7 };

/* Which messages: every other one, the others, or all. */
enum { EVEN, ODD, ALL };

typedef struct bending {
    ocelotl_clocks *clocks;
    int64_t begin, end; /* of all messages, in the reference's time */
    double *least;      /* by pairing, way, window of the finest and parity */
    uint8_t *parity;    /* by pairing and way: of the next message */
    size_t *first;      /* the shape of the equations */
    size_t unknowns;
    double *fits[LEVELS]; /* by clock and window: how far it is off */
    bool *known[LEVELS];  /* by window: it joins all clocks */
    double *halves[2];
    double *rooms; /* room for a number each */
    bool *half_known[2];
} bending;

/* --- Messages */

static ocelotl_status widen(void *context, const oc_message *message)
{
    bending *b = context;
    const ocelotl_time_function *functions = b->clocks->functions;
    const int64_t sent = ocelotl_time_of(&functions[message->source], message->sent, NULL);
    const int64_t came = ocelotl_time_of(&functions[message->target], message->received, NULL);
    b->begin = sent < b->begin ? sent : b->begin;
    b->begin = came < b->begin ? came : b->begin;
    b->end = sent > b->end ? sent : b->end;
    b->end = came > b->end ? came : b->end;
    return OCELOTL_OK;
}

static double length_of(const bending *b)
{
    return fmax(1, (double)((uint64_t)b->end - (uint64_t)b->begin));
}

static size_t slot(size_t pairing, size_t way, size_t window, size_t parity)
{
    return ((pairing * 2 + way) * MOST_WINDOWS + window) * 2 + parity;
}

static ocelotl_status note(void *context, const oc_message *message)
{
    bending *b = context;
    uint32_t pairing;
    oc_network *network = &b->clocks->network;
    const ocelotl_time_function *functions = b->clocks->functions;
    const bool forth = message->source < message->target;
    OC_TRY(oc_network_pair(&pairing, network, forth ? message->source : message->target,
                           forth ? message->target : message->source));
    const int64_t sent = ocelotl_time_of(&functions[message->source], message->sent, NULL);
    const int64_t came = ocelotl_time_of(&functions[message->target], message->received, NULL);
    const double place = (double)((uint64_t)came - (uint64_t)b->begin) / length_of(b);
    const size_t window = (size_t)fmin(MOST_WINDOWS - 1, place * MOST_WINDOWS);
    uint8_t *parity = &b->parity[2 * (size_t)pairing + !forth];
    double *least = &b->least[slot(pairing, !forth, window, *parity)];
    *least = fmin(*least, (double)came - (double)sent);
    *parity ^= 1;
    return OCELOTL_OK;
}

/* The least time of messages in a window of a level. */
static double least_in(const bending *b, size_t pairing, size_t way, size_t count, size_t window,
                       int which)
{
    const size_t width = MOST_WINDOWS / count;
    double least = INFINITY;
    for (size_t w = window * width; w < (window + 1) * width; w++)
        for (size_t parity = 0; parity < 2; parity++)
            if (which == ALL || (size_t)which == parity)
                least = fmin(least, b->least[slot(pairing, way, w, parity)]);
    return least;
}

/* --- Equations of a window */

static ocelotl_status find_shape(bending *b)
{
    const oc_network *network = &b->clocks->network;
    OC_TRY(oc_allocate(&b->first, network->count, sizeof *b->first));
    for (uint32_t c = 0; c < network->count; c++) {
        const uint32_t place = network->clocks[c].place;
        if (place == OCELOTL_NONE)
            continue;
        b->unknowns++;
        b->first[place] = place;
        for (uint32_t e = network->first_edge[c]; e < network->first_edge[c + 1]; e++) {
            const uint32_t other = oc_pairing_other(&network->pairings[network->edges[e]], c);
            const uint32_t theirs = network->clocks[other].place;
            if (network->clocks[other].set == network->clocks[c].set && theirs < b->first[place])
                b->first[place] = theirs;
        }
    }
    return OCELOTL_OK;
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
static double find_least_half(double *halves, const bending *b, size_t count, size_t window,
                              int which)
{
    size_t found = 0;
    for (size_t p = 0; p < b->clocks->network.pairing_count; p++) {
        const double sum =
            least_in(b, p, 0, count, window, which) + least_in(b, p, 1, count, window, which);
        if (sum < INFINITY)
            halves[found++] = fabs(sum) / 2 + 1;
    }
    return found > 0 ? oc_fit_sorted_at(halves, found, found / 8) : INFINITY;
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
static void add_window(const oc_envelope *system, bool *joins, const bending *b, uint32_t *parents,
                       size_t count, size_t window, int which)
{
    const oc_network *network = &b->clocks->network;
    const double least_half = find_least_half(b->rooms, b, count, window, which);
    uint32_t sets = network->count;
    for (uint32_t c = 0; c < network->count; c++)
        parents[c] = c;
    for (size_t p = 0; p < network->pairing_count; p++) {
        const oc_pairing *pairing = &network->pairings[p];
        const double there = least_in(b, p, 0, count, window, which);
        const double back = least_in(b, p, 1, count, window, which);
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

static ocelotl_status solve_window(double *fit, bool *joins, const bending *b, size_t count,
                                   size_t window, int which)
{
    const oc_network *network = &b->clocks->network;
    oc_envelope system = {0};
    uint32_t *parents = NULL;
    ocelotl_status status = oc_envelope_make(&system, b->first, b->unknowns);
    if (status == OCELOTL_OK)
        status = oc_allocate(&parents, network->count, sizeof *parents);
    if (status == OCELOTL_OK) {
        add_window(&system, joins, b, parents, count, window, which);
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

static ocelotl_status solve_level(double *fit, bool *known, const bending *b, size_t count,
                                  int which)
{
    for (size_t w = 0; w < count; w++)
        OC_TRY(solve_window(fit, &known[w], b, count, w, which));
    return OCELOTL_OK;
}

/* --- How many windows */

/* The next window that is known, or `count`. */
static size_t next_known(const bool *known, size_t window, size_t count)
{
    while (window < count && !known[window])
        window++;
    return window;
}

/* How far a clock is off at a place from 0 to 1: straight between the middles of windows that are
 * known, level before the first and behind the last. */
static double value_at(const double *fit, const bool *known, size_t count, double place)
{
    const double at = place * (double)count - 0.5;
    size_t left = next_known(known, 0, count);
    if (left == count)
        return 0;
    for (size_t right = left; right < count; right = next_known(known, right + 1, count)) {
        if ((double)right >= at)
            return right == left ? fit[right]
                                 : fit[left] + (fit[right] - fit[left]) * (at - (double)left) /
                                                   (double)(right - left);
        left = right;
    }
    return fit[left];
}

/* The root mean square of the difference of two fits. */
static double difference(const bending *b, const double *one, const bool *one_known, size_t ones,
                         const double *other, const bool *other_known, size_t others)
{
    const uint32_t clocks = b->clocks->network.count;
    double sum = 0;
    for (uint32_t c = 0; c < clocks; c++)
        for (size_t w = 0; w < MOST_WINDOWS; w++) {
            const double place = ((double)w + 0.5) / MOST_WINDOWS;
            const double d = value_at(&one[c * ones], one_known, ones, place) -
                             value_at(&other[c * others], other_known, others, place);
            sum += d * d;
        }
    return sqrt(sum / ((double)clocks * MOST_WINDOWS));
}

static bool is_joined(const bool *known, size_t count)
{
    size_t found = 0;
    for (size_t w = 0; w < count; w++)
        found += known[w];
    return 10 * found >= 9 * count;
}

static ocelotl_status solve_levels(bending *b, double *noise, size_t *levels)
{
    for (*levels = 0; *levels < LEVELS; (*levels)++) {
        const size_t level = *levels;
        const size_t count = (size_t)1 << level;
        OC_TRY(oc_allocate(&b->fits[level], b->clocks->network.count * count, sizeof(double)));
        OC_TRY(oc_allocate(&b->known[level], count, sizeof(bool)));
        OC_TRY(solve_level(b->fits[level], b->known[level], b, count, ALL));
        if (!is_joined(b->known[level], count))
            return OCELOTL_OK;
        for (int half = EVEN; half <= ODD; half++)
            OC_TRY(solve_level(b->halves[half], b->half_known[half], b, count, half));
        noise[level] = difference(b, b->halves[EVEN], b->half_known[EVEN], count, b->halves[ODD],
                                  b->half_known[ODD], count);
    }
    return OCELOTL_OK;
}

static size_t choose_level(const bending *b, const double *noise, size_t levels)
{
    for (size_t level = 0; level + 1 < levels; level++) {
        bool agrees = true;
        for (size_t finer = level + 1; finer < levels; finer++)
            agrees = agrees && difference(b, b->fits[level], b->known[level], (size_t)1 << level,
                                          b->fits[finer], b->known[finer],
                                          (size_t)1 << finer) <= 0.85 * noise[finer];
        if (agrees)
            return level;
    }
    return levels > 0 ? levels - 1 : 0;
}

/* --- Functions */

/* The tick of a clock at a time of the reference, to the nearest that counts here. */
static int64_t tick_at(const oc_clock *clock, int64_t time)
{
    const int64_t near = (int64_t)((uint64_t)time + (uint64_t)clock->offset);
    const double since = (double)(int64_t)((uint64_t)near - (uint64_t)clock->middle);
    return near + (int64_t)llrint(clock->rest + clock->drift * since);
}

static void place_piece(ocelotl_time_piece *piece, const oc_clock *clock, int64_t tick, double off)
{
    const double since = (double)(int64_t)((uint64_t)tick - (uint64_t)clock->middle);
    const double sum = -clock->rest - clock->drift * since - off;
    const double whole = rint(sum);
    *piece = (ocelotl_time_piece){.from = tick,
                                  .offset = (int64_t)whole - clock->offset,
                                  .fraction = sum - whole,
                                  .drift = -clock->drift};
}

static ocelotl_status bend_clock(const bending *b, uint32_t index, size_t level)
{
    const size_t count = (size_t)1 << level;
    const double *fit = &b->fits[level][index * count];
    const bool *known = b->known[level];
    const oc_clock *clock = &b->clocks->network.clocks[index];
    ocelotl_time_piece *pieces = NULL;
    size_t made = 0;
    size_t last = 0;
    OC_TRY(oc_allocate(&pieces, count, sizeof *pieces));
    for (size_t w = next_known(known, 0, count); w < count; w = next_known(known, w + 1, count)) {
        const double middle = ((double)w + 0.5) / (double)count * length_of(b);
        const int64_t tick = tick_at(clock, b->begin + (int64_t)middle);
        place_piece(&pieces[made], clock, tick, fit[w]);
        if (made > 0)
            pieces[made - 1].drift -=
                (fit[w] - fit[last]) / ((double)tick - (double)pieces[made - 1].from);
        last = w;
        made++;
    }
    free(b->clocks->own_pieces[index]);
    b->clocks->own_pieces[index] = pieces;
    b->clocks->functions[index] = (ocelotl_time_function){pieces, made};
    return OCELOTL_OK;
}

static ocelotl_status bend_clocks(const bending *b, size_t level)
{
    oc_network *network = &b->clocks->network;
    for (uint32_t c = 0; c < network->count; c++) {
        if (network->clocks[c].place == OCELOTL_NONE)
            continue;
        network->clocks[c].bound = INFINITY;
        OC_TRY(bend_clock(b, c, level));
    }
    return OCELOTL_OK;
}

/* --- The whole */

static ocelotl_status bend(bending *b)
{
    double noise[LEVELS] = {0};
    size_t levels = 0;
    const oc_network *network = &b->clocks->network;
    const size_t slots = slot(network->pairing_count, 0, 0, 0);
    OC_TRY(oc_clocks_read(b->clocks, b->clocks->info.evidence, widen, b));
    OC_TRY(oc_allocate(&b->least, slots, sizeof *b->least));
    OC_TRY(oc_allocate(&b->rooms, network->pairing_count, sizeof(double)));
    OC_TRY(oc_allocate(&b->parity, 2 * network->pairing_count, sizeof *b->parity));
    for (int half = EVEN; half <= ODD; half++)
        OC_TRY(
            oc_allocate(&b->halves[half], (size_t)network->count * MOST_WINDOWS, sizeof(double)));
    for (int half = EVEN; half <= ODD; half++)
        OC_TRY(oc_allocate(&b->half_known[half], MOST_WINDOWS, sizeof(bool)));
    for (size_t i = 0; i < slots; i++)
        b->least[i] = INFINITY;
    OC_TRY(oc_clocks_read(b->clocks, b->clocks->info.evidence, note, b));
    OC_TRY(find_shape(b));
    OC_TRY(solve_levels(b, noise, &levels));
    const size_t level = choose_level(b, noise, levels);
    b->clocks->info.windows = (uint32_t)1 << level;
    return level > 0 ? bend_clocks(b, level) : OCELOTL_OK;
}

ocelotl_status oc_clocks_bend(ocelotl_clocks *clocks)
{
    bending b = {.clocks = clocks, .begin = INT64_MAX, .end = INT64_MIN};
    const ocelotl_status status = bend(&b);
    for (int level = 0; level < LEVELS; level++) {
        free(b.fits[level]);
        free(b.known[level]);
    }
    free(b.halves[EVEN]);
    free(b.halves[ODD]);
    free(b.half_known[EVEN]);
    free(b.half_known[ODD]);
    free(b.rooms);
    free(b.least);
    free(b.parity);
    free(b.first);
    return status;
}
