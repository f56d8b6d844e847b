/* Spans of services, as OTLP, Jaeger and Zipkin write them in JSON. docs/formats/spans.md says what
 * becomes of each. One element of the outermost list (the spans of a resource, a trace, a span) is
 * in memory at a time; references between spans wait in a sorting for the end. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "importers/ingest/ingest.h"
#include "importers/ingest/stream.h"

#include <stdio.h>
#include <stdlib.h>

enum { SPANS_NO_PARENT = OC_COMMON_ODDITIES, SPANS_NO_SPAN, SPANS_ODDITY_END };

static const char *const oddity_names[] = {
    [SPANS_NO_PARENT - OC_COMMON_ODDITIES] = "reference to a span that is not there (no link)",
    [SPANS_NO_SPAN - OC_COMMON_ODDITIES] = "element that holds no span (left out)",
};

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

/* What says which instance of a service it is: the first counts that is there. */
static const char *const instance_names[] = {
    "service.instance.id", "k8s.pod.name", "host.name", "hostname", "ip", "ipv4", "ipv6"};

/* Tags that are kept as attributes: few, of few values. */
static const char *const kept_names[] = {
    "kind",       "http.method",      "http.request.method",
    "http.route", "http.status_code", "http.response.status_code",
    "rpc.method", "db.system",        "messaging.system",
    "error.type", "status message"};
enum { KEPT = sizeof kept_names / sizeof *kept_names, STATUS_MESSAGE = KEPT - 1, LONGEST = 200 };

typedef struct spans_reader {
    oc_ingest ingest;
    oc_json_stream stream;
    uint32_t service_type, span_type, link_type, child, follower, kept[KEPT];
    oc_sorting *ids; /* spans by their ids, and references to them */
    oc_text service, instance, name, key;
    size_t instance_rank;
    int64_t zero; /* of the file at hand, nanoseconds since 1970 */
    bool has_zero, has_span, has_producer[FLAVOURS];
} spans_reader;

/* A span while it is taken. */
typedef struct spans_span {
    oc_json_item members[MEMBERS];
    ocelotl_attribute_value attributes[KEPT];
    size_t attribute_count;
    bool is_error;
    char kind[16];
} spans_span;

/* --- JSON */

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

static ocelotl_status set_text(oc_text *text, const oc_json_item *value)
{
    oc_text_clear(text);
    if (value->bytes != NULL)
        oc_json_decode_item(text, value);
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
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

/* Takes what a tag of a resource, a process or an endpoint says of the service. */
static ocelotl_status read_place_tag(spans_reader *reader, const oc_json_item *key,
                                     const oc_json_item *value)
{
    if (oc_json_is(key, "service.name") || oc_json_is(key, "serviceName"))
        return set_text(&reader->service, value);
    for (size_t i = 0; i < reader->instance_rank; i++)
        if (oc_json_is(key, instance_names[i]) && value->length > 0) {
            reader->instance_rank = i;
            return set_text(&reader->instance, value);
        }
    return OCELOTL_OK;
}

/* Reads the service and its instance from tags, in themselves or in members of theirs. */
static ocelotl_status read_place(spans_reader *reader, const oc_json_item *place)
{
    oc_json_item key, value, tag, text;
    oc_text_clear(&reader->service);
    oc_text_clear(&reader->instance);
    reader->instance_rank = sizeof instance_names / sizeof *instance_names;
    if (place->kind != '{')
        return OCELOTL_OK;
    oc_json_cursor cursor = oc_json_inside(place);
    while (oc_json_next(&key, &value, &cursor)) {
        OC_TRY(read_place_tag(reader, &key, &value));
        if (value.kind != '[')
            continue;
        oc_json_cursor tags = oc_json_inside(&value);
        while (next_tag(&tag, &text, &tags, '['))
            OC_TRY(read_place_tag(reader, &tag, &text));
    }
    return OCELOTL_OK;
}

/* The row of an operation: below its instance, if that is known, and its service. */
static ocelotl_status find_row(uint32_t *row, spans_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    uint32_t type = reader->service_type;
    const bool is_known = reader->service.length > 0;
    OC_TRY(oc_ingest_row_find(row, ingest, OCELOTL_NONE, type,
                              is_known ? reader->service.bytes : "unknown service",
                              is_known ? reader->service.length : strlen("unknown service")));
    if (reader->instance.length > 0) {
        OC_TRY(oc_ingest_resource_type(&type, ingest, type, "Instance"));
        OC_TRY(oc_ingest_row_find(row, ingest, *row, type, reader->instance.bytes,
                                  reader->instance.length));
    }
    OC_TRY(oc_ingest_resource_type(&type, ingest, type, "Operation"));
    return oc_ingest_row_find(row, ingest, *row, type, reader->name.bytes, reader->name.length);
}

/* --- Spans */

static void lower(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]);
}

