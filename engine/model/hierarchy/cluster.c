/* Levels of the hierarchy that are made of how alike resources behave. */
#include "model/hierarchy/arrange.h"
#include "model/hierarchy/dendrogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row has about SUMS sums, fewer for many children: all rows together have at most MOST_SUMS. Of
 * each type it has FEWEST_SLICES at least, but where there are very many children. */
enum { SUMS = 256, FEWEST_SLICES = 8, MOST_SUMS = 1 << 23 };

/* So many children are compared pair by pair; more are gathered into clusters first. Where all
 * groups are wanted, they are what a hierarchy is made of. */
enum { MOST_COMPARED = 128, MOST_COMPARED_OF_ALL = 1000 };

/* The joins of a node's children, and the clusters below the last of them. */
typedef struct grouping {
    uint32_t parent;
    uint32_t count;     /* of its children */
    uint32_t *children; /* nodes, in their order */
    oc_dendrogram found;
    uint32_t kept;     /* the last joins that make groups */
    uint32_t *members; /* by first child: the children in its cluster */
    uint32_t *top;     /* by first child: its group, OCELOTL_NONE until it has one */
} grouping;

/* A settled arrangement, its nodes before any group, and those that can have groups. */
typedef struct groupings {
    oc_arrangement *arrangement;
    oc_arena arena;
    uint32_t *subtree;    /* by node: those in it, itself included, which follow each other */
    uint32_t *leaf_first; /* by node, and one more: where its own begin in `leaves` */
    uint32_t *leaves;     /* of the model */
    size_t *series_first; /* by leaf of the model, and one more */
    double largest;       /* value in the matrix, or 1: scaled by it, no sum can overflow */
    uint32_t *column;     /* by type: its number among those of the node at hand, + 1 */
    uint32_t *group;      /* by slice: its group of slices in rows */
    grouping *all;
    uint32_t count;
    uint32_t most; /* groups in a node */
    double least;  /* loss of a join that is kept */

    ocelotl_progress progress; /* NULL: none */
    void *context;
    uint64_t done, total, piece; /* children: before the node at hand, in all, and its own */
} groupings;

/* Reports the progress of one node as a piece of that of all; the context is a groupings. */
static bool share_progress(void *context, uint64_t done, uint64_t total)
{
    const groupings *of = context;
    const uint64_t part = total > 0 ? of->piece * done / total : of->piece;
    return of->progress == NULL || of->progress(of->context, of->done + part, of->total);
}

/* Counts, adds up and hands out; what was handed out shifts the sums by one. */
static void sort_leaves(groupings *of)
{
    const oc_arrangement *arrangement = of->arrangement;
    const uint32_t leaves = arrangement->model->matrix.tree.leaf_count[0];
    uint32_t *first = of->leaf_first;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        first[arrangement->place[leaf] + 1]++;
    for (uint32_t k = 0; k < arrangement->count; k++)
        first[k + 1] += first[k];
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        of->leaves[first[arrangement->place[leaf]]++] = leaf;
    for (uint32_t k = arrangement->count; k > 0; k--)
        first[k] = first[k - 1];
    first[0] = 0;
}

/* O(nodes + cells). */
static ocelotl_status look(groupings *of)
{
    const oc_arrangement *arrangement = of->arrangement;
    const oc_matrix *matrix = &arrangement->model->matrix;
    const size_t count = arrangement->count;
    const size_t leaves = matrix->tree.leaf_count[0];
    OC_TRY(oc_arena_allocate(&of->subtree, &of->arena, count, sizeof *of->subtree));
    OC_TRY(oc_arena_allocate(&of->leaf_first, &of->arena, count + 1, sizeof *of->leaf_first));
    OC_TRY(oc_arena_allocate(&of->leaves, &of->arena, leaves, sizeof *of->leaves));
    OC_TRY(oc_arena_allocate(&of->series_first, &of->arena, leaves + 1, sizeof *of->series_first));
    OC_TRY(oc_arena_allocate(&of->column, &of->arena, matrix->type_count, sizeof *of->column));
    OC_TRY(oc_arena_allocate(&of->group, &of->arena, matrix->slice_count, sizeof *of->group));
    OC_TRY(oc_arena_allocate(&of->all, &of->arena, count, sizeof *of->all));
    for (uint32_t k = arrangement->count; k-- > 0;) {
        of->subtree[k]++;
        if (k > 0)
            of->subtree[arrangement->nodes[k].given.parent] += of->subtree[k];
    }
    sort_leaves(of);
    for (size_t s = 0; s < matrix->series_count; s++)
        of->series_first[matrix->series[s].leaf + 1]++;
    for (size_t leaf = 0; leaf < leaves; leaf++)
        of->series_first[leaf + 1] += of->series_first[leaf];
    for (size_t c = 0; c < matrix->cell_count; c++)
        of->largest = fmax(of->largest, matrix->cell_value[c]);
    of->largest = of->largest > 0 ? of->largest : 1;
    return OCELOTL_OK;
}

