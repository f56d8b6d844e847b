/* Threads beside those of the program. */
#ifndef OC_BASE_THREAD_H
#define OC_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that takes no signals: they are for the program's own, one of which may wait for input and is to be
 * interrupted. Returns whether the system gave one. */
bool oc_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

#endif
