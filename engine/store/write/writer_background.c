#define _GNU_SOURCE
#include "store/write/writer.h"

#include "base/machine.h"
#include "store/codec/columns.h"
#include "store/file/chunk_row.h"
#include "store/file/database.h"

#include <zstd.h>

/* Of a role whose chunks are long a dictionary is made of fewer. */
static const uint64_t most_held = (uint64_t)1 << 23;

/* Bytes of the chunks that wait. */
static const size_t most_waiting = (size_t)1 << 24;

ocelotl_status oc_writer_background_begin(oc_writer_background *background, const char *path)
{
    background->path = path;
    if (pthread_mutex_init(&background->lock, NULL) != 0 ||
        pthread_cond_init(&background->filled, NULL) != 0 ||
        pthread_cond_init(&background->emptied, NULL) != 0)
        return oc_fail_memory();
    background->is_ready = true;
    return OCELOTL_OK;
}

/* Adds a chunk's records to its stream, and makes of them what is to be written. */
static ocelotl_status make_chunk(oc_made_chunk *made, oc_writer_background *background,
                                 const oc_writer_chunk *chunk)
{
    const unsigned char *records = (const unsigned char *)chunk->records.bytes;
    oc_chunk_facts *facts = &background->facts;
    oc_text_clear(&made->totals);
    oc_fold_pack(&made->totals, chunk->fold);
    if (made->totals.failed)
        return oc_fail_memory();
    oc_chunk_facts_clear(facts);
    facts->content = chunk->content;
    facts->attributes = chunk->attributes;
    facts->values = background->values;
    facts->resources = background->resources;
    OC_TRY(oc_fold_packing(chunk->fold, facts, records, chunk->count));
    OC_TRY(oc_durations_pack(&made->durations, facts, chunk->fold));
    made->row = (oc_chunk_row){.stream = chunk->stream,
                               .number = chunk->number,
                               .begin = chunk->begin,
                               .end = chunk->end,
                               .count = chunk->count,
                               .unit = 1,
                               .has_extremes = facts->has_numbers,
                               .low = facts->low,
                               .high = facts->high};
    return oc_columns_make(&made->columns, &background->maker, records, chunk->records.length,
                           chunk->count, chunk->role);
}

static ocelotl_status insert(oc_writer_background *background, const oc_writer_role *role,
                             oc_made_chunk *made)
{
    background->packer.dictionary = role->dictionary;
    OC_TRY(oc_blob_pack(&background->blob, &made->columns, &background->packer));
    const oc_text *blob = &background->blob;
    const oc_chunk_bytes bytes = {
        (uint64_t)made->row.unit, (const unsigned char *)made->totals.bytes,
        (const unsigned char *)blob->bytes, made->totals.length, blob->length};
    made->row.durations = (const unsigned char *)made->durations.bytes;
    made->row.durations_length = made->durations.length;
    return oc_chunk_insert(background->insert, background->path, &made->row, &bytes);
}

static void free_made(oc_made_chunk *made)
{
    oc_text_free(&made->durations);
    oc_text_free(&made->totals);
    oc_text_free(&made->columns);
}

/* Makes the dictionary of a role, and writes what is held. */
static ocelotl_status decide(oc_writer_background *background, oc_writer_role *role)
{
    oc_text dictionary = {0};
    oc_text columns[OC_DICTIONARY_CHUNKS];
    for (size_t i = 0; i < role->held_count; i++)
        columns[i] = role->held[i].columns;
    ocelotl_status status = oc_dictionary_make(&dictionary, columns, role->held_count);
    if (status == OCELOTL_OK)
        status = oc_dictionary_pack(&role->packed, &role->dictionary, &dictionary);
    oc_text_free(&dictionary);
    role->is_decided = true;
    for (size_t i = 0; i < role->held_count; i++) {
        if (status == OCELOTL_OK)
            status = insert(background, role, &role->held[i]);
        free_made(&role->held[i]);
    }
    role->held_count = 0;
    return status;
}

