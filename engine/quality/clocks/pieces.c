/* Too few windows leave what bends; too many follow the noise: taken is the number that was given,
 * or the least one that agrees with every finer one to what halves of the messages disagree by (O.
 * Lepski, On a problem of adaptive estimation in Gaussian white noise, 1990). */
#include "quality/clocks/windows.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_WINDOWS = 64, LEVELS = 7 };

/* How far clocks are off the straight ones. */
typedef struct bend_fit {
    size_t count; /* of windows */
    double *off;  /* by clock and window */
    bool *known;  /* by window: it joins all clocks */
} bend_fit;

typedef struct bending {
    ocelotl_clocks *clocks;
    oc_windows windows;
    bend_fit levels[LEVELS]; /* one where the number was given */
    bend_fit halves[2];      /* of a level */
} bending;

static void free_fit(bend_fit *fit)
{
    free(fit->off);
    free(fit->known);
    *fit = (bend_fit){0};
}

static ocelotl_status solve(bend_fit *fit, const bending *b, size_t count, int which)
{
    free_fit(fit);
    fit->count = count;
    OC_TRY(oc_allocate(&fit->off, b->clocks->network.count * count, sizeof *fit->off));
    OC_TRY(oc_allocate(&fit->known, count, sizeof *fit->known));
    return oc_windows_solve(fit->off, fit->known, &b->windows, count, which);
}

static size_t count_known(const bend_fit *fit)
{
    size_t found = 0;
    for (size_t w = 0; w < fit->count; w++)
        found += fit->known[w];
    return found;
}

/* The next window that is known, or their number. */
static size_t next_known(const bend_fit *fit, size_t window)
{
    while (window < fit->count && !fit->known[window])
        window++;
    return window;
}

/* --- How many windows */

/* How far a clock is off at a place from 0 to 1: straight between the middles of windows that are
 * known, level before the first and behind the last. */
static double value_at(const bend_fit *fit, size_t clock, double place)
{
    const double at = place * (double)fit->count - 0.5;
    const double *off = &fit->off[clock * fit->count];
    size_t left = next_known(fit, 0);
    if (left == fit->count)
        return 0;
    for (size_t right = left; right < fit->count; right = next_known(fit, right + 1)) {
        if ((double)right >= at)
            return right == left ? off[right]
                                 : off[left] + (off[right] - off[left]) * (at - (double)left) /
                                                   (double)(right - left);
        left = right;
    }
    return off[left];
}

/* The root mean square of the difference of two fits. */
static double difference(const bending *b, const bend_fit *one, const bend_fit *other)
{
    const uint32_t clocks = b->clocks->network.count;
    double sum = 0;
    for (uint32_t c = 0; c < clocks; c++)
        for (size_t w = 0; w < MOST_WINDOWS; w++) {
            const double place = ((double)w + 0.5) / MOST_WINDOWS;
            const double d = value_at(one, c, place) - value_at(other, c, place);
            sum += d * d;
        }
    return sqrt(sum / ((double)clocks * MOST_WINDOWS));
}

static ocelotl_status solve_levels(bending *b, double *noise, size_t *levels)
{
    for (*levels = 0; *levels < LEVELS && (size_t)1 << *levels <= b->windows.finest; (*levels)++) {
        const size_t count = (size_t)1 << *levels;
        bend_fit *fit = &b->levels[*levels];
        OC_TRY(solve(fit, b, count, OC_ALL_MESSAGES));
        if (10 * count_known(fit) < 9 * count)
            return OCELOTL_OK;
        for (int half = OC_EVEN_MESSAGES; half <= OC_ODD_MESSAGES; half++)
            OC_TRY(solve(&b->halves[half], b, count, half));
        noise[*levels] = difference(b, &b->halves[OC_EVEN_MESSAGES], &b->halves[OC_ODD_MESSAGES]);
    }
    return OCELOTL_OK;
}

