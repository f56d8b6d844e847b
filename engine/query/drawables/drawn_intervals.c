/* States, and links where they begin: what is open, what ends, and the lanes of states. Chunks that
 * need not be read are passed over: what has ended between two is the difference of their totals,
 * what is open is in both. */
#include "query/drawables/drawables.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

/* --- Lanes */

static ocelotl_status find_lane(uint32_t *lane, oc_drawing *drawing)
{
    while (drawing->first_free < drawing->busy_capacity && drawing->busy[drawing->first_free])
        drawing->first_free++;
    *lane = (uint32_t)drawing->first_free;
    const size_t known = drawing->busy_capacity;
    if (drawing->first_free < known)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&drawing->busy, &drawing->busy_capacity, drawing->first_free + 1,
                   sizeof *drawing->busy));
    memset(drawing->busy + known, 0, (drawing->busy_capacity - known) * sizeof *drawing->busy);
    return OCELOTL_OK;
}

static bool has_lanes(const oc_drawing *drawing)
{
    return drawing->stream->role == OC_ROLE_STATES;
}

/* Gives what has begun a lane, if it is a state. */
static ocelotl_status take_lane(oc_live *live, oc_drawing *drawing)
{
    live->lane = 0;
    if (!has_lanes(drawing))
        return OCELOTL_OK;
    OC_TRY(find_lane(&live->lane, drawing));
    drawing->busy[live->lane] = true;
    return OCELOTL_OK;
}

static void release_lane(oc_drawing *drawing, const oc_live *live)
{
    if (!has_lanes(drawing))
        return;
    drawing->busy[live->lane] = false;
    drawing->first_free = live->lane < drawing->first_free ? live->lane : drawing->first_free;
}

/* --- How far a run goes */

/* How many began before an instant: they come first. */
static size_t count_before(const oc_open_list *list, size_t size, int64_t time)
{
    return time == INT64_MIN ? 0 : oc_open_list_until(list, size, time - 1);
}

/* Whether all that began before an instant and is open now still is where a chunk begins. */
static ocelotl_status is_open_at(bool *open, oc_drawing *drawing, size_t chunk, int64_t before,
                                 size_t wanted)
{
    const oc_fold *fold = &drawing->walk.reader.fold;
    OC_TRY(oc_drawing_go_to(drawing, chunk));
    *open = count_before(&fold->open, sizeof(oc_open), before) == wanted;
    return OCELOTL_OK;
}

/* Finds how far chunks can be skipped from `chunk` on: up to *end, but not past the chunk in which
 * something ends that began before an instant, since its end must be known. */
static ocelotl_status find_end(size_t *end, oc_drawing *drawing, size_t chunk, int64_t before,
                               size_t wanted)
{
    bool open;
    size_t low = chunk;
    size_t high = *end;
    OC_TRY(is_open_at(&open, drawing, high, before, wanted));
    if (open)
        return OCELOTL_OK;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        OC_TRY(is_open_at(&open, drawing, middle, before, wanted));
        low = open ? middle : low;
        high = open ? high : middle;
    }
    *end = low;
    return OCELOTL_OK;
}

/* Whether something that is open now was so before a run, from one of the old ones on; *old is then
 * behind that. */
static const oc_live *find_old(size_t *old, const oc_drawing *drawing, const oc_open_event *event)
{
    for (size_t i = *old; i < drawing->old_count; i++) {
        const oc_live *live = &drawing->old[i];
        if (live->event.begin == event->begin && live->event.value == event->value) {
            *old = i + 1;
            return live;
        }
    }
    return NULL;
}

/* Takes what is open behind a run. The first `stayed` were open throughout; *known of the others
 * were open before it. The rest have no lane yet. */
