/* Links what metadata describes: events to streams, numbers to what they mean, and lengths and
 * options to the numbers that say them. */
#include "importers/ctf/description.h"

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
static void settle_clocks(ctf_description *description)
{
    for (size_t i = 0; i < description->clock_count; i++) {
        ctf_clock *clock = &description->clocks[i];
        const int64_t frequency = (int64_t)clock->frequency;
        if (frequency == 0)
            ctf_fail_at(description, 0, "no clock \"%s\", expected one of this name", clock->name);
        if (frequency < 0)
            ctf_fail_at(description, 0, "a clock of %" PRIu64 " Hz, expected less",
                        clock->frequency);
        if (frequency <= 0)
            return;
        int64_t seconds = clock->offset_cycles / frequency;
        clock->offset_cycles %= frequency;
        if (clock->offset_cycles < 0) {
            clock->offset_cycles += frequency;
            seconds--;
        }
        if (!oc_add_times(&clock->offset_seconds, clock->offset_seconds, seconds))
            ctf_fail_at(description, 0, "the offset of a clock is too large");
        /* Tracers say so seldom: a clock that counts from 1973 or later does. */
        clock->is_absolute =
            clock->is_absolute || (clock->offset_seconds >= 100000000 && !clock->is_apart);
    }
}

/* --- Numbers by their meaning, which CTF 1.8 says by names */

static void mark(ctf_layout *structure, ctf_meaning meaning, const char *name)
{
    size_t i = 0;
    while (structure != NULL && i < structure->field_count &&
           strcmp(structure->fields[i].name, name) != 0)
        i++;
    if (structure != NULL && i < structure->field_count &&
        structure->fields[i].layout->kind == CTF_INTEGER)
        structure->fields[i].meanings |= 1u << meaning;
}

static void mark_ids(ctf_layout *layout)
{
    for (size_t i = 0; layout != NULL && i < layout->field_count; i++) {
        ctf_field *field = &layout->fields[i];
        if (field->layout->kind == CTF_INTEGER && strcmp(field->name, "id") == 0)
            field->meanings |= 1u << CTF_IS_EVENT;
        mark_ids(field->layout);
    }
}

static void mark_by_names(ctf_description *description)
{
    mark(description->packet_header, CTF_IS_MAGIC, "magic");
    mark(description->packet_header, CTF_IS_STREAM, "stream_id");
    mark(description->packet_header, CTF_IS_INSTANCE, "stream_instance_id");
    for (size_t i = 0; i < description->stream_count; i++) {
        ctf_layout *context = description->streams[i].packet_context;
        mark(context, CTF_IS_SIZE, "packet_size");
        mark(context, CTF_IS_CONTENT, "content_size");
        mark(context, CTF_IS_BEGIN, "timestamp_begin");
        mark(context, CTF_IS_END, "timestamp_end");
        mark(context, CTF_IS_DISCARDED, "events_discarded");
        mark_ids(description->streams[i].event_header);
    }
}

/* --- Streams and their events */

static void link_streams(ctf_description *description)
{
    if (description->stream_count == 0)
        ctf_fail_at(description, 0, "describes no stream, expected one or more");
    for (size_t i = 0; i < description->stream_count; i++) {
        ctf_stream_class *stream = &description->streams[i];
        for (size_t j = 0; j < i; j++)
            if (description->streams[j].id == stream->id)
                ctf_fail_at(description, stream->place,
                            "a second stream of id %" PRIu64 ", expected one of each", stream->id);
        if (stream->clock == 0)
            stream->clock = clock_of(stream->event_header);
        if (stream->clock == 0)
            stream->clock = clock_of(stream->packet_context);
    }
}

