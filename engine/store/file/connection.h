/* Connections to a trace.db that somebody else may have written or edited on purpose. */
#ifndef OC_STORE_FILE_CONNECTION_H
#define OC_STORE_FILE_CONNECTION_H

#include "store/file/database.h"

/* Work that SQLite may still do on a connection, in steps of its machine. */
typedef struct oc_work_bound {
    uint64_t left;
} oc_work_bound;

/* Opens the trace.db at `path`, which has `file_size` bytes, to read it. Makes sure that it is one,
 * of this version, and that it holds the tables and the index that the writer makes and nothing
 * else: nothing that SQLite would compute instead of reading it. No text of it is longer than the
 * file. *database is to be closed in any case. O(1). Errors: IO, INPUT. */
ocelotl_status oc_connection_open(sqlite3 **database, const char *path, uint64_t file_size);

/* Whether an open database is a trace.db of this version. Errors: INPUT. */
ocelotl_status oc_connection_check_identity(sqlite3 *database, const char *path);

/* From here on, reading the tables of names fails where it takes much longer than for a file of
 * this size: pages that refer to each other in circles have no end. `bound` must live until
 * oc_connection_unbind. */
void oc_connection_bind(sqlite3 *database, oc_work_bound *bound, uint64_t file_size);
void oc_connection_unbind(sqlite3 *database);

#endif