static ocelotl_status take_live(size_t *known, oc_drawing *drawing, size_t stayed, int64_t begin)
{
    size_t old = 0;
    *known = 0;
    for (size_t i = stayed; i < drawing->walk.open.count; i++) {
        oc_live *live = oc_drawing_live(drawing, i);
        const oc_live *same =
            live->event.begin <= begin ? find_old(&old, drawing, &live->event) : NULL;
        if (same == NULL && live->event.begin < begin)
            return damaged("what is open has not begun");
        live->cell =
            same != NULL ? same->cell : oc_time_cells_find(&drawing->cells, live->event.begin);
        live->lane = same != NULL ? same->lane : OCELOTL_NONE;
        *known += same != NULL;
    }
    return OCELOTL_OK;
}

/* Finds how many events of a total ended in a run, and their length. `open` is at its end. */
static ocelotl_status find_ended(uint64_t *count, int64_t *ticks, const oc_drawing *drawing,
                                 size_t total, uint32_t open)
{
    static const oc_before none;
    const oc_total *now = &drawing->walk.reader.fold.totals[total];
    const oc_before *before = total < drawing->before_count ? &drawing->before[total] : &none;
    const uint64_t begun = now->count - before->total.count;
    if (total < drawing->before_count && before->total.value != now->value)
        return damaged("running totals");
    if (now->count < before->total.count || begun > INT64_MAX || begun + before->open < open ||
        __builtin_sub_overflow(now->closed, before->total.closed, ticks) || *ticks < 0)
        return damaged("impossible running totals");
    *count = begun + before->open - open;
    return OCELOTL_OK;
}

/* Returns whether something may be nested in the run. It compares how long events that did not stay
 * open were open in the run, and how long no event that stayed was the innermost: without nesting
 * the two are equal. If it cannot distinguish them (an event has the value of the innermost that
 * stayed), the answer is yes. */
static bool may_be_nested(const oc_drawing *drawing, size_t stayed, size_t through, int64_t begin,
                          uint64_t closed)
{
    const oc_fold *fold = &drawing->walk.reader.fold;
    const uint32_t top = through > 0 ? oc_fold_open(fold, through - 1)->total : OCELOTL_NONE;
    uint64_t inside = closed - through * ((uint64_t)fold->time - (uint64_t)begin);
    uint64_t innermost = 0;
    size_t like_top = 0;
    for (size_t i = 0; i < fold->open.count; i++)
        inside += (uint64_t)fold->time - (uint64_t)oc_fold_open(fold, i)->begin;
    for (size_t i = 0; i < stayed + drawing->old_count; i++) {
        const oc_open_event *event =
            i < stayed ? &oc_drawing_live(drawing, i)->event : &drawing->old[i - stayed].event;
        inside -= (uint64_t)begin - (uint64_t)event->begin;
        like_top += through > 0 && event->value == fold->totals[top].value;
    }
    for (size_t i = 0; i < fold->total_count; i++)
        if (i != top)
            innermost +=
                (uint64_t)fold->totals[i].innermost -
                (i < drawing->before_count ? (uint64_t)drawing->before[i].total.innermost : 0);
    for (size_t i = 0; i < through; i++)
        like_top -= oc_fold_open(fold, i)->total == top;
    const bool unlike =
        top == OCELOTL_NONE || (top < drawing->before_count && like_top == 0 &&
                                fold->totals[top].count == drawing->before[top].total.count);
    return !unlike || inside != innermost;
}

typedef struct chunk_run {
    size_t stayed;  /* of what is open, the first ones, for sure; */
    size_t through; /* and how many in fact */
    int64_t begin, end;
    uint32_t cell, lane;
    uint64_t count;  /* of those that ended, */
    uint64_t closed; /* and their durations */
} chunk_run;

/* Counts what ended in a run, into an object for states. */
static ocelotl_status count_run(chunk_run *run, oc_drawing *drawing, oc_merge *merge,
                                const uint32_t *open)
{
    for (size_t i = 0; i < drawing->walk.reader.fold.total_count; i++) {
        uint64_t count;
        int64_t ticks;
        OC_TRY(find_ended(&count, &ticks, drawing, i, open[i]));
        run->count += count;
        run->closed += (uint64_t)ticks;
        if (merge != NULL && count > 0)
            OC_TRY(oc_merge_count(merge, drawing->walk.reader.fold.totals[i].value, count, ticks));
    }
    return OCELOTL_OK;
}

