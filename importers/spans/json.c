/* Spans as JSON: those of OTLP, Jaeger and Zipkin. */
#define _GNU_SOURCE
#include "importers/ingest/stream.h"
#include "importers/spans/spans.h"

#include <stdio.h>

typedef enum flavour { OTLP, JAEGER, ZIPKIN, FLAVOURS } flavour;

/* Members of a span. */
enum {
    TRACE,
    ID,
    PARENT,
    NAME,
    KIND,
    BEGIN,
    END,
    DURATION,
    TAGS,
    STATUS,
    REFERENCES,
    EVENTS,
    SHARED,
    PLACE,    /* the service, and what of it, */
    PLACE_ID, /* or which of those beside the spans */
    MEMBERS
};

/* "": the format has none. */
static const char *const member_names[FLAVOURS][MEMBERS] = {
    {"traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano",
     "", "attributes", "status", "links", "events", "", "", ""},
    {"traceID", "spanID", "parentSpanID", "operationName", "", "startTime", "", "duration", "tags",
     "", "references", "logs", "", "process", "processID"},
    {"traceId", "id", "parentId", "name", "kind", "timestamp", "", "duration", "tags", "", "",
     "annotations", "shared", "localEndpoint", ""},
};

static const char *const producers[FLAVOURS] = {"OpenTelemetry", "Jaeger", "Zipkin"};

typedef struct json_reader {
    spans_reader *spans;
    oc_json_stream stream;
    oc_json_item processes, process; /* those of a trace of Jaeger, and the name of the last */
    char lead[OC_JSON_NAME];         /* what elements of the list begin with, "" if unknown */
    bool is_astray;                  /* something was broken: ends may have no begin */
} json_reader;

/* What a value says; of one that is absent, or holds others, nothing. */
static spans_text text_of(json_reader *reader, const oc_json_item *value)
{
    spans_text text = {value->bytes, value->length};
    if (value->bytes == NULL || strchr("{[", value->kind) != NULL ||
        (value->kind == 'a' && oc_json_is(value, "null")))
        return (spans_text){"", 0};
    if (!value->escaped)
        return text;
    oc_text *decoded = &reader->spans->key;
    oc_text_clear(decoded);
    oc_json_decode_item(decoded, value);
    text.length = decoded->length;
    text.bytes = oc_arena_copy_bytes(&reader->spans->arena, decoded->bytes, decoded->length);
    return text.bytes != NULL ? text : (spans_text){"", 0}; /* the arena knows */
}

/* Takes the next tag of an object, or of a list of objects with key and value. */
static bool next_tag(oc_json_item *key, oc_json_item *value, oc_json_cursor *cursor, char kind)
{
    static const char *const names[] = {"key", "value"};
    oc_json_item item, found[2];
    if (kind == '{')
        return oc_json_next(key, value, cursor);
    if (!oc_json_next(key, &item, cursor))
        return false;
    oc_json_members(found, names, 2, &item);
    *key = found[0];
    *value = found[1];
    if (value->kind == '{') { /* {"stringValue": ".."} */
        oc_json_cursor inside = oc_json_inside(&found[1]);
        (void)oc_json_next(&item, value, &inside);
    }
    return true;
}

/* Nanoseconds since 1970, of a number of such, or of microseconds. */
static ocelotl_status read_time(int64_t *time, const oc_json_item *item, flavour of,
                                const char *name)
{
    oc_decimal decimal;
    const uint32_t digits = of == OTLP ? 0 : 3;
    return item->bytes != NULL && oc_decimal_read(&decimal, item->bytes, item->length, digits) &&
                   oc_decimal_ticks(time, &decimal, digits) && *time >= 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "%s of a span is \"%.*s\", expected %s", name,
                         OC_JSON_SHOWN(*item), of == OTLP ? "nanoseconds" : "microseconds");
}

/* --- Where a span is */

