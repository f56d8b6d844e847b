/* The ends of messages of a trace for amortisation, and the functions of clocks that come of it. */
#include "quality/clocks/amortise.h"

#include "base/memory.h"
#include "quality/derive/times.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t everything = OCELOTL_EVIDENCE_MESSAGES | OCELOTL_EVIDENCE_COLLECTIVES;

typedef struct gathering {
    const ocelotl_clocks *clocks;
    oc_moments *all;
    size_t *counts; /* by clock, then where its next moment goes */
} gathering;

/* --- Moments */

static ocelotl_status count(void *context, const oc_message *message)
{
    const gathering *g = context;
    g->counts[message->source]++;
    g->counts[message->target]++;
    g->all->messages++;
    return OCELOTL_OK;
}

static void place(const gathering *g, uint32_t clock, int64_t read, bool arrives)
{
    const oc_moments *all = g->all;
    all->moments[g->counts[clock]++] =
        (oc_moment){.read = read,
                    .time = ocelotl_time_of(&g->clocks->functions[clock], read, NULL),
                    .message = all->messages,
                    .arrives = arrives};
}

static ocelotl_status keep(void *context, const oc_message *message)
{
    const gathering *g = context;
    place(g, message->source, message->sent, false);
    place(g, message->target, message->received, true);
    g->all->messages++;
    return OCELOTL_OK;
}

static int compare_moments(const void *left, const void *right)
{
    const oc_moment *a = left;
    const oc_moment *b = right;
    if (a->read != b->read)
        return a->read < b->read ? -1 : 1;
    if (a->arrives != b->arrives)
        return a->arrives ? -1 : 1;
    return (a->message > b->message) - (a->message < b->message);
}

static ocelotl_status sort_moments(oc_moments *all, uint32_t clocks)
{
    OC_TRY(oc_allocate(&all->sent, all->messages, sizeof *all->sent));
    OC_TRY(oc_allocate(&all->received, all->messages, sizeof *all->received));
    for (uint32_t c = 0; c < clocks; c++)
        if (all->first[c + 1] > all->first[c])
            qsort(&all->moments[all->first[c]], all->first[c + 1] - all->first[c],
                  sizeof *all->moments, compare_moments);
    for (size_t i = 0; i < all->count; i++)
        (all->moments[i].arrives ? all->received : all->sent)[all->moments[i].message] = i;
    return OCELOTL_OK;
}

static ocelotl_status gather(gathering *g)
{
    const uint32_t clocks = g->clocks->network.count;
    oc_moments *all = g->all;
    OC_TRY(oc_allocate(&g->counts, clocks, sizeof *g->counts));
    OC_TRY(oc_allocate(&all->first, (size_t)clocks + 1, sizeof *all->first));
    OC_TRY(oc_clocks_read(g->clocks, everything, count, g));
    for (uint32_t c = 0; c < clocks; c++) {
        all->first[c + 1] = all->first[c] + g->counts[c];
        g->counts[c] = all->first[c];
    }
    all->count = all->first[clocks];
    OC_TRY(oc_allocate(&all->moments, all->count, sizeof *all->moments));
    all->messages = 0;
    OC_TRY(oc_clocks_read(g->clocks, everything, keep, g));
    return sort_moments(all, clocks);
}

/* --- Functions */

/* A function as it was, moved by what a moment is. */
static ocelotl_time_piece piece_at(const ocelotl_time_function *function, const oc_moment *moment)
{
    const ocelotl_time_piece *piece = oc_time_piece_at(function, moment->read);
    const double since = piece->drift * ((double)moment->read - (double)piece->from);
    const double sum = piece->fraction + since + moment->shift;
    const double whole = rint(sum);
    return (ocelotl_time_piece){.from = moment->read,
                                .offset = piece->offset + (int64_t)whole,
                                .fraction = sum - whole,
                                .drift = piece->drift};
}

/* Moments between which the line is straight need no piece of their own. */
static bool is_on_line(const oc_moment *first, const oc_moment *middle, const oc_moment *last)
{
    const double whole = (double)last->read - (double)first->read;
    const double part = (double)middle->read - (double)first->read;
    const double expected = first->shift + (last->shift - first->shift) * part / whole;
    return fabs(middle->shift - expected) < 1e-3;
}

/* Before the first moment, and behind the last, the clock is moved as there. */
static void connect(ocelotl_time_piece *pieces, const double *shifts, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++)
        pieces[i].drift +=
            (shifts[i + 1] - shifts[i]) / ((double)pieces[i + 1].from - (double)pieces[i].from);
}

typedef struct drawing {
    ocelotl_time_piece *pieces;
    double *shifts;
    size_t count;
} drawing;

static void draw(drawing *d, const ocelotl_time_function *function, const oc_moment *moments,
                 size_t count)
{
    const oc_moment *kept = NULL;
    for (size_t i = 0; i < count; i++) {
        const bool last = i + 1 == count;
        if (!last && moments[i + 1].read == moments[i].read)
            continue;
        if (kept != NULL && !last && is_on_line(kept, &moments[i], &moments[i + 1]))
            continue;
        kept = &moments[i];
        d->shifts[d->count] = kept->shift;
        d->pieces[d->count++] = piece_at(function, kept);
    }
    connect(d->pieces, d->shifts, d->count);
}

/* A piece in front, so that what comes before the first moment is dated as it was. */
static ocelotl_status draw_clock(ocelotl_clocks *clocks, uint32_t clock, const oc_moment *moments,
                                 size_t count)
{
    drawing d = {0};
    ocelotl_time_piece *own = NULL;
    OC_TRY(oc_allocate(&d.pieces, count, sizeof *d.pieces));
    ocelotl_status status = oc_allocate(&d.shifts, count, sizeof *d.shifts);
    if (status == OCELOTL_OK) {
        draw(&d, &clocks->functions[clock], moments, count);
        status = oc_allocate(&own, d.count, sizeof *own);
    }
    for (size_t i = 0; i < d.count && status == OCELOTL_OK; i++)
        own[i] = d.pieces[i];
    free(d.pieces);
    free(d.shifts);
    OC_TRY(status);
    free(clocks->own_pieces[clock]);
    clocks->own_pieces[clock] = own;
    clocks->functions[clock] = (ocelotl_time_function){own, d.count};
    return OCELOTL_OK;
}

static ocelotl_status draw_clocks(ocelotl_clocks *clocks, const oc_moments *all)
{
    for (uint32_t c = 0; c < clocks->network.count; c++) {
        const size_t first = all->first[c];
        const size_t count = all->first[c + 1] - first;
        double most = 0;
        for (size_t i = 0; i < count; i++)
            most = fmax(most, all->moments[first + i].shift);
        if (most <= 0)
            continue;
        clocks->network.clocks[c].bound += most;
        OC_TRY(draw_clock(clocks, c, &all->moments[first], count));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_clocks_amortise(ocelotl_clocks *clocks, int64_t latency)
{
    oc_moments all = {0};
    gathering g = {.clocks = clocks, .all = &all};
    ocelotl_clocks_info *info = &clocks->info;
    all.latency = latency > 0 ? (double)latency : fmax(1, info->transit / 2);
    info->latency = all.latency;
    ocelotl_status status = gather(&g);
    if (status == OCELOTL_OK)
        status = oc_moments_move(info, &all, clocks->network.count);
    if (status == OCELOTL_OK)
        status = draw_clocks(clocks, &all);
    free(g.counts);
    free(all.moments);
    free(all.first);
    free(all.sent);
    free(all.received);
    return status;
}
