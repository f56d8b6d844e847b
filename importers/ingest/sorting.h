/* Sorts the records of a source by stream and time, with bounded memory, from any order.
 *
 *     oc_sorting_open -> oc_sorting_add .. -> oc_sorting_finish -> oc_sorting_next ..
 *
 * Records are gathered by stream. If they exceed the memory allowed, they are sorted and written as
 * a run to a file without a name next to the target, and the runs are merged in the end: nothing is
 * left behind, however the program ends. A stream whose records come in order is not sorted, and
 * what fits the memory touches no disk.
 *
 * The order is: by stream, by group (if groups are sorted), by time. At equal times spans come
 * last, the longer before the shorter, then the lower `order`; all others keep the order in which
 * they were added. */
#ifndef OC_IMPORTERS_COMMON_SORTING_H
#define OC_IMPORTERS_COMMON_SORTING_H

#include "base/status.h"

#include <ocelotl/writer.h>

typedef enum oc_sorted_kind {
    OC_SORTED_BEGIN, /* of a state whose end comes as a record of its own */
    OC_SORTED_END,
    OC_SORTED_INSTANT,
    OC_SORTED_VARIABLE, /* has the value `number` from its time on */
    OC_SORTED_LINK_BEGIN,
    OC_SORTED_LINK_END,
    OC_SORTED_OTHER, /* what only the importer knows */
    OC_SORTED_SPAN   /* a state from its time to its end */
} oc_sorted_kind;

/* A record. All members but the first five are carried along, and mean what the importer likes. */
typedef struct oc_sorted {
    uint32_t stream; /* a number of the importer's; memory grows with the largest */
    oc_sorted_kind kind;
    uint64_t group;
    int64_t time; /* in ticks */
    union {
        int64_t end;     /* of a span, in ticks */
        double number;   /* of a variable */
        uint64_t detail; /* of any other */
    };
    uint32_t order; /* of spans from the same tick to the same tick: the lower comes first */
    uint32_t type, value;
    size_t attribute_count;
    const ocelotl_attribute_value *attributes; /* copied, but for those whose text is NULL */
} oc_sorted;

typedef struct oc_sorting oc_sorting;

/* What a sorting may hold in memory unless somebody asks for less. */
#define OC_SORTING_MEMORY ((size_t)256 << 20)

/* Begins a sorting within about `memory` bytes (at least 64 kB) and with runs in the folder of
 * `target`. `by_group`: groups are sorted; else they are only stored. Errors: MEMORY. */
ocelotl_status oc_sorting_open(oc_sorting **sorting, const char *target, size_t memory,
                               bool by_group);

/* Adds a record. O(1) amortised, and O(log n) where the records of its stream are out of order.
 * Errors: MEMORY; IO where a run cannot be written; LIMIT for attributes of more than 1 GiB. */
ocelotl_status oc_sorting_add(oc_sorting *sorting, const oc_sorted *record);

/* Multiplies all times that were added by a factor (>= 1): for sources that show only in their
 * course how fine their clock is. Errors: LIMIT where one does not fit; the sorting can then only
 * be freed. O(records in memory). */
ocelotl_status oc_sorting_refine(oc_sorting *sorting, uint64_t factor);

/* Ends the adding. Errors: as oc_sorting_add. */
ocelotl_status oc_sorting_finish(oc_sorting *sorting);

/* Gives the next record in order, NULL behind the last; it lives until the next call. Errors: IO,
 * MEMORY; LIMIT where a time of a run does not fit the refined ticks. */
ocelotl_status oc_sorting_next(const oc_sorted **record, oc_sorting *sorting);

/* How many records have been added, and how many runs were written. */
uint64_t oc_sorting_count(const oc_sorting *sorting);
size_t oc_sorting_runs(const oc_sorting *sorting);

/* NULL is allowed. */
void oc_sorting_free(oc_sorting *sorting);

#endif
