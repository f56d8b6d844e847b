/* Which nodes of a tree can be compared. */
#include "explain/explaining.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "look/idle.h"
#include "store/trace/trace.h"

#include <stdlib.h>

typedef struct likes {
    oc_map places;
    uint32_t *counts;
    size_t count, capacity;
} likes;

/* What a node is called: its own name, or that without its numbers. Lanes ("~2") of one resource
 * have what there is no room for in others. */
static void write_key(oc_text *key, const ocelotl_node *node, int how)
{
    const bool is_lane = oc_explains_lane(node->name);
    oc_text_clear(key);
    oc_text_format(key, "%d %u %s ", how, node->depth, node->kind);
    for (const char *c = node->name; *c != '\0'; c++) {
        const bool digit = *c >= '0' && *c <= '9' && !is_lane;
        if (how == 0 || !digit || key->bytes[key->length - 1] != '#')
            oc_text_append(key, how == 1 && digit ? "#" : c, 1);
    }
}

static ocelotl_status count_like(likes *all, oc_text *key, uint32_t *place)
{
    if (key->failed)
        return oc_fail_memory();
    *place = oc_map_get(&all->places, key->bytes, key->length);
    if (*place >= all->count) { /* OC_MAP_NONE is */
        *place = (uint32_t)all->count;
        OC_TRY(oc_grow(&all->counts, &all->capacity, all->count + 1, sizeof *all->counts));
        all->counts[all->count++] = 0;
        OC_TRY(oc_map_set(&all->places, key->bytes, key->length, *place));
    }
    all->counts[*place]++;
    return OCELOTL_OK;
}

/* Nodes are alike by their own names where enough have the same, else by names that differ in
 * numbers alone; others are like nothing. */
static ocelotl_status find_likes(oc_explaining *x, likes *all, oc_text *key)
{
    oc_scan_tree *tree = &x->tree;
    for (uint32_t n = 0; n < tree->node_count; n++)
        tree->nodes[n].like = OCELOTL_NONE;
    for (int how = 0; how < 2; how++) {
        const size_t before = all->count;
        for (uint32_t n = 0; n < tree->node_count; n++) {
            uint32_t *like = &tree->nodes[n].like;
            const ocelotl_node node = ocelotl_model_node_at(x->model, n);
            if (*like != OCELOTL_NONE)
                continue;
            write_key(key, &node, how);
            OC_TRY(count_like(all, key, like));
        }
        for (uint32_t n = 0; n < tree->node_count; n++)
            if (tree->nodes[n].like >= before && all->counts[tree->nodes[n].like] < OC_LIKE_LEAST)
                tree->nodes[n].like = OCELOTL_NONE;
    }
    /* numbers of those that are left */
    for (size_t like = 0; like < all->count; like++)
        all->counts[like] = all->counts[like] < OC_LIKE_LEAST ? OCELOTL_NONE : tree->like_count++;
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].like != OCELOTL_NONE)
            tree->nodes[n].like = all->counts[tree->nodes[n].like];
    return OCELOTL_OK;
}

ocelotl_status oc_likes_find(oc_explaining *x)
{
    oc_scan_tree *tree = &x->tree;
    likes all = {0};
    oc_text key = {0};
    tree->node_count = x->info.node_count;
    tree->row_count = x->info.leaf_count;
    OC_TRY(oc_arena_allocate(&tree->nodes, x->arena, tree->node_count, sizeof *tree->nodes));
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const ocelotl_node node = ocelotl_model_node_at(x->model, n);
        tree->nodes[n] =
            (oc_scan_node){n > 0 ? node.parent : OCELOTL_NONE, node.leaf_first, node.leaf_count, 0};
    }
    OC_TRY(oc_arena_allocate(&x->row_of_resource, x->arena, x->trace->resource_count,
                             sizeof *x->row_of_resource));
    for (uint32_t r = 0; r < x->trace->resource_count; r++)
        x->row_of_resource[r] = OCELOTL_NONE;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const uint32_t source = ocelotl_model_node_at(x->model, n).source;
        if (oc_is_leaf_of(x->model, n) && source < x->trace->resource_count)
            x->row_of_resource[source] = tree->nodes[n].first;
    }
    const ocelotl_status status = find_likes(x, &all, &key);
    oc_map_free(&all.places);
    free(all.counts);
    oc_text_free(&key);
    return status;
}
