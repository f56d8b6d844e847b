/* From files to the lines that are done, and the blocks that are applied.
 *
 * Blocks of the only file are read ahead: each by any thread, with the names that are known by
 * then. They are taken in order; where a name has got another meaning since, what was read of a
 * block is forgotten, and where only new names have come, it is read on. */
#include "importers/paje/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that are read ahead: with the events that are made of them they take some four times as
 * many. */
static const size_t most_ahead = 128 * PAJE_TEXT_BLOCK;

ocelotl_status paje_ahead_begin(paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    const uint32_t threads = oc_pool_threads(reader->pipeline.pool);
    OC_TRY(oc_arena_allocate(&ahead->parsers, &reader->arena, threads, sizeof *ahead->parsers));
    for (uint32_t i = 0; i < threads; i++) {
        ahead->parsers[i].names = &reader->names;
        ahead->parsers[i].hash_key = reader->stacks.links.hash_key;
        OC_TRY(paje_parser_begin(&ahead->parsers[i], &reader->arena));
        ahead->parser_count++;
    }
    return OCELOTL_OK;
}

void paje_ahead_free(paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    for (uint32_t i = 0; i < ahead->parser_count; i++)
        oc_text_free(&ahead->parsers[i].key);
    paje_blocks_free(ahead->blocks.first);
}

/* While names change nobody waits for them: the block is read later. */
static void read_ahead(oc_job *job, uint32_t thread)
{
    paje_reader *reader = job->context;
    paje_block *block = (paje_block *)((char *)job - offsetof(paje_block, job));
    uint32_t *readers = &reader->ahead.readers;
    __atomic_add_fetch(readers, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&reader->ahead.is_held, __ATOMIC_SEQ_CST)) {
        if (block->meaning != reader->names.meaning)
            paje_block_unread(block);
        block->meaning = reader->names.meaning;
        block->generation = reader->names.generation;
        paje_parser_block(block, paje_reader_parser(reader, thread, NULL), reader->file->number);
    }
    __atomic_sub_fetch(readers, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&block->is_reading, false, __ATOMIC_RELEASE);
}

static void give(paje_reader *reader, paje_block *block)
{
    block->is_reading = true;
    block->job = (oc_job){.run = read_ahead, .context = reader};
    oc_pool_give(reader->pipeline.pool, &block->job, false);
}

/* Reads as many blocks ahead as are useful. */
static ocelotl_status fill(paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    const size_t threads = oc_pool_threads(reader->pipeline.pool);
    while (!ahead->ended && ahead->blocks.count < 2 * threads - 1 &&
           ahead->blocks.bytes < most_ahead) {
        paje_block *block = NULL;
        const ocelotl_status status = paje_text_next(&block, &ahead->ended, &reader->file->text);
        if (status != OCELOTL_OK) /* it comes behind all that could be read */
            return ahead->blocks.first == NULL ? status : OCELOTL_OK;
        if (block == NULL)
            break;
        paje_queue_put(&ahead->blocks, block);
        block->meaning = reader->names.meaning;
        block->generation = 0;
        if (!block->is_too_long && threads > 1)
            give(reader, block);
    }
    return OCELOTL_OK;
}

/* Takes the next block of the only file, with its plain lines read; NULL at its end. Others are
 * read ahead meanwhile. */
static ocelotl_status take_ahead(paje_block **block, paje_reader *reader)
{
    paje_ahead *ahead = &reader->ahead;
    for (;;) {
        const uint64_t seen = oc_pool_seen(reader->pipeline.pool);
        OC_TRY(fill(reader));
        *block = ahead->blocks.first;
        if (*block == NULL && ahead->ended)
            return paje_text_next(block, &ahead->ended, &reader->file->text);
        if (*block != NULL && !__atomic_load_n(&(*block)->is_reading, __ATOMIC_ACQUIRE))
            break;
        oc_pool_step(reader->pipeline.pool, seen);
        OC_TRY(paje_report(reader));
    }
    if (paje_queue_take(&ahead->blocks)->meaning != reader->names.meaning)
        paje_block_unread(*block);
    return OCELOTL_OK;
}

/* Where the file is found to be one of several: nothing is read ahead any more. The next of its
 * blocks that have been; NULL where none is left. */
