/* Levels of the hierarchy that are made of how alike resources behave. */
#include "model/arrange.h"
#include "model/dendrogram.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Time is looked at in fewer slices, and this is about how many sums a resource is compared by: fewer where there are more
 * than so many resources, for the time grows with the square of their number. */
enum { SUMS = 256, MANY = 1000, FEWEST_SLICES = 8, MOST_ALIKE = 10000 };

/* The children of one node. */
typedef struct oc_alike {
    oc_arrangement *arrangement;
    const uint32_t *parents; /* of each node that there was before any cluster */
    uint32_t node_count;     /* of these */
    uint32_t parent;
    uint32_t *children;
    uint32_t count;
    uint32_t *child_of; /* by node below: the number of the child that it is below */
    uint32_t *column;   /* by type: its number among those that occur */
    uint32_t columns, slices;
    size_t width;
    double *rows, *sizes;
    oc_cluster_join *joins;
    uint32_t *top;     /* by child: the node of the cluster that it is the first of */
    uint32_t *members; /* by child: how many leaves that cluster has */
    ocelotl_progress progress;
    void *progress_context;
} oc_alike;

static void free_alike(oc_alike *alike)
{
    free(alike->children);
    free(alike->child_of);
    free(alike->column);
    free(alike->rows);
    free(alike->sizes);
    free(alike->joins);
    free(alike->top);
    free(alike->members);
}

/* The nodes below the parent follow it. */
static ocelotl_status list_children(oc_alike *alike)
{
    OC_TRY(oc_allocate(&alike->children, alike->arrangement->nodes[alike->parent].child_count,
                       sizeof *alike->children));
    OC_TRY(oc_allocate(&alike->child_of, alike->node_count, sizeof *alike->child_of));
    for (uint32_t k = 0; k < alike->node_count; k++) {
        const uint32_t parent = alike->parents[k];
        alike->child_of[k] = OCELOTL_NONE;
        if (k > alike->parent && parent == alike->parent) {
            alike->child_of[k] = alike->count;
            alike->children[alike->count++] = k;
        } else if (k > alike->parent) {
            alike->child_of[k] = alike->child_of[parent];
        }
    }
    return OCELOTL_OK;
}

static bool is_below(const oc_alike *alike, const oc_series *series)
{
    return alike->child_of[alike->arrangement->place[series->leaf]] != OCELOTL_NONE;
}

static ocelotl_status number_columns(oc_alike *alike)
{
    const oc_matrix *matrix = &alike->arrangement->model->matrix;
    OC_TRY(oc_allocate(&alike->column, matrix->type_count, sizeof *alike->column));
    for (size_t s = 0; s < matrix->series_count; s++)
        if (is_below(alike, &matrix->series[s]) && alike->column[matrix->series[s].type] == 0)
            alike->column[matrix->series[s].type] = ++alike->columns;
    const uint32_t sums_each = alike->count > MANY ? SUMS * MANY / alike->count : SUMS;
    const uint32_t wanted = sums_each / (alike->columns > 0 ? alike->columns : 1);
    alike->slices = wanted < FEWEST_SLICES ? FEWEST_SLICES : wanted;
    alike->slices = alike->slices < matrix->slice_count ? alike->slices : matrix->slice_count;
    const size_t sums = (size_t)alike->columns * alike->slices;
    alike->width = (sums + OC_DENDROGRAM_LANES - 1) / OC_DENDROGRAM_LANES * OC_DENDROGRAM_LANES;
    return OCELOTL_OK;
}

/* In a unit in which the largest value is 1 no sum can overflow. */
static double largest_value(const oc_matrix *matrix)
{
    double largest = 0;
    for (size_t c = 0; c < matrix->cell_count; c++)
        largest = fmax(largest, matrix->cell_value[c]);
    return largest > 0 ? largest : 1;
}

static ocelotl_status fill_rows(oc_alike *alike)
{
    const oc_arrangement *arrangement = alike->arrangement;
    const oc_matrix *matrix = &arrangement->model->matrix;
    const double largest = largest_value(matrix);
    OC_TRY(oc_allocate(&alike->rows, alike->count, alike->width * sizeof *alike->rows));
    OC_TRY(oc_allocate(&alike->sizes, alike->count, sizeof *alike->sizes));
    for (uint32_t leaf = 0; leaf < matrix->tree.leaf_count[0]; leaf++) {
        const uint32_t child = alike->child_of[arrangement->place[leaf]];
        if (child != OCELOTL_NONE)
            alike->sizes[child]++;
    }
    for (size_t s = 0; s < matrix->series_count; s++) {
        const oc_series *series = &matrix->series[s];
        if (!is_below(alike, series))
            continue;
        double *row = alike->rows + alike->child_of[arrangement->place[series->leaf]] * alike->width +
                      (size_t)(alike->column[series->type] - 1) * alike->slices;
        for (size_t c = series->first; c < series[1].first; c++)
            row[(uint64_t)matrix->cell_slice[c] * alike->slices / matrix->slice_count] +=
                matrix->cell_value[c] / largest;
    }
    return OCELOTL_OK;
}

