/* What samples mean, in order of time. */
#include "importers/perf/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Events */

static perf_text part_of(const oc_sorted *record, perf_part part)
{
    for (size_t i = 0; i < record->attribute_count; i++)
        if (record->attributes[i].attribute == part)
            return (perf_text){record->attributes[i].text, record->attributes[i].length};
    return (perf_text){"", 0};
}

/* The innermost frame is the value; where its name is folded, the whole of it is an attribute. */
static ocelotl_status find_innermost(uint32_t *value, ocelotl_attribute_value *attributes,
                                     size_t *count, perf_reader *reader, perf_type *type,
                                     perf_text stack)
{
    bool folded = false;
    perf_text object;
    const char *end = memchr(stack.bytes, '\n', stack.length);
    OC_TRY(perf_frame_name(&object, reader, stack.bytes,
                           end != NULL ? end : stack.bytes + stack.length));
    OC_TRY(perf_add_attribute(attributes, count, reader, type, PERF_ATTRIBUTE_OBJECT, object));
    if (reader->key.bytes == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_folding_fold(&folded, &reader->folding, reader->key.bytes));
    if (!folded)
        return perf_find_value(value, reader, type, reader->key.bytes, reader->key.length);
    OC_TRY(perf_add_attribute(attributes, count, reader, type, PERF_ATTRIBUTE_NAME,
                              (perf_text){reader->key.bytes, reader->key.length}));
    return perf_find_value(value, reader, type, reader->folding.name.bytes,
                           reader->folding.name.length);
}

static ocelotl_status write_event(perf_reader *reader, const oc_sorted *record)
{
    perf_event *event = &reader->events[record->type];
    const perf_text stack = part_of(record, PERF_STACK);
    ocelotl_attribute_value attributes[PERF_ATTRIBUTES];
    size_t count = 0;
    uint32_t value = OCELOTL_NONE;
    char cpu[32] = "";
    if (record->order != OC_NO_CPU)
        oc_print_signed(cpu, reader->cpus[record->order].number);
    event->as_event++;
    OC_TRY(
        perf_declare_type(reader, &event->type, OCELOTL_EVENT, reader->thread_type, event->name));
    OC_TRY(perf_add_attribute(attributes, &count, reader, &event->type, PERF_ATTRIBUTE_FIELDS,
                              part_of(record, PERF_FIELDS)));
    OC_TRY(perf_add_attribute(attributes, &count, reader, &event->type, PERF_ATTRIBUTE_PERIOD,
                              part_of(record, PERF_PERIOD)));
    OC_TRY(perf_add_attribute(attributes, &count, reader, &event->type, PERF_ATTRIBUTE_CPU,
                              (perf_text){cpu, strlen(cpu)}));
    if (stack.length > 0)
        OC_TRY(find_innermost(&value, attributes, &count, reader, &event->type, stack));
    return ocelotl_writer_event(reader->ingest.writer, reader->threads[record->value].resource,
                                event->type.declared - 1, value, record->time, attributes, count);
}

/* Events of the scheduler become states where it is traced; all others are events, or stacks. */
static ocelotl_status write_record(perf_reader *reader, const oc_sorted *record)
{
    const perf_event *event = &reader->events[record->type];
    const perf_text stack = part_of(record, PERF_STACK);
    const perf_thread *thread = &reader->threads[record->value];
    const bool has_switches = perf_has_switches(reader, thread);
    reader->file = thread->file;
    if (has_switches)
        OC_TRY(perf_schedule(reader, record, part_of(record, PERF_FIELDS)));
    if (event->action != PERF_NO_ACTION && has_switches)
        return OCELOTL_OK;
    return reader->keeps_stacks && stack.length > 0
               ? perf_write_stack(reader, record->value, record->time, stack)
               : write_event(reader, record);
}

static ocelotl_status write_records(perf_reader *reader)
{
    const oc_sorted *record;
    OC_TRY(oc_sorting_finish(reader->records));
    for (;;) {
        OC_TRY(oc_sorting_next(&record, reader->records));
        if (record == NULL)
            break;
        OC_TRY(write_record(reader, record));
    }
    OC_TRY(perf_end_stacks(reader));
    for (uint32_t i = 0; i < reader->thread_count; i++)
        if (reader->threads[i].has_ended)
            OC_TRY(oc_scheduler_end(&reader->scheduler, i,
                                    perf_life_end(reader, &reader->threads[i])));
    OC_TRY(oc_scheduler_finish(&reader->scheduler, reader->end));
    reader->ingest.oddities.counts[PERF_SWITCH_MISSED] = reader->scheduler.missed;
    return OCELOTL_OK;
}

/* --- The end */

/* The fate of samples that became no event of a thread. */
static ocelotl_fate fate_of(const perf_event *event)
{
    if (event->is_record)
        return OCELOTL_FATE_LEFT_OUT;
    return event->action == PERF_EXIT ? OCELOTL_FATE_DEFINITION : OCELOTL_FATE_STATE;
}

static ocelotl_status count_events(perf_reader *reader)
{
    for (size_t i = 0; i < reader->event_count; i++) {
        const perf_event *event = &reader->events[i];
        const uint64_t others = event->count - event->as_event;
        if (event->as_event > 0)
            OC_TRY(oc_kinds_count(&reader->ingest.kinds, event->name, OCELOTL_FATE_EVENT,
                                  event->as_event, NULL));
        if (others > 0)
            OC_TRY(oc_kinds_count(&reader->ingest.kinds, event->name, fate_of(event), others,
                                  event->is_record ? "it says what perf itself recorded" : NULL));
    }
    return OCELOTL_OK;
}

ocelotl_status perf_write(perf_reader *reader)
{
    reader->scheduler = (oc_scheduler){
        .thread = perf_write_thread_state, .cpu = perf_write_cpu_state, .context = reader};
    for (size_t i = 0; i < reader->thread_count; i++)
        reader->threads[i].sampled = -1;
    OC_TRY(perf_declare(reader));
    OC_TRY(write_records(reader));
    OC_TRY(count_events(reader));
    return oc_ingest_end(&reader->ingest, NULL, NULL);
}
