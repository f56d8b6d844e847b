#include "aggregate/problem/problem.h"

#include "aggregate/extract/explored.h"
#include "aggregate/extract/solution.h"
#include "aggregate/measures/measures.h"
#include "aggregate/memory.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"

#include <omp.h>
#include <stdlib.h>

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
    oc_request_size size = {aggregation->kind, aggregation->here_count, aggregation->inner_count,
                            aggregation->slices, aggregation->threads};
    const uint64_t available = limit > 0 ? limit : oc_memory_budget();
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
        if (oc_is_here(aggregation, nodes->by_height[i]))
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

/* A power of two changes no digit, so the unit of the values does not either, and no sum can
 * overflow. */
static int unit_of(const oc_matrix *matrix)
{
    double largest = 0;
    int unit = 0;
    for (size_t i = 0; i < matrix->cell_count; i++)
        largest = matrix->cell_value[i] > largest ? matrix->cell_value[i] : largest;
    frexp(largest, &unit);
    return unit;
}

static void set_unit(ocelotl_aggregation *aggregation, int unit)
{
    aggregation->unit = unit;
    aggregation->scale[0] = ldexp(1, -unit / 2);
    aggregation->scale[1] = ldexp(1, -unit - -unit / 2);
    aggregation->unscale[0] = ldexp(1, unit / 2);
    aggregation->unscale[1] = ldexp(1, unit - unit / 2);
}

/* Nodes whose leaves are all of one rank are that rank's, and the others of all, as the root is.
 * Leaves are dealt out by how much there is to measure. `weights` comes as zeros. */
static ocelotl_status deal_nodes(ocelotl_aggregation *aggregation, uint64_t *weights,
                                 uint32_t *ranks)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const oc_matrix *matrix = aggregation->matrix;
    const oc_tree *tree = &matrix->tree;
    for (uint32_t leaf = 0; leaf < tree->leaf_count[0]; leaf++)
        weights[leaf] = 1;
    for (size_t s = 0; s < matrix->series_count; s++)
        weights[matrix->series[s].leaf]++;
    oc_exchange_deal(ranks, aggregation->exchange, weights, tree->leaf_count[0]);
    OC_TRY(oc_allocate(&aggregation->rank, nodes->count, sizeof *aggregation->rank));
    for (uint32_t k = 0; k < nodes->count; k++) {
        const uint32_t first = nodes->leaf_first[k];
        const uint32_t last = first + tree->leaf_count[nodes->name[k]] - 1;
        aggregation->rank[k] = k > 0 && ranks[first] == ranks[last] ? ranks[first] : OC_OF_ALL;
    }
    return OCELOTL_OK;
}

/* The temporal kind has the root alone, which is every rank's. */
static ocelotl_status choose_nodes(ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    if (!oc_is_alone(aggregation->exchange) && aggregation->kind != OCELOTL_TEMPORAL) {
        const uint32_t leaves = aggregation->matrix->tree.leaf_count[0];
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
    }
    if (aggregation->rank != NULL)
        OC_TRY(oc_allocate(&aggregation->place, nodes->count, sizeof *aggregation->place));
    for (uint32_t k = 0; k < nodes->count; k++) {
        const bool here = oc_is_here(aggregation, k);
        const bool leaf = oc_nodes_is_leaf(nodes, k);
        aggregation->here_count += here;
        aggregation->inner_count += here && !leaf;
        if (here && leaf && aggregation->leaf_count++ == 0)
            aggregation->first_leaf = nodes->leaf_first[k];
        if (aggregation->place != NULL && (here || oc_is_of_all(aggregation, nodes->parent[k])))
            aggregation->place[k] = aggregation->place_count++;
    }
    if (aggregation->place == NULL)
        aggregation->place_count = nodes->count;
    return OCELOTL_OK;
}

static ocelotl_status fill(ocelotl_aggregation *aggregation, const ocelotl_model *model,
                           const ocelotl_aggregation_options *options)
{
    const oc_matrix *matrix = oc_model_matrix(model);
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
    OC_TRY(choose_nodes(aggregation));
    set_unit(aggregation, unit_of(matrix));
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
    free(aggregation->rank);
    free(aggregation->place);
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
