#include "aggregate/extract/explored.h"

#include "base/memory.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Choices that take more bytes are given back to the system. */
#define MOST_BYTES ((size_t)64 << 20)

struct oc_idle {
    _Atomic(oc_solver *) solver;
    _Atomic(oc_explored_share *) shares;
};

static void free_shares(oc_explored_share *shares, const ocelotl_aggregation *aggregation)
{
    for (uint32_t i = 0; shares != NULL && i < aggregation->threads; i++) {
        oc_choices_free(&shares[i].choices);
        oc_explorer_free(&shares[i].explorer);
    }
    free(shares);
}

ocelotl_status oc_idle_make(struct oc_idle **idle)
{
    OC_TRY(oc_allocate(idle, 1, sizeof **idle));
    atomic_init(&(*idle)->solver, NULL);
    atomic_init(&(*idle)->shares, NULL);
    return OCELOTL_OK;
}

void oc_idle_free(struct oc_idle *idle, const ocelotl_aggregation *aggregation)
{
    if (idle != NULL) {
        oc_solver_free(atomic_load(&idle->solver), aggregation);
        free_shares(atomic_load(&idle->shares), aggregation);
    }
    free(idle);
}

ocelotl_status oc_solver_borrow(oc_solver **solver, const ocelotl_aggregation *aggregation)
{
    *solver = atomic_exchange(&aggregation->idle->solver, NULL);
    return *solver != NULL ? OCELOTL_OK : oc_allocate(solver, 1, sizeof **solver);
}

void oc_solver_return(oc_solver *solver, const ocelotl_aggregation *aggregation, bool usable)
{
    oc_solver_free(usable ? atomic_exchange(&aggregation->idle->solver, solver) : solver,
                   aggregation);
}

static ocelotl_status borrow_shares(oc_explored_share **shares,
                                    const ocelotl_aggregation *aggregation)
{
    *shares = atomic_exchange(&aggregation->idle->shares, NULL);
    return *shares != NULL ? OCELOTL_OK
                           : oc_allocate(shares, aggregation->threads, sizeof **shares);
}

static size_t bytes_of(const oc_choices *choices)
{
    return choices->item_capacity * sizeof *choices->items +
           choices->choice_capacity * sizeof *choices->choices +
           choices->answer_capacity * sizeof *choices->answers;
}

static void return_shares(oc_explored_share *shares, const ocelotl_aggregation *aggregation)
{
    size_t bytes = 0;
    for (uint32_t i = 0; shares != NULL && i < aggregation->threads; i++) {
        bytes += bytes_of(&shares[i].choices);
        if (!shares[i].ready) { /* memory may have run out half-way */
            oc_explorer_free(&shares[i].explorer);
            shares[i].explorer = (oc_explorer){0};
        }
    }
    for (uint32_t i = 0; bytes > MOST_BYTES && i < aggregation->threads; i++)
        oc_choices_free(&shares[i].choices);
    free_shares(shares != NULL ? atomic_exchange(&aggregation->idle->shares, shares) : NULL,
                aggregation);
}

/* The intervals that a node is asked for: those that its parent may split. */
static const oc_span *asked_of(const oc_explored *explored, uint32_t node, uint32_t *count)
{
    const oc_explored_node *parent = &explored->records[explored->aggregation->nodes.parent[node]];
    *count = 1;
    if (node == 0)
        return &explored->all;
    *count = parent->place.split_count;
    return parent->place.splits;
}

static ocelotl_status explore_node(oc_explored *explored, oc_explored_share *share, uint32_t node)
{
    oc_explored_node *record = &explored->records[node];
    uint32_t count;
    const oc_span *asked = asked_of(explored, node, &count);
    if (count == 0)
        return OCELOTL_OK;
    if (!share->ready)
        OC_TRY(oc_explorer_make(&share->explorer, explored->aggregation));
    share->ready = true;
    share->explorer.worker = &explored->solver->workers[share - explored->shares];
    record->share = share;
    const oc_request request = {node, asked, count, oc_cut_set_of(explored->cut_sets, node)};
    return oc_choices_explore(&share->choices, &record->place, &share->explorer, explored->solver,
                              explored->aggregation, &request);
}

