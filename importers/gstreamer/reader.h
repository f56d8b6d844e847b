/* The reading of logs of GStreamer: what its files share. */
#ifndef OC_IMPORTERS_GSTREAMER_READER_H
#define OC_IMPORTERS_GSTREAMER_READER_H

#include "base/status.h"
#include "importers/ingest/ingest.h"

#include <stddef.h>
#include <stdint.h>

/* --- A line of a log of GStreamer, cut into what it says. */

/* A part of a line; not ended by '\0'. */
typedef struct gstreamer_text {
    const char *bytes;
    size_t length;
} gstreamer_text;

enum { GSTREAMER_LEVELS = 8 };

/* "ERROR", "WARN", ..: the worst first. */
extern const char *const gstreamer_level_names[GSTREAMER_LEVELS];

/* 0:00:00.000205289 20374 0x5620772f2c00 INFO GST_INIT gst.c:576:init_pre:<object> message */
typedef struct gstreamer_line {
    int64_t time; /* in nanoseconds */
    size_t hours; /* digits of them */
    gstreamer_text process, thread, category;
    gstreamer_text source; /* the file and the line in it: gst.c:576 */
    gstreamer_text function, object, message;
    uint32_t level;
} gstreamer_line;

/* What a text is. */
typedef enum gstreamer_form {
    GSTREAMER_MESSAGE, /* a line of a log */
    GSTREAMER_BROKEN,  /* it begins as one, with a time and a process */
    GSTREAMER_OTHER
} gstreamer_form;

/* Takes the colours out of a line, in place; gives its new end. Linear. */
char *gstreamer_line_plain(char *line, char *end);

/* Cuts a text without colours; its parts are in it. Where it is broken the thread's message says
 * how. O(length of what is before the message). */
gstreamer_form gstreamer_line_read(gstreamer_line *line, const char *text, const char *end);

/* Finds a line of a log behind the first byte of a text, as if two programs write at once. Its
 * hours have `hours` digits; NULL: none. Linear. */
const char *gstreamer_line_within(const char *text, const char *end, size_t hours);

static inline bool gstreamer_text_is(gstreamer_text text, const char *expected, size_t length)
{
    return text.length == length && __builtin_memcmp(text.bytes, expected, length) == 0;
}

/* What is odd in logs. */
enum {
    GSTREAMER_OUT_OF_ORDER = OC_COMMON_ODDITIES,
    GSTREAMER_LINE_IN_LINE,
    GSTREAMER_CLOCKS,
    GSTREAMER_NO_VALUE,
    GSTREAMER_ODDITY_END
};

/* Lines as they are counted, beside those of each level. */
typedef enum gstreamer_kind {
    GSTREAMER_KIND_VARIABLE = GSTREAMER_LEVELS, /* what a tracer measured */
    GSTREAMER_KIND_EVENT,                       /* what else a tracer says */
    GSTREAMER_KIND_REST,                        /* of a message of several lines */
    GSTREAMER_KIND_EMPTY,
    GSTREAMER_KIND_OTHER,
    GSTREAMER_KINDS
} gstreamer_kind;

/* What a row is. */
typedef enum gstreamer_place {
    GSTREAMER_PROCESS,
    GSTREAMER_THREAD,
    GSTREAMER_PATH,    /* from an element to another, whose latency a tracer measures */
    GSTREAMER_ELEMENT, /* the same of an element */
    GSTREAMER_CATEGORY,
    GSTREAMER_FUNCTION,
    GSTREAMER_PLACES
} gstreamer_place;

/* Attributes of messages. The text is the last, since it may grow. */
typedef enum gstreamer_attribute {
    GSTREAMER_OBJECT,
    GSTREAMER_SOURCE,
    GSTREAMER_LEVEL,       /* where the value is the function */
    GSTREAMER_CATEGORY_OF, /*     likewise */
    GSTREAMER_MESSAGE_TEXT,
    GSTREAMER_ATTRIBUTES
} gstreamer_attribute;

/* A message that may go on in the next line. */
typedef struct gstreamer_pending {
    bool is_there;
    uint32_t row, function; /* the thread, and the row where it goes */
    uint32_t value;
    int64_t time;
    uint64_t line; /* its last */
    oc_text texts; /* the attributes, each behind the one before */
    size_t begins[GSTREAMER_ATTRIBUTES + 1];
} gstreamer_pending;

/* The messages of a thread, whose row has its number + 1 as `detail`. */
typedef struct gstreamer_thread {
    uint32_t row;
    int64_t newest, last; /* times of what was read last, and of the last */
} gstreamer_thread;

typedef struct gstreamer_reader {
    oc_ingest ingest;
    uint32_t kind_of[GSTREAMER_KINDS];
    uint64_t messages;
    gstreamer_line line;
    gstreamer_pending pending;
    bool by_function; /* the value is the function, not the level */
    uint32_t state_type, levels[GSTREAMER_LEVELS];
    uint32_t attributes[GSTREAMER_ATTRIBUTES];
    uint32_t resource_types[GSTREAMER_PLACES]; /* + 1; 0: not declared */
    uint32_t last_process, last_thread;        /* the rows asked for last, or OCELOTL_NONE */
    uint32_t process_count;
    gstreamer_thread *threads;
    size_t thread_count, thread_capacity;
} gstreamer_reader;

/* The row of a name inside another, made where it is new. */
ocelotl_status gstreamer_find_row(uint32_t *row, gstreamer_reader *reader, gstreamer_place place,
                                  uint32_t parent, gstreamer_text name);

/* The resource type of rows, declared when it is first asked for. */
ocelotl_status gstreamer_find_type(uint32_t *type, gstreamer_reader *reader, gstreamer_place place);

/* --- Tracers: the records of GST_TRACER */

/* Whether the line is one. */
bool gstreamer_is_record(const gstreamer_line *line);

/* Takes it: the variables of those that are known, an event of others. */
ocelotl_status gstreamer_take_record(gstreamer_reader *reader, uint32_t thread);

/* --- Logs: the lines of a file */

/* Declares what messages are. */
ocelotl_status gstreamer_log_begin(gstreamer_reader *reader);

ocelotl_status gstreamer_read_file(void *reader, const oc_source *source);

/* Ends the last state of each thread: nobody knows how long it lasts, so it takes no time. */
ocelotl_status gstreamer_log_end(gstreamer_reader *reader);

#endif
