/* The part of a trace's hierarchy that a model shows: leaves are the resources with events that its metric sees. */
#ifndef OC_MODEL_TRACE_TREE_H
#define OC_MODEL_TRACE_TREE_H

#include "model/model.h"
#include "store/trace.h"

typedef struct oc_trace_tree {
    uint32_t *streams;    /* of each leaf in tree order, as chosen by the metric */
    uint32_t *leaf_nodes; /* and its node */
} oc_trace_tree;

/* Starts a model whose leaves are the resources of `streams` (count >= 1, each resource once). Inner resources with a
 * stream of their own get a leaf `a/.`. The tree is the caller's to free. O(resources). */
ocelotl_status oc_trace_tree_begin(ocelotl_model **model, oc_trace_tree *tree, const ocelotl_trace *trace,
                                   const uint32_t *streams, uint32_t count);
void oc_trace_tree_free(oc_trace_tree *tree);

#endif
