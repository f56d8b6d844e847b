/* The lines of a log, one file after the other. */
#include "importers/gstreamer/reader.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* Lines behind a message that is so long are not of it any more. */
enum { LONGEST_MESSAGE = 1 << 20 };

ocelotl_status gstreamer_log_begin(gstreamer_reader *reader)
{
    /* As the thesis has them (figure 5.12): messages that should alarm are warm, the many are
     * cold. */
    static const int32_t colours[GSTREAMER_LEVELS] = {
        0xD62728, 0xFF7F0E, 0xE377C2, 0x2CA02C, 0x9ECAE1, 0xBDBDBD, 0x3182BD, 0x756BB1,
    };
    static const char *const attributes[GSTREAMER_ATTRIBUTES] = {
        [GSTREAMER_OBJECT] = "object",        [GSTREAMER_SOURCE] = "source",
        [GSTREAMER_LEVEL] = "level",          [GSTREAMER_CATEGORY_OF] = "category",
        [GSTREAMER_MESSAGE_TEXT] = "message",
    };
    uint32_t type;
    oc_ingest *ingest = &reader->ingest;
    ingest->life = OC_LIVES_WITH_CONTENT;
    OC_TRY(gstreamer_find_type(&type, reader,
                               reader->by_function ? GSTREAMER_THREAD : GSTREAMER_FUNCTION));
    OC_TRY(oc_ingest_event_type(&reader->state_type, ingest, OCELOTL_STATE, type,
                                reader->by_function ? "Function" : "Level", OC_NEST_REPLACE));
    for (size_t i = 0; i < GSTREAMER_LEVELS && !reader->by_function; i++)
        OC_TRY(ocelotl_writer_value(&reader->levels[i], ingest->writer, reader->state_type,
                                    gstreamer_level_names[i], colours[i]));
    for (size_t i = 0; i < GSTREAMER_ATTRIBUTES; i++) {
        const bool is_row = i == GSTREAMER_LEVEL || i == GSTREAMER_CATEGORY_OF;
        if (!is_row || reader->by_function)
            OC_TRY(oc_ingest_attribute(&reader->attributes[i], ingest, reader->state_type,
                                       attributes[i], strlen(attributes[i])));
    }
    return OCELOTL_OK;
}

static bool is_row(const gstreamer_reader *reader, uint32_t row, gstreamer_text name)
{
    if (row == OCELOTL_NONE)
        return false;
    const char *id = reader->ingest.rows[row].id;
    return strncmp(id, name.bytes, name.length) == 0 && id[name.length] == '\0';
}

/* Finds the thread of the line, which mostly is the one of the line before. */
static ocelotl_status find_thread(uint32_t *row, gstreamer_reader *reader)
{
    const gstreamer_line *line = &reader->line;
    const bool same = is_row(reader, reader->last_process, line->process);
    if (!same)
        OC_TRY(gstreamer_find_row(&reader->last_process, reader, GSTREAMER_PROCESS, OCELOTL_NONE,
                                  line->process));
    if (!same || !is_row(reader, reader->last_thread, line->thread))
        OC_TRY(gstreamer_find_row(&reader->last_thread, reader, GSTREAMER_THREAD,
                                  reader->last_process, line->thread));
    *row = reader->last_thread;
    return OCELOTL_OK;
}

/* --- Messages: each waits for the next line, which may go on with it */

