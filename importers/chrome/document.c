/* The text of a file: a list of events, or an object with one. */
#include "importers/chrome/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Text that is no JSON */

/* The rest of the file cannot be read. *ends is then true. */
static ocelotl_status give_up(bool *ends, chrome_reader *reader, oc_json_scan found)
{
    *ends = true;
    return oc_json_stream_give_up(&reader->stream, found, "trace");
}

/* --- Events */

/* Reads an object at its bracket, which is JSON, and may still be no event. */
static ocelotl_status read_element(bool *ends, chrome_reader *reader)
{
    oc_json_scan found;
    oc_ingest *ingest = &reader->ingest;
    OC_TRY(oc_json_stream_scan(&found, &reader->stream, chrome_element_scan, &reader->element));
    OC_TRY(reader->element.status);
    if (found != OC_JSON_FOUND)
        return give_up(ends, reader, found);
    if (!reader->element.has_members) {
        oc_ingest_note(ingest, CHROME_ELEMENT_EMPTY);
        return OCELOTL_OK;
    }
    const ocelotl_status status = chrome_take_event(reader);
    if (status == OCELOTL_OK)
        return OCELOTL_OK;
    OC_TRY(oc_oddities_skip(&ingest->oddities, status, ingest->path, ingest->line));
    return chrome_leave_event_out(reader);
}

/* A list of events, behind its bracket. It need not be closed where it is the whole file. */
static ocelotl_status read_list(bool *ends, chrome_reader *reader, bool is_whole)
{
    oc_json_stream *stream = &reader->stream;
    char next;
    while (!*ends) {
        oc_json_scan found;
        OC_TRY(oc_json_stream_peek(&next, stream));
        if (next == ']' || next == ',')
            stream->cursor.next++;
        if (next == ']')
            return OCELOTL_OK;
        if (next == ',')
            continue;
        oc_json_stream_note(&reader->stream);
        if (next == '{') {
            OC_TRY(read_element(ends, reader));
        } else if (next == '\0') {
            *ends = true;
            if (!is_whole || oc_json_stream_loss(stream) != NULL)
                return give_up(ends, reader, OC_JSON_CUT);
            oc_ingest_note(&reader->ingest, CHROME_LIST_OPEN);
        } else {
            OC_TRY(oc_json_stream_skip(&found, stream));
            if (found != OC_JSON_FOUND)
                return give_up(ends, reader, found);
            oc_ingest_note(&reader->ingest, CHROME_ELEMENT_EMPTY);
        }
    }
    return OCELOTL_OK;
}

/* --- What stands beside the events */

static ocelotl_status take_base(chrome_reader *reader, const oc_json_item *value, int64_t factor)
{
    oc_decimal decimal;
    int64_t base;
    if (!oc_decimal_read(&decimal, value->bytes, value->length, 0) ||
        __builtin_mul_overflow(decimal.mantissa, factor, &base))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:%" PRIu64
                       ": a base of time that is no time, expected " OC_DECIMAL_EXPECTED,
                       reader->ingest.path, oc_json_stream_line(&reader->stream));
    reader->file.base = base;
    reader->file.has_base = true;
    return OCELOTL_OK;
}

/* A file that says which rank it is of has a resource for it, if files are not merged. */
static ocelotl_status take_rank(chrome_reader *reader, const oc_json_item *value)
{
    char name[32];
    oc_ingest *ingest = &reader->ingest;
    oc_ingest_row *row = &ingest->rows[ingest->file_row];
    row->order = strtoll(value->bytes, NULL, 10);
    row->is_around = ingest->import->options->same_root && ingest->import->source_count > 1;
    snprintf(name, sizeof name, "rank %" PRId64, row->order);
    return oc_ingest_row_name(ingest, ingest->file_row, name);
}

/* Members that mean something. All others are passed. */
static const char *const members[] = {"baseTimeNanoseconds", "beginningOfTime",
                                      "viztracer_metadata", "distributedInfo"};
enum { BASE, BEGINNING, VIZTRACER, DISTRIBUTED, MEMBERS };

