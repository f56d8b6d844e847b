/* Events, which go out as they are found. */
#include "answer/answer.h"

#include <ocelotl/query.h>

#include <string.h>

typedef struct source {
    const ocelotl_trace *trace;
    ocelotl_events *events;
} source;

static int64_t duration(const ocelotl_event *event)
{
    return (int64_t)((uint64_t)event->end - (uint64_t)event->begin);
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
    oc_csv_number(table, ocelotl_trace_seconds(of->trace, event->begin));
    oc_csv_number(table, ocelotl_trace_seconds(of->trace, event->end));
    if (oc_is_whole(event))
        oc_csv_number(table, ocelotl_trace_seconds(of->trace, duration(event)));
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

/* The first event is asked for before anything is written: what cannot be read leaves no part. */
static ocelotl_status add_rows(oc_csv_table *table, const source *of)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, of->events));
    oc_csv_row(table, "resource,resource_type,category,type,value,begin,end,duration,depth,source,"
                      "target,key,attributes");
    while (found && table->out.status == OCELOTL_OK) {
        add_row(table, of, &event);
        OC_TRY(ocelotl_events_next(&found, &event, of->events));
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_write_csv(const ocelotl_sink *sink, ocelotl_events *events,
                                        const ocelotl_trace *trace)
{
    oc_csv_table table = {.out = {.sink = sink}};
    return oc_csv_finish(&table,
                         oc_output_send(&table.out, add_rows(&table, &(source){trace, events})));
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
    oc_json_seconds(json, "begin", of->trace, event->begin);
    oc_json_seconds(json, "end", of->trace, event->end);
    if (oc_is_whole(event))
        oc_json_seconds(json, "duration", of->trace, duration(event));
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

static ocelotl_status add_lines(oc_json *json, const source *of)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, of->events));
    while (found && json->out.status == OCELOTL_OK) {
        add_event(json, of, &event);
        oc_json_end_line(json);
        OC_TRY(ocelotl_events_next(&found, &event, of->events));
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_write_json(const ocelotl_sink *sink, ocelotl_events *events,
                                         const ocelotl_trace *trace)
{
    oc_json json = {.out = {.sink = sink}};
    return oc_output_end(&json.out,
                         oc_output_send(&json.out, add_lines(&json, &(source){trace, events})));
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
    const ocelotl_status status =
        found ? add_page(&json, &(source){trace, events}, most, more) : OCELOTL_OK;
    oc_json_end_list(&json);
    return oc_output_end(&json.out, oc_output_send(&json.out, status));
}
