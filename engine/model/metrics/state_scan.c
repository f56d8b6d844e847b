/* The states of a stream by their records; and by whatever they are read from. */
#include "model/metrics/state_scan.h"

#include <stdlib.h>

void oc_state_scan_free(oc_state_scan *scan)
{
    oc_scan_forget(scan);
    free(scan->spare);
    scan->spare = NULL;
    oc_walk_free(&scan->walk);
    oc_state_bytes_free(&scan->bytes);
}

/* --- From records */

/* Begins a state, or one that was open as the window began. */
static void begin_state(const oc_state_scan *scan, size_t index, int64_t since)
{
    oc_scanned *state = oc_scan_open(scan, index);
    const bool shown = oc_scan_shows(scan, state->event.value);
    state->rank = (index > 0 ? oc_scan_open(scan, index - 1)->rank : 0) + shown;
    const bool counts = shown && (scan->depth == 0 || state->rank <= scan->depth);
    state->detail.within_depth = counts ? state->event.begin : INT64_MAX;
    state->detail.since = counts ? since : INT64_MAX;
}

static ocelotl_status end_state(bool *given, oc_state_scan *scan)
{
    const oc_interval *interval = &scan->walk.interval;
    const bool shown = scan->shown != NULL && oc_scan_shows(scan, interval->value);
    for (size_t i = interval->around; shown && i < scan->walk.open.count; i++)
        oc_scan_open(scan, i)->rank--;
    OC_TRY(oc_scan_give(given, scan, scan->walk.ended, interval->end, interval->passes));
    /* What was too deep is not any more, where states cross. */
    oc_scanned *deepest = scan->depth > 0 && oc_scan_counting(scan) == scan->depth
                              ? oc_scan_find(scan, scan->depth)
                              : NULL;
    if (deepest != NULL && deepest->detail.within_depth == INT64_MAX)
        deepest->detail.within_depth = interval->end;
    return OCELOTL_OK;
}

static ocelotl_status take(bool *given, oc_state_scan *scan, const oc_record *record)
{
    const bool ends = record->ends;
    const int64_t time = record->time;
    if (!ends)
        OC_TRY(oc_scan_cover(scan, record->value, time));
    OC_TRY(oc_walk_take(&scan->walk, record));
    if (ends)
        return end_state(given, scan);
    begin_state(scan, scan->walk.open.count - 1, time);
    return OCELOTL_OK;
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

/* --- From either */

static bool needs_records(const oc_state_scan *scan, uint32_t stream)
{
    const ocelotl_trace *trace = scan->walk.reader.connection.trace;
    return scan->depth > 0 || scan->shown != NULL ||
           oc_conditions_concern(scan->walk.conditions, trace->streams[stream].event_type);
}

/* Begins reading records. A state that ends at the window's begin is before it. */
static ocelotl_status begin_records(oc_state_scan *scan, uint32_t stream)
{
    const int64_t begin = scan->finder.slicing->begin;
    OC_TRY(oc_walk_begin(&scan->walk, stream, begin));
    for (size_t i = 0; i < scan->walk.open.count; i++)
        begin_state(scan, i, INT64_MAX);
    const size_t counting = oc_scan_counting(scan);
    if (counting > 0)
        oc_scan_find(scan, counting)->detail.since = begin;
    return OCELOTL_OK;
}

ocelotl_status oc_state_scan_begin(oc_state_scan *scan, uint32_t stream)
{
    oc_scan_forget(scan);
    scan->walk.to = oc_scan_end(scan);
    scan->walk.item_size = sizeof(oc_scanned);
    scan->source = needs_records(scan, stream) ? OC_SCAN_RECORDS : OC_SCAN_BYTES;
    return scan->source == OC_SCAN_BYTES ? oc_scan_begin_bytes(scan, stream)
                                         : begin_records(scan, stream);
}

ocelotl_status oc_state_scan_next(const oc_scanned_states **found, oc_state_scan *scan)
{
    bool given = false;
    while (!given && scan->source == OC_SCAN_BYTES)
        OC_TRY(oc_scan_next_bytes(&given, scan));
    while (!given && scan->source == OC_SCAN_RECORDS)
        OC_TRY(next_by_records(&given, scan));
    if (!given)
        scan->given.count = 0;
    *found = &scan->given;
    return OCELOTL_OK;
}
