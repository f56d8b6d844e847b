/* What the table of events is made of without SQL: the columns and what an event has in each, how
 * much reading takes, and events that are kept to be asked for again and again. */
#ifndef OC_QUERY_SQL_KEPT_EVENTS_H
#define OC_QUERY_SQL_KEPT_EVENTS_H

#include "base/map.h"
#include "query/events/events.h"
#include "store/trace/catalogue.h"

#include <ocelotl/query.h>

typedef enum oc_column {
    OC_COLUMN_ROW = -1, /* SQLite's rowid */
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
} oc_column;

typedef enum oc_cell_kind {
    OC_CELL_NULL,
    OC_CELL_TEXT,
    OC_CELL_NUMBER,
    OC_CELL_INTEGER
} oc_cell_kind;

typedef struct oc_cell {
    oc_cell_kind kind;
    const char *text; /* lives as long as the event and the catalogue */
    double number;
    int64_t integer;
} oc_cell;

/* What an event has in a column; `row` is its rowid. */
oc_cell oc_event_cell(const ocelotl_event *event, int64_t row, oc_column column,
                      const oc_catalogue *catalogue);

/* Whether a column holds numbers, and no texts. The column of values holds both. */
bool oc_column_is_number(oc_column column);

/* Mix a cell into a hash. Cells of a column that SQL calls equal give equal hashes, whichever
 * affinity SQL compares them with. Only texts belong into columns of texts, only numbers into those
 * of numbers. */
uint64_t oc_hash_text_cell(const oc_hash_key *key, uint64_t hash, oc_column column,
                           const char *text, size_t length);
uint64_t oc_hash_number_cell(const oc_hash_key *key, uint64_t hash, oc_column column,
                             double number);

typedef struct oc_estimate {
    double streams; /* that are begun */
    double rows;    /* events that are read, whole chunks of them */
} oc_estimate;

/* O(streams). */
oc_estimate oc_estimate_reading(const oc_selection *selection, const ocelotl_trace *trace);

/* The same of a part of it: of so large a share of the streams, and in them of so large a share of
 * the time. */
oc_estimate oc_estimate_share(oc_estimate whole, double streams, double time);

/* What it takes in rows: to begin with a stream takes as long as some rows. */
double oc_estimate_cost(oc_estimate estimate);

/* Whether a selection can hold links. O(streams). */
bool oc_can_hold_links(const oc_selection *selection, const ocelotl_trace *trace);

typedef struct oc_kept_events oc_kept_events;

/* Reads all events of a selection and keeps those with a value in each column. Takes the
 * selection's arrays and filter in any case. The catalogue must outlive what is kept. O(events),
 * and about 100 bytes for each. Errors: INPUT for damage, IO if the system has no room for a
 * temporary file. */
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
