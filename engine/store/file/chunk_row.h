/* The rows of the table `chunk`: the statements that write and read them, and their checksums. See
 * docs/developer/store.md. */
#ifndef OC_STORE_FILE_CHUNK_ROW_H
#define OC_STORE_FILE_CHUNK_ROW_H

#include "store/file/database.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

/* Where a chunk is, as its stream's index says. */
typedef struct oc_chunk_place {
    int64_t begin; /* of its first record */
    int64_t row;
} oc_chunk_place;

/* What a row says, but for its bytes. */
typedef struct oc_chunk_row {
    uint32_t stream;
    int64_t number, begin, end, count, unit;
    bool has_extremes; /* of a variable */
    double low, high;
    const unsigned char *durations; /* SQLite's as below, never NULL; see codec/fold.h */
    size_t durations_length;
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
#define OC_CHUNK_ROW \
    "SELECT end, count, unit, low, high, row_checksum, durations FROM chunk WHERE rowid = ?"
#define OC_CHUNK_BYTES "SELECT unit, checksum, totals, events FROM chunk WHERE rowid = ?"

/* Statement: both, the rest of a row and behind it its bytes. */
#define OC_CHUNK_BOTH                                                                             \
    "SELECT end, count, unit, low, high, row_checksum, durations, unit, checksum, totals, events" \
    " FROM chunk WHERE rowid = ?"
enum { OC_CHUNK_BYTES_BEHIND = 7 }; /* the column of OC_CHUNK_BOTH where the bytes begin */

/* Statements: a whole row by rowid, and (formatted) the rows behind so many. */
#define OC_CHUNK_COLUMNS                                                                          \
    "stream, number, begin, end, count, unit, low, high, place_checksum, row_checksum, checksum," \
    " durations, totals, events"
#define OC_CHUNK_WHOLE  "SELECT " OC_CHUNK_COLUMNS " FROM chunk WHERE rowid = ?"
#define OC_CHUNK_OTHERS "SELECT rowid FROM chunk WHERE rowid > %" PRIu64 " OR rowid < 1"

/* Statement: a new row, see oc_chunk_insert. */
#define OC_CHUNK_INSERT "INSERT INTO chunk VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

/* A blob in a row that has been stepped to; never NULL. */
const unsigned char *oc_chunk_blob(size_t *length, sqlite3_stmt *row, int column);

/* Finds the bytes in the current row, by the columns of the unit and of the totals. */
void oc_chunk_find_bytes(oc_chunk_bytes *bytes, sqlite3_stmt *row, int unit, int totals);

/* A whole row that has been stepped to, and which of its checksums hold. */
typedef struct oc_chunk_found {
    oc_chunk_row row;
    oc_chunk_bytes bytes;
    bool place_holds, row_holds, bytes_hold;
} oc_chunk_found;
void oc_chunk_find(oc_chunk_found *found, sqlite3_stmt *row);

/* Writes a row, with its checksums. */
ocelotl_status oc_chunk_insert(sqlite3_stmt *insert, const char *path, const oc_chunk_row *row,
                               const oc_chunk_bytes *bytes);

/* Multiplies the times of all chunks, and their unit, by a factor; 1 renews checksums only. The
 * caller knows that all times fit. */
ocelotl_status oc_chunks_refine(sqlite3 *database, const char *path, uint64_t factor);

#endif
