/* A trace.db that is edited, by SQL and byte by byte: whatever is asked of it is answered or
 * refused with a message, never a crash, and never more than its size explains.
 *
 * The input: a byte for the trace that is edited, one for what is done after the edits (bit 0:
 * checksums are made anew, bits 1 to 3: how many bytes are changed, bit 4: the file is cut off, the
 * others: what is asked, 0: everything), then edits, see `edit`. */
#include "ask.h"
#include "traces.h"

#include "../test_checksums.h"

#include "store/codec/columns.h"

#include <inttypes.h>

enum { TRACES = 3, TABLES_MOST = 16, COLUMNS_MOST = 16, EDITS_MOST = 12, TEXT_MOST = 400 };

/* --- The traces */

typedef struct source {
    char *bytes;
    size_t length;
} source;

typedef struct table {
    char name[40];
    char columns[COLUMNS_MOST][40];
    uint32_t column_count;
} table;

static source sources[TRACES];
static table tables[TABLES_MOST];
static uint32_t table_count;

/* What is compressed is out of reach for edits; so is what has a dictionary, which stays. */
static void unpack(sqlite3_context *result, int count, sqlite3_value **values)
{
    const unsigned char *blob = sqlite3_value_blob(values[0]);
    const size_t length = (size_t)sqlite3_value_bytes(values[0]);
    (void)count;
    if (length == 0 || blob[0] != 1) {
        sqlite3_result_value(result, values[0]);
        return;
    }
    oc_blob_opener opener = {0};
    CHECK_OK(oc_blob_open(&opener, blob, length, NULL));
    unsigned char *bytes = calloc(1, opener.length + 1);
    CHECK(bytes != NULL);
    memcpy(bytes + 1, opener.columns, opener.length);
    sqlite3_result_blob64(result, bytes, opener.length + 1, free);
    oc_blob_opener_free(&opener);
}

static void execute(sqlite3 *database, const char *sql)
{
    sqlite3_exec(database, sql, NULL, NULL, NULL); /* a constraint may forbid it */
}

static void learn_tables(sqlite3 *database)
{
    sqlite3_stmt *row;
    CHECK(
        sqlite3_prepare_v2(database,
                           "SELECT s.name, c.name FROM sqlite_master s, pragma_table_info(s.name) c"
                           " WHERE s.type = 'table' ORDER BY s.rowid, c.cid",
                           -1, &row, NULL) == SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        if (table_count == 0 || strcmp(tables[table_count - 1].name, name) != 0) {
            CHECK(table_count < TABLES_MOST);
            snprintf(tables[table_count++].name, sizeof tables[0].name, "%s", name);
        }
        table *of = &tables[table_count - 1];
        CHECK(of->column_count < COLUMNS_MOST);
        snprintf(of->columns[of->column_count++], sizeof of->columns[0], "%s",
                 (const char *)sqlite3_column_text(row, 1));
    }
    sqlite3_finalize(row);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    static void (*const writers[TRACES])(const char *) = {write_small_trace, write_long_trace,
                                                          write_trace_of_chunks};
    (void)count;
    (void)arguments;
    temporary_begin();
    const char *path = temporary_path("source.db");
    for (size_t i = 0; i < TRACES; i++) {
        sqlite3 *database;
        writers[i](path);
        CHECK(sqlite3_open(path, &database) == SQLITE_OK);
        CHECK(sqlite3_create_function(database, "unpack", 1, SQLITE_UTF8, NULL, unpack, NULL,
                                      NULL) == SQLITE_OK);
        execute(database, "PRAGMA journal_mode = OFF; UPDATE chunk SET events = unpack(events)");
        checksums_renew(database);
        if (i == 0)
            learn_tables(database);
        sqlite3_close(database);
        sources[i].bytes = temporary_read(&sources[i].length, path);
        CHECK(unlink(path) == 0);
    }
    return 0;
}

/* --- Edits */

typedef struct input {
    const uint8_t *next, *end;
} input;

static uint32_t take(input *from)
{
    return from->next < from->end ? *from->next++ : 0;
}

static uint64_t take_word(input *from)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | take(from);
    return word;
}

