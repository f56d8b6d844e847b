/* Chunks whose totals say enough are passed over: what has ended between two chunks is the
 * difference of their totals, what is open is in both. */
#include "query/drawables/drawn_intervals.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

/* Whether all that began before an instant and is open now still is where a chunk begins. */
static ocelotl_status is_open_at(bool *open, oc_drawing *drawing, size_t chunk, int64_t before,
                                 size_t wanted)
{
    const oc_fold *fold = &drawing->reader.fold;
    size_t count = 0;
    OC_TRY(oc_drawing_go_to(drawing, chunk));
    while (count < fold->open_count && oc_fold_open(fold, count)->begin < before)
        count++;
    *open = count == wanted;
    return OCELOTL_OK;
}

/* How far chunks can be passed over from `chunk` on: not beyond *end, nor the chunk in which
 * something that began before an instant ends, since where it does must be known. */
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

/* Takes what is open from the reader's fold: the first ones have stayed, of the rest *known were
 * open before the run. */
static ocelotl_status take_live(size_t *known, oc_interval_walk *walk, size_t stayed, int64_t begin)
{
    oc_drawing *drawing = walk->drawing;
    const oc_fold *fold = &drawing->reader.fold;
    size_t old = stayed;
    *known = 0;
    OC_TRY(oc_grow(&drawing->next_live, &drawing->next_live_capacity, fold->open_count,
                   sizeof *drawing->live));
    drawing->next_live_count = 0;
    for (size_t i = stayed; i < fold->open_count; i++) {
        const oc_open *open = oc_fold_open(fold, i);
        const uint32_t value = fold->totals[open->total].value;
        size_t same = old;
        while (same < drawing->live_count && open->begin <= begin &&
               (drawing->live[same].begin != open->begin || drawing->live[same].value != value))
            same++;
        oc_live next = {.begin = open->begin,
                        .value = value,
                        .lane = OCELOTL_NONE,
                        .cell = oc_time_cells_find(&drawing->cells, open->begin)};
        if (open->begin <= begin && same < drawing->live_count) {
            next = drawing->live[same];
            old = same + 1;
            ++*known;
        } else if (open->begin < begin) {
            return damaged("what is open has not begun");
        }
        drawing->next_live[drawing->next_live_count++] = next;
    }
    return OCELOTL_OK;
}

/* Gives lanes to what has begun in the run; before, *lane is the first that is free all the while.
 */
static ocelotl_status take_lanes(uint32_t *lane, oc_interval_walk *walk, size_t stayed)
{
    oc_drawing *drawing = walk->drawing;
    for (size_t i = stayed; i < drawing->live_count; i++)
        oc_walk_release_lane(walk, drawing->live[i].lane);
    for (size_t i = 0; i < drawing->next_live_count; i++)
        if (drawing->next_live[i].lane != OCELOTL_NONE)
            drawing->busy[drawing->next_live[i].lane] = true;
    OC_TRY(oc_walk_find_lane(lane, drawing));
    for (size_t i = 0; i < drawing->next_live_count; i++) {
        oc_live *next = &drawing->next_live[i];
        if (next->lane == OCELOTL_NONE)
            OC_TRY(oc_walk_begin(next, walk, next->value, next->begin, next->cell));
    }
    return OCELOTL_OK;
}

static ocelotl_status replace_live(oc_drawing *drawing, size_t stayed)
{
    const size_t count = stayed + drawing->next_live_count;
    OC_TRY(oc_grow(&drawing->live, &drawing->live_capacity, count, sizeof *drawing->live));
    if (drawing->next_live_count > 0)
        memcpy(drawing->live + stayed, drawing->next_live,
               drawing->next_live_count * sizeof *drawing->live);
    drawing->live_count = count;
    return OCELOTL_OK;
}

