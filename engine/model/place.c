/* Where in its trace a piece of a model lies. */
#include "model/model.h"
#include "model/slicing.h"

#include <inttypes.h>

static ocelotl_status check(const ocelotl_model *model, uint32_t node, uint32_t first, uint32_t last)
{
    const uint32_t nodes = model->matrix.tree.node_count;
    const uint32_t slices = model->matrix.slice_count;
    if (node >= nodes)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "node %" PRIu32 ", expected one below %" PRIu32, node, nodes);
    if (first <= last && last < slices)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "slices %" PRIu32 " to %" PRIu32 ", expected a range of those below %" PRIu32, first, last,
                   slices);
}

/* The topmost node of the trace's own hierarchy with just these leaves, neighbours from `first` on; 0: none, or all. */
static uint32_t find_node(const oc_tree *tree, uint32_t first, uint32_t count)
{
    for (uint32_t k = 1; k < tree->node_count; k++)
        if (tree->leaf_first[k] == first && tree->leaf_count[k] == count)
            return k;
    return 0;
}

/* Of a hierarchy that was changed: a node is what its leaves stand for, whatever path it has. */
static ocelotl_names find_resources(const ocelotl_model *model, uint32_t node)
{
    const oc_tree *tree = &model->matrix.tree;
    const uint32_t *leaves = model->origin_leaves;
    const uint32_t begin = model->origin_first[tree->leaf_first[node]];
    const uint32_t end = model->origin_first[tree->leaf_first[node] + tree->leaf_count[node]];
    const oc_tree *trace = &model->origin->matrix.tree;
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;
    for (uint32_t i = begin; i < end; i++) {
        least = leaves[i] < least ? leaves[i] : least;
        most = leaves[i] > most ? leaves[i] : most;
    }
    if (end - begin == trace->leaf_count[0])
        return (ocelotl_names){(const char *const *)model->resources, model->resource_count};
    const uint32_t same = most - least + 1 == end - begin ? find_node(trace, least, end - begin) : 0;
    if (same > 0)
        return (ocelotl_names){(const char *const *)&model->origin->nodes[same].path, 1};
    return (ocelotl_names){model->origin_paths + begin, end - begin};
}

ocelotl_status ocelotl_model_place(ocelotl_place *place, const ocelotl_model *model, uint32_t node, uint32_t first,
                                   uint32_t last)
{
    OC_TRY(check(model, node, first, last));
    const oc_model_node *found = &model->nodes[node];
    ocelotl_place made = {.path = found->path};
    if (model->origin != NULL)
        made.resources = find_resources(model, node);
    else if (found->path[0] != '\0')
        made.resources = (ocelotl_names){(const char *const *)&found->path, 1};
    else
        made.resources = (ocelotl_names){(const char *const *)model->resources, model->resource_count};
    if (model->has_time) {
        const oc_slicing slicing = {model->from, (uint64_t)model->to - (uint64_t)model->from,
                                    model->matrix.slice_count};
        const oc_instant end = oc_slicing_boundary(&slicing, last + 1);
        made.from = oc_slicing_boundary(&slicing, first).ticks;
        made.to = end.ticks + (end.rest > 0);
    }
    *place = made;
    return OCELOTL_OK;
}
