#define _GNU_SOURCE
#include "store/write/writer.h"

#include "base/machine.h"
#include "store/codec/columns.h"
#include "store/file/chunk_row.h"
#include "store/file/database.h"

#include <zstd.h>

ocelotl_status oc_writer_background_begin(oc_writer_background *background, const char *path)
{
    background->path = path;
    oc_digest_begin(&background->identity);
    background->compressor = ZSTD_createCCtx();
    if (background->compressor == NULL)
        return oc_fail_memory();
    if (pthread_mutex_init(&background->lock, NULL) != 0 ||
        pthread_cond_init(&background->filled, NULL) != 0 ||
        pthread_cond_init(&background->emptied, NULL) != 0)
        return oc_fail_memory();
    background->is_ready = true;
    return OCELOTL_OK;
}

static void identify(oc_writer_background *background)
{
    oc_digest_number(&background->identity, background->blob.length);
    oc_digest_bytes(&background->identity, background->blob.bytes, background->blob.length);
}

static ocelotl_status write_chunk(oc_writer_background *background, const oc_writer_chunk *chunk)
{
    oc_extremes extremes = {0};
    if (background->status != OCELOTL_OK)
        return background->status;
    oc_text_clear(&background->totals);
    oc_fold_pack(&background->totals, chunk->fold);
    if (background->totals.failed)
        return oc_fail_memory();
    OC_TRY(oc_fold_packing(chunk->fold, &extremes, (const unsigned char *)chunk->records.bytes,
                           chunk->count));
    OC_TRY(oc_columns_make(&background->columns, &background->maker,
                           (const unsigned char *)chunk->records.bytes, chunk->records.length,
                           chunk->count, chunk->role));
    OC_TRY(oc_blob_pack(&background->blob, &background->columns, background->compressor));
    identify(background);
    const oc_chunk_row row = {chunk->stream, chunk->number, chunk->begin,
                              chunk->end,    chunk->count,  1,
                              extremes.any,  extremes.low,  extremes.high};
    const oc_text *totals = &background->totals;
    const oc_text *blob = &background->blob;
    const oc_chunk_bytes bytes = {1, (const unsigned char *)totals->bytes,
                                  (const unsigned char *)blob->bytes, totals->length, blob->length};
    return oc_chunk_insert(background->insert, background->path, &row, &bytes);
}

/* The first failure is kept for the thread that gives the chunks. */
static void write_and_note(oc_writer_background *background, const oc_writer_chunk *chunk)
{
    const ocelotl_status status = write_chunk(background, chunk);
    if (status == OCELOTL_OK || background->status != OCELOTL_OK)
        return;
    pthread_mutex_lock(&background->lock);
    background->status = status;
    oc_text_add(&background->message, ocelotl_error_message());
    pthread_mutex_unlock(&background->lock);
}

static void *run(void *context)
{
    oc_writer_background *background = context;
    pthread_mutex_lock(&background->lock);
    for (;;) {
        while (background->waiting == 0 && !background->stops)
            pthread_cond_wait(&background->filled, &background->lock);
        if (background->waiting == 0)
            break;
        const oc_writer_chunk *chunk = &background->queue[background->first];
        pthread_mutex_unlock(&background->lock);
        write_and_note(background, chunk);
        pthread_mutex_lock(&background->lock);
        background->first = (background->first + 1) % OC_WRITER_QUEUE;
        background->written++;
        /* The giver is woken when it has room for a while, or nothing is left. */
        if (--background->waiting == OC_WRITER_QUEUE / 2 || background->waiting == 0 ||
            background->is_awaited)
            pthread_cond_signal(&background->emptied);
    }
    pthread_mutex_unlock(&background->lock);
    return NULL;
}

static ocelotl_status tell(const oc_writer_background *background)
{
    if (background->status == OCELOTL_OK)
        return OCELOTL_OK;
    if (background->message.bytes == NULL)
        return oc_fail_memory();
    return oc_fail(background->status, "%s", background->message.bytes);
}

ocelotl_status oc_writer_background_take(oc_writer_chunk **chunk, oc_writer_background *background)
{
    pthread_mutex_lock(&background->lock);
    if (background->waiting == OC_WRITER_QUEUE)
        while (background->waiting > OC_WRITER_QUEUE / 2)
            pthread_cond_wait(&background->emptied, &background->lock);
    *chunk = &background->queue[(background->first + background->waiting) % OC_WRITER_QUEUE];
    const ocelotl_status status = tell(background);
    pthread_mutex_unlock(&background->lock);
    background->filling = *chunk;
    oc_text_clear(&(*chunk)->records);
    return status;
}

/* Where the system gives no thread, this one does its work. */
ocelotl_status oc_writer_background_give(uint64_t *number, oc_writer_background *background)
{
    const oc_writer_chunk *chunk = background->filling;
    if (chunk->records.failed)
        return oc_fail_memory();
    *number = ++background->given;
    if (!background->runs)
        background->runs = oc_thread_start(&background->thread, run, background);
    if (!background->runs) {
        write_and_note(background, chunk);
        background->written++;
        return tell(background);
    }
    pthread_mutex_lock(&background->lock);
    if (background->waiting++ == 0)
        pthread_cond_signal(&background->filled);
    pthread_mutex_unlock(&background->lock);
    return OCELOTL_OK;
}

ocelotl_status oc_writer_background_await(oc_writer_background *background, uint64_t number)
{
    pthread_mutex_lock(&background->lock);
    background->is_awaited = true;
    while (background->written < number)
        pthread_cond_wait(&background->emptied, &background->lock);
    background->is_awaited = false;
    const ocelotl_status status = tell(background);
    pthread_mutex_unlock(&background->lock);
    return status;
}

ocelotl_status oc_writer_background_wait(oc_writer_background *background)
{
    pthread_mutex_lock(&background->lock);
    while (background->waiting > 0)
        pthread_cond_wait(&background->emptied, &background->lock);
    const ocelotl_status status = tell(background);
    pthread_mutex_unlock(&background->lock);
    return status;
}

static void stop(oc_writer_background *background)
{
    pthread_mutex_lock(&background->lock);
    background->stops = true;
    pthread_cond_signal(&background->filled);
    pthread_mutex_unlock(&background->lock);
    pthread_join(background->thread, NULL);
    background->runs = false;
}

void oc_writer_background_end(oc_writer_background *background)
{
    if (background->runs)
        stop(background);
    if (background->is_ready) {
        pthread_mutex_destroy(&background->lock);
        pthread_cond_destroy(&background->filled);
        pthread_cond_destroy(&background->emptied);
        background->is_ready = false;
    }
    ZSTD_freeCCtx(background->compressor);
    background->compressor = NULL;
    for (size_t i = 0; i < OC_WRITER_QUEUE; i++)
        oc_text_free(&background->queue[i].records);
    oc_text_free(&background->totals);
    oc_columns_maker_free(&background->maker);
    oc_text_free(&background->columns);
    oc_text_free(&background->blob);
    oc_text_free(&background->message);
}
