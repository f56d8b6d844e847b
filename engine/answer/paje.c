/* A Paje trace: docs/export.md says what becomes of what. Lines are sorted by time; the definitions
 * that they need stand before them. */
#include "answer/answer.h"
#include "answer/paje_definitions.h"
#include "answer/paje_lines.h"

#include "base/exact.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A type of containers or events in containers of one type: in Paje every type has a place in the
 * hierarchy. */
typedef struct placed_type {
    uint32_t type;      /* of the trace */
    uint32_t container; /* the type of containers around it, OCELOTL_ROOT: the root's */
    uint32_t from, to;  /* of links, the types of containers at the ends of the first one */
} placed_type;

/* Those of the trace first. */
typedef struct placed_types {
    placed_type *all;
    size_t count, capacity;
    oc_map index;
} placed_types;

typedef struct writing {
    oc_output out;
    ocelotl_trace *trace;
    ocelotl_events *events;
    const ocelotl_selection *selection;
    ocelotl_losses *losses;
    oc_paje_definitions definitions;
    oc_exact clock;
    oc_paje_lines *lines;
    oc_text line;
    oc_carried_texts carried;
    placed_types containers, types;
    uint32_t root, root_type;        /* the resource of the root's own events; OCELOTL_ROOT: none */
    uint32_t *container_of;          /* by resource: its type among them */
    bool *created;                   /* each resource */
    uint32_t resource, type, stream; /* of the events that are read, and how many came before */
    uint64_t link;                   /* how many without a key there were */
    bool is_paje;                    /* the trace came from Pajé */
} writing;

enum { FIRST_STREAM = OC_PAJE_FIRST_RANK + 1 };

/* --- Containers */

/* Whether a resource is that of the root container's own events: it is called so, it is the only
 * one of its type, and nothing is below it. */
static bool stands_for_root(const ocelotl_trace *trace, uint32_t resource)
{
    if (!oc_is_called_root(trace, resource))
        return false;
    const uint32_t type = ocelotl_trace_resource_at(trace, resource).type;
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++) {
        const ocelotl_resource other = ocelotl_trace_resource_at(trace, r);
        if (r != resource && (other.type == type || other.parent == resource))
            return false;
    }
    return true;
}

static bool is_root(const writing *to, uint32_t resource)
{
    return resource == OCELOTL_ROOT || resource == to->root;
}

static bool is_root_type(const writing *to, uint32_t type)
{
    return type == OCELOTL_ROOT || type == to->root_type;
}

static void add_alias(oc_text *line, char letter, uint32_t index)
{
    if (index == OCELOTL_ROOT)
        oc_text_add(line, " 0");
    else
        oc_text_format(line, " %c%" PRIu32, letter, index);
}

static void add_container(oc_text *line, const writing *to, uint32_t resource)
{
    add_alias(line, 'r', is_root(to, resource) ? OCELOTL_ROOT : resource);
}

static ocelotl_status add_type(uint32_t *index, placed_types *types, uint32_t type,
                               uint32_t container)
{
    const uint32_t key[] = {type, container};
    *index = oc_map_get(&types->index, key, sizeof key);
    if (*index != OC_MAP_NONE)
        return OCELOTL_OK;
    *index = (uint32_t)types->count;
    OC_TRY(oc_grow(&types->all, &types->capacity, types->count + 1, sizeof *types->all));
    types->all[types->count++] = (placed_type){type, container, OCELOTL_NONE, OCELOTL_NONE};
    return oc_map_set(&types->index, key, sizeof key, *index);
}

