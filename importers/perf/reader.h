/* The reading of what perf script prints: first all lines, whose samples are sorted by time, then
 * what they mean. */
#ifndef OC_IMPORTERS_PERF_READER_H
#define OC_IMPORTERS_PERF_READER_H

#include "importers/common/folding.h"
#include "importers/common/scheduler.h"
#include "importers/ingest/ingest.h"
#include "importers/perf/line.h"

/* What is odd in the text. */
enum {
    PERF_OUT_OF_ORDER = OC_COMMON_ODDITIES,
    PERF_SWITCH_MISSED,
    PERF_NOT_FOLLOWED,
    PERF_LOST_EVENTS,
    PERF_ODDITY_END
};

/* Lines as they are counted, beside the samples of each event. */
typedef enum perf_kind {
    PERF_KIND_INNERMOST, /* a frame that is kept */
    PERF_KIND_FRAME,     /* one that is not */
    PERF_KIND_EMPTY,
    PERF_KIND_COMMENT,
    PERF_KIND_MORE, /* of the text that a program printed */
    PERF_KIND_OTHER,
    PERF_KINDS
} perf_kind;

/* What a sample carries, in the order of its attributes while it is sorted. */
typedef enum perf_part {
    PERF_FIELDS, /* of a tracepoint */
    PERF_PERIOD,
    PERF_STACK, /* frames, the innermost first, one a line */
    PERF_PARTS
} perf_part;

/* The detail of a sample while it is sorted. */
enum { PERF_IN_THREAD, PERF_IN_INTERRUPT };

/* Attributes of events and states. */
typedef enum perf_attribute {
    PERF_ATTRIBUTE_FIELDS,
    PERF_ATTRIBUTE_PERIOD,
    PERF_ATTRIBUTE_OBJECT,
    PERF_ATTRIBUTE_CPU,
    PERF_ATTRIBUTE_NAME, /* where the value is a name that was folded */
    PERF_ATTRIBUTE_REASON,
    PERF_ATTRIBUTE_THREAD,
    PERF_ATTRIBUTES
} perf_attribute;

/* A type of events of the writer, and its attributes: each + 1, 0: not declared. */
typedef struct perf_type {
    uint32_t declared;
    uint32_t attributes[PERF_ATTRIBUTES];
} perf_type;

/* What is sampled or traced, by its name. */
typedef struct perf_event {
    char *name;
    perf_action action;
    bool is_record;           /* of perf itself: left out */
    bool is_print;            /* a text that a program printed, perhaps of several lines */
    uint64_t count, as_event; /* all, and those that became events of threads */
    perf_type type;
} perf_event;

typedef struct perf_thread {
    uint32_t file;           /* whose thread it is, by number; 0 where files are merged */
    int64_t number, process; /* the process is -1 where it is not known */
    char *id, *name;         /* the last name */
    int64_t first, last;     /* its first and last mention */
    bool is_used;            /* it has events of its own, */
    bool is_followed;        /* or switches away from it, too */
    bool is_made, has_ended;
    int64_t made, ended;
    uint32_t resource; /* the writer's */
    oc_text fields;    /* of what began the state that it is in */
    oc_text reason;    /* why it is blocked, as the kernel has it */
    uint32_t *open;    /* --stacks: the values of states that are open, outermost first */
    size_t open_count, open_capacity;
    int64_t sampled; /* when */
} perf_thread;

typedef struct perf_cpu {
    uint32_t file;
    int64_t number, sampled;
    int64_t running; /* the number of its thread + 1; 0: not known */
    uint32_t resource;
} perf_cpu;

/* One of several files. */
typedef struct perf_file {
    uint32_t row; /* what its processes are below, or OCELOTL_NONE */
    bool has_switches;
    bool is_partial; /* switches away from some threads are missing, */
    bool has_idle;   /* and those away from idle ones are not */
} perf_file;

/* The times of a file, as its samples follow each other. */
typedef struct perf_order {
    uint64_t count;
    int64_t last, newest;
    uint64_t back, moved, behind; /* than the last, from it, than the newest: the third or later */
    uint64_t line;                /* of the first that goes back */
} perf_order;

enum { PERF_GAPS = 1 << 16 };

struct perf_reader;

/* How a format is read. */
typedef struct perf_way {
    perf_form (*line)(perf_line *line, const char *text, const char *end); /* cuts a line, */
    const char *expected; /* of one that is none; */
    ocelotl_status (*file)(struct perf_reader *reader, const oc_source *source); /* or: no text */
} perf_way;

