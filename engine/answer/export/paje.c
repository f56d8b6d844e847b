/* A Paje trace: docs/export.md says what becomes of what. Lines are sorted by time; the definitions
 * that they need stand before them. */
#include "answer/answer.h"
#include "answer/export/export.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a line says. A colour, or a value, is a field only of lines that have one. */
enum {
    CONTAINER_TYPE,
    EVENT_TYPE, /* with those of states, variables and links: in the order of their categories */
    LINK_TYPE = EVENT_TYPE + OCELOTL_LINK,
    ENTITY_VALUE,
    CREATE,
    DESTROY,
    EVENT,
    PUSH,
    POP,
    VARIABLE,
    START_LINK,
    START_PLAIN_LINK, /* without a value */
    END_LINK,
    END_PLAIN_LINK,
    COLOURED, /* added to one of the first six */
};

/* What a definition is called, and its fields before those that events carry. */
static const struct {
    const char *name, *fields;
} lines[] = {
    [CONTAINER_TYPE] = {"PajeDefineContainerType", "Alias Type Name"},
    [EVENT_TYPE] = {"PajeDefineEventType", "Alias Type Name"},
    [EVENT_TYPE + OCELOTL_STATE] = {"PajeDefineStateType", "Alias Type Name"},
    [EVENT_TYPE + OCELOTL_VARIABLE] = {"PajeDefineVariableType", "Alias Type Name"},
    [LINK_TYPE] = {"PajeDefineLinkType", "Alias Type StartContainerType EndContainerType Name"},
    [ENTITY_VALUE] = {"PajeDefineEntityValue", "Alias Type Name"},
    [CREATE] = {"PajeCreateContainer", "Time Alias Type Container Name"},
    [DESTROY] = {"PajeDestroyContainer", "Time Type Name"},
    [EVENT] = {"PajeNewEvent", "Time Type Container Value"},
    [PUSH] = {"PajePushState", "Time Type Container Value"},
    [POP] = {"PajePopState", "Time Type Container"},
    [VARIABLE] = {"PajeSetVariable", "Time Type Container Value"},
    [START_LINK] = {"PajeStartLink", "Time Type Container StartContainer Value Key"},
    [START_PLAIN_LINK] = {"PajeStartLink", "Time Type Container StartContainer Key"},
    [END_LINK] = {"PajeEndLink", "Time Type Container EndContainer Value Key"},
    [END_PLAIN_LINK] = {"PajeEndLink", "Time Type Container EndContainer Key"},
};

/* Readers have numbers of 16 bits, and the fields of a line are not without end. */
enum { MOST_DEFINITIONS = 65000, MOST_CARRIED = 48 };

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
    oc_export base;
    ocelotl_trace *trace;
    oc_export_lines *lines;
    oc_text line;                 /* the one that was begun last, */
    size_t first, said, left_out; /* of what is carried: what it has, and has no room for */
    oc_carried_texts carried;
    oc_map numbers;      /* of definitions, by kind, and the names of what lines carry beside */
    oc_text definitions; /* all of them, as they stand in the trace */
    oc_text key;         /* scratch */
    uint32_t definition_count;
    placed_types containers, types;
    uint32_t root, root_type;        /* the resource of the root's own events; OCELOTL_ROOT: none */
    uint32_t *container_of;          /* by resource: its type among them */
    bool *created;                   /* each resource */
    uint32_t resource, type, stream; /* of the events that are read, and how many came before */
    uint64_t link;                   /* how many without a key there were */
} writing;

/* --- Fields */

