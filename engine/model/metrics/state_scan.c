#include "model/metrics/state_scan.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status damaged(const oc_state_scan *scan, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s", scan->reader.trace->path,
                   what);
}

static void forget(oc_state_scan *scan)
{
    for (size_t i = 0; i < scan->open_count; i++)
        free(scan->open[i].pieces);
    scan->open_count = 0;
    free(scan->ended.pieces);
    scan->ended = (oc_scanned_state){0};
}

void oc_state_scan_free(oc_state_scan *scan)
{
    forget(scan);
    free(scan->open);
    oc_reader_free(&scan->reader);
    scan->open = NULL;
    scan->open_capacity = 0;
}

static int64_t window_end(const oc_state_scan *scan)
{
    return scan->boundaries[scan->slicing->slices].ticks;
}

static ocelotl_status push(oc_state_scan *scan, uint32_t value, int64_t begin, bool passes)
{
    OC_TRY(oc_grow(&scan->open, &scan->open_capacity, scan->open_count + 1, sizeof *scan->open));
    const bool counts = scan->depth == 0 || scan->open_count < scan->depth;
    scan->open[scan->open_count++] =
        (oc_scanned_state){.value = value,
                           .begin = begin,
                           .passes = passes,
                           .within_depth = counts ? begin : INT64_MAX,
                           .pieces = scan->ended.pieces,
                           .piece_capacity = scan->ended.piece_capacity};
    scan->ended = (oc_scanned_state){0};
    return OCELOTL_OK;
}

ocelotl_status oc_state_scan_begin(oc_state_scan *scan, uint32_t stream)
{
    forget(scan);
    scan->slice = 0;
    scan->time = scan->slicing->begin;
    scan->last = INT64_MIN;
    scan->event_type = scan->reader.trace->streams[stream].event_type;
    OC_TRY(oc_reader_select(&scan->reader, stream));
    /* What ends at the window's beginning is behind it. What is open where a chunk begins is known,
     * but not what it carries. */
    const bool carried =
        scan->conditions != NULL && oc_conditions_concern(scan->conditions, scan->event_type);
    const size_t before =
        carried ? 0 : oc_reader_chunks_before(&scan->reader, scan->slicing->begin);
    scan->chunk = before > 0 ? before - 1 : 0;
    scan->next = 0;
    oc_records_clear(&scan->reader.records);
    if (scan->chunk >= scan->reader.chunk_count)
        return OCELOTL_OK;
    OC_TRY(oc_reader_read(&scan->reader, scan->chunk++, true));
    const oc_fold *fold = &scan->reader.fold;
    for (size_t i = 0; i < fold->open_count; i++) {
        if (oc_fold_open(fold, i)->begin > fold->time)
            return damaged(scan, "something open that cannot be");
        OC_TRY(push(scan, fold->totals[oc_fold_open(fold, i)->total].value,
                    oc_fold_open(fold, i)->begin, true));
    }
    if (fold->total_count > 0)
        scan->last = fold->time;
    return OCELOTL_OK;
}

static ocelotl_status add_piece(oc_scanned_state *state, uint32_t slice, int64_t units)
{
    if (units <= 0)
        return OCELOTL_OK;
    if (state->piece_count > 0 && state->pieces[state->piece_count - 1].slice == slice) {
        state->pieces[state->piece_count - 1].units += units;
        return OCELOTL_OK;
    }
    OC_TRY(oc_grow(&state->pieces, &state->piece_capacity, state->piece_count + 1,
                   sizeof *state->pieces));
    state->pieces[state->piece_count++] = (oc_piece){slice, units};
    return OCELOTL_OK;
}

/* Units within 64 bits: the window has at most `length` of them in each slice. */
static int64_t between(const oc_slicing *slicing, oc_instant from, oc_instant to)
{
    int64_t units = 0;
    return oc_slicing_between(&units, slicing, from, to) ? units : 0;
}

/* The innermost of the states that count. */
static oc_scanned_state *innermost(const oc_state_scan *scan)
{
    const size_t count =
        scan->depth > 0 && scan->open_count > scan->depth ? scan->depth : scan->open_count;
    return &scan->open[count - 1];
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
        if (scan->open_count > 0)
            OC_TRY(add_piece(innermost(scan), scan->slice, between(scan->slicing, from, to)));
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

static ocelotl_status end_state(oc_state_scan *scan, const oc_record *record)
{
    if (record->depth >= scan->open_count)
        return damaged(scan, "something ends that has not begun");
    oc_scanned_state *place = &scan->open[scan->open_count - 1 - record->depth];
    free(scan->ended.pieces);
    scan->ended = *place;
    scan->ended.end = record->time;
    memmove(place, place + 1, record->depth * sizeof *place);
    scan->open_count--;
    /* What was too deep is not any more, where states cross. */
    if (scan->depth > 0 && scan->open_count >= scan->depth &&
        scan->open[scan->depth - 1].within_depth == INT64_MAX)
        scan->open[scan->depth - 1].within_depth = record->time;
    return OCELOTL_OK;
}

/* Whether something is open that concerns the window. */
static bool is_waiting(const oc_state_scan *scan)
{
    return scan->open_count > 0 && scan->open[0].begin <= window_end(scan);
}

static ocelotl_status begin_state(oc_state_scan *scan, const oc_record *record)
{
    oc_verdict verdict = {0};
    if (scan->conditions == NULL)
        return push(scan, record->value, record->time, true);
    OC_TRY(oc_conditions_look(&verdict, scan->conditions, scan->event_type, &scan->reader.records,
                              record));
    return push(scan, record->value, record->time,
                oc_verdict_passes(&verdict, scan->conditions, scan->event_type));
}

static ocelotl_status take(bool *given, oc_state_scan *scan, const oc_record *record)
{
    if (record->time < scan->last)
        return damaged(scan, "time goes back");
    scan->last = record->time;
    if (!scan->without_pieces)
        OC_TRY(pass(scan, record->time));
    *given = false;
    if (!record->ends)
        return begin_state(scan, record);
    OC_TRY(end_state(scan, record));
    *given = scan->ended.begin <= window_end(scan) && record->time >= scan->slicing->begin;
    return OCELOTL_OK;
}

ocelotl_status oc_state_scan_next(const oc_scanned_state **found, oc_state_scan *scan)
{
    bool given = false;
    *found = NULL;
    while (!given) {
        if (scan->next == scan->reader.records.count) {
            if (scan->chunk >= scan->reader.chunk_count)
                return OCELOTL_OK;
            OC_TRY(oc_reader_read(&scan->reader, scan->chunk++, true));
            scan->next = 0;
            continue;
        }
        const oc_record *record = &scan->reader.records.records[scan->next++];
        if (record->time > window_end(scan) && (scan->within || !is_waiting(scan)))
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