/* An expression in SQL. */
static void take_value(char text[TEXT_MOST], input *from, const char *column)
{
    static const char *const values[] = {
        "0",
        "-1",
        "1",
        "2",
        "-9223372036854775807 - 1",
        "9223372036854775807",
        "4611686018427387904",
        "4294967295",
        "4294967296",
        "2147483648",
        "NULL",
        "'text'",
        "'12'",
        "x''",
        "x'00'",
        "x'ff00ff'",
        "1e300",
        "9e999",
        "-9e999",
        "1e-310",
        "zeroblob(70000)",
        "printf('%.*c', 50000, 'x')",
        "char(10, 27, 47, 37, 8238, 0, 55296)",
        "(SELECT max(end) FROM resource)",
        "(SELECT min(begin) FROM resource)",
        "(SELECT totals FROM chunk ORDER BY rowid DESC LIMIT 1)",
        "(SELECT events FROM chunk ORDER BY rowid DESC LIMIT 1)",
    };
    static const char *const changes[] = {"-%s",    "%s + 1",    "%s - 1",  "%s * 1000",
                                          "%s / 2", "%s || 'x'", "%s << 20"};
    enum {
        VALUES = sizeof values / sizeof values[0],
        CHANGES = sizeof changes / sizeof changes[0]
    };
    const uint32_t which = take(from);
    if (which % 3 == 0)
        snprintf(text, TEXT_MOST, "%s", values[which / 3 % VALUES]);
    else if (which % 3 == 1)
        snprintf(text, TEXT_MOST, "%" PRId64, (int64_t)(take_word(from) >> (which & 0x38)));
    else
        snprintf(text, TEXT_MOST, changes[which / 3 % CHANGES], column);
}

static void take_rows(char text[TEXT_MOST], input *from, const table *of)
{
    const uint32_t modulus = 1 + take(from) % 40;
    const uint32_t rest = take(from) % modulus;
    if (strcmp(of->name, "meta") == 0)
        snprintf(text, TEXT_MOST, "key = (SELECT key FROM meta ORDER BY key LIMIT 1 OFFSET %u)",
                 modulus);
    else
        snprintf(text, TEXT_MOST, "rowid %% %u = %u", modulus, rest);
}

static void update(sqlite3 *database, input *from)
{
    char sql[3 * TEXT_MOST], value[TEXT_MOST], rows[TEXT_MOST];
    const table *of = &tables[take(from) % table_count];
    const char *column = of->columns[take(from) % of->column_count];
    take_value(value, from, column);
    take_rows(rows, from, of);
    snprintf(sql, sizeof sql, "UPDATE OR IGNORE %.39s SET %.39s = %s WHERE %s", of->name, column,
             value, rows);
    execute(database, sql);
}

static void delete (sqlite3 *database, input *from)
{
    char sql[2 * TEXT_MOST], rows[TEXT_MOST];
    const table *of = &tables[take(from) % table_count];
    take_rows(rows, from, of);
    snprintf(sql, sizeof sql, "DELETE FROM %.39s WHERE %s", of->name, rows);
    execute(database, sql);
}

/* Rows once more, with another first column. */
static void duplicate(sqlite3 *database, input *from)
{
    char sql[4 * TEXT_MOST], value[TEXT_MOST], rows[TEXT_MOST];
    const table *of = &tables[take(from) % table_count];
    take_value(value, from, of->columns[0]);
    take_rows(rows, from, of);
    size_t length =
        (size_t)snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO %.39s SELECT %s", of->name, value);
    for (uint32_t i = 1; i < of->column_count; i++)
        length += (size_t)snprintf(sql + length, sizeof sql - length, ", %s", of->columns[i]);
    snprintf(sql + length, sizeof sql - length, " FROM %.39s WHERE %s", of->name, rows);
    execute(database, sql);
}

static void edit_schema(sqlite3 *database, input *from)
{
    static const char *const edits[] = {
        ("ALTER TABLE value DROP COLUMN name; "
         "ALTER TABLE value ADD COLUMN name AS (hex(zeroblob(30000000)))"),
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON value BEGIN SELECT 1; END",
        "DROP INDEX chunk_order",
        "ANALYZE",
        "CREATE TABLE other(a)",
        "DROP TABLE import_warning",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 3 WHERE name = 'value'",
        ("PRAGMA writable_schema = ON; "
         "UPDATE sqlite_master SET rootpage = 5 WHERE name = 'chunk_order'"),
        ("PRAGMA writable_schema = ON; "
         "UPDATE sqlite_master SET rootpage = rootpage + 1 WHERE type = 'table'"),
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE type = 'index'",
        "VACUUM",
        "PRAGMA page_size = 512; VACUUM",
        "PRAGMA auto_vacuum = 1; VACUUM",
        "DELETE FROM chunk",
        "DELETE FROM meta",
    };
    execute(database, edits[take(from) % (sizeof edits / sizeof edits[0])]);
}

