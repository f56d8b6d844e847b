/* States, and links where they begin: what is open, what ends, and the chunks that have to be read.
 */
#include "query/drawables/drawables.h"

/* How many chunks behind the window are looked at for the ends of a stream's links. */
enum { MOST_FOLLOWED = 64 };

/* What a walk needs to know beside what is open. */
typedef struct way {
    oc_drawing *drawing;
    bool links;
    int64_t since; /* ends before it do not count */
    uint32_t cell; /* no later than the next record's */
    unsigned followed;
} way;

/* --- Ends */

/* Gives a state. It does not look for attributes at an end behind the window. */
static ocelotl_status give_state(oc_drawing *drawing, const oc_live *live, int64_t end,
                                 const oc_record *ends)
{
    const int64_t from = drawing->cells.from;
    const int64_t begin = live->event.begin;
    return oc_drawing_add(drawing, &(oc_piece){.begin = begin > from ? begin : from,
                                               .end = end,
                                               .cell = live->cell,
                                               .lane = live->lane,
                                               .value = live->event.value,
                                               .begins_before = begin < from,
                                               .ends_after = ends == NULL,
                                               .live = live,
                                               .ends = ends});
}

/* Gives a link; without a known end it ends where it began. */
static ocelotl_status give_link(oc_drawing *drawing, const oc_live *live, uint32_t target,
                                int64_t end, const oc_record *ends)
{
    const oc_open_event *link = &live->event;
    const char *json;
    OC_TRY(oc_drawing_describe_live(&json, drawing, live, ends));
    return oc_drawing_add_link(drawing, &(ocelotl_drawn_link){.source = drawing->stream->resource,
                                                              .target = target,
                                                              .value = link->value,
                                                              .begin = link->begin,
                                                              .end = end,
                                                              .count = 1,
                                                              .attributes = json});
}

static bool shows(const way *w, const oc_interval *interval)
{
    const oc_filter *filter = &w->drawing->made->filter;
    return interval->passes &&
           oc_filter_shows(filter, w->drawing->stream->event_type, interval->value) &&
           (w->links || oc_filter_lasts(filter, interval->begin, interval->end));
}

static ocelotl_status end_live(const way *w)
{
    oc_drawing *drawing = w->drawing;
    const oc_time_cells *cells = &drawing->cells;
    const oc_interval *interval = &drawing->walk.interval;
    const oc_live *live = drawing->walk.ended;
    if (interval->begin > cells->last)
        return OCELOTL_OK;
    oc_drawing_release_lane(drawing, live);
    if (interval->left < w->since || !shows(w, interval))
        return OCELOTL_OK;
    if (!w->links) {
        const bool after = interval->end > cells->to;
        return give_state(drawing, live, after ? cells->to : interval->end,
                          after ? NULL : interval->ends);
    }
    const int64_t end = interval->target == OCELOTL_NONE ? interval->begin : interval->end;
    return (end < interval->begin ? interval->begin : end) < cells->from
               ? OCELOTL_OK
               : give_link(drawing, live, interval->target, end, interval->ends);
}

/* --- The walk */

static ocelotl_status begin_live(way *w, size_t index)
{
    oc_live *live = oc_drawing_live(w->drawing, index);
    live->cell = w->cell;
    return live->event.begin > w->drawing->cells.last ? OCELOTL_OK
                                                      : oc_drawing_take_lane(live, w->drawing);
}

static ocelotl_status take(way *w, const oc_record *record)
{
    const oc_time_cells *cells = &w->drawing->cells;
    OC_TRY(oc_walk_take(&w->drawing->walk, record));
    if (record->ends)
        return end_live(w);
    if (record->time >= cells->from)
        w->cell = oc_time_cells_next(cells, w->cell, record->time);
    return begin_live(w, w->drawing->walk.open.count - 1);
}

static ocelotl_status begin_walk(way *w, bool within)
{
    oc_drawing *drawing = w->drawing;
    OC_TRY(oc_drawing_walk(drawing, drawing->cells.to, within));
    drawing->first_free = 0;
    for (size_t i = 0; i < drawing->busy_capacity; i++)
        drawing->busy[i] = false;
    for (size_t i = 0; i < drawing->walk.open.count; i++) {
        w->cell = oc_time_cells_find(&drawing->cells, oc_drawing_live(drawing, i)->event.begin);
        OC_TRY(begin_live(w, i));
    }
    w->cell = 0;
    return OCELOTL_OK;
}

/* Ends the walk at the window's end: open states go on, and open links end too far away. */
static ocelotl_status end_walk(const way *w)
{
    oc_drawing *drawing = w->drawing;
    const oc_filter *filter = &drawing->made->filter;
    const uint32_t event_type = drawing->stream->event_type;
    const size_t count = oc_walk_open_until(&drawing->walk, drawing->cells.last);
    for (size_t i = 0; i < count; i++) {
        const oc_live *live = oc_drawing_live(drawing, i);
        if (!oc_filter_shows(filter, event_type, live->event.value) ||
            !oc_verdict_passes(&live->event.verdict, &filter->conditions, event_type))
            continue;
        OC_TRY(w->links ? give_link(drawing, live, OCELOTL_NONE, live->event.begin, NULL)
                        : give_state(drawing, live, drawing->cells.to, NULL));
    }
    return OCELOTL_OK;
}

/* Whether the ends that are still missing are too far. */
static bool is_far(way *w)
{
    const oc_walk *walk = &w->drawing->walk;
    return walk->chunk < walk->reader.chunk_count &&
           walk->reader.chunks[walk->chunk].begin > walk->to && !w->drawing->read &&
           w->followed++ >= MOST_FOLLOWED;
}

ocelotl_status oc_draw_intervals(oc_drawing *drawing)
{
    const int64_t lives_until = drawing->trace->resources[drawing->stream->resource].end;
    const bool links = drawing->stream->role == OC_ROLE_LINKS_OUT;
    way w = {.drawing = drawing, .links = links, .since = drawing->cells.from};
    /* A link that outlives its source is noted at the source's end. */
    if (links && lives_until < w.since)
        w.since = lives_until;
    /* An end decides what passes: it says how long a state lasted, and may carry more. */
    OC_TRY(begin_walk(&w, !links && !drawing->read));
    for (;;) {
        const oc_record *record;
        if (oc_walk_is_between(&drawing->walk)) {
            OC_TRY(oc_drawing_pass_over(drawing));
            if (is_far(&w))
                break;
        }
        OC_TRY(oc_walk_peek(&record, &drawing->walk));
        if (record == NULL)
            break;
        OC_TRY(take(&w, record));
    }
    return end_walk(&w);
}
