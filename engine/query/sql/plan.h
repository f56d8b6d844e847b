/* How SQLite is advised to read the table of events: which conditions are used, in which order rows
 * come, and what that takes. */
#ifndef OC_QUERY_SQL_PLAN_H
#define OC_QUERY_SQL_PLAN_H

#include "query/sql/events_table.h"

/* What the number of a plan (idxNum) is made of; its string (idxStr) has the kind of each condition
 * that is used. */
enum {
    OC_PLAN_DESCRIBED = 1, /* keys and attributes are wanted */
    OC_PLAN_KEPT = 2,      /* it is asked again and again what equals something: see repeated.h */
    OC_PLAN_BY_END = 4     /* rows come in the order in which they end */
};

/* The body of xBestIndex. Gives a code of SQLite. */
int oc_plan(sqlite3_index_info *info, const oc_table_source *source);

#endif
