/* Spans of OTLP as protocol buffers: one message, or many, each behind its length. The numbers are
 * those of opentelemetry/proto/trace/v1/trace.proto. */
#include "importers/common/protobuf.h"
#include "base/file/compression.h"
#include "base/plain.h"
#include "importers/spans/spans.h"

#include <inttypes.h>
#include <stdio.h>

enum { LARGEST = 256 << 20 };

static spans_text text_of(const oc_field *field)
{
    return (spans_text){field->bytes, field->length};
}

/* Reads a tag; a value that is no text becomes one. */
static ocelotl_status read_tag(spans_text *key, spans_text *value, spans_reader *reader,
                               oc_bytes_reader message)
{
    static const unsigned char numbers[] = {1, 2, 0}, of_value[] = {1, 2, 3, 4, 0};
    enum { TEXT, TRUTH, NUMBER, FRACTION, VALUES };
    oc_field tag[2], of[VALUES];
    char digits[32] = "";
    OC_TRY(oc_fields_read(tag, numbers, message, "attribute"));
    OC_TRY(oc_fields_read(of, of_value, oc_field_message(&tag[1]), "value of an attribute"));
    *key = text_of(&tag[0]);
    *value = text_of(&of[TEXT]);
    if (of[TRUTH].number != 0)
        snprintf(digits, sizeof digits, "%s", of[TRUTH].value != 0 ? "true" : "false");
    else if (of[NUMBER].number != 0)
        snprintf(digits, sizeof digits, "%" PRId64, (int64_t)of[NUMBER].value);
    else if (of[FRACTION].number != 0)
        snprintf(digits, sizeof digits, "%s", oc_digits(oc_field_double(&of[FRACTION])).text);
    if (digits[0] != '\0')
        *value = (spans_text){oc_arena_copy(&reader->arena, digits), strlen(digits)};
    return oc_arena_status(&reader->arena);
}

static ocelotl_status read_link(spans_reader *reader, oc_bytes_reader message)
{
    static const unsigned char numbers[] = {1, 2, 0};
    oc_field link[2];
    OC_TRY(oc_fields_read(link, numbers, message, "link"));
    return spans_refer(reader, text_of(&link[0]), text_of(&link[1]), true);
}

/* Reads what a span may have several of: attributes, events, links. */
static ocelotl_status read_lists(spans_span *span, spans_reader *reader, oc_bytes_reader message,
                                 uint64_t *events)
{
    enum { ATTRIBUTE = 9, EVENT = 11, LINK = 13 };
    oc_field field;
    spans_text key, value;
    while (oc_field_next(&field, &message)) {
        if (field.number == ATTRIBUTE) {
            OC_TRY(read_tag(&key, &value, reader, oc_field_message(&field)));
            spans_take_tag(span, key, value);
        } else if (field.number == LINK)
            OC_TRY(read_link(reader, oc_field_message(&field)));
        *events += field.number == EVENT;
    }
    return OCELOTL_OK;
}

static ocelotl_status read_span(spans_reader *reader, oc_bytes_reader message)
{
    static const unsigned char numbers[] = {1, 2, 4, 5, 6, 7, 8, 15, 0}, of_status[] = {2, 3, 0};
    enum { TRACE, ID, PARENT, NAME, KIND, BEGIN, END, STATUS, FIELDS };
    static const char *const times[] = {"startTimeUnixNano", "endTimeUnixNano"};
    oc_field of[FIELDS], status[2];
    spans_span span;
    char kind[2] = {0};
    uint64_t events = 0;
    spans_begin(&span, reader);
    OC_TRY(oc_fields_read(of, numbers, message, "span"));
    OC_TRY(oc_fields_read(status, of_status, oc_field_message(&of[STATUS]), "status of a span"));
    for (size_t i = BEGIN; i <= END; i++)
        if (of[i].value == 0 || of[i].value > INT64_MAX)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s of a span is \"%" PRIu64 "\", expected nanoseconds since 1970",
                           times[i - BEGIN], of[i].value);
    span.begin = (int64_t)of[BEGIN].value;
    span.end = (int64_t)of[END].value;
    span.trace = text_of(&of[TRACE]);
    span.id = text_of(&of[ID]);
    span.name = text_of(&of[NAME]);
    kind[0] = (char)(of[KIND].value < 6 ? '0' + of[KIND].value : '0');
    span.kind = (spans_text){kind, of[KIND].number != 0};
    span.is_error = status[1].value == 2;
    span.kept[SPANS_MESSAGE] = text_of(&status[0]);
    OC_TRY(spans_refer(reader, span.trace, text_of(&of[PARENT]), false));
    OC_TRY(read_lists(&span, reader, message, &events));
    OC_TRY(spans_add(reader, &span));
    while (events-- > 0)
        OC_TRY(spans_leave_event(reader));
    return OCELOTL_OK;
}

/* Calls `take` with each message of a number (or another one) in a message. */
static ocelotl_status read_each(spans_reader *reader, oc_bytes_reader message, uint32_t number,
                                uint32_t other, const char *what,
                                ocelotl_status (*take)(spans_reader *, oc_bytes_reader))
{
    oc_field field;
    while (oc_field_next(&field, &message))
        if ((field.number == number || field.number == other) && field.is_bytes)
            OC_TRY(take(reader, oc_field_message(&field)));
    return oc_fields_check(&message, what);
}

/* What is broken is skipped where it is met; else its place is put before the message once. */
static ocelotl_status or_skip(spans_reader *reader, ocelotl_status status)
{
    return reader->ingest.oddities.lenient ? spans_or_skip(reader, status) : status;
}

