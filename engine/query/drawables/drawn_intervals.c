/* The way through the window: what is open, what ends, and the chunks that have to be read. */
#include "query/drawables/drawn_intervals.h"

#include "base/memory.h"

#include <string.h>

/* How many chunks behind the window are looked at for the ends of a stream's links. */
enum { MOST_FOLLOWED = 64 };

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

/* --- What is open */

static ocelotl_status push(const oc_interval_walk *walk, uint32_t value, int64_t begin,
                           uint32_t cell)
{
    oc_drawing *drawing = walk->drawing;
    const size_t place = oc_holes_end(drawing->live_holes, drawing->live_count);
    if (place == drawing->live_capacity)
        OC_TRY(oc_grow(&drawing->live, &drawing->live_capacity, place + 1, sizeof *drawing->live));
    OC_TRY(oc_holes_add(drawing->live_holes));
    drawing->live_count++;
    return oc_walk_begin(&drawing->live[place], walk, value, begin, cell);
}

/* How many began no later than the window's end. */
static size_t live_in_window(const oc_drawing *drawing)
{
    const int64_t to = drawing->cells.to;
    return to == INT64_MAX ? drawing->live_count : oc_walk_live_before(drawing, to + 1);
}

/* --- Ends */

static ocelotl_status give_state(oc_drawing *drawing, const oc_live *live, int64_t end,
                                 bool ends_after)
{
    const int64_t from = drawing->cells.from;
    if (live->begin > drawing->cells.to)
        return OCELOTL_OK;
    return oc_drawing_add(drawing, &(oc_piece){.begin = live->begin > from ? live->begin : from,
                                               .end = end,
                                               .cell = live->cell,
                                               .lane = live->lane,
                                               .value = live->value,
                                               .begins_before = live->begin < from,
                                               .ends_after = ends_after});
}

/* A link's end may be noted before it, at its resource's; one without an end is where it began. */
static ocelotl_status give_link(oc_drawing *drawing, const oc_live *live, const oc_record *record)
{
    const oc_time_cells *cells = &drawing->cells;
    int64_t end = live->begin;
    if (record->partner != OCELOTL_NONE && record->partner >= drawing->trace->resource_count)
        return damaged("a link to a resource that there is not");
    if (record->partner != OCELOTL_NONE && !oc_add_times(&end, record->time, record->duration))
        return damaged("a time out of range");
    if (live->begin > cells->to || (end < live->begin ? live->begin : end) < cells->from)
        return OCELOTL_OK;
    return oc_drawing_add_link(drawing, &(ocelotl_drawn_link){.source = drawing->stream->resource,
                                                              .target = record->partner,
                                                              .value = live->value,
                                                              .begin = live->begin,
                                                              .end = end,
                                                              .count = 1});
}

static ocelotl_status end_live(const oc_interval_walk *walk, const oc_record *record)
{
    oc_drawing *drawing = walk->drawing;
    if (record->depth >= drawing->live_count)
        return damaged("something ends that has not begun");
    const size_t rank = drawing->live_count - 1 - record->depth;
    oc_live live = *oc_drawing_live(drawing, rank);
    OC_TRY(oc_holes_remove(&drawing->live_holes, drawing->live, sizeof *drawing->live,
                           drawing->live_count, rank));
    drawing->live_count--;
    oc_walk_release_lane(walk, live.lane);
    if (record->time < walk->since)
        return OCELOTL_OK;
    if (drawing->filtered) {
        bool shows;
        OC_TRY(oc_drawing_shows(&shows, drawing, record, live.value, &live.verdict));
        if (!shows ||
            !(walk->links || oc_filter_lasts(&drawing->made->filter, live.begin, record->time)))
            return OCELOTL_OK;
    }
    const bool after = record->time > drawing->cells.to;
    return walk->links
               ? give_link(drawing, &live, record)
               : give_state(drawing, &live, after ? drawing->cells.to : record->time, after);
}

/* --- Chunks that are read */

static ocelotl_status apply(oc_interval_walk *walk, const oc_record *record)
{
    const oc_time_cells *cells = &walk->drawing->cells;
    OC_TRY(oc_drawing_check(walk->drawing, record, walk->last));
    walk->last = record->time;
    if (record->ends)
        return end_live(walk, record);
    if (record->time >= cells->from)
        walk->cell = oc_time_cells_next(cells, walk->cell, record->time);
    OC_TRY(push(walk, record->value, record->time, walk->cell));
    if (!walk->drawing->read)
        return OCELOTL_OK;
    oc_live *live = oc_drawing_live(walk->drawing, walk->drawing->live_count - 1);
    return oc_conditions_look(&live->verdict, &walk->drawing->made->filter.conditions,
                              walk->drawing->stream->event_type, &walk->drawing->reader.records,
                              record);
}

