/* The table of events as an extension for any program with SQLite, as the sqlite3 shell:
 *
 *     .load ./libocelotl_sqlite
 *     SELECT * FROM events;      -- where the database is a trace.db
 *     CREATE VIRTUAL TABLE temp.e USING events('trace.db'); */
#include "query/sql/events_table.h"

#include <ocelotl/status.h>

SQLITE_EXTENSION_INIT1

/* The name that SQLite makes of the file's. */
OCELOTL_API int sqlite3_ocelotlsqlite_init(sqlite3 *database, char **message,
                                           const sqlite3_api_routines *routines);

int sqlite3_ocelotlsqlite_init(sqlite3 *database, char **message,
                               const sqlite3_api_routines *routines)
{
    (void)message;
    SQLITE_EXTENSION_INIT2(routines)
    return oc_events_table_register(database, "events", NULL);
}
