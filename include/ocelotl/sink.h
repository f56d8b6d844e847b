/* Where answers and pictures go: memory, a file, or a function of the caller. */
#ifndef OCELOTL_SINK_H
#define OCELOTL_SINK_H

#include <ocelotl/status.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the next bytes of what is written, in order, any number at a time. Any status but
 * OCELOTL_OK stops the writing: the function that writes then fails with that status. */
typedef ocelotl_status (*ocelotl_write)(void *context, const void *bytes, size_t size);

/* Takes bytes. A server or a binding fills it in; the functions below make the common ones. A sink
 * is copied freely, and owns nothing. One sink serves one thread at a time. */
typedef struct ocelotl_sink {
    ocelotl_write write;
    void *context; /* given to `write` */
} ocelotl_sink;

/* What an answer is written as. Zero is text, for people. */
typedef enum ocelotl_form {
    OCELOTL_FORM_TEXT = 0,
    OCELOTL_FORM_CSV = 1,
    OCELOTL_FORM_JSON = 2,
    OCELOTL_FORM_SVG = 3, /* pictures: of commands that draw */
    OCELOTL_FORM_PNG = 4,
    OCELOTL_FORM_PDF = 5,
    OCELOTL_FORM_PAGE = 6,    /* HTML, of the overview */
    OCELOTL_FORM_TRACE = 7,   /* a trace.db */
    OCELOTL_FORM_XML = 8,     /* JUnit XML, of check */
    OCELOTL_FORM_MARKDOWN = 9 /* text with pictures beside it: ocelotl_answer_picture */
} ocelotl_form;

/* Bytes in memory that grow. Zero-initialised it is empty. */
typedef struct ocelotl_buffer {
    char *bytes; /* followed by '\0'; NULL where nothing was written */
    size_t size;
    size_t capacity;
} ocelotl_buffer;

/* Makes a sink that appends to a buffer, which must outlive it. Writing fails with MEMORY. */
OCELOTL_API ocelotl_sink ocelotl_buffer_sink(ocelotl_buffer *buffer);

/* Frees the bytes and empties the buffer. NULL is allowed. */
OCELOTL_API void ocelotl_buffer_free(ocelotl_buffer *buffer);

/* Makes a sink that writes to an open stream, which the caller flushes and closes. Writing fails
 * with IO. */
OCELOTL_API ocelotl_sink ocelotl_stream_sink(FILE *stream);

/* A file that is whole or absent: it is written beside its target and takes its place at the
 * commit. */
typedef struct ocelotl_file ocelotl_file;

/* Begins a file at `path`; with `overwrite` the commit replaces an existing one. Errors: ARGUMENT
 * (exists already, empty path), IO, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_file_open(ocelotl_file **file, const char *path, bool overwrite);

/* Makes a sink that writes to the file, which must outlive it. Writing fails with IO or MEMORY. */
OCELOTL_API ocelotl_sink ocelotl_file_sink(ocelotl_file *file);

/* Gives the file its name. Fails, and leaves the target as it was, where a write had failed before.
 * Errors: IO, MEMORY. */
OCELOTL_API ocelotl_status ocelotl_file_commit(ocelotl_file *file);

/* Ends the file; without a commit nothing is left of it. NULL is allowed. */
OCELOTL_API void ocelotl_file_free(ocelotl_file *file);

/* --- Text for people */

/* Writes a text of `length` bytes as people may see it, in one line: what a terminal would obey or
 * hide is named, as \n, \t, \x1b for a control character or a byte that is not UTF-8, and \u202e
 * for the others. Needs no memory. */
OCELOTL_API ocelotl_status ocelotl_text_write_visible(const ocelotl_sink *sink, const char *text,
                                                      size_t length);

/* Gives the length of the first character of a text, at least 1 and at most `available`. *visible
 * is whether ocelotl_text_write_visible writes it as it is. `available` is at least 1. O(1).
 * Thread-safe. */
OCELOTL_API size_t ocelotl_character_length(bool *visible, const char *text, size_t available);

#ifdef __cplusplus
}
#endif
#endif