typedef struct perf_reader {
    oc_ingest ingest;
    const char *format; /* its name */
    const perf_way *way;
    oc_folding folding;
    uint32_t kind_of[PERF_KINDS];
    oc_sorting *records;
    perf_file *files; /* those with resources of their own: all, or one for all that are merged */
    uint32_t file;    /* the one at hand */
    bool keeps_stacks;
    perf_line line;
    /* The sample that is read, whose frames may follow. */
    bool is_pending;
    uint64_t last_line; /* of those that say something */
    oc_sorted pending;
    oc_text fields, period, stack;
    uint64_t frames;
    /* What was seen. */
    perf_event *events;
    size_t event_count, event_capacity;
    perf_thread *threads;
    size_t thread_count, thread_capacity;
    perf_cpu *cpus;
    size_t cpu_count, cpu_capacity;
    oc_map event_of, thread_of, cpu_of;
    bool has_bounds, begins_at_zero;
    int64_t begin, end;
    perf_order order;
    int64_t gaps[PERF_GAPS]; /* between samples of one CPU: */
    size_t gap_count;
    int64_t gap; /* the middle one */
    /* What is written. */
    oc_scheduler scheduler;
    perf_type thread_states, cpu_states, stacks, wakings;
    uint32_t thread_type, cpu_type;
    oc_text key; /* scratch */
    uint32_t *values;
    size_t value_capacity;
} perf_reader;

ocelotl_status perf_import(const oc_import *import, const char *format, const perf_way *way);

/* --- Text: the lines of the files, or what they have instead */

ocelotl_status perf_read_files(perf_reader *reader);

/* Takes the line at hand as a sample. Errors: INPUT, MEMORY, those of the sorting. */
ocelotl_status perf_take(perf_reader *reader);

/* --- Names: threads, CPUs and events by what lines call them */

ocelotl_status perf_find_event(uint32_t *event, perf_reader *reader, perf_text name);

/* The thread of a number in the file at hand; each CPU has an idle one, whose number is 0. */
ocelotl_status perf_find_thread(uint32_t *thread, perf_reader *reader, int64_t number,
                                int64_t process, uint32_t cpu);

/* Notes a mention of a thread at a time, and its name. */
ocelotl_status perf_name_thread(perf_reader *reader, uint32_t thread, perf_text name, int64_t time);
ocelotl_status perf_find_cpu(uint32_t *cpu, perf_reader *reader, int64_t number);
void perf_names_free(perf_reader *reader);

/* The end of a thread's life: its last mention may follow its exit, as that of a woken thread
 * does. */
int64_t perf_life_end(const perf_reader *reader, const perf_thread *thread);

/* Whether a thread is a resource: an idle one is not where CPUs say when they are idle, nor is one
 * that ends, whose number perf does not find any more. */
bool perf_is_resource(const perf_reader *reader, const perf_thread *thread);

/* Whether the scheduler is traced in the file of a thread. */
static inline bool perf_has_switches(const perf_reader *reader, const perf_thread *thread)
{
    return reader->files[thread->file].has_switches;
}

/* Declares all resources: the members `resource` are rows before, and the writer's then. */
ocelotl_status perf_declare(perf_reader *reader);

/* --- Types of the writer */

/* Declares a type where it is not yet. */
ocelotl_status perf_declare_type(perf_reader *reader, perf_type *type, ocelotl_category category,
                                 uint32_t resource_type, const char *name);

/* The value of a type by its name. */
ocelotl_status perf_find_value(uint32_t *value, perf_reader *reader, perf_type *type,
                               const char *name, size_t length);

/* The name of a frame, in reader->key: its symbol, or its object where that has none. */
ocelotl_status perf_frame_name(perf_text *object, perf_reader *reader, const char *text,
                               const char *end);

/* Adds an attribute to a list that has room for all. An empty text is none. */
ocelotl_status perf_add_attribute(ocelotl_attribute_value *attributes, size_t *count,
                                  perf_reader *reader, perf_type *type, perf_attribute attribute,
                                  perf_text text);

/* --- What samples mean */

ocelotl_status perf_write(perf_reader *reader);

/* Writes states of threads and CPUs, which the scheduler gives as they end. */
ocelotl_status perf_write_thread_state(void *context, const oc_scheduled *state);
ocelotl_status perf_write_cpu_state(void *context, const oc_scheduled *state);
ocelotl_status perf_schedule(perf_reader *reader, const oc_sorted *record, perf_text fields);

/* Stacks as nested states (--stacks). */
ocelotl_status perf_write_stack(perf_reader *reader, uint32_t thread, int64_t time,
                                perf_text stack);
ocelotl_status perf_end_stacks(perf_reader *reader);

#endif
