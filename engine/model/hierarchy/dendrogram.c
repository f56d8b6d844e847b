#include "model/hierarchy/dendrogram.h"

#include "base/machine.h"
#include "base/memory.h"

#include <ocelotl/writer.h>

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The sum of x log2 x for x = a + b, which are >= 0. Exact to 2^-40 or so of its terms. */
static double sum_logs(const double *a, const double *b, size_t width)
{
    double sums[OC_DENDROGRAM_LANES] = {0};
    for (size_t i = 0; i < width; i += OC_DENDROGRAM_LANES) {
        double x[OC_DENDROGRAM_LANES];
        uint64_t bits[OC_DENDROGRAM_LANES];
        uint64_t exponents[OC_DENDROGRAM_LANES];
        double m[OC_DENDROGRAM_LANES];
        double whole[OC_DENDROGRAM_LANES];
        for (int lane = 0; lane < OC_DENDROGRAM_LANES; lane++)
            x[lane] = a[i + (size_t)lane] + b[i + (size_t)lane] +
                      0x1p-1000; /* 0 has a logarithm, times nothing */
        memcpy(bits, x, sizeof bits);
        for (int lane = 0; lane < OC_DENDROGRAM_LANES; lane++) {
            /* x = 2^k m with m from sqrt(1/2) to sqrt(2); 1.5 * 2^52 + k is k in its bits. */
            /* 0x3FF0... - bits of sqrt(1/2) */
            const uint64_t shifted = bits[lane] + 0x95F619980C433;
            exponents[lane] = (shifted >> 52) | 0x4330000000000000;
            bits[lane] = (shifted & 0xFFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD;
        }
        memcpy(m, bits, sizeof m);
        memcpy(whole, exponents, sizeof whole);
        for (int lane = 0; lane < OC_DENDROGRAM_LANES; lane++) {
            const double s = (m[lane] - 1) / (m[lane] + 1);
            const double q = s * s;
            const double series =
                1 + q * (1.0 / 3 +
                         q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 + q / 13)))));
            const double k = whole[lane] - (0x1p52 + 1023);
            sums[lane] += x[lane] * (k + 2.8853900817779268147 * s * series);
        }
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double oc_own_logs(const double *row, size_t width, double size)
{
    double own = 0;
    for (size_t i = 0; i < width; i++)
        own += row[i] > 0 ? row[i] * log2(row[i] / size) : 0;
    return own;
}

double oc_join_loss(const oc_summed_row *a, const oc_summed_row *b, size_t width)
{
    const double logs = sum_logs(a->sums, b->sums, width);
    const double total = a->total + b->total;
    const double both = logs - total * log2(a->size + b->size);
    const double loss = a->own + b->own - both;
    /* Rounding is no difference. */
    return loss > 0x1p-34 * total ? loss : 0;
}

/* Added-up sums lose no more by a join than each sum by itself. So short rows, with sums of this
 * many, already rule out most pairs as the nearest. */
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
    uint32_t *living; /* numbers of the clusters that remain, in order */
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

/* Chooses the threads: one if more would be no quicker. */
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

/* Floats that are added up side by side. */
enum { FLOATS = 16 };

/* Squared distances below are rounding; coordinates are at most 1. */
static const float rounding = 0x1p-36F;

typedef struct oc_points {
    float *at;
    size_t width; /* a multiple of FLOATS */
    uint32_t count;
    const double *sizes;
    float *distance;   /* of each, squared, to the nearest centre */
    uint32_t *nearest; /* its number */
    uint32_t centres, most;
    float *centre; /* where they are */
} oc_points;

static float squared_distance(const float *a, const float *b, size_t width)
{
    float sums[FLOATS] = {0};
    for (size_t i = 0; i < width; i += FLOATS)
        for (int lane = 0; lane < FLOATS; lane++) {
            const float apart = a[i + (size_t)lane] - b[i + (size_t)lane];
            sums[lane] += apart * apart;
        }
    for (int half = FLOATS / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++)
            sums[lane] += sums[lane + half];
    return sums[0];
}

static void place(oc_points *points, const double *rows, size_t width)
{
    double largest = 0;
    for (uint32_t p = 0; p < points->count; p++)
        for (size_t i = 0; i < width; i++)
            largest = fmax(largest, rows[p * width + i] / points->sizes[p]);
    const double scale = largest > 0 ? 1 / largest : 0;
    for (uint32_t p = 0; p < points->count; p++)
        for (size_t i = 0; i < width; i++)
            points->at[p * points->width + i] =
                (float)sqrt(rows[p * width + i] / points->sizes[p] * scale);
}

/* Points that are nearer to a centre than to those before go there. */
static void offer(oc_points *points, uint32_t centre)
{
    const float *at = points->centre + centre * points->width;
    for (uint32_t p = 0; p < points->count; p++) {
        const float distance = squared_distance(points->at + p * points->width, at, points->width);
        if (centre == 0 || distance < points->distance[p]) {
            points->distance[p] = distance;
            points->nearest[p] = centre;
        }
    }
}

