#include "store/database.h"

#include "base/text.h"

ocelotl_status oc_database_fail(sqlite3 *database, const char *path)
{
    const int code = sqlite3_errcode(database);
    if (code == SQLITE_NOTADB)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is not a trace.db", path);
    if (code == SQLITE_CORRUPT || code == SQLITE_ERROR || code == SQLITE_MISMATCH || code == SQLITE_TOOBIG)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: %s", path, sqlite3_errmsg(database));
    if (code == SQLITE_NOMEM)
        return oc_fail_memory();
    return oc_fail(OCELOTL_ERROR_IO, "%s: %s", path, sqlite3_errmsg(database));
}

/* Where SQLite is built to take URIs, "file:a" and ":memory:" are not what they are to everybody else. */
ocelotl_status oc_database_open(sqlite3 **database, const char *file, const char *path, int flags)
{
    oc_text name = {0};
    oc_text_add(&name, file[0] == '/' ? "" : "./");
    oc_text_add(&name, file);
    if (name.failed) {
        oc_text_free(&name);
        return oc_fail_memory();
    }
    const int code = sqlite3_open_v2(name.bytes, database, flags, NULL);
    oc_text_free(&name);
    return code == SQLITE_OK ? OCELOTL_OK : oc_database_fail(*database, path);
}

ocelotl_status oc_database_execute(sqlite3 *database, const char *path, const char *sql)
{
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        return oc_database_fail(database, path);
    return OCELOTL_OK;
}

ocelotl_status oc_database_prepare(sqlite3_stmt **statement, sqlite3 *database, const char *path, const char *sql)
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
