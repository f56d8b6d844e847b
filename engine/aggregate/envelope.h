/* A partition is a line over p, the best pIC over p the upper envelope of those lines: it is known between two
 * best partitions once the one that is best where their lines cross is no better than the crossing. */
#ifndef OC_AGGREGATE_ENVELOPE_H
#define OC_AGGREGATE_ENVELOPE_H

#include "aggregate/solution.h"

typedef struct oc_line {
    double gain, loss;
} oc_line;

/* The raw p from which on `high`, of larger gain and loss, is better than `low`; 1 where it never is below 1. */
double oc_crossing_raw(oc_line low, oc_line high);

/* The same, normalised. */
double oc_crossing(const ocelotl_aggregation *aggregation, oc_line low, oc_line high);

/* Normalised pIC, p gain/G - (1-p) loss/L, at a normalised p. */
double oc_line_value(const ocelotl_aggregation *aggregation, oc_line line, double p);

/* By how much a line that is best at a raw p is above two others there, in raw pIC; 0 where rounding alone could put
 * it there. */
double oc_height_above(oc_line line, oc_line low, oc_line high, double p_raw);

#endif
