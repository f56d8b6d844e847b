#include "model/hierarchy/dendrogram.h"
#include "model/hierarchy/join_loss.h"

#include "base/memory.h"
#include "base/thread.h"

#include <ocelotl/writer.h>

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Sums that are added up lose no more by a join than they do each by itself: short rows of sums of
 * these many tell of most pairs that they are not the nearest. */
#define ADDED_UP 8

/* Rows, and the sum of x log2 (x / size) of each. */
typedef struct oc_cluster_rows {
    double *rows;
    size_t width;
    double *own;
} oc_cluster_rows;

typedef struct oc_clusters {
    oc_cluster_rows whole, rough;
    double *sizes;
    double *total;    /* the sum of x */
    uint32_t *living; /* numbers of the clusters there are, in order */
    uint32_t count;   /* of these */
    double *loss;     /* of joining each with the one at hand */
    uint32_t *chain;  /* each one's nearest comes after it */
    uint32_t length;
    ocelotl_progress progress;
    void *progress_context;
} oc_clusters;

static void measure(oc_clusters *clusters, uint32_t cluster)
{
    const double *row = clusters->whole.rows + cluster * clusters->whole.width;
    double *rough = clusters->rough.rows + cluster * clusters->rough.width;
    double total = 0;
    memset(rough, 0, clusters->rough.width * sizeof *rough);
    for (size_t i = 0; i < clusters->whole.width; i++) {
        total += row[i];
        rough[i / ADDED_UP] += row[i];
    }
    clusters->total[cluster] = total;
    clusters->whole.own[cluster] =
        oc_own_logs(row, clusters->whole.width, clusters->sizes[cluster]);
    clusters->rough.own[cluster] =
        oc_own_logs(rough, clusters->rough.width, clusters->sizes[cluster]);
}

static double loss_of(const oc_clusters *clusters, const oc_cluster_rows *by, uint32_t a,
                      uint32_t b)
{
    const oc_summed_row first = {by->rows + a * by->width, clusters->sizes[a], clusters->total[a],
                                 by->own[a]};
    const oc_summed_row second = {by->rows + b * by->width, clusters->sizes[b], clusters->total[b],
                                  by->own[b]};
    return oc_join_loss(&first, &second, by->width);
}

/* One thread, where more would be no quicker. */
static int team_for(double work)
{
    return work > 1e5 ? oc_team_size(omp_get_max_threads()) : 1;
}

static void bound_losses(oc_clusters *clusters, uint32_t cluster)
{
    const double work = (double)clusters->count * (double)clusters->rough.width;
    const int threads = team_for(work);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t i = 0; i < clusters->count; i++)
        clusters->loss[i] = clusters->living[i] == cluster
                                ? (double)INFINITY
                                : loss_of(clusters, &clusters->rough, cluster, clusters->living[i]);
}

/* The nearest of a cluster, of equals the one before it in the chain, then the lowest. */
static uint32_t find_nearest(double *loss, oc_clusters *clusters, uint32_t cluster, uint32_t before)
{
    uint32_t nearest = before;
    uint32_t likely = 0;
    bound_losses(clusters, cluster);
    for (uint32_t i = 1; i < clusters->count; i++)
        likely = clusters->loss[i] < clusters->loss[likely] ? i : likely;
    *loss =
        before != OCELOTL_NONE ? loss_of(clusters, &clusters->whole, cluster, before) : INFINITY;
    const double enough =
        fmin(*loss, loss_of(clusters, &clusters->whole, cluster, clusters->living[likely]));
    const int threads = team_for((double)clusters->count * (double)clusters->whole.width);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (uint32_t i = 0; i < clusters->count; i++)
        if (clusters->loss[i] * (1 - 0x1p-20) <= enough)
            clusters->loss[i] = loss_of(clusters, &clusters->whole, cluster, clusters->living[i]);
    for (uint32_t i = 0; i < clusters->count; i++)
        if (clusters->loss[i] < *loss) {
            *loss = clusters->loss[i];
            nearest = clusters->living[i];
        }
    return nearest;
}

