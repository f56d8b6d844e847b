/* The events of a trace as a table for SQLite. Compiled twice: into the library, and with
 * OC_SQLITE_EXTENSION into the extension for the sqlite3 shell, whose SQLite need not be the
 * library's. */
#ifndef OC_QUERY_SQL_EVENTS_TABLE_H
#define OC_QUERY_SQL_EVENTS_TABLE_H

#ifdef OC_SQLITE_EXTENSION
#include <sqlite3ext.h>
#else
#include <sqlite3.h>
#endif

#include "store/trace/catalogue.h"

/* What the tables of a connection read, where it is one trace; it must outlive the connection. */
typedef struct oc_table_source {
    ocelotl_trace *trace;
    oc_catalogue catalogue;
    ocelotl_status failed; /* what a row could not be had for; the message is the thread's */
    uint64_t readings;     /* how often events of the trace were read */
} oc_table_source;

/* Makes a table of events known to a connection by a name. With a source it is there by that name,
 * of that trace; with NULL it is that of the database that the connection has open, or of another
 * trace.db by CREATE VIRTUAL TABLE name USING it('trace.db'). Gives a code of SQLite. */
int oc_events_table_register(sqlite3 *database, const char *name, oc_table_source *source);

#endif
