/* The tables of a trace.db, which docs/developer/store.md explains column by column: their
 * statements; whether a file that somebody else may have edited has them; and their checksums. */
#ifndef OC_STORE_FILE_TABLES_H
#define OC_STORE_FILE_TABLES_H

#include "base/text.h"
#include "store/file/database.h"

#define OC_STORE_SCHEMA                                                                            \
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"                                \
    "CREATE TABLE resource_type(id INTEGER PRIMARY KEY, parent INTEGER, name TEXT NOT NULL);"      \
    "CREATE TABLE resource(id INTEGER PRIMARY KEY, parent INTEGER, type INTEGER NOT NULL,"         \
    " name TEXT NOT NULL, begin INTEGER NOT NULL, end INTEGER NOT NULL, notes TEXT NOT NULL);"     \
    "CREATE TABLE event_type(id INTEGER PRIMARY KEY, category INTEGER NOT NULL, resource_type "    \
    "INTEGER,"                                                                                     \
    " name TEXT NOT NULL, colour INTEGER, count INTEGER NOT NULL, unmatched INTEGER NOT NULL,"     \
    " attributes TEXT NOT NULL);"                                                                  \
    "CREATE TABLE value(id INTEGER PRIMARY KEY, event_type INTEGER NOT NULL, name TEXT NOT NULL,"  \
    " colour INTEGER, count INTEGER NOT NULL, innermost INTEGER NOT NULL, inclusive INTEGER NOT "  \
    "NULL);"                                                                                       \
    "CREATE TABLE stream(id INTEGER PRIMARY KEY, resource INTEGER NOT NULL, event_type INTEGER "   \
    "NOT NULL,"                                                                                    \
    " role INTEGER NOT NULL, count INTEGER NOT NULL, begin INTEGER NOT NULL, end INTEGER NOT "     \
    "NULL,"                                                                                        \
    " chunks INTEGER NOT NULL);"                                                                   \
    "CREATE TABLE chunk(stream INTEGER NOT NULL, number INTEGER NOT NULL, begin INTEGER NOT NULL," \
    " end INTEGER NOT NULL, count INTEGER NOT NULL, unit INTEGER NOT NULL, low REAL, high REAL,"   \
    " place_checksum INTEGER NOT NULL, row_checksum INTEGER NOT NULL, checksum INTEGER NOT NULL,"  \
    " durations BLOB NOT NULL, totals BLOB NOT NULL, events BLOB NOT NULL);"                       \
    "CREATE TABLE dictionary(id INTEGER PRIMARY KEY, role INTEGER NOT NULL, bytes BLOB NOT NULL);" \
    "CREATE TABLE import_warning(kind TEXT NOT NULL, count INTEGER NOT NULL, detail TEXT NOT "     \
    "NULL);"                                                                                       \
    "CREATE TABLE source_kind(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, fate INTEGER NOT NULL,"  \
    " count INTEGER NOT NULL, why TEXT NOT NULL);"

/* In meta, followed by the id of a variable. */
#define OC_STORE_UNIT_KEY "unit."

/* Likewise: what it is, where it is no level. */
#define OC_STORE_KIND_KEY     "kind."
#define OC_STORE_KIND_COUNTER "counter"

/* In meta, followed by a number from 0: the files of a trace that comes from several, each a stamp,
 * a tab and its path. */
#define OC_STORE_FILE_KEY "file."

/* What was done to the clock of each of several files: the name, ": ", and the text. */
#define OC_STORE_ALIGNED_KEY "aligned."

/* Of a derived trace: the uid of the trace that it was made of, how, and followed by a number from
 * 0 the clocks: path;offset;drift;bound;samples;messages;group, an empty bound is not known. */
#define OC_STORE_DERIVED_KEY    "derived_from"
#define OC_STORE_DERIVATION_KEY "derivation"
#define OC_STORE_CLOCK_KEY      "clock."

/* Of a run, followed by a number from 0: its files, each FILE;UID;BYTES;STREAMS: its name beside
 * this one, and the number of its streams, which follow in the table. */
#define OC_STORE_SHARD_KEY "shard."

/* Of a part that a rank has written: in which turns it was declared (store/write/writer.h). */
#define OC_STORE_TURNS_KEY "turns"

/* Made at the end, when all rows are there. */
#define OC_STORE_INDEX \
    "CREATE UNIQUE INDEX chunk_order ON chunk(stream, number, begin, place_checksum);"

/* --- Opening */

/* Work that SQLite may still do on a connection, in steps of its machine. */
typedef struct oc_work_bound {
    uint64_t left;
} oc_work_bound;

/* Opens the trace.db at `path`, which has `file_size` bytes, to read it. Makes sure that it is one,
 * of this version, and that it holds the tables and the index that the writer makes and nothing
 * else: nothing that SQLite would compute instead of reading it. No text of it is longer than the
 * file. *database is to be closed in any case. O(1). Errors: IO, INPUT. */
ocelotl_status oc_connection_open(sqlite3 **database, const char *path, uint64_t file_size);

/* Makes a connection read and nothing else, and no text that is longer than the file. */
void oc_connection_limit(sqlite3 *database, uint64_t file_size);

/* Whether an open database is a trace.db of this version. Errors: INPUT. */
ocelotl_status oc_connection_check_identity(sqlite3 *database, const char *path);

/* Makes reading the tables of names fail if it takes far too long for the file's size: pages that
 * refer to each other in circles have no end. `bound` must live until oc_connection_unbind. */
void oc_connection_bind(sqlite3 *database, oc_work_bound *bound, uint64_t file_size);
void oc_connection_unbind(sqlite3 *database);

/* --- Checksums of the small tables, each as a whole; `meta` keeps them */

typedef enum oc_table {
    OC_TABLE_META,
    OC_TABLE_RESOURCE_TYPE,
    OC_TABLE_RESOURCE,
    OC_TABLE_EVENT_TYPE,
    OC_TABLE_VALUE,
    OC_TABLE_STREAM,
    OC_TABLE_DICTIONARY,
    OC_TABLE_IMPORT_WARNING,
    OC_TABLE_SOURCE_KIND,
    OC_TABLE_COUNT
} oc_table;

const char *oc_table_name(oc_table table);

/* The query that reads all of a table, in the order of its checksum. */
const char *oc_table_query(oc_table table);

/* A checksum over the rows of a table. Zero-initialised it is that of no row; free `row` at the
 * end. */
typedef struct oc_table_checksum {
    uint64_t checksum;
    oc_text row; /* the last one, as bytes */
} oc_table_checksum;

/* Adds the current row of a statement, before any other use of the statement. */
ocelotl_status oc_table_checksum_add(oc_table_checksum *sum, sqlite3_stmt *row);

/* The table whose checksum a key of `meta` is, OC_TABLE_COUNT if none. */
oc_table oc_table_of_key(const char *key);

/* Reads all of a table. */
ocelotl_status oc_table_add_up(uint64_t *checksum, sqlite3 *database, const char *path,
                               oc_table table);

/* Reads what `meta` says that it adds up to; *known is false where it says nothing. */
ocelotl_status oc_table_read_checksum(bool *known, uint64_t *checksum, sqlite3 *database,
                                      const char *path, oc_table table);

/* Adds the checksums of all tables to `meta`, in place of those there. */
ocelotl_status oc_tables_write_checksums(sqlite3 *database, const char *path);

#endif