static ocelotl_status take_member(chrome_reader *reader, size_t which, const oc_json_item *value)
{
    if (which == BASE || which == BEGINNING) {
        if (which == BEGINNING)
            OC_TRY(ocelotl_writer_producer(reader->ingest.writer, "clang -ftime-trace"));
        return take_base(reader, value, which == BEGINNING ? 1000 : 1);
    }
    if (which == VIZTRACER)
        OC_TRY(ocelotl_writer_producer(reader->ingest.writer, "viztracer"));
    oc_json_cursor cursor = {value->bytes, value->bytes + value->length, NULL};
    if (value->kind != '{')
        return OCELOTL_OK;
    (void)chrome_element_scan(&reader->element, &cursor);
    OC_TRY(reader->element.status);
    const oc_json_item found =
        chrome_members_find(&reader->element.others, which == DISTRIBUTED ? "rank" : members[BASE]);
    if (found.bytes == NULL)
        return OCELOTL_OK;
    return which == DISTRIBUTED ? take_rank(reader, &found) : take_base(reader, &found, 1);
}

static oc_json_scan scan_value(void *value, oc_json_cursor *cursor)
{
    return oc_json_scan_value(value, cursor);
}

static ocelotl_status read_object(bool *ends, chrome_reader *reader)
{
    oc_json_stream *stream = &reader->stream;
    char name[OC_JSON_NAME];
    char next;
    while (!*ends) {
        oc_json_scan found;
        oc_json_item value;
        size_t which = 0;
        OC_TRY(oc_json_stream_member(&found, name, &next, stream));
        if (found == OC_JSON_FOUND && next == '}' && name[0] == '\0')
            return OCELOTL_OK;
        while (which < MEMBERS && strcmp(name, members[which]) != 0)
            which++;
        if (found == OC_JSON_FOUND && strcmp(name, "traceEvents") == 0 && next == '[') {
            stream->cursor.next++;
            OC_TRY(read_list(ends, reader, false));
        } else if (found == OC_JSON_FOUND && which < MEMBERS) {
            OC_TRY(oc_json_stream_scan(&found, stream, scan_value, &value));
            if (found == OC_JSON_FOUND)
                OC_TRY(take_member(reader, which, &value));
        } else if (found == OC_JSON_FOUND)
            OC_TRY(oc_json_stream_skip(&found, stream));
        if (found != OC_JSON_FOUND)
            OC_TRY(give_up(ends, reader, found));
    }
    return OCELOTL_OK;
}

/* --- Files */

static ocelotl_status read_document(chrome_reader *reader)
{
    oc_json_stream *stream = &reader->stream;
    bool ends = false;
    char next;
    OC_TRY(oc_json_stream_peek(&next, stream));
    stream->cursor.next += oc_text_mark(stream->cursor.next, stream->length);
    OC_TRY(oc_json_stream_peek(&next, stream));
    if (next == '[' || next == '{') {
        stream->cursor.next++;
        OC_TRY(next == '[' ? read_list(&ends, reader, true) : read_object(&ends, reader));
    } else {
        stream->cursor.expected = "a list of events or an object with one";
        OC_TRY(give_up(&ends, reader, next == '\0' ? OC_JSON_CUT : OC_JSON_BROKEN));
    }
    if (!ends)
        OC_TRY(oc_json_stream_peek(&next, stream));
    if (!ends && next == '\0' && oc_json_stream_loss(stream) != NULL)
        OC_TRY(give_up(&ends, reader, OC_JSON_CUT));
    if (!ends && next != '\0') {
        oc_json_stream_note(&reader->stream);
        oc_ingest_note(&reader->ingest, CHROME_TEXT_BEHIND);
    }
    return OCELOTL_OK;
}

ocelotl_status chrome_read_file(void *context, const oc_source *source)
{
    chrome_reader *reader = context;
    oc_ingest *ingest = &reader->ingest;
    chrome_file *file = &reader->file;
    int64_t origin; /* nanoseconds: behind 2262 is no date */
    *file = (chrome_file){0};
    ingest->line = 1;
    reader->stream = (oc_json_stream){.input = source->input, .ingest = ingest};
    oc_input_salvage(source->input, true); /* an error where what is open is not closed */
    const ocelotl_status status = read_document(reader);
    oc_json_stream_free(&reader->stream);
    OC_TRY(status);
    reader->events += file->events;
    if (file->events == 0)
        oc_oddities_note(&ingest->oddities, CHROME_FILE_EMPTY, source->path, 0);
    if (__builtin_mul_overflow(file->zero, 1000, &origin) ||
        __builtin_add_overflow(file->base, origin, &origin))
        return OCELOTL_OK;
    ingest->files[ingest->file].has_clock = file->has_base || file->zero != 0;
    ingest->files[ingest->file].origin = origin;
    return OCELOTL_OK;
}
