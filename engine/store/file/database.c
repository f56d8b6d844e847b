#include "store/file/database.h"

#include "base/file/sink.h"
#include "base/text.h"

#include <ocelotl/writer.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

ocelotl_status oc_database_fail(sqlite3 *database, const char *path)
{
    const int code = sqlite3_errcode(database);
    if (code == SQLITE_NOTADB)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is not a trace.db", path);
    if (code == SQLITE_INTERRUPT)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: its tables do not end", path);
    if (code == SQLITE_CORRUPT || code == SQLITE_ERROR || code == SQLITE_MISMATCH ||
        code == SQLITE_TOOBIG)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: %s", path, sqlite3_errmsg(database));
    if (code == SQLITE_NOMEM)
        return oc_fail_memory();
    /* Reading or writing failed: the system says more of it than SQLite. */
    const int detail = sqlite3_extended_errcode(database);
    /* Of what happens at the end of a transaction SQLite keeps no number; the system's is still
     * there then. */
    const int last = errno;
    const int kept = sqlite3_system_errno(database);
    const int error = kept != 0 ? kept : last;
    if (detail == SQLITE_FULL)
        return oc_fail_to_write(path, ENOSPC);
    if (detail == SQLITE_IOERR_SHORT_READ)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: it ends too early", path);
    if (error != 0 && (detail == SQLITE_IOERR_WRITE || detail == SQLITE_IOERR_TRUNCATE))
        return oc_fail_to_write(path, error);
    if (error != 0 && (detail == SQLITE_IOERR_READ || sqlite3_errcode(database) == SQLITE_CANTOPEN))
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot read: %s", path, strerror(error));
    return oc_fail(OCELOTL_ERROR_IO, "%s: %s", path, sqlite3_errmsg(database));
}

/* A connection is used by one thread at a time, so that SQLite need not lock it for every column
 * that is read. */
static const int one_thread = SQLITE_OPEN_NOMUTEX;

/* A trace.db is never changed in its place: what is read is immutable, without locks and whatever
 * journals lie beside it, and what is written is nobody's but ours, and locked already. */
ocelotl_status oc_database_open(sqlite3 **database, const char *file, const char *path, int flags)
{
    const bool reads = (flags & SQLITE_OPEN_READONLY) != 0;
    const char *system = !reads && sqlite3_vfs_find("unix-none") != NULL ? "unix-none" : NULL;
    oc_text uri = {0};
    /* Adds a file as a URI, so that every name means a file ("file:a" and ":memory:" are files
     * elsewhere). */
    const char *query = reads ? "?immutable=1" : "";
    oc_text_add(&uri, file[0] == '/' ? "file:" : "file:./");
    for (const char *byte = file; *byte != '\0'; byte++)
        if (strchr("%?#", *byte) != NULL)
            oc_text_format(&uri, "%%%02x", (unsigned)*byte);
        else
            oc_text_append(&uri, byte, 1);
    oc_text_add(&uri, query);
    if (uri.failed) {
        oc_text_free(&uri);
        return oc_fail_memory();
    }
    const int code =
        sqlite3_open_v2(uri.bytes, database, flags | SQLITE_OPEN_URI | one_thread, system);
    oc_text_free(&uri);
    return code == SQLITE_OK ? OCELOTL_OK : oc_database_fail(*database, path);
}

ocelotl_status oc_database_execute(sqlite3 *database, const char *path, const char *sql)
{
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        return oc_database_fail(database, path);
    return OCELOTL_OK;
}

ocelotl_status oc_database_prepare(sqlite3_stmt **statement, sqlite3 *database, const char *path,
                                   const char *sql)
{
    if (sqlite3_prepare_v2(database, sql, -1, statement, NULL) != SQLITE_OK)
        return oc_database_fail(database, path);
    return OCELOTL_OK;
}

