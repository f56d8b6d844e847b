#include "store/read/states.h"

#include "base/memory.h"

#include <stdlib.h>

/* A state that is open. */
typedef struct scanned {
    oc_open_event event;
    oc_state_detail detail;
    size_t rank; /* among those that are shown, from 1; of a hidden one that of the next outwards */
} scanned;

static inline scanned *open_at(const oc_state_scan *scan, size_t index)
{
    return oc_open_list_at(&scan->walk.open, sizeof(scanned), index);
}

static inline bool shows(const oc_state_scan *scan, uint32_t value)
{
    return scan->shown == NULL ||
           (value < scan->walk.reader.connection.trace->value_count && scan->shown[value]);
}

static void forget_open(oc_state_scan *scan)
{
    for (size_t i = 0; i < scan->walk.open.count; i++)
        free(open_at(scan, i)->detail.pieces);
    oc_open_list_shorten(&scan->walk.open, sizeof(scanned), 0);
}

/* Keeps the memory of a state given before, which is not needed any more. */
static void keep_spare(oc_state_scan *scan)
{
    if (scan->detail.pieces == NULL)
        return;
    free(scan->spare);
    scan->spare = scan->detail.pieces;
    scan->spare_capacity = scan->detail.piece_capacity;
}

static void forget(oc_state_scan *scan)
{
    forget_open(scan);
    keep_spare(scan);
    scan->detail = (oc_state_detail){0};
    scan->given = (oc_scanned_states){0};
}

void oc_state_scan_free(oc_state_scan *scan)
{
    forget(scan);
    free(scan->spare);
    scan->spare = NULL;
    oc_walk_free(&scan->walk);
    oc_state_bytes_free(&scan->bytes);
}

/* --- Which counted state is the innermost */

/* How many of those open count. Without hidden ones ranks are places; bytes are read without
 * ranks. */
static size_t count_counting(const oc_state_scan *scan)
{
    const size_t open = scan->walk.open.count;
    const size_t shown = scan->shown == NULL || open == 0 ? open : open_at(scan, open - 1)->rank;
    return scan->depth > 0 && shown > scan->depth ? scan->depth : shown;
}

