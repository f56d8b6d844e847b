/* A partition as the public sees it. */
#ifndef OC_AGGREGATE_EXTRACT_PARTITION_H
#define OC_AGGREGATE_EXTRACT_PARTITION_H

#include "aggregate/extract/solution.h"

/* Makes a partition of a solution that was found at p, or p_raw. */
ocelotl_status oc_partition_make(ocelotl_partition **partition,
                                 const ocelotl_aggregation *aggregation,
                                 const oc_solution *solution, double p, double p_raw);

/* Sets next_count. */
void oc_partition_set_next_count(ocelotl_partition *partition, size_t count);

/* Makes a partition of nodes that were given, not found: of each part its node in the model, and
 * what the level is called; both are copied. */
ocelotl_status oc_partition_make_of_level(ocelotl_partition **partition,
                                          const ocelotl_aggregation *aggregation,
                                          const oc_solution *solution, const uint32_t *nodes,
                                          const char *level);

#endif