static paje_block *leave_ahead(paje_reader *reader)
{
    oc_pool *pool = reader->pipeline.pool;
    for (const paje_block *block = reader->ahead.blocks.first; block != NULL; block = block->next) {
        uint64_t seen = oc_pool_seen(pool);
        for (; __atomic_load_n(&block->is_reading, __ATOMIC_ACQUIRE); seen = oc_pool_seen(pool))
            oc_pool_step(pool, seen);
    }
    return paje_queue_take(&reader->ahead.blocks);
}

/* Nothing is read ahead from here on until go_on: names may change. */
static void hold_names(paje_reader *reader)
{
    oc_pool *pool = reader->pipeline.pool;
    __atomic_store_n(&reader->ahead.is_held, true, __ATOMIC_SEQ_CST);
    uint64_t seen = oc_pool_seen(pool);
    for (; __atomic_load_n(&reader->ahead.readers, __ATOMIC_SEQ_CST) > 0; seen = oc_pool_seen(pool))
        oc_pool_step(pool, seen);
}

/* Lets blocks be read on that were not read to their end. */
static void go_on(paje_reader *reader)
{
    __atomic_store_n(&reader->ahead.is_held, false, __ATOMIC_SEQ_CST);
    if (oc_pool_threads(reader->pipeline.pool) < 2)
        return;
    for (paje_block *block = reader->ahead.blocks.first; block != NULL; block = block->next)
        if (!__atomic_load_n(&block->is_reading, __ATOMIC_ACQUIRE) && !block->is_too_long &&
            (block->meaning != reader->names.meaning ||
             (block->read < block->length && block->generation != reader->names.generation)))
            give(reader, block);
}

/* --- The only file, up to its end or to where it names another */

/* Lines that were read the short way; the definitions are still what they were then. */
static void count_lines(paje_file *file, paje_block *block)
{
    for (size_t i = 0; i < PAJE_QUICK_NUMBERS; i++) {
        if (block->kinds[i] == 0)
            continue;
        file->kept_lines += block->kinds[i];
        file->definitions.by_number[i]->count += block->kinds[i];
        block->kinds[i] = 0;
    }
}

/* Reads the block at hand the short way, and the long way what is not plain, up to its end or to
 * where another file is named. */
static ocelotl_status read_rest(paje_reader *reader, paje_block *block)
{
    paje_file *file = reader->file;
    for (;;) {
        bool is_event;
        paje_parser *parser = paje_reader_parser(reader, 0, NULL);
        parser->after = paje_window_time(&reader->pipeline.window);
        paje_parser_block(block, parser, file->number);
        count_lines(file, block);
        paje_window_bound(&reader->pipeline.window);
        if (block->read == block->length)
            return OCELOTL_OK;
        paje_lines_begin(&file->lines, block->bytes, block->read, block->length,
                         block->first_line + block->lines);
        ocelotl_status status = paje_next_line(&is_event, reader);
        if (status == OCELOTL_OK && is_event)
            status = paje_do_line(reader);
        if (status != OCELOTL_OK)
            OC_TRY(paje_fail_line(reader, status));
        block->read = file->lines.next;
        block->lines = file->lines.number - block->first_line;
        if (block->read == block->length || reader->file_count > 1)
            return OCELOTL_OK;
    }
}

static ocelotl_status read_block(paje_reader *reader, paje_block *block)
{
    paje_file *file = reader->file;
    paje_window *window = &reader->pipeline.window;
    block->first_line = file->lines.number;
    if (block->count > 0 && !paje_window_follows(window, block->events[0].time))
        paje_block_unread(block);
    paje_window_take(window, block);
    count_lines(file, block);
    file->lines.number += block->lines;
    if (block->is_too_long)
        OC_TRY(paje_pass_long_line(reader, block));
    if (block->read < block->length) {
        hold_names(reader);
        const ocelotl_status status = read_rest(reader, block);
        go_on(reader);
        OC_TRY(status);
        file->lines.number = block->first_line + block->lines;
    }
    file->position = block->position;
    OC_TRY(paje_pipeline_flow(&reader->pipeline));
    return paje_report(reader);
}

