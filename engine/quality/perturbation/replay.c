/* All threads again, each as far as what it waits for lets it. */
#include "quality/perturbation/acts.h"

#include "base/file/bulk.h"

#include <inttypes.h>
#include <math.h>

typedef struct replay {
    ocelotl_perturbation *p;
    uint32_t *ready; /* threads that can go on */
    size_t ready_count;
    uint32_t *rounds; /* by thread: when it was looked at last, of all that wait for each other */
    uint32_t round;
} replay;

/* --- Who waits */

static void wake(replay *r, uint32_t *parked)
{
    while (*parked != OCELOTL_NONE) {
        r->ready[r->ready_count++] = *parked;
        *parked = r->p->threads[*parked].parked;
    }
}

/* What the next act of a thread waits for: where it is parked, and whose act that is. */
typedef struct wait {
    uint32_t *parked, thread;
} wait;

static bool find_wait(wait *found, const replay *r, uint32_t number)
{
    ocelotl_perturbation *p = r->p;
    const oc_thread *thread = &p->threads[number];
    const oc_act *act = &thread->acts[thread->next];
    const bool returns = act->kind == OC_ACT_RETURNS;
    const size_t count = act->kind == OC_ACT_ARRIVES ? oc_thread_arrivals(thread) : returns;
    if (act->kind == OC_ACT_LEAVES) {
        *found = (wait){&p->meetings[act->of].parked, OCELOTL_NONE};
        return p->meetings[act->of].missing > 0;
    }
    for (size_t i = 0; i < count; i++) {
        oc_transfer *transfer = &p->transfers[act[i].of];
        *found = (wait){&transfer->parked, returns ? transfer->target : transfer->source};
        if (returns ? (transfer->flags & (OC_RENDEZVOUS | OC_DONE)) == OC_RENDEZVOUS
                    : (transfer->flags & OC_SENT) == 0)
            return true;
    }
    return false;
}

/* Whether a thread has to wait with its next act; it is parked then. */
static bool waits(const replay *r, uint32_t number)
{
    wait on;
    if (!find_wait(&on, r, number))
        return false;
    r->p->threads[number].parked = *on.parked;
    *on.parked = number;
    return true;
}

/* --- What they waited for */

/* No time goes back, whatever a model says. */
static void end_wait(oc_thread *thread, const oc_act *act, double delay)
{
    const double since = oc_between(thread->at, act->time);
    thread->owed = fmax(0, thread->owed - since);
    thread->delay = fmin(delay, thread->delay + since);
    thread->at = act->time;
}

/* Where messages of others would have come in another order. */
static void judge_order(ocelotl_perturbation *p, oc_thread *thread, const oc_transfer *transfer,
                        double transit, double new_transit)
{
    const double sent = oc_between(p->trace->info.begin, transfer->sent);
    const double came = sent + transfer->late + transit;
    const double new_came = sent - transfer->delay + new_transit;
    if (thread->from != OCELOTL_NONE && thread->from != transfer->source)
        p->info.at_risk += (came - thread->came) * (new_came - thread->new_came) < 0;
    thread->came = came;
    thread->new_came = new_came;
    thread->from = transfer->source;
}

typedef struct arrival {
    const oc_act *acts;
    size_t count;
    double since;    /* the act before */
    double copy;     /* how long it was copied, */
    double new_copy; /* and will be */
    double own;      /* the delay by its receiver alone, */
    double ready;    /* and that of the receiver once records let it go */
} arrival;

static ocelotl_status fail_transit(const ocelotl_perturbation *p, const oc_transfer *transfer)
{
    const ocelotl_route *route = &p->routes[transfer->route].is;
    const bool is_within = route->within[0] != '\0';
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: no message%s%s was waited for, so nothing tells how long one of %.9g bytes "
                   "takes, expected --transit%s%s%s",
                   p->trace->label, is_within ? " within one " : "", route->within, route->bytes,
                   is_within ? ", or --at " : "", route->within,
                   is_within ? ": each is one thread, with all below it" : "");
}

