/* Descriptions: what they are read from, what they are made of, and what is in them. */
#include "importers/ctf/description.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Messages */

ocelotl_status ctf_fail_at(const ctf_description *of, unsigned place, const char *format, ...)
{
    oc_text what = {0};
    va_list arguments;
    va_start(arguments, format);
    oc_text_vformat(&what, format, arguments);
    va_end(arguments);
    ocelotl_status status = OCELOTL_ERROR_INPUT;
    if (what.failed)
        status = oc_fail_memory();
    else if (place == 0)
        status = oc_fail(status, "%s: %s", of->path, what.bytes);
    else
        status = oc_fail(status, "%s:%s%u: %s", of->path, of->is_new ? "fragment " : "", place,
                         what.bytes);
    oc_text_free(&what);
    return status;
}

/* --- The text of metadata, which stands in its file as it is or in packets */

enum {
    MAGIC = 0x75D11D57,
    HEAD = 37,       /* bytes before the text of a packet */
    CONTENT_AT = 24, /* sizes in bits */
    SIZE_AT = 28,
    COMPRESSION_AT = 32, /* compression, encryption, checksum: a byte each */
    MOST = 256 << 20,    /* bytes: no metadata has more */
    BLOCK = 1 << 16,
    MOST_ALIGNMENT = 4096
};

static ocelotl_status read_file(oc_text *bytes, const char *path)
{
    static const size_t block = BLOCK;
    char part[BLOCK];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    size_t length;
    while ((length = fread(part, 1, block, file)) > 0 && bytes->length <= MOST)
        oc_text_append(bytes, part, length);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot be read", path);
    if (bytes->failed)
        return oc_fail_memory();
    if (bytes->length > MOST)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: is of more than %d MiB, expected metadata", path,
                       MOST >> 20);
    return OCELOTL_OK;
}

static uint32_t number_at(const char *bytes, bool is_big)
{
    const unsigned char *at = (const unsigned char *)bytes;
    uint32_t number = 0;
    for (size_t i = 0; i < 4; i++)
        number |= (uint32_t)at[i] << 8 * (is_big ? 3 - i : i);
    return number;
}

static ocelotl_status take_packets(oc_text *text, const char *path, const oc_text *bytes,
                                   bool is_big)
{
    for (size_t at = 0; at < bytes->length;) {
        const char *head = bytes->bytes + at;
        const size_t left = bytes->length - at;
        if (left < HEAD || number_at(head, is_big) != MAGIC)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%zu: no packet of metadata begins here, expected one as before",
                           path, at);
        const size_t content = number_at(head + CONTENT_AT, is_big) / 8;
        const size_t size = number_at(head + SIZE_AT, is_big) / 8;
        if (head[COMPRESSION_AT] != 0 || head[COMPRESSION_AT + 1] != 0)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%zu: the packet is compressed or encrypted, expected plain metadata",
                           path, at);
        if (content < HEAD || content > size || size > left)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s:%zu: a packet of %zu bytes with a content of %zu, expected at most "
                           "the %zu that the file has",
                           path, at, size, content, left);
        oc_text_append(text, head + HEAD, content - HEAD);
        at += size;
    }
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Takes the text, which may be the bytes as they are. */
static ocelotl_status take_text(oc_text *text, const char *path, oc_text *bytes)
{
    const size_t length = bytes->length;
    if (length == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected the metadata of a CTF trace",
                       path);
    for (int is_big = 0; is_big < 2 && length >= HEAD; is_big++)
        if (number_at(bytes->bytes, is_big != 0) == MAGIC)
            return take_packets(text, path, bytes, is_big != 0);
    if (memchr(bytes->bytes, '\0', length) != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is not text, expected the metadata of a CTF trace",
                       path);
    *text = *bytes;
    *bytes = (oc_text){0};
    return OCELOTL_OK;
}

static ocelotl_status read(ctf_description *description, oc_text *text, oc_text *bytes)
{
    OC_TRY(read_file(bytes, description->path));
    OC_TRY(take_text(text, description->path, bytes));
    const char first = text->length > 0 ? text->bytes[0] : '\0';
    description->is_new = first == 0x1E || first == '{';
    OC_TRY(description->is_new ? ctf_parse_fragments(description, text)
                               : ctf_parse_blocks(description, text));
    return ctf_link(description);
}

ocelotl_status ctf_description_read(ctf_description *description, const char *folder)
{
    oc_text text = {0};
    oc_text bytes = {0};
    oc_text path = {0};
    oc_text_format(&path, "%s/metadata", folder);
    description->path = path.bytes;
    const ocelotl_status status = path.failed ? oc_fail_memory() : read(description, &text, &bytes);
    description->path = NULL;
    oc_text_free(&text);
    oc_text_free(&bytes);
    oc_text_free(&path);
    return status;
}

