/* From events in order to objects, cell by cell of the window. */
#include "query/drawables/drawables.h"

#include "base/memory.h"
#include "store/select/resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The cells of a window, and the chunks that lie inside one: their totals say enough. */

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

/* Objects more than this many cells apart are drawn apart, however many lie elsewhere. */
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

/* --- From events in order to objects: what is narrow is collected, by lane and cell, until the
 * next cell. */

/* Makes sure that a lane is there. */
static ocelotl_status need_lane(oc_drawing *drawing, uint32_t lane)
{
    const size_t before = drawing->merge_capacity;
    if (lane < drawing->merge_count)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&drawing->merges, &drawing->merge_capacity, (size_t)lane + 1,
                   sizeof *drawing->merges));
    memset(drawing->merges + before, 0,
           (drawing->merge_capacity - before) * sizeof *drawing->merges);
    drawing->merge_count = (size_t)lane + 1;
    return OCELOTL_OK;
}

static bool is_variable(const oc_drawing *drawing)
{
    return drawing->stream->role == OC_ROLE_VARIABLE;
}

static ocelotl_status give(oc_drawing *drawing, const oc_object *object)
{
    oc_drawn_pool *pool = drawing->pool;
    const ocelotl_status status = oc_grow(&pool->objects, &pool->object_capacity,
                                          pool->object_count + 1, sizeof *pool->objects);
    if (status != OCELOTL_OK) {
        free(object->attributes);
        return status;
    }
    pool->objects[pool->object_count++] = *object;
    if (object->attributes != NULL) {
        drawing->carrying.row_bytes += strlen(object->attributes);
        oc_drawing_bound_attributes(drawing);
    }
    return OCELOTL_OK;
}

/* Says what a single event carries. */
static ocelotl_status attach(oc_object *object, oc_drawing *drawing, const oc_piece *piece)
{
    const char *json;
    OC_TRY(piece->live != NULL ? oc_drawing_describe_live(&json, drawing, piece->live, piece->ends)
                               : oc_drawing_describe(&json, drawing, NULL, piece->ends));
    return oc_drawing_attach(drawing, object, json);
}

static ocelotl_status give_numbers(uint64_t *place, oc_drawing *drawing, const oc_numbers *numbers)
{
    oc_drawn_pool *pool = drawing->pool;
    OC_TRY(oc_grow(&pool->numbers, &pool->number_capacity, pool->number_count + 1,
                   sizeof *pool->numbers));
    *place = pool->number_count;
    pool->numbers[pool->number_count++] = *numbers;
    return OCELOTL_OK;
}

