/* The content of tables: resources, types, values and events by name, in any order. All is declared
 * to the writer in the end, when it is known.
 *
 *     csv_sheet_open -> csv_sheet_row, csv_sheet_time, csv_sheet_add .. -> csv_sheet_write */
#ifndef OC_IMPORTERS_CSV_SHEET_H
#define OC_IMPORTERS_CSV_SHEET_H

#include "importers/common/kinds.h"
#include "importers/csv/nested.h"
#include "importers/csv/rows.h"
#include "importers/csv/variables.h"
#include "importers/importer.h"
#include "importers/ingest/timelines.h"

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

/* A resource. Times are in ticks. */
typedef struct csv_resource {
    char *name;
    uint32_t parent;         /* or OCELOTL_NONE: below the root */
    uint32_t type;           /* a name of a resource type, or OCELOTL_NONE: it is not known */
    bool has_begin, has_end; /* as the source says them */
    bool is_short;           /* they are rounded to six digits */
    bool is_declared;        /* by a line of its own */
    bool is_root;            /* it stands for what happens in the root itself */
    bool is_end;             /* links end at "0": a container of that name, or the root */
    bool is_same;            /* it is the one that `parent` says */
    bool is_used, is_counted, is_placed;
    uint32_t depth;     /* of a table: how many are around it */
    uint64_t path_hash; /* the same for a path in every table */
    uint64_t turn;      /* resources stand in this order */
    uint32_t place;     /* its type with the types around it, or OCELOTL_NONE */
    int64_t begin, end;
    int64_t first, last; /* of what happens there, where it is used */
    int64_t counted;     /* until when its variables count, where that is said */
} csv_resource;

/* The type of resources that nothing is said of. */
#define CSV_UNKNOWN_TYPE "Group"

/* A type of resources. By name alone are event types told apart that are met in a resource of this
 * type while the types around it are not known. */
typedef struct csv_resource_type {
    char *name;
    bool is_met, is_by_name;
} csv_resource_type;

/* A type of events. */
typedef struct csv_type {
    char *name;
    ocelotl_category category;
    uint32_t resource; /* one that has it, OCELOTL_NONE: the root */
    oc_map attribute_of;
    char **attributes;
    size_t attribute_count, attribute_capacity;
} csv_type;

typedef struct csv_value {
    char *name;
    uint32_t type;
} csv_value;

/* Something that happens. Numbers of types, values and attributes are the sheet's, which become the
 * writer's. */
typedef struct csv_event {
    uint32_t resource, type;
    uint32_t value; /* or OCELOTL_NONE */
    uint32_t to;    /* of a link: where it ends */
    int64_t begin, end;
    double number;              /* of a variable */
    uint32_t depth;             /* of a state, OCELOTL_NONE: not known */
    bool has_end;               /* it is said until when a variable counts */
    const csv_written *written; /* of a variable of pj_dump, or NULL */
    const ocelotl_attribute_value *attributes;
    size_t attribute_count;
} csv_event;

/* Zero-initialised it is closed. */
typedef struct csv_sheet {
    const oc_import *import;
    ocelotl_writer *writer;
    oc_oddities oddities;
    oc_kinds kinds;
    uint32_t
        kind_of[OCELOTL_LINK + 1]; /* the index + 1 of what happens, by category; 0: none yet */
    oc_timelines timelines;
    csv_nested nested;
    csv_variables variables;
    oc_map numbers;  /* (kind, number, name) -> number, of all below */
    oc_text key;     /* scratch */
    uint32_t *chain; /* scratch: resources, each inside the next */
    size_t chain_capacity;
    uint32_t place_count;
    uint64_t turns;  /* that have been given */
    bool has_places; /* types of resources are known before those inside them are met */
    csv_resource *resources;
    size_t resource_count, resource_capacity;
    csv_resource_type *resource_types;
    size_t resource_type_count, resource_type_capacity;
    csv_type *types;
    size_t type_count, type_capacity;
    csv_value *values;
    size_t value_count, value_capacity;
    uint32_t digits;      /* a tick is 10^-digits of the unit */
    uint32_t unit_digits; /* the unit is 10^-unit_digits s, */
    bool has_unit;        /* as the options or a header say */
    bool has_bounds;
    bool has_levels;     /* columns are levels: what they call by numbers is in this order */
    bool wants_declared; /* resources have lines of their own, which may be missing */
    int64_t begin, end;  /* of all that happens */
    uint64_t records;
    bool is_dump; /* of pj_dump, whose times have as many digits behind the point: */
    uint32_t dump_digits;
    uint32_t scope;  /* the file whose names are looked up; 0 for all */
    uint32_t top;    /* what its resources are below, or OCELOTL_NONE */
    bool is_looking; /* for the first time alone, which is then `begin`: nothing is kept */
    int64_t shift;   /* is added to the times of the file at hand */
    oc_place at;     /* of the row at hand */
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

/* Has siblings that are all called by numbers stand in the order of these, whatever row names one
 * first: rank 2 before rank 10. O(resources log resources). Errors: MEMORY. */
ocelotl_status csv_order_numbers(csv_sheet *sheet);

/* Whether a resource is a lane of the one around it (importers/ingest/lanes.h). */
bool csv_sheet_is_lane(const csv_sheet *sheet, const csv_resource *resource);

/* Takes what a row of a table says of a resource, which comes behind all that were met or declared
 * before; texts may be empty. Errors: INPUT, and as csv_sheet_time. */
ocelotl_status csv_sheet_declare(csv_sheet *sheet, uint32_t resource, csv_field begin,
                                 csv_field end);

/* The number of a name, made where it is new. A type belongs to resources of a place (or
 * OCELOTL_NONE); `resource` is one that has it. */
ocelotl_status csv_sheet_resource_type(uint32_t *type, csv_sheet *sheet, csv_field name);
ocelotl_status csv_sheet_type(uint32_t *type, csv_sheet *sheet, ocelotl_category category,
                              csv_field name, uint32_t place, uint32_t resource);

/* The place where event types of a resource are: its type with those around it. */
ocelotl_status csv_sheet_place(uint32_t *place, csv_sheet *sheet, uint32_t resource);
ocelotl_status csv_sheet_value(uint32_t *value, csv_sheet *sheet, uint32_t type, csv_field name);
ocelotl_status csv_sheet_attribute(uint32_t *attribute, csv_sheet *sheet, uint32_t type,
                                   csv_field name);

/* Reads a time as ticks, which become finer where it has more digits: times that were read before
 * for an event that has not been added are then to be read again, *refined says so. Errors: INPUT,
 * LIMIT. */
ocelotl_status csv_sheet_time(int64_t *ticks, bool *refined, csv_sheet *sheet, csv_field text);

/* Notes that a line of pj_dump has a time. */
void csv_sheet_is_dump(csv_sheet *sheet, csv_field time);

/* Reads two times, in ticks that suit both, and shifts them. The second may be empty: it is then
 * the first. */
ocelotl_status csv_sheet_times(int64_t times[2], csv_sheet *sheet, const csv_field texts[2]);

/* Adds what happens. Errors: INPUT for a state that ends before it begins, and as
 * oc_sorting_add. */
ocelotl_status csv_sheet_add(csv_sheet *sheet, const csv_event *event);

/* Counts a record of a kind that became an event of a category: one kind for each. */
ocelotl_status csv_sheet_count(csv_sheet *sheet, ocelotl_category category, const char *kind);

/* Declares and writes all of it, and finishes the writer. */
ocelotl_status csv_sheet_write(csv_sheet *sheet);

void csv_sheet_free(csv_sheet *sheet);

#endif
