/* From the lines of a file to what they say. */
#include "importers/paje/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint64_t lines_per_report = 16384;
/* Memory of lines that events refer to, and of the events that wait to be sorted. Those of most
 * traces are within it. */
static const size_t most_text = (size_t)32 << 20;
/* What each of many files takes in any case. */
static const size_t text_per_file = (size_t)1 << 18;

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
    if (!line.is_split) {
        while (*line.text == ' ' || *line.text == '\t')
            line.text++;
        if (*line.text == '%') {
            const ocelotl_status status = paje_definitions_line(&file->definitions, line.text + 1);
            paje_definitions_find_quick(file->quick_counts, &file->definitions);
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
    OC_TRY(oc_pipeline_drain(&reader->pipeline, false));
    return oc_oddities_skip(&reader->oddities, oc_fail(status, "%s", message),
                            reader->file->source->path, reader->file->lines.number);
}

static ocelotl_status report(paje_reader *reader)
{
    const ocelotl_work *work = &reader->import->options->work;
    uint64_t done = 0;
    uint64_t total = 0;
    bool known = true;
    reader->next_report = reader->line_count + lines_per_report;
    if (work->progress == NULL)
        return OCELOTL_OK;
    for (size_t i = 0; i < reader->file_count; i++) {
        const uint64_t size = oc_input_size(reader->files[i]->lines.input);
        known = known && size > 0;
        total += size;
        done += oc_input_position(reader->files[i]->lines.input);
    }
    return work->progress(work->context, done, known ? total : 0)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
}

static ocelotl_status after_line(paje_reader *reader)
{
    OC_TRY(oc_pipeline_flow(&reader->pipeline));
    return ++reader->line_count < reader->next_report ? OCELOTL_OK : report(reader);
}

static ocelotl_status read_line(paje_reader *reader)
{
    bool is_event;
    ocelotl_status status = next_line(&is_event, reader);
    if (status == OCELOTL_OK && is_event)
        status = do_line(reader);
    return status == OCELOTL_OK ? OCELOTL_OK : fail_line(reader, status);
}

static ocelotl_status read_block(paje_reader *reader)
{
    paje_lines *lines = &reader->file->lines;
    while (paje_lines_are_read(lines) && reader->file_count == 1) {
        if (paje_lines_is_empty(lines))
            paje_lines_pass_empty(lines);
        else if (!paje_quick_read(reader))
            OC_TRY(read_line(reader));
        OC_TRY(after_line(reader));
    }
    return OCELOTL_OK;
}

/* In compressed data the line is where the text ends. */
static ocelotl_status fail_lost(const paje_file *file)
{
    const char *loss = oc_input_loss(file->lines.input);
    if (file->kept_lines == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s; no event is before that", file->source->path,
                       loss);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", file->source->path,
                   file->lines.number + 1, loss);
}

/* Events wait to be sorted while lines that are none go by, or are long themselves: then they keep
 * what they refer to apart from their lines, and where that is too much, too, they are sorted by
 * now. */
static ocelotl_status bound_text(paje_reader *reader)
{
    size_t bytes = 0;
    for (size_t i = 0; i < reader->file_count; i++)
        bytes += reader->files[i]->lines.allocated;
    if (bytes <= most_text + (reader->file_count - 1) * text_per_file)
        return OCELOTL_OK;
    OC_TRY(oc_pipeline_drain(&reader->pipeline, false));
    OC_TRY(oc_raw_window_own(&bytes, &reader->pipeline.window));
    if (bytes > most_text)
        OC_TRY(oc_pipeline_drain(&reader->pipeline, true));
    for (size_t i = 0; i < reader->file_count; i++)
        paje_lines_release(&reader->files[i]->lines, reader->pipeline.window.count);
    return OCELOTL_OK;
}

static ocelotl_status read_more(paje_reader *reader)
{
    bool too_long;
    paje_file *file = reader->file;
    file->is_begun = true;
    OC_TRY(bound_text(reader));
    const ocelotl_status status = paje_lines_read(&file->lines, reader->pipeline.window.count,
                                                  reader->pipeline.known_applied, &too_long);
    if (status == OCELOTL_ERROR_INPUT && oc_input_loss(file->lines.input) != NULL)
        return fail_lost(file);
    return too_long ? fail_line(reader, status) : status;
}

ocelotl_status paje_read_alone(paje_reader *reader)
{
    reader->file = reader->files[0];
    do {
        OC_TRY(read_more(reader));
        OC_TRY(read_block(reader));
    } while (!reader->file->lines.at_end && reader->file_count == 1);
    return OCELOTL_OK;
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
    reader->file = file;
    while (file->held == PAJE_HELD_NOTHING) {
        if (!paje_lines_are_read(lines)) {
            if (lines->at_end)
                return OCELOTL_OK;
            OC_TRY(read_more(reader));
        } else if (paje_lines_is_empty(lines)) {
            paje_lines_pass_empty(lines);
            OC_TRY(after_line(reader));
        } else if (paje_quick_hold(reader)) {
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
        if (paje_quick_add(reader))
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

/* What was read before counts: the rest is missed. */
static ocelotl_status check_loss(paje_reader *reader, const paje_file *file)
{
    if (oc_input_loss(file->lines.input) == NULL)
        return OCELOTL_OK;
    const ocelotl_status status = fail_lost(file);
    if (file->kept_lines == 0 && reader->file_count == 1)
        return status;
    return ocelotl_writer_warning(reader->writer, "skipped rest of the trace", 1,
                                  ocelotl_error_message());
}

ocelotl_status paje_check_file(paje_reader *reader, paje_file *file)
{
    reader->file = file;
    OC_TRY(check_loss(reader, file));
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
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: holds definitions alone, expected events",
                   file->source->path);
}
