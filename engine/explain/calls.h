/* How long single states last, by resource and type, in the order in which they end: the k-th call
 * of one process beside the k-th of another. Of many calls those that follow each other are put
 * together. */
#ifndef OC_EXPLAIN_CALLS_H
#define OC_EXPLAIN_CALLS_H

#include "base/arena.h"

#include <ocelotl/trace.h>
#include <ocelotl/work.h>

#include <stddef.h>

/* Up to so many calls of a row are apart. */
enum { OC_CALLS_APART = 256 };

/* The calls of a row and type: blocks of `size` calls each, of which the last may have fewer. */
typedef struct oc_call_series {
    double *sums;    /* by block, in ticks */
    int64_t *begins; /* of its first call */
    uint32_t count, capacity;
    uint64_t size, calls;
    int64_t end; /* of the last */
} oc_call_series;

typedef struct oc_calls {
    oc_call_series *series; /* types x rows */
    uint32_t rows, types;
} oc_calls;

/* Whose calls count, and as what. */
typedef struct oc_calls_wanted {
    const uint32_t *row_of_resource; /* OCELOTL_NONE: none */
    const uint32_t *type_of_value;   /* the same */
    uint32_t rows, types;
    uint32_t untraced; /* the type of what is between states, and before the first; or none */
    int64_t from, to;  /* calls that lie in it */
} oc_calls_wanted;

/* Reads states. O(events); memory: at most 256 blocks a row and type. Errors: INPUT for damage,
 * MEMORY, CANCELLED. */
ocelotl_status oc_calls_read(oc_calls *calls, ocelotl_trace *trace, const oc_calls_wanted *wanted,
                             const ocelotl_work *work);
void oc_calls_free(oc_calls *calls);

/* How many calls of a type a row has in the median, of those that have any; and whether most have
 * as many, of at least a quarter of all rows. */
ocelotl_status oc_calls_count(uint64_t *usual, bool *most, oc_arena *arena, const oc_calls *calls,
                              uint32_t type);

/* The mean durations of the calls of a type as a table, rows x *columns, in ticks; not a number
 * where a row has none. Where most rows have as many calls, others are left out; else rows are
 * stretched. NULL values, and no column: nothing to compare. */
ocelotl_status oc_calls_tabulate(double **values, size_t *columns, oc_arena *arena,
                                 const oc_calls *calls, uint32_t type);

/* The block of a row that a column of its table is of. */
static inline uint32_t oc_call_block(const oc_call_series *series, size_t columns, size_t column)
{
    return columns > 0 ? (uint32_t)((2 * column + 1) * series->count / (2 * columns)) : 0;
}

static inline const oc_call_series *oc_call_series_of(const oc_calls *calls, uint32_t type,
                                                      uint32_t row)
{
    return &calls->series[(size_t)type * calls->rows + row];
}

/* How many calls a block has. */
static inline uint64_t oc_calls_in_block(const oc_call_series *series, uint32_t block)
{
    return block + 1 < series->count ? series->size
                                     : series->calls - (series->count - 1) * series->size;
}

#endif
