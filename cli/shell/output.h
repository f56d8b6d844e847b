/* Where answers go: standard output, or a file that takes its place when it is whole; and what can
 * be said of an output before the work is done. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "messages.h"

#include <ocelotl/ocelotl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* --- What files hold: one table of suffixes for all commands, and what a file looks like */

/* Each a bit, so that a command can say in one number what it writes: 1 << form for the forms of
 * answers, and what else there is. */
typedef enum cli_content {
    CLI_TEXT = 1 << OCELOTL_FORM_TEXT, /* whatever can be read by people: tables, lines */
    CLI_CSV_TEXT = 1 << OCELOTL_FORM_CSV,
    CLI_JSON_TEXT = 1 << OCELOTL_FORM_JSON,
    CLI_SVG = 1 << OCELOTL_FORM_SVG,
    CLI_PNG = 1 << OCELOTL_FORM_PNG,
    CLI_PDF = 1 << OCELOTL_FORM_PDF,
    CLI_PAGE = 1 << OCELOTL_FORM_PAGE, /* HTML */
    CLI_TRACE_DB = 1 << OCELOTL_FORM_TRACE,
    CLI_XML = 1 << OCELOTL_FORM_XML,
    CLI_MARKDOWN = 1 << OCELOTL_FORM_MARKDOWN,
    CLI_OTHER = 1 << 10, /* bytes: of what is written, a snapshot as a zip */
    CLI_TRACE_TEXT = 1 << 11,
} cli_content;

#define CLI_PICTURES (CLI_SVG | CLI_PNG | CLI_PDF)
/* Of a command that prints a table. */
#define CLI_TABLES (CLI_TEXT | CLI_CSV_TEXT | CLI_JSON_TEXT)

/* The form of an answer that is such a content; text for what is none. */
ocelotl_form cli_form(cli_content content);

/* Gives the content that the suffix of a name stands for, in capitals or not; 0 for an unknown
 * suffix, or none. */
unsigned cli_content_of_name(const char *path);

/* Finds the content of a file from its first bytes; 0 if it is missing, empty, or no regular
 * file. */
unsigned cli_content_of_file(const char *path);

/* Whether a file that holds that was written by this program: its pictures and pages carry its
 * name, its JSON, CSV and tables begin as no others do, but for the CSV and JSON of sql. */
bool cli_is_own(const char *path, unsigned content);

/* In words, with an article: "a picture (SVG)". */
const char *cli_content_name(unsigned content);

/* Writes the suffixes of some contents as ".svg, .png or .json". */
void cli_list_suffixes(char *list, size_t size, unsigned contents);

/* --- Writing */

/* Writes an answer about something in the form that was asked for. */
typedef ocelotl_status (*cli_answer)(const ocelotl_sink *sink, ocelotl_form form, void *of);

/* Makes an answer, and writes it once it is whole: to `path`, or to standard output for NULL and
 * "-". To a terminal it goes as people may see it, line by line. Gives an exit code. */
int cli_write_answer(const char *path, cli_content content, cli_answer write, void *of);

/* The same of a long answer, which goes out as it is made. */
int cli_stream_answer(const char *path, cli_content content, cli_answer write, void *of);

/* Writes an answer that was made, unless that failed, and frees it. */
int cli_write_made(const char *path, ocelotl_status status, ocelotl_buffer *made);

/* Puts a text before the last brace of what is made first, where that is an object in JSON:
 * `"key":value`. It lives until another is set; NULL: nothing. */
void cli_set_last_member(const char *text);

/* The ranks that do the command together, from then on: all but rank 0 write nothing. It lives as
 * long as the program. */
void cli_set_exchange(const ocelotl_exchange *exchange);
const ocelotl_exchange *cli_exchange(void); /* NULL: there are none */
bool cli_has_ranks(void);

/* Whether anything may have gone where it cannot be taken back. */
bool cli_has_streamed(void);

/* Whether a path means standard output: none was given, or "-". */
bool cli_is_standard_output(const char *path);

/* Refuses to write over the TRACE that is read. Gives an exit code. */
int cli_check_not_input(const char *path, const char *trace);

/* Refuses early, before long work, what could not be written after it, or should not: a folder, a
 * file in a folder that is not there, the TRACE itself; and, unless `force`, a file that holds
 * something else than what is to be written, or that this program did not write (a trace.db is
 * never replaced unasked). What may be written is expected from then on (ending.h). Gives an exit
 * code. */
int cli_check_target(const char *path, cli_content content, bool force, const char *trace);

#endif
