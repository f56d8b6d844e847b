/* The states of threads and CPUs, of what the scheduler does. */
#include "importers/perf/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static perf_text text_of(const oc_text *text)
{
    return (perf_text){text->bytes != NULL ? text->bytes : "", text->length};
}

/* --- States that have ended */

static ocelotl_status write_state(perf_reader *reader, perf_type *type, uint32_t resource,
                                  uint32_t value, const oc_scheduled *state,
                                  const ocelotl_attribute_value *attributes, size_t count)
{
    OC_TRY(ocelotl_writer_push(reader->ingest.writer, resource, type->declared - 1, value,
                               state->begin, attributes, count));
    return ocelotl_writer_pop(reader->ingest.writer, resource, type->declared - 1, 0, state->end,
                              NULL, 0);
}

ocelotl_status perf_write_thread_state(void *context, const oc_scheduled *state)
{
    static const char *const names[] = {"", "running", "ready", "blocked", ""};
    perf_reader *reader = context;
    perf_thread *thread = &reader->threads[state->thread];
    perf_type *type = &reader->thread_states;
    ocelotl_attribute_value attributes[PERF_ATTRIBUTES];
    const char *name = names[state->state];
    size_t count = 0;
    uint32_t value;
    char cpu[32] = "";
    if (state->cpu != OC_NO_CPU && state->state == OC_THREAD_RUNNING)
        oc_print_signed(cpu, reader->cpus[state->cpu].number);
    OC_TRY(perf_declare_type(reader, type, OCELOTL_STATE, reader->thread_type, "Thread state"));
    OC_TRY(perf_find_value(&value, reader, type, name, strlen(name)));
    OC_TRY(perf_add_attribute(attributes, &count, reader, type, PERF_ATTRIBUTE_FIELDS,
                              text_of(&thread->fields)));
    OC_TRY(perf_add_attribute(attributes, &count, reader, type, PERF_ATTRIBUTE_CPU,
                              (perf_text){cpu, strlen(cpu)}));
    if (state->state == OC_THREAD_BLOCKED)
        OC_TRY(perf_add_attribute(attributes, &count, reader, type, PERF_ATTRIBUTE_REASON,
                                  text_of(&thread->reason)));
    /* the switch away from a thread that ended may be missing */
    const int64_t end = perf_life_end(reader, thread);
    oc_scheduled lived = *state;
    lived.end = state->end < end ? state->end : end;
    return write_state(reader, type, thread->resource, value, &lived, attributes, count);
}

ocelotl_status perf_write_cpu_state(void *context, const oc_scheduled *state)
{
    perf_reader *reader = context;
    perf_type *type = &reader->cpu_states;
    const bool is_idle = state->thread == OC_NO_THREAD;
    const perf_thread *thread = is_idle ? NULL : &reader->threads[state->thread];
    const char *name = is_idle ? "idle" : thread->name != NULL ? thread->name : thread->id;
    ocelotl_attribute_value attributes[PERF_ATTRIBUTES];
    size_t count = 0;
    uint32_t value;
    OC_TRY(perf_declare_type(reader, type, OCELOTL_STATE, reader->cpu_type, "CPU state"));
    OC_TRY(perf_find_value(&value, reader, type, name, strlen(name)));
    if (!is_idle)
        OC_TRY(perf_add_attribute(attributes, &count, reader, type, PERF_ATTRIBUTE_THREAD,
                                  (perf_text){thread->id, strlen(thread->id)}));
    return write_state(reader, type, reader->cpus[state->cpu].resource, value, state, attributes,
                       count);
}

/* --- Events */