static ocelotl_status add_pending(gstreamer_reader *reader)
{
    gstreamer_pending *pending = &reader->pending;
    ocelotl_attribute_value attributes[GSTREAMER_ATTRIBUTES];
    oc_sorted message = {.stream = pending->row,
                         .kind = OC_SORTED_BEGIN,
                         .time = pending->time,
                         .order = pending->function,
                         .type = reader->state_type,
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
    return oc_ingest_add(&reader->ingest, &message);
}

/* Finds the place of a message, and its value. */
static ocelotl_status place_message(gstreamer_reader *reader, uint32_t thread)
{
    static const gstreamer_text none = {"(no function)", 13};
    const gstreamer_line *line = &reader->line;
    gstreamer_pending *pending = &reader->pending;
    uint32_t category;
    pending->row = pending->function = thread;
    if (reader->by_function) {
        const gstreamer_text name = line->function.length > 0 ? line->function : none;
        return oc_ingest_value(&pending->value, &reader->ingest, reader->state_type, name.bytes,
                               name.length);
    }
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
    return ocelotl_writer_producer(reader->ingest.writer, version);
}

/* Notes when the thread has a message. */
static ocelotl_status note_time(gstreamer_reader *reader, uint32_t row)
{
    const int64_t time = reader->line.time;
    int64_t *number = &reader->ingest.rows[row].detail;
    if (*number == 0) {
        OC_TRY(oc_grow(&reader->threads, &reader->thread_capacity, reader->thread_count + 1,
                       sizeof *reader->threads));
        reader->threads[reader->thread_count++] = (gstreamer_thread){row, time, time};
        *number = (int64_t)reader->thread_count;
    }
    gstreamer_thread *thread = &reader->threads[*number - 1];
    if (time < thread->newest)
        oc_ingest_note(&reader->ingest, GSTREAMER_OUT_OF_ORDER);
    thread->newest = time;
    thread->last = time > thread->last ? time : thread->last;
    return OCELOTL_OK;
}

static ocelotl_status take_message(gstreamer_reader *reader)
{
    uint32_t thread;
    OC_TRY(add_pending(reader));
    if (!oc_beginnings_shift(&reader->line.time, &reader->ingest.beginnings))
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is too large where files begin at once");
    OC_TRY(find_thread(&thread, reader));
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
    OC_TRY(note_time(reader, thread));
    OC_TRY(note_version(reader));
    OC_TRY(place_message(reader, thread));
    oc_text_clear(&pending->texts);
    for (size_t i = 0; i < GSTREAMER_ATTRIBUTES; i++) {
        pending->begins[i] = pending->texts.length;
        oc_text_append(&pending->texts, texts[i].bytes, texts[i].length);
    }
    pending->time = line->time;
    pending->line = reader->ingest.line;
    pending->is_there = true;
    oc_kinds_add(&reader->ingest.kinds, reader->kind_of[reader->line.level]);
    return OCELOTL_OK;
}

/* --- Lines */

static ocelotl_status count(gstreamer_reader *reader, gstreamer_kind kind)
{
    oc_kinds_add(&reader->ingest.kinds, reader->kind_of[kind]);
    return OCELOTL_OK;
}

/* A text that is none of the log: where it is indented and directly behind a message, it is of that
 * message. */
static ocelotl_status take_other(gstreamer_reader *reader, const char *text, const char *end)
{
    gstreamer_pending *pending = &reader->pending;
    const size_t length = (size_t)(end - text);
    const bool is_behind = pending->is_there && reader->ingest.line - pending->line <= 1;
    if (!is_behind || (*text != ' ' && *text != '\t') ||
        pending->texts.length + length > LONGEST_MESSAGE) {
        OC_TRY(add_pending(reader));
        return count(reader, GSTREAMER_KIND_OTHER);
    }
    pending->line = reader->ingest.line;
    oc_text_add(&pending->texts, "\n");
    oc_text_append(&pending->texts, text, length);
    return count(reader, GSTREAMER_KIND_REST);
}

/* Takes a line, and others that break it: what is there of each is kept. */
static ocelotl_status read_line(void *context, char *text, size_t length)
{
    gstreamer_reader *reader = context;
    const char *part = text;
    const char *end = gstreamer_line_plain(text, text + length);
    if (end == text) {
        OC_TRY(add_pending(reader));
        return count(reader, GSTREAMER_KIND_EMPTY);
    }
    for (;;) {
        const size_t hours = reader->line.hours > 0 ? reader->line.hours : 1;
        const char *next = gstreamer_line_within(part, end, hours);
        const char *behind = next != NULL ? next : end;
        if (next != NULL)
            oc_ingest_note(&reader->ingest, GSTREAMER_LINE_IN_LINE);
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

ocelotl_status gstreamer_read_file(void *context, const oc_source *source)
{
    gstreamer_reader *reader = context;
    reader->last_process = OCELOTL_NONE;
    OC_TRY(oc_ingest_lines(&reader->ingest, source, "trace", read_line, reader));
    return add_pending(reader);
}

ocelotl_status gstreamer_log_end(gstreamer_reader *reader)
{
    for (size_t i = 0; i < reader->thread_count; i++) {
        const gstreamer_thread *thread = &reader->threads[i];
        OC_TRY(oc_ingest_add(&reader->ingest, &(oc_sorted){.stream = thread->row,
                                                           .kind = OC_SORTED_END,
                                                           .time = thread->last,
                                                           .order = thread->row,
                                                           .type = reader->state_type,
                                                           .value = OCELOTL_NONE}));
    }
    return OCELOTL_OK;
}
