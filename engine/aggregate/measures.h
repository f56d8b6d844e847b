/* Computes the measures of every possible part. */
#ifndef OC_AGGREGATE_MEASURES_H
#define OC_AGGREGATE_MEASURES_H

#include "aggregate/aggregation.h"

/* Fills unit, total, loss and the whole's measures of an aggregation of which the rest is set. */
ocelotl_status oc_measures_compute(ocelotl_aggregation *aggregation);

#endif
