/* Partitions as the public sees them, and the public solves. */
#include "aggregate/extract/solution.h"

#include "aggregate/measures/measures.h"
#include "aggregate/vector/vector.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct ocelotl_partition {
    const ocelotl_model *model;
    ocelotl_partition_info info;
    ocelotl_part *parts;
    double *shares; /* parts x types */
    char *level;    /* NULL where it is optimal */
};

void ocelotl_partition_free(ocelotl_partition *partition)
{
    if (partition == NULL)
        return;
    free(partition->parts);
    free(partition->shares);
    free(partition->level);
    free(partition);
}

/* The first cell of a series in a slice or in those that follow it. */
static size_t first_cell(const oc_matrix *matrix, size_t series, uint32_t slice)
{
    const size_t low = matrix->series[series].first;
    const size_t high = matrix->series[series + 1].first;
    if (high - low == matrix->slice_count) /* none is absent */
        return low + slice;
    return oc_cell_from_slice(matrix->cell_slice, low, high, slice);
}

/* Scratch of a thread: sums by type, which come and go as zeros, and the types that occur in the
 * part in hand. Whether a type occurs is kept apart, for a cell that is next to nothing beside
 * the largest is 0 once it is scaled. */
struct sums {
    oc_sum *sum;
    bool *occurs;
    uint32_t *type;
    uint32_t count;
};

static inline double cell(const ocelotl_aggregation *aggregation, size_t i)
{
    return oc_scaled(aggregation->matrix->cell_value[i], aggregation->scale);
}

/* The sum of many cells: in several sums side by side, for each addition waits for the last. */
static void add_many(oc_sum *sum, const ocelotl_aggregation *aggregation, size_t first, size_t end)
{
    enum { SIDE_BY_SIDE = 8 };
    oc_sum sums[SIDE_BY_SIDE] = {{0}};
    size_t i = first;
    for (; i + SIDE_BY_SIDE <= end; i += SIDE_BY_SIDE)
        for (size_t s = 0; s < SIDE_BY_SIDE; s++)
            oc_sum_add(&sums[s], cell(aggregation, i + s));
    for (; i < end; i++)
        oc_sum_add(sum, cell(aggregation, i));
    for (size_t s = 0; s < SIDE_BY_SIDE; s++) {
        oc_sum_add(sum, sums[s].high);
        sum->low += sums[s].low;
    }
}

/* Adds the cells of a series in the slices of a part. */
static void add_series(struct sums *sums, const ocelotl_aggregation *aggregation, size_t series,
                       const ocelotl_part *part)
{
    enum { MANY = 24 };
    const oc_matrix *matrix = aggregation->matrix;
    const uint32_t type = matrix->series[series].type;
    const size_t end = matrix->series[series + 1].first;
    size_t i = first_cell(matrix, series, part->first);
    if (i == end || matrix->cell_slice[i] > part->last)
        return;
    oc_sum *sum = &sums->sum[type];
    if (!sums->occurs[type])
        sums->type[sums->count++] = type;
    sums->occurs[type] = true;
    if (part->last - part->first >= MANY) {
        add_many(sum, aggregation, i, first_cell(matrix, series, part->last + 1));
        return;
    }
    for (; i < end && matrix->cell_slice[i] <= part->last; i++)
        oc_sum_add(sum, cell(aggregation, i));
}

/* The shares of one leaf in one slice are its cells. */
static void copy_cells(double *shares, const ocelotl_aggregation *aggregation, uint32_t leaf,
                       uint32_t slice)
{
    const oc_matrix *matrix = aggregation->matrix;
    for (size_t s = aggregation->leaf_series[leaf]; s < aggregation->leaf_series[leaf + 1]; s++) {
        const size_t i = first_cell(matrix, s, slice);
        if (i < matrix->series[s + 1].first && matrix->cell_slice[i] == slice)
            shares[matrix->series[s].type] = matrix->cell_value[i];
    }
}

