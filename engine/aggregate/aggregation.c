#include "aggregate/problem/problem.h"

#include "aggregate/extract/explored.h"
#include "aggregate/extract/solution.h"
#include "aggregate/measures/measures.h"
#include "aggregate/memory.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static uint32_t count_threads(uint32_t wanted)
{
    return wanted > 0 ? wanted : (uint32_t)omp_get_max_threads();
}

static ocelotl_status read_options(ocelotl_aggregation_options *options,
                                   const ocelotl_aggregation_options *given)
{
    OC_TRY(oc_read_options(options, sizeof *options, given));
    if (options->kind != OCELOTL_SPATIOTEMPORAL && options->kind != OCELOTL_TEMPORAL &&
        options->kind != OCELOTL_SPATIAL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "kind is %d, expected spatiotemporal, temporal or spatial",
                       (int)options->kind);
    if (options->percentile > 100)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the percentile is %u, expected 0 to 100",
                       options->percentile);
    return oc_check_work(&options->work);
}

ocelotl_status ocelotl_aggregation_memory(uint64_t *least, uint64_t *most,
                                          const ocelotl_model *model,
                                          const ocelotl_aggregation_options *given)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    OC_TRY(read_options(&options, given));
    const oc_matrix *matrix = oc_model_matrix(model);
    const uint32_t nodes = matrix->tree.node_count;
    const oc_request_size size = {options.kind, nodes, nodes - matrix->tree.leaf_count[0],
                                  matrix->slice_count, count_threads(options.work.threads)};
    *least = oc_cost_memory(&size, 1);
    *most = oc_cost_memory(&size, options.kind == OCELOTL_TEMPORAL ? 1 : nodes);
    return OCELOTL_OK;
}

/* Counts the nodes whose losses can be stored, at least the root. If memory is short, fewer threads
 * do the work. */
static ocelotl_status count_stored(ocelotl_aggregation *aggregation, uint64_t limit)
{
    const oc_nodes *nodes = &aggregation->nodes;
    oc_request_size size = {aggregation->kind, aggregation->own_count, aggregation->inner_count,
                            aggregation->slices, aggregation->threads};
    size.nodes += size.nodes == 0; /* of a rank without leaves */
    const uint64_t available = oc_memory_budget(limit);
    while (size.threads > 1 && oc_cost_memory(&size, 1) > available)
        size.threads--;
    aggregation->threads = size.threads;
    const uint64_t least = oc_cost_memory(&size, 1);
    if (least > available)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%u nodes and %u slices need about %.0f MiB of memory, expected at most "
                       "%.0f MiB; use fewer slices",
                       nodes->count, aggregation->slices, (double)least / 1048576,
                       (double)available / 1048576);
    aggregation->stored_count =
        oc_count_stored(&size, available, limit > 0 ? UINT64_MAX : OC_MOST_STORED);
    return OCELOTL_OK;
}

/* The root's losses come first, then those of the nodes that are solved last: they take longest to
 * compute anew. */
static ocelotl_status plan_losses(ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const size_t intervals = oc_intervals(aggregation->slices);
    OC_TRY(oc_allocate(&aggregation->loss, nodes->count, sizeof *aggregation->loss));
    OC_TRY(oc_allocate(&aggregation->lossless, nodes->count, sizeof *aggregation->lossless));
    OC_TRY(oc_allocate_large(&aggregation->stored,
                             aggregation->stored_count * intervals + OC_PAST_END,
                             sizeof *aggregation->stored));
    uint32_t stored = 0;
    for (uint32_t i = nodes->count; i-- > 0 && stored < aggregation->stored_count;)
        if (oc_is_own(aggregation, nodes->by_height[i]))
            aggregation->loss[nodes->by_height[i]] = aggregation->stored + stored++ * intervals;
    return OCELOTL_OK;
}

