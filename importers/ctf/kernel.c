/* Events of a kernel's trace: the state machine of docs/formats/ctf.md. */
#include "importers/ctf/kernel.h"

#include <inttypes.h>
#include <string.h>

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
    ctf_type *type;
    if (!get_key(&number, event, key))
        return OCELOTL_OK;
    OC_TRY(ctf_find_type(&type, reader, kind));
    OC_TRY(ctf_find_attribute(&attribute, reader, type, name));
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

static ocelotl_status end_thread(ctf_reader *reader, uint32_t number, ctf_moment at)
{
    ctf_thread *thread = &reader->threads[number];
    OC_TRY(ctf_thread_ends(reader, number, at));
    thread->has_ended = true;
    thread->end = at.time;
    return OCELOTL_OK;
}

static ocelotl_status leave_cpu(ctf_reader *reader, ctf_event *event, uint32_t cpu, ctf_moment at)
{
    uint32_t thread;
    int64_t number = 0;
    int64_t reason = 1;
    const uint32_t current = reader->cpus[cpu].thread;
    (void)get_key(&number, event, 0);
    (void)get_key(&reason, event, 1);
    OC_TRY(find_thread(&thread, reader, event, number));
    if (current != OCELOTL_NONE && current != thread)
        OC_TRY(ctf_thread_ends(reader, current, at));
    if (thread == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(ctf_name_thread(reader, thread, get_text(event, 2)));
    const ctf_state state = state_of(&reader->threads[thread], reason);
    return state == CTF_NO_STATE ? end_thread(reader, thread, at)
                                 : ctf_thread_waits(reader, thread, state, at);
}

static ocelotl_status take_cpu(ctf_reader *reader, ctf_event *event, uint32_t cpu, ctf_moment at)
{
    uint32_t thread;
    int64_t number = 0;
    const char *name = get_text(event, 4);
    (void)get_key(&number, event, 3);
    OC_TRY(find_thread(&thread, reader, event, number));
    ctf_gather_begin(reader);
    at.has_attributes = true;
    if (thread != OCELOTL_NONE) {
        OC_TRY(ctf_name_thread(reader, thread, name));
        OC_TRY(gather_key(reader, event, CTF_THREAD_STATE, 5, "priority"));
        OC_TRY(ctf_gather_end(reader));
        OC_TRY(ctf_thread_runs(reader, thread, at));
        ctf_gather_begin(reader);
        OC_TRY(gather_key(reader, event, CTF_CPU_STATE, 3, "tid"));
        OC_TRY(gather_key(reader, event, CTF_CPU_STATE, 5, "priority"));
        OC_TRY(ctf_gather_end(reader));
    }
    if (thread == OCELOTL_NONE)
        name = "idle";
    else if (name == NULL || name[0] == '\0')
        name = "(no name)";
    return ctf_cpu_runs(reader, cpu, thread, name, at);
}

static ocelotl_status take_wakeup(ctf_reader *reader, ctf_event *event, ctf_moment at)
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
    ctf_gather_begin(reader);
    OC_TRY(gather_key(reader, event, CTF_THREAD_STATE, 2, "priority"));
    OC_TRY(gather_key(reader, event, CTF_THREAD_STATE, 3, "target_cpu"));
    OC_TRY(ctf_gather_end(reader));
    at.has_attributes = true;
    return ctf_thread_waits(reader, number, CTF_READY, at);
}

/* --- Life */

static ocelotl_status take_fork(ctf_reader *reader, ctf_event *event, ctf_moment at)
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
    return ctf_thread_waits(reader, number, CTF_READY, at);
}

static ocelotl_status take_exit(ctf_reader *reader, ctf_event *event, ctf_moment at)
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
static ocelotl_status take_statedump(ctf_reader *reader, ctf_event *event, ctf_moment at)
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
    return ctf_thread_waits(reader, number, status == WAIT ? CTF_BLOCKED : CTF_READY, at);
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

static ocelotl_status take_interrupt(ctf_reader *reader, ctf_event *event, uint32_t cpu,
                                     ctf_moment at)
{
    uint32_t value = event->of->value;
    const uint32_t thread = reader->cpus[cpu].thread;
    if (event->of->role != CTF_AS_VECTOR) {
        OC_TRY(name_interrupt(&reader->key, event));
        OC_TRY(ctf_find_value(&value, reader, event->of->type, reader->key.bytes));
    }
    at.has_attributes = true;
    OC_TRY(ctf_gather(reader, event));
    OC_TRY(ctf_cpu_is_interrupted(reader, cpu, value, at));
    return thread != OCELOTL_NONE ? ctf_thread_is_interrupted(reader, thread, true, at)
                                  : OCELOTL_OK;
}

static ocelotl_status take_interrupt_end(ctf_reader *reader, ctf_event *event, uint32_t cpu,
                                         ctf_moment at)
{
    const uint32_t thread = reader->cpus[cpu].thread;
    at.has_attributes = true;
    if (reader->cpus[cpu].interrupt_count == 0)
        event->left_out = "it ends what did not begin";
    OC_TRY(ctf_gather(reader, event));
    OC_TRY(ctf_cpu_goes_on(reader, cpu, at));
    return thread != OCELOTL_NONE && reader->cpus[cpu].interrupt_count == 0
               ? ctf_thread_is_interrupted(reader, thread, false, at)
               : OCELOTL_OK;
}

/* --- System calls */

static ocelotl_status take_call(ctf_reader *reader, ctf_event *event, uint32_t cpu, ctf_moment at)
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
        OC_TRY(ctf_find_value(&value, reader, event->of->type, reader->key.bytes));
    }
    at.has_attributes = true;
    OC_TRY(ctf_gather(reader, event));
    return event->of->role == CTF_AS_RETURN ? ctf_thread_returns(reader, thread, at)
                                            : ctf_thread_calls(reader, thread, value, at);
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
    const ctf_moment at = {.time = host->time};
    switch (event->of->role) {
    case CTF_AS_SWITCH:
        OC_TRY(leave_cpu(reader, event, cpu, at));
        return take_cpu(reader, event, cpu, at);
    case CTF_AS_WAKEUP:
        return take_wakeup(reader, event, at);
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
        ctf_moment at = {.time = INT64_MIN}; /* the last event of the trace */
        for (size_t i = 0; i < reader->graph.count; i++) {
            const ctf_stream_data *data = &reader->streams[i];
            if (data->has_events && data->latest > at.time &&
                reader->graph.streams[i]->trace == trace)
                at.time = data->latest;
        }
        for (uint32_t i = 0; i < reader->cpu_count && reader->traces[trace].is_kernel; i++)
            if (reader->row_traces[reader->cpus[i].row] == trace)
                OC_TRY(ctf_cpu_is_lost(reader, i, at));
        for (uint32_t i = 0; i < reader->thread_count && reader->traces[trace].is_kernel; i++)
            if (reader->threads[i].trace == trace && !reader->threads[i].has_ended)
                OC_TRY(ctf_thread_ends(reader, i, at));
    }
    return OCELOTL_OK;
}
