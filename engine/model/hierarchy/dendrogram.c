#include "model/hierarchy/dendrogram.h"

#include "base/machine.h"

#include <ocelotl/types.h>

#include <math.h>
#include <omp.h>
#include <stdint.h>
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

/* The sum of x log2 (x / size), x from 0 to 2^100. */
static double own_logs(const double *row, size_t width, double size)
{
    double own = 0;
    for (size_t i = 0; i < width; i++)
        own += row[i] > 0 ? row[i] * log2(row[i] / size) : 0;
    return own;
}

/* Rows added up in pieces of this many sums lose no more by a join than the rows themselves. So
 * short rows already rule out most pairs as the nearest. */
enum { ADDED_UP = 8 };

/* A cluster. Drawing the mean of n resources that add up to x costs x log2 n - x log2 x, plus a
 * constant; the loss of a join is the difference of these. The sums are kept so that a join needs
 * one new sum of logarithms. */
typedef struct cluster {
    uint32_t row;     /* that it is called after, where its sums are */
    double size;      /* resources; 0: it was joined to another */
    double total;     /* of the sums */
    double own[2];    /* the sum of x log2 (x / size) over the sums x, and of those added up */
    uint32_t nearest; /* the later one that it loses least with; OCELOTL_NONE: it is the last */
    double loss;      /* of joining these */
} cluster;

/* The clusters that are left, in the order of their rows. */
typedef struct clusters {
    const oc_summed_rows *rows;
    double *rough; /* by cluster: its sums added up */
    size_t rough_width;
    cluster *all;
    uint32_t count;
    oc_cluster_join *joins; /* of cluster numbers, all */
} clusters;

static double *sums_of(const clusters *of, uint32_t c, bool rough)
{
    return rough ? of->rough + c * of->rough_width
                 : of->rows->sums + of->all[c].row * of->rows->width;
}

static void measure(clusters *of, uint32_t c)
{
    const double *sums = sums_of(of, c, false);
    double *rough = sums_of(of, c, true);
    cluster *one = &of->all[c];
    one->total = 0;
    memset(rough, 0, of->rough_width * sizeof *rough);
    for (size_t i = 0; i < of->rows->width; i++) {
        one->total += sums[i];
        rough[i / ADDED_UP] += sums[i];
    }
    one->own[false] = own_logs(sums, of->rows->width, one->size);
    one->own[true] = own_logs(rough, of->rough_width, one->size);
}

/* What drawing two clusters as one loses beyond what each of them has lost; 0 where it is no more
 * than rounding. */
static double join_loss(const clusters *of, uint32_t a, uint32_t b, bool rough)
{
    const cluster *first = &of->all[a];
    const cluster *second = &of->all[b];
    const double logs = sum_logs(sums_of(of, a, rough), sums_of(of, b, rough),
                                 rough ? of->rough_width : of->rows->width);
    const double total = first->total + second->total;
    const double both = logs - total * log2(first->size + second->size);
    const double loss = first->own[rough] + second->own[rough] - both;
    return loss > 0x1p-34 * total ? loss : 0;
}

/* Makes a cluster the nearest of one before it, if it is. */
static void offer_cluster(clusters *of, uint32_t c, uint32_t later)
{
    cluster *one = &of->all[c];
    const double rounding = 0x1p-20 * one->loss + 0x1p-32 * (one->total + of->all[later].total);
    if (one->nearest != OCELOTL_NONE && join_loss(of, c, later, true) > one->loss + rounding)
        return;
    const double loss = join_loss(of, c, later, false);
    if (one->nearest == OCELOTL_NONE || loss < one->loss ||
        (loss <= one->loss && later < one->nearest)) {
        one->nearest = later;
        one->loss = loss;
    }
}

static void find_nearest(clusters *of, uint32_t c)
{
    of->all[c].nearest = OCELOTL_NONE;
    for (uint32_t later = c + 1; later < of->count; later++)
        if (of->all[later].size > 0)
            offer_cluster(of, c, later);
}

