/* Events of a kernel's trace: the state machine of docs/formats/ctf.md. */
#include "importers/ctf/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- States of threads */

/* What a role adds to the state that it begins or ends: NULL, or the event itself. */
typedef struct moment {
    int64_t time;
    bool has_attributes; /* those in reader->attributes */
} moment;

/* Adds the begin or the end of a state to a row. */
static ocelotl_status add(ctf_reader *reader, ctf_type_kind type, uint32_t row, oc_sorted_kind kind,
                          uint32_t value, moment at)
{
    const oc_sorted record = {.stream = row,
                              .kind = kind,
                              .time = at.time,
                              .order = row,
                              .type = reader->types[type].id,
                              .value = value,
                              .attributes = reader->attributes,
                              .attribute_count = at.has_attributes ? reader->attribute_count : 0};
    return oc_timelines_add(&reader->timelines, &record);
}

/* The same of a thread, by a state that has a name. */
static ocelotl_status add_state(ctf_reader *reader, ctf_thread *thread, oc_sorted_kind kind,
                                ctf_state state, moment at)
{
    static const char *const names[CTF_STATES] = {
        [CTF_RUNNING] = "running",         [CTF_READY] = "ready",
        [CTF_BLOCKED] = "blocked",         [CTF_BLOCKED_IO] = "blocked in I/O",
        [CTF_INTERRUPTED] = "interrupted",
    };
    uint32_t value = thread->call;
    if (state == CTF_NO_STATE)
        return OCELOTL_OK;
    if (state != CTF_IN_CALL)
        OC_TRY(ctf_find_value(&value, reader, CTF_THREAD_STATE, names[state]));
    thread->is_used = true;
    thread->has_ended = false;
    return add(reader, CTF_THREAD_STATE, thread->row, kind, value, at);
}

static ocelotl_status begin(ctf_reader *reader, ctf_thread *thread, ctf_state state, moment at)
{
    return add_state(reader, thread, OC_SORTED_BEGIN, state, at);
}

/* Ends a state without what an event adds. */
static ocelotl_status end(ctf_reader *reader, ctf_thread *thread, ctf_state state, moment at)
{
    at.has_attributes = false;
    return add_state(reader, thread, OC_SORTED_END, state, at);
}

/* Ends what is inside the outermost state. */
static ocelotl_status end_inner(ctf_reader *reader, ctf_thread *thread, moment at)
{
    const ctf_state inner = thread->inner;
    const bool interrupted = thread->is_interrupted;
    thread->inner = CTF_NO_STATE;
    thread->is_interrupted = false;
    if (interrupted)
        OC_TRY(end(reader, thread, CTF_INTERRUPTED, at));
    return end(reader, thread, inner, at);
}

static ocelotl_status end_all(ctf_reader *reader, ctf_thread *thread, moment at)
{
    const ctf_state outer = thread->outer;
    OC_TRY(end_inner(reader, thread, at));
    thread->outer = CTF_NO_STATE;
    return end(reader, thread, outer, at);
}

/* The thread is on a CPU, and as far as known in no system call. */
static ocelotl_status run_thread(ctf_reader *reader, ctf_thread *thread, moment at)
{
    if (thread->outer == CTF_IN_CALL)
        return end_inner(reader, thread, at);
    if (thread->outer == CTF_RUNNING)
        return OCELOTL_OK;
    OC_TRY(end_all(reader, thread, at));
    thread->outer = CTF_RUNNING;
    return begin(reader, thread, CTF_RUNNING, at);
}

/* It is on no CPU, ready or blocked; within a system call, the call waits. */
static ocelotl_status stop_thread(ctf_reader *reader, ctf_thread *thread, ctf_state state,
                                  moment at)
{
    const bool in_call = thread->outer == CTF_IN_CALL;
    OC_TRY(in_call ? end_inner(reader, thread, at) : end_all(reader, thread, at));
    *(in_call ? &thread->inner : &thread->outer) = state;
    return begin(reader, thread, state, at);
}

/* A call whose end was not seen has ended, too. */
static ocelotl_status call_system(ctf_reader *reader, ctf_thread *thread, uint32_t call, moment at)
{
    OC_TRY(end_all(reader, thread, at));
    thread->outer = CTF_IN_CALL;
    thread->call = call;
    return begin(reader, thread, CTF_IN_CALL, at);
}