/* Adds the values of a leaf to a row, by type and group of slices. */
static void add_leaf(const groupings *of, double *row, uint32_t leaf, uint32_t slices)
{
    const oc_matrix *matrix = &of->arrangement->model->matrix;
    for (size_t s = of->series_first[leaf]; s < of->series_first[leaf + 1]; s++) {
        const oc_series *series = &matrix->series[s];
        double *sums = row + (size_t)(of->column[series->type] - 1) * slices;
        for (size_t c = series->first; c < series[1].first; c++)
            sums[of->group[matrix->cell_slice[c]]] += matrix->cell_value[c] / of->largest;
    }
}

/* Fills the rows of a node's children: sums of their leaves' values. Types are numbered as they
 * occur below the node; slices are put together to as many as the row has room for. */
static ocelotl_status fill_rows(oc_summed_rows *rows, oc_arena *arena, const groupings *of,
                                const grouping *one)
{
    const oc_matrix *matrix = &of->arrangement->model->matrix;
    const uint32_t end = of->leaf_first[one->parent + of->subtree[one->parent]];
    const uint32_t each = MOST_SUMS / (one->count > 0 ? one->count : 1);
    uint32_t columns = 0;
    memset(of->column, 0, matrix->type_count * sizeof *of->column);
    for (uint32_t i = of->leaf_first[one->parent]; i < end; i++)
        for (size_t s = of->series_first[of->leaves[i]]; s < of->series_first[of->leaves[i] + 1];
             s++)
            if (of->column[matrix->series[s].type] == 0)
                of->column[matrix->series[s].type] = ++columns;
    const uint32_t wanted = (each < SUMS ? each : SUMS) / (columns > 0 ? columns : 1);
    const uint32_t fewest = each < SUMS / 4 ? 1 : FEWEST_SLICES;
    uint32_t slices = wanted < fewest ? fewest : wanted;
    slices = slices < matrix->slice_count ? slices : matrix->slice_count;
    for (uint32_t s = 0; s < matrix->slice_count; s++)
        of->group[s] = (uint32_t)((uint64_t)s * slices / matrix->slice_count);
    rows->count = one->count;
    rows->width = ((size_t)columns * slices + OC_DENDROGRAM_LANES - 1) / OC_DENDROGRAM_LANES *
                  OC_DENDROGRAM_LANES;
    OC_TRY(oc_arena_allocate(&rows->sums, arena, rows->count, rows->width * sizeof *rows->sums));
    OC_TRY(oc_arena_allocate(&rows->sizes, arena, rows->count, sizeof *rows->sizes));
    for (uint32_t i = 0; i < one->count; i++) {
        const uint32_t first = of->leaf_first[one->children[i]];
        const uint32_t last = of->leaf_first[one->children[i] + of->subtree[one->children[i]]];
        rows->sizes[i] = last - first;
        for (uint32_t at = first; at < last; at++)
            add_leaf(of, rows->sums + i * rows->width, of->leaves[at], slices);
    }
    return OCELOTL_OK;
}

/* Finds the joins of a node's children. */
static ocelotl_status find_joins(groupings *of, grouping *one)
{
    const bool all = of->most == OC_ALL_GROUPS;
    oc_arena scratch = {0};
    oc_summed_rows rows;
    OC_TRY(oc_arena_allocate(&one->children, &of->arena, one->count, sizeof *one->children));
    OC_TRY(oc_arena_allocate(&one->members, &of->arena, one->count, sizeof *one->members));
    OC_TRY(oc_arena_allocate(&one->top, &of->arena, one->count, sizeof *one->top));
    for (uint32_t i = 0, k = one->parent + 1; i < one->count; k += of->subtree[k])
        one->children[i++] = k;
    ocelotl_status status = fill_rows(&rows, &scratch, of, one);
    if (status == OCELOTL_OK)
        status =
            oc_dendrogram_make(&one->found, &of->arena, &rows, all ? OC_ALL_GROUPS : of->most + 1,
                               all ? MOST_COMPARED_OF_ALL : MOST_COMPARED, share_progress, of);
    oc_arena_free(&scratch);
    return status;
}

