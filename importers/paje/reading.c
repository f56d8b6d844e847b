/* From the lines of a file to what they say. */
#include "importers/paje/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Events of a block that are of several files. */
static const size_t most_events = 4096;

static ocelotl_status find_definition(paje_file *file, size_t count)
{
    file->definition = paje_definitions_find(&file->definitions, file->words[0].text);
    if (file->definition == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown event number \"%s\", expected one defined by %%EventDef before",
                       file->words[0].text);
    if (count - 1 != file->definition->field_count)
        return oc_fail(OCELOTL_ERROR_INPUT, "wrong number of fields, %zu in \"%s\", expected %zu",
                       count - 1, file->definition->name, file->definition->field_count);
    file->kept_lines++;
    file->definition->count++;
    return OCELOTL_OK;
}

static ocelotl_status next_line(bool *is_event, paje_reader *reader)
{
    paje_file *file = reader->file;
    paje_line line;
    *is_event = false;
    paje_lines_next(&line, &file->lines, file->words, PAJE_MOST_FIELDS + 1);
    if (line.has_nul)
        return oc_fail_nul();
    if (!line.is_split) {
        while (*line.text == ' ' || *line.text == '\t')
            line.text++;
        if (*line.text == '%') {
            const ocelotl_status status = paje_definitions_line(&file->definitions, line.text + 1);
            paje_definitions_find_quick(file->quick_counts, &file->definitions);
            reader->names.generation++;
            reader->names.meaning++;
            return status;
        }
        if (!paje_split(file->words, PAJE_MOST_FIELDS + 1, &line.count, line.text))
            return oc_fail(OCELOTL_ERROR_INPUT, "a quote is not closed, expected one more \"");
    }
    *is_event = line.count > 0;
    return *is_event ? find_definition(file, line.count) : OCELOTL_OK;
}

/* The container whose events the file holds has been created before. */
static ocelotl_status name_file(paje_reader *reader)
{
    uint32_t resource;
    const paje_file *file = reader->file;
    if (file->definition->place[PAJE_CONTAINER] >= 0)
        OC_TRY(paje_names_find_container(&resource, &reader->names, file->scope,
                                         paje_get(file, PAJE_CONTAINER)));
    return paje_files_name(reader, paje_get(file, PAJE_FILE_NAME).text);
}

static ocelotl_status do_sound_line(paje_reader *reader)
{
    const paje_kind kind = reader->file->definition->kind;
    switch (kind) {
    case PAJE_CREATE_CONTAINER:
        return paje_create(reader);
    case PAJE_TRACE_FILE:
        return name_file(reader);
    case PAJE_UNKNOWN:
        paje_note(reader, PAJE_EVENT_UNKNOWN);
        return OCELOTL_OK;
    default:
        return kind < PAJE_CREATE_CONTAINER ? paje_add_event(reader) : paje_declare(reader);
    }
}

static ocelotl_status do_line(paje_reader *reader)
{
    paje_definition *definition = reader->file->definition;
    const ocelotl_status status = do_sound_line(reader);
    definition->skipped += status != OCELOTL_OK;
    return status;
}

static ocelotl_status fail_line(paje_reader *reader, ocelotl_status status)
{
    char message[2048];
    snprintf(message, sizeof message, "%s", ocelotl_error_message());
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    return oc_oddities_skip(&reader->oddities, oc_fail(status, "%s", message),
                            reader->file->source->path, reader->file->lines.number);
}

static ocelotl_status read_line(paje_reader *reader)
{
    bool is_event;
    ocelotl_status status = next_line(&is_event, reader);
    if (status == OCELOTL_OK && is_event)
        status = do_line(reader);
    return status == OCELOTL_OK ? OCELOTL_OK : fail_line(reader, status);
}

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

/* Fails for lost compressed data, with the line where the text ends. */
static ocelotl_status fail_lost(const paje_file *file)
{
    const char *loss = oc_input_loss(file->text.input);
    if (file->kept_lines == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s; no event is before that", file->source->path,
                       loss);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", file->source->path,
                   file->lines.number + 1, loss);
}

/* A line that is too long stands alone in its block. */
static ocelotl_status pass_long_line(paje_reader *reader, paje_block *block)
{
    block->lines = 1;
    reader->file->lines.number = block->first_line + 1;
    return fail_line(reader, oc_fail(OCELOTL_ERROR_INPUT,
                                     "a line of more than %d MiB, expected lines of text",
                                     PAJE_LONGEST_LINE >> 20));
}

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

/* Reads lines of the block at hand the short way, as far as they are plain. */
static void read_short_way(paje_reader *reader, paje_block *block)
{
    paje_file *file = reader->file;
    paje_parser *parser = paje_ahead_parser(reader, 0);
    parser->after = paje_window_time(&reader->pipeline.window);
    paje_parser_block(block, parser, file->number);
    count_lines(file, block);
    paje_window_bound(&reader->pipeline.window);
}

/* Reads the block at hand, and the long way what is not plain, up to its end or to where another
 * file is named. */
