/* Finds a best partition by the values of the recurrence, and among equals the one that the tie rules name. */
#ifndef OC_AGGREGATE_EXTRACTION_H
#define OC_AGGREGATE_EXTRACTION_H

#include "aggregate/recurrence.h"
#include "aggregate/solution.h"

/* Appends the parts to `solution`, in no order. */
ocelotl_status oc_extract(oc_solution *solution, const ocelotl_aggregation *aggregation,
                          const oc_recurrence *recurrence);

#endif
