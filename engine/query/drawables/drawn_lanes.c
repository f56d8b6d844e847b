/* What is open on the way through a stream of intervals, and the lanes that it has. */
#include "query/drawables/drawn_intervals.h"

#include "base/memory.h"

#include <string.h>

ocelotl_status oc_walk_find_lane(uint32_t *lane, oc_drawing *drawing)
{
    while (drawing->first_free < drawing->busy_capacity && drawing->busy[drawing->first_free])
        drawing->first_free++;
    *lane = (uint32_t)drawing->first_free;
    const size_t known = drawing->busy_capacity;
    if (drawing->first_free < known)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&drawing->busy, &drawing->busy_capacity, drawing->first_free + 1,
                   sizeof *drawing->busy));
    memset(drawing->busy + known, 0, (drawing->busy_capacity - known) * sizeof *drawing->busy);
    return OCELOTL_OK;
}

void oc_walk_release_lane(const oc_interval_walk *walk, uint32_t lane)
{
    oc_drawing *drawing = walk->drawing;
    if (walk->links)
        return;
    drawing->busy[lane] = false;
    drawing->first_free = lane < drawing->first_free ? lane : drawing->first_free;
}

ocelotl_status oc_walk_begin(oc_live *live, const oc_interval_walk *walk, uint32_t value,
                             int64_t begin, uint32_t cell)
{
    *live = (oc_live){.begin = begin, .value = value, .cell = cell};
    if (walk->links)
        return OCELOTL_OK;
    OC_TRY(oc_walk_find_lane(&live->lane, walk->drawing));
    walk->drawing->busy[live->lane] = true;
    return OCELOTL_OK;
}

size_t oc_walk_live_before(const oc_drawing *drawing, int64_t time)
{
    size_t low = 0;
    size_t high = drawing->live_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (oc_drawing_live(drawing, middle)->begin < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
