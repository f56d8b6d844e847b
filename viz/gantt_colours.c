#include "viz/gantt.h"

#include "base/map.h"
#include "base/memory.h"
#include "viz/type_colours.h"

#include <math.h>
#include <string.h>

static void weigh_object(oc_gantt *gantt, uint32_t row, uint64_t object)
{
    const ocelotl_drawables *drawables = gantt->input->drawables;
    const ocelotl_drawn_object is = ocelotl_drawables_object(drawables, row, object);
    for (uint32_t i = 0; i < is.shares; i++) {
        const ocelotl_drawn_share share = ocelotl_drawables_share(drawables, row, object, i);
        if (share.value != OCELOTL_NONE)
            gantt->weights[share.value] += share.ticks > 0 ? (uint64_t)share.ticks : share.count;
    }
    if (is.shares == 0 && is.value != OCELOTL_NONE)
        gantt->weights[is.value] += is.ticks > 0 ? (uint64_t)is.ticks : is.count;
}

static void weigh_variable(oc_gantt *gantt, uint32_t type, uint32_t row, uint64_t object)
{
    const ocelotl_drawn_object is = ocelotl_drawables_object(gantt->input->drawables, row, object);
    gantt->lows[type] = fmin(gantt->lows[type], is.low);
    gantt->highs[type] = fmax(gantt->highs[type], is.high);
}

static void weigh(oc_gantt *gantt)
{
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        const ocelotl_drawn_row *is = &gantt->drawn[row].is;
        for (uint64_t object = 0; object < is->objects; object++) {
            if (is->category == OCELOTL_VARIABLE)
                weigh_variable(gantt, is->event_type, row, object);
            else
                weigh_object(gantt, row, object);
        }
    }
}

/* Variables of one unit have one scale, so that their heights compare: it is widened at the first of them, and then given
 * to all that are drawn. */
static ocelotl_status join_scales(oc_gantt *gantt, oc_map *firsts)
{
    const ocelotl_trace *trace = gantt->input->trace;
    const uint32_t count = ocelotl_trace_event_type_count(trace);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) {
            const char *unit = ocelotl_trace_event_type(trace, i).unit;
            if (unit[0] == '\0' || gantt->highs[i] < gantt->lows[i])
                continue;
            uint32_t first = oc_map_get(firsts, unit, strlen(unit));
            if (first == OC_MAP_NONE)
                OC_TRY(oc_map_set(firsts, unit, strlen(unit), first = i));
            const uint32_t to = pass == 0 ? first : i;
            const uint32_t from = pass == 0 ? i : first;
            gantt->lows[to] = fmin(gantt->lows[to], gantt->lows[from]);
            gantt->highs[to] = fmax(gantt->highs[to], gantt->highs[from]);
        }
    return OCELOTL_OK;
}

static ocelotl_status give_colours(oc_gantt *gantt)
{
    const ocelotl_trace *trace = gantt->input->trace;
    oc_type_colours colours = {0};
    const ocelotl_status status = oc_type_colours_of_trace(&colours, trace, gantt->picture);
    for (uint32_t i = 0; i < ocelotl_trace_value_count(trace) && status == OCELOTL_OK; i++)
        gantt->colours[i] = oc_type_colours_find(&colours, ocelotl_trace_value(trace, i).name);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace) && status == OCELOTL_OK; i++)
        gantt->type_colours[i] = oc_type_colours_find(&colours, ocelotl_trace_event_type(trace, i).name);
    oc_type_colours_free(&colours);
    return status;
}

ocelotl_status oc_gantt_find_colours(oc_gantt *gantt)
{
    const uint32_t values = ocelotl_trace_value_count(gantt->input->trace);
    const uint32_t event_types = ocelotl_trace_event_type_count(gantt->input->trace);
    OC_TRY(oc_allocate(&gantt->colours, values, sizeof *gantt->colours));
    OC_TRY(oc_allocate(&gantt->weights, values, sizeof *gantt->weights));
    OC_TRY(oc_allocate(&gantt->type_colours, event_types, sizeof *gantt->type_colours));
    OC_TRY(oc_allocate(&gantt->lows, event_types, sizeof *gantt->lows));
    OC_TRY(oc_allocate(&gantt->highs, event_types, sizeof *gantt->highs));
    for (uint32_t i = 0; i < event_types; i++) {
        gantt->lows[i] = INFINITY;
        gantt->highs[i] = -INFINITY;
    }
    oc_map firsts = {0};
    weigh(gantt);
    ocelotl_status status = join_scales(gantt, &firsts);
    oc_map_free(&firsts);
    return status == OCELOTL_OK ? give_colours(gantt) : status;
}
