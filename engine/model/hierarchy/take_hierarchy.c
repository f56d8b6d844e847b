/* The hierarchy of the whole trace, for a part of it. */
#include "model/hierarchy/arrange.h"

#include "base/memory.h"

#include <stdlib.h>

/* By resource of the trace: the node of `whole` that its leaf is, OCELOTL_NONE where it has none.
 */
typedef struct places {
    uint32_t *node;
    uint32_t count;
} places;

static uint32_t count_sources(const ocelotl_model *model)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < model->matrix.tree.node_count; k++)
        if (model->nodes[k].source != OCELOTL_NONE && model->nodes[k].source >= count)
            count = model->nodes[k].source + 1;
    return count;
}

static void set_place(const places *of, uint32_t source, uint32_t node)
{
    if (source < of->count)
        of->node[source] = node;
}

/* Leaves of the trace, by number, and their resources. */
static ocelotl_status list_sources(uint32_t **sources, const ocelotl_model *trace)
{
    const oc_tree *tree = &trace->matrix.tree;
    OC_TRY(oc_allocate(sources, tree->leaf_count[0], sizeof **sources));
    for (uint32_t k = 0; k < tree->node_count; k++)
        if (oc_tree_is_leaf(tree, k))
            (*sources)[tree->leaf_first[k]] = trace->nodes[k].source;
    return OCELOTL_OK;
}

/* A leaf of a changed hierarchy may stand for several of the trace, in one row. */
static ocelotl_status find_places(places *of, const ocelotl_model *whole)
{
    const ocelotl_model *trace = whole->origin != NULL ? whole->origin : whole;
    const oc_tree *tree = &whole->matrix.tree;
    uint32_t *sources = NULL;
    of->count = count_sources(trace);
    OC_TRY(oc_allocate(&of->node, of->count, sizeof *of->node));
    OC_TRY(list_sources(&sources, trace));
    for (uint32_t r = 0; r < of->count; r++)
        of->node[r] = OCELOTL_NONE;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const uint32_t leaf = tree->leaf_first[k];
        if (!oc_tree_is_leaf(tree, k))
            continue;
        const uint32_t first = whole->origin != NULL ? whole->origin_first[leaf] : leaf;
        const uint32_t end = whole->origin != NULL ? whole->origin_first[leaf + 1] : leaf + 1;
        for (uint32_t i = first; i < end; i++)
            set_place(of, sources[whole->origin != NULL ? whole->origin_leaves[i] : i], k);
    }
    free(sources);
    return OCELOTL_OK;
}

static ocelotl_status place_leaves(oc_arrangement *arrangement, const places *of)
{
    const oc_tree *tree = &arrangement->model->matrix.tree;
    OC_TRY(oc_allocate(&arrangement->place, tree->leaf_count[0], sizeof *arrangement->place));
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const uint32_t source = arrangement->model->nodes[k].source;
        if (!oc_tree_is_leaf(tree, k))
            continue;
        if (source >= of->count || of->node[source] == OCELOTL_NONE)
            return oc_fail(OCELOTL_ERROR_INTERNAL, "the whole trace has no leaf \"%s\"",
                           arrangement->model->nodes[k].path);
        arrangement->place[tree->leaf_first[k]] = of->node[source];
    }
    return OCELOTL_OK;
}

/* A group of one says nothing, and neither does one of all that its parent has left. What is in
 * them is their parent's. */
static void drop_single(oc_arrangement *arrangement)
{
    oc_arranged_node *nodes = arrangement->nodes;
    for (uint32_t k = 1; k < arrangement->count; k++) {
        uint32_t parent = nodes[k].given.parent;
        while (nodes[parent].dropped)
            parent = nodes[parent].given.parent;
        if (!nodes[k].alike || (nodes[k].child_count > 1 && nodes[parent].child_count > 1))
            continue;
        nodes[k].dropped = true;
        nodes[parent].child_count += nodes[k].child_count - 1;
    }
}

static ocelotl_status take(oc_arrangement *arrangement, places *of, const ocelotl_model *whole)
{
    const ocelotl_model *model = arrangement->model;
    OC_TRY(find_places(of, whole));
    oc_arrangement_free(arrangement);
    OC_TRY(oc_arrangement_begin(arrangement, whole));
    free(arrangement->place);
    arrangement->place = NULL;
    arrangement->model = model;
    OC_TRY(place_leaves(arrangement, of));
    OC_TRY(oc_arrangement_settle(arrangement));
    drop_single(arrangement);
    OC_TRY(oc_arrangement_settle(arrangement));
    return oc_name_groups(arrangement);
}

ocelotl_status oc_take_hierarchy(oc_arrangement *arrangement, const ocelotl_model *whole)
{
    places of = {0};
    const ocelotl_status status = take(arrangement, &of, whole);
    free(of.node);
    return status;
}
