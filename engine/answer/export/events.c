/* Events as rows, which go out as they are found, with rows for the resources that events do not
 * say by themselves: those around others, those that do not live as long as the trace, and those
 * where nothing happens. */
#include "answer/answer.h"
#include "answer/export/export.h"

#include "base/format/exact.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
    const ocelotl_trace *trace;
    ocelotl_events *events;
    oc_exact clock;
    bool is_csv, is_page; /* else lines of JSON */
    oc_json json;
    oc_csv_table table;

    ocelotl_trace *whole; /* NULL: a part of the trace is written, of which nothing is declared */
    ocelotl_losses *losses;
    uint32_t *queue; /* what is to be declared now */
    uint32_t queue_count, count;
    bool *are_met;      /* resources that events name */
    uint32_t *lasts;    /* inside each resource and, behind them, at the top: what was met last */
    bool is_disordered; /* siblings are met in another order than that of the trace */
    bool *are_moved;    /* event types with an event in a resource of another type */
    uint64_t steps;     /* of variables */
    uint64_t late;      /* states and links that carry something at their ends */
    bool has_bounds;
    int64_t begin, end; /* of what rows say */
} writing;

/* --- Rows: the cells of a table, which may be empty, or the members of an object */

static oc_text *begin_cell(writing *to, const char *name)
{
    return to->is_csv ? oc_csv_cell(&to->table) : oc_json_value(&to->json, name);
}

static void add_text(writing *to, const char *name, const char *text)
{
    if (to->is_csv)
        oc_csv_text(&to->table, text != NULL ? text : "");
    else if (text != NULL)
        oc_json_text(&to->json, name, text);
    else
        oc_json_null(&to->json, name);
}

static void add_path(writing *to, const char *name, uint32_t resource)
{
    add_text(to, name, resource != OCELOTL_NONE ? ocelotl_events_path(to->events, resource) : NULL);
}

/* Adds a number of ticks as seconds: with the fewest digits that give the double back, or exactly
 * where there are more digits than a double has. */
static void add_seconds(writing *to, const char *name, int64_t ticks)
{
    static const int64_t most = 1000000000000000;
    oc_text *text = begin_cell(to, name);
    if (!to->clock.rounds && (ticks < -most || ticks > most))
        oc_exact_add(text, &to->clock, ticks);
    else
        oc_text_add(text, oc_digits(ocelotl_trace_seconds(to->trace, ticks)).text);
}

/* Only a row of a table says that it has no such thing. */
static void leave_out(writing *to)
{
    if (to->is_csv)
        oc_csv_empty(&to->table);
}

/* Adds an event, or a resource, which has no event type. */
static void add_row(writing *to, const ocelotl_event *event)
{
    const uint32_t type = event->event_type;
    const bool is_event = type != OCELOTL_NONE;
    if (!to->is_csv)
        oc_json_object(&to->json, NULL);
    add_path(to, "resource", event->resource);
    add_text(to, "resource_type", oc_resource_type_name(to->trace, event->resource));
    add_text(to, "category", is_event ? oc_category_name(event->category) : "resource");
    add_text(to, "type", is_event ? ocelotl_trace_event_type_at(to->trace, type).name : NULL);
    if (event->category != OCELOTL_VARIABLE)
        add_text(to, "value",
                 event->value != OCELOTL_NONE ? oc_value_name(to->trace, event->value) : NULL);
    else if (to->is_csv)
        oc_csv_number(&to->table, event->number);
    else
        oc_json_number(&to->json, "value", event->number);
    add_seconds(to, "begin", event->begin);
    add_seconds(to, "end", event->end);
    if (oc_is_whole(event)) /* a link may end before it begins */
        add_seconds(to, "duration", (int64_t)((uint64_t)event->end - (uint64_t)event->begin));
    else
        leave_out(to);
    if (event->category == OCELOTL_STATE)
        oc_text_format(begin_cell(to, "depth"), "%" PRIu32, event->depth);
    else
        leave_out(to);
    if (to->is_csv || event->category == OCELOTL_LINK) {
        add_path(to, "source", event->source);
        add_path(to, "target", event->target);
        add_text(to, "key", event->key);
    }
    if (to->is_csv) {
        add_text(to, "attributes", event->attributes);
        oc_csv_end_row(&to->table);
        return;
    }
    oc_text_add(begin_cell(to, "attributes"), event->attributes != NULL ? event->attributes : "{}");
    oc_json_end_object(&to->json);
    if (!to->is_page)
        oc_json_end_line(&to->json);
}

