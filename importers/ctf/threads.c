/* States of threads, from the events of the kernel. */
#include "importers/ctf/kernel.h"

static const char *const names[CTF_STATES] = {
    [CTF_RUNNING] = "running",         [CTF_READY] = "ready",
    [CTF_BLOCKED] = "blocked",         [CTF_BLOCKED_IO] = "blocked in I/O",
    [CTF_INTERRUPTED] = "interrupted",
};

/* Adds a record of the thread's states. */
static ocelotl_status add(ctf_reader *reader, ctf_thread *thread, oc_sorted_kind kind,
                          uint32_t value, ctf_moment at)
{
    ctf_type *type;
    thread->is_used = true;
    thread->has_ended = false;
    OC_TRY(ctf_find_type(&type, reader, CTF_THREAD_STATE));
    const oc_sorted record = {.stream = thread->row,
                              .kind = kind,
                              .time = at.time,
                              .order = thread->row,
                              .type = type->id,
                              .value = value,
                              .attributes = reader->attributes,
                              .attribute_count = at.has_attributes ? reader->attribute_count : 0};
    return oc_timelines_add(&reader->timelines, &record);
}

static ocelotl_status find_value(uint32_t *value, ctf_reader *reader, ctf_state state)
{
    ctf_type *type;
    OC_TRY(ctf_find_type(&type, reader, CTF_THREAD_STATE));
    return ctf_find_value(value, reader, type, names[state]);
}

static ocelotl_status begin(ctf_reader *reader, ctf_thread *thread, ctf_state state, ctf_moment at)
{
    uint32_t value;
    OC_TRY(find_value(&value, reader, state));
    return add(reader, thread, OC_SORTED_BEGIN, value, at);
}

/* Ends a state without what an event adds. */
static ocelotl_status end(ctf_reader *reader, ctf_thread *thread, ctf_state state, ctf_moment at)
{
    uint32_t value;
    if (state == CTF_NO_STATE)
        return OCELOTL_OK;
    at.has_attributes = false;
    OC_TRY(find_value(&value, reader, state));
    return add(reader, thread, OC_SORTED_END, value, at);
}

/* Ends what is inside the outermost state. */
static ocelotl_status end_inner(ctf_reader *reader, ctf_thread *thread, ctf_moment at)
{
    const ctf_state inner = thread->inner;
    const bool interrupted = thread->is_interrupted;
    thread->inner = CTF_NO_STATE;
    thread->is_interrupted = false;
    if (interrupted)
        OC_TRY(end(reader, thread, CTF_INTERRUPTED, at));
    return end(reader, thread, inner, at);
}

static ocelotl_status end_all(ctf_reader *reader, ctf_thread *thread, ctf_moment at)
{
    const ctf_state outer = thread->outer;
    OC_TRY(end_inner(reader, thread, at));
    thread->outer = CTF_NO_STATE;
    at.has_attributes = false;
    return outer == CTF_IN_CALL ? add(reader, thread, OC_SORTED_END, thread->call, at)
                                : end(reader, thread, outer, at);
}

ocelotl_status ctf_thread_runs(ctf_reader *reader, uint32_t number, ctf_moment at)
{
    ctf_thread *thread = &reader->threads[number];
    if (thread->outer == CTF_IN_CALL)
        return end_inner(reader, thread, at);
    if (thread->outer == CTF_RUNNING)
        return OCELOTL_OK;
    OC_TRY(end_all(reader, thread, at));
    thread->outer = CTF_RUNNING;
    return begin(reader, thread, CTF_RUNNING, at);
}

/* Makes a thread wait; within a system call, the call waits. */
ocelotl_status ctf_thread_waits(ctf_reader *reader, uint32_t number, ctf_state state, ctf_moment at)
{
    ctf_thread *thread = &reader->threads[number];
    if (thread->outer == CTF_IN_CALL) {
        OC_TRY(end_inner(reader, thread, at));
        thread->inner = state;
    } else {
        OC_TRY(end_all(reader, thread, at));
        thread->outer = state;
    }
    return begin(reader, thread, state, at);
}

/* A call whose end was not seen has ended, too. */
ocelotl_status ctf_thread_calls(ctf_reader *reader, uint32_t number, uint32_t call, ctf_moment at)
{
    ctf_thread *thread = &reader->threads[number];
    OC_TRY(end_all(reader, thread, at));
    thread->outer = CTF_IN_CALL;
    thread->call = call;
    return add(reader, thread, OC_SORTED_BEGIN, call, at);
}

ocelotl_status ctf_thread_returns(ctf_reader *reader, uint32_t number, ctf_moment at)
{
    ctf_thread *thread = &reader->threads[number];
    if (thread->outer == CTF_IN_CALL) {
        OC_TRY(end_inner(reader, thread, at));
        thread->outer = CTF_NO_STATE;
        OC_TRY(add(reader, thread, OC_SORTED_END, thread->call, at));
    } else {
        oc_oddities_note(&reader->oddities, CTF_RETURN_ALONE,
                         reader->paths[reader->row_traces[thread->row]], 0);
    }
    at.has_attributes = false;
    return ctf_thread_runs(reader, number, at);
}

ocelotl_status ctf_thread_is_interrupted(ctf_reader *reader, uint32_t number, bool begins,
                                         ctf_moment at)
{
    ctf_thread *thread = &reader->threads[number];
    const bool on_cpu = thread->outer == CTF_RUNNING ||
                        (thread->outer == CTF_IN_CALL && thread->inner == CTF_NO_STATE);
    if (thread->is_interrupted == begins || (begins && !on_cpu))
        return OCELOTL_OK;
    thread->is_interrupted = begins;
    at.has_attributes = false; /* they are the CPU's */
    return begins ? begin(reader, thread, CTF_INTERRUPTED, at)
                  : end(reader, thread, CTF_INTERRUPTED, at);
}

ocelotl_status ctf_thread_ends(ctf_reader *reader, uint32_t number, ctf_moment at)
{
    return end_all(reader, &reader->threads[number], at);
}