/* The mean cell of each type; those that do not occur stay 0. */
static void fill_shares(double *shares, struct sums *sums, const ocelotl_aggregation *aggregation,
                        const ocelotl_part *part)
{
    const oc_tree *tree = &aggregation->matrix->tree;
    const uint32_t leaf = tree->leaf_first[part->node];
    const double cells = (double)part->leaves * (part->last - part->first + 1.0);
    const size_t *series = aggregation->leaf_series;
    if (cells == 1) {
        copy_cells(shares, aggregation, leaf, part->first);
        return;
    }
    sums->count = 0;
    for (size_t s = series[leaf]; s < series[leaf + tree->leaf_count[part->node]]; s++)
        add_series(sums, aggregation, s, part);
    for (uint32_t i = 0; i < sums->count; i++) {
        const uint32_t type = sums->type[i];
        shares[type] = oc_unscaled(aggregation, oc_sum_value(&sums->sum[type]) / cells);
        sums->sum[type] = (oc_sum){0};
        sums->occurs[type] = false;
    }
}

/* --- Quantiles of the cells of a part, by type */

/* A cell, or resources of a merged leaf, which have its sum in equal parts. */
typedef struct weighed {
    double value;
    uint32_t type, weight;
} weighed;

/* What a thread finds them with. */
typedef struct quantiles {
    weighed *cells;
    size_t count, capacity;
} quantiles;

static uint32_t weight_of(const oc_matrix *matrix, uint32_t leaf)
{
    const uint32_t *before = matrix->tree.weight_before;
    return before != NULL ? before[leaf + 1] - before[leaf] : 1;
}

static ocelotl_status add_weighed(quantiles *scratch, const oc_matrix *matrix, size_t series,
                                  const ocelotl_part *part)
{
    const oc_series *of = &matrix->series[series];
    const uint32_t weight = weight_of(matrix, of->leaf);
    OC_TRY(oc_grow(&scratch->cells, &scratch->capacity, scratch->count + (of[1].first - of->first),
                   sizeof *scratch->cells));
    for (size_t i = of->first; i < of[1].first; i++)
        if (matrix->cell_slice[i] >= part->first && matrix->cell_slice[i] <= part->last)
            scratch->cells[scratch->count++] =
                (weighed){matrix->cell_value[i] / weight, of->type, weight};
    return OCELOTL_OK;
}

