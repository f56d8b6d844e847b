/* Chrome trace events: docs/export.md says what becomes of what. A viewer of them knows processes,
 * with threads, and nothing deeper.
 *
 * A resource is a process where something is below it, or it has variables; else it is a thread of
 * the process around it. What happens in a process itself is in the thread that has its number.
 * Numbers and the order of tracks follow the hierarchy: 1 is the root, and the resource that comes
 * n-th in it, from 0 on, n + 2. */
#include "answer/answer.h"
#include "answer/export/export.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A thread of a process, by their numbers. */
typedef struct track {
    uint32_t process, thread; /* OCELOTL_NONE: the process alone */
} track;

typedef struct writing {
    oc_export base;
    const ocelotl_partition *partition; /* NULL: its parts are not wanted */
    uint32_t *places;                   /* of each resource in the hierarchy */
    bool *are_processes;                /* each resource */
    uint32_t *first_types;              /* of each resource the first type of its states, + 1 */
    bool *named_processes;              /* by place + 1; the root is the first */
    bool *named_threads;
    uint32_t next_thread; /* the number of the next track that is no resource's */
    oc_map others;        /* the tracks that are no resource's, by resource, type and lane */
    bool follows;         /* something: a comma goes before the next element */
    oc_slices *slices;
    uint32_t resource, type; /* of the stream that is read */
    oc_text slice;
    uint64_t link; /* the number of the last one */
} writing;

static ocelotl_status open_tracks(writing *to)
{
    const ocelotl_trace *trace = to->base.trace;
    const uint32_t count = ocelotl_trace_resource_count(trace);
    bool *have_variables = NULL; /* each type of resources */
    to->next_thread = count + 2;
    OC_TRY(oc_allocate(&to->places, count, sizeof *to->places));
    OC_TRY(oc_allocate(&to->are_processes, count, sizeof *to->are_processes));
    OC_TRY(oc_allocate(&to->first_types, count, sizeof *to->first_types));
    OC_TRY(oc_allocate(&to->named_processes, (size_t)count + 1, sizeof *to->named_processes));
    OC_TRY(oc_allocate(&to->named_threads, (size_t)count + 1, sizeof *to->named_threads));
    OC_TRY(oc_export_places(to->places, trace, count));
    OC_TRY(oc_allocate(&have_variables, ocelotl_trace_resource_type_count(trace),
                       sizeof *have_variables));
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        if (type.category == OCELOTL_VARIABLE && type.count > 0 &&
            type.resource_type != OCELOTL_ROOT)
            have_variables[type.resource_type] = true;
    }
    for (uint32_t r = 0; r < count; r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        if (resource.parent != OCELOTL_ROOT && !oc_is_lane(trace, r))
            to->are_processes[resource.parent] = true;
        if (have_variables[resource.type])
            to->are_processes[r] = true;
    }
    free(have_variables);
    return OCELOTL_OK;
}

/* --- Names */

/* Begins an element of the list in a line of its own: its kind, process and thread. */
static void begin(writing *to, const char *phase, track at)
{
    oc_output_format(&to->base.out, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu32, to->follows ? "," : "",
                     phase, at.process);
    if (at.thread != OCELOTL_NONE)
        oc_output_format(&to->base.out, ",\"tid\":%" PRIu32, at.thread);
    to->follows = true;
}

/* Writes what a process or thread is called, and its place among its siblings. */
static void write_name(writing *to, track at, const char *kind, const char *name, int64_t place)
{
    begin(to, "M", at);
    oc_output_format(&to->base.out, ",\"name\":\"%s_name\",\"args\":{\"name\":", kind);
    oc_json_append_string(&to->base.out.text, name, strlen(name));
    oc_output_add(&to->base.out, "}}");
    begin(to, "M", at);
    oc_output_format(&to->base.out,
                     ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRId64 "}}", kind,
                     place);
}

static uint32_t number_of(const writing *to, uint32_t resource)
{
    return resource != OCELOTL_ROOT ? to->places[resource] + 2 : 1;
}

/* The process that has the counters of a resource. */
static uint32_t name_process(writing *to, uint32_t resource)
{
    const uint32_t number = number_of(to, resource);
    if (!to->named_processes[number - 1])
        write_name(to, (track){number, number}, "process",
                   resource != OCELOTL_ROOT ? ocelotl_events_path(to->base.events, resource)
                                            : ocelotl_trace_info_of(to->base.trace).name,
                   (int64_t)number - 1);
    to->named_processes[number - 1] = true;
    return number;
}

