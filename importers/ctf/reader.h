/* What the files of this importer share. */
#ifndef OC_IMPORTERS_CTF_READER_H
#define OC_IMPORTERS_CTF_READER_H

#include "importers/common/folding.h"
#include "importers/common/kinds.h"
#include "importers/ctf/stream.h"
#include "importers/importer.h"
#include "importers/ingest/align.h"
#include "importers/ingest/timelines.h"

/* What is odd in a CTF trace. */
typedef enum ctf_oddity {
    CTF_DISCARDED = OC_COMMON_ODDITIES,
    CTF_DISCARDED_UNKNOWN,
    CTF_TIME_BACK,
    CTF_PACKET_LOST,
    CTF_FIELDS_LOST,
    CTF_TRACE_LOST,
    CTF_NO_CLOCK,
    CTF_PACKET_EMPTY,
    CTF_NO_STREAM,
    CTF_CLOCKS_APART,
    CTF_OTF2,
    CTF_RETURN_ALONE,
    CTF_ODDITY_END
} ctf_oddity;

/* Event types of the trace. */
typedef enum ctf_type_kind {
    CTF_EVENT,
    CTF_SPAN,
    CTF_FUNCTION,
    CTF_THREAD_STATE,
    CTF_CPU_STATE,
    CTF_WAKING,
    CTF_TYPES
} ctf_type_kind;

typedef struct ctf_type {
    bool is_declared;
    uint32_t id;         /* the writer's */
    oc_map value_of;     /* a name -> the writer's value */
    oc_map attribute_of; /* a name -> the writer's attribute */
} ctf_type;

/* Where an event has a field. */
typedef struct ctf_place {
    bool is_there;
    ctf_section section;
    size_t index;
} ctf_place;

/* A field that becomes an attribute. */
typedef struct ctf_member {
    ctf_place place;
    uint32_t attribute;
} ctf_member;

/* What is done with events of a class. */
typedef enum ctf_role {
    CTF_AS_EVENT,
    CTF_AS_BEGIN,
    CTF_AS_END,
    CTF_AS_FUNCTION_BEGIN,
    CTF_AS_FUNCTION_END,
    CTF_AS_LOADED, /* a program or a library, also an event */
    /* of a kernel: */
    CTF_AS_SWITCH,
    CTF_AS_WAKEUP,
    CTF_AS_FORK,
    CTF_AS_PROCESS_EXIT,
    CTF_AS_PROCESS_FREE,
    CTF_AS_STATEDUMP,
    CTF_AS_CALL,
    CTF_AS_NUMBERED_CALL,
    CTF_AS_RETURN,
    CTF_AS_INTERRUPT,
    CTF_AS_SOFT_INTERRUPT,
    CTF_AS_VECTOR,
    CTF_AS_INTERRUPT_END
} ctf_role;

enum { CTF_KEYS = 8 };

/* A class of events. */
typedef struct ctf_class {
    const char *name;
    ctf_role role;
    bool is_kernel;
    ctf_type_kind type;
    uint32_t value; /* the writer's, of begins, ends and events */
    uint32_t kind;  /* of reader->kinds */
    uint32_t pair;  /* the class that its events make a pair of the user's as, too, + 1; 0: none */
    bool is_pair;   /* of another class, which says what is counted */
    ctf_place process, thread, name_of_thread, cpu;
    ctf_place keys[CTF_KEYS]; /* what the role needs */
    ctf_member *members;
    size_t member_count, member_capacity;
} ctf_class;

/* A trace of its own: a folder, or several that are its parts. */
typedef struct ctf_trace {
    ctf_description description;
    const char **folders;
    size_t folder_count, folder_capacity;
    uint32_t source;  /* that it was found in, by number */
    const char *path; /* of the first, as messages name it */
    const char *name; /* the last of its path */
    uint32_t host;
    bool is_kernel;
    bool has_process; /* all events are of one process: */
    int64_t process;
    const char *process_name; /* NULL: not known */
    oc_map names;             /* of its event classes */
    bool has_bounds;          /* of its events: */
    int64_t begin, end;
} ctf_trace;

typedef struct ctf_host {
    const char *name;        /* "": not known */
    uint32_t source;         /* whose it is, where each has a node */
    uint32_t resource, cpus; /* the writer's */
    bool has_time;           /* of its kernel's events: the latest */
    int64_t time;
} ctf_host;

/* States of threads. */
typedef enum ctf_state {
    CTF_NO_STATE,
    CTF_RUNNING,
    CTF_READY,
    CTF_BLOCKED,
    CTF_BLOCKED_IO,
    CTF_INTERRUPTED,
    CTF_IN_CALL, /* of the system, which is named */
    CTF_STATES
} ctf_state;

