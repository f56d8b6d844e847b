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
    oc_state_bytes_free(&scan->bytes);
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

/* Goes on with the records of the walk, which has just begun. */
static void begin_walk(oc_state_scan *scan)
{
    for (size_t i = 0; i < scan->walk.open.count; i++)
        begin_state(scan, i);
}

static bool needs_records(const oc_state_scan *scan, uint32_t stream)
{
    const ocelotl_trace *trace = scan->walk.reader.connection.trace;
    return scan->depth > 0 ||
           oc_conditions_concern(scan->walk.conditions, trace->streams[stream].event_type);
}

/* What ends at the window's beginning is behind it. */
ocelotl_status oc_state_scan_begin(oc_state_scan *scan, uint32_t stream)
{
    forget(scan);
    oc_open_list_shorten(&scan->walk.open, sizeof(scanned), 0);
    scan->slice = 0;
    scan->time = scan->slicing->begin;
    scan->walk.to = window_end(scan);
    scan->walk.item_size = sizeof(scanned);
    scan->source = needs_records(scan, stream) ? OC_SCAN_RECORDS : OC_SCAN_BYTES;
    if (scan->source == OC_SCAN_BYTES) {
        scan->left_out = true;
        OC_TRY(oc_state_bytes_select(&scan->bytes, stream));
        scan->chunk = oc_state_bytes_chunk_at(&scan->bytes, scan->slicing->begin);
        return OCELOTL_OK;
    }
    OC_TRY(oc_walk_begin(&scan->walk, stream, scan->slicing->begin));
    begin_walk(scan);
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

static void give(oc_state_scan *scan, const scanned *state, int64_t end, bool passes)
{
    if (scan->ended.pieces != NULL)
        take_spare(scan);
    scan->ended = (oc_scanned_state){.value = state->event.value,
                                     .begin = state->event.begin,
                                     .end = end,
                                     .passes = passes,
                                     .within_depth = state->within_depth,
                                     .pieces = state->pieces,
                                     .piece_count = state->piece_count,
                                     .piece_capacity = state->piece_capacity};
}

/* Whether what was given last touches the window. */
static bool is_wanted(const oc_state_scan *scan)
{
    return scan->ended.begin <= window_end(scan) && scan->ended.end >= scan->slicing->begin;
}

/* --- From records */

static void end_state(oc_state_scan *scan)
{
    const oc_interval *interval = &scan->walk.interval;
    give(scan, scan->walk.ended, interval->end, interval->passes);
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
    *given = is_wanted(scan);
    return OCELOTL_OK;
}

/* --- From bytes */

static ocelotl_status begin_open(oc_state_scan *scan, int64_t time, uint32_t value)
{
    scanned *begun;
    OC_TRY(oc_open_list_begin(&begun, &scan->walk.open, sizeof *begun));
    *begun =
        (scanned){.event = {.begin = time, .value = value, .found = true}, .within_depth = time};
    return OCELOTL_OK;
}

static ocelotl_status end_open(oc_state_scan *scan, uint64_t depth, int64_t time)
{
    size_t index = 0;
    OC_TRY(oc_open_list_find(&index, &scan->walk.open, depth));
    const scanned ended = *open_at(scan, index);
    OC_TRY(oc_open_list_remove(&scan->walk.open, sizeof ended, index));
    give(scan, &ended, time, true);
    return time >= ended.event.begin ? OCELOTL_OK
                                     : oc_state_bytes_fail(&scan->bytes, "time goes back");
}

static ocelotl_status take_change(bool *given, oc_state_scan *scan)
{
    oc_state_change change;
    OC_TRY(oc_state_bytes_next(&change, &scan->bytes));
    if (!scan->without_pieces)
        OC_TRY(pass(scan, change.time));
    if (change.ends) {
        OC_TRY(end_open(scan, change.depth, change.time));
        *given = is_wanted(scan);
    }
    return change.begins ? begin_open(scan, change.time, change.value) : OCELOTL_OK;
}

static void forget_open(oc_state_scan *scan)
{
    for (size_t i = 0; i < scan->walk.open.count; i++)
        free(open_at(scan, i)->pieces);
    oc_open_list_shorten(&scan->walk.open, sizeof(scanned), 0);
}

/* Begins again with what is open where a chunk begins that has been read. */
static ocelotl_status take_open(oc_state_scan *scan)
{
    forget_open(scan);
    scan->left_out = false;
    for (size_t i = 0; i < scan->bytes.open.count; i++) {
        const oc_open *open = oc_open_list_at(&scan->bytes.open, sizeof *open, i);
        OC_TRY(begin_open(scan, open->begin, open->total));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_row(bool *passes, oc_state_scan *scan)
{
    oc_chunk_row row;
    oc_durations_bytes read;
    OC_TRY(oc_state_bytes_row(&row, &read, &scan->bytes, scan->chunk));
    *passes = false;
    for (bool found = true; found && !*passes;) {
        uint32_t value;
        oc_duration_range range;
        OC_TRY(oc_state_bytes_durations(&found, &value, &range, &read, &scan->bytes));
        *passes = found && range.low <= scan->most && range.high >= scan->least;
    }
    return OCELOTL_OK;
}

/* Whether all that is open behind the next chunk begins with its last record, so that no time in
 * the chunk is theirs. Goes there if so. */
static ocelotl_status pass_over(bool *over, oc_state_scan *scan)
{
    const oc_state_bytes *bytes = &scan->bytes;
    *over = scan->chunk + 1 < bytes->chunk_count;
    if (!*over)
        return OCELOTL_OK;
    OC_TRY(oc_state_bytes_read_open(&scan->bytes, scan->chunk + 1));
    for (size_t i = 0; i < bytes->open.count && *over; i++) {
        const oc_open *open = oc_open_list_at(&bytes->open, sizeof *open, i);
        *over = open->begin == bytes->before;
    }
    if (!*over)
        return OCELOTL_OK;
    forget_open(scan);
    OC_TRY(pass(scan, bytes->before));
    return take_open(scan);
}

/* *over says whether nothing passes that ends in the next chunk, so that it was left out. */
static ocelotl_status leave_out(bool *over, oc_state_scan *scan)
{
    bool passes = true;
    *over = false;
    if (scan->least <= 0 && scan->most == INT64_MAX)
        return OCELOTL_OK;
    const ocelotl_status status = read_row(&passes, scan);
    sqlite3_reset(scan->bytes.read_row);
    OC_TRY(status);
    if (passes)
        return OCELOTL_OK;
    if (!scan->without_pieces)
        return pass_over(over, scan);
    *over = scan->left_out = true;
    return OCELOTL_OK;
}

static ocelotl_status read_chunk(oc_state_scan *scan)
{
    bool over;
    OC_TRY(leave_out(&over, scan));
    const size_t chunk = scan->chunk++;
    if (over)
        return OCELOTL_OK;
    OC_TRY(oc_state_bytes_read(&scan->bytes, chunk));
    return scan->left_out ? take_open(scan) : OCELOTL_OK;
}

/* What is open behind the chunks that were read. */
static ocelotl_status find_open(oc_state_scan *scan)
{
    if (!scan->left_out)
        return OCELOTL_OK;
    if (scan->chunk >= scan->bytes.chunk_count) {
        forget_open(scan);
        return OCELOTL_OK;
    }
    OC_TRY(oc_state_bytes_read_open(&scan->bytes, scan->chunk));
    return take_open(scan);
}

/* Behind the window the walk looks for the ends of what is open: they may be far. */
static ocelotl_status leave_bytes(oc_state_scan *scan)
{
    scan->source = OC_SCAN_NOTHING;
    if (scan->walk.within)
        return OCELOTL_OK;
    OC_TRY(find_open(scan));
    if (oc_walk_open_until(&scan->walk, scan->walk.to) == 0)
        return OCELOTL_OK;
    oc_open_list open = scan->walk.open;
    scan->walk.open = (oc_open_list){0};
    const ocelotl_status status = oc_walk_begin(&scan->walk, scan->bytes.stream, INT64_MIN);
    oc_open_list_free(&scan->walk.open);
    scan->walk.open = open;
    scan->walk.chunk = scan->chunk;
    scan->source = OC_SCAN_RECORDS;
    return status;
}

static ocelotl_status next_by_bytes(bool *given, oc_state_scan *scan)
{
    const oc_state_bytes *bytes = &scan->bytes;
    if (oc_state_bytes_has_next(bytes))
        return oc_fail_in_trace(bytes->connection.trace, take_change(given, scan));
    const bool within =
        scan->chunk < bytes->chunk_count && bytes->places[scan->chunk].begin <= scan->walk.to;
    return within ? read_chunk(scan) : leave_bytes(scan);
}

static ocelotl_status next_by_records(bool *given, oc_state_scan *scan)
{
    const oc_record *record;
    OC_TRY(oc_walk_peek(&record, &scan->walk));
    if (record != NULL)
        return take(given, scan, record);
    scan->source = OC_SCAN_NOTHING;
    return OCELOTL_OK;
}

ocelotl_status oc_state_scan_next(const oc_scanned_state **found, oc_state_scan *scan)
{
    bool given = false;
    *found = NULL;
    while (!given && scan->source == OC_SCAN_BYTES)
        OC_TRY(next_by_bytes(&given, scan));
    while (!given && scan->source == OC_SCAN_RECORDS)
        OC_TRY(next_by_records(&given, scan));
    if (given)
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
