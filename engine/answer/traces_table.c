/* What several traces share and where they differ, as a table. */
#include "answer/table.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/visible.h"

#include <stdlib.h>

/* What stands before the name of a property of a kind. */
static const char *heading_of(ocelotl_property_kind kind)
{
    static const char *const headings[] = {"", "own ", "resources of ", "", "value "};
    return headings[kind];
}

static void add_name(oc_text *text, const ocelotl_property *property)
{
    oc_text_add(text, heading_of(property->kind));
    oc_text_add(text, property->name);
}

/* --- JSON */

static void add_value(oc_json *json, const ocelotl_property *property, const char *value)
{
    if (value == NULL)
        oc_json_null(json, NULL);
    else if (property->is_number)
        oc_text_add(oc_json_value(json, NULL), value);
    else
        oc_json_text(json, NULL, value);
}

static const char *word_of(ocelotl_property_kind kind)
{
    static const char *const words[] = {"trace", "metadata", "resources", "event type",
                                        "event value"};
    return words[kind];
}

/* A shared property has one value, any other one for each trace. */
static void add_property(oc_json *json, const ocelotl_traces *traces, size_t index)
{
    const ocelotl_property property = ocelotl_traces_property_at(traces, index);
    const size_t count = property.is_shared ? 1 : ocelotl_traces_count(traces);
    oc_json_item(json, 1);
    oc_json_text(json, "kind", word_of(property.kind));
    oc_json_text(json, "property", property.name);
    oc_json_list(json, "values");
    for (size_t i = 0; i < count; i++)
        add_value(json, &property, ocelotl_traces_value_at(traces, index, i));
    oc_json_end_list(json);
    oc_json_end_object(json);
}

static void add_list(oc_json *json, const ocelotl_traces *traces, const char *key, bool shared)
{
    oc_json_list(json, key);
    for (size_t i = 0; i < ocelotl_traces_property_count(traces); i++)
        if (ocelotl_traces_property_at(traces, i).is_shared == shared)
            add_property(json, traces, i);
    oc_json_end_list(json);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const ocelotl_traces *traces = *(const ocelotl_traces **)state;
    oc_json_list(json, "traces");
    for (size_t i = 0; i < ocelotl_traces_count(traces); i++)
        oc_json_text(json, NULL, ocelotl_traces_path_at(traces, i));
    oc_json_end_list(json);
    add_list(json, traces, "shared", true);
    add_list(json, traces, "different", false);
    return OCELOTL_OK;
}

/* --- CSV: a row for each property and trace */

static ocelotl_status fill_value(oc_row *row, void *state, size_t index)
{
    const ocelotl_traces *traces = *(const ocelotl_traces **)state;
    const size_t count = ocelotl_traces_count(traces);
    const ocelotl_property property = ocelotl_traces_property_at(traces, index / count);
    const char *value = ocelotl_traces_value_at(traces, index / count, index % count);
    add_name(&row->made, &property);
    oc_cell_text(row, property.is_shared ? "yes" : "no");
    oc_cell_text(row, row->made.bytes);
    oc_cell_text(row, ocelotl_traces_path_at(traces, index % count));
    oc_cell_text(row, value != NULL ? value : "");
    return OCELOTL_OK;
}

/* --- Text, for people */

enum { NAME_WIDTH = 32, LEAST_WIDTH = 12, MOST_WIDTH = 28, DIGITS = 9 };

static void print_name(oc_output *out, const ocelotl_property *property)
{
    oc_text name = {0};
    add_name(&name, property);
    if (name.failed)
        out->status = oc_fail_memory();
    oc_output_add(out, "  ");
    oc_output_add_column(out, name.bytes != NULL ? name.bytes : "", NAME_WIDTH);
    oc_text_free(&name);
}

/* Numbers of events with a value differ nearly always: those alone are worth a row that some traces
 * lack. */
static bool is_worth(const ocelotl_traces *traces, const ocelotl_property *property)
{
    return property->kind != OCELOTL_PROPERTY_EVENT_VALUE ||
           property->count < ocelotl_traces_count(traces);
}

