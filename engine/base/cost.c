#include "base/cost.h"

/* Rates of one core on random data, which no cut can be spared (bench/engine.c); real traces are
 * several times quicker. */
static const double logarithms_per_second = 3e8;
static const double cuts_per_second = 8e9;

uint64_t oc_cost_memory(const oc_request_size *size, uint32_t stored)
{
    const double slices = size->kind == OCELOTL_SPATIAL ? 1 : size->slices;
    const double nodes = size->kind == OCELOTL_TEMPORAL ? 1 : size->nodes;
    const double inner = size->kind == OCELOTL_TEMPORAL ? 0 : size->inner;
    const double intervals = slices * (slices + 1) / 2;
    const double matrix = slices * (slices + 40);
    const double each = 16 * intervals + 24 * matrix + slices * slices;
    const double bytes =
        8 * intervals * (stored + inner) + size->threads * each + 16 * nodes * slices;
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

double oc_cost_seconds(ocelotl_kind kind, uint32_t nodes, uint32_t types, uint32_t slices)
{
    const double t = slices;
    const double intervals = kind == OCELOTL_SPATIAL ? 1 : t * (t + 1) / 2;
    const double solved = kind == OCELOTL_SPATIOTEMPORAL ? nodes : 1;
    const double cuts = kind == OCELOTL_SPATIAL ? nodes : solved * t * t * t / 6;
    return (double)nodes * types * intervals / logarithms_per_second + cuts / cuts_per_second;
}