/* The source ends where compressed data is damaged, too. */
static ocelotl_status check_loss(ocelotl_status status, const paje_file *file)
{
    return status == OCELOTL_ERROR_INPUT && oc_input_loss(file->text.input) != NULL
               ? paje_fail_lost(file)
               : status;
}

/* Leaves the block being read, as the file turned out to be one of several: its text and its events
 * part. */
static ocelotl_status leave_block(paje_reader *reader, const paje_block *block)
{
    paje_file *file = reader->file;
    const size_t left = block->length - block->read;
    paje_block *rest = paje_pipeline_block(&reader->pipeline);
    if (rest == NULL)
        return oc_fail_memory();
    file->block = rest;
    OC_TRY(paje_block_reserve(rest, left));
    memcpy(rest->bytes, block->bytes + block->read, left);
    memset(rest->bytes + left, 0, PAJE_BLOCK_MARGIN);
    rest->length = left;
    paje_lines_begin(&file->lines, rest->bytes, 0, left, file->lines.number);
    return OCELOTL_OK;
}

ocelotl_status paje_read_alone(paje_reader *reader)
{
    paje_block *block = NULL;
    paje_file *file = reader->files[0];
    reader->file = file;
    file->is_begun = true;
    OC_TRY(paje_report(reader));
    paje_text_begin(&file->text);
    for (;;) {
        OC_TRY(check_loss(take_ahead(&block, reader), file));
        if (block == NULL)
            return OCELOTL_OK;
        OC_TRY(read_block(reader, block));
        if (reader->file_count > 1)
            return leave_block(reader, block);
    }
}

/* --- Several files as one trace: their lines in the order of time, and of equal times in the order
 * of the files. What has no time takes effect where it stands. */

/* Events of a block that are of several files. */
static const size_t most_events = 4096;

/* Opens a block without text for the events of several files. */
static ocelotl_status open_block(paje_reader *reader)
{
    paje_block *block = paje_pipeline_block(&reader->pipeline);
    if (block == NULL)
        return oc_fail_memory();
    paje_window_take(&reader->pipeline.window, block);
    return paje_pipeline_flow(&reader->pipeline);
}

static ocelotl_status after_line(paje_reader *reader)
{
    const paje_block *last = reader->pipeline.window.last;
    if (last->count >= most_events)
        OC_TRY(open_block(reader));
    return ++reader->line_count < reader->next_report ? OCELOTL_OK : paje_report(reader);
}

static bool is_earlier(const paje_reader *reader, uint32_t one, uint32_t other)
{
    const int64_t left = reader->files[one]->time;
    const int64_t right = reader->files[other]->time;
    return left < right || (left == right && one < other);
}

