/* The cells of leaves that become one. */
#ifndef OC_MODEL_HIERARCHY_JOINED_CELLS_H
#define OC_MODEL_HIERARCHY_JOINED_CELLS_H

#include "model/hierarchy/arrangement.h"

/* A cell of one of the leaves. */
typedef struct oc_joined_cell {
    uint32_t type, slice;
    double value;
} oc_joined_cell;

/* Cells on their way, leaf by leaf, with what the sums have lost. Zero-initialised it is empty. */
typedef struct oc_joined_cells {
    oc_cells cells;
    double *cell_loss;
    double *series_loss;
    size_t cell_loss_capacity, series_loss_capacity;
    oc_joined_cell *room; /* of the leaf at hand */
    size_t room_count, room_capacity;
    double *values;
    size_t value_capacity;
} oc_joined_cells;

/* A leaf that is made of others. */
typedef struct oc_joined_leaf {
    uint32_t number;         /* in the new order */
    const uint32_t *members; /* in the old one */
    uint32_t member_count;
    oc_joint joint;
} oc_joined_leaf;

/* Adds the cells of a leaf: those of its members in the matrix of the model, by type and slice.
 * `leaf_nodes` are the nodes of the model's leaves. Errors: ARGUMENT where they add up to more than
 * a number can be. */
ocelotl_status oc_joined_cells_add(oc_joined_cells *to, const ocelotl_model *model,
                                   const uint32_t *leaf_nodes, const oc_joined_leaf *leaf);

/* The same of the second matrix, as what is drawn of it is joined. */
ocelotl_status oc_joined_cells_add_drawn(oc_joined_cells *to, const ocelotl_model *model,
                                         const oc_joined_leaf *leaf);

void oc_joined_cells_free(oc_joined_cells *cells);

/* Bits lost by drawing so many values, of which those that are not 0 are given, as their mean:
 * exactly 0 where all are equal. *sum becomes what they add up to. O(given). */
double oc_loss_of_mean(double *sum, const double *values, size_t given, size_t all);

#endif
