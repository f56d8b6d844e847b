/* The chunks of a stream: where each is, what it says of itself, and its bytes. Nothing of a row
 * decides an answer before its checksum has been looked at, see docs/developer/store.md. */
#ifndef OC_STORE_READ_CHUNK_H
#define OC_STORE_READ_CHUNK_H

#include "store/file/chunk_row.h"
#include "store/trace/trace.h"

/* Reads the places of all chunks of a stream, in order of time. The stream has
 * trace->streams[stream].chunk_count; *places has room for *capacity. */
ocelotl_status oc_chunk_list_places(oc_chunk_place **places, size_t *capacity,
                                    sqlite3_stmt *statement, const ocelotl_trace *trace,
                                    uint32_t stream);

/* Reads the rest of the row at a place that has been read; reset the statement in any case, when
 * its durations have been used. */
ocelotl_status oc_chunk_read_row(oc_chunk_row *row, sqlite3_stmt *statement,
                                 const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                 const oc_chunk_place *place);

/* Steps to the bytes of the row at a place that has been read; reset the statement in any case,
 * when they have been used. */
ocelotl_status oc_chunk_read_bytes(oc_chunk_bytes *bytes, sqlite3_stmt *statement,
                                   const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                   const oc_chunk_place *place);

/* Both in steps: goes to the row at a place that has been read, then takes what the row says, or
 * its bytes, which begin at a column. What is taken is SQLite's until the statement moves. */
ocelotl_status oc_chunk_go_to(sqlite3_stmt *statement, const ocelotl_trace *trace, uint32_t stream,
                              int64_t number, const oc_chunk_place *place);
ocelotl_status oc_chunk_take_row(oc_chunk_row *row, sqlite3_stmt *statement,
                                 const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                 const oc_chunk_place *place);
ocelotl_status oc_chunk_take_bytes(oc_chunk_bytes *bytes, sqlite3_stmt *statement, int column,
                                   const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                   const oc_chunk_place *place);

/* Reads the running totals at a place, and with `records` (not NULL) the chunk's records. It checks
 * all of them, once: values are those of the event type; times lie in the stream and in order, both
 * ends of links in the trace; no total is negative; partners exist; the first record is where the
 * place says. Resets the statement. */
ocelotl_status oc_chunk_load(oc_fold *fold, oc_records *records, sqlite3_stmt *statement,
                             const ocelotl_trace *trace, uint32_t stream, int64_t number,
                             const oc_chunk_place *place);

/* The parts of this: whether totals can be those of a stream, and records those behind them.
 * O(totals + what is open), O(records). Errors: INPUT "damaged chunk ..". */
ocelotl_status oc_chunk_check_fold(const ocelotl_trace *trace, uint32_t stream,
                                   const oc_fold *fold);
ocelotl_status oc_chunk_check_records(const ocelotl_trace *trace, uint32_t stream,
                                      const oc_fold *fold, const oc_records *records);

/* Fails with INPUT: the file is damaged, and at which chunk. */
ocelotl_status oc_fail_chunk(const ocelotl_trace *trace, uint32_t stream, int64_t number,
                             const char *what);

/* --- The chunk of an instant, found without reading the list of very many */

/* Zero-initialised but for its connection it has no stream. */
typedef struct oc_chunk_finder {
    oc_connection connection;
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
void oc_chunk_finder_close(oc_chunk_finder *finder);

/* Goes to a stream to look for about `instants` chunks: reads the list of its chunks if that is
 * less work than finding each. */
ocelotl_status oc_chunk_finder_begin(oc_chunk_finder *finder, uint32_t stream, uint64_t instants);

/* Finds the last chunk that begins before an instant (or at it, if `through`). *number counts from
 * 0, -1 if none does. Quickest for an instant after the one before. Errors: INPUT for chunks that
 * are missing or out of order. */
ocelotl_status oc_chunk_finder_find(int64_t *number, oc_chunk_place *place, oc_chunk_finder *finder,
                                    int64_t time, bool through);

/* What lies before an instant. */
static inline bool oc_is_before(int64_t event, int64_t time, bool through)
{
    return event < time || (through && event == time);
}

#endif
