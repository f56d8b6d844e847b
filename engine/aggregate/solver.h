/* The best pIC of every node over every interval (thesis, algorithm 6.2):
 *
 *     best(k,i,j) = max( pIC(k,i,j), sum over children c of best(c,i,j), max over c of best(k,i,c) + best(k,c+1,j) )
 *
 * as plain maxima of doubles; which of equal candidates is taken is for the extraction to say.
 *
 * The left side of a cut need not itself be cut in time, for cutting there first gives the same parts. So with
 * uncut(k,i,j) the better of the first two, best = max( uncut(k,i,j), max over c of uncut(k,i,c) + best(k,c+1,j) ), and
 * what is kept of a solve is what the children of each inner node are worth together: with it the best of one node over
 * any interval is solved again, alone, when it is asked for. */
#ifndef OC_AGGREGATE_SOLVER_H
#define OC_AGGREGATE_SOLVER_H

#include "aggregate/aggregation.h"
#include "aggregate/node_losses.h"

/* Intervals within some slices of a node: row i + 1 is `stride` after row i, and column j is the one that ends with slice
 * j, both counted from the first slice of the window. */
typedef struct oc_window {
    uint32_t node;
    uint32_t first, count; /* slices */
    size_t stride;
    const double *uncut; /* count x stride */
    const double *best;  /* count x stride */
    const double *whole; /* count x stride; only of inner nodes, and where it was asked for */
    oc_rows loss;
} oc_window;

/* What a thread needs for itself; zero-initialised. */
typedef struct oc_solver_worker {
    oc_measurer measurer;
    bool ready;
    uint32_t capacity; /* slices for which the matrices have room */
    double *uncut, *best, *whole;
    double *x, *strip, *margin;
    uint32_t *candidate, *candidate_count;
    double *loss; /* where losses are not stored: intervals */
    double *sum;  /* intervals: a few children together; NULL where it was handed over */
    uint64_t cuts, spared;
} oc_solver_worker;

/* Siblings that are solved together: places in by_height. */
typedef struct oc_bundle {
    uint32_t begin, end;
    bool is_first; /* of its parent's */
    size_t next;   /* of its parent's, or SIZE_MAX */
    double *sum;   /* what it is worth, while it waits for its turn to be added to the parent's */
} oc_bundle;

/* For solves of one aggregation, one after the other: its memory, which is what the system takes longest to give, is used
 * again. */
typedef struct oc_solver {
    bool ready;
    oc_weight weight;
    double *
        *split; /* of each inner node, by number: what its children are worth together; intervals packed by rows */
    double *splits; /* the memory of all these */
    oc_bundle *bundle;
    size_t bundle_count, bundle_capacity;
    size_t *bundle_first;      /* by height; the root's has none */
    size_t *turn, *first_turn; /* of each inner node the next bundle to be added */
    double **spare;            /* sums that were added: their memory */
    size_t spare_count;
    oc_solver_worker *workers; /* one a thread */
} oc_solver;

/* Solves at a weight all nodes but the root, for no other needs what that is worth. O(nodes x slices^3) additions at
 * most, in parallel over nodes; bytes: see oc_cost_memory. */
ocelotl_status oc_solver_run(oc_solver *solver, const ocelotl_aggregation *aggregation, oc_weight weight);

/* The aggregation keeps a solver that nobody uses; who finds none gets a new one. Of those that are given back one is kept,
 * and one that failed is not. Thread-safe. */
ocelotl_status oc_solver_borrow(oc_solver **solver, const ocelotl_aggregation *aggregation);
void oc_solver_return(oc_solver *solver, const ocelotl_aggregation *aggregation, bool usable);

/* Where an aggregation keeps its idle solver. */
ocelotl_status oc_idle_make(struct oc_idle **idle);
void oc_idle_free(struct oc_idle *idle, const ocelotl_aggregation *aggregation);

/* Solves one node over `count` slices from `first` on. The window is the worker's until its next one. */
ocelotl_status oc_solver_look(oc_window *window, const oc_solver *solver, oc_solver_worker *worker,
                              const ocelotl_aggregation *aggregation, uint32_t node, uint32_t first, uint32_t count,
                              bool with_whole);

/* Whole rows of a window's matrices, and what is between them. */
size_t oc_window_stride(uint32_t count);

/* What the children of an inner node are worth together over a slice interval. */
static inline double oc_split_value(const oc_solver *solver, const ocelotl_aggregation *aggregation, uint32_t node,
                                    uint32_t first, uint32_t last)
{
    const double *split = solver->split[aggregation->nodes.inner[node]];
    return split[oc_row(aggregation->slices, first) + (last - first)];
}

#endif
