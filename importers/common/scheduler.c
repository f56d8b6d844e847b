#include "importers/common/scheduler.h"

#include "base/memory.h"

#include <stdlib.h>

static ocelotl_status know(oc_scheduled **all, size_t *count, size_t *capacity, uint32_t number)
{
    OC_TRY(oc_grow(all, capacity, (size_t)number + 1, sizeof **all));
    while (*count <= number)
        (*all)[(*count)++] = (oc_scheduled){.thread = OC_NO_THREAD, .cpu = OC_NO_CPU};
    return OCELOTL_OK;
}

static ocelotl_status find_thread(oc_scheduled **found, oc_scheduler *scheduler, uint32_t thread)
{
    if (thread >= scheduler->thread_count)
        OC_TRY(know(&scheduler->threads, &scheduler->thread_count, &scheduler->thread_capacity,
                    thread));
    *found = &scheduler->threads[thread];
    (*found)->thread = thread;
    return OCELOTL_OK;
}

/* Ends what is open. Of a CPU the state is RUNNING as soon as anything is known of it. */
static ocelotl_status end(const oc_scheduler *scheduler, oc_scheduled *open, int64_t time,
                          ocelotl_status (*told)(void *, const oc_scheduled *))
{
    const bool is_known = open->state != OC_THREAD_UNKNOWN && open->state != OC_THREAD_ENDED;
    open->end = time;
    return is_known ? told(scheduler->context, open) : OCELOTL_OK;
}

static ocelotl_status change_thread(oc_scheduler *scheduler, uint32_t thread, oc_thread_state state,
                                    uint32_t cpu, int64_t time)
{
    oc_scheduled *open;
    OC_TRY(find_thread(&open, scheduler, thread));
    OC_TRY(end(scheduler, open, time, scheduler->thread));
    open->state = state;
    open->begin = time;
    open->detail = 0;
    open->cpu = cpu != OC_NO_CPU ? cpu : open->cpu;
    return OCELOTL_OK;
}

static ocelotl_status change_cpu(oc_scheduler *scheduler, uint32_t cpu, uint32_t thread,
                                 int64_t time)
{
    if (cpu == OC_NO_CPU)
        return OCELOTL_OK;
    if (cpu >= scheduler->cpu_count)
        OC_TRY(know(&scheduler->cpus, &scheduler->cpu_count, &scheduler->cpu_capacity, cpu));
    oc_scheduled *open = &scheduler->cpus[cpu];
    if (open->state == OC_THREAD_RUNNING && open->thread == thread)
        return OCELOTL_OK;
    const uint32_t before = open->thread;
    OC_TRY(end(scheduler, open, time, scheduler->cpu));
    *open = (oc_scheduled){.state = OC_THREAD_RUNNING, .cpu = cpu, .thread = thread, .begin = time};
    const oc_scheduled *left =
        before < scheduler->thread_count ? &scheduler->threads[before] : NULL;
    return left != NULL && left->state == OC_THREAD_RUNNING && left->cpu == cpu
               ? change_thread(scheduler, before, OC_THREAD_UNKNOWN, OC_NO_CPU, time)
               : OCELOTL_OK;
}

ocelotl_status oc_scheduler_see(oc_scheduler *scheduler, uint32_t thread, uint32_t cpu,
                                int64_t time)
{
    oc_scheduled *open;
    OC_TRY(change_cpu(scheduler, cpu, thread, time));
    if (thread == OC_NO_THREAD)
        return OCELOTL_OK;
    OC_TRY(find_thread(&open, scheduler, thread));
    if (open->state == OC_THREAD_RUNNING)
        return OCELOTL_OK;
    scheduler->missed += open->state != OC_THREAD_UNKNOWN;
    return change_thread(scheduler, thread, OC_THREAD_RUNNING, cpu, time);
}

static ocelotl_status lose(oc_scheduler *scheduler, uint32_t cpu, int64_t time)
{
    if (cpu >= scheduler->cpu_count)
        return OCELOTL_OK;
    OC_TRY(end(scheduler, &scheduler->cpus[cpu], time, scheduler->cpu));
    scheduler->cpus[cpu] = (oc_scheduled){.thread = OC_NO_THREAD, .cpu = OC_NO_CPU};
    return OCELOTL_OK;
}

ocelotl_status oc_scheduler_switch(oc_scheduler *scheduler, const oc_scheduler_change *change)
{
    OC_TRY(oc_scheduler_see(scheduler, change->before, change->cpu, change->time));
    if (change->before != OC_NO_THREAD) {
        OC_TRY(change_thread(scheduler, change->before, change->left, OC_NO_CPU, change->time));
        scheduler->threads[change->before].detail = change->detail;
    }
    if (change->after_is_lost)
        return lose(scheduler, change->cpu, change->time);
    OC_TRY(change_cpu(scheduler, change->cpu, change->after, change->time));
    return change->after == OC_NO_THREAD
               ? OCELOTL_OK
               : change_thread(scheduler, change->after, OC_THREAD_RUNNING, change->cpu,
                               change->time);
}

ocelotl_status oc_scheduler_wake(bool *wakes, oc_scheduler *scheduler, uint32_t thread,
                                 int64_t time)
{
    oc_scheduled *open;
    OC_TRY(find_thread(&open, scheduler, thread));
    *wakes = open->state != OC_THREAD_RUNNING && open->state != OC_THREAD_READY;
    return *wakes ? change_thread(scheduler, thread, OC_THREAD_READY, OC_NO_CPU, time) : OCELOTL_OK;
}

ocelotl_status oc_scheduler_end(oc_scheduler *scheduler, uint32_t thread, int64_t time)
{
    return change_thread(scheduler, thread, OC_THREAD_ENDED, OC_NO_CPU, time);
}

ocelotl_status oc_scheduler_finish(oc_scheduler *scheduler, int64_t time)
{
    for (size_t i = 0; i < scheduler->thread_count; i++)
        OC_TRY(end(scheduler, &scheduler->threads[i], time, scheduler->thread));
    for (size_t i = 0; i < scheduler->cpu_count; i++)
        OC_TRY(end(scheduler, &scheduler->cpus[i], time, scheduler->cpu));
    return OCELOTL_OK;
}

void oc_scheduler_free(oc_scheduler *scheduler)
{
    free(scheduler->threads);
    free(scheduler->cpus);
    *scheduler = (oc_scheduler){0};
}
