#include "query/drawables/time_cells.h"

#include "base/memory.h"

#include <stdlib.h>

ocelotl_status oc_time_cells_make(oc_time_cells *cells, int64_t from, int64_t to, uint32_t wanted)
{
    const uint64_t span = (uint64_t)to - (uint64_t)from;
    const uint32_t count = span == 0 ? 1 : span < wanted ? (uint32_t)span : wanted;
    const uint64_t whole = span / count;
    const uint64_t rest = span % count;
    *cells = (oc_time_cells){
        .from = from, .to = to, .count = count, .narrow = (int64_t)(whole + (rest > 0))};
    OC_TRY(oc_allocate(&cells->borders, (size_t)count + 1, sizeof *cells->borders));
    for (uint32_t i = 0; i <= count; i++)
        cells->borders[i] = from + (int64_t)(whole * i + rest * i / count);
    return OCELOTL_OK;
}

void oc_time_cells_free(oc_time_cells *cells)
{
    free(cells->borders);
    *cells = (oc_time_cells){0};
}

uint32_t oc_time_cells_find(const oc_time_cells *cells, int64_t time)
{
    uint32_t low = 0;
    uint32_t high = cells->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (cells->borders[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}
