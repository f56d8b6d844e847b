/* A treemap without an order: rows along the shorter side, the largest first (Bruls, Huizing and
 * van Wijk 2000, Squarified Treemaps). Ordered treemaps are measured against it. */
#ifndef OC_TEST_VIZ_SQUARIFY_H
#define OC_TEST_VIZ_SQUARIFY_H

#include "viz/treemap/treemap.h"

#include <math.h>

/* The worst ratio of sides in a row along `side` whose weights sum up to `sum`. */
static double worst(double largest, double least, double sum, double side)
{
    const double square = side * side;
    return fmax(square * largest / (sum * sum), sum * sum / (square * least));
}

/* How many of the weights, each `scale` pixels large, make the best first row. */
static size_t row_length(double *sum, const double *weights, size_t count, double scale,
                         double side)
{
    size_t length = 1;
    *sum = weights[0] * scale;
    double ratio = worst(*sum, *sum, *sum, side);
    while (length < count) {
        const double next = weights[length] * scale;
        const double with = worst(weights[0] * scale, next, *sum + next, side);
        if (with > ratio)
            break;
        ratio = with;
        *sum += next;
        length++;
    }
    return length;
}

/* Puts a row at the beginning of the free area, and removes its room. */
static void place_row(oc_area *areas, const double *weights, size_t length, double scale,
                      double sum, oc_area *left)
{
    const bool upright = left->width >= left->height;
    const double side = upright ? left->height : left->width;
    const double depth = fmin(sum / side, upright ? left->width : left->height);
    double before = 0;
    for (size_t i = 0; i < length; i++) {
        const double begin = side * before / sum;
        before += weights[i] * scale;
        const double end = i + 1 < length ? side * before / sum : side;
        areas[i] = upright ? (oc_area){left->x, left->y + begin, depth, end - begin}
                           : (oc_area){left->x + begin, left->y, end - begin, depth};
    }
    if (upright) {
        left->x += depth;
        left->width -= depth;
    } else {
        left->y += depth;
        left->height -= depth;
    }
}

static void squarify(oc_area *areas, const double *weights, size_t count, const oc_area *within)
{
    oc_area left = *within;
    double whole = 0;
    for (size_t i = 0; i < count; i++)
        whole += weights[i];
    const double scale = within->width * within->height / whole;
    for (size_t first = 0; first < count;) {
        double sum;
        const double side = fmin(left.width, left.height);
        if (!(side > 0)) { /* what rounding left */
            areas[first++] = (oc_area){left.x, left.y, 0, 0};
            continue;
        }
        const size_t length = row_length(&sum, weights + first, count - first, scale, side);
        place_row(areas + first, weights + first, length, scale, sum, &left);
        first += length;
    }
}

#endif
