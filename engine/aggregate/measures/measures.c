/* Totals and losses of all nodes. */
#include "aggregate/measures/measures.h"

#include "aggregate/problem/problem.h"
#include "aggregate/vector/vector.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* --- The losses of one node */

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

/* Fills the tables `noise` and `plain`. */
static void fill_noise(oc_measurer *measurer, const ocelotl_aggregation *aggregation, uint32_t node)
{
    const uint32_t slices = aggregation->slices;
    if (measurer->leaf_bits == aggregation->leaf_bits[node])
        return; /* the node before has as many leaves */
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

/* Fills, by slice, the next one in which x is not 0 and the slice's weight, from which losses are
 * computed. */
static void fill_weights(uint32_t *next, double *weight, oc_origin *origin, oc_range range,
                         const double *x, const double *own, uint32_t count,
                         const oc_vector *vector)
{
    const oc_weighing weighing = {x, next, own, count, range.largest, range.least, weight, origin};
    uint32_t found = count;
    for (uint32_t t = count; t-- > 0;) {
        found = x[t] != 0 ? t : found;
        next[t] = found;
    }
    vector->weigh(&weighing);
}

/* The columns of a node: of a leaf made in the measurer, of an inner one the aggregation's. */
static ocelotl_status find_columns(const oc_columns **columns,
                                   const ocelotl_aggregation *aggregation, oc_measurer *measurer,
                                   uint32_t node)
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

static ocelotl_status fill_series(oc_series_block *series, const ocelotl_aggregation *aggregation,
                                  oc_measurer *measurer, uint32_t node, uint32_t first,
                                  uint32_t count)
{
    const oc_columns *columns;
    const bool leaf = oc_nodes_is_leaf(&aggregation->nodes, node);
    OC_TRY(find_columns(&columns, aggregation, measurer, node));
    OC_TRY(
        oc_grow(&measurer->x, &measurer->x_capacity, columns->count * count, sizeof *measurer->x));
    OC_TRY(oc_grow(&measurer->weight, &measurer->weight_capacity, columns->count * count,
                   sizeof *measurer->weight));
    OC_TRY(oc_grow(&measurer->next, &measurer->next_capacity, columns->count * count,
                   sizeof *measurer->next));
    OC_TRY(oc_grow(&measurer->origin, &measurer->origin_capacity, columns->count,
                   sizeof *measurer->origin));
    for (uint32_t c = 0; c < columns->count; c++) {
        const size_t place = (size_t)c * count;
        const oc_sums sums = oc_column_sums(columns, c);
        oc_range range = {0, HUGE_VAL};
        for (uint32_t t = 0; t < columns->slices; t++)
            oc_range_add(&range, sums.high[t] + sums.low[t]);
        for (uint32_t t = 0; t < count; t++)
            measurer->x[place + t] = sums.high[first + t] + sums.low[first + t];
        fill_weights(measurer->next + place, measurer->weight + place, measurer->origin + c, range,
                     measurer->x + place, leaf ? NULL : sums.own + first, count,
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
    fill_noise(measurer, aggregation, node);
    for (uint32_t row = 0; row < count; row += OC_LOSS_ROWS)
        aggregation->vector->lose(&losses, row);
    return OCELOTL_OK;
}

/* --- The measures of all nodes */

/* Series per block: enough to share among threads, few enough for the caches. */
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
    /* A series has at most one cell a slice, so nothing is rounded. */
    const oc_matrix *matrix = aggregation->matrix;
    memset(x, 0, slices * sizeof *x);
    oc_range range = {0, HUGE_VAL};
    for (size_t i = matrix->series[series].first; i < matrix->series[series + 1].first; i++) {
        const double value = oc_scaled(matrix->cell_value[i], aggregation->scale);
        x[matrix->cell_slice[i]] = value;
        oc_range_add(&range, value);
    }
    fill_weights(block->next + place * slices, block->weight + place * slices,
                 block->origin + place, range, x, NULL, slices, aggregation->vector);
}

/* Adds the totals in the order of the series, for any number of threads. */
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

/* Whether a rank has the rows from `row` on: they are dealt out back and forth, for the later they
 * begin, the shorter they are. */
static bool has_rows(const ocelotl_aggregation *aggregation, uint32_t rank, uint32_t row)
{
    const uint32_t ranks = oc_is_alone(aggregation->exchange) ? 1 : aggregation->exchange->count;
    const uint32_t turn = row / OC_LOSS_ROWS % (2 * ranks);
    return rank == (turn < ranks ? turn : 2 * ranks - 1 - turn);
}

/* Packs the losses that a rank has, or fills them from bytes. */
static ocelotl_status pass_rows(oc_bytes *bytes, const ocelotl_aggregation *aggregation,
                                uint32_t rank, bool take)
{
    const uint32_t slices = aggregation->slices;
    for (uint32_t row = 0; row < slices; row += OC_LOSS_ROWS) {
        const uint32_t end = row + OC_LOSS_ROWS < slices ? row + OC_LOSS_ROWS : slices;
        double *loss = aggregation->loss[0] + oc_row(slices, row);
        const size_t length = (oc_row(slices, end) - oc_row(slices, row)) * sizeof *loss;
        if (has_rows(aggregation, rank, row))
            OC_TRY(take ? oc_bytes_take(loss, bytes, length) : oc_bytes_add(bytes, loss, length));
    }
    return OCELOTL_OK;
}

/* Gives all ranks the losses of all. */
static ocelotl_status exchange_rows(const ocelotl_aggregation *aggregation)
{
    const ocelotl_exchange *exchange = aggregation->exchange;
    oc_bytes all = {0};
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    ocelotl_status status = pass_rows(&all, aggregation, exchange->rank, false);
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&all, exchange);
    for (uint32_t rank = 0; rank < exchange->count && status == OCELOTL_OK; rank++)
        status = pass_rows(&all, aggregation, rank, true);
    oc_bytes_free(&all);
    return status;
}

/* Rows are shared among threads and ranks, series are not: each interval's sum has one order. */
static void measure_block(struct block *block, ocelotl_aggregation *aggregation, size_t first,
                          size_t count, int threads)
{
    const uint32_t slices = aggregation->slices;
    const uint32_t rank = oc_is_alone(aggregation->exchange) ? 0 : aggregation->exchange->rank;
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
            if (has_rows(aggregation, rank, row))
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
    fill_noise(&block->shared, aggregation, 0);
    for (size_t first = 0; first == 0 || first < all; first += BLOCK) {
        if (!go_on(aggregation, first))
            return oc_fail(OCELOTL_ERROR_CANCELLED,
                           "cancelled after the measures of %zu series of %zu", first, all);
        measure_block(block, aggregation, first, all - first < BLOCK ? all - first : BLOCK,
                      threads);
    }
    for (uint32_t t = 0; t < slices; t++)
        aggregation->total[t] = block->high[t] + block->low[t];
    return exchange_rows(aggregation);
}

/* The temporal kind, every series for itself: fills the totals and losses of the root, whose losses
 * must be stored. */
static ocelotl_status measure_series(ocelotl_aggregation *aggregation)
{
    struct block block = {0};
    ocelotl_status status = block_make(&block, aggregation, aggregation->threads);
    if (status == OCELOTL_OK)
        status = measure(&block, aggregation);
    block_free(&block, aggregation->threads);
    return status;
}

/* What a thread needs for itself. */
struct worker {
    const ocelotl_aggregation *aggregation;
    oc_measurer measurer;
    oc_column_index index;
    oc_sum *sum; /* by slice */
    oc_partials partials;
    oc_columns *spare; /* given up: their memory is used again */
    size_t spare_count, spare_capacity;
};

static void worker_free(struct worker *worker)
{
    oc_measurer_free(&worker->measurer);
    for (size_t i = 0; i < worker->spare_count; i++)
        oc_columns_free(&worker->spare[i]);
    free(worker->spare);
    free(worker->partials.list);
    free(worker->index.place);
    free(worker->sum);
}

static ocelotl_status worker_make(struct worker *worker, const ocelotl_aggregation *aggregation)
{
    worker->aggregation = aggregation;
    OC_TRY(oc_measurer_make(&worker->measurer, aggregation));
    OC_TRY(oc_allocate(&worker->sum, aggregation->slices, sizeof *worker->sum));
    return oc_allocate(&worker->index.place, aggregation->matrix->type_count,
                       sizeof *worker->index.place);
}

static ocelotl_status take_columns(struct worker *worker, void **columns)
{
    oc_columns *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    if (worker->spare_count > 0)
        *made = worker->spare[--worker->spare_count];
    made->slices = worker->aggregation->slices;
    oc_columns_clear(made);
    *columns = made;
    return OCELOTL_OK;
}

static void give_columns_up(void *context, void *columns)
{
    struct worker *worker = context;
    if (oc_grow(&worker->spare, &worker->spare_capacity, worker->spare_count + 1,
                sizeof *worker->spare) == OCELOTL_OK)
        worker->spare[worker->spare_count++] = *(oc_columns *)columns;
    else
        oc_columns_free(columns);
    free(columns);
}

static ocelotl_status add_columns(void *context, void *sum, void *right)
{
    struct worker *worker = context;
    const ocelotl_status status =
        oc_columns_add(sum, &worker->index, right, worker->aggregation->vector);
    give_columns_up(worker, right);
    return status;
}

static ocelotl_status send_columns(void *context, const ocelotl_exchange *exchange, uint32_t to,
                                   const void *sum)
{
    oc_bytes bytes = {0};
    (void)context;
    ocelotl_status status = oc_columns_pack(&bytes, sum);
    if (status == OCELOTL_OK)
        status = oc_exchange_send(exchange, to, &bytes);
    oc_bytes_free(&bytes);
    return status;
}

static ocelotl_status receive_columns(void *context, const ocelotl_exchange *exchange,
                                      uint32_t from, void **sum)
{
    oc_bytes bytes = {0};
    ocelotl_status status = oc_exchange_receive(&bytes, exchange, from);
    if (status == OCELOTL_OK)
        status = take_columns(context, sum);
    if (status == OCELOTL_OK)
        status = oc_columns_unpack(*sum, &bytes);
    oc_bytes_free(&bytes);
    return status;
}

static oc_summing summing_of(struct worker *worker)
{
    return (oc_summing){add_columns, send_columns, receive_columns, give_columns_up, worker};
}

/* A second child of a pair is added where it is, without a copy. */
static ocelotl_status add_child(struct worker *worker, const oc_summing *summing,
                                const oc_columns *columns, uint32_t ordinal, uint32_t children)
{
    oc_partials *partials = &worker->partials;
    const oc_partial *last = partials->count > 0 ? &partials->list[partials->count - 1] : NULL;
    oc_partial partial = {0, ordinal, NULL};
    if (last != NULL && ordinal % 2 == 1 && last->level == 0 && last->index == ordinal - 1) {
        partial = (oc_partial){1, ordinal / 2, last->sum};
        partials->count--;
    } else {
        OC_TRY(take_columns(worker, &partial.sum));
    }
    const ocelotl_status status =
        oc_columns_add(partial.sum, &worker->index, columns, worker->aggregation->vector);
    if (status != OCELOTL_OK)
        summing->give_up(worker, partial.sum);
    return status == OCELOTL_OK ? oc_partials_take(partials, summing, partial, children) : status;
}

static ocelotl_status add_children(struct worker *worker, const oc_summing *summing, uint32_t node)
{
    const ocelotl_aggregation *aggregation = worker->aggregation;
    const oc_nodes *nodes = &aggregation->nodes;
    const uint32_t end = oc_nodes_end(nodes, node);
    for (uint32_t child = oc_nodes_first_child(node); child < end;
         child = oc_nodes_next_child(nodes, child)) {
        const oc_columns *columns;
        if (!oc_is_own(aggregation, child))
            continue;
        OC_TRY(find_columns(&columns, aggregation, &worker->measurer, child));
        OC_TRY(
            add_child(worker, summing, columns, nodes->ordinal[child], nodes->child_count[node]));
    }
    return OCELOTL_OK;
}

/* Brings the sums to the rank that has the node, with how many of its children hold something. */
static ocelotl_status exchange_children(struct worker *worker, const oc_summing *summing,
                                        uint32_t node)
{
    const ocelotl_aggregation *aggregation = worker->aggregation;
    const oc_nodes *nodes = &aggregation->nodes;
    const oc_sharing *sharing = oc_sharing_of(aggregation, node);
    const uint32_t slices = aggregation->slices;
    if (sharing == NULL)
        return OCELOTL_OK;
    for (uint32_t child = oc_nodes_first_child(node); child < oc_nodes_end(nodes, node);
         child = oc_nodes_next_child(nodes, child))
        for (uint32_t t = 0; t < slices && oc_is_own(aggregation, child); t++)
            sharing->holders[t] += oc_total_of(aggregation, child)[t] != 0;
    OC_TRY(oc_partials_exchange(&worker->partials, summing, nodes->child_count[node],
                                &sharing->team.exchange));
    return oc_exchange_combine(sharing->holders, slices * sizeof *sharing->holders, oc_combine_sums,
                               &sharing->team.exchange);
}

static ocelotl_status sum_children(ocelotl_aggregation *aggregation, struct worker *worker,
                                   uint32_t node)
{
    const oc_summing summing = summing_of(worker);
    ocelotl_status status = add_children(worker, &summing, node);
    if (status == OCELOTL_OK)
        status = exchange_children(worker, &summing, node);
    if (status == OCELOTL_OK && oc_is_own(aggregation, node)) {
        oc_columns *whole = worker->partials.list[--worker->partials.count].sum;
        oc_columns_finish(whole, aggregation->nodes.leaf_weight[node], aggregation->vector);
        aggregation->columns[node] = *whole;
        free(whole);
    }
    oc_partials_clear(&worker->partials, &summing);
    return status;
}

static void fill_total(const ocelotl_aggregation *aggregation, struct worker *worker, uint32_t node,
                       const oc_columns *columns)
{
    const uint32_t slices = aggregation->slices;
    double *total = oc_total_of(aggregation, node);
    memset(worker->sum, 0, slices * sizeof *worker->sum);
    for (uint32_t c = 0; c < columns->count; c++) {
        const oc_sums sums = oc_column_sums(columns, c);
        for (uint32_t t = 0; t < slices; t++) {
            oc_sum_add(&worker->sum[t], sums.high[t]);
            worker->sum[t].low += sums.low[t];
        }
    }
    for (uint32_t t = 0; t < slices; t++)
        total[t] = oc_sum_value(&worker->sum[t]);
}

static ocelotl_status measure_node(ocelotl_aggregation *aggregation, struct worker *worker,
                                   uint32_t node)
{
    const oc_columns *columns;
    if (!oc_nodes_is_leaf(&aggregation->nodes, node))
        OC_TRY(sum_children(aggregation, worker, node));
    if (!oc_is_own(aggregation, node))
        return OCELOTL_OK;
    OC_TRY(find_columns(&columns, aggregation, &worker->measurer, node));
    fill_total(aggregation, worker, node, columns);
    if (aggregation->loss[node] == NULL)
        return OCELOTL_OK;
    const oc_rows loss = {aggregation->loss[node], aggregation->slices, 0};
    OC_TRY(oc_node_losses(aggregation->loss[node], aggregation, &worker->measurer, node, 0,
                          aggregation->slices));
    aggregation->lossless[node] = oc_loses_nothing(&loss, aggregation->slices);
    return OCELOTL_OK;
}

/* Additions, roughly: a logarithm, worth some thirty, for every pair of a series' cells, and as
 * much again for the inner nodes; and a few for every interval. */
static double operations(const ocelotl_aggregation *aggregation)
{
    const oc_matrix *matrix = aggregation->matrix;
    const double length =
        (double)matrix->cell_count / (double)(matrix->series_count > 0 ? matrix->series_count : 1);
    const double intervals =
        (double)aggregation->nodes.count * (double)oc_intervals(aggregation->slices);
    return 30.0 * (double)matrix->cell_count * length + 5.0 * intervals;
}

static void measure_one(ocelotl_aggregation *aggregation, struct worker *worker, oc_work *work,
                        uint32_t node)
{
    if (oc_work_is_stopped(work))
        return;
    oc_first_failure_keep(&work->failure, measure_node(aggregation, worker, node));
    oc_work_done(work, 1);
}

/* Measures every node from its children's columns, those of one height at once. */
static void measure_nodes(ocelotl_aggregation *aggregation, oc_work *work)
{
    const oc_nodes *nodes = &aggregation->nodes;
#pragma omp parallel num_threads(oc_threads_for(aggregation, operations(aggregation)))
    {
        struct worker worker = {0};
        oc_first_failure_keep(&work->failure, worker_make(&worker, aggregation));
        for (uint32_t height = 0; height < nodes->height_count; height++) {
            const uint32_t end = nodes->height_first[height + 1];
#pragma omp for schedule(dynamic)
            for (uint32_t i = nodes->height_first[height]; i < end; i++)
                if (oc_is_own(aggregation, nodes->by_height[i]) &&
                    oc_sharing_of(aggregation, nodes->by_height[i]) == NULL)
                    measure_one(aggregation, &worker, work, nodes->by_height[i]);
                    /* What ranks tell each other comes in one order, from one thread. */
#pragma omp master
            for (uint32_t i = nodes->height_first[height]; i < end; i++)
                if (oc_sharing_of(aggregation, nodes->by_height[i]) != NULL)
                    measure_one(aggregation, &worker, work, nodes->by_height[i]);
#pragma omp barrier
        }
        worker_free(&worker);
    }
}

static void add_merged_loss(const ocelotl_aggregation *aggregation, double *merged, size_t series)
{
    const oc_matrix *matrix = aggregation->matrix;
    const double *scale = aggregation->scale;
    if (aggregation->slices == 1)
        merged[0] += oc_scaled(matrix->series_loss[series], scale);
    else
        for (size_t c = matrix->series[series].first; c < matrix->series[series + 1].first; c++)
            merged[matrix->cell_slice[c]] += oc_scaled(matrix->cell_loss[c], scale);
}

/* Of each node from its leaves, wherever they are. */
static ocelotl_status sum_merged_losses(ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const uint32_t *leaf_count = aggregation->matrix->tree.leaf_count;
    const size_t *series = aggregation->leaf_series;
    const size_t slices = aggregation->slices;
    if (aggregation->matrix->cell_loss == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&aggregation->merged_loss, nodes->count, slices * sizeof(double)));
    for (uint32_t k = 0; k < nodes->count; k++) {
        const uint32_t first = nodes->leaf_first[k];
        if (!oc_is_own(aggregation, k))
            continue;
        for (size_t s = series[first]; s < series[first + leaf_count[nodes->name[k]]]; s++)
            add_merged_loss(aggregation, aggregation->merged_loss + k * slices, s);
    }
    return OCELOTL_OK;
}