/* Chooses the threads: one if more would be no quicker. */
static int team_for(const clusters *of, double times)
{
    const double work = times * of->count * (double)of->rough_width;
    return work > 1e6 ? oc_team_size(omp_get_max_threads()) : 1;
}

/* The second becomes part of the first. */
static void join(clusters *of, uint32_t first, uint32_t second)
{
    double *to = sums_of(of, first, false);
    const double *from = sums_of(of, second, false);
    const int threads = team_for(of, 4);
    for (size_t i = 0; i < of->rows->width; i++)
        to[i] += from[i];
    of->all[first].size += of->all[second].size;
    of->all[second].size = 0;
    measure(of, first);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (uint32_t c = 0; c < of->count; c++) {
        const uint32_t nearest = of->all[c].nearest;
        if (!(of->all[c].size > 0))
            continue;
        if (c == first || nearest == first || nearest == second)
            find_nearest(of, c);
        else if (c < first)
            offer_cluster(of, c, first);
    }
}

static ocelotl_status join_all(clusters *of, ocelotl_progress progress, void *progress_context)
{
    const uint32_t joins = of->count - 1;
    const int threads = team_for(of, of->count);
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
    for (uint32_t c = 0; c < of->count; c++)
        find_nearest(of, c);
    for (uint32_t made = 0;; made++) {
        oc_cluster_join *least = &of->joins[made];
        if (progress != NULL && !progress(progress_context, made, joins))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled with %u clusters left of %u",
                           of->count - made, of->count);
        if (made == joins)
            return OCELOTL_OK;
        /* Among equals the lowest numbers come first. */
        *least = (oc_cluster_join){OCELOTL_NONE, OCELOTL_NONE, 0};
        for (uint32_t c = 0; c < of->count; c++)
            if (of->all[c].size > 0 && of->all[c].nearest != OCELOTL_NONE &&
                (least->first == OCELOTL_NONE || of->all[c].loss < least->loss))
                *least = (oc_cluster_join){c, of->all[c].nearest, of->all[c].loss};
        join(of, least->first, least->second);
    }
}

/* --- Gathering */

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

