/* What conditions of an SQL query select. SQLite tests every row again, so a selection may hold
 * more than it asks for, and never less. */
#ifndef OC_QUERY_SQL_CONSTRAINTS_H
#define OC_QUERY_SQL_CONSTRAINTS_H

#include "query/sql/events_table.h"

#include "query/events/events.h"
#include "query/sql/event_cells.h"

/* Kinds of conditions, each a letter in the string that SQLite hands from the plan to the reading.
 * */
#define OC_CONSTRAINT_NONE 0

/* The kind of a condition, OC_CONSTRAINT_NONE for one that does not help to read less. */
int oc_constraint_kind(int column, unsigned char operation, const char *collation);

/* The column that a condition of a kind is on, and whether it is to equal something. */
oc_column oc_constraint_column(int kind);
bool oc_constraint_is_equality(int kind);

/* Whether it lets less be read than all; the others only say which of what was read is meant. */
bool oc_constraint_narrows(int kind);

/* A guess at the share of the rows that a condition leaves whose value is not known. */
double oc_constraint_share(int kind, const ocelotl_trace *trace, double rows);

/* Narrows a selection to what can satisfy a condition. */
ocelotl_status oc_constraint_apply(oc_selection *selection, int kind, sqlite3_value *value,
                                   const oc_catalogue *catalogue);

#endif
