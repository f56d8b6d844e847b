#include "store/file/tables.h"

#include "base/file/digest.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* The tables, in the order of their creation. */
static const char schema[] = OC_STORE_SCHEMA OC_STORE_INDEX;

/* Steps of SQLite's machine between two looks at the bound; a row takes some twenty, and has a few
 * bytes at least. */
enum { STEPS_AT_ONCE = 1 << 16 };
static const uint64_t steps_for_any = (uint64_t)1 << 21;
static const uint64_t steps_for_a_byte = 32;

/* SQLite refuses some lengths below this in what it computes for itself. */
static const uint64_t shortest_limit = 4096;

static int spend(void *context)
{
    oc_work_bound *bound = context;
    const bool enough = bound->left >= STEPS_AT_ONCE;
    bound->left -= enough ? STEPS_AT_ONCE : bound->left;
    return !enough;
}

void oc_connection_bind(sqlite3 *database, oc_work_bound *bound, uint64_t file_size)
{
    const uint64_t most = (UINT64_MAX - steps_for_any) / steps_for_a_byte;
    bound->left = steps_for_any + (file_size < most ? file_size : most) * steps_for_a_byte;
    sqlite3_progress_handler(database, STEPS_AT_ONCE, spend, bound);
}

void oc_connection_unbind(sqlite3 *database)
{
    sqlite3_progress_handler(database, 0, NULL, NULL);
}

/* --- Limits */

void oc_connection_limit(sqlite3 *database, uint64_t file_size)
{
    const uint64_t length = file_size > shortest_limit ? file_size : shortest_limit;
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, length < INT32_MAX ? (int)length : INT32_MAX);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
}

/* --- Identity */

static ocelotl_status take_number(void *number, const oc_row *row)
{
    *(sqlite3_int64 *)number = sqlite3_column_int64(row->statement, 0);
    return OCELOTL_OK;
}

static ocelotl_status read_number(sqlite3_int64 *number, sqlite3 *database, const char *path,
                                  const char *sql)
{
    oc_row row = {.path = path};
    *number = 0;
    return oc_rows_read(&row, database, sql, take_number, number);
}

ocelotl_status oc_connection_check_identity(sqlite3 *database, const char *path)
{
    sqlite3_int64 number;
    OC_TRY(read_number(&number, database, path, "PRAGMA application_id"));
    if (number != OC_STORE_APPLICATION_ID)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is a SQLite database, but not a trace.db", path);
    OC_TRY(read_number(&number, database, path, "PRAGMA user_version"));
    if (number > OC_STORE_VERSION)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is a trace.db of version %lld, expected %d, or a newer Ocelotl", path,
                       (long long)number, OC_STORE_VERSION);
    if (number != OC_STORE_VERSION)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: is a trace.db of version %lld, expected %d; import the trace again: "
                       "ocelotl-cli import --force TRACE -o %s",
                       path, (long long)number, OC_STORE_VERSION, path);
    return OCELOTL_OK;
}

/* --- Schema */

/* One object of a schema: a statement without its semicolon. */
typedef struct object {
    const char *type, *name, *sql;
    size_t name_length, sql_length;
} object;

static bool skip(const char **text, const char *word)
{
    const size_t length = strlen(word);
    const bool there = strncmp(*text, word, length) == 0;
    *text += there ? length : 0;
    return there;
}

/* The statement of the schema that begins at `sql`; gives where the next one begins. */
static const char *read_object(object *read, const char *sql)
{
    const char *name = sql;
    const bool is_table = skip(&name, "CREATE TABLE ");
    if (!is_table && !skip(&name, "CREATE UNIQUE INDEX "))
        skip(&name, "CREATE INDEX ");
    const size_t length = strcspn(sql, ";");
    *read = (object){.type = is_table ? "table" : "index",
                     .name = name,
                     .sql = sql,
                     .name_length = strcspn(name, "( "),
                     .sql_length = length};
    return sql + length + (sql[length] == ';');
}

static bool is_text(const char *text, const char *expected, size_t length)
{
    return strlen(text) == length && memcmp(text, expected, length) == 0;
}

