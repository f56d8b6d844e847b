/* Descriptions: what they are made of, and what is in them. */
#include "importers/ctf/description.h"

#include <inttypes.h>
#include <string.h>

/* --- Failures */

void ctf_fail_at(ctf_description *of, unsigned place, const char *format, ...)
{
    oc_text what = {0};
    va_list arguments;
    if (of->status != OCELOTL_OK)
        return;
    va_start(arguments, format);
    oc_text_vformat(&what, format, arguments);
    va_end(arguments);
    of->status = OCELOTL_ERROR_INPUT;
    if (what.failed)
        of->status = oc_fail_memory();
    else if (place == 0)
        (void)oc_fail(of->status, "%s: %s", of->path, what.bytes);
    else
        (void)oc_fail(of->status, "%s:%s%u: %s", of->path, of->is_new ? "fragment " : "", place,
                      what.bytes);
    oc_text_free(&what);
}

enum { MOST_ALIGNMENT = 4096 };

void ctf_description_free(ctf_description *description)
{
    for (size_t i = 0; i < description->layout_count; i++)
        oc_map_free(&description->layouts[i]->field_of);
    oc_map_free(&description->clock_of);
    oc_arena_free(&description->arena);
    *description = (ctf_description){0};
}

/* --- What a description is made of */

void *ctf_add_one(ctf_description *to, void *items, size_t *count, size_t *capacity, size_t size)
{
    void *array;
    if (to->status == OCELOTL_OK)
        to->status = oc_arena_grow(items, capacity, &to->arena, *count + 1, size);
    if (to->status != OCELOTL_OK)
        return NULL;
    memcpy(&array, items, sizeof array);
    return memset((char *)array + size * (*count)++, 0, size);
}

const char *ctf_keep(ctf_description *in, const char *text, size_t length)
{
    return oc_arena_copy_bytes(&in->arena, text, length);
}

static void check_count(ctf_description *of, size_t count, const char *what)
{
    if (count >= CTF_MOST_STREAMS)
        ctf_fail_at(of, *of->place, "more than %d %s, expected fewer", CTF_MOST_STREAMS, what);
}

uint32_t ctf_find_clock(ctf_description *in, const char *name, size_t length)
{
    const uint32_t known = oc_map_get(&in->clock_of, name, length);
    if (known != OC_MAP_NONE)
        return known + 1;
    check_count(in, in->clock_count, "clocks");
    ctf_clock *added =
        ctf_add_one(in, &in->clocks, &in->clock_count, &in->clock_capacity, sizeof *added);
    if (added == NULL)
        return 0;
    added->name = ctf_keep(in, name, length);
    in->status = oc_map_set(&in->clock_of, name, length, (uint32_t)in->clock_count - 1);
    return (uint32_t)in->clock_count;
}

ctf_stream_class *ctf_add_stream(ctf_description *to)
{
    check_count(to, to->stream_count, "streams");
    ctf_stream_class *added =
        ctf_add_one(to, &to->streams, &to->stream_count, &to->stream_capacity, sizeof *added);
    if (added == NULL)
        return &to->spare.stream;
    added->place = *to->place;
    return added;
}

ctf_event_class *ctf_add_event_class(ctf_description *to)
{
    ctf_event_class *added =
        ctf_add_one(to, &to->events, &to->event_count, &to->event_capacity, sizeof *added);
    return added != NULL ? added : &to->spare.event;
}

ctf_entry *ctf_add_entry(ctf_description *to, const char *name)
{
    ctf_entry *added =
        ctf_add_one(to, &to->environment, &to->entry_count, &to->entry_capacity, sizeof *added);
    if (added == NULL)
        return &to->spare.entry;
    added->name = ctf_keep(to, name, strlen(name));
    return added;
}

void ctf_check_alignment(ctf_description *of, uint64_t alignment, unsigned place)
{
    if (alignment == 0 || alignment > MOST_ALIGNMENT || (alignment & (alignment - 1)) != 0)
        ctf_fail_at(of, place, "an alignment of %" PRIu64 " bits, expected a power of two up to %d",
                    alignment, MOST_ALIGNMENT);
}

/* --- Layouts */

/* A limit is that of what is parsed, where it is. */
static void fail_limit(ctf_description *of, const char *what)
{
    ctf_fail_at(of, of->place != NULL ? *of->place : 0, "%s", what);
}

ctf_layout *ctf_layout_add(ctf_description *to, ctf_kind kind, uint32_t alignment)
{
    ctf_layout *made = &to->spare.layout;
    if (to->layout_count >= CTF_MOST_LAYOUTS)
        fail_limit(to, "metadata of more than 2^20 layouts, expected fewer");
    if (to->status == OCELOTL_OK)
        to->status = oc_arena_allocate(&made, &to->arena, 1, sizeof *made);
    ctf_layout **added = ctf_add_one(to, &to->layouts, &to->layout_count, &to->layout_capacity,
                                     sizeof(ctf_layout *));
    if (added == NULL)
        return &to->spare.layout;
    *made = (ctf_layout){.kind = kind,
                         .alignment = alignment,
                         .text = kind == CTF_STRING ? CTF_UTF8 : CTF_NO_TEXT,
                         .place = *to->place};
    *added = made;
    return made;
}