/* "thread/~1" of a lane. */
static ocelotl_status name_thread(writing *to, track at, uint32_t resource, uint32_t type,
                                  uint32_t lane)
{
    const ocelotl_resource named = ocelotl_trace_resource_at(to->base.trace, resource);
    oc_text name = {0};
    if (oc_is_lane(to->base.trace, resource) && named.parent != OCELOTL_ROOT)
        oc_text_format(&name, "%s/", ocelotl_trace_resource_at(to->base.trace, named.parent).name);
    oc_text_add(&name, named.name);
    if (type != OCELOTL_NONE)
        oc_text_format(&name, ": %s", ocelotl_trace_event_type_at(to->base.trace, type).name);
    if (lane > 0)
        oc_text_format(&name, "/~%" PRIu32, lane);
    if (!name.failed)
        write_name(to, at, "thread", name.bytes, (int64_t)number_of(to, resource) - 1);
    const bool failed = name.failed;
    oc_text_free(&name);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Finds the track of a resource. With a `type` of states it is the one that these have for
 * themselves, where states of several types are there; OCELOTL_NONE: the first. States that cross
 * others are on another `lane`, from 1 on. */
static ocelotl_status find_track(track *at, writing *to, uint32_t resource, uint32_t type,
                                 uint32_t lane)
{
    uint32_t around = resource; /* the process of a lane is that of its thread */
    while (around != OCELOTL_ROOT && !to->are_processes[around])
        around = ocelotl_trace_resource_at(to->base.trace, around).parent;
    at->process = name_process(to, around);
    if (type != OCELOTL_NONE && to->first_types[resource] == 0)
        to->first_types[resource] = type + 1;
    if (type != OCELOTL_NONE && to->first_types[resource] == type + 1)
        type = OCELOTL_NONE;
    if (type == OCELOTL_NONE && lane == 0) {
        at->thread = number_of(to, resource);
        if (to->named_threads[at->thread - 1])
            return OCELOTL_OK;
        to->named_threads[at->thread - 1] = true;
    } else {
        const uint32_t key[] = {resource, type, lane};
        at->thread = oc_map_get(&to->others, key, sizeof key);
        if (at->thread != OC_MAP_NONE)
            return OCELOTL_OK;
        at->thread = to->next_thread++;
        OC_TRY(oc_map_set(&to->others, key, sizeof key, at->thread));
    }
    return name_thread(to, *at, resource, type, lane);
}

/* --- What all events have */

static void add_time(oc_text *text, const writing *to, const char *member, int64_t ticks)
{
    oc_text_add(text, member);
    oc_exact_add(text, &to->base.clock, ticks);
}

/* Adds what has been made of JSON, and what follows it. */
static ocelotl_status add_json(writing *to, oc_json *json, const char *behind)
{
    const bool failed = json->out.text.failed;
    oc_output_append(&to->base.out, json->out.text.bytes, json->out.text.length);
    oc_output_add(&to->base.out, behind);
    oc_text_free(&json->out.text);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

static void add_name(oc_text *text, const char *member, const char *name)
{
    oc_text_add(text, member);
    oc_json_append_string(text, name, strlen(name));
}

/* Describes an event: its name, category and attributes. */
static void describe(oc_text *text, const writing *to, const ocelotl_event *event)
{
    const char *type = ocelotl_trace_event_type_at(to->base.trace, event->event_type).name;
    const char *name = oc_value_name(to->base.trace, event->value);
    add_name(text, ",\"name\":", name[0] != '\0' ? name : type);
    add_name(text, ",\"cat\":", type);
    if (event->key != NULL) {
        add_name(text, ",\"args\":{\"Key\":", event->key);
        oc_text_add(text, event->attributes != NULL ? "," : "}");
        oc_text_add(text, event->attributes != NULL ? event->attributes + 1 : "");
    } else if (event->attributes != NULL) {
        oc_text_add(text, ",\"args\":");
        oc_text_add(text, event->attributes);
    }
}

/* --- States */

static ocelotl_status write_slice(void *of, uint32_t lane, const char *bytes, size_t length)
{
    writing *to = of;
    track at;
    OC_TRY(find_track(&at, to, to->resource, to->type, lane));
    begin(to, "X", at);
    oc_output_append(&to->base.out, bytes, length);
    oc_output_add(&to->base.out, "}");
    return to->base.out.status;
}

/* --- All else */

/* Writes one of both points of a link, which have the same number. */
static ocelotl_status write_end_of_link(writing *to, const ocelotl_event *event, bool starts)
{
    track at;
    const uint32_t resource = starts ? event->source : event->target;
    if (resource == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(find_track(&at, to, resource, OCELOTL_NONE, 0));
    begin(to, starts ? "s" : "f", at);
    oc_output_format(&to->base.out, "%s,\"id\":%" PRIu64, starts ? "" : ",\"bp\":\"e\"", to->link);
    add_time(&to->base.out.text, to, ",\"ts\":", starts ? event->begin : event->end);
    ocelotl_event said = *event;
    if (!starts && event->source != OCELOTL_NONE) {
        said.attributes = NULL;
        said.key = NULL;
    }
    describe(&to->base.out.text, to, &said);
    oc_output_add(&to->base.out, "}");
    return OCELOTL_OK;
}

static ocelotl_status write_event(void *of, const ocelotl_event *event)
{
    writing *to = of;
    oc_output *out = &to->base.out;
    oc_text *slice = &to->slice;
    track at;
    oc_output_flow(out);
    if (event->resource != to->resource || event->event_type != to->type)
        OC_TRY(oc_slices_write(to->slices));
    to->resource = event->resource;
    to->type = event->event_type;
    switch (event->category) {
    case OCELOTL_STATE: /* is kept: its text behind the track */
        oc_text_clear(slice);
        add_time(slice, to, ",\"ts\":", event->begin);
        oc_text_add(slice, ",\"dur\":");
        oc_exact_add_span(slice, &to->base.clock, event->begin, event->end);
        describe(slice, to, event);
        return oc_slices_add(to->slices, event, slice);
    case OCELOTL_EVENT:
        OC_TRY(find_track(&at, to, event->resource, OCELOTL_NONE, 0));
        begin(to, "i", at);
        oc_output_add(out, ",\"s\":\"t\"");
        add_time(&out->text, to, ",\"ts\":", event->begin);
        describe(&out->text, to, event);
        oc_output_add(out, "}");
        return OCELOTL_OK;
    case OCELOTL_LINK:
        to->link++;
        if (event->end < event->begin)
            oc_lose(to->base.losses, "links that end before they begin: no arrow is drawn", 1);
        OC_TRY(write_end_of_link(to, event, true));
        return write_end_of_link(to, event, false);
    default: /* arguments of a counter are its values: nothing else can be said of them */
        begin(to, "C", (track){name_process(to, event->resource), OCELOTL_NONE});
        add_time(&out->text, to, ",\"ts\":", event->begin);
        add_name(&out->text,
                 ",\"name\":", ocelotl_trace_event_type_at(to->base.trace, event->event_type).name);
        oc_output_format(out, ",\"args\":{\"value\":%s}}", oc_digits(event->number).text);
        if (event->attributes != NULL)
            oc_lose(to->base.losses, "attributes of changes of a variable", 1);
        return OCELOTL_OK;
    }
}

/* --- The parts of a partition: a process before all others, with a thread for each node */

/* The number of a node's thread: behind those of resources and of the process itself. */
static track track_of(const writing *to, uint32_t node)
{
    const uint32_t process = ocelotl_trace_resource_count(to->base.trace) + 2;
    return (track){process, process + 1 + node};
}

static ocelotl_status write_part(writing *to, const ocelotl_partition *partition, size_t number)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const ocelotl_part part = ocelotl_partition_part_at(partition, number);
    ocelotl_leading_type leading;
    OC_TRY(ocelotl_partition_leading_type(&leading, partition, number));
    const char *path = ocelotl_model_node_at(model, part.node).path;
    const track at = track_of(to, part.node);
    oc_json json = {0};
    if (number == 0 || ocelotl_partition_part_at(partition, number - 1).node != part.node)
        write_name(to, at, "thread", path[0] != '\0' ? path : "(whole)", part.node);
    begin(to, "X", at);
    add_time(&to->base.out.text, to, ",\"ts\":", oc_slice_tick(&info, part.first, false));
    oc_output_add(&to->base.out, ",\"dur\":");
    oc_exact_add_span(&to->base.out.text, &to->base.clock, oc_slice_tick(&info, part.first, false),
                      oc_slice_tick(&info, part.last + 1, true));
    add_name(&to->base.out.text, ",\"name\":",
             leading.type != OCELOTL_NONE ? ocelotl_model_type_at(model, leading.type).name
                                          : "(none)");
    oc_output_add(&to->base.out, ",\"cat\":\"part\",\"args\":");
    oc_json_object(&json, NULL);
    oc_json_count(&json, "part", number);
    oc_json_text(&json, "node", path);
    const ocelotl_status status = oc_part_resources(&json, model, &part);
    oc_json_count(&json, "leaves", part.leaves);
    oc_json_count(&json, "first", part.first);
    oc_json_count(&json, "last", part.last);
    oc_json_count(&json, "slices", (uint64_t)part.last - part.first + 1);
    oc_json_number(&json, "begin", ocelotl_slice_begin(&info, part.first));
    oc_json_number(&json, "end", ocelotl_slice_end(&info, part.last + 1.0));
    oc_json_number(&json, "gain", part.gain);
    oc_json_number(&json, "loss", part.loss);
    oc_json_number(&json, "share", leading.share);
    oc_json_shares(&json, model, &part, info.type_count);
    oc_json_end_object(&json);
    OC_TRY(add_json(to, &json, "}"));
    return status;
}

static ocelotl_status write_parts(writing *to)
{
    const ocelotl_partition *partition = to->partition;
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const track process = {track_of(to, 0).process, track_of(to, 0).process};
    oc_text name = {0};
    oc_text_format(&name, "overview: %zu part%s at p %s", info.part_count,
                   info.part_count == 1 ? "" : "s", oc_digits(info.p).text);
    if (name.failed)
        return oc_fail_memory();
    write_name(to, process, "process", name.bytes, -1);
    oc_text_free(&name);
    for (size_t i = 0; i < info.part_count && to->base.out.status == OCELOTL_OK; i++)
        OC_TRY(write_part(to, partition, i));
    to->next_thread =
        track_of(to, ocelotl_model_info_of(ocelotl_partition_model(partition)).node_count).thread;
    return OCELOTL_OK;
}

/* --- All of it */

/* Writes the trace's description, and the parts of a partition; the list of events follows. */
static ocelotl_status open_chrome(void *of)
{
    static const oc_slice_steps slices = {write_slice, NULL};
    writing *to = of;
    const ocelotl_trace_info info = ocelotl_trace_info_of(to->base.trace);
    oc_json json = {0};
    int64_t base = 0;
    OC_TRY(oc_slices_open(&to->slices, &slices, to));
    OC_TRY(open_tracks(to));
    oc_json_object(&json, NULL);
    oc_json_text(&json, "displayTimeUnit", "ns");
    oc_json_object(&json, "otherData");
    oc_json_text(&json, "generator", "ocelotl");
    oc_json_text(&json, "trace", info.name);
    oc_json_text(&json, "uid", info.uid);
    oc_json_text(&json, "format", info.format);
    oc_json_text(&json, "origin", info.origin);
    if (to->partition != NULL) {
        const ocelotl_partition_info of_it = ocelotl_partition_info_of(to->partition);
        oc_json_object(&json, "partition");
        oc_json_text(&json, "kind", oc_kind_name(of_it.kind));
        oc_json_number(&json, "p", of_it.p);
        oc_json_number(&json, "p_raw", of_it.p_raw);
        oc_json_number(&json, "gain", of_it.gain);
        oc_json_number(&json, "loss", of_it.loss);
        oc_json_number(&json, "whole_gain", of_it.whole_gain);
        oc_json_number(&json, "whole_loss", of_it.whole_loss);
        oc_json_count(&json, "parts", of_it.part_count);
        oc_json_end_object(&json);
    }
    oc_json_end_object(&json);
    if (oc_find_base(&base, info.origin))
        oc_json_ticks(&json, "baseTimeNanoseconds", base);
    else
        oc_lose(to->base.losses, "times of recording", info.origin[0] != '\0');
    oc_json_list(&json, "traceEvents");
    OC_TRY(add_json(to, &json, ""));
    return to->partition != NULL ? write_parts(to) : OCELOTL_OK;
}

static ocelotl_status close_chrome(void *of)
{
    writing *to = of;
    OC_TRY(oc_slices_write(to->slices));
    oc_output_add(&to->base.out, "\n]}\n");
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_write_chrome(const ocelotl_sink *sink, ocelotl_events *events,
                                           const ocelotl_trace *trace,
                                           const ocelotl_partition *partition,
                                           ocelotl_losses *losses)
{
    static const oc_export_steps steps = {open_chrome, NULL, write_event, close_chrome};
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    writing to = {.base = {{.sink = sink},
                           events,
                           trace,
                           NULL,
                           losses,
                           oc_exact_of(info.tick_numerator, info.tick_denominator, 6),
                           OC_LACKS_UNITS | OC_LACKS_FINE_CLOCKS},
                  .partition = partition,
                  .resource = OCELOTL_NONE};
    OC_TRY(oc_check_parts(partition, losses));
    const ocelotl_status status = oc_export_events(&to.base.out, &to.base, &steps, &to);
    oc_text_free(&to.slice);
    free(to.places);
    free(to.are_processes);
    free(to.first_types);
    free(to.named_processes);
    free(to.named_threads);
    oc_map_free(&to.others);
    oc_slices_free(to.slices);
    return status;
}
