/* Solves: finds a best partition by the values of the solver, and among equals the one that the tie
 * rules name. */
#ifndef OC_AGGREGATE_EXTRACT_EXTRACTION_H
#define OC_AGGREGATE_EXTRACT_EXTRACTION_H

#include "aggregate/extract/solution.h"

/* The best partition at raw p in [0,1], its parts by node, then by time; p is not checked. */
ocelotl_status oc_solve(oc_solution *solution, const ocelotl_aggregation *aggregation,
                        double p_raw);

#endif
