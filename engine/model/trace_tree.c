#include "model/trace_tree.h"

#include "base/memory.h"

#include <stdlib.h>

void oc_trace_tree_free(oc_trace_tree *tree)
{
    free(tree->streams);
    free(tree->leaf_nodes);
    *tree = (oc_trace_tree){0};
}

/* What is known of each resource while the tree is chosen. */
typedef struct oc_place {
    uint32_t stream; /* its own, or OCELOTL_NONE */
    bool shown;      /* it or something below it has a stream */
    bool inner;      /* something below it is shown */
    bool parent;     /* it has children, shown or not */
    uint32_t given;  /* its number among the given nodes */
} oc_place;

static void mark(oc_place *places, const ocelotl_trace *trace, const uint32_t *streams, uint32_t count)
{
    for (uint32_t r = 0; r < trace->resource_count; r++)
        places[r].stream = OCELOTL_NONE;
    for (uint32_t i = 0; i < count; i++) {
        oc_place *place = &places[trace->streams[streams[i]].resource];
        place->stream = streams[i];
        place->shown = true;
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
}

static uint32_t give_nodes(oc_given_node *nodes, oc_place *places, const ocelotl_trace *trace)
{
    uint32_t count = 0;
    nodes[count++] = (oc_given_node){.parent = OCELOTL_ROOT, .name = "", .source = OCELOTL_NONE};
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        if (!places[r].shown)
            continue;
        const ocelotl_resource *resource = &trace->resources[r];
        const char *kind = resource->type == OCELOTL_NONE ? "" : trace->resource_types[resource->type].name;
        places[r].given = count;
        nodes[count++] = (oc_given_node){
            .parent = resource->parent == OCELOTL_ROOT ? 0 : places[resource->parent].given,
            .name = resource->name,
            .kind = kind,
            .source = r,
        };
        if (places[r].inner && places[r].stream != OCELOTL_NONE)
            nodes[count++] = (oc_given_node){
                .parent = places[r].given, .name = ".", .kind = kind, .source = r, .own_leaf = true};
    }
    return count;
}

static uint32_t count_left_out(const oc_place *places, const ocelotl_trace *trace)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < trace->resource_count; r++)
        count += !places[r].parent && places[r].stream == OCELOTL_NONE;
    return count;
}

/* The leaves in tree order, each with its stream. */
static ocelotl_status list_leaves(oc_trace_tree *tree, const ocelotl_model *model, const oc_place *places)
{
    const oc_tree *nodes = &model->matrix.tree;
    OC_TRY(oc_allocate(&tree->streams, nodes->leaf_count[0], sizeof *tree->streams));
    OC_TRY(oc_allocate(&tree->leaf_nodes, nodes->leaf_count[0], sizeof *tree->leaf_nodes));
    for (uint32_t k = 0; k < nodes->node_count; k++) {
        if (!oc_tree_is_leaf(nodes, k))
            continue;
        tree->streams[nodes->leaf_first[k]] = places[model->nodes[k].source].stream;
        tree->leaf_nodes[nodes->leaf_first[k]] = k;
    }
    return OCELOTL_OK;
}

static ocelotl_status begin(ocelotl_model **model, oc_trace_tree *tree, oc_place *places, oc_given_node *nodes,
                            const ocelotl_trace *trace, const uint32_t *streams, uint32_t count)
{
    mark(places, trace, streams, count);
    OC_TRY(oc_model_begin(model, NULL, nodes, give_nodes(nodes, places, trace)));
    (*model)->leaves_left_out = count_left_out(places, trace);
    return list_leaves(tree, *model, places);
}

ocelotl_status oc_trace_tree_begin(ocelotl_model **model, oc_trace_tree *tree, const ocelotl_trace *trace,
                                   const uint32_t *streams, uint32_t count)
{
    oc_place *places = NULL;
    oc_given_node *nodes = NULL;
    ocelotl_model *made = NULL;
    ocelotl_status status = oc_allocate(&places, trace->resource_count, sizeof *places);
    if (status == OCELOTL_OK)
        status = oc_allocate(&nodes, (size_t)trace->resource_count + count + 1, sizeof *nodes);
    if (status == OCELOTL_OK)
        status = begin(&made, tree, places, nodes, trace, streams, count);
    free(places);
    free(nodes);
    if (status != OCELOTL_OK) {
        ocelotl_model_free(made);
        oc_trace_tree_free(tree);
        return status;
    }
    *model = made;
    return OCELOTL_OK;
}
