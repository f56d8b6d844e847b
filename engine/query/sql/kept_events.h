/* Events that are found by what they have in some columns. They are kept in a temporary database,
 * which SQLite holds in memory while it is small, and in a file that nobody else sees when it
 * grows. */
#ifndef OC_QUERY_SQL_KEPT_EVENTS_H
#define OC_QUERY_SQL_KEPT_EVENTS_H

#include "query/events/events.h"
#include "query/sql/event_cells.h"

typedef struct oc_kept_events oc_kept_events;

/* Reads all events of a selection and keeps those that have something in each of the columns. Takes
 * the selection's arrays and filter in any case. The catalogue must outlive what is kept.
 * O(events), and 100 bytes for each or so. Errors: INPUT for damage, IO where the system has no
 * room for a temporary file. */
ocelotl_status oc_kept_events_make(oc_kept_events **kept, ocelotl_trace *trace,
                                   const oc_catalogue *catalogue, oc_selection *selection,
                                   const oc_column *columns, size_t column_count);
void oc_kept_events_free(oc_kept_events *kept);

/* What the hashes of their columns are made with. */
const oc_hash_key *oc_kept_events_hash_key(const oc_kept_events *kept);

/* Goes to the events whose columns have a hash; a few others may have it too. */
void oc_kept_events_find(oc_kept_events *kept, uint64_t hash);

/* The next of them with its rowid, in the order in which they were read; *found is false after the
 * last. Its texts live until the next call. */
ocelotl_status oc_kept_events_next(bool *found, ocelotl_event *event, int64_t *row,
                                   oc_kept_events *kept);

#endif
