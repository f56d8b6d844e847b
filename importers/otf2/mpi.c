/* Messages, requests and collectives of MPI, and communicators. */
#include "importers/otf2/location.h"

#include <inttypes.h>
#include <stdio.h>

/* The name of a communicator, with its number where others are called so, too. */
static void put_communicator(otf2_location *location, uint32_t communicator)
{
    char text[200];
    const otf2_table *table = &location->definitions->communicators;
    const otf2_item *item = otf2_table_find(table, communicator);
    const char *name = otf2_definitions_name(location->definitions, table, communicator);
    if (item == NULL || item->kind == 0 || name == NULL) {
        otf2_put_name(location, OC_OTF2_KEY_COMMUNICATOR, table, communicator);
        return;
    }
    snprintf(text, sizeof text, "%.150s (%" PRIu32 ")", name, communicator);
    otf2_put_text(location, OC_OTF2_KEY_COMMUNICATOR, text);
}

/* --- Messages */

typedef struct message_half {
    otf2_kind kind;
    otf2_action action;
    uint32_t rank, communicator, tag;
    uint64_t size;
} message_half;

static bool begin_message(otf2_location *location, const message_half *half, OTF2_TimeStamp stamp)
{
    int64_t time;
    const otf2_definitions *definitions = location->definitions;
    if (!otf2_location_begin(location, half->kind, stamp, &time) ||
        !otf2_location_add(location, half->action, OC_OTF2_MESSAGE, (uint32_t)half->kind, time))
        return false;
    const otf2_member self = otf2_location_member(location, half->communicator);
    const otf2_message message = {
        .self = self.location,
        .peer = otf2_definitions_rank(definitions, half->communicator, half->rank, self),
        .communicator = half->communicator,
        .tag = half->tag};
    if (message.peer == OC_OTF2_NOTHING)
        otf2_location_note(location, OC_OTF2_RANK_UNKNOWN);
    otf2_location_detail(location, &message, sizeof message);
    otf2_put_count(location, OC_OTF2_KEY_SIZE, half->size);
    otf2_put_count(location, OC_OTF2_KEY_TAG, half->tag);
    put_communicator(location, half->communicator);
    return true;
}

