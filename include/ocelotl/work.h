/* How long work is done: its threads, its memory, and how a caller watches and cancels it. */
#ifndef OCELOTL_WORK_H
#define OCELOTL_WORK_H

#include <ocelotl/exchange.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reports progress during long work: `done` of `total`, in units of the work (bytes of input,
 * nodes, solves); total is 0 where it is not known. Return false to cancel: the call then cleans up
 * and returns OCELOTL_ERROR_CANCELLED. The library calls it from the thread that made the call. */
typedef bool (*ocelotl_progress)(void *context, uint64_t done, uint64_t total);

/* A member of the options of everything that can take long. Zero is the default of each member. A
 * function that cannot use a member ignores it, and says so. */
typedef struct ocelotl_work {
    uint32_t threads;          /* 0: as many as OpenMP offers */
    uint64_t memory_limit;     /* in bytes; 0: three quarters of what the machine has free */
    ocelotl_progress progress; /* NULL: none */
    void *context;             /* the first argument of `progress` */

    /* The ranks that share the work of models, aggregations and imports; NULL: this process alone.
     * It must live as long as what is made with it. */
    const ocelotl_exchange *exchange;
} ocelotl_work;

#ifdef __cplusplus
}
#endif
#endif
