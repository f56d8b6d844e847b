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

/* --- As pj_dump does */

/* The name of a resource's container; the root, above the topmost resources, is called 0. */
static const char *container_name(const ocelotl_trace *trace, uint32_t resource)
{
    return resource != OCELOTL_ROOT ? ocelotl_trace_resource_at(trace, resource).name : "0";
}

/* Events of the root container itself have a resource of their own (docs/formats/paje.md). */
static bool is_root_container(const ocelotl_trace *trace, const ocelotl_resource *resource)
{
    return resource->parent == OCELOTL_ROOT && strcmp(resource->name, "0") == 0 &&
           strcmp(ocelotl_trace_resource_type_at(trace, resource->type).name, "0") == 0;
}

static void add_field(oc_output *out, const char *text)
{
    oc_output_add(out, ", ");
    oc_output_add(out, text);
}

static void add_container(oc_output *out, const char *parent, const char *type, double begin,
                          double end, const char *name)
{
    oc_output_add(out, "Container");
    add_field(out, parent);
    add_field(out, type);
    oc_output_format(out, ", %g, %g, %g", begin, end, end - begin);
    add_field(out, name);
    oc_output_add(out, "\n");
}

/* Whether the root itself is asked for: by no path and no filter, or by its path, which is empty.
 */
static bool is_root_asked(const ocelotl_selection *selection)
{
    bool asked = selection->resources.count == 0;
    for (size_t i = 0; i < selection->resources.count && !asked; i++)
        asked = selection->resources.names[i][0] == '\0';
    return asked && selection->only_resources.count == 0 && selection->except_resources.count == 0;
}

static void add_containers(oc_output *out, const source *of, const ocelotl_selection *selection)
{
    const ocelotl_trace *trace = of->trace;
    const double last = ocelotl_trace_seconds(trace, ocelotl_trace_info_of(trace).end);
    if (is_root_asked(selection))
        add_container(out, "0", "0", 0, last, "0");
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        if (!is_root_container(trace, &resource) && resource.begin <= selection->to &&
            resource.end >= selection->from && ocelotl_events_cover(of->events, r))
            add_container(out, container_name(trace, resource.parent), resource_type_name(of, r),
                          ocelotl_trace_seconds(trace, resource.begin),
                          ocelotl_trace_seconds(trace, resource.end), resource.name);
    }
}

static bool is_above(const ocelotl_trace *trace, uint32_t above, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && resource > above)
        resource = ocelotl_trace_resource_at(trace, resource).parent;
    return resource == above;
}

/* The container of a link: around both its ends, of the type that such links are declared in. */
static uint32_t link_container(const ocelotl_trace *trace, const ocelotl_event *event)
{
    const uint32_t type = ocelotl_trace_event_type_at(trace, event->event_type).resource_type;
    uint32_t resource = type == OCELOTL_ROOT ? OCELOTL_ROOT : event->source;
    while (resource != OCELOTL_ROOT) {
        const ocelotl_resource found = ocelotl_trace_resource_at(trace, resource);
        if (found.type == type && is_above(trace, resource, event->target))
            return resource;
        resource = found.parent;
    }
    return OCELOTL_ROOT;
}

/* Adds a string of JSON behind its opening quote as it was, and gives what is behind it. What is
 * written as a code stays one. */
static const char *add_unquoted(oc_output *out, const char *text, bool shown)
{
    char byte[2] = "";
    for (; *text != '"' && *text != '\0'; text++) {
        text += *text == '\\' && (text[1] == '"' || text[1] == '\\');
        byte[0] = *text;
        if (shown)
            oc_output_add(out, byte);
    }
    return *text == '"' ? text + 1 : text;
}

/* The attributes of an event, an object of JSON, as fields in their order. */
static void add_attribute_fields(oc_output *out, const char *attributes)
{
    char byte[2] = "";
    while (*attributes != '\0' && *attributes != '"')
        attributes++;
    while (*attributes == '"') {
        attributes = add_unquoted(out, attributes + 1, false);
        attributes += *attributes == ':';
        oc_output_add(out, ", ");
        if (*attributes == '"')
            attributes = add_unquoted(out, attributes + 1, true);
        for (; *attributes != '\0' && *attributes != '"'; attributes++)
            if (strchr(",}", *attributes) == NULL) {
                byte[0] = *attributes;
                oc_output_add(out, byte);
            }
    }
}

/* Whether the trace came as lines of pj_dump or as a table: fields of the user's own are behind
 * those of pj_dump then, which it leaves out of a Pajé trace by itself. */
static bool has_own_fields(const ocelotl_trace *trace)
{
    return strcmp(ocelotl_trace_info_of(trace).format, "csv") == 0;
}

static void add_dump(oc_output *out, const source *of, const ocelotl_event *event, int digits)
{
    static const char *const words[] = {"Event", "State", "Variable", "Link"};
    const ocelotl_trace *trace = of->trace;
    const bool link = event->category == OCELOTL_LINK;
    const double begin = ocelotl_trace_seconds(trace, event->begin);
    const double end = ocelotl_trace_seconds(trace, event->end);
    if (!oc_is_whole(event))
        return;
    oc_output_add(out, words[event->category]);
    add_field(out, container_name(trace, link ? link_container(trace, event) : event->resource));
    add_field(out, type_name(of, event));
    oc_output_format(out, ", %.*f", digits, begin);
    if (event->category != OCELOTL_EVENT)
        oc_output_format(out, ", %.*f, %.*f", digits, end, digits, end - begin);
    if (event->category == OCELOTL_STATE)
        oc_output_format(out, ", %.*f", digits, (double)event->depth);
    if (event->category == OCELOTL_VARIABLE)
        oc_output_format(out, ", %.*f", digits, event->number);
    else
        add_field(out, oc_value_name(trace, event->value));
    if (link) {
        add_field(out, container_name(trace, event->source));
        add_field(out, container_name(trace, event->target));
        add_field(out, event->key != NULL ? event->key : "");
    }
    if (event->attributes != NULL && has_own_fields(trace))
        add_attribute_fields(out, event->attributes);
    oc_output_add(out, "\n");
}

static ocelotl_status add_all(oc_output *out, const source *of, const ocelotl_selection *selection,
                              int digits)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, of->events));
    add_containers(out, of, selection);
    while (found && out->status == OCELOTL_OK) {
        add_dump(out, of, &event, digits);
        OC_TRY(ocelotl_events_next(&found, &event, of->events));
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_write_pjdump(const ocelotl_sink *sink, ocelotl_events *events,
                                           const ocelotl_trace *trace,
                                           const ocelotl_selection *selection, uint32_t digits)
{
    oc_output out = {.sink = sink};
    const source of = {trace, events};
    return oc_output_end(&out, oc_output_send(&out, add_all(&out, &of, selection, (int)digits)));
}
