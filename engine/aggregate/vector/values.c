#include "aggregate/vector/values.h"

#include "aggregate/vector/lanes.h"
#include "aggregate/vector/vector.h"

#include <math.h>

/* Bytes before a loss that is used, where others will be soon: rows are filled from the last to the
 * first, and nodes are solved from the last that is stored to the first. */
#define PREFETCH 32768

/* Fills columns from `begin` on, up to `end`. */
static inline void fill_none(double *row, size_t begin, size_t end)
{
    const oc_lanes none = oc_all((double)-INFINITY);
    size_t j = begin;
    for (; j + OC_LANES <= end; j += OC_LANES)
        oc_store(row + j, none);
    for (; j < end; j++)
        row[j] = -INFINITY;
}

static inline oc_lanes value_of(const oc_values *values, oc_lanes m, oc_lanes loss)
{
    const oc_lanes none = oc_all((double)-INFINITY);
    return values->limit ? oc_select(oc_equal(loss, oc_all(0)), m, none)
                         : oc_all(values->p) * m - loss;
}

static const double lane_numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};

/* Fills columns from `column` on, as many as there are lanes. Vectors begin at the same columns in
 * every row, for what one row stores is what the next one loads; the first one may reach before the
 * row, where there is nothing. */
static inline __attribute__((always_inline)) void fill_columns(const oc_values *values, uint32_t i,
                                                               uint32_t column,
                                                               const double *loss_row,
                                                               const double *split)
{
    const ptrdiff_t place = (ptrdiff_t)column - (ptrdiff_t)i;
    const oc_mask before =
        oc_greater(oc_all((double)i), oc_load(lane_numbers) + oc_all((double)column));
    const oc_lanes none = oc_all((double)-INFINITY);
    const size_t cell = i * values->stride + column;
    __builtin_prefetch((const char *)(loss_row + place) - PREFETCH);
    /* The sums of the row after this one become its own: slice by slice from the last to the first.
     */
    const oc_lanes x =
        oc_select(before, oc_all(0), oc_load(values->x + column) + oc_all(values->total[i]));
    const oc_lanes bits = oc_all(values->leaves_bits) + oc_load(values->bits + place);
    const oc_lanes loss = oc_load(loss_row + place);
    const oc_lanes whole = oc_select(before, none, value_of(values, x * bits, loss));
    oc_store(values->x + column, x);
    if (values->whole != NULL)
        oc_store(values->whole + cell, whole);
    if (split != NULL)
        oc_store(values->uncut + cell,
                 oc_select(before, none, oc_max(whole, oc_load(split + place))));
    else
        oc_store(values->uncut + cell, whole);
}

void OC_VECTOR(oc_value)(const oc_values *given)
{
    const oc_values values = *given; /* of its own: nothing that is stored changes it */
    memset(values.x, 0, values.count * sizeof *values.x);
    for (uint32_t i = values.count; i < values.rows; i++)
        fill_none(values.uncut + i * values.stride, 0, values.stride);
    for (uint32_t i = values.count; i-- > 0;) {
        double *row = values.uncut + i * values.stride;
        const double *loss = oc_row_of(&values.loss, i);
        const double *split = values.split.packed != NULL ? oc_row_of(&values.split, i) : NULL;
        fill_none(row, i > OC_BEFORE_ROW ? i - OC_BEFORE_ROW : 0, i);
        for (uint32_t column = i / OC_LANES * OC_LANES; column < values.count; column += OC_LANES)
            fill_columns(&values, i, column, loss, split);
        fill_none(row, values.count, values.stride);
        values.m[i] =
            values.x[values.count - 1] * (values.leaves_bits + values.bits[values.count - 1 - i]);
    }
}

uint32_t OC_VECTOR(oc_find)(const double *left, const double *right, uint32_t begin, uint32_t end,
                            double enough)
{
    const oc_lanes wanted = oc_all(enough);
    for (uint32_t i = begin; i < end; i += OC_LANES) {
        const oc_lanes sum = oc_load(left + i) + oc_load(right + i);
        const unsigned found =
            oc_mask_bits(oc_either(oc_greater(sum, wanted), oc_equal(sum, wanted)));
        if (found != 0) {
            const uint32_t place = i + (uint32_t)__builtin_ctz(found);
            return place < end ? place : end;
        }
    }
    return end;
}
