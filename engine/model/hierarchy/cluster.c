/* Levels of the hierarchy that are made of how alike resources behave. */
#include "base/memory.h"
#include "model/hierarchy/arrange.h"
#include "model/hierarchy/dendrogram.h"

#include <ocelotl/status.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct oc_shared_progress {
    ocelotl_progress progress; /* NULL: none */
    void *context;
    uint64_t done, total; /* before the piece at hand, and in all */
    uint64_t piece;       /* what it counts for */
} oc_shared_progress;

/* Reports the progress of a piece of work; the context is an oc_shared_progress. */
static inline bool oc_share_progress(void *context, uint64_t done, uint64_t total)
{
    const oc_shared_progress *shared = context;
    const uint64_t part = total > 0 ? shared->piece * done / total : shared->piece;
    return shared->progress == NULL ||
           shared->progress(shared->context, shared->done + part, shared->total);
}

/* A settled arrangement as seen from its nodes. It does not see nodes added later. Zero-initialised
 * before oc_below_begin. */
typedef struct oc_below {
    const oc_arrangement *arrangement;
    uint32_t *subtree;    /* by node: those in it, itself included, which follow each other */
    uint32_t *leaf_first; /* by node, and one more: where its own begin in `leaves` */
    uint32_t *leaves;     /* of the model */
    size_t *series_first; /* by leaf of the model, and one more */
    double largest;       /* value in the matrix, or 1 */
} oc_below;

/* O(nodes + cells). Free in any case. */
static ocelotl_status oc_below_begin(oc_below *below, const oc_arrangement *arrangement);
static void oc_below_free(oc_below *below);

/* Bounds of the detail of rows. */
typedef struct oc_row_bounds {
    uint32_t sums;   /* in a row, about */
    uint32_t slices; /* for each type, at least */
} oc_row_bounds;

/* Zero-initialised before oc_child_rows_fill. */
typedef struct oc_child_rows {
    uint32_t *children; /* nodes, in their order */
    uint32_t count;
    size_t width; /* a multiple of OC_DENDROGRAM_LANES */
    /* by child: sums of its leaves' values by type and group of slices; the largest value is 1 */
    double *rows;
    double *sizes; /* by child: its leaves */
} oc_child_rows;

/* Fills the rows of a node's children. Free in any case. O(nodes below + types + cells below +
 * children x width). */
static ocelotl_status oc_child_rows_fill(oc_child_rows *children, const oc_below *below,
                                         uint32_t node, oc_row_bounds bounds);
static void oc_child_rows_free(oc_child_rows *children);

/* While rows are filled. */
typedef struct oc_row_filling {
    oc_child_rows *children;
    const oc_below *below;
    uint32_t *column; /* by type: its number among those that occur, + 1 */
    uint32_t columns, slices;
    uint32_t *group; /* by slice */
} oc_row_filling;

/* Finds the largest value: scaled by it, no sum can overflow. */
static double find_largest(const oc_matrix *matrix)
{
    double largest = 0;
    for (size_t c = 0; c < matrix->cell_count; c++)
        largest = fmax(largest, matrix->cell_value[c]);
    return largest > 0 ? largest : 1;
}

/* Counts, adds up and hands out; what was handed out shifts the sums by one. */
static void sort_leaves(oc_below *below)
{
    const oc_arrangement *arrangement = below->arrangement;
    const uint32_t leaves = arrangement->model->matrix.tree.leaf_count[0];
    uint32_t *first = below->leaf_first;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        first[arrangement->place[leaf] + 1]++;
    for (uint32_t k = 0; k < arrangement->count; k++)
        first[k + 1] += first[k];
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        below->leaves[first[arrangement->place[leaf]]++] = leaf;
    for (uint32_t k = arrangement->count; k > 0; k--)
        first[k] = first[k - 1];
    first[0] = 0;
}

