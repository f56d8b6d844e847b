/* The chunks of a stream one by one: their records, and what was open where they begin; and a
 * cursor, which gives what a stream adds up to at instants. */
#ifndef OC_STORE_READ_READER_H
#define OC_STORE_READ_READER_H

#include "store/read/chunk.h"

#include <ocelotl/work.h>

#include <stdatomic.h>

/* The progress of a call, asked before each chunk. All threads of a call share one. */
typedef struct oc_watch {
    ocelotl_work work;
    uint64_t done, total; /* as the thread that made the call has it */
    atomic_bool stopped;
} oc_watch;

/* Reads one stream at a time. Zero-initialised but for its connection it has none. */
typedef struct oc_reader {
    oc_connection connection;
    oc_watch *watch; /* NULL: nobody waits */
    bool asks;       /* the thread that made the call does; others see whether it was stopped */
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

/* The chunk that holds what happens right before `time`: the last that begins before it, else the
 * first. */
static inline size_t oc_reader_chunk_at(const oc_reader *reader, int64_t time)
{
    const size_t before = oc_reader_chunks_before(reader, time);
    return before > 0 ? before - 1 : 0;
}

/* Asks whoever waits. Errors: CANCELLED. */
ocelotl_status oc_reader_ask(const oc_reader *reader);

/* Reads the fold at a chunk's beginning, and with `records` what the chunk holds. Errors: INPUT for
 * damage; CANCELLED. */
ocelotl_status oc_reader_read(oc_reader *reader, size_t chunk, bool records);

/* The extremes of a chunk, without reading it: durations in ticks, or a variable's values; low
 * above high if it has none. Errors: INPUT for damage. */
ocelotl_status oc_reader_extremes(double *low, double *high, oc_reader *reader, size_t chunk);

/* Totals of a stream up to any instant, for the price of one chunk. */
typedef struct oc_cursor oc_cursor;

/* Opens a cursor on a stream, to be moved to about `instants` instants. */
ocelotl_status oc_cursor_open(oc_cursor **cursor, const oc_connection *connection, uint32_t stream,
                              uint64_t instants);
void oc_cursor_free(oc_cursor *cursor);

/* Moves to an instant: the fold then holds all records before `time`, and those at `time` too if
 * `through`, and time has passed up to `time`. Forwards within a chunk it continues, otherwise it
 * reads the one chunk it needs. Errors: INPUT for damaged chunks. */
ocelotl_status oc_cursor_seek(oc_cursor *cursor, int64_t time, bool through);

/* What the stream adds up to where the cursor is; valid until it moves. */
const oc_fold *oc_cursor_fold(const oc_cursor *cursor);

#endif
