/* Events, which go out as they are found, with the resources that they do not say by themselves. */
#include "answer/answer.h"
#include "answer/declared_losses.h"
#include "base/exact.h"
#include "base/plain.h"

#include <ocelotl/query.h>

#include <string.h>

typedef struct source {
    const ocelotl_trace *trace;
    ocelotl_events *events;
    oc_exact clock;
    oc_declared declared;
} source;

static source source_of(const ocelotl_trace *trace, ocelotl_events *events)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    return (source){.trace = trace,
                    .events = events,
                    .clock = oc_exact_of(info.tick_numerator, info.tick_denominator, 0)};
}

/* Appends a number of ticks as seconds: with the fewest digits that give the double back, or
 * exactly where there are more digits than a double has. */
static void add_seconds(oc_text *text, const source *of, int64_t ticks)
{
    static const int64_t most = 1000000000000000;
    if (!of->clock.rounds && (ticks < -most || ticks > most))
        oc_exact_add(text, &of->clock, ticks);
    else
        oc_text_add(text, oc_digits(ocelotl_trace_seconds(of->trace, ticks)).text);
}

/* A link may end before it begins. */
static int64_t duration(int64_t begin, int64_t end)
{
    return (int64_t)((uint64_t)end - (uint64_t)begin);
}

static const char *type_name(const source *of, const ocelotl_event *event)
{
    return ocelotl_trace_event_type_at(of->trace, event->event_type).name;
}

static const char *resource_type_name(const source *of, uint32_t resource)
{
    return ocelotl_trace_resource_type_at(of->trace,
                                          ocelotl_trace_resource_at(of->trace, resource).type)
        .name;
}

/* NULL for none. */
static const char *path_of(const source *of, uint32_t resource)
{
    return resource != OCELOTL_NONE ? ocelotl_events_path(of->events, resource) : NULL;
}

/* --- CSV */

static void add_cell(oc_csv_table *table, const char *text)
{
    oc_csv_text(table, text != NULL ? text : "");
}

static void add_row(oc_csv_table *table, const source *of, const ocelotl_event *event)
{
    add_cell(table, path_of(of, event->resource));
    oc_csv_text(table, resource_type_name(of, event->resource));
    oc_csv_text(table, oc_category_name(event->category));
    oc_csv_text(table, type_name(of, event));
    if (event->category == OCELOTL_VARIABLE)
        oc_csv_number(table, event->number);
    else
        oc_csv_text(table, oc_value_name(of->trace, event->value));
    add_seconds(oc_csv_cell(table), of, event->begin);
    add_seconds(oc_csv_cell(table), of, event->end);
    if (oc_is_whole(event))
        add_seconds(oc_csv_cell(table), of, duration(event->begin, event->end));
    else
        oc_csv_empty(table);
    if (event->category == OCELOTL_STATE)
        oc_csv_count(table, event->depth);
    else
        oc_csv_empty(table);
    add_cell(table, path_of(of, event->source));
    add_cell(table, path_of(of, event->target));
    add_cell(table, event->key);
    add_cell(table, event->attributes);
    oc_csv_end_row(table);
}

static void add_resource_row(oc_csv_table *table, const source *of, uint32_t resource)
{
    const ocelotl_resource one = ocelotl_trace_resource_at(of->trace, resource);
    const size_t behind = 5; /* depth, source, target, key, attributes */
    add_cell(table, path_of(of, resource));
    oc_csv_text(table, resource_type_name(of, resource));
    oc_csv_text(table, "resource");
    oc_csv_empty(table);
    oc_csv_empty(table);
    add_seconds(oc_csv_cell(table), of, one.begin);
    add_seconds(oc_csv_cell(table), of, one.end);
    add_seconds(oc_csv_cell(table), of, duration(one.begin, one.end));
    for (size_t i = 0; i < behind; i++)
        oc_csv_empty(table);
    oc_csv_end_row(table);
}

static void add_resource_rows(oc_csv_table *table, const source *of)
{
    for (size_t i = 0; i < of->declared.queue_count; i++)
        add_resource_row(table, of, of->declared.queue[i]);
}

/* The first event is asked for before anything is written: what cannot be read leaves no part. */
static ocelotl_status add_rows(oc_csv_table *table, source *of)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, of->events));
    oc_csv_row(table, "resource,resource_type,category,type,value,begin,end,duration,depth,source,"
                      "target,key,attributes");
    add_resource_rows(table, of);
    while (found && table->out.status == OCELOTL_OK) {
        OC_TRY(oc_declared_meet(&of->declared, &event));
        add_row(table, of, &event);
        OC_TRY(ocelotl_events_next(&found, &event, of->events));
    }
    oc_declared_finish(&of->declared);
    add_resource_rows(table, of);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_write_csv(const ocelotl_sink *sink, ocelotl_events *events,
                                        ocelotl_trace *trace, const ocelotl_selection *selection,
                                        ocelotl_losses *losses)
{
    oc_csv_table table = {.out = {.sink = sink}};
    source of = source_of(trace, events);
    *losses = (ocelotl_losses){0};
    ocelotl_status status = oc_declared_open(&of.declared, trace, selection);
    if (status == OCELOTL_OK)
        status = oc_output_send(&table.out, add_rows(&table, &of));
    if (status == OCELOTL_OK)
        status = oc_declared_lose(losses, &of.declared, trace);
    oc_declared_free(&of.declared);
    return oc_csv_finish(&table, status);
}

