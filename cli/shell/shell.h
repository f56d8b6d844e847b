/* The shell around the library: command lines in, messages, files and exit codes out. Each command
 * is a file in commands/. */
#ifndef CLI_SHELL_H
#define CLI_SHELL_H

#include "messages.h"
#include "output.h"
#include "progress.h"

#include <ocelotl/ocelotl.h>
#include <ocelotl/session.h>

/* What a command works on. */
typedef struct cli_job {
    ocelotl_request *request;
    ocelotl_session *session; /* of the first TRACE, from cli_begin_session on */
    ocelotl_session_options told;
    cli_progress progress;
    ocelotl_picture_options view; /* of the request, with what the shell adds to it */
    ocelotl_palette *palette;     /* of --palette, NULL: not given */
    cli_content content;          /* what is written: CLI_TEXT is the command's own text */
    char *line;                   /* the command line, for metadata */
} cli_job;

/* A command. It writes to a file, or to standard output, what is in the bits of `writes`. */
typedef struct cli_command {
    const char *name;
    int (*run)(cli_job *job); /* gives an exit code */
    unsigned writes;
} cli_command;

int cli_overview(cli_job *job);
int cli_import(cli_job *job);
int cli_info(cli_job *job);
int cli_sweep(cli_job *job);
int cli_parts(cli_job *job);
int cli_formats(cli_job *job);
int cli_sql(cli_job *job);
int cli_export(cli_job *job);
int cli_gantt(cli_job *job);
int cli_stats(cli_job *job);
int cli_treemap(cli_job *job);
int cli_compare(cli_job *job);
int cli_matrix(cli_job *job);
int cli_causality(cli_job *job);
int cli_hierarchies(cli_job *job);
int cli_clocks(cli_job *job);
int cli_series(cli_job *job);
int cli_verify(cli_job *job);
int cli_cache(cli_job *job);
int cli_serve(cli_job *job);

/* Reads the words of a command line, argv[0] being the command's name or that of the program, and
 * runs the command. Gives an exit code. */
int cli_run(const cli_command *command, int argc, char **argv);

/* Whether a word of a command line can be a name that the program knows: it is no option, and
 * neither is a file nor looks like one. */
bool cli_may_be_name(const char *word);

/* Opens the session of the first TRACE, where that is not open yet. Gives an exit code. */
int cli_begin_session(cli_job *job);

/* The same, and the trace of it. */
int cli_begin_trace(ocelotl_trace **trace, cli_job *job);

/* --- Pictures */

/* Whether pictures are what is written. */
bool cli_draws(const cli_job *job);

/* The name of the picture to write, NULL where none was given: for what checks its suffix. */
const char *cli_picture_name(const cli_job *job);

/* Checks what a picture can have before the work. Gives an exit code. */
int cli_check_picture(const cli_job *job);

/* Says which rows of the user's palette match nothing in any of the traces, or of the models, that
 * a picture is of; either may be NULL. */
void cli_say_unmatched(const cli_job *job, ocelotl_trace *const *traces,
                       const ocelotl_model *const *models, size_t count);

/* The file of a picture: `output`, or NAMESUFFIX.svg in this folder, for a trace whose name is used
 * as far as a file's name may hold it; for standard output a temporary file. Gives an exit code;
 * *path is for cli_end_picture. */
int cli_begin_picture(char **path, const cli_job *job, const char *output, cli_content content,
                      const char *name, const char *suffix);

/* Says where the picture is, where that was not asked for, or copies it to standard output, and
 * frees the path. `status` is that of drawing it. Gives an exit code. */
int cli_end_picture(char *path, const char *output, ocelotl_status status);

/* Tells a terminal the command that serves what was drawn. */
void cli_say_how_to_serve(const ocelotl_request *request);

/* Writes the JSON of a partition to where the request says. Gives an exit code. */
int cli_write_partition(const cli_job *job, ocelotl_partition *partition);

/* Reads it from an SVG (or another text with its metadata in it), a PNG or a PDF; *command is to be
 * freed. What follows it behind a `;` that is not quoted is not part of it. Gives an exit code,
 * after a message. */
int cli_picture_command(char **command, const char *path);

#endif
