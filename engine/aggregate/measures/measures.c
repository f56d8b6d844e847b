#include "aggregate/measures/measures.h"

#include "aggregate/measures/node_losses.h"
#include "aggregate/measures/series_losses.h"
#include "aggregate/problem/work.h"
#include "aggregate/vector/sums.h"
#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* What a thread needs for itself. */
struct worker {
    oc_measurer measurer;
    oc_column_index index;
    oc_sum *sum; /* by slice */
};

static void worker_free(struct worker *worker)
{
    oc_measurer_free(&worker->measurer);
    free(worker->index.place);
    free(worker->sum);
}

static ocelotl_status worker_make(struct worker *worker, const ocelotl_aggregation *aggregation)
{
    OC_TRY(oc_measurer_make(&worker->measurer, aggregation));
    OC_TRY(oc_allocate(&worker->sum, aggregation->slices, sizeof *worker->sum));
    return oc_allocate(&worker->index.place, aggregation->matrix->type_count,
                       sizeof *worker->index.place);
}

static ocelotl_status sum_children(ocelotl_aggregation *aggregation, struct worker *worker,
                                   uint32_t node)
{
    const oc_nodes *nodes = &aggregation->nodes;
    oc_columns *columns = &aggregation->columns[node];
    const uint32_t end = oc_nodes_end(nodes, node);
    columns->slices = aggregation->slices;
    for (uint32_t child = oc_nodes_first_child(node); child < end;
         child = oc_nodes_next_child(nodes, child)) {
        const oc_columns *of_child;
        OC_TRY(oc_columns_find(&of_child, aggregation, &worker->measurer, child));
        OC_TRY(oc_columns_add(columns, &worker->index, of_child, nodes->leaf_weight[child],
                              aggregation->vector));
    }
    oc_columns_finish(columns, &worker->index, nodes->leaf_weight[node], aggregation->vector);
    return OCELOTL_OK;
}

static void fill_total(const ocelotl_aggregation *aggregation, struct worker *worker, uint32_t node,
                       const oc_columns *columns)
{
    const uint32_t slices = aggregation->slices;
    double *total = aggregation->total + (size_t)node * slices;
    memset(worker->sum, 0, slices * sizeof *worker->sum);
    for (uint32_t c = 0; c < columns->count; c++) {
        const oc_sums sums = oc_column_sums(columns, c);
        for (uint32_t t = 0; t < slices; t++) {
            oc_sum_add(&worker->sum[t], sums.high[t]);
            worker->sum[t].low += sums.low[t];
        }
    }
    for (uint32_t t = 0; t < slices; t++)
        total[t] = oc_sum_value(&worker->sum[t]);
}

static ocelotl_status measure_node(ocelotl_aggregation *aggregation, struct worker *worker,
                                   uint32_t node)
{
    const oc_columns *columns;
    if (!oc_nodes_is_leaf(&aggregation->nodes, node))
        OC_TRY(sum_children(aggregation, worker, node));
    OC_TRY(oc_columns_find(&columns, aggregation, &worker->measurer, node));
    fill_total(aggregation, worker, node, columns);
    if (aggregation->loss[node] == NULL)
        return OCELOTL_OK;
    const oc_rows loss = {aggregation->loss[node], aggregation->slices, 0};
    OC_TRY(oc_node_losses(aggregation->loss[node], aggregation, &worker->measurer, node, 0,
                          aggregation->slices));
    aggregation->lossless[node] = oc_loses_nothing(&loss, aggregation->slices);
    return OCELOTL_OK;
}

/* Additions, roughly: a logarithm, worth some thirty, for every pair of a series' cells, and as
 * much again for the inner nodes; and a few for every interval. */
static double operations(const ocelotl_aggregation *aggregation)
{
    const oc_matrix *matrix = aggregation->matrix;
    const double length =
        (double)matrix->cell_count / (double)(matrix->series_count > 0 ? matrix->series_count : 1);
    const double intervals =
        (double)aggregation->nodes.count * (double)oc_intervals(aggregation->slices);
    return 30.0 * (double)matrix->cell_count * length + 5.0 * intervals;
}