static void find_series(oc_below *below)
{
    const oc_matrix *matrix = &below->arrangement->model->matrix;
    for (size_t s = 0; s < matrix->series_count; s++)
        below->series_first[matrix->series[s].leaf + 1]++;
    for (uint32_t leaf = 0; leaf < matrix->tree.leaf_count[0]; leaf++)
        below->series_first[leaf + 1] += below->series_first[leaf];
}

ocelotl_status oc_below_begin(oc_below *below, const oc_arrangement *arrangement)
{
    const oc_matrix *matrix = &arrangement->model->matrix;
    const uint32_t count = arrangement->count;
    const uint32_t leaves = matrix->tree.leaf_count[0];
    below->arrangement = arrangement;
    OC_TRY(oc_allocate(&below->subtree, count, sizeof *below->subtree));
    OC_TRY(oc_allocate(&below->leaf_first, (size_t)count + 1, sizeof *below->leaf_first));
    OC_TRY(oc_allocate(&below->leaves, leaves, sizeof *below->leaves));
    OC_TRY(oc_allocate(&below->series_first, (size_t)leaves + 1, sizeof *below->series_first));
    for (uint32_t k = count; k-- > 0;) {
        below->subtree[k]++;
        if (k > 0)
            below->subtree[arrangement->nodes[k].given.parent] += below->subtree[k];
    }
    sort_leaves(below);
    find_series(below);
    below->largest = find_largest(matrix);
    return OCELOTL_OK;
}

void oc_below_free(oc_below *below)
{
    free(below->subtree);
    free(below->leaf_first);
    free(below->leaves);
    free(below->series_first);
    *below = (oc_below){0};
}

static ocelotl_status list_children(oc_child_rows *children, const oc_below *below, uint32_t node)
{
    const uint32_t end = node + below->subtree[node];
    for (uint32_t k = node + 1; k < end; k += below->subtree[k])
        children->count++;
    OC_TRY(oc_allocate(&children->children, children->count, sizeof *children->children));
    OC_TRY(oc_allocate(&children->sizes, children->count, sizeof *children->sizes));
    for (uint32_t k = node + 1, i = 0; k < end; k += below->subtree[k]) {
        children->sizes[i] = below->leaf_first[k + below->subtree[k]] - below->leaf_first[k];
        children->children[i++] = k;
    }
    return OCELOTL_OK;
}

/* Types are numbered as they occur below a node. */
static void number_columns(oc_row_filling *filling, uint32_t node)
{
    const oc_below *below = filling->below;
    const oc_matrix *matrix = &below->arrangement->model->matrix;
    const uint32_t end = below->leaf_first[node + below->subtree[node]];
    for (uint32_t i = below->leaf_first[node]; i < end; i++) {
        const uint32_t leaf = below->leaves[i];
        for (size_t s = below->series_first[leaf]; s < below->series_first[leaf + 1]; s++)
            if (filling->column[matrix->series[s].type] == 0)
                filling->column[matrix->series[s].type] = ++filling->columns;
    }
}

/* Divides the slices into as many groups as the bounds allow. */
static void group_slices(oc_row_filling *filling, oc_row_bounds bounds)
{
    const uint32_t all = filling->below->arrangement->model->matrix.slice_count;
    const uint32_t wanted = bounds.sums / (filling->columns > 0 ? filling->columns : 1);
    filling->slices = wanted < bounds.slices ? bounds.slices : wanted;
    filling->slices = filling->slices < all ? filling->slices : all;
    for (uint32_t s = 0; s < all; s++)
        filling->group[s] = (uint32_t)((uint64_t)s * filling->slices / all);
}

static void add_leaf(const oc_row_filling *filling, double *row, uint32_t leaf)
{
    const oc_below *below = filling->below;
    const oc_matrix *matrix = &below->arrangement->model->matrix;
    for (size_t s = below->series_first[leaf]; s < below->series_first[leaf + 1]; s++) {
        const oc_series *series = &matrix->series[s];
        double *sums = row + (size_t)(filling->column[series->type] - 1) * filling->slices;
        for (size_t c = series->first; c < series[1].first; c++)
            sums[filling->group[matrix->cell_slice[c]]] += matrix->cell_value[c] / below->largest;
    }
}