/* *done: nothing that comes later matters. */
static ocelotl_status read_chunk(bool *done, oc_interval_walk *walk, size_t chunk)
{
    oc_drawing *drawing = walk->drawing;
    const oc_records *records = &drawing->reader.records;
    OC_TRY(oc_reader_read(&drawing->reader, chunk, true));
    for (size_t i = 0; i < records->count; i++) {
        const oc_record *record = &records->records[i];
        *done =
            record->time > drawing->cells.to && (!walk->follows || live_in_window(drawing) == 0);
        if (*done)
            return OCELOTL_OK;
        OC_TRY(apply(walk, record));
    }
    return OCELOTL_OK;
}

/* --- The walk */

static ocelotl_status begin_walk(oc_interval_walk *walk, size_t chunk)
{
    oc_drawing *drawing = walk->drawing;
    const oc_fold *fold = &drawing->reader.fold;
    drawing->live_count = 0;
    oc_holes_free(drawing->live_holes);
    drawing->live_holes = NULL;
    drawing->first_free = 0;
    if (drawing->busy_capacity > 0)
        memset(drawing->busy, 0, drawing->busy_capacity * sizeof *drawing->busy);
    if (chunk >= drawing->reader.chunk_count)
        return OCELOTL_OK;
    OC_TRY(oc_drawing_go_to(drawing, chunk));
    for (size_t i = 0; i < fold->open_count; i++)
        OC_TRY(push(walk, fold->totals[oc_fold_open(fold, i)->total].value,
                    oc_fold_open(fold, i)->begin,
                    oc_time_cells_find(&drawing->cells, oc_fold_open(fold, i)->begin)));
    return OCELOTL_OK;
}

/* What is open at the window's end: a state goes on, the end of a link was too far to be looked
 * for. */
static ocelotl_status end_walk(const oc_interval_walk *walk)
{
    oc_drawing *drawing = walk->drawing;
    const size_t count = live_in_window(drawing);
    for (size_t i = 0; i < count; i++) {
        const oc_live *live = oc_drawing_live(drawing, i);
        if (drawing->filtered &&
            !(oc_filter_shows(&drawing->made->filter, drawing->stream->event_type, live->value) &&
              oc_verdict_passes(&live->verdict, &drawing->made->filter.conditions,
                                drawing->stream->event_type)))
            continue;
        if (walk->links)
            OC_TRY(oc_drawing_add_link(drawing,
                                       &(ocelotl_drawn_link){.source = drawing->stream->resource,
                                                             .target = OCELOTL_NONE,
                                                             .value = live->value,
                                                             .begin = live->begin,
                                                             .end = live->begin,
                                                             .count = 1}));
        else
            OC_TRY(give_state(drawing, live, drawing->cells.to, true));
    }
    return OCELOTL_OK;
}

/* Whether a chunk is of no interest, nor are those behind it. */
static bool is_done(oc_interval_walk *walk, size_t chunk)
{
    const oc_drawing *drawing = walk->drawing;
    if (chunk >= drawing->reader.chunk_count)
        return true;
    if (drawing->reader.chunks[chunk].begin <= drawing->cells.to)
        return false;
    if (!walk->follows || live_in_window(drawing) == 0)
        return true;
    return !drawing->read && walk->followed++ >= MOST_FOLLOWED;
}

ocelotl_status oc_draw_intervals(oc_drawing *drawing)
{
    const int64_t lives_until = drawing->trace->resources[drawing->stream->resource].end;
    oc_interval_walk walk = {.drawing = drawing,
                             .links = drawing->stream->role == OC_ROLE_LINKS_OUT,
                             .follows = drawing->stream->role == OC_ROLE_LINKS_OUT ||
                                        oc_filter_times(&drawing->made->filter),
                             .since = drawing->cells.from,
                             .last = INT64_MIN};
    bool done = false;
    /* A link that outlives its source is noted at the source's end. */
    if (walk.links && lives_until < walk.since)
        walk.since = lives_until;
    /* What is open where a chunk begins is known, but not what it carries. */
    const bool carried =
        oc_conditions_concern(&drawing->made->filter.conditions, drawing->stream->event_type);
    const size_t before = carried ? 0 : oc_reader_chunks_before(&drawing->reader, walk.since);
    size_t chunk = before > 0 ? before - 1 : 0;
    OC_TRY(begin_walk(&walk, chunk));
    while (!done && !is_done(&walk, chunk)) {
        const size_t read = chunk;
        OC_TRY(oc_walk_pass_over(&walk, &chunk));
        if (chunk == read)
            OC_TRY(read_chunk(&done, &walk, chunk++));
    }
    return end_walk(&walk);
}
