/* Finds the chunk of a stream that an instant falls into, without looking at all of them where they
 * are many. */
#ifndef OC_STORE_READ_CHUNK_FINDER_H
#define OC_STORE_READ_CHUNK_FINDER_H

#include "store/read/chunk.h"

/* Zero-initialised it is not open. */
typedef struct oc_chunk_finder {
    const ocelotl_trace *trace;
    sqlite3_stmt *from;
    uint32_t stream;
    int64_t count;          /* of the stream's chunks */
    oc_chunk_place *places; /* all of them, where `listed` */
    size_t capacity;
    bool listed;
    int64_t low; /* the chunk found last, -1: none; and its place */
    oc_chunk_place low_place;
    int64_t last_begin;
} oc_chunk_finder;

/* The finder is to be closed in any case, before its connection. */
ocelotl_status oc_chunk_finder_open(oc_chunk_finder *finder, const oc_connection *connection);
void oc_chunk_finder_close(oc_chunk_finder *finder);

/* Goes to a stream of which about `instants` will be looked for: reads the list of its chunks where
 * that is less work than finding each. */
ocelotl_status oc_chunk_finder_begin(oc_chunk_finder *finder, uint32_t stream, uint64_t instants);

/* The last chunk that begins before an instant (or at it, if `through`): *number counts from 0, -1
 * where there is none. Quickest for an instant after the one before. Errors: INPUT for chunks that
 * are missing or out of order. */
ocelotl_status oc_chunk_finder_find(int64_t *number, oc_chunk_place *place, oc_chunk_finder *finder,
                                    int64_t time, bool through);

/* What lies before an instant. */
static inline bool oc_is_before(int64_t event, int64_t time, bool through)
{
    return event < time || (through && event == time);
}

#endif