/* An object for the states that ended in a run. It ends where the first one begins that is still
 * open: what comes later is below that. */
static ocelotl_status merge_states(chunk_run *run, oc_drawing *drawing, const uint32_t *open)
{
    oc_merge *merge;
    int64_t begin = run->begin;
    int64_t end = run->end;
    for (size_t i = 0; i < drawing->old_count; i++)
        if (drawing->old[i].lane == run->lane && drawing->old[i].event.begin < begin)
            begin = drawing->old[i].event.begin;
    for (size_t i = run->stayed; i < drawing->walk.open.count; i++) {
        const oc_live *live = oc_drawing_live(drawing, i);
        if (live->lane == run->lane && live->event.begin < end)
            end = live->event.begin;
    }
    OC_TRY(oc_drawing_merge(&merge, drawing, run->lane, run->cell));
    const oc_object before = merge->object;
    OC_TRY(count_run(run, drawing, merge, open));
    if (run->count == 0)
        return OCELOTL_OK;
    const uint64_t count = merge->object.count;
    begin = begin < drawing->cells.from ? drawing->cells.from : begin;
    merge->object.count = before.count;
    oc_merge_extend(merge, begin, end < begin ? begin : end);
    merge->object.count = count;
    merge->object.deep =
        before.deep || may_be_nested(drawing, run->stayed, run->through, run->begin, run->closed);
    return OCELOTL_OK;
}

static ocelotl_status merge_links(chunk_run *run, oc_drawing *drawing, const uint32_t *open)
{
    OC_TRY(count_run(run, drawing, NULL, open));
    if (run->count == 0)
        return OCELOTL_OK;
    return oc_drawing_add_links(drawing, &(ocelotl_drawn_link){.source = drawing->stream->resource,
                                                               .target = OCELOTL_NONE,
                                                               .value = OCELOTL_NONE,
                                                               .begin = run->begin,
                                                               .end = run->end,
                                                               .count = run->count});
}

/* Takes a run of chunks by what its totals say: before it are in drawing->before, after it in the
 * reader's fold. */
static ocelotl_status take_totals(chunk_run *run, oc_drawing *drawing, const uint32_t *open)
{
    OC_TRY(take_live(&run->through, drawing, run->stayed, run->begin));
    run->through += run->stayed;
    /* Gives lanes to what has begun in the run; before, *lane is the first that is free all the
     * while. */
    for (size_t i = 0; i < drawing->old_count; i++)
        release_lane(drawing, &drawing->old[i]);
    for (size_t i = run->stayed; has_lanes(drawing) && i < drawing->walk.open.count; i++)
        if (oc_drawing_live(drawing, i)->lane != OCELOTL_NONE)
            drawing->busy[oc_drawing_live(drawing, i)->lane] = true;
    if (has_lanes(drawing))
        OC_TRY(find_lane(&run->lane, drawing));
    for (size_t i = run->stayed; i < drawing->walk.open.count; i++)
        if (oc_drawing_live(drawing, i)->lane == OCELOTL_NONE)
            OC_TRY(take_lane(oc_drawing_live(drawing, i), drawing));
    return has_lanes(drawing) ? merge_states(run, drawing, open) : merge_links(run, drawing, open);
}

/* Keeps what may end in the run. */
static ocelotl_status keep_old(oc_drawing *drawing, size_t stayed)
{
    const size_t count = drawing->walk.open.count - stayed;
    OC_TRY(oc_grow(&drawing->old, &drawing->old_capacity, count, sizeof *drawing->old));
    for (size_t i = 0; i < count; i++)
        drawing->old[i] = *oc_drawing_live(drawing, stayed + i);
    drawing->old_count = count;
    return OCELOTL_OK;
}

