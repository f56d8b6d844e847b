/* What messages that are under way at once cost each other: a transit is longer by the bytes that
 * its sender has under way, and by those under way to its receiver, where an F-test says so. */
#include "quality/perturbation/acts.h"

#include "base/file/bulk.h"

#include <math.h>

/* A message begins or ends to be under way. */
typedef struct turn {
    double time;
    uint32_t message;
    bool ends;
} turn;

static int compare_turns(const void *left, const void *right)
{
    const turn *a = left;
    const turn *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (int)b->ends - (int)a->ends;
}

/* Adds up the bytes under way from a thread, or to it, when each of its messages is sent. */
static ocelotl_status add_loads(const ocelotl_perturbation *p, float *loads, turn *turns,
                                size_t count)
{
    double bytes = 0;
    OC_TRY(oc_bulk_sort(turns, count, sizeof *turns, compare_turns));
    for (size_t i = 0; i < count; i++) {
        const uint32_t message = turns[i].message;
        const double size = p->routes[p->transfers[message].route].is.bytes;
        if (!turns[i].ends)
            loads[message] += (float)bytes;
        bytes += turns[i].ends ? -size : size;
    }
    return OCELOTL_OK;
}

/* Operations are no messages, and those that meet are under way when both are there. */
static bool is_under_way(const ocelotl_perturbation *p, const oc_transfer *transfer)
{
    return (transfer->flags & OC_RENDEZVOUS) == 0 &&
           p->routes[transfer->route].class < OC_CLASS_OF_OPERATIONS;
}

static ocelotl_status add_turns(const ocelotl_perturbation *p, float *loads,
                                const oc_thread *thread, oc_act_kind kind)
{
    turn *turns = NULL;
    size_t count = 0;
    size_t capacity = 0;
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < thread->end && status == OCELOTL_OK; i++) {
        const uint32_t message = thread->acts[i].of;
        if (thread->acts[i].kind != kind || !is_under_way(p, &p->transfers[message]))
            continue;
        status = oc_bulk_grow(&turns, &capacity, count + 2, sizeof *turns);
        for (int ends = 0; ends < 2 && status == OCELOTL_OK; ends++)
            turns[count++] = (turn){p->flights[message].of[ends], message, ends};
    }
    if (status == OCELOTL_OK)
        status = add_loads(p, loads, turns, count);
    oc_bulk_free(turns);
    return status;
}

ocelotl_status oc_loads_find(const ocelotl_perturbation *p, float *loads)
{
    for (size_t i = 0; i < p->transfer_count; i++)
        loads[i] = 0;
    for (uint32_t t = 0; t < p->groups.count; t++) {
        OC_TRY(add_turns(p, loads, &p->threads[t], OC_ACT_SENDS));
        OC_TRY(add_turns(p, loads, &p->threads[t], OC_ACT_ARRIVES));
    }
    return OCELOTL_OK;
}

/* --- What they cost */

/* A message of which nobody knows when it came takes as long as others of its size. */
oc_flight oc_flight_of(const ocelotl_perturbation *p, const oc_transfer *transfer)
{
    const ocelotl_route *route = &p->routes[transfer->route].is;
    const double measured = oc_transit_measured(p, transfer);
    const double sent = oc_between(p->trace->info.begin, transfer->sent) + transfer->late;
    const double most = oc_between(p->trace->info.begin, transfer->received);
    const double came = sent + (measured >= 0 ? measured : route->median);
    return (oc_flight){{sent, fmax(sent, fmin(most, came))}};
}

/* Sums of what transits and loads differ from the means of their routes. */
static void sum_loads(ocelotl_perturbation *p)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < p->transfer_count; i++) {
            const oc_transfer *transfer = &p->transfers[i];
            oc_route *route = &p->routes[transfer->route];
            const double transit = oc_transit_measured(p, transfer);
            const double off = p->loads[i] - route->load;
            if (transit < 0)
                continue;
            if (pass == 0)
                route->load += p->loads[i] / (double)route->is.measured;
            route->squares += pass * off * off;
            route->products += pass * off * (transit - route->is.mean);
        }
}

/* What a byte costs in a class of routes, by least squares within each. F compares that with none:
 * it is exceeded by chance once in 100 times. */
static bool judge_class(oc_route *routes, size_t count)
{
    enum { FEW = 30 };
    double freedom = -1;
    double total = 0;
    double squares = 0;
    double products = 0;
    for (size_t k = 0; k < count; k++) {
        const double others = (double)routes[k].is.measured - 1;
        freedom += fmax(0, others);
        total += others > 0 ? others * routes[k].is.deviation * routes[k].is.deviation : 0;
        squares += routes[k].squares;
        products += routes[k].products;
    }
    if (freedom < FEW || !(squares > 0) || products <= 0)
        return false;
    const double cost = products / squares;
    const double fisher = cost * products / (fmax(0, total - cost * products) / freedom);
    const double critical = oc_fisher_critical(freedom);
    for (size_t k = 0; k < count; k++) {
        routes[k].is.contention = fisher > critical ? cost : 0;
        routes[k].is.fisher = fisher;
        routes[k].is.fisher_critical = critical;
    }
    return fisher > critical;
}

ocelotl_status oc_contention_find(ocelotl_perturbation *p)
{
    bool found = false;
    if (p->options.transit == OCELOTL_TRANSIT_GIVEN)
        return OCELOTL_OK;
    OC_TRY(oc_bulk_allocate(&p->flights, p->transfer_count, sizeof *p->flights));
    OC_TRY(oc_bulk_allocate(&p->loads, p->transfer_count, sizeof *p->loads));
    for (size_t i = 0; i < p->transfer_count; i++)
        p->flights[i] = oc_flight_of(p, &p->transfers[i]);
    OC_TRY(oc_loads_find(p, p->loads));
    sum_loads(p);
    for (size_t k = 0, end; k < p->info.routes; k = end) {
        end = oc_class_end(p, k);
        if (judge_class(&p->routes[k], end - k))
            found = true;
    }
    if (found) {
        oc_lines_find(p);
        return oc_bulk_allocate(&p->new_loads, p->transfer_count, sizeof *p->new_loads);
    }
    oc_bulk_free(p->loads);
    oc_bulk_free(p->flights);
    p->loads = NULL;
    p->flights = NULL;
    return OCELOTL_OK;
}
