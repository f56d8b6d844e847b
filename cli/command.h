/* What the commands of ocelotl-cli share. Each command is a file; main.c has the table. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <ocelotl/ocelotl.h>

#include <getopt.h>
#include <stdio.h>

/* Exit codes. */
enum { CLI_DONE = 0, CLI_WRONG = 1, CLI_USAGE = 2, CLI_INTERNAL = 3 };

/* Runs a command; argv[0] is its name, "" for the overview. Returns an exit code. */
typedef int (*cli_run)(int argc, char **argv);

typedef struct cli_command {
    const char *name;
    const char *summary;
    cli_run run;
    const struct option *const *options;
} cli_command;

int cli_overview(int argc, char **argv);
int cli_import(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_sweep(int argc, char **argv);
int cli_parts(int argc, char **argv);
int cli_formats(int argc, char **argv);
int cli_sql(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_gantt(int argc, char **argv);
int cli_stats(int argc, char **argv);
int cli_treemap(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_series(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_cache(int argc, char **argv);

/* Prints "ocelotl-cli: ..." in a line of its own on standard error, as all below do: what a
 * terminal would obey or hide is named (visible.h). */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says what the library has to say and gives the exit code that fits the status. */
int cli_fail(ocelotl_status status);

/* CLI_DONE, or as cli_fail. */
int cli_code(ocelotl_status status);

/* The same of options alone, of which nothing that is read has been asked: what they cannot be is
 * no request. */
int cli_option_code(ocelotl_status status, const char *command);

/* The same for an import of a file, with what helps where it ended at a broken line. */
int cli_import_code(ocelotl_status status, const char *path, bool lenient);

/* Prints "ocelotl-cli: ...; see ocelotl-cli COMMAND --help", for what is not even a request. Gives
 * CLI_USAGE. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "ocelotl-cli: ..." and gives CLI_WRONG. */
int cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says that there is no memory and gives CLI_INTERNAL. */
int cli_memory(void);

#endif
