/* Hulls by Andrew's monotone chain, again whenever enough points wait. */
#include "quality/clocks/hull.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_CAPACITY = 32 };

static int compare_points(const void *left, const void *right)
{
    const oc_point *a = left;
    const oc_point *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->z > b->z) - (a->z < b->z);
}

void oc_hull_finish(oc_hull *hull)
{
    size_t kept = 0;
    if (hull->count > 1)
        qsort(hull->points, hull->count, sizeof *hull->points, compare_points);
    for (size_t i = 0; i < hull->count; i++) {
        const oc_point point = hull->points[i];
        if (kept > 0 && hull->points[kept - 1].x == point.x)
            continue;
        for (; kept > 1; kept--) {
            /* Whether the middle one is below the line of the others: differences come first, which
             * keeps products small. */
            const oc_point *left = &hull->points[kept - 2];
            const oc_point *middle = &hull->points[kept - 1];
            if ((middle->x - left->x) * (point.z - left->z) >
                (point.x - left->x) * (middle->z - left->z))
                break;
        }
        hull->points[kept++] = point;
    }
    hull->count = kept;
}

ocelotl_status oc_hull_add(oc_hull *hull, double x, double z)
{
    if (hull->count == hull->capacity) {
        oc_hull_finish(hull);
        if (2 * hull->count >= hull->capacity)
            OC_TRY(oc_grow(&hull->points, &hull->capacity,
                           hull->capacity > 0 ? 2 * hull->capacity : LEAST_CAPACITY,
                           sizeof *hull->points));
    }
    hull->points[hull->count++] = (oc_point){x, z};
    return OCELOTL_OK;
}

void oc_hull_free(oc_hull *hull)
{
    free(hull->points);
    *hull = (oc_hull){0};
}

static double slope_behind(const oc_hull *hull, size_t index)
{
    const oc_point *point = &hull->points[index];
    return (point[1].z - point[0].z) / (point[1].x - point[0].x);
}

/* Slopes of edges grow from left to right. */
oc_point oc_hull_lowest(const oc_hull *hull, double slope)
{
    size_t low = 0;
    size_t high = hull->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (slope_behind(hull, middle - 1) < slope)
            low = middle;
        else
            high = middle;
    }
    return hull->points[low];
}

double oc_hull_least(const oc_hull *hull, double slope)
{
    if (hull->count == 0)
        return INFINITY;
    const oc_point lowest = oc_hull_lowest(hull, slope);
    return lowest.z - slope * lowest.x;
}

double oc_hull_slope_at(const oc_hull *hull, double x)
{
    size_t edge = 0;
    if (hull->count < 2)
        return 0;
    while (edge + 2 < hull->count && hull->points[edge + 1].x < x)
        edge++;
    return slope_behind(hull, edge);
}
