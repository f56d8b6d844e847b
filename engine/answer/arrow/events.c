/* Events and resources. */
#include "answer/answer.h"
#include "answer/arrow/table.h"
#include "base/memory.h"

#include <stdlib.h>

/* --- Names of a trace */

static const char *resource_path_at(const void *events, uint32_t index)
{
    return ocelotl_events_path(events, index);
}

static const char *resource_type_at(const void *trace, uint32_t index)
{
    return ocelotl_trace_resource_type_at(trace, index).name;
}

static const char *event_type_at(const void *trace, uint32_t index)
{
    return ocelotl_trace_event_type_at(trace, index).name;
}

static const char *value_at(const void *trace, uint32_t index)
{
    return ocelotl_trace_value_at(trace, index).name;
}

static const char *category_at(const void *source, uint32_t index)
{
    (void)source;
    return oc_category_word((ocelotl_category)index);
}

/* --- Events */

typedef struct event_list {
    const ocelotl_trace *trace;
    ocelotl_events *events;
} event_list;

static double seconds(const event_list *of, int64_t ticks)
{
    return ocelotl_trace_seconds(of->trace, ticks);
}

static bool is_whole(const ocelotl_event *event)
{
    return event->category != OCELOTL_LINK ||
           (event->source != OCELOTL_NONE && event->target != OCELOTL_NONE);
}

static void add_event(oc_batch *batch, const event_list *of, const ocelotl_event *event)
{
    const bool variable = event->category == OCELOTL_VARIABLE;
    const int64_t duration = (int64_t)((uint64_t)event->end - (uint64_t)event->begin);
    oc_add_name(batch, event->resource);
    oc_add_name(batch, ocelotl_trace_resource_at(of->trace, event->resource).type);
    oc_add_name(batch, (uint32_t)event->category);
    oc_add_name(batch, event->event_type);
    oc_add_optional_name(batch, event->value);
    oc_add_optional_number(batch, variable, event->number);
    oc_add_number(batch, seconds(of, event->begin));
    oc_add_number(batch, seconds(of, event->end));
    oc_add_optional_number(batch, is_whole(event), seconds(of, duration));
    oc_add_optional_index(batch, event->category == OCELOTL_STATE, event->depth);
    oc_add_optional_name(batch, event->source);
    oc_add_optional_name(batch, event->target);
    oc_add_optional_text(batch, event->key);
    oc_add_optional_text(batch, event->attributes);
    oc_end_row(batch);
}

static ocelotl_status fill_events(oc_batch *batch, void *source)
{
    const event_list *of = source;
    ocelotl_event event;
    bool found = true;
    while (!oc_batch_is_full(batch)) {
        OC_TRY(ocelotl_events_next(&found, &event, of->events));
        if (!found)
            return OCELOTL_OK;
        add_event(batch, of, &event);
    }
    return OCELOTL_OK;
}

/* Source and target are resources, too. */
static ocelotl_status make_names(oc_heading *headings, const event_list *of)
{
    const ocelotl_trace *trace = of->trace;
    const uint32_t resources = ocelotl_trace_resource_count(trace);
    OC_TRY(oc_name_list_make(&headings[0].dictionary, resources, resource_path_at, of->events));
    headings[10].dictionary = oc_name_list_share(headings[0].dictionary);
    headings[11].dictionary = oc_name_list_share(headings[0].dictionary);
    OC_TRY(oc_name_list_make(&headings[1].dictionary, ocelotl_trace_resource_type_count(trace),
                             resource_type_at, trace));
    OC_TRY(oc_name_list_make(&headings[2].dictionary, OCELOTL_LINK + 1, category_at, NULL));
    OC_TRY(oc_name_list_make(&headings[3].dictionary, ocelotl_trace_event_type_count(trace),
                             event_type_at, trace));
    return oc_name_list_make(&headings[4].dictionary, ocelotl_trace_value_count(trace), value_at,
                             trace);
}

