/* States that are open during a scan, and the details given of each. */
#include "model/metrics/state_scan.h"

#include "base/memory.h"

#include <stdlib.h>

void oc_scan_forget_open(oc_state_scan *scan)
{
    for (size_t i = 0; i < scan->walk.open.count; i++)
        free(oc_scan_open(scan, i)->detail.pieces);
    oc_open_list_shorten(&scan->walk.open, sizeof(oc_scanned), 0);
}

/* --- Which counted state is the innermost */

/* Without hidden ones ranks are places; bytes are read without ranks. */
static size_t shown_of(const oc_state_scan *scan)
{
    const size_t open = scan->walk.open.count;
    return scan->shown == NULL || open == 0 ? open : oc_scan_open(scan, open - 1)->rank;
}

size_t oc_scan_counting(const oc_state_scan *scan)
{
    const size_t shown = shown_of(scan);
    return scan->depth > 0 && shown > scan->depth ? scan->depth : shown;
}

oc_scanned *oc_scan_find(const oc_state_scan *scan, size_t number)
{
    size_t low = 0;
    size_t high = scan->walk.open.count;
    if (scan->shown == NULL)
        return oc_scan_open(scan, number - 1);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (oc_scan_open(scan, middle)->rank < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scan->walk.open.count ? oc_scan_open(scan, low) : NULL;
}

/* Reuses the memory for pieces of a state given before. */
static void take_spare(oc_state_detail *detail, oc_state_scan *scan)
{
    detail->pieces = scan->spare;
    detail->piece_capacity = scan->spare_capacity;
    scan->spare = NULL;
    scan->spare_capacity = 0;
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
    if (detail->pieces == NULL)
        take_spare(detail, of->scan);
    OC_TRY(oc_grow(&detail->pieces, &detail->piece_capacity, detail->piece_count + 1,
                   sizeof *detail->pieces));
    detail->pieces[detail->piece_count++] = (oc_slice_time){slice, units};
    return OCELOTL_OK;
}

/* Ends the time in which a state is the innermost. Behind the window it has none. */
static ocelotl_status stop(oc_state_scan *scan, oc_scanned *state, int64_t time)
{
    dividing of = {scan, &state->detail};
    const int64_t since = state->detail.since;
    state->detail.since = INT64_MAX;
    return state->event.begin < oc_scan_end(scan)
               ? oc_span_divide(&scan->finder, since, time, add_piece, &of)
               : OCELOTL_OK;
}

ocelotl_status oc_scan_cover(oc_state_scan *scan, uint32_t value, int64_t time)
{
    const size_t counting = oc_scan_counting(scan);
    const bool counts = oc_scan_shows(scan, value) && (scan->depth == 0 || counting < scan->depth);
    oc_scanned *innermost =
        counts && counting > 0 && !scan->without_pieces ? oc_scan_find(scan, counting) : NULL;
    return innermost != NULL ? stop(scan, innermost, time) : OCELOTL_OK;
}

/* Continues the innermost state that counts, after another has ended. With a depth, one of several
 * that cross may become it. */
static ocelotl_status uncover(oc_state_scan *scan, int64_t time)
{
    const size_t counting = oc_scan_counting(scan);
    oc_scanned *innermost =
        counting > 0 && !scan->without_pieces ? oc_scan_find(scan, counting) : NULL;
    if (innermost == NULL || innermost->detail.since != INT64_MAX)
        return OCELOTL_OK;
    oc_scanned *around = counting > 1 ? oc_scan_find(scan, counting - 1) : NULL;
    if (around != NULL && around->detail.since != INT64_MAX)
        OC_TRY(stop(scan, around, time));
    innermost->detail.since = time;
    return OCELOTL_OK;
}

/* --- What has ended */

static bool is_wanted(const oc_state_scan *scan, const oc_ended_state *state)
{
    return state->begin <= oc_scan_end(scan) && state->end >= scan->finder.slicing->begin;
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

void oc_scan_forget(oc_state_scan *scan)
{
    oc_scan_forget_open(scan);
    keep_spare(scan);
    scan->detail = (oc_state_detail){0};
    scan->given = (oc_scanned_states){0};
}

ocelotl_status oc_scan_give(bool *given, oc_state_scan *scan, const oc_scanned *state, int64_t end,
                            bool passes)
{
    keep_spare(scan);
    scan->detail = state->detail;
    scan->detail.passes = passes;
    scan->run[0] = (oc_ended_state){state->event.begin, end, state->event.value};
    scan->given = (oc_scanned_states){scan->run, 1, &scan->detail};
    *given = is_wanted(scan, scan->run);
    return uncover(scan, end);
}

/* Gives the states of a run; they begin and end in order. */
void oc_scan_give_run(bool *given, oc_state_scan *scan, size_t count)
{
    const oc_ended_state *states = scan->run;
    while (count > 0 && states->end < scan->finder.slicing->begin) {
        states++;
        count--;
    }
    while (count > 0 && states[count - 1].begin > oc_scan_end(scan))
        count--;
    scan->given = (oc_scanned_states){states, count, NULL};
    *given = count > 0;
}
