/* States: regions that are entered and left, operations of input and output, collectives; samples
 * of where a program is, and what each operation came to, are instants beside them.
 *
 * Regions and operations may end before those inside them. A look at all records, before they are
 * read, finds these: what crosses goes to a lane below the location's row. */
#include "importers/otf2/location.h"

#include "base/memory.h"

#include <stdlib.h>

enum { LANES = 64 }; /* the row itself is lane 0 */

static const size_t most_moved = (size_t)1 << 21;

/* --- What is open */

bool otf2_begun_add(otf2_location *location, otf2_nest nest, const otf2_begun *begun)
{
    otf2_opened *open = &location->open[nest];
    if (open->count == open->capacity &&
        !otf2_location_check(
            location, oc_grow(&open->items, &open->capacity, open->count + 1, sizeof *open->items)))
        return false;
    open->items[open->count++] = *begun;
    return true;
}

oc_pair otf2_begun_take(otf2_begun *taken, size_t *at, otf2_opened *open, uint64_t place,
                        uint64_t id, bool any)
{
    size_t found = open->count;
    while (found > 0 && (open->items[found - 1].place != place || open->items[found - 1].id != id))
        found--;
    if (open->count == 0 || (found == 0 && !any))
        return OC_PAIR_NONE;
    *at = (found > 0 ? found : open->count) - 1;
    *taken = open->items[*at];
    open->count--;
    for (size_t i = *at; i < open->count; i++)
        open->items[i] = open->items[i + 1];
    if (found == 0)
        return OC_PAIR_OTHER;
    return *at == open->count ? OC_PAIR_INNER : OC_PAIR_OUTER;
}

/* How many states of a lane began inside one that was taken, and go on. */
static uint32_t count_inside(const otf2_opened *open, size_t at, uint16_t lane)
{
    uint32_t inside = 0;
    for (size_t i = at; i < open->count; i++)
        inside += open->items[i].lane == lane;
    return inside;
}

/* --- The look: which states need a lane */

static OTF2_CallbackCode look_at_begin(otf2_location *looked, otf2_nest nest, uint64_t place,
                                       uint64_t id)
{
    const otf2_begun begun = {.place = place, .id = id, .number = looked->moved[nest].begun++};
    (void)otf2_begun_add(looked, nest, &begun);
    return otf2_location_go_on(looked);
}

/* A state goes to the first lane that is free for it, which is returned. */
static uint32_t settle(otf2_location *looked, otf2_nest nest, const otf2_begun *state)
{
    otf2_moved *moved = &looked->moved[nest];
    const uint32_t lane = ~state->taken == 0 ? LANES - 1 : (uint32_t)__builtin_ctzll(~state->taken);
    if (lane > 0 && moved->count < most_moved &&
        otf2_location_check(looked, oc_grow(&moved->items, &moved->capacity, moved->count + 1,
                                            sizeof *moved->items)))
        moved->items[moved->count++] = state->number * LANES + lane;
    return lane;
}

/* Those that began inside what ends and go on cross it, if they are in its lane. */
static OTF2_CallbackCode look_at_end(otf2_location *looked, otf2_nest nest, uint64_t place,
                                     uint64_t id, bool any)
{
    size_t at;
    otf2_begun ended;
    otf2_opened *open = &looked->open[nest];
    if (otf2_begun_take(&ended, &at, open, place, id, any) == OC_PAIR_NONE)
        return OTF2_CALLBACK_SUCCESS;
    const uint32_t lane = settle(looked, nest, &ended);
    for (size_t i = at; i < open->count; i++)
        open->items[i].taken |= (uint64_t)1 << lane;
    return otf2_location_go_on(looked);
}

static int compare(const void *one, const void *other)
{
    const uint64_t left = *(const uint64_t *)one;
    const uint64_t right = *(const uint64_t *)other;
    return left < right ? -1 : left > right;
}

