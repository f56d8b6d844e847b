/* What an archive defines: read as a whole, then looked up, in any order, by its own numbers. */
#ifndef OC_IMPORTERS_OTF2_DEFINITIONS_H
#define OC_IMPORTERS_OTF2_DEFINITIONS_H

#include "base/arena.h"
#include "base/map.h"
#include "importers/common/kinds.h"
#include "importers/otf2/records.h"

#include <otf2/otf2.h>

#define OC_OTF2_NOTHING UINT64_MAX

/* From the numbers that an archive gives its definitions to indices: mostly they are the same. */
typedef struct otf2_index {
    uint64_t same; /* all numbers below this are their indices */
    oc_map others;
} otf2_index;

/* The index of a number; OC_OTF2_NOTHING if it is absent. O(1) expected. */
static inline uint64_t otf2_index_get(const otf2_index *index, uint64_t number)
{
    if (number < index->same)
        return number;
    const uint32_t found = oc_map_get(&index->others, &number, sizeof number);
    return found != OC_MAP_NONE ? found : OC_OTF2_NOTHING;
}

/* A definition. What the numbers mean is said below for each table. */
typedef struct otf2_item {
    uint64_t reference;  /* the archive's number */
    OTF2_StringRef name; /* a string, which may not exist */
    uint32_t kind;
    uint64_t parent, other, more;
} otf2_item;

/* Definitions of one sort: of those of one number the first counts. */
typedef struct otf2_table {
    otf2_item *items;
    size_t count, capacity;
    otf2_index index_of;
} otf2_table;

/* Names by number, each once. */
typedef struct otf2_names {
    const char **names;
    size_t count, capacity;
    oc_map number_of;
} otf2_names;

/* What the values of a metric say. */
typedef enum otf2_meaning {
    OC_OTF2_FROM_NOW,    /* as it is from now on */
    OC_OTF2_SINCE_LAST,  /* as it was since the last record */
    OC_OTF2_SUM,         /* what was counted up to now */
    OC_OTF2_ADDED,       /* what was counted since the last record, */
    OC_OTF2_ADDED_BEFORE /* or will be until the next */
} otf2_meaning;

typedef struct otf2_metric {
    double scale;    /* of values, in the unit */
    uint32_t number; /* of the metric by name, see otf2_definitions.metrics */
    otf2_meaning meaning;
} otf2_metric;

/* What a metric is of, where that is not the location that records it. */
typedef struct otf2_scope {
    bool is_set;
    OTF2_MetricScope kind;
    uint64_t of;    /* the archive's number of it */
    uint64_t owner; /* the location that was first to record it, or OC_OTF2_NOTHING; others have
                       their own */
} otf2_scope;

/* The members of communicators, in the order of ranks, and of classes of metrics. */
typedef struct otf2_list {
    uint64_t *numbers;
    size_t count, capacity;
} otf2_list;

typedef struct otf2_definitions {
    oc_arena arena;
    ocelotl_import_value by; /* what values of states are */
    bool has_clock;
    uint64_t resolution, offset, length, epoch;
    uint64_t ticks; /* of the trace in a second */
    const char **strings;
    size_t string_count, string_capacity;
    otf2_index string_of;
    union {
        struct {
            /* kind: the string of the class; parent: another node */
            otf2_table nodes;
            /* of locations; kind: their type; parent: a node */
            otf2_table groups;
            /* kind: their type; parent: a group; other: events; more: whether its group has
             * others */
            otf2_table locations;
            /* kind: number of the name in `values`; parent: role; other: paradigm; more: number of
             * the value of its states */
            otf2_table regions;
            /* groups of members: other, more: in `members`; kind: type; parent: the paradigm, or
             * OC_OTF2_NOTHING where members are locations */
            otf2_table sets;
            /* by paradigm: the locations of ranks; other, more: in `members` */
            otf2_table ranks;
            /* parent, other: the sets, the second of an inter-communicator; kind: others have its
             * name, too */
            otf2_table communicators;
            otf2_table windows; /* parent: a communicator */
            /* of metrics; kind: mode; parent: the string of the unit; other, more: base and
             * exponent of values */
            otf2_table members_of_classes;
            otf2_table classes; /* of metrics; other, more: in `members` */
            /* of classes; parent: the class; kind, other: the scope; name: whether it has one;
             * more: the first of `scoped` */
            otf2_table instances;
            otf2_table parameters; /* kind: the number of the name in `keys` */
            /* the same; other: that of the name of a second value, "end_" and it; more: a bit for
             * the name */
            otf2_table attributes;
            otf2_table files;
            otf2_table handles;  /* parent: a file */
            otf2_table contexts; /* calling; parent: another; other: a region */
            otf2_table paradigms;
        };
        otf2_table tables[17];
    };
    otf2_list members;
    otf2_metric *metric_of; /* by index in members_of_classes */
    otf2_metric *scoped;    /* members of instances with a scope, in the order of their classes */
    size_t scoped_count, scoped_capacity;
    otf2_scope *scopes; /* by number of a metric */
    /* Made of the above: */
    otf2_names values;  /* kinds of records, operations, modes, regions */
    otf2_names keys;    /* of attributes: those of OC_OTF2_KEYS, of the archive, parameters */
    otf2_names metrics; /* "name\tunit", the digit of its kind before the unit; then "\tscope" */
    uint32_t first_operation, first_mode; /* in values */
    uint32_t undefined_region;            /* in values */
    uint64_t twice;                       /* definitions of a number that was taken */
    oc_kinds *kinds;
    ocelotl_status status; /* of what the library cannot pass on */
} otf2_definitions;

/* Reads the global definitions of an archive that is open. Errors: INPUT, MEMORY. */
ocelotl_status otf2_definitions_read(otf2_definitions *definitions, OTF2_Reader *reader);

/* Makes names of all that was read (definitions.c). */
ocelotl_status otf2_definitions_resolve(otf2_definitions *definitions);

void otf2_definitions_free(otf2_definitions *definitions);

/* A definition of a number, or NULL. */
const otf2_item *otf2_table_find(const otf2_table *table, uint64_t reference);

/* The text of a string, or NULL. */
const char *otf2_definitions_string(const otf2_definitions *definitions, OTF2_StringRef string);

/* The name of a definition, or NULL where it has none or is not there. */
const char *otf2_definitions_name(const otf2_definitions *definitions, const otf2_table *table,
                                  uint64_t reference);

/* So many numbers that are not known yet, OCELOTL_NONE. */
ocelotl_status otf2_make_numbers(uint32_t **numbers, oc_arena *arena, size_t count);

/* What a location is in a communicator: tracers list one location of each process. */
typedef struct otf2_member {
    uint64_t location; /* the one that is listed, by index: itself, or another of its group; itself
                          where none is */
    bool is_first;     /* it is in the first group of a communicator */
} otf2_member;

/* Finds what a location is in a communicator. O(1) where its group has no other and the
 * communicator is of one group, else O(members). */
otf2_member otf2_definitions_member(const otf2_definitions *definitions, uint64_t communicator,
                                    uint64_t location);

/* The location of a rank in a communicator, as an index in `locations`. `peer`: what the rank is a
 * partner of, for communicators of one and of two groups. OC_OTF2_NOTHING where the archive does
 * not say. */
uint64_t otf2_definitions_rank(const otf2_definitions *definitions, uint64_t communicator,
                               uint32_t rank, otf2_member peer);

/* Whether collective operations of a communicator are those of one group of several locations. */
bool otf2_definitions_is_shared(const otf2_definitions *definitions, uint64_t communicator);

#endif