void ctf_description_free(ctf_description *description)
{
    for (size_t l = 0; l < description->layout_count; l++) {
        ctf_layout *layout = description->layouts[l];
        for (size_t i = 0; i < layout->label_count; i++)
            free(layout->labels[i].name);
        for (size_t i = 0; i < layout->field_count; i++)
            free(layout->fields[i].name);
        oc_map_free(&layout->field_of);
        free(layout->labels);
        free(layout->fields);
        free(layout->choices);
        free(layout->reference);
        free(layout);
    }
    for (size_t i = 0; i < description->clock_count; i++)
        free(description->clocks[i].name);
    for (size_t i = 0; i < description->entry_count; i++) {
        free(description->environment[i].name);
        free(description->environment[i].text);
    }
    for (size_t i = 0; i < description->event_count; i++)
        free(description->events[i].name);
    oc_map_free(&description->clock_of);
    free(description->layouts);
    free(description->clocks);
    free(description->environment);
    free(description->streams);
    free(description->events);
    free(description->packet_slots);
    free(description->uuid);
    *description = (ctf_description){0};
}

/* --- What a description is made of */

ocelotl_status ctf_check_count(const ctf_description *of, size_t count, const char *what)
{
    return count < CTF_MOST_STREAMS ? OCELOTL_OK
                                    : ctf_fail_at(of, *of->place, "more than %d %s, expected fewer",
                                                  CTF_MOST_STREAMS, what);
}

ocelotl_status ctf_find_clock(uint32_t *clock, ctf_description *in, const char *name, size_t length)
{
    const uint32_t known = oc_map_get(&in->clock_of, name, length);
    *clock = known + 1;
    if (known != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ctf_check_count(in, in->clock_count, "clocks"));
    OC_TRY(oc_grow(&in->clocks, &in->clock_capacity, in->clock_count + 1, sizeof(*in->clocks)));
    ctf_clock *added = &in->clocks[in->clock_count];
    *added = (ctf_clock){0};
    OC_TRY(oc_allocate(&added->name, length + 1, 1));
    memcpy(added->name, name, length);
    *clock = (uint32_t)++in->clock_count;
    return oc_map_set(&in->clock_of, name, length, *clock - 1);
}

ocelotl_status ctf_add_stream(ctf_stream_class **added, ctf_description *to)
{
    OC_TRY(ctf_check_count(to, to->stream_count, "streams"));
    OC_TRY(oc_grow(&to->streams, &to->stream_capacity, to->stream_count + 1, sizeof(**added)));
    *added = &to->streams[to->stream_count++];
    **added = (ctf_stream_class){.place = *to->place};
    return OCELOTL_OK;
}

ocelotl_status ctf_add_event_class(ctf_event_class **added, ctf_description *to)
{
    OC_TRY(oc_grow(&to->events, &to->event_capacity, to->event_count + 1, sizeof(**added)));
    *added = &to->events[to->event_count++];
    **added = (ctf_event_class){0};
    return OCELOTL_OK;
}

ocelotl_status ctf_add_entry(ctf_entry **added, ctf_description *to, const char *name)
{
    OC_TRY(oc_grow(&to->environment, &to->entry_capacity, to->entry_count + 1, sizeof(**added)));
    *added = &to->environment[to->entry_count++];
    **added = (ctf_entry){0};
    return oc_copy_text(&(*added)->name, name);
}

ocelotl_status ctf_check_alignment(const ctf_description *of, uint64_t alignment, unsigned place)
{
    return alignment > 0 && alignment <= MOST_ALIGNMENT && (alignment & (alignment - 1)) == 0
               ? OCELOTL_OK
               : ctf_fail_at(of, place,
                             "an alignment of %" PRIu64 " bits, expected a power of two up to %d",
                             alignment, MOST_ALIGNMENT);
}

/* --- Layouts */

/* A limit is that of what is parsed, where it is. */
static ocelotl_status fail_limit(const ctf_description *of, const char *what)
{
    return ctf_fail_at(of, of->place != NULL ? *of->place : 0, "%s", what);
}

