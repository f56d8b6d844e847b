#include "aggregate/extraction.h"

#include "aggregate/choices.h"
#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>

/* A thread's share: the nodes that it explored. */
struct share {
    oc_choices choices;
    oc_explorer explorer;
    bool ready;
};

/* A node that was explored. */
struct record {
    struct share *share; /* NULL: it was not, for nothing asked for it */
    oc_choices_place place;
};

struct extraction {
    const ocelotl_aggregation *aggregation;
    const oc_solver *solver;
    double p;
    oc_span all; /* what is asked of the root */
    struct share *shares;
    struct record *records; /* by node */
    int status;             /* of a thread that failed */
};

static const oc_item *items_of(const struct record *record)
{
    return record->share->choices.items + record->place.item_first;
}

static const oc_choice *choices_of(const struct record *record, const oc_item *item)
{
    return record->share->choices.choices + record->place.choice_first + item->choice_first;
}

/* The intervals that a node is asked for: those that its parent may split. */
static const oc_span *asked_of(const struct extraction *extraction, uint32_t node, uint32_t *count)
{
    const struct record *parent = &extraction->records[extraction->aggregation->nodes.parent[node]];
    *count = 1;
    if (node == 0)
        return &extraction->all;
    *count = parent->place.split_count;
    return parent->place.splits;
}

static ocelotl_status explore_node(struct extraction *extraction, struct share *share, uint32_t node)
{
    struct record *record = &extraction->records[node];
    uint32_t count;
    const oc_span *asked = asked_of(extraction, node, &count);
    if (count == 0)
        return OCELOTL_OK;
    if (!share->ready)
        OC_TRY(oc_explorer_make(&share->explorer, extraction->aggregation));
    share->ready = true;
    share->explorer.worker = &extraction->solver->workers[share - extraction->shares];
    record->share = share;
    return oc_choices_explore(&share->choices, &record->place, &share->explorer, extraction->solver,
                              extraction->aggregation, node, asked, count);
}

