/* What pieces gain and lose more than the block that they make up, exactly. */
#ifndef OC_AGGREGATE_EXTRACT_DIFFERENCES_H
#define OC_AGGREGATE_EXTRACT_DIFFERENCES_H

#include "aggregate/explanation.h"
#include "base/status.h"

/* Fills the differences of a cut whose block and pieces are there, and of parts the types
 * that make them. Its arrays are in the arena. O((types taken out + 1) x (cells + pieces x types)).
 * Errors: MEMORY. */
ocelotl_status oc_differences_find(ocelotl_cut *cut, oc_arena *arena,
                                   const ocelotl_aggregation *aggregation, double p_raw,
                                   bool is_made);

#endif
