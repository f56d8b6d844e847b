/* A loop of additions with a maximum in registers only: what one core can do at best. Compiled once
 * for each kind of vectors (CMakeLists.txt), which names the function. */
#include <stddef.h>

#if defined(__AVX512F__)
#include <immintrin.h>
typedef __m512d vector;
#define BROADCAST(value) _mm512_set1_pd(value)
#define ADD_MAX(a, b)    _mm512_max_pd(a, _mm512_add_pd(a, b))
#elif defined(__AVX2__)
#include <immintrin.h>
typedef __m256d vector;
#define BROADCAST(value) _mm256_set1_pd(value)
#define ADD_MAX(a, b)    _mm256_max_pd(a, _mm256_add_pd(a, b))
#elif defined(__SSE2__)
#include <emmintrin.h>
typedef __m128d vector;
#define BROADCAST(value) _mm_set1_pd(value)
#define ADD_MAX(a, b)    _mm_max_pd(a, _mm_add_pd(a, b))
#elif defined(__aarch64__)
#include <arm_neon.h>
typedef float64x2_t vector;
#define BROADCAST(value) vdupq_n_f64(value)
#define ADD_MAX(a, b)    vmaxq_f64(a, vaddq_f64(a, b))
#else
typedef double vector;
#define BROADCAST(value) (value)
#define ADD_MAX(a, b)    ((a) + (b) > (a) ? (a) + (b) : (a))
#endif

/* Enough chains to hide the latency of an addition behind a maximum, and few enough for sixteen
 * registers. */
enum { CHAINS = 12, LANES = sizeof(vector) / sizeof(double) };

/* Lets the compiler believe that the results are of use. */
void ceiling_keep(const void *results, size_t size);

/* Adds `step` (> 0) again and again; returns how many additions with a maximum that were. */
double CEILING(size_t rounds, double step);
double CEILING(size_t rounds, double step)
{
    const vector steps = BROADCAST(step);
    vector chains[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        chains[i] = BROADCAST(step * i);
    for (size_t round = 0; round < rounds; round++)
        for (int i = 0; i < CHAINS; i++)
            chains[i] = ADD_MAX(chains[i], steps);
    ceiling_keep(chains, sizeof chains);
    return (double)rounds * CHAINS * LANES;
}