/* The delay that a message's way gives to its end. */
static ocelotl_status arrive(double *delay, ocelotl_perturbation *p, oc_thread *thread,
                             const arrival *a, const oc_transfer *transfer, bool is_last)
{
    const bool there = (transfer->flags & OC_IS_THERE) != 0;
    const bool meets = (transfer->flags & OC_RENDEZVOUS) != 0;
    const bool models = p->options.simulate_all;
    const double ratio = oc_transit_ratio(p, transfer);
    const double passed = oc_between(transfer->sent, transfer->received);
    const double gone = passed - transfer->late;
    const double copy = there ? a->copy : fmin(a->copy, fmax(0, gone));
    const double new_copy = a->new_copy == a->copy ? copy : a->new_copy;
    const double most = fmax(0, gone - copy); /* as it is there by then */
    const double measured = oc_transit_measured(p, transfer);
    const size_t message = (size_t)(transfer - p->transfers);
    const bool loaded = p->loads != NULL && !meets;
    const double cost = loaded ? p->routes[transfer->route].is.contention : 0;
    const double load = cost * (loaded ? p->loads[message] : 0);
    const double new_load = cost * (loaded ? p->new_loads[message] : 0) /
                            oc_factor_of(p, OC_BANDWIDTH, transfer->source, transfer->target);
    const bool sooner = there && !meets && !models && ratio <= 1 && new_load <= load &&
                        a->ready <= transfer->delay + transfer->late;
    const bool known = !models && (measured >= 0 || (is_last && !there));
    double transit = p->routes[transfer->route].is.model + load;
    p->info.all_modelled += gone > transfer->wait;
    p->info.modelled += !known && !sooner;
    if (!known && !sooner && isnan(transit))
        return fail_transit(p, transfer);
    if (known)
        transit = measured >= 0 ? measured : most;
    else if (!models)
        transit = fmin(transit, most);
    const double idle = fmax(0, transit - load);
    const bool same = ratio == 1 && new_load == load;
    const double new_transit =
        same ? transit : fmax(0, idle * ratio + (transit - idle) + new_load - load);
    if (a->count == 1 && !isnan(transit))
        judge_order(p, thread, transfer, transit, new_transit);
    if (loaded) {
        oc_flight *flight = &p->flights[message];
        *flight = oc_flight_of(p, transfer);
        flight->of[0] -= transfer->late + transfer->delay;
        flight->of[1] -= transfer->late + transfer->delay + (transit - new_transit);
    }
    *delay = sooner ? INFINITY : passed + transfer->delay - new_transit - (meets ? 0 : new_copy);
    /* exactly, where times are large */
    if (known && !meets && new_copy == copy && gone >= 0 && same)
        *delay = transfer->delay + transfer->late;
    return OCELOTL_OK;
}

/* Which of several that arrive at once was the last, as far as models tell. */
static size_t find_last(const ocelotl_perturbation *p, const arrival *a)
{
    size_t last = 0;
    double latest = -INFINITY;
    for (size_t i = 0; i < a->count; i++) {
        const oc_transfer *transfer = &p->transfers[a->acts[i].of];
        const double came = oc_between(a->acts->time, transfer->sent) + transfer->late +
                            p->routes[transfer->route].is.model;
        if (came > latest) {
            latest = came;
            last = i;
        }
    }
    return last;
}

