/* Lines of the text that perf script prints, cut into what they say. */
#ifndef OC_IMPORTERS_PERF_LINE_H
#define OC_IMPORTERS_PERF_LINE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a line; not ended by '\0'. */
typedef struct perf_text {
    const char *bytes;
    size_t length;
} perf_text;

/*   comm pid/tid [cpu] seconds.fraction: period event: what it carries */
typedef struct perf_line {
    perf_text command;
    int64_t process; /* -1: the line does not say it */
    int64_t thread;
    int64_t cpu;  /* -1 likewise */
    int64_t time; /* in nanoseconds; -1: it is beyond the range */
    perf_text period, event;
    perf_text rest;    /* fields of a tracepoint, or the innermost frame */
    bool is_function;  /* the first word of the rest is a function that was called */
    bool in_interrupt; /* the CPU serves one; where nothing says so, it does not */
} perf_line;

/* What a line is. */
typedef enum perf_form {
    PERF_SAMPLE,
    PERF_TIMELESS, /* a sample without its time, */
    PERF_BARE,     /* or without its thread; or what perf script -D prints */
    PERF_FRAME,    /* of the stack of the sample before it */
    PERF_ASIDE,    /* of a frame: its line in the source, its instruction */
    PERF_COMMENT,
    PERF_LOST, /* says that events are missing */
    PERF_EMPTY,
    PERF_OTHER
} perf_form;

/* --- Parts of lines */

/* The next word behind blanks; without any it is empty. */
perf_text perf_word_read(const char *text, const char *end);

/* A text without the blanks around it. */
perf_text perf_text_between(const char *text, const char *end);

/* A whole text as a number of at most 18 digits. */
bool perf_number_read(int64_t *number, const char *text, const char *end);

/* "[001]", and "1602.140410:" with one to nine digits behind the point, in nanoseconds. */
bool perf_cpu_read(int64_t *cpu, perf_text word);
bool perf_time_read(int64_t *time, perf_text word);

/* Cuts a line; its parts are in it. O(length). */
perf_form perf_line_read(perf_line *line, const char *text, const char *end);

/* The symbol of a frame without its offset. For "[unknown]" the object follows, which is the other
 * result; "" for none. */
void perf_frame_read(perf_text *symbol, perf_text *object, const char *text, const char *end);

static inline bool perf_text_is(perf_text text, const char *expected)
{
    const size_t length = __builtin_strlen(expected);
    return text.length == length && __builtin_memcmp(text.bytes, expected, length) == 0;
}

/* --- What the scheduler does */

typedef enum perf_action {
    PERF_NO_ACTION,
    PERF_SWITCH,
    PERF_WAKE, /* or a thread that is new */
    PERF_FORK,
    PERF_EXIT
} perf_action;

typedef struct perf_scheduled {
    perf_action action;
    perf_text command; /* of the thread that is left, woken, made or ends */
    int64_t thread;
    perf_text left; /* a switch: "S", "R+", "D|K" */
    perf_text next_command;
    int64_t next_thread;
} perf_scheduled;

/* Whether an event is one of the scheduler, by its name. */
perf_action perf_action_of(perf_text event);

/* Reads the fields of a scheduler event, in any form that perf prints. Errors: INPUT if one is
 * missing. */
ocelotl_status perf_scheduled_read(perf_scheduled *scheduled, perf_action action, perf_text fields);

#endif