/* "20 like rank-7": so many leaves, and the first of them. */
static ocelotl_status name_cluster(const char **name, const char **path, oc_arrangement *arrangement,
                                   const oc_alike *alike, uint32_t first)
{
    oc_text text = {0};
    const oc_arranged_node *like = &arrangement->nodes[alike->children[first]];
    oc_text_format(&text, "%" PRIu32 " like %s", alike->members[first], like->given.name);
    ocelotl_status status = text.failed ? oc_fail_memory() : oc_arrangement_keep(name, arrangement, text.bytes);
    oc_text_clear(&text);
    oc_text_add(&text, arrangement->nodes[alike->parent].path);
    oc_text_add(&text, alike->parent > 0 ? "/" : "");
    if (status == OCELOTL_OK)
        oc_text_add_path_step(&text, *name);
    if (status == OCELOTL_OK)
        status = text.failed ? oc_fail_memory() : oc_arrangement_keep(path, arrangement, text.bytes);
    oc_text_free(&text);
    return status;
}

/* A cluster whose parent costs no more than it does says nothing: its members go there. */
static ocelotl_status add_cluster(oc_alike *alike, const oc_cluster_join *join)
{
    oc_arrangement *arrangement = alike->arrangement;
    const char *name;
    const char *path;
    uint32_t node;
    const uint32_t parts[] = {alike->top[join->first], alike->top[join->second]};
    const uint32_t rank = arrangement->nodes[parts[0]].rank < arrangement->nodes[parts[1]].rank
                              ? arrangement->nodes[parts[0]].rank
                              : arrangement->nodes[parts[1]].rank;
    alike->members[join->first] += alike->members[join->second];
    OC_TRY(name_cluster(&name, &path, arrangement, alike, join->first));
    OC_TRY(oc_arrangement_add(&node, arrangement, alike->parent, name, "cluster", rank));
    arrangement->nodes[node].path = path;
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
    OC_TRY(oc_allocate(&alike->top, alike->count, sizeof *alike->top));
    for (uint32_t i = 0; i < alike->count; i++)
        alike->top[i] = alike->children[i];
    for (uint32_t i = 0; i + 1 < alike->count; i++)
        OC_TRY(add_cluster(alike, &alike->joins[i]));
    /* The last one is the parent itself. */
    alike->arrangement->nodes[alike->arrangement->count - 1].dropped = true;
    return OCELOTL_OK;
}

static ocelotl_status fail_many(const oc_alike *alike)
{
    const char *path = alike->arrangement->nodes[alike->parent].path;
    const char *quote = path[0] != '\0' ? "\"" : "";
    return oc_fail(OCELOTL_ERROR_LIMIT,
                   "%" PRIu32
                   " resources below %s%s%s are too many to compare each with each, expected at most %d: "
                   "choose fewer of them, or nodes that have fewer (--resource, --split-children)",
                   alike->count, quote, path[0] != '\0' ? path : "the root", quote, (int)MOST_ALIKE);
}

static ocelotl_status cluster(oc_alike *alike)
{
    OC_TRY(list_children(alike));
    if (alike->count > MOST_ALIKE)
        return fail_many(alike);
    OC_TRY(number_columns(alike));
    OC_TRY(fill_rows(alike));
    OC_TRY(oc_allocate(&alike->members, alike->count, sizeof *alike->members));
    for (uint32_t i = 0; i < alike->count; i++)
        alike->members[i] = (uint32_t)alike->sizes[i];
    OC_TRY(oc_allocate(&alike->joins, alike->count, sizeof *alike->joins));
    OC_TRY(oc_dendrogram(alike->joins, alike->rows, alike->sizes, alike->count, alike->width, alike->progress,
                         alike->progress_context));
    return add_clusters(alike);
}

/* Of one node after the other, as `given` but for the node. */
static ocelotl_status split(const oc_alike *given, uint32_t most)
{
    const oc_arrangement *arrangement = given->arrangement;
    const uint32_t count = given->node_count;
    for (uint32_t k = 0; k < count; k++) {
        if (arrangement->nodes[k].child_count <= most || arrangement->nodes[k].child_count < 3)
            continue;
        oc_alike alike = *given;
        alike.parent = k;
        const ocelotl_status status = cluster(&alike);
        free_alike(&alike);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_split_children(oc_arrangement *arrangement, uint32_t most, ocelotl_progress progress,
                                 void *progress_context)
{
    const uint32_t count = arrangement->count;
    uint32_t *parents;
    OC_TRY(oc_allocate(&parents, count, sizeof *parents));
    for (uint32_t k = 0; k < count; k++)
        parents[k] = arrangement->nodes[k].given.parent;
    const oc_alike alike = {.arrangement = arrangement,
                            .parents = parents,
                            .node_count = count,
                            .progress = progress,
                            .progress_context = progress_context};
    const ocelotl_status status = split(&alike, most);
    free(parents);
    return status;
}
