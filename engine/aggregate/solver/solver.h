/* The best pIC of every node over every interval (thesis, algorithm 6.2):
 *
 *     best(k,i,j) = max( pIC(k,i,j), sum over children c of best(c,i,j), max over c of best(k,i,c)
 * + best(k,c+1,j) )
 *
 * as plain maxima of doubles; which of equal candidates is taken is for the extraction to say.
 *
 * The left side of a cut need not itself be cut in time, for cutting there first gives the same
 * parts. So with uncut(k,i,j) the better of the first two, best = max( uncut(k,i,j), max over c of
 * uncut(k,i,c) + best(k,c+1,j) ), and what is kept of a solve is what the children of each inner
 * node are worth together: with it the best of one node over any interval is solved again, alone,
 * when it is asked for. */
#ifndef OC_AGGREGATE_SOLVER_SOLVER_H
#define OC_AGGREGATE_SOLVER_SOLVER_H

#include "aggregate/measures/measures.h"
#include "aggregate/problem/problem.h"

/* --- One node over some slices */

/* Intervals within some slices of a node: row i + 1 is `stride` after row i, and column j is the
 * one that ends with slice j, both counted from the first slice of the window. */
typedef struct oc_window {
    uint32_t node;
    uint32_t first, count; /* slices */
    size_t stride;
    const double *uncut; /* count x stride */
    const double *best;  /* count x stride; NULL: not solved */
    const double *whole; /* count x stride; only of inner nodes, and where it was asked for */
    oc_rows loss;
    const uint32_t *reach; /* given, of a leaf: see oc_solver; or NULL */
    uint64_t tried;        /* cuts so far */
} oc_window;

/* What a thread needs for itself; zero-initialised. */
typedef struct oc_worker {
    oc_measurer measurer;
    bool ready;
    uint32_t capacity; /* slices that fit the matrices */
    double *uncut, *best, *whole;
    double *x, *strip, *margin;
    uint32_t *candidate, *candidate_count;
    double *loss;         /* where losses are not stored: intervals */
    uint64_t cuts, tried; /* counts up: cuts that there were, and those that were tried */
} oc_worker;

void oc_worker_free(oc_worker *worker);

/* --- All nodes */

/* Siblings that one thread solves and adds up: places in by_height. One by one, handing them over
 * to their parent would cost more than solving. */
typedef struct oc_bundle {
    uint32_t begin, end;
} oc_bundle;

/* Of all nodes but the root and those that are never asked for. */
typedef struct oc_bundles {
    oc_bundle *bundle;
    size_t count, capacity;
    /* where those of each height begin; the root's height has none, and ends the last */
    size_t *height_first;
} oc_bundles;

/* How many solves are remembered by the reach of their leaves. */
#define OC_REACHES 4

/* For solves of one aggregation, one after the other: its memory, which is what the system takes
 * longest to give, is used again. */
typedef struct oc_solver {
    bool ready;
    oc_weight weight;
    oc_bundles bundles;
    oc_worker *workers; /* one a thread */
    /* of each inner node that is here, by number, what its children are worth together: packed
     * intervals */
    double **split;
    double *splits;       /* the memory of all these */
    oc_partials *waiting; /* of each inner node, by number: sums over some of its children */
    oc_partials *own;     /* of each thread: those of its bundle */
    void *spare;          /* memory of sums that were added; each begins with the next one */
    /* of each remembered solve, of each leaf, as in oc_cuts: where it can be best whole at that p,
     * or at any below */
    uint32_t *reaches;
    double reach_p[OC_REACHES]; /* 0: not known */
    size_t oldest;
    const uint32_t *reach; /* that holds at the weight; or NULL */
    uint32_t *new_reach;   /* to be filled; or NULL */
} oc_solver;

/* Solves all nodes but the root at a weight: no other node needs the root's values. O(nodes x
 * slices^3) additions at most, in parallel over nodes; bytes: see oc_cost_memory. */
ocelotl_status oc_solver_run(oc_solver *solver, const ocelotl_aggregation *aggregation,
                             oc_weight weight);

/* Fills a window from what was solved, all but the best. Its node and slices are given. */
ocelotl_status oc_solver_look(oc_window *window, const oc_solver *solver, oc_worker *worker,
                              const ocelotl_aggregation *aggregation, bool with_whole);

/* Solves its node once more, by itself. Nothing to do where it is solved. */
void oc_solver_cut(oc_window *window, oc_worker *worker, const ocelotl_aggregation *aggregation);

/* The best of the intervals from slice `begin` on that end with slice `last`: of the one that
 * begins with slice i, column[i]; there is room for OC_PAST_END more. If the window is not solved,
 * these alone are: the same bits. */
void oc_solver_cut_end(double *column, oc_window *window, oc_worker *worker,
                       const ocelotl_aggregation *aggregation, uint32_t begin, uint32_t last);

/* Frees a solver, or nothing. */
void oc_solver_free(oc_solver *solver, const ocelotl_aggregation *aggregation);

/* What the children of an inner node are worth together over a slice interval. */
static inline double oc_split_value(const oc_solver *solver, const ocelotl_aggregation *aggregation,
                                    uint32_t node, uint32_t first, uint32_t last)
{
    const double *split = solver->split[aggregation->nodes.inner[node]];
    return split[oc_row(aggregation->slices, first) + (last - first)];
}

#endif
