/* The lines of a log, one file after the other. */
#include "importers/gstreamer/reader.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Lines behind a message that is so long are not of it any more. */
enum { LONGEST_MESSAGE = 1 << 20 };

/* --- Messages: each waits for the next line, which may go on with it */

static ocelotl_status add_pending(gstreamer_reader *reader)
{
    gstreamer_pending *pending = &reader->pending;
    ocelotl_attribute_value attributes[GSTREAMER_ATTRIBUTES];
    oc_sorted message = {.stream = pending->row,
                         .kind = OC_SORTED_OTHER,
                         .time = pending->time,
                         .detail = pending->function,
                         .value = pending->value,
                         .attributes = attributes};
    if (!pending->is_there)
        return OCELOTL_OK;
    pending->is_there = false;
    if (pending->texts.failed)
        return oc_fail_memory();
    pending->begins[GSTREAMER_ATTRIBUTES] = pending->texts.length;
    for (size_t i = 0; i < GSTREAMER_ATTRIBUTES; i++) {
        const size_t length = pending->begins[i + 1] - pending->begins[i];
        if (length > 0)
            attributes[message.attribute_count++] = (ocelotl_attribute_value){
                reader->attributes[i], pending->texts.bytes + pending->begins[i], length};
    }
    return oc_sorting_add(reader->records, &message);
}

/* Finds the place of a message, and its value. */
static ocelotl_status place_message(gstreamer_reader *reader, uint32_t thread)
{
    static const gstreamer_text none = {"(no function)", 13};
    const gstreamer_line *line = &reader->line;
    gstreamer_pending *pending = &reader->pending;
    uint32_t category;
    pending->row = pending->function = thread;
    if (reader->by_function)
        return gstreamer_find_value(&pending->value, reader, reader->state_type,
                                    line->function.length > 0 ? line->function : none);
    pending->value = reader->levels[line->level];
    OC_TRY(gstreamer_find_row(&category, reader, GSTREAMER_CATEGORY, thread, line->category));
    return gstreamer_find_row(&pending->function, reader, GSTREAMER_FUNCTION, category,
                              line->function);
}

static ocelotl_status note_version(gstreamer_reader *reader)
{
    static const char words[] = "Initializing GStreamer Core Library version ";
    const gstreamer_text message = reader->line.message;
    char version[64];
    const size_t before = sizeof words - 1;
    const size_t length = message.length - before;
    if (message.length <= before || length > 32 || memcmp(message.bytes, words, before) != 0)
        return OCELOTL_OK;
    snprintf(version, sizeof version, "GStreamer %.*s", (int)length, message.bytes + before);
    return ocelotl_writer_producer(reader->writer, version);
}

static ocelotl_status take_message(gstreamer_reader *reader)
{
    uint32_t thread;
    OC_TRY(add_pending(reader));
    if (!oc_beginnings_shift(&reader->line.time, &reader->beginnings))
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is too large where files begin at once");
    OC_TRY(gstreamer_find_thread(&thread, reader));
    reader->messages++;
    if (gstreamer_is_record(&reader->line))
        return gstreamer_take_record(reader, thread);
    const gstreamer_line *line = &reader->line;
    gstreamer_pending *pending = &reader->pending;
    const char *level = reader->by_function ? gstreamer_level_names[line->level] : "";
    const gstreamer_text texts[GSTREAMER_ATTRIBUTES] = {
        [GSTREAMER_OBJECT] = line->object,
        [GSTREAMER_SOURCE] = line->source,
        [GSTREAMER_LEVEL] = {level, strlen(level)},
        [GSTREAMER_CATEGORY_OF] = reader->by_function ? line->category : (gstreamer_text){"", 0},
        [GSTREAMER_MESSAGE_TEXT] = line->message,
    };
    gstreamer_row *row = &reader->rows[thread];
    if (row->is_used && reader->line.time < row->newest)
        gstreamer_note(reader, GSTREAMER_OUT_OF_ORDER);
    row->newest = reader->line.time;
    gstreamer_widen(reader, thread, reader->line.time);
    OC_TRY(note_version(reader));
    OC_TRY(place_message(reader, thread));
    oc_text_clear(&pending->texts);
    for (size_t i = 0; i < GSTREAMER_ATTRIBUTES; i++) {
        pending->begins[i] = pending->texts.length;
        oc_text_append(&pending->texts, texts[i].bytes, texts[i].length);
    }
    pending->time = line->time;
    pending->is_there = true;
    oc_kinds_add(&reader->kinds, reader->kind_of[reader->line.level]);
    return OCELOTL_OK;
}

