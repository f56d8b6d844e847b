#define _GNU_SOURCE
#include "importers/paje/pipeline.h"

#include "base/machine.h"
#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that wait to be applied: with those that are read ahead they are most of the memory. */
static const size_t most_waiting = 8;
static const uint32_t most_threads = 64;

/* Fails with what another thread has come to. */
static ocelotl_status fail_again(ocelotl_status status, const oc_text *message)
{
    if (status == OCELOTL_OK)
        return OCELOTL_OK;
    return message->bytes != NULL ? oc_fail(status, "%s", message->bytes) : oc_fail_memory();
}

/* Applies events of a block; after a failure it only forgets them. */
static void apply(paje_pipeline *pipeline, const paje_block *block, size_t from, size_t to)
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
static void put_back(paje_pipeline *pipeline, paje_block *block)
{
    paje_block_clear(block);
    block->next = pipeline->free;
    pipeline->free = block;
}

static void apply_waiting(oc_job *job, uint32_t thread)
{
    (void)thread;
    paje_pipeline *pipeline = job->context;
    pthread_mutex_lock(&pipeline->lock);
    while (pipeline->waiting.first != NULL) {
        const paje_block *block = pipeline->waiting.first;
        pthread_mutex_unlock(&pipeline->lock);
        apply(pipeline, block, block->handed, block->count);
        pthread_mutex_lock(&pipeline->lock);
        put_back(pipeline, paje_queue_take(&pipeline->waiting));
        oc_pool_signal(pipeline->pool);
    }
    pipeline->applies = false;
    pthread_mutex_unlock(&pipeline->lock);
}

ocelotl_status paje_pipeline_begin(paje_pipeline *pipeline, uint32_t threads,
                                   paje_apply_range apply_range, void *context)
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

void paje_pipeline_free(paje_pipeline *pipeline)
{
    oc_pool_free(pipeline->pool);
    pipeline->pool = NULL;
    paje_blocks_free(pipeline->window.first);
    paje_blocks_free(pipeline->waiting.first);
    paje_blocks_free(pipeline->free);
    if (pipeline->is_ready)
        pthread_mutex_destroy(&pipeline->lock);
    pipeline->is_ready = false;
    oc_text_free(&pipeline->message);
}

paje_block *paje_pipeline_block(paje_pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    paje_block *block = pipeline->free;
    if (block != NULL)
        pipeline->free = block->next;
    pthread_mutex_unlock(&pipeline->lock);
    if (block == NULL && oc_allocate(&block, 1, sizeof *block) != OCELOTL_OK)
        return NULL;
    block->next = NULL;
    return block;
}

void paje_pipeline_give_back(paje_pipeline *pipeline, paje_block *block)
{
    pthread_mutex_lock(&pipeline->lock);
    put_back(pipeline, block);
    pthread_mutex_unlock(&pipeline->lock);
}

static ocelotl_status failure(paje_pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    const ocelotl_status status = pipeline->status;
    pthread_mutex_unlock(&pipeline->lock);
    return fail_again(status, &pipeline->message);
}

/* Waits until no more blocks wait. */
static ocelotl_status wait_for(paje_pipeline *pipeline, size_t most)
{
    for (;;) {
        const uint64_t seen = oc_pool_seen(pipeline->pool);
        pthread_mutex_lock(&pipeline->lock);
        const bool waits = pipeline->waiting.count > most || (most == 0 && pipeline->applies);
        pthread_mutex_unlock(&pipeline->lock);
        if (!waits)
            return failure(pipeline);
        oc_pool_step(pipeline->pool, seen);
    }
}

static void hand_over(paje_pipeline *pipeline)
{
    paje_block *block;
    while ((block = paje_window_give(&pipeline->window)) != NULL) {
        pthread_mutex_lock(&pipeline->lock);
        if (block->count > block->handed) {
            paje_queue_put(&pipeline->waiting, block);
            if (!pipeline->applies)
                oc_pool_give(pipeline->pool, &pipeline->job, true);
            pipeline->applies = true;
        } else {
            put_back(pipeline, block);
        }
        pthread_mutex_unlock(&pipeline->lock);
    }
}

