#include "aggregate/solver/window.h"

#include "base/memory.h"

#include <float.h>
#include <stdlib.h>

/* What a cut's left side may be worth less than the best without being proved useless: more than
 * rounding can make of it, see fill_uncut. */
#define MARGIN 0x1p-50

void oc_worker_free(oc_worker *worker)
{
    oc_measurer_free(&worker->measurer);
    free(worker->uncut);
    free(worker->best);
    free(worker->whole);
    free(worker->x);
    free(worker->strip);
    free(worker->margin);
    free(worker->candidate);
    free(worker->candidate_count);
    free(worker->loss);
}

static uint32_t rows_of(uint32_t count)
{
    return (count + OC_ROWS - 1) / OC_ROWS * OC_ROWS;
}

static size_t stride_of(uint32_t count)
{
    return ((size_t)count + OC_WIDEST_STRIP - 1) / OC_WIDEST_STRIP * OC_WIDEST_STRIP + OC_LOSS_ROWS;
}

/* Matrices for windows of up to `count` slices, all but the one of the whole. */
static ocelotl_status make_room(oc_worker *worker, uint32_t count)
{
    const size_t rows = rows_of(count);
    const size_t cells = rows * stride_of(count);
    OC_TRY(oc_allocate_aligned(&worker->uncut, cells, sizeof(double)));
    OC_TRY(oc_allocate_aligned(&worker->best, cells, sizeof(double)));
    OC_TRY(oc_allocate_aligned(&worker->x, rows + OC_PAST_END, sizeof(double)));
    OC_TRY(oc_allocate_aligned(&worker->strip, rows + 1, OC_WIDEST_STRIP * sizeof(double)));
    OC_TRY(oc_allocate(&worker->margin, rows, sizeof(double)));
    OC_TRY(oc_allocate(&worker->candidate, rows / OC_ROWS, count * sizeof(uint32_t)));
    OC_TRY(oc_allocate(&worker->candidate_count, rows / OC_ROWS, sizeof(uint32_t)));
    worker->capacity = count;
    return OCELOTL_OK;
}

static ocelotl_status get_ready(oc_worker *worker, const ocelotl_aggregation *aggregation)
{
    if (worker->ready)
        return OCELOTL_OK;
    const bool stored = aggregation->stored_count == aggregation->nodes.count;
    OC_TRY(make_room(worker, aggregation->slices));
    if (!stored) {
        OC_TRY(oc_measurer_make(&worker->measurer, aggregation));
        OC_TRY(oc_allocate(&worker->loss, oc_intervals(aggregation->slices) + OC_PAST_END,
                           sizeof(double)));
    }
    worker->ready = true;
    return OCELOTL_OK;
}

static ocelotl_status find_losses(oc_rows *loss, oc_worker *worker,
                                  const ocelotl_aggregation *aggregation, uint32_t node,
                                  uint32_t first, uint32_t count)
{
    *loss = (oc_rows){aggregation->loss[node], aggregation->slices, first};
    if (loss->packed != NULL)
        return OCELOTL_OK;
    *loss = (oc_rows){worker->loss, count, 0};
    return oc_node_losses(worker->loss, aggregation, &worker->measurer, node, first, count);
}

/* Fills the values of a node's intervals as they are best without a cut in time: whole, or split
 * into its children. */
static void fill_uncut(const oc_window *window, oc_worker *worker,
                       const ocelotl_aggregation *aggregation, oc_weight weight,
                       const double *split)
{
    const uint32_t node = window->node;
    const uint32_t count = window->count;
    const oc_values values = {
        .p = weight.p,
        .limit = weight.limit,
        .leaves_bits = aggregation->leaf_bits[node],
        .bits = aggregation->slice_bits + OC_PAST_END + 1,
        .count = count,
        .rows = rows_of(count),
        .stride = window->stride,
        .total = oc_total_of(aggregation, node) + window->first,
        .x = worker->x,
        .loss = window->loss,
        .split = {aggregation->lossless[node] ? NULL : split, aggregation->slices, window->first},
        .whole = window->whole != NULL ? worker->whole : NULL,
        .uncut = worker->uncut,
        .m = worker->margin,
    };
    aggregation->vector->value(&values);
    /* Proof that a left side (i,c) is useless: if uncut(i,c) < best(i,c), the best begins with some
     * uncut(i,d) and goes on with best(d+1,c). Then uncut(i,d) + best(d+1,j) is a candidate too,
     * and best(d+1,j) is no less than best(d+1,c) + best(c+1,j), up to the rounding of at most
     * `count` sums of values >= 0 that come to no more than p M of the row's last interval: count
     * 2^-52 p M covers it. */
    const double share = MARGIN * count * oc_factor(weight);
    for (uint32_t i = 0; i < count; i++)
        worker->margin[i] = worker->margin[i] > 0 ? fmax(worker->margin[i] * share, DBL_MIN) : 0;
    for (uint32_t i = count; i < rows_of(count); i++)
        worker->margin[i] = 0;
}

ocelotl_status oc_window_solve(oc_window *window, oc_worker *worker,
                               const ocelotl_aggregation *aggregation, oc_weight weight,
                               const double *split, bool with_whole)
{
    const uint32_t count = window->count;
    const uint64_t all = (uint64_t)count * ((uint64_t)count * count - 1) / 6;
    OC_TRY(get_ready(worker, aggregation));
    if (with_whole && worker->whole == NULL)
        OC_TRY(oc_allocate_aligned(&worker->whole, rows_of(worker->capacity),
                                   stride_of(worker->capacity) * sizeof(double)));
    window->stride = stride_of(count);
    window->uncut = worker->uncut;
    window->best = worker->best;
    window->whole = with_whole ? worker->whole : NULL;
    OC_TRY(find_losses(&window->loss, worker, aggregation, window->node, window->first, count));
    fill_uncut(window, worker, aggregation, weight, split);
    worker->cuts += all;
    if (oc_loses_nothing(&window->loss, count)) { /* nor is anything gained by a cut */
        window->best = worker->uncut;
        worker->spared += all;
        return OCELOTL_OK;
    }
    oc_cuts cuts = {.count = count,
                    .stride = window->stride,
                    .uncut = worker->uncut,
                    .best = worker->best,
                    .strip = worker->strip,
                    .margin = worker->margin,
                    .candidate = worker->candidate,
                    .candidate_count = worker->candidate_count};
    aggregation->vector->cut(&cuts);
    worker->spared += cuts.spared;
    return OCELOTL_OK;
}