static size_t choose_level(const bending *b, const double *noise, size_t levels)
{
    for (size_t level = 0; level + 1 < levels; level++) {
        bool agrees = true;
        for (size_t finer = level + 1; finer < levels; finer++)
            agrees = agrees &&
                     difference(b, &b->levels[level], &b->levels[finer]) <= 0.85 * noise[finer];
        if (agrees)
            return level;
    }
    return levels > 0 ? levels - 1 : 0;
}

/* --- Functions */

static ocelotl_status bend_clock(const bending *b, const bend_fit *fit, uint32_t index)
{
    const double *off = &fit->off[index * fit->count];
    const oc_clock *clock = &b->clocks->network.clocks[index];
    const double length = oc_windows_length(&b->windows);
    ocelotl_time_piece *pieces = NULL;
    size_t made = 0;
    size_t last = 0;
    OC_TRY(oc_allocate(&pieces, fit->count, sizeof *pieces));
    for (size_t w = next_known(fit, 0); w < fit->count; w = next_known(fit, w + 1)) {
        const double middle = ((double)w + 0.5) / (double)fit->count * length;
        const int64_t tick = oc_clock_tick_at(clock, b->windows.begin + (int64_t)middle);
        const double since = (double)(int64_t)((uint64_t)tick - (uint64_t)clock->middle);
        const double sum = -clock->rest - clock->drift * since - off[w];
        const double whole = rint(sum);
        pieces[made] = (ocelotl_time_piece){.from = tick,
                                            .offset = (int64_t)whole - clock->offset,
                                            .fraction = sum - whole,
                                            .drift = -clock->drift};
        if (made > 0)
            pieces[made - 1].drift -=
                (off[w] - off[last]) / ((double)tick - (double)pieces[made - 1].from);
        last = w;
        made++;
    }
    free(b->clocks->own_pieces[index]);
    b->clocks->own_pieces[index] = pieces;
    b->clocks->functions[index] = (ocelotl_time_function){pieces, made};
    return OCELOTL_OK;
}

/* One window leaves clocks straight, and bounded as they were. */
static ocelotl_status bend_clocks(const bending *b, const bend_fit *fit)
{
    oc_network *network = &b->clocks->network;
    b->clocks->info.windows = (uint32_t)fit->count;
    b->clocks->info.joined_windows = (uint32_t)count_known(fit);
    for (uint32_t c = 0; c < network->count && fit->count > 1; c++) {
        if (network->clocks[c].place == OCELOTL_NONE)
            continue;
        network->clocks[c].bound = INFINITY;
        OC_TRY(bend_clock(b, fit, c));
    }
    return OCELOTL_OK;
}

/* --- The whole */

static ocelotl_status bend_as_told(bending *b)
{
    double noise[LEVELS] = {0};
    size_t levels = 0;
    OC_TRY(solve_levels(b, noise, &levels));
    return bend_clocks(b, &b->levels[choose_level(b, noise, levels)]);
}

static ocelotl_status bend_in(bending *b, uint32_t pieces)
{
    bend_fit *fit = &b->levels[0];
    OC_TRY(solve(fit, b, pieces, OC_ALL_MESSAGES));
    if (pieces > 1 && count_known(fit) == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: in none of %u windows do messages go both ways between all clocks, "
                       "expected fewer pieces",
                       b->clocks->trace->label, pieces);
    return bend_clocks(b, fit);
}

ocelotl_status oc_clocks_bend(ocelotl_clocks *clocks, uint32_t pieces)
{
    bending b = {.clocks = clocks, .windows = {.clocks = clocks}};
    b.windows.finest = pieces > 0 ? pieces : MOST_WINDOWS;
    ocelotl_status status = oc_windows_read(&b.windows, pieces > 0);
    if (status == OCELOTL_OK)
        status = pieces > 0 ? bend_in(&b, pieces) : bend_as_told(&b);
    for (int level = 0; level < LEVELS; level++)
        free_fit(&b.levels[level]);
    free_fit(&b.halves[OC_EVEN_MESSAGES]);
    free_fit(&b.halves[OC_ODD_MESSAGES]);
    oc_windows_free(&b.windows);
    return status;
}