/* The types as the trace has them, and another one for each that some resource has elsewhere. */
static ocelotl_status find_types(writing *to)
{
    const uint32_t declared = ocelotl_trace_resource_type_count(to->trace);
    const uint32_t count = ocelotl_trace_resource_count(to->trace);
    uint32_t index;
    to->root = to->root_type = OCELOTL_ROOT;
    for (uint32_t r = 0; r < count && to->root == OCELOTL_ROOT; r++)
        if (stands_for_root(to->trace, r)) {
            to->root = r;
            to->root_type = ocelotl_trace_resource_at(to->trace, r).type;
        }
    for (uint32_t t = 0; t < declared; t++) {
        const uint32_t around = ocelotl_trace_resource_type_at(to->trace, t).parent;
        OC_TRY(
            add_type(&index, &to->containers, t, is_root_type(to, around) ? OCELOTL_ROOT : around));
    }
    OC_TRY(oc_allocate(&to->container_of, count, sizeof *to->container_of));
    OC_TRY(oc_allocate(&to->created, count, sizeof *to->created));
    for (uint32_t r = 0; r < count; r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(to->trace, r);
        const bool top = is_root(to, resource.parent);
        OC_TRY(add_type(&to->container_of[r], &to->containers, resource.type,
                        top ? OCELOTL_ROOT : to->container_of[resource.parent]));
        oc_lose(to->losses, "resources that are not where their type belongs",
                to->container_of[r] >= declared);
        if (is_root(to, r))
            to->container_of[r] = OCELOTL_ROOT;
    }
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(to->trace); t++) {
        const uint32_t around = ocelotl_trace_event_type_at(to->trace, t).resource_type;
        OC_TRY(add_type(&index, &to->types, t, is_root_type(to, around) ? OCELOTL_ROOT : around));
    }
    return OCELOTL_OK;
}

static uint32_t container_type_of(const writing *to, uint32_t resource)
{
    return resource == OCELOTL_ROOT ? OCELOTL_ROOT : to->container_of[resource];
}

/* --- Lines in order */

/* Begins a line that carries `count` texts from the first on. */
static ocelotl_status begin_line(writing *to, unsigned kind, size_t first, size_t count)
{
    return oc_paje_begin_line(&to->line, &to->definitions, kind, &to->carried, first, count);
}

/* Keeps a line; that where a link arrives with the link. */
static ocelotl_status keep_line(writing *to, int64_t time, uint32_t rank, uint64_t place,
                                const ocelotl_event *arrives)
{
    oc_paje_end_line(&to->line, &to->definitions, &to->carried);
    return oc_paje_lines_add(to->lines, &(oc_order){time, place, rank}, &to->line, arrives);
}

static void add_time(writing *to, int64_t time)
{
    oc_text_add(&to->line, " ");
    oc_exact_add(&to->line, &to->clock, time);
}

static void add_text(writing *to, const char *text)
{
    oc_paje_add_text(&to->line, to->losses, text);
}

/* Creates a container, after those around it. */
static ocelotl_status create(writing *to, uint32_t resource)
{
    for (uint32_t around = resource; !is_root(to, around) && !to->created[around];
         around = ocelotl_trace_resource_at(to->trace, around).parent) {
        const ocelotl_resource next = ocelotl_trace_resource_at(to->trace, around);
        to->created[around] = true;
        OC_TRY(begin_line(to, OC_PAJE_CREATE, 0, 0));
        add_time(to, next.begin);
        add_alias(&to->line, 'r', around);
        add_alias(&to->line, 'c', to->container_of[around]);
        add_container(&to->line, to, next.parent);
        add_text(to, next.name);
        OC_TRY(keep_line(to, next.begin, OC_PAJE_FIRST_RANK, around, NULL));
        OC_TRY(begin_line(to, OC_PAJE_DESTROY, 0, 0));
        add_time(to, next.end);
        add_alias(&to->line, 'c', to->container_of[around]);
        add_alias(&to->line, 'r', around);
        OC_TRY(keep_line(to, next.end, OC_PAJE_LAST_RANK, UINT64_MAX - around, NULL));
    }
    return OCELOTL_OK;
}

/* --- Types of events */