static ocelotl_status take_arrivals(replay *r, oc_thread *thread)
{
    ocelotl_perturbation *p = r->p;
    const oc_act *act = &thread->acts[thread->next];
    const oc_transfer *first = &p->transfers[act->of];
    arrival a = {.acts = act,
                 .count = oc_thread_arrivals(thread),
                 .since = oc_between(thread->at, act->time)};
    const bool unseen = (first->flags & OC_UNSEEN) != 0;
    const ocelotl_route *copying = &p->routes[first->copying].is;
    a.ready = thread->delay + thread->owed;
    if (unseen) {
        oc_thread_pass(p, thread, act);
        a.since = 0;
        a.ready = thread->delay;
    }
    a.copy = (first->flags & OC_IS_THERE) != 0 ? first->wait : copying->copy;
    a.new_copy =
        p->options.copies && !unseen ? oc_size_time(&p->options.copy, copying->bytes) : a.copy;
    const double met = (p->options.simulate_all ? p->routes[first->route].is.model
                                                : oc_transit_measured(p, first)) *
                       oc_transit_ratio(p, first);
    a.own = a.since + thread->delay - ((first->flags & OC_RENDEZVOUS) != 0 ? met : a.new_copy);
    const size_t last = find_last(p, &a);
    double least = a.own;
    for (size_t i = 0; i < a.count; i++) {
        double delay;
        oc_transfer *transfer = &p->transfers[act[i].of];
        OC_TRY(arrive(&delay, p, thread, &a, transfer, i == last));
        p->info.arrived += (transfer->flags & OC_IS_THERE) != 0;
        p->info.arrives += a.own <= delay;
        least = fmin(least, delay);
    }
    end_wait(thread, act, least);
    for (size_t i = 0; i < a.count; i++) {
        oc_transfer *transfer = &p->transfers[act[i].of];
        transfer->delay = thread->delay;
        transfer->flags |= OC_DONE;
        wake(r, &transfer->parked);
    }
    return OCELOTL_OK;
}

/* What an operation takes once the last has come scales as latency does. */
static void leave(ocelotl_perturbation *p, oc_thread *thread, const oc_act *act)
{
    const oc_meeting *meeting = &p->meetings[act->of];
    const uint32_t number = (uint32_t)(thread - p->threads);
    const double behind = fmax(0, oc_between(meeting->first, act->time) - meeting->last);
    const double factor = oc_factor_of(p, OC_LATENCY, number, number);
    end_wait(thread, act, meeting->delay + behind * (1 - factor));
}

static void enter(replay *r, const oc_thread *thread, oc_meeting *meeting)
{
    const double before = meeting->last - oc_between(meeting->first, thread->at);
    meeting->delay = fmin(meeting->delay, before + thread->delay);
    if (--meeting->missing == 0)
        wake(r, &meeting->parked);
}

/* --- The new times */

/* Notes how much earlier a thread is, in whole ticks; of what happens within a tick, the last. */
static ocelotl_status note(oc_thread *thread)
{
    static const double hardly = 1e-6;                /* ticks */
    const double shift = -floor(thread->delay + 0.5); /* halves alike, so that order stays */
    if (!(fabs(shift) < 0x1p62))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "new times have more than 2^62 ticks, expected smaller factors and times");
    OC_TRY(oc_bulk_grow(&thread->shifts, &thread->shift_capacity, thread->shift_count + 2,
                        sizeof *thread->shifts));
    if (thread->shift_count == 0)
        thread->shifts[thread->shift_count++] = (oc_shift){thread->is.begin, 0, true};
    oc_shift *last = &thread->shifts[thread->shift_count - 1];
    if (last->read == thread->at) {
        last->shift = shift;
        return OCELOTL_OK;
    }
    if (thread->shift_count > 1) {
        const double whole = oc_between(last[-1].read, thread->at);
        const double part = oc_between(last[-1].read, last->read) / whole;
        const double there = last[-1].shift + (shift - last[-1].shift) * part;
        thread->shift_count -= fabs(there - last->shift) < hardly;
    }
    thread->shifts[thread->shift_count++] = (oc_shift){thread->at, shift, true};
    return OCELOTL_OK;
}

/* --- The whole */

