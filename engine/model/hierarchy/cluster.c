/* Levels of the hierarchy that are made of how alike resources behave. */
#include "model/hierarchy/arrange.h"
#include "model/hierarchy/child_rows.h"
#include "model/hierarchy/dendrogram.h"
#include "model/hierarchy/share_progress.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* A row has about so many sums, and fewer where there are more than so many children, for the time
 * grows with the square of their number. */
enum { SUMS = 256, MANY = 1000, FEWEST_SLICES = 8, MOST_ALIKE = 10000 };

/* The children of one node. */
typedef struct oc_alike {
    oc_arrangement *arrangement;
    uint32_t node_count; /* that there were before any cluster */
    uint32_t parent;
    oc_child_rows children;
    oc_cluster_join *joins;
    uint32_t *top; /* by child: the node of the cluster that it is the first of */
} oc_alike;

static void free_alike(oc_alike *alike)
{
    oc_child_rows_free(&alike->children);
    free(alike->joins);
    free(alike->top);
}

/* A cluster whose parent costs no more than it does says nothing: its members go there. */
static ocelotl_status add_cluster(oc_alike *alike, const oc_cluster_join *join)
{
    oc_arrangement *arrangement = alike->arrangement;
    uint32_t node;
    const uint32_t parts[] = {alike->top[join->first], alike->top[join->second]};
    const uint32_t rank = arrangement->nodes[parts[0]].rank < arrangement->nodes[parts[1]].rank
                              ? arrangement->nodes[parts[0]].rank
                              : arrangement->nodes[parts[1]].rank;
    OC_TRY(oc_arrangement_add(&node, arrangement, alike->parent, "", "group", rank));
    arrangement->nodes[node].alike = true;
    for (int part = 0; part < 2; part++) {
        oc_arranged_node *below = &arrangement->nodes[parts[part]];
        below->given.parent = node;
        below->dropped = below->dropped || (parts[part] >= alike->node_count && join->loss <= 0);
    }
    alike->top[join->first] = node;
    return OCELOTL_OK;
}

static ocelotl_status add_clusters(oc_alike *alike)
{
    OC_TRY(oc_allocate(&alike->top, alike->children.count, sizeof *alike->top));
    for (uint32_t i = 0; i < alike->children.count; i++)
        alike->top[i] = alike->children.children[i];
    for (uint32_t i = 0; i + 1 < alike->children.count; i++)
        OC_TRY(add_cluster(alike, &alike->joins[i]));
    /* The last one is the parent itself. */
    alike->arrangement->nodes[alike->arrangement->count - 1].dropped = true;
    return OCELOTL_OK;
}

static ocelotl_status fail_many(const oc_alike *alike, uint32_t children)
{
    const char *path = alike->arrangement->nodes[alike->parent].path;
    const char *quote = path[0] != '\0' ? "\"" : "";
    return oc_fail(
        OCELOTL_ERROR_LIMIT,
        "%" PRIu32
        " resources below %s%s%s are too many to compare each with each, expected at most %d: "
        "choose fewer of them, or nodes that have fewer (--resource, --split-children)",
        children, quote, path[0] != '\0' ? path : "the root", quote, (int)MOST_ALIKE);
}

static ocelotl_status cluster(oc_alike *alike, const oc_below *below, oc_shared_progress *progress)
{
    const uint32_t count = alike->arrangement->nodes[alike->parent].child_count;
    oc_child_rows *children = &alike->children;
    if (count > MOST_ALIKE)
        return fail_many(alike, count);
    OC_TRY(oc_child_rows_fill(
        children, below, alike->parent,
        (oc_row_bounds){count > MANY ? SUMS * MANY / count : SUMS, FEWEST_SLICES}));
    OC_TRY(oc_allocate(&alike->joins, count, sizeof *alike->joins));
    OC_TRY(oc_dendrogram(alike->joins, children->rows, children->sizes, count, children->width,
                         oc_share_progress, progress));
    return add_clusters(alike);
}

static bool is_split(const oc_arranged_node *node, uint32_t most)
{
    return node->child_count > most && node->child_count >= 3;
}

static uint64_t count_pairs(uint64_t children)
{
    return children * (children - 1) / 2;
}

/* Of one node after the other. */
static ocelotl_status split(oc_arrangement *arrangement, const oc_below *below, uint32_t most,
                            oc_shared_progress *progress)
{
    const uint32_t count = arrangement->count;
    for (uint32_t k = 0; k < count; k++)
        if (is_split(&arrangement->nodes[k], most))
            progress->total += count_pairs(arrangement->nodes[k].child_count);
    for (uint32_t k = 0; k < count; k++) {
        if (!is_split(&arrangement->nodes[k], most))
            continue;
        oc_alike alike = {.arrangement = arrangement, .node_count = count, .parent = k};
        progress->piece = count_pairs(arrangement->nodes[k].child_count);
        const ocelotl_status status = cluster(&alike, below, progress);
        free_alike(&alike);
        OC_TRY(status);
        progress->done += progress->piece;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_split_children(oc_arrangement *arrangement, uint32_t most,
                                 ocelotl_progress progress, void *progress_context)
{
    oc_below below = {0};
    oc_shared_progress shared = {.progress = progress, .context = progress_context};
    ocelotl_status status = oc_below_begin(&below, arrangement);
    if (status == OCELOTL_OK)
        status = split(arrangement, &below, most, &shared);
    oc_below_free(&below);
    return status;
}
