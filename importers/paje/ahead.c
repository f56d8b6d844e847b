/* Blocks of the only file that are read ahead: each by any thread, with the names that are known by
 * then. They are taken in order; where a name has got another meaning since, what was read of a
 * block is forgotten, and where only new names have come, it is read on. */
#include "importers/paje/reader.h"

#include "base/memory.h"

#include <stdlib.h>

/* Bytes that are read ahead: with the events that are made of them they take some four times as
 * many. */
static const size_t most_ahead = 128 * PAJE_TEXT_BLOCK;

ocelotl_status paje_ahead_begin(paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    const uint32_t threads = oc_pool_threads(reader->pipeline.pool);
    if (pthread_mutex_init(&ahead->lock, NULL) != 0)
        return oc_fail_memory();
    if (pthread_cond_init(&ahead->left, NULL) != 0) {
        pthread_mutex_destroy(&ahead->lock);
        return oc_fail_memory();
    }
    ahead->is_ready = true;
    OC_TRY(oc_allocate(&ahead->parsers, threads, sizeof *ahead->parsers));
    ahead->parser_count = threads;
    for (uint32_t i = 0; i < threads; i++) {
        ahead->parsers[i].names = &reader->names;
        ahead->parsers[i].hash_key = reader->stacks.links.hash_key;
        OC_TRY(paje_parser_begin(&ahead->parsers[i]));
    }
    return OCELOTL_OK;
}

void paje_ahead_free(paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    for (uint32_t i = 0; i < ahead->parser_count; i++)
        paje_parser_free(&ahead->parsers[i]);
    free(ahead->parsers);
    while (ahead->first != NULL) {
        paje_block *next = ahead->first->next;
        paje_block_free(ahead->first);
        ahead->first = next;
    }
    if (ahead->is_ready) {
        pthread_mutex_destroy(&ahead->lock);
        pthread_cond_destroy(&ahead->left);
    }
}

paje_parser *paje_ahead_parser(paje_reader *reader, uint32_t thread)
{
    paje_parser *parser = &reader->ahead.parsers[thread];
    const paje_file *file = reader->file;
    parser->long_way = reader->import->long_way;
    parser->generation = reader->names.generation;
    parser->digits = reader->digits;
    parser->power = reader->power;
    parser->scope = file->scope;
    parser->definitions = &file->definitions;
    parser->counts = file->quick_counts;
    parser->after = INT64_MIN;
    return parser;
}

static bool enter(paje_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    const bool enters = !ahead->is_held;
    ahead->readers += enters;
    pthread_mutex_unlock(&ahead->lock);
    return enters;
}

static void leave(paje_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    if (--ahead->readers == 0)
        pthread_cond_signal(&ahead->left);
    pthread_mutex_unlock(&ahead->lock);
}

/* While names change nobody waits for them: the block is read later. */
static void read_ahead(oc_job *job, uint32_t thread)
{
    paje_reader *reader = job->context;
    paje_block *block = (paje_block *)((char *)job - offsetof(paje_block, job));
    if (enter(&reader->ahead)) {
        if (block->meaning != reader->names.meaning)
            paje_block_unread(block);
        block->meaning = reader->names.meaning;
        block->generation = reader->names.generation;
        paje_parser_block(block, paje_ahead_parser(reader, thread), reader->file->number);
        leave(&reader->ahead);
    }
    __atomic_store_n(&block->is_reading, false, __ATOMIC_RELEASE);
}

static void give(paje_reader *reader, paje_block *block)
{
    block->is_reading = true;
    block->job = (oc_job){.run = read_ahead, .context = reader};
    oc_pool_give(reader->pipeline.pool, &block->job, false);
}

static void put(paje_reader *reader, paje_block *block)
{
    paje_ahead *ahead = &reader->ahead;
    if (ahead->first == NULL)
        ahead->first = block;
    else
        ahead->last->next = block;
    ahead->last = block;
    ahead->count++;
    ahead->bytes += block->length;
    block->meaning = reader->names.meaning;
    block->generation = 0;
    if (!block->is_too_long && oc_pool_threads(reader->pipeline.pool) > 1)
        give(reader, block);
}

/* Reads as many blocks ahead as are useful. */
static ocelotl_status fill(paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    const size_t wanted = 2 * (size_t)oc_pool_threads(reader->pipeline.pool) - 1;
    while (!ahead->ended && ahead->count < wanted && ahead->bytes < most_ahead) {
        paje_block *block = NULL;
        const ocelotl_status status = paje_text_next(&block, &ahead->ended, &reader->file->text);
        if (status != OCELOTL_OK) /* it comes behind all that could be read */
            return ahead->first == NULL ? status : OCELOTL_OK;
        if (block == NULL)
            break;
        put(reader, block);
    }
    return OCELOTL_OK;
}

ocelotl_status paje_ahead_take(paje_block **block, paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    for (;;) {
        const uint64_t seen = oc_pool_seen(reader->pipeline.pool);
        OC_TRY(fill(reader));
        *block = ahead->first;
        if (*block == NULL && ahead->ended)
            return paje_text_next(block, &ahead->ended, &reader->file->text);
        if (*block != NULL && !__atomic_load_n(&(*block)->is_reading, __ATOMIC_ACQUIRE))
            break;
        oc_pool_step(reader->pipeline.pool, seen);
        OC_TRY(paje_report(reader));
    }
    ahead->first = (*block)->next;
    ahead->count--;
    ahead->bytes -= (*block)->length;
    (*block)->next = NULL;
    if ((*block)->meaning != reader->names.meaning)
        paje_block_unread(*block);
    return OCELOTL_OK;
}

static void wait_for(paje_reader *reader, const paje_block *block)
{
    for (;;) {
        const uint64_t seen = oc_pool_seen(reader->pipeline.pool);
        if (!__atomic_load_n(&block->is_reading, __ATOMIC_ACQUIRE))
            return;
        oc_pool_step(reader->pipeline.pool, seen);
    }
}

paje_block *paje_ahead_leave(paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    paje_block *first = ahead->first;
    for (const paje_block *block = first; block != NULL; block = block->next)
        wait_for(reader, block);
    if (first != NULL) {
        ahead->first = first->next;
        ahead->count--;
        ahead->bytes -= first->length;
        first->next = NULL;
    }
    return first;
}

void paje_ahead_hold(paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    pthread_mutex_lock(&ahead->lock);
    ahead->is_held = true;
    while (ahead->readers > 0)
        pthread_cond_wait(&ahead->left, &ahead->lock);
    pthread_mutex_unlock(&ahead->lock);
}

/* Lets blocks be read on that were not read to their end. */
void paje_ahead_go_on(paje_reader *reader)
{
    pthread_mutex_lock(&reader->ahead.lock);
    reader->ahead.is_held = false;
    pthread_mutex_unlock(&reader->ahead.lock);
    if (oc_pool_threads(reader->pipeline.pool) < 2)
        return;
    for (paje_block *block = reader->ahead.first; block != NULL; block = block->next)
        if (!__atomic_load_n(&block->is_reading, __ATOMIC_ACQUIRE) && !block->is_too_long &&
            (block->meaning != reader->names.meaning ||
             (block->read < block->length && block->generation != reader->names.generation)))
            give(reader, block);
}
