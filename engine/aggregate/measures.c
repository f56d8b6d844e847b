#include "aggregate/measures.h"

#include "aggregate/columns.h"
#include "base/memory.h"

#include <stdlib.h>

/* Series of the temporal kind are taken so many at a time. */
#define BLOCK 64

/* What the nodes share: `shared` while they are measured. */
struct shared {
    ocelotl_aggregation *aggregation;
    oc_join *lengthen;   /* by length: an interval of it, and one slice more */
    size_t *leaf_series; /* of each leaf its first series; one more ends the last */
    oc_columns *columns; /* of each inner node, from when it is measured until its parent is */
};

/* What a thread needs for itself. */
struct worker {
    double *x;         /* by slice: one type's values */
    double *log_cells; /* by length */
    oc_column_index index;
};

static void worker_free(struct worker *worker)
{
    free(worker->x);
    free(worker->log_cells);
    free(worker->index.place);
}

static ocelotl_status worker_make(struct worker *worker, const ocelotl_aggregation *aggregation)
{
    const uint32_t types = aggregation->matrix->type_count;
    worker->index.type_count = types;
    OC_TRY(oc_allocate(&worker->x, aggregation->slices, sizeof *worker->x));
    OC_TRY(oc_allocate(&worker->log_cells, (size_t)aggregation->slices + 1, sizeof *worker->log_cells));
    return oc_allocate(&worker->index.place, types, sizeof *worker->index.place);
}

static void fill_log_cells(double *log_cells, const ocelotl_aggregation *aggregation, uint32_t node)
{
    for (uint32_t length = 1; length <= aggregation->slices; length++)
        log_cells[length] = oc_log_cells(aggregation, node, length);
}

/* Adds one series' losses over the intervals that begin at slice i to a row; `own` is what each slice has lost
 * in itself. Every addend is >= 0, so nothing cancels. What stays below the rounding of the series' X log n, its
 * gain and loss together, is a constant series' noise: exactly 0. */
static void add_losses(double *restrict row, const double *restrict x, const double *restrict own, uint32_t i,
                       uint32_t slices, const oc_join *restrict lengthen, const double *restrict log_cells)
{
    oc_sum sum = {0};
    double a = 0;
    double lost = 0;
    for (uint32_t j = i; j < slices; j++) {
        const uint32_t length = j - i;
        lost += own[j];
        if (length > 0 && (a > 0 || x[j] > 0))
            lost += oc_join_loss(&lengthen[length], a, x[j]);
        oc_sum_add(&sum, x[j]);
        a = oc_sum_value(&sum);
        if (lost > OC_ROUNDING * a * log_cells[length + 1])
            row[length] += lost;
    }
}

/* A gain below the rounding of M is exactly 0: loss = M, the same bits that the solver will compute. */
static void remove_gain_noise(ocelotl_aggregation *aggregation, uint32_t node, const double *log_cells)
{
    const uint32_t slices = aggregation->slices;
    const double *total = oc_total_of(aggregation, node);
    double *loss = aggregation->loss + node * oc_intervals(slices);
    for (uint32_t i = 0; i < slices; i++) {
        double x = 0;
        for (uint32_t j = i; j < slices; j++, loss++) {
            x += total[j];
            const double m = x * log_cells[j - i + 1];
            if (!(m - *loss > OC_ROUNDING * m))
                *loss = m;
        }
    }
}

/* A leaf's columns are made whenever they are needed: all of them at once would be the whole matrix, dense. */
static ocelotl_status expand_leaf(oc_columns *columns, const struct shared *shared, uint32_t node)
{
    const ocelotl_aggregation *aggregation = shared->aggregation;
    const uint32_t leaf = aggregation->nodes.leaf_first[node];
    columns->slices = aggregation->slices;
    if (shared->leaf_series[leaf] == shared->leaf_series[leaf + 1])
        return OCELOTL_OK;
    return oc_columns_of_leaf(columns, aggregation->matrix, shared->leaf_series[leaf], aggregation->unit);
}

static ocelotl_status add_child(const struct shared *shared, struct worker *worker, oc_columns *columns,
                                uint32_t child)
{
    const oc_nodes *nodes = &shared->aggregation->nodes;
    oc_columns *of_child = &shared->columns[child];
    ocelotl_status status = OCELOTL_OK;
    if (oc_nodes_is_leaf(nodes, child))
        status = expand_leaf(of_child, shared, child);
    if (status == OCELOTL_OK)
        status = oc_columns_add(columns, &worker->index, of_child, nodes->leaf_count[child]);
    oc_columns_free(of_child);
    return status;
}

