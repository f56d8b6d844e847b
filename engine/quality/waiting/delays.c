/* Whose delay the waits are: the last to end first, since they pass delays on to earlier ones. */
#include "quality/waiting/waits.h"

#include "base/file/bulk.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Where a weight on the time of a resource begins or ends. */
typedef struct step {
    int64_t time;
    uint32_t resource, value;
    double weight;
} step;

/* What is known of a wait. `delayed` is what it has beside weights until it is done. */
typedef struct share {
    double before;       /* how long the resource waited before */
    double begun, ended; /* the weights on it and those before it, what of these ends with it */
    uint32_t rank;       /* how many follow it that end at the same time; 0: it is done */
} share;

typedef struct sharing {
    oc_waiting *waiting;
    const oc_reader *asker;
    share *of; /* by wait */
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
        is.waited = s->of[is.end - 1].before + passed(last->begin, last->end) -
                    s->of[is.first].before - passed(waits[is.first].begin, from);
    }
    is.worked = fmax(0, passed(from, is.to) - is.waited);
    return is;
}

static ocelotl_status add_step(sharing *s, const oc_wait *wait, int64_t time, double weight)
{
    OC_TRY(oc_bulk_grow(&s->steps, &s->step_capacity, s->step_count + 1, sizeof *s->steps));
    s->steps[s->step_count++] = (step){time, wait->cause, wait->value, weight};
    return OCELOTL_OK;
}

/* A weight on the waits of an interval. */
static void pass_on(sharing *s, const spent *on, double weight)
{
    oc_wait *first = &s->waiting->waits[on->first];
    const size_t whole = on->first + (first->begin < on->from);
    if (whole > on->first)
        first->delayed += weight * passed(on->from, first->end);
    if (whole < on->end) {
        s->of[on->end - 1].begun += weight;
        s->of[whole].ended += weight;
    }
}

/* What the late one worked more than the one that waits, it delays; what it waited more, it passes
 * on. */
static ocelotl_status share_wait(sharing *s, const oc_wait *wait)
{
    const spent here = find_spent(s, wait->resource, wait->met_here, wait->begin);
    const spent there = find_spent(s, wait->cause, wait->met_there, wait->end);
    const double worked = fmax(0, there.worked - here.worked);
    const double waited = fmax(0, there.waited - here.waited);
    double own = worked + waited > 0 ? worked / (worked + waited) : 1;
    own = there.worked > 0 ? own : 0;
    const bool is_done = there.waited > 0 && s->of[there.end - 1].rank == 0; /* they go round */
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

/* The wait of the late one that ends at the same time, to be looked at later; or itself. */
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
        for (; s->of[last].rank == 0; steps++) {
            s->of[last].rank = UINT32_MAX;
            last = find_next(waiting, last);
        }
        for (size_t at = last; s->of[last].rank == UINT32_MAX && (round == 0 || at != last);
             round++)
            at = find_next(waiting, at);
        for (uint32_t k = 0; k < round; k++) {
            s->of[last].rank = round;
            last = find_next(waiting, last);
        }
        steps -= round;
        for (size_t at = i; s->of[at].rank == UINT32_MAX; steps--) {
            s->of[at].rank = s->of[last].rank + steps;
            at = find_next(waiting, at);
        }
    }
}

/* The last wait of a resource that is not done. */
typedef struct place {
    int64_t end;
    uint32_t rank;
    size_t wait;
} place;

static place place_of(const sharing *s, size_t wait)
{
    return (place){s->waiting->waits[wait].end, s->of[wait].rank, wait};
}

static bool comes_first(const place *a, const place *b)
{
    return a->end != b->end     ? a->end > b->end
           : a->rank != b->rank ? a->rank > b->rank
                                : a->wait < b->wait;
}

static void sift_down(place *heap, size_t count, size_t at)
{
    const place sinking = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && comes_first(&heap[child + 1], &heap[child]))
            child++;
        if (!comes_first(&heap[child], &sinking))
            break;
        heap[at] = heap[child];
    }
    heap[at] = sinking;
}

/* The heap has a place for each resource that waits. */
static ocelotl_status share_all(sharing *s, place *heap, uint32_t resources)
{
    oc_waiting *waiting = s->waiting;
    size_t count = 0;
    for (uint32_t r = 0; r < resources; r++)
        if (waiting->first[r] < waiting->first[r + 1])
            heap[count++] = place_of(s, waiting->first[r + 1] - 1);
    for (size_t i = count / 2; i-- > 0;)
        sift_down(heap, count, i);
    while (count > 0) {
        const size_t at = heap->wait;
        OC_TRY(oc_ask_at(s->asker, at));
        oc_wait *wait = &waiting->waits[at];
        const bool is_last = at == waiting->first[wait->resource];
        wait->delayed +=
            passed(wait->begin, wait->end) * ((wait->kind != OC_WAIT_LAUNCH) + s->of[at].begun);
        if (!is_last)
            s->of[at - 1].begun += s->of[at].begun - s->of[at].ended;
        s->of[at].rank = 0;
        if (wait->delayed > 0)
            OC_TRY(share_wait(s, wait));
        *heap = is_last ? heap[--count] : place_of(s, at - 1);
        sift_down(heap, count, 0);
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
            OC_TRY(oc_bulk_grow(&waiting->delays, &waiting->delay_capacity,
                                waiting->delay_count + 1, sizeof *waiting->delays));
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
    OC_TRY(oc_bulk_sort(s->steps, s->step_count, sizeof *s->steps, compare_steps));
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

ocelotl_status oc_delays_find(oc_waiting *waiting, uint32_t resources, const oc_reader *asker)
{
    sharing s = {.waiting = waiting, .asker = asker};
    place *heap = NULL;
    ocelotl_status status = oc_allocate(&heap, resources, sizeof *heap);
    if (status == OCELOTL_OK)
        status = oc_bulk_allocate(&s.of, waiting->count, sizeof *s.of);
    if (status == OCELOTL_OK) {
        const oc_wait *waits = s.waiting->waits;
        for (size_t i = 1; i < s.waiting->count; i++)
            if (waits[i].resource == waits[i - 1].resource)
                s.of[i].before = s.of[i - 1].before + passed(waits[i - 1].begin, waits[i - 1].end);
        find_ranks(&s);
        status = share_all(&s, heap, resources);
    }
    free(heap);
    oc_bulk_free(s.of);
    if (status == OCELOTL_OK)
        status = make_delays(&s);
    oc_bulk_free(s.steps);
    return status;
}
