/* The losses of series over all intervals of slices. */
#ifndef OC_AGGREGATE_VECTOR_LOSSES_H
#define OC_AGGREGATE_VECTOR_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows (the intervals that begin at one slice) are measured by so many at once. */
#define OC_LOSS_ROWS 8

/* What each of their intervals has lost, and what is noted of slices that hold nothing: two
 * numbers. */
#define OC_LOSS_SCRATCH 3

/* Tables by the length n of an interval that is made longer by one slice. Of two rows that are side
 * by side the later is shorter by one where they end together, so the tables run backwards, for
 * rows to find theirs side by side: that of n is at [slices - n], for n = slices - 1 down to 1 -
 * OC_LOSS_ROWS, where the row has not begun. */
typedef struct oc_lengths {
    uint32_t slices;
    double *n;
    double *n_share;   /* n / (n + 1) */
    double *per_slice; /* 1 / (n + 1) */
    /* log2((n + 1) / n): what is lost per unit where the new slice is empty; 0 up to n = 0 */
    double *n_bits;
    double *one_bits; /* log2(n + 1): where all but the new slice is empty, or what the mean is less
                         than the sum; 0 up to n = 0 */
} oc_lengths;

/* What the values of a series have in common. */
typedef struct oc_origin {
    double log2;   /* a whole number near their logarithms */
    bool has_gaps; /* slices that hold nothing come after one that holds something */
} oc_origin;

/* Series over the slices that are measured. */
typedef struct oc_series_block {
    size_t count;
    size_t stride;   /* from one series to the next, of x and next */
    const double *x; /* sums */
    /* the first slice from this one on where x is not 0, or the number of slices */
    const uint32_t *next;
    const double *weight;    /* see oc_weighing */
    const oc_origin *origin; /* by series */
    size_t own_stride;
    const double *own; /* what each slice has lost in itself; NULL: nothing */
} oc_series_block;

typedef struct oc_losses {
    const oc_lengths *lengths;
    uint32_t slices;     /* at most those of the tables */
    const double *noise; /* by n, as the tables: the part of gain and loss together of an interval
                            of n + 1 slices and a sum of 1 that is rounding */
    /* by n: what must be lost per unit of the sum for the quick way to be exact enough */
    const double *plain;
    oc_series_block series;
    double *loss;    /* intervals packed by rows, see oc_row */
    bool is_first;   /* of what is added to them: they are not zeros, but undefined */
    double *scratch; /* OC_LOSS_SCRATCH x slices x OC_LOSS_ROWS; zeros at first, and left as it must
                        be for the next ones */
} oc_losses;

/* What each slice of a series weighs in its loss over slices, which is their sum less X log2 of the
 * mean: x (log2 x - origin) + own, where a whole `origin` near the logarithms of the series keeps
 * both small. */
typedef struct oc_weighing {
    const double *x;
    const uint32_t *next; /* as in oc_series_block */
    const double *own;    /* NULL: nothing */
    uint32_t slices;
    double largest,
        /* of the values that are not 0, of the whole series: what is computed of a part of it is
           the same */
        least;
    /* written where x is not 0; NaN where values differ so much that the quick way is not exact */
    double *weight;
    oc_origin *origin; /* written: one */
} oc_weighing;

/* Sums by slice, each with what rounding took from it, and what the slice has lost in itself.
 * Readable and writable up to a multiple of OC_LOSS_ROWS slices. */
typedef struct oc_sums {
    double *high, *low, *own;
} oc_sums;

/* Two blocks that become one in every slice. */
typedef struct oc_joining {
    double a_cells, b_cells;
    double a_bits, b_bits; /* log2(1 / share): the loss per unit where the other one is empty */
    uint32_t slices;
    oc_sums a; /* becomes both */
    oc_sums b; /* all three NULL: empty */
} oc_joining;

#endif
