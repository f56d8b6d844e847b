/* Where answers go: standard output, or a file that takes its place when it is whole; and what can
 * be said of an output before the work is done. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "content.h"
#include "messages.h"

#include <ocelotl/ocelotl.h>

#include <stdio.h>

/* Writes an answer about something in the form that was asked for. */
typedef ocelotl_status (*cli_answer)(const ocelotl_sink *sink, cli_content content, void *of);

/* Makes an answer, and writes it once it is whole: to `path`, or to standard output for NULL and
 * "-". To a terminal it goes as people may see it, line by line. Gives an exit code. */
int cli_write_answer(const char *path, cli_content content, cli_answer write, void *of);

/* The same of a long answer, which goes out as it is made. */
int cli_stream_answer(const char *path, cli_content content, cli_answer write, void *of);

/* The same of an answer that is made. */
int cli_write_bytes(const char *path, const char *bytes, size_t length);

/* Whether anything may have gone where it cannot be taken back. */
bool cli_has_streamed(void);

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

#endif
