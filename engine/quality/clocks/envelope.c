/* Cholesky's factor row by row, then both substitutions. */
#include "quality/clocks/envelope.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a diagonal that the rows before explain, but for rounding. */
static const double nothing = 1e-13;

ocelotl_status oc_envelope_make(oc_envelope *system, const size_t *first, size_t count)
{
    const size_t most = ((size_t)1 << 30) / sizeof(double);
    size_t total = 0;
    system->count = count;
    OC_TRY(oc_allocate(&system->first, count, sizeof *system->first));
    OC_TRY(oc_allocate(&system->place, count + 1, sizeof *system->place));
    for (size_t row = 0; row < count; row++) {
        system->first[row] = first[row];
        system->place[row] = total;
        total += row - first[row] + 1;
        if (total > most)
            return oc_fail(
                OCELOTL_ERROR_LIMIT,
                "the clocks are too many, and each is joined with too many others: their "
                "equations take more than 1 GiB; expected fewer clocks (--at)");
    }
    system->place[count] = total;
    OC_TRY(oc_allocate(&system->numbers, total, sizeof *system->numbers));
    return oc_allocate(&system->right, count, sizeof *system->right);
}

void oc_envelope_free(oc_envelope *system)
{
    free(system->first);
    free(system->place);
    free(system->numbers);
    free(system->right);
    *system = (oc_envelope){0};
}

static double product(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The sum of products of two rows, of the columns before `end` that both have. */
static double common(const oc_envelope *s, size_t row, size_t other, size_t end)
{
    const size_t from = s->first[row] > s->first[other] ? s->first[row] : s->first[other];
    return from >= end
               ? 0
               : product(oc_envelope_at(s, row, from), oc_envelope_at(s, other, from), end - from);
}

void oc_envelope_solve(oc_envelope *s)
{
    double *x = s->right;
    for (size_t row = 0; row < s->count; row++) {
        for (size_t column = s->first[row]; column < row; column++) {
            double *number = oc_envelope_at(s, row, column);
            const double pivot = *oc_envelope_at(s, column, column);
            *number = pivot > 0 ? (*number - common(s, row, column, column)) / pivot : 0;
        }
        double *diagonal = oc_envelope_at(s, row, row);
        const double rest = *diagonal - common(s, row, row, row);
        *diagonal = rest > nothing * *diagonal ? sqrt(rest) : 0;
    }
    for (size_t row = 0; row < s->count; row++) {
        const double *numbers = &s->numbers[s->place[row]];
        const size_t width = row - s->first[row];
        const double sum = product(numbers, &x[s->first[row]], width);
        x[row] = numbers[width] > 0 ? (x[row] - sum) / numbers[width] : 0;
    }
    for (size_t row = s->count; row-- > 0;) {
        const double *numbers = &s->numbers[s->place[row]];
        const size_t width = row - s->first[row];
        x[row] = numbers[width] > 0 ? x[row] / numbers[width] : 0;
        for (size_t i = 0; i < width; i++)
            x[s->first[row] + i] -= numbers[i] * x[row];
    }
}
