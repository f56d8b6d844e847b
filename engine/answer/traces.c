/* What several traces have: properties by name, with a value for each trace. */
#include "answer/answer.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct property {
    char *name;
    char **values; /* one for each trace so far; NULL: it has none */
    size_t value_count, capacity;
    ocelotl_property_kind kind;
    bool is_number;
} property;

struct ocelotl_traces {
    char **paths;
    size_t count, path_capacity;
    property *properties; /* in the order they were found */
    size_t property_count, property_capacity;
    oc_map index;  /* of a property, by its kind and name */
    size_t *order; /* by kind; NULL: not sorted since the last trace */
};

ocelotl_status ocelotl_traces_new(ocelotl_traces **traces)
{
    return oc_allocate(traces, 1, sizeof **traces);
}

void ocelotl_traces_free(ocelotl_traces *traces)
{
    if (traces == NULL)
        return;
    for (size_t i = 0; i < traces->property_count; i++) {
        property *one = &traces->properties[i];
        for (size_t v = 0; v < one->value_count; v++)
            free(one->values[v]);
        free(one->values);
        free(one->name);
    }
    for (size_t i = 0; i < traces->count; i++)
        free(traces->paths[i]);
    free(traces->properties);
    free(traces->paths);
    free(traces->order);
    oc_map_free(&traces->index);
    free(traces);
}

/* --- Adding */

/* Finds a property, or makes it. */
static ocelotl_status find(property **found, ocelotl_traces *traces, ocelotl_property_kind kind,
                           const char *name)
{
    oc_text key = {0};
    oc_text_format(&key, "%d %s", (int)kind, name);
    if (key.failed)
        return oc_fail_memory();
    uint32_t index = oc_map_get(&traces->index, key.bytes, key.length);
    ocelotl_status status = OCELOTL_OK;
    if (index == OC_MAP_NONE) {
        index = (uint32_t)traces->property_count;
        status = oc_grow(&traces->properties, &traces->property_capacity,
                         traces->property_count + 1, sizeof *traces->properties);
        if (status == OCELOTL_OK) {
            traces->properties[index] = (property){.kind = kind};
            status = oc_copy_utf8(&traces->properties[index].name, name);
        }
        if (status == OCELOTL_OK) {
            traces->property_count++;
            status = oc_map_set(&traces->index, key.bytes, key.length, index);
        }
    }
    oc_text_free(&key);
    *found = status == OCELOTL_OK ? &traces->properties[index] : NULL;
    return status;
}

/* Gives the last trace a value of a property; of two the first counts. */
static ocelotl_status add_text(ocelotl_traces *traces, ocelotl_property_kind kind, const char *name,
                               const char *value)
{
    property *one;
    OC_TRY(find(&one, traces, kind, name));
    OC_TRY(oc_grow(&one->values, &one->capacity, traces->count, sizeof *one->values));
    while (one->value_count < traces->count)
        one->values[one->value_count++] = NULL;
    char **place = &one->values[traces->count - 1];
    return *place == NULL ? oc_copy_utf8(place, value) : OCELOTL_OK;
}

static ocelotl_status add_digits(ocelotl_traces *traces, ocelotl_property_kind kind,
                                 const char *name, const char *digits)
{
    property *one;
    OC_TRY(add_text(traces, kind, name, digits));
    OC_TRY(find(&one, traces, kind, name));
    one->is_number = true;
    return OCELOTL_OK;
}

static ocelotl_status add_count(ocelotl_traces *traces, ocelotl_property_kind kind,
                                const char *name, uint64_t count)
{
    char text[24];
    oc_plain_print(text, sizeof text, "%" PRIu64, count);
    return add_digits(traces, kind, name, text);
}

static ocelotl_status add_seconds(ocelotl_traces *traces, const char *name,
                                  const ocelotl_trace *trace, int64_t ticks)
{
    return add_digits(traces, OCELOTL_PROPERTY_TRACE, name,
                      oc_digits(ocelotl_trace_seconds(trace, ticks)).text);
}

/* What is not known is no value. */
static ocelotl_status add_known(ocelotl_traces *traces, const char *name, const char *text)
{
    return text[0] != '\0' ? add_text(traces, OCELOTL_PROPERTY_TRACE, name, text) : OCELOTL_OK;
}

static ocelotl_status add_info(ocelotl_traces *traces, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const ocelotl_property_kind kind = OCELOTL_PROPERTY_TRACE;
    char tick[64];
    oc_plain_print(tick, sizeof tick, "%" PRIu64 "/%" PRIu64 " s", info.tick_numerator,
                   info.tick_denominator);
    OC_TRY(add_known(traces, "name", info.name));
    OC_TRY(add_known(traces, "format", info.format));
    OC_TRY(add_known(traces, "importer", info.importer));
    OC_TRY(add_known(traces, "source", info.source));
    OC_TRY(add_known(traces, "producer", info.producer));
    OC_TRY(add_known(traces, "origin", info.origin));
    OC_TRY(add_known(traces, "uid", info.uid));
    OC_TRY(add_known(traces, "tick", tick));
    OC_TRY(add_seconds(traces, "begin", trace, info.begin));
    OC_TRY(add_seconds(traces, "end", trace, info.end));
    OC_TRY(add_seconds(traces, "duration", trace, info.end - info.begin));
    OC_TRY(add_count(traces, kind, "size", info.file_size));
    OC_TRY(add_count(traces, kind, "events", oc_count_events(trace)));
    OC_TRY(add_count(traces, kind, "resources", ocelotl_trace_resource_count(trace)));
    return add_count(traces, kind, "oddities", oc_count_oddities(trace));
}

