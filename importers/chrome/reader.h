/* The reading of trace events: what its files share. */
#ifndef OC_IMPORTERS_CHROME_READER_H
#define OC_IMPORTERS_CHROME_READER_H

#include "base/map.h"
#include "importers/chrome/element.h"
#include "importers/chrome/stream.h"
#include "importers/common/folding.h"
#include "importers/common/kinds.h"
#include "importers/common/packed.h"
#include "importers/common/timelines.h"
#include "importers/importer.h"

/* What is odd about events; oc_oddity has the others. */
typedef enum chrome_oddity {
    CHROME_TIME_ROUNDED = OC_COMMON_ODDITIES,
    CHROME_DURATION_MISSING,
    CHROME_DURATION_NEGATIVE,
    CHROME_LIST_OPEN,
    CHROME_ELEMENT_EMPTY,
    CHROME_TEXT_BEHIND,
    CHROME_FILE_EMPTY,
    CHROME_COLLECTIVE_ALONE,
    CHROME_COLLECTIVE_UNEVEN,
    CHROME_ODDITY_END
} chrome_oddity;

/* The event types that are there whatever the source holds. */
typedef enum chrome_kind {
    CHROME_SLICE,
    CHROME_ASYNC,
    CHROME_INSTANT,
    CHROME_ASYNC_INSTANT,
    CHROME_FLOW,
    CHROME_COLLECTIVE,
    CHROME_KINDS
} chrome_kind;

/* Attributes are few: each is kept where its name says, at one of these places. */
enum { CHROME_PLACES = 64 };

typedef struct chrome_type {
    bool is_declared;
    uint32_t id; /* the writer's */
    oc_map value_of, attribute_of;
    char **attributes; /* their names, by number */
    size_t attribute_count, attribute_capacity;
    struct {
        char name[28];
        size_t length; /* 0: none */
        uint32_t attribute;
    } recent[CHROME_PLACES];
} chrome_type;

/* Something else that is known of a process. */
typedef struct chrome_note {
    char *name, *text;
} chrome_note;

typedef struct chrome_process {
    uint32_t file;
    char *id, *name, *labels;
    int64_t index;     /* to sort by */
    uint32_t row;      /* of its counters, OCELOTL_NONE: it has none */
    uint32_t resource; /* the writer's, in the end */
    bool has_async;
    uint32_t async; /* the resource around its categories */
    chrome_note *notes;
    size_t note_count, note_capacity;
} chrome_process;

typedef struct chrome_thread {
    uint32_t process, row;
    char *id, *name;
    int64_t index;
    uint32_t resource;
} chrome_thread;

/* The asynchronous states of a process that have one category. */
typedef struct chrome_track {
    uint32_t process, row;
    char *category;
    uint32_t resource;
} chrome_track;

typedef struct chrome_file {
    const char *path, *node;
    oc_source *source;
    int64_t zero; /* microseconds that are taken off each stamp */
    int64_t base; /* of its clock, nanoseconds */
    int64_t rank;
    uint64_t events; /* that were kept */
    char *rank_name;
    chrome_stream stream;
    uint32_t number;
    uint32_t pool;     /* the row of asynchronous begins and ends */
    uint32_t resource; /* of its node; OCELOTL_ROOT: it has none */
    bool has_zero;     /* stamps have been seen */
    bool has_base;     /* its clock is known: base and zero are since 1970 */
    bool has_rank, has_pool;
    int64_t shift; /* of its clock, in ticks */
} chrome_file;

/* --- What is known of collective operations while they are matched (--collectives) */

/* How often a file has the slices that only name and order identify. */
typedef struct chrome_collective_count {
    uint64_t group;
    uint32_t count;
} chrome_collective_count;

typedef struct chrome_collective_member {
    uint32_t row, file;
    int64_t end; /* on the common clock */
} chrome_collective_member;

/* Zero-initialised nobody asks for them. */
typedef struct chrome_collectives {
    oc_sorting *ordered; /* identified by name and order, by file */
    oc_sorting *matched; /* by common members and time; NULL: none so far */
    oc_map name_of;      /* by value: the index of a name of slices that says it is one */
    char **names;
    size_t name_count, name_capacity;
    oc_map count_of; /* by group and file */
    chrome_collective_count *counts;
    size_t count_count, count_capacity;
    chrome_collective_member *members; /* of the operation at hand, in the order they came */
    size_t member_count, member_capacity;
    oc_packed *last; /* of them */
    uint64_t group;
    uint32_t said[5]; /* attributes of slices that say what they belong to */
    bool knows_said, on_devices;
    oc_text key; /* scratch */
} chrome_collectives;

