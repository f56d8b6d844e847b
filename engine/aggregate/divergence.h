/* What is lost when two blocks become one: the arithmetic under all measures.
 *
 * loss = sum over cells of v log(v / mean) is the Kullback-Leibler divergence to the uniform redistribution, and
 * divergences follow a chain rule: the loss of two blocks drawn as one is the loss of each, plus the loss of
 * moving the sums a and b of the two to the mean they have in common. So a loss can be built from terms that are
 * never negative, where X log n - X log X + sum v log v would cancel: it stays exact to a few ulps of itself,
 * whatever its size, and has no unit. */
#ifndef OC_AGGREGATE_DIVERGENCE_H
#define OC_AGGREGATE_DIVERGENCE_H

#include <math.h>

#define OC_LOG2_E 1.4426950408889634074

/* The sizes of the two blocks, made once for many sums. */
typedef struct oc_join {
    double a_share, b_share; /* of the cells */
    double a_bits, b_bits;   /* log2(1 / share): the loss per unit where the other one is empty */
} oc_join;

static inline oc_join oc_join_of(double a_cells, double b_cells)
{
    const double cells = a_cells + b_cells;
    return (oc_join){a_cells / cells, b_cells / cells, log1p(b_cells / a_cells) * OC_LOG2_E,
                     log1p(a_cells / b_cells) * OC_LOG2_E};
}

/* x ln(x / mean) - (x - mean) >= 0, for difference = x - mean known exactly to a few ulps of itself. */
static inline double oc_excess(double x, double mean, double difference)
{
    const double sum = x + mean;
    if (fabs(difference) < 0.125 * sum) {
        /* ln(x / mean) = 2 artanh(s); what the subtraction would cancel is left out of its series. */
        const double s = difference / sum;
        const double q = s * s;
        const double tail =
            1.0 / 3 +
            q * (1.0 / 5 +
                 q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 + q * (1.0 / 13 + q * (1.0 / 15 + q / 17))))));
        return difference * s * (1 + s * (1 + s) * tail);
    }
    const double ratio = x / mean;
    return mean * (ratio * log(ratio) - (ratio - 1));
}

/* Bits lost by joining blocks of sums a and b, apart from what each has lost before. */
static inline double oc_join_loss(const oc_join *join, double a, double b)
{
    if (b == 0)
        return a * join->a_bits;
    if (a == 0)
        return b * join->b_bits;
    const double difference = a * join->b_share - b * join->a_share;
    if (difference == 0)
        return 0;
    const double x = a + b;
    return (oc_excess(a, join->a_share * x, difference) + oc_excess(b, join->b_share * x, -difference)) * OC_LOG2_E;
}

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

#endif
