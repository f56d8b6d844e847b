/* Spans of services, as OTLP, Jaeger and Zipkin write them. docs/formats/spans.md says what becomes
 * of each. One element of the outermost list (the spans of a resource, a trace, a span) is in
 * memory at a time; references between spans wait in a sorting for the end. */
#define _GNU_SOURCE
#include "importers/spans/spans.h"

#include "base/memory.h"

#include <stdlib.h>

static const char *const oddity_names[] = {
    [SPANS_NO_PARENT - OC_COMMON_ODDITIES] = "reference to a span that is not there (no link)",
    [SPANS_NO_SPAN - OC_COMMON_ODDITIES] = "element that holds no span (left out)",
};

/* What says which instance of a service it is: the first counts that is there. */
static const char *const instance_names[] = {
    "service.instance.id", "k8s.pod.name", "host.name", "hostname", "ip", "ipv4", "ipv6"};
enum { INSTANCE_NAMES = sizeof instance_names / sizeof *instance_names };

static const char *const kept_names[SPANS_KEPT] = {
    "kind",       "http.method",      "http.request.method",
    "http.route", "http.status_code", "http.response.status_code",
    "rpc.method", "db.system",        "messaging.system",
    "error.type", "status message"};

/* --- Where a span is */

void spans_begin_place(spans_reader *reader)
{
    oc_text_clear(&reader->service);
    oc_text_clear(&reader->instance);
    reader->instance_rank = INSTANCE_NAMES;
}

static ocelotl_status set_text(oc_text *text, spans_text value)
{
    oc_text_clear(text);
    oc_text_append(text, value.bytes, value.length);
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status spans_take_place(spans_reader *reader, spans_text key, spans_text value)
{
    if (value.length == 0)
        return OCELOTL_OK;
    if (spans_text_is(key, "service.name") || spans_text_is(key, "serviceName"))
        return set_text(&reader->service, value);
    for (size_t i = 0; i < reader->instance_rank; i++)
        if (spans_text_is(key, instance_names[i])) {
            reader->instance_rank = i;
            return set_text(&reader->instance, value);
        }
    return OCELOTL_OK;
}

/* The row of an operation: below its instance, if that is known, and its service. */
static ocelotl_status find_row(uint32_t *row, spans_reader *reader, spans_text name)
{
    static const spans_text unknown = {"unknown service", sizeof "unknown service" - 1};
    oc_ingest *ingest = &reader->ingest;
    uint32_t type = reader->service_type;
    const bool is_known = reader->service.length > 0;
    OC_TRY(oc_ingest_row_find(row, ingest, OCELOTL_NONE, type,
                              is_known ? reader->service.bytes : unknown.bytes,
                              is_known ? reader->service.length : unknown.length));
    if (reader->instance.length > 0) {
        OC_TRY(oc_ingest_resource_type(&type, ingest, type, "Instance"));
        OC_TRY(oc_ingest_row_find(row, ingest, *row, type, reader->instance.bytes,
                                  reader->instance.length));
    }
    OC_TRY(oc_ingest_resource_type(&type, ingest, type, "Operation"));
    return oc_ingest_row_find(row, ingest, *row, type, name.bytes, name.length);
}

/* --- Spans */

void spans_begin(spans_span *span, spans_reader *reader)
{
    oc_arena_free(&reader->arena);
    reader->reference_count = 0;
    *span = (spans_span){.name = {"", 0}};
}

void spans_take_tag(spans_span *span, spans_text key, spans_text value)
{
    if (spans_text_is(key, "error"))
        span->is_error |= !spans_text_is(value, "false") && value.length > 0;
    else if (spans_text_is(key, "otel.status_code"))
        span->is_error |= spans_text_is(value, "ERROR");
    else if (spans_text_is(key, "span.kind"))
        span->kind = value;
    for (size_t i = 1; i < SPANS_MESSAGE; i++)
        if (spans_text_is(key, kept_names[i]))
            span->kept[i] = value;
}

static void lower(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]);
}

