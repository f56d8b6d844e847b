/* The widest band is a concave function of the slope, piecewise linear; so are the sides of it.
 * Halving finds where it stops rising, and where it is 0. */
#include "quality/clocks/line.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 64 };

/* --- Hulls by Andrew's monotone chain, again whenever enough points wait */

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

/* The point where z - slope x is least, of a hull that has some: slopes of edges grow from left to
 * right. */
static oc_point lowest_of(const oc_hull *hull, double slope)
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
    const oc_point lowest = lowest_of(hull, slope);
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

/* --- Lines */

ocelotl_status oc_pairing_add(oc_pairing *pairing, int64_t x, int64_t y, bool is_above)
{
    const int64_t difference = (int64_t)((uint64_t)y - (uint64_t)x);
    const bool is_first = pairing->above.count + pairing->below.count == 0;
    if (is_first) {
        pairing->x = x;
        pairing->z = difference;
    }
    const double from = (double)(int64_t)((uint64_t)x - (uint64_t)pairing->x);
    const double z = (double)(int64_t)((uint64_t)difference - (uint64_t)pairing->z);
    pairing->first = is_first || from < pairing->first ? from : pairing->first;
    pairing->last = is_first || from > pairing->last ? from : pairing->last;
    return is_above ? oc_hull_add(&pairing->above, from, z)
                    : oc_hull_add(&pairing->below, from, -z);
}

void oc_pairing_free(oc_pairing *pairing)
{
    oc_hull_free(&pairing->above);
    oc_hull_free(&pairing->below);
}

/* How far apart two lines of a slope are that touch the points from both sides. */
static double width_at(const oc_pairing *pairing, double slope)
{
    return oc_hull_least(&pairing->above, slope) + oc_hull_least(&pairing->below, -slope);
}

/* The band turns about the two points that it touches: it widens towards the later one below. */
static double find_top(const oc_pairing *pairing, double low, double high)
{
    for (int i = 0; i < STEPS && low < high; i++) {
        const double middle = low + (high - low) / 2;
        if (lowest_of(&pairing->below, -middle).x > lowest_of(&pairing->above, middle).x)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

/* The slope nearest to `beyond` where the band is at least that wide; at `inside` it is. */
static double find_edge(const oc_pairing *pairing, double inside, double beyond, double width)
{
    if (width_at(pairing, beyond) >= width)
        return beyond;
    for (int i = 0; i < STEPS; i++) {
        const double middle = inside + (beyond - inside) / 2;
        if (width_at(pairing, middle) >= width)
            inside = middle;
        else
            beyond = middle;
    }
    return inside;
}

/* Where several slopes have the widest band, points say nothing between them: the middle one. */
static void find_widest(oc_pairing *pairing, double most)
{
    const double top = find_top(pairing, -most, most);
    const double widest = width_at(pairing, top);
    const double nearly = widest - fabs(widest) * 1e-9 - 1e-3;
    const double low = find_edge(pairing, top, -most, nearly);
    const double high = find_edge(pairing, top, most, nearly);
    const double slope = low + (high - low) / 2;
    pairing->width = width_at(pairing, slope);
    pairing->line.slope = slope;
    pairing->line.level = oc_hull_least(&pairing->above, slope) - pairing->width / 2;
    pairing->least_slope = slope;
    pairing->most_slope = slope;
    if (pairing->width < 0)
        return;
    pairing->least_slope = find_edge(pairing, slope, -most, 0);
    pairing->most_slope = find_edge(pairing, slope, most, 0);
}

void oc_line_find(oc_pairing *pairing, double most)
{
    const double middle = pairing->first + (pairing->last - pairing->first) / 2;
    if (oc_pairing_is_two_way(pairing)) {
        find_widest(pairing, most);
        return;
    }
    const bool above = pairing->above.count > 0;
    const double edge = above ? oc_hull_slope_at(&pairing->above, middle)
                              : -oc_hull_slope_at(&pairing->below, middle);
    const double slope = edge < -most ? -most : edge > most ? most : edge;
    pairing->line.slope = slope;
    pairing->line.level =
        above ? oc_hull_least(&pairing->above, slope) : -oc_hull_least(&pairing->below, -slope);
    pairing->width = INFINITY;
    pairing->least_slope = -most;
    pairing->most_slope = most;
}

/* --- Bounds */

/* Both are functions of the slope with a single top, or bottom, where x is at the point that the
 * line touches. */
static double find_best(const oc_pairing *pairing, double x, bool highest)
{
    double low = pairing->least_slope;
    double high = pairing->most_slope;
    for (int i = 0; i < STEPS && low < high; i++) {
        const double middle = low + (high - low) / 2;
        if (highest ? lowest_of(&pairing->above, middle).x < x
                    : lowest_of(&pairing->below, -middle).x > x)
            low = middle;
        else
            high = middle;
    }
    const double slope = low + (high - low) / 2;
    return slope * x + (highest ? oc_hull_least(&pairing->above, slope)
                                : -oc_hull_least(&pairing->below, -slope));
}

double oc_line_highest(const oc_pairing *pairing, double x)
{
    return pairing->above.count > 0 ? find_best(pairing, x, true) : INFINITY;
}

double oc_line_lowest(const oc_pairing *pairing, double x)
{
    return pairing->below.count > 0 ? find_best(pairing, x, false) : -INFINITY;
}
