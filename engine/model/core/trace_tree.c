#include "model/core/trace_tree.h"

#include "base/memory.h"

#include <stdlib.h>

void oc_trace_tree_free(oc_trace_tree *tree)
{
    free(tree->resources);
    free(tree->leaf_nodes);
    *tree = (oc_trace_tree){0};
}

/* What is known of each resource while the tree is chosen. */
typedef struct oc_place {
    bool leaf;      /* it has a leaf of its own */
    bool shown;     /* it or something below it has a leaf */
    bool inner;     /* something below it is shown */
    bool parent;    /* it has children, shown or not */
    uint32_t given; /* its number among the given nodes */
} oc_place;

static uint32_t mark(oc_place *places, const oc_tree_request *request)
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

/* What the tree is given, with paths of the whole trace: siblings of one name are told apart as
 * anywhere else. */
typedef struct oc_given_nodes {
    oc_given_node *nodes;
    const char **paths;
} oc_given_nodes;

static uint32_t give_nodes(oc_given_nodes *given, oc_place *places, const oc_catalogue *catalogue)
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
        given->paths[count] = oc_catalogue_path(catalogue, r);
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
    return count;
}

static uint32_t count_left_out(const oc_place *places, const oc_tree_request *request)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < request->catalogue->trace->resource_count; r++)
        count += !places[r].parent && !request->seen[r] &&
                 (request->chosen == NULL || request->chosen[r]);
    return count;
}

/* The leaves in tree order, each with its resource. */
static ocelotl_status list_leaves(oc_trace_tree *tree, const ocelotl_model *model)
{
    const oc_tree *nodes = &model->matrix.tree;
    OC_TRY(oc_allocate(&tree->resources, nodes->leaf_count[0], sizeof *tree->resources));
    OC_TRY(oc_allocate(&tree->leaf_nodes, nodes->leaf_count[0], sizeof *tree->leaf_nodes));
    for (uint32_t k = 0; k < nodes->node_count; k++) {
        if (!oc_tree_is_leaf(nodes, k))
            continue;
        tree->resources[nodes->leaf_first[k]] = model->nodes[k].source;
        tree->leaf_nodes[nodes->leaf_first[k]] = k;
    }
    return OCELOTL_OK;
}

static ocelotl_status begin(ocelotl_model **model, oc_trace_tree *tree, oc_place *places,
                            oc_given_nodes *given, const oc_tree_request *request)
{
    const uint32_t leaves = mark(places, request);
    if (leaves == 0)
        return oc_fail(OCELOTL_ERROR_EMPTY,
                       "%s: the resources that were chosen have nothing of what is shown",
                       request->catalogue->trace->label);
    const size_t most = (size_t)request->catalogue->trace->resource_count + leaves + 1;
    OC_TRY(oc_allocate(&given->nodes, most, sizeof *given->nodes));
    OC_TRY(oc_allocate(&given->paths, most, sizeof *given->paths));
    const uint32_t count = give_nodes(given, places, request->catalogue);
    OC_TRY(oc_model_begin_at(model, NULL, given->nodes, given->paths, count));
    (*model)->leaves_left_out = count_left_out(places, request);
    return list_leaves(tree, *model);
}

ocelotl_status oc_trace_tree_begin(ocelotl_model **model, oc_trace_tree *tree,
                                   const oc_tree_request *request)
{
    oc_place *places = NULL;
    oc_given_nodes given = {0};
    ocelotl_model *made = NULL;
    ocelotl_status status =
        oc_allocate(&places, request->catalogue->trace->resource_count, sizeof *places);
    if (status == OCELOTL_OK)
        status = begin(&made, tree, places, &given, request);
    free(places);
    free(given.nodes);
    free(given.paths);
    if (status != OCELOTL_OK) {
        ocelotl_model_free(made);
        oc_trace_tree_free(tree);
        return status;
    }
    *model = made;
    return OCELOTL_OK;
}
