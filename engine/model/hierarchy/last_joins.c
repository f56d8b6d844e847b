/* The top of a dendrogram, without the time that all of it takes. */
#include "model/hierarchy/dendrogram.h"
#include "model/hierarchy/gather.h"
#include "model/hierarchy/join_loss.h"

#include "base/memory.h"

#include <ocelotl/writer.h>

#include <stdlib.h>

/* So many rows are compared each with each; more of them are gathered first. */
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

/* Each pair is looked at from the one with the lower number. */
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

/* Of equals the lowest numbers. */
static oc_cluster_join find_nearest(const oc_left *left)
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
static void join(oc_left *left, const oc_cluster_join *nearest, double *rows)
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
        left->joins[made] = find_nearest(left);
        join(left, &left->joins[made], rows);
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

/* Makes the joins that are not told: each row is in the cluster of the first row that it has come
 * to. `cluster` holds what each row is gathered around, which is never behind it. */
static void name_clusters(uint32_t *cluster, oc_left *left, uint32_t count, uint32_t untold)
{
    for (uint32_t j = untold; j-- > 0;)
        left->rows[left->joins[j].second] = left->rows[left->joins[j].first];
    for (uint32_t r = 0, c = 0; r < count; r++)
        cluster[r] = cluster[r] == r ? left->rows[c++] : cluster[cluster[r]];
}

/* Those that lose nothing come first, and are none to tell. */
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
