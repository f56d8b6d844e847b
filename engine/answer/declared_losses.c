/* What rows of resources and events cannot say of a trace. */
#include "answer/declared_losses.h"

#include "answer/losses.h"
#include "base/exact.h"
#include "base/map.h"

#include <string.h>

/* --- Names that are there twice */

/* Adds to the count what has the key of another. */
static ocelotl_status count_twin(uint64_t *count, oc_map *keys, oc_text *key, uint32_t kind,
                                 uint32_t place, const char *name)
{
    const uint32_t head[2] = {kind, place};
    oc_text_clear(key);
    oc_text_append(key, (const char *)head, sizeof head);
    oc_text_add(key, name);
    if (key->failed)
        return oc_fail_memory();
    *count += oc_map_get(keys, key->bytes, key->length) != OC_MAP_NONE;
    return oc_map_set(keys, key->bytes, key->length, 0);
}

static ocelotl_status count_twins(uint64_t *resources, uint64_t *types, const ocelotl_trace *trace,
                                  oc_map *keys, oc_text *key)
{
    enum { RESOURCE, RESOURCE_TYPE, EVENT_TYPE, VALUE };
    for (uint32_t i = 0; i < ocelotl_trace_resource_count(trace); i++) {
        const ocelotl_resource one = ocelotl_trace_resource_at(trace, i);
        OC_TRY(count_twin(resources, keys, key, RESOURCE, one.parent, one.name));
    }
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(trace); i++) {
        const ocelotl_resource_type one = ocelotl_trace_resource_type_at(trace, i);
        OC_TRY(count_twin(types, keys, key, RESOURCE_TYPE, one.parent, one.name));
    }
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++) {
        const ocelotl_event_type one = ocelotl_trace_event_type_at(trace, i);
        OC_TRY(count_twin(types, keys, key, EVENT_TYPE, one.resource_type, one.name));
    }
    for (uint32_t i = 0; i < ocelotl_trace_value_count(trace); i++) {
        const ocelotl_value one = ocelotl_trace_value_at(trace, i);
        OC_TRY(count_twin(types, keys, key, VALUE, one.event_type, one.name));
    }
    return OCELOTL_OK;
}

static ocelotl_status lose_twins(ocelotl_losses *losses, const ocelotl_trace *trace)
{
    oc_map keys = {0};
    oc_text key = {0};
    uint64_t resources = 0;
    uint64_t types = 0;
    const ocelotl_status status = count_twins(&resources, &types, trace, &keys, &key);
    oc_lose(losses, "resources called like another beside them (NAME#2)", resources);
    oc_lose(losses, "types and values called like another beside them", types);
    oc_map_free(&keys);
    oc_text_free(&key);
    return status;
}

/* --- What has no row */

static void lose_unused(ocelotl_losses *losses, const ocelotl_trace *trace)
{
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(trace); i++)
        oc_lose(losses, "types of resources without any of them",
                ocelotl_trace_resource_type_at(trace, i).resources == 0);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        oc_lose(losses, "event types without events",
                ocelotl_trace_event_type_at(trace, i).count == 0);
    for (uint32_t i = 0; i < ocelotl_trace_value_count(trace); i++)
        oc_lose(losses, "values that never occur", ocelotl_trace_value_at(trace, i).count == 0);
}

static void lose_places(ocelotl_losses *losses, const oc_declared *declared)
{
    const ocelotl_trace *trace = declared->trace;
    for (uint32_t i = 0; i < ocelotl_trace_resource_count(trace); i++) {
        const ocelotl_resource one = ocelotl_trace_resource_at(trace, i);
        const uint32_t type = ocelotl_trace_resource_type_at(trace, one.type).parent;
        const uint32_t around = one.parent != OCELOTL_ROOT
                                    ? ocelotl_trace_resource_at(trace, one.parent).type
                                    : OCELOTL_ROOT;
        oc_lose(losses, "resources that are not where their type belongs", type != around);
    }
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        oc_lose(losses, "event types of events in resources of another type than theirs",
                declared->are_moved[i]);
}

ocelotl_status oc_lose_notes(ocelotl_losses *losses, ocelotl_trace *trace)
{
    ocelotl_query *query = NULL;
    bool found = false;
    OC_TRY(ocelotl_query_open(&query, trace, "SELECT count(*) FROM resources WHERE notes <> ''"));
    const ocelotl_status status = ocelotl_query_next(&found, query);
    if (status == OCELOTL_OK && found)
        oc_lose(losses, "resources with notes", (uint64_t)ocelotl_query_cell_at(query, 0).integer);
    ocelotl_query_free(query);
    return status;
}

/* --- Changes that no step of a variable shows */

static ocelotl_status count_changes(uint64_t *count, ocelotl_events *events)
{
    ocelotl_event event;
    bool found = false;
    *count = 0;
    do {
        OC_TRY(ocelotl_events_next(&found, &event, events));
        *count += found && event.category == OCELOTL_VARIABLE;
    } while (found);
    return OCELOTL_OK;
}

static bool has_variables(const ocelotl_trace *trace)
{
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        if (type.category == OCELOTL_VARIABLE && type.count > 0)
            return true;
    }
    return false;
}

static ocelotl_status lose_changes(ocelotl_losses *losses, const oc_declared *declared,
                                   ocelotl_trace *trace)
{
    ocelotl_events *events = NULL;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    uint64_t changes = 0;
    options.every_change = true;
    options.without_attributes = true;
    if (!has_variables(trace))
        return OCELOTL_OK;
    OC_TRY(ocelotl_events_open(&events, trace, &options));
    const ocelotl_status status = count_changes(&changes, events);
    ocelotl_events_free(events);
    oc_lose(losses, "values of variables that others replace at the same instant",
            changes > declared->steps ? changes - declared->steps : 0);
    return status;
}

ocelotl_status oc_declared_lose(ocelotl_losses *losses, const oc_declared *declared,
                                ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    if (!declared->is_whole)
        return OCELOTL_OK;
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++)
        oc_lose(losses, "units of variables",
                ocelotl_trace_event_type_at(trace, t).unit[0] != '\0');
    oc_lose(losses, "times of recording", info.origin[0] != '\0');
    oc_lose(losses, "clocks whose ticks are no decimals: times are rounded to picoseconds",
            oc_exact_of(info.tick_numerator, info.tick_denominator, 0).rounds);
    oc_lose(losses, "states and links with attributes at their ends, as if at their begins",
            declared->late);
    lose_unused(losses, trace);
    lose_places(losses, declared);
    OC_TRY(lose_twins(losses, trace));
    OC_TRY(lose_changes(losses, declared, trace));
    return oc_lose_notes(losses, trace);
}
