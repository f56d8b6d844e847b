/* The state of reading a Paraver trace: header, names, records and their targets.
 *
 * Records go straight to the writer while each stream is in order of time and states nest. When
 * that ends (`is_disordered`), the file is read once more and sorted on its way. */
#ifndef OC_IMPORTERS_PARAVER_READER_H
#define OC_IMPORTERS_PARAVER_READER_H

#include "base/map.h"
#include "importers/common/kinds.h"
#include "importers/common/lines.h"
#include "importers/common/oddities.h"
#include "importers/common/source.h"
#include "importers/importer.h"
#include "importers/ingest/lanes.h"
#include "importers/ingest/merged.h"
#include "importers/ingest/timelines.h"

/* --- Names from the .pcf and .row beside a .prv: states, event types, values, resources, colours.
 */

/* Oddities of this format. */
typedef enum paraver_oddity {
    PARAVER_NO_NAMES = OC_COMMON_ODDITIES,
    PARAVER_NAME_LINE_UNKNOWN,
    PARAVER_NAMES_DIFFER,
    PARAVER_STATE_WITHOUT_NAME,
    PARAVER_DURATION_DIFFERS,
    PARAVER_OUT_OF_ORDER,
    PARAVER_STATE_REPLACED,
    PARAVER_VALUES_MANY,
    PARAVER_NO_CPU,
    PARAVER_ODDITY_END
} paraver_oddity;

typedef enum paraver_level {
    PARAVER_LEVEL_APPLICATION,
    PARAVER_LEVEL_TASK,
    PARAVER_LEVEL_THREAD,
    PARAVER_LEVEL_NODE,
    PARAVER_LEVEL_CPU,
    PARAVER_LEVEL_COUNT
} paraver_level;

/* A name, and 0xRRGGBB or -1. */
typedef struct paraver_label {
    char *text; /* NULL: only its colour is known */
    int32_t colour;
} paraver_label;

typedef struct paraver_known_type {
    char *name;
    uint64_t gradient; /* 7: hardware counters */
    uint32_t block;    /* whose values it has */
} paraver_known_type;

typedef struct paraver_block {
    bool has_values, has_zero;
} paraver_block;

/* Zero-initialised nothing is known. */
typedef struct paraver_names {
    paraver_label *labels;
    size_t label_count, label_capacity;
    oc_map label_of; /* (block, number) -> label; block 0 has the states */
    paraver_known_type *types;
    size_t type_count, type_capacity;
    oc_map type_of; /* number -> type */
    paraver_block *blocks;
    size_t block_count, block_capacity;
    char **levels[PARAVER_LEVEL_COUNT]; /* names by number, from 0 */
    size_t level_counts[PARAVER_LEVEL_COUNT], level_capacities[PARAVER_LEVEL_COUNT];
} paraver_names;

/* Finds what is beside a .prv: *paths, freed by the caller, are those of the .pcf and of the .row,
 * NULL where they are not there. Errors: MEMORY. */
ocelotl_status paraver_names_find(char *paths[2], const char *path);

/* Reads the files that were found, and notes them in the writer. Lines that mean nothing known are
 * counted; oddities refer to the paths. Errors: IO; INPUT for what is compressed and damaged. */
ocelotl_status paraver_names_read(paraver_names *names, char *const paths[2], oc_oddities *oddities,
                                  const ocelotl_import_options *options);

/* The label of a value; NULL where none is known. */
const paraver_label *paraver_names_label(const paraver_names *names, uint32_t block,
                                         int64_t number);

/* What is known of a type; NULL: nothing. */
const paraver_known_type *paraver_names_type(const paraver_names *names, uint64_t number);

/* The name of a resource by its number from 0; NULL: none is known. */
const char *paraver_names_resource(const paraver_names *names, paraver_level level, size_t number);

void paraver_names_free(paraver_names *names);

/* --- The first line of a .prv: its clock, its machine and its applications. */

/* Of CPUs, tasks and threads, each: a machine has fewer. */
enum { PARAVER_MOST_OBJECTS = 1 << 20 };

typedef struct paraver_task {
    uint32_t first_thread, thread_count; /* among those of all tasks */
    uint32_t node;                       /* from 1; 0: not known */
} paraver_task;

typedef struct paraver_application {
    uint32_t first_task, task_count;
} paraver_application;

/* Zero-initialised it is empty. */
typedef struct paraver_header {
    char *date;           /* as it is written */
    int64_t duration;     /* in ticks */
    uint64_t ticks;       /* in a second */
    uint32_t *cpus;       /* of each node: how many; 0: not listed */
    uint32_t *first_cpus; /* of each node, from 0 */
    size_t node_count, node_capacity, first_capacity;
    uint32_t cpu_count;
    paraver_application *applications;
    size_t application_count, application_capacity;
    paraver_task *tasks; /* of all applications */
    size_t task_count, task_capacity;
    uint32_t thread_count;
} paraver_header;

