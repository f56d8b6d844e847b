#include "model/hierarchy/join_loss.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The sum of x log2 x for x = a + b, which are >= 0. Exact to 2^-40 or so of its terms. */
static double sum_logs(const double *a, const double *b, size_t width)
{
    double sums[OC_DENDROGRAM_LANES] = {0};
    for (size_t i = 0; i < width; i += OC_DENDROGRAM_LANES) {
        double x[OC_DENDROGRAM_LANES];
        uint64_t bits[OC_DENDROGRAM_LANES];
        uint64_t exponents[OC_DENDROGRAM_LANES];
        double m[OC_DENDROGRAM_LANES];
        double whole[OC_DENDROGRAM_LANES];
        for (int lane = 0; lane < OC_DENDROGRAM_LANES; lane++)
            x[lane] = a[i + (size_t)lane] + b[i + (size_t)lane] +
                      0x1p-1000; /* 0 has a logarithm, times nothing */
        memcpy(bits, x, sizeof bits);
        for (int lane = 0; lane < OC_DENDROGRAM_LANES; lane++) {
            /* x = 2^k m with m from sqrt(1/2) to sqrt(2); 1.5 * 2^52 + k is k in its bits. */
            /* 0x3FF0... - bits of sqrt(1/2) */
            const uint64_t shifted = bits[lane] + 0x95F619980C433;
            exponents[lane] = (shifted >> 52) | 0x4330000000000000;
            bits[lane] = (shifted & 0xFFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD;
        }
        memcpy(m, bits, sizeof m);
        memcpy(whole, exponents, sizeof whole);
        for (int lane = 0; lane < OC_DENDROGRAM_LANES; lane++) {
            const double s = (m[lane] - 1) / (m[lane] + 1);
            const double q = s * s;
            const double series =
                1 + q * (1.0 / 3 +
                         q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 + q / 13)))));
            const double k = whole[lane] - (0x1p52 + 1023);
            sums[lane] += x[lane] * (k + 2.8853900817779268147 * s * series);
        }
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double oc_own_logs(const double *row, size_t width, double size)
{
    double own = 0;
    for (size_t i = 0; i < width; i++)
        own += row[i] > 0 ? row[i] * log2(row[i] / size) : 0;
    return own;
}

double oc_join_loss(const oc_summed_row *a, const oc_summed_row *b, size_t width)
{
    const double logs = sum_logs(a->sums, b->sums, width);
    const double total = a->total + b->total;
    const double both = logs - total * log2(a->size + b->size);
    const double loss = a->own + b->own - both;
    /* Rounding is no difference. */
    return loss > 0x1p-34 * total ? loss : 0;
}
