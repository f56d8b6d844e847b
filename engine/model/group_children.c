/* Groups of like siblings: the top of the dendrogram between a node and its children. */
#include "model/arrange.h"
#include "model/child_rows.h"
#include "model/dendrogram.h"
#include "model/share_progress.h"

#include "base/memory.h"

#include <stdlib.h>

/* A row has about SUMS sums; of many children fewer, so that all rows have at most so many. */
enum { SUMS = 256, FEWEST_SLICES = 8, MOST_SUMS = 1 << 23 };

/* The joins of a node's children that are kept, and what is below them. */
typedef struct oc_grouping {
    oc_arrangement *arrangement;
    uint32_t parent;
    oc_child_rows children;
    oc_cluster_join *joins;
    uint32_t join_count, kept; /* the last `kept` of these */
    uint32_t *cluster;         /* by child: the first child of its cluster */
    uint32_t *members;         /* by first child: the children in its cluster */
    uint32_t *top;             /* by first child: its group, OCELOTL_NONE before there is one */
} oc_grouping;

static void free_grouping(oc_grouping *grouping)
{
    oc_child_rows_free(&grouping->children);
    free(grouping->joins);
    free(grouping->cluster);
    free(grouping->members);
    free(grouping->top);
}

/* Groups that a cluster is, or would be: a child alone is none. */
static uint32_t is_group(uint32_t members)
{
    return members > 1;
}

/* Undoes joins from the last one on while that leaves at most `most` groups: those that were
 * joined, and what they are joined from. The clusters of all other joins stay whole. A join that
 * loses nothing has nothing to tell apart. */
static void keep_joins(oc_grouping *grouping, uint32_t most)
{
    uint32_t groups = 0;
    uint32_t *members = grouping->members;
    for (uint32_t i = 0; i < grouping->children.count; i++)
        members[grouping->cluster[i]]++;
    for (uint32_t j = 0; j < grouping->join_count; j++)
        members[grouping->joins[j].first] += members[grouping->joins[j].second];
    for (uint32_t j = grouping->join_count; j-- > 0;) {
        const oc_cluster_join *join = &grouping->joins[j];
        members[join->first] -= members[join->second];
        groups += is_group(members[join->first]) + is_group(members[join->second]);
        if (groups > most || !(join->loss > 0)) {
            members[join->first] += members[join->second];
            break;
        }
        grouping->kept++;
    }
}

static void make_other_joins(oc_grouping *grouping)
{
    const uint32_t others = grouping->join_count - grouping->kept;
    uint32_t *into = grouping->top;
    for (uint32_t i = 0; i < grouping->children.count; i++)
        into[i] = i;
    for (uint32_t j = others; j-- > 0;)
        into[grouping->joins[j].second] = into[grouping->joins[j].first];
    for (uint32_t i = 0; i < grouping->children.count; i++)
        grouping->cluster[i] = into[grouping->cluster[i]];
}

/* A group stands where its first member stands. Names come once all groups are there. */
static ocelotl_status add_group(uint32_t *group, oc_grouping *grouping, uint32_t first)
{
    oc_arrangement *arrangement = grouping->arrangement;
    const uint32_t rank = arrangement->nodes[grouping->children.children[first]].rank;
    OC_TRY(oc_arrangement_add(group, arrangement, grouping->parent, "", "group", rank));
    arrangement->nodes[*group].alike = true;
    return OCELOTL_OK;
}

/* Clusters of several children first, */
static ocelotl_status add_clusters(oc_grouping *grouping)
{
    for (uint32_t i = 0; i < grouping->children.count; i++)
        grouping->top[i] = OCELOTL_NONE;
    for (uint32_t i = 0; i < grouping->children.count; i++) {
        const uint32_t first = grouping->cluster[i];
        const uint32_t child = grouping->children.children[i];
        if (!is_group(grouping->members[first])) {
            grouping->top[first] = child;
            continue;
        }
        if (grouping->top[first] == OCELOTL_NONE)
            OC_TRY(add_group(&grouping->top[first], grouping, first));
        grouping->arrangement->nodes[child].given.parent = grouping->top[first];
    }
    return OCELOTL_OK;
}

/* then what they are joined to. The last join gives the node itself. */
static ocelotl_status add_joins(oc_grouping *grouping)
{
    for (uint32_t j = grouping->join_count - grouping->kept; j + 1 < grouping->join_count; j++) {
        const oc_cluster_join *join = &grouping->joins[j];
        uint32_t group;
        grouping->members[join->first] += grouping->members[join->second];
        OC_TRY(add_group(&group, grouping, join->first));
        grouping->arrangement->nodes[grouping->top[join->first]].given.parent = group;
        grouping->arrangement->nodes[grouping->top[join->second]].given.parent = group;
        grouping->top[join->first] = group;
    }
    return OCELOTL_OK;
}

static oc_row_bounds bound_rows(uint32_t children)
{
    const uint32_t each = MOST_SUMS / children;
    oc_row_bounds bounds = {each < SUMS ? each : SUMS, FEWEST_SLICES};
    if (each < SUMS / 4)
        bounds.slices = 1;
    return bounds;
}

static ocelotl_status group(oc_grouping *grouping, const oc_below *below, uint32_t most,
                            oc_shared_progress *progress)
{
    oc_child_rows *children = &grouping->children;
    const uint32_t count = grouping->arrangement->nodes[grouping->parent].child_count;
    OC_TRY(oc_child_rows_fill(children, below, grouping->parent, bound_rows(count)));
    OC_TRY(oc_allocate(&grouping->joins, (size_t)most + 1, sizeof *grouping->joins));
    OC_TRY(oc_allocate(&grouping->cluster, count, sizeof *grouping->cluster));
    OC_TRY(oc_allocate(&grouping->members, count, sizeof *grouping->members));
    OC_TRY(oc_allocate(&grouping->top, count, sizeof *grouping->top));
    OC_TRY(oc_dendrogram_last(grouping->joins, &grouping->join_count, grouping->cluster, children->rows,
                              children->sizes, count, children->width, most + 1, oc_share_progress, progress));
    keep_joins(grouping, most);
    if (grouping->kept == 0)
        return OCELOTL_OK;
    make_other_joins(grouping);
    OC_TRY(add_clusters(grouping));
    return add_joins(grouping);
}

/* Of one node after the other. */
static ocelotl_status group_all(oc_arrangement *arrangement, const oc_below *below, uint32_t most,
                                oc_shared_progress *progress)
{
    const uint32_t count = arrangement->count;
    for (uint32_t k = 0; k < count; k++)
        if (arrangement->nodes[k].child_count > 2)
            progress->total += arrangement->nodes[k].child_count;
    for (uint32_t k = 0; k < count; k++) {
        oc_grouping grouping = {.arrangement = arrangement, .parent = k};
        progress->piece = arrangement->nodes[k].child_count;
        if (progress->piece <= 2)
            continue;
        const ocelotl_status status = group(&grouping, below, most, progress);
        free_grouping(&grouping);
        OC_TRY(status);
        progress->done += progress->piece;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_group_children(oc_arrangement *arrangement, uint32_t most, ocelotl_progress progress,
                                 void *progress_context)
{
    oc_below below = {0};
    oc_shared_progress shared = {.progress = progress, .context = progress_context};
    ocelotl_status status = oc_below_begin(&below, arrangement);
    if (status == OCELOTL_OK)
        status = group_all(arrangement, &below, most, &shared);
    oc_below_free(&below);
    return status;
}
