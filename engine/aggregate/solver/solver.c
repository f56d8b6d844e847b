/* The best values of one node over some slices, and of all nodes. */
#include "aggregate/solver/solver.h"

#include "aggregate/problem/problem.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* --- One node over some slices */

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

/* Allocates the matrices for windows of up to `count` slices, except that of the whole. */
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
    const bool stored = aggregation->stored_count == aggregation->own_count;
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
        .reach = window->reach,
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

/* All cuts of all intervals of so many slices. */
static uint64_t cuts_of(uint64_t slices)
{
    return slices * (slices * slices - 1) / 6;
}

/* Fills a window, all but the best. Its node and slices are given. `split` is what its children are
 * worth together, as packed intervals of all slices; NULL for a leaf. The window is the worker's
 * until its next one. */
static ocelotl_status fill_window(oc_window *window, oc_worker *worker,
                                  const ocelotl_aggregation *aggregation, oc_weight weight,
                                  const double *split, bool with_whole)
{
    const uint32_t count = window->count;
    OC_TRY(get_ready(worker, aggregation));
    if (with_whole && worker->whole == NULL)
        OC_TRY(oc_allocate_aligned(&worker->whole, rows_of(worker->capacity),
                                   stride_of(worker->capacity) * sizeof(double)));
    window->stride = stride_of(count);
    window->uncut = worker->uncut;
    window->whole = with_whole ? worker->whole : NULL;
    OC_TRY(find_losses(&window->loss, worker, aggregation, window->node, window->first, count));
    fill_uncut(window, worker, aggregation, weight, split);
    /* where nothing is lost, no cut gains anything */
    window->best = oc_loses_nothing(&window->loss, count) ? worker->uncut : NULL;
    window->tried = 0;
    worker->cuts += cuts_of(count);
    return OCELOTL_OK;
}

/* Counts what was tried of a window: in all, whatever was tried of it before. */
static void count_tried(oc_window *window, oc_worker *worker, uint64_t tried)
{
    worker->tried += tried - window->tried;
    window->tried = tried;
}

void oc_solver_cut(oc_window *window, oc_worker *worker, const ocelotl_aggregation *aggregation)
{
    oc_cuts cuts = {.count = window->count,
                    .stride = window->stride,
                    .uncut = worker->uncut,
                    .best = worker->best,
                    .strip = worker->strip,
                    .margin = worker->margin,
                    .candidate = worker->candidate,
                    .candidate_count = worker->candidate_count,
                    .reach = window->reach};
    if (window->best != NULL)
        return;
    aggregation->vector->cut(&cuts);
    window->best = worker->best;
    count_tried(window, worker, cuts_of(window->count) - cuts.spared);
}

void oc_solver_cut_end(double *column, oc_window *window, oc_worker *worker,
                       const ocelotl_aggregation *aggregation, uint32_t begin, uint32_t last)
{
    const uint64_t length = last - begin;
    if (window->best == NULL) {
        aggregation->vector->cut_end(column, window->uncut, window->stride, begin, last);
        count_tried(window, worker, window->tried + length * (length + 1) / 2);
        return;
    }
    for (uint32_t i = begin; i <= last; i++)
        column[i] = window->best[i * window->stride + last];
}

/* --- All nodes */

/* About how many bundles a height is divided into. */
#define BUNDLES 64

/* A bundle holds children in a row, and is one of the partial sums of its parent (pairs.h) where
 * none is missing. */
static ocelotl_status add_bundle(oc_bundles *bundles, const oc_nodes *nodes, uint32_t place,
                                 uint32_t widest, size_t begun)
{
    const uint32_t node = nodes->by_height[place];
    const size_t b = bundles->count;
    const oc_bundle *last = b > begun ? &bundles->bundle[b - 1] : NULL;
    const uint32_t before = last != NULL ? nodes->by_height[last->end - 1] : 0;
    if (last != NULL && last->end == place && nodes->parent[before] == nodes->parent[node] &&
        nodes->ordinal[before] + 1 == nodes->ordinal[node] && nodes->ordinal[node] % widest != 0) {
        bundles->bundle[b - 1].end++;
        return OCELOTL_OK;
    }
    OC_TRY(oc_grow(&bundles->bundle, &bundles->capacity, b + 1, sizeof *bundles->bundle));
    bundles->bundle[bundles->count++] = (oc_bundle){place, place + 1};
    return OCELOTL_OK;
}

