#define _GNU_SOURCE
#include "importers/common/pipeline.h"

#include "base/memory.h"

#include <omp.h>

/* Blocks that wait to be applied: with those that are read ahead they are most of the memory. */
static const size_t most_waiting = 8;
static const uint32_t most_threads = 64;

/* Applies events of a block; after a failure it only forgets them. */
static void apply(oc_pipeline *pipeline, const oc_block *block, size_t from, size_t to)
{
    if (pipeline->status != OCELOTL_OK)
        return;
    const ocelotl_status status = pipeline->apply(pipeline->context, block, from, to);
    if (status == OCELOTL_OK)
        return;
    pthread_mutex_lock(&pipeline->lock);
    pipeline->status = status;
    oc_text_add(&pipeline->message, ocelotl_error_message());
    pthread_mutex_unlock(&pipeline->lock);
}

/* Under the lock. */
static void put_back(oc_pipeline *pipeline, oc_block *block)
{
    oc_block_clear(block);
    block->next = pipeline->free;
    pipeline->free = block;
}

static void apply_waiting(oc_job *job, uint32_t thread)
{
    (void)thread;
    oc_pipeline *pipeline = job->context;
    pthread_mutex_lock(&pipeline->lock);
    while (pipeline->first != NULL) {
        oc_block *block = pipeline->first;
        pthread_mutex_unlock(&pipeline->lock);
        apply(pipeline, block, block->handed, block->count);
        pthread_mutex_lock(&pipeline->lock);
        pipeline->first = block->next;
        pipeline->waiting--;
        put_back(pipeline, block);
        oc_pool_signal(pipeline->pool);
    }
    pipeline->applies = false;
    pthread_mutex_unlock(&pipeline->lock);
}

ocelotl_status oc_pipeline_begin(oc_pipeline *pipeline, uint32_t threads, oc_apply apply_range,
                                 void *context)
{
    pipeline->apply = apply_range;
    pipeline->context = context;
    pipeline->job = (oc_job){.run = apply_waiting, .context = pipeline};
    if (threads == 0)
        threads = (uint32_t)omp_get_max_threads();
    if (pthread_mutex_init(&pipeline->lock, NULL) != 0)
        return oc_fail_memory();
    pipeline->is_ready = true;
    return oc_pool_open(&pipeline->pool, threads < most_threads ? threads : most_threads);
}

static void free_list(oc_block *block)
{
    while (block != NULL) {
        oc_block *next = block->next;
        oc_block_free(block);
        block = next;
    }
}

void oc_pipeline_free(oc_pipeline *pipeline)
{
    oc_pool_free(pipeline->pool);
    pipeline->pool = NULL;
    free_list(pipeline->window.first);
    free_list(pipeline->first);
    free_list(pipeline->free);
    if (pipeline->is_ready)
        pthread_mutex_destroy(&pipeline->lock);
    pipeline->is_ready = false;
    oc_text_free(&pipeline->message);
}

oc_block *oc_pipeline_block(oc_pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    oc_block *block = pipeline->free;
    if (block != NULL)
        pipeline->free = block->next;
    pthread_mutex_unlock(&pipeline->lock);
    if (block == NULL && oc_allocate(&block, 1, sizeof *block) != OCELOTL_OK)
        return NULL;
    block->next = NULL;
    return block;
}

void oc_pipeline_give_back(oc_pipeline *pipeline, oc_block *block)
{
    pthread_mutex_lock(&pipeline->lock);
    put_back(pipeline, block);
    pthread_mutex_unlock(&pipeline->lock);
}

/* Under the lock. */
static void put(oc_pipeline *pipeline, oc_block *block)
{
    if (pipeline->first == NULL)
        pipeline->first = block;
    else
        pipeline->last->next = block;
    pipeline->last = block;
    pipeline->waiting++;
    if (!pipeline->applies)
        oc_pool_give(pipeline->pool, &pipeline->job, true);
    pipeline->applies = true;
}

static ocelotl_status failure(oc_pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    const ocelotl_status status = pipeline->status;
    pthread_mutex_unlock(&pipeline->lock);
    if (status == OCELOTL_OK)
        return OCELOTL_OK;
    if (pipeline->message.bytes == NULL)
        return oc_fail_memory();
    return oc_fail(status, "%s", pipeline->message.bytes);
}

/* Waits until no more blocks wait. */
static ocelotl_status wait_for(oc_pipeline *pipeline, size_t most)
{
    for (;;) {
        const uint64_t seen = oc_pool_seen(pipeline->pool);
        pthread_mutex_lock(&pipeline->lock);
        const bool waits = pipeline->waiting > most || (most == 0 && pipeline->applies);
        pthread_mutex_unlock(&pipeline->lock);
        if (!waits)
            return failure(pipeline);
        oc_pool_step(pipeline->pool, seen);
    }
}

static void hand_over(oc_pipeline *pipeline)
{
    oc_block *block;
    while ((block = oc_raw_window_give(&pipeline->window)) != NULL) {
        pthread_mutex_lock(&pipeline->lock);
        if (block->count > block->handed)
            put(pipeline, block);
        else
            put_back(pipeline, block);
        pthread_mutex_unlock(&pipeline->lock);
    }
}

ocelotl_status oc_pipeline_flow(oc_pipeline *pipeline)
{
    hand_over(pipeline);
    return wait_for(pipeline, oc_pool_threads(pipeline->pool) > 1 ? most_waiting : 0);
}

ocelotl_status oc_pipeline_drain(oc_pipeline *pipeline, bool all)
{
    oc_raw_window *window = &pipeline->window;
    if (all)
        oc_raw_window_close(window);
    const uint64_t first = oc_raw_window_first(window);
    if (first == window->drained)
        return failure(pipeline);
    hand_over(pipeline);
    OC_TRY(wait_for(pipeline, 0));
    for (oc_block *block = window->first; block != NULL && block->number < first;
         block = block->next) {
        const uint64_t count = first - block->number;
        const size_t to = count < block->count ? (size_t)count : block->count;
        apply(pipeline, block, block->handed, to);
        oc_raw_window_pass(window, block, to);
    }
    window->drained = first;
    return failure(pipeline);
}