static int compare_weighed(const void *left, const void *right)
{
    const weighed *a = left;
    const weighed *b = right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/* Finds a quantile of the cells of one type, which are sorted: the least value that this share of
 * all cells does not exceed. Cells that are not given are 0. */
static double find_quantile(const weighed *cells, size_t count, double all, double percentile)
{
    double there = 0;
    for (size_t i = 0; i < count; i++)
        there += cells[i].weight;
    double passed = all - there;
    for (size_t i = 0; i < count; i++) {
        if (passed * 100 >= all * percentile)
            return i > 0 ? cells[i - 1].value : 0;
        passed += cells[i].weight;
    }
    return count > 0 ? cells[count - 1].value : 0;
}

/* Sets the share of each type that occurs in a part to the least value that at least so many
 * hundredths of its cells do not exceed; a resource without a cell has 0, those of a merged leaf
 * have equal parts of its sum. O(cells log cells). */
static ocelotl_status fill_quantiles(double *shares, quantiles *scratch,
                                     const ocelotl_aggregation *aggregation,
                                     const ocelotl_part *part)
{
    const oc_matrix *matrix = aggregation->matrix;
    const size_t *leaf_series = aggregation->leaf_series;
    const oc_tree *tree = &matrix->tree;
    const uint32_t leaf = tree->leaf_first[part->node];
    const size_t end = leaf_series[leaf + tree->leaf_count[part->node]];
    const double all = (double)part->leaves * ((double)part->last - part->first + 1.0);
    scratch->count = 0;
    for (size_t s = leaf_series[leaf]; s < end; s++)
        OC_TRY(add_weighed(scratch, matrix, s, part));
    if (scratch->count > 1)
        qsort(scratch->cells, scratch->count, sizeof *scratch->cells, compare_weighed);
    for (size_t first = 0, next; first < scratch->count; first = next) {
        const uint32_t type = scratch->cells[first].type;
        for (next = first; next < scratch->count && scratch->cells[next].type == type;)
            next++;
        shares[type] =
            find_quantile(scratch->cells + first, next - first, all, aggregation->percentile);
    }
    return OCELOTL_OK;
}

static ocelotl_part part_of(const ocelotl_aggregation *aggregation, const oc_solution_part *block)
{
    const bool spatial = aggregation->kind == OCELOTL_SPATIAL;
    return (ocelotl_part){
        .node = aggregation->nodes.name[block->node],
        .first = spatial ? 0 : block->first,
        .last = spatial ? aggregation->matrix->slice_count - 1 : block->last,
        .leaves = aggregation->nodes.leaf_weight[block->node],
        .gain = oc_unscaled(aggregation, block->gain),
        .loss = oc_unscaled(aggregation, block->loss),
    };
}

static ocelotl_status check_memory(size_t parts, size_t types)
{
    const double bytes = (double)parts * (double)types * sizeof(double);
    if (bytes <= (double)oc_memory_budget(0))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_LIMIT,
                   "the shares of %zu types in %zu parts would need about %.0f MiB of memory; use "
                   "a larger p or fewer "
                   "slices",
                   types, parts, bytes / 1048576);
}

/* Makes an array, of so many bytes, those of all ranks. */
static ocelotl_status join_array(void **array, size_t length, const ocelotl_exchange *exchange)
{
    oc_bytes bytes = {.bytes = *array, .length = length, .capacity = length};
    const ocelotl_status status = oc_exchange_join(&bytes, exchange);
    *array = bytes.bytes;
    return status;
}

/* Gives all ranks the parts of all: those of a rank come before those of the ranks behind it. */
static ocelotl_status join_parts(ocelotl_partition *partition,
                                 const ocelotl_aggregation *aggregation,
                                 const oc_solution *solution)
{
    const size_t types = aggregation->matrix->type_count;
    void *parts = partition->parts;
    void *shares = partition->shares;
    if (aggregation->dealt == NULL)
        return OCELOTL_OK;
    ocelotl_status status =
        join_array(&parts, solution->own * sizeof *partition->parts, aggregation->dealt);
    partition->parts = parts;
    if (status == OCELOTL_OK)
        status = join_array(&shares, solution->own * types * sizeof *partition->shares,
                            aggregation->dealt);
    partition->shares = shares;
    for (size_t i = 0; i < solution->count && status == OCELOTL_OK; i++)
        partition->parts[i].shares = partition->shares + i * types;
    return status;
}

/* Additions, roughly: every cell, and a search in every series of a part. */
static double work_of(const ocelotl_aggregation *aggregation, const oc_solution *solution)
{
    return (double)aggregation->matrix->cell_count +
           10.0 * (double)solution->own * aggregation->matrix->type_count;
}

