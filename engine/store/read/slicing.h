/* A window of time cut into equal slices, exactly. A boundary between slices is rarely a whole
 * tick; it is kept as ticks and a remainder in units of 1 / slices tick, so that durations in a
 * slice are whole numbers of those units and a slice is `length` of them: nothing is rounded, and a
 * slice filled by one state holds exactly 1. */
#ifndef OC_STORE_READ_SLICING_H
#define OC_STORE_READ_SLICING_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oc_slicing {
    int64_t begin;   /* ticks */
    uint64_t length; /* of the window in ticks, which is that of a slice in units */
    uint32_t slices; /* 1 .. length */
} oc_slicing;

/* An instant, or a span of time: ticks + rest / slices. */
typedef struct oc_instant {
    int64_t ticks;
    uint32_t rest;
} oc_instant;

/* Where slice `index` begins; index == slices is the window's end. */
oc_instant oc_slicing_boundary(const oc_slicing *slicing, uint32_t index);

/* The time between two instants in units; false where it does not fit 64 bits. */
bool oc_slicing_between(int64_t *units, const oc_slicing *slicing, oc_instant from, oc_instant to);

/* How much of the life begin..end (ticks) has passed at an instant. */
oc_instant oc_slicing_lived(oc_instant now, int64_t begin, int64_t end);

/* The slices that a life begin..end (ticks, within the window) touches: *first .. *last - 1, none
 * for a life of no length. O(log slices). */
void oc_slicing_touched(uint32_t *first, uint32_t *last, const oc_slicing *slicing, int64_t begin,
                        int64_t end);

/* The slice of a tick: the last one that begins before it or at it. `boundaries` has slices + 1. 0
 * for a tick before the window, the last slice for one behind. O(1). */
uint32_t oc_slicing_find(const oc_slicing *slicing, const oc_instant *boundaries, int64_t tick);

/* Turns units traced in each slice into units untraced, for the life begin..end (ticks). A slice is
 * lived in or not: one that is lived in counts whole, see ocelotl_model_from_trace. `boundaries`
 * are all slices + 1. */
void oc_slicing_untraced(int64_t *units, const oc_slicing *slicing, const oc_instant *boundaries,
                         int64_t begin, int64_t end);

/* --- How spans of time fall into slices, in whole units */

/* Spans come mostly in the order of time: the slice of the last one is kept. Zero-initialised but
 * for the slicing and its slices + 1 boundaries it is before all. */
typedef struct oc_slice_finder {
    const oc_slicing *slicing;
    const oc_instant *boundaries;
    uint32_t slice;
    int64_t since, until; /* what lies between is in this slice, with both ends */
} oc_slice_finder;

static inline oc_slice_finder oc_slice_finder_of(const oc_slicing *slicing,
                                                 const oc_instant *boundaries)
{
    return (oc_slice_finder){
        .slicing = slicing, .boundaries = boundaries, .since = INT64_MAX, .until = INT64_MIN};
}

/* Gives units to a slice; `context` is the caller's. */
typedef ocelotl_status (*oc_take_units)(void *context, uint32_t slice, int64_t units);

/* Divides the time between two ticks among slices, as far as it is in the window. */
ocelotl_status oc_span_divide(oc_slice_finder *finder, int64_t from, int64_t to, oc_take_units take,
                              void *context);

/* Adds the same to a row of units, up to INT64_MAX. */
void oc_span_add_slowly(int64_t *row, oc_slice_finder *finder, int64_t from, int64_t to);

static inline void oc_span_add(int64_t *row, oc_slice_finder *finder, int64_t from, int64_t to)
{
    const bool within = from >= finder->since && to <= finder->until && from < to;
    if (!within) {
        oc_span_add_slowly(row, finder, from, to);
        return;
    }
    const int64_t units = (to - from) * (int64_t)finder->slicing->slices;
    if (!oc_add_times(&row[finder->slice], row[finder->slice], units))
        row[finder->slice] = INT64_MAX;
}

#endif
