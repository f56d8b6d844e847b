/* Brings the nodes that a source gives into preorder, and names them. */
#include "model/core/model.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Children of each given node as lists in the order given. */
typedef struct children {
    uint32_t *first;
    uint32_t *next;
    uint32_t *last;
    uint32_t root;
} children;

static ocelotl_status link_children(children *lists, const oc_given_node *nodes, uint32_t count)
{
    OC_TRY(oc_allocate(&lists->first, count, sizeof *lists->first));
    OC_TRY(oc_allocate(&lists->next, count, sizeof *lists->next));
    OC_TRY(oc_allocate(&lists->last, count, sizeof *lists->last));
    lists->root = OCELOTL_NONE;
    for (uint32_t i = 0; i < count; i++)
        lists->first[i] = lists->next[i] = lists->last[i] = OCELOTL_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t parent = nodes[i].parent;
        if (parent == OCELOTL_ROOT) {
            if (lists->root != OCELOTL_NONE)
                return oc_fail(OCELOTL_ERROR_ARGUMENT,
                               "nodes %" PRIu32 " and %" PRIu32
                               " have no parent, expected one root",
                               lists->root, i);
            lists->root = i;
            continue;
        }
        if (parent >= count)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "the parent of node %" PRIu32 " is %" PRIu32
                           ", expected a node below %" PRIu32,
                           i, parent, count);
        if (lists->first[parent] == OCELOTL_NONE)
            lists->first[parent] = i;
        else
            lists->next[lists->last[parent]] = i;
        lists->last[parent] = i;
    }
    if (lists->root == OCELOTL_NONE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "no node is the root, expected one without a parent");
    return OCELOTL_OK;
}

static void free_children(children *lists)
{
    free(lists->first);
    free(lists->next);
    free(lists->last);
}

/* Walks down and across without recursion: hierarchies may be as deep as they like. */
static uint32_t number_preorder(oc_tree *tree, uint32_t *numbers, uint32_t *order,
                                const children *lists, const oc_given_node *nodes)
{
    uint32_t next = 0;
    uint32_t given = lists->root;
    while (given != OCELOTL_NONE) {
        numbers[given] = next;
        order[next] = given;
        tree->parent[next] =
            nodes[given].parent == OCELOTL_ROOT ? OCELOTL_ROOT : numbers[nodes[given].parent];
        next++;
        if (lists->first[given] != OCELOTL_NONE) {
            given = lists->first[given];
            continue;
        }
        while (given != OCELOTL_NONE && lists->next[given] == OCELOTL_NONE)
            given = nodes[given].parent == OCELOTL_ROOT ? OCELOTL_NONE : nodes[given].parent;
        if (given != OCELOTL_NONE)
            given = lists->next[given];
    }
    return next;
}

void oc_tree_measure(oc_tree *tree)
{
    const uint32_t count = tree->node_count;
    for (uint32_t k = 0; k < count; k++)
        tree->subtree[k] = 1;
    for (uint32_t k = count; k-- > 1;)
        tree->subtree[tree->parent[k]] += tree->subtree[k];
    uint32_t leaf = 0;
    for (uint32_t k = 0; k < count; k++) {
        tree->leaf_first[k] = leaf;
        tree->leaf_count[k] = oc_tree_is_leaf(tree, k);
        leaf += tree->leaf_count[k];
    }
    for (uint32_t k = count; k-- > 1;)
        tree->leaf_count[tree->parent[k]] += tree->leaf_count[k];
}

/* `known` is its path, if it has one. */
static ocelotl_status make_path(ocelotl_model *model, uint32_t node, const char *known,
                                bool own_leaf, oc_map *paths, oc_map *repeats)
{
    const uint32_t parent = model->matrix.tree.parent[node];
    oc_model_node *named = &model->nodes[node];
    if (parent == OCELOTL_ROOT)
        return oc_copy_text(&named->path, "");
    oc_text path = {0};
    if (parent != 0 && known == NULL) {
        oc_text_add(&path, model->nodes[parent].path);
        oc_text_add(&path, "/");
    }
    oc_text_append(&path, "", 0);
    if (known != NULL)
        oc_text_add_utf8(&path, known, strlen(known));
    else if (own_leaf)
        oc_text_add(&path, ".");
    else
        oc_text_add_path_step(&path, named->name);
    const size_t length = path.length;
    ocelotl_status status = path.failed ? oc_fail_memory() : OCELOTL_OK;
    /* Siblings of one name get #2, #3; a name may look like that by itself, so look until one is
     * free. The number last given is remembered, or a thousand siblings of one name would cost a
     * million looks. */
    uint32_t repeat = oc_map_get(repeats, path.bytes, length);
    if (repeat != OC_MAP_NONE || oc_map_get(paths, path.bytes, length) != OC_MAP_NONE) {
        repeat = repeat == OC_MAP_NONE ? 2 : repeat;
        do {
            path.length = length;
            oc_text_format(&path, "#%" PRIu32, repeat++);
        } while (!path.failed && oc_map_get(paths, path.bytes, path.length) != OC_MAP_NONE);
        status = path.failed ? oc_fail_memory() : oc_map_set(repeats, path.bytes, length, repeat);
    }
    if (status == OCELOTL_OK)
        status = oc_map_set(paths, path.bytes, path.length, node);
    if (status == OCELOTL_OK)
        named->path = path.bytes;
    else
        oc_text_free(&path);
    return status;
}