/* The one that counts of a number, from 1; NULL where there is none, and behind a damaged chunk. */
static scanned *find_counting(const oc_state_scan *scan, size_t number)
{
    size_t low = 0;
    size_t high = scan->walk.open.count;
    if (number == 0)
        return NULL;
    if (scan->shown == NULL)
        return open_at(scan, number - 1);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (open_at(scan, middle)->rank < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scan->walk.open.count ? open_at(scan, low) : NULL;
}

/* A state whose time is divided. */
typedef struct dividing {
    oc_state_scan *scan;
    oc_state_detail *detail;
} dividing;

static ocelotl_status add_piece(void *context, uint32_t slice, int64_t units)
{
    const dividing *of = context;
    oc_state_detail *detail = of->detail;
    if (units <= 0)
        return OCELOTL_OK;
    if (detail->piece_count > 0 && detail->pieces[detail->piece_count - 1].slice == slice) {
        detail->pieces[detail->piece_count - 1].units += units;
        return OCELOTL_OK;
    }
    if (detail->pieces == NULL) {
        detail->pieces = of->scan->spare;
        detail->piece_capacity = of->scan->spare_capacity;
        of->scan->spare = NULL;
        of->scan->spare_capacity = 0;
    }
    OC_TRY(oc_grow(&detail->pieces, &detail->piece_capacity, detail->piece_count + 1,
                   sizeof *detail->pieces));
    detail->pieces[detail->piece_count++] = (oc_slice_time){slice, units};
    return OCELOTL_OK;
}

/* Ends the time in which a state is the innermost. Behind the window it has none. */
static ocelotl_status stop(oc_state_scan *scan, scanned *state, int64_t time)
{
    dividing of = {scan, &state->detail};
    const int64_t since = state->detail.since;
    state->detail.since = INT64_MAX;
    return state->event.begin < oc_scan_end(scan)
               ? oc_span_divide(&scan->finder, since, time, add_piece, &of)
               : OCELOTL_OK;
}

/* Another state begins: time passes for the innermost no more. */
static ocelotl_status cover(oc_state_scan *scan, uint32_t value, int64_t time)
{
    const size_t counting = count_counting(scan);
    if (scan->without_pieces || !shows(scan, value) || (scan->depth > 0 && counting >= scan->depth))
        return OCELOTL_OK;
    scanned *innermost = find_counting(scan, counting);
    return innermost != NULL ? stop(scan, innermost, time) : OCELOTL_OK;
}

/* Continues the innermost state that counts, after another has ended. With a depth, one of several
 * that cross may become it. */
static ocelotl_status uncover(oc_state_scan *scan, int64_t time)
{
    const size_t counting = count_counting(scan);
    scanned *innermost = scan->without_pieces ? NULL : find_counting(scan, counting);
    if (innermost == NULL || innermost->detail.since != INT64_MAX)
        return OCELOTL_OK;
    scanned *around = find_counting(scan, counting - 1);
    if (around != NULL && around->detail.since != INT64_MAX)
        OC_TRY(stop(scan, around, time));
    innermost->detail.since = time;
    return OCELOTL_OK;
}

/* Gives a state that has ended, if the window has to do with it. */
static inline void give_ended(bool *given, oc_state_scan *scan, const oc_open_event *state,
                              int64_t end, const oc_state_detail *detail)
{
    scan->run[0] = (oc_ended_state){state->begin, end, state->value};
    scan->given = (oc_scanned_states){scan->run, 1, detail};
    *given = state->begin <= oc_scan_end(scan) && end >= scan->finder.slicing->begin;
}

/* Begins a state, or one that was open before. */
static void begin_state(const oc_state_scan *scan, size_t index, int64_t since)
{
    scanned *state = open_at(scan, index);
    const bool shown = shows(scan, state->event.value);
    state->rank = (index > 0 ? open_at(scan, index - 1)->rank : 0) + shown;
    const bool counts = shown && (scan->depth == 0 || state->rank <= scan->depth);
    state->detail.within_depth = counts ? state->event.begin : INT64_MAX;
    state->detail.since = counts ? since : INT64_MAX;
}

/* Begins with all that was open before; time passes for the innermost since an instant. */
static void begin_open(const oc_state_scan *scan, int64_t since)
{
    for (size_t i = 0; i < scan->walk.open.count; i++)
        begin_state(scan, i, INT64_MAX);
    scanned *innermost = find_counting(scan, count_counting(scan));
    if (innermost != NULL)
        innermost->detail.since = since;
}

/* Ends a state that was open at an index and has been removed from the list. */
static ocelotl_status end_state(bool *given, oc_state_scan *scan, const scanned *ended,
                                size_t index, int64_t time, bool passes)
{
    const bool shown = scan->shown != NULL && shows(scan, ended->event.value);
    for (size_t i = index; shown && i < scan->walk.open.count; i++)
        open_at(scan, i)->rank--;
    /* Gives a state that has ended, after its removal from the list, if the window has to do with
     * it. Time passes for the innermost state again. */
    keep_spare(scan);
    scan->detail = ended->detail;
    scan->detail.passes = passes;
    give_ended(given, scan, &ended->event, time, &scan->detail);
    OC_TRY(uncover(scan, time));
    /* What was too deep is not any more, where states cross. */
    scanned *deepest = scan->depth > 0 && count_counting(scan) == scan->depth
                           ? find_counting(scan, scan->depth)
                           : NULL;
    if (deepest != NULL && deepest->detail.within_depth == INT64_MAX)
        deepest->detail.within_depth = time;
    return OCELOTL_OK;
}

/* --- From records */

static ocelotl_status next_by_records(bool *given, oc_state_scan *scan)
{
    const oc_record *record;
    OC_TRY(oc_walk_peek(&record, &scan->walk));
    if (record == NULL) {
        scan->source = OC_SCAN_NOTHING;
        return OCELOTL_OK;
    }
    const bool ends = record->ends;
    const int64_t time = record->time;
    if (!ends)
        OC_TRY(cover(scan, record->value, time));
    OC_TRY(oc_walk_take(&scan->walk, record));
    const oc_interval *state = &scan->walk.interval;
    if (ends)
        return end_state(given, scan, scan->walk.ended, state->around, state->end, state->passes);
    begin_state(scan, scan->walk.open.count - 1, time);
    return OCELOTL_OK;
}

/* --- From the bytes of chunks */

static scanned begun(int64_t time, uint32_t value)
{
    return (scanned){.event = {.begin = time, .value = value, .found = true},
                     .detail = {.within_depth = time, .since = time}};
}

static ocelotl_status push(oc_state_scan *scan, int64_t time, uint32_t value)
{
    scanned *item;
    OC_TRY(oc_open_list_begin(&item, &scan->walk.open, sizeof *item));
    *item = begun(time, value);
    return OCELOTL_OK;
}

/* Where only begins and ends are asked for, nothing else is kept of what is open. */
static ocelotl_status take_change(bool *given, oc_state_scan *scan)
{
    const bool plain = scan->without_pieces && scan->shown == NULL && scan->depth == 0;
    oc_open_list *open = &scan->walk.open;
    oc_state_change change;
    OC_TRY(oc_state_bytes_next(&change, &scan->bytes));
    if (change.ends) {
        size_t index = 0;
        OC_TRY(oc_open_list_find(&index, open, change.depth));
        const scanned *item = open_at(scan, index);
        if (change.time < item->event.begin)
            return oc_state_bytes_fail(&scan->bytes, "time goes back");
        if (plain) {
            give_ended(given, scan, &item->event, change.time, NULL);
            OC_TRY(oc_open_list_remove(open, sizeof *item, index));
        } else {
            const scanned ended = *item;
            OC_TRY(oc_open_list_remove(open, sizeof ended, index));
            OC_TRY(end_state(given, scan, &ended, index, change.time, true));
        }
    }
    if (!change.begins)
        return OCELOTL_OK;
    if (!plain)
        OC_TRY(cover(scan, change.value, change.time));
    OC_TRY(push(scan, change.time, change.value));
    if (!plain)
        begin_state(scan, open->count - 1, change.time);
    return OCELOTL_OK;
}

/* Takes states that follow each other, where the first of them was the innermost all the time, and
 * gives those that the window has to do with: they begin and end in order. */
static ocelotl_status take_run(size_t *count, bool *given, oc_state_scan *scan)
{
    oc_open_list *open = &scan->walk.open;
    *count = 0;
    if (open->count == 0 || scan->shown != NULL || scan->depth > 0)
        return OCELOTL_OK;
    scanned *innermost = open_at(scan, open->count - 1);
    if (!scan->without_pieces && innermost->detail.since != innermost->event.begin)
        return OCELOTL_OK;
    oc_open last = {innermost->event.begin, innermost->event.value};
    OC_TRY(
        oc_state_bytes_run(count, scan->run, OC_SCAN_RUN, &last, open->count == 1, &scan->bytes));
    if (*count == 0)
        return OCELOTL_OK;
    *innermost = begun(last.begin, last.total);
    if (last.total == OCELOTL_NONE)
        oc_open_list_shorten(open, sizeof *innermost, 0);
    const oc_ended_state *states = scan->run;
    size_t wanted = *count;
    for (; wanted > 0 && states->end < scan->finder.slicing->begin; wanted--)
        states++;
    while (wanted > 0 && states[wanted - 1].begin > oc_scan_end(scan))
        wanted--;
    scan->given = (oc_scanned_states){states, wanted, NULL};
    *given = wanted > 0;
    return OCELOTL_OK;
}

/* Begins again with what is open where a chunk begins that has been read. Time before the chunk has
 * been given already, or is not in the window. */
static ocelotl_status take_open(oc_state_scan *scan)
{
    forget_open(scan);
    scan->left_out = false;
    for (size_t i = 0; i < scan->bytes.open.count; i++) {
        const oc_open *open = oc_open_list_at(&scan->bytes.open, sizeof *open, i);
        OC_TRY(push(scan, open->begin, open->total));
    }
    begin_open(scan, scan->bytes.before);
    return OCELOTL_OK;
}

/* Looks at what the next chunk says of itself: *needed says whether its states are. */
static ocelotl_status look_at_row(bool *needed, oc_state_scan *scan)
{
    oc_chunk_row row;
    oc_durations_bytes read;
    OC_TRY(oc_state_bytes_row(&row, &read, &scan->bytes, scan->chunk));
    const bool enough =
        scan->is_enough != NULL && scan->is_enough(scan->context, row.begin, row.end);
    *needed = scan->is_enough != NULL && !enough;
    for (bool found = true; found && !*needed;) {
        uint32_t value;
        oc_duration_range range;
        OC_TRY(oc_state_bytes_durations(&found, &value, &range, &read, &scan->bytes));
        if (found && enough)
            OC_TRY(scan->take(scan->context, value, row.end, &range));
        else
            *needed = found && range.low <= scan->most && range.high >= scan->least;
    }
    return OCELOTL_OK;
}

/* Whether all that is open behind the next chunk begins with its last record, so that no time in
 * the chunk is theirs. Goes there if so. */
static ocelotl_status pass_over(bool *over, oc_state_scan *scan)
{
    const oc_state_bytes *bytes = &scan->bytes;
    *over = scan->chunk + 1 < scan->walk.reader.chunk_count;
    if (!*over)
        return OCELOTL_OK;
    OC_TRY(oc_state_bytes_read_open(&scan->bytes, scan->chunk + 1));
    for (size_t i = 0; i < bytes->open.count && *over; i++) {
        const oc_open *open = oc_open_list_at(&bytes->open, sizeof *open, i);
        *over = open->begin == bytes->before;
    }
    return *over ? take_open(scan) : OCELOTL_OK;
}

/* Goes to the next chunk, unless nothing of it is needed. */
static ocelotl_status read_chunk(oc_state_scan *scan)
{
    bool needed = true;
    bool over = false;
    if (scan->least > 0 || scan->most < INT64_MAX || scan->is_enough != NULL)
        OC_TRY(look_at_row(&needed, scan));
    if (!needed && scan->without_pieces)
        over = scan->left_out = true;
    else if (!needed)
        OC_TRY(pass_over(&over, scan));
    const size_t chunk = scan->chunk++;
    if (over)
        return OCELOTL_OK;
    OC_TRY(oc_state_bytes_read(&scan->bytes, chunk));
    return scan->left_out ? take_open(scan) : OCELOTL_OK;
}

/* Leaves the bytes at the window's end: the walk looks for the ends of open states, which may be
 * far. */
static ocelotl_status leave_bytes(oc_state_scan *scan)
{
    scan->source = OC_SCAN_NOTHING;
    if (scan->walk.within)
        return OCELOTL_OK;
    if (scan->left_out && scan->chunk >= scan->walk.reader.chunk_count) {
        forget_open(scan);
    } else if (scan->left_out) {
        OC_TRY(oc_state_bytes_read_open(&scan->bytes, scan->chunk));
        OC_TRY(take_open(scan));
    }
    if (oc_walk_open_until(&scan->walk, scan->walk.to) == 0)
        return OCELOTL_OK;
    oc_open_list open = scan->walk.open;
    scan->walk.open = (oc_open_list){0};
    const ocelotl_status status = oc_walk_begin(&scan->walk, scan->walk.reader.stream, INT64_MIN);
    oc_open_list_free(&scan->walk.open);
    scan->walk.open = open;
    scan->walk.chunk = scan->chunk;
    scan->source = OC_SCAN_RECORDS;
    return status;
}

static ocelotl_status next_by_bytes(bool *given, oc_state_scan *scan)
{
    const oc_reader *reader = &scan->walk.reader;
    if (oc_state_bytes_has_next(&scan->bytes)) {
        size_t count;
        ocelotl_status status = take_run(&count, given, scan);
        if (status == OCELOTL_OK && count == 0)
            status = take_change(given, scan);
        return oc_fail_in_stream(reader->connection.trace, reader->stream, status);
    }
    const bool within =
        scan->chunk < reader->chunk_count && reader->chunks[scan->chunk].begin <= scan->walk.to;
    return within ? read_chunk(scan) : leave_bytes(scan);
}

/* --- From either */

ocelotl_status oc_state_scan_begin(oc_state_scan *scan, uint32_t stream)
{
    const ocelotl_trace *trace = scan->walk.reader.connection.trace;
    forget(scan);
    scan->walk.to = oc_scan_end(scan);
    scan->walk.item_size = sizeof(scanned);
    if (scan->walk.conditions != NULL &&
        oc_conditions_concern(scan->walk.conditions, trace->streams[stream].event_type)) {
        /* A state that ends at the window's begin is before it. */
        scan->source = OC_SCAN_RECORDS;
        OC_TRY(oc_walk_begin(&scan->walk, stream, scan->finder.slicing->begin));
        begin_open(scan, scan->finder.slicing->begin);
        return OCELOTL_OK;
    }
    scan->source = OC_SCAN_BYTES;
    scan->left_out = true;
    OC_TRY(oc_reader_select(&scan->walk.reader, stream));
    scan->chunk = oc_reader_chunk_at(&scan->walk.reader, scan->finder.slicing->begin);
    return oc_state_bytes_begin(&scan->bytes, &scan->walk.reader);
}

size_t oc_state_scan_chunks(const oc_state_scan *scan)
{
    return oc_reader_chunk_at(&scan->walk.reader, scan->walk.to) -
           oc_reader_chunk_at(&scan->walk.reader, scan->finder.slicing->begin) + 1;
}

ocelotl_status oc_state_scan_next(const oc_scanned_states **found, oc_state_scan *scan)
{
    bool given = false;
    while (!given && scan->source == OC_SCAN_BYTES)
        OC_TRY(next_by_bytes(&given, scan));
    while (!given && scan->source == OC_SCAN_RECORDS)
        OC_TRY(next_by_records(&given, scan));
    if (!given)
        scan->given.count = 0;
    *found = &scan->given;
    return OCELOTL_OK;
}