/* A thread, or what stands for one where events do not say theirs. */
typedef struct ctf_thread {
    uint32_t host, row, trace;
    bool has_process, has_number, has_parent;
    int64_t process, number, parent;
    const char *id;   /* as text, NULL: the number */
    const char *name; /* NULL: not known */
    /* From a kernel's events: */
    bool has_begun, is_exiting, has_ended; /* in the course of the trace */
    bool is_used;                          /* it has had a state */
    bool is_interrupted;                   /* inside the others */
    ctf_state outer, inner;                /* inner: what a system call does that does not run */
    uint32_t call;                         /* the writer's value, of a system call */
    int64_t begin, end;
} ctf_thread;

enum { CTF_INTERRUPTS = 8 };

typedef struct ctf_cpu {
    uint32_t host, row;
    int64_t number;
    bool is_known; /* what runs there: */
    uint32_t value;
    uint32_t thread;                     /* OCELOTL_NONE: it is idle, or not known */
    uint32_t interrupts[CTF_INTERRUPTS]; /* the writer's values, outermost first */
    size_t interrupt_count;
} ctf_cpu;

/* What the importer knows of a stream. */
typedef struct ctf_stream_data {
    int64_t latest; /* time of its events */
    bool has_events;
    uint32_t thread; /* of the last event, OCELOTL_NONE: none */
    bool has_process;
    int64_t process, number; /* which one that was */
    bool has_cpu;
    int64_t cpu;
    bool has_row; /* the CPU of the last event of a kernel: */
    int64_t row_number;
    uint32_t row;
} ctf_stream_data;

/* An event while it is taken. */
typedef struct ctf_event {
    const ctf_record *record;
    const ctf_class *of;
    ctf_stream *stream;
    ctf_stream_data *data;
    int64_t time;
    const char *left_out; /* why it is, NULL: it is not */
} ctf_event;

/* A program in the memory of a process. */
typedef struct ctf_loaded {
    uint32_t trace, program; /* by index */
    int64_t process;
    uint64_t base, size;
    uint64_t shift; /* its addresses there less those of its file */
} ctf_loaded;

/* What functions are called, by their programs and addresses there. */
typedef struct ctf_symbols {
    const char **programs, **names;
    size_t program_count, program_capacity, name_count, name_capacity;
    oc_map name_of;     /* program and address -> index */
    ctf_loaded *loaded; /* the latest last */
    size_t loaded_count, loaded_capacity;
} ctf_symbols;

typedef struct ctf_reader {
    oc_arena arena; /* of all that has no other owner */
    const oc_import *import;
    ocelotl_writer *writer;
    oc_oddities oddities;
    oc_kinds kinds;
    oc_timelines timelines;
    oc_folding folding;
    ctf_graph graph;
    ctf_time_base base;
    uint64_t bytes, events; /* of the sources, and how many were read */
    /* Traces, by number; paths of theirs for messages. */
    ctf_trace *traces;
    size_t trace_count, trace_capacity;
    const char **paths;
    oc_aligned *sources; /* by number, their times are ticks */
    ocelotl_align align; /* what was done */
    bool has_nodes;      /* each source has one */
    ctf_stream_data *streams;
    ctf_symbols symbols;
    /* Event types and classes. */
    ctf_type types[CTF_TYPES];
    ctf_class *classes;
    size_t class_count, class_capacity;
    /* Rows. */
    ctf_host *hosts;
    size_t host_count, host_capacity;
    ctf_thread *threads;
    size_t thread_count, thread_capacity;
    oc_map thread_of; /* host and number -> the latest of that number */
    ctf_cpu *cpus;
    size_t cpu_count, cpu_capacity;
    oc_map cpu_of; /* host and number -> index */
    const char **thread_names;
    size_t name_count, name_capacity;
    oc_map name_of; /* a name of threads -> index */
    uint32_t row_count;
    int64_t begin;        /* of all rows */
    uint32_t *row_traces; /* by row */
    size_t row_capacity;
    uint32_t file_type, host_type, cpus_type, cpu_type, process_type, thread_type, lane_type;
    oc_timelines_row *rows;
    /* The event that is taken. */
    ocelotl_attribute_value *attributes;
    size_t attribute_count, attribute_capacity;
    uint32_t taken_trace; /* whose it is */
    oc_text texts, key;
} ctf_reader;

/* --- Classes: what is done with events, and what they carry */

ocelotl_status ctf_find_class(ctf_class **found, ctf_reader *reader, const ctf_stream *stream,
                              ctf_event_class *of);