/* Reads "#Paraver (21/01/2022 at 16:37):1616378951_ns:1(20):1:2(1:1,1:1),3", which ends in '\0'.
 * A duration without a unit is in microseconds; nodes may be without CPUs; applications are apart
 * by ':' or ','; numbers of communicators may follow each. Errors: INPUT without the place. */
ocelotl_status paraver_header_read(paraver_header *header, const char *line);

void paraver_header_free(paraver_header *header);

/* Values of a type up to this number are found without a map. */
enum { PARAVER_SMALL_VALUES = 512 };

/* Slots below this number are in each thread; a thread may use few of many others. */
enum { PARAVER_NEAR_SLOTS = 64 };

/* What events of a type become. */
typedef enum paraver_way { PARAVER_INSTANT, PARAVER_STATE, PARAVER_COUNTER } paraver_way;

/* What a value does to the one of its type that is open: ends it, which is odd; begins inside it;
 * or is its next step. */
typedef enum paraver_rule { PARAVER_REPLACES, PARAVER_NESTS, PARAVER_STEPS } paraver_rule;

/* A type of events, or what states are of. */
typedef struct paraver_type {
    uint64_t number;
    paraver_way way;
    paraver_rule rule;
    uint32_t slot;       /* in each thread; types of one family share theirs */
    uint32_t event_type; /* the writer's */
    uint32_t block;      /* of the names of its values; OCELOTL_NONE: it has none */
    uint32_t kind;       /* where its events are counted */
    uint32_t nameless;   /* values without a name, so far */
    uint32_t *small;     /* the writer's value + 1 by number, */
    oc_map large;        /* or by a larger one */
} paraver_type;

/* Types whose states nest in each other. */
typedef struct paraver_family {
    uint32_t event_type, slot;
    bool is_known;
} paraver_family;

enum { PARAVER_FAMILIES = 3 };

/* A state that an event began. */
typedef struct paraver_open {
    uint32_t type, row;
} paraver_open;

/* What the events of a family have done in a thread. */
typedef struct paraver_slot {
    uint32_t row, stream; /* where the last one went; OCELOTL_NONE: nowhere yet */
    int64_t last;
    paraver_open *open;
    size_t depth, capacity;
} paraver_slot;

typedef struct paraver_slots {
    paraver_slot *list;
    size_t count, capacity;
} paraver_slots;

typedef struct paraver_thread {
    paraver_slots slots; /* the near ones, by number */
    int64_t life;        /* when it begins */
    int64_t last;        /* time of its last record */
    uint32_t cpu, row;   /* of its last record, by CPU */
    uint32_t task;
} paraver_thread;

/* Where records go: a thread, or by CPU, a thread in a CPU. */
typedef struct paraver_row {
    uint32_t resource, stream; /* of its states */
    int64_t last;
    int64_t *ends; /* of states that are open, outermost first */
    size_t depth, capacity;
} paraver_row;

/* A field of a line. */
typedef struct paraver_field {
    int64_t number;
    const char *text;
    uint32_t length;
    bool is_large; /* the number is that of an uint64_t */
} paraver_field;

/* A communicator, kept until resources exist. */
typedef struct paraver_group {
    uint32_t application;
    char *name, *tasks;
} paraver_group;

typedef enum paraver_kind {
    PARAVER_KIND_STATE,
    PARAVER_KIND_UNBORN,
    PARAVER_KIND_EVENT,
    PARAVER_KIND_LINK,
    PARAVER_KIND_GROUP,
    PARAVER_KIND_GROUP_LEFT_OUT,
    PARAVER_KIND_COMMENT,
    PARAVER_KIND_OLD,
    PARAVER_KIND_COUNT
} paraver_kind;

/* What the files of one trace share. */
typedef struct paraver_shared {
    ocelotl_writer *writer;
    uint64_t ticks; /* of the trace, in a second */
    oc_oddities oddities;
    oc_kinds kinds;
    uint32_t kind_of[PARAVER_KIND_COUNT];
    uint32_t file_type;         /* of resources, if several files are read */
    uint32_t resource_types[3]; /* from the top; the last has rows */
    bool merges;                /* files have one root */
    oc_merged merged;
    uint32_t link_type, link_value, link_attributes[4];
    char **names_paths; /* two for each file: what is odd refers to them to the end */
    oc_map types_known; /* (number, way, name) -> event type */
    oc_map names_taken, values_known;
    uint64_t reported;     /* progress of any pass */
    uint64_t before, size; /* bytes of the files before the one at hand, and of all */
} paraver_shared;