/* Adds the type of an event in a container, and the container. */
static ocelotl_status add_place(placed_type **type, writing *to, const ocelotl_event *event,
                                uint32_t resource)
{
    uint32_t index;
    OC_TRY(add_type(&index, &to->types, event->event_type, container_type_of(to, resource)));
    *type = &to->types.all[index];
    oc_lose(to->losses, "events in resources that are not of the type that theirs belongs to",
            index >= ocelotl_trace_event_type_count(to->trace));
    add_alias(&to->line, 't', index);
    add_container(&to->line, to, resource);
    return OCELOTL_OK;
}

/* The alias of a value is one of a type in its place. */
static void add_value(writing *to, const ocelotl_event *event, const placed_type *type)
{
    const bool none = event->value == OCELOTL_NONE;
    if (none)
        add_text(to, ocelotl_trace_event_type_at(to->trace, event->event_type).name);
    else
        oc_text_format(&to->line, " v%zu_%" PRIu32, (size_t)(type - to->types.all), event->value);
    oc_lose(to->losses, "events without a value, which are called as their type", none);
}

/* --- Events */

static ocelotl_status keep_state(writing *to, const ocelotl_event *event)
{
    const size_t count = to->carried.count;
    placed_type *type;
    if (event->outlived > 0) {
        oc_lose(to->losses, "states that end before others that began in them, which are left out",
                1);
        return OCELOTL_OK;
    }
    OC_TRY(begin_line(to, OC_PAJE_PUSH, 0, count));
    add_time(to, event->begin);
    OC_TRY(add_place(&type, to, event, event->resource));
    add_value(to, event, type);
    OC_TRY(keep_line(to, event->begin, to->stream, event->begin_place, NULL));
    OC_TRY(begin_line(to, OC_PAJE_POP, 0, 0));
    add_time(to, event->end);
    OC_TRY(add_place(&type, to, event, event->resource));
    return keep_line(to, event->end, to->stream, event->end_place, NULL);
}

/* An event, or a change of a variable. */
static ocelotl_status keep_instant(writing *to, const ocelotl_event *event)
{
    const size_t count = to->carried.count;
    const bool variable = event->category == OCELOTL_VARIABLE;
    placed_type *type;
    OC_TRY(begin_line(to, variable ? OC_PAJE_VARIABLE : OC_PAJE_EVENT, 0, count));
    add_time(to, event->begin);
    OC_TRY(add_place(&type, to, event, event->resource));
    if (variable)
        oc_text_format(&to->line, " %s", oc_digits(event->number).text);
    else
        add_value(to, event, type);
    return keep_line(to, event->begin, to->stream, event->begin_place, NULL);
}

/* Keeps one end of a link, with its attributes from the first text on. */
static ocelotl_status keep_end(writing *to, const ocelotl_event *event, bool starts, size_t first,
                               size_t count)
{
    const uint32_t resource = starts ? event->source : event->target;
    const int64_t time = starts ? event->begin : event->end;
    const bool plain = event->value == OCELOTL_NONE;
    placed_type *type;
    char key[32];
    OC_TRY(create(to, resource));
    OC_TRY(begin_line(to,
                      starts  ? plain ? OC_PAJE_START_PLAIN_LINK : OC_PAJE_START_LINK
                      : plain ? OC_PAJE_END_PLAIN_LINK
                              : OC_PAJE_END_LINK,
                      first, count));
    add_time(to, time);
    OC_TRY(add_place(&type, to, event, oc_link_container(to->trace, event)));
    if (starts && type->from == OCELOTL_NONE)
        type->from = container_type_of(to, resource);
    if (!starts && type->to == OCELOTL_NONE)
        type->to = container_type_of(to, resource);
    add_container(&to->line, to, resource);
    if (!plain)
        add_value(to, event, type);
    oc_plain_print(key, sizeof key, "#%" PRIu64, to->link);
    add_text(to, event->key != NULL ? event->key : key);
    return keep_line(to, time, to->stream, starts ? event->begin_place : event->end_place,
                     !starts && event->source != OCELOTL_NONE ? event : NULL);
}