static ocelotl_status sum_children(const struct shared *shared, struct worker *worker, uint32_t node)
{
    const oc_nodes *nodes = &shared->aggregation->nodes;
    oc_columns *columns = &shared->columns[node];
    const uint32_t end = oc_nodes_end(nodes, node);
    columns->slices = shared->aggregation->slices;
    for (uint32_t child = oc_nodes_first_child(node); child < end; child = oc_nodes_next_child(nodes, child))
        OC_TRY(add_child(shared, worker, columns, child));
    oc_columns_finish(columns, &worker->index, nodes->leaf_count[node]);
    return OCELOTL_OK;
}

static void fill_total(const ocelotl_aggregation *aggregation, uint32_t node, const oc_columns *columns)
{
    double *total = aggregation->total + (size_t)node * aggregation->slices;
    for (uint32_t t = 0; t < aggregation->slices; t++) {
        oc_sum sum = {0};
        for (uint32_t i = 0; i < columns->count; i++) {
            oc_sum_add(&sum, columns->column[i].sum[t].high);
            sum.low += columns->column[i].sum[t].low;
        }
        total[t] = oc_sum_value(&sum);
    }
}

static void measure_columns(const struct shared *shared, struct worker *worker, uint32_t node)
{
    ocelotl_aggregation *aggregation = shared->aggregation;
    const oc_columns *columns = &shared->columns[node];
    const uint32_t slices = aggregation->slices;
    double *loss = aggregation->loss + node * oc_intervals(slices);
    fill_total(aggregation, node, columns);
    fill_log_cells(worker->log_cells, aggregation, node);
    for (uint32_t c = 0; c < columns->count; c++) {
        for (uint32_t t = 0; t < slices; t++)
            worker->x[t] = oc_sum_value(&columns->column[c].sum[t]);
        for (uint32_t i = 0; i < slices; i++)
            add_losses(loss + oc_row(slices, i), worker->x, columns->column[c].loss, i, slices, shared->lengthen,
                       worker->log_cells);
    }
    remove_gain_noise(aggregation, node, worker->log_cells);
}

static ocelotl_status measure_node(const struct shared *shared, struct worker *worker, uint32_t node)
{
    const bool leaf = oc_nodes_is_leaf(&shared->aggregation->nodes, node);
    OC_TRY(leaf ? expand_leaf(&shared->columns[node], shared, node) : sum_children(shared, worker, node));
    measure_columns(shared, worker, node);
    if (leaf)
        oc_columns_free(&shared->columns[node]);
    return OCELOTL_OK;
}

/* Joins that series of all slices take: each is worth some ten additions. */
static double operations(const ocelotl_aggregation *aggregation, size_t series)
{
    return 10.0 * (double)series * (double)oc_intervals(aggregation->slices);
}

