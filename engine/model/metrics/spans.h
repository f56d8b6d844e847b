/* How spans of time fall into slices, in whole units; see core/slicing.h. */
#ifndef OC_MODEL_METRICS_SPANS_H
#define OC_MODEL_METRICS_SPANS_H

#include "base/text.h"
#include "model/core/slicing.h"

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
