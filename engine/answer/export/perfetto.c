/* Traces of Perfetto: docs/export.md says what becomes of what. Each resource is a track in that of
 * the resource around it. Numbers of tracks follow the hierarchy: 1 is the root, and the resource
 * that comes n-th in it, from 0 on, n + 2; others come behind. */
#include "answer/answer.h"
#include "answer/export/export.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of a TracePacket, a TrackEvent and a TrackDescriptor. */
enum { SNAPSHOT = 6, TIMESTAMP = 8, SEQUENCE = 10, TRACK_EVENT = 11, DESCRIPTOR = 60 };
enum {
    ANNOTATION = 4,
    KIND = 9,
    TRACK = 11,
    CATEGORY = 22,
    NAME = 23,
    NUMBER = 44,
    FLOW = 47,
    LAST
};
enum { UUID = 1, TITLE = 2, PARENT = 5, COUNTER = 8, ORDERING = 11, RANK = 12 };
enum { BEGIN = 1, END, INSTANT, VALUE };

__extension__ typedef unsigned __int128 wide;

/* How a file begins: a packet of the first sequence that says who wrote it. */
static const char beginning[] = "\n\x0e\x50\x01\x68\x01\xa2\x02\x07ocelotl";

typedef struct writing {
    oc_export base;
    const ocelotl_partition *partition; /* NULL: its parts are not wanted */
    int64_t first;                      /* tick that is time 0: no time is negative */
    uint32_t *places;                   /* of each resource in the hierarchy */
    uint32_t *first_types;              /* of each resource the first type of its states, + 1 */
    bool *described;                    /* tracks of resources, by their number */
    uint32_t next_track;
    oc_map others; /* tracks that are no resource's, by resource, type and lane */
    oc_slices *slices;
    uint32_t resource, type; /* of the stream that is read */
    oc_text event, packet, inner;
    oc_carried_texts carried;
    uint64_t link; /* the number of the last one */
} writing;

/* --- Packets */

static void add_number(oc_text *text, uint32_t field, uint64_t number)
{
    oc_bytes_add_unsigned(text, (uint64_t)field << 3);
    oc_bytes_add_unsigned(text, number);
}

static void add_word(oc_text *text, uint32_t field, uint64_t number)
{
    oc_bytes_add_unsigned(text, (uint64_t)field << 3 | 1);
    oc_bytes_add_word(text, number, 8);
}

static void add_bytes(oc_text *text, uint32_t field, const char *bytes, size_t length)
{
    oc_bytes_add_unsigned(text, (uint64_t)field << 3 | 2);
    oc_bytes_add_unsigned(text, length);
    oc_text_append(text, bytes, length);
}

static void add_text(oc_text *text, uint32_t field, const char *string)
{
    add_bytes(text, field, string, strlen(string));
}

static uint64_t nanoseconds(const writing *to, int64_t tick)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(to->base.trace);
    const wide parts = (wide)((uint64_t)tick - (uint64_t)to->first) * info.tick_numerator;
    return (uint64_t)((parts * 1000000000 + info.tick_denominator / 2) / info.tick_denominator);
}

/* Writes a packet with one content, and a time unless that is NULL. */
static ocelotl_status write_packet(writing *to, const int64_t *time, uint32_t field,
                                   const oc_text *content)
{
    oc_text *packet = &to->packet;
    oc_text_clear(packet);
    if (time != NULL)
        add_number(packet, TIMESTAMP, nanoseconds(to, *time));
    add_number(packet, SEQUENCE, 1);
    add_bytes(packet, field, content->bytes, content->length);
    if (content->failed || packet->failed)
        return oc_fail_memory();
    add_bytes(&to->base.out.text, 1, packet->bytes, packet->length);
    oc_output_flow(&to->base.out);
    return to->base.out.status;
}

/* --- Tracks */

