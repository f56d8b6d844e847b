/* What every command does with its command line: reads it, answers --help, refuses what cannot be,
 * and runs. A command keeps what is its own: a table of options, a help, and what it does. */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include "output.h"
#include "part.h"
#include "picture_options.h"

/* Values of getopt_long for options that answers have; those below and above are in the headers of
 * their groups. */
enum { CLI_JSON = CLI_OWN_OPTION + 50, CLI_CSV, CLI_FORCE };

#define CLI_OUTPUT_OPTIONS                    \
    {"output", required_argument, NULL, 'o'}, \
    {                                         \
        "force", no_argument, NULL, CLI_FORCE \
    }

/* Below -o. */
#define CLI_FORCE_HELP \
    "  --force               replace a file of another kind, or of somebody else, too\n"

/* What several commands are asked, the first member of the request of each. What is not in a
 * command's table of options stays as CLI_REQUEST_INIT has it. */
typedef struct cli_request {
    cli_model_options model;
    cli_which_p which;
    cli_zooms zooms;
    ocelotl_picture_options view;
    cli_progress progress;
    ocelotl_palette *palette; /* of --palette, NULL: not given */
    const char *output;       /* of -o, NULL: not given */
    bool force, json, csv;
    /* the option, with its value, that asks for text of another form; NULL: none does */
    const char *text_option;
    cli_content content; /* what is written: CLI_TEXT is the command's own text */
    char **operands;     /* as many as the command wants; the first is its TRACE */
} cli_request;

#define CLI_REQUEST_INIT                                                                     \
    {                                                                                        \
        .model = {.model = OCELOTL_MODEL_OPTIONS_INIT}, .view = OCELOTL_PICTURE_OPTIONS_INIT \
    }

/* A command. The callbacks are given its request, which begins with a cli_request. */
typedef struct cli_command_line {
    const char *command;
    const struct option *options;
    void (*help)(FILE *file); /* writes all of it, in sections (help.h) */
    /* Takes an option before the shared ones are tried, as cli_take_model_option; NULL: it has none
     * of its own. */
    bool (*take_option)(int *code, void *request, int option);
    /* Checks what is no option; gives an exit code. NULL: it is one TRACE. */
    int (*check_operands)(int count, char **operands);
    int (*run)(void *request);
    unsigned writes; /* bits of cli_content: what it writes to a file or to standard output */
} cli_command_line;

/* Reads the command line into the request and runs the command. Gives an exit code. */
int cli_run_command_line(const cli_command_line *line, cli_request *request, int argc, char **argv);

/* Whether pictures are what is written. */
bool cli_draws(const cli_request *request);

/* The name of the picture to write, NULL where none was given: for what checks its suffix. */
const char *cli_picture_name(const cli_request *request);

/* Says which rows of the user's palette match nothing in any of the traces, or of the models, that
 * a picture is of; either may be NULL. */
void cli_say_unmatched(const cli_request *request, ocelotl_trace *const *traces,
                       const ocelotl_model *const *models, size_t count);

/* The file of a picture: -o, or NAMESUFFIX.svg in this folder, for a trace whose name is used as
 * far as a file's name may hold it; for standard output a temporary file. Gives an exit code; *path
 * is for cli_end_picture. */
int cli_begin_picture(char **path, const cli_request *request, const char *name,
                      const char *suffix);

/* Says where the picture is, where that was not asked for, or copies it to standard output, and
 * frees the path. `status` is that of drawing it. Gives an exit code. */
int cli_end_picture(char *path, const cli_request *request, ocelotl_status status);

#endif