ocelotl_status oc_database_run(sqlite3_stmt *statement, const char *path)
{
    const int code = sqlite3_step(statement);
    const ocelotl_status status =
        code == SQLITE_DONE ? OCELOTL_OK : oc_database_fail(sqlite3_db_handle(statement), path);
    sqlite3_reset(statement);
    return status;
}

ocelotl_status oc_database_row(bool *row, sqlite3_stmt *statement, const char *path)
{
    const int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return OCELOTL_OK;
    return oc_database_fail(sqlite3_db_handle(statement), path);
}

/* --- Rows */

ocelotl_status oc_row_fail(const oc_row *row, int column, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: \"%s\" of %s %" PRId64 " is %s", row->path,
                   sqlite3_column_name(row->statement, column), row->what, row->number, what);
}

ocelotl_status oc_row_integer(int64_t *integer, const oc_row *row, int column, int64_t least,
                              int64_t most)
{
    if (sqlite3_column_type(row->statement, column) != SQLITE_INTEGER)
        return oc_row_fail(row, column, "no integer, expected one");
    const int64_t found = sqlite3_column_int64(row->statement, column);
    if (found < least || found > most)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is damaged: \"%s\" of %s %" PRId64 " is %" PRId64 ", expected %" PRId64
                       " to %" PRId64,
                       row->path, sqlite3_column_name(row->statement, column), row->what,
                       row->number, found, least, most);
    *integer = found;
    return OCELOTL_OK;
}

ocelotl_status oc_row_count(uint64_t *count, const oc_row *row, int column)
{
    int64_t found;
    OC_TRY(oc_row_integer(&found, row, column, 0, INT64_MAX));
    *count = (uint64_t)found;
    return OCELOTL_OK;
}

ocelotl_status oc_row_index(uint32_t *index, const oc_row *row, int column, uint32_t count,
                            bool optional)
{
    int64_t found;
    *index = OCELOTL_NONE;
    if (optional && sqlite3_column_type(row->statement, column) == SQLITE_NULL)
        return OCELOTL_OK;
    if (count == 0)
        return oc_row_fail(row, column, "a reference to nothing, expected none");
    OC_TRY(oc_row_integer(&found, row, column, 0, (int64_t)count - 1));
    *index = (uint32_t)found;
    return OCELOTL_OK;
}

ocelotl_status oc_row_colour(int32_t *colour, const oc_row *row, int column)
{
    int64_t found;
    *colour = -1;
    if (sqlite3_column_type(row->statement, column) == SQLITE_NULL)
        return OCELOTL_OK;
    OC_TRY(oc_row_integer(&found, row, column, 0, INT32_MAX));
    *colour = (int32_t)(found & 0xFFFFFF);
    return OCELOTL_OK;
}

ocelotl_status oc_row_text(const char **text, oc_arena *arena, const oc_row *row, int column)
{
    if (sqlite3_column_type(row->statement, column) != SQLITE_TEXT)
        return oc_row_fail(row, column, "no text, expected one");
    const char *found = (const char *)sqlite3_column_text(row->statement, column);
    const uint64_t length = (uint64_t)sqlite3_column_bytes(row->statement, column);
    if (found == NULL)
        return oc_fail_memory();
    if (length > *row->text_left)
        return oc_row_fail(row, column, "too long, expected texts that fit into the file");
    *row->text_left -= length;
    *text = oc_arena_copy_utf8(arena, found);
    return oc_arena_status(arena);
}

ocelotl_status oc_rows_read(oc_row *row, sqlite3 *database, const char *sql,
                            ocelotl_status (*read)(void *context, const oc_row *row), void *context)
{
    bool found = true;
    ocelotl_status status = oc_database_prepare(&row->statement, database, row->path, sql);
    for (; status == OCELOTL_OK && found; row->number++) {
        status = oc_database_row(&found, row->statement, row->path);
        if (status == OCELOTL_OK && found)
            status = read(context, row);
    }
    sqlite3_finalize(row->statement);
    row->statement = NULL;
    return status;
}