/* Takes a run; the totals before it have been kept. */
static ocelotl_status take_run(oc_drawing *drawing, chunk_run *run, size_t chunk, size_t end)
{
    const oc_fold *fold = &drawing->walk.reader.fold;
    uint32_t *open = NULL;
    if (drawing->before_open != drawing->walk.open.count)
        return damaged("running totals");
    OC_TRY(keep_old(drawing, run->stayed));
    run->begin = drawing->walk.reader.chunks[chunk].begin;
    OC_TRY(oc_drawing_go_to(drawing, end));
    OC_TRY(oc_walk_jump(&drawing->walk, end, run->stayed));
    run->end = fold->time;
    OC_TRY(oc_allocate(&open, fold->total_count, sizeof *open));
    for (size_t i = 0; i < fold->open.count; i++)
        open[oc_fold_open(fold, i)->total]++;
    const ocelotl_status status = take_totals(run, drawing, open);
    free(open);
    return status;
}

/* Finds a run of one chunk longer than a cell: nothing that ends in it is wide or began before the
 * window. */
static ocelotl_status find_coarse(size_t *end, chunk_run *run, oc_drawing *drawing, size_t chunk)
{
    double low;
    double high;
    if (!oc_drawing_may_be_coarse(drawing, chunk))
        return OCELOTL_OK;
    OC_TRY(oc_drawing_keep_before(drawing, chunk));
    OC_TRY(oc_reader_extremes(&low, &high, &drawing->walk.reader, chunk));
    if (high >= (double)drawing->cells.narrow ||
        (low < 0 && drawing->stream->role == OC_ROLE_LINKS_OUT))
        return OCELOTL_OK;
    *end = chunk + 1;
    run->stayed = count_before(&drawing->walk.open, sizeof(oc_live), drawing->cells.from);
    return find_end(end, drawing, chunk, drawing->cells.from, run->stayed);
}

/* Ends a run of links before the first chunk in which one ends before it begins: totals do not tell
 * how many do. */
static ocelotl_status stop_before_wrong(size_t *end, oc_drawing *drawing, size_t chunk)
{
    double low;
    double high;
    if (drawing->stream->role != OC_ROLE_LINKS_OUT)
        return OCELOTL_OK;
    for (size_t i = chunk; i < *end; i++) {
        OC_TRY(oc_reader_extremes(&low, &high, &drawing->walk.reader, i));
        if (low < 0)
            *end = i;
    }
    return OCELOTL_OK;
}

/* Skips as many chunks as possible from the next one on. */
static ocelotl_status pass_over(oc_drawing *drawing)
{
    const oc_time_cells *cells = &drawing->cells;
    const oc_reader *reader = &drawing->walk.reader;
    size_t chunk = drawing->walk.chunk;
    while (!drawing->filtered && chunk < reader->chunk_count) {
        const int64_t begin = reader->chunks[chunk].begin;
        chunk_run run = {.cell = oc_time_cells_find(cells, begin)};
        if (begin < cells->from || begin > cells->last)
            return OCELOTL_OK;
        const int64_t before = cells->borders[run.cell];
        size_t end = oc_drawing_last_inside(drawing, chunk, run.cell);
        OC_TRY(stop_before_wrong(&end, drawing, chunk));
        run.stayed = count_before(&drawing->walk.open, sizeof(oc_live), before);
        /* Where the last run ended, the reader still is. */
        if (end > chunk) {
            OC_TRY(oc_drawing_keep_before(drawing, chunk));
            OC_TRY(find_end(&end, drawing, chunk, before, run.stayed));
        }
        if (end == chunk)
            OC_TRY(find_coarse(&end, &run, drawing, chunk));
        if (end == chunk)
            return OCELOTL_OK;
        OC_TRY(take_run(drawing, &run, chunk, end));
        chunk = end;
    }
    return OCELOTL_OK;
}

/* --- Walks */

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

/* --- Events that end */

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
    release_lane(drawing, live);
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
    return live->event.begin > w->drawing->cells.last ? OCELOTL_OK : take_lane(live, w->drawing);
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
            OC_TRY(pass_over(drawing));
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