static uint32_t power_of_two_below(uint32_t number)
{
    uint32_t power = 1;
    while (power <= number / 2)
        power *= 2;
    return power;
}

/* Bundles of siblings that follow each other in by_height, height by height. What is below a node
 * that loses nothing over all slices is never a part, and no split gains anything. */
static ocelotl_status fill_bundles(oc_bundles *bundles, const ocelotl_aggregation *aggregation)
{
    const oc_nodes *nodes = &aggregation->nodes;
    for (uint32_t height = 0; height + 1 < nodes->height_count; height++) {
        const uint32_t begin = nodes->height_first[height];
        const uint32_t end = nodes->height_first[height + 1];
        const uint32_t widest = power_of_two_below((end - begin) / BUNDLES);
        bundles->height_first[height] = bundles->count;
        for (uint32_t i = begin; i < end; i++)
            if (!aggregation->lossless[nodes->parent[nodes->by_height[i]]] &&
                oc_is_own(aggregation, nodes->by_height[i]))
                OC_TRY(add_bundle(bundles, nodes, i, widest, bundles->height_first[height]));
    }
    bundles->height_first[nodes->height_count - 1] = bundles->count;
    return OCELOTL_OK;
}

/* What the threads of one run share. */
struct run {
    oc_work work;
    oc_solver *solver;
    const ocelotl_aggregation *aggregation;
    oc_summing summing;
    omp_lock_t lock;       /* held while sums are added that threads hand over, */
    omp_lock_t spare_lock; /* and while memory changes hands */
};

static void free_partials(oc_partials *partials, size_t count)
{
    for (size_t i = 0; partials != NULL && i < count; i++) {
        while (partials[i].count > 0)
            free(partials[i].list[--partials[i].count].sum);
        free(partials[i].list);
    }
    free(partials);
}

void oc_solver_free(oc_solver *solver, const ocelotl_aggregation *aggregation)
{
    if (solver == NULL)
        return;
    for (uint32_t i = 0; solver->workers != NULL && i < aggregation->threads; i++)
        oc_worker_free(&solver->workers[i]);
    free(solver->workers);
    free(solver->split);
    free(solver->splits);
    free_partials(solver->waiting, aggregation->nodes.inner_count);
    free_partials(solver->own, aggregation->threads);
    for (void *next; solver->spare != NULL; solver->spare = next) {
        memcpy(&next, solver->spare, sizeof next);
        free(solver->spare);
    }
    free(solver->bundles.bundle);
    free(solver->bundles.height_first);
    free(solver->reaches);
    free(solver);
}

ocelotl_status oc_solver_look(oc_window *window, const oc_solver *solver, oc_worker *worker,
                              const ocelotl_aggregation *aggregation, bool with_whole)
{
    const oc_nodes *nodes = &aggregation->nodes;
    const bool leaf = oc_nodes_is_leaf(nodes, window->node);
    const double *split = leaf ? NULL : solver->split[nodes->inner[window->node]];
    return fill_window(window, worker, aggregation, solver->weight, split, with_whole && !leaf);
}

/* How many sums one pass adds to: each pass over a table takes as long as its additions. */
enum { MOST_AT_ONCE = 3 };

/* Adds the best of a node to packed intervals, first[0], what comes of it to first[1], and so on;
 * the last one has the sum of all. */
static void add_best(double *const *sums, uint32_t count, const oc_window *window)
{
    for (uint32_t i = 0; i < window->count; i++) {
        const double *restrict best = window->best + i * window->stride + i;
        const size_t at = oc_row(window->count, i);
        const uint32_t length = window->count - i;
        double *restrict last = sums[count - 1] + at;
        const double *restrict first = sums[0] + at;
        const double *restrict second = sums[count > 1 ? 1 : 0] + at;
        if (count == 1)
            for (uint32_t j = 0; j < length; j++)
                last[j] += best[j];
        else if (count == 2)
            for (uint32_t j = 0; j < length; j++)
                last[j] += first[j] + best[j];
        else
            for (uint32_t j = 0; j < length; j++)
                last[j] += second[j] + (first[j] + best[j]);
    }
}

/* Makes packed intervals the best of a node. */
static void copy_best(double *to, const oc_window *window)
{
    for (uint32_t i = 0; i < window->count; i++)
        memcpy(to + oc_row(window->count, i), window->best + i * window->stride + i,
               (window->count - i) * sizeof *to);
}

