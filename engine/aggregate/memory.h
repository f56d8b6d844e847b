/* What an aggregation takes, before it is made. */
#ifndef OC_AGGREGATE_MEMORY_H
#define OC_AGGREGATE_MEMORY_H

#include <ocelotl/aggregation.h>

/* Estimates the bytes that an aggregation and one solve take, beside twice the model's own. *most
 * is what they take where the losses of all nodes are stored; *least, where every solve computes
 * them anew, which takes some times longer. With N nodes, N' of them inner ones, S of them stored,
 * T slices and I = T (T + 1) / 2: 8 I (S + N') + threads (41 T T + ...); temporal N = 1, N' = 0;
 * spatial T = 1. Options may be NULL. Errors: ARGUMENT. */
ocelotl_status ocelotl_aggregation_memory(uint64_t *least, uint64_t *most,
                                          const ocelotl_model *model,
                                          const ocelotl_aggregation_options *options);

#endif