/* Additions that exploring the children of a node takes, roughly. */
static double work_below(const oc_explored *explored, uint32_t node)
{
    const oc_explored_node *record = &explored->records[node];
    const oc_nodes *nodes = &explored->aggregation->nodes;
    double work = 0;
    for (uint32_t s = 0; s < record->place.split_count; s++) {
        const oc_span span = record->place.splits[s];
        const double length = span.last - span.first + 1;
        work += length * length * (length + 30) / 6;
    }
    uint32_t children = 0;
    for (uint32_t child = oc_nodes_first_child(node); child < oc_nodes_end(nodes, node);
         child = oc_nodes_next_child(nodes, child))
        children++;
    return work * children;
}

/* Explores from the root down: nodes of one depth at once. */
static ocelotl_status explore(oc_explored *explored)
{
    const oc_nodes *nodes = &explored->aggregation->nodes;
    double work = 0;
    for (uint32_t depth = 0; depth < nodes->depth_count; depth++) {
        const uint32_t begin = nodes->depth_first[depth];
        const uint32_t end = nodes->depth_first[depth + 1];
#pragma omp parallel for schedule(dynamic, 4) \
    num_threads(oc_threads_for(explored->aggregation, work))
        for (uint32_t i = begin; i < end; i++) {
            oc_explored_share *share = &explored->shares[omp_get_thread_num()];
            int failed;
#pragma omp atomic read
            failed = explored->status;
            if (failed != OCELOTL_OK)
                continue;
            const ocelotl_status status = oc_is_own(explored->aggregation, nodes->by_depth[i])
                                              ? explore_node(explored, share, nodes->by_depth[i])
                                              : OCELOTL_OK;
            if (status != OCELOTL_OK) {
#pragma omp atomic write
                explored->status = (int)status;
            }
        }
        if (explored->status != OCELOTL_OK)
            return explored->status == OCELOTL_ERROR_MEMORY
                       ? oc_fail_memory()
                       : oc_fail((ocelotl_status)explored->status,
                                 "no partition has the best value");
        work = 0;
        for (uint32_t i = end; i-- > begin;) {
            OC_TRY(oc_explored_spread(explored, nodes->by_depth[i]));
            work += work_below(explored, nodes->by_depth[i]);
        }
        if (work == 0 && explored->aggregation->dealt == NULL)
            break;
    }
    return OCELOTL_OK;
}

static oc_tally sum_of(oc_tally a, oc_tally b)
{
    return (oc_tally){a.parts + b.parts, a.m + b.m, a.loss + b.loss};
}

/* What the blocks that a node splits come to in some of its children, as numbers of each. */
enum { PARTS, M, LOSS, TIED, NUMBERS };

static ocelotl_status add_splits(void *context, void *sum, void *right)
{
    double *left = sum;
    for (size_t i = 0; i < *(const size_t *)context; i++)
        left[i] += ((const double *)right)[i];
    free(right);
    return OCELOTL_OK;
}

static ocelotl_status send_splits(void *context, const ocelotl_exchange *exchange, uint32_t to,
                                  const void *sum)
{
    return exchange->send(exchange->context, to, sum, *(const size_t *)context * sizeof(double));
}

static ocelotl_status receive_splits(void *context, const ocelotl_exchange *exchange, uint32_t from,
                                     void **sum)
{
    const size_t count = *(const size_t *)context;
    OC_TRY(oc_allocate(sum, count, sizeof(double)));
    return exchange->receive(exchange->context, from, *sum, count * sizeof(double));
}

static void give_splits_up(void *context, void *sum)
{
    (void)context;
    free(sum);
}

