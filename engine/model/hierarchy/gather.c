#include "model/hierarchy/gather.h"

#include "base/memory.h"

#include <ocelotl/writer.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