/* The point that the centres serve worst; OCELOTL_NONE where all are at a centre. */
static uint32_t find_farthest(const oc_points *points)
{
    uint32_t farthest = OCELOTL_NONE;
    double most = 0;
    for (uint32_t p = 0; p < points->count; p++)
        if (points->distance[p] > rounding && points->distance[p] * points->sizes[p] > most) {
            most = points->distance[p] * points->sizes[p];
            farthest = p;
        }
    return farthest;
}

static void choose_centres(oc_points *points)
{
    for (uint32_t p = 0; p != OCELOTL_NONE && points->centres < points->most;
         p = find_farthest(points)) {
        memcpy(points->centre + points->centres * points->width, points->at + p * points->width,
               points->width * sizeof *points->at);
        offer(points, points->centres++);
    }
}

/* A centre of one point stays where it is. */
static void move_centres(oc_points *points, double *sums, double *weights)
{
    const size_t width = points->width;
    for (uint32_t p = 0; p < points->count; p++) {
        double *sum = sums + points->nearest[p] * width;
        weights[points->nearest[p]] += points->sizes[p];
        for (size_t i = 0; i < width; i++)
            sum[i] += points->sizes[p] * (double)points->at[p * width + i];
    }
    for (uint32_t c = 0; c < points->centres; c++)
        for (size_t i = 0; i < width && weights[c] > 0; i++)
            points->centre[c * width + i] = (float)(sums[c * width + i] / weights[c]);
    for (uint32_t c = 0; c < points->centres; c++)
        offer(points, c);
}

static ocelotl_status gather(uint32_t *near, oc_points *points, const double *rows, size_t width)
{
    OC_TRY(oc_allocate(&points->at, points->count, points->width * sizeof *points->at));
    OC_TRY(oc_allocate(&points->distance, points->count, sizeof *points->distance));
    OC_TRY(oc_allocate(&points->nearest, points->count, sizeof *points->nearest));
    OC_TRY(oc_allocate(&points->centre, points->most, points->width * sizeof *points->centre));
    place(points, rows, width);
    choose_centres(points);
    if (points->centres == points->most) {
        double *sums;
        OC_TRY(oc_allocate(&sums, points->centres, (points->width + 1) * sizeof *sums));
        move_centres(points, sums, sums + points->centres * points->width);
        free(sums);
    }
    uint32_t *first;
    OC_TRY(oc_allocate(&first, points->centres, sizeof *first));
    for (uint32_t p = points->count; p-- > 0;)
        first[points->nearest[p]] = p;
    for (uint32_t p = 0; p < points->count; p++)
        near[p] = first[points->nearest[p]];
    free(first);
    return OCELOTL_OK;
}

ocelotl_status oc_gather(uint32_t *near, const double *rows, const double *sizes, uint32_t count,
                         size_t width, uint32_t most)
{
    oc_points points = {.count = count, .sizes = sizes, .most = most};
    points.width = (width + FLOATS - 1) / FLOATS * FLOATS;
    const ocelotl_status status = gather(near, &points, rows, width);
    free(points.at);
    free(points.distance);
    free(points.nearest);
    free(points.centre);
    return status;
}

/* At most this many rows are compared pair by pair; more rows are gathered into clusters first. */
enum { MOST_COMPARED = 128 };

/* Clusters that are left, in the order of their first rows. */
typedef struct oc_left {
    oc_summed_row *clusters; /* by number; one that was joined to another has size 0 */
    uint32_t *rows;          /* which each is called after */
    double *loss;            /* count x count: of joining one with a later one */
    uint32_t count, left;
    size_t width;
    oc_cluster_join *joins; /* of cluster numbers, all */
} oc_left;

static void sum_up(oc_summed_row *cluster, size_t width)
{
    cluster->total = 0;
    for (size_t i = 0; i < width; i++)
        cluster->total += cluster->sums[i];
    cluster->own = oc_own_logs(cluster->sums, width, cluster->size);
}

/* Compares a cluster with those of higher numbers. */
static void compare(oc_left *left, uint32_t cluster, uint32_t from)
{
    for (uint32_t other = from; other < left->count; other++) {
        const uint32_t a = cluster < other ? cluster : other;
        const uint32_t b = cluster < other ? other : cluster;
        if (a != b && left->clusters[other].size > 0)
            left->loss[(size_t)a * left->count + b] =
                oc_join_loss(&left->clusters[a], &left->clusters[b], left->width);
    }
}

/* Finds the nearest two; among equals the lowest numbers. */
static oc_cluster_join find_nearest_left(const oc_left *left)
{
    oc_cluster_join nearest = {OCELOTL_NONE, OCELOTL_NONE, 0};
    for (uint32_t a = 0; a < left->count; a++)
        for (uint32_t b = a + 1; b < left->count && left->clusters[a].size > 0; b++) {
            const double loss = left->loss[(size_t)a * left->count + b];
            if (left->clusters[b].size > 0 &&
                (nearest.first == OCELOTL_NONE || loss < nearest.loss))
                nearest = (oc_cluster_join){a, b, loss};
        }
    return nearest;
}

