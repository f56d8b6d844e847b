#include "aggregate/measures/series_losses.h"

#include "aggregate/measures/node_losses.h"
#include "aggregate/vector/sums.h"
#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Series are taken so many at a time: enough to share among threads, few enough to stay in the
 * caches. */
#define BLOCK 1024

struct block {
    oc_measurer shared; /* noise and sums */
    oc_measurer *own;   /* of each thread */
    double *x, *weight; /* series x slices */
    uint32_t *next;
    oc_origin origin[BLOCK];
    double *high, *low; /* the totals by slice */
};

static void block_free(struct block *block, uint32_t threads)
{
    for (uint32_t i = 0; block->own != NULL && i < threads; i++)
        oc_measurer_free(&block->own[i]);
    free(block->own);
    oc_measurer_free(&block->shared);
    free(block->x);
    free(block->weight);
    free(block->next);
    free(block->high);
    free(block->low);
}

static ocelotl_status block_make(struct block *block, const ocelotl_aggregation *aggregation,
                                 uint32_t threads)
{
    const size_t slices = aggregation->slices;
    OC_TRY(oc_measurer_make(&block->shared, aggregation));
    OC_TRY(oc_allocate(&block->own, threads, sizeof *block->own));
    for (uint32_t i = 0; i < threads; i++)
        OC_TRY(oc_measurer_make(&block->own[i], aggregation));
    OC_TRY(oc_allocate(&block->x, slices, BLOCK * sizeof *block->x));
    OC_TRY(oc_allocate(&block->weight, slices, BLOCK * sizeof *block->weight));
    OC_TRY(oc_allocate(&block->next, slices, BLOCK * sizeof *block->next));
    OC_TRY(oc_allocate(&block->high, slices, sizeof *block->high));
    return oc_allocate(&block->low, slices, sizeof *block->low);
}

static void expand(struct block *block, const ocelotl_aggregation *aggregation, size_t series,
                   size_t place)
{
    const uint32_t slices = aggregation->slices;
    double *x = block->x + place * slices;
    /* A series has a cell for each slice at most: there is nothing to round. */
    const oc_matrix *matrix = aggregation->matrix;
    memset(x, 0, slices * sizeof *x);
    oc_range range = {0, HUGE_VAL};
    for (size_t i = matrix->series[series].first; i < matrix->series[series + 1].first; i++) {
        const double value = matrix->cell_value[i] * aggregation->scale[0] * aggregation->scale[1];
        x[matrix->cell_slice[i]] = value;
        oc_range_add(&range, value);
    }
    oc_fill_weights(block->next + place * slices, block->weight + place * slices,
                    block->origin + place, range, x, NULL, slices, aggregation->vector);
}

/* In the order of the series, whatever the threads. */
static void add_totals(struct block *block, size_t count, uint32_t slices)
{
    for (size_t s = 0; s < count; s++)
        for (uint32_t t = 0; t < slices; t++) {
            oc_sum sum = {block->high[t], block->low[t]};
            oc_sum_add(&sum, block->x[s * slices + t]);
            block->high[t] = sum.high;
            block->low[t] = sum.low;
        }
}

static bool go_on(const ocelotl_aggregation *aggregation, size_t done)
{
    return aggregation->progress == NULL ||
           aggregation->progress(aggregation->progress_context, done,
                                 aggregation->matrix->series_count);
}

/* Rows are shared among threads, series are not: each interval's sum has one order. */
static void measure_block(struct block *block, ocelotl_aggregation *aggregation, size_t first,
                          size_t count, int threads)
{
    const uint32_t slices = aggregation->slices;
    const oc_series_block series = {.count = count,
                                    .stride = slices,
                                    .x = block->x,
                                    .next = block->next,
                                    .weight = block->weight,
                                    .origin = block->origin};
#pragma omp parallel num_threads(threads)
    {
        const oc_losses losses = {.lengths = &aggregation->lengths,
                                  .slices = slices,
                                  .noise = block->shared.noise,
                                  .plain = block->shared.plain,
                                  .series = series,
                                  .loss = aggregation->loss[0],
                                  .is_first = first == 0,
                                  .scratch = block->own[omp_get_thread_num()].scratch};
#pragma omp for schedule(static)
        for (size_t s = 0; s < count; s++)
            expand(block, aggregation, first + s, s);
#pragma omp single nowait
        add_totals(block, count, slices);
#pragma omp for schedule(dynamic)
        for (uint32_t row = 0; row < slices; row += OC_LOSS_ROWS)
            aggregation->vector->lose(&losses, row);
    }
}

static ocelotl_status measure(struct block *block, ocelotl_aggregation *aggregation)
{
    const size_t all = aggregation->matrix->series_count;
    const uint32_t slices = aggregation->slices;
    const double operations =
        15.0 * (double)(all < BLOCK ? all : BLOCK) * (double)oc_intervals(slices);
    const int threads = oc_threads_for(aggregation, operations);
    oc_fill_noise(&block->shared, aggregation, 0);
    for (size_t first = 0; first == 0 || first < all; first += BLOCK) {
        if (!go_on(aggregation, first))
            return oc_fail(OCELOTL_ERROR_CANCELLED,
                           "cancelled after the measures of %zu series of %zu", first, all);
        measure_block(block, aggregation, first, all - first < BLOCK ? all - first : BLOCK,
                      threads);
    }
    for (uint32_t t = 0; t < slices; t++)
        aggregation->total[t] = block->high[t] + block->low[t];
    return OCELOTL_OK;
}

ocelotl_status oc_series_measure(ocelotl_aggregation *aggregation)
{
    struct block block = {0};
    ocelotl_status status = block_make(&block, aggregation, aggregation->threads);
    if (status == OCELOTL_OK)
        status = measure(&block, aggregation);
    block_free(&block, aggregation->threads);
    return status;
}