static ocelotl_status take(replay *r, oc_thread *thread, bool forced)
{
    ocelotl_perturbation *p = r->p;
    oc_act *act = &thread->acts[thread->next];
    const size_t count = act->kind == OC_ACT_ARRIVES ? oc_thread_arrivals(thread) : 1;
    p->info.entangled += forced ? count : 0;
    if (!forced && act->kind == OC_ACT_ARRIVES)
        OC_TRY(take_arrivals(r, thread));
    else if (!forced && act->kind == OC_ACT_LEAVES)
        leave(p, thread, act);
    else if (!forced && act->kind == OC_ACT_RETURNS &&
             (p->transfers[act->of].flags & OC_RENDEZVOUS) != 0)
        end_wait(thread, act, p->transfers[act->of].delay);
    else
        oc_thread_pass(p, thread, act);
    if (act->kind == OC_ACT_SENDS) {
        p->transfers[act->of].delay = thread->delay;
        p->transfers[act->of].flags |= OC_SENT;
        wake(r, &p->transfers[act->of].parked);
    }
    if (act->kind == OC_ACT_ENTERS)
        enter(r, thread, &p->meetings[act->of]);
    OC_TRY(note(thread));
    OC_TRY(oc_thread_take(p, thread, act));
    thread->next += count;
    return OCELOTL_OK;
}

static ocelotl_status go_on(replay *r, uint32_t number, bool forced)
{
    oc_thread *thread = &r->p->threads[number];
    while (thread->next < thread->end && (forced || !waits(r, number))) {
        OC_TRY(take(r, thread, forced));
        forced = false;
    }
    return OCELOTL_OK;
}

static const oc_act *next_act(const replay *r, uint32_t number)
{
    const oc_thread *thread = &r->p->threads[number];
    return thread->next < thread->end ? &thread->acts[thread->next] : NULL;
}

/* Of threads that all wait, the one that waits first. */
static uint32_t find_stuck(const replay *r)
{
    uint32_t stuck = OCELOTL_NONE;
    for (uint32_t t = 0; t < r->p->groups.count; t++)
        if (next_act(r, t) != NULL &&
            (stuck == OCELOTL_NONE || next_act(r, t)->time < next_act(r, stuck)->time))
            stuck = t;
    return stuck;
}

/* Whom a thread waits for: of operations the first that has not come. */
static uint32_t find_awaited(const replay *r, uint32_t number)
{
    wait on = {.thread = OCELOTL_NONE};
    const oc_act *act = next_act(r, number);
    find_wait(&on, r, number);
    for (uint32_t t = 0; t < r->p->groups.count && act->kind == OC_ACT_LEAVES; t++) {
        const oc_thread *thread = &r->p->threads[t];
        for (size_t i = thread->next; i < thread->end && thread->acts[i].time <= act->time; i++)
            if (thread->acts[i].kind == OC_ACT_ENTERS && thread->acts[i].of == act->of)
                return t;
    }
    return on.thread;
}

static ocelotl_status fail_cycle(const replay *r, uint32_t stuck)
{
    enum { NAMED_MOST = 4 };
    oc_text names = {0};
    bool returns = false;
    uint32_t count = 0;
    uint32_t at = stuck;
    do {
        const oc_act *act = next_act(r, at);
        if (count++ < NAMED_MOST)
            oc_text_format(&names, "%s\"%s\" at %.9g s", count > 1 ? ", " : "",
                           oc_thread_path(r->p, at), ocelotl_trace_seconds(r->p->trace, act->time));
        returns = returns || act->kind == OC_ACT_RETURNS;
        at = find_awaited(r, at);
    } while (at != stuck);
    if (count > NAMED_MOST)
        oc_text_format(&names, " and %" PRIu32 " more", count - NAMED_MOST);
    const ocelotl_status status =
        names.failed
            ? oc_fail_memory()
            : oc_fail(
                  OCELOTL_ERROR_INPUT,
                  "%s: each waits for the next, and the last for the first: %s; expected clocks "
                  "that agree (ocelotl-cli clocks TRACE -o NEW.db)%s",
                  r->p->trace->label, names.bytes,
                  returns ? ", or senders that do not wait (--model asynchronous)" : "");
    oc_text_free(&names);
    return status;
}

/* Lets one go on of threads that wait for each other within a tick: only rounding makes them.
 * Others cannot have been so. */