typedef struct chrome_reader {
    const oc_import *import;
    ocelotl_writer *writer;
    oc_oddities oddities;
    oc_kinds kinds;
    uint32_t kind_of[256]; /* by phase: the index in `kinds`, + 1 */
    oc_folding folding;
    oc_timelines timelines;
    oc_sorting *flows; /* the points of flows, by what they belong to */
    uint32_t digits;   /* a tick is 10^-digits microseconds: 0, 3 or 6 */
    bool is_finest;    /* times leave no room for more digits */
    int64_t power;     /* 10^digits */
    chrome_type types[CHROME_KINDS];
    oc_map counter_of; /* by name, id and argument: the event type */
    uint32_t process_type, thread_type, async_type, category_type, lane_type, file_type;
    chrome_file *files;
    size_t file_count;
    chrome_file *file;  /* the one that is read, */
    const char **paths; /* of all files */
    chrome_process *processes;
    size_t process_count, process_capacity;
    chrome_thread *threads;
    size_t thread_count, thread_capacity;
    chrome_track *tracks;
    size_t track_count, track_capacity;
    oc_map process_of, thread_of, track_of;
    uint32_t *row_files; /* by row */
    size_t row_count, row_capacity;
    uint32_t last_thread; /* the thread asked for last, by file, process and thread */
    size_t last_process_length;
    oc_text last_key, key;
    chrome_element element;
    oc_text name, texts; /* scratch */
    ocelotl_attribute_value *attributes;
    size_t attribute_count, attribute_capacity;
    uint64_t line;        /* where the element begins, as oc_oddities_note has it */
    uint64_t last_line;   /* the line of the one before */
    uint64_t next_report; /* in bytes */
    oc_packed **waiting;  /* flows that wait for the next slice of a row */
    size_t waiting_count, waiting_capacity;
    uint32_t waiting_row;
    chrome_collectives collectives;
    oc_timelines_row *rows; /* in the end, by number */
    ocelotl_align align;    /* what was done */
} chrome_reader;

static inline void chrome_note_oddity(chrome_reader *reader, size_t oddity)
{
    oc_oddities_note(&reader->oddities, oddity, reader->file->path, reader->line);
}

/* --- Recognition: whether a file holds trace events */

/* As oc_importer has it. An object whose beginning has no events is read on, up to 256 MB. */
int chrome_recognises(const oc_source *source);

/* --- Documents: the text of a file */

/* Reads a whole file. */
ocelotl_status chrome_read_file(chrome_reader *reader, chrome_file *file);

/* --- Events: an element of the list */

ocelotl_status chrome_take_event(chrome_reader *reader);

/* Counts an event that could not be taken. */
ocelotl_status chrome_leave_event_out(chrome_reader *reader);

/* --- Names: what events are called and carry */

ocelotl_status chrome_names_begin(chrome_reader *reader);

/* The writer's event type of a kind, declared when it is first asked for. */
ocelotl_status chrome_find_type(chrome_type **type, chrome_reader *reader, chrome_kind kind);

/* The value of an event type that a name stands for, which may be folded: the whole name is then an
 * attribute. */
ocelotl_status chrome_find_value(uint32_t *value, chrome_reader *reader, chrome_type *type,
                                 const oc_json_item *name);

/* The event type of a counter's argument. */
ocelotl_status chrome_find_counter(uint32_t *type, chrome_reader *reader,
                                   const oc_json_item *argument);

/* Gathers attributes for the next record. */
void chrome_begin_attributes(chrome_reader *reader);
ocelotl_status chrome_add_attribute(chrome_reader *reader, chrome_type *type, const char *name,
                                    const oc_json_item *value);

/* Adds the category, the arguments, what tells ids apart and all members that have no meaning of
 * their own. */
ocelotl_status chrome_add_arguments(chrome_reader *reader, chrome_type *type);

/* Makes reader->attributes whole. Errors: INPUT for more than an event can carry. */
ocelotl_status chrome_end_attributes(chrome_reader *reader);

/* See oc_pairs: an attribute of an end is called end_NAME. */
ocelotl_status chrome_name_of_end(uint32_t *attribute, void *reader, uint32_t type,
                                  uint32_t of_begin);

void chrome_names_free(chrome_reader *reader);

/* --- Rows: where events happen */

/* A new row of the file that is read. */
ocelotl_status chrome_add_row(uint32_t *row, chrome_reader *reader);

ocelotl_status chrome_find_process(uint32_t *process, chrome_reader *reader);
/* The row of the thread of the element. */
ocelotl_status chrome_find_thread(uint32_t *thread, chrome_reader *reader);
ocelotl_status chrome_find_track(uint32_t *track, chrome_reader *reader);

/* Takes an element that names a process or thread. */
ocelotl_status chrome_take_metadata(chrome_reader *reader, char phase);

void chrome_rows_free(chrome_reader *reader);

/* --- Times */

/* The time of the element in ticks, and with `duration` its duration (*has_duration). Errors: INPUT
 * for what is no number, LIMIT. */
ocelotl_status chrome_read_times(int64_t *time, int64_t *duration, bool *has_duration,
                                 chrome_reader *reader);

/* Makes ticks nanoseconds at least, where that fits. */
ocelotl_status chrome_refine_to_nanoseconds(chrome_reader *reader);

/* --- Flows: arrows between slices */

ocelotl_status chrome_take_flow(chrome_reader *reader, char phase);

/* The flows that a slice begins or ends itself (bind_id). */
ocelotl_status chrome_take_bound(chrome_reader *reader, uint32_t row, int64_t time);

/* See oc_timelines_plan. */
ocelotl_status chrome_see_flow(chrome_reader *reader, const oc_sorted *record);
ocelotl_status chrome_link_flows(chrome_reader *reader);

/* --- Collectives: operations that several ranks take part in, where they are asked for */

ocelotl_status chrome_collectives_open(chrome_reader *reader);

/* Sees slices as oc_timelines_plan has them, and in the end links those that belong together. */
ocelotl_status chrome_collectives_see(chrome_reader *reader, const oc_sorted *slice);
ocelotl_status chrome_collectives_link(chrome_reader *reader);

void chrome_collectives_free(chrome_collectives *all);

/* --- The end: resources by their names and order, and all that was read */

ocelotl_status chrome_finish(chrome_reader *reader);

#endif