static ocelotl_status add_child(oc_partials *partials, const oc_summing *summing,
                                const oc_explored *explored, uint32_t child)
{
    const oc_nodes *nodes = &explored->aggregation->nodes;
    const uint32_t parent = nodes->parent[child];
    double *sum;
    OC_TRY(oc_allocate(&sum, *(const size_t *)summing->context, sizeof *sum));
    for (uint32_t s = 0; s < explored->records[parent].place.split_count; s++) {
        const oc_item *answer = oc_answer_of(&explored->records[child], s);
        double *of = sum + (size_t)s * NUMBERS;
        of[PARTS] = (double)answer->tally.parts;
        of[M] = answer->tally.m;
        of[LOSS] = answer->tally.loss;
        of[TIED] = answer->unique ? 0 : 1;
    }
    return oc_partials_take(partials, summing, (oc_partial){0, nodes->ordinal[child], sum},
                            nodes->child_count[parent]);
}

/* Adds up this rank's children of a node, and brings what all have to the rank of the node. */
static ocelotl_status add_children(oc_partials *partials, const oc_summing *summing,
                                   const oc_explored *explored, uint32_t node)
{
    const oc_nodes *nodes = &explored->aggregation->nodes;
    const oc_sharing *sharing = oc_sharing_of(explored->aggregation, node);
    for (uint32_t child = oc_nodes_first_child(node); child < oc_nodes_end(nodes, node);
         child = oc_nodes_next_child(nodes, child))
        if (oc_is_own(explored->aggregation, child))
            OC_TRY(add_child(partials, summing, explored, child));
    return sharing != NULL ? oc_partials_exchange(partials, summing, nodes->child_count[node],
                                                  &sharing->team.exchange)
                           : OCELOTL_OK;
}

/* Finds what the blocks that a node splits come to. */
static ocelotl_status sum_up_splits(const oc_explored *explored, uint32_t node)
{
    const oc_choices_place *place = &explored->records[node].place;
    size_t count = (size_t)place->split_count * NUMBERS;
    const oc_summing summing = {add_splits, send_splits, receive_splits, give_splits_up, &count};
    oc_partials partials = {0};
    if (count == 0)
        return OCELOTL_OK;
    const ocelotl_status status = add_children(&partials, &summing, explored, node);
    for (uint32_t s = 0; s < place->split_count && partials.count == 1; s++) {
        const double *of = (const double *)partials.list[0].sum + (size_t)s * NUMBERS;
        place->splits[s].tally = (oc_tally){(size_t)of[PARTS], of[M], of[LOSS]};
        place->splits[s].unique = of[TIED] <= 0;
    }
    oc_partials_clear(&partials, &summing);
    free(partials.list);
    return status;
}

static oc_tally tally_of(const oc_explored *explored, uint32_t node, const oc_item *item,
                         const oc_choice *choice)
{
    const oc_explored_node *record = &explored->records[node];
    const oc_tally tally =
        choice->split != OC_NONE
            ? record->place.splits[choice->split].tally
            : (oc_tally){1, oc_m_of(explored->aggregation, node, item->first, choice->last),
                         choice->loss};
    return choice->next == OC_NONE ? tally : sum_of(tally, oc_items_of(record)[choice->next].tally);
}

bool oc_explored_is_better(const oc_explored *explored, const oc_tally *a, const oc_tally *b)
{
    const double magnitude = a->m > b->m ? a->m : b->m;
    const double value = (explored->p * a->m - a->loss) - (explored->p * b->m - b->loss);
    if (fabs(value) > OC_TIE * explored->p * magnitude)
        return value > 0;
    const double gain = (a->m - a->loss) - (b->m - b->loss);
    if (fabs(gain) > OC_TIE * magnitude)
        return gain > 0;
    return a->parts < b->parts;
}

static bool is_unique(const oc_explored_node *record, const oc_choice *choice)
{
    return !choice->loose &&
           (choice->split == OC_NONE || record->place.splits[choice->split].unique) &&
           (choice->next == OC_NONE || oc_items_of(record)[choice->next].unique);
}

/* Takes the first of the best choices, and marks those that are as good. */
static void settle_item(const oc_explored *explored, uint32_t node, oc_item *item)
{
    const oc_explored_node *record = &explored->records[node];
    oc_choice *choices = oc_choices_of(record, item);
    for (uint32_t c = 0; c < item->choice_count; c++) {
        const oc_tally tally = tally_of(explored, node, item, &choices[c]);
        if (c == 0 || oc_explored_is_better(explored, &tally, &item->tally)) {
            item->taken = c;
            item->tally = tally;
        }
    }
    uint32_t best = 0;
    for (uint32_t c = 0; c < item->choice_count; c++) {
        const oc_tally tally =
            item->choice_count > 1 ? tally_of(explored, node, item, &choices[c]) : item->tally;
        choices[c].best =
            c == item->taken || !oc_explored_is_better(explored, &item->tally, &tally);
        best += choices[c].best;
    }
    item->unique = best == 1 && is_unique(record, &choices[item->taken]);
}

