/* The content of tables: resources, types, values and events by name, in any order. What resources
 * are is known in the end.
 *
 *     csv_sheet_open -> csv_sheet_add_resource, csv_sheet_times, csv_sheet_add .. ->
 *     csv_sheet_write */
#ifndef OC_IMPORTERS_CSV_SHEET_H
#define OC_IMPORTERS_CSV_SHEET_H

#include "base/map.h"
#include "importers/csv/rows.h"
#include "importers/ingest/ingest.h"
#include "importers/ingest/sorting.h"

/* --- The ends that a dump gives the values of its variables. A trace has them too, as a value
 * lasts to the next one or to the end of its resource: only ends elsewhere are kept, as text. */

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

/* --- Writes states whose nesting depth is given, from any order. */

/* Zero-initialised but for `oddities` and `odd_depth` it is closed. States are added to `sorting`:
 * `group` is the type, `order` how many states are around it. */
typedef struct csv_nested {
    oc_oddities *oddities;
    size_t odd_depth; /* the oddity of a depth that is not what is open around the state */
    oc_sorting *sorting;
    int64_t *open; /* ends of states that are open while they are written, outermost first */
    size_t open_count, open_capacity;
    bool tangled;   /* a state ends after one that is around it */
    void **waiting; /* states of the instant that last, outermost first: oc_packed */
    size_t waiting_count, waiting_capacity, waiting_first;
    ocelotl_attribute_value *room;
    size_t room_capacity;
} csv_nested;

/* Writes all states, each as deep as it says, unless others prevent that. Memory: the states that
 * begin at one instant and last. */
ocelotl_status csv_nested_write(csv_nested *nested, const oc_ingest *ingest);

void csv_nested_free(csv_nested *nested);

/* What is odd in tables. */
enum {
    CSV_TIME_ROUNDED = OC_COMMON_ODDITIES,
    CSV_ODD_DEPTH,
    CSV_NOT_DECLARED,
    CSV_NAME_TWICE,
    CSV_END_EARLY,
    CSV_VARIABLE_REVERSED,
    CSV_VARIABLE_ENDS,
    CSV_ODDITY_END
};

/* What is known of a row of the ingest. */
typedef struct csv_resource {
    uint32_t type;    /* of resources, or OCELOTL_NONE: it is not known */
    bool is_short;    /* its begin and end are rounded to six digits */
    bool is_declared; /* by a line of its own */
    bool is_root;     /* it stands for what happens in the root itself */
    bool is_end;      /* links end at "0": a container of that name, or the root */
    bool is_counted;
    uint32_t depth;     /* of a table: how many are around it */
    uint64_t path_hash; /* the same for a path in every table */
    uint32_t place;     /* its type with the types around it, or OCELOTL_NONE */
    int64_t counted;    /* until when its variables count, where that is said */
    int64_t last;       /* of what happens in it and inside it: known in the end */
} csv_resource;

/* The type of resources that nothing is said of. */
#define CSV_UNKNOWN_TYPE "Group"

/* A type of resources. By name alone are event types told apart that are met in a resource of this
 * type while the types around it are not known. */
typedef struct csv_resource_type {
    const char *name;
    bool is_met, is_by_name;
} csv_resource_type;

/* Something that happens. */
typedef struct csv_event {
    uint32_t resource, type;
    uint32_t value; /* or OCELOTL_NONE */
    uint32_t to;    /* of a link: where it ends */
    int64_t begin, end;
    double number;              /* of a variable */
    uint32_t depth;             /* of a state, OCELOTL_NONE: not known */
    uint32_t id, parent;        /* numbers of it and the state around it, 0: not said */
    bool has_end;               /* it is said until when a variable counts */
    const csv_written *written; /* of a variable of pj_dump, or NULL */
} csv_event;

