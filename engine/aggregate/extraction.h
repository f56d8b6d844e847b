/* Finds a best partition by the values of the solver, and among equals the one that the tie rules name. */
#ifndef OC_AGGREGATE_EXTRACTION_H
#define OC_AGGREGATE_EXTRACTION_H

#include "aggregate/solution.h"
#include "aggregate/solver.h"

/* Appends the parts to `solution`, by node, then by time. */
ocelotl_status oc_extract(oc_solution *solution, const ocelotl_aggregation *aggregation, const oc_solver *solver);

#endif
