/* How intervals of slices are packed. */
#ifndef OC_AGGREGATE_VECTOR_INTERVALS_H
#define OC_AGGREGATE_VECTOR_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Intervals i..j of slices are packed by rows: those that begin at i are at oc_row(slices, i), from
 * j = i on. */
static inline size_t oc_row(uint32_t slices, uint32_t i)
{
    return (size_t)i * slices - (size_t)i * (i - (i > 0)) / 2;
}

static inline size_t oc_intervals(uint32_t slices)
{
    return (size_t)slices * ((size_t)slices + 1) / 2;
}

/* A view of intervals packed so, from some slice on. */
typedef struct oc_rows {
    const double *packed;
    uint32_t slices, first;
} oc_rows;

/* Those that begin at slice i of the view, from the one of a single slice on. */
static inline const double *oc_row_of(const oc_rows *rows, uint32_t i)
{
    return rows->packed + oc_row(rows->slices, rows->first + i);
}

/* No interval of so many slices loses anything. That of them all can lose nothing for being less
 * than its rounding, where a shorter one does lose. */
static inline bool oc_loses_nothing(const oc_rows *loss, uint32_t count)
{
    if (oc_row_of(loss, 0)[count - 1] != 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count - i; j++)
            if (oc_row_of(loss, i)[j] != 0)
                return false;
    return true;
}

#endif
