/* Forward in causal order, then backward before each jump. */
#include "quality/clocks/amortise.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A clock that was moved goes back by a hundred-thousandth of what passes, by more where moves
 * would add up; what is before a jump is stretched by a hundredth: the constants of Scalasca. */
static const double gains[] = {1e-5, 1e-4, 1e-3, 0.1};
static const double slope = 0.01;

typedef struct jump {
    size_t moment;
    double size;
} jump;

typedef struct moving {
    oc_moments *all;
    uint32_t clocks;
    double gain;
    size_t *next;               /* by clock: its first moment that has not been looked at */
    bool *is_sent;              /* by message: its begin has been looked at, */
    bool *is_awaited;           /* or its receiver waits for that */
    uint32_t *ready, *clock_of; /* clocks that can go on; by message: its receiver's */
    size_t ready_count;
    bool *is_ready;
    jump *jumps;
    size_t jump_count, jump_capacity;
} moving;

static double passed(const oc_moment *from, const oc_moment *to)
{
    return (double)((uint64_t)to->time - (uint64_t)from->time);
}

/* --- Forward */

static void make_ready(moving *m, uint32_t clock)
{
    if (m->is_ready[clock])
        return;
    m->is_ready[clock] = true;
    m->ready[m->ready_count++] = clock;
}

static ocelotl_status receive(moving *m, size_t index)
{
    oc_moment *moment = &m->all->moments[index];
    if (!m->is_sent[moment->message])
        return OCELOTL_OK;
    const oc_moment *sent = &m->all->moments[m->all->sent[moment->message]];
    const double shift = (double)(int64_t)((uint64_t)sent->time - (uint64_t)moment->time) +
                         sent->shift + m->all->latency;
    if (shift <= moment->shift)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&m->jumps, &m->jump_capacity, m->jump_count + 1, sizeof *m->jumps));
    m->jumps[m->jump_count++] = (jump){index, shift - moment->shift};
    moment->shift = shift;
    return OCELOTL_OK;
}

/* Goes on until a message arrives that has not been sent yet; `forced` takes one such as it is:
 * in a trace where causes go round nothing else helps. */
static ocelotl_status go_on(moving *m, uint32_t clock, bool forced)
{
    oc_moment *moments = m->all->moments;
    for (size_t *next = &m->next[clock]; *next < m->all->first[clock + 1]; (*next)++) {
        oc_moment *moment = &moments[*next];
        if (moment->arrives && !m->is_sent[moment->message] && !forced) {
            m->is_awaited[moment->message] = true;
            return OCELOTL_OK;
        }
        forced = false;
        if (*next > m->all->first[clock])
            moment->shift = fmax(0, moment[-1].shift - m->gain * passed(&moment[-1], moment));
        if (moment->arrives) {
            OC_TRY(receive(m, *next));
            continue;
        }
        m->is_sent[moment->message] = true;
        if (m->is_awaited[moment->message])
            make_ready(m, m->clock_of[moment->message]);
    }
    return OCELOTL_OK;
}

static ocelotl_status pass_forward(moving *m)
{
    for (uint32_t c = m->clocks; c-- > 0;)
        make_ready(m, c);
    for (;;) {
        while (m->ready_count > 0) {
            const uint32_t clock = m->ready[--m->ready_count];
            m->is_ready[clock] = false;
            OC_TRY(go_on(m, clock, false));
        }
        uint32_t stuck = OCELOTL_NONE; /* of clocks that all wait, the one that waits first */
        for (uint32_t c = 0; c < m->clocks; c++)
            if (m->next[c] < m->all->first[c + 1] &&
                (stuck == OCELOTL_NONE ||
                 m->all->moments[m->next[c]].time < m->all->moments[m->next[stuck]].time))
                stuck = c;
        if (stuck == OCELOTL_NONE)
            return OCELOTL_OK;
        OC_TRY(go_on(m, stuck, true));
    }
}

static double largest_move(const oc_moments *all)
{
    double most = 0;
    for (size_t i = 0; i < all->count; i++)
        most = fmax(most, all->moments[i].shift);
    return most;
}

static double largest_jump(const moving *m)
{
    double most = 0;
    for (size_t i = 0; i < m->jump_count; i++)
        most = fmax(most, m->jumps[i].size);
    return most;
}

/* Where clocks that lead take turns, each drags the others on: they have to go back faster. */
static ocelotl_status move_forward(moving *m)
{
    for (size_t i = 0; i < sizeof gains / sizeof gains[0]; i++) {
        m->gain = gains[i];
        m->jump_count = 0;
        for (uint32_t c = 0; c < m->clocks; c++)
            m->next[c] = m->all->first[c];
        for (size_t k = 0; k < m->all->count; k++)
            m->all->moments[k].shift = 0;
        for (uint64_t k = 0; k < m->all->messages; k++)
            m->is_sent[k] = m->is_awaited[k] = false;
        OC_TRY(pass_forward(m));
        if (largest_move(m->all) <= 2 * largest_jump(m))
            break;
    }
    return OCELOTL_OK;
}

