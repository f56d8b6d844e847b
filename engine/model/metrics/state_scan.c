#include "model/metrics/filling.h"

#include "base/memory.h"

#include <stdlib.h>

/* A state that is open. */
typedef struct scanned {
    oc_open_event event;
    int64_t within_depth;
    oc_slice_time *pieces;
    size_t piece_count, piece_capacity;
} scanned;

static scanned *open_at(const oc_state_scan *scan, size_t index)
{
    return oc_walk_open(&scan->walk, index);
}

static void forget(oc_state_scan *scan)
{
    for (size_t i = 0; i < scan->walk.open.count; i++)
        free(open_at(scan, i)->pieces);
    free(scan->ended.pieces);
    scan->ended = (oc_scanned_state){0};
}

void oc_state_scan_free(oc_state_scan *scan)
{
    forget(scan);
    free(scan->spare);
    scan->spare = NULL;
    oc_walk_free(&scan->walk);
}

static int64_t window_end(const oc_state_scan *scan)
{
    return scan->boundaries[scan->slicing->slices].ticks;
}

/* What has begun last, or was open as the window began. */
static void begin_state(const oc_state_scan *scan, size_t index)
{
    scanned *state = open_at(scan, index);
    const bool counts = scan->depth == 0 || index < scan->depth;
    state->within_depth = counts ? state->event.begin : INT64_MAX;
}

/* What ends at the window's beginning is behind it. */
ocelotl_status oc_state_scan_begin(oc_state_scan *scan, uint32_t stream)
{
    forget(scan);
    scan->slice = 0;
    scan->time = scan->slicing->begin;
    scan->walk.to = window_end(scan);
    scan->walk.item_size = sizeof(scanned);
    OC_TRY(oc_walk_begin(&scan->walk, stream, scan->slicing->begin));
    for (size_t i = 0; i < scan->walk.open.count; i++)
        begin_state(scan, i);
    return OCELOTL_OK;
}

static ocelotl_status add_piece(oc_state_scan *scan, scanned *state, uint32_t slice, int64_t units)
{
    if (units <= 0)
        return OCELOTL_OK;
    if (state->piece_count > 0 && state->pieces[state->piece_count - 1].slice == slice) {
        state->pieces[state->piece_count - 1].units += units;
        return OCELOTL_OK;
    }
    if (state->pieces == NULL) {
        state->pieces = scan->spare;
        state->piece_capacity = scan->spare_capacity;
        scan->spare = NULL;
        scan->spare_capacity = 0;
    }
    OC_TRY(oc_grow(&state->pieces, &state->piece_capacity, state->piece_count + 1,
                   sizeof *state->pieces));
    state->pieces[state->piece_count++] = (oc_slice_time){slice, units};
    return OCELOTL_OK;
}

/* Units within 64 bits: the window has at most `length` of them in each slice. */
static int64_t between(const oc_slicing *slicing, oc_instant from, oc_instant to)
{
    int64_t units = 0;
    return oc_slicing_between(&units, slicing, from, to) ? units : 0;
}

/* The innermost of the states that count. */
static scanned *innermost(const oc_state_scan *scan)
{
    const size_t open = scan->walk.open.count;
    return open_at(scan, (scan->depth > 0 && open > scan->depth ? scan->depth : open) - 1);
}

/* Gives the time that has passed to the innermost state. */
static ocelotl_status pass(oc_state_scan *scan, int64_t time)
{
    const uint32_t slices = scan->slicing->slices;
    if (time > window_end(scan))
        time = window_end(scan);
    while (scan->time < time && scan->slice < slices) {
        const oc_instant from = scan->time > scan->boundaries[scan->slice].ticks
                                    ? (oc_instant){scan->time, 0}
                                    : scan->boundaries[scan->slice];
        const oc_instant boundary = scan->boundaries[scan->slice + 1];
        const bool whole = boundary.ticks < time;
        const oc_instant to = whole ? boundary : (oc_instant){time, 0};
        if (scan->walk.open.count > 0)
            OC_TRY(add_piece(scan, innermost(scan), scan->slice, between(scan->slicing, from, to)));
        if (!whole) {
            scan->time = time;
            scan->slice += boundary.ticks == time && boundary.rest == 0;
            return OCELOTL_OK;
        }
        /* The rest of the boundary's tick is the next slice's: time stays at the boundary, which it
         * begins with. */
        scan->slice++;
        scan->time = boundary.ticks;
    }
    return OCELOTL_OK;
}

/* What was given before is not needed any more. */
static void take_spare(oc_state_scan *scan)
{
    free(scan->spare);
    scan->spare = scan->ended.pieces;
    scan->spare_capacity = scan->ended.piece_capacity;
}

static void end_state(oc_state_scan *scan)
{
    const scanned *state = scan->walk.ended;
    const oc_interval *interval = &scan->walk.interval;
    if (scan->ended.pieces != NULL)
        take_spare(scan);
    scan->ended = (oc_scanned_state){.value = interval->value,
                                     .begin = interval->begin,
                                     .end = interval->end,
                                     .passes = interval->passes,
                                     .within_depth = state->within_depth,
                                     .pieces = state->pieces,
                                     .piece_count = state->piece_count,
                                     .piece_capacity = state->piece_capacity};
    /* What was too deep is not any more, where states cross. */
    if (scan->depth > 0 && scan->walk.open.count >= scan->depth &&
        open_at(scan, scan->depth - 1)->within_depth == INT64_MAX)
        open_at(scan, scan->depth - 1)->within_depth = interval->end;
}

static ocelotl_status take(bool *given, oc_state_scan *scan, const oc_record *record)
{
    *given = false;
    if (!scan->without_pieces)
        OC_TRY(pass(scan, record->time));
    OC_TRY(oc_walk_take(&scan->walk, record));
    if (!record->ends) {
        begin_state(scan, scan->walk.open.count - 1);
        return OCELOTL_OK;
    }
    end_state(scan);
    *given = scan->ended.begin <= window_end(scan) && record->time >= scan->slicing->begin;
    return OCELOTL_OK;
}

ocelotl_status oc_state_scan_next(const oc_scanned_state **found, oc_state_scan *scan)
{
    bool given = false;
    *found = NULL;
    while (!given) {
        const oc_record *record;
        OC_TRY(oc_walk_peek(&record, &scan->walk));
        if (record == NULL)
            return OCELOTL_OK;
        OC_TRY(take(&given, scan, record));
    }
    *found = &scan->ended;
    return OCELOTL_OK;
}

void oc_add_span(int64_t *row, const oc_slicing *slicing, const oc_instant *boundaries,
                 int64_t from, int64_t to)
{
    if (from < boundaries[0].ticks)
        from = boundaries[0].ticks;
    if (to > boundaries[slicing->slices].ticks)
        to = boundaries[slicing->slices].ticks;
    if (from >= to)
        return;
    for (uint32_t slice = oc_slicing_find(slicing, boundaries, from, true); slice < slicing->slices;
         slice++) {
        const oc_instant begin =
            boundaries[slice].ticks >= from ? boundaries[slice] : (oc_instant){from, 0};
        const bool whole = boundaries[slice + 1].ticks < to;
        const int64_t units =
            between(slicing, begin, whole ? boundaries[slice + 1] : (oc_instant){to, 0});
        if (!oc_add_times(&row[slice], row[slice], units))
            row[slice] = INT64_MAX;
        if (!whole)
            return;
    }
}
