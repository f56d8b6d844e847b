/* Finds levels: the upper envelope of the partitions' lines, intersection by intersection, the
 * largest gap first.
 *
 * The result does not depend on when a search stops: a search that goes on finds more levels
 * between those it has. */
#ifndef OC_AGGREGATE_LEVELS_FINDER_H
#define OC_AGGREGATE_LEVELS_FINDER_H

#include "aggregate/extract/solution.h"

#include <ocelotl/levels.h>

/* A partition is a line over p, and the best pIC is the upper envelope of these lines. Between two
 * best partitions the envelope is known once the best one at the crossing of their lines is no
 * better than the crossing. */

/* Gain and loss of a partition, in two parts each: what the sums of its parts are, and what
 * rounding took from them. Parts that two partitions have in common are the same numbers in both,
 * and so leave no trace in the difference of their lines, even where they are 10^12 times what
 * differs. */
typedef struct oc_line {
    double gain, loss;
    double gain_rest, loss_rest;
} oc_line;

oc_line oc_line_of_whole(const ocelotl_aggregation *aggregation);

/* The raw p from which `high`, of larger gain and loss, is better than `low`; 1 if it never is
 * below 1. */
double oc_crossing_raw(oc_line low, oc_line high);

/* The same, normalised. */
double oc_crossing(const ocelotl_aggregation *aggregation, oc_line low, oc_line high);

/* Normalised pIC, p gain/G - (1-p) loss/L, at a normalised p. */
double oc_line_value(const ocelotl_aggregation *aggregation, oc_line line, double p);

/* The gain and loss that `high` has more than `low`, as shares of the whole's unless those are
 * 0. */
oc_line oc_normal_step(const ocelotl_aggregation *aggregation, oc_line low, oc_line high);

/* Whether a line is best somewhere between two others, over more of p than rounding. */
bool oc_is_between(oc_line line, oc_line low, oc_line high);

/* A partition that is best somewhere, and the gap to the next one. */
typedef struct oc_found {
    oc_line line;
    size_t parts;
    double flat;                  /* as of a solution */
    size_t number;                /* in the list, from 1; 0: found after it was made */
    double low, high;             /* the raw p between which it is known to be best */
    double p;                     /* a short normalised p that gives it, or NAN */
    bool chosen;                  /* p is the one to show */
    bool proved;                  /* no level is between it and the next one */
    bool tried_crossing;          /* the search found no better one at its crossing with the next */
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
    bool doubts; /* nothing is proved but by looks */
} oc_finder;

typedef struct oc_finder_goal {
    size_t most;         /* stop at this many levels, at least 2; 0: no bound */
    uint64_t max_solves; /* stop after this many solves of the finder; 0: no bound */
    double gap;          /* stop where no gap is larger */
    bool all;            /* no bound matters: prove rather than find */
} oc_finder_goal;

/* Solves at a raw p; for the searches. */
ocelotl_status oc_finder_solve(oc_finder *finder, double p_raw, oc_found *found);

/* The lossless partition and the whole. */
ocelotl_status oc_finder_begin(oc_finder *finder);

/* Adds the level to show first, the best one at a normalised p, unless it is there, and marks
 * it. */
ocelotl_status oc_finder_add_automatic(oc_finder *finder, double p);

/* Looks into the largest gaps until it reaches the goal or nothing is left. */
ocelotl_status oc_finder_continue(oc_finder *finder, oc_finder_goal goal);

/* Finds a level between i and the next one, or proves that none is. */
ocelotl_status oc_finder_prove(oc_finder *finder, size_t i);

/* Adds the whole at the end of all levels where a partition gains as much and loses less: it is
 * then the best at p = 1 alone. */
ocelotl_status oc_finder_add_whole(oc_finder *finder);

/* Takes proofs for a list back: for all levels they also want a look just before each crossing. */
void oc_finder_doubt(oc_finder *finder);

/* Where one level gives way to the next, i to i + 1: in normalised and in raw p. 0 before the
 * first, 1 after the last. */
double oc_finder_from(const oc_finder *finder, size_t i);
double oc_finder_to(const oc_finder *finder, size_t i);

/* Chooses the p to show of level i: short, normalised, and inside it. A few solves at most. */
ocelotl_status oc_finder_choose_p(oc_finder *finder, size_t i);

void oc_finder_free(oc_finder *finder);

/* Finds the partition with the most parts up to `parts` (>= 1): its p, where wanted a short one,
 * what it comes to, and the parts of the next one; 0 where it has as many as are wanted. */
ocelotl_status oc_find_parts(oc_found *found, size_t *next_count, oc_finder *finder, size_t parts,
                             bool short_p);

/* Numbers that a person types again. */

/* The shortest decimal well inside an interval: of the shortest ones, the nearest to the middle. */
double oc_short_decimal(double low, double high);

/* Rounds a number to 1 to 17 significant digits: the double that those digits read as. */
double oc_round_digits(double number, int digits);

/* --- The level to show first */

/* At p = 0.5 gain and loss, as shares of the whole's, weigh the same: what is maximised is their
 * difference. The level to show first may stay below the best by this, one percentage point, for
 * being more aggregated. */
#define OC_AUTOMATIC_TOLERANCE 0.01

/* The search is content with a level that uses this much of the tolerance. */
#define OC_AUTOMATIC_USED 0.0075

/* A picture of more parts than these has no room for them: at 1280 x 720 pixels, some 20 x 20 for
 * each. */
#define OC_READABLE_PARTS 2000

/* A reader takes in so many parts. A level of more gives way to one of no more than the latter, and
 * one that loses more than this share of what could be told apart to one of more parts, up to the
 * former. */
#define OC_MUCH_LOST  0.25
#define OC_FEW_PARTS  100
#define OC_MANY_PARTS 150

/* A level in which more than this share of the leaves is flat gives way to one of up to
 * OC_MANY_PARTS. */
#define OC_FLAT_LEAVES 0.25

/* Finds its normalised p, mostly in two to eight solves; or that of the knee alone, in at most 27.
 * Of the finder nothing is used but its way to solve. */
ocelotl_status oc_automatic_p(oc_finder *finder, bool knee, double *p);

#endif
