/* Remote memory: transfers are links, from the begin of the operation to its completion; all else
 * is an instant. */
#include "importers/otf2/location.h"

static void put_window(otf2_location *location, OTF2_RmaWinRef window)
{
    otf2_put_name(location, OC_OTF2_KEY_WINDOW, &location->definitions->windows, window);
}

/* --- Transfers */

static OTF2_CallbackCode begin_transfer(otf2_location *location, otf2_kind kind,
                                        OTF2_TimeStamp stamp, OTF2_RmaWinRef window,
                                        uint32_t remote, uint64_t bytes, uint64_t id)
{
    int64_t time;
    const otf2_definitions *definitions = location->definitions;
    const otf2_item *item = otf2_table_find(&definitions->windows, window);
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    const uint64_t peer = item == NULL
                              ? OC_OTF2_NOTHING
                              : otf2_definitions_rank(definitions, item->parent, remote,
                                                      otf2_location_member(location, item->parent));
    if (peer == OC_OTF2_NOTHING)
        otf2_location_note(location, OC_OTF2_RANK_UNKNOWN);
    const ocelotl_status status =
        otf2_operations_add(&location->transfers, &(otf2_operation){.id = id,
                                                                    .place = window,
                                                                    .begin = time,
                                                                    .peer = peer,
                                                                    .bytes = bytes,
                                                                    .remote = remote,
                                                                    .kind = (uint8_t)kind});
    if (status != OCELOTL_OK)
        location->status = status;
    return otf2_location_go_on(location);
}

static OTF2_CallbackCode on_put(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote,
                                uint64_t bytes, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    otf2_location_leave_out(data, list);
    return begin_transfer(data, OC_OTF2_KIND_RMA_PUT, stamp, window, remote, bytes, id);
}

static OTF2_CallbackCode on_get(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote,
                                uint64_t bytes, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    otf2_location_leave_out(data, list);
    return begin_transfer(data, OC_OTF2_KIND_RMA_GET, stamp, window, remote, bytes, id);
}

static OTF2_CallbackCode on_atomic(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote,
                                   OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
                                   uint64_t id)
{
    OC_OTF2_UNUSED_HEAD, (void)type;
    otf2_location_leave_out(data, list);
    return begin_transfer(data, OC_OTF2_KIND_RMA_ATOMIC, stamp, window, remote, sent + received,
                          id);
}

/* The first completion counts: of the local and the remote one, others have no operation. */
static OTF2_CallbackCode complete(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                  OTF2_RmaWinRef window, uint64_t id,
                                  const OTF2_AttributeList *list)
{
    int64_t time;
    uint32_t younger;
    otf2_operation operation;
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (!otf2_operations_take(&operation, &younger, &location->transfers, window, id)) {
        location->left_out[kind]++;
        return OTF2_CALLBACK_SUCCESS;
    }
    const otf2_transfer transfer = {.peer = operation.peer,
                                    .end = time,
                                    .is_get = operation.kind == OC_OTF2_KIND_RMA_GET,
                                    .has_end = true};
    if (!otf2_location_add(location, OC_OTF2_TRANSFERRED, OC_OTF2_TRANSFER, operation.kind,
                           operation.begin))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_location_detail(location, &transfer, sizeof transfer);
    otf2_put_count(location, OC_OTF2_KEY_SIZE, operation.bytes);
    put_window(location, window);
    return otf2_location_end(location, list);
}

/* What has no completion has no end to show its target by: it says the rank. */
void otf2_rma_finish(otf2_location *location)
{
    for (size_t i = 0; i < location->transfers.count; i++) {
        const otf2_operation *operation = &location->transfers.items[i];
        const otf2_transfer transfer = {.peer = operation->peer};
        if (!otf2_location_add(location, OC_OTF2_TRANSFERRED, OC_OTF2_TRANSFER, operation->kind,
                               operation->begin))
            return;
        otf2_location_detail(location, &transfer, sizeof transfer);
        otf2_put_count(location, OC_OTF2_KEY_SIZE, operation->bytes);
        put_window(location, (OTF2_RmaWinRef)operation->place);
        otf2_put_count(location, OC_OTF2_KEY_REMOTE, operation->remote);
    }
}