/* What is open at the end stays where it has begun, or moves. */
ocelotl_status otf2_look_finish(otf2_location *looked)
{
    for (otf2_nest nest = 0; nest < OC_OTF2_CROSSING; nest++) {
        otf2_moved *moved = &looked->moved[nest];
        for (size_t i = 0; i < looked->open[nest].count; i++)
            (void)settle(looked, nest, &looked->open[nest].items[i]);
        if (moved->count > 0)
            qsort(moved->items, moved->count, sizeof *moved->items, compare);
        moved->begun = 0;
    }
    return looked->status;
}

/* The lane of the state that begins next, counted where that is not the row itself. */
static uint16_t find_lane(otf2_location *location, otf2_nest nest)
{
    otf2_moved *moved = &location->moved[nest];
    const uint64_t number = moved->begun++;
    if (moved->next == moved->count || moved->items[moved->next] / LANES != number)
        return 0;
    otf2_location_note(location, OC_STATE_CROSSES);
    return (uint16_t)(moved->items[moved->next++] % LANES);
}

/* --- Regions */

/* The number of a region's name, and of what its states are called. */
typedef struct named_region {
    uint32_t name, value;
} named_region;

static named_region find_region(otf2_location *location, OTF2_RegionRef region)
{
    const otf2_definitions *definitions = location->definitions;
    const otf2_item **near = &location->near[region % OC_OTF2_NEAR];
    if (*near == NULL || (*near)->reference != region)
        *near = otf2_table_find(&definitions->regions, region);
    if (*near != NULL)
        return (named_region){(*near)->kind, (uint32_t)(*near)->more};
    otf2_location_note(location, OC_OTF2_REGION_UNDEFINED);
    return (named_region){definitions->undefined_region, definitions->undefined_region};
}

static OTF2_RegionRef region_of(const otf2_location *location, OTF2_CallingContextRef context)
{
    const otf2_item *item = otf2_table_find(&location->definitions->contexts, context);
    return item != NULL ? (OTF2_RegionRef)item->other : OTF2_UNDEFINED_REGION;
}

static OTF2_CallbackCode enter(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                               OTF2_RegionRef region, const OTF2_AttributeList *list)
{
    int64_t time;
    if (location->looks)
        return look_at_begin(location, OC_OTF2_REGIONS, find_region(location, region).name, 0);
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_opened *open = &location->open[OC_OTF2_REGIONS];
    const named_region named = find_region(location, region);
    const uint16_t lane = find_lane(location, OC_OTF2_REGIONS);
    const otf2_begun begun = {.place = named.name, .lane = lane};
    if (!otf2_begun_add(location, OC_OTF2_REGIONS, &begun) ||
        !otf2_location_add(location, OC_OTF2_PUSH, OC_OTF2_REGION, named.value, time))
        return OTF2_CALLBACK_INTERRUPT;
    location->record->lane = lane;
    location->given = 0;
    const OTF2_CallbackCode code = otf2_location_end(location, list);
    open->items[open->count - 1].attributes = location->given;
    return code;
}

/* Ends the innermost open state of a region, wherever it is; if none is open, the innermost
 * state. */
static OTF2_CallbackCode leave(otf2_location *location, otf2_kind kind, OTF2_TimeStamp stamp,
                               OTF2_RegionRef region, const OTF2_AttributeList *list)
{
    size_t at;
    int64_t time;
    otf2_begun left;
    otf2_opened *open = &location->open[OC_OTF2_REGIONS];
    if (location->looks)
        return look_at_end(location, OC_OTF2_REGIONS, find_region(location, region).name, 0, true);
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    const oc_pair found =
        otf2_begun_take(&left, &at, open, find_region(location, region).name, 0, true);
    if (found == OC_PAIR_NONE) {
        location->left_out[kind]++;
        otf2_location_note(location, OC_END_LEFT_OUT);
        otf2_location_leave_out(location, list);
        return OTF2_CALLBACK_SUCCESS;
    }
    if (found != OC_PAIR_INNER)
        otf2_location_note(location, found == OC_PAIR_OUTER ? OC_END_OF_OUTER : OC_END_OF_OTHER);
    if (!otf2_location_add(location, OC_OTF2_POP, OC_OTF2_REGION, count_inside(open, at, left.lane),
                           time))
        return OTF2_CALLBACK_INTERRUPT;
    location->record->lane = left.lane;
    location->before = left.attributes;
    const OTF2_CallbackCode code = otf2_location_end(location, list);
    location->before = 0;
    return code;
}

