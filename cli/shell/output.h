/* Text for standard output or a file, and what can be said of an output before the work is done. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "content.h"
#include "replacement.h"

#include <ocelotl/ocelotl.h>

#include <stdio.h>

/* Text that goes to standard output, or replaces a file when it is complete. Zero-initialised it is
 * not open. */
typedef struct cli_output {
    FILE *stream;
    char *bytes;
    size_t length;
} cli_output;

/* Opens a stream to write to; false after a message. */
bool cli_output_open(cli_output *output);

/* Takes down that a piece of what is being printed could not be made, with the exit code that was
 * given for it after a message: the output that is ended next fails with it. For functions that
 * print, and whose callers are many. */
void cli_output_lacks(int code);

/* The code that was taken down, or CLI_DONE; and forgets it. */
int cli_output_lacking(void);

/* Ends any stream into memory. False: there was none for all that was written. */
bool cli_close_memory(FILE *stream);

/* Ends it: the text goes to `path`, or to standard output for NULL and "-". Gives an exit code. */
int cli_output_close(cli_output *output, const char *path);

/* Ends an answer of the library, made with the exit code `code`: with CLI_DONE it goes to `path`,
 * or to standard output for NULL and "-". Frees the buffer. Gives that code, or one of its own. */
int cli_write_answer(const char *path, ocelotl_buffer *answer, int code);

/* Writes bytes for programs to a file that is open; to a terminal as people may see them, line by
 * line. */
void cli_write_lines(FILE *file, const char *bytes, size_t length);

/* Whether a path means standard output: none was given, or "-". */
bool cli_is_standard_output(const char *path);

/* Copies a file to standard output. Gives an exit code. */
int cli_copy_to_standard_output(const char *path);

/* Refuses to write over the TRACE that is read. Gives an exit code. */
int cli_check_not_input(const char *path, const char *trace);

/* Refuses early, before long work, what could not be written after it, or should not: a folder, a
 * file in a folder that is not there, the TRACE itself; and, unless `force`, a file that holds
 * something else than what is to be written, or that this program did not write (a trace.db is
 * never replaced unasked). Gives an exit code. */
int cli_check_target(const char *path, cli_content content, bool force, const char *trace);

/* Standard output, or a file beside its target that takes its place at the end. Zero-initialised it
 * is not open. */
typedef struct cli_stream {
    FILE *file;
    const char *path; /* NULL: standard output */
    /* not open where `path` is written to directly, a pipe or a device */
    cli_replacement replacement;
} cli_stream;

/* Opens the output for `path`, NULL for standard output. Gives an exit code. */
int cli_stream_open(cli_stream *stream, const char *path);

/* Whether what was written so far went well: there is no sense in making more of what nobody can
 * take. */
bool cli_stream_is_good(const cli_stream *stream);

/* Makes a sink for answers of the library, which stop where the stream is not good any more. */
ocelotl_sink cli_stream_sink(cli_stream *stream);

/* The exit code of an answer that went there: a stream that cannot be written says so at its end.
 */
int cli_stream_code(const cli_stream *stream, ocelotl_status status);

/* Whether anything may have gone where it cannot be taken back. */
bool cli_has_streamed(void);

/* Ends it: with CLI_DONE the file takes its place, with another code it is removed. Gives that
 * code, or one of its own after a message. */
int cli_stream_close(cli_stream *stream, int code);

/* Text for programs: its own bytes, but to a terminal as people may see it (visible.h). */
void cli_write_kept(FILE *file, const char *text, size_t length);

/* A cell of a CSV (RFC 4180), quoted where it has to be; its text as above. */
void cli_csv_cell(FILE *file, const char *text, size_t length);

#endif