/* A type, and a value or an attribute of one, which are declared where they are new. */
ocelotl_status ctf_declare_type(ctf_reader *reader, ctf_type_kind kind);
ocelotl_status ctf_find_value(uint32_t *value, ctf_reader *reader, ctf_type_kind type,
                              const char *name);
ocelotl_status ctf_find_attribute(uint32_t *attribute, ctf_reader *reader, ctf_type_kind type,
                                  const char *name);

/* --- Pairs: names that begin and end states */

/* Whether events of a name begin or end states: the user says so, or the trace has the partner as
 * well. The name of the states is put in `name`. */
ocelotl_status ctf_find_pair(ctf_role *role, oc_text *name, const oc_map *names, const char *event,
                             const char *pairs);

/* Whether an event makes a pair that the user names. */
bool ctf_is_given(const char *event, const char *pairs);

/* Checks the option --pair: its form, and that the traces have events of the names. Errors:
 * ARGUMENT. */
ocelotl_status ctf_check_pairs(const char *pairs);
ocelotl_status ctf_check_names_of_pairs(const ctf_reader *reader);

/* --- Fields of events, and those of the event that is taken */

/* The structure of a section of events, NULL where they have none. */
const ctf_layout *ctf_section_of(const ctf_event_class *of, ctf_section section);

/* Where events of a class have a field of a name. */
bool ctf_find_place(ctf_place *place, const ctf_event_class *of, ctf_section section,
                    const char *name);

/* The number, or the text (NULL: none), of the field at a place. */
bool ctf_get_number(int64_t *number, const ctf_event *event, ctf_place place);
const char *ctf_get_string(const ctf_event *event, ctf_place place);

/* Gathers attributes in reader->attributes: begin, add, end. */
void ctf_gather_begin(ctf_reader *reader);
ocelotl_status ctf_gather_number(ctf_reader *reader, uint32_t attribute, uint64_t number);
ocelotl_status ctf_gather_signed(ctf_reader *reader, uint32_t attribute, int64_t number);
ocelotl_status ctf_gather_end(ctf_reader *reader);

/* Gathers all fields of an event that its class keeps, from begin to end. */
ocelotl_status ctf_gather(ctf_reader *reader, ctf_event *event);

/* Adds an event with all it carries to a row: as an instant, or the begin or end of a state. */
ocelotl_status ctf_add_event(ctf_reader *reader, ctf_event *event, uint32_t row, uint32_t value);

/* Adds it as what it is in a pair of the user's beside that, if it is. */
ocelotl_status ctf_add_pair(ctf_reader *reader, ctf_event *event, uint32_t row);

/* --- Symbols: names of functions by address */

/* Reads the files of symbols in the folders of sources, and notes them. */
ocelotl_status ctf_symbols_read(ctf_reader *reader);

/* Notes where a program was loaded, by an event that tells it. */
ocelotl_status ctf_symbols_load(ctf_reader *reader, ctf_event *event);

/* The name of the function at an address; NULL: it is not known. */
const char *ctf_symbols_find(const ctf_reader *reader, const ctf_event *event, uint64_t address);

/* --- Rows: threads and CPUs */

/* The thread of a number on a host: the latest, or a new one where that is of another process. */
ocelotl_status ctf_find_thread(uint32_t *thread, ctf_reader *reader, uint32_t trace, int64_t number,
                               bool has_process, int64_t process);
ocelotl_status ctf_add_thread(uint32_t *thread, ctf_reader *reader, uint32_t trace, int64_t number);
ocelotl_status ctf_name_thread(ctf_reader *reader, uint32_t thread, const char *name);

/* The thread for events of a stream that do not name their own. */
ocelotl_status ctf_find_alone(uint32_t *thread, ctf_reader *reader, ctf_event *event);
ocelotl_status ctf_find_cpu(uint32_t *cpu, ctf_reader *reader, uint32_t trace, int64_t number);
ocelotl_status ctf_find_host(uint32_t *host, ctf_reader *reader, uint32_t source, const char *name);

/* Ends it: resources by their names and order, and all that was read. */
ocelotl_status ctf_finish(ctf_reader *reader);

/* --- A kernel's events */

ocelotl_status ctf_take_in_kernel(ctf_reader *reader, ctf_event *event);

/* The state of a CPU, and of the thread there, is unknown from a time on. */
ocelotl_status ctf_lose_cpu(ctf_reader *reader, uint32_t cpu, int64_t time);

/* Ends all states at the end of their traces. */
ocelotl_status ctf_end_kernel(ctf_reader *reader);

#endif
