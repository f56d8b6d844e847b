/* Fills an aggregation with totals and losses. */
#ifndef OC_AGGREGATE_MEASURES_MEASURES_H
#define OC_AGGREGATE_MEASURES_MEASURES_H

#include "aggregate/problem/problem.h"

/* The nodes, the tables of logarithms and `loss`, as a plan of what is stored, must be there; fills
 * all else. */
ocelotl_status oc_measures_compute(ocelotl_aggregation *aggregation);

#endif