static ocelotl_status untie(replay *r, uint32_t stuck)
{
    wait on;
    r->round++;
    while (stuck != OCELOTL_NONE && r->rounds[stuck] != r->round) {
        r->rounds[stuck] = r->round;
        stuck = find_awaited(r, stuck);
    }
    if (stuck == OCELOTL_NONE)
        return oc_fail(OCELOTL_ERROR_INTERNAL, "%s: threads wait for nobody", r->p->trace->label);
    for (uint32_t at = find_awaited(r, stuck); at != stuck; at = find_awaited(r, at))
        if (next_act(r, at)->time != next_act(r, stuck)->time)
            return fail_cycle(r, stuck);
    if (find_wait(&on, r, stuck)) {
        while (*on.parked != stuck)
            on.parked = &r->p->threads[*on.parked].parked;
        *on.parked = r->p->threads[stuck].parked;
    }
    return go_on(r, stuck, true);
}

/* Nothing has been sent or entered yet, in the new times. */
static void begin(replay *r)
{
    ocelotl_perturbation *p = r->p;
    ocelotl_perturbation_info *info = &p->info;
    info->arrived = info->arrives = info->modelled = info->all_modelled = 0;
    info->at_risk = info->entangled = 0;
    for (size_t i = 0; i < p->transfer_count; i++)
        p->transfers[i].flags &= ~(uint32_t)(OC_SENT | OC_DONE);
    for (size_t i = 0; i < p->meeting_count; i++) {
        p->meetings[i].missing = p->meetings[i].members;
        p->meetings[i].delay = INFINITY;
    }
    for (uint32_t t = p->groups.count; t-- > 0;) {
        oc_thread_begin(p, t);
        p->threads[t].shift_count = 0;
        r->ready[r->ready_count++] = t;
    }
}

static ocelotl_status replay_once(replay *r)
{
    begin(r);
    for (;;) {
        while (r->ready_count > 0)
            OC_TRY(go_on(r, r->ready[--r->ready_count], false));
        const uint32_t stuck = find_stuck(r);
        if (stuck == OCELOTL_NONE)
            return OCELOTL_OK;
        OC_TRY(untie(r, stuck));
    }
}

static void find_lengths(ocelotl_perturbation *p)
{
    int64_t first = INT64_MAX;
    p->info.new_length = 0;
    for (uint32_t t = 0; t < p->groups.count; t++)
        first = p->threads[t].is.begin < first ? p->threads[t].is.begin : first;
    for (uint32_t t = 0; t < p->groups.count; t++) {
        oc_thread *thread = &p->threads[t];
        thread->is.earlier = thread->delay;
        if (thread->shift_count == 0)
            continue;
        const double length = oc_between(first, thread->is.end);
        p->info.length = fmax(p->info.length, length);
        p->info.new_length = fmax(p->info.new_length, length - thread->delay);
    }
}

/* Where messages cost each other time, what is under way in the new times follows from these: they
 * are found again until the run is as long as before. If it never is, what was under way in the
 * trace counts. */
ocelotl_status oc_replay(ocelotl_perturbation *p)
{
    enum { ROUNDS = 20 };
    static const double hardly = 1e-4;
    double before = -1;
    replay r = {.p = p};
    OC_TRY(oc_arena_allocate(&r.ready, &p->arena, p->groups.count, sizeof *r.ready));
    OC_TRY(oc_arena_allocate(&r.rounds, &p->arena, p->groups.count, sizeof *r.rounds));
    for (int round = 0; round <= ROUNDS; round++) {
        for (size_t i = 0; i < p->transfer_count && p->loads != NULL && round % ROUNDS == 0; i++)
            p->new_loads[i] = p->loads[i];
        OC_TRY(replay_once(&r));
        find_lengths(p);
        if (p->loads == NULL || fabs(p->info.new_length - before) <= hardly * before)
            return OCELOTL_OK;
        before = p->info.new_length;
        OC_TRY(oc_loads_find(p, p->new_loads));
    }
    return OCELOTL_OK;
}
