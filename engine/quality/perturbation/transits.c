/* How long messages take: those that were waited for tell it, of the others nobody knows when they
 * came. */
#include "quality/perturbation/acts.h"

#include "base/file/bulk.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/weighed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Routes */

static const char *name_class(const ocelotl_trace *trace, uint64_t class)
{
    if (class >= OC_CLASS_OF_SEVERAL)
        return "";
    if (class >= OC_CLASS_OF_OPERATIONS)
        return trace->event_types[class - OC_CLASS_OF_OPERATIONS].name;
    return class > 0 && class < OC_CLASS_OF_PAIRS ? trace->resource_types[class - 1].name : "";
}

ocelotl_status oc_route_find(uint32_t *route, ocelotl_perturbation *p, uint64_t class, double bytes)
{
    char key[sizeof class + sizeof bytes];
    memcpy(key, &class, sizeof class);
    memcpy(key + sizeof class, &bytes, sizeof bytes);
    *route = oc_map_get(&p->route_of, key, sizeof key);
    if (*route != OC_MAP_NONE)
        return OCELOTL_OK;
    *route = (uint32_t)p->route_count;
    OC_TRY(oc_grow(&p->routes, &p->route_capacity, p->route_count + 1, sizeof *p->routes));
    oc_route made = {.class = class,
                     .first = p->route_count,
                     .is = {.within = name_class(p->trace, class),
                            .source = "",
                            .target = "",
                            .bytes = bytes,
                            .copy = INFINITY,
                            .least = INFINITY,
                            .most = -INFINITY}};
    if (class >= OC_CLASS_OF_PAIRS && class < OC_CLASS_OF_OPERATIONS) {
        made.is.source =
            oc_thread_path(p, (uint32_t)((class - OC_CLASS_OF_PAIRS) / p->groups.count));
        made.is.target =
            oc_thread_path(p, (uint32_t)((class - OC_CLASS_OF_PAIRS) % p->groups.count));
    }
    p->routes[p->route_count++] = made;
    return oc_map_set(&p->route_of, key, sizeof key, *route);
}

/* --- When records let threads go on */

/* Several messages at once end one wait, and are copied together. */
static ocelotl_status take_arrivals(ocelotl_perturbation *p, const oc_thread *thread,
                                    const oc_act *act, size_t count)
{
    double bytes = 0;
    uint32_t copying = p->transfers[act->of].route;
    const bool unseen = thread->depth == 0;
    const double wait = unseen ? 0 : fmax(0, oc_between(thread->at, act->time) - thread->owed);
    bool late = false; /* what was sent then cannot have been there */
    bool there = true;
    for (size_t i = 0; i < count; i++) {
        const oc_transfer *transfer = &p->transfers[act[i].of];
        bytes += p->routes[transfer->route].is.bytes;
        late = late || (transfer->flags & OC_CAME_LATE) != 0 ||
               oc_between(thread->at, transfer->sent) > thread->owed;
        there = there && (transfer->flags & OC_IS_THERE) != 0;
    }
    if (count > 1)
        OC_TRY(oc_route_find(&copying, p, OC_CLASS_OF_SEVERAL + count, bytes));
    for (size_t i = 0; i < count; i++) {
        oc_transfer *transfer = &p->transfers[act[i].of];
        transfer->wait = wait;
        transfer->copying = copying;
        transfer->flags |= unseen ? OC_UNSEEN : late ? OC_CAME_LATE : 0U;
        if (!there || late)
            transfer->flags &= ~(uint32_t)OC_IS_THERE;
        if (count > 1)
            transfer->flags &= ~(uint32_t)OC_RENDEZVOUS;
        if (!unseen && !late)
            p->routes[copying].is.copy = fmin(p->routes[copying].is.copy, wait);
    }
    return OCELOTL_OK;
}

static void take_enter(oc_meeting *meeting, const oc_thread *thread)
{
    if (meeting->first == INT64_MIN)
        meeting->first = thread->at;
    meeting->last = fmax(meeting->last, oc_between(meeting->first, thread->at) + thread->owed);
}

static void take_send(ocelotl_perturbation *p, oc_thread *thread, uint32_t message)
{
    p->transfers[message].late = thread->owed;
    if ((p->transfers[message].flags & OC_RENDEZVOUS) != 0 && thread->depth > 0)
        thread->open[thread->depth - 1].sending = message;
}