/* --- JSON, an object a line */

static void add_text(oc_json *json, const char *key, const char *text)
{
    if (text != NULL)
        oc_json_text(json, key, text);
    else
        oc_json_null(json, key);
}

static void add_event(oc_json *json, const source *of, const ocelotl_event *event)
{
    const uint32_t value = event->value;
    oc_json_object(json, NULL);
    oc_json_text(json, "resource", ocelotl_events_path(of->events, event->resource));
    oc_json_text(json, "resource_type", resource_type_name(of, event->resource));
    oc_json_text(json, "category", oc_category_name(event->category));
    oc_json_text(json, "type", type_name(of, event));
    if (event->category == OCELOTL_VARIABLE)
        oc_json_number(json, "value", event->number);
    else
        add_text(json, "value", value != OCELOTL_NONE ? oc_value_name(of->trace, value) : NULL);
    add_seconds(oc_json_value(json, "begin"), of, event->begin);
    add_seconds(oc_json_value(json, "end"), of, event->end);
    if (oc_is_whole(event))
        add_seconds(oc_json_value(json, "duration"), of, duration(event->begin, event->end));
    if (event->category == OCELOTL_STATE)
        oc_json_count(json, "depth", event->depth);
    if (event->category == OCELOTL_LINK) {
        add_text(json, "source", path_of(of, event->source));
        add_text(json, "target", path_of(of, event->target));
        add_text(json, "key", event->key);
    }
    oc_text_add(oc_json_value(json, "attributes"),
                event->attributes != NULL ? event->attributes : "{}");
    oc_json_end_object(json);
}

static void add_resource(oc_json *json, const source *of, uint32_t resource)
{
    const ocelotl_resource one = ocelotl_trace_resource_at(of->trace, resource);
    oc_json_object(json, NULL);
    oc_json_text(json, "resource", path_of(of, resource));
    oc_json_text(json, "resource_type", resource_type_name(of, resource));
    oc_json_text(json, "category", "resource");
    oc_json_null(json, "type");
    oc_json_null(json, "value");
    add_seconds(oc_json_value(json, "begin"), of, one.begin);
    add_seconds(oc_json_value(json, "end"), of, one.end);
    add_seconds(oc_json_value(json, "duration"), of, duration(one.begin, one.end));
    oc_text_add(oc_json_value(json, "attributes"), "{}");
    oc_json_end_object(json);
    oc_json_end_line(json);
}

static void add_resources(oc_json *json, const source *of)
{
    for (size_t i = 0; i < of->declared.queue_count; i++)
        add_resource(json, of, of->declared.queue[i]);
}

static ocelotl_status add_lines(oc_json *json, source *of)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, of->events));
    add_resources(json, of);
    while (found && json->out.status == OCELOTL_OK) {
        OC_TRY(oc_declared_meet(&of->declared, &event));
        add_event(json, of, &event);
        oc_json_end_line(json);
        OC_TRY(ocelotl_events_next(&found, &event, of->events));
    }
    oc_declared_finish(&of->declared);
    add_resources(json, of);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_write_json(const ocelotl_sink *sink, ocelotl_events *events,
                                         ocelotl_trace *trace, const ocelotl_selection *selection,
                                         ocelotl_losses *losses)
{
    oc_json json = {.out = {.sink = sink}};
    source of = source_of(trace, events);
    *losses = (ocelotl_losses){0};
    ocelotl_status status = oc_declared_open(&of.declared, trace, selection);
    if (status == OCELOTL_OK)
        status = oc_output_send(&json.out, add_lines(&json, &of));
    if (status == OCELOTL_OK)
        status = oc_declared_lose(losses, &of.declared, trace);
    oc_declared_free(&of.declared);
    return oc_output_end(&json.out, status);
}

/* Adds the next events to a list; *more tells whether others follow. */
static ocelotl_status add_page(oc_json *json, const source *of, uint64_t most, bool *more)
{
    ocelotl_event event;
    for (uint64_t i = 0; i <= most && json->out.status == OCELOTL_OK; i++) {
        OC_TRY(ocelotl_events_next(more, &event, of->events));
        if (!*more || i == most)
            return OCELOTL_OK;
        oc_json_line(json, 0);
        add_event(json, of, &event);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_write_page(bool *more, const ocelotl_sink *sink,
                                         ocelotl_events *events, const ocelotl_trace *trace,
                                         uint64_t skipped, uint64_t most)
{
    oc_json json = {.out = {.sink = sink}};
    ocelotl_event event;
    bool found = true;
    for (uint64_t i = 0; i < skipped && found; i++)
        OC_TRY(ocelotl_events_next(&found, &event, events));
    *more = false;
    oc_json_list(&json, NULL);
    const source of = source_of(trace, events);
    const ocelotl_status status = found ? add_page(&json, &of, most, more) : OCELOTL_OK;
    oc_json_end_list(&json);
    return oc_output_end(&json.out, oc_output_send(&json.out, status));
}
