/* What is known of a problem: its nodes, their columns, and once it is measured its kind, the
 * whole's gain and loss, and p in both scales. */
#include "aggregate/problem/problem.h"

#include "aggregate/vector/vector.h"
#include "base/memory.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The nodes that can be parts */

static ocelotl_status allocate(oc_nodes *nodes, uint32_t count)
{
    nodes->count = count;
    OC_TRY(oc_allocate(&nodes->name, count, sizeof *nodes->name));
    OC_TRY(oc_allocate(&nodes->subtree, count, sizeof *nodes->subtree));
    OC_TRY(oc_allocate(&nodes->leaf_first, count, sizeof *nodes->leaf_first));
    OC_TRY(oc_allocate(&nodes->leaf_weight, count, sizeof *nodes->leaf_weight));
    OC_TRY(oc_allocate(&nodes->parent, count, sizeof *nodes->parent));
    OC_TRY(oc_allocate(&nodes->child_count, count, sizeof *nodes->child_count));
    OC_TRY(oc_allocate(&nodes->ordinal, count, sizeof *nodes->ordinal));
    OC_TRY(oc_allocate(&nodes->inner, count, sizeof *nodes->inner));
    OC_TRY(oc_allocate(&nodes->by_height, count, sizeof *nodes->by_height));
    return oc_allocate(&nodes->by_depth, count, sizeof *nodes->by_depth);
}

void oc_nodes_free(oc_nodes *nodes)
{
    free(nodes->name);
    free(nodes->subtree);
    free(nodes->leaf_first);
    free(nodes->leaf_weight);
    free(nodes->by_height);
    free(nodes->height_first);
    free(nodes->parent);
    free(nodes->child_count);
    free(nodes->ordinal);
    free(nodes->inner);
    free(nodes->by_depth);
    free(nodes->depth_first);
    *nodes = (oc_nodes){0};
}

static bool is_only_child(const oc_tree *tree, uint32_t node)
{
    return node > 0 && tree->leaf_count[node] == tree->leaf_count[tree->parent[node]];
}

/* Sorts the nodes by a key, stably: `sorted` becomes the nodes, *first where each key from 0 to
 * `highest` begins. */
static ocelotl_status sort_by(uint32_t *sorted, uint32_t **first, const uint32_t *key,
                              uint32_t highest, uint32_t count)
{
    OC_TRY(oc_allocate(first, (size_t)highest + 3, sizeof **first));
    uint32_t *place = *first;
    for (uint32_t k = 0; k < count; k++)
        place[key[k] + 2]++;
    for (uint32_t h = 0; h <= highest; h++)
        place[h + 2] += place[h + 1];
    for (uint32_t k = 0; k < count; k++)
        sorted[place[key[k] + 1]++] = k;
    return OCELOTL_OK;
}

static uint32_t highest_of(const uint32_t *key, uint32_t count)
{
    uint32_t highest = 0;
    for (uint32_t k = 0; k < count; k++)
        highest = key[k] > highest ? key[k] : highest;
    return highest;
}

/* `key` comes as zeros. */
static ocelotl_status sort_by_height(oc_nodes *nodes, uint32_t *key)
{
    for (uint32_t k = nodes->count; k-- > 1;)
        if (key[nodes->parent[k]] <= key[k])
            key[nodes->parent[k]] = key[k] + 1;
    const uint32_t highest = highest_of(key, nodes->count);
    nodes->height_count = highest + 1;
    return sort_by(nodes->by_height, &nodes->height_first, key, highest, nodes->count);
}

static ocelotl_status sort_by_depth(oc_nodes *nodes, uint32_t *key)
{
    key[0] = 0;
    for (uint32_t k = 1; k < nodes->count; k++)
        key[k] = key[nodes->parent[k]] + 1;
    const uint32_t highest = highest_of(key, nodes->count);
    nodes->depth_count = highest + 1;
    return sort_by(nodes->by_depth, &nodes->depth_first, key, highest, nodes->count);
}

static void number_inner(oc_nodes *nodes)
{
    for (uint32_t k = 0; k < nodes->count; k++)
        if (!oc_nodes_is_leaf(nodes, k))
            nodes->inner[k] = nodes->inner_count++;
}

