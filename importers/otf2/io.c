/* Input and output: operations are states from their begin to their completion, with an instant
 * that says how much it was; all else is an instant. */
#include "importers/otf2/location.h"

static void put_handle(otf2_location *location, OTF2_IoHandleRef handle)
{
    const otf2_definitions *definitions = location->definitions;
    const otf2_item *item = otf2_table_find(&definitions->handles, handle);
    otf2_put_name(location, OC_OTF2_KEY_HANDLE, &definitions->handles, handle);
    if (item != NULL)
        otf2_put_text(location, OC_OTF2_KEY_FILE,
                      otf2_definitions_name(definitions, &definitions->files, item->parent));
}

/* --- Operations */

static OTF2_CallbackCode on_begin(OC_OTF2_HEAD, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                                  OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)flags;
    if (!otf2_location_begin(location, OC_OTF2_KIND_IO_OPERATION_BEGIN, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    const uint32_t named = mode < OC_OTF2_MODES ? mode : 0;
    const uint16_t lane = otf2_location_lane(location, OC_OTF2_NEST_IO);
    const ocelotl_status status = otf2_operations_add(
        &location->io, &(otf2_operation){.id = id, .place = handle, .begin = time, .lane = lane});
    if (status != OCELOTL_OK)
        location->status = status;
    if (status != OCELOTL_OK || !otf2_location_add(location, OC_OTF2_PUSH, OC_OTF2_IO_OPERATION,
                                                   location->definitions->first_mode + named, time))
        return OTF2_CALLBACK_INTERRUPT;
    location->record->lane = lane;
    put_handle(location, handle);
    otf2_put_count(location, OC_OTF2_KEY_BYTES, bytes);
    return otf2_location_end(location, list);
}

/* Operations of other threads of a program's may end in another order than they began. */
static OTF2_CallbackCode end_operation(otf2_location *location, otf2_kind kind,
                                       OTF2_TimeStamp stamp, OTF2_IoHandleRef handle,
                                       uint64_t bytes, uint64_t id, const OTF2_AttributeList *list)
{
    uint32_t younger;
    int64_t time;
    otf2_operation operation;
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (!otf2_operations_take(&operation, &younger, &location->io, handle, id)) {
        location->left_out[kind]++;
        return OTF2_CALLBACK_SUCCESS;
    }
    if (!otf2_location_add(location, OC_OTF2_POP, OC_OTF2_IO_OPERATION, younger, time))
        return OTF2_CALLBACK_INTERRUPT;
    location->record->lane = operation.lane;
    if (!otf2_location_add(location, OC_OTF2_INSTANT, OC_OTF2_IO, (uint32_t)kind, time))
        return OTF2_CALLBACK_INTERRUPT;
    put_handle(location, handle);
    otf2_put_count(location, OC_OTF2_KEY_BYTES, bytes);
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_complete(OC_OTF2_HEAD, OTF2_IoHandleRef handle, uint64_t bytes,
                                     uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return end_operation(data, OC_OTF2_KIND_IO_OPERATION_COMPLETE, stamp, handle, bytes, id, list);
}

static OTF2_CallbackCode on_cancelled(OC_OTF2_HEAD, OTF2_IoHandleRef handle, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return end_operation(data, OC_OTF2_KIND_IO_OPERATION_CANCELLED, stamp, handle, 0, id, list);
}

/* --- Instants */

static bool begin_instant(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                          OTF2_IoHandleRef handle)
{
    if (!otf2_location_instant(location, kind, OC_OTF2_IO, stamp))
        return false;
    put_handle(location, handle);
    return true;
}

static OTF2_CallbackCode add_instant(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                     OTF2_IoHandleRef handle, uint32_t key, uint64_t number,
                                     const OTF2_AttributeList *list)
{
    if (!begin_instant(location, kind, stamp, handle))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(location, key, number);
    return otf2_location_end(location, list);
}

#define OPERATION(function, kind)                                                               \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, OTF2_IoHandleRef handle, uint64_t id)       \
    {                                                                                           \
        OC_OTF2_UNUSED_HEAD;                                                                    \
        return add_instant(data, OC_OTF2_KIND_##kind, stamp, handle, OC_OTF2_KEY_ID, id, list); \
    }
#define LOCK(function, kind)                                                                     \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, OTF2_IoHandleRef handle, OTF2_LockType type) \
    {                                                                                            \
        OC_OTF2_UNUSED_HEAD;                                                                     \
        return add_instant(data, OC_OTF2_KIND_##kind, stamp, handle, OC_OTF2_KEY_LOCK, type,     \
                           list);                                                                \
    }

OPERATION(on_issued, IO_OPERATION_ISSUED)
OPERATION(on_test, IO_OPERATION_TEST)
LOCK(on_acquire, IO_ACQUIRE_LOCK)
LOCK(on_release, IO_RELEASE_LOCK)
LOCK(on_try, IO_TRY_LOCK)

static OTF2_CallbackCode on_create(OC_OTF2_HEAD, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
                                   OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status)
{
    OC_OTF2_UNUSED_HEAD, (void)creation, (void)status;
    return add_instant(data, OC_OTF2_KIND_IO_CREATE_HANDLE, stamp, handle, OC_OTF2_KEY_MODE, mode,
                       list);
}

static OTF2_CallbackCode on_destroy(OC_OTF2_HEAD, OTF2_IoHandleRef handle)
{
    OC_OTF2_UNUSED_HEAD;
    return begin_instant(data, OC_OTF2_KIND_IO_DESTROY_HANDLE, stamp, handle)
               ? otf2_location_end(data, list)
               : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_duplicate(OC_OTF2_HEAD, OTF2_IoHandleRef old, OTF2_IoHandleRef new,
                                      OTF2_IoStatusFlag status)
{
    OC_OTF2_UNUSED_HEAD, (void)status;
    return add_instant(data, OC_OTF2_KIND_IO_DUPLICATE_HANDLE, stamp, old, OC_OTF2_KEY_ID, new,
                       list);
}

static OTF2_CallbackCode on_seek(OC_OTF2_HEAD, OTF2_IoHandleRef handle, int64_t offset,
                                 OTF2_IoSeekOption whence, uint64_t result)
{
    OC_OTF2_UNUSED_HEAD, (void)offset, (void)whence;
    return add_instant(data, OC_OTF2_KIND_IO_SEEK, stamp, handle, OC_OTF2_KEY_POSITION, result,
                       list);
}

static OTF2_CallbackCode on_flags(OC_OTF2_HEAD, OTF2_IoHandleRef handle, OTF2_IoStatusFlag status)
{
    OC_OTF2_UNUSED_HEAD;
    return add_instant(data, OC_OTF2_KIND_IO_CHANGE_STATUS_FLAGS, stamp, handle, OC_OTF2_KEY_STATUS,
                       status, list);
}

static OTF2_CallbackCode on_delete(OC_OTF2_HEAD, OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file)
{
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)paradigm;
    if (!otf2_location_instant(location, OC_OTF2_KIND_IO_DELETE_FILE, OC_OTF2_IO, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_name(location, OC_OTF2_KEY_FILE, &location->definitions->files, file);
    return otf2_location_end(location, list);
}

void otf2_set_io(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_begin);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_complete);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(callbacks, on_cancelled);
    OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(callbacks, on_issued);
    OTF2_EvtReaderCallbacks_SetIoOperationTestCallback(callbacks, on_test);
    OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback(callbacks, on_acquire);
    OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback(callbacks, on_release);
    OTF2_EvtReaderCallbacks_SetIoTryLockCallback(callbacks, on_try);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_create);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_destroy);
    OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback(callbacks, on_duplicate);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(callbacks, on_seek);
    OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback(callbacks, on_flags);
    OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(callbacks, on_delete);
}