/* Describes a track; `unit` is that of a counter, NULL: it is none. */
static ocelotl_status describe(writing *to, uint64_t track, uint64_t parent, const char *name,
                               int64_t rank, const char *unit)
{
    enum { EXPLICIT = 3, UNIT_NAME = 6 };
    oc_text *text = &to->inner;
    oc_text counter = {0};
    oc_text_clear(text);
    add_number(text, UUID, track);
    add_text(text, TITLE, name);
    if (parent != 0)
        add_number(text, PARENT, parent);
    if (unit != NULL) {
        if (unit[0] != '\0')
            add_text(&counter, UNIT_NAME, unit);
        add_bytes(text, COUNTER, counter.bytes, counter.length);
    }
    add_number(text, ORDERING, EXPLICIT);
    add_number(text, RANK, (uint64_t)rank);
    text->failed = text->failed || counter.failed;
    oc_text_free(&counter);
    return write_packet(to, NULL, DESCRIPTOR, text);
}

/* Finds the track of a resource, and describes it and those around it. */
static ocelotl_status find_resource(uint64_t *track, writing *to, uint32_t resource)
{
    uint64_t parent = 0;
    const ocelotl_trace *trace = to->base.trace;
    *track = resource != OCELOTL_ROOT ? to->places[resource] + 2 : 1;
    if (to->described[*track])
        return OCELOTL_OK;
    to->described[*track] = true;
    if (resource == OCELOTL_ROOT)
        return describe(to, *track, 0, ocelotl_trace_info_of(trace).name, 0, NULL);
    const ocelotl_resource one = ocelotl_trace_resource_at(trace, resource);
    if (one.parent != OCELOTL_ROOT)
        OC_TRY(find_resource(&parent, to, one.parent));
    return describe(to, *track, parent, one.name, (int64_t)*track, NULL);
}

/* Finds the track of states of a type, on a lane, or of a variable. States of the first type of a
 * resource that do not cross are on its own. */
static ocelotl_status find_track(uint64_t *track, writing *to, uint32_t resource, uint32_t type,
                                 uint32_t lane, bool is_variable)
{
    const uint32_t key[] = {resource, type, lane};
    const ocelotl_event_type of = ocelotl_trace_event_type_at(to->base.trace, type);
    uint32_t none = type + 1;
    uint32_t *first = resource != OCELOTL_ROOT ? &to->first_types[resource] : &none;
    uint64_t parent;
    oc_text name = {0};
    OC_TRY(find_resource(&parent, to, resource));
    *first = *first == 0 && !is_variable ? type + 1 : *first;
    *track = parent;
    if (*first == type + 1 && lane == 0 && !is_variable)
        return OCELOTL_OK;
    const uint32_t known = oc_map_get(&to->others, key, sizeof key);
    *track = known != OC_MAP_NONE ? known : to->next_track;
    if (known != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_map_set(&to->others, key, sizeof key, to->next_track++));
    oc_text_add(&name, *first == type + 1 && !is_variable ? "" : of.name);
    if (lane > 0)
        oc_text_format(&name, "%s~%" PRIu32, name.length > 0 ? "/" : "", lane);
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : describe(to, *track, parent, name.bytes, 0, is_variable ? of.unit : NULL);
    oc_text_free(&name);
    return status;
}

/* --- Events */

static ocelotl_status write_event_at(writing *to, int64_t time, uint64_t track)
{
    add_number(&to->event, TRACK, track);
    return write_packet(to, &time, TRACK_EVENT, &to->event);
}

static void add_annotation(writing *to, const char *name, const char *text)
{
    enum { VALUE_TEXT = 6, ANNOTATION_NAME = 10 };
    oc_text_clear(&to->inner);
    add_text(&to->inner, ANNOTATION_NAME, name);
    add_text(&to->inner, VALUE_TEXT, text);
    add_bytes(&to->event, ANNOTATION, to->inner.bytes, to->inner.length);
    to->event.failed = to->event.failed || to->inner.failed;
}

/* Begins an event: its name, and what it carries. */
static ocelotl_status begin_event(writing *to, unsigned kind, const char *category,
                                  const ocelotl_event *event)
{
    const char *type = ocelotl_trace_event_type_at(to->base.trace, event->event_type).name;
    const char *name = oc_value_name(to->base.trace, event->value);
    oc_text_clear(&to->event);
    add_number(&to->event, KIND, kind);
    add_text(&to->event, NAME, name[0] != '\0' ? name : type);
    add_text(&to->event, CATEGORY, category != NULL ? category : type);
    OC_TRY(oc_carried_texts_read(&to->carried, event->attributes));
    for (size_t i = 0; i < to->carried.count; i++)
        add_annotation(to, oc_carried_name(&to->carried, i), oc_carried_text(&to->carried, i));
    if (event->key != NULL)
        add_annotation(to, "Key", event->key);
    return OCELOTL_OK;
}