/* `image` becomes the folded node of each node of the tree. */
static void fold(oc_nodes *nodes, const oc_tree *tree, uint32_t *image)
{
    uint32_t made = 0;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        if (is_only_child(tree, k)) {
            image[k] = image[tree->parent[k]];
            continue;
        }
        nodes->name[made] = k;
        nodes->subtree[made] = 1;
        nodes->leaf_first[made] = tree->leaf_first[k];
        nodes->leaf_weight[made] = oc_tree_weight(tree, k);
        nodes->parent[made] = k > 0 ? image[tree->parent[k]] : 0;
        image[k] = made++;
    }
    for (uint32_t k = 1; k < made; k++)
        nodes->ordinal[k] = nodes->child_count[nodes->parent[k]]++;
    for (uint32_t k = made; k-- > 1;)
        nodes->subtree[nodes->parent[k]] += nodes->subtree[k];
}

static ocelotl_status build(oc_nodes *nodes, const oc_tree *tree, uint32_t *scratch)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < tree->node_count; k++)
        count += !is_only_child(tree, k);
    OC_TRY(allocate(nodes, count));
    fold(nodes, tree, scratch);
    number_inner(nodes);
    memset(scratch, 0, tree->node_count * sizeof *scratch);
    OC_TRY(sort_by_height(nodes, scratch));
    return sort_by_depth(nodes, scratch);
}

ocelotl_status oc_nodes_of_tree(oc_nodes *nodes, const oc_tree *tree)
{
    uint32_t *scratch;
    OC_TRY(oc_allocate(&scratch, tree->node_count, sizeof *scratch));
    const ocelotl_status status = build(nodes, tree, scratch);
    free(scratch);
    return status;
}

/* The nodes that are left of a list of them, sorted by a key as before. */
static void keep_sorted(uint32_t *sorted, uint32_t *first, uint32_t keys, const uint32_t *image)
{
    uint32_t kept = 0;
    uint32_t next = 0;
    for (uint32_t key = 0; key < keys; key++) {
        const uint32_t end = first[key + 1];
        first[key] = kept;
        for (; next < end; next++)
            if (image[sorted[next]] > 0)
                sorted[kept++] = image[sorted[next]] - 1;
    }
    first[keys] = kept;
}

/* Moves what is known of a node to its new place. */
static void move_node(oc_nodes *nodes, uint32_t to, uint32_t from, const uint32_t *image)
{
    nodes->name[to] = nodes->name[from];
    nodes->leaf_first[to] = nodes->leaf_first[from];
    nodes->leaf_weight[to] = nodes->leaf_weight[from];
    nodes->parent[to] = image[nodes->parent[from]] - 1;
    nodes->child_count[to] = nodes->child_count[from];
    nodes->ordinal[to] = nodes->ordinal[from];
    nodes->subtree[to] = 1;
}

/* Gives back what nodes that are left out took. */
static void shrink(oc_nodes *nodes)
{
    uint32_t **const all[] = {&nodes->name,        &nodes->subtree, &nodes->leaf_first,
                              &nodes->leaf_weight, &nodes->parent,  &nodes->child_count,
                              &nodes->ordinal,     &nodes->inner,   &nodes->by_height,
                              &nodes->by_depth};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const size_t count = nodes->count > 0 ? nodes->count : 1;
        uint32_t *less = realloc(*all[i], count * sizeof *less);
        *all[i] = less != NULL ? less : *all[i];
    }
}

ocelotl_status oc_nodes_keep(oc_nodes *nodes, const oc_tree *tree, uint32_t first, uint32_t end)
{
    uint32_t *image; /* of each node its new place + 1; 0: it is left out */
    uint32_t kept = 0;
    OC_TRY(oc_allocate(&image, nodes->count, sizeof *image));
    for (uint32_t k = 0; k < nodes->count; k++) {
        const uint32_t leaf = nodes->leaf_first[k];
        if (k > 0 && (leaf >= end || leaf + tree->leaf_count[nodes->name[k]] <= first))
            continue;
        image[k] = ++kept;
        move_node(nodes, kept - 1, k, image);
    }
    keep_sorted(nodes->by_height, nodes->height_first, nodes->height_count, image);
    keep_sorted(nodes->by_depth, nodes->depth_first, nodes->depth_count, image);
    free(image);
    nodes->count = kept;
    for (uint32_t k = kept; k-- > 1;)
        nodes->subtree[nodes->parent[k]] += nodes->subtree[k];
    nodes->inner_count = 0;
    number_inner(nodes);
    shrink(nodes);
    return OCELOTL_OK;
}

ocelotl_status oc_nodes_root_only(oc_nodes *nodes, const oc_tree *tree)
{
    OC_TRY(allocate(nodes, 1));
    OC_TRY(oc_allocate(&nodes->height_first, 2, sizeof *nodes->height_first));
    OC_TRY(oc_allocate(&nodes->depth_first, 2, sizeof *nodes->depth_first));
    nodes->height_count = 1;
    nodes->height_first[1] = 1;
    nodes->depth_count = 1;
    nodes->depth_first[1] = 1;
    nodes->subtree[0] = 1;
    nodes->leaf_weight[0] = oc_tree_weight(tree, 0);
    return OCELOTL_OK;
}