/* --- Lines */

static ocelotl_status count(gstreamer_reader *reader, gstreamer_kind kind)
{
    oc_kinds_add(&reader->kinds, reader->kind_of[kind]);
    return OCELOTL_OK;
}

/* A text that is none of the log: where it is indented and directly behind a message, it is of that
 * message. */
static ocelotl_status take_other(gstreamer_reader *reader, const char *text, const char *end)
{
    gstreamer_pending *pending = &reader->pending;
    const size_t length = (size_t)(end - text);
    if (!pending->is_there || (*text != ' ' && *text != '\t') ||
        pending->texts.length + length > LONGEST_MESSAGE) {
        OC_TRY(add_pending(reader));
        return count(reader, GSTREAMER_KIND_OTHER);
    }
    oc_text_add(&pending->texts, "\n");
    oc_text_append(&pending->texts, text, length);
    return count(reader, GSTREAMER_KIND_REST);
}

/* Takes a line, and others that break it: what is there of each is kept. */
static ocelotl_status read_line(gstreamer_reader *reader, char *text, char *end)
{
    const char *part = text;
    const ocelotl_status status = oc_lines_check(&reader->lines, text, end);
    if (status != OCELOTL_OK) {
        OC_TRY(add_pending(reader));
        return status;
    }
    end -= end > text && end[-1] == '\r';
    end = gstreamer_line_plain(text, end);
    if (end == text) {
        OC_TRY(add_pending(reader));
        return count(reader, GSTREAMER_KIND_EMPTY);
    }
    for (;;) {
        const size_t hours = reader->line.hours > 0 ? reader->line.hours : 1;
        const char *next = gstreamer_line_within(part, end, hours);
        const char *behind = next != NULL ? next : end;
        if (next != NULL)
            gstreamer_note(reader, GSTREAMER_LINE_IN_LINE);
        const gstreamer_form form = gstreamer_line_read(&reader->line, part, behind);
        if (form == GSTREAMER_BROKEN && next == NULL)
            return OCELOTL_ERROR_INPUT;
        OC_TRY(form == GSTREAMER_MESSAGE ? take_message(reader) : take_other(reader, part, behind));
        if (next == NULL)
            return OCELOTL_OK;
        part = next;
    }
}

/* --- Files */

static ocelotl_status report(const gstreamer_reader *reader)
{
    const oc_import *import = reader->import;
    const ocelotl_work *work = &import->options->work;
    uint64_t size = 0;
    for (size_t i = 0; i < import->source_count; i++)
        size += oc_input_size(import->sources[i].input);
    const uint64_t position = reader->done + oc_input_position(reader->lines.input);
    if (work->progress == NULL || work->progress(work->context, position, size))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
}

static ocelotl_status read_lines(gstreamer_reader *reader)
{
    char *line;
    char *end;
    while (!reader->lines.at_end) {
        OC_TRY(report(reader));
        OC_TRY(oc_lines_read(&reader->lines));
        while ((line = oc_lines_take(&end, &reader->lines)) != NULL) {
            const ocelotl_status status = read_line(reader, line, end);
            if (status != OCELOTL_OK)
                OC_TRY(oc_oddities_skip(&reader->oddities, status, reader->path,
                                        reader->lines.number));
        }
    }
    return add_pending(reader);
}

/* A file without messages is an error where it is the only one. */
ocelotl_status gstreamer_read_file(gstreamer_reader *reader, size_t file)
{
    const oc_import *import = reader->import;
    const oc_source *source = &import->sources[file];
    const char *node = import->nodes[file];
    reader->lines = (oc_lines){.input = source->input};
    reader->path = source->path;
    reader->file = OCELOTL_NONE;
    oc_beginnings_next(&reader->beginnings);
    reader->last_process = OCELOTL_NONE;
    if (import->source_count > 1 && !import->options->same_root)
        OC_TRY(gstreamer_find_row(&reader->file, reader, GSTREAMER_FILE, OCELOTL_NONE,
                                  (gstreamer_text){node, strlen(node)}));
    const ocelotl_status status =
        oc_lines_end(&reader->lines, read_lines(reader), reader->path, &reader->oddities, "trace");
    reader->done += oc_input_position(source->input);
    oc_lines_free(&reader->lines);
    if (status != OCELOTL_OK || import->source_count < 2)
        return status;
    return oc_align_tell(reader->writer, node, import->options->align, reader->beginnings.shift,
                         1e9);
}