static ocelotl_status take_span(spans_reader *reader, oc_bytes_reader message)
{
    return or_skip(reader, read_span(reader, message));
}

static ocelotl_status take_scope(spans_reader *reader, oc_bytes_reader message)
{
    return read_each(reader, message, 2, 2, "scope of spans", take_span);
}

static ocelotl_status take_attribute(spans_reader *reader, oc_bytes_reader message)
{
    spans_text key, value;
    OC_TRY(read_tag(&key, &value, reader, message));
    return spans_take_place(reader, key, value);
}

static ocelotl_status take_place(spans_reader *reader, oc_bytes_reader message)
{
    return read_each(reader, message, 1, 1, "resource of spans", take_attribute);
}

/* Spans of a resource, which may stand behind them; scopes had the number 1000 before. */
static ocelotl_status take_resource(spans_reader *reader, oc_bytes_reader message)
{
    static const char what[] = "element with the spans of a resource";
    spans_begin_place(reader);
    ocelotl_status status = read_each(reader, message, 1, 1, what, take_place);
    if (status == OCELOTL_OK)
        status = read_each(reader, message, 2, 1000, what, take_scope);
    return or_skip(reader, status);
}

/* --- Files */

/* Reads one message, of which one resource is in memory at a time. */
static ocelotl_status read_message(spans_reader *reader, oc_fields *fields)
{
    oc_field field;
    for (;;) {
        OC_TRY(oc_fields_next(&field, fields));
        if (field.number == 0)
            return OCELOTL_OK;
        reader->ingest.line = oc_place_in_line(1, fields->offset);
        OC_TRY(oc_ingest_report(&reader->ingest, fields->input));
        if (field.number != 1 || !field.is_bytes)
            continue;
        OC_TRY(oc_fields_take(&field, fields));
        OC_TRY(spans_or_skip(reader, take_resource(reader, oc_field_message(&field))));
    }
}

static bool is_compressed(const char *bytes, size_t length)
{
    return oc_compression_of((const unsigned char *)bytes, length) != NULL;
}

/* Takes a message, which may be compressed. */
static ocelotl_status take_message(spans_reader *reader, const oc_field *field)
{
    oc_text text = {0};
    ocelotl_status status = OCELOTL_OK;
    oc_bytes_reader message = oc_field_message(field);
    if (is_compressed(field->bytes, field->length)) {
        status = oc_decode_bytes(&text, field->bytes, field->length, LARGEST);
        message = oc_bytes_read(text.bytes, text.length);
    }
    if (status == OCELOTL_OK)
        status = read_each(reader, message, 1, 1, "message", take_resource);
    oc_text_free(&text);
    return spans_or_skip(reader, status);
}

/* Reads messages, each behind its length. */
static ocelotl_status read_messages(spans_reader *reader, oc_fields *fields)
{
    oc_field field;
    for (;;) {
        OC_TRY(oc_fields_block(&field, fields));
        if (field.number == 0)
            return OCELOTL_OK;
        reader->ingest.line = oc_place_in_line(1, fields->offset);
        OC_TRY(oc_ingest_report(&reader->ingest, fields->input));
        OC_TRY(oc_fields_take(&field, fields));
        OC_TRY(take_message(reader, &field));
    }
}

ocelotl_status spans_read_protobuf(spans_reader *reader, const oc_source *source, bool has_lengths)
{
    oc_fields fields = {.input = source->input};
    reader->has_raw_ids = true;
    reader->producer = "OpenTelemetry";
    reader->events = "events";
    const ocelotl_status status = oc_fields_end(
        &fields, has_lengths ? read_messages(reader, &fields) : read_message(reader, &fields),
        &reader->ingest.oddities, "trace");
    oc_fields_free(&fields);
    return status;
}

/* Enters the first message that has a number, behind others. */
static bool enter(oc_bytes_reader *all, uint64_t number)
{
    for (;;) {
        const uint64_t tag = oc_bytes_unsigned(all);
        const uint64_t length = oc_bytes_unsigned(all);
        if (all->failed || (tag & 7) != 2)
            return false;
        if (tag >> 3 == number) {
            if (length < (uint64_t)(all->end - all->next))
                all->end = all->next + length;
            return true;
        }
        if (oc_bytes_block(all, length) == NULL)
            return false;
    }
}

/* Whether a message holds the spans of a resource, the first of which begins with its ids. */
static bool holds_span(const char *bytes, size_t length)
{
    enum { BYTES_1 = 1 << 3 | 2, BYTES_2 = 2 << 3 | 2 };
    oc_bytes_reader all = oc_bytes_read(bytes, length);
    return enter(&all, 1) && enter(&all, 2) && enter(&all, 2) &&
           oc_bytes_unsigned(&all) == BYTES_1 && oc_bytes_unsigned(&all) == 16 &&
           oc_bytes_block(&all, 16) != NULL && oc_bytes_unsigned(&all) == BYTES_2 &&
           oc_bytes_unsigned(&all) == 8;
}

bool spans_is_protobuf(const char *bytes, size_t length)
{
    oc_text text = {0};
    if (holds_span(bytes, length))
        return true;
    if (length < 4)
        return false;
    bytes += 4;
    length -= 4;
    if (is_compressed(bytes, length)) /* more than there is may follow */
        (void)oc_decode_bytes(&text, bytes, length, OC_HEAD_SIZE);
    const bool is_it = holds_span(text.bytes != NULL ? text.bytes : bytes,
                                  text.bytes != NULL ? text.length : length);
    oc_text_free(&text);
    return is_it;
}
