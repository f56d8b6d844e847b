/* The tree of a model: brings the nodes that a source gives into preorder, and names them; and
 * finds the part of a trace's hierarchy that a model shows. */
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

static ocelotl_status link_children(children *lists, oc_arena *arena, const oc_given_node *nodes,
                                    uint32_t count)
{
    OC_TRY(oc_arena_allocate(&lists->first, arena, count, sizeof *lists->first));
    OC_TRY(oc_arena_allocate(&lists->next, arena, count, sizeof *lists->next));
    OC_TRY(oc_arena_allocate(&lists->last, arena, count, sizeof *lists->last));
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

/* Makes a path; `known` is that of a node that has one already. */
static ocelotl_status make_path(ocelotl_model *model, oc_text *path, uint32_t node,
                                const char *known, bool own_leaf, oc_map *paths, oc_map *repeats)
{
    const uint32_t parent = model->matrix.tree.parent[node];
    oc_model_node *named = &model->nodes[node];
    named->path = "";
    if (parent == OCELOTL_ROOT)
        return OCELOTL_OK;
    oc_text_clear(path);
    if (parent != 0 && known == NULL) {
        oc_text_add(path, model->nodes[parent].path);
        oc_text_add(path, "/");
    }
    oc_text_append(path, "", 0);
    if (known != NULL)
        oc_text_add_utf8(path, known, strlen(known));
    else if (own_leaf)
        oc_text_add(path, ".");
    else
        oc_text_add_path_step(path, named->name);
    OC_TRY(oc_number_twin(path, paths, repeats));
    named->path = oc_arena_copy_bytes(&model->tree_arena, path->bytes, path->length);
    return oc_map_set(paths, path->bytes, path->length, node);
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

static const char *copy_utf8(ocelotl_model *model, oc_text *text, const char *name)
{
    oc_text_clear(text);
    oc_text_add_utf8(text, name, strlen(name));
    return oc_arena_copy_bytes(&model->tree_arena, text->bytes != NULL ? text->bytes : "",
                               text->length);
}

static ocelotl_status name_nodes(ocelotl_model *model, const oc_given_node *nodes,
                                 const char *const *known, const uint32_t *order)
{
    oc_map paths = {0};
    oc_map repeats = {0};
    oc_text text = {0};
    size_t bytes = 0;
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t k = 0; k < model->matrix.tree.node_count && status == OCELOTL_OK; k++) {
        const oc_given_node *given = &nodes[order[k]];
        oc_model_node *named = &model->nodes[k];
        const uint32_t parent = model->matrix.tree.parent[k];
        named->source = given->source;
        named->depth = parent == OCELOTL_ROOT ? 0 : model->nodes[parent].depth + 1;
        named->name = copy_utf8(model, &text, given->name);
        named->kind = copy_utf8(model, &text, given->kind != NULL ? given->kind : "");
        status = make_path(model, &text, k, known != NULL ? known[order[k]] : NULL, given->own_leaf,
                           &paths, &repeats);
        if (status == OCELOTL_OK)
            status = check_paths(&bytes, named);
    }
    if (status == OCELOTL_OK && text.failed)
        status = oc_fail_memory();
    oc_map_free(&paths);
    oc_map_free(&repeats);
    oc_text_free(&text);
    return status == OCELOTL_OK ? oc_arena_status(&model->tree_arena) : status;
}

ocelotl_status oc_model_allocate_tree(ocelotl_model *model, uint32_t count)
{
    oc_tree *tree = &model->matrix.tree;
    OC_TRY(oc_arena_allocate(&tree->parent, &model->tree_arena, count, sizeof *tree->parent));
    OC_TRY(oc_arena_allocate(&tree->subtree, &model->tree_arena, count, sizeof *tree->subtree));
    OC_TRY(
        oc_arena_allocate(&tree->leaf_first, &model->tree_arena, count, sizeof *tree->leaf_first));
    OC_TRY(
        oc_arena_allocate(&tree->leaf_count, &model->tree_arena, count, sizeof *tree->leaf_count));
    OC_TRY(oc_arena_allocate(&model->nodes, &model->tree_arena, count, sizeof *model->nodes));
    tree->node_count = count;
    return OCELOTL_OK;
}

static ocelotl_status build(ocelotl_model *model, oc_arena *arena, uint32_t *numbers,
                            const oc_given_node *nodes, const char *const *paths, uint32_t count)
{
    children lists;
    uint32_t *order;
    OC_TRY(oc_arena_allocate(&order, arena, count, sizeof *order));
    if (numbers == NULL)
        OC_TRY(oc_arena_allocate(&numbers, arena, count, sizeof *numbers));
    OC_TRY(oc_model_allocate_tree(model, count));
    OC_TRY(link_children(&lists, arena, nodes, count));
    if (number_preorder(&model->matrix.tree, numbers, order, &lists, nodes) < count)
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
    ocelotl_model *made;
    oc_arena arena = {0};
    if (node_count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a model without a node, expected at least a root");
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = build(made, &arena, numbers, nodes, paths, node_count);
    oc_arena_free(&arena);
    if (status == OCELOTL_OK)
        *model = made;
    else
        ocelotl_model_free(made);
    return status;
}

/* --- The part of a trace's hierarchy that a model shows */

void oc_trace_tree_free(oc_trace_tree *tree)
{
    oc_arena_free(&tree->arena);
    *tree = (oc_trace_tree){0};
}

/* What is known of each resource while the tree is chosen. */
typedef struct tree_place {
    bool leaf;      /* it has a leaf of its own */
    bool shown;     /* it or something below it has a leaf */
    bool inner;     /* something below it is shown */
    bool parent;    /* it has children, shown or not */
    uint32_t given; /* its number among the given nodes */
} tree_place;

static uint32_t mark(tree_place *places, const oc_tree_request *request)
{
    const ocelotl_trace *trace = request->catalogue->trace;
    uint32_t leaves = 0;
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        places[r].leaf = request->seen[r] && (request->chosen == NULL || request->chosen[r]);
        places[r].shown = places[r].leaf;
        leaves += places[r].leaf;
    }
    /* Parents have lower numbers than their children. */
    for (uint32_t r = trace->resource_count; r-- > 0;) {
        const uint32_t parent = trace->resources[r].parent;
        if (parent == OCELOTL_ROOT)
            continue;
        places[parent].parent = true;
        places[parent].shown = places[parent].shown || places[r].shown;
        places[parent].inner = places[parent].inner || places[r].shown;
    }
    return leaves;
}

/* The nodes given to the tree, with their paths in the whole trace: siblings of one name get the
 * numbers that they have everywhere. */
typedef struct oc_given_nodes {
    oc_arena arena;
    oc_given_node *nodes;
    const char **paths;
    oc_kept_paths kept;
} oc_given_nodes;

static ocelotl_status give_nodes(uint32_t *given_count, oc_given_nodes *given, tree_place *places,
                                 const oc_catalogue *catalogue)
{
    const ocelotl_trace *trace = catalogue->trace;
    oc_given_node *nodes = given->nodes;
    uint32_t count = 0;
    nodes[count++] = (oc_given_node){.parent = OCELOTL_ROOT, .name = "", .source = OCELOTL_NONE};
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        if (!places[r].shown)
            continue;
        const ocelotl_resource *resource = &trace->resources[r];
        const char *kind =
            resource->type == OCELOTL_NONE ? "" : trace->resource_types[resource->type].name;
        places[r].given = count;
        OC_TRY(oc_path_keep(&given->kept, &catalogue->paths, r));
        given->paths[count] = given->kept.of[r];
        nodes[count++] = (oc_given_node){
            .parent = resource->parent == OCELOTL_ROOT ? 0 : places[resource->parent].given,
            .name = resource->name,
            .kind = kind,
            .source = r,
        };
        if (places[r].inner && places[r].leaf)
            nodes[count++] = (oc_given_node){.parent = places[r].given,
                                             .name = ".",
                                             .kind = kind,
                                             .source = r,
                                             .own_leaf = true};
    }
    *given_count = count;
    return OCELOTL_OK;
}

