/* SQLite in the library's error idiom. */
#ifndef OC_STORE_FILE_DATABASE_H
#define OC_STORE_FILE_DATABASE_H

#include "base/status.h"

#include <sqlite3.h>

/* Identify a trace.db, in the file's header. */
#define OC_STORE_APPLICATION_ID 0x4F43454C
#define OC_STORE_VERSION        2

/* Turns SQLite's last error on `database` into a message "path: ..."; damage is INPUT, the rest IO.
 */
ocelotl_status oc_database_fail(sqlite3 *database, const char *path);

/* Opens `file`; messages name `path`. Errors as above; *database is to be closed in any case. */
ocelotl_status oc_database_open(sqlite3 **database, const char *file, const char *path, int flags);

ocelotl_status oc_database_execute(sqlite3 *database, const char *path, const char *sql);
ocelotl_status oc_database_prepare(sqlite3_stmt **statement, sqlite3 *database, const char *path,
                                   const char *sql);

/* Runs a prepared statement that gives no rows, and makes it ready for its next run. */
ocelotl_status oc_database_run(sqlite3_stmt *statement, const char *path);

/* The next row of a statement: *row is false at the end. */
ocelotl_status oc_database_row(bool *row, sqlite3_stmt *statement, const char *path);

#endif
