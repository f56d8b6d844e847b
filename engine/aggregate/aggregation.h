/* What the solvers work on: every possible part's measures.
 *
 * The three kinds are one problem. The spatiotemporal one has every node and slice; the temporal one has the root
 * alone, each series measured over its slices only; the spatial one has every node and a single slice, which
 * holds the sums over time. */
#ifndef OC_AGGREGATE_AGGREGATION_H
#define OC_AGGREGATE_AGGREGATION_H

#include <ocelotl/aggregation.h>

#include "aggregate/nodes.h"

#include <math.h>

struct ocelotl_aggregation {
    const ocelotl_model *model;
    const oc_matrix *matrix;
    ocelotl_kind kind;
    uint32_t threads;
    oc_nodes nodes;
    uint32_t slices; /* of the problem: 1 for the spatial kind */
    int unit;        /* all values, and so all measures, are in units of 2^unit: the largest one is near 1 */
    double *total;   /* nodes x slices: the sum over types */
    double *loss;    /* nodes x intervals, see oc_row */
    double whole_gain, whole_loss;
};

/* A share of rounding that a measure cannot rise above: less than this part of what it is a share of is nothing. */
#define OC_ROUNDING 0x1p-50

/* Values closer than this part of the magnitude of their terms are equal: the rounding of long sums. */
#define OC_TIE 0x1p-44

/* Intervals i..j of slices are packed by rows: those that begin at i are at oc_row(slices, i), from j = i on. */
static inline size_t oc_row(uint32_t slices, uint32_t i)
{
    return (size_t)i * slices - (size_t)i * (i - (i > 0)) / 2;
}

static inline size_t oc_intervals(uint32_t slices)
{
    return (size_t)slices * ((size_t)slices + 1) / 2;
}

static inline const double *oc_total_of(const ocelotl_aggregation *aggregation, uint32_t node)
{
    return aggregation->total + (size_t)node * aggregation->slices;
}

/* Losses of the intervals of a node that begin at slice i. */
static inline const double *oc_loss_of(const ocelotl_aggregation *aggregation, uint32_t node, uint32_t i)
{
    return aggregation->loss + node * oc_intervals(aggregation->slices) + oc_row(aggregation->slices, i);
}

/* log2 of the cells n that one series has in so many slices of a node. With the sum X over all series of a part,
 * M = X log n is its gain and loss together: pIC = p M - loss. X is summed from the first slice to the last, in
 * this order everywhere, so that M is the same bits everywhere. */
static inline double oc_log_cells(const ocelotl_aggregation *aggregation, uint32_t node, uint32_t length)
{
    const double width = aggregation->kind == OCELOTL_TEMPORAL ? 1 : aggregation->nodes.leaf_count[node];
    return log2(width * length);
}

/* Threads for so many additions or the like, done height by height: where there is little to share one is faster. */
static inline int oc_threads_for(const ocelotl_aggregation *aggregation, double operations)
{
    return operations / aggregation->nodes.height_count < 1e5 ? 1 : (int)aggregation->threads;
}

/* A p for the solver: raw; as a limit from above it is infinitely small. */
typedef struct oc_weight {
    double p;
    bool limit;
} oc_weight;

/* pIC of a part; in the limit its M, and out of the question where something is lost. */
static inline double oc_value(oc_weight weight, double m, double loss)
{
    if (weight.limit)
        return loss == 0 ? m : (double)-INFINITY;
    return weight.p * m - loss;
}

#endif