/* Adds a field in quotes. Characters that Paje forbids are replaced, and counted. */
static void add_text(writing *to, const char *text)
{
    oc_text *line = &to->line;
    bool replaced = false;
    oc_text_append(line, " \"", 2);
    const size_t begin = line->length;
    oc_text_add(line, text);
    for (size_t i = begin; i < line->length && !line->failed; i++) {
        char *byte = &line->bytes[i];
        if (*byte != '"' && (unsigned char)*byte >= ' ')
            continue;
        replaced = true;
        *byte = *byte == '"' ? '\'' : ' ';
    }
    oc_text_append(line, "\"", 1);
    if (replaced)
        oc_lose(to->base.losses, "texts with quotes or control characters, which are replaced", 1);
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

static void add_container(writing *to, uint32_t resource)
{
    add_alias(&to->line, 'r', is_root(to, resource) ? OCELOTL_ROOT : resource);
}

static void add_colour(oc_text *line, int32_t colour)
{
    if (colour >= 0)
        oc_text_format(line, " \"%s %s %s\"", oc_digits((double)(colour >> 16 & 255) / 255).text,
                       oc_digits((double)(colour >> 8 & 255) / 255).text,
                       oc_digits((double)(colour & 255) / 255).text);
}

/* --- Lines and their definitions */

/* Adds what the line begun last carries by a name that no reader takes for a field with a
 * meaning. */
static void define_carried(writing *to, const char *name)
{
    static const char meanings[] =
        " Alias Name Type Container Value Time Color StartContainerType EndContainerType "
        "StartContainer EndContainer Key Filename ContainerType EntityType SourceContainerType "
        "DestContainerType SourceContainer DestContainer ";
    oc_text *text = &to->definitions;
    oc_text padded = {0};
    bool renamed = name[0] == '\0';
    oc_text_add(text, "% ");
    const size_t begin = text->length;
    oc_text_add(text, name);
    for (size_t i = begin; i < text->length && !text->failed; i++) {
        if ((unsigned char)text->bytes[i] > ' ' && strchr("\"%#", text->bytes[i]) == NULL)
            continue;
        text->bytes[i] = '_';
        renamed = true;
    }
    oc_text_format(&padded, " %s ", name);
    text->failed = text->failed || padded.failed;
    if (renamed || (!padded.failed && strstr(meanings, padded.bytes) != NULL)) {
        oc_text_add(text, "_");
        oc_lose(to->base.losses, "names of attributes that are no names of fields", 1);
    }
    oc_text_free(&padded);
    oc_text_add(text, " string\n");
}

static void define(writing *to, unsigned kind)
{
    oc_text *text = &to->definitions;
    const unsigned line = kind % COLOURED;
    oc_text_format(text, "%%EventDef %s %" PRIu32 "\n", lines[line].name, to->definition_count);
    for (const char *field = lines[line].fields; *field != '\0'; field += *field == ' ') {
        const size_t length = strcspn(field, " ");
        const bool time = strncmp(field, "Time", length) == 0;
        const bool number = line == VARIABLE && strncmp(field, "Value", length) == 0;
        oc_text_format(text, "%% %.*s %s\n", (int)length, field,
                       time     ? "date"
                       : number ? "double"
                                : "string");
        field += length;
    }
    if (kind >= COLOURED)
        oc_text_add(text, "% Color color\n");
    for (size_t i = to->first; i < to->first + to->said; i++)
        define_carried(to, oc_carried_name(&to->carried, i));
    oc_text_add(text, "%EndEventDef\n");
}

/* Begins a line: its number, that of a definition with fields for `count` texts that it carries
 * from the first on, made where it is new. */
static ocelotl_status begin_line(writing *to, unsigned kind, size_t first, size_t count)
{
    oc_text *key = &to->key;
    const size_t most = to->definition_count < MOST_DEFINITIONS ? MOST_CARRIED : 0;
    to->first = first;
    to->said = count < most ? count : most;
    to->left_out = count - to->said;
    oc_text_clear(key);
    oc_text_format(key, "%u", kind);
    for (size_t i = first; i < first + to->said; i++) {
        oc_text_append(key, "\n", 1);
        oc_text_add(key, oc_carried_name(&to->carried, i));
    }
    if (key->failed)
        return oc_fail_memory();
    uint32_t number = oc_map_get(&to->numbers, key->bytes, key->length);
    if (number == OC_MAP_NONE) {
        number = to->definition_count;
        define(to, kind);
        OC_TRY(oc_map_set(&to->numbers, key->bytes, key->length, number));
        to->definition_count++;
    }
    oc_text_clear(&to->line);
    oc_text_format(&to->line, "%" PRIu32, number);
    return OCELOTL_OK;
}

/* The same, with its time. */
static ocelotl_status begin_event(writing *to, unsigned kind, int64_t time, size_t first,
                                  size_t count)
{
    OC_TRY(begin_line(to, kind, first, count));
    oc_text_add(&to->line, " ");
    oc_exact_add(&to->line, &to->base.clock, time);
    return OCELOTL_OK;
}

/* Ends the line with what it carries. */
static void end_line(writing *to)
{
    for (size_t i = to->first; i < to->first + to->said; i++)
        add_text(to, oc_carried_text(&to->carried, i));
    oc_text_append(&to->line, "\n", 1);
    if (to->left_out > 0)
        oc_lose(to->base.losses, "attributes of events that have more than 48", to->left_out);
}

/* Keeps a line; that where a link arrives with the link. */
static ocelotl_status keep_line(writing *to, int64_t time, uint32_t rank, uint64_t place,
                                const ocelotl_event *arrives)
{
    end_line(to);
    return oc_export_lines_add(to->lines, &(oc_order){time, place, rank}, &to->line, arrives);
}

/* --- Types of containers and events */

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

/* Whether a resource is that of the root container's own events: it is called so, it is the only
 * one of its type, and nothing is below it. */
static bool stands_for_root(const ocelotl_trace *trace, uint32_t resource)
{
    bool stands = oc_is_called_root(trace, resource);
    const uint32_t type = ocelotl_trace_resource_at(trace, resource).type;
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace) && stands; r++) {
        const ocelotl_resource other = ocelotl_trace_resource_at(trace, r);
        stands = r == resource || (other.type != type && other.parent != resource);
    }
    return stands;
}