static void add_queue(writing *to)
{
    for (size_t i = 0; i < to->queue_count; i++) {
        const uint32_t resource = to->queue[i];
        const ocelotl_resource one = ocelotl_trace_resource_at(to->trace, resource);
        add_row(to, &(ocelotl_event){.category = OCELOTL_EVENT,
                                     .event_type = OCELOTL_NONE,
                                     .resource = resource,
                                     .value = OCELOTL_NONE,
                                     .begin = one.begin,
                                     .end = one.end,
                                     .source = OCELOTL_NONE,
                                     .target = OCELOTL_NONE});
    }
    to->queue_count = 0;
}

/* --- Resources */

static bool is_whole(const ocelotl_selection *selection, const ocelotl_trace_info *info)
{
    if (selection == NULL)
        return false;
    const bool all = selection->from == 0 && selection->to == 0;
    return (all || (selection->from <= info->begin && selection->to >= info->end)) &&
           selection->resources.count + selection->only.count + selection->except.count == 0 &&
           selection->only_resources.count + selection->except_resources.count == 0 &&
           selection->where.count == 0 && selection->min_duration == 0 &&
           selection->max_duration == 0;
}

/* The type of resources that a table says nothing of (docs/formats/csv.md). */
static bool is_unknown_type(const char *name)
{
    return strcmp(name, "Group") == 0;
}

/* Whether rows of events alone do not say where they happen: types are alike, or a resource is not
 * as what is around it. */
static ocelotl_status need_resources(bool *needed, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    oc_map names = {0};
    ocelotl_status status = OCELOTL_OK;
    *needed = false;
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(trace); i++) {
        const char *name = ocelotl_trace_resource_type_at(trace, i).name;
        if (status != OCELOTL_OK || is_unknown_type(name))
            continue;
        *needed = *needed || oc_map_get(&names, name, strlen(name)) != OC_MAP_NONE;
        status = oc_map_set(&names, name, strlen(name), i);
    }
    oc_map_free(&names);
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace) && !*needed; r++) {
        const ocelotl_resource one = ocelotl_trace_resource_at(trace, r);
        *needed = one.begin != info.begin || one.end != info.end ||
                  (one.parent != OCELOTL_ROOT &&
                   !is_unknown_type(oc_resource_type_name(trace, one.parent)));
    }
    return status;
}

static void widen(writing *to, int64_t begin, int64_t end)
{
    to->begin = to->has_bounds && to->begin < begin ? to->begin : begin;
    to->end = to->has_bounds && to->end > end ? to->end : end;
    to->has_bounds = true;
}

/* A path names all that is around it, and readers keep the order in which resources are met. */
static void meet(writing *to, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && !to->are_met[resource]) {
        const uint32_t parent = ocelotl_trace_resource_at(to->trace, resource).parent;
        uint32_t *last = &to->lasts[parent != OCELOTL_ROOT ? parent : to->count];
        to->is_disordered = to->is_disordered || (*last != OCELOTL_NONE && *last > resource);
        *last = resource;
        to->are_met[resource] = true;
        resource = parent;
    }
}

static void declare(writing *to, uint32_t resource)
{
    const ocelotl_resource one = ocelotl_trace_resource_at(to->trace, resource);
    meet(to, resource);
    widen(to, one.begin, one.end);
    to->queue[to->queue_count++] = resource;
}

static void declare_all(writing *to)
{
    to->queue_count = 0;
    for (uint32_t r = 0; r < to->count; r++)
        declare(to, r);
}

/* Meets an event. The type that its place is of is that of its resource; a lane has the types of
 * the row around it. */
static void meet_event(writing *to, const ocelotl_event *event)
{
    const bool is_link = event->category == OCELOTL_LINK;
    const uint32_t type = event->event_type;
    const uint32_t resource_type = ocelotl_trace_event_type_at(to->trace, type).resource_type;
    ocelotl_resource place = ocelotl_trace_resource_at(to->trace, event->resource);
    if (place.parent != OCELOTL_ROOT && oc_is_lane(to->trace, event->resource))
        place = ocelotl_trace_resource_at(to->trace, place.parent);
    to->are_moved[type] = to->are_moved[type] || place.type != resource_type;
    meet(to, event->resource);
    if (is_link && event->source != OCELOTL_NONE)
        meet(to, event->source);
    if (is_link && event->target != OCELOTL_NONE)
        meet(to, event->target);
    widen(to, event->begin < event->end ? event->begin : event->end,
          event->begin > event->end ? event->begin : event->end);
    to->steps += event->category == OCELOTL_VARIABLE;
    if (event->category == OCELOTL_STATE || (is_link && oc_is_whole(event))) {
        const char *attributes = event->attributes != NULL ? event->attributes : "";
        size_t carried = 0;
        for (oc_member one; oc_member_next(&one, &attributes);)
            carried++;
        to->late += event->begin_attributes < carried;
    }
}

