/* States of threads and CPUs from the events of a scheduler, in order of time, for traces of any
 * kernel.
 *
 * A thread is running from a switch to it until a switch away from it; then it is ready if it could
 * go on, else blocked until it is woken, and ready from then on. Its state before its first event
 * is unknown, and so is its state once another thread runs on its CPU without a switch away from
 * it. A CPU runs a thread or is idle. */
#ifndef OC_IMPORTERS_COMMON_SCHEDULER_H
#define OC_IMPORTERS_COMMON_SCHEDULER_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum oc_thread_state {
    OC_THREAD_UNKNOWN,
    OC_THREAD_RUNNING,
    OC_THREAD_READY,   /* it could run */
    OC_THREAD_BLOCKED, /* it waits */
    OC_THREAD_ENDED
} oc_thread_state;

/* A state that has ended. Threads and CPUs are the caller's, by number from 0. */
typedef struct oc_scheduled {
    uint32_t thread; /* of a CPU: the one that runs, or OC_NO_THREAD */
    uint32_t cpu;    /* of a running thread: where; of others: where it ran last, or OC_NO_CPU */
    oc_thread_state state; /* of a thread */
    uint32_t detail;       /* as the caller gave it when the state began */
    int64_t begin, end;
} oc_scheduled;

#define OC_NO_THREAD UINT32_MAX /* a CPU is idle */
#define OC_NO_CPU    UINT32_MAX

/* Zero-initialised but for the first three members nothing is known. */
typedef struct oc_scheduler {
    /* Are called when a state ends; of one thread or CPU in order of time. */
    ocelotl_status (*thread)(void *context, const oc_scheduled *state);
    ocelotl_status (*cpu)(void *context, const oc_scheduled *state);
    void *context;
    oc_scheduled *threads, *cpus; /* what each is in, without an end */
    size_t thread_count, thread_capacity, cpu_count, cpu_capacity;
    uint64_t missed; /* threads that were running without a switch to them */
} oc_scheduler;

/* The switch of a CPU at a time. Either may be OC_NO_THREAD. `left` is what the one before is in
 * from now on, and `detail` is kept with that. Nothing says when one that is lost stops running:
 * it and the CPU are unknown from now on. Errors: those of the functions called, MEMORY. */
typedef struct oc_scheduler_change {
    uint32_t cpu, before, after;
    oc_thread_state left;
    uint32_t detail;
    int64_t time;
    bool after_is_lost;
} oc_scheduler_change;
ocelotl_status oc_scheduler_switch(oc_scheduler *scheduler, const oc_scheduler_change *change);

/* A thread is woken, or is new: it is ready, unless it runs. *wakes: it was not ready before. */
ocelotl_status oc_scheduler_wake(bool *wakes, oc_scheduler *scheduler, uint32_t thread,
                                 int64_t time);

/* A thread is known to run on a CPU (or OC_NO_CPU): if no switch said so, it runs from now on. */
ocelotl_status oc_scheduler_see(oc_scheduler *scheduler, uint32_t thread, uint32_t cpu,
                                int64_t time);

/* A thread ends, and what it is in. */
ocelotl_status oc_scheduler_end(oc_scheduler *scheduler, uint32_t thread, int64_t time);

/* All that is open ends. */
ocelotl_status oc_scheduler_finish(oc_scheduler *scheduler, int64_t end);

void oc_scheduler_free(oc_scheduler *scheduler);

#endif
