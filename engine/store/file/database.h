/* SQLite in the library's error idiom. */
#ifndef OC_STORE_FILE_DATABASE_H
#define OC_STORE_FILE_DATABASE_H

#include "base/arena.h"
#include "base/status.h"

#include <sqlite3.h>

/* Identify a trace.db, in the file's header. */
#define OC_STORE_APPLICATION_ID 0x4F43454C
#define OC_STORE_VERSION        3

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

/* What a statement is at; messages name the file and the row. */
typedef struct oc_row {
    sqlite3_stmt *statement;
    const char *path;
    const char *what; /* "resource", .. */
    int64_t number;   /* and which */
    /* bytes that texts may still have: all of them lie in the file, each once */
    uint64_t *text_left;
} oc_row;

/* An integer from `least` to `most`. Errors: INPUT, here and below. */
ocelotl_status oc_row_integer(int64_t *integer, const oc_row *row, int column, int64_t least,
                              int64_t most);

/* The same, 0 or more. */
ocelotl_status oc_row_count(uint64_t *count, const oc_row *row, int column);

/* An index below `count`; where `optional`, NULL is OCELOTL_NONE. */
ocelotl_status oc_row_index(uint32_t *index, const oc_row *row, int column, uint32_t count,
                            bool optional);

/* 0xRRGGBB, -1 for NULL. */
ocelotl_status oc_row_colour(int32_t *colour, const oc_row *row, int column);

/* A text, as valid UTF-8. */
ocelotl_status oc_row_text(const char **text, oc_arena *arena, const oc_row *row, int column);

/* Reads the rows of a query, one after the other. They are numbered from row->number. */
ocelotl_status oc_rows_read(oc_row *row, sqlite3 *database, const char *sql,
                            ocelotl_status (*read)(void *context, const oc_row *row),
                            void *context);

/* Fails: "PATH: is damaged: COLUMN of WHAT NUMBER is ..". */
ocelotl_status oc_row_fail(const oc_row *row, int column, const char *what);

#endif
