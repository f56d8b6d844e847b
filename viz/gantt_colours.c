#include "viz/gantt.h"

#include "base/map.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Something that has a colour: a value, or an event type as a whole. */
typedef struct ranked {
    uint64_t weight;
    uint32_t *colour;
    const char *name;
    int32_t wanted;
} ranked;

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

static int compare(const void *a, const void *b)
{
    const ranked *left = a;
    const ranked *right = b;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return left->colour < right->colour ? -1 : left->colour > right->colour;
}

static size_t rank(ranked *ranks, oc_gantt *gantt)
{
    const ocelotl_trace *trace = gantt->input->trace;
    size_t count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_value_count(trace); i++) {
        const ocelotl_value value = ocelotl_trace_value(trace, i);
        if (gantt->weights[i] > 0)
            ranks[count++] = (ranked){gantt->weights[i], &gantt->colours[i], value.name, value.colour};
    }
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type(trace, i);
        if (type.category != OCELOTL_STATE)
            ranks[count++] = (ranked){0, &gantt->type_colours[i], type.name, type.colour};
    }
    qsort(ranks, count, sizeof *ranks, compare);
    return count;
}

static void give_colours(oc_gantt *gantt, ranked *ranks, oc_palette_type *types)
{
    const size_t count = rank(ranks, gantt);
    for (size_t i = 0; i < count; i++)
        types[i] = (oc_palette_type){ranks[i].name, ranks[i].wanted, 0};
    oc_palette_assign_on(types, count, gantt->picture->theme->paper, gantt->picture->colours);
    for (size_t i = 0; i < count; i++)
        *ranks[i].colour = types[i].colour;
}

ocelotl_status oc_gantt_find_colours(oc_gantt *gantt)
{
    const uint32_t values = ocelotl_trace_value_count(gantt->input->trace);
    const uint32_t event_types = ocelotl_trace_event_type_count(gantt->input->trace);
    ranked *ranks = NULL;
    oc_palette_type *types = NULL;
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
    if (status == OCELOTL_OK)
        status = oc_allocate(&ranks, (size_t)values + event_types, sizeof *ranks);
    if (status == OCELOTL_OK)
        status = oc_allocate(&types, (size_t)values + event_types, sizeof *types);
    if (status == OCELOTL_OK)
        give_colours(gantt, ranks, types);
    free(ranks);
    free(types);
    return status;
}
