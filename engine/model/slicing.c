#include "model/slicing.h"

oc_instant oc_slicing_boundary(const oc_slicing *slicing, uint32_t index)
{
    const uint64_t whole = slicing->length / slicing->slices;
    const uint64_t over = slicing->length % slicing->slices * index;
    return (oc_instant){
        .ticks = slicing->begin + (int64_t)(whole * index + over / slicing->slices),
        .rest = (uint32_t)(over % slicing->slices),
    };
}

int64_t oc_slicing_between(const oc_slicing *slicing, oc_instant from, oc_instant to)
{
    return (to.ticks - from.ticks) * (int64_t)slicing->slices + (int64_t)to.rest - (int64_t)from.rest;
}

oc_instant oc_slicing_lived(oc_instant now, int64_t begin, int64_t end)
{
    if (now.ticks < begin)
        return (oc_instant){0, 0};
    if (now.ticks >= end)
        return (oc_instant){end - begin, 0};
    return (oc_instant){now.ticks - begin, now.rest};
}

double oc_slicing_position(const oc_slicing *slicing, int64_t tick)
{
    if (tick <= slicing->begin)
        return 0;
    const uint64_t passed = (uint64_t)tick - (uint64_t)slicing->begin;
    if (passed >= slicing->length)
        return slicing->slices;
    return (double)passed / (double)slicing->length * slicing->slices;
}
