/* The kernel's events, which stand in bundles, one for a CPU and a while: what the scheduler does
 * is put in order of time first. */
#include "importers/perfetto/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MONOTONIC_RAW = 5 };

/* Events by their field in an FtraceEvent. */
enum {
    PRINT = 3,
    SWITCH = 4,
    CPU_FREQUENCY = 11,
    WAKEUP = 17,
    WAKING = 20,
    SOFTIRQ_ENTRY = 24,
    SOFTIRQ_EXIT = 25,
    IRQ_ENTRY = 36,
    IRQ_EXIT = 37,
    WAKEUP_NEW = 114,
    RENAME = 236
};

typedef struct bundle {
    uint32_t cpu;
    uint64_t clock;
    int64_t shift; /* of a clock that is the tracer's own */
} bundle;

static ocelotl_status find_time(int64_t *time, perfetto_reader *reader, const bundle *of,
                                uint64_t stamp)
{
    OC_TRY(perfetto_time(time, reader, of->clock, stamp));
    return oc_add_times(time, *time, of->shift)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "a time is out of range, expected 63 bits");
}

/* A switch: from a thread (-1: it is not known) that is left in a state of the kernel to another.
 */
static ocelotl_status add_switch(perfetto_reader *reader, const bundle *of, int64_t time,
                                 int64_t before, int64_t state, int64_t after,
                                 const oc_field *after_name)
{
    oc_sorted record = {.kind = OC_SORTED_OTHER, .time = time, .type = SWITCH, .order = of->cpu};
    uint32_t thread = OC_NO_THREAD;
    record.value = OC_NO_THREAD;
    if (before > 0)
        OC_TRY(perfetto_find_thread(&record.value, reader, before, -1, NULL));
    if (after != 0)
        OC_TRY(perfetto_find_thread(&thread, reader, after, -1, after_name));
    record.detail = thread;
    record.group = before < 0                      ? OC_THREAD_UNKNOWN
                   : state % 256 == 0              ? OC_THREAD_READY
                   : (state & (16 | 32 | 64)) != 0 ? OC_THREAD_ENDED
                                                   : OC_THREAD_BLOCKED;
    reader->running[of->cpu] = after + 1;
    return oc_sorting_add(reader->scheduled, &record);
}

/* A thread is woken, by another or (-1) nobody knows whom. */
static ocelotl_status add_waking(perfetto_reader *reader, const bundle *of, int64_t time,
                                 int64_t waker, int64_t woken, const oc_field *name)
{
    oc_sorted record = {.kind = OC_SORTED_OTHER, .time = time, .type = WAKING, .order = of->cpu};
    uint32_t thread;
    if (woken == 0)
        return OCELOTL_OK;
    record.value = OC_NO_THREAD;
    if (waker > 0)
        OC_TRY(perfetto_find_thread(&record.value, reader, waker, -1, NULL));
    record.group = waker >= 0;
    OC_TRY(perfetto_find_thread(&thread, reader, woken, -1, name));
    record.detail = thread;
    return oc_sorting_add(reader->scheduled, &record);
}

/* --- What programs print: "B|PID|NAME", "E", "C|PID|NAME|NUMBER", "S|PID|NAME|ID", "F|.." */

static ocelotl_status take_counter(perfetto_reader *reader, int64_t time, int64_t process,
                                   const char *const parts[2], const size_t lengths[2])
{
    uint32_t row, type = 0;
    double value = 0;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(lengths[0] < 255 ? lengths[0] : 255), parts[0]);
    if (!oc_bytes_are_number(&value, parts[1], lengths[1]))
        return oc_fail(OCELOTL_ERROR_INPUT, "the counter %s is \"%.*s\", expected a number", name,
                       (int)(lengths[1] < 40 ? lengths[1] : 40), parts[1]);
    OC_TRY(perfetto_process_row(&row, reader, process));
    return perfetto_add_counter(reader, row, name, NULL, &type, time, value);
}

