/* The text of a file: a list of events, or an object with one. */
#include "importers/chrome/reader.h"

#include "importers/common/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes between reports of progress. */
static const uint64_t report_every = (uint64_t)4 << 20;

static ocelotl_status report(chrome_reader *reader)
{
    const ocelotl_work *work = &reader->import->options->work;
    uint64_t done = 0;
    uint64_t total = 0;
    bool known = true;
    if (work->progress == NULL)
        return OCELOTL_OK;
    for (size_t i = 0; i < reader->file_count; i++) {
        const oc_input *input = reader->files[i].source->input;
        const uint64_t size = oc_input_size(input);
        known = known && size > 0;
        total += size;
        done += oc_input_position(input);
    }
    return work->progress(work->context, done, known ? total : 0)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
}

static ocelotl_status read_on(bool *more, chrome_reader *reader)
{
    chrome_stream *stream = &reader->file->stream;
    OC_TRY(chrome_stream_read(more, stream));
    if (stream->offset < reader->next_report)
        return OCELOTL_OK;
    reader->next_report = stream->offset + report_every;
    return report(reader);
}

/* --- Text that is no JSON */

/* The rest of the file cannot be read: an error, or a warning where the import is lenient. *ends is
 * then true. */
static ocelotl_status give_up(bool *ends, chrome_reader *reader, oc_json_scan found)
{
    chrome_file *file = reader->file;
    const char *loss = found == OC_JSON_CUT ? chrome_stream_loss(&file->stream) : NULL;
    if (loss != NULL)
        file->stream.cursor.next = file->stream.cursor.end;
    const uint64_t offset = chrome_stream_offset(&file->stream);
    const uint64_t line = chrome_stream_line(&file->stream);
    *ends = true;
    if (loss != NULL)
        oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", file->path, line, loss);
    else if (found == OC_JSON_CUT)
        oc_fail(OCELOTL_ERROR_INPUT,
                "%s:%" PRIu64 ": the JSON ends at byte %" PRIu64 ", before what is open is closed",
                file->path, line,
                offset + (uint64_t)(file->stream.cursor.end - file->stream.cursor.next));
    else
        oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": is no JSON at byte %" PRIu64 ", expected %s",
                file->path, line, offset, file->stream.cursor.expected);
    return reader->oddities.lenient ? oc_oddities_lose_rest(&reader->oddities, "trace")
                                    : oc_given_status(OCELOTL_ERROR_INPUT);
}

/* --- Events */

/* Notes where the next element is: by its byte, too, where its line has more than it. */
static void note_place(chrome_reader *reader)
{
    chrome_stream *stream = &reader->file->stream;
    const uint64_t line = chrome_stream_line(stream);
    const bool is_shared = line == 1 || line == reader->last_line;
    reader->line = is_shared ? oc_place_in_line(line, chrome_stream_offset(stream)) : line;
    reader->last_line = line;
}

/* Reads an object at its bracket, which is JSON, and may still be no event. Where the text in
 * memory ends in it, it is read anew. */
static ocelotl_status read_element(bool *ends, chrome_reader *reader)
{
    chrome_stream *stream = &reader->file->stream;
    ocelotl_status status = OCELOTL_OK;
    bool more = true;
    note_place(reader);
    for (;;) {
        const char *begin = stream->cursor.next;
        const oc_json_scan found = chrome_element_scan(&status, &reader->element, &stream->cursor);
        OC_TRY(status);
        if (found == OC_JSON_FOUND)
            break;
        if (found == OC_JSON_CUT)
            stream->cursor.next = begin;
        if (found == OC_JSON_BROKEN || !more)
            return give_up(ends, reader, found);
        OC_TRY(read_on(&more, reader));
    }
    if (!reader->element.has_members) {
        chrome_note_oddity(reader, CHROME_ELEMENT_EMPTY);
        return OCELOTL_OK;
    }
    status = chrome_take_event(reader);
    if (status == OCELOTL_OK)
        return OCELOTL_OK;
    OC_TRY(oc_oddities_skip(&reader->oddities, status, reader->file->path, reader->line));
    return chrome_leave_event_out(reader);
}

