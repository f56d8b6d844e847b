#include "store/file/chunk_row.h"

#include "base/file/digest.h"

#include <string.h>

/* --- Checksums */

enum { WORD = 8, PLACE_WORDS = 3, ROW_WORDS = 8 };

/* Little-endian on every machine. */
static unsigned char *put_word(unsigned char *next, uint64_t word)
{
    for (unsigned i = 0; i < WORD; i++)
        next[i] = (unsigned char)(word >> (8 * i));
    return next + WORD;
}

static unsigned char *put_place(unsigned char *next, uint32_t stream, int64_t number, int64_t begin)
{
    next = put_word(next, stream);
    next = put_word(next, (uint64_t)number);
    return put_word(next, (uint64_t)begin);
}

/* SQLite keeps -0 as 0. */
static uint64_t bits_of(double number)
{
    const double positive = number == 0 ? 0 : number;
    uint64_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return bits;
}

/* The lower half, as a signed number, which SQLite keeps in four bytes. */
static int32_t half(uint64_t checksum)
{
    return (int32_t)(uint32_t)checksum;
}

int32_t oc_chunk_place_checksum(uint32_t stream, int64_t number, int64_t begin)
{
    unsigned char words[PLACE_WORDS * WORD];
    put_place(words, stream, number, begin);
    return half(oc_checksum(words, sizeof words, 0));
}

int32_t oc_chunk_row_checksum(const oc_chunk_row *row)
{
    unsigned char words[ROW_WORDS * WORD];
    unsigned char *next = put_place(words, row->stream, row->number, row->begin);
    next = put_word(next, (uint64_t)row->end);
    next = put_word(next, (uint64_t)row->count);
    next = put_word(next, (uint64_t)row->unit);
    next = put_word(next, row->has_extremes ? bits_of(row->low) : UINT64_MAX);
    put_word(next, row->has_extremes ? bits_of(row->high) : UINT64_MAX);
    return half(
        oc_checksum(row->durations, row->durations_length, oc_checksum(words, sizeof words, 0)));
}

int64_t oc_chunk_checksum(uint32_t stream, int64_t number, int64_t begin,
                          const oc_chunk_bytes *bytes)
{
    unsigned char words[(PLACE_WORDS + 1) * WORD];
    put_word(put_place(words, stream, number, begin), bytes->unit);
    uint64_t checksum = oc_checksum(words, sizeof words, 0);
    checksum = oc_checksum(bytes->totals, bytes->totals_length, checksum);
    return (int64_t)oc_checksum(bytes->events, bytes->events_length, checksum);
}

/* --- Rows */

/* SQLite gives NULL for an empty one. */
const unsigned char *oc_chunk_blob(size_t *length, sqlite3_stmt *row, int column)
{
    const unsigned char *blob = sqlite3_column_blob(row, column);
    *length = blob != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0;
    return blob != NULL ? blob : (const unsigned char *)"";
}

void oc_chunk_find_bytes(oc_chunk_bytes *bytes, sqlite3_stmt *row, int unit, int totals)
{
    bytes->unit = (uint64_t)sqlite3_column_int64(row, unit);
    bytes->totals = oc_chunk_blob(&bytes->totals_length, row, totals);
    bytes->events = oc_chunk_blob(&bytes->events_length, row, totals + 1);
}

/* SQLite reads the text "12a" as 12: what is no number is not what was written. */
static bool are_numbers(sqlite3_stmt *statement)
{
    static const int integers[] = {0, 1, 2, 3, 4, 5, 8, 9, 10};
    bool numbers = true;
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
        numbers &= sqlite3_column_type(statement, integers[i]) == SQLITE_INTEGER;
    for (int column = 6; column < 8; column++)
        numbers &= sqlite3_column_type(statement, column) == SQLITE_NULL ||
                   sqlite3_column_type(statement, column) == SQLITE_FLOAT;
    return numbers;
}