/* --- Backward */

/* How much later what is sent at a moment can be made. */
static double room(const moving *m, const oc_moment *moment)
{
    const oc_moment *received = &m->all->moments[m->all->received[moment->message]];
    return fmax(0, (double)(int64_t)((uint64_t)received->time - (uint64_t)moment->time) +
                       received->shift - moment->shift - m->all->latency);
}

/* Finds the event before a jump that bends the slope most, if all before the jump moved as far as
 * the slope reaches: it would be sent too late. `end` if none would. */
static size_t find_steepest(const moving *m, size_t first, size_t end, double size,
                            double *steepest)
{
    const oc_moment *moments = m->all->moments;
    size_t found = end;
    *steepest = slope;
    for (size_t i = end; i-- > first;) {
        const double before = passed(&moments[i], &moments[end]);
        if (before * slope >= size)
            break;
        if (moments[i].arrives)
            continue;
        const double bend = (size - room(m, &moments[i])) / fmax(before, 1);
        if (bend <= *steepest)
            continue;
        *steepest = bend;
        found = i;
    }
    return found;
}

static void move_before(const moving *m, size_t first, const jump *jumped)
{
    oc_moment *moments = m->all->moments;
    size_t end = jumped->moment;
    double size = jumped->size;
    while (size > 0 && end > first) {
        double steepest;
        const size_t limit = find_steepest(m, first, end, size, &steepest);
        const double left = limit < end ? room(m, &moments[limit]) : 0;
        for (size_t i = end; i-- > first && (limit == end || i >= limit);) {
            const double rise = size - steepest * passed(&moments[i], &moments[end]);
            if (rise <= 0)
                break;
            moments[i].shift += rise;
        }
        if (limit == end)
            return;
        end = limit;
        size = left;
    }
}

static uint32_t find_clock(const moving *m, size_t moment)
{
    uint32_t low = 0;
    uint32_t high = m->clocks;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (m->all->first[middle] <= moment)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- The whole */

static ocelotl_status move(ocelotl_clocks_info *info, moving *m)
{
    const size_t messages = m->all->messages;
    OC_TRY(oc_allocate(&m->next, m->clocks, sizeof *m->next));
    OC_TRY(oc_allocate(&m->is_sent, messages, sizeof *m->is_sent));
    OC_TRY(oc_allocate(&m->is_awaited, messages, sizeof *m->is_awaited));
    OC_TRY(oc_allocate(&m->clock_of, messages, sizeof *m->clock_of));
    OC_TRY(oc_allocate(&m->ready, m->clocks, sizeof *m->ready));
    OC_TRY(oc_allocate(&m->is_ready, m->clocks, sizeof *m->is_ready));
    for (uint32_t c = 0; c < m->clocks; c++)
        for (size_t i = m->all->first[c]; i < m->all->first[c + 1]; i++)
            if (m->all->moments[i].arrives)
                m->clock_of[m->all->moments[i].message] = c;
    OC_TRY(move_forward(m));
    for (size_t i = m->jump_count; i-- > 0;)
        move_before(m, m->all->first[find_clock(m, m->jumps[i].moment)], &m->jumps[i]);
    info->jumps = m->jump_count;
    info->largest_jump = largest_jump(m);
    info->largest_move = largest_move(m->all);
    for (size_t i = 0; i < m->all->count; i++)
        info->moved += m->all->moments[i].shift >= 0.5;
    return OCELOTL_OK;
}

ocelotl_status oc_moments_move(ocelotl_clocks_info *info, oc_moments *moments, uint32_t clocks)
{
    moving m = {.all = moments, .clocks = clocks};
    const ocelotl_status status = move(info, &m);
    free(m.next);
    free(m.is_sent);
    free(m.is_awaited);
    free(m.clock_of);
    free(m.ready);
    free(m.is_ready);
    free(m.jumps);
    return status;
}

/* --- The ends of messages of a trace */

typedef struct gathering {
    const ocelotl_clocks *clocks;
    oc_moments *all;
    size_t *counts; /* by clock, then where its next moment goes */
} gathering;

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

ocelotl_status oc_clock_shift(ocelotl_clocks *clocks, uint32_t clock, const oc_shift *shifts,
                              size_t count)
{
    ocelotl_time_piece *own = NULL;
    ocelotl_time_function *function = &clocks->functions[clock];
    OC_TRY(oc_allocate(&own, count, sizeof *own));
    const size_t pieces = oc_time_function_shift(own, function, shifts, count);
    free(clocks->own_pieces[clock]);
    clocks->own_pieces[clock] = own;
    *function = (ocelotl_time_function){own, pieces};
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
        oc_shift *points = NULL;
        const ocelotl_time_function *function = &clocks->functions[c];
        OC_TRY(oc_allocate(&points, count + function->count + 1, sizeof *points));
        const size_t made = list_points(points, function, &all->moments[first], count);
        const ocelotl_status status = oc_clock_shift(clocks, c, points, made);
        free(points);
        OC_TRY(status);
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