static ocelotl_status make_logarithms(ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    OC_TRY(oc_allocate(&aggregation->slice_bits, (size_t)aggregation->slices + 1 + 2 * OC_PAST_END,
                       sizeof(double)));
    OC_TRY(oc_allocate(&aggregation->leaf_bits, nodes->count, sizeof(double)));
    for (uint32_t length = 1; length <= aggregation->slices; length++)
        aggregation->slice_bits[OC_PAST_END + length] = log2(length);
    for (uint32_t k = 0; k < nodes->count && aggregation->kind != OCELOTL_TEMPORAL; k++)
        aggregation->leaf_bits[k] = log2(nodes->leaf_weight[k]);
    return oc_lengths_make(&aggregation->lengths, aggregation->slices);
}

static ocelotl_status choose_vector(ocelotl_aggregation *aggregation, const char *name)
{
    char names[64];
    aggregation->vector = oc_vector_find(name);
    if (aggregation->vector != NULL)
        return OCELOTL_OK;
    oc_vector_list(names, sizeof names);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "instructions are '%s', expected what this machine has: %s", name, names);
}

static void take_larger(void *bytes, const void *more, size_t length)
{
    double *largest = bytes;
    (void)length;
    *largest = fmax(*largest, *(const double *)more);
}

/* A power of two changes no digit, so the unit of the values does not either, and no sum can
 * overflow. Each rank looks at the cells of its leaves. */
static ocelotl_status find_unit(int *unit, const ocelotl_aggregation *aggregation)
{
    const ocelotl_exchange *exchange = aggregation->dealt;
    const oc_matrix *matrix = aggregation->matrix;
    const uint32_t end = aggregation->first_leaf + aggregation->leaf_count;
    size_t first = 0;
    size_t behind = matrix->cell_count;
    double largest = 0;
    if (exchange != NULL) {
        first = matrix->series[aggregation->leaf_series[aggregation->first_leaf]].first;
        behind = matrix->series[aggregation->leaf_series[end]].first;
    }
    for (size_t i = first; i < behind; i++)
        largest = matrix->cell_value[i] > largest ? matrix->cell_value[i] : largest;
    OC_TRY(oc_exchange_combine(&largest, sizeof largest, take_larger, exchange));
    OC_TRY(oc_exchange_spread(&largest, sizeof largest, exchange));
    frexp(largest, unit);
    return OCELOTL_OK;
}

/* The ranks of the children of a node, each once. Returns how many there are. */
static uint32_t list_ranks(uint32_t *members, const oc_nodes *nodes, const uint32_t *ranks,
                           uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t child = oc_nodes_first_child(node); child < oc_nodes_end(nodes, node);
         child = oc_nodes_next_child(nodes, child)) {
        const uint32_t rank = ranks[nodes->leaf_first[child]];
        if (count == 0 || members[count - 1] != rank)
            members[count++] = rank;
    }
    return count;
}

static bool lists(const uint32_t *members, uint32_t count, uint32_t rank)
{
    for (uint32_t i = 0; i < count; i++)
        if (members[i] == rank)
            return true;
    return false;
}

/* Finds with whom this rank shares nodes, before those of others are left out. `scratch` has room
 * for every rank. */
static ocelotl_status find_sharing(ocelotl_aggregation *aggregation, const uint32_t *ranks,
                                   uint32_t *scratch)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const oc_tree *tree = &aggregation->matrix->tree;
    const uint32_t first = aggregation->first_leaf;
    const uint32_t end = first + aggregation->leaf_count;
    size_t member_capacity = 0;
    size_t member_count = 0;
    size_t capacity = 0;
    for (uint32_t k = 0; k < nodes->count; k++) {
        const uint32_t begin = nodes->leaf_first[k];
        const uint32_t behind = begin + tree->leaf_count[nodes->name[k]];
        if (begin >= end || behind <= first || (begin >= first && behind <= end))
            continue;
        const uint32_t count = list_ranks(scratch, nodes, ranks, k);
        if (count < 2 || !lists(scratch, count, aggregation->dealt->rank))
            continue;
        OC_TRY(oc_grow(&aggregation->members, &member_capacity, member_count + count,
                       sizeof *aggregation->members));
        OC_TRY(oc_grow(&aggregation->shared, &capacity, aggregation->shared_count + 1,
                       sizeof *aggregation->shared));
        memcpy(aggregation->members + member_count, scratch, count * sizeof *scratch);
        member_count += count;
        aggregation->shared[aggregation->shared_count++] =
            (oc_sharing){.node = nodes->name[k], .team.exchange.count = count};
    }
    return OCELOTL_OK;
}

