/* Threads that read a trace, each by a connection of its own: the trace's serves the first one. */
#ifndef OC_STORE_READ_TEAM_H
#define OC_STORE_READ_TEAM_H

#include "store/trace/trace.h"

#include <ocelotl/work.h>

/* How many threads are worth their connections: one for each share of the work, at most those that
 * OpenMP has, and `most`, where that is not 0. */
int oc_team_threads(uint64_t work, uint64_t share, uint32_t most);

typedef struct oc_team oc_team;

/* Opens a team of at most `threads` threads. The trace must outlive it. */
ocelotl_status oc_team_open(oc_team **team, ocelotl_trace *trace, int threads);
void oc_team_free(oc_team *team);

/* One of the threads at work. */
typedef struct oc_team_member {
    struct oc_team *team;
    uint32_t thread; /* below the number that was asked for */
    oc_connection connection;
} oc_team_member;

/* Takes the next item of the work, which no other thread has; false at the end, or if some thread
 * has failed. */
bool oc_team_next(size_t *item, const oc_team_member *member);

/* Asks whoever waits, from the thread that made the call; others see its failure. The progress is
 * of 0, total unknown. Errors: CANCELLED. */
ocelotl_status oc_team_ask(const oc_team_member *member, const ocelotl_work *work);

/* The work of a thread: it takes items until none is left. */
typedef ocelotl_status (*oc_team_work)(void *context, const oc_team_member *member);

/* Has items 0 .. count - 1 worked on. A thread that gets no connection leaves the work to the
 * others; connections are kept until the team is freed. Errors: the first one met; IO, INPUT where
 * the file is not the same trace any more. */
ocelotl_status oc_team_run(oc_team *team, size_t count, oc_team_work work, void *context);

/* All of this for work that is done once. */
ocelotl_status oc_team_do(ocelotl_trace *trace, int threads, size_t count, oc_team_work work,
                          void *context);

#endif
