/* What every command does with its command line: reads it, answers --help, refuses what cannot be, and runs. A command
 * keeps what is its own: a table of options, a help, and what it does. */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include "part.h"
#include "picture_options.h"

/* Values of getopt_long for options that answers have; those below and above are in the headers of their groups. */
enum { CLI_JSON = CLI_OWN_OPTION + 50, CLI_CSV };

/* What several commands are asked, the first member of the request of each. What is not in a command's table of options
 * stays as CLI_REQUEST_INIT has it. */
typedef struct cli_request {
    cli_model_options model;
    cli_which_p which;
    cli_zooms zooms;
    ocelotl_view_options view;
    const char *output; /* of -o, NULL: not given */
    bool json, csv;
    char **operands; /* as many as the command wants; the first is its TRACE */
} cli_request;

#define CLI_REQUEST_INIT                                                                  \
    {                                                                                     \
        .model = {.model = OCELOTL_MODEL_OPTIONS_INIT}, .view = OCELOTL_VIEW_OPTIONS_INIT \
    }

/* A command. The callbacks are given its request, which begins with a cli_request. */
typedef struct cli_command_line {
    const char *command;
    const struct option *options;
    void (*help)(FILE *file); /* writes all of it, in sections (help.h) */
    /* Takes an option before the shared ones are tried, as cli_take_model_option; NULL: it has none of its own. */
    bool (*take_option)(int *code, void *request, int option);
    /* Checks what is no option; gives an exit code. NULL: it is one TRACE. */
    int (*check_operands)(int count, char **operands);
    int (*run)(void *request);
} cli_command_line;

/* Reads the command line into the request and runs the command. Gives an exit code. */
int cli_run_command_line(const cli_command_line *line, cli_request *request, int argc, char **argv);

/* What an answer is written as: as was asked, else as the name of the output ends, else as a table or a picture. */
typedef enum cli_format { CLI_FORMAT_OWN, CLI_FORMAT_CSV, CLI_FORMAT_JSON } cli_format;

cli_format cli_format_of(const cli_request *request);

/* As cli_check_text_output, for -o where it was given. */
int cli_check_text_request(const cli_request *request, const char *command);

/* The file of a picture: -o, or NAMESUFFIX.svg in this folder, for a trace whose name is used as far as a file's name may
 * hold it, and which is not the TRACE itself. Gives an exit code; *path is for cli_end_picture. */
int cli_begin_picture(char **path, const cli_request *request, const char *name, const char *suffix);

/* Says where the picture is, where that was not asked for, and frees the path. `status` is that of drawing it. Gives an
 * exit code. */
int cli_end_picture(char *path, const cli_request *request, ocelotl_status status);

#endif