static ocelotl_status take_print(perfetto_reader *reader, int64_t time, int64_t thread,
                                 const oc_field *text)
{
    char kind = '\0';
    const char *end = text->bytes + text->length;
    const char *parts[4] = {text->bytes}; /* each ends at the next, or with the text */
    size_t count = 1, lengths[4];
    uint32_t number, row;
    oc_sorted record = {.time = time};
    if (text->length > 0)
        kind = text->bytes[0];
    end -= text->length > 0 && end[-1] == '\n';
    for (const char *at = text->bytes; at < end && count < 4; at++)
        if (*at == '|')
            parts[count++] = at + 1;
    for (size_t i = 0; i < count; i++)
        lengths[i] = (size_t)((i + 1 < count ? parts[i + 1] - 1 : end) - parts[i]);
    const bool is_plain = lengths[0] == 1;
    oc_decimal number_of; /* the text has no end of its own */
    const int64_t process =
        count > 1 && oc_decimal_read(&number_of, parts[1], lengths[1], 0) ? number_of.mantissa : 0;
    reader->attribute_count = 0;
    if (is_plain && ((kind == 'B' && count > 2) || kind == 'E')) {
        const size_t length = kind == 'B' ? (size_t)(end - parts[2]) : 0;
        OC_TRY(perfetto_find_thread(&number, reader, thread, process > 0 ? process : -1, NULL));
        OC_TRY(perfetto_thread_row(&record.stream, reader, number));
        record.kind = kind == 'B' ? OC_SORTED_BEGIN : OC_SORTED_END;
        OC_TRY(
            perfetto_add(reader, &record, PERFETTO_SLICE, kind == 'B' ? parts[2] : NULL, length));
        return oc_ingest_count(&reader->ingest, kind == 'B' ? "print B" : "print E",
                               OCELOTL_FATE_STATE, NULL);
    }
    if (is_plain && kind == 'C' && count == 4) {
        OC_TRY(take_counter(reader, time, process, parts + 2, lengths + 2));
        return oc_ingest_count(&reader->ingest, "print C", OCELOTL_FATE_VARIABLE, NULL);
    }
    if (is_plain && (kind == 'S' || kind == 'F') && count == 4) {
        OC_TRY(perfetto_process_row(&row, reader, process));
        OC_TRY(perfetto_async_row(&record.stream, reader, row, "print"));
        const oc_hash_key key = {1, 2};
        record.group = oc_hash_keyed(&key, parts[1], (size_t)(end - parts[1])) | 1;
        record.kind = kind == 'S' ? OC_SORTED_BEGIN : OC_SORTED_END;
        OC_TRY(perfetto_add(reader, &record, PERFETTO_SLICE, parts[2], lengths[2]));
        return oc_ingest_count(&reader->ingest, kind == 'S' ? "print S" : "print F",
                               OCELOTL_FATE_STATE, NULL);
    }
    OC_TRY(perfetto_find_thread(&number, reader, thread, -1, NULL));
    OC_TRY(perfetto_thread_row(&record.stream, reader, number));
    record.kind = OC_SORTED_INSTANT;
    OC_TRY(perfetto_add_attribute(reader, PERFETTO_INSTANT, "text", text->bytes,
                                  (size_t)(end - text->bytes)));
    OC_TRY(perfetto_add(reader, &record, PERFETTO_INSTANT, "print", 5));
    return oc_ingest_count(&reader->ingest, "print", OCELOTL_FATE_EVENT, NULL);
}

/* --- Events one by one */

static ocelotl_status take_interrupt(perfetto_reader *reader, const bundle *of, int64_t time,
                                     uint32_t kind, int64_t number, const oc_field *name)
{
    static const char *const softirqs[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                           "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
    char text[80];
    const bool is_entry = kind == IRQ_ENTRY || kind == SOFTIRQ_ENTRY;
    oc_sorted record = {.time = time, .kind = is_entry ? OC_SORTED_BEGIN : OC_SORTED_END};
    OC_TRY(perfetto_cpu_row(&record.stream, reader, of->cpu));
    if (kind == SOFTIRQ_ENTRY && number >= 0 && number < 10)
        snprintf(text, sizeof text, "softirq %s", softirqs[number]);
    else
        snprintf(text, sizeof text, "irq %" PRId64 " %.*s", number,
                 (int)(name->length < 40 ? name->length : 40), name->bytes);
    reader->attribute_count = 0;
    return perfetto_add(reader, &record, PERFETTO_INTERRUPT, is_entry ? text : NULL, strlen(text));
}

static ocelotl_status fail_cpu(int64_t cpu)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "the CPU is %" PRId64 ", expected less than %d", cpu,
                   PERFETTO_CPUS);
}