/* What loses nothing spares what is below it. */
static ocelotl_status spread_lossless(ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    for (uint32_t depth = 0; depth < nodes->depth_count; depth++)
        for (uint32_t i = nodes->depth_first[depth + 1]; i-- > nodes->depth_first[depth];) {
            const uint32_t node = nodes->by_depth[i];
            const oc_sharing *sharing = oc_sharing_of(aggregation, node);
            bool *lossless = &aggregation->lossless[node];
            *lossless |= aggregation->lossless[nodes->parent[node]];
            if (sharing != NULL)
                OC_TRY(oc_exchange_spread(lossless, sizeof *lossless, &sharing->team.exchange));
        }
    return OCELOTL_OK;
}

static ocelotl_status measure_tree(ocelotl_aggregation *aggregation)
{
    oc_work work = {.aggregation = aggregation};
    OC_TRY(sum_merged_losses(aggregation));
    OC_TRY(
        oc_allocate(&aggregation->columns, aggregation->nodes.count, sizeof *aggregation->columns));
    oc_work_done(&work, 0);
    if (!oc_work_is_stopped(&work))
        measure_nodes(aggregation, &work);
    OC_TRY(oc_work_status(&work));
    /* Columns are needed as long as losses are to be computed from them. */
    for (uint32_t k = 0; k < aggregation->nodes.count; k++)
        if (aggregation->loss[k] != NULL)
            oc_columns_free(&aggregation->columns[k]);
    return spread_lossless(aggregation);
}