static ocelotl_status find_all(groupings *of)
{
    const oc_arrangement *arrangement = of->arrangement;
    for (uint32_t k = 0; k < arrangement->count; k++)
        if (arrangement->nodes[k].child_count > 2)
            of->total += arrangement->nodes[k].child_count;
    for (uint32_t k = 0; k < arrangement->count; k++) {
        const uint32_t children = arrangement->nodes[k].child_count;
        if (children <= 2)
            continue;
        of->piece = children;
        of->all[of->count++] = (grouping){.parent = k, .count = children};
        OC_TRY(find_joins(of, &of->all[of->count - 1]));
        of->done += of->piece;
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
static ocelotl_status find_least(groupings *of)
{
    enum { NODES_A_GROUP = 9, FEW = 64 };
    const uint32_t nodes = of->arrangement->count;
    const uint32_t wanted = nodes / NODES_A_GROUP > FEW ? nodes / NODES_A_GROUP : FEW;
    double *losses;
    size_t count = 0;
    for (uint32_t i = 0; i < of->count; i++)
        count += of->all[i].found.join_count;
    OC_TRY(oc_arena_allocate(&losses, &of->arena, count, sizeof *losses));
    count = 0;
    for (uint32_t i = 0; i < of->count; i++)
        for (uint32_t j = 0; j < of->all[i].found.join_count; j++)
            losses[count++] = of->all[i].found.joins[j].loss;
    qsort(losses, count, sizeof *losses, compare_losses);
    of->least = count > wanted ? losses[wanted - 1] : 0;
    return OCELOTL_OK;
}

/* Returns how many groups a cluster makes: a child alone is none. */
static uint32_t is_group(uint32_t members)
{
    return members > 1;
}

/* Undoes joins from the last one on, while no more groups result than are wanted: the clusters
 * joined, and those that they consist of. The clusters of all other joins stay whole. A join that
 * loses nothing, or less than the least, separates too little. */
static void keep_joins(grouping *one, const groupings *of)
{
    const oc_dendrogram *found = &one->found;
    uint32_t groups = 0;
    uint32_t *members = one->members;
    for (uint32_t i = 0; i < one->count; i++)
        members[found->cluster[i]]++;
    for (uint32_t j = 0; j < found->join_count; j++)
        members[found->joins[j].first] += members[found->joins[j].second];
    for (uint32_t j = found->join_count; j-- > 0;) {
        const oc_cluster_join *join = &found->joins[j];
        members[join->first] -= members[join->second];
        groups += is_group(members[join->first]) + is_group(members[join->second]);
        if (groups > of->most || join->loss < of->least || !(join->loss > 0)) {
            members[join->first] += members[join->second];
            break;
        }
        one->kept++;
    }
}

static void make_other_joins(grouping *one)
{
    uint32_t *into = one->top;
    for (uint32_t i = 0; i < one->count; i++)
        into[i] = i;
    for (uint32_t j = one->found.join_count - one->kept; j-- > 0;)
        into[one->found.joins[j].second] = into[one->found.joins[j].first];
    for (uint32_t i = 0; i < one->count; i++)
        one->found.cluster[i] = into[one->found.cluster[i]];
}

/* A group stands where its first member stands. Names come once all groups are there. */
static ocelotl_status add_group(uint32_t *group, oc_arrangement *arrangement, const grouping *one,
                                uint32_t first)
{
    const uint32_t rank = arrangement->nodes[one->children[first]].rank;
    OC_TRY(oc_arrangement_add(group, arrangement, one->parent, "", "group", rank));
    arrangement->nodes[*group].alike = true;
    return OCELOTL_OK;
}

/* Adds clusters of several children first, then what they are joined to. The last join gives the
 * node itself. */
static ocelotl_status add_groups(oc_arrangement *arrangement, grouping *one)
{
    for (uint32_t i = 0; i < one->count; i++)
        one->top[i] = OCELOTL_NONE;
    for (uint32_t i = 0; i < one->count; i++) {
        const uint32_t first = one->found.cluster[i];
        const uint32_t child = one->children[i];
        if (!is_group(one->members[first])) {
            one->top[first] = child;
            continue;
        }
        if (one->top[first] == OCELOTL_NONE)
            OC_TRY(add_group(&one->top[first], arrangement, one, first));
        arrangement->nodes[child].given.parent = one->top[first];
    }
    for (uint32_t j = one->found.join_count - one->kept; j + 1 < one->found.join_count; j++) {
        const oc_cluster_join *join = &one->found.joins[j];
        uint32_t group;
        OC_TRY(add_group(&group, arrangement, one, join->first));
        arrangement->nodes[one->top[join->first]].given.parent = group;
        arrangement->nodes[one->top[join->second]].given.parent = group;
        one->top[join->first] = group;
    }
    return OCELOTL_OK;
}

static ocelotl_status group_all(groupings *of)
{
    OC_TRY(look(of));
    OC_TRY(find_all(of));
    if (of->most != OC_ALL_GROUPS)
        OC_TRY(find_least(of));
    for (uint32_t i = 0; i < of->count; i++) {
        keep_joins(&of->all[i], of);
        if (of->all[i].kept == 0)
            continue;
        make_other_joins(&of->all[i]);
        OC_TRY(add_groups(of->arrangement, &of->all[i]));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_group_children(oc_arrangement *arrangement, uint32_t most,
                                 ocelotl_progress progress, void *progress_context)
{
    groupings of = {.arrangement = arrangement,
                    .most = most,
                    .progress = progress,
                    .context = progress_context};
    const ocelotl_status status = group_all(&of);
    oc_arena_free(&of.arena);
    return status;
}
