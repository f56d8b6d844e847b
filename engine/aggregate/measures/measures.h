/* Fills an aggregation with totals and losses: what a node loses over intervals is its series'
 * losses, summed over types. */
#ifndef OC_AGGREGATE_MEASURES_MEASURES_H
#define OC_AGGREGATE_MEASURES_MEASURES_H

#include "aggregate/problem/problem.h"

/* What a thread needs for itself. */
typedef struct oc_measurer {
    oc_columns leaf;    /* the columns of the leaf in hand */
    double *x, *weight; /* columns x slices */
    uint32_t *next;
    oc_origin *origin; /* by column */
    size_t x_capacity, weight_capacity, next_capacity, origin_capacity;
    double *noise, *plain; /* see oc_losses */
    double leaf_bits;      /* of the nodes that they are of */
    double *scratch;
} oc_measurer;

/* Zero-initialised before. */
ocelotl_status oc_measurer_make(oc_measurer *measurer, const ocelotl_aggregation *aggregation);
void oc_measurer_free(oc_measurer *measurer);

/* The tables that all share. */
ocelotl_status oc_lengths_make(oc_lengths *lengths, uint32_t slices);
void oc_lengths_free(oc_lengths *lengths);

/* Computes the losses of a node over all intervals within `count` slices from `first` on, packed by
 * rows of `count` slices. Needs oc_columns_find. */
ocelotl_status oc_node_losses(double *loss, const ocelotl_aggregation *aggregation,
                              oc_measurer *measurer, uint32_t node, uint32_t first, uint32_t count);

/* The largest and the least of a series' values that are not 0. */
typedef struct oc_range {
    double largest, least;
} oc_range;

static inline void oc_range_add(oc_range *range, double x)
{
    range->largest = x > range->largest ? x : range->largest;
    range->least = x > 0 && x < range->least ? x : range->least;
}

/* Computes all measures. The nodes, the tables of logarithms and `loss`, as a plan of what is
 * stored, must be there. */
ocelotl_status oc_measures_compute(ocelotl_aggregation *aggregation);

#endif