static ocelotl_status add_notes(ocelotl_traces *traces, const ocelotl_notes *notes)
{
    OC_TRY(add_count(traces, OCELOTL_PROPERTY_TRACE, "notes", ocelotl_notes_count(notes)));
    for (size_t i = 0; i < ocelotl_notes_metadata_count(notes); i++) {
        const ocelotl_metadata one = ocelotl_notes_metadata_at(notes, i);
        OC_TRY(add_text(traces, OCELOTL_PROPERTY_METADATA, one.key, one.value));
    }
    return OCELOTL_OK;
}

/* What never happens in a trace is a value that it lacks. */
static ocelotl_status add_value(ocelotl_traces *traces, const ocelotl_trace *trace, uint32_t type,
                                uint32_t index)
{
    const ocelotl_value value =
        ocelotl_trace_value_at(trace, ocelotl_trace_event_type_value_at(trace, type, index));
    oc_text name = {0};
    if (value.count == 0)
        return OCELOTL_OK;
    oc_text_format(&name, "%s:%s", ocelotl_trace_event_type_spelling(trace, type), value.name);
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : add_count(traces, OCELOTL_PROPERTY_EVENT_VALUE, name.bytes, value.count);
    oc_text_free(&name);
    return status;
}

static ocelotl_status add_event_type(ocelotl_traces *traces, const ocelotl_trace *trace,
                                     uint32_t type)
{
    oc_text name = {0};
    const ocelotl_event_type found = ocelotl_trace_event_type_at(trace, type);
    oc_text_format(&name, "%s %s", oc_category_name(found.category),
                   ocelotl_trace_event_type_spelling(trace, type));
    ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : add_count(traces, OCELOTL_PROPERTY_EVENT_TYPE, name.bytes, found.count);
    oc_text_free(&name);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(trace, type); i++)
        if (status == OCELOTL_OK)
            status = add_value(traces, trace, type, i);
    return status;
}

static ocelotl_status add_types(ocelotl_traces *traces, const ocelotl_trace *trace)
{
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(trace); i++) {
        const ocelotl_resource_type type = ocelotl_trace_resource_type_at(trace, i);
        if (type.resources > 0)
            OC_TRY(add_count(traces, OCELOTL_PROPERTY_RESOURCES, type.name, type.resources));
    }
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        if (ocelotl_trace_event_type_at(trace, i).count > 0)
            OC_TRY(add_event_type(traces, trace, i));
    return OCELOTL_OK;
}

/* Puts kinds one behind the other, each in the order in which it was found. */
static ocelotl_status sort(ocelotl_traces *traces)
{
    size_t count = 0;
    free(traces->order);
    traces->order = NULL;
    OC_TRY(oc_allocate(&traces->order, traces->property_count, sizeof *traces->order));
    for (int kind = OCELOTL_PROPERTY_TRACE; kind <= OCELOTL_PROPERTY_EVENT_VALUE; kind++)
        for (size_t i = 0; i < traces->property_count; i++)
            if ((int)traces->properties[i].kind == kind)
                traces->order[count++] = i;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_traces_add(ocelotl_traces *traces, const char *path,
                                  const ocelotl_trace *trace, const ocelotl_notes *notes)
{
    OC_TRY(
        oc_grow(&traces->paths, &traces->path_capacity, traces->count + 1, sizeof *traces->paths));
    OC_TRY(oc_copy_utf8(&traces->paths[traces->count], path));
    traces->count++;
    OC_TRY(add_info(traces, trace));
    OC_TRY(add_notes(traces, notes));
    OC_TRY(add_types(traces, trace));
    return sort(traces);
}

/* --- Reading */

size_t ocelotl_traces_count(const ocelotl_traces *traces)
{
    return traces->count;
}

const char *ocelotl_traces_path_at(const ocelotl_traces *traces, size_t index)
{
    return index < traces->count ? traces->paths[index] : "";
}

size_t ocelotl_traces_property_count(const ocelotl_traces *traces)
{
    return traces->order != NULL ? traces->property_count : 0;
}

const char *ocelotl_traces_value_at(const ocelotl_traces *traces, size_t index, size_t trace)
{
    if (index >= ocelotl_traces_property_count(traces))
        return NULL;
    const property *one = &traces->properties[traces->order[index]];
    return trace < one->value_count ? one->values[trace] : NULL;
}

ocelotl_property ocelotl_traces_property_at(const ocelotl_traces *traces, size_t index)
{
    ocelotl_property found = {.name = "", .is_shared = true};
    if (index >= ocelotl_traces_property_count(traces))
        return (ocelotl_property){.name = ""};
    const property *one = &traces->properties[traces->order[index]];
    const char *first = ocelotl_traces_value_at(traces, index, 0);
    for (size_t i = 0; i < traces->count; i++) {
        const char *value = ocelotl_traces_value_at(traces, index, i);
        found.count += value != NULL;
        if (first == NULL || value == NULL || strcmp(first, value) != 0)
            found.is_shared = false;
    }
    found.kind = one->kind;
    found.name = one->name;
    found.is_number = one->is_number;
    return found;
}
