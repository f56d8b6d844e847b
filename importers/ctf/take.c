/* What is done with the messages of a stream. */
#include "importers/ctf/kernel.h"

#include <inttypes.h>

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
    ctf_type *type;
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
    OC_TRY(ctf_cpu_is_lost(reader, cpu, (ctf_moment){.time = gap.time}));
    OC_TRY(ctf_find_type(&type, reader, CTF_CPU_STATE));
    OC_TRY(ctf_find_value(&gap.value, reader, type, "lost"));
    ctf_gather_begin(reader);
    if (record->is_counted) {
        OC_TRY(ctf_find_attribute(&attribute, reader, type, "count"));
        OC_TRY(ctf_gather_number(reader, attribute, record->count));
        OC_TRY(ctf_gather_end(reader));
    }
    gap.stream = reader->cpus[cpu].row;
    gap.type = type->id;
    gap.attributes = reader->attributes;
    gap.attribute_count = reader->attribute_count;
    return oc_timelines_add(&reader->timelines, &gap);
}