/* Reads the service and its instance from tags, in themselves or in members of theirs. */
static ocelotl_status read_place(json_reader *reader, const oc_json_item *place)
{
    oc_json_item key, value, tag, text;
    spans_begin_place(reader->spans);
    if (place->kind != '{')
        return OCELOTL_OK;
    oc_json_cursor cursor = oc_json_inside(place);
    while (oc_json_next(&key, &value, &cursor)) {
        OC_TRY(spans_take_place(reader->spans, text_of(reader, &key), text_of(reader, &value)));
        if (value.kind != '[')
            continue;
        oc_json_cursor tags = oc_json_inside(&value);
        while (next_tag(&tag, &text, &tags, '['))
            OC_TRY(spans_take_place(reader->spans, text_of(reader, &tag), text_of(reader, &text)));
    }
    return oc_arena_status(&reader->spans->arena);
}

/* Reads the place of a process by its name, unless it is that of the last span. */
static ocelotl_status find_process(json_reader *reader, const oc_json_item *id)
{
    oc_json_item place;
    const spans_text name = text_of(reader, id);
    if (id->length > 0 && id->length == reader->process.length &&
        memcmp(id->bytes, reader->process.bytes, id->length) == 0)
        return OCELOTL_OK;
    reader->process = *id;
    oc_text *copy = &reader->spans->key;
    oc_text_clear(copy);
    oc_text_append(copy, name.bytes, name.length);
    if (copy->failed)
        return oc_fail_memory();
    const char *const wanted[] = {copy->bytes};
    oc_json_members(&place, wanted, 1, &reader->processes);
    return read_place(reader, &place);
}

/* --- Spans */

static ocelotl_status read_references(json_reader *reader, flavour of, const spans_span *span,
                                      const oc_json_item *members)
{
    static const char *const names[] = {"traceId", "spanId", "traceID", "spanID", "refType"};
    oc_json_item key, item, found[5];
    OC_TRY(spans_refer(reader->spans, span->trace, text_of(reader, &members[PARENT]), false));
    if (members[REFERENCES].kind != '[')
        return OCELOTL_OK;
    oc_json_cursor cursor = oc_json_inside(&members[REFERENCES]);
    while (oc_json_next(&key, &item, &cursor)) {
        oc_json_members(found, names, 5, &item);
        const size_t first = of == OTLP ? 0 : 2;
        OC_TRY(spans_refer(reader->spans, text_of(reader, &found[first]),
                           text_of(reader, &found[first + 1]),
                           of == OTLP || oc_json_is(&found[4], "FOLLOWS_FROM")));
    }
    return OCELOTL_OK;
}

static void read_tags(spans_span *span, json_reader *reader, const oc_json_item *tags)
{
    oc_json_item key, value;
    if (tags->kind != '[' && tags->kind != '{')
        return;
    oc_json_cursor cursor = oc_json_inside(tags);
    while (next_tag(&key, &value, &cursor, tags->kind))
        if (value.kind != '{' && value.kind != '[')
            spans_take_tag(span, text_of(reader, &key), text_of(reader, &value));
}

static ocelotl_status read_span(json_reader *reader, flavour of, const oc_json_item *item)
{
    static const char *const status_names[] = {"code", "message"};
    spans_span span;
    oc_json_item members[MEMBERS], status[2];
    spans_begin(&span, reader->spans);
    oc_json_members(members, member_names[of], MEMBERS, item);
    if (reader->processes.bytes != NULL)
        OC_TRY(find_process(reader, &members[PLACE_ID]));
    if (members[PLACE].bytes != NULL)
        OC_TRY(read_place(reader, &members[PLACE]));
    OC_TRY(read_time(&span.begin, &members[BEGIN], of, member_names[of][BEGIN]));
    if (of == OTLP && span.begin == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "a span has no begin, expected one");
    const size_t last = of == OTLP ? END : DURATION;
    if (of == OTLP || members[last].bytes != NULL)
        OC_TRY(read_time(&span.end, &members[last], of, member_names[of][last]));
    if (of != OTLP && __builtin_add_overflow(span.end, span.begin, &span.end))
        return oc_fail(OCELOTL_ERROR_INPUT, "a span ends too late, expected before 2262");
    span.trace = text_of(reader, &members[TRACE]);
    span.id = text_of(reader, &members[ID]);
    span.name = text_of(reader, &members[NAME]);
    span.kind = text_of(reader, &members[KIND]);
    span.is_shared = oc_json_is(&members[SHARED], "true");
    oc_json_members(status, status_names, 2, &members[STATUS]);
    span.is_error = oc_json_is(&status[0], "2") || oc_json_is(&status[0], "STATUS_CODE_ERROR");
    if (status[1].length > 0)
        span.kept[SPANS_MESSAGE] = text_of(reader, &status[1]);
    read_tags(&span, reader, &members[TAGS]);
    OC_TRY(read_references(reader, of, &span, members));
    OC_TRY(spans_add(reader->spans, &span));
    if (members[EVENTS].kind != '[')
        return OCELOTL_OK;
    oc_json_cursor events = oc_json_inside(&members[EVENTS]);
    while (oc_json_next(&status[0], &status[1], &events))
        OC_TRY(spans_leave_event(reader->spans));
    return OCELOTL_OK;
}

