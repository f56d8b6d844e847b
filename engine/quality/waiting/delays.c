/* Whose delay the waits are: the last to end first, since they pass delays on to earlier ones. */
#include "quality/waiting/waits.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Where a weight on the time of a resource begins or ends. */
typedef struct step {
    int64_t time;
    uint32_t resource, value;
    double weight;
} step;

typedef struct sharing {
    oc_waiting *waiting;
    double *before; /* by wait: how long the resource waited before */
    /* by wait: the weights on it and those before it, what of these ends with it, and ticks that
     * it has beside */
    double *begun, *ended, *more;
    uint32_t *rank; /* by wait: how many follow it that end at the same time; 0: it is done */
    step *steps;
    size_t step_count, step_capacity;
} sharing;

static double passed(int64_t from, int64_t to)
{
    return from < to ? (double)((uint64_t)to - (uint64_t)from) : 0;
}

size_t oc_waits_behind(const oc_waiting *waiting, uint32_t resource, int64_t time)
{
    size_t low = waiting->first[resource];
    for (size_t high = waiting->first[resource + 1]; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (waiting->waits[middle].end <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What a resource does between two instants. */
typedef struct spent {
    size_t first, end; /* its waits that are over by then, of the first maybe its end alone */
    int64_t from, to;  /* a wait that is not over then is left out, with what follows */
    double waited, worked;
} spent;

static spent find_spent(const sharing *s, uint32_t resource, int64_t from, int64_t to)
{
    const oc_waiting *waiting = s->waiting;
    const oc_wait *waits = waiting->waits;
    spent is = {.first = oc_waits_behind(waiting, resource, from),
                .end = oc_waits_behind(waiting, resource, to),
                .from = from,
                .to = to};
    if (is.end < waiting->first[resource + 1] && waits[is.end].begin < to)
        is.to = waits[is.end].begin;
    if (is.to < from)
        is.to = from;
    if (is.first < is.end) {
        const oc_wait *last = &waits[is.end - 1];
        is.waited = s->before[is.end - 1] + passed(last->begin, last->end) - s->before[is.first] -
                    passed(waits[is.first].begin, from);
    }
    is.worked = fmax(0, passed(from, is.to) - is.waited);
    return is;
}

static ocelotl_status add_step(sharing *s, const oc_wait *wait, int64_t time, double weight)
{
    OC_TRY(oc_grow(&s->steps, &s->step_capacity, s->step_count + 1, sizeof *s->steps));
    s->steps[s->step_count++] = (step){time, wait->cause, wait->value, weight};
    return OCELOTL_OK;
}

/* A weight on the waits of an interval. */
static void pass_on(sharing *s, const spent *on, double weight)
{
    const oc_wait *first = &s->waiting->waits[on->first];
    const size_t whole = on->first + (first->begin < on->from);
    if (whole > on->first)
        s->more[on->first] += weight * passed(on->from, first->end);
    if (whole < on->end) {
        s->begun[on->end - 1] += weight;
        s->ended[whole] += weight;
    }
}

/* What the late one worked more than the one that waits, it delays; what it waited more, it passes
 * on. */
static ocelotl_status share(sharing *s, const oc_wait *wait)
{
    const spent here = find_spent(s, wait->resource, wait->met_here, wait->begin);
    const spent there = find_spent(s, wait->cause, wait->met_there, wait->end);
    const double worked = fmax(0, there.worked - here.worked);
    const double waited = fmax(0, there.waited - here.waited);
    double own = worked + waited > 0 ? worked / (worked + waited) : 1;
    own = there.worked > 0 ? own : 0;
    const bool is_done = there.waited > 0 && s->rank[there.end - 1] == 0; /* they go round */
    if (own < 1 && there.waited > 0 && !is_done)
        pass_on(s, &there, wait->delayed * (1 - own) / there.waited);
    else
        s->waiting->unexplained += wait->delayed * (1 - own);
    if (own > 0) {
        OC_TRY(add_step(s, wait, there.from, wait->delayed * own / there.worked));
        OC_TRY(add_step(s, wait, there.to, -wait->delayed * own / there.worked));
    }
    return OCELOTL_OK;
}

/* --- In order */

/* The wait of the late one that ends at the same time, which is to be looked at later; or itself.
 */
static size_t find_next(const oc_waiting *waiting, size_t index)
{
    const oc_wait *wait = &waiting->waits[index];
    const size_t behind = oc_waits_behind(waiting, wait->cause, wait->end);
    return behind > waiting->first[wait->cause] && waiting->waits[behind - 1].end == wait->end
               ? behind - 1
               : index;
}

/* Those that go round have one rank. */
static void find_ranks(sharing *s)
{
    const oc_waiting *waiting = s->waiting;
    for (size_t i = 0; i < waiting->count; i++) {
        uint32_t steps = 0;
        uint32_t round = 0;
        size_t last = i;
        for (; s->rank[last] == 0; steps++) {
            s->rank[last] = UINT32_MAX;
            last = find_next(waiting, last);
        }
        for (size_t at = last; s->rank[last] == UINT32_MAX && (round == 0 || at != last); round++)
            at = find_next(waiting, at);
        for (uint32_t k = 0; k < round; k++) {
            s->rank[last] = round;
            last = find_next(waiting, last);
        }
        steps -= round;
        for (size_t at = i; s->rank[at] == UINT32_MAX; steps--) {
            s->rank[at] = s->rank[last] + steps;
            at = find_next(waiting, at);
        }
    }
}

typedef struct place {
    int64_t end;
    uint32_t rank;
    size_t wait;
} place;

static int compare_places(const void *left, const void *right)
{
    const place *a = left;
    const place *b = right;
    if (a->end != b->end)
        return a->end < b->end ? 1 : -1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? 1 : -1;
    return (a->wait > b->wait) - (a->wait < b->wait);
}

static ocelotl_status share_all(sharing *s, place *places)
{
    oc_waiting *waiting = s->waiting;
    for (size_t i = 0; i < waiting->count; i++) {
        const bool begins = i == waiting->first[waiting->waits[i].resource];
        const oc_wait *last = begins ? NULL : &waiting->waits[i - 1];
        s->before[i] = begins ? 0 : s->before[i - 1] + passed(last->begin, last->end);
        places[i] = (place){waiting->waits[i].end, s->rank[i], i};
    }
    if (waiting->count > 1)
        qsort(places, waiting->count, sizeof *places, compare_places);
    for (size_t i = 0; i < waiting->count; i++) {
        const size_t at = places[i].wait;
        oc_wait *wait = &waiting->waits[at];
        wait->delayed = passed(wait->begin, wait->end) * (1 + s->begun[at]) + s->more[at];
        if (at > waiting->first[wait->resource])
            s->begun[at - 1] += s->begun[at] - s->ended[at];
        s->rank[at] = 0;
        OC_TRY(share(s, wait));
    }
    return OCELOTL_OK;
}

/* --- Delays */

static int compare_steps(const void *left, const void *right)
{
    const step *a = left;
    const step *b = right;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->time > b->time) - (a->time < b->time);
}

/* Adds a delay, but for the time that the resource waits itself. */
static ocelotl_status add_delay(oc_waiting *waiting, oc_delay delay)
{
    const int64_t to = delay.to;
    size_t i = oc_waits_behind(waiting, delay.resource, delay.from);
    for (; delay.from < to; i++) {
        const bool waits = i < waiting->first[delay.resource + 1] && waiting->waits[i].begin < to;
        delay.to = waits ? waiting->waits[i].begin : to;
        if (delay.from < delay.to) {
            OC_TRY(oc_grow(&waiting->delays, &waiting->delay_capacity, waiting->delay_count + 1,
                           sizeof *waiting->delays));
            waiting->delays[waiting->delay_count++] = delay;
        }
        delay.from = waits ? waiting->waits[i].end : to;
    }
    return OCELOTL_OK;
}

/* What steps leave is rounding where nothing is open. */
static ocelotl_status make_delays(sharing *s)
{
    double weight = 0;
    size_t open = 0;
    if (s->step_count > 1)
        qsort(s->steps, s->step_count, sizeof *s->steps, compare_steps);
    for (size_t i = 0; i + 1 < s->step_count; i++) {
        const step *at = &s->steps[i];
        open = at->weight > 0 ? open + 1 : open - 1;
        weight = open > 0 ? weight + at->weight : 0;
        if (open > 0 && weight > 0)
            OC_TRY(add_delay(s->waiting,
                             (oc_delay){at->time, at[1].time, at->resource, at->value, weight}));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_delays_find(oc_waiting *waiting)
{
    sharing s = {.waiting = waiting};
    place *places = NULL;
    ocelotl_status status = oc_allocate(&places, waiting->count, sizeof *places);
    double **const numbers[] = {&s.before, &s.begun, &s.ended, &s.more};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == OCELOTL_OK; i++)
        status = oc_allocate(numbers[i], waiting->count, sizeof **numbers[i]);
    if (status == OCELOTL_OK)
        status = oc_allocate(&s.rank, waiting->count, sizeof *s.rank);
    if (status == OCELOTL_OK) {
        find_ranks(&s);
        status = share_all(&s, places);
    }
    if (status == OCELOTL_OK)
        status = make_delays(&s);
    free(places);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        free(*numbers[i]);
    free(s.rank);
    free(s.steps);
    return status;
}
