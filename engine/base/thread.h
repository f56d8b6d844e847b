/* Threads, and the first failure of several of them with its message: each thread has a message of
 * its own. */
#ifndef OC_BASE_THREAD_H
#define OC_BASE_THREAD_H

#include "base/status.h"

#include <ocelotl/work.h>

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that takes no signals: they are for the program's own, one of which may wait for
 * input and is to be interrupted. Returns whether the system gave one. */
bool oc_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* How many threads, of the `wanted`, a parallel region of OpenMP is to have that this thread opens
 * next: OpenMP ends the program where the system has no threads for it, so they are tried first;
 * half of them stay free then, and five sixths of the addresses. Each parallel region asks. O(1)
 * unless it has more threads than the one before. */
int oc_team_size(int wanted);

/* Errors: ARGUMENT for more than 4096 threads. */
ocelotl_status oc_check_work(const ocelotl_work *work);

/* Zero-initialised nothing has failed. */
typedef struct oc_first_failure {
    int count;
    ocelotl_status status;
    char message[1024];
} oc_first_failure;

/* Keeps a failure of this thread, unless another one came before. */
void oc_first_failure_keep(oc_first_failure *failure, ocelotl_status status);

/* Whether any thread has failed, so that the others need not go on. */
bool oc_first_failure_is_there(const oc_first_failure *failure);

/* Once all threads are done: the failure as one of this thread, or OCELOTL_OK. */
ocelotl_status oc_first_failure_give(const oc_first_failure *failure);

#endif