static ocelotl_status take_event(perfetto_reader *reader, const bundle *of, oc_bytes_reader event)
{
    static const struct {
        const char *name;
        uint32_t kind;
        ocelotl_fate fate;
    } kinds[] = {{"sched_switch", SWITCH, OCELOTL_FATE_STATE},
                 {"cpu_frequency", CPU_FREQUENCY, OCELOTL_FATE_VARIABLE},
                 {"sched_wakeup", WAKEUP, OCELOTL_FATE_STATE},
                 {"sched_waking", WAKING, OCELOTL_FATE_STATE},
                 {"sched_wakeup_new", WAKEUP_NEW, OCELOTL_FATE_STATE},
                 {"softirq_entry", SOFTIRQ_ENTRY, OCELOTL_FATE_STATE},
                 {"softirq_exit", SOFTIRQ_EXIT, OCELOTL_FATE_STATE},
                 {"irq_handler_entry", IRQ_ENTRY, OCELOTL_FATE_STATE},
                 {"irq_handler_exit", IRQ_EXIT, OCELOTL_FATE_STATE},
                 {"task_rename", RENAME, OCELOTL_FATE_DEFINITION}};
    oc_field field, said = {.bytes = ""}, texts[8];
    int64_t numbers[8] = {0}, thread = -1, time;
    uint64_t stamp = 0;
    char other[32];
    size_t i = 0;
    for (size_t t = 0; t < 8; t++)
        texts[t] = (oc_field){.bytes = ""};
    while (oc_field_next(&field, &event)) {
        stamp = field.number == 1 ? field.value : stamp;
        thread = field.number == 2 ? (int64_t)field.value : thread;
        said = field.number > 2 && field.is_bytes ? field : said;
    }
    OC_TRY(oc_fields_check(&event, "ftrace event"));
    OC_TRY(find_time(&time, reader, of, stamp));
    oc_bytes_reader content = oc_field_message(&said);
    while (i < sizeof kinds / sizeof *kinds && kinds[i].kind != said.number)
        i++;
    const bool is_known = i < sizeof kinds / sizeof *kinds;
    while ((is_known || said.number == PRINT) && oc_field_next(&field, &content))
        if (field.number < 8) {
            numbers[field.number] = (int64_t)field.value;
            texts[field.number] = field;
        }
    OC_TRY(oc_fields_check(&content, "ftrace event"));
    switch (said.number) {
    case PRINT:
        return take_print(reader, time, thread, &texts[2]);
    case SWITCH:
        if (numbers[2] > 0) {
            uint32_t before;
            OC_TRY(perfetto_find_thread(&before, reader, numbers[2], -1, &texts[1]));
        }
        OC_TRY(add_switch(reader, of, time, numbers[2], numbers[4], numbers[6], &texts[5]));
        break;
    case WAKEUP:
    case WAKING:
    case WAKEUP_NEW:
        OC_TRY(add_waking(reader, of, time, thread, numbers[2], &texts[1]));
        break;
    case RENAME: {
        uint32_t renamed;
        OC_TRY(perfetto_find_thread(&renamed, reader, numbers[1], -1, &texts[3]));
        break;
    }
    case CPU_FREQUENCY: {
        uint32_t row;
        if (numbers[2] < 0 || numbers[2] >= PERFETTO_CPUS)
            return fail_cpu(numbers[2]);
        OC_TRY(perfetto_cpu_row(&row, reader, (uint32_t)numbers[2]));
        OC_TRY(perfetto_add_counter(reader, row, "cpu_frequency", "kHz", &reader->frequency, time,
                                    (double)numbers[1]));
        break;
    }
    default:
        if (is_known)
            OC_TRY(take_interrupt(reader, of, time, said.number, numbers[1], &texts[2]));
    }
    if (!is_known)
        snprintf(other, sizeof other, "ftrace event %" PRIu32, said.number);
    return perfetto_count(reader, 1, said.number, is_known ? kinds[i].name : other,
                          is_known ? kinds[i].fate : OCELOTL_FATE_LEFT_OUT,
                          is_known ? NULL : "it is of a kind that is not read");
}

/* --- Events as columns: each has a list of numbers; those of times are differences */

enum {
    STAMP,
    STATE,
    NEXT,
    PRIORITY,
    UNUSED,
    NAME,
    WAKING_STAMP,
    WOKEN,
    TARGET,
    WOKEN_PRIORITY,
    WOKEN_NAME,
    COLUMNS
};

