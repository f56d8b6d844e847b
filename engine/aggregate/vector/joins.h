/* What is lost when two blocks become one: the arithmetic under all measures.
 *
 * loss = sum over cells of v log(v / mean) is the Kullback-Leibler divergence to the uniform
 * redistribution, and divergences follow a chain rule: the loss of two blocks drawn as one is the
 * loss of each, plus the loss of moving the sums a and b of the two to the mean they have in
 * common. So a loss can be built from terms that are never negative, where X log n - X log X + sum
 * v log v would cancel: it stays exact to a few ulps of itself, whatever its size, and has no unit.
 */
#ifndef OC_AGGREGATE_VECTOR_JOINS_H
#define OC_AGGREGATE_VECTOR_JOINS_H

#include "aggregate/vector/lanes.h"
#include "aggregate/vector/sums.h"

#define OC_LN_2 0.69314718055994530942

/* The sizes of two blocks. */
typedef struct oc_pair {
    oc_lanes a_cells, b_cells;
    oc_lanes per_cell; /* 1 / cells of both */
    oc_lanes a_share, b_share;
    oc_lanes a_bits, b_bits; /* log2(1 / share): the loss per unit where the other one is empty */
} oc_pair;

/* v ln(v / mean) - difference, where difference = v - mean, as a fraction: v = 2^k m (k whole, m
 * and the mean within a factor of 1.5 of each other) makes ln(v / mean) = k ln 2 + 2 artanh(above /
 * below). */
typedef struct oc_excess {
    oc_lanes v, difference, k, above, below;
    oc_mask near; /* k = 0 */
} oc_excess;

static inline oc_excess oc_excess_of(oc_lanes v, oc_lanes mean, oc_lanes difference)
{
    /* The difference of two doubles' bits is close to that of their logarithms, times 2^52. */
    const int64_t half = (int64_t)1 << 51;
    const int64_t bias = (int64_t)1 << 62; /* shifts what is not negative */
    const oc_lane_bits k = ((oc_lane_bits)v - (oc_lane_bits)mean + (half + bias)) >> 52;
    const oc_lane_bits zero = (oc_lane_bits){0} + (bias >> 52);
    const oc_lane_bits power = k - zero;
    const oc_lanes m = (oc_lanes)((oc_lane_bits)v - (power << 52));
    /* k as a double: whole numbers around 1.5 * 2^52 are their own bits. */
    const double whole = 0x1.8p52;
    const oc_lanes shifted = (oc_lanes)((oc_lane_bits)oc_all(whole) + power);
    oc_excess excess = {v,        difference, shifted - oc_all(whole),
                        m - mean, m + mean,   oc_equal_bits(k, zero)};
    excess.above = oc_select(excess.near, difference, excess.above);
    return excess;
}

/* The excess itself, for s = above / below. Near the mean, what v ln(v / mean) and the difference
 * have in common is left out: the rest is s difference + 2 v s q tail. */
static inline oc_lanes oc_excess_value(const oc_excess *excess, oc_lanes s)
{
    /* (artanh(s) / s - 1) / q for q = s^2 <= 0.0402: interpolated in Chebyshev's points, off by
     * 2^-60 of artanh(s). */
    const oc_lanes q = s * s;
    const oc_lanes q2 = q * q;
    const oc_lanes q4 = q2 * q2;
    const oc_lanes low = (oc_all(0x1.5555555555555p-2) + oc_all(0x1.9999999999f4ap-3) * q) +
                         (oc_all(0x1.24924923d8d53p-3) + oc_all(0x1.c71c72e6a0bf3p-4) * q) * q2;
    const oc_lanes high = (oc_all(0x1.745caa083f891p-4) + oc_all(0x1.3b2a29705fb2cp-4) * q) +
                          (oc_all(0x1.0e857c4765545p-4) + oc_all(0x1.16d0d0a09926bp-4) * q) * q2;
    const oc_lanes tail = low + high * q4;
    const oc_lanes vs = excess->v * s * oc_all(2);
    const oc_lanes far = excess->v * (excess->k * oc_all(OC_LN_2)) + vs - excess->difference;
    return vs * q * tail + oc_select(excess->near, excess->difference * s, far);
}

/* Exactly 0 where the means are equal and both products exact; else off by little more than an ulp
 * of them. */
static inline oc_lanes oc_difference(const oc_pair *pair, oc_lanes a, oc_lanes b)
{
    return (a * pair->b_cells - b * pair->a_cells) * pair->per_cell;
}

/* No pair loses anything by being joined. */
static inline bool oc_is_even(const oc_pair *pair, oc_lanes a, oc_lanes b)
{
    return oc_mask_bits(oc_equal(oc_difference(pair, a, b), oc_all(0))) == OC_ALL_LANES;
}

/* Bits lost by joining blocks of sums a and b, apart from what each has lost before. */
static inline oc_lanes oc_join(const oc_pair *pair, oc_lanes a, oc_lanes b)
{
    const oc_lanes zero = oc_all(0);
    const oc_lanes x = a + b;
    const oc_lanes difference = oc_difference(pair, a, b);
    const oc_excess of_a = oc_excess_of(a, pair->a_share * x, difference);
    const oc_excess of_b = oc_excess_of(b, pair->b_share * x, zero - difference);
    /* One division serves both, except where values are so small that their product is no normal
     * number. Lanes do not depend on each other: each takes the way that its own values ask for. */
    const oc_lanes product = of_a.below * of_b.below;
    const oc_lanes inverse = oc_all(1) / product;
    oc_lanes a_ratio = of_a.above * of_b.below * inverse;
    oc_lanes b_ratio = of_b.above * of_a.below * inverse;
    const oc_mask tiny = oc_greater(oc_all(0x1p-900), product);
    if (oc_any(tiny)) {
        a_ratio = oc_select(tiny, of_a.above / of_a.below, a_ratio);
        b_ratio = oc_select(tiny, of_b.above / of_b.below, b_ratio);
    }
    const oc_lanes lost =
        (oc_excess_value(&of_a, a_ratio) + oc_excess_value(&of_b, b_ratio)) * oc_all(OC_LOG2_E);
    return oc_select(oc_equal(b, zero), a * pair->a_bits,
                     oc_select(oc_equal(a, zero), b * pair->b_bits, lost));
}

#endif