static int compare_shares(const void *left, const void *right)
{
    const ocelotl_drawn_share *a = left;
    const ocelotl_drawn_share *b = right;
    if (a->ticks != b->ticks)
        return a->ticks < b->ticks ? 1 : -1;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

/* The largest ones are kept; a single event needs none. */
static ocelotl_status give_shares(oc_object *object, oc_drawing *drawing, oc_merge *merge)
{
    oc_drawn_pool *pool = drawing->pool;
    if (merge->share_count > 1)
        qsort(merge->shares, merge->share_count, sizeof *merge->shares, compare_shares);
    object->value = merge->share_count > 0 ? merge->shares[0].value : OCELOTL_NONE;
    object->shares = 0;
    if (object->count == 1)
        return OCELOTL_OK;
    object->shares = merge->share_count < drawing->max_values ? (uint32_t)merge->share_count
                                                              : drawing->max_values;
    object->share = pool->share_count;
    OC_TRY(oc_grow(&pool->shares, &pool->share_capacity, pool->share_count + object->shares,
                   sizeof *pool->shares));
    for (uint32_t i = 0; i < object->shares; i++)
        pool->shares[pool->share_count++] = merge->shares[i];
    return OCELOTL_OK;
}

static ocelotl_status give_merged(oc_drawing *drawing, oc_merge *merge)
{
    oc_object object = merge->object;
    if (object.count == 0)
        return OCELOTL_OK;
    if (is_variable(drawing)) {
        const double mean = object.ticks > 0 ? merge->integral / (double)object.ticks : merge->last;
        OC_TRY(give_numbers(&object.share, drawing, &(oc_numbers){merge->low, merge->high, mean}));
    } else {
        OC_TRY(give_shares(&object, drawing, merge));
    }
    if (object.count > 1) {
        object.begins_before = object.ends_after = false;
        free(object.attributes);
        object.attributes = NULL;
    }
    merge->object = (oc_object){0};
    merge->share_count = 0;
    return give(drawing, &object);
}

ocelotl_status oc_drawing_merge(oc_merge **merge, oc_drawing *drawing, uint32_t lane, uint32_t cell)
{
    OC_TRY(need_lane(drawing, lane));
    oc_merge *found = &drawing->merges[lane];
    if (found->object.count > 0 && found->cell != cell)
        OC_TRY(give_merged(drawing, found));
    if (found->object.count == 0)
        *found = (oc_merge){.object = {.value = OCELOTL_NONE, .lane = lane},
                            .cell = cell,
                            .low = INFINITY,
                            .high = -INFINITY,
                            .shares = found->shares,
                            .share_capacity = found->share_capacity};
    *merge = found;
    return OCELOTL_OK;
}

void oc_merge_extend(oc_merge *merge, int64_t begin, int64_t end)
{
    oc_object *object = &merge->object;
    if (object->count == 0 || begin < object->begin)
        object->begin = begin;
    if (object->count == 0 || end > object->end)
        object->end = end;
}

ocelotl_status oc_merge_count(oc_merge *merge, uint32_t value, uint64_t count, int64_t ticks)
{
    size_t i = merge->share_count;
    while (i > 0 && merge->shares[i - 1].value != value)
        i--;
    if (i == 0) {
        OC_TRY(oc_grow(&merge->shares, &merge->share_capacity, merge->share_count + 1,
                       sizeof *merge->shares));
        merge->shares[merge->share_count++] = (ocelotl_drawn_share){.value = value};
        i = merge->share_count;
    }
    ocelotl_drawn_share *share = &merge->shares[i - 1];
    share->count += count;
    merge->object.count += count;
    if (!oc_add_times(&share->ticks, share->ticks, ticks) ||
        !oc_add_times(&merge->object.ticks, merge->object.ticks, ticks))
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: a total out of range");
    return OCELOTL_OK;
}

static ocelotl_status add_narrow(oc_drawing *drawing, const oc_piece *piece)
{
    oc_merge *merge;
    const int64_t ticks = piece->end - piece->begin;
    OC_TRY(oc_drawing_merge(&merge, drawing, piece->lane, piece->cell));
    oc_merge_extend(merge, piece->begin, piece->end);
    merge->object.begins_before = piece->begins_before;
    merge->object.ends_after = piece->ends_after;
    if (merge->object.count == 0)
        OC_TRY(attach(&merge->object, drawing, piece));
    if (!is_variable(drawing))
        return oc_merge_count(merge, piece->value, 1, ticks);
    merge->low = piece->number < merge->low ? piece->number : merge->low;
    merge->high = piece->number > merge->high ? piece->number : merge->high;
    merge->integral += piece->number * (double)ticks;
    merge->last = piece->number;
    merge->object.ticks += ticks;
    merge->object.count++;
    return OCELOTL_OK;
}

ocelotl_status oc_drawing_add(oc_drawing *drawing, const oc_piece *piece)
{
    const int64_t ticks = piece->end - piece->begin;
    if (ticks < drawing->cells.narrow || ticks == 0)
        return add_narrow(drawing, piece);
    oc_object object = {.begin = piece->begin,
                        .end = piece->end,
                        .ticks = ticks,
                        .count = 1,
                        .value = piece->value,
                        .lane = piece->lane,
                        .begins_before = piece->begins_before,
                        .ends_after = piece->ends_after};
    OC_TRY(need_lane(drawing, piece->lane));
    if (is_variable(drawing))
        OC_TRY(give_numbers(&object.share, drawing,
                            &(oc_numbers){piece->number, piece->number, piece->number}));
    OC_TRY(attach(&object, drawing, piece));
    return give(drawing, &object);
}

static int compare_objects(const void *left, const void *right)
{
    const oc_object *a = left;
    const oc_object *b = right;
    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static bool are_in_order(const oc_object *objects, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_objects(&objects[i - 1], &objects[i]) > 0)
            return false;
    return true;
}

ocelotl_status oc_drawing_end_row(oc_drawing *drawing)
{
    oc_drawn_pool *pool = drawing->pool;
    oc_drawn_row *row = &drawing->made->rows[drawing->row];
    for (size_t i = 0; i < drawing->merge_count; i++)
        OC_TRY(give_merged(drawing, &drawing->merges[i]));
    row->lanes = drawing->merge_count > 0 ? (uint32_t)drawing->merge_count : 1;
    row->count = pool->object_count - row->first;
    drawing->merge_count = 0;
    drawing->carrying.row_bytes = 0;
    drawing->carrying.row_shortest = 0;
    /* An empty row has no array. */
    if (row->count > 1 && !are_in_order(pool->objects + row->first, row->count))
        qsort(pool->objects + row->first, row->count, sizeof *pool->objects, compare_objects);
    return OCELOTL_OK;
}

bool oc_drawing_wants(const oc_drawing *drawing, const oc_stream *stream)
{
    return stream->count > 0 && oc_is_selected(drawing->resources, stream->resource) &&
           oc_is_selected(drawing->event_types, stream->event_type);
}

/* --- Events as marks, where those of one cell are one; and variables as steps. */

/* Whether chunks come next that may be taken by their totals: how far they lie inside one cell. One
 * chunk may also be longer, where much is drawn. */
static bool comes_run(size_t *end, uint32_t *cell, const oc_drawing *drawing)
{
    const oc_walk *walk = &drawing->walk;
    const size_t chunk = walk->chunk;
    if (!oc_walk_is_between(walk) || chunk >= walk->reader.chunk_count)
        return false;
    const int64_t begin = walk->reader.chunks[chunk].begin;
    *end = chunk;
    *cell = oc_time_cells_find(&drawing->cells, begin);
    if (begin >= drawing->cells.from && begin <= drawing->cells.last)
        *end = oc_drawing_last_inside(drawing, chunk, *cell);
    if (*end == chunk && oc_drawing_may_be_coarse(drawing, chunk))
        *end = chunk + 1;
    return *end > chunk;
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
                                               .value = record->value,
                                               .ends = record});
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

/* Finds the extremes that chunks record about themselves. */
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