/* A slice that was kept: its time is behind its text. */
static ocelotl_status begin_slice(void *of, uint32_t lane, const char *bytes, size_t length)
{
    writing *to = of;
    int64_t time;
    uint64_t track;
    length -= sizeof time;
    memcpy(&time, bytes + length, sizeof time);
    OC_TRY(find_track(&track, to, to->resource, to->type, lane, false));
    oc_text_clear(&to->event);
    oc_text_append(&to->event, bytes, length);
    return write_event_at(to, time, track);
}

static ocelotl_status end_slice(void *of, uint32_t lane, int64_t time)
{
    writing *to = of;
    uint64_t track;
    OC_TRY(find_track(&track, to, to->resource, to->type, lane, false));
    oc_text_clear(&to->event);
    add_number(&to->event, KIND, END);
    return write_event_at(to, time, track);
}

static ocelotl_status write_end_of_link(writing *to, const ocelotl_event *event, bool starts)
{
    uint64_t track;
    ocelotl_event said = *event;
    if (!starts)
        said.attributes = said.key = NULL;
    OC_TRY(find_resource(&track, to, starts ? event->source : event->target));
    OC_TRY(begin_event(to, INSTANT, "link", &said));
    add_word(&to->event, starts ? FLOW : LAST, to->link);
    return write_event_at(to, starts ? event->begin : event->end, track);
}

static ocelotl_status write_event(void *of, const ocelotl_event *event)
{
    writing *to = of;
    uint64_t track, bits;
    if (event->resource != to->resource || event->event_type != to->type)
        OC_TRY(oc_slices_write(to->slices));
    to->resource = event->resource;
    to->type = event->event_type;
    switch (event->category) {
    case OCELOTL_STATE:
        OC_TRY(begin_event(to, BEGIN, NULL, event));
        oc_text_append(&to->event, (const char *)&event->begin, sizeof event->begin);
        return oc_slices_add(to->slices, event, &to->event);
    case OCELOTL_EVENT:
        OC_TRY(find_resource(&track, to, event->resource));
        OC_TRY(begin_event(to, INSTANT, NULL, event));
        return write_event_at(to, event->begin, track);
    case OCELOTL_LINK:
        to->link++;
        OC_TRY(write_end_of_link(to, event, true));
        return write_end_of_link(to, event, false);
    default:
        OC_TRY(find_track(&track, to, event->resource, event->event_type, 0, true));
        oc_lose(to->base.losses, "attributes of changes of a variable", event->attributes != NULL);
        memcpy(&bits, &event->number, sizeof bits);
        oc_text_clear(&to->event);
        add_number(&to->event, KIND, VALUE);
        add_word(&to->event, NUMBER, bits);
        return write_event_at(to, event->begin, track);
    }
}

/* --- The parts of a partition: a track before all others, with one for each node */

static ocelotl_status write_part(writing *to, size_t number, uint64_t track)
{
    const ocelotl_partition *partition = to->partition;
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    const ocelotl_part part = ocelotl_partition_part_at(partition, number);
    const char *path = ocelotl_model_node_at(model, part.node).path;
    ocelotl_leading_type leading;
    char text[24];
    OC_TRY(ocelotl_partition_leading_type(&leading, partition, number));
    oc_text_clear(&to->event);
    add_number(&to->event, KIND, BEGIN);
    add_text(&to->event, NAME,
             leading.type != OCELOTL_NONE ? ocelotl_model_type_at(model, leading.type).name
                                          : "(none)");
    add_text(&to->event, CATEGORY, "part");
    snprintf(text, sizeof text, "%zu", number);
    add_annotation(to, "part", text);
    add_annotation(to, "node", path);
    add_annotation(to, "gain", oc_digits(part.gain).text);
    add_annotation(to, "loss", oc_digits(part.loss).text);
    add_annotation(to, "share", oc_digits(leading.share).text);
    OC_TRY(write_event_at(to, oc_slice_tick(&info, part.first, false), track));
    oc_text_clear(&to->event);
    add_number(&to->event, KIND, END);
    return write_event_at(to, oc_slice_tick(&info, part.last + 1, true), track);
}

