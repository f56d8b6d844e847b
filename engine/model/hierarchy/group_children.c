/* Groups of like siblings: the top of the dendrogram between a node and its children. */
#include "model/hierarchy/arrange.h"
#include "model/hierarchy/child_rows.h"
#include "model/hierarchy/dendrogram.h"
#include "model/hierarchy/share_progress.h"

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
 * loses nothing, or less than `least`, has too little to tell apart. */
static void keep_joins(oc_grouping *grouping, uint32_t most, double least)
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
        if (groups > most || join->loss < least || !(join->loss > 0)) {
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

/* Finds the joins; rows are of no use any more. */
static ocelotl_status find_joins(oc_grouping *grouping, const oc_below *below, uint32_t most,
                                 oc_shared_progress *progress)
{
    oc_child_rows *children = &grouping->children;
    const uint32_t count = grouping->arrangement->nodes[grouping->parent].child_count;
    OC_TRY(oc_child_rows_fill(children, below, grouping->parent, bound_rows(count)));
    OC_TRY(oc_allocate(&grouping->joins, (size_t)most + 1, sizeof *grouping->joins));
    OC_TRY(oc_allocate(&grouping->cluster, count, sizeof *grouping->cluster));
    OC_TRY(oc_allocate(&grouping->members, count, sizeof *grouping->members));
    OC_TRY(oc_allocate(&grouping->top, count, sizeof *grouping->top));
    OC_TRY(oc_dendrogram_last(grouping->joins, &grouping->join_count, grouping->cluster,
                              children->rows, children->sizes, count, children->width, most + 1,
                              oc_share_progress, progress));
    free(children->rows);
    children->rows = NULL;
    return OCELOTL_OK;
}

static ocelotl_status add_groups(oc_grouping *grouping, uint32_t most, double least)
{
    keep_joins(grouping, most, least);
    if (grouping->kept == 0)
        return OCELOTL_OK;
    make_other_joins(grouping);
    OC_TRY(add_clusters(grouping));
    return add_joins(grouping);
}

/* The nodes of an arrangement that can have groups. */
typedef struct oc_groupings {
    oc_grouping *all;
    uint32_t count;
} oc_groupings;

static ocelotl_status find_all(oc_groupings *of, oc_arrangement *arrangement, const oc_below *below,
                               uint32_t most, oc_shared_progress *progress)
{
    OC_TRY(oc_allocate(&of->all, arrangement->count, sizeof *of->all));
    for (uint32_t k = 0; k < arrangement->count; k++)
        if (arrangement->nodes[k].child_count > 2)
            progress->total += arrangement->nodes[k].child_count;
    for (uint32_t k = 0; k < arrangement->count; k++) {
        progress->piece = arrangement->nodes[k].child_count;
        if (progress->piece <= 2)
            continue;
        of->all[of->count++] = (oc_grouping){.arrangement = arrangement, .parent = k};
        OC_TRY(find_joins(&of->all[of->count - 1], below, most, progress));
        progress->done += progress->piece;
    }
    return OCELOTL_OK;
}

static int compare_losses(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a < b) - (a > b);
}

/* Every group costs as much time and memory as a node of the trace does. So of a hierarchy of many
 * small nodes those are kept that tell most: one group for every NODES_A_GROUP nodes, and in a
 * small hierarchy FEW. Of equals all are kept: where many nodes are alike none of them is without
 * what the others have. */
static ocelotl_status find_least(double *least, const oc_groupings *of, uint32_t nodes,
                                 uint32_t most)
{
    enum { NODES_A_GROUP = 9, FEW = 64 };
    const uint32_t wanted = nodes / NODES_A_GROUP > FEW ? nodes / NODES_A_GROUP : FEW;
    double *losses;
    size_t count = 0;
    OC_TRY(oc_allocate(&losses, (size_t)of->count * ((size_t)most + 1) + 1, sizeof *losses));
    for (uint32_t i = 0; i < of->count; i++)
        for (uint32_t j = 0; j < of->all[i].join_count; j++)
            losses[count++] = of->all[i].joins[j].loss;
    qsort(losses, count, sizeof *losses, compare_losses);
    *least = count > wanted && wanted > 0 ? losses[wanted - 1] : 0;
    free(losses);
    return OCELOTL_OK;
}

static ocelotl_status group_all(oc_groupings *of, oc_arrangement *arrangement,
                                const oc_below *below, uint32_t most, oc_shared_progress *progress)
{
    double least;
    OC_TRY(find_all(of, arrangement, below, most, progress));
    OC_TRY(find_least(&least, of, arrangement->count, most));
    for (uint32_t i = 0; i < of->count; i++)
        OC_TRY(add_groups(&of->all[i], most, least));
    return OCELOTL_OK;
}

ocelotl_status oc_group_children(oc_arrangement *arrangement, uint32_t most,
                                 ocelotl_progress progress, void *progress_context)
{
    oc_below below = {0};
    oc_groupings of = {0};
    oc_shared_progress shared = {.progress = progress, .context = progress_context};
    ocelotl_status status = oc_below_begin(&below, arrangement);
    if (status == OCELOTL_OK)
        status = group_all(&of, arrangement, &below, most, &shared);
    for (uint32_t i = 0; i < of.count; i++)
        free_grouping(&of.all[i]);
    free(of.all);
    oc_below_free(&below);
    return status;
}
