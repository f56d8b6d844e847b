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

/* --- Files */

/* Whether a text begins, behind blanks, with a list or an object. */
static bool is_json(const char *bytes, size_t length)
{
    size_t i = oc_text_mark(bytes, length);
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
        OC_TRY(oc_ingest_attribute(&reader->kept[i], ingest, reader->span_type, spans_kept_names[i],
                                   strlen(spans_kept_names[i])));
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

/* By its first bracket, and names of members that only such spans have; or by the ids of its first
 * span. */
static int recognises_spans(const oc_source *source)
{
    const oc_head *head = &source->head;
    const bool is_it =
        is_json(head->bytes, head->length)
            ? oc_head_holds(head, "\"resourceSpans\"") ||
                  (oc_head_holds(head, "\"batches\"") && oc_head_holds(head, "\"scopeSpans\"")) ||
                  (oc_head_holds(head, "\"traceID\"") && oc_head_holds(head, "\"spans\"")) ||
                  (oc_head_holds(head, "\"traceId\"") && oc_head_holds(head, "\"localEndpoint\""))
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
