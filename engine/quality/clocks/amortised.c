/* The ends of messages of a trace for amortisation, and the functions of clocks that come of it. */
#include "quality/clocks/amortise.h"

#include "base/memory.h"
#include "quality/derive/times.h"

#include <math.h>
#include <stdlib.h>

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

static ocelotl_status gather(gathering *g, uint32_t evidence)
{
    const uint32_t clocks = g->clocks->network.count;
    oc_moments *all = g->all;
    OC_TRY(oc_allocate(&g->counts, clocks, sizeof *g->counts));
    OC_TRY(oc_allocate(&all->first, (size_t)clocks + 1, sizeof *all->first));
    OC_TRY(oc_clocks_read(g->clocks, evidence, count, g));
    for (uint32_t c = 0; c < clocks; c++) {
        all->first[c + 1] = all->first[c] + g->counts[c];
        g->counts[c] = all->first[c];
    }
    all->count = all->first[clocks];
    OC_TRY(oc_allocate(&all->moments, all->count, sizeof *all->moments));
    all->messages = 0;
    OC_TRY(oc_clocks_read(g->clocks, evidence, keep, g));
    return sort_moments(all, clocks);
}

ocelotl_status oc_moments_gather(oc_moments *moments, const ocelotl_clocks *clocks,
                                 uint32_t evidence)
{
    gathering g = {.clocks = clocks, .all = moments};
    const ocelotl_status status = gather(&g, evidence);
    free(g.counts);
    return status;
}

void oc_moments_free(oc_moments *moments)
{
    free(moments->moments);
    free(moments->first);
    free(moments->sent);
    free(moments->received);
}

/* --- Functions */

/* A function as it was, moved by what a point is. */
static ocelotl_time_piece piece_at(const ocelotl_time_function *function, const oc_shift *at)
{
    const ocelotl_time_piece *piece = oc_time_piece_at(function, at->read);
    const double since = piece->drift * ((double)at->read - (double)piece->from);
    const double sum = piece->fraction + since + at->shift;
    const double whole = rint(sum);
    return (ocelotl_time_piece){.from = at->read,
                                .offset = piece->offset + (int64_t)whole,
                                .fraction = sum - whole,
                                .drift = piece->drift};
}

/* Moments and bends in order. Behind the last moment the clock is moved as there, too; of moments
 * at one time the last counts. */
static size_t list_points(oc_shift *points, const ocelotl_time_function *function,
                          const oc_moment *moments, size_t count)
{
    size_t made = 0;
    size_t bend = 1;
    const oc_moment *before = NULL;
    for (size_t i = 0; i < count; i++) {
        const oc_moment *moment = &moments[i];
        if (i + 1 < count && moments[i + 1].read == moment->read)
            continue;
        /* the bends up to the moment, moved as the line is there */
        const oc_moment *first = before != NULL ? before : moment;
        const double whole = (double)moment->read - (double)first->read;
        for (; bend < function->count && function->pieces[bend].from <= moment->read; bend++) {
            const int64_t from = function->pieces[bend].from;
            const double part = (double)from - (double)first->read;
            const double shift = whole > 0
                                     ? first->shift + (moment->shift - first->shift) * part / whole
                                     : moment->shift;
            if (from < moment->read)
                points[made++] = (oc_shift){from, shift, true};
        }
        /* before the first moment the clock is moved as there, however steep what follows is */
        if (before == NULL && moment->read > INT64_MIN &&
            (made == 0 || points[made - 1].read < moment->read - 1))
            points[made++] = (oc_shift){moment->read - 1, moment->shift, true};
        points[made++] = (oc_shift){moment->read, moment->shift, before == NULL};
        before = moment;
    }
    for (; bend < function->count; bend++)
        points[made++] = (oc_shift){function->pieces[bend].from, moments[count - 1].shift, true};
    return made;
}

/* Points between which the line is straight need no piece of their own. */
static bool is_on_line(const oc_shift *first, const oc_shift *middle, const oc_shift *last)
{
    const double whole = (double)last->read - (double)first->read;
    const double part = (double)middle->read - (double)first->read;
    const double expected = first->shift + (last->shift - first->shift) * part / whole;
    return !middle->stays && fabs(middle->shift - expected) < 1e-3;
}

static size_t draw(ocelotl_time_piece *pieces, const ocelotl_time_function *function,
                   const oc_shift *points, size_t count)
{
    size_t made = 0;
    const oc_shift *kept = NULL;
    for (size_t i = 0; i < count; i++) {
        if (kept != NULL && i + 1 < count && is_on_line(kept, &points[i], &points[i + 1]))
            continue;
        pieces[made] = piece_at(function, &points[i]);
        if (kept != NULL)
            pieces[made - 1].drift +=
                (points[i].shift - kept->shift) / ((double)points[i].read - (double)kept->read);
        kept = &points[i];
        made++;
    }
    return made;
}

ocelotl_status oc_clock_shift(ocelotl_clocks *clocks, uint32_t clock, const oc_shift *shifts,
                              size_t count)
{
    ocelotl_time_piece *own = NULL;
    ocelotl_time_function *function = &clocks->functions[clock];
    OC_TRY(oc_allocate(&own, count, sizeof *own));
    const size_t pieces = draw(own, function, shifts, count);
    free(clocks->own_pieces[clock]);
    clocks->own_pieces[clock] = own;
    *function = (ocelotl_time_function){own, pieces};
    return OCELOTL_OK;
}

static ocelotl_status draw_clock(ocelotl_clocks *clocks, uint32_t clock, const oc_moment *moments,
                                 size_t count)
{
    oc_shift *points = NULL;
    const ocelotl_time_function *function = &clocks->functions[clock];
    OC_TRY(oc_allocate(&points, count + function->count + 1, sizeof *points));
    const size_t made = list_points(points, function, moments, count);
    const ocelotl_status status = oc_clock_shift(clocks, clock, points, made);
    free(points);
    return status;
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
    ocelotl_clocks_info *info = &clocks->info;
    /* Both ends of a message are rounded: together by a tick at most. */
    info->latency = latency > 0 ? (double)latency : fmax(1, floor(info->transit / 2));
    all.latency = info->latency + 1;
    ocelotl_status status =
        oc_moments_gather(&all, clocks, OCELOTL_EVIDENCE_MESSAGES | OCELOTL_EVIDENCE_COLLECTIVES);
    if (status == OCELOTL_OK)
        status = oc_moments_move(info, &all, clocks->network.count);
    if (status == OCELOTL_OK)
        status = draw_clocks(clocks, &all);
    oc_moments_free(&all);
    return status;
}