/* Ids of 64 bits that a hash keeps: hexadecimal digits of any case. */
static uint64_t hash_id(spans_reader *reader, const oc_json_item *trace, const oc_json_item *id)
{
    static const oc_hash_key constant = {0x6F63656C6F746C31u, 0x7370616E73706172u};
    oc_text_clear(&reader->key);
    oc_text_append(&reader->key, trace->bytes, trace->length);
    oc_text_append(&reader->key, "", 1);
    oc_text_append(&reader->key, id->bytes, id->length);
    if (reader->key.failed)
        return 0;
    lower(reader->key.bytes, reader->key.length);
    return oc_hash_keyed(&constant, reader->key.bytes, reader->key.length);
}

/* In time: spans before what refers to them, one that shares its id with its parent in between. */
enum { IS_SPAN, IS_SHARED, IS_REFERENCE };

static ocelotl_status keep(spans_reader *reader, const oc_sorted *span, const oc_json_item *trace,
                           const oc_json_item *id, int64_t what, uint32_t value)
{
    if (id->kind != '"' || id->length == 0 || trace->bytes == NULL)
        return OCELOTL_OK;
    const oc_sorted record = {.kind = OC_SORTED_OTHER,
                              .group = hash_id(reader, trace, id),
                              .time = what,
                              .detail = (uint64_t)span->time,
                              .order = span->stream,
                              .type = (uint32_t)reader->ingest.file,
                              .value = value};
    return reader->key.failed ? oc_fail_memory() : oc_sorting_add(reader->ids, &record);
}

static ocelotl_status keep_references(spans_reader *reader, const oc_sorted *span, flavour of,
                                      const oc_json_item *members)
{
    static const char *const names[] = {"traceId", "spanId", "traceID", "spanID", "refType"};
    oc_json_item key, item, found[5];
    if (oc_json_is(&members[SHARED], "true"))
        return keep(reader, span, &members[TRACE], &members[ID], IS_SHARED, reader->child);
    OC_TRY(keep(reader, span, &members[TRACE], &members[ID], IS_SPAN, 0));
    OC_TRY(keep(reader, span, &members[TRACE], &members[PARENT], IS_REFERENCE, reader->child));
    if (members[REFERENCES].kind != '[')
        return OCELOTL_OK;
    oc_json_cursor cursor = oc_json_inside(&members[REFERENCES]);
    while (oc_json_next(&key, &item, &cursor)) {
        oc_json_members(found, names, 5, &item);
        const bool follows = of == OTLP || oc_json_is(&found[4], "FOLLOWS_FROM");
        const size_t first = of == OTLP ? 0 : 2;
        OC_TRY(keep(reader, span, &found[first], &found[first + 1], IS_REFERENCE,
                    follows ? reader->follower : reader->child));
    }
    return OCELOTL_OK;
}

static void add_attribute(spans_span *span, const spans_reader *reader, size_t which,
                          const char *text, size_t length)
{
    span->attributes[span->attribute_count++] =
        (ocelotl_attribute_value){reader->kept[which], text, length < LONGEST ? length : LONGEST};
}

/* Takes what tags say of the span itself. */
static void read_tags(spans_span *span, const spans_reader *reader, const oc_json_item *tags)
{
    oc_json_item key, value;
    if (tags->kind != '[' && tags->kind != '{')
        return;
    oc_json_cursor cursor = oc_json_inside(tags);
    while (next_tag(&key, &value, &cursor, tags->kind)) {
        if (oc_json_is(&key, "error"))
            span->is_error |= !oc_json_is(&value, "false") && value.length > 0;
        else if (oc_json_is(&key, "otel.status_code"))
            span->is_error |= oc_json_is(&value, "ERROR");
        else if (oc_json_is(&key, "span.kind"))
            span->members[KIND] = value;
        for (size_t i = 1; i < KEPT && span->attribute_count + 2 < KEPT; i++)
            if (oc_json_is(&key, kept_names[i]) && value.kind != '{' && value.kind != '[')
                add_attribute(span, reader, i, value.bytes, value.length);
    }
}