static ocelotl_status take_span(json_reader *reader, flavour of, const oc_json_item *item)
{
    reader->spans->producer = producers[of];
    reader->spans->events = member_names[of][EVENTS];
    return spans_or_skip(reader->spans, read_span(reader, of, item));
}

static ocelotl_status take_spans(json_reader *reader, flavour of, const oc_json_item *spans)
{
    oc_json_item key, item;
    if (spans->kind != '[')
        return OCELOTL_OK;
    oc_json_cursor cursor = oc_json_inside(spans);
    while (oc_json_next(&key, &item, &cursor))
        OC_TRY(take_span(reader, of, &item));
    return OCELOTL_OK;
}

/* Takes an element of a list: spans of a resource, a trace, a span, or a list of them. */
static ocelotl_status take_item(json_reader *reader, const oc_json_item *item, int depth)
{
    enum { DEEPEST = 8 }; /* no producer has more lists in each other than three */
    static const char *const names[] = {
        "resourceSpans", "batches",    "data",
        "resource",      "scopeSpans", "instrumentationLibrarySpans",
        "spans",         "processes",  "traceId"};
    static const char *const of_scope[] = {"spans"};
    oc_json_item found[9], key, inner, spans;
    oc_json_members(found, names, 9, item);
    const oc_json_item *list = item->kind == '[' ? item : &found[0];
    for (int i = 1; i < 3 && list->kind != '['; i++)
        list = &found[i];
    if (list->kind == '[' && depth < DEEPEST) {
        oc_json_cursor cursor = oc_json_inside(list);
        while (oc_json_next(&key, &inner, &cursor))
            OC_TRY(take_item(reader, &inner, depth + 1));
        return OCELOTL_OK;
    }
    list = &found[found[4].kind == '[' ? 4 : 5];
    if (list->kind == '[') {
        oc_json_cursor cursor = oc_json_inside(list);
        OC_TRY(read_place(reader, &found[3]));
        while (oc_json_next(&key, &inner, &cursor)) {
            oc_json_members(&spans, of_scope, 1, &inner);
            OC_TRY(take_spans(reader, OTLP, &spans));
        }
        return OCELOTL_OK;
    }
    spans_begin_place(reader->spans);
    reader->processes = found[7];
    reader->process = (oc_json_item){0};
    if (found[6].kind == '[')
        return take_spans(reader, JAEGER, &found[6]);
    if (found[8].bytes != NULL)
        return take_span(reader, ZIPKIN, item);
    oc_ingest_note(&reader->spans->ingest, SPANS_NO_SPAN);
    return OCELOTL_OK;
}

/* --- Files */

static oc_json_scan scan_value(void *value, oc_json_cursor *cursor)
{
    return oc_json_scan_value(value, cursor);
}

static ocelotl_status take_next(oc_json_scan *found, json_reader *reader)
{
    oc_json_item item;
    oc_json_stream_note(&reader->stream);
    OC_TRY(oc_json_stream_scan(found, &reader->stream, scan_value, &item));
    return *found == OC_JSON_FOUND ? take_item(reader, &item, 0) : OCELOTL_OK;
}

/* Keeps what the first element of a list begins with, up to the end of its first name. */
static void keep_lead(json_reader *reader)
{
    const oc_json_cursor *at = &reader->stream.cursor;
    size_t quotes = 0;
    for (size_t i = 0; i < OC_JSON_NAME - 1 && at->next + i < at->end && quotes < 2; i++) {
        reader->lead[i] = at->next[i];
        quotes += at->next[i] == '"';
    }
    if (quotes < 2 || reader->lead[0] != '{')
        memset(reader->lead, 0, sizeof reader->lead);
}

