/* What there is to choose from for the first block of an item. */
#ifndef OC_AGGREGATE_EXTRACT_CANDIDATES_H
#define OC_AGGREGATE_EXTRACT_CANDIDATES_H

#include "aggregate/extract/choices.h"

/* In item_of: to be made. */
#define OC_WANTED (OC_NONE - 1)

/* In kept: not known yet. */
#define OC_UNKNOWN (OC_NONE - 1)

/* A node being explored, window by window. */
typedef struct oc_exploration {
    oc_choices *choices;
    oc_choices_place *place;
    oc_explorer *explorer;
    const oc_solver *solver;
    const ocelotl_aggregation *aggregation;
    const oc_request *request;
    oc_cut_set cuts; /* bits are by slice of the trace, not of the window */
    oc_window window;
    bool leaf;
} oc_exploration;

/* Intervals of the window in one of its matrices. */
static inline double oc_value_at(const oc_exploration *exploration, const double *matrix,
                                 uint32_t i, uint32_t j)
{
    return matrix[i * exploration->window.stride + j];
}

/* Adds all choices for slices i..last of the window whose values differ by no more than rounding,
 * in the order of preference, and has the items wanted that follow. */
ocelotl_status oc_add_choices(oc_exploration *exploration, uint32_t i, uint32_t last);

#endif