ocelotl_status ocelotl_events_to_arrow(struct ArrowArrayStream *stream, ocelotl_events *events,
                                       const ocelotl_trace *trace,
                                       const ocelotl_arrow_options *options)
{
    oc_heading headings[] = {
        {"resource", OC_CELL_NAME, NULL},   {"resource_type", OC_CELL_NAME, NULL},
        {"category", OC_CELL_NAME, NULL},   {"type", OC_CELL_NAME, NULL},
        {"value", OC_CELL_NAME, NULL},      {"number", OC_CELL_NUMBER, NULL},
        {"begin", OC_CELL_NUMBER, NULL},    {"end", OC_CELL_NUMBER, NULL},
        {"duration", OC_CELL_NUMBER, NULL}, {"depth", OC_CELL_INDEX, NULL},
        {"source", OC_CELL_NAME, NULL},     {"target", OC_CELL_NAME, NULL},
        {"key", OC_CELL_TEXT, NULL},        {"attributes", OC_CELL_TEXT, NULL}};
    const uint32_t count = sizeof headings / sizeof headings[0];
    event_list *of = NULL;
    oc_row_source rows = {.fill = fill_events, .count = SIZE_MAX};
    ocelotl_status status = oc_allocate(&of, 1, sizeof *of);
    if (status == OCELOTL_OK) {
        *of = (event_list){trace, events};
        rows.source = of;
        rows.free = free;
        status = make_names(headings, of);
    }
    return status == OCELOTL_OK ? oc_table_make(stream, headings, count, &rows, options)
                                : oc_table_fail(status, headings, count, &rows, options);
}

/* --- Resources */

typedef struct resource_list {
    const ocelotl_trace *trace;
    ocelotl_events *events; /* know paths */
    uint32_t next, count;
} resource_list;

static void free_resources(void *source)
{
    resource_list *of = source;
    ocelotl_events_free(of->events);
    free(of);
}

static ocelotl_status fill_resources(oc_batch *batch, void *source)
{
    resource_list *of = source;
    for (; of->next < of->count && !oc_batch_is_full(batch); of->next++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(of->trace, of->next);
        oc_add_index(batch, of->next);
        oc_add_optional_text(batch, ocelotl_events_path(of->events, of->next));
        oc_add_optional_text(batch, resource.name);
        oc_add_name(batch, resource.type);
        oc_add_optional_index(batch, resource.parent != OCELOTL_ROOT, resource.parent);
        oc_add_number(batch, ocelotl_trace_seconds(of->trace, resource.begin));
        oc_add_number(batch, ocelotl_trace_seconds(of->trace, resource.end));
        oc_end_row(batch);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_resources_to_arrow(struct ArrowArrayStream *stream, ocelotl_trace *trace,
                                          const ocelotl_arrow_options *options)
{
    oc_heading headings[] = {{"id", OC_CELL_INDEX, NULL},     {"path", OC_CELL_TEXT, NULL},
                             {"name", OC_CELL_TEXT, NULL},    {"type", OC_CELL_NAME, NULL},
                             {"parent", OC_CELL_INDEX, NULL}, {"begin", OC_CELL_NUMBER, NULL},
                             {"end", OC_CELL_NUMBER, NULL}};
    const uint32_t count = sizeof headings / sizeof headings[0];
    resource_list *of = NULL;
    oc_row_source rows = {.fill = fill_resources, .count = ocelotl_trace_resource_count(trace)};
    ocelotl_status status = oc_allocate(&of, 1, sizeof *of);
    if (status == OCELOTL_OK) {
        *of = (resource_list){.trace = trace, .count = (uint32_t)rows.count};
        rows.source = of;
        rows.free = free_resources;
        status = ocelotl_events_open(&of->events, trace, NULL);
    }
    if (status == OCELOTL_OK)
        status =
            oc_name_list_make(&headings[3].dictionary, ocelotl_trace_resource_type_count(trace),
                              resource_type_at, trace);
    return status == OCELOTL_OK ? oc_table_make(stream, headings, count, &rows, options)
                                : oc_table_fail(status, headings, count, &rows, options);
}