/* Every node from its children's columns: those of one height at once. */
static ocelotl_status measure_nodes(struct shared *shared)
{
    const oc_nodes *nodes = &shared->aggregation->nodes;
    const int threads = oc_threads_for(shared->aggregation, operations(shared->aggregation, nodes->count));
    int failed = 0;
#pragma omp parallel num_threads(threads)
    {
        struct worker worker = {0};
        if (worker_make(&worker, shared->aggregation) != OCELOTL_OK) {
#pragma omp atomic write
            failed = 1;
        }
        for (uint32_t height = 0; height < nodes->height_count; height++) {
#pragma omp for schedule(dynamic)
            for (uint32_t i = nodes->height_first[height]; i < nodes->height_first[height + 1]; i++) {
                int stop;
#pragma omp atomic read
                stop = failed;
                if (!stop && measure_node(shared, &worker, nodes->by_height[i]) != OCELOTL_OK) {
#pragma omp atomic write
                    failed = 1;
                }
            }
        }
        worker_free(&worker);
    }
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status index_leaves(struct shared *shared)
{
    const oc_matrix *matrix = shared->aggregation->matrix;
    const uint32_t leaves = matrix->tree.leaf_count[0];
    OC_TRY(oc_allocate(&shared->leaf_series, (size_t)leaves + 1, sizeof *shared->leaf_series));
    size_t series = 0;
    for (uint32_t leaf = 0; leaf <= leaves; leaf++) {
        while (series < matrix->series_count && matrix->series[series].leaf < leaf)
            series++;
        shared->leaf_series[leaf] = series;
    }
    return OCELOTL_OK;
}

static ocelotl_status measure_tree(struct shared *shared)
{
    const uint32_t count = shared->aggregation->nodes.count;
    OC_TRY(index_leaves(shared));
    OC_TRY(oc_allocate(&shared->columns, count, sizeof *shared->columns));
    const ocelotl_status status = measure_nodes(shared);
    for (uint32_t k = 0; k < count; k++)
        oc_columns_free(&shared->columns[k]);
    return status;
}

typedef struct series_block {
    oc_sum *one;   /* by slice */
    oc_sum *total; /* by slice */
    double *x;     /* series x slice */
    double *own;   /* zeros: there is a single cell in a slice of a series */
} series_block;

static ocelotl_status measure_series(struct shared *shared, struct worker *worker, series_block *block)
{
    ocelotl_aggregation *aggregation = shared->aggregation;
    const oc_matrix *matrix = aggregation->matrix;
    const uint32_t slices = aggregation->slices;
    OC_TRY(oc_allocate(&block->one, slices, sizeof *block->one));
    OC_TRY(oc_allocate(&block->total, slices, sizeof *block->total));
    OC_TRY(oc_allocate(&block->x, (size_t)slices * BLOCK, sizeof *block->x));
    OC_TRY(oc_allocate(&block->own, slices, sizeof *block->own));
    fill_log_cells(worker->log_cells, aggregation, 0);
    for (size_t first = 0; first < matrix->series_count; first += BLOCK) {
        const size_t count = matrix->series_count - first < BLOCK ? matrix->series_count - first : BLOCK;
        for (size_t s = 0; s < count; s++) {
            oc_series_expand(matrix, first + s, aggregation->unit, slices, block->one);
            for (uint32_t t = 0; t < slices; t++) {
                block->x[s * slices + t] = block->one[t].high;
                oc_sum_add(&block->total[t], block->one[t].high);
            }
        }
#pragma omp parallel for schedule(dynamic) num_threads(oc_threads_for(aggregation, operations(aggregation, count)))
        for (uint32_t i = 0; i < slices; i++)
            for (size_t s = 0; s < count; s++)
                add_losses(aggregation->loss + oc_row(slices, i), block->x + s * slices, block->own, i, slices,
                           shared->lengthen, worker->log_cells);
    }
    for (uint32_t t = 0; t < slices; t++)
        aggregation->total[t] = oc_sum_value(&block->total[t]);
    remove_gain_noise(aggregation, 0, worker->log_cells);
    return OCELOTL_OK;
}

static ocelotl_status measure_temporal(struct shared *shared)
{
    struct worker worker = {0};
    series_block block = {0};
    ocelotl_status status = worker_make(&worker, shared->aggregation);
    if (status == OCELOTL_OK)
        status = measure_series(shared, &worker, &block);
    free(block.one);
    free(block.total);
    free(block.x);
    free(block.own);
    worker_free(&worker);
    return status;
}

/* A power of two changes no digit, so the unit of the values does not either, and no sum can overflow. */
static int unit_of(const oc_matrix *matrix)
{
    double largest = 0;
    int unit = 0;
    for (size_t i = 0; i < matrix->cell_count; i++)
        largest = matrix->cell_value[i] > largest ? matrix->cell_value[i] : largest;
    frexp(largest, &unit);
    return unit;
}

static ocelotl_status measure(struct shared *shared)
{
    ocelotl_aggregation *aggregation = shared->aggregation;
    const uint32_t slices = aggregation->slices;
    aggregation->unit = unit_of(aggregation->matrix);
    OC_TRY(oc_allocate(&aggregation->total, aggregation->nodes.count, slices * sizeof(double)));
    OC_TRY(oc_allocate(&aggregation->loss, aggregation->nodes.count, oc_intervals(slices) * sizeof(double)));
    OC_TRY(oc_allocate(&shared->lengthen, slices, sizeof *shared->lengthen));
    for (uint32_t length = 1; length < slices; length++)
        shared->lengthen[length] = oc_join_of(length, 1);
    OC_TRY(aggregation->kind == OCELOTL_TEMPORAL ? measure_temporal(shared) : measure_tree(shared));
    double x = 0;
    for (uint32_t t = 0; t < slices; t++)
        x += aggregation->total[t];
    aggregation->whole_loss = aggregation->loss[slices - 1];
    aggregation->whole_gain = x * oc_log_cells(aggregation, 0, slices) - aggregation->whole_loss;
    return OCELOTL_OK;
}

ocelotl_status oc_measures_compute(ocelotl_aggregation *aggregation)
{
    struct shared shared = {.aggregation = aggregation};
    const ocelotl_status status = measure(&shared);
    free(shared.lengthen);
    free(shared.leaf_series);
    free(shared.columns);
    return status;
}
