#define _GNU_SOURCE
#include "importers/common/text.h"

#include "base/machine.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that are read ahead of those that are asked for. */
static const size_t most_ahead = 8 * OC_TEXT_BLOCK;

static size_t block_size(const oc_source_text *text)
{
    return text->block_size > 0 ? text->block_size : OC_TEXT_BLOCK;
}

static ocelotl_status reserve(oc_block *block, size_t capacity)
{
    if (block->capacity >= capacity + OC_BLOCK_MARGIN)
        return OCELOTL_OK;
    return oc_grow(&block->bytes, &block->capacity, capacity + OC_BLOCK_MARGIN, 1);
}

/* Reads on until the block has `size` bytes, or the input ends. */
static ocelotl_status read_up_to(oc_block *block, oc_source_text *text, size_t size)
{
    OC_TRY(reserve(block, size + 1));
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

/* The last line may have no end; one that was cut may be anything. */
static void end_last_line(oc_block *block, oc_source_text *text)
{
    if (oc_input_loss(text->input) != NULL) {
        const char *last = memrchr(block->bytes, '\n', block->length);
        block->length = last != NULL ? (size_t)(last - block->bytes) + 1 : 0;
    } else if (block->length > 0 && block->bytes[block->length - 1] != '\n') {
        block->bytes[block->length++] = '\n';
        text->is_open = true;
    }
}

/* Passes over what is left of a line that is too long. */
static void skip(oc_block *block, oc_source_text *text)
{
    const char *end = memchr(block->bytes, '\n', block->length);
    const size_t skipped = end != NULL ? (size_t)(end - block->bytes) + 1 : block->length;
    memmove(block->bytes, block->bytes + skipped, block->length - skipped);
    block->length -= skipped;
    text->skips = end == NULL && !text->input_ended;
}

static ocelotl_status keep_rest(oc_block *block, oc_source_text *text, size_t complete)
{
    oc_text_append(&text->rest, block->bytes + complete, block->length - complete);
    block->length = complete;
    return text->rest.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Takes the first line if it is longer than allowed, and leaves what follows. Waiting blocks are
 * bounded by their text, so this one drops its own. */
static ocelotl_status refuse(bool *refused, oc_block *block, oc_source_text *text)
{
    *refused = false;
    if (block->length <= OC_LONGEST_LINE)
        return OCELOTL_OK;
    const char *end = memchr(block->bytes, '\n', block->length);
    const size_t length = end != NULL ? (size_t)(end - block->bytes) : block->length;
    if (length <= OC_LONGEST_LINE)
        return OCELOTL_OK;
    *refused = true;
    text->skips = end == NULL && !text->input_ended;
    const ocelotl_status status = keep_rest(block, text, end != NULL ? length + 1 : length);
    oc_block_clear(block);
    block->is_too_long = true;
    return status;
}

/* Cuts the block behind its last line; what has none is read on. */
static ocelotl_status cut(oc_block *block, oc_source_text *text)
{
    bool refused = false;
    size_t known = 0;
    const size_t most = OC_LONGEST_LINE + block_size(text);
    for (size_t size = block_size(text);; size *= 2) {
        if (size < block->length)
            size = block->length;
        size = size < most ? size : most;
        OC_TRY(read_up_to(block, text, size));
        while (text->skips && block->length > 0) {
            skip(block, text);
            OC_TRY(read_up_to(block, text, size));
        }
        OC_TRY(refuse(&refused, block, text));
        if (refused)
            return OCELOTL_OK;
        if (text->input_ended) {
            text->skips = false;
            end_last_line(block, text);
            return OCELOTL_OK;
        }
        const char *last = memrchr(block->bytes + known, '\n', block->length - known);
        if (last != NULL)
            return keep_rest(block, text, (size_t)(last - block->bytes) + 1);
        known = block->length;
    }
}

static ocelotl_status fill(oc_block *block, oc_source_text *text)
{
    OC_TRY(reserve(block, text->rest.length));
    if (text->rest.length > 0)
        memcpy(block->bytes, text->rest.bytes, text->rest.length);
    block->length = text->rest.length;
    oc_text_clear(&text->rest);
    const ocelotl_status status = cut(block, text);
    if (status != OCELOTL_OK && block->bytes != NULL) { /* what is before that counts */
        const char *last = memrchr(block->bytes, '\n', block->length);
        block->length = last != NULL ? (size_t)(last - block->bytes) + 1 : 0;
    }
    if (block->bytes != NULL)
        memset(block->bytes + block->length, 0, OC_BLOCK_MARGIN);
    block->position = text->position;
    return status;
}

static void note(oc_source_text *text, ocelotl_status status)
{
    text->ended = true;
    text->status = status;
    if (status != OCELOTL_OK)
        oc_text_add(&text->message, ocelotl_error_message());
}

static void put(oc_source_text *text, oc_block *block)
{
    if (text->first == NULL)
        text->first = block;
    else
        text->last->next = block;
    text->last = block;
    text->waiting += block->length;
}

/* Makes the next block, and puts it where it is taken from; false at the end. */
static bool make(oc_source_text *text)
{
    oc_block *block = oc_pipeline_block(text->pipeline);
    const ocelotl_status status = block != NULL ? fill(block, text) : oc_fail_memory();
    const bool is_empty = block == NULL || (block->length == 0 && !block->is_too_long);
    const bool ends = status != OCELOTL_OK || (text->input_ended && text->rest.length == 0);
    if (block != NULL && is_empty)
        oc_pipeline_give_back(text->pipeline, block);
    if (text->runs)
        pthread_mutex_lock(&text->lock);
    if (!is_empty)
        put(text, block);
    if (ends)
        note(text, status);
    const bool goes_on = !text->ended && !text->stops;
    if (text->runs)
        pthread_mutex_unlock(&text->lock);
    return goes_on;
}

static void *run(void *context)
{
    oc_source_text *text = context;
    bool goes_on = true;
    oc_input_heed(text->input, &text->stops);
    while (goes_on) {
        goes_on = make(text);
        oc_pool_signal(text->pipeline->pool);
        pthread_mutex_lock(&text->lock);
        while (text->waiting >= most_ahead && !text->stops)
            pthread_cond_wait(&text->taken, &text->lock);
        goes_on = goes_on && !text->stops;
        pthread_mutex_unlock(&text->lock);
    }
    return NULL;
}

void oc_source_text_begin(oc_source_text *text)
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

void oc_source_text_free(oc_source_text *text)
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
    while (text->first != NULL) {
        oc_block *next = text->first->next;
        oc_block_free(text->first);
        text->first = next;
    }
    oc_text_free(&text->rest);
    oc_text_free(&text->message);
    *text = (oc_source_text){0};
}

static ocelotl_status failure(const oc_source_text *text)
{
    if (text->status == OCELOTL_OK)
        return OCELOTL_OK;
    return text->message.bytes != NULL ? oc_fail(text->status, "%s", text->message.bytes)
                                       : oc_fail_memory();
}

ocelotl_status oc_source_text_next(oc_block **block, bool *ended, oc_source_text *text)
{
    while (!text->runs && text->first == NULL && !text->ended)
        (void)make(text);
    if (text->runs)
        pthread_mutex_lock(&text->lock);
    *block = text->first;
    if (*block != NULL) {
        text->first = (*block)->next;
        (*block)->next = NULL;
        text->waiting -= (*block)->length;
        if (text->runs)
            pthread_cond_signal(&text->taken);
    }
    *ended = *block == NULL && text->ended;
    if (text->runs)
        pthread_mutex_unlock(&text->lock);
    return *ended ? failure(text) : OCELOTL_OK;
}
