/* The chunks of a stream one by one: their records, and what was open where they begin. A cursor
 * (trace.h) gives totals; a reader gives events. */
#ifndef OC_STORE_READ_READER_H
#define OC_STORE_READ_READER_H

#include "store/read/chunk.h"

/* Reads one stream at a time. Zero-initialised but for its trace, which must outlive it, it has
 * none. */
typedef struct oc_reader {
    const ocelotl_trace *trace;
    sqlite3_stmt *list_chunks, *read_chunk, *read_row;
    uint32_t stream;
    oc_chunk_place *chunks; /* of the stream, by number, which is by time */
    size_t chunk_count, chunk_capacity;
    size_t at;          /* the chunk read last, or SIZE_MAX */
    oc_fold fold;       /* at its beginning */
    oc_records records; /* of the chunk read last with them */
} oc_reader;

void oc_reader_free(oc_reader *reader);

/* Goes to a stream. O(its chunks). Errors: INPUT for chunks out of order. */
ocelotl_status oc_reader_select(oc_reader *reader, uint32_t stream);

/* How many chunks of the stream begin before `time`. O(log chunks). */
size_t oc_reader_chunks_before(const oc_reader *reader, int64_t time);

/* Reads the fold at a chunk's beginning, and with `records` what the chunk holds. Errors: INPUT for
 * damage. */
ocelotl_status oc_reader_read(oc_reader *reader, size_t chunk, bool records);

/* The extremes of a chunk, which need not be read: durations in ticks, or a variable's values; low
 * above high where there are none. Errors: INPUT for damage. */
ocelotl_status oc_reader_extremes(double *low, double *high, oc_reader *reader, size_t chunk);

#endif