/* Ids of 64 bits that a hash keeps: of hexadecimal digits of any case. */
static ocelotl_status hash_id(uint64_t *hash, spans_reader *reader, spans_text trace, spans_text id)
{
    static const oc_hash_key constant = {0x6F63656C6F746C31u, 0x7370616E73706172u};
    const spans_text parts[] = {trace, id};
    oc_text *key = &reader->key;
    oc_text_clear(key);
    for (size_t i = 0; i < 2; i++) {
        for (size_t at = 0; reader->has_raw_ids && at < parts[i].length; at++) {
            static const char digits[] = "0123456789abcdef";
            const unsigned byte = (unsigned char)parts[i].bytes[at];
            const char both[] = {digits[byte >> 4], digits[byte & 15]};
            oc_text_append(key, both, 2);
        }
        if (!reader->has_raw_ids)
            oc_text_append(key, parts[i].bytes, parts[i].length);
        oc_text_append(key, "", 1);
    }
    if (key->failed)
        return oc_fail_memory();
    lower(key->bytes, key->length);
    *hash = oc_hash_keyed(&constant, key->bytes, key->length);
    return OCELOTL_OK;
}

ocelotl_status spans_refer(spans_reader *reader, spans_text trace, spans_text id, bool follows)
{
    spans_reference next = {.follows = follows};
    if (trace.length == 0 || id.length == 0)
        return OCELOTL_OK;
    OC_TRY(hash_id(&next.to, reader, trace, id));
    OC_TRY(oc_grow(&reader->references, &reader->reference_capacity, reader->reference_count + 1,
                   sizeof next));
    reader->references[reader->reference_count++] = next;
    return OCELOTL_OK;
}

/* In time: spans before what refers to them, one that shares its id with its parent in between. */
enum { IS_SPAN, IS_SHARED, IS_REFERENCE };

/* Keeps a span by its id, and what refers to another. */
static ocelotl_status keep(spans_reader *reader, const oc_sorted *span, uint64_t id, int64_t what,
                           uint32_t value)
{
    const oc_sorted record = {.kind = OC_SORTED_OTHER,
                              .group = id,
                              .time = what,
                              .detail = (uint64_t)span->time,
                              .order = span->stream,
                              .type = (uint32_t)reader->ingest.file,
                              .value = value};
    return oc_sorting_add(reader->ids, &record);
}

static ocelotl_status keep_references(spans_reader *reader, const spans_span *span,
                                      const oc_sorted *record)
{
    uint64_t id;
    if (span->trace.length > 0 && span->id.length > 0) {
        OC_TRY(hash_id(&id, reader, span->trace, span->id));
        OC_TRY(keep(reader, record, id, span->is_shared ? IS_SHARED : IS_SPAN, reader->child));
    }
    for (size_t i = 0; !span->is_shared && i < reader->reference_count; i++)
        OC_TRY(keep(reader, record, reader->references[i].to, IS_REFERENCE,
                    reader->references[i].follows ? reader->follower : reader->child));
    return OCELOTL_OK;
}

/* Writes a kind as text: "SPAN_KIND_SERVER", 2 and "SERVER" are "server". */
static void write_kind(char text[16], spans_text kind)
{
    static const char *const kinds[] = {"span",   "internal", "server",
                                        "client", "producer", "consumer"};
    static const char prefix[] = "SPAN_KIND_";
    if (kind.length > sizeof prefix - 1 && memcmp(kind.bytes, prefix, sizeof prefix - 1) == 0) {
        kind.bytes += sizeof prefix - 1;
        kind.length -= sizeof prefix - 1;
    }
    const bool is_number = kind.length == 1 && kind.bytes[0] >= '0' && kind.bytes[0] <= '5';
    if (is_number || kind.length == 0 || kind.length > 15) {
        kind.bytes = kinds[is_number ? kind.bytes[0] - '0' : 0];
        kind.length = strlen(kind.bytes);
    }
    memcpy(text, kind.bytes, kind.length);
    text[kind.length] = '\0';
    lower(text, kind.length);
}