static void add_packed(double *restrict sum, const double *restrict addend, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum[i] += addend[i];
}

/* Memory for a sum: that of one that was added, or new. */
static ocelotl_status take_memory(struct run *run, void **sum)
{
    oc_solver *solver = run->solver;
    omp_set_lock(&run->spare_lock);
    *sum = solver->spare;
    if (*sum != NULL)
        memcpy(&solver->spare, *sum, sizeof solver->spare);
    omp_unset_lock(&run->spare_lock);
    return *sum != NULL
               ? OCELOTL_OK
               : oc_allocate(sum, oc_intervals(run->aggregation->slices) + 1, sizeof(double));
}

static void give_memory_up(void *context, void *sum)
{
    struct run *run = context;
    omp_set_lock(&run->spare_lock);
    memcpy(sum, &run->solver->spare, sizeof run->solver->spare);
    run->solver->spare = sum;
    omp_unset_lock(&run->spare_lock);
}

static ocelotl_status add_sums(void *context, void *sum, void *right)
{
    const struct run *run = context;
    add_packed(sum, right, oc_intervals(run->aggregation->slices));
    give_memory_up(context, right);
    return OCELOTL_OK;
}

static ocelotl_status send_sum(void *context, const ocelotl_exchange *exchange, uint32_t to,
                               const void *sum)
{
    const struct run *run = context;
    const size_t length = oc_intervals(run->aggregation->slices) * sizeof(double);
    return exchange->send(exchange->context, to, sum, length);
}

static ocelotl_status receive_sum(void *context, const ocelotl_exchange *exchange, uint32_t from,
                                  void **sum)
{
    struct run *run = context;
    const size_t length = oc_intervals(run->aggregation->slices) * sizeof(double);
    OC_TRY(take_memory(run, sum));
    return exchange->receive(exchange->context, from, *sum, length);
}

/* --- How far leaves can be best whole */

/* Numbers that tell the reach of so many leaves. */
static size_t reach_of(const ocelotl_aggregation *aggregation, uint32_t leaves)
{
    return (size_t)leaves * (rows_of(aggregation->slices) / OC_ROWS);
}

static size_t reach_of_all(const ocelotl_aggregation *aggregation)
{
    return reach_of(aggregation, aggregation->leaf_count);
}

/* Chooses the reach of the least p that is no less than this one, and the oldest to be replaced. */
static void choose_reaches(oc_solver *solver, const ocelotl_aggregation *aggregation,
                           oc_weight weight)
{
    const size_t size = reach_of_all(aggregation);
    double least = INFINITY;
    solver->reach = solver->new_reach = NULL;
    if (weight.limit)
        return;
    for (size_t i = 0; i < OC_REACHES; i++)
        if (solver->reach_p[i] >= weight.p && solver->reach_p[i] < least) {
            least = solver->reach_p[i];
            solver->reach = solver->reaches + i * size;
        }
    solver->oldest = (solver->oldest + 1) % OC_REACHES;
    solver->new_reach = solver->reaches + solver->oldest * size;
    solver->reach_p[solver->oldest] = 0;
}

/* Notes how far a leaf can be best whole: as the left side of a cut, up to the last candidate.
 *
 * Proof that what is beyond at q is so at every p < q: whole = p M - loss, and so is each part of
 * the best at q. Their M together is less than that of the whole, as X log n of shorter parts is,
 * by a share of 1.4 / (count log n): far more than the rounding of M, as all are sums of the same
 * totals. So from q down to p the whole falls by more than those parts, and is worse by no less
 * than at q. That is 4 times what rounding can make at q (fill_uncut), more than twice that at p,
 * whose rounding is no more: there it is neither the best nor the left side of a best cut.
 *
 * Of an inner node this does not hold to the bit, as children are summed in another order. Rows
 * that hold nothing have no margin, and what loses nothing is not cut: both reach everywhere. */
static void note_reach(uint32_t *reach, const oc_worker *worker, const oc_window *window)
{
    const uint32_t count = window->count;
    for (uint32_t group = 0; group * OC_ROWS < count; group++) {
        const bool anywhere =
            window->best == window->uncut || worker->margin[group * OC_ROWS + OC_ROWS - 1] <= 0;
        const uint32_t *candidate = worker->candidate + (size_t)group * count;
        reach[group] = anywhere ? count - 1 : candidate[worker->candidate_count[group] - 1];
    }
}

