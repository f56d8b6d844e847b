#include "aggregate/measures/node_losses.h"

#include "aggregate/vector/vector.h"
#include "base/memory.h"

#include <stdlib.h>

/* The share of a series' gain and loss together that the loss must be for the quick way to it: it
 * cancels what they have in common, and so is exact to some ulps of that, and to 2^-42 or so of the
 * loss. */
#define OC_PLAIN 0x1p-8

void oc_measurer_free(oc_measurer *measurer)
{
    oc_columns_free(&measurer->leaf);
    free(measurer->x);
    free(measurer->next);
    free(measurer->weight);
    free(measurer->origin);
    free(measurer->noise);
    free(measurer->plain);
    free(measurer->scratch);
}

ocelotl_status oc_measurer_make(oc_measurer *measurer, const ocelotl_aggregation *aggregation)
{
    const size_t slices = aggregation->slices;
    measurer->leaf.slices = aggregation->slices;
    measurer->leaf_bits = -1;
    OC_TRY(oc_allocate(&measurer->noise, slices + OC_LOSS_ROWS, sizeof *measurer->noise));
    OC_TRY(oc_allocate(&measurer->plain, slices + OC_LOSS_ROWS, sizeof *measurer->plain));
    return oc_allocate_aligned(&measurer->scratch, slices,
                               OC_LOSS_SCRATCH * OC_LOSS_ROWS * sizeof(double));
}

void oc_lengths_free(oc_lengths *lengths)
{
    free(lengths->n);
    free(lengths->n_share);
    free(lengths->per_slice);
    free(lengths->n_bits);
    free(lengths->one_bits);
}

ocelotl_status oc_lengths_make(oc_lengths *lengths, uint32_t slices)
{
    const size_t size = (size_t)slices + OC_LOSS_ROWS;
    lengths->slices = slices;
    OC_TRY(oc_allocate(&lengths->n, size, sizeof(double)));
    OC_TRY(oc_allocate(&lengths->n_share, size, sizeof(double)));
    OC_TRY(oc_allocate(&lengths->per_slice, size, sizeof(double)));
    OC_TRY(oc_allocate(&lengths->n_bits, size, sizeof(double)));
    OC_TRY(oc_allocate(&lengths->one_bits, size, sizeof(double)));
    for (size_t place = 1; place < size; place++) {
        const double n = place < slices ? (double)(slices - place) : 0;
        lengths->n[place] = n;
        lengths->n_share[place] = n / (n + 1);
        lengths->per_slice[place] = 1 / (n + 1);
        if (n > 0) {
            lengths->n_bits[place] = log1p(1 / n) * OC_LOG2_E;
            lengths->one_bits[place] = log2(n + 1);
        }
    }
    return OCELOTL_OK;
}

void oc_fill_noise(oc_measurer *measurer, const ocelotl_aggregation *aggregation, uint32_t node)
{
    const uint32_t slices = aggregation->slices;
    if (measurer->leaf_bits == aggregation->leaf_bits[node])
        return; /* as many leaves as the node before */
    measurer->leaf_bits = aggregation->leaf_bits[node];
    for (uint32_t place = 0; place < slices + OC_LOSS_ROWS; place++) {
        /* an interval of one slice has no quick way */
        const bool grows = place < slices && place > 0;
        const double bits =
            place > slices || place == 0 ? 0 : oc_log_cells(aggregation, node, slices - place + 1);
        measurer->noise[place] = OC_ROUNDING * bits;
        measurer->plain[place] = grows ? OC_PLAIN * bits : (double)INFINITY;
    }
}

void oc_fill_weights(uint32_t *next, double *weight, oc_origin *origin, oc_range range,
                     const double *x, const double *own, uint32_t count, const oc_vector *vector)
{
    const oc_weighing weighing = {x, next, own, count, range.largest, range.least, weight, origin};
    uint32_t found = count;
    for (uint32_t t = count; t-- > 0;) {
        found = x[t] != 0 ? t : found;
        next[t] = found;
    }
    vector->weigh(&weighing);
}