static ocelotl_status write_chunk(oc_writer_background *background, const oc_writer_chunk *chunk)
{
    oc_writer_role *role = &background->roles[chunk->role];
    oc_made_chunk *made = &background->made;
    if (background->status != OCELOTL_OK)
        return background->status;
    OC_TRY(make_chunk(made, background, chunk));
    if (role->is_decided)
        return insert(background, role, made);
    /* It is held; its place gets other memory. */
    role->held[role->held_count++] = *made;
    role->held_bytes += made->durations.length + made->totals.length + made->columns.length;
    *made = (oc_made_chunk){0};
    return role->held_count == OC_DICTIONARY_CHUNKS || role->held_bytes >= most_held
               ? decide(background, role)
               : OCELOTL_OK;
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

/* The giver is woken when it has room for a while. */
static bool has_much_room(const oc_writer_background *background)
{
    return background->waiting <= OC_WRITER_QUEUE / 2 &&
           background->waiting_bytes <= most_waiting / 2;
}

/* Under the lock, which is left while the first chunk is written. */
static void write_first(oc_writer_background *background)
{
    oc_writer_chunk *chunk = &background->queue[background->first];
    const size_t length = chunk->records.length;
    pthread_mutex_unlock(&background->lock);
    write_and_note(background, chunk);
    oc_text_free(&chunk->records);
    pthread_mutex_lock(&background->lock);
    background->first = (background->first + 1) % OC_WRITER_QUEUE;
    background->written++;
    background->waiting--;
    background->waiting_bytes -= length;
    if (background->is_awaited || background->waiting == 0 ||
        (background->wants_room && has_much_room(background)))
        pthread_cond_signal(&background->emptied);
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
        write_first(background);
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
    if (background->waiting == OC_WRITER_QUEUE || background->waiting_bytes >= most_waiting) {
        background->wants_room = true;
        while (!has_much_room(background))
            pthread_cond_wait(&background->emptied, &background->lock);
        background->wants_room = false;
    }
    *chunk = &background->queue[(background->first + background->waiting) % OC_WRITER_QUEUE];
    const ocelotl_status status = tell(background);
    pthread_mutex_unlock(&background->lock);
    background->filling = *chunk;
    oc_text_clear(&(*chunk)->records);
    return status;
}

/* Hands over a chunk; if the system gave no thread, this one does the work. */
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
    background->waiting_bytes += chunk->records.length;
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

ocelotl_status oc_writer_background_finish(oc_writer_background *background)
{
    OC_TRY(oc_writer_background_wait(background));
    for (size_t i = 0; i < OC_ROLES; i++)
        if (!background->roles[i].is_decided)
            OC_TRY(decide(background, &background->roles[i]));
    return OCELOTL_OK;
}

ocelotl_status oc_writer_background_refine(oc_writer_background *background, sqlite3 *database,
                                           uint64_t factor)
{
    for (size_t i = 0; i < OC_ROLES; i++)
        for (size_t c = 0; c < background->roles[i].held_count; c++) {
            oc_chunk_row *row = &background->roles[i].held[c].row;
            row->begin *= (int64_t)factor;
            row->end *= (int64_t)factor;
            row->unit *= (int64_t)factor;
        }
    return oc_chunks_refine(database, background->path, factor);
}

void oc_writer_background_end(oc_writer_background *background)
{
    if (background->runs) {
        pthread_mutex_lock(&background->lock);
        background->stops = true;
        pthread_cond_signal(&background->filled);
        pthread_mutex_unlock(&background->lock);
        pthread_join(background->thread, NULL);
        background->runs = false;
    }
    if (background->is_ready) {
        pthread_mutex_destroy(&background->lock);
        pthread_cond_destroy(&background->filled);
        pthread_cond_destroy(&background->emptied);
        background->is_ready = false;
    }
    oc_blob_packer_free(&background->packer);
    for (size_t i = 0; i < OC_ROLES; i++) {
        oc_writer_role *role = &background->roles[i];
        for (size_t c = 0; c < role->held_count; c++)
            free_made(&role->held[c]);
        ZSTD_freeCDict(role->dictionary);
        oc_text_free(&role->packed);
        *role = (oc_writer_role){0};
    }
    for (size_t i = 0; i < OC_WRITER_QUEUE; i++)
        oc_text_free(&background->queue[i].records);
    free_made(&background->made);
    oc_columns_maker_free(&background->maker);
    oc_chunk_facts_free(&background->facts);
    oc_text_free(&background->blob);
    oc_text_free(&background->message);
}
