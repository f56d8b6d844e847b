/* Fields of the event that is taken: those that say something, and all as attributes. */
#include "importers/ctf/reader.h"

#include <inttypes.h>
#include <string.h>

/* --- Where events of a class have their fields */

const ctf_layout *ctf_section_of(const ctf_event_class *of, ctf_section section)
{
    switch (section) {
    case CTF_PAYLOAD:
        return of->payload;
    case CTF_SPECIFIC:
        return of->context;
    case CTF_COMMON:
        return of->stream_class->event_context;
    default:
        return of->stream_class->packet_context;
    }
}

bool ctf_find_place(ctf_place *place, const ctf_event_class *of, ctf_section section,
                    const char *name)
{
    const ctf_layout *structure = ctf_section_of(of, section);
    for (size_t i = 0; structure != NULL && i < structure->field_count; i++)
        if (strcmp(structure->fields[i].shown, name) == 0) {
            *place = (ctf_place){.is_there = true, .section = section, .index = i};
            return true;
        }
    return false;
}

/* --- Those of an event */

static const ctf_value *get(const ctf_event *event, ctf_place place)
{
    return &event->record->sections[place.section][place.index];
}

static const oc_text *parts_of(const ctf_event *event, ctf_place place)
{
    return place.section == CTF_PACKET ? event->record->packet_parts : event->record->parts;
}

bool ctf_get_number(int64_t *number, const ctf_event *event, ctf_place place)
{
    return place.is_there && ctf_value_number(number, get(event, place));
}

const char *ctf_get_string(const ctf_event *event, ctf_place place)
{
    return place.is_there ? ctf_value_string(get(event, place), parts_of(event, place)) : NULL;
}

void ctf_gather_begin(ctf_reader *reader)
{
    reader->attribute_count = 0;
    oc_text_clear(&reader->texts);
}

/* The text may move as it grows: ctf_gather_end finds its place. */
static ocelotl_status close_text(ctf_reader *reader, uint32_t attribute, size_t begin)
{
    OC_TRY(oc_arena_grow(&reader->attributes, &reader->attribute_capacity, &reader->arena,
                         reader->attribute_count + 1, sizeof(*reader->attributes)));
    reader->attributes[reader->attribute_count++] =
        (ocelotl_attribute_value){attribute, NULL, reader->texts.length - begin};
    return reader->texts.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status ctf_gather_number(ctf_reader *reader, uint32_t attribute, uint64_t number)
{
    const size_t begin = reader->texts.length;
    ctf_add_unsigned(&reader->texts, number);
    return close_text(reader, attribute, begin);
}

ocelotl_status ctf_gather_signed(ctf_reader *reader, uint32_t attribute, int64_t number)
{
    const size_t begin = reader->texts.length;
    ctf_add_signed(&reader->texts, number);
    return close_text(reader, attribute, begin);
}

/* What the writer takes in one event, with room for what is added to it. */
static const size_t most_text = ((size_t)64 << 20) - 64;
static const size_t most_attributes = ((size_t)1 << 20) - 2;

ocelotl_status ctf_gather_end(ctf_reader *reader)
{
    const char *text = reader->texts.bytes != NULL ? reader->texts.bytes : "";
    const char *path = reader->paths[reader->taken_trace];
    const bool fits =
        reader->texts.length <= most_text && reader->attribute_count <= most_attributes;
    if (!fits && !reader->oddities.lenient)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: %zu fields of %zu bytes in one event, expected at most %zu of %zu "
                       "(--lenient keeps those that fit)",
                       path, reader->attribute_count, reader->texts.length, most_attributes,
                       most_text);
    if (!fits) { /* the first ones are kept that fit */
        size_t length = 0;
        size_t kept = 0;
        oc_oddities_note(&reader->oddities, CTF_FIELDS_LOST, path, 0);
        while (kept < reader->attribute_count && kept < most_attributes &&
               reader->attributes[kept].length <= most_text - length)
            length += reader->attributes[kept++].length;
        reader->attribute_count = kept;
    }
    for (size_t i = 0; i < reader->attribute_count; i++) {
        reader->attributes[i].text = text;
        text += reader->attributes[i].length;
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_gather(ctf_reader *reader, ctf_event *event)
{
    const ctf_class *of = event->of;
    ctf_gather_begin(reader);
    for (size_t i = 0; i < of->member_count; i++) {
        const ctf_place place = of->members[i].place;
        const size_t begin = reader->texts.length;
        if (get(event, place)->layout == NULL) /* it is optional, and absent */
            continue;
        ctf_value_add(&reader->texts, get(event, place), parts_of(event, place));
        OC_TRY(close_text(reader, of->members[i].attribute, begin));
    }
    return ctf_gather_end(reader);
}

/* --- All of an event */

ocelotl_status ctf_add_event(ctf_reader *reader, ctf_event *event, uint32_t row, uint32_t value)
{
    const ctf_class *of = event->of;
    const bool begins = of->role == CTF_AS_BEGIN || of->role == CTF_AS_FUNCTION_BEGIN;
    const bool ends = of->role == CTF_AS_END || of->role == CTF_AS_FUNCTION_END;
    OC_TRY(ctf_gather(reader, event));
    const oc_sorted record = {.stream = row,
                              .kind = begins ? OC_SORTED_BEGIN
                                      : ends ? OC_SORTED_END
                                             : OC_SORTED_INSTANT,
                              .time = event->time,
                              .order = row,
                              .type = reader->types[of->type].id,
                              .value = value,
                              .attribute_count = reader->attribute_count,
                              .attributes = reader->attributes};
    return oc_timelines_add(&reader->timelines, &record);
}

ocelotl_status ctf_add_pair(ctf_reader *reader, ctf_event *event, uint32_t row)
{
    const ctf_class *own = event->of;
    if (own->pair == 0)
        return OCELOTL_OK;
    event->of = &reader->classes[own->pair - 1];
    const ocelotl_status status = ctf_add_event(reader, event, row, event->of->value);
    event->of = own;
    return status;
}