static ocelotl_status read_rest(paje_reader *reader, paje_block *block)
{
    paje_file *file = reader->file;
    for (;;) {
        read_short_way(reader, block);
        if (block->read == block->length)
            return OCELOTL_OK;
        paje_lines_begin(&file->lines, block->bytes, block->read, block->length,
                         block->first_line + block->lines);
        const ocelotl_status status = read_line(reader);
        block->read = file->lines.next;
        block->lines = file->lines.number - block->first_line;
        OC_TRY(status);
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
        OC_TRY(pass_long_line(reader, block));
    if (block->read < block->length) {
        paje_ahead_hold(reader);
        const ocelotl_status status = read_rest(reader, block);
        paje_ahead_go_on(reader);
        OC_TRY(status);
        file->lines.number = block->first_line + block->lines;
    }
    file->position = block->position;
    OC_TRY(paje_pipeline_flow(&reader->pipeline));
    return paje_report(reader);
}

/* Leaves the block being read, as the file turned out to be one of several: its text and its events
 * part. */
static ocelotl_status leave(paje_reader *reader, const paje_block *block)
{
    paje_file *file = reader->file;
    const size_t left = block->length - block->read;
    paje_block *rest = paje_pipeline_block(&reader->pipeline);
    if (rest == NULL)
        return oc_fail_memory();
    file->block = rest;
    if (rest->capacity < left + PAJE_BLOCK_MARGIN)
        OC_TRY(oc_grow(&rest->bytes, &rest->capacity, left + PAJE_BLOCK_MARGIN, 1));
    memcpy(rest->bytes, block->bytes + block->read, left);
    memset(rest->bytes + left, 0, PAJE_BLOCK_MARGIN);
    rest->length = left;
    paje_lines_begin(&file->lines, rest->bytes, 0, left, file->lines.number);
    return OCELOTL_OK;
}

/* The source ends where compressed data is damaged, too. */
static ocelotl_status take_block(paje_block **block, paje_reader *reader)
{
    const ocelotl_status status = paje_ahead_take(block, reader);
    return status == OCELOTL_ERROR_INPUT && oc_input_loss(reader->file->text.input) != NULL
               ? fail_lost(reader->file)
               : status;
}

ocelotl_status paje_read_alone(paje_reader *reader)
{
    paje_block *block;
    reader->file = reader->files[0];
    reader->file->is_begun = true;
    OC_TRY(paje_report(reader));
    paje_text_begin(&reader->file->text);
    for (;;) {
        OC_TRY(take_block(&block, reader));
        if (block == NULL)
            return OCELOTL_OK;
        OC_TRY(read_block(reader, block));
        if (reader->file_count > 1)
            return leave(reader, block);
    }
}

/* Several files as one trace: their lines in the order of time, and of equal times in the order of
 * the files. What has no time takes effect where it stands. */

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

/* A block that was read ahead is read anew. */
static ocelotl_status take_next(paje_block **block, paje_reader *reader, paje_file *file)
{
    bool ended = false;
    *block = file->number == 0 ? paje_ahead_leave(reader) : NULL;
    while (*block == NULL && !ended) {
        const uint64_t seen = oc_pool_seen(reader->pipeline.pool);
        const ocelotl_status status = paje_text_next(block, &ended, &file->text);
        if (status == OCELOTL_ERROR_INPUT && oc_input_loss(file->text.input) != NULL)
            return fail_lost(file);
        OC_TRY(status);
        if (*block != NULL || ended)
            break;
        oc_pool_step(reader->pipeline.pool, seen);
        OC_TRY(paje_report(reader));
    }
    return OCELOTL_OK;
}

/* The next block of one of several files. */
static ocelotl_status next_block(bool *there, paje_reader *reader, paje_file *file)
{
    const uint64_t number = file->lines.number;
    file->is_begun = true;
    if (file->block != NULL)
        paje_pipeline_give_back(&reader->pipeline, file->block);
    file->block = NULL;
    OC_TRY(take_next(&file->block, reader, file));
    *there = file->block != NULL;
    if (!*there)
        return OCELOTL_OK;
    paje_block_unread(file->block);
    file->block->first_line = number;
    file->position = file->block->position;
    paje_lines_begin(&file->lines, file->block->bytes, 0, file->block->length, number);
    return file->block->is_too_long ? pass_long_line(reader, file->block) : OCELOTL_OK;
}

static bool hold_quickly(paje_reader *reader)
{
    paje_file *file = reader->file;
    if (!paje_parser_line(&file->time, paje_ahead_parser(reader, 0), &file->lines))
        return false;
    if (paje_shift_time(&file->time, reader))
        return true;
    paje_lines_back(&file->lines);
    return false;
}

/* The fields of the line that is held are not those that were read last: it is read again. */
static bool add_quickly(paje_reader *reader)
{
    int64_t time;
    paje_file *file = reader->file;
    paje_window *window = &reader->pipeline.window;
    paje_parser *parser = paje_ahead_parser(reader, 0);
    paje_lines_back(&file->lines);
    if (!paje_parser_line(&time, parser, &file->lines))
        return false;
    window->next = (paje_event){
        .time = file->time, .file = file->number, .line = PAJE_LINE(file->lines.number)};
    bool added = file->scope->root != PAJE_NOWHERE && paje_parser_event(&window->next, parser);
    if (added) {
        memcpy(window->attributes, parser->attributes,
               window->next.attribute_count * sizeof *window->attributes);
        added = paje_window_add(window, true) == OCELOTL_OK;
    }
    file->kept_lines += added;
    file->definitions.by_number[parser->of_definition - parser->known]->count += added;
    if (!added)
        paje_lines_back(&file->lines);
    return added;
}

/* Holds the line at hand, or does it at once: where it has no time, and where it creates a
 * container before the file's first event, so that the files it names are known before theirs. */
static ocelotl_status hold_or_do(paje_reader *reader, bool first)
{
    paje_file *file = reader->file;
    bool is_event;
    OC_TRY(next_line(&is_event, reader));
    if (!is_event)
        return OCELOTL_OK;
    if (file->definition->kind > PAJE_CREATE_CONTAINER ||
        (first && file->definition->kind == PAJE_CREATE_CONTAINER))
        return do_line(reader);
    OC_TRY(paje_read_time(&file->time, reader));
    file->held = PAJE_HELD_LINE;
    return OCELOTL_OK;
}

/* Reads a file up to the next line that waits for its time; it holds none where the file is over.
 */
static ocelotl_status advance(paje_reader *reader, paje_file *file, bool first)
{
    paje_lines *lines = &file->lines;
    bool there = true;
    reader->file = file;
    while (file->held == PAJE_HELD_NOTHING) {
        if (!paje_lines_are_there(lines)) {
            OC_TRY(next_block(&there, reader, file));
            if (!there)
                return OCELOTL_OK;
        } else if (paje_lines_is_empty(lines)) {
            paje_lines_pass_empty(lines);
            OC_TRY(after_line(reader));
        } else if (hold_quickly(reader)) {
            file->held = PAJE_HELD_QUICK;
        } else {
            const ocelotl_status status = hold_or_do(reader, first);
            if (status != OCELOTL_OK)
                OC_TRY(fail_line(reader, status));
            OC_TRY(after_line(reader));
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status do_held_line(paje_reader *reader)
{
    bool is_event = true;
    if (reader->file->held == PAJE_HELD_QUICK) {
        if (add_quickly(reader))
            return OCELOTL_OK;
        OC_TRY(next_line(&is_event, reader));
    }
    return is_event ? do_line(reader) : OCELOTL_OK;
}

static ocelotl_status do_held(paje_reader *reader, paje_file *file)
{
    reader->file = file;
    ocelotl_status status = do_held_line(reader);
    file->held = PAJE_HELD_NOTHING;
    if (status != OCELOTL_OK)
        OC_TRY(fail_line(reader, status));
    return after_line(reader);
}

/* Begins the files from number `from` on; these may name others. */
static ocelotl_status begin_files(paje_reader *reader, size_t from)
{
    for (size_t i = from; i < reader->file_count; i++) {
        OC_TRY(advance(reader, reader->files[i], true));
        OC_TRY(oc_grow(&reader->heap, &reader->heap_capacity, reader->file_count,
                       sizeof *reader->heap));
        if (reader->files[i]->held == PAJE_HELD_NOTHING)
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
        if (file->held == PAJE_HELD_NOTHING)
            reader->heap[0] = reader->heap[--reader->heap_count];
        if (reader->heap_count > 0)
            sift_down(reader);
        OC_TRY(begin_files(reader, known));
    }
    return OCELOTL_OK;
}

/* Checks for a loss: what was read before counts, the rest is missing. */
static ocelotl_status check_loss(paje_reader *reader, const paje_file *file)
{
    if (oc_input_loss(file->text.input) == NULL)
        return OCELOTL_OK;
    const ocelotl_status status = fail_lost(file);
    if (file->kept_lines == 0 && reader->file_count == 1)
        return status;
    return oc_oddities_lose_rest(&reader->oddities, "trace");
}

ocelotl_status paje_check_file(paje_reader *reader, paje_file *file)
{
    reader->file = file;
    OC_TRY(check_loss(reader, file));
    if (file->text.is_open)
        oc_oddities_note(&reader->oddities, OC_LAST_LINE_OPEN, file->source->path,
                         file->lines.number);
    if (file->definitions.open != NULL) {
        oc_fail(OCELOTL_ERROR_INPUT,
                "the trace ends in the definition of \"%s\", expected %%EndEventDef",
                file->definitions.open->name);
        OC_TRY(fail_line(reader, OCELOTL_ERROR_INPUT));
    }
    if (file->kept_lines > 0)
        return OCELOTL_OK;
    if (reader->file_count > 1) {
        oc_oddities_note(&reader->oddities, PAJE_FILE_EMPTY, file->source->path, 0);
        return OCELOTL_OK;
    }
    return oc_oddities_fail_empty(&reader->oddities, file->source->path,
                                  "holds definitions alone, expected events");
}