/* Finds the types as the trace has them, and another one for each that some resource has
 * elsewhere. */
static ocelotl_status open_paje(void *of)
{
    writing *to = of;
    const ocelotl_trace *trace = to->trace;
    const uint32_t declared = ocelotl_trace_resource_type_count(trace);
    const uint32_t count = ocelotl_trace_resource_count(trace);
    uint32_t index;
    OC_TRY(oc_export_lines_open(&to->lines, to->trace, to->base.selection));
    for (uint32_t r = 0; r < count && to->root == OCELOTL_ROOT; r++)
        if (stands_for_root(trace, r)) {
            to->root = r;
            to->root_type = ocelotl_trace_resource_at(trace, r).type;
        }
    for (uint32_t t = 0; t < declared; t++) {
        const uint32_t around = ocelotl_trace_resource_type_at(trace, t).parent;
        OC_TRY(
            add_type(&index, &to->containers, t, is_root_type(to, around) ? OCELOTL_ROOT : around));
    }
    OC_TRY(oc_allocate(&to->container_of, count, sizeof *to->container_of));
    OC_TRY(oc_allocate(&to->created, count, sizeof *to->created));
    for (uint32_t r = 0; r < count; r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        const bool top = is_root(to, resource.parent);
        OC_TRY(add_type(&to->container_of[r], &to->containers, resource.type,
                        top ? OCELOTL_ROOT : to->container_of[resource.parent]));
        oc_lose(to->base.losses, "resources that are not where their type belongs",
                to->container_of[r] >= declared);
        if (is_root(to, r))
            to->container_of[r] = OCELOTL_ROOT;
    }
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const uint32_t around = ocelotl_trace_event_type_at(trace, t).resource_type;
        OC_TRY(add_type(&index, &to->types, t, is_root_type(to, around) ? OCELOTL_ROOT : around));
    }
    return OCELOTL_OK;
}

static uint32_t container_type_of(const writing *to, uint32_t resource)
{
    return resource == OCELOTL_ROOT ? OCELOTL_ROOT : to->container_of[resource];
}

/* Creates a container, after those around it. */
static ocelotl_status create(void *of, uint32_t resource)
{
    writing *to = of;
    for (uint32_t around = resource; !is_root(to, around) && !to->created[around];
         around = ocelotl_trace_resource_at(to->trace, around).parent) {
        const ocelotl_resource next = ocelotl_trace_resource_at(to->trace, around);
        to->created[around] = true;
        OC_TRY(begin_event(to, CREATE, next.begin, 0, 0));
        add_alias(&to->line, 'r', around);
        add_alias(&to->line, 'c', to->container_of[around]);
        add_container(to, next.parent);
        add_text(to, next.name);
        OC_TRY(keep_line(to, next.begin, OC_EXPORT_FIRST_RANK, around, NULL));
        OC_TRY(begin_event(to, DESTROY, next.end, 0, 0));
        add_alias(&to->line, 'c', to->container_of[around]);
        add_alias(&to->line, 'r', around);
        OC_TRY(keep_line(to, next.end, OC_EXPORT_LAST_RANK, UINT64_MAX - around, NULL));
    }
    return OCELOTL_OK;
}

/* --- Events */

