/* What several traces have, properties by name with a value for each trace: what they share, and
 * where they differ. */
#include "answer/table.h"
#include "base/map.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum property_kind {
    OF_TRACE,       /* name, format, time, size, number of events, .. */
    OF_METADATA,    /* a value of one's own, by key */
    OF_RESOURCES,   /* how many are of a type, by its name */
    OF_EVENT_TYPE,  /* how many events are of a type */
    OF_EVENT_VALUE, /* how many of a type have a value: "TYPE:VALUE" */
    KINDS
} property_kind;

typedef struct property {
    char *name;
    char **values; /* one for each trace so far; NULL: it has none */
    size_t value_count, capacity;
    property_kind kind;
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
static ocelotl_status find(property **found, ocelotl_traces *traces, property_kind kind,
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
static ocelotl_status add_text(ocelotl_traces *traces, property_kind kind, const char *name,
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

static ocelotl_status add_digits(ocelotl_traces *traces, property_kind kind, const char *name,
                                 const char *digits)
{
    property *one;
    OC_TRY(add_text(traces, kind, name, digits));
    OC_TRY(find(&one, traces, kind, name));
    one->is_number = true;
    return OCELOTL_OK;
}

static ocelotl_status add_count(ocelotl_traces *traces, property_kind kind, const char *name,
                                uint64_t count)
{
    char text[24];
    oc_plain_print(text, sizeof text, "%" PRIu64, count);
    return add_digits(traces, kind, name, text);
}

static ocelotl_status add_seconds(ocelotl_traces *traces, const char *name,
                                  const ocelotl_trace *trace, int64_t ticks)
{
    return add_digits(traces, OF_TRACE, name, oc_digits(ocelotl_trace_seconds(trace, ticks)).text);
}

/* What is not known is no value. */
static ocelotl_status add_known(ocelotl_traces *traces, const char *name, const char *text)
{
    return text[0] != '\0' ? add_text(traces, OF_TRACE, name, text) : OCELOTL_OK;
}

static ocelotl_status add_info(ocelotl_traces *traces, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const property_kind kind = OF_TRACE;
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
        name.failed ? oc_fail_memory() : add_count(traces, OF_EVENT_VALUE, name.bytes, value.count);
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
        name.failed ? oc_fail_memory() : add_count(traces, OF_EVENT_TYPE, name.bytes, found.count);
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
            OC_TRY(add_count(traces, OF_RESOURCES, type.name, type.resources));
    }
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        if (ocelotl_trace_event_type_at(trace, i).count > 0)
            OC_TRY(add_event_type(traces, trace, i));
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
    OC_TRY(add_count(traces, OF_TRACE, "notes", ocelotl_notes_count(notes)));
    for (size_t i = 0; i < ocelotl_notes_metadata_count(notes); i++) {
        const ocelotl_metadata one = ocelotl_notes_metadata_at(notes, i);
        OC_TRY(add_text(traces, OF_METADATA, one.key, one.value));
    }
    OC_TRY(add_types(traces, trace));
    /* Kinds are one behind the other, each in the order in which it was found. */
    size_t count = 0;
    free(traces->order);
    traces->order = NULL;
    OC_TRY(oc_allocate(&traces->order, traces->property_count, sizeof *traces->order));
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < traces->property_count; i++)
            if ((int)traces->properties[i].kind == kind)
                traces->order[count++] = i;
    return OCELOTL_OK;
}

/* --- Reading */

/* A property by its place in the order of kinds. */
static const property *property_at(const ocelotl_traces *traces, size_t index)
{
    return &traces->properties[traces->order[index]];
}

static size_t count_properties(const ocelotl_traces *traces)
{
    return traces->order != NULL ? traces->property_count : 0;
}

static const char *value_of(const property *one, size_t trace)
{
    return trace < one->value_count ? one->values[trace] : NULL;
}

/* Whether all traces have it, with one value. */
static bool is_shared(const ocelotl_traces *traces, const property *one)
{
    bool shared = value_of(one, 0) != NULL;
    for (size_t i = 1; i < traces->count && shared; i++)
        shared = value_of(one, i) != NULL && strcmp(value_of(one, 0), value_of(one, i)) == 0;
    return shared;
}

static void add_name(oc_text *text, const property *one)
{
    static const char *const heads[KINDS] = {"", "own ", "resources of ", "", "value "};
    oc_text_add(text, heads[one->kind]);
    oc_text_add(text, one->name);
}

/* --- JSON: a shared property has one value, any other one for each trace */

static void add_list(oc_json *json, const ocelotl_traces *traces, const char *key, bool shared)
{
    static const char *const words[KINDS] = {"trace", "metadata", "resources", "event type",
                                             "event value"};
    oc_json_list(json, key);
    for (size_t i = 0; i < count_properties(traces); i++) {
        const property *one = property_at(traces, i);
        if (is_shared(traces, one) != shared)
            continue;
        oc_json_item(json, 1);
        oc_json_text(json, "kind", words[one->kind]);
        oc_json_text(json, "property", one->name);
        oc_json_list(json, "values");
        for (size_t t = 0; t < (shared ? 1 : traces->count); t++) {
            const char *value = value_of(one, t);
            if (value == NULL)
                oc_json_null(json, NULL);
            else if (one->is_number)
                oc_text_add(oc_json_value(json, NULL), value);
            else
                oc_json_text(json, NULL, value);
        }
        oc_json_end_list(json);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const ocelotl_traces *traces = *(const ocelotl_traces **)state;
    oc_json_list(json, "traces");
    for (size_t i = 0; i < traces->count; i++)
        oc_json_text(json, NULL, traces->paths[i]);
    oc_json_end_list(json);
    add_list(json, traces, "shared", true);
    add_list(json, traces, "different", false);
    return OCELOTL_OK;
}

/* --- CSV: a row for each property and trace */

static ocelotl_status fill_value(oc_row *row, void *state, size_t index)
{
    const ocelotl_traces *traces = *(const ocelotl_traces **)state;
    const property *one = property_at(traces, index / traces->count);
    const char *value = value_of(one, index % traces->count);
    add_name(&row->made, one);
    oc_cell_text(row, is_shared(traces, one) ? "yes" : "no");
    oc_cell_text(row, row->made.bytes);
    oc_cell_text(row, traces->paths[index % traces->count]);
    oc_cell_text(row, value != NULL ? value : "");
    return OCELOTL_OK;
}

/* --- Text, for people */

enum { NAME_WIDTH = 32, LEAST_WIDTH = 12, MOST_WIDTH = 28, DIGITS = 9 };

static void print_name(oc_output *out, const property *one)
{
    oc_text name = {0};
    add_name(&name, one);
    if (name.failed)
        out->status = oc_fail_memory();
    oc_output_add(out, "  ");
    oc_output_add_column(out, name.bytes != NULL ? name.bytes : "", NAME_WIDTH);
    oc_text_free(&name);
}

/* Whether it is a row of what differs: numbers of events with a value do so nearly always, and are
 * worth one where some traces have none. */
static bool is_different(const ocelotl_traces *traces, const property *one)
{
    bool is_worth = one->kind != OF_EVENT_VALUE;
    for (size_t i = 0; i < traces->count && !is_worth; i++)
        is_worth = value_of(one, i) == NULL;
    return is_worth && !is_shared(traces, one);
}

/* A value as people may read it: a number in digits that tell traces apart; "-" for none. */
static const char *value_shown(oc_digits_text *text, const property *one, size_t trace)
{
    const char *value = value_of(one, trace);
    if (value == NULL || !one->is_number)
        return value != NULL ? value : "-";
    *text = oc_short_digits(oc_plain_number(value, NULL), DIGITS);
    return text->text;
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const ocelotl_traces *traces = *(const ocelotl_traces **)state;
    const size_t last = traces->count - 1;
    oc_digits_text text;
    size_t *widths = NULL;
    OC_TRY(oc_allocate(&widths, traces->count, sizeof *widths));
    oc_output_add(out, "several traces\n");
    for (size_t t = 0; t < traces->count; t++) {
        oc_output_print(out, "%5zu  %s\n", t + 1, traces->paths[t]);
        widths[t] = LEAST_WIDTH;
        for (size_t i = 0; i < count_properties(traces); i++) {
            const property *one = property_at(traces, i);
            const size_t width = oc_visible_width(value_shown(&text, one, t));
            if (width > widths[t] && is_different(traces, one))
                widths[t] = width < MOST_WIDTH ? width : MOST_WIDTH;
        }
    }
    oc_output_add(out, "shared by all\n");
    for (size_t i = 0; i < count_properties(traces); i++) {
        const property *one = property_at(traces, i);
        if (!is_shared(traces, one) || one->kind == OF_EVENT_VALUE)
            continue;
        print_name(out, one);
        oc_output_print(out, "  %s\n", value_shown(&text, one, 0));
    }
    oc_output_format(out, "%-*s", NAME_WIDTH + 2, "different");
    for (size_t t = 0; t < traces->count; t++)
        oc_output_format(out, "  %-*zu", t < last ? (int)widths[t] : 0, t + 1);
    oc_output_add(out, "\n");
    for (size_t i = 0; i < count_properties(traces); i++) {
        const property *one = property_at(traces, i);
        if (!is_different(traces, one))
            continue;
        print_name(out, one);
        for (size_t t = 0; t < traces->count; t++) {
            oc_output_add(out, "  ");
            oc_output_add_column(out, value_shown(&text, one, t), t < last ? widths[t] : 0);
        }
        oc_output_add(out, "\n");
    }
    free(widths);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_traces_write(const ocelotl_sink *sink, ocelotl_form form,
                                    const ocelotl_traces *traces)
{
    static const oc_heading headings[] = {{"shared", OC_CELL_TEXT},
                                          {"property", OC_CELL_TEXT},
                                          {"trace", OC_CELL_TEXT},
                                          {"value", OC_CELL_TEXT}};
    const size_t rows = count_properties(traces) * traces->count;
    const oc_forms forms = {
        &traces, add_members, print_all, {headings, 4, &traces, sizeof(void *), rows, fill_value}};
    return oc_forms_write(sink, form, &forms);
}