static OTF2_CallbackCode on_enter(OC_OTF2_HEAD, OTF2_RegionRef region)
{
    OC_OTF2_UNUSED_HEAD;
    return enter(data, OC_OTF2_KIND_ENTER, stamp, region, list);
}

static OTF2_CallbackCode on_leave(OC_OTF2_HEAD, OTF2_RegionRef region)
{
    OC_OTF2_UNUSED_HEAD;
    return leave(data, OC_OTF2_KIND_LEAVE, stamp, region, list);
}

static OTF2_CallbackCode on_context_enter(OC_OTF2_HEAD, OTF2_CallingContextRef context,
                                          uint32_t distance)
{
    OC_OTF2_UNUSED_HEAD, (void)distance;
    return enter(data, OC_OTF2_KIND_CALLING_CONTEXT_ENTER, stamp, region_of(data, context), list);
}

static OTF2_CallbackCode on_context_leave(OC_OTF2_HEAD, OTF2_CallingContextRef context)
{
    OC_OTF2_UNUSED_HEAD;
    return leave(data, OC_OTF2_KIND_CALLING_CONTEXT_LEAVE, stamp, region_of(data, context), list);
}

static OTF2_CallbackCode on_sample(OC_OTF2_HEAD, OTF2_CallingContextRef context, uint32_t distance,
                                   OTF2_InterruptGeneratorRef generator)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)distance, (void)generator;
    if (!otf2_location_begin(location, OC_OTF2_KIND_CALLING_CONTEXT_SAMPLE, stamp, &time) ||
        !otf2_location_add(location, OC_OTF2_INSTANT, OC_OTF2_SAMPLE,
                           find_region(location, region_of(location, context)).name, time))
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_location_end(location, list);
}

/* --- Operations of input and output */