/* Adds the type of an event in a container, and the container. */
static ocelotl_status add_place(placed_type **type, writing *to, const ocelotl_event *event,
                                uint32_t resource)
{
    uint32_t index;
    OC_TRY(add_type(&index, &to->types, event->event_type, container_type_of(to, resource)));
    *type = &to->types.all[index];
    if (index >= ocelotl_trace_event_type_count(to->trace))
        oc_lose(to->base.losses,
                "events in resources that are not of the type that theirs belongs to", 1);
    add_alias(&to->line, 't', index);
    add_container(to, resource);
    return OCELOTL_OK;
}

/* The alias of a value is one of a type in its place. */
static void add_value(writing *to, const ocelotl_event *event, const placed_type *type)
{
    if (event->value != OCELOTL_NONE) {
        oc_text_format(&to->line, " v%zu_%" PRIu32, (size_t)(type - to->types.all), event->value);
        return;
    }
    add_text(to, ocelotl_trace_event_type_at(to->trace, event->event_type).name);
    oc_lose(to->base.losses, "events without a value, which are called as their type", 1);
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
    OC_TRY(
        begin_event(to, (starts ? START_LINK : END_LINK) + (plain ? 1U : 0), time, first, count));
    OC_TRY(add_place(&type, to, event, oc_link_container(to->trace, event)));
    uint32_t *end = starts ? &type->from : &type->to;
    if (*end == OCELOTL_NONE)
        *end = container_type_of(to, resource);
    add_container(to, resource);
    if (!plain)
        add_value(to, event, type);
    oc_plain_print(key, sizeof key, "#%" PRIu64, to->link);
    add_text(to, event->key != NULL ? event->key : key);
    return keep_line(to, time, to->stream, starts ? event->begin_place : event->end_place,
                     !starts && event->source != OCELOTL_NONE ? event : NULL);
}

static ocelotl_status keep_event(void *of, const ocelotl_event *event)
{
    static const unsigned kinds[] = {EVENT, PUSH, VARIABLE};
    writing *to = of;
    placed_type *type;
    if (event->resource != to->resource || event->event_type != to->type)
        to->stream++;
    to->resource = event->resource;
    to->type = event->event_type;
    OC_TRY(oc_carried_texts_read(&to->carried, event->attributes));
    OC_TRY(create(to, event->resource));
    if (event->category == OCELOTL_LINK) {
        const size_t begun = oc_is_whole(event) ? event->begin_attributes : to->carried.count;
        const size_t first = oc_is_whole(event) ? begun : 0;
        to->link += event->key == NULL;
        if (event->source != OCELOTL_NONE)
            OC_TRY(keep_end(to, event, true, 0, begun));
        return event->target != OCELOTL_NONE
                   ? keep_end(to, event, false, first, to->carried.count - first)
                   : OCELOTL_OK;
    }
    OC_TRY(begin_event(to, kinds[event->category], event->begin, 0, to->carried.count));
    OC_TRY(add_place(&type, to, event, event->resource));
    if (event->category == OCELOTL_VARIABLE)
        oc_text_format(&to->line, " %s", oc_digits(event->number).text);
    else
        add_value(to, event, type);
    OC_TRY(keep_line(to, event->begin, to->stream, event->begin_place, NULL));
    if (event->category != OCELOTL_STATE)
        return OCELOTL_OK;
    OC_TRY(begin_event(to, POP, event->end, 0, 0));
    OC_TRY(add_place(&type, to, event, event->resource));
    return keep_line(to, event->end, to->stream, event->end_place, NULL);
}

/* --- The head: definitions are known once all lines are */

static void add_head_line(writing *to, oc_text *head)
{
    end_line(to);
    oc_text_append(head, to->line.bytes, to->line.length);
    head->failed = head->failed || to->line.failed;
}

static ocelotl_status define_type(writing *to, oc_text *head, uint32_t index)
{
    const placed_type *placed = &to->types.all[index];
    const ocelotl_event_type type = ocelotl_trace_event_type_at(to->trace, placed->type);
    const unsigned kind = EVENT_TYPE + (unsigned)type.category;
    OC_TRY(begin_line(to, kind + (type.colour >= 0 ? COLOURED : 0), 0, 0));
    add_alias(&to->line, 't', index);
    add_alias(&to->line, 'c', placed->container);
    if (type.category == OCELOTL_LINK) {
        add_alias(&to->line, 'c', placed->from != OCELOTL_NONE ? placed->from : placed->container);
        add_alias(&to->line, 'c', placed->to != OCELOTL_NONE ? placed->to : placed->container);
    }
    add_text(to, type.name);
    add_colour(&to->line, type.colour);
    add_head_line(to, head);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(to->trace, placed->type); i++) {
        const uint32_t value = ocelotl_trace_event_type_value_at(to->trace, placed->type, i);
        const ocelotl_value found = ocelotl_trace_value_at(to->trace, value);
        OC_TRY(begin_line(to, ENTITY_VALUE + (found.colour >= 0 ? COLOURED : 0), 0, 0));
        oc_text_format(&to->line, " v%" PRIu32 "_%" PRIu32, index, value);
        add_alias(&to->line, 't', index);
        add_text(to, found.name);
        add_colour(&to->line, found.colour);
        add_head_line(to, head);
    }
    return OCELOTL_OK;
}