/* --- The values of a node */

void oc_columns_free(oc_columns *columns)
{
    free(columns->type);
    free(columns->leaves);
    free(columns->values);
    *columns = (oc_columns){.slices = columns->slices};
}

void oc_columns_clear(oc_columns *columns)
{
    columns->count = 0;
}

/* A new column, as zeros. */
static ocelotl_status append(oc_columns *columns, uint32_t type)
{
    const size_t values = 3 * oc_column_stride(columns->slices);
    const size_t count = columns->count;
    OC_TRY(oc_grow(&columns->type, &columns->type_capacity, count + 1, sizeof *columns->type));
    OC_TRY(oc_grow(&columns->leaves, &columns->leaf_capacity, count + 1, sizeof *columns->leaves));
    OC_TRY(oc_grow(&columns->values, &columns->value_capacity, (count + 1) * values,
                   sizeof *columns->values));
    columns->type[count] = type;
    columns->leaves[count] = 0;
    memset(columns->values + count * values, 0, values * sizeof *columns->values);
    columns->count++;
    return OCELOTL_OK;
}

/* Adds a series by slice, times both scales; with a single slice, its sum. */
static void expand_series(oc_sums sums, const oc_matrix *matrix, size_t series, const double *scale,
                          uint32_t slices)
{
    for (size_t i = matrix->series[series].first; i < matrix->series[series + 1].first; i++) {
        const uint32_t t = slices > 1 ? matrix->cell_slice[i] : 0;
        oc_sum sum = {sums.high[t], sums.low[t]};
        oc_sum_add(&sum, oc_scaled(matrix->cell_value[i], scale));
        sums.high[t] = sum.high;
        sums.low[t] = sum.low;
    }
}

ocelotl_status oc_columns_of_leaf(oc_columns *columns, const oc_matrix *matrix, size_t series,
                                  uint32_t weight, const double *scale)
{
    const uint32_t leaf = matrix->series[series].leaf;
    for (; series < matrix->series_count && matrix->series[series].leaf == leaf; series++) {
        OC_TRY(append(columns, matrix->series[series].type));
        columns->leaves[columns->count - 1] = weight;
        expand_series(oc_column_sums(columns, columns->count - 1), matrix, series, scale,
                      columns->slices);
    }
    return OCELOTL_OK;
}

static oc_joining joining_of(const oc_columns *columns, uint32_t column, oc_sums other,
                             uint32_t leaves)
{
    const double a = columns->leaves[column];
    const double b = leaves;
    const double a_bits = log1p(b / a) * OC_LOG2_E;
    const double b_bits = log1p(a / b) * OC_LOG2_E;
    return (oc_joining){a,    b, a_bits, b_bits, columns->slices, oc_column_sums(columns, column),
                        other};
}

ocelotl_status oc_columns_add(oc_columns *columns, oc_column_index *index, const oc_columns *more,
                              const oc_vector *vector)
{
    const size_t values = 3 * oc_column_stride(columns->slices);
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t i = 0; i < columns->count; i++)
        index->place[columns->type[i]] = i + 1;
    for (uint32_t i = 0; i < more->count && status == OCELOTL_OK; i++) {
        const uint32_t place = index->place[more->type[i]];
        const oc_sums sums = oc_column_sums(more, i);
        if (place > 0) {
            const oc_joining joining = joining_of(columns, place - 1, sums, more->leaves[i]);
            vector->join_slices(&joining);
            columns->leaves[place - 1] += more->leaves[i];
        } else {
            status = append(columns, more->type[i]);
            if (status != OCELOTL_OK)
                break;
            memcpy(columns->values + (columns->count - 1) * values, sums.high,
                   values * sizeof *columns->values);
            columns->leaves[columns->count - 1] = more->leaves[i];
        }
    }
    for (uint32_t i = 0; i < columns->count; i++)
        index->place[columns->type[i]] = 0;
    return status;
}

void oc_columns_finish(oc_columns *columns, uint32_t leaves, const oc_vector *vector)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        if (columns->leaves[i] == leaves)
            continue;
        const oc_joining joining =
            joining_of(columns, i, (oc_sums){0}, leaves - columns->leaves[i]);
        vector->join_slices(&joining);
        columns->leaves[i] = leaves;
    }
}