/* --- What rows of resources and events cannot say of a whole trace; of a part nobody expects it */

/* What has no row, is not where its type says, is called like another beside it, or has notes. */
static const char unsaid[] =
    "SELECT (SELECT count(*) FROM resource_type WHERE id NOT IN (SELECT type FROM resource)),"
    " (SELECT count(*) FROM event_type WHERE count = 0),"
    " (SELECT count(*) FROM value WHERE count = 0),"
    " (SELECT count(*) FROM resource AS r JOIN resource_type AS t ON t.id = r.type"
    " LEFT JOIN resource AS p ON p.id = r.parent WHERE t.parent IS NOT p.type),"
    " (SELECT count(*) FROM resource) -"
    " (SELECT count(*) FROM (SELECT DISTINCT parent, name FROM resource)),"
    " (SELECT count(*) FROM resource_type) + (SELECT count(*) FROM event_type)"
    " + (SELECT count(*) FROM value)"
    " - (SELECT count(*) FROM (SELECT DISTINCT parent, name FROM resource_type))"
    " - (SELECT count(*) FROM (SELECT DISTINCT resource_type, name FROM event_type))"
    " - (SELECT count(*) FROM (SELECT DISTINCT event_type, name FROM value)),"
    " (SELECT count(*) FROM resource WHERE notes <> '')";

/* Changes that no step of a variable shows. */
static ocelotl_status count_changes(uint64_t *changes, const writing *to)
{
    ocelotl_events *events = NULL;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_event event;
    bool found = true;
    options.every_change = true;
    options.without_attributes = true;
    if (!oc_has_events(to->trace, OCELOTL_VARIABLE))
        return OCELOTL_OK;
    ocelotl_status status = ocelotl_events_open(&events, to->whole, &options);
    while (found && status == OCELOTL_OK) {
        status = ocelotl_events_next(&found, &event, events);
        *changes += status == OCELOTL_OK && found && event.category == OCELOTL_VARIABLE;
    }
    ocelotl_events_free(events);
    return status;
}

static ocelotl_status count_losses(const writing *to)
{
    ocelotl_losses *losses = to->losses;
    uint64_t changes = 0;
    uint64_t counts[7];
    OC_TRY(count_changes(&changes, to));
    OC_TRY(oc_read_counts(counts, 7, to->whole, unsaid));
    oc_lose(losses, "states and links with attributes at their ends, as if at their begins",
            to->late);
    oc_lose(losses, "types of resources without any of them", counts[0]);
    oc_lose(losses, "event types without events", counts[1]);
    oc_lose(losses, "values that never occur", counts[2]);
    oc_lose(losses, "resources that are not where their type belongs", counts[3]);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(to->trace); i++)
        oc_lose(losses, "event types of events in resources of another type than theirs",
                to->are_moved[i]);
    oc_lose(losses, "resources called like another beside them (NAME#2)", counts[4]);
    oc_lose(losses, "types and values called like another beside them", counts[5]);
    oc_lose(losses, "values of variables that others replace at the same instant",
            changes > to->steps ? changes - to->steps : 0);
    oc_lose(losses, "resources with notes", counts[6]);
    return OCELOTL_OK;
}

/* --- All of it */

static ocelotl_status open_resources(writing *to)
{
    bool needed = false;
    to->count = ocelotl_trace_resource_count(to->trace);
    const size_t most = (size_t)to->count + 1;
    OC_TRY(oc_allocate(&to->queue, most, sizeof *to->queue));
    OC_TRY(oc_allocate(&to->are_met, most, sizeof *to->are_met));
    OC_TRY(oc_allocate(&to->lasts, most, sizeof *to->lasts));
    OC_TRY(oc_allocate(&to->are_moved, (size_t)ocelotl_trace_event_type_count(to->trace) + 1,
                       sizeof *to->are_moved));
    for (size_t i = 0; i < most; i++)
        to->lasts[i] = OCELOTL_NONE;
    OC_TRY(need_resources(&needed, to->trace));
    if (needed)
        declare_all(to);
    return OCELOTL_OK;
}

