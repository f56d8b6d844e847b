/* The oscillating line: for a fixed turn it is linear in level, slope, sine and cosine, so that
 * turns are tried one by one, and the best is refined by the golden section. */
#include "quality/fit/fit.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { LINEAR = 4, ALL = 5, MOST_TURNS = 500, REFINEMENTS = 60 };

/* Times are counted from the middle of the run, in halves of it, so that sums stay of one size. */
typedef struct run {
    const oc_fit_point *points;
    size_t count;
    double middle, half;
    oc_fit line; /* what is left of it is looked at, so that squares keep their digits */
} run;

/* --- Small systems */

/* Inverts a symmetric positive matrix in place by Gauss and Jordan; false: it is singular. */
static bool invert(double *matrix, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const double pivot = matrix[k * n + k];
        if (!(pivot > 1e-12))
            return false;
        matrix[k * n + k] = 1;
        for (size_t j = 0; j < n; j++)
            matrix[k * n + j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            if (i == k)
                continue;
            const double factor = matrix[i * n + k];
            matrix[i * n + k] = 0;
            for (size_t j = 0; j < n; j++)
                matrix[i * n + j] -= factor * matrix[k * n + j];
        }
    }
    return true;
}

static double place_of(const run *of, size_t index)
{
    return (of->points[index].x - of->middle) / of->half;
}

static double rest_of(const run *of, size_t index)
{
    return of->points[index].z - of->line.level - of->line.slope * of->points[index].x;
}

static void fill_row(double *row, double place, double turn)
{
    row[0] = 1;
    row[1] = place;
    row[2] = sin(turn * place);
    row[3] = cos(turn * place);
}

/* --- One turn */

static double value_at(const double *found, double place, double turn)
{
    double row[LINEAR];
    double sum = 0;
    fill_row(row, place, turn);
    for (size_t i = 0; i < LINEAR; i++)
        sum += row[i] * found[i];
    return sum;
}

/* Finds the other four for a turn; returns the sum of squared residuals. */
static double try_turn(double *found, const run *of, double turn)
{
    double matrix[LINEAR * LINEAR] = {0};
    double right[LINEAR] = {0};
    double squares = 0;
    for (size_t i = 0; i < of->count; i++) {
        double row[LINEAR];
        const double rest = rest_of(of, i);
        fill_row(row, place_of(of, i), turn);
        squares += rest * rest;
        for (size_t a = 0; a < LINEAR; a++) {
            right[a] += row[a] * rest;
            for (size_t b = 0; b < LINEAR; b++)
                matrix[a * LINEAR + b] += row[a] * row[b] / (double)of->count;
        }
    }
    if (!invert(matrix, LINEAR))
        return INFINITY;
    for (size_t a = 0; a < LINEAR; a++) {
        found[a] = 0;
        for (size_t b = 0; b < LINEAR; b++)
            found[a] += matrix[a * LINEAR + b] * right[b] / (double)of->count;
        squares -= found[a] * right[a];
    }
    return fmax(0, squares);
}

/* From half a turn in the run to one in four points. */
static double find_turn(double *found, const run *of)
{
    const double step = pi / 10; /* 2 pi / (10 spans); the span is 2 halves */
    const double affordable = 1e8 / (double)of->count;
    const double cycles = (double)of->count / 4;
    const double most = fmin(fmin(10 * cycles, MOST_TURNS), affordable);
    double best = INFINITY;
    double turn = 5 * step;
    for (size_t k = 5; (double)k <= fmax(most, 10); k++) {
        const double squares = try_turn(found, of, (double)k * step);
        turn = squares < best ? (double)k * step : turn;
        best = fmin(best, squares);
    }
    double low = turn - step;
    double high = turn + step;
    const double golden = (sqrt(5) - 1) / 2;
    for (int i = 0; i < REFINEMENTS; i++) {
        const double left = high - golden * (high - low);
        const double right = low + golden * (high - low);
        if (try_turn(found, of, left) < try_turn(found, of, right))
            high = right;
        else
            low = left;
    }
    return (low + high) / 2;
}

/* --- Errors */

/* The variances s^2 (F'F)^-1, F having the derivatives by all five. */
static void find_errors(oc_fit *fit, const run *of, const double *found, double turn)
{
    double matrix[ALL * ALL] = {0};
    const double amplitude = hypot(found[2], found[3]);
    const double phase = atan2(found[3], found[2]);
    for (size_t i = 0; i < of->count; i++) {
        const double x = place_of(of, i);
        const double angle = turn * x + phase;
        const double row[ALL] = {1, x, sin(angle), amplitude * x * cos(angle),
                                 amplitude * cos(angle)};
        for (size_t a = 0; a < ALL; a++)
            for (size_t b = 0; b < ALL; b++)
                matrix[a * ALL + b] += row[a] * row[b];
    }
    const bool known = of->count > ALL && amplitude > 0 && invert(matrix, ALL);
    fit->deviation = of->count > ALL ? sqrt(fit->squares / ((double)of->count - ALL)) : INFINITY;
    double error[ALL];
    for (size_t a = 0; a < ALL; a++)
        error[a] = known ? fit->deviation * sqrt(fmax(0, matrix[a * ALL + a])) : INFINITY;
    const double back = of->middle / of->half; /* the middle to where x is 0 */
    fit->level_error =
        known ? fit->deviation *
                    sqrt(fmax(0, matrix[0] - 2 * back * matrix[1] + back * back * matrix[ALL + 1]))
              : INFINITY;
    fit->slope_error = error[1] / of->half;
    fit->amplitude_error = error[2];
    fit->turn_error = error[3] / of->half;
    /* The phase is told where x is 0: an error of the turn moves it. */
    const double moved =
        matrix[4 * ALL + 4] - 2 * back * matrix[3 * ALL + 4] + back * back * matrix[3 * ALL + 3];
    fit->phase_error = known ? fit->deviation * sqrt(fmax(0, moved)) : INFINITY;
}

void oc_fit_wave(oc_fit *fit, const oc_fit_point *points, size_t count)
{
    double found[LINEAR];
    double steps = 0;
    *fit = (oc_fit){.points = 0};
    if (count <= ALL || !(points[count - 1].x > points[0].x))
        return;
    const double half = (points[count - 1].x - points[0].x) / 2;
    run of = {points, count, points[0].x + half, half, {0}};
    oc_fit_line(&of.line, points, count);
    const double turn = find_turn(found, &of);
    fit->squares = try_turn(found, &of, turn);
    if (!(fit->squares < INFINITY))
        return;
    fit->points = count;
    fit->slope = of.line.slope + found[1] / half;
    fit->level = of.line.level + found[0] - found[1] / half * of.middle;
    fit->amplitude = hypot(found[2], found[3]);
    fit->turn = turn / half;
    fit->phase = remainder(atan2(found[3], found[2]) - fit->turn * of.middle, 2 * pi);
    for (size_t i = 1; i < count; i++)
        steps += pow(rest_of(&of, i) - value_at(found, place_of(&of, i), turn) -
                         rest_of(&of, i - 1) + value_at(found, place_of(&of, i - 1), turn),
                     2);
    fit->durbin_watson = fit->squares > 0 ? steps / fit->squares : 2;
    find_errors(fit, &of, found, turn);
}
