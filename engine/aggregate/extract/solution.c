#include "aggregate/extract/solution.h"

#include "aggregate/extract/explored.h"
#include "aggregate/vector/vector.h"
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
    solution->block[solution->count++] =
        (oc_solution_part){node, first, last, gain, gain > 0 ? loss : m};
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

/* Takes the parts of a node over one item, and notes the blocks that it splits. */
static ocelotl_status follow(const oc_explored *explored, oc_solution *solution, uint32_t node,
                             uint32_t index)
{
    const oc_explored_node *record = &explored->records[node];
    while (index != OC_NONE) {
        const oc_item *item = &oc_items_of(record)[index];
        const oc_choice *choice = &oc_choices_of(record, item)[item->taken];
        if (choice->split != OC_NONE)
            record->place.splits[choice->split].wanted = true;
        else
            OC_TRY(oc_solution_add(solution, explored->aggregation, node, item->first, choice->last,
                                   choice->loss));
        index = choice->next;
    }
    return OCELOTL_OK;
}

/* Follows the choices from the root down: parents come before their children, and splits are sorted
 * by time. */
static ocelotl_status emit(const oc_explored *explored, oc_solution *solution)
{
    const oc_nodes *nodes = &explored->aggregation->nodes;
    for (uint32_t node = 0; node < nodes->count; node++) {
        const oc_explored_node *record = &explored->records[node];
        const oc_explored_node *parent = &explored->records[nodes->parent[node]];
        if (record->share == NULL)
            continue;
        const uint32_t *answers = record->share->choices.answers + record->place.answer_first;
        for (uint32_t a = 0; a < record->place.answer_count; a++)
            if (node == 0 || parent->place.splits[a].wanted)
                OC_TRY(follow(explored, solution, node, answers[a]));
    }
    return OCELOTL_OK;
}

/* Extracts the partition. What is not unique is explored again by the tie rules, which lose nothing
 * better except by rounding. */
static ocelotl_status extract(oc_explored *explored, oc_cut_sets *cut_sets, oc_solution *solution)
{
    const oc_explored_node *root = &explored->records[0];
    OC_TRY(oc_explored_run(explored, NULL));
    if (!oc_answer_of(root, 0)->unique) {
        const oc_tally best = oc_answer_of(root, 0)->tally;
        OC_TRY(oc_cut_sets_find(cut_sets, explored));
        OC_TRY(oc_explored_run(explored, cut_sets));
        if (oc_explored_is_better(explored, &best, &oc_answer_of(root, 0)->tally))
            OC_TRY(oc_explored_run(explored, NULL));
    }
    return emit(explored, solution);
}

static ocelotl_status explore_and_extract(oc_solution *solution,
                                          const ocelotl_aggregation *aggregation,
                                          const oc_solver *solver)
{
    oc_explored explored = {0};
    oc_cut_sets cut_sets = {0};
    ocelotl_status status = oc_explored_make(&explored, aggregation, solver);
    if (status == OCELOTL_OK)
        status = extract(&explored, &cut_sets, solution);
    oc_cut_sets_free(&cut_sets);
    oc_explored_free(&explored);
    return status;
}

static ocelotl_status solve_with(oc_solution *solution, const ocelotl_aggregation *aggregation,
                                 oc_solver *solver, double p_raw)
{
    /* With so small a p every measurable loss outweighs all gain; above it, products with p do not
     * underflow. */
    const oc_weight weight = {p_raw, p_raw < 0x1p-900};
    OC_TRY(oc_solver_run(solver, aggregation, weight));
    OC_TRY(explore_and_extract(solution, aggregation, solver));
    for (uint32_t i = 0; i < aggregation->threads; i++) {
        solution->cuts += solver->workers[i].cuts;
        solution->cuts_tried += solver->workers[i].cuts - solver->workers[i].spared;
    }
    return OCELOTL_OK;
}

static ocelotl_status solve_below_one(oc_solution *solution, const ocelotl_aggregation *aggregation,
                                      double p_raw)
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
