/* Systems of linear equations that are symmetric and positive: of each row is kept what stands from
 * its first number that is not 0 to the diagonal. Cholesky's factor has the same shape (A. George,
 * J. Liu, Computer solution of large sparse positive definite systems, 1981, chapter 4). */
#ifndef OC_QUALITY_CLOCKS_ENVELOPE_H
#define OC_QUALITY_CLOCKS_ENVELOPE_H

#include "base/status.h"

#include <stddef.h>

/* Zero-initialised it has no rows. */
typedef struct oc_envelope {
    size_t count;  /* of rows */
    size_t *first; /* by row: its first column */
    size_t *place; /* and where that is in `numbers`; behind the last: their count */
    double *numbers;
    double *right; /* the right side, then the solution */
} oc_envelope;

/* Makes a system of zeros; `first` is by row, and copied. Errors: LIMIT where it takes more than
 * 1 GiB; MEMORY. Free in any case. */
ocelotl_status oc_envelope_make(oc_envelope *system, const size_t *first, size_t count);
void oc_envelope_free(oc_envelope *system);

/* A row below its diagonal, or there; column <= row. */
static inline double *oc_envelope_at(const oc_envelope *system, size_t row, size_t column)
{
    return &system->numbers[system->place[row] + column - system->first[row]];
}

/* Solves it in place. An unknown that the equations do not determine becomes 0. O(rows x width^2).
 */
void oc_envelope_solve(oc_envelope *system);

#endif
