/* What the parts of a node are worth at a p. */
#ifndef OC_AGGREGATE_VECTOR_VALUES_H
#define OC_AGGREGATE_VECTOR_VALUES_H

#include "aggregate/vector/intervals.h"

#include <stdbool.h>

/* Vectors may read so many numbers past the end of what is packed, and past both ends of the
 * logarithms. */
#define OC_PAST_END 8

/* A node over `count` slices. Row i of a matrix holds the intervals that begin with slice i, at
 * column j the one that ends with slice j. */
typedef struct oc_values {
    double p;
    bool limit;         /* p is infinitely small: what loses something is worth nothing at all */
    double leaves_bits; /* log2 of the leaves */
    const double *bits; /* by length from 1 on: its log2 */
    uint32_t count;
    uint32_t rows;       /* of the matrices */
    size_t stride;       /* from one of their rows to the next; at least count + OC_PAST_END */
    const double *total; /* by slice */
    double *x;           /* scratch, by slice, and OC_PAST_END more */
    oc_rows loss;
    oc_rows split; /* what the children are worth together; of NULL for a leaf */
    double *whole; /* written, where it is not NULL */
    double *uncut; /* written: the better of the two; -INFINITY beside, as oc_cuts asks for it */
    double *m;     /* by row: gain and loss together of its last interval */
} oc_values;

#endif
