#include "quality/perturbation/acts.h"

#include "base/memory.h"

#include <math.h>

void oc_thread_begin(const ocelotl_perturbation *p, uint32_t thread)
{
    oc_thread *begun = &p->threads[thread];
    begun->next = 0;
    begun->depth = 0;
    begun->delay = begun->owed = 0;
    begun->from = begun->parked = OCELOTL_NONE;
    begun->computing = oc_factor_of(p, OC_COMPUTE, thread, thread);
    begun->at = begun->is.begin;
}

const char *oc_thread_path(const ocelotl_perturbation *p, uint32_t thread)
{
    const uint32_t resource = p->groups.resources[thread];
    return resource != OCELOTL_NONE ? p->paths.of[resource] : oc_whole_group;
}

/* The factor of what a thread does now: what is not communication is computing. */
static double factor_now(const ocelotl_perturbation *p, const oc_thread *thread)
{
    if (thread->depth == 0)
        return thread->computing;
    const oc_open_state *open = &thread->open[thread->depth - 1];
    const bool talks = open->value < p->trace->value_count && p->talks[open->value];
    return open->time * (talks ? 1 : thread->computing);
}

void oc_thread_pass(const ocelotl_perturbation *p, oc_thread *thread, const oc_act *act)
{
    const double since = oc_between(thread->at, act->time);
    const double paid = fmin(thread->owed, since);
    thread->owed -= paid;
    thread->delay += paid + (since - paid) * (1 - factor_now(p, thread));
    thread->at = act->time;
}

ocelotl_status oc_thread_take(ocelotl_perturbation *p, oc_thread *thread, oc_act *act)
{
    if (act->kind == OC_ACT_BEGINS) {
        OC_TRY(
            oc_grow_few(&thread->open, &thread->capacity, thread->depth + 1, sizeof *thread->open));
        const double own = act->of < p->trace->value_count ? p->time_of[act->of] : -1;
        const double around = thread->depth > 0 ? thread->open[thread->depth - 1].time : 1;
        thread->open[thread->depth++] =
            (oc_open_state){act->of, OCELOTL_NONE, own >= 0 ? own : around};
    }
    const bool ends = act->kind == OC_ACT_ENDS || act->kind == OC_ACT_RETURNS;
    if (ends && thread->depth > 0) {
        const uint32_t message = thread->open[--thread->depth].sending;
        if (message != OCELOTL_NONE) {
            act->kind = OC_ACT_RETURNS;
            act->of = message;
            p->transfers[message].returns = act->time;
        }
    }
    thread->owed += act->cost;
    return OCELOTL_OK;
}

size_t oc_thread_arrivals(const oc_thread *thread)
{
    const oc_act *act = &thread->acts[thread->next];
    size_t count = 1;
    while (thread->next + count < thread->end && act[count].kind == OC_ACT_ARRIVES &&
           act[count].time == act->time)
        count++;
    return count;
}

double oc_factor_of(const ocelotl_perturbation *p, oc_factor which, uint32_t source,
                    uint32_t target)
{
    double product = 1;
    for (size_t i = 0; i < p->options.change_count; i++) {
        const ocelotl_factors *change = &p->options.changes[i];
        const bool *changed = &p->changed[i * p->groups.count];
        if (changed[source] || changed[target])
            product *= which == OC_COMPUTE   ? change->compute
                       : which == OC_LATENCY ? change->latency
                                             : change->bandwidth;
    }
    return product;
}