/* "SPAN_KIND_SERVER", 2 and "SERVER" are "server". */
static void read_kind(spans_span *span)
{
    static const char *const kinds[] = {"span",   "internal", "server",
                                        "client", "producer", "consumer"};
    static const char prefix[] = "SPAN_KIND_";
    oc_json_item kind = span->members[KIND];
    if (kind.length > sizeof prefix - 1 && memcmp(kind.bytes, prefix, sizeof prefix - 1) == 0) {
        kind.bytes += sizeof prefix - 1;
        kind.length -= sizeof prefix - 1;
    }
    if (kind.kind == '0' && kind.length == 1 && kind.bytes[0] <= '5')
        kind = (oc_json_item){kinds[kind.bytes[0] - '0'], strlen(kinds[kind.bytes[0] - '0']), '"',
                              false};
    if (kind.length == 0 || kind.length >= sizeof span->kind)
        kind = (oc_json_item){"span", 4, '"', false};
    memcpy(span->kind, kind.bytes, kind.length);
    lower(span->kind, kind.length);
}

static ocelotl_status take_span(spans_reader *reader, flavour of, const oc_json_item *item)
{
    static const char *const status_names[] = {"code", "message"};
    oc_ingest *ingest = &reader->ingest;
    oc_aligned *file = &ingest->files[ingest->file];
    spans_span span = {0};
    oc_json_item *members = span.members, status[2];
    oc_sorted record = {.kind = OC_SORTED_SPAN, .type = reader->span_type};
    oc_json_members(members, member_names[of], MEMBERS, item);
    if (members[PLACE].bytes != NULL)
        OC_TRY(read_place(reader, &members[PLACE]));
    OC_TRY(read_time(&record.time, &members[BEGIN], of, member_names[of][BEGIN]));
    const size_t last = of == OTLP ? END : DURATION;
    if (of == OTLP || members[last].bytes != NULL)
        OC_TRY(read_time(&record.end, &members[last], of, member_names[of][last]));
    if (of != OTLP && __builtin_add_overflow(record.end, record.time, &record.end))
        return oc_fail(OCELOTL_ERROR_INPUT, "a span ends too late, expected before 2262");
    if (record.end < record.time)
        return oc_fail(OCELOTL_ERROR_INPUT, "a span ends before it begins, expected it not to");
    oc_json_members(status, status_names, 2, &members[STATUS]);
    span.is_error = oc_json_is(&status[0], "2") || oc_json_is(&status[0], "STATUS_CODE_ERROR");
    read_tags(&span, reader, &members[TAGS]);
    read_kind(&span);
    add_attribute(&span, reader, 0, span.kind, strlen(span.kind));
    if (span.is_error && status[1].length > 0)
        add_attribute(&span, reader, STATUS_MESSAGE, status[1].bytes, status[1].length);
    if (!reader->has_zero)
        reader->zero = record.time - record.time % 1000000000;
    reader->has_zero = file->has_clock = reader->has_span = true;
    file->origin = reader->zero;
    record.time -= reader->zero;
    record.end -= reader->zero;
    OC_TRY(set_text(&reader->name, &members[NAME]));
    OC_TRY(find_row(&record.stream, reader));
    OC_TRY(oc_ingest_value(&record.value, ingest, record.type,
                           span.is_error ? "error" : reader->name.bytes,
                           span.is_error ? strlen("error") : reader->name.length));
    record.attributes = span.attributes;
    record.attribute_count = span.attribute_count;
    OC_TRY(oc_ingest_add(ingest, &record));
    OC_TRY(keep_references(reader, &record, of, members));
    OC_TRY(oc_ingest_count(ingest, span.kind, OCELOTL_FATE_STATE, NULL));
    if (members[EVENTS].kind != '[')
        return OCELOTL_OK;
    oc_json_cursor events = oc_json_inside(&members[EVENTS]);
    while (oc_json_next(&status[0], &status[1], &events))
        OC_TRY(oc_ingest_count(ingest, member_names[of][EVENTS], OCELOTL_FATE_LEFT_OUT,
                               "they are within spans"));
    return OCELOTL_OK;
}

/* A broken span is skipped where the import is lenient. */
static ocelotl_status or_skip(spans_reader *reader, flavour of, const oc_json_item *item)
{
    oc_ingest *ingest = &reader->ingest;
    const ocelotl_status status = take_span(reader, of, item);
    if (!reader->has_producer[of])
        OC_TRY(ocelotl_writer_producer(ingest->writer, producers[of]));
    reader->has_producer[of] = true;
    return status == OCELOTL_OK
               ? status
               : oc_oddities_skip(&ingest->oddities, status, ingest->path, ingest->line);
}

