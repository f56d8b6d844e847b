#include "aggregate/extract/solution.h"

#include "aggregate/extract/explored.h"
#include "aggregate/vector/vector.h"
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

/* One slice is no time in which anything could differ. */
static bool is_flat(const oc_solution_part *part, const ocelotl_aggregation *aggregation)
{
    return aggregation->slices > 1 &&
           part->last - part->first + 1 >= OC_FLAT_TIME * aggregation->slices &&
           part->loss > OC_FLAT_LOSS * aggregation->whole_loss;
}

void oc_solution_sum_up(oc_solution *solution, const ocelotl_aggregation *aggregation)
{
    const uint32_t *weight = aggregation->nodes.leaf_weight;
    oc_sum gain = {0};
    oc_sum loss = {0};
    for (size_t i = 0; i < solution->count; i++) {
        oc_sum_add(&gain, solution->block[i].gain);
        oc_sum_add(&loss, solution->block[i].loss);
        if (is_flat(&solution->block[i], aggregation))
            solution->flat += (double)weight[solution->block[i].node] / weight[0];
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

static int compare_parts(const void *left, const void *right)
{
    const oc_solution_part *a = left;
    const oc_solution_part *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

ocelotl_status oc_solution_exchange(oc_solution *solution, const ocelotl_aggregation *aggregation)
{
    double counts[] = {(double)solution->cuts, (double)solution->cuts_tried};
    oc_bytes all = {0};
    if (aggregation->rank == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_exchange_sum(counts, 2, aggregation->exchange));
    solution->cuts = (uint64_t)counts[0];
    solution->cuts_tried = (uint64_t)counts[1];
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < solution->count && status == OCELOTL_OK; i++)
        if (oc_adds(aggregation, solution->block[i].node))
            status = oc_bytes_add(&all, &solution->block[i], sizeof *solution->block);
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&all, aggregation->exchange);
    solution->count = all.length / sizeof *solution->block;
    if (status == OCELOTL_OK)
        status = oc_grow(&solution->block, &solution->capacity, solution->count,
                         sizeof *solution->block);
    if (status == OCELOTL_OK)
        status = oc_bytes_take(solution->block, &all, solution->count * sizeof *solution->block);
    if (status == OCELOTL_OK)
        qsort(solution->block, solution->count, sizeof *solution->block, compare_parts);
    oc_bytes_free(&all);
    return status;
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
        solution->cuts_tried += solver->workers[i].tried;
    }
    return oc_solution_exchange(solution, aggregation);
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

/* --- What solves came to */

struct known_sums {
    double p_raw;
    oc_solution sums; /* without parts */
};

/* By p. */
struct oc_known {
    atomic_flag busy; /* a thread that finds it busy does without */
    struct known_sums *all;
    size_t count, capacity;
};

ocelotl_status oc_known_make(struct oc_known **known)
{
    OC_TRY(oc_allocate(known, 1, sizeof **known));
    atomic_flag_clear(&(*known)->busy);
    return OCELOTL_OK;
}

void oc_known_free(struct oc_known *known)
{
    if (known != NULL)
        free(known->all);
    free(known);
}

/* The place of the first one at p or above. */
static size_t place_of(const struct oc_known *known, double p_raw)
{
    size_t low = 0;
    size_t high = known->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (known->all[middle].p_raw < p_raw)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void note(struct oc_known *known, double p_raw, const oc_solution *solution)
{
    if (atomic_flag_test_and_set(&known->busy))
        return;
    const size_t place = place_of(known, p_raw);
    const bool new = place == known->count || known->all[place].p_raw > p_raw;
    if (new &&oc_grow(&known->all, &known->capacity, known->count + 1, sizeof *known->all) ==
        OCELOTL_OK) {
        struct known_sums *at = &known->all[place];
        memmove(at + 1, at, (known->count++ - place) * sizeof *at);
        *at = (struct known_sums){p_raw, *solution};
        at->sums.block = NULL;
        at->sums.capacity = 0;
    }
    atomic_flag_clear(&known->busy);
}

static bool is_equal(double a, double b)
{
    return a >= b && a <= b;
}

static bool is_same(const oc_solution *a, const oc_solution *b)
{
    return a->count == b->count && is_equal(a->gain, b->gain) && is_equal(a->loss, b->loss) &&
           is_equal(a->gain_rest, b->gain_rest) && is_equal(a->loss_rest, b->loss_rest);
}

/* A partition that ties with one between two p has more gain or fewer parts, so that it would have
 * been taken at the higher p, where it is worth more, or as much and ties still. */
static bool is_known(oc_solution *sums, struct oc_known *known, double p_raw)
{
    if (atomic_flag_test_and_set(&known->busy))
        return false;
    const size_t place = place_of(known, p_raw);
    const struct known_sums *all = known->all;
    const bool found =
        place < known->count && (is_equal(all[place].p_raw, p_raw) ||
                                 (place > 0 && is_same(&all[place].sums, &all[place - 1].sums)));
    if (found)
        *sums = all[place].sums;
    atomic_flag_clear(&known->busy);
    return found;
}

ocelotl_status oc_solve(oc_solution *solution, const ocelotl_aggregation *aggregation, double p_raw)
{
    const uint32_t last = aggregation->slices - 1;
    if (p_raw < 1)
        OC_TRY(solve_below_one(solution, aggregation, p_raw));
    else
        OC_TRY(oc_solution_add(solution, aggregation, 0, 0, last, aggregation->loss[0][last]));
    oc_solution_sum_up(solution, aggregation);
    note(aggregation->known, p_raw, solution);
    return OCELOTL_OK;
}

ocelotl_status oc_solve_sums(oc_solution *solution, const ocelotl_aggregation *aggregation,
                             double p_raw)
{
    return is_known(solution, aggregation->known, p_raw) ? OCELOTL_OK
                                                         : oc_solve(solution, aggregation, p_raw);
}