/* The leaves in tree order, each with its resource. */
static ocelotl_status list_leaves(oc_trace_tree *tree, const ocelotl_model *model)
{
    const oc_tree *nodes = &model->matrix.tree;
    OC_TRY(oc_arena_allocate(&tree->resources, &tree->arena, nodes->leaf_count[0],
                             sizeof *tree->resources));
    OC_TRY(oc_arena_allocate(&tree->leaf_nodes, &tree->arena, nodes->leaf_count[0],
                             sizeof *tree->leaf_nodes));
    for (uint32_t k = 0; k < nodes->node_count; k++) {
        if (!oc_tree_is_leaf(nodes, k))
            continue;
        tree->resources[nodes->leaf_first[k]] = model->nodes[k].source;
        tree->leaf_nodes[nodes->leaf_first[k]] = k;
    }
    return OCELOTL_OK;
}

static ocelotl_status begin(ocelotl_model **model, oc_trace_tree *tree, oc_given_nodes *given,
                            const oc_tree_request *request)
{
    const uint32_t resources = request->catalogue->trace->resource_count;
    tree_place *places;
    uint32_t count;
    OC_TRY(oc_arena_allocate(&places, &given->arena, resources, sizeof *places));
    const uint32_t leaves = mark(places, request);
    if (leaves == 0)
        return oc_fail(OCELOTL_ERROR_EMPTY,
                       "%s: the resources that were chosen have nothing of what is shown",
                       request->catalogue->trace->label);
    const size_t most = (size_t)resources + leaves + 1;
    OC_TRY(oc_arena_allocate(&given->nodes, &given->arena, most, sizeof *given->nodes));
    OC_TRY(oc_arena_allocate(&given->paths, &given->arena, most, sizeof *given->paths));
    OC_TRY(give_nodes(&count, given, places, request->catalogue));
    OC_TRY(oc_model_begin_at(model, NULL, given->nodes, given->paths, count));
    for (uint32_t r = 0; r < resources; r++)
        (*model)->leaves_left_out += !places[r].parent && !request->seen[r] &&
                                     (request->chosen == NULL || request->chosen[r]);
    return list_leaves(tree, *model);
}

ocelotl_status oc_trace_tree_begin(ocelotl_model **model, oc_trace_tree *tree,
                                   const oc_tree_request *request)
{
    oc_given_nodes given = {0};
    ocelotl_model *made = NULL;
    const ocelotl_status status = begin(&made, tree, &given, request);
    oc_arena_free(&given.arena);
    oc_kept_paths_free(&given.kept);
    if (status != OCELOTL_OK) {
        ocelotl_model_free(made);
        oc_trace_tree_free(tree);
        return status;
    }
    *model = made;
    return OCELOTL_OK;
}
