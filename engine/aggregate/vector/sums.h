/* Sums. */
#ifndef OC_AGGREGATE_VECTOR_SUMS_H
#define OC_AGGREGATE_VECTOR_SUMS_H

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

#endif
