/* The part of a trace's hierarchy that a model shows: leaves are the resources with events that its
 * metric sees. */
#ifndef OC_MODEL_CORE_TRACE_TREE_H
#define OC_MODEL_CORE_TRACE_TREE_H

#include "model/core/model.h"
#include "store/trace/catalogue.h"

typedef struct oc_trace_tree {
    uint32_t *resources;  /* of each leaf in tree order: the one whose events are its own */
    uint32_t *leaf_nodes; /* and its node */
} oc_trace_tree;

/* What the tree is made of, by resource. */
typedef struct oc_tree_request {
    const oc_catalogue *catalogue;
    const bool *seen;   /* it has events that the metric sees; some resource has */
    const bool *chosen; /* its events are wanted; NULL: all are */
} oc_tree_request;

/* Starts a model whose leaves are the resources that are seen and chosen. Inner resources of that
 * kind get a leaf `a/.`. The tree is the caller's to free. O(resources). Errors: ARGUMENT where no
 * leaf is left. */
ocelotl_status oc_trace_tree_begin(ocelotl_model **model, oc_trace_tree *tree,
                                   const oc_tree_request *request);
void oc_trace_tree_free(oc_trace_tree *tree);

#endif