static bool take_number(uint64_t *number, size_t *at, const oc_field *column)
{
    return column->bytes != NULL && oc_field_numbers(number, at, column, false);
}

static ocelotl_status take_columns(perfetto_reader *reader, const bundle *of, oc_bytes_reader sched)
{
    enum { NAMES = 4096 };
    oc_field field, columns[COLUMNS] = {0}, *names = NULL;
    size_t name_count = 0, name_capacity = 0, at[COLUMNS] = {0};
    uint64_t step, stamp = 0, state, next, name;
    ocelotl_status status = OCELOTL_OK;
    int64_t time;
    while (status == OCELOTL_OK && oc_field_next(&field, &sched)) {
        if (field.number == 5) {
            status = oc_grow(&names, &name_capacity, name_count + 1, sizeof *names);
            if (status == OCELOTL_OK)
                names[name_count++] = field;
        } else if (field.number <= COLUMNS)
            columns[field.number - 1] = field;
    }
    if (status == OCELOTL_OK)
        status = oc_fields_check(&sched, "compact_sched");
    while (status == OCELOTL_OK && take_number(&step, &at[STAMP], &columns[STAMP]) &&
           take_number(&state, &at[STATE], &columns[STATE]) &&
           take_number(&next, &at[NEXT], &columns[NEXT])) {
        const bool has_name = take_number(&name, &at[NAME], &columns[NAME]) && name < name_count;
        stamp += step;
        status = find_time(&time, reader, of, stamp);
        if (status == OCELOTL_OK)
            status = add_switch(reader, of, time, reader->running[of->cpu] - 1, (int64_t)state,
                                (int64_t)next, has_name ? &names[name] : NULL);
        if (status == OCELOTL_OK)
            status = perfetto_count(reader, 1, SWITCH, "sched_switch", OCELOTL_FATE_STATE, NULL);
    }
    stamp = 0;
    while (status == OCELOTL_OK && take_number(&step, &at[WAKING_STAMP], &columns[WAKING_STAMP]) &&
           take_number(&next, &at[WOKEN], &columns[WOKEN])) {
        const bool has_name =
            take_number(&name, &at[WOKEN_NAME], &columns[WOKEN_NAME]) && name < name_count;
        stamp += step;
        status = find_time(&time, reader, of, stamp);
        if (status == OCELOTL_OK)
            status =
                add_waking(reader, of, time, -1, (int64_t)next, has_name ? &names[name] : NULL);
        if (status == OCELOTL_OK)
            status = perfetto_count(reader, 1, WAKING, "sched_waking", OCELOTL_FATE_STATE, NULL);
    }
    free(names);
    return status;
}

ocelotl_status perfetto_take_ftrace(perfetto_reader *reader, oc_bytes_reader message)
{
    oc_field field;
    bundle of = {.clock = reader->trace_clock};
    int64_t stamps[2] = {0};
    if (reader->scheduled == NULL)
        OC_TRY(oc_sorting_open(&reader->scheduled, reader->ingest.import->target,
                               OC_SORTING_MEMORY / 8, false));
    for (oc_bytes_reader all = message; oc_field_next(&field, &all);) {
        if (field.number == 1)
            of.cpu = (uint32_t)field.value;
        if (field.number == 3 && field.value != 0)
            oc_ingest_note(&reader->ingest, PERFETTO_EVENTS_LOST);
        if (field.number == 5 && field.value == 4)
            of.clock = MONOTONIC_RAW;
        if (field.number == 6 || field.number == 7)
            stamps[field.number - 6] = (int64_t)field.value;
    }
    if (of.cpu >= PERFETTO_CPUS)
        return fail_cpu(of.cpu);
    if (stamps[0] > 0 && stamps[1] > 0)
        of.shift = stamps[1] - stamps[0];
    while (oc_field_next(&field, &message)) {
        if (field.number == 2)
            OC_TRY(take_event(reader, &of, oc_field_message(&field)));
        if (field.number == 4)
            OC_TRY(take_columns(reader, &of, oc_field_message(&field)));
    }
    return oc_fields_check(&message, "ftrace_events");
}

/* --- States, once all is in order */