/* Zero-initialised it is closed. */
typedef struct csv_sheet {
    oc_ingest ingest; /* its rows are the resources; their `order` is when they were met */
    uint32_t
        kind_of[OCELOTL_LINK + 1]; /* the index + 1 of what happens, by category; 0: none yet */
    csv_nested nested;
    csv_variables variables;
    ocelotl_attribute_value *attributes; /* of the event at hand */
    size_t attribute_count, attribute_capacity;
    csv_resource *resources; /* by row */
    size_t resource_capacity;
    csv_resource_type *types; /* of resources */
    size_t type_count, type_capacity;
    uint32_t *chain; /* scratch: resources, each inside the next */
    size_t chain_capacity;
    uint32_t place_count, id_count;
    int64_t turns;       /* that have been given */
    bool has_places;     /* types of resources are known before those inside them are met */
    bool has_unit;       /* as the options or a header say */
    bool has_levels;     /* columns are levels: what they call by numbers is in this order */
    bool wants_declared; /* resources have lines of their own, which may be missing */
    bool is_looking;     /* for the first time alone, which is then `begin`: nothing is kept */
    bool is_dump;        /* of pj_dump, whose times have as many digits behind the point: */
    uint32_t dump_digits;
    uint32_t scope; /* the file whose names are looked up; 0 for all */
    uint32_t top;   /* what its resources are below, or OCELOTL_NONE */
    bool has_bounds;
    int64_t begin, end; /* of all that happens */
    int64_t shift;      /* is added to the times of the file at hand */
    uint64_t records;
} csv_sheet;

/* Opens the writer. Errors: those of the writer. */
ocelotl_status csv_sheet_open(csv_sheet *sheet, const oc_import *import, const char *format);

/* The number of a resource by a key (a name, a path), within the scope; OC_MAP_NONE if none has
 * it. */
uint32_t csv_sheet_find(csv_sheet *sheet, csv_field key);

/* Adds a resource, which the key means from now on. */
ocelotl_status csv_sheet_add_resource(uint32_t *resource, csv_sheet *sheet, csv_field key,
                                      csv_field name, uint32_t parent);

/* Lets a key mean a resource from now on. */
ocelotl_status csv_sheet_rename(csv_sheet *sheet, csv_field key, uint32_t resource);

/* Whether a resource is a lane of the one around it (importers/ingest/lanes.h). */
bool csv_sheet_is_lane(const csv_sheet *sheet, uint32_t resource);

/* Takes what a row of a table says of a resource, which comes behind all that were met or declared
 * before; texts may be empty. Errors: INPUT, and as csv_sheet_times. */
ocelotl_status csv_sheet_declare(csv_sheet *sheet, uint32_t resource, csv_field begin,
                                 csv_field end);

/* The number of a type of resources, made where it is new. */
ocelotl_status csv_sheet_resource_type(uint32_t *type, csv_sheet *sheet, csv_field name);

/* The place where event types of a resource are: its type with those around it. */
ocelotl_status csv_sheet_place(uint32_t *place, csv_sheet *sheet, uint32_t resource);

/* The type of events of resources of a place (or OCELOTL_NONE); `resource` is one that has it. */
ocelotl_status csv_sheet_type(uint32_t *type, csv_sheet *sheet, ocelotl_category category,
                              csv_field name, uint32_t place, uint32_t resource);

/* The number of what states call themselves and those around them, from 1; 0 of an empty text. */
ocelotl_status csv_sheet_id(uint32_t *number, csv_sheet *sheet, csv_field id);

/* Adds an attribute to the event at hand. */
ocelotl_status csv_sheet_attribute(csv_sheet *sheet, uint32_t type, csv_field name, csv_field text);

/* Notes that a line of pj_dump has a time. */
void csv_sheet_is_dump(csv_sheet *sheet, csv_field time);

/* Reads two times, in ticks that suit both, and shifts them; `is_duration`: but for the second. The
 * second may be empty: it is then the first. Errors: INPUT, LIMIT. */
ocelotl_status csv_sheet_times(int64_t times[2], csv_sheet *sheet, const csv_field texts[2],
                               bool is_duration);

/* Adds what happens, with the attributes. Errors: INPUT for a state that ends before it begins, and
 * as oc_sorting_add. */
ocelotl_status csv_sheet_add(csv_sheet *sheet, const csv_event *event);

/* Counts a record of a kind that became an event of a category: one kind for each. */
ocelotl_status csv_sheet_count(csv_sheet *sheet, ocelotl_category category, const char *kind);

/* Declares and writes all of it, and finishes the writer. */
ocelotl_status csv_sheet_write(csv_sheet *sheet);

void csv_sheet_free(csv_sheet *sheet);

#endif