/* Of other formats links with one end are left out: pj_dump stops at the first one. */
static ocelotl_status keep_link(writing *to, const ocelotl_event *event)
{
    const bool whole = oc_is_whole(event);
    if (!whole && !to->is_paje) {
        oc_lose(to->losses, "links with one end, which are left out", 1);
        return OCELOTL_OK;
    }
    const size_t begun = whole ? event->begin_attributes : to->carried.count;
    to->link += event->key == NULL;
    if (event->source != OCELOTL_NONE)
        OC_TRY(keep_end(to, event, true, 0, begun));
    return event->target != OCELOTL_NONE ? keep_end(to, event, false, whole ? begun : 0,
                                                    to->carried.count - (whole ? begun : 0))
                                         : OCELOTL_OK;
}

static ocelotl_status keep_event(void *of, const ocelotl_event *event)
{
    writing *to = of;
    if (event->resource != to->resource || event->event_type != to->type)
        to->stream++;
    to->resource = event->resource;
    to->type = event->event_type;
    OC_TRY(oc_carried_texts_read(&to->carried, event->attributes));
    OC_TRY(create(to, event->resource));
    return event->category == OCELOTL_STATE  ? keep_state(to, event)
           : event->category == OCELOTL_LINK ? keep_link(to, event)
                                             : keep_instant(to, event);
}

/* --- The head */

static void add_colour(oc_text *line, int32_t colour)
{
    if (colour >= 0)
        oc_text_format(line, " \"%s %s %s\"", oc_digits((double)(colour >> 16 & 255) / 255).text,
                       oc_digits((double)(colour >> 8 & 255) / 255).text,
                       oc_digits((double)(colour & 255) / 255).text);
}

static ocelotl_status head_line(writing *to, oc_text *head)
{
    oc_paje_end_line(&to->line, &to->definitions, &to->carried);
    oc_text_append(head, to->line.bytes, to->line.length);
    return head->failed || to->line.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status define_values(writing *to, oc_text *head, uint32_t index)
{
    const uint32_t type = to->types.all[index].type;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(to->trace, type); i++) {
        const uint32_t value = ocelotl_trace_event_type_value_at(to->trace, type, i);
        const ocelotl_value found = ocelotl_trace_value_at(to->trace, value);
        OC_TRY(begin_line(to, OC_PAJE_ENTITY_VALUE + (found.colour >= 0 ? OC_PAJE_COLOURED : 0), 0,
                          0));
        oc_text_format(&to->line, " v%" PRIu32 "_%" PRIu32, index, value);
        add_alias(&to->line, 't', index);
        add_text(to, found.name);
        add_colour(&to->line, found.colour);
        OC_TRY(head_line(to, head));
    }
    return OCELOTL_OK;
}

static ocelotl_status define_type(writing *to, oc_text *head, uint32_t index)
{
    const placed_type *placed = &to->types.all[index];
    const ocelotl_event_type type = ocelotl_trace_event_type_at(to->trace, placed->type);
    OC_TRY(begin_line(to,
                      OC_PAJE_EVENT_TYPE + (unsigned)type.category +
                          (type.colour >= 0 ? OC_PAJE_COLOURED : 0),
                      0, 0));
    add_alias(&to->line, 't', index);
    add_alias(&to->line, 'c', placed->container);
    if (type.category == OCELOTL_LINK) {
        add_alias(&to->line, 'c', placed->from != OCELOTL_NONE ? placed->from : placed->container);
        add_alias(&to->line, 'c', placed->to != OCELOTL_NONE ? placed->to : placed->container);
    }
    add_text(to, type.name);
    add_colour(&to->line, type.colour);
    OC_TRY(head_line(to, head));
    return define_values(to, head, index);
}

/* pj_dump refuses another type that is called as the root's. */
static void add_type_name(writing *to, const char *name)
{
    const bool is_taken = strcmp(name, "0") == 0;
    add_text(to, is_taken ? "0_" : name);
    oc_lose(to->losses, "types of resources called 0, as only the root's is (0_)", is_taken);
}