static ocelotl_status open_rows(void *of)
{
    writing *to = of;
    if (to->whole != NULL)
        OC_TRY(open_resources(to));
    if (to->is_csv)
        oc_csv_row(&to->table, "resource,resource_type,category,type,value,begin,end,duration,"
                               "depth,source,target,key,attributes");
    add_queue(to);
    return OCELOTL_OK;
}

static ocelotl_status write_event(void *of, const ocelotl_event *event)
{
    writing *to = of;
    if (to->whole != NULL)
        meet_event(to, event);
    add_row(to, event);
    return OCELOTL_OK;
}

/* The first and last instant of the trace are those of all resources, where none was declared. */
static ocelotl_status close_rows(void *of)
{
    writing *to = of;
    const ocelotl_trace_info info = ocelotl_trace_info_of(to->trace);
    if (to->whole == NULL)
        return OCELOTL_OK;
    for (uint32_t r = 0; r < to->count; r++)
        if (!to->are_met[r])
            declare(to, r);
    const bool is_bounded = to->has_bounds && to->begin <= info.begin && to->end >= info.end;
    if (to->is_disordered)
        declare_all(to);
    else if (!is_bounded && to->count > 0 && to->queue_count == 0)
        declare(to, to->count - 1);
    add_queue(to);
    return count_losses(to);
}

static ocelotl_status write_rows(const ocelotl_sink *sink, ocelotl_events *events,
                                 ocelotl_trace *trace, const ocelotl_selection *selection,
                                 ocelotl_losses *losses, bool is_csv)
{
    static const oc_export_steps steps = {open_rows, NULL, write_event, close_rows};
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    writing to = {.trace = trace,
                  .events = events,
                  .clock = oc_exact_of(info.tick_numerator, info.tick_denominator, 0),
                  .is_csv = is_csv,
                  .json = {.out = {.sink = sink}},
                  .table = {.out = {.sink = sink}},
                  .whole = is_whole(selection, &info) ? trace : NULL,
                  .losses = losses};
    const oc_export all = {
        .events = events,
        .trace = trace,
        .losses = losses,
        .clock = to.clock,
        .lacks = to.whole != NULL ? OC_LACKS_UNITS | OC_LACKS_ORIGIN | OC_LACKS_FINE_CLOCKS : 0};
    oc_output *out = is_csv ? &to.table.out : &to.json.out;
    const ocelotl_status status = oc_export_events(out, &all, &steps, &to);
    free(to.queue);
    free(to.are_met);
    free(to.lasts);
    free(to.are_moved);
    return status;
}

ocelotl_status ocelotl_events_write_csv(const ocelotl_sink *sink, ocelotl_events *events,
                                        ocelotl_trace *trace, const ocelotl_selection *selection,
                                        ocelotl_losses *losses)
{
    return write_rows(sink, events, trace, selection, losses, true);
}

ocelotl_status ocelotl_events_write_json(const ocelotl_sink *sink, ocelotl_events *events,
                                         ocelotl_trace *trace, const ocelotl_selection *selection,
                                         ocelotl_losses *losses)
{
    return write_rows(sink, events, trace, selection, losses, false);
}

ocelotl_status ocelotl_events_write_page(bool *more, const ocelotl_sink *sink,
                                         ocelotl_events *events, const ocelotl_trace *trace,
                                         uint64_t skipped, uint64_t most)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    writing to = {.trace = trace,
                  .events = events,
                  .clock = oc_exact_of(info.tick_numerator, info.tick_denominator, 0),
                  .is_page = true,
                  .json = {.out = {.sink = sink}}};
    ocelotl_event event;
    ocelotl_status status = OCELOTL_OK;
    *more = true;
    for (uint64_t i = 0; i < skipped && *more; i++)
        OC_TRY(ocelotl_events_next(more, &event, events));
    oc_json_list(&to.json, NULL);
    for (uint64_t i = 0; i <= most && to.json.out.status == OCELOTL_OK; i++) {
        status = ocelotl_events_next(more, &event, events);
        if (status != OCELOTL_OK || !*more || i == most)
            break;
        oc_json_line(&to.json, 0);
        add_row(&to, &event);
    }
    oc_json_end_list(&to.json);
    return oc_output_end(&to.json.out, oc_output_send(&to.json.out, status));
}
