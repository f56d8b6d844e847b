/* The events of a trace as a table for SQLite. Compiled twice: into the library, and with
 * OC_SQLITE_EXTENSION into the extension for the sqlite3 shell, whose SQLite need not be the
 * library's. */
#ifndef OC_QUERY_SQL_EVENTS_TABLE_H
#define OC_QUERY_SQL_EVENTS_TABLE_H

#include "query/events/events.h"
#include "query/sql/kept_events.h"

#ifdef OC_SQLITE_EXTENSION
#include <sqlite3ext.h>
#else
#include <sqlite3.h>
#endif

/* What the tables of a connection read, where it is one trace; it must outlive the connection. */
typedef struct oc_table_source {
    ocelotl_trace *trace;
    oc_catalogue catalogue;
    ocelotl_status failed; /* what a row could not be had for; the message is the thread's */
    uint64_t readings;     /* how often events of the trace were read */
} oc_table_source;

/* Registers a table of events with a connection, under a name. With a source the table is that
 * trace; with NULL it is the open database of the connection, or another trace.db by CREATE VIRTUAL
 * TABLE name USING it('trace.db'). Gives a code of SQLite. */
int oc_events_table_register(sqlite3 *database, const char *name, oc_table_source *source);

/* --- Conditions */

/* Kinds of conditions: letters in the string that SQLite passes from plan to reading. */
#define OC_CONSTRAINT_NONE 0

/* The kind of a condition, OC_CONSTRAINT_NONE for one that does not help to read less. */
int oc_constraint_kind(int column, unsigned char operation, const char *collation);

/* The column of a kind of condition, and whether the condition is an equality. */
oc_column oc_constraint_column(int kind);
bool oc_constraint_is_equality(int kind);

/* Whether it lets less be read than all; the others only say which of what was read is meant. */
bool oc_constraint_narrows(int kind);

/* A guess at the share of rows left by a condition with an unknown value. */
double oc_constraint_share(int kind, const ocelotl_trace *trace, double rows);

/* Narrows a selection to what can satisfy a condition. */
ocelotl_status oc_constraint_apply(oc_selection *selection, int kind, sqlite3_value *value,
                                   const oc_catalogue *catalogue);

/* --- Plans */

/* What the number of a plan (idxNum) is made of; its string (idxStr) has the kind of each condition
 * that is used. */
enum {
    OC_PLAN_DESCRIBED = 1, /* keys and attributes are wanted */
    OC_PLAN_KEPT = 2,      /* it is asked again and again what equals something: see oc_repeated */
    OC_PLAN_BY_END = 4     /* rows come in the order in which they end */
};

/* The body of xBestIndex. Gives a code of SQLite. */
int oc_plan(sqlite3_index_info *info, const oc_table_source *source);

/* --- Joins */

typedef struct oc_repeated {
    struct oc_repeated *next; /* of those that nobody asks at present */
    char *kinds;              /* of its conditions */
    int plan;                 /* OC_PLAN_ .. */
    size_t count;
    sqlite3_value **values; /* of its conditions when it was asked last; NULL for those that vary */
    bool *varies;           /* by condition */
    bool asked;
    double work; /* what reading took until now, in rows; whoever reads adds to it */
    oc_kept_events *kept;
} oc_repeated;

/* Takes one with such conditions out of a list, or makes one. Errors: MEMORY. */
ocelotl_status oc_repeated_take(oc_repeated **repeated, oc_repeated **list, const char *kinds,
                                int plan, size_t count);

/* Ends a list; NULL is an empty one. */
void oc_repeated_free(oc_repeated *list);

/* Asks with other values. Where it is kept, goes to what may fit them (oc_kept_events_next gives
 * it); *found is false where the trace has to be read. */
ocelotl_status oc_repeated_ask(bool *found, oc_repeated *repeated, sqlite3_value **values,
                               const oc_table_source *source);

#endif
