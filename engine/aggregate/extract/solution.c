#include "aggregate/extract/solution.h"

#include "aggregate/extract/explored.h"
#include "base/memory.h"

#include <math.h>
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
    OC_TRY(
        oc_grow(&solution->block, &solution->capacity, solution->own + 1, sizeof *solution->block));
    const double m = oc_m_of(aggregation, node, first, last);
    const double loss = own_loss + oc_merged_loss_over(aggregation, node, first, last);
    const double gain = oc_gain_of(m, loss);
    solution->block[solution->own++] =
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

/* Sums of measures as whole numbers: of 2^-120 of what the whole has, and so exact. */
__extension__ typedef __int128 wide;

struct sums {
    wide gain, loss;
    uint64_t parts, flat, cuts, cuts_tried;
};

static void combine_sums(void *bytes, const void *more, size_t length)
{
    struct sums *sums = bytes;
    const struct sums *others = more;
    (void)length;
    *sums = (struct sums){sums->gain + others->gain,   sums->loss + others->loss,
                          sums->parts + others->parts, sums->flat + others->flat,
                          sums->cuts + others->cuts,   sums->cuts_tried + others->cuts_tried};
}

static double number_of(wide sum, int bits, double *rest)
{
    const double rounded = (double)sum;
    *rest = ldexp((double)(sum - (wide)rounded), -bits);
    return ldexp(rounded, -bits);
}

ocelotl_status oc_solution_sum_up(oc_solution *solution, const ocelotl_aggregation *aggregation)
{
    const ocelotl_exchange *exchange = aggregation->dealt;
    const uint32_t *weight = aggregation->nodes.leaf_weight;
    struct sums sums = {0, 0, solution->own, 0, solution->cuts, solution->cuts_tried};
    int bits;
    frexp(aggregation->whole_gain + aggregation->whole_loss, &bits);
    bits = 120 - bits;
    for (size_t i = 0; i < solution->own; i++) {
        const oc_solution_part *part = &solution->block[i];
        sums.gain += (wide)ldexp(part->gain, bits);
        sums.loss += (wide)ldexp(part->loss, bits);
        sums.flat += is_flat(part, aggregation) ? weight[part->node] : 0;
    }
    OC_TRY(oc_exchange_combine(&sums, sizeof sums, combine_sums, exchange));
    OC_TRY(oc_exchange_spread(&sums, sizeof sums, exchange));
    solution->count = sums.parts;
    solution->cuts = sums.cuts;
    solution->cuts_tried = sums.cuts_tried;
    solution->flat = (double)sums.flat / weight[0];
    solution->gain = number_of(sums.gain, bits, &solution->gain_rest);
    solution->loss = number_of(sums.loss, bits, &solution->loss_rest);
    return OCELOTL_OK;
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
        else if (solution != NULL)
            OC_TRY(oc_solution_add(solution, explored->aggregation, node, item->first, choice->last,
                                   choice->loss));
        index = choice->next;
    }
    return OCELOTL_OK;
}

/* Takes the parts of a node over what its parent splits; without a solution, it only notes the
 * blocks that the node splits. */
static ocelotl_status take_node(const oc_explored *explored, oc_solution *solution, uint32_t node)
{
    const oc_explored_node *record = &explored->records[node];
    const oc_explored_node *parent = &explored->records[explored->aggregation->nodes.parent[node]];
    if (record->share == NULL)
        return OCELOTL_OK;
    const uint32_t *answers = record->share->choices.answers + record->place.answer_first;
    for (uint32_t a = 0; a < record->place.answer_count; a++)
        if (node == 0 || parent->place.splits[a].wanted)
            OC_TRY(follow(explored, solution, node, answers[a]));
    return OCELOTL_OK;
}

/* Notes which blocks are split of the nodes that have leaves of several ranks: these must know. */
static ocelotl_status spread_wanted(const oc_explored *explored)
{
    const ocelotl_aggregation *aggregation = explored->aggregation;
    const oc_nodes *nodes = &aggregation->nodes;
    const uint32_t end = aggregation->first_leaf + aggregation->leaf_count;
    for (uint32_t depth = 0; depth < nodes->depth_count; depth++)
        for (uint32_t i = nodes->depth_first[depth + 1]; i-- > nodes->depth_first[depth];) {
            const uint32_t node = nodes->by_depth[i];
            const uint32_t name = nodes->name[node];
            if (nodes->leaf_first[node] + aggregation->matrix->tree.leaf_count[name] > end)
                OC_TRY(take_node(explored, NULL, node));
            OC_TRY(oc_explored_spread(explored, node));
        }
    return OCELOTL_OK;
}

/* Extracts the partition. What is not unique is explored again by the tie rules, which lose nothing
 * better except by rounding. */
static ocelotl_status extract(oc_explored *explored, oc_cut_sets *cut_sets, oc_solution *solution)
{
    OC_TRY(oc_explored_run(explored, NULL));
    if (!explored->best.unique) {
        const oc_tally best = explored->best.tally;
        OC_TRY(oc_cut_sets_find(cut_sets, explored));
        OC_TRY(oc_explored_run(explored, cut_sets));
        if (oc_explored_is_better(explored, &best, &explored->best.tally))
            OC_TRY(oc_explored_run(explored, NULL));
    }
    /* Follows the choices from the root down: parents come before their children, and splits are
     * sorted by time. */
    if (explored->aggregation->dealt != NULL)
        OC_TRY(spread_wanted(explored));
    for (uint32_t node = 0; node < explored->aggregation->nodes.count; node++)
        OC_TRY(take_node(explored, solution, node));
    return OCELOTL_OK;
}

static ocelotl_status solve_with(oc_solution *solution, const ocelotl_aggregation *aggregation,
                                 oc_solver *solver, double p_raw)
{
    /* With so small a p every measurable loss outweighs all gain; above it, products with p do not
     * underflow. */
    const oc_weight weight = {p_raw, p_raw < 0x1p-900};
    OC_TRY(oc_solver_run(solver, aggregation, weight));
    oc_explored explored = {0};
    oc_cut_sets cut_sets = {0};
    ocelotl_status status = oc_explored_make(&explored, aggregation, solver);
    if (status == OCELOTL_OK)
        status = extract(&explored, &cut_sets, solution);
    oc_cut_sets_free(&cut_sets);
    oc_explored_free(&explored);
    OC_TRY(status);
    for (uint32_t i = 0; i < aggregation->threads; i++) {
        solution->cuts += solver->workers[i].cuts;
        solution->cuts_tried += solver->workers[i].tried;
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
        at->sums.own = at->sums.capacity = 0;
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
    else if (oc_is_own(aggregation, 0))
        OC_TRY(oc_solution_add(solution, aggregation, 0, 0, last, aggregation->loss[0][last]));
    OC_TRY(oc_solution_sum_up(solution, aggregation));
    note(aggregation->known, p_raw, solution);
    return OCELOTL_OK;
}

ocelotl_status oc_solve_sums(oc_solution *solution, const ocelotl_aggregation *aggregation,
                             double p_raw)
{
    return is_known(solution, aggregation->known, p_raw) ? OCELOTL_OK
                                                         : oc_solve(solution, aggregation, p_raw);
}
