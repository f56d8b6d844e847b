/* Sorts texts by time with bounded memory, whatever order they come in.
 *
 *     oc_ordering_open -> oc_ordering_add .. -> oc_ordering_finish -> oc_ordering_next ..
 *
 * If they exceed the memory allowed, they are sorted and written as a run to a file without a name
 * in the folder for temporary files, and the runs are merged in the end: nothing is left behind,
 * however the program ends. What fits the memory touches no disk. */
#ifndef OC_BASE_FILE_ORDERING_H
#define OC_BASE_FILE_ORDERING_H

#include "base/status.h"

/* Texts are ordered by time, by rank, by place; of equals the one that came first is first. */
typedef struct oc_order {
    int64_t time;
    uint64_t place;
    uint32_t rank;
} oc_order;

typedef struct oc_ordering oc_ordering;

/* Begins an ordering that holds about `memory` bytes. Errors: MEMORY. */
ocelotl_status oc_ordering_open(oc_ordering **ordering, size_t memory);

/* Adds a text, which is copied. O(1) amortised. Errors: MEMORY; IO where a run cannot be written;
 * LIMIT for a text of more than 1 GiB. */
ocelotl_status oc_ordering_add(oc_ordering *ordering, const oc_order *order, const char *bytes,
                               size_t length);

/* Ends the adding. O(n log n) for what is in memory. Errors: as oc_ordering_add. */
ocelotl_status oc_ordering_finish(oc_ordering *ordering);

/* Gives the next text; *bytes is NULL behind the last, and lives until the next call. O(log runs).
 * Errors: IO, MEMORY. */
ocelotl_status oc_ordering_next(oc_order *order, const char **bytes, size_t *length,
                                oc_ordering *ordering);

/* Forgets all texts: others can be added. */
void oc_ordering_clear(oc_ordering *ordering);

/* How many runs were written to disk. */
size_t oc_ordering_runs(const oc_ordering *ordering);

/* NULL is allowed. */
void oc_ordering_free(oc_ordering *ordering);

#endif
