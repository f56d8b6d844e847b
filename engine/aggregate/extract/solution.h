/* A partition as the solvers pass it on, and as the public sees it. The first has the aggregation's
 * own unit. */
#ifndef OC_AGGREGATE_EXTRACT_SOLUTION_H
#define OC_AGGREGATE_EXTRACT_SOLUTION_H

#include "aggregate/problem/problem.h"

typedef struct oc_solution_part {
    uint32_t node; /* of the aggregation's nodes */
    uint32_t first, last;
    double gain, loss;
} oc_solution_part;

/* Zero-initialised it is empty. */
typedef struct oc_solution {
    size_t count;            /* parts of all ranks, once they are summed up */
    size_t own, capacity;    /* those of this rank's nodes: */
    oc_solution_part *block; /* by node, then by time */
    double gain, loss;
    double gain_rest, loss_rest; /* what rounding took from them */
    double flat; /* the share of leaves that are one part most of the time, though not alike */
    uint64_t cuts, cuts_tried;
} oc_solution;

void oc_solution_free(oc_solution *solution);

/* Appends a node over an interval. */
ocelotl_status oc_solution_add(oc_solution *solution, const ocelotl_aggregation *aggregation,
                               uint32_t node, uint32_t first, uint32_t last, double loss);

/* A part is flat if it covers this share of the slices, and loses more than that of what one block
 * loses. */
#define OC_FLAT_TIME 0.8
#define OC_FLAT_LOSS 0.01

/* Fills the sums once all are there, with those of all ranks. They are exact, so that they are the
 * same in any order. */
ocelotl_status oc_solution_sum_up(oc_solution *solution, const ocelotl_aggregation *aggregation);

/* The best partition at raw p in [0,1]; p is not checked. The parts of all ranks, one rank after
 * the other, are by node, then by time. */
ocelotl_status oc_solve(oc_solution *solution, const ocelotl_aggregation *aggregation,
                        double p_raw);

/* The same without its parts. It takes no solve where earlier ones of the aggregation tell what it
 * comes to: a partition that is best at two p is best between them. Thread-safe. */
ocelotl_status oc_solve_sums(oc_solution *solution, const ocelotl_aggregation *aggregation,
                             double p_raw);

/* What the solves of an aggregation came to. */
ocelotl_status oc_known_make(struct oc_known **known);
void oc_known_free(struct oc_known *known);

/* --- The public partition */

/* Sets next_count. */
void oc_partition_set_next_count(ocelotl_partition *partition, size_t count);

#endif
