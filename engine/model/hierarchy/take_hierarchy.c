/* The hierarchy of the whole trace, for a part of it. */
#include "base/memory.h"
#include "model/hierarchy/arrange.h"

#include <stdlib.h>
#include <string.h>

static uint32_t count_sources(const ocelotl_model *model)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < model->matrix.tree.node_count; k++)
        if (model->nodes[k].source != OCELOTL_NONE && model->nodes[k].source >= count)
            count = model->nodes[k].source + 1;
    return count;
}

/* A leaf of a changed hierarchy may stand for several of the trace, in one row. */
ocelotl_status oc_find_resource_nodes(oc_resource_nodes *of, const ocelotl_model *whole)
{
    const ocelotl_model *trace = whole->origin != NULL ? whole->origin : whole;
    const oc_tree *tree = &whole->matrix.tree;
    uint32_t *sources; /* by leaf of the trace: its resource */
    of->count = count_sources(trace);
    OC_TRY(oc_allocate(&of->node, of->count, sizeof *of->node));
    OC_TRY(oc_allocate(&sources, trace->matrix.tree.leaf_count[0], sizeof *sources));
    for (uint32_t k = 0; k < trace->matrix.tree.node_count; k++)
        if (oc_tree_is_leaf(&trace->matrix.tree, k))
            sources[trace->matrix.tree.leaf_first[k]] = trace->nodes[k].source;
    for (uint32_t r = 0; r < of->count; r++)
        of->node[r] = OCELOTL_NONE;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        uint32_t first;
        uint32_t end;
        if (!oc_tree_is_leaf(tree, k))
            continue;
        oc_find_origins(&first, &end, whole, tree->leaf_first[k]);
        for (uint32_t i = first; i < end; i++) {
            const uint32_t source = sources[whole->origin != NULL ? whole->origin_leaves[i] : i];
            if (source < of->count)
                of->node[source] = k;
        }
    }
    free(sources);
    return OCELOTL_OK;
}

/* A resource among its siblings. */
typedef struct sibling {
    uint32_t above;  /* its parent's number and 1, so that the topmost come first */
    uint32_t leaf;   /* the first node that it has in the model, or that is below it */
    uint32_t number; /* its own */
    uint32_t places; /* for it and all below it */
} sibling;

static int compare_siblings(const void *left, const void *right)
{
    const sibling *a = left;
    const sibling *b = right;
    if (a->above != b->above)
        return a->above < b->above ? -1 : 1;
    if (a->leaf != b->leaf)
        return a->leaf < b->leaf ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void find_siblings(sibling *siblings, const oc_resource_nodes *of,
                          const ocelotl_trace *trace, uint32_t count)
{
    for (uint32_t r = 0; r < count; r++) {
        const uint32_t parent = ocelotl_trace_resource_at(trace, r).parent;
        siblings[r] = (sibling){parent == OCELOTL_ROOT ? 0 : parent + 1,
                                r < of->count ? of->node[r] : OCELOTL_NONE, r, 1};
    }
    for (uint32_t r = count; r-- > 0;) {
        sibling *above = siblings[r].above > 0 ? &siblings[siblings[r].above - 1] : NULL;
        if (above == NULL)
            continue;
        above->places += siblings[r].places;
        above->leaf = siblings[r].leaf < above->leaf ? siblings[r].leaf : above->leaf;
    }
    qsort(siblings, count, sizeof *siblings, compare_siblings);
}

ocelotl_status ocelotl_model_order(uint32_t *places, const ocelotl_model *model,
                                   const ocelotl_trace *trace)
{
    const uint32_t count = ocelotl_trace_resource_count(trace);
    oc_resource_nodes of = {0};
    sibling *siblings = NULL;
    ocelotl_status status = oc_find_resource_nodes(&of, model);
    if (status == OCELOTL_OK)
        status = oc_allocate(&siblings, count, sizeof *siblings);
    if (status == OCELOTL_OK)
        find_siblings(siblings, &of, trace, count);
    uint32_t next = 0;
    for (uint32_t i = 0; i < count && status == OCELOTL_OK; i++) {
        const sibling *is = &siblings[i];
        const bool first = i == 0 || is[-1].above != is->above;
        const bool joins =
            !first && is->places == 1 && is->leaf != OCELOTL_NONE && is[-1].leaf == is->leaf;
        next = first && is->above > 0 ? places[is->above - 1] + 1 : next;
        places[is->number] = joins ? places[is[-1].number] : next;
        next += joins ? 0 : is->places;
    }
    free(siblings);
    free(of.node);
    return status;
}

static ocelotl_status place_leaves(oc_arrangement *arrangement, const oc_resource_nodes *of)
{
    const oc_tree *tree = &arrangement->model->matrix.tree;
    OC_TRY(oc_arena_allocate(&arrangement->place, &arrangement->arena, tree->leaf_count[0],
                             sizeof *arrangement->place));
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

static ocelotl_status take(oc_arrangement *arrangement, oc_resource_nodes *of,
                           const ocelotl_model *whole)
{
    const ocelotl_model *model = arrangement->model;
    OC_TRY(oc_find_resource_nodes(of, whole));
    oc_arrangement_free(arrangement);
    OC_TRY(oc_arrangement_begin(arrangement, whole));
    arrangement->model = model;
    OC_TRY(place_leaves(arrangement, of));
    OC_TRY(oc_arrangement_settle(arrangement));
    /* A group of one says nothing, and neither does one of all that its parent has left. What is in
     * them is their parent's. */
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
    OC_TRY(oc_arrangement_settle(arrangement));
    return oc_name_groups(arrangement);
}

ocelotl_status oc_take_hierarchy(oc_arrangement *arrangement, const ocelotl_model *whole)
{
    oc_resource_nodes of = {0};
    const ocelotl_status status = take(arrangement, &of, whole);
    free(of.node);
    return status;
}

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

static uint32_t find_path(const oc_map *map, const char *path)
{
    return oc_map_get(map, path, strlen(path));
}

static ocelotl_status index_path(oc_map *map, const char *path, uint32_t node)
{
    return oc_map_set(map, path, strlen(path), node);
}

static ocelotl_status index_leaf(follower *with, uint32_t node)
{
    const ocelotl_model *like = with->like;
    uint32_t first;
    uint32_t end;
    oc_find_origins(&first, &end, like, like->matrix.tree.leaf_first[node]);
    OC_TRY(index_path(&with->leaves, like->nodes[node].path, node));
    with->several[node] = end - first > 1;
    for (uint32_t i = first; like->origin != NULL && i < end; i++)
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

/* Adds a node behind all others of a parent. A leaf for a resource's own events takes its name if
 * that is gone. */
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
    uint32_t *place;
    OC_TRY(index_nodes(with));
    OC_TRY(oc_arrangement_begin(&with->made, with->like));
    OC_TRY(oc_allocate(&with->target, with->own->count, sizeof *with->target));
    for (uint32_t k = 1; k < with->own->count; k++)
        OC_TRY(find_target(with, k));
    set_sources(with);
    OC_TRY(oc_arena_allocate(&place, &with->made.arena, leaves, sizeof *place));
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        place[leaf] = with->target[with->own->place[leaf]];
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
    oc_map_free(&with.leaves);
    oc_map_free(&with.inner);
    oc_map_free(&with.known);
    free(with.several);
    free(with.target);
    oc_arrangement_free(&with.made);
    return status;
}
