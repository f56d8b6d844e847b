/* What a join asks of the table of events once for every row of another: the same conditions with
 * other values. Reading the trace each time would take as long as the product of both. When it has
 * been read for long enough, what can be found at all is read once more and kept by what is asked
 * for. */
#ifndef OC_QUERY_SQL_REPEATED_H
#define OC_QUERY_SQL_REPEATED_H

#include "query/sql/events_table.h"

#include "query/events/events.h"
#include "query/sql/kept_events.h"

typedef struct oc_repeated {
    struct oc_repeated *next; /* of those that nobody asks at present */
    char *kinds;              /* of its conditions, see constraints.h */
    int plan;                 /* see plan.h */
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
