/* Whether a new run is like earlier ones: what it loses where it is described by their parts, and
 * what lasts longer. */
#ifndef OC_COMPARE_CHECK_H
#define OC_COMPARE_CHECK_H

#include "compare/compare.h"

#include <ocelotl/aggregation.h>

typedef enum oc_change_kind {
    OC_CHANGE_STRUCTURE, /* a part of the new run that the parts of the first do not tell */
    OC_CHANGE_WHOLE,     /* how long the run takes */
    OC_CHANGE_PHASE,     /* how long one of its phases takes */
    OC_CHANGE_NODE       /* how long the leaves of a node are in a type */
} oc_change_kind;

/* What changed somewhere. */
typedef struct oc_changed {
    oc_change_kind kind;
    const char *path; /* of the node in the first or the new run; "" for the whole */
    /* that changed; of a phase what it is mostly, "": nothing */
    const char *type;
    uint32_t phase;    /* counted from 1 */
    uint32_t leaves;   /* of the node */
    double begin, end; /* in the new run, in seconds from where its window begins */
    /* what there was in the mean of the bases, and is: seconds a leaf; of a structure the share of
     * the type in the first base alone, and in the new run */
    double before, now;
    double spread; /* by how much a base differs from the mean of the others, at most */
    /* beyond the spread: of a structure its share of the loss of structure; of a time its share of
     * what there was, of a node of the duration of the run */
    double change;
    double moved; /* seconds of all leaves that are spent otherwise */
    bool beyond;  /* its limit */
} oc_changed;

typedef struct oc_check {
    /* What the new run loses beyond its own best parts at the same p where it is described by those
     * of a base, of what it loses as one part; the mean over the bases. And the most that a base
     * loses so, described by the others. */
    double loss, loss_spread;
    double max_loss, max_time; /* the limits, as shares */
    bool structure_changed, time_changed;
    oc_changed *changed; /* those beyond a limit first, of each the most seconds first */
    size_t count;
} oc_check;

/* A run: the measures of its model, and its best parts at a p that is the same raw one for all. */
typedef struct oc_run {
    const ocelotl_aggregation *aggregation;
    const ocelotl_partition *partition;
} oc_run;

/* Checks the last of `count` runs (at least 2) against the others, within the limits. All models
 * have the hierarchy of the first (`hierarchy.like`). The phases and nodes are those of the first.
 * The runs outlive the check. O(runs^2 x (comparison + parts x cells of their nodes)). Errors:
 * those of ocelotl_compare_models and ocelotl_phases_find. */
ocelotl_status oc_check_runs(oc_check **check, const oc_run *runs, size_t count, double max_loss,
                             double max_time);
void oc_check_free(oc_check *check);

#endif
