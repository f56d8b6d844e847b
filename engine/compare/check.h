/* Whether a new run is like earlier ones: where it spends its time otherwise, and what lasts
 * longer. */
#ifndef OC_COMPARE_CHECK_H
#define OC_COMPARE_CHECK_H

#include "compare/compare.h"

typedef enum oc_change_kind {
    OC_CHANGE_STRUCTURE, /* slices of a node that spend their time otherwise */
    OC_CHANGE_WHOLE,     /* how long the run takes */
    OC_CHANGE_PHASE,     /* how long one of its phases takes */
    OC_CHANGE_NODE       /* how long the leaves of a node are in a type */
} oc_change_kind;

/* What changed somewhere. */
typedef struct oc_changed {
    const char *path; /* of the node in the first or the new run; "" for the whole */
    /* that changed; of a phase what it is mostly, "": nothing */
    const char *type;
    double begin, end; /* in the new run, in seconds from where its window begins */
    /* what there was in the mean of the bases, and is: seconds a leaf; of a structure the share of
     * the type */
    double before, now;
    /* by how much a base differs from the mean of the others, at most; of a structure the share
     * that may be spent otherwise by chance */
    double spread;
    /* beyond the spread: of a structure the share of its time that is spent otherwise, but for a
     * slice; of a time its share of what there was, or of the run */
    double change;
    double moved; /* seconds of all leaves that are spent otherwise */
    oc_change_kind kind;
    uint32_t phase;  /* counted from 1 */
    uint32_t leaves; /* of the node */
    bool of_run; /* the change is a share of the duration of the run: of nodes, and short phases */
    bool beyond; /* its limit */
} oc_changed;

typedef struct oc_check {
    double loss;               /* the largest change of structure */
    double max_loss, max_time; /* the limits, as shares */
    bool structure_changed, time_changed;
    oc_changed *changed; /* those beyond a limit first, of each the most seconds first */
    size_t count;
} oc_check;

/* Checks a run against bases, within the limits: comparisons[i], of `count` (at least 1), is of the
 * first base with another, or at the end with the run. Phases and nodes are those of the first.
 * Slices go to the same phase of each run, and are stretched alike between the borders of phases.
 * The comparisons outlive the check. Errors: those of ocelotl_phases_find. O(runs x phases + nodes
 * x (cells below one + slices x types x runs)). */
ocelotl_status oc_check_runs(oc_check **check, const ocelotl_comparison *const *comparisons,
                             size_t count, double max_loss, double max_time);
void oc_check_free(oc_check *check);

#endif
