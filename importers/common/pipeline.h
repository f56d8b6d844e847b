/* The way of blocks from a source to the writer: docs/developer/import.md. One thread, the first,
 * gives blocks in their order; what can be done ahead of it, or behind it, is done by others. What
 * all need (names, the writer) is changed by the first thread only while the pipeline is drained.
 */
#ifndef OC_IMPORTERS_COMMON_PIPELINE_H
#define OC_IMPORTERS_COMMON_PIPELINE_H

#include "base/text.h"
#include "importers/common/window.h"

#include <pthread.h>

/* Applies the events from one to before another of a block, in any thread, one at a time. */
typedef ocelotl_status (*oc_apply)(void *context, const oc_block *block, size_t from, size_t to);

typedef struct oc_pipeline {
    oc_raw_window window;
    oc_pool *pool;
    oc_apply apply;
    void *context;
    bool is_ready;
    pthread_mutex_t lock;   /* of all below */
    oc_block *free;         /* blocks that can be used again */
    oc_block *first, *last; /* blocks that wait to be applied, */
    size_t waiting;         /* blocks that wait */
    bool applies;           /* the job has been given */
    oc_job job;
    ocelotl_status status; /* the first failure, */
    oc_text message;       /* and why */
} oc_pipeline;

/* All members are zero before. `threads` as in ocelotl_work. */
ocelotl_status oc_pipeline_begin(oc_pipeline *pipeline, uint32_t threads, oc_apply apply,
                                 void *context);

/* Frees all; what has not been applied is not. */
void oc_pipeline_free(oc_pipeline *pipeline);

/* An empty block, and back; any thread may ask. NULL where memory is missing. */
oc_block *oc_pipeline_block(oc_pipeline *pipeline);
void oc_pipeline_give_back(oc_pipeline *pipeline, oc_block *block);

/* Hands over the blocks whose events cannot move any more, and waits if too many are not applied.
 * Errors: those of applying an event. */
ocelotl_status oc_pipeline_flow(oc_pipeline *pipeline);

/* Applies all events that cannot move any more (or all), and waits. Errors: what one of them came
 * to. */
ocelotl_status oc_pipeline_drain(oc_pipeline *pipeline, bool all);

#endif
