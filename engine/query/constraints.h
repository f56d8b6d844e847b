/* What conditions of an SQL query select. SQLite tests every row again, so a selection may hold more than it asks
 * for, and never less. */
#ifndef OC_QUERY_CONSTRAINTS_H
#define OC_QUERY_CONSTRAINTS_H

#include "query/events_table.h"

#include "query/events.h"

/* The columns of the table of events. */
enum {
    OC_COLUMN_RESOURCE,
    OC_COLUMN_RESOURCE_TYPE,
    OC_COLUMN_CATEGORY,
    OC_COLUMN_TYPE,
    OC_COLUMN_VALUE,
    OC_COLUMN_BEGIN,
    OC_COLUMN_END,
    OC_COLUMN_DURATION,
    OC_COLUMN_DEPTH,
    OC_COLUMN_SOURCE,
    OC_COLUMN_TARGET,
    OC_COLUMN_KEY,
    OC_COLUMN_ATTRIBUTES
};

/* Kinds of conditions, each a letter in the string that SQLite hands from the plan to the reading. */
#define OC_CONSTRAINT_NONE 0

/* The kind of a condition, OC_CONSTRAINT_NONE for one that does not help to read less. */
int oc_constraint_kind(int column, unsigned char operation, const char *collation);

/* A guess at the share of the rows that such a condition leaves. */
double oc_constraint_share(int kind, const ocelotl_trace *trace);

/* Narrows a selection to what can satisfy a condition. */
ocelotl_status oc_constraint_apply(oc_selection *selection, int kind, sqlite3_value *value,
                                   const oc_catalogue *catalogue);

#endif
