/* A line of a log of GStreamer, cut into what it says. */
#ifndef OC_IMPORTERS_GSTREAMER_LINE_H
#define OC_IMPORTERS_GSTREAMER_LINE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

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

#endif
