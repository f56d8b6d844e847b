#include "store/read/slicing.h"

oc_instant oc_slicing_boundary(const oc_slicing *slicing, uint32_t index)
{
    const uint64_t whole = slicing->length / slicing->slices;
    const uint64_t over = slicing->length % slicing->slices * index;
    return (oc_instant){
        .ticks = slicing->begin + (int64_t)(whole * index + over / slicing->slices),
        .rest = (uint32_t)(over % slicing->slices),
    };
}

bool oc_slicing_between(int64_t *units, const oc_slicing *slicing, oc_instant from, oc_instant to)
{
    int64_t ticks;
    return !__builtin_sub_overflow(to.ticks, from.ticks, &ticks) &&
           oc_multiply_time(units, ticks, slicing->slices) &&
           oc_add_times(units, *units, (int64_t)to.rest - (int64_t)from.rest);
}

oc_instant oc_slicing_lived(oc_instant now, int64_t begin, int64_t end)
{
    if (now.ticks < begin)
        return (oc_instant){0, 0};
    if (now.ticks >= end)
        return (oc_instant){end - begin, 0};
    return (oc_instant){now.ticks - begin, now.rest};
}

/* The first boundary that is not before a tick. */
static uint32_t boundary_from(const oc_slicing *slicing, int64_t tick)
{
    uint32_t low = 0;
    uint32_t high = slicing->slices;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (oc_slicing_boundary(slicing, middle).ticks < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void oc_slicing_touched(uint32_t *first, uint32_t *last, const oc_slicing *slicing, int64_t begin,
                        int64_t end)
{
    const uint32_t next = boundary_from(slicing, begin);
    const oc_instant boundary = oc_slicing_boundary(slicing, next);
    const bool within = boundary.ticks > begin || boundary.rest > 0;
    *first = next - (next > 0 && within);
    *last = begin < end ? boundary_from(slicing, end) : *first;
}

static bool is_until(oc_instant boundary, int64_t tick)
{
    return boundary.ticks < tick || (boundary.ticks == tick && boundary.rest == 0);
}

/* Slices are of one length: a guess is wrong by rounding only. */
uint32_t oc_slicing_find(const oc_slicing *slicing, const oc_instant *boundaries, int64_t tick)
{
    const uint32_t last = slicing->slices - 1;
    if (tick <= slicing->begin)
        return 0;
    const double place = (double)((uint64_t)tick - (uint64_t)slicing->begin) /
                         (double)slicing->length * slicing->slices;
    uint32_t slice = place < last ? (uint32_t)place : last;
    while (slice > 0 && !is_until(boundaries[slice], tick))
        slice--;
    while (slice < last && is_until(boundaries[slice + 1], tick))
        slice++;
    return slice;
}

void oc_slicing_untraced(int64_t *units, const oc_slicing *slicing, const oc_instant *boundaries,
                         int64_t begin, int64_t end)
{
    oc_instant from = oc_slicing_lived(boundaries[0], begin, end);
    for (uint32_t slice = 0; slice < slicing->slices; slice++) {
        const oc_instant to = oc_slicing_lived(boundaries[slice + 1], begin, end);
        const bool lived = from.ticks != to.ticks || from.rest != to.rest;
        units[slice] = lived ? (int64_t)slicing->length - units[slice] : 0;
        from = to;
    }
}

/* --- Spans of time */

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
