/* The nodes that can be parts: the tree of a model without repetitions.
 *
 * A node with one child has the leaves of that child, so the two are the same part. Such chains are
 * folded into their topmost node, whose name the part then bears: an only child costs nothing and
 * changes nothing. */
#ifndef OC_AGGREGATE_PROBLEM_NODES_H
#define OC_AGGREGATE_PROBLEM_NODES_H

#include "base/matrix.h"
#include "base/status.h"

/* In preorder, as oc_tree: the first child of an inner node k is k + 1, the sibling after k is k +
 * subtree[k]. */
typedef struct oc_nodes {
    uint32_t count;
    uint32_t *name; /* the node of the model that each one is */
    uint32_t *subtree;
    uint32_t *leaf_first;
    /* resources that its leaves stand for: as many as leaves, where none is merged */
    uint32_t *leaf_weight;
    uint32_t *parent; /* of the root: itself */
    uint32_t inner_count;
    /* of each inner node its number among them; the leaves' are of no meaning */
    uint32_t *inner;
    uint32_t height_count; /* a leaf has height 0, an inner node one more than its highest child */
    /* all nodes, the leaves first: those of one height do not depend on each other */
    uint32_t *by_height;
    uint32_t *height_first; /* height_count + 1: where each height begins in by_height */
    uint32_t depth_count;   /* the root has depth 0 */
    uint32_t *by_depth;
    uint32_t *depth_first;
} oc_nodes;

ocelotl_status oc_nodes_of_tree(oc_nodes *nodes, const oc_tree *tree);

/* The root alone, for what has no other parts. */
ocelotl_status oc_nodes_root_only(oc_nodes *nodes, const oc_tree *tree);

/* Safe where filling failed. */
void oc_nodes_free(oc_nodes *nodes);

static inline bool oc_nodes_is_leaf(const oc_nodes *nodes, uint32_t node)
{
    return nodes->subtree[node] == 1;
}

/* Runs over the children of a node: for (child = first; child < end; child = next). */
static inline uint32_t oc_nodes_first_child(uint32_t node)
{
    return node + 1;
}

static inline uint32_t oc_nodes_next_child(const oc_nodes *nodes, uint32_t child)
{
    return child + nodes->subtree[child];
}

static inline uint32_t oc_nodes_end(const oc_nodes *nodes, uint32_t node)
{
    return node + nodes->subtree[node];
}

#endif