void oc_chunk_find(oc_chunk_found *found, sqlite3_stmt *statement)
{
    /* Before a value is asked for in another class, which may convert it. */
    const bool numbers = are_numbers(statement);
    found->row = (oc_chunk_row){.stream = (uint32_t)sqlite3_column_int64(statement, 0),
                                .number = sqlite3_column_int64(statement, 1),
                                .begin = sqlite3_column_int64(statement, 2),
                                .end = sqlite3_column_int64(statement, 3),
                                .count = sqlite3_column_int64(statement, 4),
                                .unit = sqlite3_column_int64(statement, 5),
                                .has_extremes = sqlite3_column_type(statement, 6) != SQLITE_NULL,
                                .low = sqlite3_column_double(statement, 6),
                                .high = sqlite3_column_double(statement, 7)};
    found->row.durations = oc_chunk_blob(&found->row.durations_length, statement, 11);
    oc_chunk_find_bytes(&found->bytes, statement, 5, 12);
    const oc_chunk_row *row = &found->row;
    found->place_holds = sqlite3_column_int64(statement, 8) ==
                         oc_chunk_place_checksum(row->stream, row->number, row->begin);
    found->row_holds = numbers && sqlite3_column_int64(statement, 9) == oc_chunk_row_checksum(row);
    found->bytes_hold = sqlite3_column_int64(statement, 10) ==
                        oc_chunk_checksum(row->stream, row->number, row->begin, &found->bytes);
}

static void bind_blob(sqlite3_stmt *insert, int column, const unsigned char *bytes, size_t length)
{
    sqlite3_bind_blob64(insert, column, length > 0 ? bytes : (const unsigned char *)"", length,
                        SQLITE_STATIC);
}

ocelotl_status oc_chunk_insert(sqlite3_stmt *insert, const char *path, const oc_chunk_row *row,
                               const oc_chunk_bytes *bytes)
{
    sqlite3_bind_int64(insert, 1, row->stream);
    sqlite3_bind_int64(insert, 2, row->number);
    sqlite3_bind_int64(insert, 3, row->begin);
    sqlite3_bind_int64(insert, 4, row->end);
    sqlite3_bind_int64(insert, 5, row->count);
    sqlite3_bind_int64(insert, 6, row->unit);
    if (row->has_extremes) {
        sqlite3_bind_double(insert, 7, row->low);
        sqlite3_bind_double(insert, 8, row->high);
    } else {
        sqlite3_bind_null(insert, 7);
        sqlite3_bind_null(insert, 8);
    }
    sqlite3_bind_int64(insert, 9, oc_chunk_place_checksum(row->stream, row->number, row->begin));
    sqlite3_bind_int64(insert, 10, oc_chunk_row_checksum(row));
    sqlite3_bind_int64(insert, 11, oc_chunk_checksum(row->stream, row->number, row->begin, bytes));
    bind_blob(insert, 12, row->durations, row->durations_length);
    bind_blob(insert, 13, bytes->totals, bytes->totals_length);
    bind_blob(insert, 14, bytes->events, bytes->events_length);
    return oc_database_run(insert, path);
}

/* --- Other units */

typedef struct refinement {
    sqlite3_stmt *update;
    int64_t factor;
} refinement;

static ocelotl_status refine(void *context, const oc_row *row)
{
    const refinement *with = context;
    oc_chunk_found found;
    oc_chunk_find(&found, row->statement);
    oc_chunk_row *is = &found.row;
    is->begin *= with->factor;
    is->end *= with->factor;
    is->unit *= with->factor;
    found.bytes.unit = (uint64_t)is->unit;
    const int64_t values[] = {
        is->begin,
        is->end,
        is->unit,
        oc_chunk_place_checksum(is->stream, is->number, is->begin),
        oc_chunk_row_checksum(is),
        oc_chunk_checksum(is->stream, is->number, is->begin, &found.bytes),
        sqlite3_column_int64(row->statement, 14),
    };
    for (int i = 0; i < 7; i++)
        sqlite3_bind_int64(with->update, i + 1, values[i]);
    return oc_database_run(with->update, row->path);
}

/* Rows are read in the order of their ids, which stay: not by the index, whose keys change. */
ocelotl_status oc_chunks_refine(sqlite3 *database, const char *path, uint64_t factor)
{
    refinement with = {.factor = (int64_t)factor};
    oc_row row = {.path = path};
    OC_TRY(oc_database_prepare(&with.update, database, path,
                               "UPDATE chunk SET begin = ?, end = ?, unit = ?, place_checksum = ?,"
                               " row_checksum = ?, checksum = ? WHERE rowid = ?"));
    const ocelotl_status status = oc_rows_read(
        &row, database, "SELECT " OC_CHUNK_COLUMNS ", rowid FROM chunk NOT INDEXED", refine, &with);
    sqlite3_finalize(with.update);
    return status;
}