static ocelotl_status fill_parts(ocelotl_partition *partition,
                                 const ocelotl_aggregation *aggregation,
                                 const oc_solution *solution)
{
    const size_t types = aggregation->matrix->type_count;
    const double rate = ocelotl_model_info_of(aggregation->model).rate;
    int failed = 0;
    OC_TRY(check_memory(solution->count, types));
    OC_TRY(oc_allocate(&partition->parts, solution->own, sizeof *partition->parts));
    OC_TRY(oc_allocate(&partition->shares, solution->own, types * sizeof *partition->shares));
#pragma omp parallel num_threads(oc_threads_for(aggregation, work_of(aggregation, solution)))
    {
        struct sums sums = {0};
        quantiles cells = {0};
        const bool ready = oc_allocate(&sums.sum, types, sizeof *sums.sum) == OCELOTL_OK &&
                           oc_allocate(&sums.occurs, types, sizeof *sums.occurs) == OCELOTL_OK &&
                           oc_allocate(&sums.type, types, sizeof *sums.type) == OCELOTL_OK;
        if (!ready) {
#pragma omp atomic write
            failed = 1;
        }
#pragma omp for schedule(dynamic, 64)
        for (size_t i = 0; i < solution->own; i++) {
            double *shares = partition->shares + i * types;
            partition->parts[i] = part_of(aggregation, &solution->block[i]);
            partition->parts[i].shares = shares;
            if (ready && aggregation->percentile == 0)
                fill_shares(shares, &sums, aggregation, &partition->parts[i]);
            else if (!ready || fill_quantiles(shares, &cells, aggregation, &partition->parts[i]) !=
                                   OCELOTL_OK) {
#pragma omp atomic write
                failed = 1;
            }
            for (size_t type = 0; type < types; type++)
                shares[type] *= rate;
        }
        free(cells.cells);
        free(sums.sum);
        free(sums.occurs);
        free(sums.type);
    }
    return failed ? oc_fail_memory() : join_parts(partition, aggregation, solution);
}

static uint64_t cell_count(const ocelotl_aggregation *aggregation)
{
    const uint64_t slices =
        aggregation->kind == OCELOTL_SPATIAL ? 1 : aggregation->matrix->slice_count;
    const uint64_t leaves =
        aggregation->kind == OCELOTL_TEMPORAL ? 1 : aggregation->matrix->tree.leaf_count[0];
    return slices * leaves;
}

/* Makes a partition of a solution that was found at p, or p_raw. */
static ocelotl_status make_partition(ocelotl_partition **partition,
                                     const ocelotl_aggregation *aggregation,
                                     const oc_solution *solution, double p, double p_raw)
{
    ocelotl_partition *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = fill_parts(made, aggregation, solution);
    if (status != OCELOTL_OK) {
        ocelotl_partition_free(made);
        return status;
    }
    made->model = aggregation->model;
    made->info = (ocelotl_partition_info){
        .kind = aggregation->kind,
        .p = p,
        .p_raw = p_raw,
        .pic = oc_unscaled(aggregation, p_raw * solution->gain - (1 - p_raw) * solution->loss),
        .gain = oc_unscaled(aggregation, solution->gain),
        .loss = oc_unscaled(aggregation, solution->loss),
        .whole_gain = ocelotl_aggregation_whole_gain(aggregation),
        .whole_loss = ocelotl_aggregation_whole_loss(aggregation),
        .part_count = solution->count,
        .cell_count = cell_count(aggregation),
        .cut_count = solution->cuts,
        .cuts_tried = solution->cuts_tried,
        .percentile = aggregation->percentile,
    };
    *partition = made;
    return OCELOTL_OK;
}

void oc_partition_set_next_count(ocelotl_partition *partition, size_t count)
{
    partition->info.next_count = count;
}

void ocelotl_partition_get_info(ocelotl_partition_info *info, const ocelotl_partition *partition)
{
    oc_give_info(info, &partition->info, sizeof partition->info);
}

const ocelotl_model *ocelotl_partition_model(const ocelotl_partition *partition)
{
    return partition->model;
}

ocelotl_part ocelotl_partition_part_at(const ocelotl_partition *partition, size_t index)
{
    return index < partition->info.part_count ? partition->parts[index] : (ocelotl_part){0};
}

/* --- The public solves */

static ocelotl_status check_p(double p)
{
    if (p >= 0 && p <= 1)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "p is %.15g, expected a number in [0, 1]", p);
}

