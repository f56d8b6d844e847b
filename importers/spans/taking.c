/* What becomes of a span: its row, its value, its attributes, what it refers to. */
#include "importers/spans/spans.h"

#include "base/memory.h"

/* What says which instance of a service it is: the first counts that is there. */
static const char *const instance_names[] = {
    "service.instance.id", "k8s.pod.name", "host.name", "hostname", "ip", "ipv4", "ipv6"};
enum { INSTANCE_NAMES = sizeof instance_names / sizeof *instance_names };

const char *const spans_kept_names[SPANS_KEPT] = {
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
        if (spans_text_is(key, spans_kept_names[i]))
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
