/* The machine's ceiling, for each kind of vectors it has. */
#include "bench.h"
#include "ceiling.h"

typedef double (*ceiling_loop)(size_t rounds, double step);

static volatile char kept;

void ceiling_keep(const void *results, size_t size)
{
    kept = ((const char *)results)[size - 1];
}

/* The best of ten tries of a thirtieth of a second or so: what else the machine does only makes it
 * slower. */
static double measure(ceiling_loop loop)
{
    size_t rounds = 1000000;
    double best = 0;
    for (int i = 0; i < 10; i++) {
        const double begin = bench_now();
        const double count = loop(rounds, 0x1p-20);
        const double seconds = bench_now() - begin;
        if (count / seconds > best)
            best = count / seconds;
        rounds = (size_t)((double)rounds * 0.03 / seconds) + 1;
    }
    return best;
}

int bench_ceilings(bench_ceiling ceilings[BENCH_CEILINGS])
{
    int count = 0;
#ifdef BENCH_X86_VECTORS
    if (__builtin_cpu_supports("avx512f"))
        ceilings[count++] = (bench_ceiling){"avx512", measure(ceiling_avx512)};
    if (__builtin_cpu_supports("avx2"))
        ceilings[count++] = (bench_ceiling){"avx2", measure(ceiling_avx2)};
#endif
    ceilings[count++] = (bench_ceiling){"plain", measure(ceiling_plain)};
    return count;
}