static ocelotl_status return_from_call(ctf_reader *reader, ctf_thread *thread, moment at)
{
    if (thread->outer == CTF_IN_CALL) {
        OC_TRY(end_inner(reader, thread, at));
        thread->outer = CTF_NO_STATE;
        OC_TRY(add_state(reader, thread, OC_SORTED_END, CTF_IN_CALL, at));
    } else {
        oc_oddities_note(&reader->oddities, CTF_RETURN_ALONE,
                         reader->paths[reader->row_traces[thread->row]], 0);
    }
    at.has_attributes = false;
    return run_thread(reader, thread, at);
}

/* The CPU that it is on serves an interrupt, or has done so: attributes are the CPU's. */
static ocelotl_status interrupt_thread(ctf_reader *reader, ctf_thread *thread, bool begins,
                                       moment at)
{
    const bool on_cpu = thread->outer == CTF_RUNNING ||
                        (thread->outer == CTF_IN_CALL && thread->inner == CTF_NO_STATE);
    if (thread->is_interrupted == begins || (begins && !on_cpu))
        return OCELOTL_OK;
    thread->is_interrupted = begins;
    at.has_attributes = false;
    return add_state(reader, thread, begins ? OC_SORTED_BEGIN : OC_SORTED_END, CTF_INTERRUPTED, at);
}

/* --- States of CPUs */

/* Ends the innermost interrupt. */
static ocelotl_status end_interrupt(ctf_reader *reader, ctf_cpu *cpu, moment at)
{
    return add(reader, CTF_CPU_STATE, cpu->row, OC_SORTED_END,
               cpu->interrupts[--cpu->interrupt_count], at);
}

static ocelotl_status end_cpu(ctf_reader *reader, ctf_cpu *cpu, moment at)
{
    at.has_attributes = false;
    while (cpu->interrupt_count > 0)
        OC_TRY(end_interrupt(reader, cpu, at));
    if (!cpu->is_known)
        return OCELOTL_OK;
    cpu->is_known = false;
    return add(reader, CTF_CPU_STATE, cpu->row, OC_SORTED_END, cpu->value, at);
}

ocelotl_status ctf_lose_cpu(ctf_reader *reader, uint32_t number, int64_t time)
{
    ctf_cpu *cpu = &reader->cpus[number];
    const uint32_t thread = cpu->thread;
    cpu->thread = OCELOTL_NONE;
    OC_TRY(end_cpu(reader, cpu, (moment){.time = time}));
    return thread != OCELOTL_NONE
               ? end_all(reader, &reader->threads[thread], (moment){.time = time})
               : OCELOTL_OK;
}

/* States of a thread that leaves a CPU, as bits. */
enum { ANY_REASON = 0xFF, UNINTERRUPTIBLE = 0x02, DEAD_OR_ZOMBIE = 0x30, NO_LOAD = 0x400 };

static const char *get_text(ctf_event *event, size_t key)
{
    return ctf_get_string(event, event->of->keys[key]);
}

static bool get_key(int64_t *number, ctf_event *event, size_t key)
{
    return ctf_get_number(number, event, event->of->keys[key]);
}

/* --- Where an event happens */

static ocelotl_status find_cpu(uint32_t *cpu, ctf_reader *reader, ctf_event *event)
{
    int64_t number = -1 - (int64_t)event->stream->number;
    ctf_stream_data *data = event->data;
    (void)ctf_get_number(&number, event, event->of->cpu);
    if (data->has_row && data->row_number == number) {
        *cpu = data->row;
        return OCELOTL_OK;
    }
    OC_TRY(ctf_find_cpu(cpu, reader, event->stream->trace, number));
    data->has_row = true;
    data->row_number = number;
    data->row = *cpu;
    return OCELOTL_OK;
}

/* A thread by its number; the idle one of a CPU is none. */
static ocelotl_status find_thread(uint32_t *thread, ctf_reader *reader, ctf_event *event,
                                  int64_t number)
{
    *thread = OCELOTL_NONE;
    return number <= 0 ? OCELOTL_OK
                       : ctf_find_thread(thread, reader, event->stream->trace, number, false, 0);
}