/* Whether an object belongs there; `seen` has a bit for each that does and came before. */
static ocelotl_status check_object(void *seen, const oc_row *row)
{
    const char *type = (const char *)sqlite3_column_text(row->statement, 0);
    const char *name = (const char *)sqlite3_column_text(row->statement, 1);
    const char *found = (const char *)sqlite3_column_text(row->statement, 2);
    type = type != NULL ? type : "object";
    name = name != NULL ? name : "";
    uint32_t bit = 1;
    for (const char *sql = schema; *sql != '\0'; bit <<= 1) {
        object expected;
        sql = read_object(&expected, sql);
        if (strcmp(type, expected.type) != 0 || !is_text(name, expected.name, expected.name_length))
            continue;
        if (found == NULL || (*(uint32_t *)seen & bit) != 0 ||
            !is_text(found, expected.sql, expected.sql_length))
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: has been changed: the %s \"%.*s\" is another, expected %.*s",
                           row->path, type, (int)expected.name_length, expected.name,
                           (int)expected.sql_length, expected.sql);
        *(uint32_t *)seen |= bit;
        return OCELOTL_OK;
    }
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: has been changed: it holds the %.20s \"%.100s\", expected only the tables "
                   "of a trace.db",
                   row->path, type, name);
}

static ocelotl_status check_schema(sqlite3 *database, const char *path)
{
    uint32_t seen = 0;
    uint32_t bit = 1;
    oc_row row = {.path = path};
    OC_TRY(oc_rows_read(&row, database, "SELECT type, name, sql FROM sqlite_master", check_object,
                        &seen));
    for (const char *sql = schema; *sql != '\0'; bit <<= 1) {
        object expected;
        sql = read_object(&expected, sql);
        if ((seen & bit) == 0)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: has been changed: the %s \"%.*s\" is missing, expected all that an "
                           "import writes",
                           path, expected.type, (int)expected.name_length, expected.name);
    }
    return OCELOTL_OK;
}

/* Texts in UTF-8, as a writer stores them, are read as they are. */
static ocelotl_status check_encoding(void *context, const oc_row *row)
{
    const char *encoding = (const char *)sqlite3_column_text(row->statement, 0);
    (void)context;
    return encoding != NULL && strcmp(encoding, "UTF-8") == 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT,
                         "%s: has been changed: its texts are not in UTF-8, as expected",
                         row->path);
}

static ocelotl_status check(sqlite3 *database, const char *path)
{
    oc_row row = {.path = path};
    OC_TRY(oc_connection_check_identity(database, path));
    OC_TRY(oc_database_execute(database, path, "PRAGMA cell_size_check = ON"));
    OC_TRY(check_schema(database, path));
    return oc_rows_read(&row, database, "PRAGMA encoding", check_encoding, NULL);
}

ocelotl_status oc_connection_open(sqlite3 **database, const char *path, uint64_t file_size)
{
    oc_work_bound bound;
    OC_TRY(oc_database_open(database, path, path, SQLITE_OPEN_READONLY));
    oc_connection_limit(*database, file_size);
    oc_connection_bind(*database, &bound, file_size);
    const ocelotl_status status = check(*database, path);
    oc_connection_unbind(*database);
    return status;
}

/* --- Checksums */

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
    {"dictionary", "SELECT id, role, bytes FROM dictionary ORDER BY id"},
    {"import_warning", "SELECT rowid - 1, kind, count, detail FROM import_warning ORDER BY rowid"},
    {"source_kind", "SELECT id, kind, fate, count, why FROM source_kind ORDER BY id"},
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

static ocelotl_status add_row(void *sum, const oc_row *row)
{
    return oc_table_checksum_add(sum, row->statement);
}

/* Of `meta`: all but the checksums themselves. */
static ocelotl_status add_meta_row(void *sum, const oc_row *row)
{
    const char *key = (const char *)sqlite3_column_text(row->statement, 0);
    return key != NULL && oc_table_of_key(key) != OC_TABLE_COUNT
               ? OCELOTL_OK
               : oc_table_checksum_add(sum, row->statement);
}

ocelotl_status oc_table_add_up(uint64_t *checksum, sqlite3 *database, const char *path,
                               oc_table table)
{
    oc_table_checksum sum = {0};
    oc_row row = {.path = path};
    const ocelotl_status status = oc_rows_read(
        &row, database, tables[table].query, table == OC_TABLE_META ? add_meta_row : add_row, &sum);
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