static void sift_up(paje_reader *reader, size_t place)
{
    uint32_t *heap = reader->heap;
    const uint32_t file = heap[place];
    while (place > 0 && is_earlier(reader, file, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = file;
}

static void sift_down(paje_reader *reader)
{
    uint32_t *heap = reader->heap;
    const uint32_t file = heap[0];
    size_t place = 0;
    for (size_t next = 1; next < reader->heap_count; next = 2 * place + 1) {
        if (next + 1 < reader->heap_count && is_earlier(reader, heap[next + 1], heap[next]))
            next++;
        if (!is_earlier(reader, heap[next], file))
            break;
        heap[place] = heap[next];
        place = next;
    }
    heap[place] = file;
}

/* The next block of one of several files; one that was read ahead is read anew. */
static ocelotl_status next_block(bool *there, paje_reader *reader, paje_file *file)
{
    const uint64_t number = file->lines.number;
    bool ended = false;
    file->is_begun = true;
    if (file->block != NULL)
        paje_pipeline_give_back(&reader->pipeline, file->block);
    file->block = file->number == 0 ? leave_ahead(reader) : NULL;
    while (file->block == NULL && !ended) {
        const uint64_t seen = oc_pool_seen(reader->pipeline.pool);
        OC_TRY(check_loss(paje_text_next(&file->block, &ended, &file->text), file));
        if (file->block == NULL && !ended) {
            oc_pool_step(reader->pipeline.pool, seen);
            OC_TRY(paje_report(reader));
        }
    }
    *there = file->block != NULL;
    if (!*there)
        return OCELOTL_OK;
    paje_block_unread(file->block);
    file->block->first_line = number;
    file->position = file->block->position;
    paje_lines_begin(&file->lines, file->block->bytes, 0, file->block->length, number);
    return file->block->is_too_long ? paje_pass_long_line(reader, file->block) : OCELOTL_OK;
}

/* Holds the next line, or does it at once: where it has no time, and where it creates a container
 * before the file's first event, so that the files it names are known before theirs. */
static ocelotl_status hold_or_do(paje_reader *reader, bool first)
{
    paje_file *file = reader->file;
    bool is_event;
    file->number_held =
        paje_parser_line(&file->time, paje_reader_parser(reader, 0, file->words), &file->lines);
    if (file->number_held >= 0 && paje_shift_time(&file->time, reader)) {
        file->definition = file->definitions.by_number[file->number_held];
        file->is_held = true;
        return OCELOTL_OK;
    }
    if (file->number_held >= 0)
        paje_lines_back(&file->lines);
    file->number_held = -1;
    ocelotl_status status = paje_next_line(&is_event, reader);
    if (status == OCELOTL_OK && is_event) {
        const paje_kind kind = file->definition->message.kind;
        const bool at_once =
            kind > PAJE_CREATE_CONTAINER || (first && kind == PAJE_CREATE_CONTAINER);
        status = at_once ? paje_do_line(reader) : paje_read_time(&file->time, reader);
        file->is_held = !at_once && status == OCELOTL_OK;
    }
    if (status != OCELOTL_OK)
        OC_TRY(paje_fail_line(reader, status));
    return after_line(reader);
}

/* Reads a file up to the next line that waits for its time; it holds none at the end. */
static ocelotl_status advance(paje_reader *reader, paje_file *file, bool first)
{
    bool there = true;
    reader->file = file;
    while (!file->is_held) {
        if (!paje_lines_are_there(&file->lines)) {
            OC_TRY(next_block(&there, reader, file));
            if (!there)
                return OCELOTL_OK;
        } else if (paje_lines_is_empty(&file->lines)) {
            paje_lines_pass_empty(&file->lines);
            OC_TRY(after_line(reader));
        } else {
            OC_TRY(hold_or_do(reader, first));
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status do_held(paje_reader *reader, paje_file *file)
{
    bool is_event = true;
    ocelotl_status status = OCELOTL_OK;
    reader->file = file;
    if (file->number_held < 0 || !paje_add_quickly(reader, file->number_held)) {
        if (file->number_held >= 0) { /* it is read the long way */
            paje_lines_back(&file->lines);
            status = paje_next_line(&is_event, reader);
        }
        if (status == OCELOTL_OK && is_event)
            status = paje_do_line(reader);
    }
    file->is_held = false;
    if (status != OCELOTL_OK)
        OC_TRY(paje_fail_line(reader, status));
    return after_line(reader);
}

/* Begins the files from number `from` on; these may name others. */
static ocelotl_status begin_files(paje_reader *reader, size_t from)
{
    for (size_t i = from; i < reader->file_count; i++) {
        OC_TRY(advance(reader, reader->files[i], true));
        OC_TRY(oc_arena_grow(&reader->heap, &reader->heap_capacity, &reader->arena,
                             reader->file_count, sizeof *reader->heap));
        if (!reader->files[i]->is_held)
            continue;
        reader->heap[reader->heap_count] = (uint32_t)i;
        sift_up(reader, reader->heap_count++);
    }
    return OCELOTL_OK;
}

ocelotl_status paje_read_merged(paje_reader *reader)
{
    OC_TRY(open_block(reader));
    OC_TRY(begin_files(reader, 0));
    while (reader->heap_count > 0) {
        paje_file *file = reader->files[reader->heap[0]];
        const size_t known = reader->file_count;
        OC_TRY(do_held(reader, file));
        OC_TRY(advance(reader, file, false));
        if (!file->is_held)
            reader->heap[0] = reader->heap[--reader->heap_count];
        if (reader->heap_count > 0)
            sift_down(reader);
        OC_TRY(begin_files(reader, known));
    }
    return OCELOTL_OK;
}