/* The thread that an event says it is of, else the one on its CPU. */
static ocelotl_status find_own_thread(uint32_t *thread, ctf_reader *reader, ctf_event *event,
                                      uint32_t cpu)
{
    int64_t number = 0;
    int64_t process = 0;
    *thread = reader->cpus[cpu].thread;
    if (!ctf_get_number(&number, event, event->of->thread))
        return OCELOTL_OK;
    *thread = OCELOTL_NONE;
    if (number <= 0)
        return OCELOTL_OK;
    const bool has_process = ctf_get_number(&process, event, event->of->process);
    OC_TRY(ctf_find_thread(thread, reader, event->stream->trace, number, has_process && process > 0,
                           process));
    return ctf_name_thread(reader, *thread, ctf_get_string(event, event->of->name_of_thread));
}

/* --- Attributes that a role makes of fields */

static ocelotl_status gather_key(ctf_reader *reader, ctf_event *event, ctf_type_kind kind,
                                 size_t key, const char *name)
{
    int64_t number;
    uint32_t attribute;
    if (!get_key(&number, event, key))
        return OCELOTL_OK;
    OC_TRY(ctf_find_attribute(&attribute, reader, kind, name));
    return ctf_gather_signed(reader, attribute, number);
}

/* --- Scheduling */

static ctf_state state_of(const ctf_thread *thread, int64_t reason)
{
    if ((reason & ANY_REASON) == 0 && !(reason & NO_LOAD && reason & UNINTERRUPTIBLE))
        return CTF_READY;
    if ((reason & DEAD_OR_ZOMBIE) != 0 || thread->is_exiting)
        return CTF_NO_STATE;
    return (reason & UNINTERRUPTIBLE) != 0 && (reason & NO_LOAD) == 0 ? CTF_BLOCKED_IO
                                                                      : CTF_BLOCKED;
}

static ocelotl_status end_thread(ctf_reader *reader, uint32_t number, moment at)
{
    ctf_thread *thread = &reader->threads[number];
    OC_TRY(end_all(reader, thread, at));
    thread->has_ended = true;
    thread->end = at.time;
    return OCELOTL_OK;
}

