/* Checksums of the small tables, each as a whole; `meta` keeps them (docs/developer/store.md). */
#ifndef OC_STORE_FILE_TABLE_CHECKSUMS_H
#define OC_STORE_FILE_TABLE_CHECKSUMS_H

#include "base/text.h"
#include "store/file/database.h"

typedef enum oc_table {
    OC_TABLE_META,
    OC_TABLE_RESOURCE_TYPE,
    OC_TABLE_RESOURCE,
    OC_TABLE_EVENT_TYPE,
    OC_TABLE_VALUE,
    OC_TABLE_STREAM,
    OC_TABLE_IMPORT_WARNING,
    OC_TABLE_COUNT
} oc_table;

const char *oc_table_name(oc_table table);

/* The query that reads all of a table, in the order of its checksum. */
const char *oc_table_query(oc_table table);

/* What a table adds up to, row by row. Zero-initialised it is that of no row; free `row` at the
 * end. */
typedef struct oc_table_checksum {
    uint64_t checksum;
    oc_text row; /* the last one, as bytes */
} oc_table_checksum;

/* Adds the row that a statement is at, before anything else is asked of the statement. */
ocelotl_status oc_table_checksum_add(oc_table_checksum *sum, sqlite3_stmt *row);

/* Of which table a key of `meta` is the checksum, OC_TABLE_COUNT: of none. */
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