static ocelotl_status take_spans(spans_reader *reader, flavour of, const oc_json_item *spans,
                                 const oc_json_item *places)
{
    static const char *const names[] = {"processID"};
    oc_json_item key, item, id, last = {0}, place;
    if (spans->kind != '[')
        return OCELOTL_OK;
    oc_json_cursor cursor = oc_json_inside(spans);
    while (oc_json_next(&key, &item, &cursor)) {
        if (places != NULL) {
            oc_json_members(&id, names, 1, &item);
            if (id.length == 0) {
                oc_text_clear(&reader->service);
                oc_text_clear(&reader->instance);
                last = id;
            } else if (id.length != last.length || memcmp(id.bytes, last.bytes, id.length) != 0) {
                OC_TRY(set_text(&reader->key, &id));
                const char *const wanted[] = {reader->key.bytes};
                oc_json_members(&place, wanted, 1, places);
                OC_TRY(read_place(reader, &place));
                last = id;
            }
        }
        OC_TRY(or_skip(reader, of, &item));
    }
    return OCELOTL_OK;
}

/* Takes an element of a list: spans of a resource, a trace, a span, or a list of them. */
static ocelotl_status take_item(spans_reader *reader, const oc_json_item *item, int depth)
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
            OC_TRY(take_spans(reader, OTLP, &spans, NULL));
        }
        return OCELOTL_OK;
    }
    oc_text_clear(&reader->service);
    oc_text_clear(&reader->instance);
    if (found[6].kind == '[')
        return take_spans(reader, JAEGER, &found[6], &found[7]);
    if (found[8].bytes != NULL)
        return or_skip(reader, ZIPKIN, item);
    oc_ingest_note(&reader->ingest, SPANS_NO_SPAN);
    return OCELOTL_OK;
}

/* --- Files */

static oc_json_scan scan_value(void *value, oc_json_cursor *cursor)
{
    return oc_json_scan_value(value, cursor);
}

static ocelotl_status take_next(oc_json_scan *found, spans_reader *reader)
{
    oc_json_item item;
    oc_json_stream_note(&reader->stream);
    OC_TRY(oc_json_stream_scan(found, &reader->stream, scan_value, &item));
    return *found == OC_JSON_FOUND ? take_item(reader, &item, 0) : OCELOTL_OK;
}

/* A list behind its bracket. */
static ocelotl_status read_list(oc_json_scan *found, spans_reader *reader)
{
    oc_json_stream *stream = &reader->stream;
    char next;
    for (*found = OC_JSON_FOUND; *found == OC_JSON_FOUND;) {
        OC_TRY(oc_json_stream_peek(&next, stream));
        stream->cursor.next += next == ',' || next == ']';
        if (next == ']')
            return OCELOTL_OK;
        if (next != ',')
            OC_TRY(take_next(found, reader));
    }
    return OCELOTL_OK;
}

/* An object behind its bracket: lists in it are read element by element. */
static ocelotl_status read_object(oc_json_scan *found, spans_reader *reader)
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

static ocelotl_status read_document(spans_reader *reader)
{
    oc_json_stream *stream = &reader->stream;
    oc_json_scan found = OC_JSON_FOUND;
    char next;
    OC_TRY(oc_json_stream_peek(&next, stream));
    if (stream->length >= 3 && memcmp(stream->cursor.next, "\xEF\xBB\xBF", 3) == 0)
        stream->cursor.next += 3;
    while (found == OC_JSON_FOUND) { /* one value, or one a line */
        OC_TRY(oc_json_stream_peek(&next, stream));
        if (next == '\0' && oc_json_stream_loss(stream) == NULL)
            return OCELOTL_OK;
        found = next == '\0' ? OC_JSON_CUT : OC_JSON_BROKEN;
        stream->cursor.expected = "a list or an object with spans";
        stream->cursor.next += next == '{' || next == '[';
        if (next == '{')
            OC_TRY(read_object(&found, reader));
        else if (next == '[')
            OC_TRY(read_list(&found, reader));
    }
    return oc_json_stream_give_up(stream, found);
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    spans_reader *reader = decoder;
    reader->has_zero = false;
    reader->ingest.line = 1;
    reader->stream = (oc_json_stream){.input = source->input, .ingest = &reader->ingest};
    oc_input_salvage(source->input, true); /* an error where what is open is not closed */
    const ocelotl_status status = read_document(reader);
    oc_json_stream_free(&reader->stream);
    return status;
}

static uint32_t service_of(const spans_reader *reader, uint32_t row)
{
    while (reader->ingest.rows[row].type != reader->service_type)
        row = reader->ingest.rows[row].parent;
    return row;
}