static ocelotl_status solve(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                            double p, double p_raw)
{
    oc_solution solution = {0};
    ocelotl_status status = oc_solve(&solution, aggregation, p_raw);
    if (status == OCELOTL_OK)
        status = make_partition(partition, aggregation, &solution, p, p_raw);
    oc_solution_free(&solution);
    return status;
}

ocelotl_status ocelotl_solve(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                             double p)
{
    OC_TRY(check_p(p));
    return solve(partition, aggregation, p, ocelotl_p_to_raw(aggregation, p));
}

ocelotl_status ocelotl_solve_raw(ocelotl_partition **partition,
                                 const ocelotl_aggregation *aggregation, double p_raw)
{
    OC_TRY(check_p(p_raw));
    return solve(partition, aggregation, ocelotl_p_from_raw(aggregation, p_raw), p_raw);
}

/* Which nodes are meant: those of a type of resources, or, where that is NULL, those at a depth. */
struct level {
    const char *type;
    uint32_t depth;
};

/* What is being made. */
struct work {
    const ocelotl_aggregation *aggregation;
    oc_solution solution;
    uint32_t *nodes; /* of the model, one a part of all ranks */
    oc_measurer measurer;
    double *loss; /* of a node whose losses are not stored */
    char *name;
};

static bool is_of(const struct level *level, const ocelotl_node *node)
{
    return level->type != NULL ? !node->alike && strcmp(node->kind, level->type) == 0
                               : node->depth == level->depth;
}

static ocelotl_status find_loss(double *loss, struct work *work, uint32_t node)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    const uint32_t last = aggregation->slices - 1;
    if (aggregation->loss[node] == NULL)
        OC_TRY(
            oc_node_losses(work->loss, aggregation, &work->measurer, node, 0, aggregation->slices));
    *loss = aggregation->loss[node] != NULL ? aggregation->loss[node][last] : work->loss[last];
    return OCELOTL_OK;
}

/* The node of the aggregation, `at` or later, that has the leaves of a node of the model. Both come
 * in preorder. */
static uint32_t same_leaves(const oc_nodes *nodes, uint32_t at, const ocelotl_node *node)
{
    while (nodes->leaf_first[at] != node->leaf_first || nodes->leaf_weight[at] != node->row_count)
        at++;
    return at;
}

/* The topmost nodes of the level; a leaf that has none above it is a part for itself. */
static ocelotl_status add_parts(struct work *work, const struct level *level)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    const oc_tree *tree = &aggregation->matrix->tree;
    const uint32_t end = aggregation->first_leaf + aggregation->leaf_count;
    size_t count = 0;
    uint32_t at = 0;
    for (uint32_t node = 0; node < tree->node_count;) {
        const ocelotl_node of = ocelotl_model_node_at(aggregation->model, node);
        if (!is_of(level, &of) && !oc_tree_is_leaf(tree, node)) {
            node++;
            continue;
        }
        work->nodes[count++] = node;
        node += tree->subtree[node];
        if (of.leaf_first < aggregation->first_leaf || of.leaf_first >= end)
            continue;
        double loss = 0;
        at = same_leaves(&aggregation->nodes, at, &of);
        OC_TRY(find_loss(&loss, work, at));
        OC_TRY(oc_solution_add(&work->solution, aggregation, at, 0, aggregation->slices - 1, loss));
    }
    return oc_solution_sum_up(&work->solution, aggregation);
}

static ocelotl_status make_parts(ocelotl_partition **partition, struct work *work,
                                 const struct level *level, const char *name)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    OC_TRY(oc_measurer_make(&work->measurer, aggregation));
    OC_TRY(oc_allocate(&work->loss, oc_intervals(aggregation->slices) + OC_PAST_END,
                       sizeof *work->loss));
    OC_TRY(oc_allocate(&work->nodes, aggregation->matrix->tree.node_count, sizeof *work->nodes));
    OC_TRY(add_parts(work, level));
    OC_TRY(oc_copy_text(&work->name, name));
    OC_TRY(make_partition(partition, aggregation, &work->solution, (double)NAN, (double)NAN));
    (*partition)->info.level = (*partition)->level = work->name;
    work->name = NULL;
    for (size_t i = 0; i < work->solution.count; i++)
        (*partition)->parts[i].node = work->nodes[i];
    return OCELOTL_OK;
}

