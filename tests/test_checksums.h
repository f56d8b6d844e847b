/* Edits a trace.db and renews its checksums, as an attacker can: the checks behind them must catch
 * what comes of it. */
#ifndef OC_TESTS_TEST_CHECKSUMS_H
#define OC_TESTS_TEST_CHECKSUMS_H

#include "store/file/chunk_row.h"
#include "store/file/tables.h"

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

#endif