ocelotl_status spans_add(spans_reader *reader, spans_span *span)
{
    static const spans_text error = {"error", 5};
    oc_ingest *ingest = &reader->ingest;
    oc_aligned *file = &ingest->files[ingest->file];
    ocelotl_attribute_value attributes[SPANS_KEPT];
    char kind[16];
    oc_sorted record = {
        .kind = OC_SORTED_SPAN, .type = reader->span_type, .attributes = attributes};
    if (span->end < span->begin)
        return oc_fail(OCELOTL_ERROR_INPUT, "a span ends before it begins, expected it not to");
    if (!reader->has_zero)
        reader->zero = span->begin - span->begin % 1000000000;
    reader->has_zero = file->has_clock = reader->has_span = true;
    file->origin = reader->zero;
    record.time = span->begin - reader->zero;
    record.end = span->end - reader->zero;
    write_kind(kind, span->kind);
    span->kept[0] = (spans_text){kind, strlen(kind)};
    if (!span->is_error)
        span->kept[SPANS_MESSAGE] = (spans_text){0};
    for (size_t i = 0; i < SPANS_KEPT; i++)
        if (span->kept[i].length > 0)
            attributes[record.attribute_count++] = (ocelotl_attribute_value){
                reader->kept[i], span->kept[i].bytes, span->kept[i].length};
    OC_TRY(oc_arena_status(&reader->arena));
    OC_TRY(find_row(&record.stream, reader, span->name));
    const spans_text value = span->is_error ? error : span->name;
    OC_TRY(oc_ingest_value(&record.value, ingest, record.type, value.bytes, value.length));
    OC_TRY(oc_ingest_add(ingest, &record));
    OC_TRY(keep_references(reader, span, &record));
    return oc_ingest_count(ingest, kind, OCELOTL_FATE_STATE, NULL);
}

ocelotl_status spans_leave_event(spans_reader *reader)
{
    return oc_ingest_count(&reader->ingest, reader->events, OCELOTL_FATE_LEFT_OUT,
                           "they are within spans");
}

ocelotl_status spans_or_skip(spans_reader *reader, ocelotl_status status)
{
    oc_ingest *ingest = &reader->ingest;
    if (status != OCELOTL_OK)
        return oc_oddities_skip(&ingest->oddities, status, ingest->path, ingest->line);
    if (reader->said != reader->producer)
        OC_TRY(ocelotl_writer_producer(ingest->writer, reader->producer));
    reader->said = reader->producer;
    return OCELOTL_OK;
}

/* --- Files */

/* Whether a text begins, behind blanks, with a list or an object. */
static bool is_json(const char *bytes, size_t length)
{
    size_t i = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < length && memchr(" \t\r\n", bytes[i], 4) != NULL)
        i++;
    return i < length && (bytes[i] == '{' || bytes[i] == '[') && !spans_is_protobuf(bytes, length);
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    spans_reader *reader = decoder;
    char head[256] = "";
    size_t length = 0, step = 1;
    reader->has_zero = false;
    reader->ingest.line = 1;
    oc_input_salvage(source->input, true); /* an error where what is open is not closed */
    while (length < sizeof head && step > 0) {
        OC_TRY(oc_input_read(source->input, head + length, sizeof head - length, &step));
        length += step;
    }
    OC_TRY(oc_input_unread(source->input, head, length));
    return is_json(head, length) ? spans_read_json(reader, source)
                                 : spans_read_protobuf(reader, source, head[0] != '\n');
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
    for (size_t i = 0; i < SPANS_KEPT; i++)
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
    oc_text_free(&reader->key);
    oc_arena_free(&reader->arena);
    free(reader->references);
    oc_ingest_close(&reader->ingest);
    free(reader);
    return status;
}

static bool holds(const oc_head *head, const char *text)
{
    return memmem(head->bytes, head->length, text, strlen(text)) != NULL;
}

/* By its first bracket, and names of members that only such spans have; or by the ids of its first
 * span. */
static int recognises_spans(const oc_source *source)
{
    const oc_head *head = &source->head;
    const bool is_it = is_json(head->bytes, head->length)
                           ? holds(head, "\"resourceSpans\"") ||
                                 (holds(head, "\"batches\"") && holds(head, "\"scopeSpans\"")) ||
                                 (holds(head, "\"traceID\"") && holds(head, "\"spans\"")) ||
                                 (holds(head, "\"traceId\"") && holds(head, "\"localEndpoint\""))
                           : spans_is_protobuf(head->bytes, head->length);
    return is_it ? OC_SURE - 1 : OC_NO;
}

const oc_importer oc_spans_importer = {
    .format = {.name = "spans",
               .description = "Spans of services: OTLP (JSON, protocol buffers), Jaeger, Zipkin "
                              "(plain or compressed)",
               .suffixes = (const char *const[]){NULL}},
    .takes_several = true,
    .has_clock = true,
    .recognises = recognises_spans,
    .import = import_spans,
};
