/* A partition is a line over p, the best pIC over p the upper envelope of those lines: it is known
 * between two best partitions once the one that is best where their lines cross is no better than
 * the crossing. */
#ifndef OC_AGGREGATE_LEVELS_ENVELOPE_H
#define OC_AGGREGATE_LEVELS_ENVELOPE_H

#include "aggregate/extract/solution.h"

/* Gain and loss of a partition, in two parts each: what the sums of its parts are, and what
 * rounding took from them. Parts that two partitions have in common are the same numbers in both,
 * and so leave no trace in the difference of their lines, even where they are 10^12 times what
 * differs. */
typedef struct oc_line {
    double gain, loss;
    double gain_rest, loss_rest;
} oc_line;

oc_line oc_line_of(const oc_solution *solution);
oc_line oc_line_of_whole(const ocelotl_aggregation *aggregation);

/* The raw p from which on `high`, of larger gain and loss, is better than `low`; 1 where it never
 * is below 1. */
double oc_crossing_raw(oc_line low, oc_line high);

/* The same, normalised. */
double oc_crossing(const ocelotl_aggregation *aggregation, oc_line low, oc_line high);

/* Normalised pIC, p gain/G - (1-p) loss/L, at a normalised p. */
double oc_line_value(const ocelotl_aggregation *aggregation, oc_line line, double p);

/* By how much something could be better than both lines where they cross, of which `low` is known
 * to be best at normalised p = from and `high` at p = to: the envelope is convex, so it is below
 * the chord. In normalised pIC; 0 where there is no p between them. */
double oc_gap(const ocelotl_aggregation *aggregation, oc_line low, oc_line high, double from,
              double to);

/* The lines of one partition. */
bool oc_is_same_line(oc_line a, oc_line b);

/* A line that is best somewhere between two others, over an interval of p that is wider than
 * rounding. */
bool oc_is_between(oc_line line, oc_line low, oc_line high);

#endif
