#include "faults.h"

#include <stdlib.h>
#include <string.h>

/* In a slice: the parts that show the fault, and those of the unaffected siblings. */
typedef struct fault_sight {
    uint32_t shown, shown_faulty; /* ranks */
    uint32_t siblings;            /* outside of these parts */
} fault_sight;

typedef struct judge {
    const fault_plan *plan;
    const ocelotl_model *model;
    const ocelotl_partition *partition;
    ocelotl_model_info info;
    uint32_t first, last;            /* slices of the fault */
    uint32_t rank[FAULT_MOST_RANKS]; /* by leaf */
    bool sibling[FAULT_MOST_RANKS];  /* by rank */
    uint32_t faulty;
    fault_sight *sights;
    double *shown, *siblings; /* by slice and type: sums over ranks of their parts' shares */
} judge;

static void find_ranks(judge *at)
{
    for (uint32_t k = 0; k < at->info.node_count; k++) {
        const ocelotl_node node = ocelotl_model_node_at(at->model, k);
        if (node.leaf_count == 1 && strncmp(node.name, "rank-", 5) == 0)
            at->rank[node.leaf_first] = (uint32_t)strtoul(node.name + 5, NULL, 10);
    }
}

static uint32_t unit_of(const fault_plan *plan, uint32_t rank, int level)
{
    const fault_place *place = &plan->place[rank];
    return level == 0   ? place->host
           : level == 1 ? place->switched
           : level == 2 ? place->cluster
                        : 0;
}

/* Marks those below the lowest node that holds all faulty ranks and others. */
static void find_siblings(judge *at)
{
    const fault_plan *plan = at->plan;
    uint32_t one = 0;
    while (!plan->faulty[one])
        one++;
    for (int level = plan->flat ? 3 : 0; level <= 3; level++) {
        uint32_t siblings = 0;
        bool holds = true;
        for (uint32_t r = 0; r < plan->ranks; r++) {
            const bool within = unit_of(plan, r, level) == unit_of(plan, one, level);
            at->sibling[r] = within && !plan->faulty[r];
            siblings += at->sibling[r];
            holds = holds && (within || !plan->faulty[r]);
        }
        if (holds && siblings > 0)
            return;
    }
}

static void find_slices(judge *at, const fault_run *run)
{
    const double width = (at->info.end - at->info.begin) / at->info.slice_count;
    uint32_t count = 0;
    for (uint32_t s = 0; s < at->info.slice_count; s++) {
        const double middle = at->info.begin + (s + 0.5) * width;
        if (middle < run->from || middle >= run->to)
            continue;
        at->first = count++ == 0 ? s : at->first;
        at->last = s;
    }
    if (count == 0)
        at->first = at->last = (uint32_t)(((run->from + run->to) / 2 - at->info.begin) / width);
}

static void add_shares(double *sums, const double *shares, uint32_t types, uint32_t ranks)
{
    for (uint32_t x = 0; x < types; x++)
        sums[x] += shares[x] * ranks;
}

static void add_part(judge *at, const ocelotl_part *part)
{
    const ocelotl_node node = ocelotl_model_node_at(at->model, part->node);
    const uint32_t types = at->info.type_count;
    uint32_t faulty = 0;
    uint32_t siblings = 0;
    for (uint32_t leaf = node.leaf_first; leaf < node.leaf_first + node.leaf_count; leaf++) {
        faulty += at->plan->faulty[at->rank[leaf]];
        siblings += at->sibling[at->rank[leaf]];
    }
    const bool shows = 2 * faulty > node.leaf_count;
    for (uint32_t s = part->first; s <= part->last; s++) {
        fault_sight *sight = &at->sights[s];
        sight->shown += shows ? node.leaf_count : 0;
        sight->shown_faulty += shows ? faulty : 0;
        sight->siblings += shows ? 0 : siblings;
        if (shows)
            add_shares(at->shown + (size_t)s * types, part->shares, types, node.leaf_count);
        else
            add_shares(at->siblings + (size_t)s * types, part->shares, types, siblings);
    }
}

static double find_difference(const judge *at, uint32_t slice)
{
    const fault_sight *sight = &at->sights[slice];
    const uint32_t types = at->info.type_count;
    double sum = 0;
    for (uint32_t x = 0; x < types; x++) {
        const double apart = at->shown[(size_t)slice * types + x] / sight->shown -
                             at->siblings[(size_t)slice * types + x] / sight->siblings;
        sum += apart < 0 ? -apart : apart;
    }
    return sum / 2;
}

static fault_verdict decide(judge *at)
{
    fault_verdict verdict = {.slices = at->last - at->first + 1};
    uint32_t seen = 0;
    for (size_t i = 0; i < ocelotl_partition_info_of(at->partition).part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(at->partition, i);
        add_part(at, &part);
    }
    for (uint32_t s = at->first; s <= at->last; s++) {
        const fault_sight *sight = &at->sights[s];
        const uint32_t all = at->faulty + sight->shown - sight->shown_faulty;
        if (sight->siblings == 0 || 2 * sight->shown_faulty < all)
            continue;
        const double difference = find_difference(at, s);
        verdict.difference += difference;
        verdict.slices_apart += difference >= FAULT_MARGIN;
        seen++;
    }
    verdict.difference /= seen > 0 ? seen : 1;
    verdict.apart = 2 * verdict.slices_apart >= verdict.slices;
    return verdict;
}

bool fault_judge(fault_verdict *verdict, const fault_plan *plan, const fault_run *run,
                 const ocelotl_partition *partition)
{
    judge at = {.plan = plan, .partition = partition, .model = ocelotl_partition_model(partition)};
    at.info = ocelotl_model_info_of(at.model);
    const size_t cells = (size_t)at.info.slice_count * at.info.type_count;
    at.sights = calloc(at.info.slice_count, sizeof *at.sights);
    at.shown = calloc(cells, sizeof *at.shown);
    at.siblings = calloc(cells, sizeof *at.siblings);
    const bool made = at.sights != NULL && at.shown != NULL && at.siblings != NULL;
    if (made) {
        for (uint32_t r = 0; r < plan->ranks; r++)
            at.faulty += plan->faulty[r];
        find_ranks(&at);
        find_siblings(&at);
        find_slices(&at, run);
        *verdict = decide(&at);
    }
    free(at.sights);
    free(at.shown);
    free(at.siblings);
    return made;
}
