/* The states of a stream by the bytes of its chunks. */
#include "model/metrics/state_scan.h"

#include <stdlib.h>

ocelotl_status oc_scan_begin_bytes(oc_state_scan *scan, uint32_t stream)
{
    scan->left_out = true;
    OC_TRY(oc_state_bytes_select(&scan->bytes, stream));
    scan->chunk = oc_state_bytes_chunk_at(&scan->bytes, scan->finder.slicing->begin);
    return OCELOTL_OK;
}

/* --- Changes */

static oc_scanned begun(int64_t time, uint32_t value)
{
    return (oc_scanned){.event = {.begin = time, .value = value, .found = true},
                        .detail = {.within_depth = time, .since = time}};
}

static ocelotl_status begin_open(oc_state_scan *scan, int64_t time, uint32_t value)
{
    oc_scanned *item;
    OC_TRY(oc_open_list_begin(&item, &scan->walk.open, sizeof *item));
    *item = begun(time, value);
    return OCELOTL_OK;
}

static ocelotl_status end_open(bool *given, oc_state_scan *scan, uint64_t depth, int64_t time)
{
    size_t index = 0;
    OC_TRY(oc_open_list_find(&index, &scan->walk.open, depth));
    const oc_scanned ended = *oc_scan_open(scan, index);
    OC_TRY(oc_open_list_remove(&scan->walk.open, sizeof ended, index));
    OC_TRY(oc_scan_give(given, scan, &ended, time, true));
    return time >= ended.event.begin ? OCELOTL_OK
                                     : oc_state_bytes_fail(&scan->bytes, "time goes back");
}

static ocelotl_status take_change(bool *given, oc_state_scan *scan)
{
    oc_state_change change;
    OC_TRY(oc_state_bytes_next(&change, &scan->bytes));
    if (change.ends)
        OC_TRY(end_open(given, scan, change.depth, change.time));
    if (!change.begins)
        return OCELOTL_OK;
    OC_TRY(oc_scan_cover(scan, change.value, change.time));
    return begin_open(scan, change.time, change.value);
}

/* States that follow each other, where the first of them was the innermost all the time. */
static ocelotl_status take_run(size_t *count, bool *given, oc_state_scan *scan)
{
    oc_open_list *open = &scan->walk.open;
    *count = 0;
    if (open->count == 0)
        return OCELOTL_OK;
    oc_scanned *innermost = oc_scan_open(scan, open->count - 1);
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
    oc_scan_give_run(given, scan, *count);
    return OCELOTL_OK;
}

static ocelotl_status take_changes(bool *given, oc_state_scan *scan)
{
    size_t count;
    OC_TRY(take_run(&count, given, scan));
    return count > 0 ? OCELOTL_OK : take_change(given, scan);
}

/* --- Chunks */

/* Begins again with what is open where a chunk begins that has been read. Time before the chunk has
 * been given already, or is not in the window. */
static ocelotl_status take_open(oc_state_scan *scan)
{
    oc_scan_forget_open(scan);
    scan->left_out = false;
    for (size_t i = 0; i < scan->bytes.open.count; i++) {
        const oc_open *open = oc_open_list_at(&scan->bytes.open, sizeof *open, i);
        OC_TRY(begin_open(scan, open->begin, open->total));
        oc_scan_open(scan, i)->detail.since =
            i + 1 < scan->bytes.open.count ? INT64_MAX : scan->bytes.before;
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
    return *over ? take_open(scan) : OCELOTL_OK;
}

/* *over says whether nothing passes that ends in the next chunk, so that it was left out. */
static ocelotl_status leave_out(bool *over, oc_state_scan *scan)
{
    bool passes = true;
    *over = false;
    if (scan->least <= 0 && scan->most == INT64_MAX)
        return OCELOTL_OK;
    OC_TRY(read_row(&passes, scan));
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

/* --- Behind the window */

/* Finds what is open behind the chunks read. */
static ocelotl_status find_open(oc_state_scan *scan)
{
    if (!scan->left_out)
        return OCELOTL_OK;
    if (scan->chunk >= scan->bytes.chunk_count) {
        oc_scan_forget_open(scan);
        return OCELOTL_OK;
    }
    OC_TRY(oc_state_bytes_read_open(&scan->bytes, scan->chunk));
    return take_open(scan);
}

/* Leaves the bytes at the window's end: the walk looks for the ends of open states, which may be
 * far. */
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

ocelotl_status oc_scan_next_bytes(bool *given, oc_state_scan *scan)
{
    const oc_state_bytes *bytes = &scan->bytes;
    if (oc_state_bytes_has_next(bytes))
        return oc_fail_in_trace(bytes->connection.trace, take_changes(given, scan));
    const bool within =
        scan->chunk < bytes->chunk_count && bytes->places[scan->chunk].begin <= scan->walk.to;
    return within ? read_chunk(scan) : leave_bytes(scan);
}
