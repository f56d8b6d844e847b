/* Threads that do jobs. The thread that gives the jobs does some of them itself while it waits, so
 * that the work is done whatever the number of threads, none included. */
#ifndef OC_BASE_POOL_H
#define OC_BASE_POOL_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lives until it has run. A job that has run can be given again. */
typedef struct oc_job {
    void (*run)(struct oc_job *job, uint32_t thread); /* `thread` is below oc_pool_threads */
    void *context;
    struct oc_job *next; /* the pool's */
} oc_job;

typedef struct oc_pool oc_pool;

/* Opens a pool of `threads` threads, the calling one included: thread 0. Fewer start if the system
 * gives no more. Errors: MEMORY. */
ocelotl_status oc_pool_open(oc_pool **pool, uint32_t threads);

/* Ends the threads; jobs that wait are not done. NULL is allowed. */
void oc_pool_free(oc_pool *pool);

/* How many threads may run jobs, the calling one included. */
uint32_t oc_pool_threads(const oc_pool *pool);

/* Gives a job, which is done behind those that wait, or before them. Any thread may. */
void oc_pool_give(oc_pool *pool, oc_job *job, bool before);

/* Signals an event to the thread that waits. Each end of a job does so, too. */
void oc_pool_signal(oc_pool *pool);

/* Counts the events so far. A thread that waits reads this, checks whether it has what it waits
 * for, and otherwise takes a step: that does one job or, if none waits, waits for more events than
 * `seen` or a tenth of a second. Only the first thread may. */
uint64_t oc_pool_seen(oc_pool *pool);
void oc_pool_step(oc_pool *pool, uint64_t seen);

#endif