/* Makes the teams, once neither they nor the nodes move. */
static ocelotl_status make_teams(ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const uint32_t *members = aggregation->members;
    uint32_t made = 0;
    OC_TRY(oc_allocate(&aggregation->sharing, nodes->count, sizeof(oc_sharing *)));
    for (uint32_t k = 0; k < nodes->count && made < aggregation->shared_count; k++) {
        oc_sharing *next = &aggregation->shared[made];
        if (nodes->name[k] != next->node)
            continue;
        const uint32_t count = next->team.exchange.count;
        oc_rank_team_make(&next->team, aggregation->dealt, members, count);
        OC_TRY(oc_allocate(&next->holders, aggregation->slices, sizeof *next->holders));
        aggregation->sharing[k] = next;
        made++;
        members += count;
    }
    return OCELOTL_OK;
}

static ocelotl_status index_leaves(ocelotl_aggregation *aggregation)
{
    const oc_matrix *matrix = aggregation->matrix;
    const uint32_t leaves = matrix->tree.leaf_count[0];
    OC_TRY(oc_allocate(&aggregation->leaf_series, (size_t)leaves + 1,
                       sizeof *aggregation->leaf_series));
    size_t series = 0;
    for (uint32_t leaf = 0; leaf <= leaves; leaf++) {
        while (series < matrix->series_count && matrix->series[series].leaf < leaf)
            series++;
        aggregation->leaf_series[leaf] = series;
    }
    return OCELOTL_OK;
}

/* Deals out leaves by how much there is to measure, and leaves out the nodes of others. */
static ocelotl_status deal_nodes(ocelotl_aggregation *aggregation, uint64_t *weights,
                                 uint32_t *ranks)
{
    const ocelotl_exchange *exchange = aggregation->dealt;
    const oc_matrix *matrix = aggregation->matrix;
    const uint32_t leaves = matrix->tree.leaf_count[0];
    uint32_t *scratch = NULL;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        weights[leaf] = 1 + aggregation->leaf_series[leaf + 1] - aggregation->leaf_series[leaf];
    oc_exchange_deal(ranks, exchange, weights, leaves);
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        aggregation->first_leaf += ranks[leaf] < exchange->rank;
        aggregation->leaf_count += ranks[leaf] == exchange->rank;
    }
    OC_TRY(oc_allocate(&scratch, exchange->count, sizeof *scratch));
    const ocelotl_status status = find_sharing(aggregation, ranks, scratch);
    free(scratch);
    OC_TRY(status);
    OC_TRY(oc_nodes_keep(&aggregation->nodes, &matrix->tree, aggregation->first_leaf,
                         aggregation->first_leaf + aggregation->leaf_count));
    return make_teams(aggregation);
}

/* The temporal kind has the root alone, which is every rank's. */
static ocelotl_status choose_nodes(ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const uint32_t leaves = aggregation->matrix->tree.leaf_count[0];
    if (!oc_is_alone(aggregation->exchange) && aggregation->kind != OCELOTL_TEMPORAL) {
        aggregation->dealt = aggregation->exchange;
        uint64_t *weights = NULL;
        uint32_t *ranks = NULL;
        ocelotl_status status = oc_allocate(&weights, leaves, sizeof *weights);
        if (status == OCELOTL_OK)
            status = oc_allocate(&ranks, leaves, sizeof *ranks);
        if (status == OCELOTL_OK)
            status = deal_nodes(aggregation, weights, ranks);
        free(weights);
        free(ranks);
        OC_TRY(status);
    } else {
        aggregation->leaf_count = aggregation->kind == OCELOTL_TEMPORAL ? 1 : leaves;
    }
    for (uint32_t k = 0; k < nodes->count; k++) {
        aggregation->own_count += oc_is_own(aggregation, k);
        aggregation->inner_count += oc_is_own(aggregation, k) && !oc_nodes_is_leaf(nodes, k);
    }
    return OCELOTL_OK;
}