ocelotl_status oc_columns_pack(oc_bytes *bytes, const oc_columns *columns)
{
    const size_t values = 3 * oc_column_stride(columns->slices);
    OC_TRY(oc_bytes_add(bytes, &columns->count, sizeof columns->count));
    OC_TRY(oc_bytes_add(bytes, columns->type, columns->count * sizeof *columns->type));
    OC_TRY(oc_bytes_add(bytes, columns->leaves, columns->count * sizeof *columns->leaves));
    return oc_bytes_add(bytes, columns->values, columns->count * values * sizeof(double));
}

ocelotl_status oc_columns_unpack(oc_columns *columns, oc_bytes *bytes)
{
    const size_t values = 3 * oc_column_stride(columns->slices);
    uint32_t count = 0;
    oc_columns_clear(columns);
    OC_TRY(oc_bytes_take(&count, bytes, sizeof count));
    for (uint32_t i = 0; i < count; i++)
        OC_TRY(append(columns, 0));
    OC_TRY(oc_bytes_take(columns->type, bytes, count * sizeof *columns->type));
    OC_TRY(oc_bytes_take(columns->leaves, bytes, count * sizeof *columns->leaves));
    return oc_bytes_take(columns->values, bytes, count * values * sizeof(double));
}

/* --- The problem once it is measured */

ocelotl_kind ocelotl_aggregation_kind(const ocelotl_aggregation *aggregation)
{
    return aggregation->kind;
}

const ocelotl_model *ocelotl_aggregation_model(const ocelotl_aggregation *aggregation)
{
    return aggregation->model;
}

double ocelotl_aggregation_whole_gain(const ocelotl_aggregation *aggregation)
{
    return ldexp(aggregation->whole_gain, aggregation->unit);
}

double ocelotl_aggregation_whole_loss(const ocelotl_aggregation *aggregation)
{
    return ldexp(aggregation->whole_loss, aggregation->unit);
}

/* p weighed by a, against 1 - p weighed by b. Only an end gives an end: below 1 the whole is one
 * part among others. */
static double reweigh(double p, double a, double b)
{
    if (!(p > 0 && p < 1) || !(a > 0 && b > 0))
        return p;
    const double weighed = p * a / (p * a + (1 - p) * b);
    return weighed < 1 ? weighed : nextafter(1, 0);
}

double ocelotl_p_to_raw(const ocelotl_aggregation *aggregation, double p)
{
    return reweigh(p, aggregation->whole_loss, aggregation->whole_gain);
}

double ocelotl_p_from_raw(const ocelotl_aggregation *aggregation, double p_raw)
{
    return reweigh(p_raw, aggregation->whole_gain, aggregation->whole_loss);
}

void oc_work_done(oc_work *work, uint32_t nodes)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    uint64_t done;
#pragma omp atomic capture
    {
        work->done += nodes;
        done = work->done;
    }
    if (aggregation->progress == NULL || omp_get_thread_num() != 0)
        return;
    if (!aggregation->progress(aggregation->progress_context, done, aggregation->nodes.count)) {
#pragma omp atomic write
        work->cancelled = 1;
    }
}

bool oc_work_is_stopped(const oc_work *work)
{
    int cancelled;
#pragma omp atomic read
    cancelled = work->cancelled;
    return cancelled || oc_first_failure_is_there(&work->failure);
}

ocelotl_status oc_work_status(const oc_work *work)
{
    if (work->cancelled)
        return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled after %llu nodes of %u",
                       (unsigned long long)work->done, work->aggregation->nodes.count);
    return oc_first_failure_give(&work->failure);
}

extern const oc_vector oc_vector_plain;
#ifdef OC_X86_64
extern const oc_vector oc_vector_avx2;
extern const oc_vector oc_vector_avx512;
#endif

/* The widest first. */
static const oc_vector *const tables[] = {
#ifdef OC_X86_64
    &oc_vector_avx512,
    &oc_vector_avx2,
#endif
    &oc_vector_plain,
};

enum { TABLES = sizeof tables / sizeof tables[0] };

static bool has(const oc_vector *table)
{
#ifdef OC_X86_64
    if (table == &oc_vector_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (table == &oc_vector_avx2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#endif
    return table == &oc_vector_plain;
}

const oc_vector *oc_vector_find(const char *name)
{
    for (int i = 0; i < TABLES; i++)
        if (has(tables[i]) && (name == NULL || strcmp(name, tables[i]->name) == 0))
            return tables[i];
    return NULL;
}

void oc_vector_list(char *text, size_t size)
{
    size_t length = 0;
    for (int i = 0; i < TABLES; i++)
        if (has(tables[i]) && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       tables[i]->name);
}
