/* Events as marks, where those of one cell are one; and variables as steps. */
#include "query/drawables/drawables.h"

#include <math.h>

/* Whether a chunk comes next that may be taken with others by their totals. */
static bool comes_run(size_t *end, uint32_t *cell, const oc_drawing *drawing)
{
    const oc_walk *walk = &drawing->walk;
    if (!oc_walk_is_between(walk) || walk->chunk >= walk->reader.chunk_count)
        return false;
    oc_drawing_find_run(end, cell, drawing, walk->chunk);
    return *end > walk->chunk;
}

/* --- Events */

static ocelotl_status add_instant(oc_drawing *drawing, uint32_t *cell, const oc_record *record)
{
    const oc_time_cells *cells = &drawing->cells;
    const uint32_t event_type = drawing->stream->event_type;
    if (record->time < cells->from ||
        !oc_filter_shows(&drawing->made->filter, event_type, record->value))
        return OCELOTL_OK;
    *cell = *cell == 0 ? oc_time_cells_find(cells, record->time)
                       : oc_time_cells_next(cells, *cell, record->time);
    return oc_drawing_add(drawing, &(oc_piece){.begin = record->time,
                                               .end = record->time,
                                               .cell = *cell,
                                               .value = record->value});
}

/* Takes the chunks from the next one to another, which lie inside a cell, by their totals. */
static ocelotl_status take_instants(oc_drawing *drawing, size_t end, uint32_t cell)
{
    const size_t chunk = drawing->walk.chunk;
    const oc_fold *fold = &drawing->walk.reader.fold;
    oc_merge *merge;
    OC_TRY(oc_drawing_merge(&merge, drawing, 0, cell));
    OC_TRY(oc_drawing_keep_before(drawing, chunk));
    OC_TRY(oc_drawing_go_to(drawing, end));
    oc_merge_extend(merge, drawing->walk.reader.chunks[chunk].begin, fold->time);
    for (size_t i = 0; i < fold->total_count; i++) {
        const uint64_t before = i < drawing->before_count ? drawing->before[i].total.count : 0;
        if (fold->totals[i].count > before)
            OC_TRY(oc_merge_count(merge, fold->totals[i].value, fold->totals[i].count - before, 0));
    }
    return oc_walk_jump(&drawing->walk, end, 0);
}

ocelotl_status oc_draw_instants(oc_drawing *drawing)
{
    uint32_t cell = 0;
    OC_TRY(oc_drawing_walk(drawing, drawing->cells.last, true));
    for (;;) {
        const oc_record *record;
        size_t end;
        uint32_t inside;
        while (comes_run(&end, &inside, drawing))
            OC_TRY(take_instants(drawing, end, inside));
        OC_TRY(oc_walk_next_instant(&record, &drawing->walk));
        if (record == NULL)
            return OCELOTL_OK;
        OC_TRY(add_instant(drawing, &cell, record));
    }
}

/* --- Variables */

/* Gives a step, if it touches the window. */
static ocelotl_status add_step(oc_drawing *drawing, const oc_step *step, int64_t end)
{
    const oc_time_cells *cells = &drawing->cells;
    if (!step->passes || end < cells->from || step->begin > cells->last ||
        !oc_filter_shows(&drawing->made->filter, drawing->stream->event_type, OCELOTL_NONE))
        return OCELOTL_OK;
    const int64_t begin = step->begin > cells->from ? step->begin : cells->from;
    return oc_drawing_add(
        drawing, &(oc_piece){.begin = begin,
                             .end = end < cells->to ? end : cells->to,
                             .cell = oc_time_cells_find(cells, begin),
                             .value = OCELOTL_NONE,
                             .begins_before = step->begin<cells->from, .ends_after = end> cells->to,
                             .number = step->number});
}

/* What chunks say of their extremes. */
static ocelotl_status find_extremes(double *lowest, double *highest, oc_drawing *drawing,
                                    size_t first, size_t end)
{
    *lowest = INFINITY;
    *highest = -INFINITY;
    for (size_t c = first; c < end; c++) {
        double low;
        double high;
        OC_TRY(oc_reader_extremes(&low, &high, &drawing->walk.reader, c));
        *lowest = low < *lowest ? low : *lowest;
        *highest = high > *highest ? high : *highest;
    }
    return OCELOTL_OK;
}

/* The steps that begin and end in chunks from the next one to another, which lie inside a cell. The
 * last one goes on. */
static ocelotl_status take_steps(oc_drawing *drawing, size_t end, uint32_t cell)
{
    oc_walk *walk = &drawing->walk;
    const size_t chunk = walk->chunk;
    const oc_fold *fold = &walk->reader.fold;
    const int64_t begin = walk->reader.chunks[chunk].begin;
    oc_merge *merge;
    double low;
    double high;
    OC_TRY(oc_drawing_keep_before(drawing, chunk));
    OC_TRY(find_extremes(&low, &high, drawing, chunk, end));
    const oc_total before = drawing->before_count > 0 ? drawing->before[0].total : (oc_total){0};
    if (walk->holds && begin > walk->held.begin)
        OC_TRY(add_step(drawing, &walk->held, begin));
    OC_TRY(oc_reader_read(&walk->reader, end, false));
    if (!fold->has_number || fold->time < begin || fold->totals[0].count <= before.count)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: impossible running totals");
    walk->holds = true;
    walk->held = (oc_step){.begin = fold->time, .number = fold->number, .passes = true};
    const uint64_t count = fold->totals[0].count - before.count - 1;
    if (count > 0) {
        OC_TRY(oc_drawing_merge(&merge, drawing, 0, cell));
        oc_merge_extend(merge, begin, fold->time);
        merge->integral += fold->totals[0].integral - before.integral;
        merge->last = fold->number;
        merge->object.ticks += fold->time - begin;
        merge->object.count += count;
        merge->low = low < merge->low ? low : merge->low;
        merge->high = high > merge->high ? high : merge->high;
    }
    return oc_walk_jump(walk, end, 0);
}

ocelotl_status oc_draw_steps(oc_drawing *drawing)
{
    OC_TRY(oc_drawing_walk(drawing, drawing->cells.to, true));
    for (;;) {
        const oc_step *step;
        size_t end;
        uint32_t cell;
        while (comes_run(&end, &cell, drawing))
            OC_TRY(take_steps(drawing, end, cell));
        OC_TRY(oc_walk_next_step(&step, &drawing->walk));
        if (step == NULL)
            return OCELOTL_OK;
        OC_TRY(add_step(drawing, step, step->end));
    }
}