static ocelotl_status define_containers(writing *to, oc_text *head)
{
    for (uint32_t i = 0; i < to->containers.count; i++) {
        const placed_type *placed = &to->containers.all[i];
        if (placed->container == OCELOTL_ROOT && is_root_type(to, placed->type))
            continue;
        OC_TRY(begin_line(to, OC_PAJE_CONTAINER_TYPE, 0, 0));
        add_alias(&to->line, 'c', i);
        add_alias(&to->line, 'c', placed->container);
        add_type_name(to, ocelotl_trace_resource_type_at(to->trace, placed->type).name);
        OC_TRY(head_line(to, head));
    }
    return OCELOTL_OK;
}

/* Definitions are known once all lines are. */
static ocelotl_status write_head(writing *to)
{
    oc_text head = {0};
    ocelotl_status status = define_containers(to, &head);
    for (uint32_t i = 0; i < to->types.count && status == OCELOTL_OK; i++)
        status = define_type(to, &head, i);
    if (status == OCELOTL_OK) {
        const oc_text *definitions = &to->definitions.text;
        oc_output_add(&to->out, "# ocelotl\n");
        oc_output_append(&to->out, definitions->bytes, definitions->length);
        oc_output_append(&to->out, head.bytes, head.length);
        status = definitions->failed ? oc_fail_memory() : OCELOTL_OK;
    }
    oc_text_free(&head);
    return status;
}

/* --- All of it */

static ocelotl_status open_paje(void *of)
{
    writing *to = of;
    OC_TRY(oc_paje_lines_open(&to->lines, to->trace, to->selection));
    OC_TRY(find_types(to));
    /* The containers that are selected, with those around them. */
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(to->trace); r++) {
        const ocelotl_resource one = ocelotl_trace_resource_at(to->trace, r);
        if (one.begin <= to->selection->to && one.end >= to->selection->from &&
            ocelotl_events_cover(to->events, r))
            OC_TRY(create(to, r));
    }
    return OCELOTL_OK;
}

static ocelotl_status close_paje(void *of)
{
    writing *to = of;
    uint64_t left_out;
    uint64_t notes;
    OC_TRY(write_head(to));
    OC_TRY(oc_paje_lines_write(&left_out, to->lines, &to->out));
    OC_TRY(oc_read_counts(&notes, 1, to->trace, "SELECT count(*) FROM resource WHERE notes <> ''"));
    oc_lose_clock(to->losses, to->trace, &to->clock, true);
    oc_lose(to->losses, "links whose order is not kept where they arrive at one instant", left_out);
    oc_lose(to->losses, "resources with notes", notes);
    return OCELOTL_OK;
}

static void free_paje(void *of)
{
    writing *to = of;
    oc_paje_definitions_free(&to->definitions);
    oc_carried_texts_free(&to->carried);
    oc_paje_lines_free(to->lines);
    oc_text_free(&to->line);
    oc_map_free(&to->containers.index);
    oc_map_free(&to->types.index);
    free(to->containers.all);
    free(to->types.all);
    free(to->container_of);
    free(to->created);
}

ocelotl_status ocelotl_events_write_paje(const ocelotl_sink *sink, ocelotl_events *events,
                                         ocelotl_trace *trace, const ocelotl_selection *selection,
                                         ocelotl_losses *losses)
{
    static const oc_export_steps steps = {open_paje, keep_event, close_paje, free_paje};
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    writing to = {.out = {.sink = sink},
                  .trace = trace,
                  .is_paje = strcmp(info.format, "paje") == 0,
                  .events = events,
                  .selection = selection,
                  .losses = losses,
                  .definitions = {.losses = losses},
                  .resource = OCELOTL_NONE,
                  .type = OCELOTL_NONE,
                  .stream = FIRST_STREAM,
                  .clock = oc_exact_of(info.tick_numerator, info.tick_denominator, 0)};
    return oc_export_events(&to.out, events, losses, &steps, &to);
}