static ocelotl_status define_types(writing *to, oc_text *head)
{
    for (uint32_t i = 0; i < to->containers.count; i++) {
        const placed_type *placed = &to->containers.all[i];
        const char *name = ocelotl_trace_resource_type_at(to->trace, placed->type).name;
        if (placed->container == OCELOTL_ROOT && is_root_type(to, placed->type))
            continue;
        OC_TRY(begin_line(to, CONTAINER_TYPE, 0, 0));
        add_alias(&to->line, 'c', i);
        add_alias(&to->line, 'c', placed->container);
        /* pj_dump refuses another type that is called as the root's */
        const bool is_taken = strcmp(name, "0") == 0;
        add_text(to, is_taken ? "0_" : name);
        oc_lose(to->base.losses, "types of resources called 0, as only the root's is (0_)",
                is_taken);
        add_head_line(to, head);
    }
    for (uint32_t i = 0; i < to->types.count; i++)
        OC_TRY(define_type(to, head, i));
    return OCELOTL_OK;
}

static ocelotl_status close_paje(void *of)
{
    writing *to = of;
    oc_text head = {0};
    uint64_t left_out;
    uint64_t notes;
    ocelotl_status status = define_types(to, &head);
    if (status == OCELOTL_OK && (to->definitions.failed || head.failed))
        status = oc_fail_memory();
    if (status == OCELOTL_OK) {
        oc_output_add(&to->base.out, "# ocelotl\n");
        oc_output_append(&to->base.out, to->definitions.bytes, to->definitions.length);
        oc_output_append(&to->base.out, head.bytes, head.length);
        status = oc_export_lines_write(&left_out, to->lines, &to->base.out);
    }
    oc_text_free(&head);
    OC_TRY(status);
    OC_TRY(oc_read_counts(&notes, 1, to->trace, "SELECT count(*) FROM resource WHERE notes <> ''"));
    oc_lose(to->base.losses, "links whose order is not kept where they arrive at one instant",
            left_out);
    oc_lose(to->base.losses, "resources with notes", notes);
    return OCELOTL_OK;
}

/* Of other formats links with one end are left out: pj_dump stops at the first one. */
ocelotl_status ocelotl_events_write_paje(const ocelotl_sink *sink, ocelotl_events *events,
                                         ocelotl_trace *trace, const ocelotl_selection *selection,
                                         ocelotl_losses *losses)
{
    static const oc_export_steps steps = {open_paje, create, keep_event, close_paje};
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const bool is_paje = strcmp(info.format, "paje") == 0;
    writing to = {.base = {{.sink = sink},
                           events,
                           trace,
                           selection,
                           losses,
                           oc_exact_of(info.tick_numerator, info.tick_denominator, 0),
                           OC_LACKS_CROSSING_STATES | OC_LACKS_UNITS | OC_LACKS_ORIGIN |
                               OC_LACKS_FINE_CLOCKS | (is_paje ? 0 : OC_LACKS_LOOSE_LINKS)},
                  .trace = trace,
                  .root = OCELOTL_ROOT,
                  .root_type = OCELOTL_ROOT,
                  .resource = OCELOTL_NONE,
                  .type = OCELOTL_NONE,
                  .stream = OC_EXPORT_FIRST_RANK + 1};
    const ocelotl_status status = oc_export_events(&to.base.out, &to.base, &steps, &to);
    oc_carried_texts_free(&to.carried);
    oc_export_lines_free(to.lines);
    oc_text_free(&to.line);
    oc_text_free(&to.definitions);
    oc_text_free(&to.key);
    oc_map_free(&to.numbers);
    oc_map_free(&to.containers.index);
    oc_map_free(&to.types.index);
    free(to.containers.all);
    free(to.types.all);
    free(to.container_of);
    free(to.created);
    return status;
}