/* A list behind its bracket, or from one of its elements on. */
static ocelotl_status read_list(oc_json_scan *found, json_reader *reader)
{
    oc_json_stream *stream = &reader->stream;
    char next;
    for (*found = OC_JSON_FOUND; *found == OC_JSON_FOUND;) {
        OC_TRY(oc_json_stream_peek(&next, stream));
        stream->cursor.next += next == ',' || next == ']';
        if (next == ']')
            return OCELOTL_OK;
        if (next == ',')
            continue;
        if (reader->lead[0] == '\0')
            keep_lead(reader);
        OC_TRY(take_next(found, reader));
    }
    return OCELOTL_OK;
}

/* An object behind its bracket: lists in it are read element by element. */
static ocelotl_status read_object(oc_json_scan *found, json_reader *reader)
{
    oc_json_stream *stream = &reader->stream;
    char name[OC_JSON_NAME], next;
    for (*found = OC_JSON_FOUND; *found == OC_JSON_FOUND;) {
        OC_TRY(oc_json_stream_member(found, name, &next, stream));
        if (*found != OC_JSON_FOUND || (next == '}' && name[0] == '\0'))
            return OCELOTL_OK;
        const bool is_wanted = strcmp(name, "resourceSpans") == 0 || strcmp(name, "data") == 0 ||
                               strcmp(name, "batches") == 0;
        if (is_wanted && next == '[') {
            stream->cursor.next++;
            OC_TRY(read_list(found, reader));
        } else if (is_wanted && next == '{') {
            OC_TRY(take_next(found, reader));
        } else {
            OC_TRY(oc_json_stream_skip(found, stream));
        }
    }
    return OCELOTL_OK;
}

/* Goes on, where the import is lenient, with the next element behind what is broken. */
static ocelotl_status resume(oc_json_scan *found, json_reader *reader)
{
    oc_json_stream *stream = &reader->stream;
    oc_json_cursor *at = &stream->cursor;
    const size_t length = strlen(reader->lead);
    OC_TRY(oc_json_stream_give_up(stream, *found, "element"));
    *found = OC_JSON_FOUND;
    reader->is_astray = true;
    for (bool more = true; more;) {
        const char *next = memmem(at->next, (size_t)(at->end - at->next), reader->lead, length);
        if (next != NULL) {
            at->next = next;
            return read_list(found, reader);
        }
        at->next = at->end - at->next > (long)length ? at->end - length : at->next;
        OC_TRY(oc_json_stream_read(&more, stream));
    }
    at->next = at->end;
    return OCELOTL_OK;
}

static ocelotl_status read_document(json_reader *reader)
{
    oc_json_stream *stream = &reader->stream;
    oc_json_scan found = OC_JSON_FOUND;
    char next;
    OC_TRY(oc_json_stream_peek(&next, stream));
    stream->cursor.next += oc_text_mark(stream->cursor.next, stream->length);
    while (found == OC_JSON_FOUND) { /* one value, or one a line */
        OC_TRY(oc_json_stream_peek(&next, stream));
        if (next == '\0' && oc_json_stream_loss(stream) == NULL)
            return OCELOTL_OK;
        const bool is_end = next != '\0' && reader->is_astray && strchr("]},", next) != NULL;
        found = next == '\0' ? OC_JSON_CUT : is_end ? OC_JSON_FOUND : OC_JSON_BROKEN;
        stream->cursor.expected = "a list or an object with spans";
        stream->cursor.next += next == '{' || next == '[' || is_end;
        if (next == '{')
            OC_TRY(read_object(&found, reader));
        else if (next == '[')
            OC_TRY(read_list(&found, reader));
        while (found == OC_JSON_BROKEN && reader->lead[0] != '\0')
            OC_TRY(resume(&found, reader));
    }
    return oc_json_stream_give_up(stream, found, "trace");
}

ocelotl_status spans_read_json(spans_reader *spans, const oc_source *source)
{
    json_reader reader = {.spans = spans,
                          .stream = {.input = source->input, .ingest = &spans->ingest}};
    spans->has_raw_ids = false;
    const ocelotl_status status = read_document(&reader);
    oc_json_stream_free(&reader.stream);
    return status;
}