static ocelotl_status leave_cpu(ctf_reader *reader, ctf_event *event, uint32_t cpu, moment at)
{
    uint32_t thread;
    int64_t number = 0;
    int64_t reason = 1;
    const uint32_t current = reader->cpus[cpu].thread;
    (void)get_key(&number, event, 0);
    (void)get_key(&reason, event, 1);
    OC_TRY(find_thread(&thread, reader, event, number));
    if (current != OCELOTL_NONE && current != thread)
        OC_TRY(end_all(reader, &reader->threads[current], at));
    if (thread == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(ctf_name_thread(reader, thread, get_text(event, 2)));
    const ctf_state state = state_of(&reader->threads[thread], reason);
    return state == CTF_NO_STATE ? end_thread(reader, thread, at)
                                 : stop_thread(reader, &reader->threads[thread], state, at);
}

static ocelotl_status take_cpu(ctf_reader *reader, ctf_event *event, uint32_t number, moment at)
{
    uint32_t thread;
    ctf_cpu *cpu = &reader->cpus[number];
    int64_t id = 0;
    const char *name = get_text(event, 4);
    (void)get_key(&id, event, 3);
    OC_TRY(find_thread(&thread, reader, event, id));
    ctf_gather_begin(reader);
    at.has_attributes = true;
    if (thread != OCELOTL_NONE) {
        OC_TRY(ctf_name_thread(reader, thread, name));
        OC_TRY(gather_key(reader, event, CTF_THREAD_STATE, 5, "priority"));
        OC_TRY(ctf_gather_end(reader));
        OC_TRY(run_thread(reader, &reader->threads[thread], at));
        ctf_gather_begin(reader);
        OC_TRY(gather_key(reader, event, CTF_CPU_STATE, 3, "tid"));
        OC_TRY(gather_key(reader, event, CTF_CPU_STATE, 5, "priority"));
        OC_TRY(ctf_gather_end(reader));
    }
    if (thread == OCELOTL_NONE)
        name = "idle";
    else if (name == NULL || name[0] == '\0')
        name = "(no name)";
    OC_TRY(end_cpu(reader, cpu, at));
    OC_TRY(ctf_find_value(&cpu->value, reader, CTF_CPU_STATE, name));
    cpu->is_known = true;
    cpu->thread = thread;
    return add(reader, CTF_CPU_STATE, cpu->row, OC_SORTED_BEGIN, cpu->value, at);
}

/* Links the thread that wakes another to it. What an interrupt wakes waits for a device. */
static ocelotl_status link_waking(ctf_reader *reader, ctf_event *event, uint32_t cpu,
                                  uint32_t woken, moment at)
{
    uint32_t waker;
    OC_TRY(find_own_thread(&waker, reader, event, cpu));
    if (waker == OCELOTL_NONE || waker == woken || reader->cpus[cpu].interrupt_count > 0)
        return OCELOTL_OK;
    OC_TRY(ctf_declare_type(reader, CTF_WAKING));
    const oc_timelines_link link = {.from = reader->threads[waker].row,
                                    .to = reader->threads[woken].row,
                                    .begin = at.time,
                                    .end = at.time,
                                    .type = reader->types[CTF_WAKING].id,
                                    .value = OCELOTL_NONE};
    return oc_timelines_add_link(&reader->timelines, &link);
}

static ocelotl_status take_wakeup(ctf_reader *reader, ctf_event *event, uint32_t cpu, moment at)
{
    uint32_t number;
    int64_t id = 0;
    (void)get_key(&id, event, 0);
    OC_TRY(find_thread(&number, reader, event, id));
    if (number == OCELOTL_NONE)
        return OCELOTL_OK;
    const ctf_thread *thread = &reader->threads[number];
    const ctf_state state = thread->outer == CTF_IN_CALL ? thread->inner : thread->outer;
    const bool is_running =
        thread->outer == CTF_IN_CALL ? state == CTF_NO_STATE : state == CTF_RUNNING;
    OC_TRY(ctf_name_thread(reader, number, get_text(event, 1)));
    if (is_running || state == CTF_READY)
        return OCELOTL_OK;
    OC_TRY(link_waking(reader, event, cpu, number, at));
    ctf_gather_begin(reader);
    OC_TRY(gather_key(reader, event, CTF_THREAD_STATE, 2, "priority"));
    OC_TRY(gather_key(reader, event, CTF_THREAD_STATE, 3, "target_cpu"));
    OC_TRY(ctf_gather_end(reader));
    at.has_attributes = true;
    return stop_thread(reader, &reader->threads[number], CTF_READY, at);
}

/* --- Life */

static ocelotl_status take_fork(ctf_reader *reader, ctf_event *event, moment at)
{
    uint32_t number;
    int64_t id = 0;
    int64_t process = 0;
    const uint32_t trace = event->stream->trace;
    if (!get_key(&id, event, 0) || id <= 0)
        return OCELOTL_OK;
    OC_TRY(find_thread(&number, reader, event, id));
    if (reader->threads[number].outer != CTF_NO_STATE) /* its end was not seen */
        OC_TRY(end_thread(reader, number, at));
    if (reader->threads[number].is_used)
        OC_TRY(ctf_add_thread(&number, reader, trace, id));
    ctf_thread *thread = &reader->threads[number];
    thread->is_used = true;
    /* Of LTTng, which has child_tid, child_pid is the process; of perf it is the thread. */
    thread->has_process =
        event->of->keys[0].index != event->of->keys[2].index && get_key(&process, event, 2);
    thread->process = process;
    thread->has_begun = true;
    thread->begin = at.time;
    thread->has_parent = get_key(&thread->parent, event, 3);
    OC_TRY(ctf_name_thread(reader, number, get_text(event, 1)));
    return stop_thread(reader, &reader->threads[number], CTF_READY, at);
}

static ocelotl_status take_exit(ctf_reader *reader, ctf_event *event, moment at)
{
    uint32_t number;
    int64_t id = 0;
    (void)get_key(&id, event, 0);
    OC_TRY(find_thread(&number, reader, event, id));
    if (number == OCELOTL_NONE)
        return OCELOTL_OK;
    reader->threads[number].is_exiting = true;
    return event->of->role == CTF_AS_PROCESS_FREE && !reader->threads[number].has_ended
               ? end_thread(reader, number, at)
               : OCELOTL_OK;
}

/* Takes the state of the system as the recording began. */
static ocelotl_status take_statedump(ctf_reader *reader, ctf_event *event, moment at)
{
    enum { WAIT_CPU = 2, WAIT = 5 };
    uint32_t number;
    int64_t id = 0;
    int64_t process = 0;
    int64_t status = 0;
    if (!get_key(&id, event, 0) || id <= 0)
        return OCELOTL_OK;
    const bool has_process = get_key(&process, event, 1) && process > 0;
    OC_TRY(ctf_find_thread(&number, reader, event->stream->trace, id, has_process, process));
    ctf_thread *thread = &reader->threads[number];
    if (thread->name == NULL)
        OC_TRY(ctf_name_thread(reader, number, get_text(event, 2)));
    thread->has_parent = get_key(&thread->parent, event, 4);
    (void)get_key(&status, event, 3);
    if (thread->outer != CTF_NO_STATE || (status != WAIT_CPU && status != WAIT))
        return OCELOTL_OK;
    return stop_thread(reader, thread, status == WAIT ? CTF_BLOCKED : CTF_READY, at);
}

/* --- Interrupts */

static ocelotl_status name_interrupt(oc_text *name, ctf_event *event)
{
    static const char *const soft[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                       "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
    int64_t number = 0;
    const char *given = get_text(event, 1);
    const bool has_number = get_key(&number, event, 0);
    oc_text_clear(name);
    if (event->of->role == CTF_AS_SOFT_INTERRUPT && has_number && number >= 0 &&
        number < (int64_t)(sizeof soft / sizeof soft[0]))
        oc_text_format(name, "softirq %s", soft[number]);
    else if (event->of->role == CTF_AS_SOFT_INTERRUPT)
        oc_text_format(name, "softirq %" PRId64, number);
    else if (given != NULL && given[0] != '\0')
        oc_text_format(name, "irq %s", given);
    else
        oc_text_format(name, "irq %" PRId64, number);
    return name->failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status take_interrupt(ctf_reader *reader, ctf_event *event, uint32_t number,
                                     moment at)
{
    uint32_t value = event->of->value;
    ctf_cpu *cpu = &reader->cpus[number];
    if (event->of->role != CTF_AS_VECTOR) {
        OC_TRY(name_interrupt(&reader->key, event));
        OC_TRY(ctf_find_value(&value, reader, CTF_CPU_STATE, reader->key.bytes));
    }
    OC_TRY(ctf_gather(reader, event));
    if (cpu->interrupt_count == CTF_INTERRUPTS)
        OC_TRY(end_interrupt(reader, cpu, at));
    at.has_attributes = true;
    cpu->interrupts[cpu->interrupt_count++] = value;
    OC_TRY(add(reader, CTF_CPU_STATE, cpu->row, OC_SORTED_BEGIN, value, at));
    return cpu->thread != OCELOTL_NONE
               ? interrupt_thread(reader, &reader->threads[cpu->thread], true, at)
               : OCELOTL_OK;
}

static ocelotl_status take_interrupt_end(ctf_reader *reader, ctf_event *event, uint32_t number,
                                         moment at)
{
    ctf_cpu *cpu = &reader->cpus[number];
    OC_TRY(ctf_gather(reader, event));
    at.has_attributes = true;
    if (cpu->interrupt_count > 0) {
        OC_TRY(end_interrupt(reader, cpu, at));
    } else {
        event->left_out = "it ends what did not begin";
        oc_oddities_note(&reader->oddities, CTF_RETURN_ALONE,
                         reader->paths[reader->row_traces[cpu->row]], 0);
    }
    return cpu->thread != OCELOTL_NONE && cpu->interrupt_count == 0
               ? interrupt_thread(reader, &reader->threads[cpu->thread], false, at)
               : OCELOTL_OK;
}

/* --- System calls */

static ocelotl_status take_call(ctf_reader *reader, ctf_event *event, uint32_t cpu, moment at)
{
    uint32_t thread;
    int64_t number = 0;
    uint32_t value = event->of->value;
    OC_TRY(find_own_thread(&thread, reader, event, cpu));
    if (thread == OCELOTL_NONE) {
        event->left_out = "no thread is known on its CPU yet";
        return OCELOTL_OK;
    }
    if (event->of->role == CTF_AS_NUMBERED_CALL) {
        (void)get_key(&number, event, 0);
        oc_text_clear(&reader->key);
        oc_text_format(&reader->key, "system call %" PRId64, number);
        if (reader->key.failed)
            return oc_fail_memory();
        OC_TRY(ctf_find_value(&value, reader, CTF_THREAD_STATE, reader->key.bytes));
    }
    at.has_attributes = true;
    OC_TRY(ctf_gather(reader, event));
    ctf_thread *caller = &reader->threads[thread];
    return event->of->role == CTF_AS_RETURN ? return_from_call(reader, caller, at)
                                            : call_system(reader, caller, value, at);
}

/* --- All else */

/* Finds the row of an event: the CPU in an interrupt, or while no thread runs. */
static ocelotl_status find_row(uint32_t *row, ctf_reader *reader, ctf_event *event, uint32_t cpu)
{
    uint32_t thread;
    OC_TRY(find_own_thread(&thread, reader, event, cpu));
    const bool is_threads = thread != OCELOTL_NONE && reader->cpus[cpu].interrupt_count == 0;
    *row = is_threads ? reader->threads[thread].row : reader->cpus[cpu].row;
    return OCELOTL_OK;
}

/* Takes an event for the states of threads and CPUs. */
static ocelotl_status take_as(ctf_reader *reader, ctf_event *event, uint32_t cpu)
{
    uint32_t row;
    ctf_host *host = &reader->hosts[reader->traces[event->stream->trace].host];
    /* Events of perf were sorted before they were written, those of others are in order. */
    if (!host->has_time || event->time > host->time)
        host->time = event->time;
    host->has_time = true;
    const moment at = {.time = host->time};
    switch (event->of->role) {
    case CTF_AS_SWITCH:
        OC_TRY(leave_cpu(reader, event, cpu, at));
        return take_cpu(reader, event, cpu, at);
    case CTF_AS_WAKEUP:
        return take_wakeup(reader, event, cpu, at);
    case CTF_AS_FORK:
        return take_fork(reader, event, at);
    case CTF_AS_PROCESS_EXIT:
    case CTF_AS_PROCESS_FREE:
        return take_exit(reader, event, at);
    case CTF_AS_STATEDUMP:
        return take_statedump(reader, event, at);
    case CTF_AS_INTERRUPT:
    case CTF_AS_SOFT_INTERRUPT:
    case CTF_AS_VECTOR:
        return take_interrupt(reader, event, cpu, at);
    case CTF_AS_INTERRUPT_END:
        return take_interrupt_end(reader, event, cpu, at);
    case CTF_AS_CALL:
    case CTF_AS_NUMBERED_CALL:
    case CTF_AS_RETURN:
        return take_call(reader, event, cpu, at);
    default:
        OC_TRY(find_row(&row, reader, event, cpu));
        return ctf_add_event(reader, event, row, event->of->value);
    }
}

/* In a pair of the user's, an event ends a state where it finds its CPU, and begins one where it
 * leaves it: a switch ends one of the thread that goes and begins one of the thread that comes. */
ocelotl_status ctf_take_in_kernel(ctf_reader *reader, ctf_event *event)
{
    uint32_t cpu;
    uint32_t row = 0;
    OC_TRY(find_cpu(&cpu, reader, event));
    if (event->of->pair == 0)
        return take_as(reader, event, cpu);
    const bool begins = reader->classes[event->of->pair - 1].role == CTF_AS_BEGIN;
    if (!begins) {
        OC_TRY(find_row(&row, reader, event, cpu));
        OC_TRY(ctf_add_pair(reader, event, row));
    }
    OC_TRY(take_as(reader, event, cpu));
    event->left_out = NULL;
    if (!begins)
        return OCELOTL_OK;
    OC_TRY(find_row(&row, reader, event, cpu));
    return ctf_add_pair(reader, event, row);
}

/* --- The end */

ocelotl_status ctf_end_kernel(ctf_reader *reader)
{
    for (uint32_t trace = 0; trace < reader->trace_count; trace++) {
        moment at = {.time = INT64_MIN}; /* the last event of the trace */
        for (size_t i = 0; i < reader->graph.count; i++) {
            const ctf_stream_data *data = &reader->streams[i];
            if (data->has_events && data->latest > at.time &&
                reader->graph.streams[i]->trace == trace)
                at.time = data->latest;
        }
        for (uint32_t i = 0; i < reader->cpu_count && reader->traces[trace].is_kernel; i++)
            if (reader->row_traces[reader->cpus[i].row] == trace)
                OC_TRY(ctf_lose_cpu(reader, i, at.time));
        for (uint32_t i = 0; i < reader->thread_count && reader->traces[trace].is_kernel; i++)
            if (reader->threads[i].trace == trace && !reader->threads[i].has_ended)
                OC_TRY(end_all(reader, &reader->threads[i], at));
    }
    return OCELOTL_OK;
}
