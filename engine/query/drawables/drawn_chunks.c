/* The cells of a window, and the chunks that lie inside one: their totals say enough. */
#include "query/drawables/drawables.h"

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

/* --- Chunks */

ocelotl_status oc_drawing_walk(oc_drawing *drawing, int64_t to, bool within)
{
    drawing->walk.conditions = &drawing->made->filter.conditions;
    drawing->walk.item_size = sizeof(oc_live);
    drawing->walk.to = to;
    drawing->walk.within = within;
    return oc_walk_begin(&drawing->walk, drawing->index, drawing->cells.from);
}

size_t oc_drawing_last_inside(const oc_drawing *drawing, size_t chunk, uint32_t cell)
{
    const int64_t last = oc_time_cells_last(&drawing->cells, cell);
    if (drawing->filtered)
        return chunk;
    const size_t before = last < INT64_MAX
                              ? oc_reader_chunks_before(&drawing->walk.reader, last + 1)
                              : drawing->walk.reader.chunk_count;
    return before > chunk + 1 ? before - 1 : chunk;
}

/* What lies further apart than so many cells is seen apart, however much there is elsewhere. */
static const double most_coarse_cells = 20;

bool oc_drawing_may_be_coarse(const oc_drawing *drawing, size_t chunk)
{
    const oc_reader *reader = &drawing->walk.reader;
    if (!drawing->coarse || drawing->filtered || chunk + 1 >= reader->chunk_count)
        return false;
    const int64_t begin = reader->chunks[chunk].begin;
    const int64_t end = reader->chunks[chunk + 1].begin;
    return begin >= drawing->cells.from && end <= drawing->cells.to &&
           (double)end - (double)begin <= most_coarse_cells * (double)drawing->cells.narrow;
}

void oc_drawing_find_run(size_t *end, uint32_t *cell, const oc_drawing *drawing, size_t chunk)
{
    const int64_t begin = drawing->walk.reader.chunks[chunk].begin;
    *end = chunk;
    *cell = oc_time_cells_find(&drawing->cells, begin);
    if (begin >= drawing->cells.from && begin <= drawing->cells.last)
        *end = oc_drawing_last_inside(drawing, chunk, *cell);
    if (*end == chunk && oc_drawing_may_be_coarse(drawing, chunk))
        *end = chunk + 1;
}

ocelotl_status oc_drawing_go_to(oc_drawing *drawing, size_t chunk)
{
    oc_fold *fold = &drawing->walk.reader.fold;
    const int64_t begin = drawing->walk.reader.chunks[chunk].begin;
    if (drawing->walk.reader.at != chunk)
        OC_TRY(oc_reader_read(&drawing->walk.reader, chunk, false));
    if (fold->total_count == 0)
        fold->time = begin;
    return oc_fold_advance(fold, begin);
}

ocelotl_status oc_drawing_keep_before(oc_drawing *drawing, size_t chunk)
{
    const oc_fold *fold = &drawing->walk.reader.fold;
    OC_TRY(oc_drawing_go_to(drawing, chunk));
    OC_TRY(oc_grow(&drawing->before, &drawing->before_capacity, fold->total_count,
                   sizeof *drawing->before));
    drawing->before_count = fold->total_count;
    drawing->before_open = fold->open.count;
    for (size_t i = 0; i < fold->total_count; i++)
        drawing->before[i] = (oc_before){fold->totals[i], 0};
    for (size_t i = 0; i < fold->open.count; i++)
        drawing->before[oc_fold_open(fold, i)->total].open++;
    return OCELOTL_OK;
}
