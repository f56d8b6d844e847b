/* The rows of chunks: where each is, what it says of itself, and its bytes. Nothing of a row
 * decides an answer before its checksum has been looked at, see docs/store.md. */
#ifndef OC_STORE_CHUNK_H
#define OC_STORE_CHUNK_H

#include "store/trace.h"

/* Where a chunk is, as its stream's index says. */
typedef struct oc_chunk_place {
    int64_t begin; /* of its first record */
    int64_t row;
} oc_chunk_place;

/* What a row says, but for its bytes. */
typedef struct oc_chunk_row {
    uint32_t stream;
    int64_t number, begin, end, count, unit;
    bool has_extremes;
    double low, high;
} oc_chunk_row;

/* The bytes of a chunk; those read from a row are SQLite's until its statement moves. */
typedef struct oc_chunk_bytes {
    uint64_t unit;
    const unsigned char *totals, *events; /* never NULL */
    size_t totals_length, events_length;
} oc_chunk_bytes;

/* Checksums: of a chunk's place, in the stream's index; of its row; and of its bytes. */
int32_t oc_chunk_place_checksum(uint32_t stream, int64_t number, int64_t begin);
int32_t oc_chunk_row_checksum(const oc_chunk_row *row);
int64_t oc_chunk_checksum(uint32_t stream, int64_t number, int64_t begin,
                          const oc_chunk_bytes *bytes);

/* Statements: the places of a stream's chunks from a number on; the rest of a row, and its bytes,
 * by rowid. */
#define OC_CHUNK_PLACES                                                                       \
    "SELECT number, begin, rowid, place_checksum FROM chunk WHERE stream = ? AND number >= ?" \
    " ORDER BY number"
#define OC_CHUNK_ROW   "SELECT end, count, unit, low, high, row_checksum FROM chunk WHERE rowid = ?"
#define OC_CHUNK_BYTES "SELECT unit, checksum, totals, events FROM chunk WHERE rowid = ?"

/* Reads the next place, which is to be that of chunk `number`. Errors: INPUT for damage, here and
 * below. */
ocelotl_status oc_chunk_read_place(oc_chunk_place *place, sqlite3_stmt *places,
                                   const ocelotl_trace *trace, uint32_t stream, int64_t number);

/* Reads the places of all chunks of a stream, of which there are
 * trace->streams[stream].chunk_count, in order of time; *places has room for *capacity. */
ocelotl_status oc_chunk_list_places(oc_chunk_place **places, size_t *capacity,
                                    sqlite3_stmt *statement, const ocelotl_trace *trace,
                                    uint32_t stream);

/* Reads the rest of the row at a place that has been read. Ready for its next run, the statement is
 * the caller's. */
ocelotl_status oc_chunk_read_row(oc_chunk_row *row, sqlite3_stmt *statement,
                                 const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                 const oc_chunk_place *place);

/* Steps to the bytes of the row at a place that has been read; reset the statement in any case,
 * when they have been used. */
ocelotl_status oc_chunk_read_bytes(oc_chunk_bytes *bytes, sqlite3_stmt *statement,
                                   const ocelotl_trace *trace, uint32_t stream, int64_t number,
                                   const oc_chunk_place *place);

/* Fails with INPUT: the file is damaged, and at which chunk. */
ocelotl_status oc_fail_chunk(const ocelotl_trace *trace, uint32_t stream, int64_t number,
                             const char *what);

#endif