static ocelotl_status write_parts(writing *to)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(to->partition);
    const ocelotl_model *model = ocelotl_partition_model(to->partition);
    const uint64_t around = to->next_track++;
    uint32_t last = OCELOTL_NONE;
    char name[80];
    snprintf(name, sizeof name, "overview: %zu part%s at p %s", info.part_count,
             info.part_count == 1 ? "" : "s", oc_digits(info.p).text);
    OC_TRY(describe(to, around, 0, name, 0, NULL));
    for (size_t i = 0; i < info.part_count; i++) {
        const uint32_t node = ocelotl_partition_part_at(to->partition, i).node;
        const char *path = ocelotl_model_node_at(model, node).path;
        if (node != last)
            OC_TRY(describe(to, to->next_track++, around, path[0] != '\0' ? path : "(whole)", node,
                            NULL));
        last = node;
        OC_TRY(write_part(to, i, to->next_track - 1));
    }
    return OCELOTL_OK;
}

/* --- All of it */

/* The first packet says who wrote it, the second how clocks were at time 0. */
static ocelotl_status open_perfetto(void *of)
{
    enum { ID = 1, TIME = 2, REALTIME = 1, BOOTTIME = 6 };
    writing *to = of;
    const ocelotl_trace *trace = to->base.trace;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const uint32_t count = ocelotl_trace_resource_count(trace);
    static const oc_slice_steps steps = {begin_slice, end_slice};
    oc_text *text = &to->event;
    int64_t base;
    to->first = info.begin < 0 ? info.begin : 0;
    to->next_track = count + 2;
    OC_TRY(oc_slices_open(&to->slices, &steps, to));
    OC_TRY(oc_allocate(&to->places, count, sizeof *to->places));
    OC_TRY(oc_allocate(&to->first_types, count, sizeof *to->first_types));
    OC_TRY(oc_allocate(&to->described, (size_t)count + 2, sizeof *to->described));
    OC_TRY(oc_export_places(to->places, trace, count));
    oc_output_add(&to->base.out, beginning);
    oc_lose(to->base.losses, "clocks finer than nanoseconds, to which times are rounded",
            (wide)info.tick_numerator * 1000000000 % info.tick_denominator != 0);
    if (!oc_find_base(&base, info.origin) || base < 0 || to->first < 0)
        oc_lose(to->base.losses, "times of recording", info.origin[0] != '\0');
    else {
        oc_text_clear(text);
        for (int i = 0; i < 2; i++) {
            oc_text_clear(&to->inner);
            add_number(&to->inner, ID, i == 0 ? BOOTTIME : REALTIME);
            add_number(&to->inner, TIME, i == 0 ? 0 : (uint64_t)base);
            add_bytes(text, 1, to->inner.bytes, to->inner.length);
        }
        OC_TRY(write_packet(to, NULL, SNAPSHOT, text));
    }
    return to->partition != NULL ? write_parts(to) : OCELOTL_OK;
}

static ocelotl_status close_perfetto(void *of)
{
    return oc_slices_write(((writing *)of)->slices);
}

ocelotl_status ocelotl_events_write_perfetto(const ocelotl_sink *sink, ocelotl_events *events,
                                             const ocelotl_trace *trace,
                                             const ocelotl_partition *partition,
                                             ocelotl_losses *losses)
{
    static const oc_export_steps steps = {open_perfetto, NULL, write_event, close_perfetto};
    writing to = {.base = {.out = {.sink = sink},
                           .events = events,
                           .trace = trace,
                           .losses = losses,
                           .lacks = OC_LACKS_LOOSE_LINKS},
                  .partition = partition,
                  .resource = OCELOTL_NONE};
    OC_TRY(oc_check_parts(partition, losses));
    const ocelotl_status status = oc_export_events(&to.base.out, &to.base, &steps, &to);
    oc_slices_free(to.slices);
    oc_carried_texts_free(&to.carried);
    oc_text_free(&to.event);
    oc_text_free(&to.packet);
    oc_text_free(&to.inner);
    free(to.places);
    free(to.first_types);
    free(to.described);
    oc_map_free(&to.others);
    return status;
}
