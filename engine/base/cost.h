/* What a solve costs, known before it is begun: shared by the model, which chooses a number of slices by it, and
 * the aggregation, which refuses what would not fit. */
#ifndef OC_BASE_COST_H
#define OC_BASE_COST_H

#include <ocelotl/model.h>

/* Bytes of the measures and of one solve. */
uint64_t oc_cost_memory(ocelotl_kind kind, uint32_t nodes, uint32_t slices);

/* Seconds, roughly, of the measures and of one solve, on one core of a common machine. */
double oc_cost_seconds(ocelotl_kind kind, uint32_t nodes, uint32_t types, uint32_t slices);

#endif
