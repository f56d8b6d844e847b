/* Regions that are entered and left, and samples of where a program is: states and instants. */
#include "importers/otf2/location.h"

#include "base/memory.h"

/* The number of a region's name, and of what its states are called. */
typedef struct named_region {
    uint32_t name, value;
} named_region;

static named_region find_region(otf2_location *location, OTF2_RegionRef region)
{
    const otf2_definitions *definitions = location->definitions;
    const otf2_item *item = otf2_table_find(&definitions->regions, region);
    if (item != NULL)
        return (named_region){item->kind, (uint32_t)item->more};
    otf2_location_note(location, OC_OTF2_REGION_UNDEFINED);
    return (named_region){definitions->undefined_region, definitions->undefined_region};
}

static named_region find_context(otf2_location *location, OTF2_CallingContextRef context)
{
    const otf2_item *item = otf2_table_find(&location->definitions->contexts, context);
    return find_region(location,
                       item != NULL ? (OTF2_RegionRef)item->other : OTF2_UNDEFINED_REGION);
}

static bool enter(otf2_location *location, named_region region, int64_t time)
{
    const size_t count = location->open_count;
    if (count == location->open_capacity &&
        oc_grow(&location->open, &location->open_capacity, count + 1, sizeof *location->open) !=
            OCELOTL_OK) {
        location->status = OCELOTL_ERROR_MEMORY;
        return false;
    }
    const uint16_t lane = otf2_location_lane(location, OC_OTF2_NEST_REGIONS);
    location->open[location->open_count++] = (otf2_entered){.name = region.name, .lane = lane};
    if (!otf2_location_add(location, OC_OTF2_PUSH, OC_OTF2_REGION, region.value, time))
        return false;
    location->record->lane = lane;
    return true;
}

static OTF2_CallbackCode end_enter(otf2_location *location, const OTF2_AttributeList *list)
{
    location->given = 0;
    const OTF2_CallbackCode code = otf2_location_end(location, list);
    location->open[location->open_count - 1].attributes = location->given;
    return code;
}

/* Ends the innermost open state of a region, wherever it is; if none is open, the innermost
 * state. */
static OTF2_CallbackCode leave(otf2_location *location, otf2_kind kind, uint32_t name, int64_t time,
                               const OTF2_AttributeList *list)
{
    uint32_t inside = 0; /* states of its lane that are inside it */
    otf2_entered *open = location->open;
    size_t place = location->open_count;
    if (place == 0) {
        location->left_out[kind]++;
        otf2_location_note(location, OC_END_LEFT_OUT);
        otf2_location_leave_out(location, list);
        return OTF2_CALLBACK_SUCCESS;
    }
    while (place > 0 && open[place - 1].name != name)
        place--;
    if (place != location->open_count)
        otf2_location_note(location, place > 0 ? OC_END_OF_OUTER : OC_END_OF_OTHER);
    place = (place > 0 ? place : location->open_count) - 1;
    const otf2_entered left = open[place];
    location->open_count--;
    for (; place < location->open_count; place++) {
        open[place] = open[place + 1];
        inside += open[place].lane == left.lane;
    }
    if (!otf2_location_add(location, OC_OTF2_POP, OC_OTF2_REGION, inside, time))
        return OTF2_CALLBACK_INTERRUPT;
    location->record->lane = left.lane;
    location->before = left.attributes;
    const OTF2_CallbackCode code = otf2_location_end(location, list);
    location->before = 0;
    return code;
}

static OTF2_CallbackCode on_enter(OC_OTF2_HEAD, OTF2_RegionRef region)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_begin(location, OC_OTF2_KIND_ENTER, stamp, &time) ||
        !enter(location, find_region(location, region), time))
        return OTF2_CALLBACK_INTERRUPT;
    return end_enter(location, list);
}

static OTF2_CallbackCode on_leave(OC_OTF2_HEAD, OTF2_RegionRef region)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_begin(location, OC_OTF2_KIND_LEAVE, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    return leave(location, OC_OTF2_KIND_LEAVE, find_region(location, region).name, time, list);
}

static OTF2_CallbackCode on_context_enter(OC_OTF2_HEAD, OTF2_CallingContextRef context,
                                          uint32_t distance)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)distance;
    if (!otf2_location_begin(location, OC_OTF2_KIND_CALLING_CONTEXT_ENTER, stamp, &time) ||
        !enter(location, find_context(location, context), time))
        return OTF2_CALLBACK_INTERRUPT;
    return end_enter(location, list);
}

static OTF2_CallbackCode on_context_leave(OC_OTF2_HEAD, OTF2_CallingContextRef context)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!otf2_location_begin(location, OC_OTF2_KIND_CALLING_CONTEXT_LEAVE, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    return leave(location, OC_OTF2_KIND_CALLING_CONTEXT_LEAVE, find_context(location, context).name,
                 time, list);
}

static OTF2_CallbackCode on_sample(OC_OTF2_HEAD, OTF2_CallingContextRef context, uint32_t distance,
                                   OTF2_InterruptGeneratorRef generator)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)distance, (void)generator;
    if (!otf2_location_begin(location, OC_OTF2_KIND_CALLING_CONTEXT_SAMPLE, stamp, &time) ||
        !otf2_location_add(location, OC_OTF2_INSTANT, OC_OTF2_SAMPLE,
                           find_context(location, context).name, time))
        return OTF2_CALLBACK_INTERRUPT;
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_unknown(OTF2_LocationRef self, OTF2_TimeStamp stamp, uint64_t position,
                                    void *data, OTF2_AttributeList *list)
{
    int64_t time;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    otf2_location_leave_out(location, list);
    if (!otf2_location_begin(location, OC_OTF2_KIND_UNKNOWN, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    return OTF2_CALLBACK_SUCCESS;
}

void otf2_set_regions(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, on_sample);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_unknown);
}
