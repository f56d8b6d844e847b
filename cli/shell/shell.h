/* The shell around the library: command lines in, messages, files and exit codes out. Each command
 * is a file in commands/. */
#ifndef CLI_SHELL_H
#define CLI_SHELL_H

#include "defaults.h"
#include "messages.h"
#include "output.h"
#include "progress.h"

#include <ocelotl/ocelotl.h>

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
    cli_defaults defaults;        /* of the user, and which of them were applied */
    char *applied;                /* these as JSON, NULL: none */
    ocelotl_request *asked;       /* by the words alone, without defaults; NULL: none were chosen */
    size_t typed;                 /* how many options, the last of all, are the user's now */
    bool spells;                  /* the line is written anew, and not as it was typed */
    bool tried;                   /* it ends where the trace would be opened */
    bool is_bad;                  /* what was found is what must not be */
    bool yields;                  /* defaults may give way to what only the trace can tell */
    ocelotl_status failure;       /* of the last run, where a default may be at fault; else OK */
    char *reason;                 /* its message */
} cli_job;

/* A command. It writes to a file, or to standard output, what is in the bits of `writes`. */
typedef struct cli_command {
    const char *name;
    int (*run)(cli_job *job); /* gives an exit code */
    unsigned writes;
    bool tries; /* it checks what it can, and then begins a session: it can be tried, and run again
                 */
    /* exit code 1 is what it found, and 2 whatever is wrong with its input */
    bool judges;
    bool tells; /* it prints a table beside the picture that it draws */
} cli_command;

/* Runs what the words of a command line say. Gives the exit code. */
int cli_main(int argc, char **argv);

int cli_overview(cli_job *job);

/* Runs the commands that a file has, a line each, up to the first that fails. Gives the exit code
 * of the last one. */
int cli_run_file(const char *file);
int cli_import(cli_job *job);
int cli_merge(cli_job *job);
int cli_info(cli_job *job);
int cli_list(cli_job *job);
int cli_formats(cli_job *job);
int cli_list_defaults(cli_job *job);
int cli_export(cli_job *job);
int cli_snapshot(cli_job *job);
int cli_verify(cli_job *job);
int cli_cache(cli_job *job);
int cli_serve(cli_job *job);
int cli_mcp(cli_job *job);
int cli_ask(cli_job *job);
int cli_ask_beside(cli_job *job);

/* Runs the command for the words of a command line and gives its exit code. argv[0] is the name of
 * the command or the program. Of the options only the last `typed` were typed now (running.c). */
int cli_run(const cli_command *command, int argc, char **argv, size_t typed);

/* Lets the library say what it does by the program's messages and steps. */
void cli_set_told(cli_job *job);

/* Checks a request and runs the command; CLI_AGAIN, without a message: defaults may give way. */
int cli_check_and_run(const cli_command *command, cli_job *job);

/* Chooses anew which defaults go with what was asked, and makes the request. Errors: MEMORY. */
ocelotl_status cli_choose_defaults(const cli_command *command, cli_job *job, bool quietly);

/* Writes what the request was made of into the job: the line, and the defaults as JSON. */
int cli_tell_line(cli_job *job);

/* Whether a word of a command line may be a command or topic: it is no option, no file, and does
 * not look like one. */
bool cli_may_be_name(const char *word);

/* Opens the session of the first TRACE, where that is not open yet. Gives an exit code. */
int cli_begin_session(cli_job *job);

/* The same, and the trace of it. */
int cli_begin_trace(ocelotl_trace **trace, cli_job *job);

/* --- Pictures */

/* Whether pictures are what is written. */
bool cli_draws(const cli_job *job);

/* Lists the rows of the user's palette that match no type in any of a picture's traces or models;
 * either may be NULL. */
void cli_say_unmatched(const cli_job *job, ocelotl_trace *const *traces,
                       const ocelotl_model *const *models, size_t count);

/* Writes a picture to `output`, to standard output for "-", or to NAMESUFFIX.svg in this folder,
 * whose path it prints: for a trace whose name is used as far as a file's name may hold it. Gives
 * an exit code. */
int cli_write_picture(const cli_job *job, const char *output, cli_content content, const char *name,
                      const char *suffix, cli_answer write, void *of);

/* Prints the command that serves the same picture, on a terminal. */
void cli_say_how_to_serve(const ocelotl_request *request);

#endif
