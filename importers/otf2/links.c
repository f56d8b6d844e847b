/* Messages of MPI, half of one a record, and transfers to and from remote memory, which are links
 * from the begin of the operation to its completion. */
#include "importers/otf2/location.h"

/* --- Messages */

typedef struct message_half {
    uint32_t rank, communicator, tag;
    uint64_t size;
} message_half;

static bool begin_message(otf2_location *location, otf2_kind kind, otf2_action action,
                          OTF2_TimeStamp stamp, const message_half *half)
{
    int64_t time;
    if (!otf2_location_begin(location, kind, stamp, &time) ||
        !otf2_location_add(location, action, OC_OTF2_MESSAGE, (uint32_t)kind, time))
        return false;
    const otf2_member self = otf2_location_member(location, half->communicator);
    const otf2_message message = {
        .self = self.location,
        .peer = otf2_definitions_rank(location->definitions, half->communicator, half->rank, self),
        .communicator = half->communicator,
        .tag = half->tag};
    if (message.peer == OC_OTF2_NOTHING)
        otf2_location_note(location, OC_OTF2_RANK_UNKNOWN);
    otf2_location_detail(location, &message, sizeof message);
    otf2_put_count(location, OC_OTF2_KEY_SIZE, half->size);
    otf2_put_count(location, OC_OTF2_KEY_TAG, half->tag);
    otf2_put_communicator(location, half->communicator);
    return true;
}

