#include "aggregate/solver.h"

#include "base/memory.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Siblings are solved by bundles, one thread each, and added up: one by one, handing them over in their order would
 * cost more than solving. About so many of a height, of so many nodes at most: it depends on the model alone, for the
 * order of the sums does. */
#define BUNDLES       64
#define WIDEST_BUNDLE 16

/* What a cut's left side may be worth less than the best without being proved useless: more than rounding can make of
 * it, see fill_uncut. */
#define MARGIN 0x1p-50

/* A run of the solver: what its threads share. */
struct run {
    omp_lock_t lock; /* held while sums change hands */
    oc_solver *solver;
    const ocelotl_aggregation *aggregation;
    uint64_t done; /* nodes */
    int failed, cancelled;
};

static void worker_free(oc_solver_worker *worker)
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
    free(worker->sum);
}

static void solver_free(oc_solver *solver, const ocelotl_aggregation *aggregation)
{
    if (solver == NULL)
        return;
    for (uint32_t i = 0; solver->workers != NULL && i < aggregation->threads; i++)
        worker_free(&solver->workers[i]);
    free(solver->workers);
    free(solver->split);
    free(solver->splits);
    for (size_t i = 0; i < solver->spare_count; i++)
        free(solver->spare[i]);
    for (size_t b = 0; b < solver->bundle_count; b++)
        free(solver->bundle[b].sum);
    free(solver->spare);
    free(solver->turn);
    free(solver->first_turn);
    free(solver->bundle);
    free(solver->bundle_first);
    free(solver);
}

struct oc_idle {
    _Atomic(oc_solver *) solver;
};

ocelotl_status oc_idle_make(struct oc_idle **idle)
{
    OC_TRY(oc_allocate(idle, 1, sizeof **idle));
    atomic_init(&(*idle)->solver, NULL);
    return OCELOTL_OK;
}

void oc_idle_free(struct oc_idle *idle, const ocelotl_aggregation *aggregation)
{
    if (idle != NULL)
        solver_free(atomic_load(&idle->solver), aggregation);
    free(idle);
}

ocelotl_status oc_solver_borrow(oc_solver **solver, const ocelotl_aggregation *aggregation)
{
    *solver = atomic_exchange(&aggregation->idle->solver, NULL);
    return *solver != NULL ? OCELOTL_OK : oc_allocate(solver, 1, sizeof **solver);
}

void oc_solver_return(oc_solver *solver, const ocelotl_aggregation *aggregation, bool usable)
{
    solver_free(usable ? atomic_exchange(&aggregation->idle->solver, solver) : solver, aggregation);
}

static uint32_t rows_of(uint32_t count)
{
    return (count + OC_ROWS - 1) / OC_ROWS * OC_ROWS;
}

size_t oc_window_stride(uint32_t count)
{
    return ((size_t)count + OC_WIDEST_STRIP - 1) / OC_WIDEST_STRIP * OC_WIDEST_STRIP + OC_LOSS_ROWS;
}

