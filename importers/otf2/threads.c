/* Threads, tasks and locks, programs, and the measurement itself: instants. */
#include "importers/otf2/location.h"

static OTF2_CallbackCode add(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                             const OTF2_AttributeList *list)
{
    return otf2_location_instant(location, kind, OC_OTF2_THREADS, stamp)
               ? otf2_location_end(location, list)
               : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode add_count(otf2_location *location, otf2_kind kind, otf2_type type,
                                   OTF2_TimeStamp stamp, uint32_t key, uint64_t number,
                                   const OTF2_AttributeList *list)
{
    if (!otf2_location_instant(location, kind, type, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(location, key, number);
    return otf2_location_end(location, list);
}

static void put_paradigm(otf2_location *location, OTF2_Paradigm paradigm)
{
    otf2_put_name(location, OC_OTF2_KEY_PARADIGM, &location->definitions->paradigms, paradigm);
}

static OTF2_CallbackCode add_lock(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                  uint32_t lock, uint32_t order, const OTF2_AttributeList *list)
{
    if (!otf2_location_instant(location, kind, OC_OTF2_THREADS, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(location, OC_OTF2_KEY_LOCK, lock);
    otf2_put_count(location, OC_OTF2_KEY_ORDER, order);
    return otf2_location_end(location, list);
}

/* --- OpenMP of old archives */

static OTF2_CallbackCode on_omp_fork(OC_OTF2_HEAD, uint32_t threads)
{
    OC_OTF2_UNUSED_HEAD;
    return add_count(data, OC_OTF2_KIND_OMP_FORK, OC_OTF2_THREADS, stamp, OC_OTF2_KEY_THREADS,
                     threads, list);
}

static OTF2_CallbackCode on_omp_join(OTF2_LocationRef self, OTF2_TimeStamp stamp, uint64_t position,
                                     void *data, OTF2_AttributeList *list)
{
    OC_OTF2_UNUSED_HEAD;
    return add(data, OC_OTF2_KIND_OMP_JOIN, stamp, list);
}

#define OMP_LOCK(function, kind)                                                   \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, uint32_t lock, uint32_t order) \
    {                                                                              \
        OC_OTF2_UNUSED_HEAD;                                                       \
        return add_lock(data, OC_OTF2_KIND_##kind, stamp, lock, order, list);      \
    }
#define OMP_TASK(function, kind)                                                              \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, uint64_t task)                            \
    {                                                                                         \
        OC_OTF2_UNUSED_HEAD;                                                                  \
        return add_count(data, OC_OTF2_KIND_##kind, OC_OTF2_THREADS, stamp, OC_OTF2_KEY_TASK, \
                         task, list);                                                         \
    }

OMP_LOCK(on_omp_acquire, OMP_ACQUIRE_LOCK)
OMP_LOCK(on_omp_release, OMP_RELEASE_LOCK)
OMP_TASK(on_omp_task_create, OMP_TASK_CREATE)
OMP_TASK(on_omp_task_switch, OMP_TASK_SWITCH)
OMP_TASK(on_omp_task_complete, OMP_TASK_COMPLETE)

/* --- Threads */

static OTF2_CallbackCode on_fork(OC_OTF2_HEAD, OTF2_Paradigm paradigm, uint32_t threads)
{
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_instant(location, OC_OTF2_KIND_THREAD_FORK, OC_OTF2_THREADS, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    put_paradigm(location, paradigm);
    otf2_put_count(location, OC_OTF2_KEY_THREADS, threads);
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_join(OC_OTF2_HEAD, OTF2_Paradigm paradigm)
{
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_instant(location, OC_OTF2_KIND_THREAD_JOIN, OC_OTF2_THREADS, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    put_paradigm(location, paradigm);
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode add_team(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                  OTF2_CommRef team, const OTF2_AttributeList *list)
{
    if (!otf2_location_instant(location, kind, OC_OTF2_THREADS, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_name(location, OC_OTF2_KEY_TEAM, &location->definitions->communicators, team);
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_team_begin(OC_OTF2_HEAD, OTF2_CommRef team)
{
    OC_OTF2_UNUSED_HEAD;
    return add_team(data, OC_OTF2_KIND_THREAD_TEAM_BEGIN, stamp, team, list);
}

static OTF2_CallbackCode on_team_end(OC_OTF2_HEAD, OTF2_CommRef team)
{
    OC_OTF2_UNUSED_HEAD;
    return add_team(data, OC_OTF2_KIND_THREAD_TEAM_END, stamp, team, list);
}

#define LOCK(function, kind)                                                               \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, OTF2_Paradigm paradigm, uint32_t lock, \
                                      uint32_t order)                                      \
    {                                                                                      \
        OC_OTF2_UNUSED_HEAD, (void)paradigm;                                               \
        return add_lock(data, OC_OTF2_KIND_##kind, stamp, lock, order, list);              \
    }

LOCK(on_acquire, THREAD_ACQUIRE_LOCK)
LOCK(on_release, THREAD_RELEASE_LOCK)

static OTF2_CallbackCode add_task(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                  OTF2_CommRef team, uint32_t creator, uint32_t generation,
                                  const OTF2_AttributeList *list)
{
    if (!otf2_location_instant(location, kind, OC_OTF2_THREADS, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_name(location, OC_OTF2_KEY_TEAM, &location->definitions->communicators, team);
    otf2_put_count(location, OC_OTF2_KEY_CREATOR, creator);
    otf2_put_count(location, OC_OTF2_KEY_TASK, generation);
    return otf2_location_end(location, list);
}

#define TASK(function, kind)                                                                \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, OTF2_CommRef team, uint32_t creator,    \
                                      uint32_t generation)                                  \
    {                                                                                       \
        OC_OTF2_UNUSED_HEAD;                                                                \
        return add_task(data, OC_OTF2_KIND_##kind, stamp, team, creator, generation, list); \
    }
#define LIFE(function, kind, type)                                                            \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, OTF2_CommRef contingent, uint64_t count)  \
    {                                                                                         \
        OC_OTF2_UNUSED_HEAD, (void)contingent;                                                \
        return add_count(data, OC_OTF2_KIND_##kind, type, stamp, OC_OTF2_KEY_SEQUENCE, count, \
                         list);                                                               \
    }

TASK(on_task_create, THREAD_TASK_CREATE)
TASK(on_task_switch, THREAD_TASK_SWITCH)
TASK(on_task_complete, THREAD_TASK_COMPLETE)
LIFE(on_create, THREAD_CREATE, OC_OTF2_THREADS)
LIFE(on_wait, THREAD_WAIT, OC_OTF2_THREADS)
LIFE(on_begin, THREAD_BEGIN, OC_OTF2_LIFE)
LIFE(on_end, THREAD_END, OC_OTF2_LIFE)

/* --- Programs */

/* A record that is broken may count four thousand million of them. */
static void put_arguments(otf2_location *location, uint32_t count, const OTF2_StringRef *arguments)
{
    enum { MOST_ARGUMENTS = 65536 };
    oc_text text = {0};
    const uint32_t shown = count < MOST_ARGUMENTS ? count : MOST_ARGUMENTS;
    for (uint32_t i = 0; i < shown; i++) {
        const char *argument = otf2_definitions_string(location->definitions, arguments[i]);
        oc_text_add(&text, i > 0 ? " " : "");
        oc_text_add(&text, argument != NULL ? argument : "");
    }
    oc_text_add(&text, shown < count ? " .." : "");
    if (text.failed)
        location->status = OCELOTL_ERROR_MEMORY;
    else if (count > 0)
        otf2_put_text(location, OC_OTF2_KEY_ARGUMENTS, text.bytes);
    oc_text_free(&text);
}

static OTF2_CallbackCode on_program_begin(OC_OTF2_HEAD, OTF2_StringRef program, uint32_t count,
                                          const OTF2_StringRef *arguments)
{
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_instant(location, OC_OTF2_KIND_PROGRAM_BEGIN, OC_OTF2_LIFE, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_text(location, OC_OTF2_KEY_PROGRAM,
                  otf2_definitions_string(location->definitions, program));
    put_arguments(location, count, arguments);
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_program_end(OC_OTF2_HEAD, int64_t status)
{
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_instant(location, OC_OTF2_KIND_PROGRAM_END, OC_OTF2_LIFE, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    if (status != OTF2_UNDEFINED_INT64)
        otf2_put_number(location, OC_OTF2_KEY_STATUS, status);
    return otf2_location_end(location, list);
}

/* --- The measurement */

static OTF2_CallbackCode on_measurement(OC_OTF2_HEAD, OTF2_MeasurementMode mode)
{
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_instant(location, OC_OTF2_KIND_MEASUREMENT_ON_OFF, OC_OTF2_MEASUREMENT,
                               stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_text(location, OC_OTF2_KEY_MODE, mode == OTF2_MEASUREMENT_ON ? "on" : "off");
    return otf2_location_end(location, list);
}

/* The stamp is cut off where it is out of the trace: the record says no more than that. */
static OTF2_CallbackCode on_flush(OC_OTF2_HEAD, OTF2_TimeStamp until)
{
    int64_t tick;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_timing_tick(&tick, &location->timing, until))
        tick = 0;
    return add_count(location, OC_OTF2_KIND_BUFFER_FLUSH, OC_OTF2_MEASUREMENT, stamp,
                     OC_OTF2_KEY_UNTIL, (uint64_t)tick, list);
}

void otf2_set_threads(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetOmpForkCallback(callbacks, on_omp_fork);
    OTF2_EvtReaderCallbacks_SetOmpJoinCallback(callbacks, on_omp_join);
    OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(callbacks, on_omp_acquire);
    OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(callbacks, on_omp_release);
    OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(callbacks, on_omp_task_create);
    OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(callbacks, on_omp_task_switch);
    OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(callbacks, on_omp_task_complete);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release);
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(callbacks, on_task_create);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_task_switch);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(callbacks, on_task_complete);
    OTF2_EvtReaderCallbacks_SetThreadCreateCallback(callbacks, on_create);
    OTF2_EvtReaderCallbacks_SetThreadWaitCallback(callbacks, on_wait);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(callbacks, on_begin);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(callbacks, on_end);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_measurement);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
}
