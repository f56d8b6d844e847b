/* SQL on a trace.db past the library, as an attacker can: with checksums that are made anew, the
 * checks behind them must catch what comes of it. */
#ifndef OC_TESTS_TEST_CHECKSUMS_H
#define OC_TESTS_TEST_CHECKSUMS_H

#include "check.h"

#include "store/file/chunk_row.h"
#include "store/file/tables.h"

#include <stdarg.h>

/* Makes all checksums anew, as far as the tables are still there. */
static inline void checksums_renew(sqlite3 *database)
{
    static const char quickly[] = "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF";
    sqlite3_exec(database, quickly, NULL, NULL, NULL);
    (void)oc_chunks_refine(database, "", 1);
    (void)oc_tables_write_checksums(database, "");
}

/* The same of a file, which may be no database any more. */
static inline void checksums_renew_file(const char *path)
{
    sqlite3 *database;
    if (sqlite3_open(path, &database) == SQLITE_OK)
        checksums_renew(database);
    sqlite3_close(database);
}

/* Changes a file that is a database; gives how many rows. */
__attribute__((format(printf, 2, 3))) static inline int database_change(const char *path,
                                                                        const char *format, ...)
{
    char sql[4096];
    sqlite3 *database;
    va_list arguments;
    va_start(arguments, format);
    CHECK((size_t)vsnprintf(sql, sizeof sql, format, arguments) < sizeof sql);
    va_end(arguments);
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF", NULL, NULL, NULL);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
        exit(1);
    }
    const int rows = sqlite3_total_changes(database);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    return rows;
}

/* The number that a query gives. */
__attribute__((format(printf, 2, 3))) static inline int64_t database_number(const char *path,
                                                                            const char *format, ...)
{
    char sql[1024];
    sqlite3 *database;
    sqlite3_stmt *row;
    va_list arguments;
    va_start(arguments, format);
    CHECK((size_t)vsnprintf(sql, sizeof sql, format, arguments) < sizeof sql);
    va_end(arguments);
    CHECK(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
    CHECK(sqlite3_prepare_v2(database, sql, -1, &row, NULL) == SQLITE_OK);
    CHECK(sqlite3_step(row) == SQLITE_ROW);
    const int64_t number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(database);
    return number;
}

#endif