/* A value as people may read it: a number in digits that tell traces apart; "-" for none. */
static const char *value_shown(oc_digits_text *text, const ocelotl_traces *traces, size_t index,
                               size_t trace)
{
    const char *value = ocelotl_traces_value_at(traces, index, trace);
    if (value == NULL || !ocelotl_traces_property_at(traces, index).is_number)
        return value != NULL ? value : "-";
    *text = oc_short_digits(oc_plain_number(value, NULL), DIGITS);
    return text->text;
}

static size_t find_width(const ocelotl_traces *traces, size_t trace)
{
    size_t width = LEAST_WIDTH;
    for (size_t i = 0; i < ocelotl_traces_property_count(traces); i++) {
        const ocelotl_property property = ocelotl_traces_property_at(traces, i);
        oc_digits_text text;
        const size_t one = oc_visible_width(value_shown(&text, traces, i, trace));
        if (!property.is_shared && is_worth(traces, &property) && one > width)
            width = one < MOST_WIDTH ? one : MOST_WIDTH;
    }
    return width;
}

static void print_shared(oc_output *out, const ocelotl_traces *traces)
{
    oc_output_add(out, "shared by all\n");
    for (size_t i = 0; i < ocelotl_traces_property_count(traces); i++) {
        const ocelotl_property property = ocelotl_traces_property_at(traces, i);
        oc_digits_text text;
        if (!property.is_shared || property.kind == OCELOTL_PROPERTY_EVENT_VALUE)
            continue;
        print_name(out, &property);
        oc_output_add(out, "  ");
        oc_output_add_visible(out, value_shown(&text, traces, i, 0));
        oc_output_add(out, "\n");
    }
}

static void print_different(oc_output *out, const ocelotl_traces *traces, const size_t *widths)
{
    const size_t count = ocelotl_traces_count(traces);
    for (size_t i = 0; i < ocelotl_traces_property_count(traces); i++) {
        const ocelotl_property property = ocelotl_traces_property_at(traces, i);
        if (property.is_shared || !is_worth(traces, &property))
            continue;
        print_name(out, &property);
        for (size_t t = 0; t < count; t++) {
            oc_digits_text text;
            oc_output_add(out, "  ");
            if (t + 1 < count)
                oc_output_add_column(out, value_shown(&text, traces, i, t), widths[t]);
            else
                oc_output_add_visible(out, value_shown(&text, traces, i, t));
        }
        oc_output_add(out, "\n");
    }
}

static void print_heads(oc_output *out, const ocelotl_traces *traces, const size_t *widths)
{
    oc_output_add(out, "several traces\n");
    for (size_t t = 0; t < ocelotl_traces_count(traces); t++) {
        oc_output_format(out, "%5zu  ", t + 1);
        oc_output_add_visible(out, ocelotl_traces_path_at(traces, t));
        oc_output_add(out, "\n");
    }
    print_shared(out, traces);
    oc_output_format(out, "%-*s", NAME_WIDTH + 2, "different");
    for (size_t t = 0; t < ocelotl_traces_count(traces); t++)
        oc_output_format(out, "  %-*zu", t + 1 < ocelotl_traces_count(traces) ? (int)widths[t] : 0,
                         t + 1);
    oc_output_add(out, "\n");
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const ocelotl_traces *traces = *(const ocelotl_traces **)state;
    const size_t count = ocelotl_traces_count(traces);
    size_t *widths = NULL;
    OC_TRY(oc_allocate(&widths, count, sizeof *widths));
    for (size_t t = 0; t < count; t++)
        widths[t] = find_width(traces, t);
    print_heads(out, traces, widths);
    print_different(out, traces, widths);
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
    const size_t rows = ocelotl_traces_property_count(traces) * ocelotl_traces_count(traces);
    const oc_forms forms = {
        &traces, add_members, print_all, {headings, 4, &traces, sizeof(void *), rows, fill_value}};
    return oc_forms_write(sink, form, &forms);
}
