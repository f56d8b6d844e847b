#include "importers/otf2/crossing.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A state that is open. */
typedef struct open_state {
    uint64_t place, id;
    uint64_t number; /* of all that began */
    uint64_t taken;  /* a bit for each lane where a state that is around it has ended */
} open_state;

typedef struct nest {
    open_state *open;
    size_t count, capacity;
    uint64_t begun;
    otf2_moved *moved;
} nest;

typedef struct scan {
    const otf2_definitions *definitions;
    nest nests[OC_OTF2_NESTS];
    ocelotl_status status;
} scan;

static const size_t most_moved = (size_t)1 << 21;

/* --- What is open */

static OTF2_CallbackCode begin(scan *of, otf2_nest which, uint64_t place, uint64_t id)
{
    nest *in = &of->nests[which];
    if (in->count == in->capacity)
        of->status = oc_grow(&in->open, &in->capacity, in->count + 1, sizeof *in->open);
    if (of->status != OCELOTL_OK)
        return OTF2_CALLBACK_INTERRUPT;
    in->open[in->count++] = (open_state){.place = place, .id = id, .number = in->begun++};
    return OTF2_CALLBACK_SUCCESS;
}

/* A state goes to the first lane that is free for it, which is returned. */
static uint32_t settle(ocelotl_status *status, nest *in, const open_state *state)
{
    otf2_moved *moved = in->moved;
    const uint32_t lane =
        ~state->taken == 0 ? OC_OTF2_LANES - 1 : (uint32_t)__builtin_ctzll(~state->taken);
    if (lane == 0 || moved->count == most_moved)
        return lane;
    *status = oc_grow(&moved->items, &moved->capacity, moved->count + 1, sizeof *moved->items);
    if (*status == OCELOTL_OK)
        moved->items[moved->count++] = state->number * OC_OTF2_LANES + lane;
    return lane;
}

/* The innermost open state of a name ends; if none is open, the innermost one where `any` is so.
 * Those that began inside it and go on cross it, if they are in its lane. */
static OTF2_CallbackCode end(scan *of, otf2_nest which, uint64_t place, uint64_t id, bool any)
{
    nest *in = &of->nests[which];
    size_t found = in->count;
    while (found > 0 && (in->open[found - 1].place != place || in->open[found - 1].id != id))
        found--;
    if (found == 0 && any)
        found = in->count;
    if (found > 0) {
        const uint32_t lane = settle(&of->status, in, &in->open[found - 1]);
        in->count--;
        for (size_t i = found - 1; i < in->count; i++) {
            in->open[i] = in->open[i + 1];
            in->open[i].taken |= (uint64_t)1 << lane;
        }
    }
    return of->status == OCELOTL_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* --- Records */

static uint32_t name_of(const scan *of, OTF2_RegionRef region)
{
    const otf2_item *item = otf2_table_find(&of->definitions->regions, region);
    return item != NULL ? item->kind : of->definitions->undefined_region;
}

static uint32_t name_of_context(const scan *of, OTF2_CallingContextRef context)
{
    const otf2_item *item = otf2_table_find(&of->definitions->contexts, context);
    return name_of(of, item != NULL ? (OTF2_RegionRef)item->other : OTF2_UNDEFINED_REGION);
}

#define HEAD                                                                    \
    OTF2_LocationRef self, OTF2_TimeStamp stamp, uint64_t position, void *data, \
        OTF2_AttributeList *list
#define UNUSED_HEAD (void)self, (void)stamp, (void)position, (void)list

static OTF2_CallbackCode on_enter(HEAD, OTF2_RegionRef region)
{
    UNUSED_HEAD;
    return begin(data, OC_OTF2_NEST_REGIONS, name_of(data, region), 0);
}

static OTF2_CallbackCode on_leave(HEAD, OTF2_RegionRef region)
{
    UNUSED_HEAD;
    return end(data, OC_OTF2_NEST_REGIONS, name_of(data, region), 0, true);
}

static OTF2_CallbackCode on_context_enter(HEAD, OTF2_CallingContextRef context, uint32_t distance)
{
    UNUSED_HEAD, (void)distance;
    return begin(data, OC_OTF2_NEST_REGIONS, name_of_context(data, context), 0);
}

static OTF2_CallbackCode on_context_leave(HEAD, OTF2_CallingContextRef context)
{
    UNUSED_HEAD;
    return end(data, OC_OTF2_NEST_REGIONS, name_of_context(data, context), 0, true);
}

static OTF2_CallbackCode on_io_begin(HEAD, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                                     OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id)
{
    UNUSED_HEAD, (void)mode, (void)flags, (void)bytes;
    return begin(data, OC_OTF2_NEST_IO, handle, id);
}

static OTF2_CallbackCode on_io_complete(HEAD, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id)
{
    UNUSED_HEAD, (void)bytes;
    return end(data, OC_OTF2_NEST_IO, handle, id, false);
}

static OTF2_CallbackCode on_io_cancelled(HEAD, OTF2_IoHandleRef handle, uint64_t id)
{
    UNUSED_HEAD;
    return end(data, OC_OTF2_NEST_IO, handle, id, false);
}

OTF2_EvtReaderCallbacks *otf2_crossing_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    if (callbacks == NULL)
        return NULL;
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_io_begin);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_io_complete);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(callbacks, on_io_cancelled);
    return callbacks;
}

/* --- All of it */

static int compare(const void *one, const void *other)
{
    const uint64_t left = *(const uint64_t *)one;
    const uint64_t right = *(const uint64_t *)other;
    return left < right ? -1 : left > right;
}

ocelotl_status otf2_crossing_find(otf2_moved moved[OC_OTF2_NESTS], OTF2_ErrorCode *code,
                                  OTF2_EvtReader *reader, OTF2_EvtReaderCallbacks *callbacks,
                                  const otf2_definitions *definitions, uint64_t events)
{
    uint64_t count = 0;
    scan of = {.definitions = definitions};
    for (size_t i = 0; i < OC_OTF2_NESTS; i++)
        of.nests[i].moved = &moved[i];
    *code = OTF2_EvtReader_SetCallbacks(reader, callbacks, &of);
    if (*code == OTF2_SUCCESS)
        *code = OTF2_EvtReader_ReadEvents(reader, events, &count);
    if (count > 0 || of.status != OCELOTL_OK)
        *code = OTF2_SUCCESS;
    for (size_t i = 0; i < OC_OTF2_NESTS; i++) {
        nest *in = &of.nests[i]; /* what is open at the end stays where it has begun, or moves */
        for (size_t o = 0; of.status == OCELOTL_OK && o < in->count; o++)
            (void)settle(&of.status, in, &in->open[o]);
        if (of.status == OCELOTL_OK && moved[i].count > 0)
            qsort(moved[i].items, moved[i].count, sizeof *moved[i].items, compare);
        free(in->open);
    }
    return of.status;
}

void otf2_moved_free(otf2_moved *moved)
{
    free(moved->items);
    *moved = (otf2_moved){0};
}
