#include "aggregate/nodes.h"

#include "base/memory.h"

#include <stdlib.h>

static ocelotl_status allocate(oc_nodes *nodes, uint32_t count)
{
    nodes->count = count;
    OC_TRY(oc_allocate(&nodes->name, count, sizeof *nodes->name));
    OC_TRY(oc_allocate(&nodes->subtree, count, sizeof *nodes->subtree));
    OC_TRY(oc_allocate(&nodes->leaf_first, count, sizeof *nodes->leaf_first));
    OC_TRY(oc_allocate(&nodes->leaf_count, count, sizeof *nodes->leaf_count));
    return oc_allocate(&nodes->by_height, count, sizeof *nodes->by_height);
}

void oc_nodes_free(oc_nodes *nodes)
{
    free(nodes->name);
    free(nodes->subtree);
    free(nodes->leaf_first);
    free(nodes->leaf_count);
    free(nodes->by_height);
    free(nodes->height_first);
    *nodes = (oc_nodes){0};
}

static bool is_only_child(const oc_tree *tree, uint32_t node)
{
    return node > 0 && tree->leaf_count[node] == tree->leaf_count[tree->parent[node]];
}

/* Sorts the nodes by their heights, stably. `height` comes as zeros. */
static ocelotl_status sort_by_height(oc_nodes *nodes, const uint32_t *parent, uint32_t *height)
{
    uint32_t highest = 0;
    for (uint32_t k = nodes->count; k-- > 1;)
        if (height[parent[k]] <= height[k])
            height[parent[k]] = height[k] + 1;
    for (uint32_t k = 0; k < nodes->count; k++)
        highest = height[k] > highest ? height[k] : highest;
    nodes->height_count = highest + 1;
    OC_TRY(oc_allocate(&nodes->height_first, (size_t)highest + 3, sizeof *nodes->height_first));
    uint32_t *first = nodes->height_first;
    for (uint32_t k = 0; k < nodes->count; k++)
        first[height[k] + 2]++;
    for (uint32_t h = 0; h <= highest; h++)
        first[h + 2] += first[h + 1];
    for (uint32_t k = 0; k < nodes->count; k++)
        nodes->by_height[first[height[k] + 1]++] = k;
    return OCELOTL_OK;
}

/* `image` becomes the folded node of each node of the tree, `parent` the parent of each folded node. */
static void fold(oc_nodes *nodes, const oc_tree *tree, uint32_t *image, uint32_t *parent)
{
    uint32_t made = 0;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        if (is_only_child(tree, k)) {
            image[k] = image[tree->parent[k]];
            continue;
        }
        nodes->name[made] = k;
        nodes->subtree[made] = 1;
        nodes->leaf_first[made] = tree->leaf_first[k];
        nodes->leaf_count[made] = tree->leaf_count[k];
        parent[made] = k > 0 ? image[tree->parent[k]] : 0;
        image[k] = made++;
    }
    for (uint32_t k = made; k-- > 1;)
        nodes->subtree[parent[k]] += nodes->subtree[k];
}

struct scratch {
    uint32_t *image;
    uint32_t *parent;
    uint32_t *height;
};

static ocelotl_status build(oc_nodes *nodes, const oc_tree *tree, struct scratch *scratch)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < tree->node_count; k++)
        count += !is_only_child(tree, k);
    OC_TRY(oc_allocate(&scratch->image, tree->node_count, sizeof *scratch->image));
    OC_TRY(oc_allocate(&scratch->parent, count, sizeof *scratch->parent));
    OC_TRY(oc_allocate(&scratch->height, count, sizeof *scratch->height));
    OC_TRY(allocate(nodes, count));
    fold(nodes, tree, scratch->image, scratch->parent);
    return sort_by_height(nodes, scratch->parent, scratch->height);
}

ocelotl_status oc_nodes_of_tree(oc_nodes *nodes, const oc_tree *tree)
{
    struct scratch scratch = {0};
    const ocelotl_status status = build(nodes, tree, &scratch);
    free(scratch.image);
    free(scratch.parent);
    free(scratch.height);
    return status;
}

ocelotl_status oc_nodes_root_only(oc_nodes *nodes, const oc_tree *tree)
{
    OC_TRY(allocate(nodes, 1));
    OC_TRY(oc_allocate(&nodes->height_first, 2, sizeof *nodes->height_first));
    nodes->height_count = 1;
    nodes->height_first[1] = 1;
    nodes->subtree[0] = 1;
    nodes->leaf_count[0] = tree->leaf_count[0];
    return OCELOTL_OK;
}
