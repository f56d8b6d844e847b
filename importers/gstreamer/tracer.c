/* The records of tracers (GST_TRACERS): "latency, src=(string)a, time=(guint64)12;" */
#define _GNU_SOURCE
#include "importers/gstreamer/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 3 };

/* Records whose numbers are variables, and where. */
static const struct record {
    const char *name;
    gstreamer_place place;
    const char *fields[FIELDS];
} records[] = {
    {"latency", GSTREAMER_PATH, {"time"}},
    {"element-latency", GSTREAMER_ELEMENT, {"time"}},
    {"element-reported-latency", GSTREAMER_ELEMENT, {"min", "max"}},
    {"thread-rusage", GSTREAMER_THREAD, {"average-cpuload", "current-cpuload", "time"}},
    {"proc-rusage", GSTREAMER_PROCESS, {"average-cpuload", "current-cpuload", "time"}},
};

/* Their messages have no function; those about what a record looks like have one. */
bool gstreamer_is_record(const gstreamer_line *line)
{
    return line->function.length == 0 && gstreamer_text_is(line->category, "GST_TRACER", 10);
}

static gstreamer_text name_of(gstreamer_text message)
{
    const char *comma = memchr(message.bytes, ',', message.length);
    const size_t length = comma != NULL ? (size_t)(comma - message.bytes) : message.length;
    const size_t end = length > 0 && message.bytes[length - 1] == ';' ? length - 1 : length;
    return (gstreamer_text){message.bytes, end};
}

/* The value of ", key=(type)value"; NULL: it is not there. */
static gstreamer_text find_field(gstreamer_text message, const char *key)
{
    char wanted[64] = ", ";
    gstreamer_text found = {NULL, 0};
    strcat(strcat(wanted, key), "=(");
    const char *end = message.bytes + message.length;
    const char *at = memmem(message.bytes, message.length, wanted, strlen(wanted));
    const char *type_end = at != NULL ? memchr(at, ')', (size_t)(end - at)) : NULL;
    if (type_end == NULL)
        return found;
    found.bytes = type_end + 1;
    while (found.bytes + found.length < end && strchr(",;", found.bytes[found.length]) == NULL)
        found.length++;
    return found;
}

/* --- Where a record belongs */

static void add_end(oc_text *name, gstreamer_text element, gstreamer_text pad)
{
    oc_text_append(name, element.bytes, element.length);
    if (element.length > 0 && pad.length > 0)
        oc_text_add(name, ".");
    oc_text_append(name, pad.bytes, pad.length);
}

/* Finds the row of a thread. Tracers write a thread's pointer as a decimal number. */
static ocelotl_status find_named_thread(uint32_t *row, gstreamer_reader *reader, uint32_t thread)
{
    const gstreamer_text id = find_field(reader->line.message, "thread-id");
    char text[32];
    *row = thread;
    if (id.length == 0 || id.length > 20)
        return OCELOTL_OK;
    const unsigned long long number = strtoull(id.bytes, NULL, 10);
    const int length = snprintf(text, sizeof text, "0x%llx", number);
    return gstreamer_find_row(row, reader, GSTREAMER_THREAD, reader->ingest.rows[thread].parent,
                              (gstreamer_text){text, (size_t)length});
}

static ocelotl_status find_place(uint32_t *row, gstreamer_reader *reader,
                                 const struct record *record, uint32_t thread)
{
    const uint32_t process = reader->ingest.rows[thread].parent;
    const gstreamer_text message = reader->line.message;
    oc_text name = {0};
    *row = process;
    if (record->place == GSTREAMER_PROCESS)
        return OCELOTL_OK;
    if (record->place == GSTREAMER_THREAD)
        return find_named_thread(row, reader, thread);
    if (record->place == GSTREAMER_PATH) {
        add_end(&name, find_field(message, "src-element"), find_field(message, "src"));
        oc_text_add(&name, " > ");
        add_end(&name, find_field(message, "sink-element"), find_field(message, "sink"));
    } else if (record->place == GSTREAMER_ELEMENT) {
        const gstreamer_text element = find_field(message, "element");
        add_end(&name, element.bytes != NULL ? element : find_field(message, "src"),
                (gstreamer_text){"", 0});
    }
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : gstreamer_find_row(row, reader, record->place, process,
                                         (gstreamer_text){name.bytes, name.length});
    oc_text_free(&name);
    return status;
}