static OTF2_CallbackCode on_send(OC_OTF2_HEAD, uint32_t receiver, OTF2_CommRef communicator,
                                 uint32_t tag, uint64_t size)
{
    OC_OTF2_UNUSED_HEAD;
    const message_half half = {OC_OTF2_KIND_MPI_SEND, OC_OTF2_SEND, receiver,
                               communicator,          tag,          size};
    return begin_message(data, &half, stamp) ? otf2_location_end(data, list)
                                             : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_isend(OC_OTF2_HEAD, uint32_t receiver, OTF2_CommRef communicator,
                                  uint32_t tag, uint64_t size, uint64_t request)
{
    OC_OTF2_UNUSED_HEAD;
    const message_half half = {OC_OTF2_KIND_MPI_ISEND, OC_OTF2_SEND, receiver,
                               communicator,           tag,          size};
    if (!begin_message(data, &half, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(data, OC_OTF2_KEY_REQUEST, request);
    return otf2_location_end(data, list);
}

static OTF2_CallbackCode on_receive(OC_OTF2_HEAD, uint32_t sender, OTF2_CommRef communicator,
                                    uint32_t tag, uint64_t size)
{
    OC_OTF2_UNUSED_HEAD;
    const message_half half = {
        OC_OTF2_KIND_MPI_RECV, OC_OTF2_RECEIVE, sender, communicator, tag, size};
    return begin_message(data, &half, stamp) ? otf2_location_end(data, list)
                                             : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_ireceive(OC_OTF2_HEAD, uint32_t sender, OTF2_CommRef communicator,
                                     uint32_t tag, uint64_t size, uint64_t request)
{
    OC_OTF2_UNUSED_HEAD;
    const message_half half = {
        OC_OTF2_KIND_MPI_IRECV, OC_OTF2_RECEIVE, sender, communicator, tag, size};
    if (!begin_message(data, &half, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(data, OC_OTF2_KEY_REQUEST, request);
    return otf2_location_end(data, list);
}

/* --- Requests */

static OTF2_CallbackCode add_request(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                                     uint64_t request, const OTF2_AttributeList *list)
{
    if (!otf2_location_instant(location, kind, OC_OTF2_REQUEST, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(location, OC_OTF2_KEY_REQUEST, request);
    return otf2_location_end(location, list);
}

#define REQUEST(function, kind)                                              \
    static OTF2_CallbackCode function(OC_OTF2_HEAD, uint64_t request)        \
    {                                                                        \
        OC_OTF2_UNUSED_HEAD;                                                 \
        return add_request(data, OC_OTF2_KIND_##kind, stamp, request, list); \
    }

REQUEST(on_isend_complete, MPI_ISEND_COMPLETE)
REQUEST(on_ireceive_request, MPI_IRECV_REQUEST)
REQUEST(on_request_test, MPI_REQUEST_TEST)
REQUEST(on_request_cancelled, MPI_REQUEST_CANCELLED)
REQUEST(on_collective_request, NON_BLOCKING_COLLECTIVE_REQUEST)

/* --- Collectives */

OTF2_CallbackCode otf2_collective_begin(otf2_location *location, otf2_kind kind,
                                        OTF2_TimeStamp stamp)
{
    int64_t time;
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (location->in_collective)
        location->left_out[location->collective_kind]++;
    location->in_collective = true;
    location->collective_kind = kind;
    location->collective = time;
    return OTF2_CALLBACK_SUCCESS;
}

/* What it was is known at its end: both are written then. */
bool otf2_collective_end(int64_t *time, otf2_location *location, otf2_kind kind,
                         OTF2_TimeStamp stamp, OTF2_CollectiveOp operation)
{
    if (!otf2_location_begin(location, kind, stamp, time))
        return false;
    const uint32_t named = operation < OC_OTF2_OPERATIONS ? operation : OC_OTF2_OPERATIONS;
    const int64_t begin = location->in_collective ? location->collective : *time;
    location->in_collective = false;
    return otf2_location_add(location, OC_OTF2_PUSH, OC_OTF2_COLLECTIVE,
                             location->definitions->first_operation + named, begin);
}

OTF2_CallbackCode otf2_collective_close(otf2_location *location, int64_t time,
                                        const OTF2_AttributeList *list)
{
    if (otf2_location_end(location, list) != OTF2_CALLBACK_SUCCESS ||
        !otf2_location_add(location, OC_OTF2_POP, OC_OTF2_COLLECTIVE, 0, time))
        return OTF2_CALLBACK_INTERRUPT;
    return OTF2_CALLBACK_SUCCESS;
}

static uint64_t count_collective(otf2_location *location, uint32_t communicator)
{
    const uint64_t known = otf2_references_get(&location->collectives, communicator);
    const uint64_t sequence = known == OC_OTF2_NOTHING ? 0 : known;
    const ocelotl_status status =
        otf2_references_set(&location->collectives, communicator, sequence + 1);
    if (status != OCELOTL_OK)
        location->status = status;
    return sequence;
}

void otf2_put_root(otf2_location *location, uint32_t root)
{
    if (root == OTF2_COLLECTIVE_ROOT_SELF)
        otf2_put_text(location, OC_OTF2_KEY_ROOT, "self");
    else if (root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
        otf2_put_text(location, OC_OTF2_KEY_ROOT, "this group");
    else if (root != OTF2_COLLECTIVE_ROOT_NONE)
        otf2_put_count(location, OC_OTF2_KEY_ROOT, root);
}

static void put_collective(otf2_location *location, OTF2_CommRef communicator, uint32_t root,
                           uint64_t sent, uint64_t received)
{
    const otf2_member self = otf2_location_member(location, communicator);
    put_communicator(location, communicator);
    otf2_put_root(location, root);
    if (root == OTF2_COLLECTIVE_ROOT_SELF ||
        otf2_definitions_rank(location->definitions, communicator, root, self) == self.location)
        otf2_put_text(location, OC_OTF2_KEY_ROLE, "root");
    otf2_put_count(location, OC_OTF2_KEY_SENT, sent);
    otf2_put_count(location, OC_OTF2_KEY_RECEIVED, received);
    if (!otf2_definitions_is_shared(location->definitions, communicator))
        return;
    if (self.location == location->index)
        otf2_put_count(location, OC_OTF2_KEY_SEQUENCE, count_collective(location, communicator));
    else
        otf2_location_note(location, OC_OTF2_COLLECTIVE_OF_OTHER);
}

static OTF2_CallbackCode on_collective_begin(OTF2_LocationRef self, OTF2_TimeStamp stamp,
                                             uint64_t position, void *data,
                                             OTF2_AttributeList *list)
{
    OC_OTF2_UNUSED_HEAD;
    otf2_location_leave_out(data, list);
    return otf2_collective_begin(data, OC_OTF2_KIND_MPI_COLLECTIVE_BEGIN, stamp);
}

static OTF2_CallbackCode on_collective_end(OC_OTF2_HEAD, OTF2_CollectiveOp operation,
                                           OTF2_CommRef communicator, uint32_t root, uint64_t sent,
                                           uint64_t received)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_collective_end(&time, location, OC_OTF2_KIND_MPI_COLLECTIVE_END, stamp, operation))
        return OTF2_CALLBACK_INTERRUPT;
    put_collective(location, communicator, root, sent, received);
    return otf2_collective_close(location, time, list);
}

static OTF2_CallbackCode on_nonblocking_complete(OC_OTF2_HEAD, OTF2_CollectiveOp operation,
                                                 OTF2_CommRef communicator, uint32_t root,
                                                 uint64_t sent, uint64_t received, uint64_t request)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    const uint32_t named = operation < OC_OTF2_OPERATIONS ? operation : OC_OTF2_OPERATIONS;
    if (!otf2_location_begin(location, OC_OTF2_KIND_NON_BLOCKING_COLLECTIVE_COMPLETE, stamp,
                             &time) ||
        !otf2_location_add(location, OC_OTF2_INSTANT, OC_OTF2_NONBLOCKING,
                           location->definitions->first_operation + named, time))
        return OTF2_CALLBACK_INTERRUPT;
    put_collective(location, communicator, root, sent, received);
    otf2_put_count(location, OC_OTF2_KEY_REQUEST, request);
    return otf2_location_end(location, list);
}

/* --- Communicators */

static OTF2_CallbackCode add_communicator(otf2_location *location, otf2_kind kind,
                                          OTF2_TimeStamp stamp, OTF2_CommRef communicator,
                                          const OTF2_AttributeList *list)
{
    if (!otf2_location_instant(location, kind, OC_OTF2_COMMUNICATOR, stamp))
        return OTF2_CALLBACK_INTERRUPT;
    put_communicator(location, communicator);
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_create(OC_OTF2_HEAD, OTF2_CommRef communicator)
{
    OC_OTF2_UNUSED_HEAD;
    return add_communicator(data, OC_OTF2_KIND_COMM_CREATE, stamp, communicator, list);
}

static OTF2_CallbackCode on_destroy(OC_OTF2_HEAD, OTF2_CommRef communicator)
{
    OC_OTF2_UNUSED_HEAD;
    return add_communicator(data, OC_OTF2_KIND_COMM_DESTROY, stamp, communicator, list);
}

void otf2_set_mpi(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_receive);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_ireceive);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_ireceive_request);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(callbacks, on_request_test);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_request_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks,
                                                                    on_collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks,
                                                                     on_nonblocking_complete);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(callbacks, on_create);
    OTF2_EvtReaderCallbacks_SetCommDestroyCallback(callbacks, on_destroy);
}
