/* As many doubles as one vector of the instruction set holds: a few operations, with the same bits
 * on every machine.
 *
 * The sources of this folder are compiled once for each instruction set, so all here is static.
 * Nothing may be contracted or reordered: the result of a lane does not depend on the number of
 * lanes. */
#ifndef OC_AGGREGATE_VECTOR_LANES_H
#define OC_AGGREGATE_VECTOR_LANES_H

#ifdef __SSE2__
#include <emmintrin.h>
#include <immintrin.h>
#endif
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined __AVX512F__ && defined __AVX512DQ__
#define OC_LANES 8
#elif defined __AVX2__
#define OC_LANES 4
#elif defined __SSE2__
#define OC_LANES 2
#else
#define OC_LANES 2
#endif

typedef double oc_lanes __attribute__((vector_size(OC_LANES * 8)));
typedef int64_t oc_lane_bits __attribute__((vector_size(OC_LANES * 8)));

static inline oc_lanes oc_load(const double *from)
{
    oc_lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline void oc_store(double *to, oc_lanes lanes)
{
    memcpy(to, &lanes, sizeof lanes);
}

static inline oc_lanes oc_all(double value)
{
#if OC_LANES == 8
    return _mm512_set1_pd(value);
#elif OC_LANES == 4
    return _mm256_set1_pd(value);
#else
    return (oc_lanes){value, value};
#endif
}

/* Where neither is NaN; of two zeros either. */
static inline oc_lanes oc_max(oc_lanes a, oc_lanes b)
{
#if OC_LANES == 8
    return _mm512_max_pd(a, b);
#elif OC_LANES == 4
    return _mm256_max_pd(a, b);
#elif defined __SSE2__
    return _mm_max_pd(a, b);
#else
    const oc_lane_bits greater = a > b;
    return (oc_lanes)((greater & (oc_lane_bits)a) | (~greater & (oc_lane_bits)b));
#endif
}

/* A yes or no for each lane. */
#if OC_LANES == 8
typedef __mmask8 oc_mask;

static inline oc_mask oc_greater(oc_lanes a, oc_lanes b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ);
}

static inline oc_mask oc_equal(oc_lanes a, oc_lanes b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
}

static inline oc_mask oc_equal_bits(oc_lane_bits a, oc_lane_bits b)
{
    return _mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b);
}

static inline oc_lanes oc_select(oc_mask mask, oc_lanes yes, oc_lanes no)
{
    return _mm512_mask_blend_pd(mask, no, yes);
}

static inline oc_mask oc_either(oc_mask a, oc_mask b)
{
    return a | b;
}

/* One bit a lane, the first lane's the lowest. */
static inline unsigned oc_mask_bits(oc_mask mask)
{
    return mask;
}
#else
typedef oc_lane_bits oc_mask;

static inline oc_mask oc_greater(oc_lanes a, oc_lanes b)
{
    return a > b;
}

static inline oc_mask oc_equal(oc_lanes a, oc_lanes b)
{
    return a == b;
}

static inline oc_mask oc_equal_bits(oc_lane_bits a, oc_lane_bits b)
{
    return a == b;
}

static inline oc_lanes oc_select(oc_mask mask, oc_lanes yes, oc_lanes no)
{
#if OC_LANES == 4
    return _mm256_blendv_pd(no, yes, (oc_lanes)mask);
#else
    return (oc_lanes)((mask & (oc_lane_bits)yes) | (~mask & (oc_lane_bits)no));
#endif
}

static inline oc_mask oc_either(oc_mask a, oc_mask b)
{
    return a | b;
}

static inline unsigned oc_mask_bits(oc_mask mask)
{
#if OC_LANES == 4
    return (unsigned)_mm256_movemask_pd((oc_lanes)mask);
#elif defined __SSE2__
    return (unsigned)_mm_movemask_pd((oc_lanes)mask);
#else
    return (unsigned)((mask[0] & 1) | (mask[1] & 2));
#endif
}
#endif

/* The bits of a mask whose lanes are all true. */
#define OC_ALL_LANES ((1u << OC_LANES) - 1)

static inline bool oc_any(oc_mask mask)
{
    return oc_mask_bits(mask) != 0;
}

/* log2(x) - origin, for normal x > 0 and a whole origin. With x = 2^k m, m in [sqrt(1/2), sqrt(2)),
 * and s = (m - 1) / (m + 1), it is (k - origin) + s P(s^2): P interpolates 2 artanh(s) / (s ln 2)
 * in Chebyshev's points. The second term is off by less than 2^-51, and the sum by its rounding. Of
 * 0 it is some large negative number. */
static inline oc_lanes oc_log2(oc_lanes x, double origin)
{
    const int64_t root = 0x3fe6a09e667f3bcd;       /* the bits of sqrt(1/2) */
    const int64_t bias = (int64_t)1 << 62;         /* keeps what is shifted from being negative */
    const int64_t exponents = -((int64_t)1 << 52); /* the bits of sign and exponent */
    /* whole numbers around it are their own last bits */
    const double whole = 0x1.8p52;
    const oc_lane_bits bits = (oc_lane_bits)x;
    const oc_lane_bits above = bits - root;
    const oc_lanes m = (oc_lanes)(bits - (above & exponents));
    const oc_lane_bits k = (above + bias) >> 52;
    const oc_lanes exponent =
        (oc_lanes)((oc_lane_bits)oc_all(whole) + k) - oc_all(whole + (double)(bias >> 52) + origin);
    const oc_lanes s = (m - oc_all(1)) / (m + oc_all(1));
    const oc_lanes q = s * s;
    const oc_lanes q2 = q * q;
    const oc_lanes low = oc_all(0x1.71547652b82ffp+1) + oc_all(0x1.ec709dc39ca3ep-1) * q;
    const oc_lanes middle = oc_all(0x1.2776c516a0c4bp-1) + oc_all(0x1.a6175680b8466p-2) * q;
    const oc_lanes high = (oc_all(0x1.484fa9adeb4aep-2) + oc_all(0x1.0bb80783a626fp-2) * q) +
                          oc_all(0x1.f17e48b2ff124p-3) * q2;
    return exponent + s * ((low + middle * q2) + high * (q2 * q2));
}

#endif
