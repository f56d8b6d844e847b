/* The hierarchy of another model, of another trace perhaps: what has the same path in both traces
 * is at the same place. */
#include "model/hierarchy/arrange.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct follower {
    const oc_arrangement *own; /* the hierarchy of the trace itself */
    const ocelotl_model *like;
    /* of `like`, by each path in its trace that one stands for, and by its own */
    oc_map leaves;
    oc_map inner;        /* its other nodes, by path */
    oc_map known;        /* all nodes of its trace, by path, where it has changed them */
    bool *several;       /* by node of `like`: a leaf that stands for several */
    oc_arrangement made; /* begun with `like` */
    uint32_t *target;    /* by node of `own`: where it, or what is below it, goes */
} follower;

static void free_follower(follower *with)
{
    oc_map_free(&with->leaves);
    oc_map_free(&with->inner);
    oc_map_free(&with->known);
    free(with->several);
    free(with->target);
    oc_arrangement_free(&with->made);
}

static ocelotl_status index_path(oc_map *map, const char *path, uint32_t node)
{
    return oc_map_set(map, path, strlen(path), node);
}

static uint32_t find_path(const oc_map *map, const char *path)
{
    return oc_map_get(map, path, strlen(path));
}

static ocelotl_status index_leaf(follower *with, uint32_t node)
{
    const ocelotl_model *like = with->like;
    const uint32_t leaf = like->matrix.tree.leaf_first[node];
    OC_TRY(index_path(&with->leaves, like->nodes[node].path, node));
    if (like->origin == NULL)
        return OCELOTL_OK;
    with->several[node] = like->origin_first[leaf + 1] - like->origin_first[leaf] > 1;
    for (uint32_t i = like->origin_first[leaf]; i < like->origin_first[leaf + 1]; i++)
        OC_TRY(index_path(&with->leaves, like->origin_paths[i], node));
    return OCELOTL_OK;
}

/* A leaf that stands for several is what is above them in the trace, too, and takes what else is
 * below that. */
static ocelotl_status index_nodes(follower *with)
{
    const ocelotl_model *like = with->like;
    const oc_tree *tree = &like->matrix.tree;
    OC_TRY(oc_allocate(&with->several, tree->node_count, sizeof *with->several));
    for (uint32_t k = 0; k < tree->node_count; k++) {
        if (oc_tree_is_leaf(tree, k))
            OC_TRY(index_leaf(with, k));
        if (!oc_tree_is_leaf(tree, k) || with->several[k])
            OC_TRY(index_path(&with->inner, like->nodes[k].path, k));
    }
    for (uint32_t k = 1; like->origin != NULL && k < like->origin->matrix.tree.node_count; k++)
        OC_TRY(index_path(&with->known, like->origin->nodes[k].path, k));
    return OCELOTL_OK;
}

/* Behind all that are there. What happens in a resource itself has its name where that is gone. */
static ocelotl_status add_below(follower *with, uint32_t parent, uint32_t k)
{
    const oc_arranged_node *own = &with->own->nodes[k];
    const oc_arranged_node *above = &with->own->nodes[own->given.parent];
    const bool own_leaf =
        own->given.own_leaf && strcmp(with->made.nodes[parent].path, above->path) == 0;
    const oc_arranged_node *named = own->given.own_leaf && !own_leaf ? above : own;
    OC_TRY(oc_arrangement_add(&with->target[k], &with->made, parent, named->given.name,
                              own->given.kind, UINT32_MAX));
    oc_arranged_node *added = &with->made.nodes[with->target[k]];
    added->path = named->path;
    added->given.own_leaf = own_leaf;
    return OCELOTL_OK;
}

/* Inner nodes of the made arrangement that were added here are none of `like`. */
static bool takes_all(const follower *with, uint32_t node)
{
    return node < with->like->matrix.tree.node_count && with->several[node];
}

/* A node that `like` had and gave up is gone here, too; one that it does not know comes below what
 * it knows. */
static ocelotl_status find_target(follower *with, uint32_t k)
{
    const oc_arranged_node *own = &with->own->nodes[k];
    const bool leaf = oc_arranged_is_leaf(own);
    const uint32_t above = with->target[own->given.parent];
    const uint32_t as_leaf = find_path(&with->leaves, own->path);
    const uint32_t as_inner = find_path(&with->inner, own->path);
    const uint32_t same = leaf || as_inner == OC_MAP_NONE ? as_leaf : as_inner;
    const bool given_up = !leaf && find_path(&with->known, own->path) != OC_MAP_NONE;
    if (same == OC_MAP_NONE && !takes_all(with, above) && !given_up)
        return add_below(with, above, k);
    with->target[k] = same != OC_MAP_NONE ? same : above;
    return OCELOTL_OK;
}

/* The numbers of resources are those of the own trace. Nodes come before what is below them. */
static void set_sources(follower *with)
{
    for (uint32_t k = 0; k < with->made.count; k++)
        with->made.nodes[k].given.source = OCELOTL_NONE;
    for (uint32_t k = with->own->count; k-- > 0;) {
        const oc_arranged_node *own = &with->own->nodes[k];
        const uint32_t target = with->target[k];
        oc_given_node *given = &with->made.nodes[target].given;
        const bool same = strcmp(with->made.nodes[target].path, own->path) == 0;
        if (same || (oc_arranged_is_leaf(own) && !takes_all(with, target)))
            given->source = own->given.source;
    }
}

static ocelotl_status follow(follower *with)
{
    const ocelotl_model *model = with->own->model;
    const uint32_t leaves = model->matrix.tree.leaf_count[0];
    uint32_t *place = NULL;
    OC_TRY(index_nodes(with));
    OC_TRY(oc_arrangement_begin(&with->made, with->like));
    OC_TRY(oc_allocate(&with->target, with->own->count, sizeof *with->target));
    for (uint32_t k = 1; k < with->own->count; k++)
        OC_TRY(find_target(with, k));
    set_sources(with);
    OC_TRY(oc_allocate(&place, leaves, sizeof *place));
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        place[leaf] = with->target[with->own->place[leaf]];
    free(with->made.place);
    with->made.place = place;
    with->made.model = model;
    return OCELOTL_OK;
}

ocelotl_status oc_follow_hierarchy(oc_arrangement *arrangement, const ocelotl_model *like)
{
    follower with = {.own = arrangement, .like = like};
    const ocelotl_status status = follow(&with);
    if (status == OCELOTL_OK) {
        const oc_arrangement own = *arrangement;
        *arrangement = with.made;
        with.made = own;
    }
    free_follower(&with);
    return status;
}
