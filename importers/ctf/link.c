/* Links what metadata describes: events to streams, numbers to what they mean. */
#include "importers/ctf/description.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Clocks */

/* The clock of what events have in their headers: the last is that of all. */
static uint32_t clock_of(const ctf_layout *layout)
{
    uint32_t clock = layout == NULL ? 0 : layout->clock;
    for (size_t i = 0; layout != NULL && i < layout->field_count; i++) {
        const uint32_t found = clock_of(layout->fields[i].layout);
        clock = found != 0 ? found : clock;
    }
    return clock;
}

/* Moves whole seconds from the cycles of a clock's offset. */
static ocelotl_status settle_clocks(ctf_description *description, const char *path)
{
    for (size_t i = 0; i < description->clock_count; i++) {
        ctf_clock *clock = &description->clocks[i];
        if (clock->frequency == 0)
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: no clock \"%s\", expected one of this name",
                           path, clock->name);
        if (clock->frequency > INT64_MAX)
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: a clock of %" PRIu64 " Hz, expected less",
                           path, clock->frequency);
        const int64_t frequency = (int64_t)clock->frequency;
        int64_t seconds = clock->offset_cycles / frequency;
        clock->offset_cycles %= frequency;
        if (clock->offset_cycles < 0) {
            clock->offset_cycles += frequency;
            seconds--;
        }
        if (!oc_add_times(&clock->offset_seconds, clock->offset_seconds, seconds))
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: the offset of a clock is too large", path);
        /* Tracers say so seldom: a clock that counts from 1973 or later does. */
        clock->is_absolute = clock->is_absolute || clock->offset_seconds >= 100000000;
    }
    return OCELOTL_OK;
}

/* --- Members by their meaning */

static size_t find_number(const ctf_layout *structure, const char *name)
{
    const size_t index = ctf_layout_find(structure, name);
    return index != SIZE_MAX && structure->fields[index].layout->kind == CTF_INTEGER ? index
                                                                                     : SIZE_MAX;
}

static void mark_ids(ctf_layout *layout)
{
    for (size_t i = 0; layout != NULL && i < layout->field_count; i++) {
        ctf_field *field = &layout->fields[i];
        field->is_id = field->layout->kind == CTF_INTEGER && strcmp(field->name, "id") == 0;
        mark_ids(field->layout);
    }
}

static void link_stream(ctf_stream_class *stream)
{
    ctf_layout *context = stream->packet_context;
    stream->packet_size = find_number(context, "packet_size");
    stream->content_size = find_number(context, "content_size");
    stream->begin = find_number(context, "timestamp_begin");
    stream->end = find_number(context, "timestamp_end");
    stream->discarded = find_number(context, "events_discarded");
    if (stream->end != SIZE_MAX)
        context->fields[stream->end].leaves_clock = true;
    stream->clock = clock_of(stream->event_header);
    if (stream->clock == 0)
        stream->clock = clock_of(context);
    mark_ids(stream->event_header);
}

/* --- Events and their streams */

static int compare_events(const void *one, const void *other)
{
    const ctf_event_class *a = one;
    const ctf_event_class *b = other;
    if (a->stream_id != b->stream_id)
        return a->stream_id < b->stream_id ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static ocelotl_status link_events(ctf_description *description, const char *path)
{
    ctf_stream_class *stream = NULL;
    if (description->event_count > 0)
        qsort(description->events, description->event_count, sizeof(*description->events),
              compare_events);
    for (size_t i = 0; i < description->event_count; i++) {
        ctf_event_class *event = &description->events[i];
        const bool goes_on = stream != NULL && stream->id == event->stream_id;
        if (!goes_on)
            stream = NULL;
        for (size_t s = 0; s < description->stream_count && stream == NULL; s++)
            if (description->streams[s].id == event->stream_id)
                stream = &description->streams[s];
        if (stream == NULL)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: event %" PRIu64 " is of stream %" PRIu64
                           ", expected one that is described",
                           path, event->id, event->stream_id);
        if (i > 0 && compare_events(event - 1, event) == 0)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: a second event %" PRIu64 " of stream %" PRIu64
                           ", expected one of each",
                           path, event->id, event->stream_id);
        if (stream->event_count == 0)
            stream->first_event = i;
        stream->event_count++;
        event->stream_class = stream;
    }
    return OCELOTL_OK;
}

