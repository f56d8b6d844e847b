/* The ends that a dump gives the values of its variables. A trace has them too, as a value lasts to
 * the next one or to the end of its resource: only ends elsewhere are kept, as text. */
#ifndef OC_IMPORTERS_CSV_VARIABLES_H
#define OC_IMPORTERS_CSV_VARIABLES_H

#include "base/map.h"
#include "importers/csv/rows.h"
#include "importers/ingest/sorting.h"

/* Attributes of what a dump says otherwise than the trace; `export` writes them at their place. */
#define CSV_WRITTEN_END      "written end"
#define CSV_WRITTEN_DURATION "written duration"

/* What a line says of a value. */
typedef struct csv_written {
    int64_t end; /* in ticks, may be before its begin */
    csv_field end_text, duration;
    bool has_duration; /* it is an attribute of the record */
} csv_written;

/* The last value of a variable that was added: it waits for the next one. */
typedef struct csv_last_value {
    uint32_t resource;
    bool is_compared; /* it waits for nothing: only where it ends is known */
    int64_t begin, end;
    void *packed; /* oc_packed, with all attributes that it may need: the last ones */
    uint32_t may_need;
} csv_last_value;

/* Zero-initialised it is empty. */
typedef struct csv_variables {
    oc_map number_of; /* (resource, type) -> number */
    csv_last_value *lasts;
    size_t count, capacity;
    ocelotl_attribute_value *room;
    size_t room_capacity;
} csv_variables;

struct csv_sheet;

/* Adds a value; the one before it in its variable goes to the timelines. Errors: as
 * oc_timelines_add. */
ocelotl_status csv_variables_add(struct csv_sheet *sheet, const oc_sorted *record,
                                 const csv_written *written);

/* Notes where a value of a table ends elsewhere than the next one begins. Errors: MEMORY. */
ocelotl_status csv_variables_compare(struct csv_sheet *sheet, const oc_sorted *record, int64_t end);

/* Multiplies the times that wait; false where one does not fit. */
bool csv_variables_refine(csv_variables *variables, uint64_t factor);

/* Adds the last values, where the lives of resources are known; the trace ends at `end`. */
ocelotl_status csv_variables_finish(struct csv_sheet *sheet, int64_t end);

void csv_variables_free(csv_variables *variables);

#endif
