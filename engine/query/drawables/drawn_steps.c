/* A variable as steps. */
#include "query/drawables/drawables.h"

#include <math.h>

/* The step that has begun and not ended. */
typedef struct held_step {
    bool known, hidden;
    int64_t since;
    double number;
} held_step;

/* Gives the step that ends at an instant, if it touches the window. */
static ocelotl_status end_step(oc_drawing *drawing, const held_step *held, int64_t end,
                               bool ends_after)
{
    const oc_time_cells *cells = &drawing->cells;
    if (!held->known || held->hidden || end < cells->from || held->since > cells->to)
        return OCELOTL_OK;
    const int64_t begin = held->since > cells->from ? held->since : cells->from;
    return oc_drawing_add(drawing, &(oc_piece){.begin = begin,
                                               .end = end < cells->to ? end : cells->to,
                                               .cell = oc_time_cells_find(cells, begin),
                                               .value = OCELOTL_NONE,
                                               .begins_before = held->since < cells->from,
                                               .ends_after = ends_after,
                                               .number = held->number});
}

static ocelotl_status read_chunk(oc_drawing *drawing, size_t chunk, held_step *held)
{
    const oc_records *records = &drawing->reader.records;
    int64_t last = INT64_MIN;
    OC_TRY(oc_reader_read(&drawing->reader, chunk, true));
    for (size_t i = 0; i < records->count && records->records[i].time <= drawing->cells.to; i++) {
        const oc_record *record = &records->records[i];
        OC_TRY(oc_drawing_check(drawing, record, last));
        last = record->time;
        if (record->time > held->since)
            OC_TRY(end_step(drawing, held, record->time, false));
        bool shows = true;
        if (drawing->filtered)
            OC_TRY(oc_drawing_shows(&shows, drawing, record, OCELOTL_NONE, NULL));
        *held = (held_step){true, !shows, record->time, record->number};
    }
    return OCELOTL_OK;
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
        OC_TRY(oc_reader_extremes(&low, &high, &drawing->reader, c));
        *lowest = low < *lowest ? low : *lowest;
        *highest = high > *highest ? high : *highest;
    }
    return OCELOTL_OK;
}

/* The steps that begin and end in chunks from one to another, which lie inside a cell. The last one
 * goes on. */
static ocelotl_status take_run(oc_drawing *drawing, size_t chunk, size_t end, uint32_t cell,
                               held_step *held)
{
    const oc_fold *fold = &drawing->reader.fold;
    const int64_t begin = drawing->reader.chunks[chunk].begin;
    oc_merge *merge;
    double low;
    double high;
    OC_TRY(oc_drawing_keep_before(drawing, chunk));
    OC_TRY(find_extremes(&low, &high, drawing, chunk, end));
    const oc_total before = drawing->before_count > 0 ? drawing->before[0].total : (oc_total){0};
    if (begin > held->since)
        OC_TRY(end_step(drawing, held, begin, false));
    OC_TRY(oc_reader_read(&drawing->reader, end, false));
    if (!fold->has_number || fold->time < begin || fold->time > drawing->trace->info.end ||
        fold->totals[0].count <= before.count)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: impossible running totals");
    *held = (held_step){true, false, fold->time, fold->number};
    const uint64_t count = fold->totals[0].count - before.count - 1;
    if (count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_drawing_merge(&merge, drawing, 0, cell));
    oc_merge_extend(merge, begin, fold->time);
    merge->integral += fold->totals[0].integral - before.integral;
    merge->last = fold->number;
    merge->object.ticks += fold->time - begin;
    merge->object.count += count;
    merge->low = low < merge->low ? low : merge->low;
    merge->high = high > merge->high ? high : merge->high;
    return OCELOTL_OK;
}

ocelotl_status oc_draw_steps(oc_drawing *drawing)
{
    const oc_reader *reader = &drawing->reader;
    const oc_time_cells *cells = &drawing->cells;
    const int64_t lives_until = drawing->trace->resources[drawing->stream->resource].end;
    const size_t before = oc_reader_chunks_before(reader, cells->from);
    held_step held = {.since = INT64_MIN};
    for (size_t chunk = before > 0 ? before - 1 : 0;
         chunk < reader->chunk_count && reader->chunks[chunk].begin <= cells->to;) {
        const int64_t begin = reader->chunks[chunk].begin;
        const uint32_t cell = oc_time_cells_find(cells, begin);
        size_t end = begin >= cells->from ? oc_drawing_last_inside(drawing, chunk, cell) : chunk;
        if (end == chunk && oc_drawing_may_be_coarse(drawing, chunk))
            end = chunk + 1;
        if (end > chunk)
            OC_TRY(take_run(drawing, chunk, end, cell, &held));
        else
            OC_TRY(read_chunk(drawing, chunk, &held));
        chunk = end > chunk ? end : chunk + 1;
    }
    return end_step(drawing, &held, lives_until > held.since ? lives_until : held.since,
                    lives_until > cells->to);
}
