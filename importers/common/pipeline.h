/* Two threads: one reads lines and resolves names, the other applies the events, in the order
 * that one thread would. What both need (names, the writer) is changed by the reader only while the
 * pipeline is drained. */
#ifndef OC_IMPORTERS_COMMON_PIPELINE_H
#define OC_IMPORTERS_COMMON_PIPELINE_H

#include "base/text.h"
#include "importers/common/window.h"

#include <pthread.h>

/* Applies an event. Runs in either thread, never in both at once. */
typedef ocelotl_status (*oc_apply)(void *context, oc_raw_event *event);

/* Loads into the processor's cache what events need when they are applied, which leads from one
 * place to the next: what comes first for the event that is farthest, and so on. */
typedef void (*oc_expect)(void *context, const oc_raw_event *farthest, oc_raw_event *farther,
                          const oc_raw_event *next);

typedef struct oc_pipeline {
    oc_raw_window window;
    oc_apply apply;
    oc_expect expect;
    void *context;
    pthread_t thread;
    char apart[OC_CACHE_LINE]; /* the threads' own are in lines of the cache of their own */
    uint64_t given;            /* as the reader knows: events below this number may be applied, */
    uint64_t known_applied;    /* and those below this one have been */
    bool is_ready, runs;
    char apart_too[OC_CACHE_LINE];
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t more, progress;
    uint64_t released, applied;
    bool stops, reader_waits, worker_waits;
    ocelotl_status status; /* the first failure, */
    oc_text message;       /* and why */
} oc_pipeline;

/* All members are zero before. */
ocelotl_status oc_pipeline_begin(oc_pipeline *pipeline, oc_apply apply, oc_expect expect,
                                 void *context);

/* How many events the threads pass on at a time. */
enum { OC_BATCH = 1024 };

/* Hands over the events below a number, and waits where too many have not been applied. Errors:
 * what one of them came to. */
ocelotl_status oc_pipeline_give(oc_pipeline *pipeline, uint64_t to);

/* Hands over the events that cannot move any more, where they are many enough. To be called after
 * each event. */
static inline ocelotl_status oc_pipeline_flow(oc_pipeline *pipeline)
{
    const uint64_t first = oc_raw_window_first(&pipeline->window);
    return first - pipeline->given < OC_BATCH ? OCELOTL_OK : oc_pipeline_give(pipeline, first);
}

/* Applies all events that cannot move any more (or all), and waits. Errors: what one
 * of them came to. */
ocelotl_status oc_pipeline_drain(oc_pipeline *pipeline, bool all);

/* Ends the thread; what has not been applied is not. */
void oc_pipeline_free(oc_pipeline *pipeline);

#endif
