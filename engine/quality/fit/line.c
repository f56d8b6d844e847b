/* The straight line, its errors, and what its residuals look like. */
#include "quality/fit/fit.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* --- Student's t */

/* The share of t's distribution within an angle, by the finite sums for whole degrees of freedom
 * (M. Abramowitz, I. Stegun, Handbook of mathematical functions, 1964, 26.7.3 and 26.7.4). */
static double share_within(double angle, size_t freedom)
{
    const double cosine = cos(angle);
    const double square = cosine * cosine;
    const bool odd = freedom % 2 == 1;
    double term = odd ? cosine : 1;
    double sum = freedom > 1 ? term : 0;
    for (size_t k = odd ? 3 : 2; k < freedom; k += 2) {
        term *= square * (double)(k - 1) / (double)k;
        sum += term;
    }
    return odd ? 2 / pi * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double oc_fit_student(size_t freedom)
{
    static const double normal = 1.959963984540054;
    static const size_t many = 1000;
    double low = 0;
    double high = pi / 2;
    if (freedom == 0)
        return INFINITY;
    if (freedom > many)
        return normal + (normal * normal * normal + normal) / (4 * (double)freedom);
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (share_within(middle, freedom) < 0.95)
            low = middle;
        else
            high = middle;
    }
    return tan(low) * sqrt((double)freedom);
}

/* --- The line */

static double residual(const oc_fit *fit, const oc_fit_point *point)
{
    return point->z - fit->level - fit->slope * point->x;
}

void oc_fit_line(oc_fit *fit, const oc_fit_point *points, size_t count)
{
    double x = 0;
    double z = 0;
    double xx = 0;
    double xz = 0;
    const double n = (double)count;
    *fit = (oc_fit){.points = count};
    for (size_t i = 0; i < count; i++) {
        x += points[i].x / n;
        z += points[i].z / n;
    }
    for (size_t i = 0; i < count; i++) {
        xx += (points[i].x - x) * (points[i].x - x);
        xz += (points[i].x - x) * (points[i].z - z);
    }
    fit->slope = xx > 0 ? xz / xx : 0;
    fit->level = z - fit->slope * x;
    double steps = 0;
    for (size_t i = 0; i < count; i++) {
        const double here = residual(fit, &points[i]);
        fit->squares += here * here;
        if (i > 0)
            steps += pow(here - residual(fit, &points[i - 1]), 2);
    }
    fit->durbin_watson = fit->squares > 0 ? steps / fit->squares : 2;
    const bool free = count > 2 && xx > 0;
    fit->deviation = free ? sqrt(fit->squares / (n - 2)) : INFINITY;
    fit->slope_error = free ? fit->deviation / sqrt(xx) : INFINITY;
    fit->level_error = free ? fit->deviation * sqrt(1 / n + x * x / xx) : INFINITY;
}

/* --- Medians */

static int compare_points(const void *left, const void *right)
{
    const oc_fit_point *a = left;
    const oc_fit_point *b = right;
    return (a->z > b->z) - (a->z < b->z);
}

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

double oc_fit_sorted_at(double *numbers, size_t count, size_t index)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return numbers[index];
}

static double middle_of(double *numbers, size_t count)
{
    return oc_fit_sorted_at(numbers, count, count / 2);
}

/* The longest time between points of one phase: a run between two is much longer. */
static ocelotl_status find_gap(double *gap, const oc_fit_point *points, size_t count)
{
    static const double much = 10;
    double *gaps = NULL;
    OC_TRY(oc_allocate(&gaps, count, sizeof *gaps));
    for (size_t i = 1; i < count; i++)
        gaps[i - 1] = points[i].x - points[i - 1].x;
    *gap = count > 1 ? much * middle_of(gaps, count - 1) : 0;
    free(gaps);
    return OCELOTL_OK;
}

/* How many points from one on are of its phase, at most `most`. */
static size_t count_of_phase(const oc_fit_point *points, size_t most, double gap)
{
    size_t count = 1;
    while (count < most && points[count].x - points[count - 1].x <= gap)
        count++;
    return count;
}

static ocelotl_status take_medians(size_t *left, oc_fit_point *points, size_t count, size_t width,
                                   double gap)
{
    oc_fit_point *sorted = NULL;
    OC_TRY(oc_allocate(&sorted, width, sizeof *sorted));
    *left = 0;
    for (size_t i = 0; i + width <= count; i++) {
        if (count_of_phase(&points[i], width, gap) < width)
            continue;
        for (size_t k = 0; k < width; k++)
            sorted[k] = points[i + k];
        qsort(sorted, width, sizeof *sorted, compare_points);
        points[(*left)++] = sorted[width / 2];
    }
    free(sorted);
    return OCELOTL_OK;
}

ocelotl_status oc_fit_median(size_t *left, oc_fit_point *points, size_t count, size_t window)
{
    double gap;
    size_t width = window < 1 ? 1 : window - (window % 2 == 0);
    OC_TRY(find_gap(&gap, points, count));
    for (; width > 1; width -= 2) {
        size_t windows = 0;
        for (size_t i = 0; i + width <= count; i++)
            windows += count_of_phase(&points[i], width, gap) == width;
        if (windows >= 3)
            break;
    }
    *left = count;
    return width > 1 ? take_medians(left, points, count, width, gap) : OCELOTL_OK;
}

/* --- Steps */

enum { SIDE = 5 };

/* The median of residuals beside a point. */
static double level_beside(const oc_fit *line, const oc_fit_point *points)
{
    double side[SIDE];
    for (size_t i = 0; i < SIDE; i++)
        side[i] = residual(line, &points[i]);
    return middle_of(side, SIDE);
}

/* How far levels beside a point are apart. */
static double change_at(const oc_fit *line, const oc_fit_point *points, size_t index)
{
    return fabs(level_beside(line, &points[index]) - level_beside(line, &points[index - SIDE]));
}

/* A step is far above what neighbours differ by, and what the line is off by, too: an outlier is no
 * level. A wave goes on, and a pause between phases is no step. */
static bool is_step(const oc_fit *line, const oc_fit_point *points, size_t index, double usual)
{
    static const double far = 8;
    const double change = change_at(line, points, index);
    const double around =
        fmax(change_at(line, points, index - SIDE), change_at(line, points, index + SIDE));
    const double apart = points[index].x - points[index - 1].x;
    const double span = points[index + SIDE - 1].x - points[index - SIDE].x;
    return change > far * usual && change > line->deviation && change > 3 * around &&
           apart * 4 < span;
}

ocelotl_status oc_fit_finds_steps(bool *steps, const oc_fit *line, const oc_fit_point *points,
                                  size_t count)
{
    double *changes = NULL;
    *steps = false;
    if (count < 4 * (size_t)SIDE)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&changes, count, sizeof *changes));
    for (size_t i = 1; i < count; i++)
        changes[i - 1] = fabs(residual(line, &points[i]) - residual(line, &points[i - 1]));
    const double usual = middle_of(changes, count - 1);
    for (size_t i = 2 * (size_t)SIDE; i + 2 * (size_t)SIDE <= count && !*steps; i++)
        *steps = is_step(line, points, i, usual);
    free(changes);
    return OCELOTL_OK;
}