static int compare_events(const void *one, const void *other)
{
    const ctf_event_class *a = one;
    const ctf_event_class *b = other;
    if (a->stream_id != b->stream_id)
        return a->stream_id < b->stream_id ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static void link_events(ctf_description *description)
{
    ctf_stream_class *stream = NULL;
    if (description->event_count > 0)
        qsort(description->events, description->event_count, sizeof(*description->events),
              compare_events);
    for (size_t i = 0; i < description->event_count && description->status == OCELOTL_OK; i++) {
        ctf_event_class *event = &description->events[i];
        if (stream != NULL && stream->id != event->stream_id)
            stream = NULL;
        for (size_t s = 0; s < description->stream_count && stream == NULL; s++)
            if (description->streams[s].id == event->stream_id)
                stream = &description->streams[s];
        if (stream == NULL) {
            ctf_fail_at(description, 0,
                        "event %" PRIu64 " is of stream %" PRIu64
                        ", expected one that is described",
                        event->id, event->stream_id);
            return;
        }
        if (i > 0 && compare_events(event - 1, event) == 0)
            ctf_fail_at(description, 0,
                        "a second event %" PRIu64 " of stream %" PRIu64 ", expected one of each",
                        event->id, event->stream_id);
        if (stream->event_count++ == 0)
            stream->first_event = i;
        event->stream_class = stream;
    }
}

/* --- References: a number that stands before what needs it, in the same structure or one around,
 * or in a root before */

/* Structures around what is resolved: of each the members before one. */
typedef struct scope {
    ctf_layout *structure;
    size_t end;
} scope;

static const char *const root_names[CTF_ROOTS] = {
    [CTF_PACKET_HEADER] = "trace.packet.header", [CTF_PACKET_CONTEXT] = "stream.packet.context",
    [CTF_EVENT_HEADER] = "stream.event.header",  [CTF_EVENT_COMMON] = "stream.event.context",
    [CTF_EVENT_SPECIFIC] = "event.context",      [CTF_EVENT_PAYLOAD] = "event.fields",
};

typedef struct resolver {
    ctf_description *description;
    ctf_layout *roots[CTF_ROOTS];
    size_t own; /* the root that is resolved: those before are whole */
    scope scopes[CTF_DEEPEST + 2];
    size_t scope_count;
    ctf_field **found; /* what may be referred to: one of them is there at a time */
    size_t found_count, found_capacity;
    oc_text step;
} resolver;

static void add_found(resolver *of, ctf_field *field)
{
    ctf_field **added = ctf_add_one(of->description, &of->found, &of->found_count,
                                    &of->found_capacity, sizeof(ctf_field *));
    if (added != NULL)
        *added = field;
}

/* Follows steps of CTF 1.8 through the first `end` members of a structure. */
static void follow(resolver *of, ctf_layout *structure, size_t end, const char *steps)
{
    while (structure != NULL && structure->kind == CTF_STRUCTURE) {
        const size_t length = strcspn(steps, ".");
        const size_t index = ctf_layout_look_up(of->description, structure, end, steps, length);
        if (index != SIZE_MAX && steps[length] == '\0')
            add_found(of, &structure->fields[index]);
        if (index == SIZE_MAX || steps[length] == '\0')
            return;
        structure = structure->fields[index].layout;
        steps += length + 1;
        end = SIZE_MAX;
    }
}

/* The steps behind the path of a root; NULL: they do not begin with it. */
static const char *behind(const char *steps, const char *path)
{
    const size_t length = strlen(path);
    return strncmp(steps, path, length) == 0 && steps[length] == '.' ? steps + length + 1 : NULL;
}

/* Within a root only what stands before is there already. */
static void follow_root(resolver *of, size_t root, const char *steps)
{
    follow(of, of->roots[root],
           root == of->own && of->scope_count > 0 ? of->scopes[0].end : SIZE_MAX, steps);
}

/* A name of CTF 1.8 is that of a root, else the nearest of what is around. */
static void find_name(resolver *of, const char *reference)
{
    for (size_t i = 0; i <= of->own && of->found_count == 0; i++) {
        const char *steps = behind(reference, root_names[i]);
        if (steps == NULL && i == CTF_EVENT_PAYLOAD)
            steps = behind(reference, "event.payload");
        if (steps != NULL)
            follow_root(of, i, steps);
    }
    for (size_t i = of->scope_count; i > 0 && of->found_count == 0; i--)
        follow(of, of->scopes[i - 1].structure, of->scopes[i - 1].end, reference);
    for (size_t i = of->own + 1; i > 0 && of->found_count == 0; i--)
        follow_root(of, i - 1, reference);
}

/* Follows steps of CTF 2, through all options; `level` is that of the structure among those around
 * what is resolved, SIZE_MAX: it is whole. The field is that of the layout. */
static void follow_all(resolver *of, ctf_field *field, ctf_layout *layout, size_t level,
                       const char *steps)
{
    for (; layout->element != NULL; layout = layout->element, field = NULL)
        if (level == SIZE_MAX) /* of an array that is whole no element is meant */
            return;
    for (size_t i = 0; layout->kind == CTF_VARIANT && i < layout->field_count; i++)
        follow_all(of, &layout->fields[i], layout->fields[i].layout, level, steps);
    if (layout->kind == CTF_INTEGER && steps == NULL && field != NULL)
        add_found(of, field);
    if (layout->kind != CTF_STRUCTURE || steps == NULL)
        return;
    const size_t length = strcspn(steps, "/");
    const bool is_around = level < of->scope_count && of->scopes[level].structure == layout;
    oc_text_clear(&of->step);
    oc_text_append(&of->step, "", 0);
    oc_text_add_step_name(&of->step, steps, length);
    if (of->step.failed) {
        of->description->status = oc_fail_memory();
        return;
    }
    const size_t index =
        ctf_layout_look_up(of->description, layout, SIZE_MAX, of->step.bytes, of->step.length);
    if (index != SIZE_MAX && (!is_around || index <= of->scopes[level].end))
        follow_all(of, &layout->fields[index], layout->fields[index].layout,
                   is_around && index == of->scopes[level].end ? level + 1 : SIZE_MAX,
                   steps[length] == '/' ? steps + length + 1 : NULL);
}

static void find_location(resolver *of, const ctf_layout *layout)
{
    size_t level = layout->origin == of->own ? 0 : SIZE_MAX;
    ctf_layout *from = NULL;
    if (layout->origin == SIZE_MAX && layout->rise < of->scope_count) {
        level = of->scope_count - 1 - layout->rise;
        from = of->scopes[level].structure;
    } else if (layout->origin <= of->own) {
        from = of->roots[layout->origin];
    }
    if (from != NULL)
        follow_all(of, NULL, from, level, layout->reference);
}

static int compare_choices(const void *one, const void *other)
{
    const ctf_choice *a = one;
    const ctf_choice *b = other;
    if (a->option != b->option)
        return a->option < b->option ? -1 : 1;
    return (a->label > b->label) - (a->label < b->label);
}

static void add_choice(ctf_description *in, ctf_layout *to, ctf_choice choice)
{
    ctf_choice *added =
        ctf_add_one(in, &to->choices, &to->choice_count, &to->choice_capacity, sizeof *added);
    if (added != NULL)
        *added = choice;
}

/* The labels of a tag of CTF 1.8 choose the options of their names; the first that has a number
 * counts. */
static void choose_by_labels(ctf_description *in, ctf_layout *variant, const ctf_layout *tag)
{
    variant->choice_count = 0;
    for (size_t i = 0; i < tag->label_count; i++) {
        const ctf_label *label = &tag->labels[i];
        const size_t option =
            ctf_layout_look_up(in, variant, SIZE_MAX, label->name, strlen(label->name));
        if (option != SIZE_MAX)
            add_choice(in, variant, (ctf_choice){label->low, label->high, option, i});
    }
    if (variant->choice_count > 0)
        qsort(variant->choices, variant->choice_count, sizeof(*variant->choices), compare_choices);
}

/* What is wrong with a number that is referred to; NULL: nothing. */
static const char *judge(const ctf_description *description, const ctf_layout *layout,
                         const ctf_layout *number, const ctf_layout *first)
{
    const bool is_integer = number->kind == CTF_INTEGER;
    const bool is_length = layout->kind != CTF_VARIANT;
    if (!description->is_new && is_length)
        return is_integer ? NULL : "an integer";
    if (!description->is_new)
        return is_integer && number->is_enumeration ? NULL : "an enumeration";
    if (is_length)
        return is_integer && !number->is_signed && !number->is_boolean ? NULL
                                                                       : "an unsigned integer";
    const bool wants_boolean = layout->is_optional && layout->choice_count == 0;
    if (number->is_boolean != wants_boolean)
        return wants_boolean ? "a boolean" : "an integer";
    if (number->is_signed != first->is_signed || (layout->needs_signed && !number->is_signed) ||
        (layout->needs_unsigned && number->is_signed))
        return "an integer that has the numbers of its options";
    return NULL;
}

static void resolve_reference(resolver *of, ctf_layout *layout)
{
    ctf_description *description = of->description;
    const bool is_length = layout->kind != CTF_VARIANT;
    const char *reference = layout->reference != NULL ? layout->reference : "";
    of->found_count = 0;
    if (description->is_new)
        find_location(of, layout);
    else
        find_name(of, reference);
    const ctf_layout none = {.kind = CTF_STRUCTURE};
    const ctf_layout *first = of->found_count > 0 ? of->found[0]->layout : &none;
    const char *expected = judge(description, layout, first, first);
    for (size_t i = 0; i < of->found_count && expected == NULL; i++) {
        expected = judge(description, layout, of->found[i]->layout, first);
        layout->slot = layout->slot == 0 ? of->found[i]->slot : layout->slot;
    }
    if (expected != NULL) {
        ctf_fail_at(description, description->is_new ? layout->place : 0,
                    "%s refers to \"%s\", expected %s before it",
                    layout->is_optional ? "what is optional"
                    : is_length         ? "a sequence"
                                        : "a variant",
                    reference, expected);
        return;
    }
    if (layout->slot == 0)
        layout->slot = ++description->slot_count;
    for (size_t i = 0; i < of->found_count; i++)
        of->found[i]->slot = layout->slot;
    layout->tag_is_signed = first->is_signed;
    if (!is_length && !description->is_new)
        choose_by_labels(description, layout, first);
    else if (first->is_boolean && layout->choice_count == 0)
        add_choice(description, layout, (ctf_choice){.low = 1, .high = -1});
}

static void resolve(resolver *of, ctf_layout *layout)
{
    if (layout->kind == CTF_VARIANT || layout->kind == CTF_SEQUENCE)
        resolve_reference(of, layout);
    if (layout->element != NULL) {
        resolve(of, layout->element);
        return;
    }
    const bool is_scope = layout->kind == CTF_STRUCTURE;
    if (is_scope)
        of->scopes[of->scope_count++] = (scope){.structure = layout};
    for (size_t i = 0; i < layout->field_count && of->description->status == OCELOTL_OK; i++) {
        if (is_scope)
            of->scopes[of->scope_count - 1].end = i;
        resolve(of, layout->fields[i].layout);
    }
    of->scope_count -= is_scope;
}

/* Resolves a root behind those before; counts the members that they have for records. */
static void resolve_root(resolver *of, ctf_root root, ctf_layout *layout)
{
    size_t members = 0;
    of->own = root;
    of->roots[root] = layout;
    if (layout != NULL && of->description->status == OCELOTL_OK)
        resolve(of, layout);
    for (size_t i = 0; i <= root; i++)
        if (i != CTF_PACKET_HEADER && i != CTF_EVENT_HEADER && of->roots[i] != NULL)
            members += of->roots[i]->field_count;
    if (members > of->description->most_members)
        of->description->most_members = members;
}

/* Notes the numbers in a packet that other fields refer to: they hold for all its events. */
static void note_slots(ctf_description *description, const ctf_layout *layout)
{
    while (layout != NULL && layout->element != NULL)
        layout = layout->element;
    for (size_t i = 0; layout != NULL && i < layout->field_count; i++) {
        note_slots(description, layout->fields[i].layout);
        if (layout->fields[i].slot == 0)
            continue;
        uint32_t *added =
            ctf_add_one(description, &description->packet_slots, &description->packet_slot_count,
                        &description->packet_slot_capacity, sizeof *added);
        if (added != NULL)
            *added = layout->fields[i].slot;
    }
}

/* --- All of it */

void ctf_link(ctf_description *description)
{
    resolver of = {.description = description};
    if (description->status != OCELOTL_OK)
        return;
    for (size_t i = 0; i < description->layout_count; i++)
        if (description->layouts[i]->order == CTF_NATIVE)
            description->layouts[i]->order = description->is_big ? CTF_BIG : CTF_LITTLE;
    link_streams(description);
    settle_clocks(description);
    if (!description->is_new)
        mark_by_names(description);
    link_events(description);
    resolve_root(&of, CTF_PACKET_HEADER, description->packet_header);
    for (size_t i = 0; i < description->stream_count; i++) {
        const ctf_stream_class *stream = &description->streams[i];
        resolve_root(&of, CTF_PACKET_CONTEXT, stream->packet_context);
        resolve_root(&of, CTF_EVENT_HEADER, stream->event_header);
        resolve_root(&of, CTF_EVENT_COMMON, stream->event_context);
        for (size_t j = 0; j < stream->event_count; j++) {
            const ctf_event_class *event = &description->events[stream->first_event + j];
            resolve_root(&of, CTF_EVENT_SPECIFIC, event->context);
            resolve_root(&of, CTF_EVENT_PAYLOAD, event->payload);
        }
    }
    note_slots(description, description->packet_header);
    for (size_t i = 0; i < description->stream_count; i++)
        note_slots(description, description->streams[i].packet_context);
    oc_text_free(&of.step);
}