#define COMPLETION(function, kind)                                                      \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint64_t id) \
    {                                                                                   \
        OC_OTF2_UNUSED_HEAD;                                                            \
        return complete(data, OC_OTF2_KIND_##kind, stamp, window, id, list);            \
    }

COMPLETION(on_complete_blocking, RMA_OP_COMPLETE_BLOCKING)
COMPLETION(on_complete_nonblocking, RMA_OP_COMPLETE_NON_BLOCKING)
COMPLETION(on_complete_remote, RMA_OP_COMPLETE_REMOTE)

/* --- Collectives */

static OTF2_CallbackCode on_collective_begin(OTF2_LocationRef self, OTF2_TimeStamp stamp,
                                             uint64_t position, void *data,
                                             OTF2_AttributeList *list)
{
    OC_OTF2_UNUSED_HEAD;
    otf2_location_leave_out(data, list);
    return otf2_collective_begin(data, OC_OTF2_KIND_RMA_COLLECTIVE_BEGIN, stamp);
}

static OTF2_CallbackCode on_collective_end(OC_OTF2_HEAD, OTF2_CollectiveOp operation,
                                           OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                           uint32_t root, uint64_t sent, uint64_t received)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)level;
    if (!otf2_collective_end(&time, location, OC_OTF2_KIND_RMA_COLLECTIVE_END, stamp, operation))
        return OTF2_CALLBACK_INTERRUPT;
    put_window(location, window);
    otf2_put_root(location, root);
    otf2_put_count(location, OC_OTF2_KEY_SENT, sent);
    otf2_put_count(location, OC_OTF2_KEY_RECEIVED, received);
    return otf2_collective_close(location, time, list);
}

/* --- Instants */

static OTF2_CallbackCode add_window(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                    OTF2_RmaWinRef window, const OTF2_AttributeList *list)
{
    if (!otf2_location_instant(location, kind, OC_OTF2_RMA, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    put_window(location, window);
    return otf2_location_end(location, list);
}

#define WINDOW(function, kind)                                             \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, OTF2_RmaWinRef window) \
    {                                                                      \
        OC_OTF2_UNUSED_HEAD;                                               \
        return add_window(data, OC_OTF2_KIND_##kind, stamp, window, list); \
    }

WINDOW(on_create, RMA_WIN_CREATE)
WINDOW(on_destroy, RMA_WIN_DESTROY)
WINDOW(on_wait_change, RMA_WAIT_CHANGE)

static OTF2_CallbackCode on_group_sync(OC_OTF2_HEAD, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                       OTF2_GroupRef group)
{
    OC_OTF2_UNUSED_HEAD, (void)level, (void)group;
    return add_window(data, OC_OTF2_KIND_RMA_GROUP_SYNC, stamp, window, list);
}

static OTF2_CallbackCode add_remote(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                    OTF2_RmaWinRef window, uint32_t remote, uint64_t id,
                                    const OTF2_AttributeList *list)
{
    if (!otf2_location_instant(location, kind, OC_OTF2_RMA, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    put_window(location, window);
    otf2_put_count(location, OC_OTF2_KEY_REMOTE, remote);
    otf2_put_count(location, OC_OTF2_KEY_ID, id);
    return otf2_location_end(location, list);
}

#define LOCK(function, kind)                                                                \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote, \
                                      uint64_t id, OTF2_LockType type)                      \
    {                                                                                       \
        OC_OTF2_UNUSED_HEAD, (void)type;                                                    \
        return add_remote(data, OC_OTF2_KIND_##kind, stamp, window, remote, id, list);      \
    }

LOCK(on_request_lock, RMA_REQUEST_LOCK)
LOCK(on_acquire_lock, RMA_ACQUIRE_LOCK)
LOCK(on_try_lock, RMA_TRY_LOCK)

static OTF2_CallbackCode on_release_lock(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote,
                                         uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return add_remote(data, OC_OTF2_KIND_RMA_RELEASE_LOCK, stamp, window, remote, id, list);
}

static OTF2_CallbackCode on_sync(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote,
                                 OTF2_RmaSyncType type)
{
    OC_OTF2_UNUSED_HEAD;
    return add_remote(data, OC_OTF2_KIND_RMA_SYNC, stamp, window, remote, type, list);
}

static OTF2_CallbackCode on_test(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint64_t id)
{
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_instant(location, OC_OTF2_KIND_RMA_OP_TEST, OC_OTF2_RMA, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    put_window(location, window);
    otf2_put_count(location, OC_OTF2_KEY_ID, id);
    return otf2_location_end(location, list);
}

void otf2_set_rma(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_complete_blocking);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_complete_nonblocking);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(callbacks, on_complete_remote);
    OTF2_EvtReaderCallbacks_SetRmaOpTestCallback(callbacks, on_test);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(callbacks, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_collective_end);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, on_create);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(callbacks, on_destroy);
    OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(callbacks, on_wait_change);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_group_sync);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, on_request_lock);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, on_acquire_lock);
    OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(callbacks, on_try_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_release_lock);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(callbacks, on_sync);
}