static ocelotl_status write_thread_state(void *context, const oc_scheduled *state)
{
    static const char *const names[] = {"", "running", "ready", "blocked", ""};
    perfetto_reader *reader = context;
    oc_sorted record = {.kind = OC_SORTED_SPAN, .time = state->begin, .end = state->end};
    char cpu[OC_WHOLE_SIZE];
    OC_TRY(perfetto_thread_row(&record.stream, reader, state->thread));
    reader->attribute_count = 0;
    if (state->state == OC_THREAD_RUNNING && state->cpu != OC_NO_CPU) {
        const size_t length = oc_print_unsigned(cpu, state->cpu);
        OC_TRY(perfetto_add_attribute(reader, PERFETTO_THREAD_STATE, "cpu", cpu, length));
    }
    return perfetto_add(reader, &record, PERFETTO_THREAD_STATE, names[state->state],
                        strlen(names[state->state]));
}

static ocelotl_status write_cpu_state(void *context, const oc_scheduled *state)
{
    perfetto_reader *reader = context;
    oc_sorted record = {.kind = OC_SORTED_SPAN, .time = state->begin, .end = state->end};
    const perfetto_thread *thread =
        state->thread != OC_NO_THREAD ? &reader->threads[state->thread] : NULL;
    char id[OC_WHOLE_SIZE] = "idle";
    OC_TRY(perfetto_cpu_row(&record.stream, reader, state->cpu));
    reader->attribute_count = 0;
    if (thread != NULL) {
        const size_t length = oc_print_signed(id, thread->number);
        OC_TRY(perfetto_add_attribute(reader, PERFETTO_CPU_STATE, "thread", id, length));
    }
    const char *name = thread != NULL && thread->name != NULL ? thread->name : id;
    return perfetto_add(reader, &record, PERFETTO_CPU_STATE, name, strlen(name));
}

static ocelotl_status schedule(perfetto_reader *reader, const oc_sorted *record)
{
    bool wakes;
    oc_scheduler *scheduler = &reader->scheduler;
    const uint32_t thread = (uint32_t)record->detail;
    if (record->type == SWITCH && record->group == OC_THREAD_UNKNOWN) {
        const uint64_t missed = scheduler->missed; /* there is a switch to it */
        const ocelotl_status status =
            oc_scheduler_see(scheduler, thread, record->order, record->time);
        scheduler->missed = missed;
        return status;
    }
    if (record->type == SWITCH)
        return oc_scheduler_switch(scheduler,
                                   &(oc_scheduler_change){.cpu = record->order,
                                                          .before = record->value,
                                                          .after = thread,
                                                          .left = (oc_thread_state)record->group,
                                                          .time = record->time});
    if (record->group != 0) /* who wakes it runs */
        OC_TRY(oc_scheduler_see(scheduler, record->value, record->order, record->time));
    OC_TRY(oc_scheduler_wake(&wakes, scheduler, thread, record->time));
    oc_sorted point = {.time = record->time, .value = OCELOTL_NONE};
    if (!wakes || record->value == OC_NO_THREAD || record->value == thread)
        return OCELOTL_OK;
    OC_TRY(perfetto_thread_row(&point.stream, reader, record->value));
    OC_TRY(perfetto_add_point(reader, &point, PERFETTO_WAKING, reader->wakings, false));
    OC_TRY(perfetto_thread_row(&point.stream, reader, thread));
    return perfetto_add_point(reader, &point, PERFETTO_WAKING, reader->wakings++, true);
}

ocelotl_status perfetto_schedule(perfetto_reader *reader)
{
    const oc_sorted *record;
    if (reader->scheduled == NULL)
        return OCELOTL_OK;
    oc_scheduler_free(&reader->scheduler);
    reader->scheduler =
        (oc_scheduler){.thread = write_thread_state, .cpu = write_cpu_state, .context = reader};
    OC_TRY(oc_sorting_finish(reader->scheduled));
    for (;;) {
        OC_TRY(oc_sorting_next(&record, reader->scheduled));
        if (record == NULL)
            break;
        OC_TRY(schedule(reader, record));
    }
    OC_TRY(oc_scheduler_finish(&reader->scheduler, reader->last));
    reader->ingest.oddities.counts[PERFETTO_SWITCH_MISSED] += reader->scheduler.missed;
    oc_sorting_free(reader->scheduled);
    reader->scheduled = NULL;
    return OCELOTL_OK;
}
