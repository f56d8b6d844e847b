/* The reading of trace events: what its files share. */
#ifndef OC_IMPORTERS_CHROME_READER_H
#define OC_IMPORTERS_CHROME_READER_H

#include "base/format/json_scan.h"
#include "importers/common/folding.h"
#include "importers/ingest/ingest.h"
#include "importers/ingest/packed.h"
#include "importers/ingest/stream.h"

/* --- An element of a list of trace events: an object with the members that the format knows, and
 * others. */

/* The members that mean something; the order is that of their names in element.c. */
typedef enum chrome_key {
    CHROME_NAME,
    CHROME_CATEGORY,
    CHROME_PHASE,
    CHROME_TIME,
    CHROME_DURATION,
    CHROME_PROCESS,
    CHROME_THREAD,
    CHROME_ID,
    CHROME_ID2,
    CHROME_SCOPE,
    CHROME_BIND_ID,
    CHROME_BINDING_POINT,
    CHROME_FLOW_IN,
    CHROME_FLOW_OUT,
    CHROME_INSTANT_SCOPE,
    CHROME_ARGUMENTS,
    CHROME_KEYS
} chrome_key;

typedef struct chrome_member {
    oc_json_item key, value;
} chrome_member;

typedef struct chrome_members {
    chrome_member *all;
    size_t count, capacity;
} chrome_members;

/* Zero-initialised it is empty; it may be filled again and again. */
typedef struct chrome_element {
    oc_json_item keys[CHROME_KEYS];
    chrome_members arguments; /* of "args", where that is an object */
    chrome_members others;
    ocelotl_status status; /* MEMORY: nothing is known */
    bool has_members;
} chrome_element;

/* Scans an object, at its bracket, into a chrome_element. */
oc_json_scan chrome_element_scan(void *element, oc_json_cursor *cursor);

/* The value of a member by name; its bytes are NULL if it is absent. */
oc_json_item chrome_members_find(const chrome_members *members, const char *name);

void chrome_element_free(chrome_element *element);

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
    CHROME_ANNOTATION,
    CHROME_KINDS
} chrome_kind;

/* The file that is read. */
typedef struct chrome_file {
    int64_t zero;    /* microseconds that are taken off each stamp */
    int64_t base;    /* of its clock, nanoseconds */
    uint64_t events; /* that were kept */
    uint32_t pool;   /* the row of asynchronous begins and ends */
    bool has_zero;   /* stamps have been seen */
    bool has_base;   /* its clock is known: base and zero are since 1970 */
    bool has_pool;
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
    const char **names;
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
} chrome_collectives;

typedef struct chrome_reader {
    oc_ingest ingest;
    uint32_t kind_of[256]; /* by phase: the index in the kinds, + 1 */
    oc_folding folding;
    oc_sorting *flows;            /* the points of flows, by what they belong to */
    bool is_finest;               /* times leave no room for more digits */
    uint32_t types[CHROME_KINDS]; /* + 1; 0: not declared */
    uint32_t process_type, thread_type, async_type, category_type;
    uint64_t events; /* of all files */
    chrome_file file;
    oc_json_stream stream; /* its text */
    chrome_element element;
    oc_text name, key, texts; /* scratch */
    ocelotl_attribute_value *attributes;
    size_t attribute_count, attribute_capacity;
    oc_packed **waiting; /* flows that wait for the next slice of a row */
    size_t waiting_count, waiting_capacity;
    uint32_t waiting_row;
    chrome_collectives collectives;
} chrome_reader;

/* --- Documents: the text of a file */

ocelotl_status chrome_read_file(void *reader, const oc_source *source);

/* --- Events: an element of the list */

ocelotl_status chrome_take_event(chrome_reader *reader);

/* Counts an event that could not be taken. */
ocelotl_status chrome_leave_event_out(chrome_reader *reader);

/* Counts an end that did not begin, as oc_ingest_write has it. */
ocelotl_status chrome_leave_end_out(void *reader, const oc_sorted *end);

/* --- Names: what events are called and carry, and where they happen */

ocelotl_status chrome_names_begin(chrome_reader *reader);

/* The event type of a kind, declared when it is first asked for. */
ocelotl_status chrome_find_type(uint32_t *type, chrome_reader *reader, chrome_kind kind);

/* The value of an event type that a name stands for, which may be folded: the whole name is then an
 * attribute. */
ocelotl_status chrome_find_value(uint32_t *value, chrome_reader *reader, uint32_t type,
                                 const oc_json_item *name);

/* The event type of a counter's argument. */
ocelotl_status chrome_find_counter(uint32_t *type, chrome_reader *reader,
                                   const oc_json_item *argument);

/* Gathers attributes for the next record. */
void chrome_begin_attributes(chrome_reader *reader);
ocelotl_status chrome_add_attribute(chrome_reader *reader, uint32_t type, const char *name,
                                    const oc_json_item *value);

/* Adds the category, the arguments, what tells ids apart and all members that have no meaning of
 * their own. */
ocelotl_status chrome_add_arguments(chrome_reader *reader, uint32_t type);

/* Gives a record the attributes. Errors: INPUT for more than an event can carry. */
ocelotl_status chrome_end_attributes(oc_sorted *record, chrome_reader *reader);

/* The rows of the element's process, thread, and category of asynchronous states. */
ocelotl_status chrome_find_process(uint32_t *row, chrome_reader *reader);
ocelotl_status chrome_find_thread(uint32_t *row, chrome_reader *reader);
ocelotl_status chrome_find_track(uint32_t *row, chrome_reader *reader);

/* Notes what a slice says of its thread: one of a GPU has kernels and copies (PyTorch). */
void chrome_see_device(chrome_reader *reader, uint32_t row);

/* Takes an element that names a process or thread. */
ocelotl_status chrome_take_metadata(chrome_reader *reader, char phase);

/* Settles what processes and threads are called, and what is noted of them. */
ocelotl_status chrome_names_end(chrome_reader *reader);

/* --- Times */

/* The time of the element in ticks, and with `duration` its duration (*has_duration). Errors: INPUT
 * for what is no number, LIMIT. */
ocelotl_status chrome_read_times(int64_t *time, int64_t *duration, bool *has_duration,
                                 chrome_reader *reader);

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

#endif