/* A list of events, behind its bracket. It need not be closed where it is the whole file. */
static ocelotl_status read_list(bool *ends, chrome_reader *reader, bool is_whole)
{
    chrome_stream *stream = &reader->file->stream;
    char next;
    while (!*ends) {
        oc_json_scan found;
        OC_TRY(chrome_stream_peek(&next, stream));
        if (next == ']') {
            stream->cursor.next++;
            return OCELOTL_OK;
        }
        if (next == '\0') {
            *ends = true;
            note_place(reader);
            if (!is_whole || chrome_stream_loss(stream) != NULL)
                return give_up(ends, reader, OC_JSON_CUT);
            chrome_note_oddity(reader, CHROME_LIST_OPEN);
        } else if (next == ',')
            stream->cursor.next++;
        else if (next == '{')
            OC_TRY(read_element(ends, reader));
        else {
            note_place(reader);
            OC_TRY(chrome_stream_skip(&found, stream));
            if (found != OC_JSON_FOUND)
                return give_up(ends, reader, found);
            chrome_note_oddity(reader, CHROME_ELEMENT_EMPTY);
        }
    }
    return OCELOTL_OK;
}

/* --- What stands beside the events */

static ocelotl_status take_base(chrome_reader *reader, const oc_json_item *value, int64_t factor)
{
    oc_decimal decimal;
    int64_t base;
    chrome_file *file = reader->file;
    if (!oc_decimal_read(&decimal, value->bytes, value->length, 0) ||
        __builtin_mul_overflow(decimal.mantissa, factor, &base))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64
                       ": a base of time that is no time, expected " OC_DECIMAL_EXPECTED,
                       file->path, chrome_stream_line(&file->stream));
    file->base = base;
    file->has_base = true;
    return OCELOTL_OK;
}

static ocelotl_status take_members(chrome_reader *reader, const oc_json_item *key,
                                   const oc_json_item *value)
{
    oc_json_cursor cursor = {value->bytes, value->bytes + value->length, NULL};
    chrome_members members = {0};
    ocelotl_status status = OCELOTL_OK;
    const bool ranks = oc_json_is(key, "distributedInfo");
    if (value->kind != '{')
        return OCELOTL_OK;
    (void)chrome_members_scan(&status, &members, &cursor);
    const oc_json_item found =
        chrome_members_find(&members, ranks ? "rank" : "baseTimeNanoseconds");
    if (status == OCELOTL_OK && ranks && found.bytes != NULL) {
        reader->file->has_rank = true;
        reader->file->rank = strtoll(found.bytes, NULL, 10);
    } else if (status == OCELOTL_OK && found.bytes != NULL)
        status = take_base(reader, &found, 1);
    free(members.all);
    return status;
}

/* The members that mean something; all others are passed. */
static ocelotl_status take_member(chrome_reader *reader, const oc_json_item *key,
                                  const oc_json_item *value)
{
    if (oc_json_is(key, "baseTimeNanoseconds"))
        return take_base(reader, value, 1);
    if (oc_json_is(key, "beginningOfTime")) {
        OC_TRY(ocelotl_writer_producer(reader->writer, "clang -ftime-trace"));
        return take_base(reader, value, 1000);
    }
    if (oc_json_is(key, "viztracer_metadata"))
        OC_TRY(ocelotl_writer_producer(reader->writer, "viztracer"));
    return take_members(reader, key, value);
}

