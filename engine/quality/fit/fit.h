/* Least squares over samples of a clock, as É. Maillet has them (Le traçage logiciel d'applications
 * parallèles, 1996, 3.2 to 3.4): a line, or a line with an oscillation. */
#ifndef OC_QUALITY_FIT_FIT_H
#define OC_QUALITY_FIT_FIT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* When the reference reads x, the clock is z ahead of it. */
typedef struct oc_fit_point {
    double x, z;
} oc_fit_point;

/* z = level + slope x, or that with amplitude sin(turn x + phase) added. Errors are standard ones;
 * without freedom (fewer than three points, or six) they are infinite. */
typedef struct oc_fit {
    size_t points;
    double level, slope, amplitude, turn, phase;
    double level_error, slope_error, amplitude_error, turn_error, phase_error;
    double squares;       /* the sum of those of residuals */
    double deviation;     /* of residuals */
    double durbin_watson; /* 2: they are independent; 0 to 4 */
} oc_fit;

/* Finds the line of points in the order of x; slope 0 without two different x. O(points). */
void oc_fit_line(oc_fit *fit, const oc_fit_point *points, size_t count);

/* Finds the oscillating line of at least six points in the order of x; `fit` is all zeros with
 * fewer. O(points x what they can tell apart), at most some 10^8. */
void oc_fit_wave(oc_fit *fit, const oc_fit_point *points, size_t count);

/* Of each window of points in a row leaves the one whose z is the median. A window is within one
 * phase: a long time without points parts phases. Windows are odd, and narrower where fewer than
 * three points would be left. Returns how many are left, in place.
 * O(points x window). Errors: MEMORY. */
ocelotl_status oc_fit_median(size_t *left, oc_fit_point *points, size_t count, size_t window);

/* Whether residuals of a line jump from one level to another, as those of a clock that somebody
 * sets. O(points log points). Errors: MEMORY. */
ocelotl_status oc_fit_finds_steps(bool *steps, const oc_fit *line, const oc_fit_point *points,
                                  size_t count);

/* Sorts numbers, and returns the one at an index. */
double oc_fit_sorted_at(double *numbers, size_t count, size_t index);

/* The two-sided 95 % quantile of Student's t: 1.96 for many degrees of freedom, infinite for none.
 */
double oc_fit_student(size_t freedom);

#endif