ocelotl_status ctf_layout_add(ctf_layout **added, ctf_description *to, ctf_kind kind,
                              uint32_t alignment)
{
    if (to->layout_count >= CTF_MOST_LAYOUTS)
        return fail_limit(to, "metadata of more than 2^20 layouts, expected fewer");
    OC_TRY(oc_grow(&to->layouts, &to->layout_capacity, to->layout_count + 1, sizeof(ctf_layout *)));
    OC_TRY(oc_allocate(added, 1, sizeof(**added)));
    **added = (ctf_layout){.kind = kind,
                           .alignment = alignment,
                           .text = kind == CTF_STRING ? CTF_UTF8 : CTF_NO_TEXT,
                           .place = *to->place};
    to->layouts[to->layout_count++] = *added;
    return OCELOTL_OK;
}

/* Tracers of CTF 1.8 put an underline before names that could be words of its language. */
ocelotl_status ctf_layout_add_field(ctf_description *description, ctf_layout *to, const char *name,
                                    size_t length, ctf_layout *layout)
{
    description->field_bytes += sizeof(*to->fields) + length;
    if (description->field_bytes > CTF_MOST_FIELDS)
        return fail_limit(description, "metadata of layouts of more than 512 MiB, expected less");
    if (layout->depth >= CTF_DEEPEST)
        return fail_limit(description, "layouts of more than 32 levels, expected fewer");
    OC_TRY(oc_grow(&to->fields, &to->field_capacity, to->field_count + 1, sizeof(*to->fields)));
    ctf_field *field = &to->fields[to->field_count];
    *field = (ctf_field){.layout = layout, .meanings = layout->meanings};
    OC_TRY(oc_allocate(&field->name, length + 1, 1));
    memcpy(field->name, name, length);
    field->shown = field->name + (!description->is_new && field->name[0] == '_');
    to->field_count++;
    if (layout->depth >= to->depth)
        to->depth = layout->depth + 1;
    if (to->kind == CTF_STRUCTURE && layout->alignment > to->alignment)
        to->alignment = layout->alignment;
    return OCELOTL_OK;
}

ocelotl_status ctf_layout_add_label(ctf_label **added, ctf_layout *to, const char *name,
                                    size_t length)
{
    OC_TRY(oc_grow(&to->labels, &to->label_capacity, to->label_count + 1, sizeof(*to->labels)));
    *added = &to->labels[to->label_count];
    **added = (ctf_label){0};
    OC_TRY(oc_allocate(&(*added)->name, length + 1, 1));
    memcpy((*added)->name, name, length);
    to->label_count++;
    return OCELOTL_OK;
}

ocelotl_status ctf_layout_set_element(const ctf_description *of, ctf_layout *array,
                                      ctf_layout *element)
{
    array->element = element;
    array->depth = element->depth + 1;
    if (element->alignment > array->alignment)
        array->alignment = element->alignment;
    if (element->kind == CTF_INTEGER && element->is_text && element->size == 8 &&
        element->alignment % 8 == 0)
        array->text = CTF_UTF8;
    return array->depth <= CTF_DEEPEST
               ? OCELOTL_OK
               : fail_limit(of, "layouts of more than 32 levels, expected fewer");
}

ocelotl_status ctf_layout_copy(ctf_layout **copy, ctf_description *to, ctf_layout *of)
{
    *copy = of;
    if (of->kind < CTF_STRUCTURE) /* it has no parts */
        return OCELOTL_OK;
    OC_TRY(ctf_layout_add(copy, to, of->kind, of->alignment));
    ctf_layout *made = *copy;
    made->length = of->length;
    made->depth = of->depth;
    made->text = of->text;
    OC_TRY(oc_copy_optional(&made->reference, of->reference));
    if (of->element != NULL)
        OC_TRY(ctf_layout_copy(&made->element, to, of->element));
    for (size_t i = 0; i < of->field_count; i++) {
        ctf_layout *member;
        OC_TRY(ctf_layout_copy(&member, to, of->fields[i].layout));
        OC_TRY(
            ctf_layout_add_field(to, made, of->fields[i].name, strlen(of->fields[i].name), member));
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_layout_look_up(size_t *index, ctf_layout *structure, size_t end,
                                  const char *name, size_t length)
{
    const size_t wanted = end < structure->field_count ? end : structure->field_count;
    if (structure->mapped > wanted) {
        oc_map_free(&structure->field_of);
        structure->field_of = (oc_map){0};
        structure->mapped = 0;
    }
    for (; structure->mapped < wanted; structure->mapped++) {
        const char *known = structure->fields[structure->mapped].name;
        OC_TRY(oc_map_set(&structure->field_of, known, strlen(known), (uint32_t)structure->mapped));
    }
    const uint32_t found = oc_map_get(&structure->field_of, name, length);
    *index = found != OC_MAP_NONE ? found : SIZE_MAX;
    return OCELOTL_OK;
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
