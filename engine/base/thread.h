/* Threads beside those of the program. */
#ifndef OC_BASE_THREAD_H
#define OC_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that takes no signals: they are for the program's own, one of which may wait for
 * input and is to be interrupted. Returns whether the system gave one. */
bool oc_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* How many threads, of the `wanted`, a parallel region of OpenMP is to have that this thread opens
 * next: OpenMP ends the program where the system has no threads for it, so they are tried first;
 * half of what there is room for stays free then. Each parallel region asks. O(1) unless it has
 * more threads than the one before. */
int oc_team_size(int wanted);

#endif
