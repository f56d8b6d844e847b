/* What a trace.db consists of. A chunk's columns are packed together; each is packed once more by
 * itself here, as the store does it (zstd, level 3, chunk by chunk), to see what it needs. The
 * columns are those of docs/developer/store.md. */
#include "base/text.h"
#include "bench.h"
#include "store/codec/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

enum { ROLES = 5, COLUMNS = 9, LEVEL = 3 };

static const char *const roles[ROLES] = {"events", "states", "variables", "links out", "links in"};
static const char *const columns[COLUMNS] = {"times",
                                             "codes and values",
                                             "depths",
                                             "partners",
                                             "durations",
                                             "numbers",
                                             "attributes: how many",
                                             "attributes: names",
                                             "attributes: patterns, numbers, texts"};

typedef struct column_sizes {
    double plain[ROLES][COLUMNS], alone[ROLES][COLUMNS];
    double plain_events[ROLES], events[ROLES], totals;
} column_sizes;

/* The chunk at hand. */
typedef struct columns_reader {
    column_sizes *sizes;
    oc_role role;
    oc_bytes_reader bytes;
    const unsigned char *begin; /* of the column */
} columns_reader;

static void end_column(columns_reader *reader, int column)
{
    const size_t length = (size_t)(reader->bytes.next - reader->begin);
    const size_t bound = ZSTD_compressBound(length);
    char *packed = malloc(bound);
    bench_demand(packed != NULL && !reader->bytes.failed,
                 "a chunk is not as docs/developer/store.md says");
    if (length > 0) {
        const size_t small = ZSTD_compress(packed, bound, reader->begin, length, LEVEL);
        reader->sizes->plain[reader->role][column] += (double)length;
        reader->sizes->alone[reader->role][column] += (double)(small < length ? small : length);
    }
    free(packed);
    reader->begin = reader->bytes.next;
}

static void skip(columns_reader *reader, int column, size_t count)
{
    for (size_t i = 0; i < count; i++)
        oc_bytes_unsigned(&reader->bytes);
    end_column(reader, column);
}

static void read_attributes(columns_reader *reader, size_t count)
{
    const size_t values = oc_bytes_count(&reader->bytes);
    if (values == 0)
        return;
    reader->begin = reader->bytes.next;
    skip(reader, 6, count);
    skip(reader, 7, values);
    reader->bytes.next = reader->bytes.end;
    end_column(reader, 8);
}

static void read_columns(columns_reader *reader)
{
    const oc_role role = reader->role;
    const bool interval = role == OC_ROLE_STATES || role == OC_ROLE_LINKS_OUT;
    const size_t count = oc_bytes_count(&reader->bytes);
    size_t deeper = 0;
    size_t ends = role == OC_ROLE_LINKS_IN ? count : 0;
    reader->begin = reader->bytes.next;
    skip(reader, 0, count);
    for (size_t i = 0; i < count && role != OC_ROLE_VARIABLE; i++) {
        const uint64_t code = oc_bytes_unsigned(&reader->bytes);
        deeper += interval && code == OC_CODE_END_DEEPER;
        ends += role == OC_ROLE_LINKS_OUT && code < OC_CODE_BEGIN;
    }
    end_column(reader, 1);
    skip(reader, 2, deeper);
    skip(reader, 3, ends);
    skip(reader, 4, ends);
    if (role == OC_ROLE_VARIABLE)
        oc_bytes_block(&reader->bytes, 8 * count);
    end_column(reader, 5);
    read_attributes(reader, count);
}

static void read_chunks(column_sizes *sizes, sqlite3 *database)
{
    ZSTD_DDict *dictionaries[ROLES] = {NULL};
    sqlite3_stmt *row = bench_prepare(database, "SELECT role, bytes FROM dictionary");
    while (sqlite3_step(row) == SQLITE_ROW)
        bench_check(oc_dictionary_unpack(&dictionaries[sqlite3_column_int(row, 0)],
                                         sqlite3_column_blob(row, 1),
                                         (size_t)sqlite3_column_bytes(row, 1)));
    sqlite3_finalize(row);
    row = bench_prepare(database, "SELECT role, events, length(totals) + length(durations) FROM"
                                  " chunk JOIN stream ON stream.id = stream");
    while (sqlite3_step(row) == SQLITE_ROW) {
        const int role = sqlite3_column_int(row, 0);
        const size_t length = (size_t)sqlite3_column_bytes(row, 1);
        oc_blob_opener opener = {0};
        bench_demand(role >= 0 && role < ROLES, "a chunk is not as docs/developer/store.md says");
        bench_check(oc_blob_open(&opener, sqlite3_column_blob(row, 1), length, dictionaries[role]));
        columns_reader reader = {sizes, (oc_role)role, oc_bytes_read(opener.columns, opener.length),
                                 NULL};
        read_columns(&reader);
        sizes->events[role] += (double)length;
        sizes->plain_events[role] += (double)opener.length;
        sizes->totals += sqlite3_column_double(row, 2);
        oc_blob_opener_free(&opener);
    }
    sqlite3_finalize(row);
    for (int role = 0; role < ROLES; role++)
        ZSTD_freeDDict(dictionaries[role]);
}

static void print_role(const column_sizes *sizes, int role, double events)
{
    double alone = 0;
    for (int c = 0; c < COLUMNS; c++)
        alone += sizes->alone[role][c];
    printf("    %-42s %12.3f %12.3f %12.3f\n", roles[role], sizes->events[role] / events,
           sizes->plain_events[role] / events, alone / events);
    for (int c = 0; c < COLUMNS; c++)
        if (sizes->plain[role][c] > 0)
            printf("      %-40s %12s %12.3f %12.3f\n", columns[c], "",
                   sizes->plain[role][c] / events, sizes->alone[role][c] / events);
}

static void measure(const char *path)
{
    column_sizes sizes = {.totals = 0};
    sqlite3 *database;
    bench_demand(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK, path);
    read_chunks(&sizes, database);
    sqlite3_stmt *row = bench_prepare(database, "SELECT sum(count) FROM event_type");
    bench_demand(sqlite3_step(row) == SQLITE_ROW, "the number of events");
    const double events = sqlite3_column_double(row, 0);
    sqlite3_finalize(row);
    const double size = bench_file_size(path);
    double rest = size - sizes.totals;
    sqlite3_close(database);
    printf("    %-42s %12s %12s %12s\n", path, "in the file", "not packed", "packed alone");
    for (int role = 0; role < ROLES; role++) {
        rest -= sizes.events[role];
        if (sizes.events[role] > 0)
            print_role(&sizes, role, events);
    }
    printf("    %-42s %12.3f\n", "running totals, durations", sizes.totals / events);
    printf("    %-42s %12.3f\n", "names, index, pages of SQLite", rest / events);
    printf("    %-42s %12.3f\n", "all", size / events);
}

void bench_columns(const bench_wishes *wishes)
{
    for (int i = 0; i < wishes->trace_count; i++)
        measure(wishes->traces[i]);
}
