/* Fields of the event that is taken: those that say something, and all as attributes. */
#include "importers/ctf/reader.h"

#include "base/memory.h"
#include "importers/ctf/fields.h"

#include <string.h>

/* --- Where events of a class have their fields */

const bt_field_class *ctf_section_of(const bt_event_class *of, ctf_section section)
{
    const bt_stream_class *stream_class = bt_event_class_borrow_stream_class_const(of);
    switch (section) {
    case CTF_PAYLOAD:
        return bt_event_class_borrow_payload_field_class_const(of);
    case CTF_SPECIFIC:
        return bt_event_class_borrow_specific_context_field_class_const(of);
    case CTF_COMMON:
        return bt_stream_class_borrow_event_common_context_field_class_const(stream_class);
    default:
        return bt_stream_class_supports_packets(stream_class)
                   ? bt_stream_class_borrow_packet_context_field_class_const(stream_class)
                   : NULL;
    }
}

const char *ctf_member_name(const bt_field_class *structure, uint64_t index)
{
    return bt_field_class_structure_member_get_name(
        bt_field_class_structure_borrow_member_by_index_const(structure, index));
}

bool ctf_find_place(ctf_place *place, const bt_event_class *of, ctf_section section,
                    const char *name)
{
    const bt_field_class *structure = ctf_section_of(of, section);
    const uint64_t count =
        structure != NULL ? bt_field_class_structure_get_member_count(structure) : 0;
    for (uint64_t i = 0; i < count; i++)
        if (strcmp(ctf_member_name(structure, i), name) == 0) {
            *place = (ctf_place){.is_there = true, .section = section, .index = i};
            return true;
        }
    return false;
}

/* --- Those of an event */

static const bt_field *borrow_section(const bt_event *event, ctf_section section)
{
    switch (section) {
    case CTF_PAYLOAD:
        return bt_event_borrow_payload_field_const(event);
    case CTF_SPECIFIC:
        return bt_event_borrow_specific_context_field_const(event);
    case CTF_COMMON:
        return bt_event_borrow_common_context_field_const(event);
    default:
        return bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(event));
    }
}

const bt_field *ctf_get(ctf_event *event, ctf_place place)
{
    if (!place.is_there)
        return NULL;
    const bt_field **section = &event->sections[place.section];
    if (*section == NULL)
        *section = borrow_section(event->event, place.section);
    return *section == NULL
               ? NULL
               : bt_field_structure_borrow_member_field_by_index_const(*section, place.index);
}

bool ctf_get_number(int64_t *number, ctf_event *event, ctf_place place)
{
    const bt_field *field = ctf_get(event, place);
    return field != NULL && ctf_field_number(number, field);
}

void ctf_gather_begin(ctf_reader *reader)
{
    reader->attribute_count = 0;
    oc_text_clear(&reader->texts);
}

/* The text may move as it grows: ctf_gather_end finds its place. */
static ocelotl_status close_text(ctf_reader *reader, uint32_t attribute, size_t begin)
{
    OC_TRY(oc_grow(&reader->attributes, &reader->attribute_capacity, reader->attribute_count + 1,
                   sizeof(*reader->attributes)));
    reader->attributes[reader->attribute_count++] =
        (ocelotl_attribute_value){attribute, NULL, reader->texts.length - begin};
    return reader->texts.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status ctf_gather_text(ctf_reader *reader, uint32_t attribute, const char *text,
                               size_t length)
{
    const size_t begin = reader->texts.length;
    oc_text_append(&reader->texts, text, length);
    return close_text(reader, attribute, begin);
}

ocelotl_status ctf_gather_number(ctf_reader *reader, uint32_t attribute, uint64_t number)
{
    const size_t begin = reader->texts.length;
    ctf_field_add_unsigned(&reader->texts, number);
    return close_text(reader, attribute, begin);
}

ocelotl_status ctf_gather_signed(ctf_reader *reader, uint32_t attribute, int64_t number)
{
    const size_t begin = reader->texts.length;
    ctf_field_add_signed(&reader->texts, number);
    return close_text(reader, attribute, begin);
}

ocelotl_status ctf_gather(ctf_reader *reader, ctf_event *event)
{
    const ctf_class *of = event->of;
    for (size_t i = 0; i < of->member_count; i++) {
        const bt_field *field = ctf_get(event, of->members[i].place);
        const size_t begin = reader->texts.length;
        if (field == NULL)
            continue;
        ctf_field_add(&reader->texts, field);
        OC_TRY(close_text(reader, of->members[i].attribute, begin));
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_gather_end(ctf_reader *reader)
{
    /* What the writer takes in one event, with room for what is added to it. */
    const size_t most_text = ((size_t)64 << 20) - 64;
    const size_t most_attributes = ((size_t)1 << 20) - 2;
    const char *text = reader->texts.bytes != NULL ? reader->texts.bytes : "";
    if (reader->texts.length > most_text || reader->attribute_count > most_attributes)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%zu fields of %zu bytes in one event, expected at most %zu of %zu",
                       reader->attribute_count, reader->texts.length, most_attributes, most_text);
    for (size_t i = 0; i < reader->attribute_count; i++) {
        reader->attributes[i].text = text;
        text += reader->attributes[i].length;
    }
    return OCELOTL_OK;
}

/* --- All of an event */

static oc_sorted_kind kind_of(ctf_role role)
{
    if (role == CTF_AS_BEGIN || role == CTF_AS_FUNCTION_BEGIN)
        return OC_SORTED_BEGIN;
    return role == CTF_AS_END || role == CTF_AS_FUNCTION_END ? OC_SORTED_END : OC_SORTED_INSTANT;
}

ocelotl_status ctf_add_event(ctf_reader *reader, ctf_event *event, uint32_t row, uint32_t value)
{
    const ctf_class *of = event->of;
    ctf_gather_begin(reader);
    OC_TRY(ctf_gather(reader, event));
    OC_TRY(ctf_gather_end(reader));
    const oc_sorted record = {.stream = row,
                              .kind = kind_of(of->role),
                              .time = event->time,
                              .order = row,
                              .type = of->type->id,
                              .value = value,
                              .attribute_count = reader->attribute_count,
                              .attributes = reader->attributes};
    return oc_timelines_add(&reader->timelines, &record);
}