ocelotl_status oc_columns_find(const oc_columns **columns, const ocelotl_aggregation *aggregation,
                               oc_measurer *measurer, uint32_t node)
{
    *columns = &aggregation->columns[node];
    if (!oc_nodes_is_leaf(&aggregation->nodes, node))
        return OCELOTL_OK;
    const uint32_t leaf = aggregation->nodes.leaf_first[node];
    *columns = &measurer->leaf;
    oc_columns_clear(&measurer->leaf);
    if (aggregation->leaf_series[leaf] == aggregation->leaf_series[leaf + 1])
        return OCELOTL_OK;
    return oc_columns_of_leaf(&measurer->leaf, aggregation->matrix, aggregation->leaf_series[leaf],
                              aggregation->nodes.leaf_weight[node], aggregation->scale);
}

static ocelotl_status make_room(oc_measurer *measurer, size_t columns, size_t slices)
{
    OC_TRY(oc_grow(&measurer->x, &measurer->x_capacity, columns * slices, sizeof *measurer->x));
    OC_TRY(oc_grow(&measurer->weight, &measurer->weight_capacity, columns * slices,
                   sizeof *measurer->weight));
    OC_TRY(oc_grow(&measurer->next, &measurer->next_capacity, columns * slices,
                   sizeof *measurer->next));
    return oc_grow(&measurer->origin, &measurer->origin_capacity, columns,
                   sizeof *measurer->origin);
}

static ocelotl_status fill_series(oc_series_block *series, const ocelotl_aggregation *aggregation,
                                  oc_measurer *measurer, uint32_t node, uint32_t first,
                                  uint32_t count)
{
    const oc_columns *columns;
    const bool leaf = oc_nodes_is_leaf(&aggregation->nodes, node);
    OC_TRY(oc_columns_find(&columns, aggregation, measurer, node));
    OC_TRY(make_room(measurer, columns->count, count));
    for (uint32_t c = 0; c < columns->count; c++) {
        const size_t place = (size_t)c * count;
        const oc_sums sums = oc_column_sums(columns, c);
        oc_range range = {0, HUGE_VAL};
        for (uint32_t t = 0; t < columns->slices; t++)
            oc_range_add(&range, sums.high[t] + sums.low[t]);
        for (uint32_t t = 0; t < count; t++)
            measurer->x[place + t] = sums.high[first + t] + sums.low[first + t];
        oc_fill_weights(measurer->next + place, measurer->weight + place, measurer->origin + c,
                        range, measurer->x + place, leaf ? NULL : sums.own + first, count,
                        aggregation->vector);
    }
    *series = (oc_series_block){.count = columns->count,
                                .stride = count,
                                .x = measurer->x,
                                .next = measurer->next,
                                .weight = measurer->weight,
                                .origin = measurer->origin,
                                .own_stride = 3 * oc_column_stride(columns->slices)};
    if (columns->count > 0 && !leaf)
        series->own = oc_column_sums(columns, 0).own + first;
    return OCELOTL_OK;
}

ocelotl_status oc_node_losses(double *loss, const ocelotl_aggregation *aggregation,
                              oc_measurer *measurer, uint32_t node, uint32_t first, uint32_t count)
{
    oc_losses losses = {.lengths = &aggregation->lengths,
                        .slices = count,
                        .noise = measurer->noise,
                        .plain = measurer->plain,
                        .loss = loss,
                        .is_first = true,
                        .scratch = measurer->scratch};
    OC_TRY(fill_series(&losses.series, aggregation, measurer, node, first, count));
    oc_fill_noise(measurer, aggregation, node);
    for (uint32_t row = 0; row < count; row += OC_LOSS_ROWS)
        aggregation->vector->lose(&losses, row);
    return OCELOTL_OK;
}
