#include "aggregate/extract/solution.h"

#include "aggregate/vector/sums.h"
#include "base/memory.h"

#include <stdlib.h>

void oc_solution_free(oc_solution *solution)
{
    free(solution->block);
    *solution = (oc_solution){0};
}

ocelotl_status oc_solution_add(oc_solution *solution, const ocelotl_aggregation *aggregation,
                               uint32_t node, uint32_t first, uint32_t last, double own_loss)
{
    OC_TRY(oc_grow(&solution->block, &solution->capacity, solution->count + 1,
                   sizeof *solution->block));
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