/* Matrices for windows of up to `count` slices, all but the one of the whole. */
static ocelotl_status make_room(oc_solver_worker *worker, uint32_t count)
{
    const size_t rows = rows_of(count);
    const size_t cells = rows * oc_window_stride(count);
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

static ocelotl_status get_ready(oc_solver_worker *worker, const ocelotl_aggregation *aggregation)
{
    if (worker->ready)
        return OCELOTL_OK;
    const bool stored = aggregation->stored_count == aggregation->nodes.count;
    OC_TRY(make_room(worker, aggregation->slices));
    if (!stored) {
        OC_TRY(oc_measurer_make(&worker->measurer, aggregation));
        OC_TRY(oc_allocate(&worker->loss, oc_intervals(aggregation->slices) + OC_PAST_END, sizeof(double)));
    }
    worker->ready = true;
    return OCELOTL_OK;
}

static ocelotl_status find_losses(oc_rows *loss, oc_solver_worker *worker, const ocelotl_aggregation *aggregation,
                                  uint32_t node, uint32_t first, uint32_t count)
{
    *loss = (oc_rows){aggregation->loss[node], aggregation->slices, first};
    if (loss->packed != NULL)
        return OCELOTL_OK;
    *loss = (oc_rows){worker->loss, count, 0};
    return oc_node_losses(worker->loss, aggregation, &worker->measurer, node, first, count);
}

/* What is known to lose nothing over all slices is best whole. */
static bool is_lossless(const ocelotl_aggregation *aggregation, uint32_t node)
{
    return aggregation->loss[node] != NULL && aggregation->loss[node][aggregation->slices - 1] == 0;
}

/* Fills the values of a node's intervals as they are best without a cut in time: whole, or split into its children. */
static void fill_uncut(const oc_window *window, const oc_solver *solver, oc_solver_worker *worker,
                       const ocelotl_aggregation *aggregation)
{
    const uint32_t node = window->node;
    const uint32_t count = window->count;
    const bool leaf = oc_nodes_is_leaf(&aggregation->nodes, node) || is_lossless(aggregation, node);
    const oc_values values = {
        .p = solver->weight.p,
        .limit = solver->weight.limit,
        .leaves_bits = aggregation->leaf_bits[node],
        .bits = aggregation->slice_bits + OC_PAST_END + 1,
        .count = count,
        .rows = rows_of(count),
        .stride = window->stride,
        .total = oc_total_of(aggregation, node) + window->first,
        .x = worker->x,
        .loss = window->loss,
        .split = {leaf ? NULL : solver->split[aggregation->nodes.inner[node]], aggregation->slices, window->first},
        .whole = window->whole != NULL ? worker->whole : NULL,
        .uncut = worker->uncut,
        .m = worker->margin,
    };
    aggregation->vector->value(&values);
    /* Proof that a left side (i,c) is useless: if uncut(i,c) < best(i,c), the best begins with some uncut(i,d) and goes on
     * with best(d+1,c). Then uncut(i,d) + best(d+1,j) is a candidate too, and best(d+1,j) is no less than best(d+1,c) +
     * best(c+1,j), up to the rounding of at most `count` sums of values >= 0 that come to no more than p M of the row's
     * last interval: count 2^-52 p M covers it. */
    for (uint32_t i = 0; i < count; i++)
        worker->margin[i] *= MARGIN * count * oc_factor(solver->weight);
    for (uint32_t i = count; i < rows_of(count); i++)
        worker->margin[i] = 0;
}

ocelotl_status oc_solver_look(oc_window *window, const oc_solver *solver, oc_solver_worker *worker,
                              const ocelotl_aggregation *aggregation, uint32_t node, uint32_t first, uint32_t count,
                              bool with_whole)
{
    OC_TRY(get_ready(worker, aggregation));
    const bool has_whole = with_whole && !oc_nodes_is_leaf(&aggregation->nodes, node);
    if (has_whole && worker->whole == NULL)
        OC_TRY(oc_allocate_aligned(&worker->whole, rows_of(worker->capacity),
                                   oc_window_stride(worker->capacity) * sizeof(double)));
    *window = (oc_window){.node = node,
                          .first = first,
                          .count = count,
                          .stride = oc_window_stride(count),
                          .uncut = worker->uncut,
                          .best = worker->best,
                          .whole = has_whole ? worker->whole : NULL};
    OC_TRY(find_losses(&window->loss, worker, aggregation, node, first, count));
    fill_uncut(window, solver, worker, aggregation);
    worker->cuts += (uint64_t)count * ((uint64_t)count * count - 1) / 6;
    if (oc_row_of(&window->loss, 0)[count - 1] == 0) { /* nothing is lost, nor gained by a cut */
        window->best = worker->uncut;
        worker->spared += (uint64_t)count * ((uint64_t)count * count - 1) / 6;
        return OCELOTL_OK;
    }
    oc_cuts cuts = {count,
                    window->stride,
                    worker->uncut,
                    worker->best,
                    worker->strip,
                    worker->margin,
                    worker->candidate,
                    worker->candidate_count,
                    0};
    aggregation->vector->cut(&cuts);
    worker->spared += cuts.spared;
    return OCELOTL_OK;
}

/* Adds the best of a node to packed intervals, or makes them that. */
static void add_best(double *restrict sum, const oc_window *window, bool first)
{
    for (uint32_t i = 0; i < window->count; i++) {
        const double *restrict best = window->best + i * window->stride + i;
        double *restrict row = sum + oc_row(window->count, i);
        const uint32_t length = window->count - i;
        if (first)
            memcpy(row, best, length * sizeof *row);
        else
            for (uint32_t j = 0; j < length; j++)
                row[j] += best[j];
    }
}

static void add_packed(double *restrict sum, const double *restrict addend, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum[i] += addend[i];
}

/* Memory for a sum of intervals: one that was handed over before, or new. */
static ocelotl_status take_memory(struct run *run, oc_solver_worker *worker)
{
    oc_solver *solver = run->solver;
    if (worker->sum != NULL)
        return OCELOTL_OK;
    omp_set_lock(&run->lock);
    if (solver->spare_count > 0)
        worker->sum = solver->spare[--solver->spare_count];
    omp_unset_lock(&run->lock);
    if (worker->sum != NULL)
        return OCELOTL_OK;
    return oc_allocate(&worker->sum, oc_intervals(run->aggregation->slices), sizeof(double));
}

/* Solves some siblings and adds them up in the worker. */
static ocelotl_status solve_bundle(struct run *run, oc_solver_worker *worker, const oc_bundle *bundle)
{
    const ocelotl_aggregation *aggregation = run->aggregation;
    OC_TRY(take_memory(run, worker));
    for (uint32_t i = bundle->begin; i < bundle->end; i++) {
        oc_window window;
        OC_TRY(oc_solver_look(&window, run->solver, worker, aggregation, aggregation->nodes.by_height[i], 0,
                              aggregation->slices, false));
        add_best(worker->sum, &window, i == bundle->begin);
    }
    return OCELOTL_OK;
}

static void add_to_parent(const struct run *run, size_t b)
{
    const oc_nodes *nodes = &run->aggregation->nodes;
    const oc_bundle *bundle = &run->solver->bundle[b];
    const size_t intervals = oc_intervals(run->aggregation->slices);
    double *split = run->solver->split[nodes->inner[nodes->parent[nodes->by_height[bundle->begin]]]];
    if (bundle->is_first)
        memcpy(split, bundle->sum, intervals * sizeof *split);
    else
        add_packed(split, bundle->sum, intervals);
}

/* Hands the worker's sum over to the parent. Sums are added in the order of their bundles, so that the threads do not
 * matter; but nobody waits for a turn: who comes too early leaves the sum, and who has the turn adds all that are there. */
static void hand_over(struct run *run, oc_solver_worker *worker, size_t b)
{
    oc_solver *solver = run->solver;
    const oc_nodes *nodes = &run->aggregation->nodes;
    size_t *turn = &solver->turn[nodes->inner[nodes->parent[nodes->by_height[solver->bundle[b].begin]]]];
    omp_set_lock(&run->lock);
    solver->bundle[b].sum = worker->sum;
    worker->sum = NULL;
    bool mine = *turn == b;
    omp_unset_lock(&run->lock);
    while (mine) {
        add_to_parent(run, b);
        omp_set_lock(&run->lock);
        solver->spare[solver->spare_count++] = solver->bundle[b].sum;
        solver->bundle[b].sum = NULL;
        b = *turn = solver->bundle[b].next;
        mine = b != SIZE_MAX && solver->bundle[b].sum != NULL;
        omp_unset_lock(&run->lock);
    }
}

/* Reports progress and learns of a cancellation: by the thread that made the call alone. */
static void report(struct run *run)
{
    const ocelotl_aggregation *aggregation = run->aggregation;
    uint64_t done;
#pragma omp atomic read
    done = run->done;
    if (aggregation->progress == NULL || omp_get_thread_num() != 0)
        return;
    if (!aggregation->progress(aggregation->progress_context, done, aggregation->nodes.count)) {
#pragma omp atomic write
        run->cancelled = 1;
    }
}

static bool is_stopped(struct run *run)
{
    int failed, cancelled;
#pragma omp atomic read
    failed = run->failed;
#pragma omp atomic read
    cancelled = run->cancelled;
    return failed || cancelled;
}

/* Bundles of one height at once. */
static void solve_heights(struct run *run)
{
    const ocelotl_aggregation *aggregation = run->aggregation;
    const oc_solver *solver = run->solver;
    const double slices = aggregation->slices;
    const double work = aggregation->nodes.count * slices * slices * (slices + 30) / 6;
#pragma omp parallel num_threads(oc_threads_for(aggregation, work))
    {
        oc_solver_worker *worker = &solver->workers[omp_get_thread_num()];
        for (uint32_t height = 0; height + 1 < aggregation->nodes.height_count; height++) {
#pragma omp for schedule(dynamic)
            for (size_t b = solver->bundle_first[height]; b < solver->bundle_first[height + 1]; b++) {
                const oc_bundle *bundle = &solver->bundle[b];
                if (is_stopped(run))
                    continue;
                if (solve_bundle(run, worker, bundle) == OCELOTL_OK) {
                    hand_over(run, worker, b);
                } else {
#pragma omp atomic write
                    run->failed = 1;
                }
#pragma omp atomic
                run->done += bundle->end - bundle->begin;
                report(run);
            }
        }
    }
}

/* What is below a node that loses nothing over all slices is never a part: no more does the node gain by it. */
static bool is_spared(const ocelotl_aggregation *aggregation, uint32_t node, const uint8_t *below)
{
    const uint32_t parent = aggregation->nodes.parent[node];
    return below[parent] || is_lossless(aggregation, parent);
}

/* `last` is of each parent its last bundle so far, plus 1. */
static ocelotl_status add_bundle(oc_solver *solver, const oc_nodes *nodes, uint32_t place, uint32_t widest,
                                 size_t begun, size_t *last)
{
    const uint32_t parent = nodes->parent[nodes->by_height[place]];
    const size_t b = solver->bundle_count;
    if (b > begun && last[parent] == b && solver->bundle[b - 1].end == place &&
        place - solver->bundle[b - 1].begin < widest) {
        solver->bundle[b - 1].end++;
        return OCELOTL_OK;
    }
    OC_TRY(oc_grow(&solver->bundle, &solver->bundle_capacity, b + 1, sizeof *solver->bundle));
    solver->bundle[b] =
        (oc_bundle){.begin = place, .end = place + 1, .is_first = last[parent] == 0, .next = SIZE_MAX};
    if (last[parent] > 0)
        solver->bundle[last[parent] - 1].next = b;
    else
        solver->first_turn[nodes->inner[parent]] = b;
    last[parent] = b + 1;
    solver->bundle_count++;
    return OCELOTL_OK;
}

/* Bundles of siblings that follow each other in by_height, height by height. */
static ocelotl_status make_bundles(oc_solver *solver, const ocelotl_aggregation *aggregation, uint8_t *below,
                                   size_t *last)
{
    const oc_nodes *nodes = &aggregation->nodes;
    for (uint32_t k = 1; k < nodes->count; k++)
        below[k] = is_spared(aggregation, k, below);
    for (uint32_t height = 0; height + 1 < nodes->height_count; height++) {
        const uint32_t begin = nodes->height_first[height];
        const uint32_t end = nodes->height_first[height + 1];
        const uint32_t share = (end - begin) / BUNDLES;
        const uint32_t widest = share < 1 ? 1 : share > WIDEST_BUNDLE ? WIDEST_BUNDLE : share;
        solver->bundle_first[height] = solver->bundle_count;
        for (uint32_t i = begin; i < end; i++)
            if (!below[nodes->by_height[i]])
                OC_TRY(add_bundle(solver, nodes, i, widest, solver->bundle_first[height], last));
    }
    solver->bundle_first[nodes->height_count - 1] = solver->bundle_count;
    return OCELOTL_OK;
}

static ocelotl_status plan(oc_solver *solver, const ocelotl_aggregation *aggregation)
{
    const uint32_t count = aggregation->nodes.count;
    uint8_t *below = NULL;
    size_t *last = NULL;
    OC_TRY(oc_allocate(&solver->bundle_first, aggregation->nodes.height_count, sizeof *solver->bundle_first));
    ocelotl_status status = oc_allocate(&below, count, sizeof *below);
    if (status == OCELOTL_OK)
        status = oc_allocate(&last, count, sizeof *last);
    if (status == OCELOTL_OK)
        status = make_bundles(solver, aggregation, below, last);
    free(below);
    free(last);
    return status;
}

/* Before the first solve. */
static ocelotl_status prepare(oc_solver *solver, const ocelotl_aggregation *aggregation)
{
    const size_t inner = aggregation->nodes.inner_count;
    const size_t intervals = oc_intervals(aggregation->slices);
    if (solver->ready)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&solver->workers, aggregation->threads, sizeof *solver->workers));
    OC_TRY(oc_allocate(&solver->split, inner, sizeof *solver->split));
    OC_TRY(oc_allocate_large(&solver->splits, inner * intervals + OC_PAST_END, sizeof *solver->splits));
    for (size_t i = 0; i < inner; i++)
        solver->split[i] = solver->splits + i * intervals;
    OC_TRY(oc_allocate(&solver->turn, inner, sizeof *solver->turn));
    OC_TRY(oc_allocate(&solver->first_turn, inner, sizeof *solver->first_turn));
    OC_TRY(plan(solver, aggregation));
    OC_TRY(oc_allocate(&solver->spare, solver->bundle_count, sizeof *solver->spare));
    solver->ready = true;
    return OCELOTL_OK;
}

ocelotl_status oc_solver_run(oc_solver *solver, const ocelotl_aggregation *aggregation, oc_weight weight)
{
    struct run run = {.solver = solver, .aggregation = aggregation};
    OC_TRY(prepare(solver, aggregation));
    solver->weight = weight;
    memcpy(solver->turn, solver->first_turn, aggregation->nodes.inner_count * sizeof *solver->turn);
    for (uint32_t i = 0; i < aggregation->threads; i++)
        solver->workers[i].cuts = solver->workers[i].spared = 0;
    report(&run);
    omp_init_lock(&run.lock);
    if (!run.cancelled)
        solve_heights(&run);
    omp_destroy_lock(&run.lock);
    if (run.cancelled)
        return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled after %llu nodes of %u", (unsigned long long)run.done,
                       aggregation->nodes.count);
    return run.failed ? oc_fail_memory() : OCELOTL_OK;
}
