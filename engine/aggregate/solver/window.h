/* One node over some slices, solved. */
#ifndef OC_AGGREGATE_SOLVER_WINDOW_H
#define OC_AGGREGATE_SOLVER_WINDOW_H

#include "aggregate/measures/node_losses.h"

/* Intervals within some slices of a node: row i + 1 is `stride` after row i, and column j is the
 * one that ends with slice j, both counted from the first slice of the window. */
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
typedef struct oc_worker {
    oc_measurer measurer;
    bool ready;
    uint32_t capacity; /* slices for which the matrices have room */
    double *uncut, *best, *whole;
    double *x, *strip, *margin;
    uint32_t *candidate, *candidate_count;
    double *loss;          /* where losses are not stored: intervals */
    uint64_t cuts, spared; /* counts up: cuts that there were to try, and those that were not */
} oc_worker;

/* Solves the node of a window, of which the node and the slices are given, and fills all else.
 * `split` is what its children are worth together, packed intervals of all slices; NULL for a leaf.
 * The window is the worker's until its next one. */
ocelotl_status oc_window_solve(oc_window *window, oc_worker *worker,
                               const ocelotl_aggregation *aggregation, oc_weight weight,
                               const double *split, bool with_whole);
void oc_worker_free(oc_worker *worker);

#endif
