#include "aggregate/solution.h"

#include "aggregate/extraction.h"
#include "aggregate/sums.h"
#include "base/memory.h"

#include <stdlib.h>

void oc_solution_free(oc_solution *solution)
{
    free(solution->block);
    *solution = (oc_solution){0};
}

ocelotl_status oc_solution_add(oc_solution *solution, const ocelotl_aggregation *aggregation, uint32_t node,
                               uint32_t first, uint32_t last, double own_loss)
{
    OC_TRY(oc_grow(&solution->block, &solution->capacity, solution->count + 1, sizeof *solution->block));
    const double m = oc_m_of(aggregation, node, first, last);
    const double loss = own_loss + oc_merged_loss_over(aggregation, node, first, last);
    const double gain = oc_gain_of(m, loss);
    solution->block[solution->count++] = (oc_block){node, first, last, gain, gain > 0 ? loss : m};
    return OCELOTL_OK;
}

void oc_solution_sum_up(oc_solution *solution)
{
    oc_sum gain = {0};
    oc_sum loss = {0};
    for (size_t i = 0; i < solution->count; i++) {
        oc_sum_add(&gain, solution->block[i].gain);
        oc_sum_add(&loss, solution->block[i].loss);
    }
    solution->gain = oc_sum_value(&gain);
    solution->loss = oc_sum_value(&loss);
    solution->gain_rest = (gain.high - solution->gain) + gain.low;
    solution->loss_rest = (loss.high - solution->loss) + loss.low;
}

static ocelotl_status solve_with(oc_solution *solution, const ocelotl_aggregation *aggregation, oc_solver *solver,
                                 double p_raw)
{
    /* So small a p is below every loss that can be told from none, and what it is multiplied by stays a number. */
    const oc_weight weight = {p_raw, p_raw < 0x1p-900};
    OC_TRY(oc_solver_run(solver, aggregation, weight));
    OC_TRY(oc_extract(solution, aggregation, solver));
    for (uint32_t i = 0; i < aggregation->threads; i++) {
        solution->cuts += solver->workers[i].cuts;
        solution->cuts_tried += solver->workers[i].cuts - solver->workers[i].spared;
    }
    return OCELOTL_OK;
}

static ocelotl_status solve_below_one(oc_solution *solution, const ocelotl_aggregation *aggregation, double p_raw)
{
    oc_solver *solver;
    OC_TRY(oc_solver_borrow(&solver, aggregation));
    const ocelotl_status status = solve_with(solution, aggregation, solver, p_raw);
    oc_solver_return(solver, aggregation, status == OCELOTL_OK);
    return status;
}

ocelotl_status oc_solve(oc_solution *solution, const ocelotl_aggregation *aggregation, double p_raw)
{
    const uint32_t last = aggregation->slices - 1;
    if (p_raw < 1)
        OC_TRY(solve_below_one(solution, aggregation, p_raw));
    else
        OC_TRY(oc_solution_add(solution, aggregation, 0, 0, last, aggregation->loss[0][last]));
    oc_solution_sum_up(solution);
    return OCELOTL_OK;
}
