#include "answer/declared.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- What is written */

static bool is_whole(const ocelotl_selection *selection, const ocelotl_trace_info *info)
{
    if (selection == NULL)
        return false;
    const bool all = selection->from == 0 && selection->to == 0;
    return (all || (selection->from <= info->begin && selection->to >= info->end)) &&
           selection->resources.count + selection->only.count + selection->except.count == 0 &&
           selection->only_resources.count + selection->except_resources.count == 0 &&
           selection->where.count == 0 && selection->min_duration == 0 &&
           selection->max_duration == 0;
}

/* The type of resources that a table says nothing of (docs/formats/csv.md). */
static bool is_unknown_type(const char *name)
{
    return strcmp(name, "Group") == 0;
}

static const char *type_of(const ocelotl_trace *trace, uint32_t resource)
{
    const uint32_t type = ocelotl_trace_resource_at(trace, resource).type;
    return ocelotl_trace_resource_type_at(trace, type).name;
}

static ocelotl_status find_types_alike(bool *are, const ocelotl_trace *trace)
{
    oc_map names = {0};
    ocelotl_status status = OCELOTL_OK;
    const uint32_t count = ocelotl_trace_resource_type_count(trace);
    for (uint32_t i = 0; i < count && status == OCELOTL_OK; i++) {
        const char *name = ocelotl_trace_resource_type_at(trace, i).name;
        if (is_unknown_type(name))
            continue;
        *are = *are || oc_map_get(&names, name, strlen(name)) != OC_MAP_NONE;
        status = oc_map_set(&names, name, strlen(name), i);
    }
    oc_map_free(&names);
    return status;
}

/* Whether rows of events alone do not say where they happen. */
static ocelotl_status need_resources(bool *needed, const oc_declared *declared)
{
    const ocelotl_trace *trace = declared->trace;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    OC_TRY(find_types_alike(needed, trace));
    for (uint32_t r = 0; r < declared->count && !*needed; r++) {
        const ocelotl_resource one = ocelotl_trace_resource_at(trace, r);
        *needed = one.begin != info.begin || one.end != info.end ||
                  (one.parent != OCELOTL_ROOT && !is_unknown_type(type_of(trace, one.parent)));
    }
    return OCELOTL_OK;
}

/* --- Declaring */

static void widen(oc_declared *declared, int64_t begin, int64_t end)
{
    declared->begin = declared->has_bounds && declared->begin < begin ? declared->begin : begin;
    declared->end = declared->has_bounds && declared->end > end ? declared->end : end;
    declared->has_bounds = true;
}

/* A path names all that is around it, and readers keep the order in which resources are met. */
static void meet(oc_declared *declared, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && !declared->are_met[resource]) {
        const uint32_t parent = ocelotl_trace_resource_at(declared->trace, resource).parent;
        uint32_t *last = &declared->lasts[parent != OCELOTL_ROOT ? parent : declared->count];
        declared->is_disordered =
            declared->is_disordered || (*last != OCELOTL_NONE && *last > resource);
        *last = resource;
        declared->are_met[resource] = true;
        resource = parent;
    }
}

static void declare(oc_declared *declared, uint32_t resource)
{
    const ocelotl_resource one = ocelotl_trace_resource_at(declared->trace, resource);
    meet(declared, resource);
    widen(declared, one.begin, one.end);
    declared->queue[declared->queue_count++] = resource;
}

static void declare_all(oc_declared *declared)
{
    declared->queue_count = 0;
    for (uint32_t r = 0; r < declared->count; r++)
        declare(declared, r);
}

ocelotl_status oc_declared_open(oc_declared *declared, const ocelotl_trace *trace,
                                const ocelotl_selection *selection)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    bool needed = false;
    declared->trace = trace;
    declared->is_whole = is_whole(selection, &info);
    if (!declared->is_whole)
        return OCELOTL_OK;
    declared->count = ocelotl_trace_resource_count(trace);
    const size_t most = (size_t)declared->count + 1;
    OC_TRY(oc_allocate(&declared->queue, most, sizeof *declared->queue));
    OC_TRY(oc_allocate(&declared->are_met, most, sizeof *declared->are_met));
    OC_TRY(oc_allocate(&declared->lasts, most, sizeof *declared->lasts));
    OC_TRY(oc_allocate(&declared->are_moved, (size_t)ocelotl_trace_event_type_count(trace) + 1,
                       sizeof *declared->are_moved));
    for (size_t i = 0; i < most; i++)
        declared->lasts[i] = OCELOTL_NONE;
    OC_TRY(need_resources(&needed, declared));
    if (needed)
        declare_all(declared);
    return OCELOTL_OK;
}

/* --- Meeting */

/* The type that an event's place is of; a lane has the types of the row around it. */
static bool is_in_place(const oc_declared *declared, const ocelotl_event *event)
{
    const uint32_t place =
        ocelotl_trace_event_type_at(declared->trace, event->event_type).resource_type;
    ocelotl_resource one = ocelotl_trace_resource_at(declared->trace, event->resource);
    const char *name = ocelotl_trace_resource_type_at(declared->trace, one.type).name;
    if (one.parent != OCELOTL_ROOT && one.name[0] == '~' && strcmp(name, "Lane") == 0)
        one = ocelotl_trace_resource_at(declared->trace, one.parent);
    return one.type == place;
}

static ocelotl_status count_late(oc_declared *declared, const ocelotl_event *event)
{
    const bool has_end = event->category == OCELOTL_STATE ||
                         (event->source != OCELOTL_NONE && event->target != OCELOTL_NONE);
    if (event->attributes == NULL || !has_end)
        return OCELOTL_OK;
    OC_TRY(oc_carried_texts_read(&declared->carried, event->attributes));
    declared->late += event->begin_attributes < declared->carried.count;
    return OCELOTL_OK;
}

ocelotl_status oc_declared_meet(oc_declared *declared, const ocelotl_event *event)
{
    if (!declared->is_whole)
        return OCELOTL_OK;
    meet(declared, event->resource);
    declared->steps += event->category == OCELOTL_VARIABLE;
    if (event->category == OCELOTL_LINK && event->source != OCELOTL_NONE)
        meet(declared, event->source);
    if (event->category == OCELOTL_LINK && event->target != OCELOTL_NONE)
        meet(declared, event->target);
    widen(declared, event->begin < event->end ? event->begin : event->end,
          event->begin > event->end ? event->begin : event->end);
    if (!declared->are_moved[event->event_type])
        declared->are_moved[event->event_type] = !is_in_place(declared, event);
    return count_late(declared, event);
}

/* The first and last instant of the trace are those of all resources, where none was declared. */
void oc_declared_finish(oc_declared *declared)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(declared->trace);
    declared->queue_count = 0;
    for (uint32_t r = 0; r < declared->count; r++)
        if (!declared->are_met[r])
            declare(declared, r);
    const bool is_bounded =
        declared->has_bounds && declared->begin <= info.begin && declared->end >= info.end;
    if (declared->is_disordered)
        declare_all(declared);
    else if (!is_bounded && declared->count > 0 && declared->queue_count == 0)
        declare(declared, declared->count - 1);
}

void oc_declared_free(oc_declared *declared)
{
    free(declared->queue);
    free(declared->are_met);
    free(declared->lasts);
    free(declared->are_moved);
    oc_carried_texts_free(&declared->carried);
    *declared = (oc_declared){0};
}