static void place(oc_points *points, const oc_summed_rows *rows)
{
    double largest = 0;
    for (uint32_t p = 0; p < points->count; p++)
        for (size_t i = 0; i < rows->width; i++)
            largest = fmax(largest, rows->sums[p * rows->width + i] / points->sizes[p]);
    const double scale = largest > 0 ? 1 / largest : 0;
    for (uint32_t p = 0; p < points->count; p++)
        for (size_t i = 0; i < rows->width; i++)
            points->at[p * points->width + i] =
                (float)sqrt(rows->sums[p * rows->width + i] / points->sizes[p] * scale);
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

static ocelotl_status gather(uint32_t *near, oc_points *points, oc_arena *arena,
                             const oc_summed_rows *rows)
{
    uint32_t *first;
    OC_TRY(
        oc_arena_allocate(&points->at, arena, points->count, points->width * sizeof *points->at));
    OC_TRY(oc_arena_allocate(&points->distance, arena, points->count, sizeof *points->distance));
    OC_TRY(oc_arena_allocate(&points->nearest, arena, points->count, sizeof *points->nearest));
    OC_TRY(oc_arena_allocate(&points->centre, arena, points->most,
                             points->width * sizeof *points->centre));
    OC_TRY(oc_arena_allocate(&first, arena, points->most, sizeof *first));
    place(points, rows);
    choose_centres(points);
    if (points->centres == points->most) {
        double *sums;
        OC_TRY(
            oc_arena_allocate(&sums, arena, points->centres, (points->width + 1) * sizeof *sums));
        move_centres(points, sums, sums + points->centres * points->width);
    }
    for (uint32_t p = points->count; p-- > 0;)
        first[points->nearest[p]] = p;
    for (uint32_t p = 0; p < points->count; p++)
        near[p] = first[points->nearest[p]];
    return OCELOTL_OK;
}

ocelotl_status oc_gather(uint32_t *near, const oc_summed_rows *rows, uint32_t most)
{
    oc_points points = {.count = rows->count, .sizes = rows->sizes, .most = most};
    oc_arena arena = {0};
    points.width = (rows->width + FLOATS - 1) / FLOATS * FLOATS;
    const ocelotl_status status = gather(near, &points, &arena, rows);
    oc_arena_free(&arena);
    return status;
}

/* --- The last joins */

/* Gives rows the sums of the ones that are gathered around them, and lists these. */
static void list_clusters(clusters *of, const uint32_t *near)
{
    const oc_summed_rows *rows = of->rows;
    for (uint32_t r = 0; r < rows->count; r++) {
        if (near[r] == r) {
            of->all[of->count++].row = r;
            continue;
        }
        for (size_t i = 0; i < rows->width; i++)
            rows->sums[near[r] * rows->width + i] += rows->sums[r * rows->width + i];
        rows->sizes[near[r]] += rows->sizes[r];
    }
    for (uint32_t c = 0; c < of->count; c++) {
        of->all[c].size = rows->sizes[of->all[c].row];
        measure(of, c);
    }
}

/* Reports the last joins. Those that lose nothing come first and are left out; they are made, as
 * all others that are not reported: each row ends up in the cluster named after its first row.
 * `cluster` holds the row that each row was gathered around, never a later one. */
static void report(oc_dendrogram *made, clusters *of, uint32_t most)
{
    const uint32_t all = of->count - 1;
    uint32_t untold = all > most ? all - most : 0;
    while (untold < all && !(of->joins[untold].loss > 0))
        untold++;
    for (; made->join_count < all - untold; made->join_count++) {
        const oc_cluster_join *join = &of->joins[untold + made->join_count];
        made->joins[made->join_count] =
            (oc_cluster_join){of->all[join->first].row, of->all[join->second].row, join->loss};
    }
    for (uint32_t j = untold; j-- > 0;)
        of->all[of->joins[j].second].row = of->all[of->joins[j].first].row;
    for (uint32_t r = 0, c = 0; r < of->rows->count; r++)
        made->cluster[r] =
            made->cluster[r] == r ? of->all[c++].row : made->cluster[made->cluster[r]];
}

static ocelotl_status cluster_rows(oc_dendrogram *made, clusters *of, oc_arena *arena,
                                   uint32_t most, uint32_t places, ocelotl_progress progress,
                                   void *progress_context)
{
    const uint32_t count = of->rows->count;
    const uint32_t compared = count < places ? count : places;
    OC_TRY(oc_arena_allocate(&of->all, arena, compared, sizeof *of->all));
    OC_TRY(oc_arena_allocate(&of->joins, arena, compared, sizeof *of->joins));
    const size_t lanes = (size_t)ADDED_UP * OC_DENDROGRAM_LANES;
    of->rough_width = (of->rows->width + lanes - 1) / lanes * OC_DENDROGRAM_LANES;
    OC_TRY(oc_arena_allocate(&of->rough, arena, compared, of->rough_width * sizeof *of->rough));
    for (uint32_t r = 0; r < count; r++)
        made->cluster[r] = r;
    if (count > compared)
        OC_TRY(oc_gather(made->cluster, of->rows, compared));
    list_clusters(of, made->cluster);
    OC_TRY(join_all(of, progress, progress_context));
    report(made, of, most);
    return OCELOTL_OK;
}

ocelotl_status oc_dendrogram_make(oc_dendrogram *dendrogram, oc_arena *arena,
                                  const oc_summed_rows *rows, uint32_t most, uint32_t places,
                                  ocelotl_progress progress, void *progress_context)
{
    clusters of = {.rows = rows};
    oc_arena scratch = {0};
    const uint32_t joins = most < rows->count ? most : rows->count;
    OC_TRY(oc_arena_allocate(&dendrogram->joins, arena, joins, sizeof *dendrogram->joins));
    OC_TRY(
        oc_arena_allocate(&dendrogram->cluster, arena, rows->count, sizeof *dendrogram->cluster));
    const ocelotl_status status =
        cluster_rows(dendrogram, &of, &scratch, most, places, progress, progress_context);
    oc_arena_free(&scratch);
    return status;
}
