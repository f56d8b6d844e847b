#include "viz/gantt/gantt.h"

#include "base/memory.h"
#include "viz/frame/type_colours.h"

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

static void weigh(oc_gantt *gantt)
{
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        const ocelotl_drawn_row *is = &gantt->drawn[row].is;
        for (uint64_t object = 0; object < is->objects && is->category != OCELOTL_VARIABLE;
             object++)
            weigh_object(gantt, row, object);
    }
}

static ocelotl_status give_colours(oc_gantt *gantt)
{
    const ocelotl_trace *trace = gantt->input->trace;
    oc_type_colours colours = {0};
    const ocelotl_status status = oc_type_colours_of_trace(&colours, trace, gantt->picture);
    for (uint32_t i = 0; i < ocelotl_trace_value_count(trace) && status == OCELOTL_OK; i++)
        gantt->colours[i] = oc_type_colours_find(&colours, ocelotl_trace_value(trace, i).name);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace) && status == OCELOTL_OK; i++)
        gantt->type_colours[i] =
            oc_type_colours_find(&colours, ocelotl_trace_event_type_spelling(trace, i));
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
    weigh(gantt);
    return give_colours(gantt);
}