static OTF2_CallbackCode on_io_begin(OC_OTF2_HEAD, OTF2_IoHandleRef handle,
                                     OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
                                     uint64_t bytes, uint64_t id)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)flags;
    if (location->looks)
        return look_at_begin(location, OC_OTF2_OPERATIONS_OF_IO, handle, id);
    if (!otf2_location_begin(location, OC_OTF2_KIND_IO_OPERATION_BEGIN, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    const uint32_t named = mode < OC_OTF2_MODES ? mode : 0;
    const uint16_t lane = find_lane(location, OC_OTF2_OPERATIONS_OF_IO);
    const otf2_begun begun = {.place = handle, .id = id, .lane = lane};
    if (!otf2_begun_add(location, OC_OTF2_OPERATIONS_OF_IO, &begun) ||
        !otf2_location_add(location, OC_OTF2_PUSH, OC_OTF2_IO_OPERATION,
                           location->definitions->first_mode + named, time))
        return OTF2_CALLBACK_INTERRUPT;
    location->record->lane = lane;
    otf2_put_handle(location, handle);
    otf2_put_count(location, OC_OTF2_KEY_BYTES, bytes);
    return otf2_location_end(location, list);
}

/* Operations of other threads of a program's may end in another order than they began. */
static OTF2_CallbackCode end_operation(otf2_location *location, otf2_kind kind,
                                       OTF2_TimeStamp stamp, OTF2_IoHandleRef handle,
                                       uint64_t bytes, uint64_t id, const OTF2_AttributeList *list)
{
    size_t at;
    int64_t time;
    otf2_begun ended;
    otf2_opened *open = &location->open[OC_OTF2_OPERATIONS_OF_IO];
    if (location->looks)
        return look_at_end(location, OC_OTF2_OPERATIONS_OF_IO, handle, id, false);
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (otf2_begun_take(&ended, &at, open, handle, id, false) == OC_PAIR_NONE) {
        location->left_out[kind]++;
        return OTF2_CALLBACK_SUCCESS;
    }
    if (!otf2_location_add(location, OC_OTF2_POP, OC_OTF2_IO_OPERATION,
                           count_inside(open, at, ended.lane), time))
        return OTF2_CALLBACK_INTERRUPT;
    location->record->lane = ended.lane;
    if (!otf2_location_add(location, OC_OTF2_INSTANT, OC_OTF2_IO, (uint32_t)kind, time))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_handle(location, handle);
    otf2_put_count(location, OC_OTF2_KEY_BYTES, bytes);
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_io_complete(OC_OTF2_HEAD, OTF2_IoHandleRef handle, uint64_t bytes,
                                        uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return end_operation(data, OC_OTF2_KIND_IO_OPERATION_COMPLETE, stamp, handle, bytes, id, list);
}

static OTF2_CallbackCode on_io_cancelled(OC_OTF2_HEAD, OTF2_IoHandleRef handle, uint64_t id)
{
    OC_OTF2_UNUSED_HEAD;
    return end_operation(data, OC_OTF2_KIND_IO_OPERATION_CANCELLED, stamp, handle, 0, id, list);
}

/* --- Collectives, one at a time: a begin without an end is left out */

static OTF2_CallbackCode begin_collective(otf2_location *location, otf2_kind kind,
                                          OTF2_TimeStamp stamp, const OTF2_AttributeList *list)
{
    int64_t time;
    otf2_location_leave_out(location, list);
    if (!otf2_location_begin(location, kind, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    if (location->in_collective)
        location->left_out[location->collective_kind]++;
    location->in_collective = true;
    location->collective_kind = kind;
    location->collective = time;
    return OTF2_CALLBACK_SUCCESS;
}

static uint32_t find_operation(const otf2_location *location, OTF2_CollectiveOp operation)
{
    const uint32_t named = operation < OC_OTF2_OPERATIONS ? operation : OC_OTF2_OPERATIONS;
    return location->definitions->first_operation + named;
}

/* What it was is known at its end: both are written then, with the attributes in between. */
static bool end_collective(int64_t *time, otf2_location *location, otf2_kind kind,
                           OTF2_TimeStamp stamp, OTF2_CollectiveOp operation)
{
    if (!otf2_location_begin(location, kind, stamp, time))
        return false;
    const int64_t begin = location->in_collective ? location->collective : *time;
    location->in_collective = false;
    return otf2_location_add(location, OC_OTF2_PUSH, OC_OTF2_COLLECTIVE,
                             find_operation(location, operation), begin);
}

static OTF2_CallbackCode close_collective(otf2_location *location, int64_t time,
                                          const OTF2_AttributeList *list)
{
    return otf2_location_end(location, list) == OTF2_CALLBACK_SUCCESS &&
                   otf2_location_add(location, OC_OTF2_POP, OC_OTF2_COLLECTIVE, 0, time)
               ? OTF2_CALLBACK_SUCCESS
               : OTF2_CALLBACK_INTERRUPT;
}

static void put_root(otf2_location *location, uint32_t root)
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
    otf2_put_communicator(location, communicator);
    put_root(location, root);
    if (root == OTF2_COLLECTIVE_ROOT_SELF ||
        otf2_definitions_rank(location->definitions, communicator, root, self) == self.location)
        otf2_put_text(location, OC_OTF2_KEY_ROLE, "root");
    otf2_put_count(location, OC_OTF2_KEY_SENT, sent);
    otf2_put_count(location, OC_OTF2_KEY_RECEIVED, received);
    if (!otf2_definitions_is_shared(location->definitions, communicator))
        return;
    if (self.location != location->index) {
        otf2_location_note(location, OC_OTF2_COLLECTIVE_OF_OTHER);
        return;
    }
    const uint32_t known = oc_map_get(&location->collectives, &communicator, sizeof communicator);
    const uint32_t sequence = known == OC_MAP_NONE ? 0 : known;
    (void)otf2_location_check(location, oc_map_set(&location->collectives, &communicator,
                                                   sizeof communicator, sequence + 1));
    otf2_put_count(location, OC_OTF2_KEY_SEQUENCE, sequence);
}

static OTF2_CallbackCode on_mpi_collective_begin(OC_OTF2_HEAD)
{
    OC_OTF2_UNUSED_HEAD;
    return begin_collective(data, OC_OTF2_KIND_MPI_COLLECTIVE_BEGIN, stamp, list);
}

static OTF2_CallbackCode on_mpi_collective_end(OC_OTF2_HEAD, OTF2_CollectiveOp operation,
                                               OTF2_CommRef communicator, uint32_t root,
                                               uint64_t sent, uint64_t received)
{
    int64_t time;
    OC_OTF2_UNUSED_HEAD;
    if (!end_collective(&time, data, OC_OTF2_KIND_MPI_COLLECTIVE_END, stamp, operation))
        return OTF2_CALLBACK_INTERRUPT;
    put_collective(data, communicator, root, sent, received);
    return close_collective(data, time, list);
}

static OTF2_CallbackCode on_nonblocking_complete(OC_OTF2_HEAD, OTF2_CollectiveOp operation,
                                                 OTF2_CommRef communicator, uint32_t root,
                                                 uint64_t sent, uint64_t received, uint64_t request)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_begin(location, OC_OTF2_KIND_NON_BLOCKING_COLLECTIVE_COMPLETE, stamp,
                             &time) ||
        !otf2_location_add(location, OC_OTF2_INSTANT, OC_OTF2_NONBLOCKING,
                           find_operation(location, operation), time))
        return OTF2_CALLBACK_INTERRUPT;
    put_collective(location, communicator, root, sent, received);
    otf2_put_count(location, OC_OTF2_KEY_REQUEST, request);
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_rma_collective_begin(OC_OTF2_HEAD)
{
    OC_OTF2_UNUSED_HEAD;
    return begin_collective(data, OC_OTF2_KIND_RMA_COLLECTIVE_BEGIN, stamp, list);
}

static OTF2_CallbackCode on_rma_collective_end(OC_OTF2_HEAD, OTF2_CollectiveOp operation,
                                               OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                               uint32_t root, uint64_t sent, uint64_t received)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)level;
    if (!end_collective(&time, location, OC_OTF2_KIND_RMA_COLLECTIVE_END, stamp, operation))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_name(location, OC_OTF2_KEY_WINDOW, &location->definitions->windows, window);
    put_root(location, root);
    otf2_put_count(location, OC_OTF2_KEY_SENT, sent);
    otf2_put_count(location, OC_OTF2_KEY_RECEIVED, received);
    return close_collective(location, time, list);
}