static ocelotl_status make(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                           const struct level *level)
{
    struct work work = {.aggregation = aggregation};
    oc_text name = {0};
    if (level->type != NULL)
        oc_text_format(&name, "nodes of type %s", level->type);
    else
        oc_text_format(&name, "nodes at depth %u", level->depth);
    const ocelotl_status status =
        name.failed ? oc_fail_memory() : make_parts(partition, &work, level, name.bytes);
    oc_text_free(&name);
    oc_solution_free(&work.solution);
    oc_measurer_free(&work.measurer);
    free(work.loss);
    free(work.nodes);
    free(work.name);
    return status;
}

static ocelotl_status check_kind(const ocelotl_aggregation *aggregation)
{
    if (aggregation->kind != OCELOTL_TEMPORAL)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "a temporal aggregation has no levels of the hierarchy, "
                                           "expected a spatial or spatiotemporal one");
}

ocelotl_status ocelotl_partition_at_depth(ocelotl_partition **partition,
                                          const ocelotl_aggregation *aggregation, uint32_t depth)
{
    uint32_t deepest = 0;
    OC_TRY(check_kind(aggregation));
    for (uint32_t node = 0; node < aggregation->matrix->tree.node_count; node++) {
        const uint32_t found = ocelotl_model_node_at(aggregation->model, node).depth;
        deepest = found > deepest ? found : deepest;
    }
    if (depth > deepest)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the hierarchy has no depth %u, expected 0 to %u",
                       depth, deepest);
    return make(partition, aggregation, &(struct level){.depth = depth});
}

/* Whether a list of names, each after ", ", holds one. */
static bool lists(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *found = names; found != NULL && (found = strstr(found, name)) != NULL;
         found += length)
        if ((found == names || strncmp(found - 2, ", ", 2) == 0) &&
            (found[length] == '\0' || strncmp(found + length, ", ", 2) == 0))
            return true;
    return false;
}

/* Names each type of resources once: a few, for hierarchies have few types. */
static ocelotl_status fail_unknown_type(const ocelotl_aggregation *aggregation, const char *type)
{
    oc_text known = {0};
    const char *last = "";
    for (uint32_t node = 0; node < aggregation->matrix->tree.node_count; node++) {
        const ocelotl_node of = ocelotl_model_node_at(aggregation->model, node);
        const char *kind = of.kind;
        if (of.alike || kind[0] == '\0' || strcmp(kind, last) == 0 || lists(known.bytes, kind))
            continue;
        oc_text_format(&known, "%s%s", known.length > 0 ? ", " : "", kind);
        last = kind;
    }
    const ocelotl_status status =
        known.failed
            ? oc_fail_memory()
            : oc_fail(OCELOTL_ERROR_ARGUMENT,
                      "the hierarchy has no resources of type \"%s\", expected %s", type,
                      known.length > 0 ? known.bytes : "a depth, for its resources have no types");
    oc_text_free(&known);
    return status;
}

ocelotl_status ocelotl_partition_at_type(ocelotl_partition **partition,
                                         const ocelotl_aggregation *aggregation, const char *type)
{
    OC_TRY(check_kind(aggregation));
    for (uint32_t node = 0; node < aggregation->matrix->tree.node_count && type[0] != '\0'; node++)
        if (!ocelotl_model_node_at(aggregation->model, node).alike &&
            strcmp(ocelotl_model_node_at(aggregation->model, node).kind, type) == 0)
            return make(partition, aggregation, &(struct level){.type = type});
    return fail_unknown_type(aggregation, type);
}