static ocelotl_status fill(ocelotl_aggregation *aggregation, const ocelotl_model *model,
                           const ocelotl_aggregation_options *options)
{
    const oc_matrix *matrix = oc_model_matrix(model);
    int unit = 0;
    aggregation->model = model;
    aggregation->matrix = matrix;
    aggregation->kind = options->kind;
    aggregation->slices = options->kind == OCELOTL_SPATIAL ? 1 : matrix->slice_count;
    aggregation->threads = count_threads(options->work.threads);
    aggregation->percentile = options->percentile;
    aggregation->progress = options->work.progress;
    aggregation->progress_context = options->work.context;
    OC_TRY(choose_vector(aggregation, options->instructions));
    if (options->kind == OCELOTL_TEMPORAL)
        OC_TRY(oc_nodes_root_only(&aggregation->nodes, &matrix->tree));
    else
        OC_TRY(oc_nodes_of_tree(&aggregation->nodes, &matrix->tree));
    aggregation->exchange = options->work.exchange;
    OC_TRY(index_leaves(aggregation));
    OC_TRY(choose_nodes(aggregation));
    OC_TRY(find_unit(&unit, aggregation));
    aggregation->unit = unit;
    aggregation->scale[0] = ldexp(1, -unit / 2);
    aggregation->scale[1] = ldexp(1, -unit - -unit / 2);
    aggregation->unscale[0] = ldexp(1, unit / 2);
    aggregation->unscale[1] = ldexp(1, unit - unit / 2);
    OC_TRY(count_stored(aggregation, options->work.memory_limit));
    OC_TRY(plan_losses(aggregation));
    OC_TRY(make_logarithms(aggregation));
    OC_TRY(oc_idle_make(&aggregation->idle));
    OC_TRY(oc_known_make(&aggregation->known));
    return oc_measures_compute(aggregation);
}

ocelotl_status ocelotl_aggregation_create(ocelotl_aggregation **aggregation,
                                          const ocelotl_model *model,
                                          const ocelotl_aggregation_options *given)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    OC_TRY(read_options(&options, given));
    ocelotl_aggregation *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = fill(made, model, &options);
    if (status != OCELOTL_OK) {
        ocelotl_aggregation_free(made);
        return status;
    }
    *aggregation = made;
    return OCELOTL_OK;
}

void ocelotl_aggregation_free(ocelotl_aggregation *aggregation)
{
    if (aggregation == NULL)
        return;
    for (uint32_t k = 0; aggregation->columns != NULL && k < aggregation->nodes.count; k++)
        oc_columns_free(&aggregation->columns[k]);
    free(aggregation->columns);
    for (uint32_t i = 0; i < aggregation->shared_count; i++)
        free(aggregation->shared[i].holders);
    free(aggregation->shared);
    free(aggregation->sharing);
    free(aggregation->members);
    free(aggregation->leaf_series);
    free(aggregation->total);
    free(aggregation->merged_loss);
    free(aggregation->loss);
    free(aggregation->stored);
    free(aggregation->lossless);
    free(aggregation->slice_bits);
    free(aggregation->leaf_bits);
    oc_lengths_free(&aggregation->lengths);
    oc_idle_free(aggregation->idle, aggregation);
    oc_known_free(aggregation->known);
    oc_nodes_free(&aggregation->nodes);
    free(aggregation);
}