typedef struct paraver_reader {
    const oc_import *import;
    oc_input *input;
    const char *path;
    bool sorts, by_cpu;
    bool is_disordered;     /* the failure is that records are out of order: sort them */
    ocelotl_writer *writer; /* that of `shared` */
    paraver_shared *shared;
    uint32_t top;   /* what resources are below: the file's node, or the root */
    uint64_t scale; /* ticks of the trace in one of the file */
    paraver_header header;
    paraver_names names;
    char **names_paths; /* two of the shared ones */
    oc_lines lines;
    paraver_field *fields; /* of the line at hand */
    size_t field_count, field_capacity;
    uint64_t record_count; /* that were read */
    int64_t last_time;
    /* resources.c */
    uint32_t *nodes, *cpus; /* the writer's, by CPU */
    oc_map cpu_of, row_of;  /* (node, CPU) not in the header; (CPU, thread) */
    uint32_t *applications; /* the writer's */
    paraver_thread *threads;
    paraver_row *rows;
    size_t row_count, row_capacity;
    paraver_group *groups;
    size_t group_count, group_capacity, group_bytes;
    bool has_resources;
    /* types.c */
    paraver_type *types; /* the first one is that of states */
    size_t type_count, type_capacity;
    uint32_t *type_of; /* by number: open addressing */
    size_t type_slots;
    paraver_family families[PARAVER_FAMILIES];
    uint32_t slot_count;
    /* events.c */
    paraver_slots far_slots;
    oc_map far_slot_of; /* (thread, slot) */
    oc_sorting *records;
    oc_timelines timelines; /* of links alone */
    oc_lanes lanes;
} paraver_reader;

/* An instant of a thread. */
typedef struct paraver_place {
    uint32_t thread, row;
    int64_t time;
} paraver_place;

static inline void paraver_note(paraver_reader *reader, size_t oddity)
{
    oc_oddities_note(&reader->shared->oddities, oddity, reader->path, reader->lines.number);
}

/* resources.c: */

/* Declares the types, for all files; then the threads, whose lives must be known. */
ocelotl_status paraver_resources_declare(paraver_reader *reader); /* the types, for all files */
ocelotl_status paraver_resources_begin(paraver_reader *reader);
ocelotl_status paraver_resources_make(paraver_reader *reader);

/* The row of a thread that runs on a CPU. */
ocelotl_status paraver_find_row(uint32_t *row, paraver_reader *reader, uint32_t thread,
                                uint32_t cpu);

/* Keeps a communicator: the fields of the line at hand. */
ocelotl_status paraver_keep_group(paraver_reader *reader);
void paraver_resources_free(paraver_reader *reader);

/* types.c: */
ocelotl_status paraver_types_begin(paraver_reader *reader);

/* The index of a type of events by its number, made where it is new. Errors: LIMIT. */
ocelotl_status paraver_find_type(uint32_t *index, paraver_reader *reader, uint64_t number);

/* The writer's value for a number; OCELOTL_NONE where the type has none for it. */
ocelotl_status paraver_find_value(uint32_t *value, paraver_reader *reader, paraver_type *type,
                                  int64_t number);
void paraver_types_free(paraver_reader *reader);

/* events.c: */
ocelotl_status paraver_events_begin(paraver_reader *reader);

/* Declares what links are, once for all files. */
ocelotl_status paraver_links_declare(paraver_reader *reader);

/* Notes that a thread is created at `end`, if a state at 0 means that. */
void paraver_note_life(paraver_reader *reader, uint32_t thread, int64_t end, int64_t state);

/* Adds a state of a row, an event of a thread, or a link with its line's fields. Errors: those of
 * the writer, and if `is_disordered` is set. */
ocelotl_status paraver_add_state(paraver_reader *reader, const paraver_place *place, int64_t end,
                                 int64_t state);
ocelotl_status paraver_add_event(paraver_reader *reader, const paraver_place *place, uint32_t type,
                                 const paraver_field *value);
ocelotl_status paraver_add_link(paraver_reader *reader, const paraver_place *from,
                                const paraver_place *to, const paraver_field fields[4]);

/* Ends all that is open and writes what was sorted. */
ocelotl_status paraver_events_end(paraver_reader *reader);
void paraver_events_free(paraver_reader *reader);

/* records.c: */

/* Reads the lines in memory for threads that are not created at the beginning. */
ocelotl_status paraver_read_lives(paraver_reader *reader);

/* Reads all lines behind the header. */
ocelotl_status paraver_read_records(paraver_reader *reader);

#endif
