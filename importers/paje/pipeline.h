/* Two threads: one reads lines and resolves names, the other lets the events happen, in the same
 * order as one would. What both need (names, the writer) is changed by the reader only while the
 * pipeline is settled. */
#ifndef OC_IMPORTERS_PAJE_PIPELINE_H
#define OC_IMPORTERS_PAJE_PIPELINE_H

#include "base/text.h"
#include "importers/paje/event.h"

#include <pthread.h>

/* Lets an event happen. Runs in either thread, never in both at once. */
typedef ocelotl_status (*paje_happen)(void *context, paje_event *event);

/* Asks for the memory that events will need when they happen, which leads from one place to the
 * next: what comes first for the event that is farthest, and so on. */
typedef void (*paje_expect)(void *context, const paje_event *farthest, paje_event *farther,
                            const paje_event *next);

typedef struct paje_pipeline {
    paje_window window;
    paje_happen happen;
    paje_expect expect;
    void *context;
    pthread_t thread;
    char apart[PAJE_LINE];   /* the threads' own are in lines of the cache of their own */
    uint64_t given;          /* as the reader knows: events below this number may happen, */
    uint64_t known_happened; /* and those below this one have */
    bool is_ready, runs;
    char apart_too[PAJE_LINE];
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t more, progress;
    uint64_t released, happened;
    bool stops, reader_waits, worker_waits;
    ocelotl_status status; /* the first failure, */
    oc_text message;       /* and why */
} paje_pipeline;

/* All members are zero before. */
ocelotl_status paje_pipeline_begin(paje_pipeline *pipeline, paje_happen happen, paje_expect expect,
                                   void *context);

/* How many events the threads pass on at a time. */
enum { PAJE_BATCH = 1024 };

/* Hands over the events below a number, and waits where too many have not happened. Errors: what
 * one of them came to. */
ocelotl_status paje_pipeline_give(paje_pipeline *pipeline, uint64_t to);

/* Hands over the events that cannot move any more, where they are many enough. To be called after
 * each event. */
static inline ocelotl_status paje_pipeline_flow(paje_pipeline *pipeline)
{
    const uint64_t first = paje_window_first(&pipeline->window);
    return first - pipeline->given < PAJE_BATCH ? OCELOTL_OK : paje_pipeline_give(pipeline, first);
}

/* Lets all events that cannot move any more (or all there are) happen, and waits. Errors: what one
 * of them came to. */
ocelotl_status paje_pipeline_settle(paje_pipeline *pipeline, bool all);

/* Ends the thread; what has not happened does not. */
void paje_pipeline_free(paje_pipeline *pipeline);

#endif