ocelotl_status paje_pipeline_flow(paje_pipeline *pipeline)
{
    hand_over(pipeline);
    return wait_for(pipeline, oc_pool_threads(pipeline->pool) > 1 ? most_waiting : 0);
}

ocelotl_status paje_pipeline_drain(paje_pipeline *pipeline, bool all)
{
    paje_window *window = &pipeline->window;
    if (all)
        paje_window_close(window);
    const uint64_t first = paje_window_first(window);
    if (first == window->drained)
        return failure(pipeline);
    hand_over(pipeline);
    OC_TRY(wait_for(pipeline, 0));
    for (paje_block *block = window->first; block != NULL && block->number < first;
         block = block->next) {
        const uint64_t count = first - block->number;
        const size_t to = count < block->count ? (size_t)count : block->count;
        apply(pipeline, block, block->handed, to);
        paje_window_pass(window, block, to);
    }
    window->drained = first;
    return failure(pipeline);
}

/* --- A text in blocks of whole lines, read ahead by another thread if several may work */

/* Bytes that are read ahead of those that are asked for. */
static const size_t most_ahead = 8 * PAJE_TEXT_BLOCK;

/* Reads on until the block has `size` bytes, or the input ends. */
static ocelotl_status read_up_to(paje_block *block, paje_text *text, size_t size)
{
    OC_TRY(paje_block_reserve(block, size + 1));
    while (block->length < size && !text->input_ended) {
        size_t step;
        OC_TRY(
            oc_input_read(text->input, block->bytes + block->length, size - block->length, &step));
        block->length += step;
        text->input_ended = step == 0;
        const uint64_t position = oc_input_position(text->input);
        if (position > text->position)
            __atomic_store_n(&text->position, position, __ATOMIC_RELAXED);
    }
    return OCELOTL_OK;
}

static void keep_whole_lines(paje_block *block)
{
    const char *last = memrchr(block->bytes, '\n', block->length);
    block->length = last != NULL ? (size_t)(last - block->bytes) + 1 : 0;
}

/* Passes over what is left of a line that is too long. */
static void skip(paje_block *block, paje_text *text)
{
    const char *end = memchr(block->bytes, '\n', block->length);
    const size_t skipped = end != NULL ? (size_t)(end - block->bytes) + 1 : block->length;
    memmove(block->bytes, block->bytes + skipped, block->length - skipped);
    block->length -= skipped;
    text->skips = end == NULL && !text->input_ended;
}