/* Measures of parts are at most those of the whole, and so are the sums of values. */
static ocelotl_status check_representable(const ocelotl_aggregation *aggregation, double x,
                                          double m)
{
    if (isfinite(oc_unscaled(aggregation, x)) && isfinite(oc_unscaled(aggregation, m)))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_LIMIT,
                   "the values add up to more than a number can hold, expected at most %.3g in all "
                   "and of their gain and loss; give them in a larger unit",
                   DBL_MAX);
}

ocelotl_status oc_measures_compute(ocelotl_aggregation *aggregation)
{
    const uint32_t last = aggregation->slices - 1;
    OC_TRY(oc_allocate(&aggregation->total, aggregation->nodes.count,
                       aggregation->slices * sizeof(double)));
    if (aggregation->kind == OCELOTL_TEMPORAL)
        OC_TRY(measure_series(aggregation));
    else
        OC_TRY(measure_tree(aggregation));
    /* The root's losses are always stored. */
    struct {
        double x, m, loss;
    } whole = {0};
    if (oc_is_own(aggregation, 0)) {
        whole.x = oc_total_over(aggregation, 0, 0, last);
        whole.m = oc_m_of(aggregation, 0, 0, last);
        whole.loss = aggregation->loss[0][last] + oc_merged_loss_over(aggregation, 0, 0, last);
    }
    OC_TRY(oc_exchange_spread(&whole, sizeof whole, aggregation->dealt));
    OC_TRY(check_representable(aggregation, whole.x, whole.m));
    aggregation->whole_gain = oc_gain_of(whole.m, whole.loss);
    aggregation->whole_loss = aggregation->whole_gain > 0 ? whole.loss : whole.m;
    return OCELOTL_OK;
}