static OTF2_CallbackCode on_send(OC_OTF2_HEAD, uint32_t receiver, OTF2_CommRef communicator,
                                 uint32_t tag, uint64_t size)
{
    OC_OTF2_UNUSED_HEAD;
    const message_half half = {receiver, communicator, tag, size};
    return begin_message(data, OC_OTF2_KIND_MPI_SEND, OC_OTF2_SEND, stamp, &half)
               ? otf2_location_end(data, list)
               : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_isend(OC_OTF2_HEAD, uint32_t receiver, OTF2_CommRef communicator,
                                  uint32_t tag, uint64_t size, uint64_t request)
{
    OC_OTF2_UNUSED_HEAD;
    const message_half half = {receiver, communicator, tag, size};
    if (!begin_message(data, OC_OTF2_KIND_MPI_ISEND, OC_OTF2_SEND, stamp, &half))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(data, OC_OTF2_KEY_REQUEST, request);
    return otf2_location_end(data, list);
}

static OTF2_CallbackCode on_receive(OC_OTF2_HEAD, uint32_t sender, OTF2_CommRef communicator,
                                    uint32_t tag, uint64_t size)
{
    OC_OTF2_UNUSED_HEAD;
    const message_half half = {sender, communicator, tag, size};
    return begin_message(data, OC_OTF2_KIND_MPI_RECV, OC_OTF2_RECEIVE, stamp, &half)
               ? otf2_location_end(data, list)
               : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_ireceive(OC_OTF2_HEAD, uint32_t sender, OTF2_CommRef communicator,
                                     uint32_t tag, uint64_t size, uint64_t request)
{
    OC_OTF2_UNUSED_HEAD;
    const message_half half = {sender, communicator, tag, size};
    if (!begin_message(data, OC_OTF2_KIND_MPI_IRECV, OC_OTF2_RECEIVE, stamp, &half))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(data, OC_OTF2_KEY_REQUEST, request);
    return otf2_location_end(data, list);
}

/* --- Transfers */

static OTF2_CallbackCode begin_transfer(otf2_location *location, otf2_kind kind,
                                        OTF2_TimeStamp stamp, OTF2_RmaWinRef window,
                                        uint32_t remote, uint64_t bytes, uint64_t id,
                                        const OTF2_AttributeList *list)
{
    int64_t time;
    const otf2_definitions *definitions = location->definitions;
    const otf2_item *item = otf2_table_find(&definitions->windows, window);
    otf2_location_leave_out(location, list);
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    const uint64_t peer = item == NULL
                              ? OC_OTF2_NOTHING
                              : otf2_definitions_rank(definitions, item->parent, remote,
                                                      otf2_location_member(location, item->parent));
    const otf2_begun begun = {.place = window,
                              .id = id,
                              .begin = time,
                              .peer = peer,
                              .bytes = bytes,
                              .remote = remote,
                              .kind = (uint8_t)kind};
    if (peer == OC_OTF2_NOTHING)
        otf2_location_note(location, OC_OTF2_RANK_UNKNOWN);
    (void)otf2_begun_add(location, OC_OTF2_TRANSFERS, &begun);
    return otf2_location_go_on(location);
}

/* Adds a transfer, which may have ended. */
static bool add_transfer(otf2_location *location, const otf2_begun *begun, const int64_t *end)
{
    const otf2_transfer transfer = {.peer = begun->peer,
                                    .end = end != NULL ? *end : 0,
                                    .is_get = end != NULL && begun->kind == OC_OTF2_KIND_RMA_GET,
                                    .has_end = end != NULL};
    if (!otf2_location_add(location, OC_OTF2_TRANSFERRED, OC_OTF2_TRANSFER, begun->kind,
                           begun->begin))
        return false;
    otf2_location_detail(location, &transfer, sizeof transfer);
    otf2_put_count(location, OC_OTF2_KEY_SIZE, begun->bytes);
    otf2_put_name(location, OC_OTF2_KEY_WINDOW, &location->definitions->windows, begun->place);
    return true;
}

/* The first completion counts: of the local and the remote one, others have no operation. */
static OTF2_CallbackCode complete(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                  OTF2_RmaWinRef window, uint64_t id,
                                  const OTF2_AttributeList *list)
{
    size_t at;
    int64_t time;
    otf2_begun begun;
    otf2_opened *open = &location->open[OC_OTF2_TRANSFERS];
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (otf2_begun_take(&begun, &at, open, window, id, false) == OC_PAIR_NONE) {
        location->left_out[kind]++;
        return OTF2_CALLBACK_SUCCESS;
    }
    return add_transfer(location, &begun, &time) ? otf2_location_end(location, list)
                                                 : OTF2_CALLBACK_INTERRUPT;
}

/* What has no completion has no end to show its target by: it says the rank. */
void otf2_transfers_finish(otf2_location *location)
{
    const otf2_opened *open = &location->open[OC_OTF2_TRANSFERS];
    for (size_t i = 0; i < open->count && add_transfer(location, &open->items[i], NULL); i++)
        otf2_put_count(location, OC_OTF2_KEY_REMOTE, open->items[i].remote);
}

static OTF2_CallbackCode on_put(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote,
                                uint64_t bytes, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return begin_transfer(data, OC_OTF2_KIND_RMA_PUT, stamp, window, remote, bytes, id, list);
}

static OTF2_CallbackCode on_get(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote,
                                uint64_t bytes, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return begin_transfer(data, OC_OTF2_KIND_RMA_GET, stamp, window, remote, bytes, id, list);
}

static OTF2_CallbackCode on_atomic(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint32_t remote,
                                   OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
                                   uint64_t id)
{
    OC_OTF2_UNUSED_HEAD, (void)type;
    return begin_transfer(data, OC_OTF2_KIND_RMA_ATOMIC, stamp, window, remote, sent + received, id,
                          list);
}

static OTF2_CallbackCode on_complete_blocking(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return complete(data, OC_OTF2_KIND_RMA_OP_COMPLETE_BLOCKING, stamp, window, id, list);
}

static OTF2_CallbackCode on_complete_nonblocking(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return complete(data, OC_OTF2_KIND_RMA_OP_COMPLETE_NON_BLOCKING, stamp, window, id, list);
}

static OTF2_CallbackCode on_complete_remote(OC_OTF2_HEAD, OTF2_RmaWinRef window, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return complete(data, OC_OTF2_KIND_RMA_OP_COMPLETE_REMOTE, stamp, window, id, list);
}

#define SET(name, function) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, function)

void otf2_set_links(OTF2_EvtReaderCallbacks *callbacks)
{
    SET(MpiSend, on_send);
    SET(MpiIsend, on_isend);
    SET(MpiRecv, on_receive);
    SET(MpiIrecv, on_ireceive);
    SET(RmaPut, on_put);
    SET(RmaGet, on_get);
    SET(RmaAtomic, on_atomic);
    SET(RmaOpCompleteBlocking, on_complete_blocking);
    SET(RmaOpCompleteNonBlocking, on_complete_nonblocking);
    SET(RmaOpCompleteRemote, on_complete_remote);
}
