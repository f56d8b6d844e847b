/* A logarithm for many values at once. */
#ifndef OC_AGGREGATE_VECTOR_LOGARITHM_H
#define OC_AGGREGATE_VECTOR_LOGARITHM_H

#include "aggregate/vector/lanes.h"

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
