/* The columns of the table of events, and what an event has in each. */
#ifndef OC_QUERY_SQL_EVENT_CELLS_H
#define OC_QUERY_SQL_EVENT_CELLS_H

#include "base/map.h"
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

#endif
