/* Records that are instants: the table in records.h lists them, here is what they carry. */
#include "importers/otf2/location.h"

#define WITH(...)                (OC_OTF2_HEAD, __VA_ARGS__)
#define COUNT(key, number)       otf2_put_count(location, OC_OTF2_KEY_##key, number)
#define NAME(key, table, number) otf2_put_name(location, OC_OTF2_KEY_##key, table, number)
#define TABLE(name)              &location->definitions->name
#define PUT_WINDOW               NAME(WINDOW, TABLE(windows), window)
#define PUT_HANDLE               otf2_put_handle(location, handle)
#define PUT_PARADIGM             NAME(PARADIGM, TABLE(paradigms), paradigm)
#define PUT_TEAM                 NAME(TEAM, TABLE(communicators), team)
#define PUT_LOCK                 COUNT(LOCK, lock), COUNT(ORDER, order)
#define PUT_REMOTE(number)       PUT_WINDOW, COUNT(REMOTE, remote), COUNT(ID, number)
#define PUT_AS(as, number)       otf2_put_##as(location, find_key(location, parameter), number)

/* The parameters of a record behind the head, and what is done with them. */
#define OF_NOTHING       (OC_OTF2_HEAD), (void)0
#define OF_REQUEST       WITH(uint64_t request), COUNT(REQUEST, request)
#define OF_COMMUNICATOR  WITH(OTF2_CommRef one), otf2_put_communicator(location, one)
#define OF_WINDOW        WITH(OTF2_RmaWinRef window), PUT_WINDOW
#define OF_WINDOW_AND_ID WITH(OTF2_RmaWinRef window, uint64_t id), PUT_WINDOW, COUNT(ID, id)
#define OF_GROUP \
    WITH(OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group), PUT_WINDOW
#define OF_REMOTE WITH(OTF2_RmaWinRef window, uint32_t remote, uint64_t id), PUT_REMOTE(id)
#define OF_REMOTE_LOCK \
    WITH(OTF2_RmaWinRef window, uint32_t remote, uint64_t id, OTF2_LockType type), PUT_REMOTE(id)
#define OF_SYNC \
    WITH(OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaSyncType type), PUT_REMOTE(type)
#define OF_STRING                                           \
    WITH(OTF2_ParameterRef parameter, OTF2_StringRef text), \
        PUT_AS(text, otf2_definitions_string(location->definitions, text))
#define OF_NUMBER        WITH(OTF2_ParameterRef parameter, int64_t number), PUT_AS(number, number)
#define OF_COUNT         WITH(OTF2_ParameterRef parameter, uint64_t number), PUT_AS(count, number)
#define OF_HANDLE        WITH(OTF2_IoHandleRef handle), PUT_HANDLE
#define OF_HANDLE_AND_ID WITH(OTF2_IoHandleRef handle, uint64_t id), PUT_HANDLE, COUNT(ID, id)
#define OF_HANDLE_LOCK \
    WITH(OTF2_IoHandleRef handle, OTF2_LockType type), PUT_HANDLE, COUNT(LOCK, type)
#define OF_CREATION                                                                     \
    WITH(OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoCreationFlag creation, \
         OTF2_IoStatusFlag status),                                                     \
        PUT_HANDLE, COUNT(MODE, mode)
#define OF_DUPLICATE                                                                            \
    WITH(OTF2_IoHandleRef handle, OTF2_IoHandleRef made, OTF2_IoStatusFlag status), PUT_HANDLE, \
        COUNT(ID, made)
#define OF_SEEK                                                                               \
    WITH(OTF2_IoHandleRef handle, int64_t offset, OTF2_IoSeekOption whence, uint64_t result), \
        PUT_HANDLE, COUNT(POSITION, result)
#define OF_FLAGS \
    WITH(OTF2_IoHandleRef handle, OTF2_IoStatusFlag status), PUT_HANDLE, COUNT(STATUS, status)
#define OF_FILE \
    WITH(OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file), NAME(FILE, TABLE(files), file)