/* Every node has its whole path, which is short in any hierarchy that people made. One that is a
 * chain of a hundred thousand nodes would need gigabytes. */
static const size_t longest_paths = (size_t)1 << 30;

static ocelotl_status check_paths(size_t *bytes, const oc_model_node *node)
{
    *bytes += strlen(node->path) + 1;
    if (*bytes <= longest_paths)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_LIMIT,
                   "the paths of the hierarchy, which is more than %" PRIu32
                   " levels deep, need more than 1 GiB",
                   node->depth);
}

static ocelotl_status name_nodes(ocelotl_model *model, const oc_given_node *nodes,
                                 const char *const *known, const uint32_t *order)
{
    oc_map paths = {0};
    oc_map repeats = {0};
    size_t bytes = 0;
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t k = 0; k < model->matrix.tree.node_count && status == OCELOTL_OK; k++) {
        const oc_given_node *given = &nodes[order[k]];
        oc_model_node *named = &model->nodes[k];
        const uint32_t parent = model->matrix.tree.parent[k];
        named->source = given->source;
        named->depth = parent == OCELOTL_ROOT ? 0 : model->nodes[parent].depth + 1;
        status = oc_copy_utf8(&named->name, given->name);
        if (status == OCELOTL_OK)
            status = oc_copy_utf8(&named->kind, given->kind != NULL ? given->kind : "");
        if (status == OCELOTL_OK)
            status = make_path(model, k, known != NULL ? known[order[k]] : NULL, given->own_leaf,
                               &paths, &repeats);
        if (status == OCELOTL_OK)
            status = check_paths(&bytes, named);
    }
    oc_map_free(&paths);
    oc_map_free(&repeats);
    return status;
}

ocelotl_status oc_model_allocate_tree(ocelotl_model *model, uint32_t count)
{
    oc_tree *tree = &model->matrix.tree;
    OC_TRY(oc_allocate(&tree->parent, count, sizeof *tree->parent));
    OC_TRY(oc_allocate(&tree->subtree, count, sizeof *tree->subtree));
    OC_TRY(oc_allocate(&tree->leaf_first, count, sizeof *tree->leaf_first));
    OC_TRY(oc_allocate(&tree->leaf_count, count, sizeof *tree->leaf_count));
    OC_TRY(oc_allocate(&model->nodes, count, sizeof *model->nodes));
    tree->node_count = count;
    return OCELOTL_OK;
}

static ocelotl_status build(ocelotl_model *model, uint32_t *numbers, uint32_t *order,
                            children *lists, const oc_given_node *nodes, const char *const *paths,
                            uint32_t count)
{
    OC_TRY(oc_model_allocate_tree(model, count));
    OC_TRY(link_children(lists, nodes, count));
    if (number_preorder(&model->matrix.tree, numbers, order, lists, nodes) < count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "some nodes are not below the root: their parents form a circle");
    oc_tree_measure(&model->matrix.tree);
    return name_nodes(model, nodes, paths, order);
}

ocelotl_status oc_model_begin(ocelotl_model **model, uint32_t *numbers, const oc_given_node *nodes,
                              uint32_t node_count)
{
    return oc_model_begin_at(model, numbers, nodes, NULL, node_count);
}

ocelotl_status oc_model_begin_at(ocelotl_model **model, uint32_t *numbers,
                                 const oc_given_node *nodes, const char *const *paths,
                                 uint32_t node_count)
{
    ocelotl_model *made = NULL;
    uint32_t *order = NULL;
    uint32_t *own_numbers = NULL;
    children lists = {0};
    if (node_count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a model without a node, expected at least a root");
    ocelotl_status status = oc_allocate(&made, 1, sizeof *made);
    if (status == OCELOTL_OK)
        status = oc_allocate(&order, node_count, sizeof *order);
    if (status == OCELOTL_OK && numbers == NULL) {
        status = oc_allocate(&own_numbers, node_count, sizeof *own_numbers);
        numbers = own_numbers;
    }
    if (status == OCELOTL_OK)
        status = build(made, numbers, order, &lists, nodes, paths, node_count);
    free_children(&lists);
    free(order);
    free(own_numbers);
    if (status != OCELOTL_OK) {
        ocelotl_model_free(made);
        return status;
    }
    *model = made;
    return OCELOTL_OK;
}
