/* Events as marks: those of one cell are one. */
#include "query/drawables/drawables.h"

/* Takes the records of a chunk that are in the window. */
static ocelotl_status read_chunk(oc_drawing *drawing, size_t chunk)
{
    const oc_records *records = &drawing->reader.records;
    const oc_time_cells *cells = &drawing->cells;
    int64_t last = INT64_MIN;
    uint32_t cell = 0;
    OC_TRY(oc_reader_read(&drawing->reader, chunk, true));
    for (size_t i = 0; i < records->count && records->records[i].time <= cells->to; i++) {
        const oc_record *record = &records->records[i];
        OC_TRY(oc_drawing_check(drawing, record, last));
        last = record->time;
        bool shows = true;
        if (record->time >= cells->from && drawing->filtered)
            OC_TRY(oc_drawing_shows(&shows, drawing, record, record->value, NULL));
        if (record->time < cells->from || !shows)
            continue;
        cell = cell == 0 ? oc_time_cells_find(cells, record->time)
                         : oc_time_cells_next(cells, cell, record->time);
        OC_TRY(oc_drawing_add(drawing, &(oc_piece){.begin = record->time,
                                                   .end = record->time,
                                                   .cell = cell,
                                                   .value = record->value}));
    }
    return OCELOTL_OK;
}

/* Takes the chunks from one to another, which lie inside a cell, by their totals. */
static ocelotl_status take_run(oc_drawing *drawing, size_t chunk, size_t end, uint32_t cell)
{
    const oc_fold *fold = &drawing->reader.fold;
    oc_merge *merge;
    OC_TRY(oc_drawing_merge(&merge, drawing, 0, cell));
    OC_TRY(oc_drawing_keep_before(drawing, chunk));
    OC_TRY(oc_drawing_go_to(drawing, end));
    oc_merge_extend(merge, drawing->reader.chunks[chunk].begin, fold->time);
    for (size_t i = 0; i < fold->total_count; i++) {
        const uint64_t before = i < drawing->before_count ? drawing->before[i].total.count : 0;
        if (fold->totals[i].count > before)
            OC_TRY(oc_merge_count(merge, fold->totals[i].value, fold->totals[i].count - before, 0));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_draw_instants(oc_drawing *drawing)
{
    const oc_reader *reader = &drawing->reader;
    const size_t before = oc_reader_chunks_before(reader, drawing->cells.from);
    for (size_t chunk = before > 0 ? before - 1 : 0;
         chunk < reader->chunk_count && reader->chunks[chunk].begin <= drawing->cells.to;) {
        const int64_t begin = reader->chunks[chunk].begin;
        const uint32_t cell = oc_time_cells_find(&drawing->cells, begin);
        size_t end =
            begin >= drawing->cells.from ? oc_drawing_last_inside(drawing, chunk, cell) : chunk;
        if (end == chunk && oc_drawing_may_be_coarse(drawing, chunk))
            end = chunk + 1;
        if (end > chunk) {
            OC_TRY(take_run(drawing, chunk, end, cell));
            chunk = end;
        } else {
            OC_TRY(read_chunk(drawing, chunk++));
        }
    }
    return OCELOTL_OK;
}
