/* How much room rows take: variables that never change need little, and those of many siblings even
 * less. */
#include "viz/gantt/gantt.h"

#include "base/memory.h"

#include <stdlib.h>

enum { SIBLINGS_FROM = 5 /* so many are one */ };

/* A row of a variable that never changes. */
typedef struct constant {
    uint32_t row, parent, resource, event_type;
    bool alone; /* its resource has no other rows but such */
    double value;
} constant;

static ocelotl_drawn_row row_at(const oc_gantt *gantt, uint32_t row)
{
    return ocelotl_drawables_row_at(gantt->input->drawables, row);
}

static bool is_constant(const oc_gantt *gantt, uint32_t row)
{
    const ocelotl_drawables *drawables = gantt->input->drawables;
    const ocelotl_drawn_row is = row_at(gantt, row);
    if (is.event_type == OCELOTL_NONE || is.category != OCELOTL_VARIABLE || is.objects == 0)
        return false;
    const double value = ocelotl_drawables_object_at(drawables, row, 0).low;
    for (uint64_t i = 0; i < is.objects; i++) {
        const ocelotl_drawn_object object = ocelotl_drawables_object_at(drawables, row, i);
        if (object.low < value || object.high > value)
            return false;
    }
    return true;
}

/* Finds the rows of the resource that begins with one, and whether none of them changes and none is
 * below it. */
static uint32_t end_of_resource(bool *alone, const oc_gantt *gantt, uint32_t first)
{
    const uint32_t resource = row_at(gantt, first).resource;
    uint32_t end = first;
    *alone = true;
    for (; end < gantt->drawn_count && row_at(gantt, end).resource == resource; end++)
        *alone = *alone && gantt->room[end] == OC_GANTT_THIN_ROOM;
    *alone = *alone && (end >= gantt->drawn_count ||
                        !oc_gantt_contains(gantt, resource, row_at(gantt, end).resource));
    return end;
}

static size_t list(constant *found, oc_gantt *gantt)
{
    size_t count = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        gantt->room[row] = is_constant(gantt, row) ? OC_GANTT_THIN_ROOM : OC_GANTT_OWN_ROOM;
    for (uint32_t first = 0, end; first < gantt->drawn_count; first = end) {
        bool alone;
        end = end_of_resource(&alone, gantt, first);
        for (uint32_t row = first; row < end; row++) {
            const ocelotl_drawn_row is = row_at(gantt, row);
            if (gantt->room[row] != OC_GANTT_THIN_ROOM)
                continue;
            found[count++] = (constant){
                .row = row,
                .parent = ocelotl_trace_resource_at(gantt->input->trace, is.resource).parent,
                .resource = is.resource,
                .event_type = is.event_type,
                .alone = alone,
                .value = ocelotl_drawables_object_at(gantt->input->drawables, row, 0).low};
        }
    }
    return count;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Those that are the same in siblings side by side. */
static int compare_values(const void *left, const void *right)
{
    const constant *a = left;
    const constant *b = right;
    if (a->parent != b->parent)
        return compare_numbers(a->parent, b->parent);
    if (a->event_type != b->event_type)
        return compare_numbers(a->event_type, b->event_type);
    if (a->value < b->value || a->value > b->value)
        return a->value < b->value ? -1 : 1;
    return compare_numbers(a->row, b->row);
}

static bool is_same(const constant *a, const constant *b)
{
    return a->parent == b->parent && a->event_type == b->event_type && !(a->value < b->value) &&
           !(a->value > b->value);
}

static int compare_places(const void *left, const void *right)
{
    const constant *a = left;
    const constant *b = right;
    return a->parent != b->parent ? compare_numbers(a->parent, b->parent)
                                  : compare_numbers(a->row, b->row);
}

static void gather_same(oc_gantt *gantt, constant *found, size_t count)
{
    qsort(found, count, sizeof *found, compare_values);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && is_same(&found[end], &found[first]);)
            end++;
        for (size_t i = first; i < end && end - first >= SIBLINGS_FROM; i++)
            gantt->room[found[i].row] = OC_GANTT_SHARED_ROOM;
    }
}

/* Whatever their values are. */
static void gather_alone(oc_gantt *gantt, constant *found, size_t count)
{
    qsort(found, count, sizeof *found, compare_places);
    for (size_t first = 0, end; first < count; first = end) {
        uint32_t resources = 0;
        uint32_t last = OCELOTL_NONE;
        for (end = first; end < count && found[end].parent == found[first].parent; end++) {
            resources += found[end].alone && found[end].resource != last;
            last = found[end].alone ? found[end].resource : last;
        }
        for (size_t i = first; i < end && resources >= SIBLINGS_FROM; i++)
            if (found[i].alone)
                gantt->room[found[i].row] = OC_GANTT_SHARED_ROOM;
    }
}

/* By parent, then in their order. */
static ocelotl_status keep_gathered(oc_gantt *gantt, const constant *found, size_t count)
{
    OC_TRY(oc_allocate(&gantt->gathered, count, sizeof *gantt->gathered));
    for (size_t i = 0; i < count; i++)
        if (gantt->room[found[i].row] == OC_GANTT_SHARED_ROOM)
            gantt->gathered[gantt->gathered_count++] =
                (oc_gantt_gathered){found[i].parent, found[i].row};
    return OCELOTL_OK;
}

/* Rows for links alone, if none of these takes any time: as those that say how a network is wired.
 */
static void leave_out_bare(oc_gantt *gantt)
{
    const ocelotl_drawables *drawables = gantt->input->drawables;
    bool some = false;
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        some = some || row_at(gantt, row).event_type != OCELOTL_NONE;
    for (uint32_t row = 0; row < gantt->drawn_count && some; row++)
        if (row_at(gantt, row).event_type == OCELOTL_NONE)
            gantt->room[row] = OC_GANTT_NO_ROOM;
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(drawables, i);
        const uint32_t ends[] = {link.source, link.target};
        for (int end = 0; end < 2 && link.begin != link.end; end++)
            if (ends[end] < gantt->drawn_count && gantt->room[ends[end]] == OC_GANTT_NO_ROOM)
                gantt->room[ends[end]] = OC_GANTT_OWN_ROOM;
    }
}

ocelotl_status oc_gantt_find_room(oc_gantt *gantt)
{
    constant *found = NULL;
    OC_TRY(oc_allocate(&gantt->room, gantt->drawn_count, sizeof *gantt->room));
    OC_TRY(oc_allocate(&found, gantt->drawn_count, sizeof *found));
    const size_t count = list(found, gantt);
    leave_out_bare(gantt);
    gather_same(gantt, found, count);
    gather_alone(gantt, found, count);
    const ocelotl_status status = keep_gathered(gantt, found, count);
    free(found);
    return status;
}