/* Adds a link from the begin of each span to that of each in another service that refers to it. */
static ocelotl_status add_links(spans_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    const oc_sorted *next;
    oc_sorted parent = {.order = OCELOTL_NONE};
    OC_TRY(oc_sorting_finish(reader->ids));
    for (uint64_t key = 0;; key++) {
        OC_TRY(oc_sorting_next(&next, reader->ids));
        if (next == NULL)
            return OCELOTL_OK;
        const bool is_known = parent.order != OCELOTL_NONE && parent.group == next->group;
        const bool crosses =
            is_known && service_of(reader, parent.order) != service_of(reader, next->order);
        if (next->time != IS_SPAN && !is_known)
            oc_oddities_note(&ingest->oddities, SPANS_NO_PARENT, ingest->paths[next->type], 0);
        if (next->time != IS_SPAN)
            OC_TRY(oc_ingest_count(ingest, "reference",
                                   crosses ? OCELOTL_FATE_LINK : OCELOTL_FATE_LEFT_OUT,
                                   crosses    ? NULL
                                   : is_known ? "it is within a service"
                                              : "the span is not there"));
        if (next->time != IS_SPAN && crosses) {
            oc_sorted side = {.stream = parent.order,
                              .kind = OC_SORTED_LINK_BEGIN,
                              .time = (int64_t)parent.detail,
                              .type = reader->link_type,
                              .value = next->value};
            OC_TRY(oc_ingest_side(ingest, &side, &key, sizeof key));
            side.stream = next->order;
            side.kind = OC_SORTED_LINK_END;
            side.time = (int64_t)next->detail;
            OC_TRY(oc_ingest_side(ingest, &side, &key, sizeof key));
        }
        if (next->time != IS_REFERENCE)
            parent = *next;
    }
}

static ocelotl_status import_files(spans_reader *reader, const oc_import *import)
{
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    OC_TRY(oc_ingest_open(ingest, import, "spans", oddity_names, SPANS_ODDITY_END));
    OC_TRY(oc_sorting_open(&reader->ids, import->target, OC_SORTING_MEMORY / 4, true));
    OC_TRY(oc_ingest_resource_type(&reader->service_type, ingest, ingest->file_type, "Service"));
    OC_TRY(oc_ingest_event_type(&reader->span_type, ingest, OCELOTL_STATE, OCELOTL_ROOT, "Span",
                                OC_NEST_PARALLEL));
    for (size_t i = 0; i < KEPT; i++)
        OC_TRY(oc_ingest_attribute(&reader->kept[i], ingest, reader->span_type, kept_names[i],
                                   strlen(kept_names[i])));
    OC_TRY(oc_ingest_event_type(&reader->link_type, ingest, OCELOTL_LINK, OCELOTL_ROOT, "Reference",
                                OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_value(&reader->child, ingest, reader->link_type, "child", 5));
    OC_TRY(oc_ingest_value(&reader->follower, ingest, reader->link_type, "follows", 7));
    OC_TRY(oc_ingest_files(ingest, read_file, reader));
    if (reader->has_span)
        OC_TRY(add_links(reader));
    return oc_ingest_write(ingest, "holds no span, expected some", NULL, NULL);
}

static ocelotl_status import_spans(const oc_import *import)
{
    spans_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    const ocelotl_status status = import_files(reader, import);
    oc_sorting_free(reader->ids);
    oc_text_free(&reader->service);
    oc_text_free(&reader->instance);
    oc_text_free(&reader->name);
    oc_text_free(&reader->key);
    oc_ingest_close(&reader->ingest);
    free(reader);
    return status;
}

static bool holds(const oc_head *head, const char *text)
{
    return memmem(head->bytes, head->length, text, strlen(text)) != NULL;
}

/* By its first bracket, and names of members that only such spans have. */
static int recognises_spans(const oc_source *source)
{
    const oc_head *head = &source->head;
    size_t i = head->length >= 3 && memcmp(head->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < head->length && memchr(" \t\r\n", head->bytes[i], 4) != NULL)
        i++;
    if (i == head->length || (head->bytes[i] != '{' && head->bytes[i] != '['))
        return OC_NO;
    return (holds(head, "\"resourceSpans\"") ||
            (holds(head, "\"batches\"") && holds(head, "\"scopeSpans\"")) ||
            (holds(head, "\"traceID\"") && holds(head, "\"spans\"")) ||
            (holds(head, "\"traceId\"") && holds(head, "\"localEndpoint\"")))
               ? OC_SURE - 1
               : OC_NO;
}

const oc_importer oc_spans_importer = {
    .format = {.name = "spans",
               .description =
                   "Spans of services in JSON: OTLP, Jaeger, Zipkin (plain or compressed)",
               .suffixes = (const char *const[]){NULL}},
    .takes_several = true,
    .has_clock = true,
    .recognises = recognises_spans,
    .import = import_spans,
};