/* Adds a node's best to those of its bundle, with the sums that are complete by it. */
static ocelotl_status add_node(struct run *run, oc_partials *own, const oc_window *window)
{
    const oc_nodes *nodes = &run->aggregation->nodes;
    double *sums[MOST_AT_ONCE] = {NULL};
    uint32_t level = 0;
    oc_partial partial = {0, nodes->ordinal[window->node], NULL};
    for (; level < MOST_AT_ONCE && partial.index % 2 == 1 && own->count > 0; level++) {
        const oc_partial *last = &own->list[own->count - 1];
        if (last->level != level || last->index != partial.index - 1)
            break;
        sums[level] = last->sum;
        partial = (oc_partial){level + 1, partial.index / 2, last->sum};
        own->count--;
    }
    if (level == 0) {
        OC_TRY(take_memory(run, &partial.sum));
        copy_best(partial.sum, window);
    } else {
        add_best(sums, level, window);
    }
    for (uint32_t i = 0; i + 1 < level; i++)
        give_memory_up(run, sums[i]);
    return oc_partials_take(own, &run->summing, partial,
                            nodes->child_count[nodes->parent[window->node]]);
}

/* Solves some siblings and adds them up. */
static ocelotl_status solve_bundle(struct run *run, int thread, const oc_bundle *bundle)
{
    const ocelotl_aggregation *aggregation = run->aggregation;
    oc_worker *worker = &run->solver->workers[thread];
    for (uint32_t i = bundle->begin; i < bundle->end; i++) {
        const uint32_t node = aggregation->nodes.by_height[i];
        oc_window window = {.node = node, .first = 0, .count = aggregation->slices};
        const bool leaf = oc_nodes_is_leaf(&aggregation->nodes, node);
        const size_t place =
            reach_of(aggregation, aggregation->nodes.leaf_first[node] - aggregation->first_leaf);
        if (leaf && run->solver->reach != NULL)
            window.reach = run->solver->reach + place;
        OC_TRY(oc_solver_look(&window, run->solver, worker, aggregation, false));
        oc_solver_cut(&window, worker, aggregation);
        if (leaf && run->solver->new_reach != NULL)
            note_reach(run->solver->new_reach + place, worker, &window);
        OC_TRY(add_node(run, &run->solver->own[thread], &window));
    }
    return OCELOTL_OK;
}

/* What the children of a node are worth together, once all are added. */
static void keep_whole(struct run *run, uint32_t node)
{
    const oc_nodes *nodes = &run->aggregation->nodes;
    oc_partials *waiting = &run->solver->waiting[nodes->inner[node]];
    if (!oc_partials_are_whole(waiting, nodes->child_count[node]))
        return;
    memcpy(run->solver->split[nodes->inner[node]], waiting->list[0].sum,
           oc_intervals(run->aggregation->slices) * sizeof(double));
    oc_partials_clear(waiting, &run->summing);
}

/* Adds what a thread's bundle is worth to what waits of its parent. */
static ocelotl_status hand_over(struct run *run, int thread, const oc_bundle *bundle)
{
    const oc_nodes *nodes = &run->aggregation->nodes;
    const uint32_t parent = nodes->parent[nodes->by_height[bundle->begin]];
    oc_partials *own = &run->solver->own[thread];
    ocelotl_status status = OCELOTL_OK;
    omp_set_lock(&run->lock);
    while (own->count > 0 && status == OCELOTL_OK)
        status = oc_partials_take(&run->solver->waiting[nodes->inner[parent]], &run->summing,
                                  own->list[--own->count], nodes->child_count[parent]);
    if (oc_sharing_of(run->aggregation, parent) == NULL)
        keep_whole(run, parent);
    omp_unset_lock(&run->lock);
    return status;
}

/* Nodes of a height that ranks share: brings to those who have them what all know of their
 * children. A node that loses nothing is not asked for them. */
static ocelotl_status exchange_height(struct run *run, uint32_t height)
{
    const ocelotl_aggregation *aggregation = run->aggregation;
    const oc_nodes *nodes = &aggregation->nodes;
    for (uint32_t i = nodes->height_first[height];
         aggregation->sharing != NULL && i < nodes->height_first[height + 1]; i++) {
        const uint32_t node = nodes->by_height[i];
        const oc_sharing *sharing = aggregation->sharing[node];
        if (sharing == NULL || aggregation->lossless[node])
            continue;
        OC_TRY(oc_partials_exchange(&run->solver->waiting[nodes->inner[node]], &run->summing,
                                    nodes->child_count[node], &sharing->team.exchange));
        if (oc_is_own(aggregation, node))
            keep_whole(run, node);
    }
    return OCELOTL_OK;
}

