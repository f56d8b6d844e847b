/* What a metric finds of all resources before it comes to their leaves. */
#include "model/metrics/filling.h"

#include "base/memory.h"

#include <stdlib.h>

static int compare_arrivals(const void *left, const void *right)
{
    const oc_arrival *a = left;
    const oc_arrival *b = right;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->slice > b->slice) - (a->slice < b->slice);
}

/* Joins arrivals of one place. */
void oc_arrivals_join(oc_arrivals *arrivals)
{
    size_t kept = 0;
    if (arrivals->count > 1)
        qsort(arrivals->list, arrivals->count, sizeof *arrivals->list, compare_arrivals);
    for (size_t i = 0; i < arrivals->count; i++) {
        if (kept > 0 && compare_arrivals(&arrivals->list[kept - 1], &arrivals->list[i]) == 0)
            arrivals->list[kept - 1].number += arrivals->list[i].number;
        else
            arrivals->list[kept++] = arrivals->list[i];
    }
    arrivals->count = kept;
}

/* Joins before it takes more memory, so that it has no more than twice what is needed. */
ocelotl_status oc_arrivals_add(oc_arrivals *arrivals, const oc_arrival *arrival)
{
    if (arrivals->count == arrivals->capacity) {
        oc_arrivals_join(arrivals);
        if (arrivals->count >= arrivals->capacity / 2)
            OC_TRY(oc_grow(&arrivals->list, &arrivals->capacity, 2 * arrivals->count + 1024,
                           sizeof *arrivals->list));
    }
    arrivals->list[arrivals->count++] = *arrival;
    return OCELOTL_OK;
}

/* Where what lasts goes. */
typedef struct arriving {
    oc_arrivals *arrivals;
    oc_arrival one;
} arriving;

static ocelotl_status add_units(void *context, uint32_t slice, int64_t units)
{
    const arriving *it = context;
    oc_arrival one = it->one;
    one.slice = slice;
    one.number *= (double)units;
    return units > 0 ? oc_arrivals_add(it->arrivals, &one) : OCELOTL_OK;
}

ocelotl_status oc_arrivals_add_time(oc_arrivals *arrivals, oc_slice_finder *finder,
                                    uint32_t resource, uint32_t type, int64_t from, int64_t to,
                                    double number)
{
    arriving it = {arrivals, {.resource = resource, .type = type, .number = number}};
    return oc_span_divide(finder, from, to, add_units, &it);
}

ocelotl_status oc_measuring_give_arrivals(oc_measuring *m)
{
    const oc_arrivals *arrivals = &m->filling->arrivals;
    const oc_arrival first = {.resource = m->filling->tree->resources[m->leaf]};
    size_t low = 0;
    for (size_t high = arrivals->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (compare_arrivals(&arrivals->list[middle], &first) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < arrivals->count && arrivals->list[low].resource == first.resource; low++) {
        double *row;
        OC_TRY(oc_leaf_rows_get(&row, &m->rows[0], arrivals->list[low].type));
        row[arrivals->list[low].slice] += arrivals->list[low].number;
    }
    return oc_measuring_give_numbers(m);
}