/* The second becomes part of the first. */
static void join(oc_clusters *clusters, uint32_t first, uint32_t second)
{
    double *to = clusters->whole.rows + first * clusters->whole.width;
    const double *from = clusters->whole.rows + second * clusters->whole.width;
    for (size_t i = 0; i < clusters->whole.width; i++)
        to[i] += from[i];
    clusters->sizes[first] += clusters->sizes[second];
    measure(clusters, first);
    uint32_t left = 0;
    for (uint32_t i = 0; i < clusters->count; i++)
        if (clusters->living[i] != second)
            clusters->living[left++] = clusters->living[i];
    clusters->count = left;
}

static uint64_t count_pairs(uint64_t rows)
{
    return rows * (rows - 1) / 2;
}

static ocelotl_status report(const oc_clusters *clusters, uint32_t all)
{
    const uint64_t total = count_pairs(all);
    if (clusters->progress != NULL &&
        !clusters->progress(clusters->progress_context, total - count_pairs(clusters->count),
                            total))
        return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled with %u clusters left of %u",
                       clusters->count, all);
    return OCELOTL_OK;
}

/* Losses fall along a chain, so it ends: with two that are each other's nearest. */
static ocelotl_status follow(oc_cluster_join *joins, oc_clusters *clusters)
{
    const uint32_t all = clusters->count;
    uint32_t made = 0;
    while (clusters->count > 1) {
        double loss;
        OC_TRY(report(clusters, all));
        if (clusters->length == 0)
            clusters->chain[clusters->length++] = clusters->living[0];
        const uint32_t last = clusters->chain[clusters->length - 1];
        const uint32_t before =
            clusters->length > 1 ? clusters->chain[clusters->length - 2] : OCELOTL_NONE;
        const uint32_t nearest = find_nearest(&loss, clusters, last, before);
        if (nearest != before) {
            clusters->chain[clusters->length++] = nearest;
            continue;
        }
        const uint32_t first = last < before ? last : before;
        const uint32_t second = last < before ? before : last;
        joins[made++] = (oc_cluster_join){first, second, loss};
        join(clusters, first, second);
        clusters->length -= 2;
    }
    return report(clusters, all);
}

static ocelotl_status run(oc_cluster_join *joins, oc_clusters *clusters)
{
    const uint32_t count = clusters->count;
    const size_t rough = (clusters->whole.width + ADDED_UP - 1) / ADDED_UP;
    clusters->rough.width =
        (rough + OC_DENDROGRAM_LANES - 1) / OC_DENDROGRAM_LANES * OC_DENDROGRAM_LANES;
    OC_TRY(oc_allocate(&clusters->rough.rows, count,
                       clusters->rough.width * sizeof *clusters->rough.rows));
    OC_TRY(oc_allocate(&clusters->rough.own, count, sizeof *clusters->rough.own));
    OC_TRY(oc_allocate(&clusters->whole.own, count, sizeof *clusters->whole.own));
    OC_TRY(oc_allocate(&clusters->total, count, sizeof *clusters->total));
    OC_TRY(oc_allocate(&clusters->living, count, sizeof *clusters->living));
    OC_TRY(oc_allocate(&clusters->loss, count, sizeof *clusters->loss));
    OC_TRY(oc_allocate(&clusters->chain, (size_t)count + 1, sizeof *clusters->chain));
    for (uint32_t i = 0; i < count; i++) {
        clusters->living[i] = i;
        measure(clusters, i);
    }
    return follow(joins, clusters);
}

ocelotl_status oc_dendrogram(oc_cluster_join *joins, double *rows, double *sizes, uint32_t count,
                             size_t width, ocelotl_progress progress, void *progress_context)
{
    oc_clusters clusters = {.whole = {.rows = rows, .width = width},
                            .sizes = sizes,
                            .count = count,
                            .progress = progress,
                            .progress_context = progress_context};
    const ocelotl_status status = run(joins, &clusters);
    free(clusters.whole.own);
    free(clusters.rough.own);
    free(clusters.rough.rows);
    free(clusters.total);
    free(clusters.living);
    free(clusters.loss);
    free(clusters.chain);
    return status;
}
