/* Which resources are rows and columns of a matrix of messages. */
#include "query/messages/messages.h"

#include "base/memory.h"
#include "store/select/groups.h"

#include <stdlib.h>

void oc_message_side_free(oc_message_side *side)
{
    free(side->group_of);
    free(side->resources);
}

/* Whether links begin or end at each resource; with `through`, or below it. */
static ocelotl_status find_ends(bool **found, const ocelotl_messages *messages, bool through)
{
    const ocelotl_trace *trace = messages->trace;
    OC_TRY(oc_allocate(found, trace->resource_count, sizeof **found));
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const uint32_t resource = trace->streams[s].resource;
        if (oc_messages_reads(messages, &trace->streams[s]) &&
            oc_is_selected(messages->resources, resource) && resource != OCELOTL_ROOT)
            (*found)[resource] = true;
    }
    for (uint32_t r = trace->resource_count; through && r-- > 0;)
        if ((*found)[r] && trace->resources[r].parent != OCELOTL_ROOT)
            (*found)[trace->resources[r].parent] = true;
    return OCELOTL_OK;
}

/* Whether a resource is a group: by its type, or because links begin or end there. */
static bool begins_group(const ocelotl_messages *messages, uint32_t resource, const bool *used,
                         const bool *is_group, bool inside)
{
    const uint32_t type = messages->trace->resources[resource].type;
    if (is_group == NULL)
        return used[resource];
    return !inside && used[resource] && type != OCELOTL_NONE && is_group[type];
}

/* Numbers the groups in the order of the hierarchy: `by_place` has the resources in it. A group
 * holds what is below it, but where no type is asked for. */
static void give_groups(oc_message_side *side, const ocelotl_messages *messages, const bool *used,
                        const bool *is_group, const uint32_t *by_place)
{
    const ocelotl_trace *trace = messages->trace;
    for (uint32_t i = 0; i < trace->resource_count; i++) {
        const uint32_t r = by_place[i];
        const uint32_t parent = trace->resources[r].parent;
        const uint32_t above =
            parent != OCELOTL_ROOT && is_group != NULL ? side->group_of[parent] : OCELOTL_NONE;
        side->group_of[r] = above;
        if (!begins_group(messages, r, used, is_group, above != OCELOTL_NONE))
            continue;
        side->resources[side->count] = r;
        side->group_of[r] = side->count++;
    }
}

static void give_whole(oc_message_side *side, const ocelotl_trace *trace)
{
    side->resources[side->count++] = OCELOTL_NONE;
    for (uint32_t r = 0; r < trace->resource_count; r++)
        side->group_of[r] = 0;
}

static void give_outside(oc_message_side *side, const ocelotl_messages *messages)
{
    for (uint32_t r = 0; r < messages->trace->resource_count; r++)
        if (side->group_of[r] == OCELOTL_NONE || !oc_is_selected(messages->resources, r))
            side->group_of[r] = oc_message_side_outside(side);
}

/* The type that all groups have, "" where they have several. */
static const char *name_type(const oc_message_side *side, const ocelotl_trace *trace, bool whole)
{
    if (whole)
        return oc_whole_group;
    const uint32_t type =
        side->count > 0 ? trace->resources[side->resources[0]].type : OCELOTL_NONE;
    for (uint32_t g = 0; g < side->count; g++)
        if (trace->resources[side->resources[g]].type != type)
            return "";
    return type != OCELOTL_NONE ? trace->resource_types[type].name : "";
}

static ocelotl_status fill_side(oc_message_side *side, const ocelotl_messages *messages,
                                const bool *used, bool *is_group, const uint32_t *by_place,
                                const char *at)
{
    const ocelotl_trace *trace = messages->trace;
    bool whole = false;
    if (at != NULL)
        OC_TRY(oc_find_group_types(is_group, &whole, trace, at));
    OC_TRY(oc_allocate(&side->group_of, trace->resource_count, sizeof *side->group_of));
    OC_TRY(
        oc_allocate(&side->resources, (size_t)trace->resource_count + 1, sizeof *side->resources));
    if (whole)
        give_whole(side, trace);
    else
        give_groups(side, messages, used, at != NULL ? is_group : NULL, by_place);
    give_outside(side, messages);
    side->type = name_type(side, trace, whole);
    return OCELOTL_OK;
}

/* The resources in the order of the hierarchy. */
static ocelotl_status order_resources(uint32_t **by_place, const ocelotl_trace *trace)
{
    uint32_t *places = NULL;
    OC_TRY(oc_allocate(by_place, trace->resource_count, sizeof **by_place));
    OC_TRY(oc_find_places(&places, trace));
    for (uint32_t r = 0; r < trace->resource_count; r++)
        (*by_place)[places[r]] = r;
    free(places);
    return OCELOTL_OK;
}

static ocelotl_status find_side(oc_message_side *side, const ocelotl_messages *messages,
                                const char *at)
{
    uint32_t *by_place = NULL;
    bool *used = NULL;
    bool *is_group = NULL;
    ocelotl_status status = find_ends(&used, messages, at != NULL);
    if (status == OCELOTL_OK)
        status = oc_allocate(&is_group, messages->trace->resource_type_count, sizeof *is_group);
    if (status == OCELOTL_OK)
        status = order_resources(&by_place, messages->trace);
    if (status == OCELOTL_OK)
        status = fill_side(side, messages, used, is_group, by_place, at);
    free(by_place);
    free(used);
    free(is_group);
    return status;
}

ocelotl_status oc_messages_find_groups(ocelotl_messages *messages,
                                       const ocelotl_messages_options *options)
{
    OC_TRY(find_side(&messages->rows, messages, options->rows));
    return find_side(&messages->columns, messages,
                     options->columns != NULL ? options->columns : options->rows);
}