static ocelotl_status settle_node(const oc_explored *explored, uint32_t node)
{
    const oc_explored_node *record = &explored->records[node];
    OC_TRY(sum_up_splits(explored, node));
    for (uint32_t i = record->share != NULL ? record->place.item_count : 0; i-- > 0;)
        settle_item(explored, node, &oc_items_of(record)[i]);
    return OCELOTL_OK;
}

/* Takes the best of the choices, from the leaves up: children and following items come first. */
static ocelotl_status settle(oc_explored *explored)
{
    const ocelotl_exchange *exchange = explored->aggregation->dealt;
    const oc_nodes *nodes = &explored->aggregation->nodes;
    double tied = 0;
    for (uint32_t i = 0; i < explored->aggregation->threads; i++)
        tied += explored->shares[i].choices.tied ? 1 : 0;
    OC_TRY(oc_exchange_combine(&tied, sizeof tied, oc_combine_sums, exchange));
    OC_TRY(oc_exchange_spread(&tied, sizeof tied, exchange));
    explored->best = (oc_item){.unique = true};
    if (tied <= 0)
        return OCELOTL_OK;
    for (uint32_t depth = nodes->depth_count; depth-- > 0;)
        for (uint32_t i = nodes->depth_first[depth]; i < nodes->depth_first[depth + 1]; i++)
            OC_TRY(settle_node(explored, nodes->by_depth[i]));
    if (oc_is_own(explored->aggregation, 0))
        explored->best = *oc_answer_of(&explored->records[0], 0);
    return oc_exchange_spread(&explored->best, sizeof explored->best, exchange);
}

ocelotl_status oc_explored_spread(const oc_explored *explored, uint32_t node)
{
    const oc_sharing *sharing = oc_sharing_of(explored->aggregation, node);
    oc_choices_place *place = &explored->records[node].place;
    if (sharing == NULL)
        return OCELOTL_OK;
    const ocelotl_exchange *exchange = &sharing->team.exchange;
    OC_TRY(oc_exchange_spread(&place->split_count, sizeof place->split_count, exchange));
    OC_TRY(
        oc_grow(&place->splits, &place->split_capacity, place->split_count, sizeof *place->splits));
    return oc_exchange_spread(place->splits, place->split_count * sizeof *place->splits, exchange);
}

ocelotl_status oc_explored_make(oc_explored *explored, const ocelotl_aggregation *aggregation,
                                const oc_solver *solver)
{
    *explored = (oc_explored){.aggregation = aggregation,
                              .solver = solver,
                              .p = oc_factor(solver->weight),
                              .all = {.last = aggregation->slices - 1}};
    OC_TRY(borrow_shares(&explored->shares, aggregation));
    return oc_allocate(&explored->records, aggregation->nodes.count, sizeof *explored->records);
}

/* Forgets what was explored, but not the memory of the shares. */
static void forget(oc_explored *explored)
{
    for (uint32_t i = 0; explored->shares != NULL && i < explored->aggregation->threads; i++)
        oc_choices_clear(&explored->shares[i].choices);
    for (uint32_t k = 0; explored->records != NULL && k < explored->aggregation->nodes.count; k++) {
        free(explored->records[k].place.splits);
        explored->records[k] = (oc_explored_node){0};
    }
}

ocelotl_status oc_explored_run(oc_explored *explored, const oc_cut_sets *cut_sets)
{
    forget(explored);
    explored->cut_sets = cut_sets;
    OC_TRY(explore(explored));
    return settle(explored);
}

void oc_explored_free(oc_explored *explored)
{
    forget(explored);
    return_shares(explored->shares, explored->aggregation);
    free(explored->records);
}
