/* Output that is too long to be kept: it goes out as it is made. */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include "replacement.h"

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