static ocelotl_status keep_rest(paje_block *block, paje_text *text, size_t complete)
{
    oc_text_append(&text->rest, block->bytes + complete, block->length - complete);
    block->length = complete;
    return text->rest.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Takes the first line if it is longer than allowed, and leaves what follows. Waiting blocks are
 * bounded by their text, so this one drops its own. */
static ocelotl_status refuse(paje_block *block, paje_text *text)
{
    if (block->length <= PAJE_LONGEST_LINE)
        return OCELOTL_OK;
    const char *end = memchr(block->bytes, '\n', block->length);
    const size_t length = end != NULL ? (size_t)(end - block->bytes) : block->length;
    if (length <= PAJE_LONGEST_LINE)
        return OCELOTL_OK;
    text->skips = end == NULL && !text->input_ended;
    const ocelotl_status status = keep_rest(block, text, end != NULL ? length + 1 : length);
    paje_block_clear(block);
    block->is_too_long = true;
    return status;
}

/* Cuts the block behind its last line; what has none is read on. */
static ocelotl_status cut(paje_block *block, paje_text *text)
{
    const size_t least = text->block_size > 0 ? text->block_size : PAJE_TEXT_BLOCK;
    const size_t most = PAJE_LONGEST_LINE + least;
    size_t known = 0;
    for (size_t size = least;; size *= 2) {
        if (size < block->length)
            size = block->length;
        size = size < most ? size : most;
        OC_TRY(read_up_to(block, text, size));
        while (text->skips && block->length > 0) {
            skip(block, text);
            OC_TRY(read_up_to(block, text, size));
        }
        OC_TRY(refuse(block, text));
        if (block->is_too_long)
            return OCELOTL_OK;
        if (text->input_ended) {
            text->skips = false;
            /* the last line may have no end; one that was cut may be anything */
            if (oc_input_loss(text->input) != NULL) {
                keep_whole_lines(block);
            } else if (block->length > 0 && block->bytes[block->length - 1] != '\n') {
                block->bytes[block->length++] = '\n';
                text->is_open = true;
            }
            return OCELOTL_OK;
        }
        const char *last = memrchr(block->bytes + known, '\n', block->length - known);
        if (last != NULL)
            return keep_rest(block, text, (size_t)(last - block->bytes) + 1);
        known = block->length;
    }
}

static ocelotl_status fill(paje_block *block, paje_text *text)
{
    OC_TRY(paje_block_reserve(block, text->rest.length));
    if (text->rest.length > 0)
        memcpy(block->bytes, text->rest.bytes, text->rest.length);
    block->length = text->rest.length;
    oc_text_clear(&text->rest);
    const ocelotl_status status = cut(block, text);
    if (status != OCELOTL_OK && block->bytes != NULL)
        keep_whole_lines(block); /* what is before that counts */
    if (block->bytes != NULL)
        memset(block->bytes + block->length, 0, PAJE_BLOCK_MARGIN);
    block->position = text->position;
    return status;
}

/* Makes the next block, and puts it where it is taken from; false at the end. */
static bool make(paje_text *text)
{
    paje_block *block = paje_pipeline_block(text->pipeline);
    const ocelotl_status status = block != NULL ? fill(block, text) : oc_fail_memory();
    const bool is_empty = block == NULL || (block->length == 0 && !block->is_too_long);
    const bool ends = status != OCELOTL_OK || (text->input_ended && text->rest.length == 0);
    if (block != NULL && is_empty)
        paje_pipeline_give_back(text->pipeline, block);
    if (text->runs)
        pthread_mutex_lock(&text->lock);
    if (!is_empty)
        paje_queue_put(&text->ready, block);
    text->ended = text->ended || ends;
    text->status = status;
    if (status != OCELOTL_OK)
        oc_text_add(&text->message, ocelotl_error_message());
    const bool goes_on = !text->ended && !text->stops;
    if (text->runs)
        pthread_mutex_unlock(&text->lock);
    return goes_on;
}

static void *run(void *context)
{
    paje_text *text = context;
    bool goes_on = true;
    oc_input_heed(text->input, &text->stops);
    while (goes_on) {
        goes_on = make(text);
        oc_pool_signal(text->pipeline->pool);
        pthread_mutex_lock(&text->lock);
        while (text->ready.bytes >= most_ahead && !text->stops)
            pthread_cond_wait(&text->taken, &text->lock);
        goes_on = goes_on && !text->stops;
        pthread_mutex_unlock(&text->lock);
    }
    return NULL;
}

void paje_text_begin(paje_text *text)
{
    if (oc_pool_threads(text->pipeline->pool) < 2 || pthread_mutex_init(&text->lock, NULL) != 0)
        return;
    if (pthread_cond_init(&text->taken, NULL) != 0) {
        pthread_mutex_destroy(&text->lock);
        return;
    }
    text->is_ready = true;
    text->runs = true;
    if (!oc_thread_start(&text->thread, run, text))
        text->runs = false;
}

void paje_text_free(paje_text *text)
{
    if (text->runs) {
        pthread_mutex_lock(&text->lock);
        __atomic_store_n(&text->stops, true, __ATOMIC_RELAXED);
        pthread_cond_signal(&text->taken);
        pthread_mutex_unlock(&text->lock);
        pthread_join(text->thread, NULL);
    }
    if (text->is_ready) {
        pthread_mutex_destroy(&text->lock);
        pthread_cond_destroy(&text->taken);
    }
    paje_blocks_free(text->ready.first);
    oc_text_free(&text->rest);
    oc_text_free(&text->message);
    *text = (paje_text){0};
}

ocelotl_status paje_text_next(paje_block **block, bool *ended, paje_text *text)
{
    while (!text->runs && text->ready.first == NULL && !text->ended)
        (void)make(text);
    if (text->runs)
        pthread_mutex_lock(&text->lock);
    *block = paje_queue_take(&text->ready);
    *ended = *block == NULL && text->ended;
    if (text->runs) {
        pthread_cond_signal(&text->taken);
        pthread_mutex_unlock(&text->lock);
    }
    return *ended ? fail_again(text->status, &text->message) : OCELOTL_OK;
}