static bool is_known(const oc_json_item *key)
{
    static const char *const known[] = {"baseTimeNanoseconds", "beginningOfTime",
                                        "viztracer_metadata", "distributedInfo"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (oc_json_is(key, known[i]))
            return true;
    return false;
}

/* A member whose value is kept in memory whole. */
static ocelotl_status read_known(bool *ends, chrome_reader *reader, const char *name)
{
    chrome_stream *stream = &reader->file->stream;
    const oc_json_item key = {name, strlen(name), '"', false};
    oc_json_item value;
    bool more = true;
    for (;;) {
        const char *begin = stream->cursor.next;
        const oc_json_scan found = oc_json_scan_value(&value, &stream->cursor);
        if (found == OC_JSON_FOUND)
            return take_member(reader, &key, &value);
        if (found == OC_JSON_CUT)
            stream->cursor.next = begin;
        if (found == OC_JSON_BROKEN || !more)
            return give_up(ends, reader, found);
        OC_TRY(read_on(&more, reader));
    }
}

static ocelotl_status read_member(bool *ends, chrome_reader *reader)
{
    chrome_stream *stream = &reader->file->stream;
    oc_json_scan found;
    char name[CHROME_NAME_SIZE];
    char next;
    OC_TRY(chrome_stream_name(&found, name, stream));
    if (found != OC_JSON_FOUND)
        return give_up(ends, reader, found);
    const oc_json_item key = {name, strlen(name), '"', false};
    OC_TRY(chrome_stream_peek(&next, stream));
    if (oc_json_is(&key, "traceEvents") && next == '[') {
        stream->cursor.next++;
        return read_list(ends, reader, false);
    }
    if (is_known(&key))
        return read_known(ends, reader, name);
    OC_TRY(chrome_stream_skip(&found, stream));
    return found == OC_JSON_FOUND ? OCELOTL_OK : give_up(ends, reader, found);
}

static ocelotl_status read_object(bool *ends, chrome_reader *reader)
{
    chrome_stream *stream = &reader->file->stream;
    char next;
    while (!*ends) {
        OC_TRY(chrome_stream_peek(&next, stream));
        if (next == '}') {
            stream->cursor.next++;
            return OCELOTL_OK;
        }
        if (next == ',')
            stream->cursor.next++;
        else if (next == '"')
            OC_TRY(read_member(ends, reader));
        else {
            stream->cursor.expected = "a name in quotes";
            OC_TRY(give_up(ends, reader, next == '\0' ? OC_JSON_CUT : OC_JSON_BROKEN));
        }
    }
    return OCELOTL_OK;
}

/* --- Files */

ocelotl_status chrome_read_file(chrome_reader *reader, chrome_file *file)
{
    chrome_stream *stream = &file->stream;
    bool ends = false;
    char next;
    reader->file = file;
    reader->line = 1;
    reader->last_line = 0;
    reader->next_report = 0;
    stream->input = file->source->input;
    oc_input_salvage(stream->input, true); /* an error where what is open is not closed */
    OC_TRY(chrome_stream_peek(&next, stream));
    if (stream->length >= 3 && memcmp(stream->cursor.next, "\xEF\xBB\xBF", 3) == 0)
        stream->cursor.next += 3;
    OC_TRY(chrome_stream_peek(&next, stream));
    if (next == '[' || next == '{') {
        stream->cursor.next++;
        OC_TRY(next == '[' ? read_list(&ends, reader, true) : read_object(&ends, reader));
    } else {
        stream->cursor.expected = "a list of events or an object with one";
        OC_TRY(give_up(&ends, reader, next == '\0' ? OC_JSON_CUT : OC_JSON_BROKEN));
    }
    if (!ends)
        OC_TRY(chrome_stream_peek(&next, stream));
    if (!ends && next == '\0' && chrome_stream_loss(stream) != NULL)
        OC_TRY(give_up(&ends, reader, OC_JSON_CUT));
    if (!ends && next != '\0') {
        note_place(reader);
        chrome_note_oddity(reader, CHROME_TEXT_BEHIND);
    }
    chrome_stream_free(stream);
    return OCELOTL_OK;
}
