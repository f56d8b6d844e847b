/* A line of a PICL trace, cut into what it says. */
#ifndef OC_IMPORTERS_PICL_LINE_H
#define OC_IMPORTERS_PICL_LINE_H

#include "importers/common/clock.h"

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

#endif
