/* What the machine offers, memory and threads, and what a solve costs of it. The model chooses a
 * number of slices by them, and the aggregation refuses what would not fit. */
#ifndef OC_BASE_MACHINE_H
#define OC_BASE_MACHINE_H

#include "base/status.h"

#include <ocelotl/model.h>
#include <ocelotl/work.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* The size of a request. */
typedef struct oc_request_size {
    ocelotl_kind kind;
    uint32_t nodes, inner; /* all, and those that are no leaves */
    uint32_t slices;
    uint32_t threads;
} oc_request_size;

/* Bytes of the measures and of one solve if the losses of `stored` nodes are stored, at least the
 * root's. With T slices, I = T (T + 1) / 2 intervals and W = T (T + 40) cells of a matrix with its
 * margins: 8 I (stored + inner) + threads (16 I + 24 W + T T) + 16 nodes T + 4 leaves (T + 3). */
uint64_t oc_cost_memory(const oc_request_size *size, uint32_t stored);

/* Bytes of losses that are stored where no limit of memory is given: short-lived resources are
 * many, and what they lose is found again as quickly as it is stored. */
#define OC_MOST_STORED ((uint64_t)1 << 29)

/* Counts the nodes whose losses are stored: the root, and others in at most `most` bytes of what is
 * available, which is enough for the root. Where not all fit, a quarter stays for the partitions
 * that will be found. */
uint32_t oc_count_stored(const oc_request_size *size, uint64_t available, uint64_t most);

/* Seconds, roughly, of the measures and of one solve on one common core. */
double oc_cost_seconds(ocelotl_kind kind, uint32_t nodes, uint32_t types, uint32_t slices);

/* A limit; where it is 0, the bytes that may be used without pushing others out: three quarters of
 * what the machine has available now, of the addresses that `ulimit -v` leaves, or of what a
 * container may have. */
uint64_t oc_memory_budget(uint64_t limit);

/* Processors that may be used; at least 1. */
uint32_t oc_processor_count(void);

/* Whether a path is in a file system of the kernel itself (/proc, /sys and what is below them):
 * its files are no traces, and some let whoever reads them wait for ever. */
bool oc_is_of_kernel(const char *path);

/* --- Threads, and the first failure of several of them with its message: each thread has a message
 * of its own */

/* Starts a thread that takes no signals: these go to the program's own threads, as one may wait for
 * input and must be interrupted. Returns whether the system gave a thread. */
bool oc_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* The number of threads, at most `wanted`, for the next parallel region of OpenMP in this thread.
 * OpenMP ends the program if the system lacks threads, so they are tried first; half of them stay
 * free then, and five sixths of the addresses. Every parallel region asks. O(1) unless it has more
 * threads than the one before. */
int oc_team_size(int wanted);

/* Errors: ARGUMENT for more than 4096 threads. */
ocelotl_status oc_check_work(const ocelotl_work *work);

/* Zero-initialised nothing has failed. */
typedef struct oc_first_failure {
    int count;
    ocelotl_status status;
    char message[1024];
} oc_first_failure;

/* Keeps a failure of this thread, unless another one came before; OK is none. */
void oc_first_failure_keep(oc_first_failure *failure, ocelotl_status status);

/* Whether any thread has failed, so that the others need not go on. */
bool oc_first_failure_is_there(const oc_first_failure *failure);

/* Once all threads are done: the failure as one of this thread, or OCELOTL_OK. */
ocelotl_status oc_first_failure_give(const oc_first_failure *failure);

#endif