static OTF2_CallbackCode on_unknown(OC_OTF2_HEAD)
{
    int64_t time;
    OC_OTF2_UNUSED_HEAD;
    otf2_location_leave_out(data, list);
    return otf2_location_begin(data, OC_OTF2_KIND_UNKNOWN, stamp, &time) ? OTF2_CALLBACK_SUCCESS
                                                                         : OTF2_CALLBACK_INTERRUPT;
}

#define SET(name, function) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, function)

void otf2_set_crossing(OTF2_EvtReaderCallbacks *callbacks)
{
    SET(Enter, on_enter);
    SET(Leave, on_leave);
    SET(CallingContextEnter, on_context_enter);
    SET(CallingContextLeave, on_context_leave);
    SET(IoOperationBegin, on_io_begin);
    SET(IoOperationComplete, on_io_complete);
    SET(IoOperationCancelled, on_io_cancelled);
}

void otf2_set_states(OTF2_EvtReaderCallbacks *callbacks)
{
    otf2_set_crossing(callbacks);
    SET(CallingContextSample, on_sample);
    SET(MpiCollectiveBegin, on_mpi_collective_begin);
    SET(MpiCollectiveEnd, on_mpi_collective_end);
    SET(NonBlockingCollectiveComplete, on_nonblocking_complete);
    SET(RmaCollectiveBegin, on_rma_collective_begin);
    SET(RmaCollectiveEnd, on_rma_collective_end);
    SET(Unknown, on_unknown);
}