/* --- What it says */

static ocelotl_status find_variable(uint32_t *type, gstreamer_reader *reader,
                                    const struct record *record, const char *field)
{
    char name[64];
    uint32_t resource_type;
    oc_ingest *ingest = &reader->ingest;
    const bool is_load = strstr(field, "cpuload") != NULL;
    const uint32_t before = ocelotl_writer_event_type_count(ingest->writer);
    snprintf(name, sizeof name, "%s %s", record->name, field);
    OC_TRY(gstreamer_find_type(&resource_type, reader, record->place));
    OC_TRY(
        oc_ingest_event_type(type, ingest, OCELOTL_VARIABLE, resource_type, name, OC_NEST_BY_TIME));
    return *type < before
               ? OCELOTL_OK
               : ocelotl_writer_unit(ingest->writer, *type, is_load ? "per mille" : "ns");
}

static ocelotl_status take_variables(gstreamer_reader *reader, const struct record *record,
                                     uint32_t thread)
{
    oc_sorted variable = {.kind = OC_SORTED_VARIABLE, .time = reader->line.time};
    OC_TRY(find_place(&variable.stream, reader, record, thread));
    for (size_t i = 0; i < FIELDS && record->fields[i] != NULL; i++) {
        const gstreamer_text text = find_field(reader->line.message, record->fields[i]);
        /* The largest number of 64 bits stands for unknown. */
        if (text.length == 0 || gstreamer_text_is(text, "18446744073709551615", 20) ||
            !oc_text_is_number(&variable.number, text.bytes, text.length)) {
            oc_ingest_note(&reader->ingest, GSTREAMER_NO_VALUE);
            continue;
        }
        OC_TRY(find_variable(&variable.type, reader, record, record->fields[i]));
        OC_TRY(oc_ingest_add(&reader->ingest, &variable));
    }
    oc_ingest_row_see(&reader->ingest, variable.stream, variable.time);
    oc_kinds_add(&reader->ingest.kinds, reader->kind_of[GSTREAMER_KIND_VARIABLE]);
    return OCELOTL_OK;
}

static ocelotl_status take_event(gstreamer_reader *reader, uint32_t thread)
{
    const gstreamer_text message = reader->line.message;
    const gstreamer_text name = name_of(message);
    uint32_t resource_type;
    oc_ingest *ingest = &reader->ingest;
    ocelotl_attribute_value attribute = {0, message.bytes, message.length};
    oc_sorted event = {.kind = OC_SORTED_INSTANT,
                       .stream = thread,
                       .time = reader->line.time,
                       .attributes = &attribute,
                       .attribute_count = 1};
    OC_TRY(gstreamer_find_type(&resource_type, reader, GSTREAMER_THREAD));
    OC_TRY(oc_ingest_event_type(&event.type, ingest, OCELOTL_EVENT, resource_type, "Tracer",
                                OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_attribute(&attribute.attribute, ingest, event.type, "message", 7));
    OC_TRY(oc_ingest_value(&event.value, ingest, event.type, name.bytes, name.length));
    oc_kinds_add(&ingest->kinds, reader->kind_of[GSTREAMER_KIND_EVENT]);
    return oc_ingest_add(ingest, &event);
}

ocelotl_status gstreamer_take_record(gstreamer_reader *reader, uint32_t thread)
{
    const gstreamer_text name = name_of(reader->line.message);
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        if (gstreamer_text_is(name, records[i].name, strlen(records[i].name)))
            return take_variables(reader, &records[i], thread);
    return take_event(reader, thread);
}
