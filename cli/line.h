/* A command line of ocelotl-cli as data: its options as they were given, and its traces. */
#ifndef CLI_LINE_H
#define CLI_LINE_H

#include "words.h"

#include <getopt.h>

enum { CLI_LINE_OPTIONS_MOST = 4096, CLI_LINE_TRACES_MOST = 2 };

/* An option as it was given. */
typedef struct cli_given {
    const char *name;
    const char *value; /* NULL: it takes none */
} cli_given;

/* Zero-initialised it is empty. Its strings are those of the arguments. */
typedef struct cli_line {
    cli_given options[CLI_LINE_OPTIONS_MOST];
    size_t count;
    const char *traces[CLI_LINE_TRACES_MOST];
    size_t trace_count;
} cli_line;

/* Reads a command line with the options of a command, which takes so many traces; argv[0] is no
 * option. getopt is begun anew, before and behind. Gives an exit code. */
int cli_line_read(cli_line *line, int argc, char **argv, const struct option *options,
                  const char *command, size_t traces);

/* Whether an option looks into a part, or says which p. */
bool cli_given_is_zoom(const cli_given *option);
bool cli_given_is_of_p(const cli_given *option);

/* Behind the last option that looks into a part; 0 where none does. */
size_t cli_line_end_of_zooms(const cli_line *line);

/* Add an option, and the traces behind all options, as words. False where there is no memory. */
bool cli_line_add_option(cli_words *words, const cli_given *option);
bool cli_line_add_traces(cli_words *words, const cli_line *line);

#endif
