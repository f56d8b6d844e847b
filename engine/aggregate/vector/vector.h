/* What is worth vectors: the inner loops of the engine, compiled once for each instruction set. */
#ifndef OC_AGGREGATE_VECTOR_VECTOR_H
#define OC_AGGREGATE_VECTOR_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How intervals of slices are packed. */

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

/* The intervals that begin at slice i of the view, shortest first. */
static inline const double *oc_row_of(const oc_rows *rows, uint32_t i)
{
    return rows->packed + oc_row(rows->slices, rows->first + i);
}

/* Whether no interval of `count` slices loses anything. The longest one may count as lossless,
 * since its loss is below its rounding, while a shorter one loses something; so all are looked
 * at. */
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

/* Sums. */

#define OC_LOG2_E 1.4426950408889634074

/* A sum that keeps what rounding takes away. */
typedef struct oc_sum {
    double high, low;
} oc_sum;

static inline void oc_sum_add(oc_sum *sum, double x)
{
    const double high = sum->high + x;
    const double part = high - sum->high;
    sum->low += (sum->high - (high - part)) + (x - part);
    sum->high = high;
}

static inline double oc_sum_value(const oc_sum *sum)
{
    return sum->high + sum->low;
}

/* The cuts in time of one node: a product of triangular matrices with maximum for sum and sum for
 * product. */

/* Columns are solved by strips, none wider than this. */
#define OC_WIDEST_STRIP 32

/* Rows are solved this many at once; matrices have rows up to the next multiple. */
#define OC_ROWS 4

/* A tile reaches this many columns before one of its rows. */
#define OC_BEFORE_ROW (OC_WIDEST_STRIP + OC_ROWS)

/* Row i holds the intervals that begin at slice i, column j the one that ends with slice j. */
typedef struct oc_cuts {
    uint32_t count; /* slices */
    size_t stride;  /* of the rows of both matrices: at least count rounded up to whole strips */
    /* Read: intervals as they are best without a cut. -INFINITY where j < i, from the OC_BEFORE_ROW
     * columns before i on, where j >= count, and where i >= count. */
    const double *uncut;
    double *best;  /* written, where i <= j < count */
    double *strip; /* scratch: rows x OC_WIDEST_STRIP */
    /* by row: what is worth less than the best by more than this is the left side of no best cut */
    double *margin;
    /* written: rows / OC_ROWS x count; the columns c after which cuts are tried, in order */
    uint32_t *candidate;
    uint32_t *candidate_count; /* written: rows / OC_ROWS */
    /* by OC_ROWS rows: the last column where uncut can be the best or a left side; NULL: any */
    const uint32_t *reach;
    uint64_t spared; /* counts up: cuts that were not tried */
} oc_cuts;

/* The losses of series over all intervals of slices. */

/* Rows (the intervals that begin at one slice) are measured this many at once. */
#define OC_LOSS_ROWS 8

/* Numbers kept for each of their intervals: its loss, and two about empty slices. */
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
    /* log2(n + 1): where only the new slice holds something, or by what the mean is less than
     * the sum; 0 up to n = 0 */
    double *one_bits;
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
    /* by slice: the first slice from it on where x is not 0, or the number of slices */
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

/* The weight of each slice of a series in its loss. The loss is the sum of weights less X log2 of
 * the mean; a weight is x (log2 x - origin) + own, and a whole `origin` near the logarithms of the
 * series keeps both small. */
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

/* Sums by slice, each with what rounding took from it and the slice's own loss. Readable and
 * writable up to a multiple of OC_LOSS_ROWS slices. */
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

/* What the parts of a node are worth at a p. */

/* Vectors may read this many numbers past the end of packed intervals, and past both ends of the
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
    oc_rows split;         /* what the children are worth together; of NULL for a leaf */
    const uint32_t *reach; /* of a leaf, as in oc_cuts: beyond it no value is needed */
    double *whole;         /* written, where it is not NULL */
    double *uncut; /* written: the better of the two; -INFINITY beside, as oc_cuts asks for it */
    double *m;     /* by row: gain and loss together of its last interval */
} oc_values;

/* All do the same to the last bit. */
typedef struct oc_vector {
    const char *name;
    /* The best of every interval of a node. O(slices^3 / 6) additions at most. */
    void (*cut)(oc_cuts *cuts);
    /* Adds the losses of intervals that begin at rows row to row + OC_LOSS_ROWS - 1. */
    void (*lose)(const oc_losses *losses, uint32_t row);
    void (*weigh)(const oc_weighing *weighing);
    void (*join_slices)(const oc_joining *joining);
    void (*value)(const oc_values *values);
    /* The first i from `begin` on, before `end`, where left[i] + right[i] >= enough; else `end`.
     * Reads no further than OC_PAST_END past the end. */
    uint32_t (*find)(const double *left, const double *right, uint32_t begin, uint32_t end,
                     double enough);
    /* The best of the intervals of a node from slice `begin` on that end with slice `last`, as cut
     * finds it: column[i] of the one that begins with i, before OC_PAST_END numbers that become
     * -INFINITY. `uncut` as in oc_cuts. O((last - begin)^2 / 2) additions. */
    void (*cut_end)(double *column, const double *uncut, size_t stride, uint32_t begin,
                    uint32_t last);
} oc_vector;

/* Finds the table of an instruction set by the name that users give, NULL if this machine lacks it;
 * NULL for a name gives the widest. */
const oc_vector *oc_vector_find(const char *name);

/* The names of those that this machine has, with commas between: fills `text`, of `size` bytes. */
void oc_vector_list(char *text, size_t size);

/* The name of a function of this folder in the instruction set that is being compiled. */
#define OC_VECTOR_PASTE(name, instructions) name##_##instructions
#define OC_VECTOR_NAME(name, instructions)  OC_VECTOR_PASTE(name, instructions)
#define OC_VECTOR(name)                     OC_VECTOR_NAME(name, OC_INSTRUCTIONS)

#ifdef OC_INSTRUCTIONS
void OC_VECTOR(oc_cut)(oc_cuts *cuts);
void OC_VECTOR(oc_lose)(const oc_losses *losses, uint32_t row);
void OC_VECTOR(oc_weigh)(const oc_weighing *weighing);
void OC_VECTOR(oc_join_slices)(const oc_joining *joining);
void OC_VECTOR(oc_value)(const oc_values *values);
uint32_t OC_VECTOR(oc_find)(const double *left, const double *right, uint32_t begin, uint32_t end,
                            double enough);
void OC_VECTOR(oc_cut_end)(double *column, const double *uncut, size_t stride, uint32_t begin,
                           uint32_t last);
extern const oc_vector OC_VECTOR(oc_vector);
#endif

#endif