/* --- References */

static size_t count_members(const ctf_layout *layout)
{
    return layout != NULL ? layout->field_count : 0;
}

static void note_members(ctf_description *description, const ctf_stream_class *stream,
                         const ctf_event_class *event)
{
    size_t members = count_members(stream->packet_context) + count_members(stream->event_context);
    if (event != NULL)
        members += count_members(event->context) + count_members(event->payload);
    if (members > description->most_members)
        description->most_members = members;
}

static ocelotl_status resolve_stream(ctf_description *description, const ctf_stream_class *stream,
                                     const char *path)
{
    uint32_t *slots = &description->slot_count;
    ctf_root roots[] = {{"trace.packet.header", description->packet_header},
                        {"stream.packet.context", stream->packet_context},
                        {"stream.event.header", stream->event_header},
                        {"stream.event.context", stream->event_context},
                        {"event.context", NULL},
                        {"event.fields", NULL}};
    for (size_t count = 2; count <= 4; count++)
        OC_TRY(ctf_resolve(slots, roots, count, path));
    note_members(description, stream, NULL);
    for (size_t i = 0; i < stream->event_count; i++) {
        const ctf_event_class *event = &description->events[stream->first_event + i];
        roots[4].layout = event->context;
        roots[5].layout = event->payload;
        OC_TRY(ctf_resolve(slots, roots, 5, path));
        OC_TRY(ctf_resolve(slots, roots, 6, path));
        note_members(description, stream, event);
    }
    return OCELOTL_OK;
}

/* Notes the numbers in a packet that other fields refer to: they hold for all its events. */
static ocelotl_status note_slots(ctf_description *description, const ctf_layout *layout)
{
    if (layout != NULL && layout->element != NULL)
        return note_slots(description, layout->element);
    for (size_t i = 0; layout != NULL && i < layout->field_count; i++) {
        const ctf_field *field = &layout->fields[i];
        OC_TRY(note_slots(description, field->layout));
        if (field->slot == 0)
            continue;
        OC_TRY(oc_grow(&description->packet_slots, &description->packet_slot_capacity,
                       description->packet_slot_count + 1, sizeof(uint32_t)));
        description->packet_slots[description->packet_slot_count++] = field->slot;
    }
    return OCELOTL_OK;
}

/* --- All of it */

ocelotl_status ctf_link(ctf_description *description, const char *path)
{
    ctf_layout *header = description->packet_header;
    for (size_t i = 0; i < description->layout_count; i++)
        if (description->layouts[i]->order == CTF_NATIVE)
            description->layouts[i]->order = description->is_big ? CTF_BIG : CTF_LITTLE;
    if (description->stream_count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: describes no stream, expected one or more", path);
    OC_TRY(settle_clocks(description, path));
    description->magic = find_number(header, "magic");
    description->stream_id = find_number(header, "stream_id");
    description->instance_id = find_number(header, "stream_instance_id");
    for (size_t i = 0; i < description->stream_count; i++)
        link_stream(&description->streams[i]);
    OC_TRY(link_events(description, path));
    const ctf_root root = {"trace.packet.header", header};
    OC_TRY(ctf_resolve(&description->slot_count, &root, 1, path));
    for (size_t i = 0; i < description->stream_count; i++)
        OC_TRY(resolve_stream(description, &description->streams[i], path));
    OC_TRY(note_slots(description, header));
    for (size_t i = 0; i < description->stream_count; i++)
        OC_TRY(note_slots(description, description->streams[i].packet_context));
    return OCELOTL_OK;
}
