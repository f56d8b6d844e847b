/* Events as they are taken: their fields as attributes, and what becomes of them. */
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

/* --- Threads of events in user space */

/* Finds the thread of an event, which is mostly that of the one before. */
static ocelotl_status find_thread(uint32_t *thread, ctf_reader *reader, ctf_event *event)
{
    int64_t number = 0;
    int64_t process = 0;
    ctf_stream_data *data = event->data;
    const uint32_t trace = event->stream->trace;
    if (!ctf_get_number(&number, event, event->of->thread))
        return ctf_find_alone(thread, reader, event);
    const ctf_trace *of = &reader->traces[trace];
    const bool has_process = ctf_get_number(&process, event, event->of->process) || of->has_process;
    if (!event->of->process.is_there)
        process = of->process;
    if (data->thread != OCELOTL_NONE && data->number == number && data->process == process) {
        *thread = data->thread;
        return OCELOTL_OK;
    }
    OC_TRY(ctf_find_thread(thread, reader, trace, number, has_process, process));
    data->thread = *thread;
    data->number = number;
    data->process = process;
    return OCELOTL_OK;
}

/* --- Events in user space */

/* A function is called as the symbols have it, else by its address. */
static ocelotl_status name_function(uint32_t *value, ctf_reader *reader, ctf_event *event)
{
    int64_t address = 0;
    const bool ends = event->of->role == CTF_AS_FUNCTION_END;
    *value = OCELOTL_NONE;
    if (!ctf_get_number(&address, event, event->of->keys[0]) && ends)
        return OCELOTL_OK;
    const char *name = ctf_symbols_find(reader, event, (uint64_t)address);
    oc_text_clear(&reader->key);
    if (name != NULL)
        oc_text_add(&reader->key, name);
    else
        oc_text_format(&reader->key, "0x%llx", (unsigned long long)address);
    if (reader->key.failed)
        return oc_fail_memory();
    return ctf_find_value(value, reader, event->of->type, reader->key.bytes);
}

static ocelotl_status take_in_user_space(ctf_reader *reader, ctf_event *event)
{
    uint32_t thread;
    uint32_t value = event->of->value;
    OC_TRY(find_thread(&thread, reader, event));
    OC_TRY(ctf_name_thread(reader, thread, ctf_get_string(event, event->of->name_of_thread)));
    if (event->of->role == CTF_AS_FUNCTION_BEGIN || event->of->role == CTF_AS_FUNCTION_END)
        OC_TRY(name_function(&value, reader, event));
    if (event->of->role == CTF_AS_LOADED)
        OC_TRY(ctf_symbols_load(reader, event));
    OC_TRY(ctf_add_event(reader, event, reader->threads[thread].row, value));
    return ctf_add_pair(reader, event, reader->threads[thread].row);
}

/* --- All events */

/* Counts an oddity of the record at hand, and keeps the place of the first. */
static ocelotl_status note_record(ctf_reader *reader, size_t oddity, const ctf_stream *stream)
{
    oc_text_clear(&reader->key);
    if (reader->oddities.counts[oddity] == 0)
        oc_text_format(&reader->key, "%s:%" PRIu64, ctf_stream_path(stream), stream->next.offset);
    if (reader->key.failed)
        return oc_fail_memory();
    return oc_oddities_keep(&reader->oddities, oddity, reader->key.bytes);
}

ocelotl_status ctf_take_event(ctf_reader *reader, ctf_event *event)
{
    ctf_class *of = NULL;
    OC_TRY(ctf_find_class(&of, reader, event->stream, event->record->of));
    event->of = of;
    reader->events++;
    reader->taken_trace = event->stream->trace;
    ctf_stream_data *data = event->data;
    const bool goes_back = data->has_events && event->time < data->latest;
    if (!data->has_events || event->time > data->latest)
        data->latest = event->time;
    data->has_events = true;
    if (!data->has_cpu)
        data->has_cpu = ctf_get_number(&data->cpu, event, of->cpu);
    if (goes_back) /* packets that overlap in time are put in order by the timelines */
        OC_TRY(note_record(reader, CTF_TIME_BACK, event->stream));
    OC_TRY(of->is_kernel ? ctf_take_in_kernel(reader, event) : take_in_user_space(reader, event));
    if (event->left_out != NULL)
        return oc_kinds_count(&reader->kinds, of->name, OCELOTL_FATE_LEFT_OUT, 1, event->left_out);
    oc_kinds_add(&reader->kinds, of->kind);
    return OCELOTL_OK;
}

/* --- Events that the tracer discarded */

ocelotl_status ctf_take_discarded(ctf_reader *reader, ctf_stream *stream)
{
    uint32_t cpu;
    uint32_t attribute;
    const ctf_stream_data *data = stream->data;
    const ctf_record *record = &stream->next;
    reader->taken_trace = stream->trace;
    oc_sorted gap = {.kind = OC_SORTED_SPAN, .time = stream->time};
    OC_TRY(ctf_graph_time(&gap.end, &reader->graph, stream, record->until));
    if (gap.end < gap.time)
        gap.end = gap.time;
    OC_TRY(note_record(reader, record->is_counted ? CTF_DISCARDED : CTF_DISCARDED_UNKNOWN, stream));
    if (record->is_counted)
        reader->oddities.counts[CTF_DISCARDED] += record->count - 1;
    OC_TRY(ctf_find_cpu(&cpu, reader, stream->trace,
                        data->has_cpu ? data->cpu : -1 - (int64_t)stream->number));
    OC_TRY(ctf_lose_cpu(reader, cpu, gap.time));
    OC_TRY(ctf_find_value(&gap.value, reader, CTF_CPU_STATE, "lost"));
    ctf_gather_begin(reader);
    if (record->is_counted) {
        OC_TRY(ctf_find_attribute(&attribute, reader, CTF_CPU_STATE, "count"));
        ctf_add_unsigned(&reader->texts, record->count);
        OC_TRY(close_text(reader, attribute, 0));
        OC_TRY(ctf_gather_end(reader));
    }
    gap.stream = reader->cpus[cpu].row;
    gap.type = reader->types[CTF_CPU_STATE].id;
    gap.attributes = reader->attributes;
    gap.attribute_count = reader->attribute_count;
    return oc_timelines_add(&reader->timelines, &gap);
}