/* Every node from its children's columns: those of one height at once. */
static void measure_nodes(ocelotl_aggregation *aggregation, oc_work *work)
{
    const oc_nodes *nodes = &aggregation->nodes;
#pragma omp parallel num_threads(oc_threads_for(aggregation, operations(aggregation)))
    {
        struct worker worker = {0};
        if (worker_make(&worker, aggregation) != OCELOTL_OK)
            oc_work_fail(work);
        for (uint32_t height = 0; height < nodes->height_count; height++) {
#pragma omp for schedule(dynamic)
            for (uint32_t i = nodes->height_first[height]; i < nodes->height_first[height + 1];
                 i++) {
                if (oc_work_is_stopped(work))
                    continue;
                if (measure_node(aggregation, &worker, nodes->by_height[i]) != OCELOTL_OK)
                    oc_work_fail(work);
                oc_work_done(work, 1);
            }
        }
        worker_free(&worker);
    }
}

static ocelotl_status index_leaves(ocelotl_aggregation *aggregation)
{
    const oc_matrix *matrix = aggregation->matrix;
    const uint32_t leaves = matrix->tree.leaf_count[0];
    OC_TRY(oc_allocate(&aggregation->leaf_series, (size_t)leaves + 1,
                       sizeof *aggregation->leaf_series));
    size_t series = 0;
    for (uint32_t leaf = 0; leaf <= leaves; leaf++) {
        while (series < matrix->series_count && matrix->series[series].leaf < leaf)
            series++;
        aggregation->leaf_series[leaf] = series;
    }
    return OCELOTL_OK;
}

static void add_merged_loss(const ocelotl_aggregation *aggregation, double *merged, uint32_t leaf)
{
    const oc_matrix *matrix = aggregation->matrix;
    const double *scale = aggregation->scale;
    for (size_t s = aggregation->leaf_series[leaf]; s < aggregation->leaf_series[leaf + 1]; s++) {
        if (aggregation->slices == 1)
            merged[0] += matrix->series_loss[s] * scale[0] * scale[1];
        else
            for (size_t c = matrix->series[s].first; c < matrix->series[s + 1].first; c++)
                merged[matrix->cell_slice[c]] += matrix->cell_loss[c] * scale[0] * scale[1];
    }
}

/* Parents come before their children. */
static ocelotl_status sum_merged_losses(ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const size_t slices = aggregation->slices;
    if (aggregation->matrix->cell_loss == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&aggregation->merged_loss, nodes->count, slices * sizeof(double)));
    for (uint32_t k = nodes->count; k-- > 0;) {
        double *merged = aggregation->merged_loss + k * slices;
        double *above = aggregation->merged_loss + nodes->parent[k] * slices;
        if (oc_nodes_is_leaf(nodes, k))
            add_merged_loss(aggregation, merged, nodes->leaf_first[k]);
        for (size_t t = 0; t < slices && k > 0; t++)
            above[t] += merged[t];
    }
    return OCELOTL_OK;
}

/* Columns are needed as long as losses are to be computed from them. */
static void drop_columns(ocelotl_aggregation *aggregation)
{
    for (uint32_t k = 0; k < aggregation->nodes.count; k++)
        if (aggregation->loss[k] != NULL)
            oc_columns_free(&aggregation->columns[k]);
}

static ocelotl_status measure_tree(ocelotl_aggregation *aggregation)
{
    oc_work work = {.aggregation = aggregation};
    OC_TRY(sum_merged_losses(aggregation));
    OC_TRY(
        oc_allocate(&aggregation->columns, aggregation->nodes.count, sizeof *aggregation->columns));
    oc_work_done(&work, 0);
    if (!oc_work_is_stopped(&work))
        measure_nodes(aggregation, &work);
    OC_TRY(oc_work_status(&work));
    drop_columns(aggregation);
    return OCELOTL_OK;
}

ocelotl_status oc_measures_compute(ocelotl_aggregation *aggregation)
{
    const uint32_t last = aggregation->slices - 1;
    OC_TRY(index_leaves(aggregation));
    OC_TRY(oc_allocate(&aggregation->total, aggregation->nodes.count,
                       aggregation->slices * sizeof(double)));
    if (aggregation->kind == OCELOTL_TEMPORAL)
        OC_TRY(oc_series_measure(aggregation));
    else
        OC_TRY(measure_tree(aggregation));
    /* The root's losses are always stored. */
    const double m = oc_m_of(aggregation, 0, 0, last);
    const double loss = aggregation->loss[0][last] + oc_merged_loss_over(aggregation, 0, 0, last);
    aggregation->whole_gain = oc_gain_of(m, loss);
    aggregation->whole_loss = aggregation->whole_gain > 0 ? loss : m;
    return OCELOTL_OK;
}
