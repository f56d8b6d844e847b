/* Several files as one trace: their lines in the order of time, and of equal times in the order of
 * the files. What has no time takes effect where it stands. */
#include "importers/paje/reader.h"

#include "base/memory.h"

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
    OC_TRY(paje_next_line(&is_event, reader));
    if (!is_event)
        return OCELOTL_OK;
    if (file->definition->kind > PAJE_CREATE_CONTAINER ||
        (first && file->definition->kind == PAJE_CREATE_CONTAINER))
        return paje_do_line(reader);
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
            OC_TRY(paje_read_more(reader));
        } else if (paje_lines_is_empty(lines)) {
            paje_lines_pass_empty(lines);
            OC_TRY(paje_after_line(reader));
        } else if (paje_quick_hold(reader)) {
            file->held = PAJE_HELD_QUICK;
        } else {
            const ocelotl_status status = hold_or_do(reader, first);
            if (status != OCELOTL_OK)
                OC_TRY(paje_fail_line(reader, status));
            OC_TRY(paje_after_line(reader));
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
        OC_TRY(paje_next_line(&is_event, reader));
    }
    return is_event ? paje_do_line(reader) : OCELOTL_OK;
}

static ocelotl_status do_held(paje_reader *reader, paje_file *file)
{
    reader->file = file;
    ocelotl_status status = do_held_line(reader);
    file->held = PAJE_HELD_NOTHING;
    if (status != OCELOTL_OK)
        OC_TRY(paje_fail_line(reader, status));
    return paje_after_line(reader);
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
