#include "aggregate/aggregation.h"

#include "aggregate/measures.h"
#include "base/cost.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

uint64_t ocelotl_aggregation_memory(ocelotl_kind kind, uint32_t nodes, uint32_t slices)
{
    return oc_cost_memory(kind, nodes, slices);
}

/* In floating point, where the largest of requests cannot overflow. */
static double memory_needed(const ocelotl_aggregation *aggregation)
{
    const double slices = aggregation->slices;
    return 16.0 * aggregation->nodes.count * (slices * (slices + 1) / 2);
}

static ocelotl_status check_memory(const ocelotl_aggregation *aggregation, uint64_t limit)
{
    const double mebibyte = 1024.0 * 1024.0;
    const double needed = memory_needed(aggregation);
    const double available = (double)(limit > 0 ? limit : oc_memory_budget());
    if (needed <= available)
        return OCELOTL_OK;
    return oc_fail(
        OCELOTL_ERROR_LIMIT,
        "%u nodes and %u slices need about %.0f MiB of memory, expected at most %.0f MiB; use fewer slices",
        aggregation->nodes.count, aggregation->slices, needed / mebibyte, available / mebibyte);
}

static ocelotl_status choose_threads(ocelotl_aggregation *aggregation, uint32_t threads)
{
    if (threads > 4096)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%u threads are too many, expected at most 4096", threads);
    aggregation->threads = threads > 0 ? threads : (uint32_t)omp_get_max_threads();
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
    OC_TRY(choose_threads(aggregation, options->threads));
    if (options->kind == OCELOTL_TEMPORAL)
        OC_TRY(oc_nodes_root_only(&aggregation->nodes, &matrix->tree));
    else
        OC_TRY(oc_nodes_of_tree(&aggregation->nodes, &matrix->tree));
    OC_TRY(check_memory(aggregation, options->memory_limit));
    return oc_measures_compute(aggregation);
}

ocelotl_status ocelotl_aggregation_create(ocelotl_aggregation **aggregation, const ocelotl_model *model,
                                          const ocelotl_aggregation_options *given)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    if (options.kind != OCELOTL_SPATIOTEMPORAL && options.kind != OCELOTL_TEMPORAL &&
        options.kind != OCELOTL_SPATIAL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "kind is %d, expected spatiotemporal, temporal or spatial",
                       (int)options.kind);
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
    oc_nodes_free(&aggregation->nodes);
    free(aggregation->total);
    free(aggregation->loss);
    free(aggregation);
}

ocelotl_kind ocelotl_aggregation_kind(const ocelotl_aggregation *aggregation)
{
    return aggregation->kind;
}

const ocelotl_model *ocelotl_aggregation_model(const ocelotl_aggregation *aggregation)
{
    return aggregation->model;
}

double ocelotl_aggregation_whole_gain(const ocelotl_aggregation *aggregation)
{
    return ldexp(aggregation->whole_gain, aggregation->unit);
}

double ocelotl_aggregation_whole_loss(const ocelotl_aggregation *aggregation)
{
    return ldexp(aggregation->whole_loss, aggregation->unit);
}

/* p weighed by a, against 1 - p weighed by b. Only an end gives an end: below 1 the whole is one part among
 * others. */
static double reweigh(double p, double a, double b)
{
    if (!(p > 0 && p < 1) || !(a > 0 && b > 0))
        return p;
    const double weighed = p * a / (p * a + (1 - p) * b);
    return weighed < 1 ? weighed : nextafter(1, 0);
}

double ocelotl_p_to_raw(const ocelotl_aggregation *aggregation, double p)
{
    return reweigh(p, aggregation->whole_loss, aggregation->whole_gain);
}

double ocelotl_p_from_raw(const ocelotl_aggregation *aggregation, double p_raw)
{
    return reweigh(p_raw, aggregation->whole_gain, aggregation->whole_loss);
}