static void edit_header(sqlite3 *database, input *from)
{
    char sql[TEXT_MOST];
    const bool version = take(from) % 2 == 0;
    snprintf(sql, sizeof sql, "PRAGMA %s = %d", version ? "user_version" : "application_id",
             (int)(take_word(from) >> 33));
    execute(database, sql);
}

/* A byte of what a chunk holds. */
static void edit_blob(sqlite3 *database, input *from)
{
    char sql[3 * TEXT_MOST];
    const char *column = take(from) % 3 == 0 ? "totals" : "events";
    const uint32_t row = 1 + take(from);
    const uint32_t place = take(from) << 4 ^ take(from);
    const uint32_t kept = take(from) % 4;
    snprintf(sql, sizeof sql,
             "UPDATE chunk SET %s = CAST(substr(%s, 1, %u) || x'%02x' || substr(%s, %u) AS BLOB)"
             " WHERE rowid = %u OR (%u = 0 AND rowid %% 5 = %u)",
             column, column, place, take(from), column, place + kept, row, kept, row % 5);
    execute(database, sql);
}

static void edit(sqlite3 *database, input *from)
{
    switch (take(from) % 12) {
    case 0:
        delete (database, from);
        break;
    case 1:
        duplicate(database, from);
        break;
    case 2:
        edit_schema(database, from);
        break;
    case 3:
        edit_header(database, from);
        break;
    case 4:
    case 5:
    case 6:
        edit_blob(database, from);
        break;
    default:
        update(database, from);
        break;
    }
}

/* --- The file */

static void change_bytes(const char *path, uint32_t choice, input *from)
{
    size_t length;
    char *bytes = temporary_read(&length, path);
    for (uint32_t count = choice >> 1 & 7; count > 0 && length > 0; count--) {
        const size_t place = (size_t)(take(from) << 16 | take(from) << 8 | take(from)) % length;
        bytes[place] = (char)(bytes[place] ^ (char)(1 + take(from)));
    }
    if ((choice >> 4 & 1) != 0)
        length = length * take(from) / 256;
    temporary_write(path, bytes, length);
    free(bytes);
}

static void write_edited(const char *path, const uint8_t *bytes, size_t length)
{
    sqlite3 *database;
    const source *of = &sources[bytes[0] % TRACES];
    input from = {bytes + 2, bytes + length};
    temporary_write(path, of->bytes, of->length);
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    execute(database,
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
    const size_t tail = (bytes[1] >> 1 & 7) * 4;
    for (uint32_t i = 0; i < EDITS_MOST && (size_t)(from.end - from.next) > tail; i++)
        edit(database, &from);
    if ((bytes[1] & 1) != 0)
        checksums_renew(database);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    change_bytes(path, bytes[1], &from);
}

/* Whatever a file is, it can be verified; what is saved of it is sound. */
static void verify(const char *path)
{
    const char *saved = temporary_path("saved.db");
    ocelotl_verification *verification = NULL;
    ocelotl_status status = ocelotl_verify(&verification, path, NULL);
    FUZZ_CHECK(status == OCELOTL_OK || status == OCELOTL_ERROR_IO || status == OCELOTL_ERROR_INPUT);
    if (status != OCELOTL_OK)
        return;
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    for (uint32_t i = 0; i < info.damages; i++)
        FUZZ_CHECK(ocelotl_verification_damage_at(verification, i).what[0] != '\0');
    status = ocelotl_salvage(saved, verification);
    FUZZ_CHECK(status == OCELOTL_OK || status == OCELOTL_ERROR_IO || status == OCELOTL_ERROR_INPUT);
    ocelotl_verification_free(verification);
    if (status != OCELOTL_OK)
        return;
    status = ocelotl_verify(&verification, saved, NULL);
    FUZZ_CHECK(status == OCELOTL_OK && ocelotl_verification_info_of(verification).damages == 0);
    ocelotl_verification_free(verification);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *path = temporary_path("trace.db");
    ocelotl_trace *trace;
    if (length < 2)
        return 0;
    write_edited(path, bytes, length);
    verify(path);
    const ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK) {
        FUZZ_CHECK(status == OCELOTL_ERROR_IO || status == OCELOTL_ERROR_INPUT);
        FUZZ_CHECK(strstr(ocelotl_error_message(), path) == ocelotl_error_message());
    } else {
        ask(trace, bytes[1] >> 5 == 0 ? ASK_EVERYTHING : bytes[1] >> 5);
        ocelotl_trace_free(trace);
    }
    temporary_files(true);
    return 0;
}
