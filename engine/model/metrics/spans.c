#include "model/metrics/spans.h"

/* Units within 64 bits: the window has at most `length` of them in each slice. */
static int64_t between(const oc_slicing *slicing, oc_instant from, oc_instant to)
{
    int64_t units = 0;
    return oc_slicing_between(&units, slicing, from, to) ? units : 0;
}

/* A boundary may lie behind the tick that it is in. */
static void keep(oc_slice_finder *finder, uint32_t slice)
{
    const oc_instant begin = finder->boundaries[slice];
    finder->slice = slice;
    finder->since = begin.ticks + (begin.rest > 0);
    finder->until = finder->boundaries[slice + 1].ticks;
}

ocelotl_status oc_span_divide(oc_slice_finder *finder, int64_t from, int64_t to, oc_take_units take,
                              void *context)
{
    const oc_slicing *slicing = finder->slicing;
    const oc_instant *boundaries = finder->boundaries;
    if (from < boundaries[0].ticks)
        from = boundaries[0].ticks;
    if (to > boundaries[slicing->slices].ticks)
        to = boundaries[slicing->slices].ticks;
    if (from >= to)
        return OCELOTL_OK;
    for (uint32_t slice = oc_slicing_find(slicing, boundaries, from); slice < slicing->slices;
         slice++) {
        const oc_instant begin =
            boundaries[slice].ticks >= from ? boundaries[slice] : (oc_instant){from, 0};
        const bool whole = boundaries[slice + 1].ticks < to;
        const oc_instant end = whole ? boundaries[slice + 1] : (oc_instant){to, 0};
        OC_TRY(take(context, slice, between(slicing, begin, end)));
        if (!whole) {
            keep(finder, slice);
            return OCELOTL_OK;
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status add(void *context, uint32_t slice, int64_t units)
{
    int64_t *row = context;
    if (!oc_add_times(&row[slice], row[slice], units))
        row[slice] = INT64_MAX;
    return OCELOTL_OK;
}

void oc_span_add_slowly(int64_t *row, oc_slice_finder *finder, int64_t from, int64_t to)
{
    (void)oc_span_divide(finder, from, to, add, row);
}