/* What a total says of a run: how many ended in it, and how long they were. `open` at its end. */
static ocelotl_status find_ended(uint64_t *count, int64_t *ticks, const oc_drawing *drawing,
                                 size_t total, uint32_t open)
{
    static const oc_before none;
    const oc_total *now = &drawing->reader.fold.totals[total];
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

/* How long what did not stay open all the while was open in the run, and how long none of what
 * stayed was the innermost: if nothing was nested in the run, the two are the same. Where they
 * cannot be told apart (something has the value of the innermost that stayed), it may have been. */
static bool may_be_nested(const oc_drawing *drawing, size_t through, int64_t begin, uint64_t closed)
{
    const oc_fold *fold = &drawing->reader.fold;
    const uint32_t top = through > 0 ? oc_fold_open(fold, through - 1)->total : OCELOTL_NONE;
    uint64_t inside = closed - through * ((uint64_t)fold->time - (uint64_t)begin);
    uint64_t innermost = 0;
    size_t like_top = 0;
    for (size_t i = 0; i < fold->open_count; i++)
        inside += (uint64_t)fold->time - (uint64_t)oc_fold_open(fold, i)->begin;
    for (size_t i = 0; i < drawing->live_count; i++) {
        inside -= (uint64_t)begin - (uint64_t)drawing->live[i].begin;
        like_top += through > 0 && drawing->live[i].value == fold->totals[top].value;
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
    bool in_window;
} chunk_run;

/* Counts what ended in a run, into an object for states. */
static ocelotl_status count_run(chunk_run *run, oc_drawing *drawing, oc_merge *merge,
                                const uint32_t *open)
{
    for (size_t i = 0; i < drawing->reader.fold.total_count; i++) {
        uint64_t count;
        int64_t ticks;
        OC_TRY(find_ended(&count, &ticks, drawing, i, open[i]));
        run->count += count;
        run->closed += (uint64_t)ticks;
        if (merge != NULL && count > 0)
            OC_TRY(oc_merge_count(merge, drawing->reader.fold.totals[i].value, count, ticks));
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
    for (size_t i = run->stayed; i < drawing->live_count; i++)
        if (drawing->live[i].lane == run->lane && drawing->live[i].begin < begin)
            begin = drawing->live[i].begin;
    for (size_t i = 0; i < drawing->next_live_count; i++)
        if (drawing->next_live[i].lane == run->lane && drawing->next_live[i].begin < end)
            end = drawing->next_live[i].begin;
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
        before.deep || may_be_nested(drawing, run->through, run->begin, run->closed);
    return OCELOTL_OK;
}

static ocelotl_status merge_links(chunk_run *run, oc_drawing *drawing, const uint32_t *open)
{
    OC_TRY(count_run(run, drawing, NULL, open));
    if (run->count == 0 || !run->in_window)
        return OCELOTL_OK;
    return oc_drawing_add_link(drawing, &(ocelotl_drawn_link){.source = drawing->stream->resource,
                                                              .target = OCELOTL_NONE,
                                                              .value = OCELOTL_NONE,
                                                              .begin = run->begin,
                                                              .end = run->end,
                                                              .count = run->count});
}

/* Takes a run of chunks by what its totals say: before it are in drawing->before, after it in the
 * reader's fold. */
static ocelotl_status take_totals(oc_interval_walk *walk, chunk_run *run, const uint32_t *open)
{
    oc_drawing *drawing = walk->drawing;
    OC_TRY(take_live(&run->through, walk, run->stayed, run->begin));
    run->through += run->stayed;
    if (walk->links) {
        for (size_t i = 0; i < drawing->next_live_count; i++)
            drawing->next_live[i].lane = 0;
        OC_TRY(merge_links(run, drawing, open));
    } else {
        OC_TRY(take_lanes(&run->lane, walk, run->stayed));
        OC_TRY(merge_states(run, drawing, open));
    }
    walk->last = run->end;
    return replace_live(drawing, run->stayed);
}

/* What was before the run has been kept. */
static ocelotl_status take_run(oc_interval_walk *walk, chunk_run *run, size_t chunk, size_t end)
{
    oc_drawing *drawing = walk->drawing;
    const oc_fold *fold = &drawing->reader.fold;
    uint32_t *open = NULL;
    if (drawing->before_open != drawing->live_count)
        return damaged("running totals");
    oc_holes_close(&drawing->live_holes, drawing->live, sizeof *drawing->live);
    run->begin = drawing->reader.chunks[chunk].begin;
    OC_TRY(oc_drawing_go_to(drawing, end));
    run->end = fold->time;
    if (fold->open_count < run->stayed)
        return damaged("running totals");
    OC_TRY(oc_allocate(&open, fold->total_count, sizeof *open));
    for (size_t i = 0; i < fold->open_count; i++)
        open[oc_fold_open(fold, i)->total]++;
    const ocelotl_status status = take_totals(walk, run, open);
    free(open);
    return status;
}

/* One chunk that is longer than a cell, where nothing that ends in it is wide, nor began before the
 * window. */
static ocelotl_status find_coarse(size_t *end, chunk_run *run, oc_drawing *drawing, size_t chunk)
{
    double low;
    double high;
    if (!oc_drawing_may_be_coarse(drawing, chunk))
        return OCELOTL_OK;
    OC_TRY(oc_drawing_keep_before(drawing, chunk));
    OC_TRY(oc_reader_extremes(&low, &high, &drawing->reader, chunk));
    if (high >= (double)drawing->cells.narrow)
        return OCELOTL_OK;
    *end = chunk + 1;
    run->stayed = oc_walk_live_before(drawing, drawing->cells.from);
    return find_end(end, drawing, chunk, drawing->cells.from, run->stayed);
}

ocelotl_status oc_walk_pass_over(oc_interval_walk *walk, size_t *chunk)
{
    oc_drawing *drawing = walk->drawing;
    const oc_time_cells *cells = &drawing->cells;
    const oc_reader *reader = &drawing->reader;
    const int64_t begin = reader->chunks[*chunk].begin;
    chunk_run run = {.in_window = begin <= cells->to};
    if (begin < cells->from || drawing->filtered)
        return OCELOTL_OK;
    run.cell = oc_time_cells_find(cells, begin);
    const int64_t before = run.in_window ? cells->borders[run.cell] : cells->to + 1;
    size_t end =
        run.in_window ? oc_drawing_last_inside(drawing, *chunk, run.cell) : reader->chunk_count - 1;
    run.stayed = oc_walk_live_before(drawing, before);
    /* Where the last run ended, the reader still is. */
    if (end > *chunk) {
        OC_TRY(oc_drawing_keep_before(drawing, *chunk));
        OC_TRY(find_end(&end, drawing, *chunk, before, run.stayed));
    }
    if (end == *chunk && run.in_window)
        OC_TRY(find_coarse(&end, &run, drawing, *chunk));
    if (end == *chunk)
        return OCELOTL_OK;
    OC_TRY(take_run(walk, &run, *chunk, end));
    *chunk = end;
    return OCELOTL_OK;
}
