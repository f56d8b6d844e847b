#include "base/cost.h"

/* Rates of one core on random data, which no cut can be spared (bench/engine.c); real traces are several times
 * quicker. */
static const double logarithms_per_second = 1.2e8;
static const double cuts_per_second = 1.2e9;

uint64_t oc_cost_memory(ocelotl_kind kind, uint32_t nodes, uint32_t slices)
{
    const uint64_t intervals = (uint64_t)slices * ((uint64_t)slices + 1) / 2;
    uint64_t bytes = 0;
    if (kind == OCELOTL_TEMPORAL)
        nodes = 1;
    if (kind == OCELOTL_SPATIAL)
        return 32 * (uint64_t)nodes;
    if (__builtin_mul_overflow(intervals, nodes, &bytes) || __builtin_mul_overflow(bytes, 16, &bytes))
        return UINT64_MAX;
    return bytes;
}

double oc_cost_seconds(ocelotl_kind kind, uint32_t nodes, uint32_t types, uint32_t slices)
{
    const double t = slices;
    const double intervals = kind == OCELOTL_SPATIAL ? 1 : t * (t + 1) / 2;
    const double solved = kind == OCELOTL_SPATIOTEMPORAL ? nodes : 1;
    const double cuts = kind == OCELOTL_SPATIAL ? nodes : solved * t * t * t / 6;
    return (double)nodes * types * intervals / logarithms_per_second + cuts / cuts_per_second;
}