/* Tracers of CTF 1.8 put an underline before names that could be words of its language. */
void ctf_layout_add_field(ctf_description *in, ctf_layout *to, const char *name, size_t length,
                          ctf_layout *layout)
{
    in->field_bytes += sizeof(*to->fields) + length;
    if (in->field_bytes > CTF_MOST_FIELDS)
        fail_limit(in, "metadata of layouts of more than 512 MiB, expected less");
    if (layout->depth >= CTF_DEEPEST)
        fail_limit(in, "layouts of more than 32 levels, expected fewer");
    ctf_field *field =
        ctf_add_one(in, &to->fields, &to->field_count, &to->field_capacity, sizeof *field);
    if (field == NULL)
        return;
    *field = (ctf_field){
        .name = ctf_keep(in, name, length), .layout = layout, .meanings = layout->meanings};
    field->shown = field->name + (!in->is_new && field->name[0] == '_');
    if (layout->depth >= to->depth)
        to->depth = layout->depth + 1;
    if (to->kind == CTF_STRUCTURE && layout->alignment > to->alignment)
        to->alignment = layout->alignment;
}

ctf_label *ctf_layout_add_label(ctf_description *in, ctf_layout *to, const char *name,
                                size_t length)
{
    ctf_label *label =
        ctf_add_one(in, &to->labels, &to->label_count, &to->label_capacity, sizeof *label);
    if (label == NULL)
        return &in->spare.label;
    label->name = ctf_keep(in, name, length);
    return label;
}

void ctf_layout_set_element(ctf_description *in, ctf_layout *array, ctf_layout *element)
{
    array->element = element;
    array->depth = element->depth + 1;
    if (element->alignment > array->alignment)
        array->alignment = element->alignment;
    if (element->kind == CTF_INTEGER && element->is_text && element->size == 8 &&
        element->alignment % 8 == 0)
        array->text = CTF_UTF8;
    if (array->depth > CTF_DEEPEST)
        fail_limit(in, "layouts of more than 32 levels, expected fewer");
}

ctf_layout *ctf_layout_copy(ctf_description *to, ctf_layout *of)
{
    if (of->kind < CTF_STRUCTURE) /* it has no parts */
        return of;
    ctf_layout *made = ctf_layout_add(to, of->kind, of->alignment);
    made->length = of->length;
    made->depth = of->depth;
    made->text = of->text;
    made->reference = of->reference;
    if (of->element != NULL)
        made->element = ctf_layout_copy(to, of->element);
    for (size_t i = 0; i < of->field_count && to->status == OCELOTL_OK; i++)
        ctf_layout_add_field(to, made, of->fields[i].name, strlen(of->fields[i].name),
                             ctf_layout_copy(to, of->fields[i].layout));
    return made;
}

size_t ctf_layout_look_up(ctf_description *in, ctf_layout *structure, size_t end, const char *name,
                          size_t length)
{
    const size_t wanted = end < structure->field_count ? end : structure->field_count;
    if (structure->mapped > wanted) {
        oc_map_free(&structure->field_of);
        structure->field_of = (oc_map){0};
        structure->mapped = 0;
    }
    while (structure->mapped < wanted && in->status == OCELOTL_OK) {
        const char *known = structure->fields[structure->mapped].name;
        in->status =
            oc_map_set(&structure->field_of, known, strlen(known), (uint32_t)structure->mapped++);
    }
    const uint32_t found = oc_map_get(&structure->field_of, name, length);
    return found != OC_MAP_NONE ? found : SIZE_MAX;
}

/* --- Questions */

ocelotl_status ctf_name_event(oc_text *name, const ctf_event_class *of)
{
    oc_text_clear(name);
    if (of->name != NULL && of->name[0] != '\0')
        oc_text_add(name, of->name);
    else
        oc_text_format(name, "event %" PRIu64, of->id);
    return name->failed ? oc_fail_memory() : OCELOTL_OK;
}

ctf_event_class *ctf_find_event(const ctf_description *description, const ctf_stream_class *stream,
                                uint64_t id)
{
    size_t first = stream->first_event;
    size_t end = first + stream->event_count;
    if (id < stream->event_count && description->events[first + id].id == id)
        return &description->events[first + id]; /* most tracers count from 0 */
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (description->events[middle].id < id)
            first = middle + 1;
        else
            end = middle;
    }
    return first < stream->first_event + stream->event_count && description->events[first].id == id
               ? &description->events[first]
               : NULL;
}

const ctf_entry *ctf_find_entry(const ctf_description *description, const char *name)
{
    for (size_t i = 0; i < description->entry_count; i++)
        if (strcmp(description->environment[i].name, name) == 0)
            return &description->environment[i];
    return NULL;
}
