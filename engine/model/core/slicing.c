#include "model/core/slicing.h"

#include "base/bytes.h"

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

static bool is_before(oc_instant boundary, int64_t tick, bool at)
{
    return boundary.ticks < tick || (at && boundary.ticks == tick && boundary.rest == 0);
}

/* Slices are of one length: a guess is wrong by rounding only. */
uint32_t oc_slicing_find(const oc_slicing *slicing, const oc_instant *boundaries, int64_t tick,
                         bool at)
{
    const uint32_t last = slicing->slices - 1;
    if (tick <= slicing->begin)
        return 0;
    const double place = (double)((uint64_t)tick - (uint64_t)slicing->begin) /
                         (double)slicing->length * slicing->slices;
    uint32_t slice = place < last ? (uint32_t)place : last;
    while (slice > 0 && !is_before(boundaries[slice], tick, at))
        slice--;
    while (slice < last && is_before(boundaries[slice + 1], tick, at))
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