#define OF_THREADS  WITH(uint32_t threads), COUNT(THREADS, threads)
#define OF_LOCK     WITH(uint32_t lock, uint32_t order), PUT_LOCK
#define OF_TASK     WITH(uint64_t task), COUNT(TASK, task)
#define OF_PARADIGM WITH(OTF2_Paradigm paradigm), PUT_PARADIGM
#define OF_FORK \
    WITH(OTF2_Paradigm paradigm, uint32_t threads), PUT_PARADIGM, COUNT(THREADS, threads)
#define OF_TEAM        WITH(OTF2_CommRef team), PUT_TEAM
#define OF_THREAD_LOCK WITH(OTF2_Paradigm paradigm, uint32_t lock, uint32_t order), PUT_LOCK
#define OF_THREAD_TASK                                                        \
    WITH(OTF2_CommRef team, uint32_t creator, uint32_t generation), PUT_TEAM, \
        COUNT(CREATOR, creator), COUNT(TASK, generation)
#define OF_SEQUENCE WITH(OTF2_CommRef contingent, uint64_t number), COUNT(SEQUENCE, number)
#define OF_PROGRAM                                                                 \
    WITH(OTF2_StringRef program, uint32_t count, const OTF2_StringRef *arguments), \
        put_program(location, program, count, arguments)
#define OF_PROGRAM_END WITH(int64_t status), put_status(location, status)
#define OF_MODE        WITH(OTF2_MeasurementMode mode), put_mode(location, mode)
#define OF_FLUSH       WITH(OTF2_TimeStamp until), COUNT(UNTIL, find_tick(location, until))

static uint32_t find_key(otf2_location *location, OTF2_ParameterRef parameter)
{
    const otf2_item *item = otf2_table_find(&location->definitions->parameters, parameter);
    if (item == NULL)
        otf2_location_note(location, OC_OTF2_PARAMETER_UNDEFINED);
    return item != NULL ? item->kind : OC_OTF2_KEY_ID;
}

/* A record that is broken may count four thousand million arguments. */
static void put_program(otf2_location *location, OTF2_StringRef program, uint32_t count,
                        const OTF2_StringRef *arguments)
{
    enum { MOST_ARGUMENTS = 65536 };
    oc_text text = {0};
    const uint32_t shown = count < MOST_ARGUMENTS ? count : MOST_ARGUMENTS;
    otf2_put_text(location, OC_OTF2_KEY_PROGRAM,
                  otf2_definitions_string(location->definitions, program));
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

static void put_status(otf2_location *location, int64_t status)
{
    if (status != OTF2_UNDEFINED_INT64)
        otf2_put_number(location, OC_OTF2_KEY_STATUS, status);
}

static void put_mode(otf2_location *location, OTF2_MeasurementMode mode)
{
    otf2_put_text(location, OC_OTF2_KEY_MODE, mode == OTF2_MEASUREMENT_ON ? "on" : "off");
}

/* A stamp that is out of the trace is cut off: the record says no more than that. */
static uint64_t find_tick(const otf2_location *location, OTF2_TimeStamp stamp)
{
    int64_t tick;
    return otf2_timing_tick(&tick, &location->timing, stamp) ? (uint64_t)tick : 0;
}

#define NO(kind, fate)
#define DEFINE_WITH(name, kind, type, parameters, ...)                                    \
    static OTF2_CallbackCode on_##name parameters                                         \
    {                                                                                     \
        otf2_location *location = data;                                                   \
        if (!otf2_location_instant(location, OC_OTF2_KIND_##kind, OC_OTF2_##type, stamp)) \
            return OTF2_CALLBACK_INTERRUPT;                                               \
        __VA_ARGS__;                                                                      \
        return otf2_location_end(location, list);                                         \
    }
#define DEFINE(name, kind, type, shape) DEFINE_WITH(name, kind, type, shape)
#define SET(name, kind, type, shape) \
    OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, on_##name);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
OC_OTF2_RECORDS(NO, DEFINE)
#pragma GCC diagnostic pop

void otf2_set_instants(OTF2_EvtReaderCallbacks *callbacks)
{
    OC_OTF2_RECORDS(NO, SET)
}
