/* The way of blocks from a source to the writer: docs/developer/import.md. One thread, the first,
 * gives blocks in their order; what can be done ahead of it, or behind it, is done by others. What
 * all need (names, the writer) changes only in the first thread while the pipeline is drained. */
#ifndef OC_IMPORTERS_PAJE_PIPELINE_H
#define OC_IMPORTERS_PAJE_PIPELINE_H

#include "base/file/input.h"
#include "base/text.h"
#include "importers/paje/block.h"

#include <pthread.h>

/* Applies the events from one to before another of a block, in any thread, one at a time. */
typedef ocelotl_status (*paje_apply_range)(void *context, const paje_block *block, size_t from,
                                           size_t to);

typedef struct paje_pipeline {
    paje_window window;
    oc_pool *pool;
    paje_apply_range apply;
    void *context;
    bool is_ready;
    pthread_mutex_t lock; /* of all below */
    paje_block *free;     /* blocks that can be used again */
    paje_queue waiting;   /* to be applied; the first of them is */
    bool applies;         /* the job has been given */
    oc_job job;
    ocelotl_status status; /* the first failure, */
    oc_text message;       /* and why */
} paje_pipeline;

/* All members are zero before. `threads` as in ocelotl_work. */
ocelotl_status paje_pipeline_begin(paje_pipeline *pipeline, uint32_t threads,
                                   paje_apply_range apply, void *context);

/* Frees all; what has not been applied is not. */
void paje_pipeline_free(paje_pipeline *pipeline);

/* An empty block, and back; any thread may ask. NULL where memory is missing. */
paje_block *paje_pipeline_block(paje_pipeline *pipeline);
void paje_pipeline_give_back(paje_pipeline *pipeline, paje_block *block);

/* Hands over the blocks whose events cannot move any more, and waits if too many are not applied.
 * Errors: those of applying an event. */
ocelotl_status paje_pipeline_flow(paje_pipeline *pipeline);

/* Applies all events that cannot move any more (or all), and waits. Errors: what one of them came
 * to. */
ocelotl_status paje_pipeline_drain(paje_pipeline *pipeline, bool all);

/* --- A text in blocks of whole lines, read ahead by another thread if several may work */

enum {
    /* Bytes of a block. The result does not depend on the number of threads, nor does this. */
    PAJE_TEXT_BLOCK = 1 << 17,
    PAJE_LONGEST_LINE = 1 << 24
};

/* Zero-initialised but for `input` and `pipeline`. */
typedef struct paje_text {
    oc_input *input;
    paje_pipeline *pipeline; /* has the blocks, and is signalled when one is read */
    size_t block_size;       /* 0: PAJE_TEXT_BLOCK */
    oc_text rest;            /* of a line that is in the next block */
    bool skips;              /* what is left of a line that is too long */
    bool input_ended;
    bool is_open;      /* the last line has no end in the file: once all is taken */
    uint64_t position; /* of the source, for progress: read it atomically */
    /* Where it is read ahead: */
    bool is_ready, runs, stops;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t taken;
    paje_queue ready;
    bool ended;
    ocelotl_status status; /* why it ended, where it is not over */
    oc_text message;
} paje_text;

/* Reads ahead in a thread where the pipeline has several. */
void paje_text_begin(paje_text *text);
void paje_text_free(paje_text *text);

/* Takes the next block; *block is NULL where none is there yet, or *ended. A line that compressed
 * data that is cut leaves incomplete is left out. Errors: those of oc_input_read, behind all lines
 * that could be read. */
ocelotl_status paje_text_next(paje_block **block, bool *ended, paje_text *text);

#endif
