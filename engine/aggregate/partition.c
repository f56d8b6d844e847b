#include "aggregate/partition.h"

#include "aggregate/divergence.h"
#include "base/machine.h"
#include "base/memory.h"

#include <stdlib.h>

struct ocelotl_partition {
    const ocelotl_model *model;
    ocelotl_partition_info info;
    ocelotl_part *parts;
    double *shares; /* parts x types */
};

void ocelotl_partition_free(ocelotl_partition *partition)
{
    if (partition == NULL)
        return;
    free(partition->parts);
    free(partition->shares);
    free(partition);
}

/* The first series of a leaf or of those that follow it. */
static size_t first_series(const oc_matrix *matrix, uint32_t leaf)
{
    size_t low = 0;
    size_t high = matrix->series_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (matrix->series[middle].leaf < leaf)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first cell of a series in a slice or in those that follow it. */
static size_t first_cell(const oc_matrix *matrix, size_t series, uint32_t slice)
{
    size_t low = matrix->series[series].first;
    size_t high = matrix->series[series + 1].first;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (matrix->cell_slice[middle] < slice)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The mean cell of each type. `sums` is scratch, by type; it comes and goes as zeros. */
static void fill_shares(double *shares, oc_sum *sums, const ocelotl_aggregation *aggregation,
                        const ocelotl_part *part)
{
    const oc_matrix *matrix = aggregation->matrix;
    const uint32_t leaf = matrix->tree.leaf_first[part->node];
    const double cells = (double)part->leaves * (part->last - part->first + 1.0);
    for (size_t s = first_series(matrix, leaf);
         s < matrix->series_count && matrix->series[s].leaf < leaf + part->leaves; s++)
        for (size_t i = first_cell(matrix, s, part->first);
             i < matrix->series[s + 1].first && matrix->cell_slice[i] <= part->last; i++)
            oc_sum_add(&sums[matrix->series[s].type], ldexp(matrix->cell_value[i], -aggregation->unit));
    for (uint32_t type = 0; type < matrix->type_count; type++) {
        shares[type] = ldexp(oc_sum_value(&sums[type]) / cells, aggregation->unit);
        sums[type] = (oc_sum){0};
    }
}

static ocelotl_part part_of(const ocelotl_aggregation *aggregation, const oc_block *block)
{
    const bool spatial = aggregation->kind == OCELOTL_SPATIAL;
    return (ocelotl_part){
        .node = aggregation->nodes.name[block->node],
        .first = spatial ? 0 : block->first,
        .last = spatial ? aggregation->matrix->slice_count - 1 : block->last,
        .leaves = aggregation->nodes.leaf_count[block->node],
        .gain = ldexp(block->gain, aggregation->unit),
        .loss = ldexp(block->loss, aggregation->unit),
    };
}

static ocelotl_status fill_parts(ocelotl_partition *partition, const ocelotl_aggregation *aggregation,
                                 const oc_solution *solution)
{
    const size_t types = aggregation->matrix->type_count;
    oc_sum *sums;
    const double bytes = (double)solution->count * (double)types * sizeof *partition->shares;
    if (bytes > (double)oc_memory_budget())
        return oc_fail(
            OCELOTL_ERROR_LIMIT,
            "the shares of %zu types in %zu parts would need about %.0f MiB of memory; use a larger p or fewer "
            "slices",
            types, solution->count, bytes / 1048576);
    OC_TRY(oc_allocate(&partition->parts, solution->count, sizeof *partition->parts));
    OC_TRY(oc_allocate(&partition->shares, solution->count, types * sizeof *partition->shares));
    OC_TRY(oc_allocate(&sums, types, sizeof *sums));
    for (size_t i = 0; i < solution->count; i++) {
        double *shares = partition->shares + i * types;
        partition->parts[i] = part_of(aggregation, &solution->block[i]);
        partition->parts[i].shares = shares;
        fill_shares(shares, sums, aggregation, &partition->parts[i]);
    }
    free(sums);
    return OCELOTL_OK;
}

static uint64_t cell_count(const ocelotl_aggregation *aggregation)
{
    const uint64_t slices = aggregation->kind == OCELOTL_SPATIAL ? 1 : aggregation->matrix->slice_count;
    const uint64_t leaves = aggregation->kind == OCELOTL_TEMPORAL ? 1 : aggregation->matrix->tree.leaf_count[0];
    return slices * leaves;
}

ocelotl_status oc_partition_make(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                                 const oc_solution *solution, double p, double p_raw)
{
    ocelotl_partition *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = fill_parts(made, aggregation, solution);
    if (status != OCELOTL_OK) {
        ocelotl_partition_free(made);
        return status;
    }
    made->model = aggregation->model;
    made->info = (ocelotl_partition_info){
        .kind = aggregation->kind,
        .p = p,
        .p_raw = p_raw,
        .pic = ldexp(p_raw * solution->gain - (1 - p_raw) * solution->loss, aggregation->unit),
        .gain = ldexp(solution->gain, aggregation->unit),
        .loss = ldexp(solution->loss, aggregation->unit),
        .whole_gain = ocelotl_aggregation_whole_gain(aggregation),
        .whole_loss = ocelotl_aggregation_whole_loss(aggregation),
        .part_count = solution->count,
        .cell_count = cell_count(aggregation),
    };
    *partition = made;
    return OCELOTL_OK;
}

ocelotl_partition_info ocelotl_partition_get_info(const ocelotl_partition *partition)
{
    return partition->info;
}

const ocelotl_model *ocelotl_partition_model(const ocelotl_partition *partition)
{
    return partition->model;
}

ocelotl_part ocelotl_partition_part(const ocelotl_partition *partition, size_t index)
{
    return index < partition->info.part_count ? partition->parts[index] : (ocelotl_part){0};
}