/* Additions that exploring the children of a node takes, roughly. */
static double work_below(const struct extraction *extraction, uint32_t node)
{
    const struct record *record = &extraction->records[node];
    const oc_nodes *nodes = &extraction->aggregation->nodes;
    double work = 0;
    if (record->share == NULL)
        return 0;
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
static ocelotl_status explore(struct extraction *extraction)
{
    const oc_nodes *nodes = &extraction->aggregation->nodes;
    double work = 0;
    for (uint32_t depth = 0; depth < nodes->depth_count; depth++) {
        const uint32_t begin = nodes->depth_first[depth];
        const uint32_t end = nodes->depth_first[depth + 1];
#pragma omp parallel for schedule(dynamic, 4) num_threads(oc_threads_for(extraction->aggregation, work))
        for (uint32_t i = begin; i < end; i++) {
            struct share *share = &extraction->shares[omp_get_thread_num()];
            int failed;
#pragma omp atomic read
            failed = extraction->status;
            if (failed != OCELOTL_OK)
                continue;
            const ocelotl_status status = explore_node(extraction, share, nodes->by_depth[i]);
            if (status != OCELOTL_OK) {
#pragma omp atomic write
                extraction->status = (int)status;
            }
        }
        if (extraction->status != OCELOTL_OK)
            return extraction->status == OCELOTL_ERROR_MEMORY
                       ? oc_fail_memory()
                       : oc_fail((ocelotl_status)extraction->status, "no partition has the best value");
        work = 0;
        for (uint32_t i = begin; i < end; i++)
            work += work_below(extraction, nodes->by_depth[i]);
        if (work == 0)
            break;
    }
    return OCELOTL_OK;
}

static oc_tally sum_of(oc_tally a, oc_tally b)
{
    return (oc_tally){a.parts + b.parts, a.m + b.m, a.loss + b.loss};
}

static oc_tally tally_of_choice(const struct extraction *extraction, uint32_t node, const oc_item *item,
                                const oc_choice *choice)
{
    const struct record *records = extraction->records;
    const oc_nodes *nodes = &extraction->aggregation->nodes;
    oc_tally tally = {0};
    if (choice->split == OC_NONE)
        tally = (oc_tally){1, oc_m_of(extraction->aggregation, node, item->first, choice->last), choice->loss};
    else
        for (uint32_t child = oc_nodes_first_child(node); child < oc_nodes_end(nodes, node);
             child = oc_nodes_next_child(nodes, child)) {
            const uint32_t answer =
                records[child].share->choices.answers[records[child].place.answer_first + choice->split];
            tally = sum_of(tally, items_of(&records[child])[answer].tally);
        }
    return choice->next == OC_NONE ? tally : sum_of(tally, items_of(&records[node])[choice->next].tally);
}

/* The tie rules: larger pIC, larger gain, fewer parts. What is left is settled by the order of the choices. */
static bool better(const struct extraction *extraction, const oc_tally *a, const oc_tally *b)
{
    const double magnitude = a->m > b->m ? a->m : b->m;
    const double value = (extraction->p * a->m - a->loss) - (extraction->p * b->m - b->loss);
    if (fabs(value) > OC_TIE * extraction->p * magnitude)
        return value > 0;
    const double gain = (a->m - a->loss) - (b->m - b->loss);
    if (fabs(gain) > OC_TIE * magnitude)
        return gain > 0;
    return a->parts < b->parts;
}

static void settle_node(const struct extraction *extraction, uint32_t node)
{
    const struct record *record = &extraction->records[node];
    oc_item *items = record->share->choices.items + record->place.item_first;
    for (uint32_t i = record->place.item_count; i-- > 0;) {
        const oc_choice *choices = choices_of(record, &items[i]);
        for (uint32_t c = 0; c < items[i].choice_count; c++) {
            const oc_tally tally = tally_of_choice(extraction, node, &items[i], &choices[c]);
            if (c == 0 || better(extraction, &tally, &items[i].tally)) {
                items[i].taken = c;
                items[i].tally = tally;
            }
        }
    }
}

/* Takes the best of the choices, from the leaves up: what follows an item, and the children, are settled before. */
static void settle(const struct extraction *extraction)
{
    bool tied = false;
    for (uint32_t i = 0; i < extraction->aggregation->threads; i++)
        tied |= extraction->shares[i].choices.tied;
    for (uint32_t k = extraction->aggregation->nodes.count; tied && k-- > 0;)
        if (extraction->records[k].share != NULL)
            settle_node(extraction, k);
}

/* Takes the parts of a node over one item, and notes the blocks that it splits. */
static ocelotl_status follow(const struct extraction *extraction, oc_solution *solution, uint32_t node,
                             uint32_t index)
{
    const struct record *record = &extraction->records[node];
    while (index != OC_NONE) {
        const oc_item *item = &items_of(record)[index];
        const oc_choice *choice = &choices_of(record, item)[item->taken];
        if (choice->split != OC_NONE)
            record->place.splits[choice->split].wanted = true;
        else
            OC_TRY(
                oc_solution_add(solution, extraction->aggregation, node, item->first, choice->last, choice->loss));
        index = choice->next;
    }
    return OCELOTL_OK;
}

/* Follows the choices from the root down: parents come before their children, and splits are sorted by time. */
static ocelotl_status emit(const struct extraction *extraction, oc_solution *solution)
{
    const oc_nodes *nodes = &extraction->aggregation->nodes;
    for (uint32_t node = 0; node < nodes->count; node++) {
        const struct record *record = &extraction->records[node];
        const struct record *parent = &extraction->records[nodes->parent[node]];
        if (record->share == NULL)
            continue;
        const uint32_t *answers = record->share->choices.answers + record->place.answer_first;
        for (uint32_t a = 0; a < record->place.answer_count; a++)
            if (node == 0 || parent->place.splits[a].wanted)
                OC_TRY(follow(extraction, solution, node, answers[a]));
    }
    return OCELOTL_OK;
}

static ocelotl_status extract(struct extraction *extraction, oc_solution *solution)
{
    const ocelotl_aggregation *aggregation = extraction->aggregation;
    OC_TRY(oc_allocate(&extraction->shares, aggregation->threads, sizeof *extraction->shares));
    OC_TRY(oc_allocate(&extraction->records, aggregation->nodes.count, sizeof *extraction->records));
    OC_TRY(explore(extraction));
    settle(extraction);
    return emit(extraction, solution);
}

ocelotl_status oc_extract(oc_solution *solution, const ocelotl_aggregation *aggregation, const oc_solver *solver)
{
    struct extraction extraction = {.aggregation = aggregation,
                                    .solver = solver,
                                    .p = oc_factor(solver->weight),
                                    .all = {.last = aggregation->slices - 1}};
    const ocelotl_status status = extract(&extraction, solution);
    for (uint32_t i = 0; extraction.shares != NULL && i < aggregation->threads; i++) {
        oc_choices_free(&extraction.shares[i].choices);
        oc_explorer_free(&extraction.shares[i].explorer);
    }
    for (uint32_t k = 0; extraction.records != NULL && k < aggregation->nodes.count; k++)
        free(extraction.records[k].place.splits);
    free(extraction.shares);
    free(extraction.records);
    return status;
}