/* `rows` are where the sums of the first one are. */
static void join_left(oc_left *left, const oc_cluster_join *nearest, double *rows)
{
    oc_summed_row *first = &left->clusters[nearest->first];
    oc_summed_row *second = &left->clusters[nearest->second];
    double *to = rows + (size_t)left->rows[nearest->first] * left->width;
    for (size_t i = 0; i < left->width; i++)
        to[i] += second->sums[i];
    first->size += second->size;
    second->size = 0;
    sum_up(first, left->width);
    compare(left, nearest->first, 0);
}

static ocelotl_status join_all(oc_left *left, double *rows, ocelotl_progress progress,
                               void *progress_context)
{
    const uint32_t joins = left->count - 1;
    for (uint32_t c = 0; c < left->count; c++)
        compare(left, c, c + 1);
    for (uint32_t made = 0; made < joins; made++) {
        if (progress != NULL && !progress(progress_context, made, joins))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled with %u clusters left of %u",
                           left->count - made, left->count);
        left->joins[made] = find_nearest_left(left);
        join_left(left, &left->joins[made], rows);
    }
    return OCELOTL_OK;
}

/* Gives all rows the sums of the ones they are gathered around, and lists these. */
static void list_clusters(oc_left *left, const uint32_t *near, double *rows, double *sizes,
                          uint32_t count)
{
    for (uint32_t r = 0; r < count; r++) {
        if (near[r] == r) {
            left->rows[left->count++] = r;
            continue;
        }
        for (size_t i = 0; i < left->width; i++)
            rows[near[r] * left->width + i] += rows[r * left->width + i];
        sizes[near[r]] += sizes[r];
    }
    for (uint32_t c = 0; c < left->count; c++) {
        const uint32_t r = left->rows[c];
        left->clusters[c] = (oc_summed_row){.sums = rows + r * left->width, .size = sizes[r]};
        sum_up(&left->clusters[c], left->width);
    }
}

/* Makes the joins that are not reported: each row ends up in the cluster named after its first row.
 * `cluster` holds the row that each row was gathered around, never a later one. */
static void name_clusters(uint32_t *cluster, oc_left *left, uint32_t count, uint32_t untold)
{
    for (uint32_t j = untold; j-- > 0;)
        left->rows[left->joins[j].second] = left->rows[left->joins[j].first];
    for (uint32_t r = 0, c = 0; r < count; r++)
        cluster[r] = cluster[r] == r ? left->rows[c++] : cluster[cluster[r]];
}

/* Reports the joins; those that lose nothing come first and are left out. */
static uint32_t tell(oc_cluster_join *joins, const oc_left *left, uint32_t untold)
{
    const uint32_t all = left->count - 1;
    for (uint32_t j = untold; j < all; j++) {
        const oc_cluster_join *made = &left->joins[j];
        joins[j - untold] =
            (oc_cluster_join){left->rows[made->first], left->rows[made->second], made->loss};
    }
    return all - untold;
}

static uint32_t count_untold(const oc_left *left, uint32_t most)
{
    const uint32_t all = left->count - 1;
    uint32_t untold = all > most ? all - most : 0;
    while (untold < all && !(left->joins[untold].loss > 0))
        untold++;
    return untold;
}

static ocelotl_status find(oc_left *left, uint32_t *cluster, double *rows, double *sizes,
                           uint32_t count, ocelotl_progress progress, void *progress_context)
{
    const uint32_t most = count < MOST_COMPARED ? count : MOST_COMPARED;
    OC_TRY(oc_allocate(&left->clusters, most, sizeof *left->clusters));
    OC_TRY(oc_allocate(&left->rows, most, sizeof *left->rows));
    OC_TRY(oc_allocate(&left->joins, most, sizeof *left->joins));
    for (uint32_t r = 0; r < count; r++)
        cluster[r] = r;
    if (count > most)
        OC_TRY(oc_gather(cluster, rows, sizes, count, left->width, most));
    list_clusters(left, cluster, rows, sizes, count);
    OC_TRY(oc_allocate(&left->loss, left->count, left->count * sizeof *left->loss));
    return join_all(left, rows, progress, progress_context);
}

ocelotl_status oc_dendrogram_last(oc_cluster_join *joins, uint32_t *join_count, uint32_t *cluster,
                                  double *rows, double *sizes, uint32_t count, size_t width,
                                  uint32_t most, ocelotl_progress progress, void *progress_context)
{
    oc_left left = {.width = width};
    const ocelotl_status status =
        find(&left, cluster, rows, sizes, count, progress, progress_context);
    if (status == OCELOTL_OK) {
        const uint32_t untold = count_untold(&left, most);
        *join_count = tell(joins, &left, untold);
        name_clusters(cluster, &left, count, untold);
    }
    free(left.clusters);
    free(left.rows);
    free(left.loss);
    free(left.joins);
    return status;
}
