/* Trees and matrices: all that the aggregate room knows of a model. */
#ifndef OC_BASE_MATRIX_H
#define OC_BASE_MATRIX_H

#include <ocelotl/model.h>

/* A tree in preorder: node 0 is the root, the first child of an inner node k is k + 1, the sibling
 * after k is k + subtree[k], and the leaves below k are numbered leaf_first[k] .. leaf_first[k] +
 * leaf_count[k] - 1. */
typedef struct oc_tree {
    uint32_t node_count;
    uint32_t *parent;  /* OCELOTL_ROOT for the root */
    uint32_t *subtree; /* nodes in the subtree, itself included; 1 for a leaf */
    uint32_t *leaf_first;
    uint32_t *leaf_count;
    uint32_t *weight_before; /* by leaf, and one more: resources that the leaves before it stand
                                for; NULL: one each */
} oc_tree;

/* One row of the matrix: the values of a (leaf, type) over the slices, those that are not 0, by
 * slice. */
typedef struct oc_series {
    uint32_t leaf; /* number of the leaf in tree order */
    uint32_t type;
    size_t first; /* of its cells; they end where those of the next series begin */
} oc_series;

/* A sparse matrix leaf x type x slice, sorted by (leaf, type, slice); every value is finite and >
 * 0. */
typedef struct oc_matrix {
    oc_tree tree;
    uint32_t type_count;
    uint32_t slice_count;
    size_t series_count;
    oc_series *series; /* series_count + 1; the last one only ends its predecessor */
    size_t cell_count;
    uint32_t *cell_slice;
    double *cell_value;

    /* If leaves stand for several resources, the values are their sums, and this is their loss
     * against the values of the resources, in bits times the unit. With the weight n and the sum X
     * it gives their sum of v log v, loss - X log n + X log X, without cancellation. NULL:
     * nothing. */
    double *cell_loss;   /* of each cell */
    double *series_loss; /* of each series, of its sum over the slices */
} oc_matrix;

/* The first series of a leaf, or of one after it. O(log count). */
static inline size_t oc_series_from_leaf(const oc_series *series, size_t count, uint32_t leaf)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (series[middle].leaf < leaf)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first of cells low .. high - 1 of one series that is in a slice or behind it; `high`: none.
 * O(log cells). */
static inline size_t oc_cell_from_slice(const uint32_t *slices, size_t low, size_t high,
                                        uint32_t slice)
{
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (slices[middle] < slice)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many resources the leaves below a node stand for. */
static inline uint32_t oc_tree_weight(const oc_tree *tree, uint32_t node)
{
    const uint32_t first = tree->leaf_first[node];
    const uint32_t count = tree->leaf_count[node];
    return tree->weight_before != NULL
               ? tree->weight_before[first + count] - tree->weight_before[first]
               : count;
}

static inline bool oc_tree_is_leaf(const oc_tree *tree, uint32_t node)
{
    return tree->subtree[node] == 1;
}

/* The matrix inside a model; every model has one. */
const oc_matrix *oc_model_matrix(const ocelotl_model *model);

#endif
