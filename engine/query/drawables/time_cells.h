/* A window cut into cells of time, each as wide as the narrowest thing that can be seen. */
#ifndef OC_QUERY_DRAWABLES_TIME_CELLS_H
#define OC_QUERY_DRAWABLES_TIME_CELLS_H

#include "base/status.h"

#include <stdint.h>

/* Zero-initialised there are none. */
typedef struct oc_time_cells {
    int64_t from, to;
    uint32_t count;
    int64_t narrow; /* what lasts less is narrow; what lasts as long reaches into the next cell */
    /* count + 1: a cell begins at its border, the last one ends with the window */
    int64_t *borders;
} oc_time_cells;

/* About `wanted` cells (1 or more) of a window; *cells is to be freed in any case. */
ocelotl_status oc_time_cells_make(oc_time_cells *cells, int64_t from, int64_t to, uint32_t wanted);
void oc_time_cells_free(oc_time_cells *cells);

/* The cell of an instant in the window, from a cell that begins before it. O(1) amortised. */
static inline uint32_t oc_time_cells_next(const oc_time_cells *cells, uint32_t cell, int64_t time)
{
    while (cell + 1 < cells->count && time >= cells->borders[cell + 1])
        cell++;
    return cell;
}

/* The cell of any instant, the first or the last for those outside. O(log cells). */
uint32_t oc_time_cells_find(const oc_time_cells *cells, int64_t time);

/* The last instant of a cell. */
static inline int64_t oc_time_cells_last(const oc_time_cells *cells, uint32_t cell)
{
    return cell + 1 < cells->count ? cells->borders[cell + 1] - 1 : cells->to;
}

#endif
