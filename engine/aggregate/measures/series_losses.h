/* The measures of the temporal kind: every series for itself. */
#ifndef OC_AGGREGATE_MEASURES_SERIES_LOSSES_H
#define OC_AGGREGATE_MEASURES_SERIES_LOSSES_H

#include "aggregate/problem/problem.h"

/* Fills the totals and losses of the root, whose losses must be stored. */
ocelotl_status oc_series_measure(ocelotl_aggregation *aggregation);

#endif