static ocelotl_status fill(oc_row_filling *filling, uint32_t node, oc_row_bounds bounds)
{
    oc_child_rows *children = filling->children;
    const oc_below *below = filling->below;
    const oc_matrix *matrix = &below->arrangement->model->matrix;
    OC_TRY(oc_allocate(&filling->column, matrix->type_count, sizeof *filling->column));
    OC_TRY(oc_allocate(&filling->group, matrix->slice_count, sizeof *filling->group));
    OC_TRY(list_children(children, below, node));
    number_columns(filling, node);
    group_slices(filling, bounds);
    const size_t sums = (size_t)filling->columns * filling->slices;
    children->width = (sums + OC_DENDROGRAM_LANES - 1) / OC_DENDROGRAM_LANES * OC_DENDROGRAM_LANES;
    OC_TRY(oc_allocate(&children->rows, children->count, children->width * sizeof *children->rows));
    for (uint32_t i = 0; i < children->count; i++) {
        const uint32_t child = children->children[i];
        const uint32_t end = below->leaf_first[child + below->subtree[child]];
        for (uint32_t at = below->leaf_first[child]; at < end; at++)
            add_leaf(filling, children->rows + i * children->width, below->leaves[at]);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_child_rows_fill(oc_child_rows *children, const oc_below *below, uint32_t node,
                                  oc_row_bounds bounds)
{
    oc_row_filling filling = {.children = children, .below = below};
    const ocelotl_status status = fill(&filling, node, bounds);
    free(filling.column);
    free(filling.group);
    return status;
}

void oc_child_rows_free(oc_child_rows *children)
{
    free(children->children);
    free(children->sizes);
    free(children->rows);
    *children = (oc_child_rows){0};
}

/* A row has about SUMS sums, fewer for many children: all rows together have at most MOST_SUMS. */
enum { SUMS = 256, FEWEST_SLICES = 8, MOST_SUMS = 1 << 23 };

static oc_row_bounds bound_rows(uint32_t children)
{
    const uint32_t each = MOST_SUMS / children;
    oc_row_bounds bounds = {each < SUMS ? each : SUMS, FEWEST_SLICES};
    if (each < SUMS / 4)
        bounds.slices = 1;
    return bounds;
}

/* At most this many are compared each with each. */
enum { MOST_COMPARED = 1000 };

/* The children of one node. */
typedef struct oc_alike {
    oc_arrangement *arrangement;
    uint32_t node_count; /* that there were before any cluster */
    uint32_t parent;
    oc_child_rows children;
    oc_cluster_join *joins;
    uint32_t *top;     /* by child: the node of the cluster that it is the first of */
    uint32_t *near;    /* by child: what it is gathered around */
    uint32_t compared; /* children, or places where they are gathered */
} oc_alike;

static void free_alike(oc_alike *alike)
{
    oc_child_rows_free(&alike->children);
    free(alike->joins);
    free(alike->top);
    free(alike->near);
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
    for (uint32_t i = 0; i + 1 < alike->compared; i++)
        OC_TRY(add_cluster(alike, &alike->joins[i]));
    /* The last one is the parent itself. */
    alike->arrangement->nodes[alike->arrangement->count - 1].dropped = true;
    return OCELOTL_OK;
}

/* Adds a child to a place: to its sums, and to its group, which the second one makes. */
static ocelotl_status add_to_place(oc_alike *alike, uint32_t place, uint32_t child)
{
    const oc_child_rows *children = &alike->children;
    oc_arrangement *arrangement = alike->arrangement;
    double *to = children->rows + place * children->width;
    uint32_t group = alike->top[place];
    for (size_t i = 0; i < children->width; i++)
        to[i] += children->rows[child * children->width + i];
    children->sizes[place] += children->sizes[child];
    if (group < alike->node_count) {
        OC_TRY(oc_arrangement_add(&group, arrangement, alike->parent, "", "group",
                                  arrangement->nodes[group].rank));
        arrangement->nodes[group].alike = true;
        arrangement->nodes[alike->top[place]].given.parent = group;
        alike->top[place] = group;
    }
    arrangement->nodes[children->children[child]].given.parent = group;
    return OCELOTL_OK;
}

/* Gathers the children at places, whose rows and sizes come first then. */
static ocelotl_status gather(oc_alike *alike)
{
    const oc_child_rows *children = &alike->children;
    const size_t width = children->width;
    uint32_t *near = alike->near;
    OC_TRY(oc_gather(near, children->rows, children->sizes, children->count, width, MOST_COMPARED));
    alike->compared = 0;
    for (uint32_t i = 0; i < children->count; i++) {
        if (near[i] < i) {
            near[i] = near[near[i]];
            OC_TRY(add_to_place(alike, near[i], i));
            continue;
        }
        const uint32_t place = near[i] = alike->compared++;
        memmove(children->rows + place * width, children->rows + i * width,
                width * sizeof *children->rows);
        children->sizes[place] = children->sizes[i];
        alike->top[place] = children->children[i];
    }
    return OCELOTL_OK;
}

static ocelotl_status cluster(oc_alike *alike, const oc_below *below, oc_shared_progress *progress)
{
    const uint32_t count = alike->arrangement->nodes[alike->parent].child_count;
    oc_child_rows *children = &alike->children;
    alike->compared = count;
    OC_TRY(oc_child_rows_fill(children, below, alike->parent, bound_rows(count)));
    OC_TRY(oc_allocate(&alike->joins, count, sizeof *alike->joins));
    OC_TRY(oc_allocate(&alike->near, count, sizeof *alike->near));
    OC_TRY(oc_allocate(&alike->top, count, sizeof *alike->top));
    for (uint32_t i = 0; i < count; i++)
        alike->top[i] = children->children[i];
    if (count > MOST_COMPARED)
        OC_TRY(gather(alike));
    OC_TRY(oc_dendrogram(alike->joins, children->rows, children->sizes, alike->compared,
                         children->width, oc_share_progress, progress));
    return add_clusters(alike);
}

static bool is_split(const oc_arranged_node *node, uint32_t most)
{
    return node->child_count > most && node->child_count >= 3;
}

/* The pairs that are compared. */
static uint64_t count_pairs(uint64_t children)
{
    children = children < MOST_COMPARED ? children : MOST_COMPARED;
    return children * (children - 1) / 2;
}

/* Splits one node after the other. */
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

/* The joins of a node's children that are kept, and the clusters below them. */
typedef struct oc_grouping {
    oc_arrangement *arrangement;
    uint32_t parent;
    oc_child_rows children;
    oc_cluster_join *joins;
    uint32_t join_count, kept; /* the last `kept` of these */
    uint32_t *cluster;         /* by child: the first child of its cluster */
    uint32_t *members;         /* by first child: the children in its cluster */
    uint32_t *top;             /* by first child: its group, OCELOTL_NONE until it has one */
} oc_grouping;

static void free_grouping(oc_grouping *grouping)
{
    oc_child_rows_free(&grouping->children);
    free(grouping->joins);
    free(grouping->cluster);
    free(grouping->members);
    free(grouping->top);
}

/* Returns how many groups a cluster makes: a child alone is none. */
static uint32_t is_group(uint32_t members)
{
    return members > 1;
}

/* Undoes joins from the last one on, while at most `most` groups result: the clusters joined, and
 * those that they consist of. The clusters of all other joins stay whole. A join that loses
 * nothing, or less than `least`, separates too little. */
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
static ocelotl_status add_kept_groups(oc_grouping *grouping)
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
    OC_TRY(add_kept_groups(grouping));
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

/* Finds the least loss of a join worth a group. Every group costs as much time and memory as a node
 * of the trace. So a hierarchy of many small nodes keeps only the most telling groups, one for
 * every NODES_A_GROUP nodes; a small hierarchy keeps FEW. Equal losses are all kept, so that alike
 * nodes are treated alike. */
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