static ocelotl_status pass_act(ocelotl_perturbation *p, oc_thread *thread)
{
    oc_act *act = &thread->acts[thread->next];
    const bool arrives = act->kind == OC_ACT_ARRIVES;
    const size_t count = arrives ? oc_thread_arrivals(thread) : 1;
    if (arrives)
        OC_TRY(take_arrivals(p, thread, act, count));
    oc_thread_pass(p, thread, act);
    if (act->kind == OC_ACT_SENDS)
        take_send(p, thread, act->of);
    if (act->kind == OC_ACT_ENTERS)
        take_enter(&p->meetings[act->of], thread);
    const uint32_t value = thread->depth > 0 ? thread->open[thread->depth - 1].value : OCELOTL_NONE;
    if (act->kind >= OC_ACT_SENDS && value < p->trace->value_count)
        p->talks[value] = true;
    if (act->cost > 0) {
        p->info.clamped += thread->owed > 0;
        p->info.most_excess = fmax(p->info.most_excess, thread->owed);
        p->info.records++;
        p->info.cost += act->cost;
        thread->is.records++;
        thread->is.cost += act->cost;
    }
    OC_TRY(oc_thread_take(p, thread, act));
    thread->next += count;
    return OCELOTL_OK;
}

/* --- Transits */

/* A receive that takes hardly more than the quickest of its size did not wait. */
static void judge_arrival(const ocelotl_perturbation *p, oc_transfer *transfer)
{
    const double copy = p->routes[transfer->copying].is.copy;
    if ((transfer->flags & OC_UNSEEN) != 0 ||
        ((transfer->flags & OC_CAME_LATE) == 0 && transfer->wait <= copy * 1.001 + 2))
        transfer->flags |= OC_IS_THERE;
    const double passed = oc_between(transfer->sent, transfer->received) - transfer->late;
    const double together = fmin(transfer->wait, passed);
    const bool waits = transfer->returns != INT64_MIN &&
                       oc_between(transfer->received, transfer->returns) + together >= 0;
    if (!waits || (transfer->flags & OC_UNSEEN) != 0)
        transfer->flags &= ~(uint32_t)OC_RENDEZVOUS;
}

/* How long a message took; below 0: it was there before its receiver, or with others. */
double oc_transit_measured(const ocelotl_perturbation *p, const oc_transfer *transfer)
{
    const double passed = oc_between(transfer->sent, transfer->received) - transfer->late;
    if ((transfer->flags & OC_RENDEZVOUS) != 0)
        return fmax(0, fmin(transfer->wait, passed));
    if ((transfer->flags & OC_IS_THERE) != 0 || transfer->copying != transfer->route)
        return -1;
    return fmax(0, passed - p->routes[transfer->copying].is.copy);
}

static ocelotl_status sum_up(oc_route *route, double *transits)
{
    ocelotl_route *is = &route->is;
    double squares = 0;
    is->mean = is->deviation = is->median = is->model = (double)NAN;
    if (is->measured == 0) {
        is->least = is->most = (double)NAN;
        return OCELOTL_OK;
    }
    OC_TRY(oc_bulk_sort(transits, is->measured, sizeof *transits, oc_compare_numbers));
    is->mean = 0;
    for (size_t i = 0; i < is->measured; i++)
        is->mean += transits[i] / (double)is->measured;
    for (size_t i = 0; i < is->measured; i++)
        squares += (transits[i] - is->mean) * (transits[i] - is->mean);
    is->deviation = is->measured > 1 ? sqrt(squares / (double)(is->measured - 1)) : 0;
    is->least = transits[0];
    is->most = transits[is->measured - 1];
    is->median = (transits[(is->measured - 1) / 2] + transits[is->measured / 2]) / 2;
    return OCELOTL_OK;
}

static ocelotl_status measure(ocelotl_perturbation *p, double *transits)
{
    size_t first = 0;
    for (size_t i = 0; i < p->transfer_count; i++)
        p->routes[p->transfers[i].route].is.measured +=
            oc_transit_measured(p, &p->transfers[i]) >= 0;
    for (size_t k = 0; k < p->route_count; k++) {
        p->routes[k].first = first;
        first += p->routes[k].is.measured;
        p->routes[k].is.measured = 0;
    }
    for (size_t i = 0; i < p->transfer_count; i++) {
        oc_route *route = &p->routes[p->transfers[i].route];
        const double transit = oc_transit_measured(p, &p->transfers[i]);
        if (transit >= 0)
            transits[route->first + route->is.measured++] = transit;
    }
    for (size_t k = 0; k < p->route_count; k++)
        OC_TRY(sum_up(&p->routes[k], &transits[p->routes[k].first]));
    return OCELOTL_OK;
}

