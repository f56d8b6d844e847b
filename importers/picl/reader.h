/* The reading of PICL traces: each line is a record. Nothing depends on their order but that of
 * each processor. */
#ifndef OC_IMPORTERS_PICL_READER_H
#define OC_IMPORTERS_PICL_READER_H

#include "importers/common/clock.h"
#include "importers/ingest/ingest.h"

/* --- A line of a PICL trace, cut into what it says. */

enum { PICL_DATA = 3 };

/* Records of the new form, and their events; those of users are 0 and more. */
enum { PICL_ENTRY = -3, PICL_EXIT = -4 };
enum {
    PICL_SEND = -21,
    PICL_SEND_AT_ONCE = -27,
    PICL_RECEIVE = -51,
    PICL_RECEIVE_BLOCKING = -52,
    PICL_RECEIVED = -60, /* the end of one at once: two writers, two numbers */
    PICL_RECEIVED_TOO = -61,
    PICL_BARRIER = -402,
    PICL_BROADCAST = -785,
    PICL_REDUCE = -790,
    PICL_TRACING = -901
};

/* Keys of the old form. */
enum {
    PICL_OLD_START = 1,
    PICL_OLD_SEND = 4,
    PICL_OLD_PROBE = 5,
    PICL_OLD_RECEIVE = 6,
    PICL_OLD_BLOCKING = 7,
    PICL_OLD_WAKING = 8,
    PICL_OLD_MESSAGE = 9,
    PICL_OLD_SYNC = 10,
    PICL_OLD_MARK = 15,
    PICL_OLD_STOP = 17,
    PICL_OLD_EXIT = 19,
    PICL_OLD_BEGIN = 20,
    PICL_OLD_END = 21,
    PICL_OLD_MARKS = 22,
    PICL_OLD_KEYS = 24
};

typedef enum picl_form { PICL_NEW, PICL_OLD } picl_form;

/* A record; in the old form events are keys, and `type` is 0. */
typedef struct picl_record {
    int64_t type, event;
    oc_decimal time; /* in seconds */
    int64_t processor;
    size_t words; /* of its data, */
    size_t count; /* of the whole numbers that they begin with, */
    int64_t data[PICL_DATA];
    const char *text; /* and all of them as they stand, in the line */
} picl_record;

/* The form of what a line begins. */
picl_form picl_line_form(const char *line);

/* Reads a line, which ends in '\0'. It has the data that its event needs. Errors: INPUT, without
 * the place. */
ocelotl_status picl_line_read(picl_record *record, const char *line, picl_form form);

/* Whether a new record is one of a send that begins, or of a receive that ends. */
bool picl_is_send(const picl_record *record);
bool picl_is_receive(const picl_record *record);

/* Whether an old record has no more data than its key usually has. */
bool picl_is_usual(const picl_record *record);

/* What an old key is called, where it has words. */
const char *picl_old_name(int64_t key);

/* What is odd in these traces. */
enum { PICL_FINE_TIME = OC_COMMON_ODDITIES, PICL_OUT_OF_ORDER, PICL_ODDITY_END };

/* Whose numbers have names. */
typedef enum picl_named { PICL_PROCESSORS, PICL_EVENTS } picl_named;

/* A processor: where it is, and a call that has just been entered. */
typedef struct picl_processor {
    int64_t number;
    uint32_t row;    /* the ingest's */
    bool is_entered; /* where the call is left at once, it takes no time: */
    int64_t event, time;
    uint32_t digits; /* of the ticks of that time */
    uint64_t line;
} picl_processor;

typedef struct picl_reader {
    oc_ingest ingest;
    oc_source names; /* the file of names beside the trace */
    bool has_form;
    picl_form form;      /* that of the first record */
    oc_map processor_of; /* number -> index */
    picl_processor *processors;
    size_t processor_count, processor_capacity;
    oc_map end_of;  /* value -> kind of the records that end it */
    oc_map text_of; /* (whose, number) -> text */
    char **texts;   /* of the file of names */
    size_t text_count, text_capacity;
    uint32_t state_type, mark_type, link_type, message;
    uint32_t state_data, mark_data, size_attribute, tag_attribute;
} picl_reader;

/* --- Names (names.c): what numbers stand for is in a file beside the trace, where one is */

/* Takes one line of it: "processor NUMBER PATH" or "event NUMBER NAME". Errors: INPUT. */
ocelotl_status picl_take_name(void *reader, char *line, size_t length);

/* Declares types of events and links, of the form that the trace has. */
ocelotl_status picl_declare_types(picl_reader *reader);

/* The value of an event's states, or of a key's marks. */
ocelotl_status picl_find_value(uint32_t *value, picl_reader *reader, uint32_t type, int64_t event);

/* The processor of a number, made where it is new; a record of it has a time. */
ocelotl_status picl_find_processor(picl_processor **processor, picl_reader *reader, int64_t number,
                                   int64_t time);

/* --- Records (records.c) */

/* Does what a record says. Errors: INPUT, without the place. */
ocelotl_status picl_take_record(picl_reader *reader, const picl_record *record);

/* Counts an end of a state that did not begin, as oc_ingest_write has it. */
ocelotl_status picl_leave_out(void *reader, const oc_sorted *end);

/* Begins the states of calls that were never left. */
ocelotl_status picl_finish(picl_reader *reader);

#endif
