#include "aggregate/solution.h"

#include "aggregate/divergence.h"
#include "aggregate/extraction.h"
#include "base/memory.h"

#include <float.h>
#include <stdlib.h>

void oc_solution_free(oc_solution *solution)
{
    free(solution->block);
    *solution = (oc_solution){0};
}

ocelotl_status oc_solution_add(oc_solution *solution, const ocelotl_aggregation *aggregation, uint32_t node,
                               uint32_t first, uint32_t last)
{
    OC_TRY(oc_grow(&solution->block, &solution->capacity, solution->count + 1, sizeof *solution->block));
    const double *total = oc_total_of(aggregation, node);
    double x = 0;
    for (uint32_t t = first; t <= last; t++)
        x += total[t];
    const double m = x * oc_log_cells(aggregation, node, last - first + 1);
    const double loss = oc_loss_of(aggregation, node, first)[last - first];
    solution->block[solution->count++] = (oc_block){node, first, last, m - loss, loss};
    return OCELOTL_OK;
}

static int compare(const void *a, const void *b)
{
    const oc_block *left = a;
    const oc_block *right = b;
    if (left->node != right->node)
        return left->node < right->node ? -1 : 1;
    return left->first < right->first ? -1 : left->first > right->first;
}

static void sum_up(oc_solution *solution)
{
    oc_sum gain = {0};
    oc_sum loss = {0};
    for (size_t i = 0; i < solution->count; i++) {
        oc_sum_add(&gain, solution->block[i].gain);
        oc_sum_add(&loss, solution->block[i].loss);
    }
    solution->gain = oc_sum_value(&gain);
    solution->loss = oc_sum_value(&loss);
}

static ocelotl_status solve_below_one(oc_solution *solution, const ocelotl_aggregation *aggregation,
                                      oc_recurrence *recurrence, double p_raw)
{
    /* A p that is not even a normal number is below every loss that can be told from none. */
    const oc_weight weight = {p_raw, p_raw < DBL_MIN};
    OC_TRY(oc_recurrence_solve(recurrence, aggregation, weight));
    return oc_extract(solution, aggregation, recurrence);
}

ocelotl_status oc_solve(oc_solution *solution, const ocelotl_aggregation *aggregation, oc_recurrence *recurrence,
                        double p_raw)
{
    if (p_raw < 1)
        OC_TRY(solve_below_one(solution, aggregation, recurrence, p_raw));
    else
        OC_TRY(oc_solution_add(solution, aggregation, 0, 0, aggregation->slices - 1));
    qsort(solution->block, solution->count, sizeof *solution->block, compare);
    sum_up(solution);
    return OCELOTL_OK;
}