/* Bundles of one height at once. */
static void solve_heights(struct run *run)
{
    const ocelotl_aggregation *aggregation = run->aggregation;
    const oc_bundles *bundles = &run->solver->bundles;
    const double slices = aggregation->slices;
    const double additions = aggregation->nodes.count * slices * slices * (slices + 30) / 6;
#pragma omp parallel num_threads(oc_threads_for(aggregation, additions))
    {
        const int thread = omp_get_thread_num();
        for (uint32_t height = 0; height + 1 < aggregation->nodes.height_count; height++) {
#pragma omp for schedule(dynamic)
            for (size_t b = bundles->height_first[height]; b < bundles->height_first[height + 1];
                 b++) {
                const oc_bundle *bundle = &bundles->bundle[b];
                if (oc_work_is_stopped(&run->work))
                    continue;
                ocelotl_status status = solve_bundle(run, thread, bundle);
                if (status == OCELOTL_OK)
                    status = hand_over(run, thread, bundle);
                oc_first_failure_keep(&run->work.failure, status);
                oc_work_done(&run->work, bundle->end - bundle->begin);
            }
#pragma omp master
            if (!oc_work_is_stopped(&run->work))
                oc_first_failure_keep(&run->work.failure, exchange_height(run, height + 1));
#pragma omp barrier
        }
    }
}

/* Prepares the solver before its first solve. */
static ocelotl_status prepare(oc_solver *solver, const ocelotl_aggregation *aggregation)
{
    const size_t inner = aggregation->nodes.inner_count;
    const size_t intervals = oc_intervals(aggregation->slices);
    if (solver->ready)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&solver->workers, aggregation->threads, sizeof *solver->workers));
    OC_TRY(oc_allocate(&solver->own, aggregation->threads, sizeof *solver->own));
    OC_TRY(oc_allocate(&solver->waiting, inner, sizeof *solver->waiting));
    OC_TRY(oc_allocate(&solver->bundles.height_first, aggregation->nodes.height_count,
                       sizeof *solver->bundles.height_first));
    OC_TRY(fill_bundles(&solver->bundles, aggregation));
    OC_TRY(oc_allocate(&solver->split, inner, sizeof *solver->split));
    OC_TRY(oc_allocate_large(&solver->splits, aggregation->inner_count * (intervals + OC_PAST_END),
                             sizeof *solver->splits));
    double *next = solver->splits;
    for (uint32_t k = 0; k < aggregation->nodes.count; k++)
        if (!oc_nodes_is_leaf(&aggregation->nodes, k) && oc_is_own(aggregation, k)) {
            solver->split[aggregation->nodes.inner[k]] = next;
            next += intervals + OC_PAST_END;
        }
    OC_TRY(oc_allocate(&solver->reaches, reach_of_all(aggregation),
                       OC_REACHES * sizeof *solver->reaches));
    solver->ready = true;
    return OCELOTL_OK;
}

ocelotl_status oc_solver_run(oc_solver *solver, const ocelotl_aggregation *aggregation,
                             oc_weight weight)
{
    struct run run = {
        .work = {.aggregation = aggregation}, .solver = solver, .aggregation = aggregation};
    run.summing = (oc_summing){add_sums, send_sum, receive_sum, give_memory_up, &run};
    OC_TRY(prepare(solver, aggregation));
    solver->weight = weight;
    choose_reaches(solver, aggregation, weight);
    for (uint32_t i = 0; i < aggregation->threads; i++)
        solver->workers[i].cuts = solver->workers[i].tried = 0;
    oc_work_done(&run.work, 0);
    omp_init_lock(&run.lock);
    omp_init_lock(&run.spare_lock);
    if (!oc_work_is_stopped(&run.work))
        solve_heights(&run);
    omp_destroy_lock(&run.lock);
    omp_destroy_lock(&run.spare_lock);
    OC_TRY(oc_work_status(&run.work));
    if (solver->new_reach != NULL)
        solver->reach_p[solver->oldest] = weight.p;
    return OCELOTL_OK;
}