static ocelotl_status keep(oc_text *kept, perf_text text)
{
    oc_text_clear(kept);
    oc_text_append(kept, text.bytes, text.length);
    return kept->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* "R" and "R+" could go on; "X", "Z" and "x" are at their end. Others may stand behind a bar. As a
 * number it has the kernel's bits: no low one, or one of 16, 32 and 64. */
static oc_thread_state state_left(perf_text left)
{
    int64_t bits;
    if (left.length == 0)
        return OC_THREAD_BLOCKED;
    if (perf_number_read(&bits, left.bytes, left.bytes + left.length))
        return bits % 256 == 0                ? OC_THREAD_READY
               : (bits & (16 | 32 | 64)) != 0 ? OC_THREAD_ENDED
                                              : OC_THREAD_BLOCKED;
    if (left.bytes[0] == 'R')
        return OC_THREAD_READY;
    return memchr("XZx", left.bytes[0], 3) != NULL ? OC_THREAD_ENDED : OC_THREAD_BLOCKED;
}

static ocelotl_status find_scheduled(uint32_t *thread, perf_reader *reader, int64_t number)
{
    *thread = OC_NO_THREAD;
    return number == 0 ? OCELOTL_OK : perf_find_thread(thread, reader, number, -1, OC_NO_CPU);
}

/* Whether nothing says when a thread stops running: perf follows others alone. */
static bool is_lost(const perf_reader *reader, uint32_t thread)
{
    if (thread == OC_NO_THREAD)
        return reader->files[reader->file].is_partial && !reader->files[reader->file].has_idle;
    return reader->files[reader->threads[thread].file].is_partial &&
           !reader->threads[thread].is_followed;
}

static ocelotl_status take_switch(perf_reader *reader, const oc_sorted *record,
                                  const perf_scheduled *scheduled, perf_text fields)
{
    oc_scheduler_change change = {
        .cpu = record->order, .left = state_left(scheduled->left), .time = record->time};
    OC_TRY(find_scheduled(&change.before, reader, scheduled->thread));
    OC_TRY(find_scheduled(&change.after, reader, scheduled->next_thread));
    change.after_is_lost = is_lost(reader, change.after);
    if (change.after_is_lost)
        oc_oddities_note(&reader->ingest.oddities, PERF_NOT_FOLLOWED, "", 0);
    OC_TRY(oc_scheduler_switch(&reader->scheduler, &change));
    if (change.before != OC_NO_THREAD) {
        OC_TRY(keep(&reader->threads[change.before].fields, fields));
        OC_TRY(keep(&reader->threads[change.before].reason, scheduled->left));
    }
    return change.after != OC_NO_THREAD ? keep(&reader->threads[change.after].fields, fields)
                                        : OCELOTL_OK;
}

/* Links the thread that wakes another to it. What an interrupt wakes waits for a device. */
static ocelotl_status link_waking(perf_reader *reader, const oc_sorted *record, uint32_t woken)
{
    uint64_t link;
    perf_type *type = &reader->wakings;
    ocelotl_writer *writer = reader->ingest.writer;
    const perf_thread *waker = &reader->threads[record->value];
    if (waker->number <= 0 || record->value == woken || record->detail == PERF_IN_INTERRUPT)
        return OCELOTL_OK;
    OC_TRY(perf_declare_type(reader, type, OCELOTL_LINK, reader->thread_type, "Waking"));
    OC_TRY(ocelotl_writer_link_begin(&link, writer, waker->resource, type->declared - 1,
                                     OCELOTL_NONE, record->time, NULL, 0));
    return ocelotl_writer_link_end(writer, link, reader->threads[woken].resource, record->time,
                                   NULL, 0);
}

ocelotl_status perf_schedule(perf_reader *reader, const oc_sorted *record, perf_text fields)
{
    bool wakes;
    const perf_event *event = &reader->events[record->type];
    const perf_thread *seen = &reader->threads[record->value];
    const bool is_idle = seen->number == 0;
    perf_scheduled scheduled;
    uint32_t thread;
    const uint64_t missed = reader->scheduler.missed;
    if (seen->number >= 0)
        OC_TRY(oc_scheduler_see(&reader->scheduler, is_idle ? OC_NO_THREAD : record->value,
                                record->order, record->time));
    if (reader->scheduler.missed > missed)
        oc_text_clear(&reader->threads[record->value].fields);
    if (event->action == PERF_NO_ACTION)
        return OCELOTL_OK;
    OC_TRY(perf_scheduled_read(&scheduled, event->action, fields));
    if (event->action == PERF_SWITCH)
        return take_switch(reader, record, &scheduled, fields);
    if (event->action == PERF_EXIT || scheduled.thread == 0)
        return OCELOTL_OK;
    OC_TRY(find_scheduled(&thread, reader, scheduled.thread));
    if (is_lost(reader, thread))
        return OCELOTL_OK;
    OC_TRY(oc_scheduler_wake(&wakes, &reader->scheduler, thread, record->time));
    if (wakes && event->action == PERF_WAKE)
        OC_TRY(link_waking(reader, record, thread));
    return keep(&reader->threads[thread].fields, fields);
}
