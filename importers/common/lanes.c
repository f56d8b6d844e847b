#include "importers/common/lanes.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct oc_lane {
    uint32_t type;   /* of its states */
    uint32_t stream; /* the writer's */
    uint64_t group;  /* of what is open */
    int64_t *ends;   /* of what is open, outermost first */
    size_t depth, capacity;
} oc_lane;

void oc_lanes_begin(oc_lanes *lanes, uint32_t row)
{
    lanes->row = row;
    lanes->resource_count = 0;
}

static ocelotl_status find_type(uint32_t *type, oc_lanes *lanes)
{
    *type = lanes->lane_type;
    if (*type != OCELOTL_NONE)
        return OCELOTL_OK;
    *type = oc_map_get(&lanes->lane_type_of, &lanes->row_type, sizeof lanes->row_type);
    if (*type != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_resource_type(type, lanes->writer, lanes->row_type, "Lane"));
    return oc_map_set(&lanes->lane_type_of, &lanes->row_type, sizeof lanes->row_type, *type);
}

/* The resource of a row's lane: the row itself, then those below it. */
static ocelotl_status find_resource(uint32_t *resource, oc_lanes *lanes, size_t number)
{
    char name[32];
    uint32_t type;
    *resource = lanes->row;
    if (number == 0)
        return OCELOTL_OK;
    OC_TRY(find_type(&type, lanes));
    while (lanes->resource_count < number) {
        const size_t next = lanes->resource_count + 1;
        OC_TRY(
            oc_grow(&lanes->resources, &lanes->resource_capacity, next, sizeof *lanes->resources));
        snprintf(name, sizeof name, "~%zu", next);
        OC_TRY(ocelotl_writer_resource(&lanes->resources[next - 1], lanes->writer, type, lanes->row,
                                       name, lanes->begin));
        lanes->resource_count = next;
    }
    *resource = lanes->resources[number - 1];
    return OCELOTL_OK;
}

static ocelotl_status pop(oc_lanes *lanes, oc_lane *lane)
{
    return ocelotl_writer_stream_pop(lanes->writer, lane->stream, lane->ends[--lane->depth], NULL,
                                     0);
}

/* Pops states until a time; one that ends where another begins is outside it. */
static ocelotl_status pop_until(oc_lanes *lanes, oc_lane *lane, int64_t time)
{
    while (lane->depth > 0 && lane->ends[lane->depth - 1] <= time)
        OC_TRY(pop(lanes, lane));
    return OCELOTL_OK;
}

/* Whether a state can be inside what is open in a lane. */
static bool nests(const oc_lane *lane, const oc_sorted *span)
{
    return lane->depth > 0 && lane->group == span->group &&
           lane->ends[lane->depth - 1] >= span->end;
}

static ocelotl_status add_lane(oc_lanes *lanes, uint32_t type, size_t number)
{
    uint32_t resource;
    OC_TRY(oc_grow(&lanes->lanes, &lanes->capacity, lanes->count + 1, sizeof *lanes->lanes));
    oc_lane *lane = &lanes->lanes[lanes->count];
    *lane = (oc_lane){.type = type};
    OC_TRY(find_resource(&resource, lanes, number));
    OC_TRY(
        ocelotl_writer_stream(&lane->stream, lanes->writer, resource, type, OCELOTL_ROLE_STATES));
    lanes->count++;
    return OCELOTL_OK;
}

/* Finds the lane of a state: *number is the lane's among those of its type. */
static ocelotl_status find_lane(size_t *place, size_t *number, oc_lanes *lanes,
                                const oc_sorted *span)
{
    size_t of_type = 0;
    size_t empty = SIZE_MAX;
    for (size_t i = 0; i < lanes->count; i++) {
        oc_lane *lane = &lanes->lanes[i];
        if (lane->type != span->type)
            continue;
        OC_TRY(pop_until(lanes, lane, span->time));
        *place = i;
        *number = of_type++;
        if (nests(lane, span) || (lane->depth == 0 && span->group == 0))
            return OCELOTL_OK;
        if (lane->depth == 0 && empty == SIZE_MAX)
            empty = i;
    }
    *place = empty != SIZE_MAX ? empty : lanes->count;
    *number = of_type;
    return empty != SIZE_MAX ? OCELOTL_OK : add_lane(lanes, span->type, of_type);
}

ocelotl_status oc_lanes_add(bool *crosses, oc_lanes *lanes, const oc_sorted *span)
{
    size_t place = 0;
    size_t number = 0;
    OC_TRY(find_lane(&place, &number, lanes, span));
    oc_lane *lane = &lanes->lanes[place];
    *crosses = number > 0 && span->group == 0;
    OC_TRY(oc_grow(&lane->ends, &lane->capacity, lane->depth + 1, sizeof *lane->ends));
    OC_TRY(ocelotl_writer_stream_push(lanes->writer, lane->stream, span->value, span->time,
                                      span->attributes, span->attribute_count));
    lane->group = span->group;
    lane->ends[lane->depth++] = span->end;
    return OCELOTL_OK;
}

ocelotl_status oc_lanes_end(oc_lanes *lanes)
{
    for (size_t i = 0; i < lanes->count; i++)
        while (lanes->lanes[i].depth > 0)
            OC_TRY(pop(lanes, &lanes->lanes[i]));
    for (size_t i = 0; i < lanes->count; i++)
        free(lanes->lanes[i].ends);
    lanes->count = 0;
    return OCELOTL_OK;
}

void oc_lanes_free(oc_lanes *lanes)
{
    for (size_t i = 0; i < lanes->count; i++)
        free(lanes->lanes[i].ends);
    free(lanes->lanes);
    free(lanes->resources);
    oc_map_free(&lanes->lane_type_of);
}
