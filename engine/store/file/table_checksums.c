#include "store/file/table_checksums.h"

#include "base/bytes.h"
#include "base/digest.h"

#include <stdio.h>
#include <string.h>

static const char key_prefix[] = "checksum.";

static const struct {
    const char *name, *query;
} tables[OC_TABLE_COUNT] = {
    {"meta", "SELECT key, value FROM meta ORDER BY key"},
    {"resource_type", "SELECT id, parent, name FROM resource_type ORDER BY id"},
    {"resource", "SELECT id, parent, type, name, begin, end, notes FROM resource ORDER BY id"},
    {"event_type", "SELECT id, category, resource_type, name, colour, count, unmatched, attributes "
                   "FROM event_type"
                   " ORDER BY id"},
    {"value",
     "SELECT id, event_type, name, colour, count, innermost, inclusive FROM value ORDER BY id"},
    {"stream",
     "SELECT id, resource, event_type, role, count, begin, end, chunks FROM stream ORDER BY id"},
    {"import_warning", "SELECT rowid - 1, kind, count, detail FROM import_warning ORDER BY rowid"},
};

const char *oc_table_name(oc_table table)
{
    return tables[table].name;
}

const char *oc_table_query(oc_table table)
{
    return tables[table].query;
}

oc_table oc_table_of_key(const char *key)
{
    const size_t prefix = sizeof key_prefix - 1;
    if (strncmp(key, key_prefix, prefix) != 0)
        return OC_TABLE_COUNT;
    for (unsigned i = 0; i < OC_TABLE_COUNT; i++)
        if (strcmp(key + prefix, tables[i].name) == 0)
            return (oc_table)i;
    return OC_TABLE_COUNT;
}

/* A byte says what a column holds. */
static void add_column(oc_text *bytes, sqlite3_stmt *row, int column)
{
    enum { ABSENT, INTEGER, REAL, BYTES };
    const int type = sqlite3_column_type(row, column);
    if (type == SQLITE_NULL) {
        oc_bytes_add_unsigned(bytes, ABSENT);
    } else if (type == SQLITE_INTEGER) {
        oc_bytes_add_unsigned(bytes, INTEGER);
        oc_bytes_add_signed(bytes, sqlite3_column_int64(row, column));
    } else if (type == SQLITE_FLOAT) {
        oc_bytes_add_unsigned(bytes, REAL);
        oc_bytes_add_double(bytes, sqlite3_column_double(row, column));
    } else {
        const char *first = sqlite3_column_blob(row, column);
        const size_t length = (size_t)sqlite3_column_bytes(row, column);
        oc_bytes_add_unsigned(bytes, BYTES);
        oc_bytes_add_unsigned(bytes, length);
        if (first != NULL)
            oc_text_append(bytes, first, length);
        else if (length > 0)
            bytes->failed = true; /* SQLite had no memory */
    }
}

ocelotl_status oc_table_checksum_add(oc_table_checksum *sum, sqlite3_stmt *row)
{
    oc_text_clear(&sum->row);
    const int columns = sqlite3_column_count(row);
    for (int i = 0; i < columns; i++)
        add_column(&sum->row, row, i);
    if (sum->row.failed)
        return oc_fail_memory();
    sum->checksum = oc_checksum(sum->row.bytes, sum->row.length, sum->checksum);
    return OCELOTL_OK;
}

/* `meta` is all but the checksums. */
static ocelotl_status add_rows(oc_table_checksum *sum, sqlite3_stmt *statement, const char *path,
                               oc_table table)
{
    for (;;) {
        bool row;
        OC_TRY(oc_database_row(&row, statement, path));
        if (!row)
            return OCELOTL_OK;
        const char *key =
            table == OC_TABLE_META ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (key == NULL || oc_table_of_key(key) == OC_TABLE_COUNT)
            OC_TRY(oc_table_checksum_add(sum, statement));
    }
}

ocelotl_status oc_table_add_up(uint64_t *checksum, sqlite3 *database, const char *path,
                               oc_table table)
{
    oc_table_checksum sum = {0};
    sqlite3_stmt *statement = NULL;
    ocelotl_status status = oc_database_prepare(&statement, database, path, tables[table].query);
    if (status == OCELOTL_OK)
        status = add_rows(&sum, statement, path, table);
    sqlite3_finalize(statement);
    oc_text_free(&sum.row);
    *checksum = sum.checksum;
    return status;
}

ocelotl_status oc_table_read_checksum(bool *known, uint64_t *checksum, sqlite3 *database,
                                      const char *path, oc_table table)
{
    char key[32];
    sqlite3_stmt *statement = NULL;
    *known = false;
    *checksum = 0;
    ocelotl_status status =
        oc_database_prepare(&statement, database, path, "SELECT value FROM meta WHERE +key = ?");
    snprintf(key, sizeof key, "%s%s", key_prefix, tables[table].name);
    if (status == OCELOTL_OK) {
        sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
        status = oc_database_row(known, statement, path);
    }
    if (status == OCELOTL_OK && *known)
        *checksum = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status;
}

static ocelotl_status write_checksum(sqlite3_stmt *put, sqlite3 *database, const char *path,
                                     oc_table table)
{
    char key[32];
    uint64_t checksum = 0;
    OC_TRY(oc_table_add_up(&checksum, database, path, table));
    snprintf(key, sizeof key, "%s%s", key_prefix, tables[table].name);
    sqlite3_bind_text(put, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, (sqlite3_int64)checksum);
    return oc_database_run(put, path);
}

ocelotl_status oc_tables_write_checksums(sqlite3 *database, const char *path)
{
    sqlite3_stmt *put = NULL;
    ocelotl_status status =
        oc_database_prepare(&put, database, path, "INSERT OR REPLACE INTO meta VALUES(?, ?)");
    for (unsigned i = 0; i < OC_TABLE_COUNT && status == OCELOTL_OK; i++)
        status = write_checksum(put, database, path, (oc_table)i);
    sqlite3_finalize(put);
    return status;
}