/* --- What the numbers say */

ocelotl_shares ocelotl_perturbation_shares(double without, double corrected, double traced)
{
    return (ocelotl_shares){(traced - without) / without, (corrected - without) / without,
                            (traced - corrected) / (traced - without)};
}

double ocelotl_student_of(double mean, double deviation, uint64_t count)
{
    return mean / deviation * sqrt((double)count);
}

/* The expansion of Cornish and Fisher around the normal distribution: off by less than 1e-3 from
 * 10 degrees of freedom on. */
static double student_quantile(double z, double n)
{
    const double z2 = z * z;
    return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
                (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

double ocelotl_student_critical(uint64_t count)
{
    return student_quantile(1.959963984540054, (double)count - 1);
}

/* F of one variable is the square of t. */
double oc_fisher_critical(double freedom)
{
    return pow(student_quantile(2.575829303548901, freedom), 2);
}

/* --- Lines by size */

/* A byte takes no negative time, and neither does a message without any. Routes of one size have
 * the slope of all. */
static oc_transit_fit fit_line(const oc_route *routes, size_t count, const oc_transit_fit *all)
{
    oc_transit_fit fit = {0};
    double bytes = 0;
    double time = 0;
    double products = 0;
    for (size_t k = 0; k < count; k++) {
        const double weight = (double)routes[k].is.measured;
        if (weight <= 0)
            continue;
        const double share = weight / (fit.count + weight);
        const double idle = routes[k].is.mean - routes[k].is.contention * routes[k].load;
        const double off = routes[k].is.bytes - bytes;
        bytes += share * off;
        fit.squares += weight * off * (routes[k].is.bytes - bytes);
        products += weight * off * (idle - time) * (1 - share);
        time += share * (idle - time);
        fit.count += weight;
    }
    const double slope = fit.squares > 0 ? fmax(0, products / fit.squares) : all->line.per_byte;
    fit.bytes = bytes;
    fit.line = (ocelotl_size_line){time - slope * bytes, slope};
    if (fit.line.fixed < 0)
        fit.line = (ocelotl_size_line){0, time / bytes};
    return fit;
}

/* The mean of many sizes says nothing of a line that one size has made. */
static void test_route(oc_route *of, const ocelotl_size_line *line)
{
    enum { FEW = 30 };
    static const double rounding = 1e-9;
    ocelotl_route *route = &of->is;
    const double cost = route->contention;
    route->line = oc_size_time(line, route->bytes);
    route->student = route->critical = (double)NAN;
    if (route->measured <= FEW)
        return;
    const double off = route->mean - cost * of->load - route->line;
    const double explained = cost * (2 * of->products - cost * of->squares);
    const double squares =
        route->deviation * route->deviation - explained / ((double)route->measured - 1);
    route->student = fabs(off) <= rounding * route->mean
                         ? 0
                         : ocelotl_student_of(off, sqrt(fmax(0, squares)), route->measured);
    route->critical = ocelotl_student_critical(route->measured);
}

static void find_model(const ocelotl_perturbation *p, oc_route *route)
{
    const ocelotl_perturbation_options *options = &p->options;
    const bool given =
        options->transit == OCELOTL_TRANSIT_GIVEN && route->class < OC_CLASS_OF_OPERATIONS;
    const oc_transit_fit *fit = p->fits[route->fit].count > 0 ? &p->fits[route->fit] : p->fits;
    if (given || options->transit == OCELOTL_TRANSIT_GIVEN)
        fit = NULL;
    const ocelotl_size_line *line = fit != NULL ? &fit->line : &options->line;
    test_route(route, line);
    ocelotl_route *is = &route->is;
    const double usual = is->contention > 0 ? is->mean - is->contention * route->load : is->median;
    if (!given && is->measured > 0)
        is->model = p->extreme < 0   ? fmin(is->least, usual)
                    : p->extreme > 0 ? fmax(is->most, usual)
                                     : usual;
    else if (fit == NULL || fit->count > 0)
        route->is.model = route->is.line;
    else
        route->is.line = (double)NAN;
}

size_t oc_class_end(const ocelotl_perturbation *p, size_t route)
{
    size_t end = route + 1;
    while (end < p->info.routes && p->routes[end].fit == p->routes[route].fit)
        end++;
    return end;
}

void oc_lines_find(ocelotl_perturbation *p)
{
    static const oc_transit_fit none = {0};
    size_t messages = 0; /* routes that are of no operations */
    while (messages < p->info.routes && p->routes[messages].class < OC_CLASS_OF_OPERATIONS)
        messages++;
    p->fits[0] = fit_line(p->routes, messages, &none);
    for (size_t k = 0, end; k < p->info.routes; k = end) {
        end = oc_class_end(p, k);
        p->fits[p->routes[k].fit] = fit_line(&p->routes[k], end - k, p->fits);
    }
    for (size_t k = 0; k < p->info.routes; k++)
        find_model(p, &p->routes[k]);
}

/* --- The whole */

static int compare_routes(const void *left, const void *right)
{
    const oc_route *a = left;
    const oc_route *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    return (a->is.bytes > b->is.bytes) - (a->is.bytes < b->is.bytes);
}

/* Puts routes in order of class and size; those of several messages at once, which only have
 * copies, are the last. */
static ocelotl_status sort_routes(ocelotl_perturbation *p)
{
    uint32_t *numbers = NULL;
    OC_TRY(oc_arena_allocate(&numbers, &p->arena, p->route_count, sizeof *numbers));
    if (p->route_count > 1)
        qsort(p->routes, p->route_count, sizeof *p->routes, compare_routes);
    for (uint32_t k = 0; k < p->route_count; k++) {
        oc_route *route = &p->routes[k];
        numbers[route->first] = k;
        p->info.routes += route->class < OC_CLASS_OF_SEVERAL;
        route->fit = k == 0 ? 1 : route[-1].fit + (route->class != route[-1].class);
        if (!isfinite(route->is.copy))
            route->is.copy = 0;
        route->is.fisher = route->is.fisher_critical = (double)NAN;
    }
    for (size_t i = 0; i < p->transfer_count; i++) {
        p->transfers[i].route = numbers[p->transfers[i].route];
        p->transfers[i].copying = numbers[p->transfers[i].copying];
    }
    return oc_arena_allocate(&p->fits, &p->arena, p->route_count + 1, sizeof *p->fits);
}

/* One size tells no latency from bandwidth; without any, all is latency. */
static ocelotl_status check_changes(const ocelotl_perturbation *p)
{
    const bool known = p->options.transit == OCELOTL_TRANSIT_GIVEN || p->fits[0].squares > 0;
    for (size_t i = 0; i < p->options.change_count && !known; i++) {
        const ocelotl_factors *change = &p->options.changes[i];
        if (change->bandwidth != 1 || (change->latency != 1 && p->fits[0].bytes > 0))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: only messages of several sizes that were waited for tell latency "
                           "from bandwidth, and there are none; expected --transit",
                           p->trace->label);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_transits_find(ocelotl_perturbation *p)
{
    double *transits = NULL;
    for (uint32_t t = 0; t < p->groups.count; t++) {
        oc_thread_begin(p, t);
        while (p->threads[t].next < p->threads[t].end)
            OC_TRY(pass_act(p, &p->threads[t]));
    }
    OC_TRY(sort_routes(p));
    for (size_t i = 0; i < p->transfer_count; i++)
        judge_arrival(p, &p->transfers[i]);
    OC_TRY(oc_bulk_allocate(&transits, p->transfer_count, sizeof *transits));
    const ocelotl_status status = measure(p, transits);
    oc_bulk_free(transits);
    OC_TRY(status);
    oc_lines_find(p);
    return check_changes(p);
}

double oc_transit_ratio(const ocelotl_perturbation *p, const oc_transfer *transfer)
{
    const oc_route *route = &p->routes[transfer->route];
    const ocelotl_size_line *line =
        p->options.transit == OCELOTL_TRANSIT_GIVEN ? &p->options.line : &p->fits[route->fit].line;
    const double latency = oc_factor_of(p, OC_LATENCY, transfer->source, transfer->target);
    const double bandwidth = oc_factor_of(p, OC_BANDWIDTH, transfer->source, transfer->target);
    const double before = oc_size_time(line, route->is.bytes);
    const ocelotl_size_line changed = {line->fixed * latency, line->per_byte / bandwidth};
    return before > 0 ? oc_size_time(&changed, route->is.bytes) / before : 1;
}
