#include "aggregate/recurrence.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a thread needs for itself, by slice. */
struct worker {
    double *log_cells; /* by length */
    double *m;
    double *whole;
    double *uncut;
};

static void worker_free(struct worker *worker)
{
    free(worker->log_cells);
    free(worker->m);
    free(worker->whole);
    free(worker->uncut);
}

static ocelotl_status worker_make(struct worker *worker, uint32_t slices)
{
    OC_TRY(oc_allocate(&worker->log_cells, (size_t)slices + 1, sizeof(double)));
    OC_TRY(oc_allocate(&worker->m, slices, sizeof(double)));
    OC_TRY(oc_allocate(&worker->whole, slices, sizeof(double)));
    return oc_allocate(&worker->uncut, slices, sizeof(double));
}

/* row[j] = the node over i..j as it is best without a cut in time: whole, or split into its children. */
static void fill_uncut(double *restrict row, const oc_recurrence *recurrence,
                       const ocelotl_aggregation *aggregation, struct worker *worker, uint32_t node, uint32_t i)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const uint32_t count = aggregation->slices - i;
    const double *total = oc_total_of(aggregation, node) + i;
    const double *loss = oc_loss_of(aggregation, node, i);
    double x = 0;
    for (uint32_t j = 0; j < count; j++) {
        x += total[j];
        worker->m[j] = x * worker->log_cells[j + 1];
        worker->whole[j] = oc_value(recurrence->weight, worker->m[j], loss[j]);
    }
    if (oc_nodes_is_leaf(nodes, node)) {
        memcpy(row, worker->whole, count * sizeof *row);
        return;
    }
    const uint32_t first = oc_nodes_first_child(node);
    memcpy(row, oc_best_of(recurrence, aggregation, first, i), count * sizeof *row);
    for (uint32_t child = oc_nodes_next_child(nodes, first); child < oc_nodes_end(nodes, node);
         child = oc_nodes_next_child(nodes, child)) {
        const double *best = oc_best_of(recurrence, aggregation, child, i);
        for (uint32_t j = 0; j < count; j++)
            row[j] += best[j];
    }
    for (uint32_t j = 0; j < count; j++)
        row[j] = worker->whole[j] > row[j] ? worker->whole[j] : row[j];
}

/* Cuts after the interval of value `left`: row and right hold the intervals from there on. */
static void cut(double *restrict row, const double *restrict right, double left, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++) {
        const double value = left + right[j];
        row[j] = value > row[j] ? value : row[j];
    }
}

/* All intervals that begin at slice i, those that begin later being done. The left side of a cut need not itself
 * be cut in time, for cutting there first gives the same parts: where a cut has improved row[c], c is left out. */
static void solve_row(const oc_recurrence *recurrence, const ocelotl_aggregation *aggregation,
                      struct worker *worker, uint32_t node, uint32_t i)
{
    const uint32_t count = aggregation->slices - i;
    double *row = oc_best_of(recurrence, aggregation, node, i);
    fill_uncut(row, recurrence, aggregation, worker, node, i);
    memcpy(worker->uncut, row, count * sizeof *row);
    for (uint32_t c = 0; c + 1 < count; c++)
        if (row[c] == worker->uncut[c])
            cut(row + c + 1, oc_best_of(recurrence, aggregation, node, i + c + 1), row[c], count - c - 1);
    const double p = recurrence->weight.limit ? 1 : recurrence->weight.p;
    uint32_t kept = 0;
    while (kept < count && !(worker->whole[kept] >= row[kept] - OC_TIE * p * worker->m[kept]))
        kept++;
    recurrence->kept[(size_t)node * aggregation->slices + i] = kept < count ? i + kept : OC_NEVER;
}

static void solve_node(const oc_recurrence *recurrence, const ocelotl_aggregation *aggregation,
                       struct worker *worker, uint32_t node)
{
    for (uint32_t length = 1; length <= aggregation->slices; length++)
        worker->log_cells[length] = oc_log_cells(aggregation, node, length);
    for (uint32_t i = aggregation->slices; i-- > 0;)
        solve_row(recurrence, aggregation, worker, node, i);
}

/* Nodes of one height at once. */
static ocelotl_status solve_nodes(const oc_recurrence *recurrence, const ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const double slices = aggregation->slices;
    int failed = 0;
#pragma omp parallel num_threads(oc_threads_for(aggregation, nodes->count *slices *slices *slices / 6))
    {
        struct worker worker = {0};
        const bool ready = worker_make(&worker, aggregation->slices) == OCELOTL_OK;
        if (!ready) {
#pragma omp atomic write
            failed = 1;
        }
        for (uint32_t height = 0; height < nodes->height_count; height++) {
#pragma omp for schedule(dynamic)
            for (uint32_t i = nodes->height_first[height]; i < nodes->height_first[height + 1]; i++)
                if (ready)
                    solve_node(recurrence, aggregation, &worker, nodes->by_height[i]);
        }
        worker_free(&worker);
    }
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status oc_recurrence_solve(oc_recurrence *recurrence, const ocelotl_aggregation *aggregation,
                                   oc_weight weight)
{
    const size_t nodes = aggregation->nodes.count;
    recurrence->weight = weight;
    if (recurrence->best == NULL)
        OC_TRY(oc_allocate(&recurrence->best, nodes, oc_intervals(aggregation->slices) * sizeof *recurrence->best));
    if (recurrence->kept == NULL)
        OC_TRY(oc_allocate(&recurrence->kept, nodes, aggregation->slices * sizeof *recurrence->kept));
    return solve_nodes(recurrence, aggregation);
}

void oc_recurrence_free(oc_recurrence *recurrence)
{
    free(recurrence->best);
    free(recurrence->kept);
    *recurrence = (oc_recurrence){0};
}
