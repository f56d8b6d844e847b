/* Rows of sums by which the children of a node are compared. */
#ifndef OC_MODEL_HIERARCHY_CHILD_ROWS_H
#define OC_MODEL_HIERARCHY_CHILD_ROWS_H

#include "model/hierarchy/arrangement.h"

/* A settled arrangement, seen from its nodes. Nodes that are added to it are not seen. Zero-
 * initialised before oc_below_begin. */
typedef struct oc_below {
    const oc_arrangement *arrangement;
    uint32_t *subtree;    /* by node: those in it, itself included, which follow each other */
    uint32_t *leaf_first; /* by node, and one more: where its own begin in `leaves` */
    uint32_t *leaves;     /* of the model */
    size_t *series_first; /* by leaf of the model, and one more */
    double largest;       /* value in the matrix, or 1 */
} oc_below;

/* O(nodes + cells). Free in any case. */
ocelotl_status oc_below_begin(oc_below *below, const oc_arrangement *arrangement);
void oc_below_free(oc_below *below);

/* How much rows tell. */
typedef struct oc_row_bounds {
    uint32_t sums;   /* in a row: about so many, */
    uint32_t slices; /* but at least so many for each type */
} oc_row_bounds;

/* Zero-initialised before oc_child_rows_fill. */
typedef struct oc_child_rows {
    uint32_t *children; /* nodes, in their order */
    uint32_t count;
    size_t width; /* a multiple of OC_DENDROGRAM_LANES */
    /* by child: sums of its leaves' values by type and group of slices; the largest value is 1 */
    double *rows;
    double *sizes; /* by child: its leaves */
} oc_child_rows;

/* Fills the rows of a node's children. Free in any case. O(nodes below + types + cells below +
 * children x width). */
ocelotl_status oc_child_rows_fill(oc_child_rows *children, const oc_below *below, uint32_t node,
                                  oc_row_bounds bounds);
void oc_child_rows_free(oc_child_rows *children);

#endif
