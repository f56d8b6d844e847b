/* Finds levels: the upper envelope of the partitions' lines, intersection by intersection, the
 * largest gap first.
 *
 * What is found does not depend on when one stops: who goes on finds more of them between those. */
#ifndef OC_AGGREGATE_LEVELS_FINDER_H
#define OC_AGGREGATE_LEVELS_FINDER_H

#include "aggregate/levels/envelope.h"

/* A partition that is best somewhere, and the gap to the next one. */
typedef struct oc_found {
    oc_line line;
    size_t parts;
    size_t number;                /* in the list, from 1; 0: found after it was made */
    double low, high;             /* the raw p between which it is known to be best */
    double p;                     /* a short normalised p that gives it, or NAN */
    bool chosen;                  /* p is the one to tell */
    bool proved;                  /* nothing is between it and the next one */
    bool tried_crossing;          /* there is nothing better where it crosses the next one */
    double tried_low, tried_high; /* low and high before its proofs */
    /* by how much something could be better than both, in normalised pIC */
    double gap;
    /* the one that it represents, from 1 for the most aggregated; 0: none */
    size_t plateau;
    double plateau_from, plateau_to; /* normalised */
    bool automatic;                  /* the one to show first */
} oc_found;

/* Of zeros but for the aggregation and the progress; ended by oc_finder_free. */
typedef struct oc_finder {
    const ocelotl_aggregation *aggregation;
    ocelotl_progress progress; /* in solves */
    void *progress_context;
    oc_found *found; /* by gain */
    size_t count, capacity;
    uint64_t solves;
} oc_finder;

typedef struct oc_finder_goal {
    size_t most;         /* stop at so many levels, at least 2; 0: no bound */
    uint64_t max_solves; /* stop where the finder has made so many solves; 0: no bound */
    double gap;          /* stop where no gap is larger */
    bool all;            /* there is no bound that matters: prove rather than find */
} oc_finder_goal;

/* Solves at a raw p; for the searches. */
ocelotl_status oc_finder_solve(oc_finder *finder, double p_raw, oc_found *found);

/* The lossless partition and the whole. */
ocelotl_status oc_finder_begin(oc_finder *finder);

/* Adds the level that is best at a normalised p, if it is not there yet, and marks it as the one to
 * show first. */
ocelotl_status oc_finder_add_automatic(oc_finder *finder, double p);

/* Looks into the largest gaps until the goal is reached, or nothing is left to find. */
ocelotl_status oc_finder_continue(oc_finder *finder, oc_finder_goal goal);

/* Takes proofs for a list back: for all levels they also want a look just before each crossing. */
void oc_finder_doubt(oc_finder *finder);

/* Where one level gives way to the next, i to i + 1: in normalised and in raw p. 0 before the
 * first, 1 after the last. */
double oc_finder_from(const oc_finder *finder, size_t i);
double oc_finder_to(const oc_finder *finder, size_t i);

/* Chooses the p to tell of level i: short, normalised, and inside it. A few solves at most. */
ocelotl_status oc_finder_choose_p(oc_finder *finder, size_t i);

void oc_finder_free(oc_finder *finder);

#endif
