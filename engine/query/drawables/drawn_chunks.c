/* What reading chunks for drawables has in common. */
#include "query/drawables/drawables.h"

#include "base/memory.h"

#include <math.h>

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

size_t oc_drawing_last_inside(const oc_drawing *drawing, size_t chunk, uint32_t cell)
{
    const int64_t last = oc_time_cells_last(&drawing->cells, cell);
    if (drawing->filtered)
        return chunk;
    const size_t before = last < INT64_MAX ? oc_reader_chunks_before(&drawing->reader, last + 1)
                                           : drawing->reader.chunk_count;
    return before > chunk + 1 ? before - 1 : chunk;
}

/* What lies further apart than so many cells is seen apart, however much there is elsewhere. */
static const double most_coarse_cells = 20;

bool oc_drawing_may_be_coarse(const oc_drawing *drawing, size_t chunk)
{
    const oc_reader *reader = &drawing->reader;
    if (!drawing->coarse || drawing->filtered || chunk + 1 >= reader->chunk_count)
        return false;
    const int64_t begin = reader->chunks[chunk].begin;
    const int64_t end = reader->chunks[chunk + 1].begin;
    return begin >= drawing->cells.from && end <= drawing->cells.to &&
           (double)end - (double)begin <= most_coarse_cells * (double)drawing->cells.narrow;
}

ocelotl_status oc_drawing_shows(bool *shows, const oc_drawing *drawing, const oc_record *record,
                                uint32_t value, const oc_verdict *before)
{
    const oc_filter *filter = &drawing->made->filter;
    const uint32_t event_type = drawing->stream->event_type;
    oc_verdict verdict = before != NULL ? *before : (oc_verdict){0};
    *shows = !drawing->filtered || oc_filter_shows(filter, event_type, value);
    if (!*shows || !drawing->read)
        return OCELOTL_OK;
    OC_TRY(oc_conditions_look(&verdict, &filter->conditions, event_type, &drawing->reader.records,
                              record));
    *shows = oc_verdict_passes(&verdict, &filter->conditions, event_type);
    return OCELOTL_OK;
}

ocelotl_status oc_drawing_check_value(const oc_drawing *drawing, uint32_t value)
{
    const ocelotl_trace *trace = drawing->trace;
    if (value != OCELOTL_NONE && (value >= trace->value_count ||
                                  trace->values[value].event_type != drawing->stream->event_type))
        return damaged("a value of another type");
    return OCELOTL_OK;
}

ocelotl_status oc_drawing_check(const oc_drawing *drawing, const oc_record *record, int64_t last)
{
    const ocelotl_trace_info *info = &drawing->trace->info;
    if (record->time < last)
        return damaged("time goes back");
    if (record->time < info->begin || record->time > info->end)
        return damaged("a time out of range");
    const bool valued = !record->ends && drawing->stream->role != OC_ROLE_VARIABLE;
    return valued ? oc_drawing_check_value(drawing, record->value) : OCELOTL_OK;
}

/* Values, and what is open, are those of the stream, in order. */
static ocelotl_status check_fold(const oc_drawing *drawing)
{
    const oc_fold *fold = &drawing->reader.fold;
    int64_t last = drawing->trace->info.begin;
    for (size_t i = 0; i < fold->total_count; i++)
        OC_TRY(oc_drawing_check_value(drawing, fold->totals[i].value));
    for (size_t i = 0; i < fold->open_count; i++) {
        if (oc_fold_open(fold, i)->begin < last)
            return damaged("what is open is out of order");
        last = oc_fold_open(fold, i)->begin;
    }
    return fold->open_count > 0 && last > fold->time ? damaged("what is open has not begun")
                                                     : OCELOTL_OK;
}

ocelotl_status oc_drawing_go_to(oc_drawing *drawing, size_t chunk)
{
    oc_fold *fold = &drawing->reader.fold;
    const int64_t begin = drawing->reader.chunks[chunk].begin;
    if (begin < drawing->trace->info.begin || begin > drawing->trace->info.end)
        return damaged("a time out of range");
    if (drawing->reader.at != chunk)
        OC_TRY(oc_reader_read(&drawing->reader, chunk, false));
    if (fold->total_count == 0)
        fold->time = begin;
    OC_TRY(check_fold(drawing));
    return oc_fold_advance(fold, begin);
}

ocelotl_status oc_drawing_keep_before(oc_drawing *drawing, size_t chunk)
{
    const oc_fold *fold = &drawing->reader.fold;
    OC_TRY(oc_drawing_go_to(drawing, chunk));
    OC_TRY(oc_grow(&drawing->before, &drawing->before_capacity, fold->total_count,
                   sizeof *drawing->before));
    drawing->before_count = fold->total_count;
    drawing->before_open = fold->open_count;
    for (size_t i = 0; i < fold->total_count; i++)
        drawing->before[i] = (oc_before){fold->totals[i], 0};
    for (size_t i = 0; i < fold->open_count; i++)
        drawing->before[oc_fold_open(fold, i)->total].open++;
    return OCELOTL_OK;
}
