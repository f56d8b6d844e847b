#include "aggregate/problem/nodes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status allocate(oc_nodes *nodes, uint32_t count)
{
    nodes->count = count;
    OC_TRY(oc_allocate(&nodes->name, count, sizeof *nodes->name));
    OC_TRY(oc_allocate(&nodes->subtree, count, sizeof *nodes->subtree));
    OC_TRY(oc_allocate(&nodes->leaf_first, count, sizeof *nodes->leaf_first));
    OC_TRY(oc_allocate(&nodes->leaf_weight, count, sizeof *nodes->leaf_weight));
    OC_TRY(oc_allocate(&nodes->parent, count, sizeof *nodes->parent));
    OC_TRY(oc_allocate(&nodes->inner, count, sizeof *nodes->inner));
    OC_TRY(oc_allocate(&nodes->by_height, count, sizeof *nodes->by_height));
    return oc_allocate(&nodes->by_depth, count, sizeof *nodes->by_depth);
}

void oc_nodes_free(oc_nodes *nodes)
{
    free(nodes->name);
    free(nodes->subtree);
    free(nodes->leaf_first);
    free(nodes->leaf_weight);
    free(nodes->by_height);
    free(nodes->height_first);
    free(nodes->parent);
    free(nodes->inner);
    free(nodes->by_depth);
    free(nodes->depth_first);
    *nodes = (oc_nodes){0};
}

static bool is_only_child(const oc_tree *tree, uint32_t node)
{
    return node > 0 && tree->leaf_count[node] == tree->leaf_count[tree->parent[node]];
}

/* Sorts the nodes by a key, stably: `sorted` becomes the nodes, *first where each key from 0 to
 * `highest` begins. */
static ocelotl_status sort_by(uint32_t *sorted, uint32_t **first, const uint32_t *key,
                              uint32_t highest, uint32_t count)
{
    OC_TRY(oc_allocate(first, (size_t)highest + 3, sizeof **first));
    uint32_t *place = *first;
    for (uint32_t k = 0; k < count; k++)
        place[key[k] + 2]++;
    for (uint32_t h = 0; h <= highest; h++)
        place[h + 2] += place[h + 1];
    for (uint32_t k = 0; k < count; k++)
        sorted[place[key[k] + 1]++] = k;
    return OCELOTL_OK;
}

static uint32_t highest_of(const uint32_t *key, uint32_t count)
{
    uint32_t highest = 0;
    for (uint32_t k = 0; k < count; k++)
        highest = key[k] > highest ? key[k] : highest;
    return highest;
}

/* `key` comes as zeros. */
static ocelotl_status sort_by_height(oc_nodes *nodes, uint32_t *key)
{
    for (uint32_t k = nodes->count; k-- > 1;)
        if (key[nodes->parent[k]] <= key[k])
            key[nodes->parent[k]] = key[k] + 1;
    const uint32_t highest = highest_of(key, nodes->count);
    nodes->height_count = highest + 1;
    return sort_by(nodes->by_height, &nodes->height_first, key, highest, nodes->count);
}

static ocelotl_status sort_by_depth(oc_nodes *nodes, uint32_t *key)
{
    key[0] = 0;
    for (uint32_t k = 1; k < nodes->count; k++)
        key[k] = key[nodes->parent[k]] + 1;
    const uint32_t highest = highest_of(key, nodes->count);
    nodes->depth_count = highest + 1;
    return sort_by(nodes->by_depth, &nodes->depth_first, key, highest, nodes->count);
}

static void number_inner(oc_nodes *nodes)
{
    for (uint32_t k = 0; k < nodes->count; k++)
        if (!oc_nodes_is_leaf(nodes, k))
            nodes->inner[k] = nodes->inner_count++;
}

/* `image` becomes the folded node of each node of the tree. */
static void fold(oc_nodes *nodes, const oc_tree *tree, uint32_t *image)
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
        nodes->leaf_weight[made] = oc_tree_weight(tree, k);
        nodes->parent[made] = k > 0 ? image[tree->parent[k]] : 0;
        image[k] = made++;
    }
    for (uint32_t k = made; k-- > 1;)
        nodes->subtree[nodes->parent[k]] += nodes->subtree[k];
}

static ocelotl_status build(oc_nodes *nodes, const oc_tree *tree, uint32_t *scratch)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < tree->node_count; k++)
        count += !is_only_child(tree, k);
    OC_TRY(allocate(nodes, count));
    fold(nodes, tree, scratch);
    number_inner(nodes);
    memset(scratch, 0, tree->node_count * sizeof *scratch);
    OC_TRY(sort_by_height(nodes, scratch));
    return sort_by_depth(nodes, scratch);
}

ocelotl_status oc_nodes_of_tree(oc_nodes *nodes, const oc_tree *tree)
{
    uint32_t *scratch;
    OC_TRY(oc_allocate(&scratch, tree->node_count, sizeof *scratch));
    const ocelotl_status status = build(nodes, tree, scratch);
    free(scratch);
    return status;
}

ocelotl_status oc_nodes_root_only(oc_nodes *nodes, const oc_tree *tree)
{
    OC_TRY(allocate(nodes, 1));
    OC_TRY(oc_allocate(&nodes->height_first, 2, sizeof *nodes->height_first));
    OC_TRY(oc_allocate(&nodes->depth_first, 2, sizeof *nodes->depth_first));
    nodes->height_count = 1;
    nodes->height_first[1] = 1;
    nodes->depth_count = 1;
    nodes->depth_first[1] = 1;
    nodes->subtree[0] = 1;
    nodes->leaf_weight[0] = oc_tree_weight(tree, 0);
    return OCELOTL_OK;
}
