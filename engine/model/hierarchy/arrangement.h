/* The hierarchy of a filled model while it is changed: a list of nodes to put in order, each leaf
 * of the model having its place among them. Several leaves at one place become one leaf. */
#ifndef OC_MODEL_HIERARCHY_ARRANGEMENT_H
#define OC_MODEL_HIERARCHY_ARRANGEMENT_H

#include "model/core/model.h"

typedef struct oc_arranged_node {
    /* the parent is never dropped and stays before its children once all is settled */
    oc_given_node given;
    const char *path; /* NULL: made of the names on the way */
    /* among siblings, the lowest first; of equals the one that was listed before */
    uint32_t rank;
    bool dropped;         /* its children go to its parent */
    bool merged;          /* all below it is to be one leaf */
    bool alike;           /* a group of like siblings, see ocelotl_node */
    uint32_t leaves;      /* of the model, that have their place here */
    uint32_t first_leaf;  /* of these, OCELOTL_NONE: none. Counted when it is settled */
    uint32_t child_count; /* likewise */
} oc_arranged_node;

/* Zero-initialised before oc_arrangement_begin. Node 0 is the root. */
typedef struct oc_arrangement {
    const ocelotl_model *model;
    oc_arranged_node *nodes;
    uint32_t count;
    size_t capacity;
    uint32_t *place; /* by leaf of the model: its node */
    char **texts;    /* names that were made here */
    size_t text_count, text_capacity;
} oc_arrangement;

/* Lists the hierarchy of a model as it is; names and paths are the model's, which must outlive the
 * arrangement. O(nodes). Free in any case. */
ocelotl_status oc_arrangement_begin(oc_arrangement *arrangement, const ocelotl_model *model);
void oc_arrangement_free(oc_arrangement *arrangement);

/* Adds an inner node, or a leaf for whom it will be; its name must live as long as the arrangement.
 */
ocelotl_status oc_arrangement_add(uint32_t *node, oc_arrangement *arrangement, uint32_t parent,
                                  const char *name, const char *kind, uint32_t rank);

/* A copy of a text that lives as long as the arrangement. */
ocelotl_status oc_arrangement_keep(const char **kept, oc_arrangement *arrangement,
                                   const char *text);

/* Puts the nodes in preorder, siblings by rank, without those dropped and those with no leaf below;
 * ranks become places. No leaf's node is dropped, and no node is below itself. O(nodes log nodes).
 */
ocelotl_status oc_arrangement_settle(oc_arrangement *arrangement);

static inline bool oc_arranged_is_leaf(const oc_arranged_node *node)
{
    return node->leaves > 0;
}

/* What leaves at one place become. */
typedef enum oc_joint {
    OC_MERGED, /* one leaf that stands for all of them and weighs as much, see oc_weights */
    OC_ONE_ROW /* one leaf like any other: they live one after the other */
} oc_joint;

/* Gives a model the hierarchy of a settled arrangement, which was begun with it and is of no use
 * any more. The model has no merged leaves before. O(nodes + cells log cells of what is joined).
 * Errors: ARGUMENT for sums that are not finite. */
ocelotl_status oc_model_rearrange(ocelotl_model *model, const oc_arrangement *arrangement,
                                  oc_joint joint);

#endif
